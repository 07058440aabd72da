"""What an analysis in an OGXM document has beside its values: their unit, and what the format has no field for.

In match play values are match winning chances, so the score, the cube and a match equity table make equities of them, turn by turn. A
document names the table; one that this program wrote keeps the tool's own, and GammonView writes down what BGBlitz's comes to.

A document rounds every value and has no place for a tool's own marks, stored errors and match equity table. In what this program writes
they travel in annotations of a namespace that the format leaves to programs (`x-reconcile-...`): JSON, with each column packed as bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
import zlib
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.formats.evaluated import Place, places
from reconcile.formats.ogxm.record import LAST_ROLL, RESIGNATIONS, Action
from reconcile.formats.values import LARGEST, Damaged, flag, part, parts, shown, text, whole
from reconcile.match.match import LONGEST_MATCH, Level, Match
from reconcile.match.met import DEFAULT_MET, load_met
from reconcile.match.met.equity import stakes
from reconcile.match.met.own import own_table

MONEY, CHANCE = "cubeful", "cubeful_match"
"""The codec's words for equity and for match winning chance, both with the cube in play."""
TABLES: Final = {"kazaross-xg2": DEFAULT_MET}
"""Match equity tables by the names that documents give them."""
GAMMONVIEW: Final = "x-gammonview-analysis/"
STATED: Final = re.compile(
    r"(\d{1,6}):(?:(-?\d{0,2}(?:\.\d{1,12})?):(-?\d{0,2}(?:\.\d{1,12})?))?", re.ASCII
)
"""A frame as GammonView writes it: the number of an action, White's chance at equity 0, and what an equity of 1 adds."""

Chances = Mapping[tuple[int, int, bool], float]


@dataclass(frozen=True, slots=True)
class Frame:
    """A chance of winning the match at equity 0, and what an equity of 1 adds to it; for money 0 and 1."""

    middle: float
    half: float

    def equity(self, value: float) -> float:
        """The equity (EMG) of a value of the document."""
        return (value - self.middle) / self.half if self.half else float("nan")

    def value(self, equity: float) -> float:
        """The value of an equity (EMG) in a document."""
        return self.middle + self.half * equity


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of every turn, in the view of the player on roll; the cube is that before a double."""

    rolls: Mapping[Place, Frame]
    cubes: Mapping[Place, Frame]
    resigned: Mapping[int, float]
    """By the number of a game that was resigned, what an equity of 1 adds to a chance at its end."""


def frames(
    document: dict[str, Any],
    info: dict[str, Any],
    base: Match,
    doings: list[Action],
    chances: Chances | None,
) -> Frames:
    """The frames of an analysis (`info`) of a transcript; `chances` is its tool's own match equity table where one was kept.

    Raises `Damaged` for an analysis that leaves its unit open.
    """
    currency = text(info, "currency")
    if currency != (MONEY if base.is_money else CHANCE):
        raise Damaged(_open_unit(currency, money=base.is_money))
    stated = _stated(document, text(info, "analysis_id"))
    if stated:
        refs = [ref for ref, _ in stated]
        found: tuple[dict[Place, Frame], dict[Place, Frame]] = ({}, {})
        resigned = {}
        for action in doings:
            at = bisect_right(refs, action.ref) - 1
            frame = stated[at][1] if at >= 0 else None
            if frame is None:
                raise Damaged("no match equity table for some of its decisions")
            if action.action in RESIGNATIONS:
                resigned[action.place[0]] = frame.half
                continue
            # The double comes before its answer, so the first of a turn is the player on roll.
            found[action.action > LAST_ROLL].setdefault(
                action.place, frame if action.white else Frame(1 - frame.middle, frame.half)
            )
        return Frames(found[0], {**found[0], **found[1]}, resigned)
    table_name = text(info, "met_id")
    if not base.is_money and chances is None and table_name not in TABLES:
        named = f"{table_name[:40]!r}, which is not known here" if table_name else "none"
        raise Damaged(
            f"expected the match equity table of its match winning chances ({', '.join(TABLES)}), found {named}"
        )
    return frames_of(base, chances, TABLES.get(table_name, DEFAULT_MET))


def frames_of(match: Match, chances: Chances | None = None, table: str = DEFAULT_MET) -> Frames:
    """The frames of every turn of a match by a table; `chances` come first. A score that they do not have is NaN."""
    met = (
        own_table(replace(match, known_chances=chances)) if chances is not None else None
    ) or load_met(table)
    plays, cubes, ends = match.plays, match.cubes, match.resignations
    at_stake = stakes(
        match, met, int(max(table.cube.max(initial=1) for table in (plays, cubes, ends)))
    )
    win, lose = (one.astype(np.float64) for one in at_stake.of(ends.game, ends.player, ends.cube))
    halves = np.ones(len(ends)) if match.is_money else (win - lose) / 2
    resigned = dict(
        zip(match.games.number[ends.game].tolist(), halves.tolist(), strict=True)
    )  # the same for both players
    found = []
    for rows in (plays, cubes):
        win, lose = (
            one.astype(np.float64) for one in at_stake.of(rows.game, rows.player, rows.cube)
        )
        if match.is_money:
            win, lose = np.ones(len(rows)), -np.ones(len(rows))
        values = zip(((win + lose) / 2).tolist(), ((win - lose) / 2).tolist(), strict=True)
        # The first of a turn is the player on roll; who answers a double comes later.
        found.append(
            {
                place: Frame(*value)
                for place, value in reversed(list(zip(places(match, rows), values, strict=True)))
            }
        )
    return Frames(found[0], found[1], resigned)


def _open_unit(currency: str, *, money: bool) -> str:
    if not currency:
        return "it does not say in which unit its values are, so that they cannot be read"
    if currency == MONEY and not money:
        return "its values are said to be equities in match play, of which programs mean two different things"
    return f"expected values in {MONEY if money else CHANCE}, found {currency[:40]!r}, which is not read here"


def _stated(document: dict[str, Any], name: str) -> list[tuple[int, Frame | None]]:
    """The frames that GammonView writes down of an analysis, each from an action on. Raises `Damaged`."""
    pieces: dict[int, str] = {}
    for one in document.get("annotations") or []:
        key, _, number = str(one.get("key")).partition("~")
        if (
            key == GAMMONVIEW + name
            and type(one.get("value")) is str
            and (not number or re.fullmatch("[0-9]{1,4}", number))
        ):
            pieces[int(number or 0)] = one["value"]
    value = "".join(piece for _, piece in sorted(pieces.items()))
    listed = next(
        (item.removeprefix("frame=") for item in value.split(";") if item.startswith("frame=")), ""
    )
    found: list[tuple[int, Frame | None]] = []
    for entry in listed.split(",") if listed else ():
        frame = STATED.fullmatch(entry)
        if frame is None:
            raise Damaged(f"expected a frame of GammonView, found {entry[:40]!r}")
        found.append(
            (
                int(frame[1]),
                Frame(float(frame[2] or 0), float(frame[3] or 0)) if frame[2] is not None else None,
            )
        )
    return sorted(found, key=lambda one: one[0])


KEY: Final = "x-reconcile-analysis/"
LONGEST_VALUE: Final = 4000
"""Letters of an annotation; the format allows 4096 bytes."""
MOST_VALUES: Final = 4000
VERSION: Final = 1
KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "plays": (
        "analysed", "flag", "legal", "stored_error", "best", "played", "highest", "spread", "luck", "luck_mark", "level", "validity",
    ),
    "cubes": ("analysed", "flag", "expected", "no_double", "double_take", "double_pass", "stored_error", "level"),
    "resignations": ("stored_error",),
}  # fmt: skip
"""The columns that are kept, by table."""
TYPES: Final = ("<f4", "<f8", "|b1", "|i1", "<i2", "<i4", "<i8")

Column = npt.NDArray[Any]
Columns = dict[str, Column]


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept of an analysis; its columns have the rows of the document's own transcript."""

    tool: str
    tool_version: str | None
    cube_unit: str
    levels: tuple[Level, ...]
    chances: Mapping[tuple[int, int, bool], float] | None
    """See `Match.known_chances`."""
    plays: Columns
    cubes: Columns
    resignations: Columns


def annotations_of(name: str, match: Match, tables: Mapping[str, Columns]) -> list[dict[str, Any]]:
    """The annotations that keep an analysis of this `analysis_id`; `tables` are its columns by table, in the rows of the transcript."""
    chances = (
        None
        if match.known_chances is None
        else [[*score, chance] for score, chance in sorted(match.known_chances.items())]
    )
    document = {
        "version": VERSION,
        "tool": match.source.tool,
        "tool_version": match.source.tool_version,
        "cube_unit": match.cube_unit,
        "levels": [{"label": level.label, "lookahead": level.lookahead} for level in match.levels],
        "chances": chances,
        **{
            table: {column: _packed(values) for column, values in columns.items()}
            for table, columns in tables.items()
        },
    }
    letters = json.dumps(document)
    pieces = [letters[at : at + LONGEST_VALUE] for at in range(0, len(letters), LONGEST_VALUE)]
    return [
        {"key": f"{KEY}{name}/{number:04}", "ref": 0, "scope": "match", "value": piece}
        for number, piece in enumerate(pieces)
    ]


def kept_json(document: dict[str, Any], name: str) -> str:
    """The JSON that the annotations keep of an analysis; empty where there are none."""
    pieces = {}
    for one in parts(document, "annotations", 10**6) if "annotations" in document else []:
        key = one.get("key")
        if type(key) is str and key.startswith(f"{KEY}{name}/") and type(one.get("value")) is str:
            pieces[key] = one["value"]
    if len(pieces) > MOST_VALUES:
        raise Damaged(
            f"expected at most {MOST_VALUES} annotations of one analysis, found {len(pieces)}"
        )
    return "".join(value for _, value in sorted(pieces.items()))


def unpacked(letters: str, rows: Mapping[str, int]) -> Kept:
    """What was kept, for a transcript of so many rows by table. Raises `Damaged`."""
    try:
        document = json.loads(letters)
    except (ValueError, RecursionError):
        document = None
    if type(document) is not dict or document.get("version") != VERSION:
        raise Damaged(
            f"expected what reconcile keeps of an analysis in version {VERSION}, found another or a part of it"
        )
    cube_unit = text(document, "cube_unit")
    if cube_unit not in ("emg", "mwc"):
        raise Damaged(f"expected the unit emg or mwc, found {cube_unit[:40]!r}")
    levels = tuple(
        Level(text(one, "label"), _lookahead(one)) for one in parts(document, "levels", 1000)
    )
    columns = {}
    for table, names in KEPT.items():
        packed = part(document, table) or {}
        if sorted(packed) != sorted(names):
            raise Damaged(f"expected the columns {', '.join(names)} of {table}")
        columns[table] = {
            column: _column(packed, column, rows[table], len(levels)) for column in names
        }
    return Kept(
        text(document, "tool"),
        text(document, "tool_version") or None,
        cube_unit,
        levels,
        _chances(document),
        **columns,
    )


def _lookahead(one: dict[str, Any]) -> float | None:
    value = one.get("lookahead")
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= 100):
        raise Damaged(f"expected lookahead from 0 to 100, found {shown(value)}")
    return value


def _chances(document: dict[str, Any]) -> dict[tuple[int, int, bool], float] | None:
    given = document.get("chances")
    if given is None:
        return None
    found = {}
    if type(given) is not list or len(given) > 2 * LONGEST_MATCH**2:
        raise Damaged("expected the chances of a match equity table")
    for one in given:
        if type(one) is not list or len(one) != 4:
            raise Damaged(f"expected a score and its chance, found {shown(one)}")
        score = dict(zip(("away", "opponent_away", "post_crawford"), one, strict=False))
        chance = one[3]
        if type(chance) not in (int, float) or not 0 <= chance <= 1:
            raise Damaged(f"expected a chance from 0 to 1, found {shown(chance)}")
        away = (
            whole(score, "away", 1, LONGEST_MATCH),
            whole(score, "opponent_away", 1, LONGEST_MATCH),
        )
        found[*away, flag(score, "post_crawford", False)] = float(chance)
    return found


def _packed(column: Column) -> str:
    little = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<"))
    return f"{little.dtype.str}:{base64.b64encode(zlib.compress(little.tobytes(), 9)).decode()}"


def _column(packed: dict[str, Any], name: str, rows: int, levels: int) -> Column:
    given = packed[name]
    kind, _, letters = given.partition(":") if type(given) is str else ("", "", "")
    if kind not in TYPES:
        raise Damaged(f"expected the column {name}, found {shown(given)}")
    dtype = np.dtype(kind)
    size = rows * dtype.itemsize
    try:
        content = zlib.decompressobj().decompress(
            base64.b64decode(letters, validate=True), size + 1
        )
    except (zlib.error, binascii.Error, ValueError):
        content = b""
    if len(content) != size:
        raise Damaged(f"expected the column {name} with {rows} rows, found another number")
    if dtype.kind == "b" and set(content) - {0, 1}:
        raise Damaged(f"expected yes or no in the column {name}")
    column = np.frombuffer(content, dtype).astype(dtype.newbyteorder("="))
    expected = {
        "analysed": "b",
        "expected": "b",
        "flag": "i",
        "legal": "i",
        "luck_mark": "i",
        "level": "i",
        "validity": "i",
    }.get(name, "f")
    lowest, highest = {
        "level": (-1, levels - 1),
        "validity": (0, 2),
        "flag": (-1, 1),
        "luck_mark": (-128, 2),
    }.get(name, (-1, 10**6))
    if dtype.kind != expected:
        raise Damaged(f"expected another kind of numbers in the column {name}, found {kind}")
    if dtype.kind == "f" and bool((np.abs(column) > LARGEST).any()):
        raise Damaged(
            f"expected numbers up to {LARGEST:.0f} in the column {name}, found {math.inf if np.isinf(column).any() else 'another'}"
        )
    if dtype.kind == "i" and bool(((column < lowest) | (column > highest)).any()):
        raise Damaged(
            f"expected numbers from {lowest} to {highest} in the column {name}, found another"
        )
    return column
