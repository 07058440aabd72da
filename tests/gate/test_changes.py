"""`reconcile diff`: what changed between two results is told, what got worse is exit code 1, and nothing else is believed."""

from __future__ import annotations

import copy
import json
import math
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reconcile.cli import main
from reconcile.errors import NothingToCompare, ReconcileError
from reconcile.files.bundled import bundled
from reconcile.gate.changes import MOST, ORDER, changes
from reconcile.report.ci.markdown.changes import changes_markdown
from reconcile.report.text.changes import changes_text
from reconcile.results.flat import VERDICTS, Value, read_result
from reconcile.results.flat import Result as Flat
from tests.support.schemas import faults

PACK = bundled("reference_matches")
XG, SGF = (str(PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{suffix}") for suffix in ("xg", "sgf"))
SAME, WORSE, ERROR = 0, 1, 2


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RECONCILE_DATA", raising=False)


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="reconcile", catch_exceptions=False)


@cache
def written(*arguments: str) -> str:
    """What a command writes as JSON."""
    return run(*arguments).stdout


def validation() -> Any:
    return json.loads(written("validate", "--json", "-"))


def comparison() -> Any:
    return json.loads(written("compare", XG, SGF, "--json", "-"))


def statistics() -> Any:
    return json.loads(written("stats", XG, SGF, "--format", "json", "--per-game"))


def folders() -> Any:
    for side, path in (("left", XG), ("right", SGF)):
        Path(side).mkdir(exist_ok=True)
        shutil.copy(path, side)
    return json.loads(run("compare", "left", "right", "--json", "-").stdout)


def pool() -> Any:
    return json.loads(written("stats", XG, SGF, "--format", "json", "--pool"))


DOCUMENTS: dict[str, Callable[[], Any]] = {
    "validation": validation,
    "comparison": comparison,
    "statistics": statistics,
    "pool": pool,
    "folders": folders,
}


def diff(old: Any, new: Any, *options: str) -> Result:
    Path("old.json").write_text(json.dumps(old), "utf-8")
    Path("new.json").write_text(json.dumps(new), "utf-8")
    return run("diff", "old.json", "new.json", *options)


def told(old: Any, new: Any) -> Any:
    """The changes as JSON, held against their schema."""
    result = diff(old, new, "--json", "changes.json")
    document = json.loads(Path("changes.json").read_text("utf-8"))
    assert faults("changes", document) == []
    assert result.exit_code == int(document["worse"])
    return document


def match_of(document: Any, name: str = "gnubg-11pt-cube-rich") -> Any:
    return next(match for match in document["matches"] if match["id"] == name)


def figure_of(document: Any, metric: str = "error_rate_memg", player: str = "Ann") -> Any:
    figures = match_of(document)["reported"][0]["figures"]
    return next(figure for figure in figures if (figure["metric"], figure["player"]) == (metric, player))


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_result_against_itself_has_not_changed(kind: str) -> None:
    document = told(DOCUMENTS[kind](), DOCUMENTS[kind]())
    assert [document[key] for key in ("figures", "tolerances", "findings", "not_compared", "sources")] == [[]] * 5
    assert document["old"]["figures"] > 40
    result = diff(DOCUMENTS[kind](), DOCUMENTS[kind]())
    assert (result.exit_code, result.stdout.count("\n")) == (SAME, 1)
    assert "nothing changed" in result.stdout


def test_figure_out_of_tolerance_is_worse_and_stands_first() -> None:
    new = validation()
    figure_of(new).update(right=99.0, gap=99.0 - figure_of(new)["left"], verdict="outside")
    figure_of(new, "snowie_memg", "Ben")["right"] += 0.001
    result = diff(validation(), new)
    assert result.exit_code == WORSE
    lines = result.stdout.splitlines()
    assert lines[0] == "reference_matches: 1 verdict got worse; other figures: 1 moved."
    assert lines[3].startswith(
        "  gnubg-11pt-cube-rich, reported gnubg:  Error rate (mEMG)  Ann  within -> outside  ours 92.8 -> 99.0  gap "
    )
    assert "Snowie error rate (mEMG)  Ben" in result.stdout
    assert [one["change"] for one in told(validation(), new)["figures"]] == ["worse", "moved"]


def test_figure_back_in_tolerance_is_better_and_no_failure() -> None:
    old = validation()
    figure_of(old).update(right=99.0, verdict="outside")
    document = told(old, validation())
    assert document["summary"] == {**dict.fromkeys(ORDER, 0), "better": 1}
    assert diff(old, validation()).exit_code == SAME


@pytest.mark.parametrize(("level", "options", "code"), [("error", (), WORSE), ("warn", (), SAME), ("warn", ("--fail-on", "warn"), WORSE)])
def test_warning_is_told_and_fails_where_asked(level: str, options: tuple[str, ...], code: int) -> None:
    old, new = validation(), validation()
    for document in (old, new):
        figure_of(document)["level"] = level
    figure_of(new)["verdict"] = "outside"
    result = diff(old, new, *options)
    assert result.exit_code == code
    assert "Verdicts that got worse" in result.stdout


@pytest.mark.parametrize("before", VERDICTS)
@pytest.mark.parametrize("after", VERDICTS)
def test_verdict_gets_worse_from_within_to_outside(before: str, after: str) -> None:
    old, new = validation(), validation()
    figure_of(old)["verdict"], figure_of(new)["verdict"] = before, after
    assert diff(old, new).exit_code == int(VERDICTS.index(after) > VERDICTS.index(before))


def test_match_that_is_no_longer_compared_is_told_in_one_line_and_is_worse() -> None:
    new = validation()
    match_of(new).update(reported=[], not_compared=["reported figures of gnubg: it is not here"])
    result = diff(validation(), new)
    assert result.exit_code == WORSE
    assert "36 figures within tolerance no longer there" in result.stdout
    assert "  gnubg-11pt-cube-rich, reported gnubg:  36 figures (36 within)\n" in result.stdout
    assert "gnubg-11pt-cube-rich, reported figures of gnubg: it is not here" in result.stdout
    back = diff(new, validation())
    assert back.exit_code == SAME
    assert "Figures that are new" in back.stdout
    assert "compared again" in back.stdout


def test_new_figure_out_of_tolerance_is_worse() -> None:
    old, new = validation(), validation()
    old["matches"] = [match for match in old["matches"] if match["id"] != "gnubg-11pt-cube-rich"]
    assert diff(old, new).exit_code == SAME
    figure_of(new)["verdict"] = "outside"
    result = diff(old, new)
    assert result.exit_code == WORSE
    assert "1 new figure out of tolerance" in result.stdout


def test_wider_tolerance_is_told_even_where_no_figure_moved() -> None:
    new = validation()
    for player in ("Ann", "Ben"):
        figure_of(new, player=player)["tolerance"] = 5.0
    document = told(validation(), new)
    assert document["figures"] == []
    (bound,) = document["tolerances"]
    assert (bound["metric"], bound["new"]["tolerance"], bound["figures"]) == ("error_rate_memg", 5.0, 2)
    assert "Tolerances that changed:\n  Error rate (mEMG)" in diff(validation(), new).stdout


def test_relative_bound_that_moves_with_its_figure_has_not_changed() -> None:
    old, new = validation(), validation()
    figure_of(old).update(left=100.0, tolerance=1.0)
    figure_of(new).update(left=200.0, tolerance=2.0)
    assert told(old, new)["tolerances"] == []


def test_rounding_is_no_change() -> None:
    new = validation()
    figure_of(new)["right"] *= 1 + 1e-14
    assert told(validation(), new)["figures"] == []


def test_moves_of_a_comparison_name_the_steps_that_moved() -> None:
    new = comparison()
    (bridge,) = (one for one in new["bridge"] if (one["player"], one["metric"]) == ("Nora Lindqvist", "pr"))
    next(step for step in bridge["steps"] if step["code"] == "engine")["change"] -= 0.5
    figure = next(one for one in new["figures"] if (one["player"], one["metric"]) == ("Nora Lindqvist", "pr"))
    figure["right"] -= 0.5
    figure["gap"] -= 0.5
    result = diff(comparison(), new)
    assert result.exit_code == SAME
    assert "PR  Nora Lindqvist  right 4.85 -> 4.35  gap -2.31 -> -2.81  allowed 0.10  (analysis -0.500)" in result.stdout


def test_tool_rules_findings_and_files_that_changed_are_told() -> None:
    new = comparison()
    new["right"].update(tool_version="1.09", sha256="f" * 64, rules="gnubg-manual")
    new["findings"] = [one for one in new["findings"] if one["code"] != new["findings"][0]["code"]]
    document = told(comparison(), new)
    assert {(one["side"], one["what"]) for one in document["sources"]} == {("right", "tool"), ("right", "sha256"), ("right", "rules")}
    assert {one["new"] for one in document["findings"]} == {None}
    text = diff(comparison(), new).stdout
    assert "right: rules gnubg -> gnubg-manual" in text
    assert "Findings that are gone" in text


def test_statistics_tell_figures_that_moved_and_never_fail() -> None:
    new = statistics()
    new[0]["players"][0]["pr"] += 1
    new[0]["players"][0]["games"][1]["pr"] = None
    result = diff(statistics(), new)
    assert result.exit_code == SAME
    assert "nora-lindqvist-tomas-beck.xg:  PR  Nora Lindqvist  7.16 -> 8.16" in result.stdout
    assert "nora-lindqvist-tomas-beck.xg, game 2:  PR  Nora Lindqvist  " in result.stdout


def test_renamed_files_of_a_comparison_are_the_same_comparison() -> None:
    for name in ("a.xg", "b.sgf"):
        shutil.copy(XG if name == "a.xg" else SGF, name)
    new = json.loads(run("compare", "a.xg", "b.sgf", "--json", "-").stdout)
    assert told(comparison(), new)["figures"] == []


@pytest.mark.parametrize(("old", "new"), [("validation", "comparison"), ("comparison", "statistics"), ("pool", "validation")])
def test_results_of_two_commands_cannot_be_compared(old: str, new: str) -> None:
    result = diff(DOCUMENTS[old](), DOCUMENTS[new]())
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "expected two results of one command" in result.stderr


def test_results_without_a_figure_in_common_cannot_be_compared() -> None:
    new = comparison()
    for one in (*new["figures"], *new["bridge"]):
        one["player"] = f"another {one['player']}"
    result = diff(comparison(), new)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "not one figure in common" in result.stderr


HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"\x89PNG",
    "an empty list": b"[]",
    "an empty object": b"{}",
    "a number": b"1",
    "nested deeply": b"[" * 1_000_000,
    "nested deeply in a key": b'{"schema_version": 1, "matches": ' + b'{"a":' * 200_000 + b"1" + b"}" * 200_000 + b"}",
    "another version": b'{"schema_version": 2, "matches": []}',
    "version true": b'{"schema_version": true, "matches": []}',
    "NaN": b'{"schema_version": 1, "pack": NaN}',
    "a huge number": b'{"schema_version": 1, "pack": ' + b"9" * 10_000 + b"}",
    "an investigation": b'{"schema_version": 1, "source": {}, "player": "x", "explanations": []}',
    "no UTF-8": b'{"schema_version": 1, "pack": "\xff"}',
    "matches that are none": b'{"schema_version": 1, "pack": "x", "verdict": "within", "matches": [1]}',
    "a match without an id": b'{"schema_version": 1, "pack": "x", "verdict": "within", "matches": [{}]}',
    "matches that are words": b'{"schema_version": 1, "pack": "x", "verdict": "within", "matches": "abc"}',
}


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("side", ["old", "new"])
def test_what_is_no_result_is_refused_in_one_line(hostile: str, side: str) -> None:
    Path("hostile.json").write_bytes(HOSTILE[hostile])
    Path("good.json").write_text(written("validate", "--json", "-"), "utf-8")
    names = ["hostile.json", "good.json"]
    result = run("diff", *(names if side == "old" else reversed(names)), "--json", "changes.json")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert len(result.stderr.splitlines()) == 1
    assert "hostile.json" in result.stderr
    assert not Path("changes.json").exists()


def values(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to everything that a reader of figures meets."""
    yield path
    parts = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in parts:
        if key not in ("ledger", "games"):
            yield from values(value, (*path, key))


@cache
def small() -> tuple[str, tuple[tuple[Any, ...], ...]]:
    document = validation()
    document["matches"] = [match_of(document), match_of(document, "demonstration")]
    for part in (document["matches"][0]["reported"][0], document["matches"][1]["pairs"][0]):
        part["figures"] = part["figures"][:3]
    document["matches"][1]["pairs"][0].update(ledger=[], games=[])
    document["matches"][1]["pairs"][0]["bridge"] = document["matches"][1]["pairs"][0]["bridge"][:2]
    return json.dumps(document), tuple(values(document))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_result_is_refused_or_read_and_never_a_bug(data: st.DataObject, tmp_path: Path) -> None:
    text, paths = small()
    document = json.loads(text)
    path = data.draw(st.sampled_from(paths[1:]))
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = data.draw(st.sampled_from([None, True, -1, 1e308, "", "x", [], {}, [1], {"a": 1}, [None], "within", 10**400]))
    (tmp_path / "old.json").write_text(text, "utf-8")
    try:
        (tmp_path / "new.json").write_text(json.dumps(document), "utf-8")
    except ValueError:
        return
    with suppress(ReconcileError):
        found = changes(read_result(str(tmp_path / "old.json")), read_result(str(tmp_path / "new.json")))
        assert changes_text(found).endswith("\n")
        assert changes_markdown(found).endswith("\n")


FIXED = Value(1.0, 1.0, 0.0, 0.1, "error", "within")
numbers = st.none() | st.floats(-1e6, 1e6)
flat_values = st.builds(
    Value,
    left=numbers,
    right=numbers,
    gap=numbers,
    tolerance=st.none() | st.floats(0, 100),
    level=st.sampled_from(["error", "warn", None]),
    verdict=st.sampled_from(VERDICTS),
)
names = st.text(max_size=3)
keys = st.tuples(names, names, names, st.sampled_from(["pr", "decisions", "luck.equity", "pr@engine"]))
results = st.builds(
    Flat,
    kind=st.just("validation"),
    name=st.just("made"),
    verdict=st.none(),
    figures=st.dictionaries(keys, flat_values, max_size=6).map(lambda figures: {("m", "s", "p", "pr"): FIXED, **figures}),
    findings=st.dictionaries(st.tuples(names, names, names, names), st.tuples(names, names), max_size=2),
    sources=st.dictionaries(st.tuples(names, names, names, names), names, max_size=2),
    absent=st.dictionaries(st.tuples(names, names), names, max_size=2),
)


@settings(max_examples=60, deadline=None)
@given(old=results, new=results)
def test_changes_turned_round_are_the_opposite(old: Flat, new: Flat) -> None:
    there, back = changes(old, new), changes(new, old)
    opposite = {"worse": "better", "better": "worse", "new": "gone", "gone": "new", "moved": "moved"}
    assert {(one.key, one.change) for one in there.figures} == {(one.key, opposite[one.change]) for one in back.figures}
    assert {(one.where, one.old, one.new) for one in there.findings} == {(one.where, one.new, one.old) for one in back.findings}
    assert changes(old, old).figures == ()
    assert changes_text(changes(old, old)).startswith("made: nothing changed")
    MarkdownIt("commonmark").parse(changes_markdown(there))


def test_name_of_a_player_cannot_break_a_line_or_the_markdown() -> None:
    key = ("m", "s", "a\n# b | <script> `x` [l](javascript:1)", "pr")
    old, new = (Flat("validation", "made", None, {key: Value(v, None, None, None, None, "ungated")}, {}, {}, {}) for v in (1.0, 2.0))
    tokens = MarkdownIt("commonmark").parse(changes_markdown(changes(old, new)))
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h3"]
    inner = [child.type for token in tokens for child in token.children or ()]
    assert not {"html_inline", "link_open", "code_inline"} & set(inner)


def many(count: int) -> tuple[Flat, Flat]:
    """Two results of many figures, each of which moved."""

    def flat(value: float) -> Flat:
        figures = {("m", "s", f"p{n:06}", "pr"): Value(value, 1.0, 0.0, 1.0, "error", "within") for n in range(count)}
        return Flat("validation", "made", None, figures, {}, {}, {})

    return flat(1.0), flat(2.0)


def test_more_differences_than_can_be_told_in_time_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST < 1_000_000
    monkeypatch.setattr("reconcile.gate.changes.MOST", 100)
    assert len(changes(*many(100)).figures) == 100
    with pytest.raises(NothingToCompare, match="more than 100 values differ"):
        changes(*many(101))


def test_long_lists_are_cut_and_counted() -> None:
    found = changes(*many(60))
    assert changes_text(found).endswith("  and 20 more\n")
    assert "- and 20 more" in changes_markdown(found)


def test_outputs_of_one_run_are_the_same_changes() -> None:
    new = validation()
    figure_of(new)["verdict"] = "outside"
    result = diff(validation(), new, "--json", "changes.json", "--markdown", "changes.md")
    assert "wrote changes.json" in result.stderr
    assert Path("changes.md").read_text("utf-8").startswith("### ❌ reference\\_matches: 1 verdict got worse")
    plain = diff(validation(), new, "--json", "-")
    assert plain.stdout == Path("changes.json").read_text("utf-8")
    assert "1 verdict got worse" in plain.stderr
    quiet = diff(validation(), new, "--quiet")
    assert (quiet.exit_code, quiet.output) == (WORSE, "")


def test_standard_input_is_a_result() -> None:
    Path("old.json").write_text(written("validate", "--json", "-"), "utf-8")
    assert run("diff", "old.json", "-", stdin=written("validate", "--json", "-").encode()).exit_code == SAME
    assert run("diff", "-", "-").exit_code == ERROR


def test_infinite_moves_sort_without_an_error() -> None:
    old, new = comparison(), copy.deepcopy(comparison())
    for figure in new["figures"][:4]:
        figure["left"] = figure["gap"] = None
    assert all(not isinstance(one["new"]["left"], float) or math.isfinite(one["new"]["left"]) for one in told(old, new)["figures"])
