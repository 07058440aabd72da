"""The comparison in a terminal, in a log, and as Markdown."""

from dataclasses import replace

import pytest

from reconcile.gap.rows import Line, Rows
from reconcile.gap.walk import Bridge
from reconcile.report.blocks import Bullets, Sentences, escape, terminal, text
from reconcile.report.forms import in_form
from tests.report import samples
from tests.report.samples import Terminal

TEXT = in_form(samples.walked(samples.demonstration()), "text")
MARKDOWN = in_form(samples.walked(samples.demonstration()), "markdown")


def test_text_gives_the_reason_where_there_is_no_bridge_and_the_counts_of_incomplete_figures():
    text = in_form(
        samples.walked(
            samples.demonstration(),
            [Bridge("Tomas Beck", "pr", 1.0, None, (), "no decision counts on the right")],
        ),
        "text",
    )
    assert "no bridge: no decision counts on the right" in text
    figure = replace(
        samples.figure(verdict="incomplete"), coverage="right: 27 of 94 cube decisions"
    )
    comparison = samples.with_figures(samples.demonstration(), [figure])
    assert (
        "Incomplete analysis, not judged:\n  PR of Black: right: 27 of 94 cube decisions\n"
        in in_form(comparison, "text")
    )
    assert "- PR of Black: right: 27 of 94 cube decisions" in in_form(comparison, "markdown")


def test_terminal_gets_tables_and_colour_and_takes_names_literally():
    file = Terminal()
    figures = [
        replace(figure, player="[red]Nora[/red]") for figure in samples.demonstration().judged
    ]
    in_form(samples.with_figures(samples.demonstration(), figures), "terminal", file)
    assert "TWO ENGINES" in file.plain
    assert "[red]Nora[/red]" in file.plain


LONG = " ".join(["word"] * 60)


@pytest.mark.parametrize("width", [40, 80, 160])
def test_rows_and_lists_have_the_width_of_the_terminal_and_prose_at_most_80(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    for block, room in (
        (Rows("Ann", [Line("+0.25", "play", LONG)]), width),
        (Bullets([LONG], "Notes", wrapped=True), width),
        (Sentences([LONG]), min(width, 80)),
    ):
        stream = Terminal()
        terminal([block], stream)
        longest = max(map(len, stream.plain.splitlines()))
        assert room - len(" word") < longest <= room
        assert max(map(len, text([block]).splitlines())) <= 80


def test_markdown_and_html_in_names_stay_text():
    markdown = in_form(samples.walked(samples.hostile()), "markdown")
    assert "<script>" not in markdown
    assert "<img" not in markdown
    assert "\\`code\\` \\[a\\](b)" in markdown
    assert " & \\| " not in markdown
    assert escape("a|b\n@c <d> *e* https://f") == "a\\|b &#64;c &lt;d&gt; \\*e\\* https&#58;//f"


def test_no_output_tells_where_the_files_lie():
    assert str(samples.FOLDER) not in TEXT
    assert str(samples.FOLDER) not in MARKDOWN
    assert "nora-lindqvist-tomas-beck.xg" in MARKDOWN
