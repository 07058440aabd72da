"""What is known of an archive in columns is what plain lists and dictionaries would know of it."""

from __future__ import annotations

import pickle
from random import Random

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile.corpus.contents import UNREAD, Contents, Entry, Known, Outcome, Outcomes, Part, duplicates
from reconcile.corpus.identity import Stored

ENDS = "00" * 3
"""A digest may end with zeros, which NumPy takes for the end of a text."""


def digest(number: int) -> str:
    return f"{number:058x}{ENDS}"


def outcomes(contents: list[str | None]) -> Outcomes:
    found = Outcomes()
    for number, sha256 in enumerate(contents):
        found.append(Outcome(f"ö{number}.xg", sha256, None if sha256 else "cut"))
    return found


def test_digests_are_found_whatever_their_last_byte() -> None:
    known = Contents([Part("a", [Entry(digest(number), 0, None) for number in range(0, 600, 2)])]).known
    assert len(known.digests) == 300
    for held in (known, pickle.loads(pickle.dumps(known))):
        assert [number for number in range(600) if digest(number) in held] == list(range(0, 600, 2))
    assert digest(1) not in Contents([]).known


def test_names_and_errors_come_back_in_their_order() -> None:
    found = outcomes([digest(1), None, digest(2)])
    assert len(found) == 3
    assert found.names(0, 3) == ["ö0.xg", "ö1.xg", "ö2.xg"]
    assert found.names(1, 2) == ["ö1.xg"]
    assert found.digests(0, 3) == [digest(1), None, digest(2)]
    assert found.unread == {1: "cut"}
    known = Contents([Part("a", [Entry(digest(2), 0, None), Entry(digest(1), 0, "bad")])])
    rows = found.contents(known.known).tolist()
    assert rows == [0, UNREAD, 1]
    assert known.errors == {0: "bad"}
    assert outcomes([None]).contents(Known(known.known.digests[:0])).tolist() == [UNREAD]


def stored(draw: Random) -> Stored:
    transcript = draw.choice(["", *(digest(number) for number in range(1, 7))])
    tool, depth = draw.choice(["XG", "gnuBG"]), draw.choice([None, 0.0, 2.0])
    return Stored(transcript, transcript, transcript[:1], "Ann", "Ben", 7, tool, draw.randrange(3), depth, None)


@pytest.mark.parametrize("seed", range(20))
def test_places_and_duplicates_are_those_of_the_plain_way(seed: int) -> None:
    draw = Random(seed)
    matches = {digest(number): [stored(draw) for _ in range(draw.randrange(4))] for number in range(12)}
    entries = [Entry(sha256, len(of), None) for sha256, of in matches.items()]
    parts = [Part("a", entries[:5]), Part("b", entries[4:9]), Part("c", entries[9:])]
    known = Contents(parts)
    held: dict[str, tuple[int, int, Entry]] = {}
    for part, one in enumerate(parts):
        for at, entry in enumerate(one.entries):
            held.setdefault(entry.sha256, (part, sum(before.matches for before in one.entries[:at]), entry))
    archive = [draw.choice([None, *held]) for _ in range(30)]
    plain = [
        (unit, archive[:unit].count(sha256), part, first + number, match)
        for unit, sha256 in enumerate(archive)
        if sha256
        for part, first, _ in [held[sha256]]
        for number, match in enumerate(matches[sha256])
    ]
    contents = outcomes(archive).contents(known.known)
    places = known.places(contents)
    assert list(zip(*(column.tolist() for column in places), strict=True)) == [one[:4] for one in plain]
    counted = [[archive.count(one.sha256) if held[one.sha256][0] == part else 0 for one in parts[part].entries] for part in range(3)]
    assert [times for times, _ in known.wanted(contents, ())] == counted
    has_rows = [[bool(one.matches) for one in part.entries] for part in parts]
    expected = [all(times == 1 or not rows for times, rows in zip(*both, strict=True)) for both in zip(counted, has_rows, strict=True)]
    assert [as_held for _, as_held in known.wanted(contents, ())] == expected

    def best(number: int, one: Stored) -> int:
        if not one.match_id:
            return number
        same = [(other, at) for at, (*_, other) in enumerate(plain) if (other.match_id, other.tool) == (one.match_id, one.tool)]
        same = [(other, at) for other, at in same if other.lookahead == one.lookahead or not one.analysed]
        return -max((other.analysed, -at) for other, at in same)[1]

    found = duplicates([match for *_, match in plain])
    assert found.twin.tolist() == [*range(len(plain))]
    assert found.counts.tolist() == [best(number, one) for number, (*_, one) in enumerate(plain)]
    assert found.first.tolist() == [
        next(at for at, (*_, other) in enumerate(plain) if other.match_id == one.match_id) if one.match_id else number
        for number, (*_, one) in enumerate(plain)
    ]
