"""Damaged containers and payloads and cut files, a table for all formats: refused in one line.

What is wrong with a value in a file is in `cases/`, files beyond a limit and bytes at random in
`tests/fuzz`.
"""

import gzip
import struct
import zlib
from collections.abc import Callable
from typing import Any

import jinja2
import pytest

from reconcile.formats import read_match
from reconcile.formats.xg import records as at
from reconcile.scoring.statistics import statistics
from tests.formats.facts import assert_refused
from tests.support import ogxm, small_bgf
from tests.support.small_files import CONTENT, USUAL
from tests.support.tables import beside
from tests.support.xg_tampering import (
    RECORDS,
    changed,
    records_of,
    sealed,
    with_entry,
    with_registry,
)
from tests.support.xg_writer import Entry

SOUND = records_of(CONTENT)
HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'


def raw(text):
    """Bytes written as letters, a template of them filled in."""
    return str(jinja2.Template(text, keep_trailing_newline=True).render()).encode("latin-1")


def patched(place, text):
    place %= len(CONTENT)
    return CONTENT[:place] + raw(text) + CONTENT[place + len(text) :]


def with_member(name, content, **facts):
    return with_registry(CONTENT, Entry(name, raw(content), **facts))


def signalling(value):
    """A number that NumPy warns of where it is converted; a warning is an error in these tests."""
    marked = records_of(changed(CONTENT, 4, at.CUBE_LAYOUT, double_take=value))
    written = struct.pack("<f", value)
    return sealed(
        CONTENT, [bytearray(record.replace(written, b"\x01\x00\x80\x7f")) for record in marked]
    )


MAKERS: dict[str, dict[str, Callable[[Any], bytes]]] = {
    "xg": {
        "cut": lambda size: CONTENT[:size],
        "entry": lambda facts: with_entry(CONTENT, **facts),
        "records": lambda rows: sealed(CONTENT, SOUND[slice(*rows)]),
        "without": lambda row: sealed(CONTENT, SOUND[:row] + SOUND[row + 1 :]),
        "member": lambda facts: with_member(**facts),
        "count": lambda count: with_registry(CONTENT, Entry(RECORDS, b""), count=count),
        "patch": lambda patch: patched(*patch),
        "signalling": signalling,
    },
    "bgf": {
        "plain": lambda text: HEADER + raw(text),
        "zlib": lambda text: HEADER + zlib.compress(raw(text)),
        "gzip": lambda text: HEADER + gzip.compress(raw(text)),
        "zeros": lambda number: HEADER + gzip.compress(bytes(number), 1),
        "cut gzip": lambda text: HEADER + gzip.compress(raw(text))[:-4],
    },
    "line": {
        "of": lambda text: raw(text) + small_bgf.written(small_bgf.match())[len(HEADER) - 1 :]
    },
    "any": {"plain": raw},
    "gzip": {
        "gzip": lambda text: gzip.compress(raw(text)),
        "zeros": lambda number: gzip.compress(bytes(number), 1),
        "cut gzip": lambda text: gzip.compress(raw(text), 0)[:-4],
        "twice": lambda text: gzip.compress(gzip.compress(raw(text))),
    },
}
FIELD = {
    "gnubg-imports/g.sgg": "a match of GamesGrid; open it in gnuBG and save it as .sgf",
    "gnubg-imports/t.tmg": "a match of TrueMoneyGames; open it in gnuBG and save it as .sgf",
    "gnubg-imports/o.fibs": "a match of FIBS; open it in gnuBG and save it as .sgf",
    "gnubg-imports/e.gam": "a match of GammonEmpire; open it in gnuBG and save it as .sgf",
    "gnubg-imports/p.gam": "a match of PartyGammon; open it in gnuBG and save it as .sgf",
    "gnubg-imports/bgr.bgf": "a match of BGRoom; open it in gnuBG and save it as .sgf",
    "gnubg-imports/b.bkg": "a match of the Berliner program; open it in gnuBG and save it as .sgf",
    "gnubg-imports/jf.pos": "a position of Jellyfish; a position has no statistics",
    "gnubg-imports/snowie-position.txt": "a position of Snowie; a position has no statistics",
    "gnubg-imports/xgid.txt": "a position with an XGID; a position has no statistics",
    "d1-one-alternative-short.sgf": "expected 11 fields of an alternative, found 10",
}
"""Files as people have them, and what the line says."""
ROWS = [
    pytest.param(
        MAKERS[form][maker],
        value,
        words,
        id=f"{form} {maker} {value}"[:60],
        marks=[pytest.mark.long] * (maker == "zeros"),
    )
    for form, rows in beside(__file__).items()
    for maker, value, words in rows
]


@pytest.mark.parametrize(("make", "value", "words"), ROWS)
def test_damaged_container_is_refused_in_one_line(make, value, words):
    content = make(value)
    assert_refused(lambda: statistics(read_match("case.any", content)), words)


@pytest.mark.parametrize("name", FIELD)
def test_file_of_another_kind_is_named(name, data):
    content = (data / "field" / name).read_bytes()
    assert_refused(lambda: read_match("case.any", content), FIELD[name])


@pytest.mark.parametrize(
    ("row", "layout", "more"),
    [(3, at.MOVE_LAYOUT, {}), (4, at.CUBE_LAYOUT, {}), (4, at.CUBE_LAYOUT, {"double": -1})],
)
def test_position_of_xg_is_called_one(row, layout, more):
    """Its file has the records of a match, up to one decision that is not the first of a game and
    may be still to be made."""
    rows = records_of(changed(CONTENT, row, layout, position=(0,) * 24 + (2, 0), **more))
    content = sealed(CONTENT, [*rows[:2], rows[row]])
    assert_refused(
        lambda: read_match("case.xg", content),
        "case.xg: expected a match, found a position of XG (.xgp); a position has no",
    )


def test_packed_match_is_read_as_it_is_unpacked():
    packed = gzip.compress(USUAL.encode())
    match = read_match("a.sgf.gz", packed)
    assert len(match.plays) == len(read_match("a.sgf", USUAL.encode()).plays)
    assert match.source.content == packed


@ogxm.needs_ogxm
@pytest.mark.parametrize("size", [5, 17, 200, -1])
def test_cut_document_is_refused_in_one_line(size):
    content = ogxm.encode(ogxm.small())[:size]
    assert_refused(lambda: read_match("case.ogxm", content), "OGXM document: damaged, ")
