"""`reconcile diff`: what changed between two results is shown, and what got worse fails."""

import json
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from reconcile.gate.changes import VERDICTS, Figure, Result, changes
from reconcile.report import blocks
from reconcile.report.text.pack import changes_blocks
from tests.gate.candidates.samples import cases
from tests.support.command_line import ERROR, SGF, XG, json_in, refused, run
from tests.support.long import long_but_first
from tests.support.schemas import faults
from tests.support.tables import beside

pytestmark = pytest.mark.usefixtures("elsewhere")
SAME = 0
CASES: dict[str, dict[str, Any]] = beside(__file__)


@cache
def written(*arguments):
    """What a command writes as JSON."""
    return run(*arguments).stdout


DOCUMENTS: dict[str, Callable[[], str]] = {
    "validation": lambda: written("validate", "--json", "-"),
    "comparison": lambda: written("compare", XG, SGF, "--json", "-"),
    "statistics": lambda: written("stats", XG, SGF, "--format", "json", "--per-game"),
    "pool": lambda: written("stats", XG, SGF, "--format", "json", "--pool"),
    "many": lambda: written("compare", XG, SGF, XG, "--json", "-"),
}


def changed(kind, edits=None):
    """A result with other values at some places: steps are keys, numbers, or what an item of a list
    is called."""
    document: Any = json.loads(DOCUMENTS[kind]())
    for place, values in (edits or {}).items():
        holder: Any = None
        key: str | int = ""
        node = document
        for step in filter(None, place.split("/")):
            holder, key = node, step
            if isinstance(node, list):
                names = [
                    " ".join(item.get(word) or "" for word in ("id", "metric", "player")).strip()
                    for item in node
                ]
                key = int(step) if step.isdigit() else names.index(step)
            node = holder[key]
        if values is None:
            del holder[key]
        else:
            node.update(values)
    return document


def diff(old, new, *options):
    Path("old.json").write_text(json.dumps(old), "utf-8")
    Path("new.json").write_text(json.dumps(new), "utf-8")
    return run("diff", "old.json", "new.json", *options)


@pytest.mark.parametrize("kind", long_but_first(DOCUMENTS, 2))
def test_result_against_itself_has_not_changed(kind):
    result = diff(changed(kind), changed(kind), "--json", "changes.json")
    document = json_in("changes.json")
    assert faults("changes", document) == []
    assert (document["figures"], document["versions"]) == ([], [])
    assert document["old"]["figures"] > 40
    assert (result.exit_code, result.stdout.count("\n")) == (SAME, 1)
    assert "nothing changed" in result.stdout


@pytest.mark.parametrize("name", long_but_first(CASES, 6))
def test_what_changed_is_shown_the_worst_first(name):
    case = CASES[name]
    old, new = (changed(case["of"], case.get(side)) for side in ("old", "new"))
    result = diff(old, new, "--json", "changes.json", "--markdown", "changes.md")
    document = json_in("changes.json")
    assert faults("changes", document) == []
    assert (result.exit_code, document["worse"]) == (case["code"], bool(case["code"]))
    kinds = [entry["change"] for entry in document["figures"]]
    assert kinds == case.get("changes", kinds)
    assert [text for text in case["shown"] if text not in result.stdout] == []
    mark = "❌" if case["code"] else "✅"
    assert Path("changes.md").read_text("utf-8").startswith(f"### {mark} ")
    assert diff(new, old).exit_code == case.get("back", 0)


def result_of(figures):
    """A result with these figures."""
    return Result({place: Figure(**figure) for place, figure in figures.items()}, {}, "written")


def test_verdict_that_got_worse_fails_at_its_level_and_turned_round_it_is_better():
    for level, *verdicts in product(("error", "warn"), VERDICTS, VERDICTS):
        figures = [{"left": 5.0, "level": level, "verdict": verdict} for verdict in verdicts]
        old, new = (result_of({("m", "Ann", "pr"): figure}) for figure in figures)
        is_worse = VERDICTS.index(verdicts[1]) > VERDICTS.index(verdicts[0])
        there, back = changes(old, new), changes(new, old)
        assert there.exit_code() == int(is_worse and level == "error")
        assert there.exit_code(fail_on="warn") == int(is_worse)
        kinds = [entry.change for outcome in (there, back) for entry in outcome.figures]
        assert kinds == (
            [] if verdicts[0] == verdicts[1] else ["worse", "better"][:: 1 if is_worse else -1]
        )


def other_players():
    document = changed("comparison")
    for entry in document["figures"]:
        entry["player"] = f"another {entry['player']}"
    return document


SUITE = {"program": "p", "version": "", "cases": [], "areas": {}, "rules": {}}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("validation", "comparison", "are not two results of one command"),
        ("comparison", "statistics", "are not two results of one command"),
        ("pool", "validation", "are not two results of one command"),
        ("comparison", other_players, "have no figure in common"),
        ("comparison", lambda: SUITE, "compared by `reconcile suite matrix OLD NEW`"),
    ],
)
def test_results_that_have_nothing_in_common_are_refused(old, new, words):
    result = diff(changed(old), changed(new) if isinstance(new, str) else new())
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (ERROR, "", 1)
    assert words in result.stderr


HOSTILE: dict[str, bytes] = {
    **{name: text.encode() for name, text in cases("results").items()},
    "no JSON": b"\x89PNG",
    "nested deeply": b"[" * 1_000_000,
    "a huge number": b'{"schema_version": 1, "pack": ' + b"9" * 10_000 + b"}",
    "no UTF-8": b'{"schema_version": 1, "pack": "\xff"}',
}


@pytest.mark.parametrize("hostile", HOSTILE)
def test_what_is_no_result_is_refused_in_one_line(hostile):
    Path("hostile.json").write_bytes(HOSTILE[hostile])
    Path("good.json").write_text(DOCUMENTS["comparison"](), "utf-8")
    for files in (["hostile.json", "good.json"], ["good.json", "hostile.json"]):
        assert "hostile.json" in refused("diff", *files, "--json", "changes.json")
        assert not Path("changes.json").exists()


PR = "figures/pr Nora Lindqvist"
WRONG: list[tuple[str, dict[str, Any], str]] = [
    (PR, {"left": float("inf")}, "figures.0.left: expected a finite number"),
    (PR, {"metric": "doubles"}, "..., found 'doubles'; write it"),
    (PR, {"verdict": "fine"}, "verdict: expected 'within'"),
    (PR, {"gap": None}, ""),
    ("", {"rating": 1}, "rating: "),
]


@pytest.mark.parametrize(("place", "values", "words"), WRONG)
def test_wrong_value_or_unknown_key_is_refused_with_its_place(place, values, words):
    wrong = json.dumps(changed("comparison", {place: values})).replace("Infinity", "1e999")
    Path("good.json").write_text(DOCUMENTS["comparison"](), "utf-8")
    result = run("diff", "good.json", "-", stdin=wrong.encode())
    assert (result.exit_code, words in result.stderr) == (ERROR if words else SAME, True)
    assert len(result.stderr.splitlines()) <= 1


def test_long_lists_are_counted():
    players = [("m", f"player {number}", "pr") for number in range(60)]
    old, new = (result_of({player: {"left": left} for player in players}) for left in (1.0, 2.0))
    assert blocks.text(changes_blocks(changes(old, new))).endswith("  and 20 more\n")
