"""`reconcile diff` on results that are broken, made up or endless: refused in one line or told correctly, never a bug."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reconcile.gate.changes import changes
from reconcile.gate.flat import VERDICTS, Value
from reconcile.gate.flat import Result as Flat
from reconcile.report import blocks
from reconcile.report.markdown import markdown
from reconcile.report.text.changes import changes_blocks
from tests.gate.results import match_of, validation, written
from tests.support.command_line import ERROR, run
from tests.support.examples import examples

pytestmark = pytest.mark.usefixtures("elsewhere")

HOSTILE: dict[str, bytes] = {
    "nothing": b"",
    "no JSON": b"\x89PNG",
    "an empty list": b"[]",
    "an empty object": b"{}",
    "a number": b"1",
    "nested deeply": b"[" * 1_000_000,
    "nested deeply in a key": b'{"schema_version": 1, "matches": '
    + b'{"a":' * 200_000
    + b"1"
    + b"}" * 200_000
    + b"}",
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


FIGURE = ("matches", 0, "pairs", 0, "figures", 0)
ABSENT = object()
WRONG: list[tuple[tuple[str | int, ...], Any, str]] = [
    ((*FIGURE, "left"), "7", "matches.0.pairs.0.figures.0.left: expected a number"),
    ((*FIGURE, "left"), 1e308 * 10, "no such JSON"),
    ((*FIGURE, "left"), True, "matches.0.pairs.0.figures.0.left: expected a number"),
    ((*FIGURE, "metric"), "elo", "matches.0.pairs.0.figures.0.metric"),
    ((*FIGURE, "verdict"), "fine", "verdict: expected 'within'"),
    (("matches", 0, "candidates"), None, "matches.0.candidates: expected a list"),
    (("verdict",), "incomparable", "verdict: expected 'within' or 'outside'"),
    ((*FIGURE, "left"), "LARGE", "figures.0.left: expected a finite number"),  # beyond every float
    *(
        ((*FIGURE, key), ABSENT, f"figures.0.{key}: expected this key, found none")
        for key in ("verdict", "gap", "metric")
    ),
]


@pytest.mark.parametrize(("path", "value", "said"), WRONG)
def test_wrong_value_and_one_that_is_missing_are_refused_with_their_place(
    path: tuple[str | int, ...], value: Any, said: str
) -> None:
    document = validation()
    document["matches"] = [match_of(document, "demonstration")]
    Path("good.json").write_text(json.dumps(document), "utf-8")
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    if value is ABSENT:
        del inner[path[-1]]
    Path("wrong.json").write_text(json.dumps(document).replace('"LARGE"', "1e999"), "utf-8")
    result = run("diff", "good.json", "wrong.json")
    assert (result.exit_code, len(result.stderr.splitlines())) == (ERROR, 1)
    assert said in result.stderr


def test_key_of_a_later_version_is_read_over() -> None:
    document = validation()
    Path("old.json").write_text(json.dumps(document), "utf-8")
    document["later"] = document["matches"][0]["later"] = 1
    Path("new.json").write_text(json.dumps(document), "utf-8")
    assert "nothing changed" in run("diff", "old.json", "new.json").stdout


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
keys = st.tuples(
    names, names, names, st.sampled_from(["pr", "decisions", "luck.equity", "pr@engine"])
)
results = st.builds(
    Flat,
    kind=st.just("validation"),
    name=st.just("made"),
    verdict=st.none(),
    figures=st.dictionaries(keys, flat_values, max_size=6).map(
        lambda figures: {("m", "s", "p", "pr"): FIXED, **figures}
    ),
    findings=st.dictionaries(
        st.tuples(names, names, names, names), st.tuples(names, names), max_size=2
    ),
    sources=st.dictionaries(st.tuples(names, names, names, names), names, max_size=2),
    absent=st.dictionaries(st.tuples(names, names), names, max_size=2),
)


@settings(max_examples=examples(60))
@given(old=results, new=results)
def test_changes_turned_round_are_the_opposite(old: Flat, new: Flat) -> None:
    there, back = changes(old, new), changes(new, old)
    opposite = {
        "worse": {"better", "waived"},
        "better": {"worse"},
        "waived": {"worse"},
        "new": {"gone"},
        "gone": {"new"},
        "moved": {"moved"},
    }
    turned = {one.names: one.change for one in back.figures}
    assert there.figures == () or turned.keys() == {one.names for one in there.figures}
    assert all(turned[one.names] in opposite[one.change] for one in there.figures)
    assert set(there.findings) == {replace(one, old=one.new, new=one.old) for one in back.findings}
    assert changes(old, old).figures == ()
    assert blocks.text(changes_blocks(changes(old, old))).startswith("made: nothing changed")
    MarkdownIt("commonmark").parse(markdown(changes_blocks(there)))


def test_name_of_a_player_cannot_break_a_line_or_the_markdown() -> None:
    key = ("m", "s", "a\n# b | <script> `x` [l](javascript:1)", "pr")
    old, new = (
        Flat(
            "validation",
            "made",
            None,
            {key: Value(v, None, None, None, None, "ungated")},
            {},
            {},
            {},
        )
        for v in (1.0, 2.0)
    )
    tokens = MarkdownIt("commonmark").parse(markdown(changes_blocks(changes(old, new))))
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h3"]
    inner = [child.type for token in tokens for child in token.children or ()]
    assert not {"html_inline", "link_open", "code_inline"} & set(inner)


def many(count: int) -> tuple[Flat, Flat]:
    """Two results of many figures, each of which moved."""

    def flat(value: float) -> Flat:
        figures = {
            ("m", "s", f"p{n:06}", "pr"): Value(value, 1.0, 0.0, 1.0, "error", "within")
            for n in range(count)
        }
        return Flat("validation", "made", None, figures, {}, {}, {})

    return flat(1.0), flat(2.0)


def test_long_lists_are_cut_and_counted() -> None:
    found = changes(*many(60))
    assert blocks.text(changes_blocks(found)).endswith("  and 20 more\n")
    assert "- and 20 more" in markdown(changes_blocks(found))
