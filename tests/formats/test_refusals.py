"""Every format and what can be wrong with its bytes, a table each: refused in one line that says
where and what, and in no other way.

Databases are in `blunderdb/test_hostile_databases.py`, files beyond a limit and bytes at random in
`tests/fuzz`.
"""

from __future__ import annotations

import gzip
import json
import struct
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.limits import LARGEST_JSON
from reconcile.formats import read_match
from reconcile.formats.bgblitz.container import LARGEST_PAYLOAD
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import HEADER_SIZE, TRAILER
from reconcile.scoring.statistics import statistics
from tests.formats.kept_analysis import DOCUMENT
from tests.support import ogxm, small_bgf
from tests.support.small_bgf import GREEN, RED, action, steps
from tests.support.small_files import CONTENT, USUAL
from tests.support.small_sgf import ANN_31, BEN_31, POINT, SPLIT, cube, root, scored
from tests.support.small_transcripts import SHORT
from tests.support.xg_tampering import (
    RECORDS,
    Entry,
    changed,
    first,
    records_of,
    sealed,
    with_entry,
    with_registry,
)

Make = Callable[[], bytes | str]
Case = tuple[Make, str]
"""What makes the bytes, and what the line says of them."""
PAGES = "".join(
    (Path(__file__).parent / "gnubg_text" / f"evening{number}.txt").read_text("utf-8")
    for number in ("", "_002")
)


def given(content: bytes | str) -> Make:
    """Bytes that are ready."""
    return lambda: content


def swapped(sound: str, *rows: tuple[str, str, str]) -> dict[str, Case]:
    """A sound text with one piece exchanged for another in each case."""
    assert all(old in sound for old, _, _ in rows)
    return {
        f"{old.strip()[:30]} > {new.strip()[:30]}": (partial(sound.replace, old, new, 1), message)
        for old, new, message in rows
    }


NAN, INFINITE, LOWEST = float("nan"), float("inf"), -(2**31)
SOUND = records_of(CONTENT)
ROWS = {
    "MOVE": first(CONTENT, 3),
    "CUBE": 4,
    "GAME_HEADER": 1,
    "GAME_FOOTER": first(CONTENT, 4),
    "MATCH_HEADER": 0,
}
IMPOSSIBLE: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
    *(
        ("MOVE", "error", (NAN, -INFINITE, -1e300)),
        ("MOVE", "on_roll", (0, 2, LOWEST)),
        ("MOVE", "candidates", (33, -1, LOWEST)),
    ),
    *(
        ("MOVE", "cube", (40, LOWEST, 13)),
        ("MOVE", "dice", ((9, 0),)),
        ("MOVE", "evaluations", ((NAN,) * 224, (INFINITE,) * 224, (3e38,) * 224)),
    ),
    *(
        ("CUBE", "error", (NAN, 1e300)),
        ("CUBE", "take_error", (INFINITE,)),
        ("CUBE", "no_double", (NAN,)),
        ("CUBE", "on_roll", (7,)),
    ),
    *(
        ("CUBE", "double_take", (INFINITE, 3e38)),
        ("CUBE", "cube", (-40, LOWEST)),
        ("CUBE", "take", (9,)),
    ),
    *(
        ("GAME_FOOTER", "points", (-5, 2**31 - 1)),
        ("GAME_HEADER", "automatic_doubles", (2**31 - 1, -1)),
    ),
    *(("GAME_HEADER", "score", ((5, 0), (0, -1))), ("MATCH_HEADER", "length", (0, -7, 65, 99998))),
    *(("MATCH_HEADER", "magic", (b"NONE",)), ("MATCH_HEADER", "type", (1,))),
)
"""A field of a record and values that it cannot have."""


def trailer(offset: int, form: str, value: int) -> Case:
    """The archive with another number in its trailer."""
    tampered = bytearray(CONTENT)
    struct.pack_into("<" + form, tampered, len(CONTENT) - TRAILER.size + offset, value)
    return lambda: bytes(tampered), "expected"


XG: dict[str, Case] = {
    **{
        f"{kind} {field} {str(value)[:20]}": (
            partial(changed, CONTENT, ROWS[kind], at.LAYOUTS[kind], **{field: value}),
            "expected",
        )
        for kind, field, values in IMPOSSIBLE
        for value in values
    },
    **{f"the first {size} bytes": (given(CONTENT[:size]), "expected") for size in (4, HEADER_SIZE, len(CONTENT) // 2, -1)},
    **{
        name: (partial(with_entry, CONTENT, **made), "expected")
        for name, made in {
            "member checksum": {"crc": 0}, "member beyond the archive": {"start": 10**6}, "member "
                "before the archive": {"start": -1},
            "member of negative size": {"size": -2560}, "member of negative stored size": {"stored_size": -1},
            "member stored beyond the archive": {"stored_size": 2**31 - 1}, "member of 2 GB": {"size": 2**31 - 1},
            "member of 200 MB that is none": {"size": 200 * 2**20}, "member inflates beyond its "
                "size": {"size": 2560},
        }.items()
    },
    **{
        name: (partial(sealed, CONTENT, rows), "expected")
        for name, rows in {
            "no match header": SOUND[1:], "no game": SOUND[:1], "no record": [],
            "a play before the first game": [SOUND[0], *SOUND[2:]], "half a record": [bytearray(1280)],
        }.items()
    },
    "resignation error": (
        lambda: changed(CONTENT, ROWS["GAME_FOOTER"], at.GAME_FOOTER_LAYOUT, resign_error=NAN, termination=101), "expected",
    ),
    "one byte more": (lambda: CONTENT + b"\0", "expected"),
    "one byte changed": (lambda: CONTENT[:9000] + bytes([CONTENT[9000] ^ 1]) + CONTENT[9001:], "expected"),
    "header version 2": (lambda: CONTENT[:4] + b"\2" + CONTENT[5:], "header version 1"),
    "header of 0 bytes": (lambda: CONTENT[:8] + bytes(4) + CONTENT[12:], "of 0 bytes"),
    "thumbnail beyond the file": (lambda: CONTENT[:20] + b"\xff" * 4 + CONTENT[24:], "expected"),
    "archive version 2": trailer(8, "i", 2),
    "0 members": trailer(4, "i", 0),
    "2^31-1 members": trailer(4, "i", 2**31 - 1),
    "negative registry": trailer(12, "i", -1),
    "registry beyond the file": trailer(12, "i", 2**31 - 1),
    "archive checksum": trailer(0, "I", 0),
    "member stored, not compressed": (
        lambda: with_registry(CONTENT, Entry(RECORDS, b"\x07" * 100, size=2560, compressed=False)), "has "
            ""
            ""
            ""
            ""
            ""
            "2560 bytes, found 100",
    ),
    "no records": (lambda: with_registry(CONTENT, Entry("temp.xgi", b"x")), "expected the member "
        "temp.xg, found temp.xgi"),
    "registry of another size": (lambda: with_registry(CONTENT, Entry(RECORDS, b""), count=2), "expected "
        ""
        ""
        ""
        ""
        ""
        "a registry of"),
    "a signalling number": (
        lambda: sealed(
            CONTENT,
            [bytearray(one.replace(struct.pack("<f", 123.25), b"\x01\x00\x80\x7f"))
             for one in records_of(changed(CONTENT, 4, at.CUBE_LAYOUT, double_take=123.25))],
        ),
        # NumPy warns where it is converted, and a warning is an error in these tests
        "expected equities of at most 1000",
    ),
}  # fmt: skip


ALTERNATIVE = root() + f";W[31{POINT}]A[0]{scored(POINT, 0.5)})"
SECOND = f"{root()}\n;W[31{POINT}]A[1]{scored('xufe', 0.25)}{scored(POINT, 0.125)})"
ANALYSED_CUBE = root() + ANN_31 + BEN_31.replace("]A[", f"]{cube(0.5, 0.25)}A[") + ")"
FIRST_TURN, SECOND_TURN = (f"damaged analysis: game 1, turn {turn}" for turn in (1, 2))
SGF: dict[str, Case] = {
    **{
        node: (given(root() + f";{node})"), "game 1")
        for node in (
            f"W[31{POINT}]A[0][{POINT} E ver 3 0.5 0.2]", f"W[31{POINT}]LU[lucky]", f"W[31{POINT}]LU[1e39]",
            *(f"W[31{POINT}]A[0]{scored(POINT, equity)}" for equity in ("0,25", "high", "-1e300")),
            f"W[31{POINT}]DA[E ver 3 2C 1 0.0 1 0.5]", f"W[31{POINT}]DA[X ver 3 NoDouble Output 1 "
                "2 3]",
        )
    },
    # gnuBG reads number by number and takes 0 from the first that is none.
    **swapped(
        ALTERNATIVE,
        *((old, new, FIRST_TURN) for old, new in (
            ("0.55", "x"), ("0.2 ", "0.2: "), ("0.01", "0.0_1"), ("0.1 ", "--1 "), ("0.005", "0.005!"), ("ver 3", "ver "
                ""
                ""
                ""
                ""
                ""
                ";"),
            ("ver 3", "vur 3"), ("ver 3 0.55", "ver 3(0.55"), ("E ver", "E`ver"), (f"[{POINT}", f"[{POINT * 3}"), (f"[{POINT} "
                ""
                ""
                ""
                ""
                ""
                "E", "[E"),
        )),
        ("A[0]", f"A{scored(SPLIT, 0.5)}[0]", "number of the play made"),
    ),
    **swapped(SECOND, *((old, new, FIRST_TURN) for old, new in (
        ("xufe E", "xuf E"), ("xufe E", "xufe\tE"), ("[xufe", "[ xufe"), ("E ver 3", "E ver  3"), ("E ver 3 ", "E "
            ""
            ""
            ""
            ""
            ""
            "ver 3\n"),
    ))),
    **swapped(ANALYSED_CUBE, *((old, new, SECOND_TURN)
        for old, new in (
            *(("DA[E ver 3 ", f"DA[{version}") for version in ("E ver  3 ", "E ver 3\n", "E ver 9x ", "E`ver 3 ", "E "
                ""
                ""
                ""
                ""
                ""
                "ver 1 ")),
            (" 0.25]A", "]A"), (" 2C 1 0.000000 1 0.5 0.1", " 2C 1 0.000000 1 0.5? 0.1"), (" 0.0 0.5 ", " "
                ""
                ""
                ""
                ""
                ""
                "--1 0.5 "),
            *((f" 2C 1 0.000000 1 {'0.5'}", f" {settings} 0.5") for settings in (
                "2` 1 0.000000 1", "-1C 1 0.000000 1", "C 1 0.000000 1", "2C 1e3 0.000000 1", "2C 1 0x000000 1", "2C "
                    ""
                    ""
                    ""
                    ""
                    ""
                    "1 0.000000 1.5",
            )),
        ))),
    **{text or "nothing": (given(text), "no") for text in ("(;GM[1]FF[4];B[aa])", "(;FF[4];B[31qtst])", "(;)", "GM[6]")},
    **{f"without the last {lost} bytes": (given(USUAL[:-lost]), "truncated")
       for lost in (1, 2, 20, 150, 260, len(ANN_31 + BEN_31) + 5)},
    "a truncated game behind a whole one": (lambda: USUAL + root(1) + ANN_31, "truncated"),
    "a game twice": (lambda: USUAL + USUAL, "twice"),
    "games of two matches": (lambda: USUAL + root(1, length=7) + ANN_31 + ")", "one match"),
    **{f"a match of {length} points": (given(root(length=length) + ANN_31 + ")"), "64") for length in (65, 1000, 10**9)},
    "more checkers than there are": (lambda: root() + ";AW" + "[a]" * 1000 + ";W[31hefe])", "15 "
        "checkers"),
}  # fmt: skip
TEXT = swapped(
    PAGES,
    (
        "(match to 3 points)",
        "(match to 99 points)",
        "expected a match of at most 64 points, found 99",
    ),
    (
        "Move number 2:  Ben to play 64",
        "Move number 2:  Ben thinks",
        "line 41: expected 'NAME to play 51'",
    ),
    (
        "Position ID: 4HPwATDgc/ABMA",
        "Position ID: 4HPwATDgc/AB",
        "line 7: expected a Position ID of a possible board",
    ),
    (
        "Match ID   : MIBlAAAAAAAE",
        "Match ID   : ????????????",
        "expected a Match ID below this line",
    ),
    ("* Ben moves 24/14", "* Ben dances", "line 41: expected what the player did"),
    ("* Ann moves 8/5 6/5", "* Ann moves 8/5 5/6", "line 7: expected a play or cube analysis"),
    (
        "Eq.: +0.243\n",
        "Eq.: +0.2x3\n",
        "line 7: expected a play or cube analysis as gnuBG prints it, found '*    1. Cubeful",
    ),
    (
        "2. Double, pass ",
        "2. Double, maybe",
        "line 41: expected a play or cube analysis as gnuBG prints it, found 'three equities",
    ),
    (
        "Ann wins 2 points",
        "Eve wins 2 points",
        "expected 'Ann' or 'Ben' as the winner, found 'Eve'",
    ),
    (
        "after 1 game) is: Ann 2, Ben 0",
        "after 0 games) is: Ann 2, Ben 0",
        "expected every game once, found game 1 twice",
    ),
    (
        "after 1 game) is: Ann 2, Ben 0",
        "after 1 game) is: Ann 2, Eve 0",
        "expected a game of Ann and Ben, found one of Ann and Eve",
    ),
    (
        "after 1 game) is: Ann 2, Ben 0",
        "after 1 game) is: Ann 1, Ben 0",
        "expected the Match ID of a game at 1-0",
    ),
    (
        "after 1 game) is: Ann 2, Ben 0",
        "after 1 game) is: Ann 3, Ben 0",
        "expected scores below the match length of 3",
    ),
) | {"no turns": (lambda: PAGES.replace("Move number", "Move"), "line 1: expected turns")}


TRANSCRIPT = swapped(
    SHORT,
    ("3 point match", "99 point match", "line 4: expected a match of at most 64 points, found 99"),
    (" Ann : 0  ", " Ann 0  ", "line 7: expected the players and the score of game 1"),
    (" Takes", " Thinks", "line 10: expected"),
    (" Takes", "Takes 52: 8/1 ", "line 10: expected one entry for each player"),
    (" Game 2", " Game 1", "line 14: expected every game once, found game 1 twice"),
    (" Ann : 2", " Ann : 3", "line 15: expected scores below the match length of 3"),
    (" Ann : 2", " Eve : 0", "line 15: expected the players of the first game"),
    (
        " Ann : 2                        Ben",
        " Eve : 2                        Fay",
        "line 15: expected the players of the first game",
    ),
    (
        " Game 2\n",
        " Game 2\n 3 point match\n",
        "line 15: expected the players and the score of game 2",
    ),
    (
        "      Wins 2 points\n",
        "      Wins 2 points\n\n 3 point match\n",
        "line 14: expected one match",
    ),
    (
        "      Wins 2 points\n",
        " 9) Resigns\n 10) 11: 6/5\n",
        "line 13: expected the end of game 1 after its resignation",
    ),
    (
        "      Wins 2 points\n",
        "      Wins 2 points\n  9) 11: 6/5\n",
        "line 13: expected the end of game 1 after its result",
    ),
    (
        "      Wins 2 points\n",
        "  9)  Losses 1 point\n      Wins 2 points\n",
        "line 13: expected the end of game 1 after its result",
    ),
    ("; [Crawford", '; [Variation "Tavli"]\n; [Crawford', "expected one of the variations"),
    ("  2) 51", "  2) " + 1000 * " " + "51", "line 9: expected at most 1000 characters"),
)


def bgf(change: Callable[[dict[str, Any], list[dict[str, Any]]], object]) -> Make:
    """The small match of BGBlitz, changed in its first game or one of that game's records."""

    def make() -> bytes:
        match = small_bgf.match()
        change(match["games"][0], match["games"][0]["moves"])
        return small_bgf.written(match)

    return make


TURNED = [action(player, 1 + (player == RED)) for _ in range(14) for player in (GREEN, RED)]
BROKEN_BGF: dict[str, Callable[[dict[str, Any], list[dict[str, Any]]], object]] = {
    "take before double": lambda game, moves: moves.pop(2),
    "no answer": lambda game, moves: moves.pop(3),
    "unknown action": lambda game, moves: moves[2].update(red=6),
    "seven": lambda game, moves: moves[0].update(red=7),
    "player": lambda game, moves: moves[0].update(player=2),
    "play upwards": lambda game, moves: moves[0].update(steps("5/8")),
    "text": lambda game, moves: moves[1]["moveAnalysis"][0]["eq"].update(emg="0,15000000"),
    "chances": lambda game, moves: moves[1]["moveAnalysis"][0]["eq"]["cubeDecision"].update(
        eqCubeFul="0.90000000"
    ),
    "huge": lambda game, moves: moves[1]["moveAnalysis"][0]["eq"].update(emg="99999.00000000"),
    "score": lambda game, moves: game.update(scoreRed=3),
    "points": lambda game, moves: game["initial"]["points"].__setitem__(0, 15),
    "bar": lambda game, moves: game["initial"]["points"].__setitem__(24, 1),
    "cube": lambda game, moves: game["initial"].update(cube=3),
    "cube too high": lambda game, moves: moves.__setitem__(slice(2, 2), TURNED),
    "moves": lambda game, moves: game.update(moves={"a": 1}),
}
HEADER = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
PAYLOADS = (
    *(
        b"",
        b":)\n\x01",
        b"[]",
        b'{"games":',
        b'{"a":' * 100_000,
        b"[" * 100_000,
        b"{" + b'"a":[],' * 500_000,
        b":)\n\x01" + b"\xfa" * 1000,
    ),
    *(
        b'{"matchlen": ' + b"9" * 100_000 + b"}",
        b":)\n\x01\xfa\x80a\xf8" + b"\xc0" * 1_000_000 + b"\xf9\xfb",
        zlib.compress(b"\0" * 100),
    ),
    *(
        gzip.compress(b":)\n\x01\xfa\x80a\xf8" + b"\xf8\xf9" * 500_000),
        gzip.compress(b"\0" * (LARGEST_PAYLOAD + 10)),
    ),
    gzip.compress(b":)\n\x01\xfa\xfb")[:-4],
)
LINES = (b"{}", b'{"format": "XYZ"}', b'{"format"', b'{"format": "BGF"' + b" " * 10_000 + b"}")
BGF: dict[str, Case] = {
    **{name: (bgf(change), "damaged BGBlitz file: ") for name, change in BROKEN_BGF.items()},
    "no games": (
        lambda: small_bgf.written(small_bgf.match() | {"games": []}),
        "expected at least one game",
    ),
    "length": (
        lambda: small_bgf.written(small_bgf.match() | {"matchlen": 65}),
        "expected matchlen from 0 to 64",
    ),
    **{
        f"payload {number}": (given(HEADER + payload), "expected")
        for number, payload in enumerate(PAYLOADS)
    },
    **{
        str(line[:16]): (
            given(line + b"\n" + small_bgf.written(small_bgf.match()).partition(b"\n")[2]),
            "BGBlitz",
        )
        for line in LINES
    },
}


def kept(**change: Any) -> Make:
    return lambda: json.dumps(DOCUMENT | change)


KEPT: dict[str, Case] = {
    "version": (kept(analysis_version=2), "expected version 1, found int '2'"),
    "transcript": (kept(transcript=7), "expected transcript to be a game record"),
    "plays": (kept(plays=7), "expected plays to be a list"),
    "a number that is a text": (
        kept(cubes=[{"game": 1, "turn": 2, "no_double": "0", "double_take": 0, "double_pass": 0}]), "expected "
            ""
            ""
            ""
            ""
            ""
            "no_double to be a number",
    ),
    "lookahead": (kept(lookahead=-1), "expected lookahead from 0"),
    "half a file": (lambda: json.dumps(DOCUMENT)[:200], "not JSON to its end"),
    "nothing but brackets": (lambda: b'{"analysis_version":' + b"[" * 100_000, "not JSON to its end"),
    "far too much": (lambda: b'{"analysis_version":' + b" " * LARGEST_JSON, "found more"),
}  # fmt: skip


def document(**info: str) -> Make:
    """The small document whose analysis says something else of itself; an empty text leaves a key
    out."""

    def make() -> bytes:
        content = ogxm.small()
        content["analysis_info"] = {
            key: value for key, value in (content["analysis_info"] | info).items() if value
        }
        return ogxm.encode(content)

    return make


def cut_document(size: int) -> bytes:
    return ogxm.encode(ogxm.small())[:size]


def no_chance() -> bytes:
    content = ogxm.small()
    content["games"][0]["plies"][0]["analysis"]["alternatives"][1]["equity"] = -0.3
    return ogxm.encode(content)


OGXM: dict[str, Case] = {
    "no table": (document(met_id=""), "found none; name it with --met"),
    "unknown table": (document(met_id="hedgehog"), "'hedgehog', which is not known here; name it"),
    "no chance": (no_chance, "said to be match winning chances, but one is -0.3"),
    "variation": (
        lambda: ogxm.encode(ogxm.small(variant="hypergammon")),
        "the variation 'hypergammon'",
    ),
    **{
        f"the first {size} bytes": (partial(cut_document, size), "damaged OGXM document")
        for size in (5, 17, 200, -1)
    },
}
NOTHING: dict[str, Case] = {
    "an empty file": (lambda: b"", "found an empty file; fetch or export it again"),
    "blanks": (lambda: b"\0 \t\r\n", "found only blanks; fetch or export it again"),
    **{repr(text): (given(text), "expected an XG match (.xg)") for text in ("()", "hello")},
}
FORMATS = {
    "xg": XG,
    "sgf": SGF,
    "gnubg-text": TEXT,
    "mat": TRANSCRIPT,
    "bgf": BGF,
    "analysis": KEPT,
    "ogxm": OGXM,
    "nothing": NOTHING,
}


def cases() -> list[Any]:
    return [
        pytest.param(
            form,
            make,
            message,
            id=f"{form}: {name}",
            marks=ogxm.needs_ogxm if form == "ogxm" else (),
        )
        for form, table in FORMATS.items()
        for name, (make, message) in table.items()
    ]


@pytest.mark.parametrize(("form", "make", "said"), cases())
def test_what_cannot_be_read_is_refused_in_one_line(form: str, make: Make, said: str) -> None:
    content = make()
    with pytest.raises(UnreadableFile) as caught:
        statistics(
            read_match(f"damaged {form}", content.encode() if isinstance(content, str) else content)
        )
    line = str(caught.value)
    assert line.startswith(f"damaged {form}: ")
    assert said in line
    assert "; " in line
    assert "\n" not in line
    assert len(line) < 500


@pytest.mark.parametrize(
    "text", [ALTERNATIVE, SECOND, ANALYSED_CUBE, USUAL, PAGES, SHORT, CONTENT], ids=range(7)
)
def test_what_was_damaged_is_read_when_whole(text: str | bytes) -> None:
    match = read_match("whole", text if isinstance(text, bytes) else text.encode())
    assert "damaged-value" not in [note.code for note in match.notes]
    assert len(match.plays)
