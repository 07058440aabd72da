"""Every form of a result says the same: figures, gaps, ranges, verdicts, names, steps, counts and order, read back from each form.

What a form prints is held against the numbers in the JSON of the same result, to half of the last digit printed.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from typing import Any, Final
from xml.etree import ElementTree as ET

import pytest

from reconcile.document import dumps
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations
from reconcile.gap.notes import notes
from reconcile.gap.review import Review, review
from reconcile.gate.pack_results import PackResult
from reconcile.gate.validate import validate
from reconcile.infer.investigation import Investigation
from reconcile.report import blocks
from reconcile.report.ci.github import workflow_commands
from reconcile.report.ci.judged import junit
from reconcile.report.forms import in_form
from reconcile.report.text.comparison import comparison_blocks
from reconcile.report.text.folders import many_blocks
from reconcile.report.text.pack import part_of
from reconcile.report.text.statistics import csv_rows, statistics_blocks
from reconcile.results.statistics import statistics_document
from reconcile.scoring.findings import NOTES
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics, statistics
from tests.report import samples
from tests.report.alike import FILES, PAIRS
from tests.report.ci.outputs import as_the_runner_reads
from tests.report.pages import judged_pack
from tests.report.read_back import (
    STEPS,
    UNKNOWN,
    Terminal,
    plain_markdown,
    printed,
    rows,
    terminal,
    title,
)
from tests.support.claims import some
from tests.support.command_line import CUBE_RICH
from tests.support.long import long_but_first
from tests.support.several import bundled_sgf, bundled_xg, chosen, dearer

LACKING: Final = "no cube analysed"
"""The pair of which one side lacks every figure that is judged: nothing leads from one to the other, and every form says so."""

pairs = pytest.mark.parametrize("name", long_but_first(PAIRS, 5))
files = pytest.mark.parametrize("name", FILES)


@cache
def pair(name: str) -> Comparison:
    return PAIRS[name]()


@cache
def document(name: str) -> Any:
    return json.loads(in_form(pair(name), "json"))


@cache
def forms(name: str) -> dict[str, str]:
    """The forms in words: with one blank for several where lines are only wrapped."""
    result = pair(name)
    return {
        "text, 80 columns": in_form(result, "text"),
        "text, 200 columns": blocks.text(comparison_blocks(result), 200),
        "terminal": terminal(result),
        "markdown": plain_markdown(in_form(result, "markdown")),
    }


def judged(name: str) -> list[Any]:
    return [one for one in document(name)["figures"] if one["verdict"] != "ungated"]


def is_difference(gap: Any, figure: Any) -> bool:
    """Whether a gap is that between the two figures as they are printed."""
    if figure["left"] is None or figure["right"] is None:
        return False
    left, right = (round(figure[side], 2) for side in ("left", "right"))
    return bool(abs(gap.value - (right - left)) < 1e-9)


@pairs
def test_table_of_judged_figures_has_the_numbers_of_the_document_in_one_order(name: str) -> None:
    figures = {
        (title(one["metric"]), one["player"].replace(UNKNOWN, "-")): one for one in judged(name)
    }
    unknown = {one["verdict"] == "incomplete" for one in figures.values()}
    assert any(one["gap"] for one in figures.values()) or (name == LACKING and unknown == {True})
    orders = []
    for form, text in forms(name).items():
        found = rows(text, judged(name))
        orders.append([(figure, player) for figure, player, _, _ in found])
        assert len(found) == len(figures), form
        for figure, player, (left, right, gap, allowed), verdict in found:
            one = figures[figure, player]
            assert left.is_that(one["left"], one.get("left_range")), (form, figure, player)
            assert right.is_that(one["right"], one.get("right_range")), (form, figure, player)
            ends = one["gap_range"] if verdict == "open" else None
            assert gap.is_that(one["gap"], ends) or is_difference(gap, one), (form, figure, player)
            assert allowed.is_that(one["tolerance"]), (form, figure, player)
            assert verdict == one["verdict"], (form, figure, player)
    assert all(order == orders[0] for order in orders)


@pairs
def test_steps_have_one_name_and_lead_from_figure_to_figure_in_every_form(name: str) -> None:
    said = {
        " ".join(text.replace("−", "-").replace("|", " ").replace(",", " ").split())
        for text in forms(name).values()
    }
    walks = 0
    for bridge in document(name)["bridge"]:
        moving = [one for one in bridge["steps"] if one["change"]]
        if not bridge["steps"] or not any(
            (one["metric"], one["player"]) == (bridge["metric"], bridge["player"])
            for one in judged(name)
        ):
            continue
        labels = [STEPS.get(one["code"], one["code"]).replace(",", "") for one in moving]
        line = " ".join(
            [
                r"([+-]?[\d.]+)",
                *(rf"{re.escape(label)} ([+-]?[\d.]+)" for label in labels),
                r"= ([+-]?[\d.]+)",
            ]
        )
        player = re.escape(" ".join(bridge["player"].replace(UNKNOWN, "-").split()))
        head = re.escape(title(bridge["metric"]).replace(",", ""))
        for text in said:
            walk = re.search(rf"{head} {player} {line}", text)
            assert walk is not None, (head, labels)
            values = [bridge["from"], *(one["change"] for one in moving), bridge["to"]]
            assert all(
                printed(shown).is_that(value)
                for shown, value in zip(walk.groups(), values, strict=True)
            )
        walks += 1
    assert walks or name == LACKING
    if name == LACKING:
        for one in judged(name):
            player = one["player"]
            reason = f"{title(one['metric'])} {player} no bridge: {title(one['metric'])} is unknown on the right"
            assert all(reason.replace(",", "") in text for text in said), reason


def even(text: str) -> str:
    return " ".join(text.replace("−", "-").replace(UNKNOWN, "-").replace("`", "").split())


@pairs
def test_rows_notes_and_findings_are_the_same_in_every_form(name: str) -> None:
    """What a row begins with, what it is about and what either side says of it, one after the other."""
    words = {form: even(text) for form, text in forms(name).items()}
    page = re.sub(
        r"<(style|script|svg)\b.*?</\1>", "", in_form(pair(name), "html"), flags=re.DOTALL
    )
    words["html"] = even(unescape(re.sub(r"<[^>]+>", " ", page)))
    rows = [one.shown() for one in explanations(pair(name))]
    pieces = [
        even(piece)
        for one in rows
        for piece in (one.headline, *(part for line in one.lines for part in line[:3]))
    ]
    found = document(name)
    assert [even(one) for one in found["story"]][: len(rows)] or not rows
    findings = [
        even(
            f"{one['severity']}{f' ({side})' if (side := one['side']) else ''}: {one['title']}: {one['evidence']} [{one['code']}]"
        )
        for one in found["findings"]
        if one["code"] not in NOTES
    ]
    for form, text in words.items():
        place = 0
        for piece in pieces:
            place = text.index(piece, place)
        for note in notes(pair(name)):
            assert even(note) in text, form
        if form == "html":
            assert all(even(one["evidence"]) in text for one in found["findings"])
            continue
        places = [text.index(one) for one in findings]
        assert places == sorted(places), form
    for one in judged(name):
        assert even(one["player"]) in words["html"]


@pairs
def test_ledger_adds_up_to_the_steps_and_has_their_players(name: str) -> None:
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
        <= {one["player"] for one in document(name)["figures"]}
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


@pairs
def test_positions_are_of_the_ledger_and_name_its_players(name: str) -> None:
    lines = [line.split("\t") for line in in_form(pair(name), "ledger", "a.txt").splitlines()[1:]]
    known = {(one["xgid"], one["gnubg_id"]) for one in document(name)["ledger"]}
    assert lines
    assert {(xgid, gnubg_id) for _, xgid, gnubg_id, _, _ in lines} <= known
    assert {player for _, _, _, player, _ in lines} <= {
        " ".join(one["player"].split()) for one in document(name)["figures"]
    }
    sizes = [abs(float(change)) for change, *_ in lines]
    assert sizes == sorted(sizes, reverse=True)


GAP_AND_BOUND: Final = re.compile(r"gap ([+-−]?[\d.]+(?: to [+-]?[\d.]+)?), allowed ([\d.]+)")


@pairs
def test_gates_judge_the_figures_of_the_document(name: str) -> None:
    part = part_of(pair(name))
    root = ET.fromstring(junit("run", [part], environment={}))
    facts = {one.get("name"): one.get("value") for one in root.iter("property")}
    figures = judged(name)
    cases = [str(case.get("name")) for case in root.iter("testcase")]
    wanted = [f"{title(one['metric'])} of {one['player']}" for one in figures]
    assert sorted(cases) == sorted(wanted)
    assert [one for one in cases if ", analysis" not in one] == [
        one for one in wanted if ", analysis" not in one
    ]
    for one in figures:
        for side in ("left", "right", "gap", "tolerance"):
            assert facts.get(f"{one['metric']} {one['player']} {side}") == (
                None if one[side] is None else str(one[side])
            )
    outcomes = {
        str(case.get("name")): {child.tag for child in case} for case in root.iter("testcase")
    }
    told = {one for one, tags in outcomes.items() if "failure" in tags}
    assert told == {
        f"{title(one['metric'])} of {one['player']}"
        for one in figures
        if (one["verdict"], one["level"]) == ("outside", "error")
    }
    commands = [
        as_the_runner_reads(line) for line in workflow_commands([part], environment={}).splitlines()
    ]
    bad = [one for one in figures if one["verdict"] in ("outside", "open")]
    lines = [match for _, _, text in commands for match in GAP_AND_BOUND.finditer(text)]
    assert len(lines) == len([one for one in bad if "@" not in one["metric"]])
    for line in lines:
        gap, bound = (
            printed(text.replace("−", "-").partition(" to ")[0]) for text in line.groups()
        )
        assert any(
            bound.is_that(one["tolerance"])
            and (
                gap.is_that(one["gap_range"][0] if one["verdict"] == "open" else one["gap"])
                or is_difference(gap, one)
            )
            for one in bad
        )


def analyses() -> Review:
    xg, sgf = bundled_xg(), bundled_sgf()
    return review(xg, sgf, dearer(xg, "third.xg", chosen(xg, 0, 3), 0.1))


def test_three_analyses_have_one_table_of_figures_in_every_form() -> None:
    result = analyses()
    texts = {
        "text, 80 columns": in_form(result, "text"),
        "text, 200 columns": blocks.text(many_blocks(result), 200),
        "terminal": terminal(result),
        "markdown": plain_markdown(in_form(result, "markdown")),
    }
    heads = ("pr", "checker_pr", "cube_pr", "decisions.counted", "mwc_loss_percent.total")
    for form, text in texts.items():
        lines = [
            " ".join(re.sub(r"[│┃|]", " ", line).split()).replace("−", "-")
            for line in text.splitlines()
        ]
        for seat, name in enumerate(result.names):
            start = next(index for index, line in enumerate(lines) if line.rstrip(":") == name)
            for side, label in enumerate(result.labels):
                row = next(
                    line for line in lines[start:] if line.startswith(f"[{side + 1}] {label} ")
                )
                shown = re.findall(
                    r"(?<![\d.])\d+(?:\.\d+)?(?![\d.-])", row.removeprefix(f"[{side + 1}] {label} ")
                )
                known = result.figures_of(side, seat)
                assert all(
                    printed(cell).is_that(known[head])
                    for cell, head in zip(shown, heads, strict=True)
                ), (form, row)
            outlier = result.outliers[seat]
            end = start + 3 + len(result.labels)
            marked = [line for line in lines[start:end] if line.endswith(" outlier")]
            assert len(marked) == (outlier is not None), form
    dispute = result.disputes[0]
    for form, text in texts.items():
        words = " ".join(text.split())
        place = f"game {dispute.game} turn {dispute.turn}"
        assert f"{dispute.kind.replace('-', ' ')}, {place}" in words, form
        assert f"{len(result.disputes)} decisions in dispute" in words, form


@files
def test_one_file_has_the_same_figures_in_table_csv_and_json(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: Statistics = statistics(FILES[name]())
    found = json.loads(dumps(statistics_document(scored)))
    table = list(
        csv.DictReader(
            io.StringIO(
                ",".join(("path", "rules", "met", "player", "game", *METRICS))
                + "\n"
                + csv_rows(scored)
            )
        )
    )
    assert (
        [row["player"] for row in table]
        == list(scored.match.names)
        == [one["name"] for one in found["players"]]
    )
    stream = Terminal()
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("sys.stdout", stream)
    blocks.terminal(statistics_blocks(scored))
    texts = (
        blocks.text(statistics_blocks(scored)),
        re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()),
    )
    for metric in ("pr", "checker_pr", "equity_error.total", "decisions.checker", "moves.total"):
        values = [scored.figures(seat)[metric] for seat in (0, 1)]
        assert [row[metric] for row in table] == [
            "" if value is None else repr(value) for value in values
        ]
        for text in texts:
            shown = [
                line.strip().removeprefix(METRICS[metric].label).split()
                for line in text.splitlines()
                if line.strip().startswith(f"{METRICS[metric].label}  ")
            ]
            if not scored.match.plays.analysed.any() and metric != "moves.total":
                # not a row of dashes: the head says why, for either player
                assert (shown, text.count("no analysis, so no PR")) == ([], 2)
                continue
            for cells in some(shown[:1]):
                assert all(
                    printed(cell).is_that(value) for cell, value in zip(cells, values, strict=True)
                ), (metric, cells)
    lines = [
        [" ".join(line.split()) for line in text.splitlines() if line.strip()] for text in texts
    ]
    assert lines[0] == lines[1]


OTHERS: Final[dict[str, Callable[[], PackResult | Investigation]]] = {
    "pack": lambda: validate(CUBE_RICH),
    "pack of four matches": judged_pack,
    "figure of other rules": lambda: samples.nora(pr="7.23"),
    "figure that no rules give": lambda: samples.nora(pr="9.99"),
}


def plain_words(text: str) -> str:
    """Without the frame of a table, and without what Markdown folds in."""
    return " ".join(
        re.sub(r"[|│┃]|</?\w+>", " ", text).replace("−", "-").replace(UNKNOWN, "-").split()
    )


@pytest.mark.parametrize("name", OTHERS)
def test_packs_and_investigations_are_the_same_words_in_every_form(name: str) -> None:
    result = OTHERS[name]()
    texts = {
        "80 columns": in_form(result, "text"),
        "terminal": terminal(result),
        "markdown": plain_markdown(in_form(result, "markdown")),
    }
    words = {form: plain_words(text) for form, text in texts.items()}
    lines = [
        plain_words(line).rstrip(":")
        for line in in_form(result, "text", 200).splitlines()
        if line.strip()
    ]
    assert len(lines) > 3
    for line in lines:
        said = re.sub(r"^\d+ (?=rule set|\w+ with)", "", line)  # the number that ranks an entry
        assert [form for form, text in words.items() if said not in text] == [], said


def every_line(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    yield from ((form, line) for form, text in texts.items() for line in text.splitlines())


@pairs
def test_no_form_has_two_kinds_of_minus_or_a_backtick_that_shows(name: str) -> None:
    texts = forms(name)
    assert all("−" not in text for form, text in texts.items() if form != "markdown")
    judged_rows = [
        line for form, line in every_line({"markdown": texts["markdown"]}) if line.startswith("| ")
    ]
    assert judged_rows
    assert not [line for line in judged_rows if re.search(r"(?<= )-\d", line)]
    assert r"\`" not in in_form(pair(name), "markdown")
