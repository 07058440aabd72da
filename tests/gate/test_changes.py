"""`reconcile diff`: what changed between two results is shown, and what got worse is exit code 1.
`reconcile diff`: what changed between two results is shown, and what got worse is exit code 1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reconcile.gate.changes import VERDICTS, Result, Value, changes
from reconcile.report import blocks
from reconcile.report.markdown import markdown
from reconcile.report.text.changes import changes_blocks
from tests.gate.cases import cases
from tests.gate.results import (
    DOCUMENTS,
    SAME,
    WORSE,
    changes_of,
    comparison,
    diff,
    figure_of,
    match_of,
    statistics,
    validation,
    written,
)
from tests.support.command_line import ERROR, run
from tests.support.examples import examples
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("elsewhere")
RICH = "gnubg-11pt-cube-rich"


@pytest.mark.parametrize("kind", long_but_first(DOCUMENTS, 2))
def test_result_against_itself_has_not_changed(kind: str) -> None:
    document = DOCUMENTS[kind]()
    shown = changes_of(document, document)
    assert (shown["figures"], shown["facts"], shown["old"]["figures"] > 40) == ([], [], True)
    result = diff(document, document)
    assert (result.exit_code, result.stdout.count("\n")) == (SAME, 1)
    assert "nothing changed" in result.stdout


def test_figure_out_of_tolerance_is_worse_and_comes_first_in_every_output() -> None:
    old, new = validation(), validation()
    figure_of(new).update(right=99.0, gap=99.0 - figure_of(new)["left"], verdict="outside")
    figure_of(new, "snowie_memg", "Ben")["right"] += 0.001
    assert [entry["change"] for entry in changes_of(old, new)["figures"]] == ["worse", "moved"]
    result = diff(old, new, "--json", "changes.json", "--markdown", "changes.md")
    assert (result.exit_code, "wrote changes.json" in result.stderr) == (WORSE, True)
    lines = result.stdout.splitlines()
    assert lines[0] == "reference_matches: 1 verdict got worse; other figures: 1 moved."
    where = f"  {RICH}, reported gnubg, Ann:  Error rate (mEMG)"
    assert lines[3].startswith(f"{where}  within -> outside  right 92.8 -> 99.0  gap ")
    text = Path("changes.md").read_text("utf-8")
    assert text.startswith("### ❌ reference\\_matches: 1 verdict got worse")
    printed = diff(old, new, "--json", "-")
    assert printed.stdout == Path("changes.json").read_text("utf-8")
    assert "1 verdict got worse" in printed.stderr
    quiet = diff(old, new, "--quiet")
    assert (quiet.exit_code, quiet.output) == (WORSE, "")


@pytest.mark.parametrize(
    ("now", "change"),
    [
        ({"verdict": "within", "tolerance": 99.0}, "waived"),  # a wider bound
        ({"verdict": "within"}, "waived"),  # a known gap
        ({"verdict": "ungated", "tolerance": None, "level": None}, "waived"),
        ({"verdict": "within", "tolerance": 99.0, "gap": 0.001}, "better"),
        ({"verdict": "incomplete", "gap": None, "right": None}, "better"),
    ],
)
def test_verdict_that_is_better_only_because_more_is_allowed_is_waived(
    now: dict[str, Any], change: str
) -> None:
    old, new = validation(), validation()
    figure_of(old).update(verdict="outside", right=99.0, gap=6.0, tolerance=0.01)
    figure_of(new).update({"right": 99.0, "gap": 6.0, "tolerance": 0.01, **now})
    assert [entry["change"] for entry in changes_of(old, new)["figures"]] == [change]
    assert ("only because more is allowed" in diff(old, new).stdout) is (change == "waived")
    assert diff(new, old).exit_code == WORSE


@pytest.mark.parametrize("after", VERDICTS)
@pytest.mark.parametrize("before", VERDICTS)
@pytest.mark.parametrize("level", ["error", "warn"])
def test_verdict_that_got_worse_fails_at_its_level(level: Any, before: Any, after: Any) -> None:
    old, new = (
        Result("pack", None, {("m", "s", "Ann", "pr"): Value(5.0, 5.0, 0.0, 0.1, level, verdict)})
        for verdict in (before, after)
    )
    is_worse = VERDICTS.index(after) > VERDICTS.index(before)
    outcome = changes(old, new)
    assert outcome.exit_code() == int(is_worse and level == "error")
    assert outcome.exit_code(fail_on="warn") == int(is_worse)


@pytest.mark.parametrize("absent", ["in a line, as 0.1 wrote it", {"what": "part", "why": "gone"}])
def test_match_that_is_no_longer_compared_is_one_line_and_worse(absent: Any) -> None:
    old, new = validation(), validation()
    match_of(new).update(reported=[], not_compared=[absent])
    result = diff(old, new)
    assert result.exit_code == WORSE
    assert "36 figures within tolerance no longer there" in result.stdout
    assert f"  {RICH}, reported gnubg:  36 figures (36 within)\n" in result.stdout
    back = diff(new, old)
    assert (back.exit_code, "Figures that are new" in back.stdout) == (SAME, True)
    if isinstance(absent, dict):
        assert f"{RICH}, not compared: part: none -> gone" in result.stdout


def test_new_figure_out_of_tolerance_is_worse() -> None:
    old, new = validation(), validation()
    old["matches"] = [match for match in old["matches"] if match["id"] != RICH]
    assert diff(old, new).exit_code == SAME
    figure_of(new)["verdict"] = "outside"
    result = diff(old, new)
    assert (result.exit_code, "1 new figure out of tolerance" in result.stdout) == (WORSE, True)


def test_other_tolerance_is_shown_where_no_figure_moved_and_rounding_is_no_change() -> None:
    new = validation()
    figure_of(new)["tolerance"] = 5.0
    figure_of(new, player="Ben")["right"] *= 1 + 1e-14
    (figure,) = changes_of(validation(), new)["figures"]
    assert (figure["change"], figure["where"]) == ("bound", [RICH, "reported gnubg", "Ann"])
    assert "allowed 0.0 -> 5.0" in diff(validation(), new).stdout


@pytest.mark.long
def test_tool_rules_findings_and_files_that_changed_are_shown() -> None:
    new = comparison()
    new["right"].update(tool_version="1.09", sha256="f" * 64, rules="gnubg-manual")
    gone = new["findings"].pop()
    facts = {
        tuple(entry["where"]): entry["new"] for entry in changes_of(comparison(), new)["facts"]
    }
    assert {path[-1] for path in facts if path[0] == "right"} >= {"tool_version", "sha256", "rules"}
    assert next(new for path, new in facts.items() if path[-1].endswith(gone["code"])) is None
    assert "right, rules: gnubg -> gnubg-manual" in diff(comparison(), new).stdout


def test_statistics_show_figures_that_moved_and_never_fail() -> None:
    new = statistics()
    new[0]["players"][0]["pr"] += 1
    new[0]["players"][0]["games"][1]["pr"] = None
    result = diff(statistics(), new)
    assert result.exit_code == SAME
    assert "nora-lindqvist-tomas-beck.xg, Nora Lindqvist:  PR  7.16 -> 8.16" in result.stdout
    assert "nora-lindqvist-tomas-beck.xg, Nora Lindqvist, game 2:  PR  " in result.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [("validation", "comparison"), ("comparison", "statistics"), ("pool", "validation")],
)
def test_results_of_two_commands_cannot_be_compared(old: str, new: str) -> None:
    result = diff(DOCUMENTS[old](), DOCUMENTS[new]())
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "expected two results of one command" in result.stderr


def test_results_without_a_figure_in_common_cannot_be_compared() -> None:
    new = comparison()
    for entry in new["figures"]:
        entry["player"] = f"another {entry['player']}"
    result = diff(comparison(), new)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "no figure in common" in result.stderr


def test_standard_input_is_one_result() -> None:
    document = written("validate", "--json", "-")
    Path("old.json").write_text(document, "utf-8")
    assert run("diff", "old.json", "-", stdin=document.encode()).exit_code == SAME
    assert run("diff", "-", "-").exit_code == ERROR


HOSTILE: dict[str, bytes] = {
    **cases("results"),
    "no JSON": b"\x89PNG",
    "nested deeply": b"[" * 1_000_000,
    "a huge number": b'{"schema_version": 1, "pack": ' + b"9" * 10_000 + b"}",
    "no UTF-8": b'{"schema_version": 1, "pack": "\xff"}',
}


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("side", [0, 1])
def test_what_is_no_result_is_refused_in_one_line(hostile: str, side: int) -> None:
    content: Any = HOSTILE[hostile]
    Path("hostile.json").write_bytes(content if isinstance(content, bytes) else content.encode())
    Path("good.json").write_text(written("validate", "--json", "-"), "utf-8")
    names = ["hostile.json", "good.json"]
    result = run("diff", names[side], names[1 - side], "--json", "changes.json")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert (len(result.stderr.splitlines()), "hostile.json" in result.stderr) == (1, True)
    assert not Path("changes.json").exists()


FIGURE = ("matches", 0, "pairs", 0, "figures", 0)
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    ((*FIGURE, "left"), "7", "matches.0.pairs.0.figures.0.left: expected a number"),
    ((*FIGURE, "left"), "LARGE", "figures.0.left: expected a finite number"),
    ((*FIGURE, "metric"), "elo", "matches.0.pairs.0.figures.0.metric"),
    ((*FIGURE, "verdict"), "fine", "verdict: expected 'within'"),
    ((*FIGURE, "gap"), None, ""),
    (("verdict",), "incomparable", "verdict: expected 'within' or 'outside'"),
    (("later",), 1, ""),
]


@pytest.mark.parametrize(("path", "value", "words"), WRONG)
def test_wrong_value_is_refused_with_its_place_and_a_later_key_read_over(
    path: tuple[str | int, ...], value: Any, words: str
) -> None:
    document = validation()
    document["matches"] = [match_of(document, "demonstration")]
    Path("good.json").write_text(json.dumps(document), "utf-8")
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    Path("wrong.json").write_text(json.dumps(document).replace('"LARGE"', "1e999"), "utf-8")
    result = run("diff", "good.json", "wrong.json")
    assert (result.exit_code, words in result.stderr) == (ERROR if words else SAME, True)
    assert len(result.stderr.splitlines()) <= 1


FIXED = Value(1.0, 1.0, 0.0, 0.1, "error", "within")
numbers = st.none() | st.floats(-1e6, 1e6)
values = st.builds(
    Value,
    left=numbers,
    right=numbers,
    gap=numbers,
    tolerance=st.none() | st.floats(0, 100),
    level=st.sampled_from(["error", "warn", None]),
    verdict=st.sampled_from(VERDICTS),
)
names = st.text(max_size=3)
metrics = st.sampled_from(["pr", "decisions", "luck.equity", "pr@engine"])
results = st.builds(
    Result,
    name=st.just("written"),
    verdict=st.none(),
    figures=st.dictionaries(st.tuples(names, names, names, metrics), values, max_size=6).map(
        lambda figures: {("m", "s", "p", "pr"): FIXED, **figures}
    ),
    facts=st.dictionaries(st.tuples(names, names), names, max_size=3),
)


@settings(max_examples=examples(30))
@given(old=results, new=results)
def test_changes_turned_round_are_the_opposite(old: Result, new: Result) -> None:
    there, back = changes(old, new), changes(new, old)
    opposite = {
        "worse": {"better", "waived"},
        "better": {"worse"},
        "waived": {"worse"},
        "new": {"gone"},
        "gone": {"new"},
        "moved": {"moved"},
        "bound": {"bound"},
    }
    turned = {(*entry.where, entry.metric): entry.change for entry in back.figures}
    assert turned.keys() == {(*entry.where, entry.metric) for entry in there.figures}
    assert all(
        turned[*entry.where, entry.metric] in opposite[entry.change] for entry in there.figures
    )
    assert [(entry.old, entry.new) for entry in there.facts] == [
        (entry.new, entry.old) for entry in back.facts
    ]
    assert changes(old, old).figures == ()
    MarkdownIt("commonmark").parse(markdown(changes_blocks(there)))


def test_name_of_a_player_cannot_break_the_markdown_and_long_lists_are_counted() -> None:
    name = "a\n# b | <script> `x` [l](javascript:1)"
    old, new = (
        Result("p", None, {("m", "s", f"{name}{n}", "pr"): Value(v) for n in range(60)})
        for v in (1.0, 2.0)
    )
    outcome = changes(old, new)
    assert blocks.text(changes_blocks(outcome)).endswith("  and 20 more\n")
    tokens = MarkdownIt("commonmark").parse(markdown(changes_blocks(outcome)))
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h3"]
    inner = [child.type for token in tokens for child in token.children or ()]
    assert not {"html_inline", "link_open", "code_inline"} & set(inner)
