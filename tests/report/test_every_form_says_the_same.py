"""Every form of a result says the same: each look has every word of the result's blocks in one
order, and the numbers of the blocks are those of its JSON, to half of the last digit printed.
"""

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache, partial
from html import unescape
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from reconcile.document import dumps
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.review import review
from reconcile.gap.rows import Rows
from reconcile.gate.validate import validate
from reconcile.report import blocks
from reconcile.report.blocks import (
    Block,
    Bullets,
    Folded,
    Heading,
    Item,
    Parts,
    Sentences,
    Table,
    Verdict,
)
from reconcile.report.ci.github import workflow_commands
from reconcile.report.ci.judged import junit
from reconcile.report.forms import in_form
from reconcile.report.markdown import markdown
from reconcile.report.text.comparison import comparison_blocks
from reconcile.report.text.folders import many_blocks
from reconcile.report.text.investigation import investigation_blocks
from reconcile.report.text.pack import comparison_parts, pack_blocks
from reconcile.report.text.statistics import csv_rows, statistics_blocks
from reconcile.results.statistics import statistics_document
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics, statistics
from tests.report import samples
from tests.report.alike import FILES, PAIRS
from tests.report.ci.outputs import as_the_runner_reads
from tests.report.pages import judged_pack
from tests.report.read_back import STEPS, UNKNOWN, Terminal, plain_markdown, printed, title
from tests.support.command_line import CUBE_RICH
from tests.support.long import long_but_first
from tests.support.several import bundled_sgf, bundled_xg, chosen, dearer

LACKING: Final = "no cube analysed"
"""The pair of which one side lacks every figure that is judged: nothing leads from one to the
other, and every form says so.
"""

pairs = pytest.mark.parametrize("name", long_but_first(PAIRS, 5))
files = pytest.mark.parametrize("name", FILES)


@cache
def pair(name):
    return PAIRS[name]()


@cache
def document(name):
    return json.loads(in_form(pair(name), "json"))


def judged(name):
    return [figure for figure in document(name)["figures"] if figure["verdict"] != "ungated"]


def even(text):
    """With one blank for several, without the frames of tables, and with plain signs."""
    text = re.sub(r"[|│┃`]|</?\w+>", " ", text)
    return " ".join(text.replace("−", "-").replace(UNKNOWN, "-").split())


def pieces(block):
    """The words of a block, in the order in which every look has them."""
    match block:
        case Heading():
            yield block.words
        case Verdict():
            yield block.sentence
        case Rows():
            yield block.headline
            for line in block.lines:
                yield from line[:3]
        case Sentences():
            yield from block.paragraphs
        case Bullets():
            for entry in block.items[: block.most]:
                item = entry if isinstance(entry, Item) else Item(entry)
                yield from (item.lead.rstrip("0123456789"), item.words, *item.below)
        case Table():
            for row in [] if block.has_to_fit else block.rows:
                for cell in row:
                    yield from cell.parts if isinstance(cell, Parts) else (cell,)


def looks(make):
    stream = Terminal()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "400")
        blocks.terminal(make(), stream)
    texts = {
        "80 columns": blocks.text(make()),
        "200 columns": blocks.text(make(), 200),
        "terminal": re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()),
        "markdown": plain_markdown(markdown(make())),
    }
    return {look: even(text) for look, text in texts.items()}


def analyses():
    xg, sgf = bundled_xg(), bundled_sgf()
    return review(xg, sgf, dearer(xg, "third.xg", chosen(xg, 0, 3), 0.1))


def of_pair(name):
    return comparison_blocks(pair(name))


def of_one_file(name):
    return statistics_blocks(statistics(FILES[name]()))


RESULTS: Final[dict[str, Callable[[], Iterator[Block]]]] = {
    **{name: partial(of_pair, name) for name in PAIRS},
    **{f"one file, {name}": partial(of_one_file, name) for name in FILES},
    "three analyses": lambda: many_blocks(analyses()),
    "pack": lambda: pack_blocks(validate(CUBE_RICH)),
    "pack of four matches": lambda: pack_blocks(judged_pack()),
    "figure of other rules": lambda: investigation_blocks(samples.nora(pr="7.23")),
    "figure that no rules give": lambda: investigation_blocks(samples.nora(pr="9.99")),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_look_has_every_word_in_one_order(name):
    shown = [
        block
        for block in RESULTS[name]()
        if not getattr(block, "alone", False) and not isinstance(block, Folded)
    ]
    words = [even(piece) for block in shown for piece in pieces(block)]
    assert len(words) > 3
    for look, text in looks(RESULTS[name]).items():
        place = 0
        for piece in filter(None, words):
            place = text.find(piece, place)
            assert place >= 0, (look, piece)


@pairs
def test_page_has_the_rows_notes_and_findings_of_every_look(name):
    page = re.sub(
        r"<(style|script|svg)\b.*?</\1>", "", in_form(pair(name), "html"), flags=re.DOTALL
    )
    text, place = even(unescape(re.sub(r"<[^>]+>", " ", page))), 0
    for rows in explanations(pair(name)):
        for piece in pieces(rows.shown()):
            place = text.index(even(piece), place)
    assert all(even(note) in text for note in notes(pair(name)))
    assert all(even(finding["evidence"]) in text for finding in document(name)["findings"])
    assert all(even(figure["player"]) in text for figure in judged(name))


@pairs
def test_judged_figures_and_their_steps_are_the_numbers_of_the_document(name):
    tables = [block for block in comparison_blocks(pair(name)) if isinstance(block, Table)]
    figures = {(title(figure["metric"]), figure["player"]): figure for figure in judged(name)}
    assert any(figure["gap"] for figure in figures.values()) or name == LACKING
    assert [row[:2] for row in tables[0].rows]
    assert len(tables[0].rows) == len(figures)
    for metric, player, *numbers, verdict in tables[0].rows:
        figure = figures[metric, player]
        left, right, gap, allowed = map(printed, numbers)
        ends = figure["gap_range"] if figure["verdict"] == "open" else None
        assert left.is_that(figure["left"], figure.get("left_range"))
        assert right.is_that(figure["right"], figure.get("right_range"))
        assert gap.is_that(figure["gap"], ends) or is_difference(gap, figure)
        assert allowed.is_that(figure["tolerance"])
        assert verdict.partition(",")[0].removesuffix(" (warning)") == figure["verdict"]
    bridges = {
        (title(bridge["metric"]), bridge["player"]): bridge for bridge in document(name)["bridge"]
    }
    for metric, player, walk in tables[1].rows if len(tables) > 1 else ():
        bridge = bridges[metric, player]
        if not bridge["steps"]:
            assert walk == f"no bridge: {bridge['reason']}"
            continue
        moving = [step for step in bridge["steps"] if step["change"]]
        assert isinstance(walk, Parts)
        first, *steps, last = walk.parts
        assert printed(first).is_that(bridge["from"])
        assert printed(last).is_that(bridge["to"])
        for step, text in zip(moving, steps, strict=True):
            label, _, change = text.rpartition(" ")
            assert label == STEPS.get(step["code"], step["code"])
            assert printed(change).is_that(step["change"])


def is_difference(gap, figure):
    """Whether a gap is that between the two figures as they are printed."""
    if figure["left"] is None or figure["right"] is None:
        return False
    left, right = (round(figure[side], 2) for side in ("left", "right"))
    return bool(abs(gap.value - (right - left)) < 1e-9)


@pairs
def test_ledger_adds_up_to_the_steps_and_has_their_players(name):
    pytest.importorskip("pyarrow")
    import pandas as pd

    csv_ledger = list(csv.DictReader(io.StringIO(in_form(pair(name), "ledger", "a.csv"))))
    frame = pd.read_parquet(io.BytesIO(in_form(pair(name), "ledger", "a.parquet")))
    sums: dict[tuple[str, str, str], float] = defaultdict(float)
    for row in csv_ledger:
        sums[row["player"], row["metric"], row["step"]] += float(row["change"])
    assert len(frame) == len(csv_ledger)
    assert frame["change"].sum() == pytest.approx(sum(sums.values()), abs=1e-9)
    assert (
        set(frame["player"])
        == {player for player, _, _ in sums}
        <= {figure["player"] for figure in document(name)["figures"]}
    )
    steps = [
        (bridge, step)
        for bridge in document(name)["bridge"]
        for step in bridge["steps"]
        if not step["code"].startswith("reported")
    ]
    assert steps
    for bridge, step in steps:
        if step["code"] not in ("Q09", "Q13"):  # a factor and a cap belong to no decision
            assert sums[bridge["player"], bridge["metric"], step["code"]] == pytest.approx(
                step["change"], abs=1e-9
            ), (
                bridge["metric"],
                step,
            )


GAP_AND_BOUND: Final = re.compile(r"gap ([+-−]?[\d.]+(?: to [+-]?[\d.]+)?), allowed ([\d.]+)")


@pairs
def test_gates_judge_the_figures_of_the_document(name):
    root = ET.fromstring(junit("run", comparison_parts(pair(name)), environment={}))
    facts = {entry.get("name"): entry.get("value") for entry in root.iter("property")}
    figures = judged(name)
    cases = [str(case.get("name")) for case in root.iter("testcase")]
    wanted = [f"{title(figure['metric'])} of {figure['player']}" for figure in figures]
    assert sorted(cases) == sorted(wanted)
    assert [case for case in cases if ", analysis" not in case] == [
        case for case in wanted if ", analysis" not in case
    ]
    for figure in figures:
        for side in ("left", "right", "gap", "tolerance"):
            assert facts.get(f"{figure['metric']} {figure['player']} {side}") == (
                None if figure[side] is None else str(figure[side])
            )
    outcomes = {
        str(case.get("name")): {child.tag for child in case} for case in root.iter("testcase")
    }
    failing = {case for case, tags in outcomes.items() if "failure" in tags}
    assert failing == {
        f"{title(figure['metric'])} of {figure['player']}"
        for figure in figures
        if (figure["verdict"], figure["level"]) == ("outside", "error")
    }


@pairs
def test_annotations_have_the_gaps_and_bounds_of_the_document(name):
    output = workflow_commands(comparison_parts(pair(name)), environment={})
    commands = [as_the_runner_reads(line) for line in output.splitlines()]
    figures = judged(name)
    bad = [figure for figure in figures if figure["verdict"] in ("outside", "open")]
    lines = [match for _, _, text in commands for match in GAP_AND_BOUND.finditer(text)]
    assert len(lines) == len([figure for figure in bad if "@" not in figure["metric"]])
    for line in lines:
        gap, bound = (
            printed(text.replace("−", "-").partition(" to ")[0]) for text in line.groups()
        )
        assert any(
            bound.is_that(figure["tolerance"])
            and (
                gap.is_that(
                    figure["gap_range"][0] if figure["verdict"] == "open" else figure["gap"]
                )
                or is_difference(gap, figure)
            )
            for figure in bad
        )


@files
def test_one_file_has_the_same_figures_in_csv_and_json(name):
    scored: Statistics = statistics(FILES[name]())
    head = ",".join(("path", "rules", "met", "player", "game", *METRICS))
    table = list(csv.DictReader(io.StringIO(f"{head}\n{csv_rows(scored)}")))
    players = json.loads(dumps(statistics_document(scored)))["players"]
    names = [player["name"] for player in players]
    assert [row["player"] for row in table] == list(scored.match.names) == names
    for metric in ("pr", "checker_pr", "equity_error.total", "decisions.checker", "moves.total"):
        values = [scored.figures(seat)[metric] for seat in (0, 1)]
        assert [row[metric] for row in table] == [
            "" if value is None else repr(value) for value in values
        ]


@pairs
def test_no_form_has_two_kinds_of_minus_or_a_backtick_that_shows(name):
    text, written = in_form(pair(name), "text"), in_form(pair(name), "markdown")
    assert "−" not in text
    rows = [line for line in plain_markdown(written).splitlines() if line.startswith("| ")]
    assert rows
    assert not [line for line in rows if re.search(r"(?<= )-\d", line)]
    assert r"\`" not in written
