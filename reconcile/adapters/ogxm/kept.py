"""What OGXM has no field for, kept beside an analysis that this program writes: the columns of its decisions, to the last digit.

A document rounds every value and has no place for a tool's own marks, stored errors and match equity table. They travel in annotations
of a namespace that the format leaves to programs (`x-reconcile-...`): JSON, with each column packed as bytes.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.adapters.bgblitz.values import Damaged, flag, part, parts, shown, text, whole
from reconcile.match import LONGEST_MATCH, Level, Match

KEY: Final = "x-reconcile-analysis/"
LONGEST_VALUE: Final = 4000
"""Letters of an annotation; the format allows 4096 bytes."""
MOST_VALUES: Final = 4000
VERSION: Final = 1
LARGEST: Final = 1000.0
PLAYS: Final = (
    "analysed",
    "flag",
    "legal",
    "stored_error",
    "best",
    "played",
    "highest",
    "spread",
    "luck",
    "luck_mark",
    "level",
    "validity",
)
CUBES: Final = ("analysed", "flag", "expected", "no_double", "double_take", "double_pass", "stored_error", "level")
RESIGNATIONS: Final = ("stored_error",)
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
    chances = None if match.known_chances is None else [[*score, chance] for score, chance in sorted(match.known_chances.items())]
    document = {
        "version": VERSION,
        "tool": match.source.tool,
        "tool_version": match.source.tool_version,
        "cube_unit": match.cube_unit,
        "levels": [{"label": level.label, "lookahead": level.lookahead} for level in match.levels],
        "chances": chances,
        **{table: {column: _packed(values) for column, values in columns.items()} for table, columns in tables.items()},
    }
    letters = json.dumps(document)
    pieces = [letters[at : at + LONGEST_VALUE] for at in range(0, len(letters), LONGEST_VALUE)]
    return [{"key": f"{KEY}{name}/{number:04}", "ref": 0, "scope": "match", "value": piece} for number, piece in enumerate(pieces)]


def kept(document: dict[str, Any], name: str) -> str:
    """The JSON that the annotations keep of an analysis; empty where there are none."""
    pieces = {}
    for one in parts(document, "annotations", 10**6) if "annotations" in document else []:
        key = one.get("key")
        if type(key) is str and key.startswith(f"{KEY}{name}/") and type(one.get("value")) is str:
            pieces[key] = one["value"]
    if len(pieces) > MOST_VALUES:
        raise Damaged(f"expected at most {MOST_VALUES} annotations of one analysis, found {len(pieces)}")
    return "".join(value for _, value in sorted(pieces.items()))


def unpacked(letters: str, rows: Mapping[str, int]) -> Kept:
    """What was kept, for a transcript of so many rows by table. Raises `Damaged`."""
    try:
        document = json.loads(letters)
    except (ValueError, RecursionError):
        document = None
    if type(document) is not dict or document.get("version") != VERSION:
        raise Damaged(f"expected what reconcile keeps of an analysis in version {VERSION}, found another or a part of it")
    cube_unit = text(document, "cube_unit")
    if cube_unit not in ("emg", "mwc"):
        raise Damaged(f"expected the unit emg or mwc, found {cube_unit[:40]!r}")
    levels = tuple(Level(text(one, "label"), _lookahead(one)) for one in parts(document, "levels", 1000))
    columns = {}
    for table, names in (("plays", PLAYS), ("cubes", CUBES), ("resignations", RESIGNATIONS)):
        packed = part(document, table) or {}
        if sorted(packed) != sorted(names):
            raise Damaged(f"expected the columns {', '.join(names)} of {table}")
        columns[table] = {column: _column(packed, column, rows[table], len(levels)) for column in names}
    return Kept(text(document, "tool"), text(document, "tool_version") or None, cube_unit, levels, _chances(document), **columns)


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
        away = whole(score, "away", 1, LONGEST_MATCH), whole(score, "opponent_away", 1, LONGEST_MATCH)
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
        content = zlib.decompressobj().decompress(base64.b64decode(letters, validate=True), size + 1)
    except (zlib.error, binascii.Error, ValueError):
        content = b""
    if len(content) != size:
        raise Damaged(f"expected the column {name} with {rows} rows, found another number")
    if dtype.kind == "b" and set(content) - {0, 1}:
        raise Damaged(f"expected yes or no in the column {name}")
    column = np.frombuffer(content, dtype).astype(dtype.newbyteorder("="))
    expected = {"analysed": "b", "expected": "b", "flag": "i", "legal": "i", "luck_mark": "i", "level": "i", "validity": "i"}.get(name, "f")
    lowest, highest = {"level": (-1, levels - 1), "validity": (0, 2), "flag": (-1, 1), "luck_mark": (-128, 2)}.get(name, (-1, 10**6))
    if dtype.kind != expected:
        raise Damaged(f"expected another kind of numbers in the column {name}, found {kind}")
    if dtype.kind == "f" and bool((np.abs(column) > LARGEST).any()):
        raise Damaged(
            f"expected numbers up to {LARGEST:.0f} in the column {name}, found {math.inf if np.isinf(column).any() else 'another'}"
        )
    if dtype.kind == "i" and bool(((column < lowest) | (column > highest)).any()):
        raise Damaged(f"expected numbers from {lowest} to {highest} in the column {name}, found another")
    return column
