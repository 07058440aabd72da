"""Records that do not follow from those before them: no change of a record changes a figure without
a finding."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE, archive
from reconcile.formats.xg.records import Layout, Value
from reconcile.match.match import Match
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER, matching
from tests.support.loaded import DEMONSTRATION
from tests.support.long import long_but_first
from tests.support.xg_tampering import RECORDS, changed, records_of, sealed

XG = DEMONSTRATION.with_suffix(".xg")
CODES = ("records-disagree", "after-footer", "file-cut")
Records = list[bytearray]


def findings(match: Match) -> list[str]:
    return [note.evidence for note in match.notes if note.code in CODES]


def figures(match: Match) -> list[dict[str, float | None]]:
    return [
        statistics(match, rules).figures(seat) for rules in ("xg", "gammonview") for seat in (0, 1)
    ]


@cache
def sound() -> tuple[bytes, Records]:
    content = XG.read_bytes()
    return content, records_of(content)


def read(records: Records) -> Match:
    return read_match("changed.xg", sealed(sound()[0], records))


def reported_or_same(records: Records) -> bool:
    """Whether nothing changed without a word."""
    try:
        match = read(records)
    except UnreadableFile:
        return True
    return bool(findings(match)) or str(figures(match)) == str(figures(load_match(XG)))


def test_sound_files_have_no_such_finding() -> None:
    for path in (XG, *matching("real/*.xg", "bgblitz/xg/*.xg")):
        assert findings(load_match(path)) == [], path.name


def tampered(records: Records, seed: int) -> Iterator[Records]:
    """One record of each kind taken out, doubled, or under the next but one."""
    chance = Random(seed)
    for kind in range(1, at.MATCH_FOOTER + 1):
        row = chance.choice([row for row, record in enumerate(records) if record[8] == kind])
        yield records[:row] + records[row + 1 :]
        yield records[: row + 1] + records[row:]
        yield [*records[:row], *records[row + 1 : row + 3], records[row], *records[row + 3 :]]


@pytest.mark.parametrize("seed", long_but_first(range(40), 4))
def test_record_taken_out_doubled_or_moved_changes_no_figure_without_a_finding(seed: int) -> None:
    assert all(map(reported_or_same, tampered(sound()[1], seed)))


CHANGES: dict[str, tuple[int, Layout, dict[str, Value]]] = {
    "another player": (at.CUBE, at.CUBE_LAYOUT, {"on_roll": 1}),
    "another position": (at.CUBE, at.CUBE_LAYOUT, {"position": (0,) * 26}),
    "another cube": (at.CUBE, at.CUBE_LAYOUT, {"cube": 2}),
    "a double without an answer": (at.CUBE, at.CUBE_LAYOUT, {"double": 1}),
    "an access to the cube": (at.CUBE, at.CUBE_LAYOUT, {"double": -2}),
    "goes on behind its end": (at.CUBE, at.CUBE_LAYOUT, {"double": -1}),
    "an analysis at another score": (at.CUBE, at.CUBE_LAYOUT, {"away": (1, 2)}),
    "does not lead to the position after": (at.MOVE, at.MOVE_LAYOUT, {"after": (1,) * 26}),
    "its dice do not give": (at.MOVE, at.MOVE_LAYOUT, {"dice": (1, 1)}),
    "an analysis of other dice": (at.MOVE, at.MOVE_LAYOUT, {"dice_given": (6, 6)}),
    "was not played where the game goes on": (at.MOVE, at.MOVE_LAYOUT, {"played": 0}),
    "another score than": (at.GAME_HEADER, at.GAME_HEADER_LAYOUT, {"score": (3, 3)}),
    "a score of": (at.GAME_FOOTER, at.GAME_FOOTER_LAYOUT, {"points": 2}),
    "an end that was not played": (at.GAME_FOOTER, at.GAME_FOOTER_LAYOUT, {"termination": 2}),
}


@pytest.mark.parametrize("words", CHANGES)
def test_changed_field_is_reported(words: str) -> None:
    kind, layout, values = CHANGES[words]
    content, records = sound()
    rows = [row for row, record in enumerate(records) if record[8] == kind]
    tampered_with = [changed(content, row, layout, **values) for row in rows[1:4]]
    unlike = [file for file in tampered_with if records_of(file) != records]
    assert unlike
    for file in unlike:
        outcome = findings(read_match("changed.xg", file))
        assert any(words in evidence for evidence in outcome), outcome


def test_records_behind_the_match_footer_are_left_out() -> None:
    records = sound()[1]
    match = read([*records, *records[1:50]])
    assert str(figures(match)) == str(figures(load_match(XG)))
    assert findings(match) == ["49 records of temp.xg"]


@pytest.mark.parametrize("cut", [at.RECORD_SIZE, 1, 1000])
def test_file_without_its_last_record_is_read_as_far_as_it_goes(cut: int) -> None:
    content, records = sound()
    blob = b"".join(records)[:-cut]
    match = read_match("cut.xg", content[:HEADER_SIZE] + archive({RECORDS: blob}))
    assert str(figures(match)) == str(figures(load_match(XG)))
    rest = len(blob) % at.RECORD_SIZE
    assert findings(match) == [
        f"{rest} bytes of a record at the end of temp.xg"
        if rest
        else "no record for the end of the match"
    ]


def test_order_of_records_is_looked_at_once_when_somebody_looks_at_the_notes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = []

    def odd(*_: object) -> list[str]:
        calls.append("looked")
        return ["record 1: odd"]

    monkeypatch.setattr("reconcile.formats.xg.disagreements", odd)
    match = load_match(XG)
    figures(match)
    assert not calls
    assert findings(match) == ["record 1: odd"] == [note.evidence for note in match.notes[-1:]]
    assert match.notes == tuple(match.notes) != ()
    assert len(calls) == len(match.notes) == 1


@pytest.mark.parametrize("name", ["after-footer.xg", "page-index.xg"])
def test_field_files_carry_a_finding(name: str) -> None:
    path = FOLDER / "field" / name
    if not path.is_file():
        pytest.skip("no folder of field documents")
    assert findings(load_match(path))
