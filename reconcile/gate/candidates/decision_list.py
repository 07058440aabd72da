"""Reads a list of decisions in CSV or JSON: game, turn, player, kind, counted, error. Its schema is `decisions.schema.json`.

    game,turn,player,kind,counted,error
    1,2,Ann,no-double,1,0
    1,2,Ann,play,1,0.023

Commas, semicolons and tabs separate the cells; beside semicolons and tabs a number may have a decimal comma.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, cast, get_args

import numpy as np

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_ROWS
from reconcile.files.wording import plural
from reconcile.gate.candidates.claims import Claim, decimals, printed_number, short
from reconcile.gate.candidates.paired_rows import SEATS, WORDS, StatedRows, Unit, meaning
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS

ADDRESS: Final = ("game", "turn")
"""Columns that only a list of decisions has."""
REQUIRED: Final = (*ADDRESS, "player", "kind", "counted", "error")
OF_ROW: Final = ("match", *REQUIRED, "best", "played", "luck")
OF_LIST: Final = ("match", "length", "analysis", "unit")
"""What is said once for a match: keys of the JSON object, columns of the CSV."""
COLUMNS: Final = (*REQUIRED, "match", "best", "played", "luck", "length", "analysis", "unit")
KEYS: Final = ("schema_version", "program", *OF_LIST, "decisions")
DELIMITERS: Final = ",;\t"
UNITS: Final[tuple[Unit, ...]] = get_args(Unit)
LONGEST_NAME: Final = 200
LARGEST_NUMBER: Final = 10**6
"""Larger than any number of a game or a turn."""
USUAL: Final = 0.9
"""Share of the errors that are printed with no more digits than the list as a whole: JSON loses zeros at the end, and a few numbers
have binary noise."""
FLAGS: Final = {**dict.fromkeys(("1", "true", "yes", "y", "t", "x"), True), **dict.fromkeys(("0", "false", "no", "n", "f", ""), False)}
"""Words for whether a decision counts, without case."""

Row = tuple[int, Mapping[str, object]]
"""Line of the file or number of the item, and what it has."""


class _Refused(ValueError):
    """What is wrong with a row, without its place."""


def delimiter_of(text: str) -> str:
    """What separates the cells of a list of decisions; empty if the text is none, by the names in its first line."""
    head = next((line for line in text.lstrip("\ufeff").splitlines() if line.strip()), "")[:4096]
    for mark in DELIMITERS:
        try:
            cells = [cell.strip().lower() for cell in next(csv.reader([head], delimiter=mark), [])]
        except csv.Error:
            continue
        if set(ADDRESS) <= set(cells):
            return mark
    return ""


def is_decision_list(tree: object) -> bool:
    """Whether a JSON tree is a list of decisions, alone or in an object."""
    if isinstance(tree, dict):
        return "decisions" in tree and "source" not in tree
    return isinstance(tree, list) and bool(tree) and isinstance(tree[0], dict) and set(ADDRESS) <= set(tree[0])


def claims_of_list(where: str, rows: Sequence[Row]) -> tuple[Claim, ...]:
    """The claims of a table, one for each match. Raises `InvalidConfiguration` with one line."""
    header = list(rows[0][1]) if rows else []
    if not rows:
        raise InvalidConfiguration("expected a line for every decision, found only a header", where)
    _known(At(where, 1), "column", header, REQUIRED, COLUMNS)
    return _claims(where, rows, {}, lambda line: At(where, line))


def claims_of_object(where: str, tree: Any) -> tuple[Claim, ...]:
    """The claims of a JSON tree. Raises `InvalidConfiguration` with one line."""
    given = tree if isinstance(tree, dict) else {"schema_version": 1, "decisions": tree}
    _known(At(where), "key", list(given), ("schema_version", "decisions"), KEYS)
    if type(given["schema_version"]) is not int or given["schema_version"] != 1:
        raise InvalidConfiguration(f"schema_version: expected 1, found {short(given['schema_version'])}; correct it", where)
    items, program = given["decisions"], given.get("program") or ""
    if not isinstance(items, list) or not items:
        raise InvalidConfiguration(f"decisions: expected a list with a row for every decision, found {short(items)}", where)
    if not isinstance(program, str):
        raise InvalidConfiguration(f"program: expected a name, found {short(program)}; correct it", where)
    if len(items) > MOST_ROWS:
        raise InvalidConfiguration(f"expected at most {MOST_ROWS} rows, found {len(items)}; split the file", where)
    known = set(OF_ROW)
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict) or not set(REQUIRED) <= item.keys() <= known:
            place = At(where, key=f"decisions, row {number}")
            if not isinstance(item, dict):
                raise InvalidConfiguration(f"expected an object, found {short(item)}; correct it", place)
            _known(place, "key", list(item), REQUIRED, OF_ROW)
    shared = {key: given[key] for key in OF_LIST if given.get(key) is not None}
    return _claims(where, list(enumerate(items, 1)), shared, lambda line: At(where, key=f"decisions, row {line}"), program[:LONGEST_NAME])


def _known(place: At, noun: str, given: Sequence[str], required: Sequence[str], known: Sequence[str]) -> None:
    """Check names. Raises `InvalidConfiguration`."""
    missing = [name for name in required if name not in given]
    unknown = [name for name in given if name not in known]
    if missing or unknown:
        optional = [name for name in known if name not in required]
        found = f"no {missing[0]!r}" if missing else f"{noun} {short(unknown[0])}"
        raise InvalidConfiguration(
            f"expected the {noun}s {', '.join(required)} and optionally {', '.join(optional)}, found {found}; see docs/candidates.md", place
        )


def _claims(
    where: str, rows: Iterable[Row], shared: Mapping[str, object], place: Callable[[int], At], program: str = ""
) -> tuple[Claim, ...]:
    grouped: dict[tuple[str, int, str, Unit], list[Row]] = {}
    for line, row in rows:
        try:
            grouped.setdefault(_about({**shared, **row}), []).append((line, row))
        except _Refused as error:
            raise InvalidConfiguration(f"{error}; correct it", place(line)) from None
    return tuple(_claim(where, key, group, place, program) for key, group in grouped.items())


def _about(row: Mapping[str, object]) -> tuple[str, int, str, Unit]:
    """Match, length (0 for unknown), analysis and unit."""
    match, length, analysis, unit = (row.get(name) if row.get(name) is not None else "" for name in OF_LIST)
    if not isinstance(match, str) or len(match) > LONGEST_NAME:
        raise _Refused(f"match: expected the id of a reference match, found {short(match)}")
    points = 0 if length == "" else _whole("length", length, LONGEST_MATCH)
    if analysis and (not isinstance(analysis, str) or analysis.lower() not in ANALYSERS):
        raise _Refused(f"analysis: expected {' or '.join(ANALYSERS)}, found {short(analysis)}")
    if unit and (not isinstance(unit, str) or unit.lower() not in UNITS):
        raise _Refused(f"unit: expected {' or '.join(UNITS)}, found {short(unit)}")
    return match, points, str(analysis).lower(), cast("Unit", str(unit).lower() or UNITS[0])


def _claim(where: str, key: tuple[str, int, str, Unit], rows: Sequence[Row], place: Callable[[int], At], program: str) -> Claim:
    match, length, analysis, unit = key
    names: dict[str, int] = {}
    found = []
    for line, row in rows:
        try:
            found.append((line, *_row(row, names)))
        except _Refused as error:
            raise InvalidConfiguration(f"{error}; correct it", place(line)) from None
        if len(names) > 2:
            raise InvalidConfiguration(
                f"expected the decisions of two players, found a third, {short(list(names)[2])}; "
                "name the match of each row in a column or key `match`",
                place(line),
            )
    lines, games, turns, players, slots, kinds, counted, errors, digits, luck, luck_digits, best, played = zip(*found, strict=True)
    stated = StatedRows(
        where=where,
        line=np.array(lines),
        game=np.array(games),
        turn=np.array(turns),
        player=np.array(players),
        names=tuple(names),
        slot=np.array(slots),
        kind=np.array(kinds),
        counted=np.array(counted),
        error=np.array(errors),
        half=_halves(np.array(errors), np.array(digits)),
        luck=np.array(luck),
        luck_half=_halves(np.array(luck), np.array(luck_digits)),
        best=best,
        played=played,
        unit=unit,
        program=program,
    )
    return Claim(
        where=At(where, key=f"{plural(len(rows), 'decision')} of {match}" if match else ""),
        figures=(),
        match=match or None,
        players=tuple(name for name in names if name not in SEATS),
        length=length or None,
        tool=ANALYSERS[analysis].name if analysis else None,
        kind="figures",
        rows=stated,
    )


def _row(row: Mapping[str, object], names: dict[str, int]) -> tuple[Any, ...]:
    word = row["kind"]
    meant = meaning(word) if isinstance(word, str) and len(word) <= LONGEST_NAME else None
    if meant is None:
        raise _Refused(f"kind: expected one of {', '.join(WORDS)}, or a word for one listed in docs/candidates.md, found {short(word)}")
    error, digits = _number("error", row["error"])
    luck, luck_digits = _number("luck", row.get("luck"))
    player = row["player"]
    if type(player) is int and player in (1, 2):
        player = str(player)
    if not isinstance(player, str) or not player.strip() or len(player) > LONGEST_NAME:
        raise _Refused(f"player: expected a name, or 1 or 2 for the first or second player of the file, found {short(player)}")
    return (
        _whole("game", row["game"], LARGEST_NUMBER),
        _whole("turn", row["turn"], LARGEST_NUMBER),
        names.setdefault(player, len(names)),
        *meant,
        _flag(row["counted"]),
        error,
        digits,
        luck,
        luck_digits,
        _text("best", row.get("best")),
        _text("played", row.get("played")),
    )


def _whole(name: str, given: object, most: int) -> int:
    text = str(given).strip() if isinstance(given, (int, str)) and not isinstance(given, bool) else ""
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else 0
    if not 1 <= number <= most:
        hint = " (the first is 1)" if text == "0" else ""
        raise _Refused(f"{name}: expected a whole number from 1 to {most}{hint}, found {short(given)}")
    return number


def _flag(given: object) -> bool:
    known = FLAGS.get(str(given).strip().lower()) if isinstance(given, (bool, int, str)) else None
    if known is None:
        raise _Refused(f"counted: expected 1 or 0, true or false, yes or no, found {short(given)}")
    return known


def _number(name: str, given: object) -> tuple[float, int]:
    """A number and its decimals; NaN for none."""
    if given is None or given == "":
        return np.nan, 0
    _, number = printed_number(given)
    if number is None:
        raise _Refused(f"{name}: expected a number as the program prints it, or nothing, found {short(given)}")
    return float(number), decimals(number)


def _text(name: str, given: object) -> str:
    if given is None:
        return ""
    if not isinstance(given, str) or len(given) > LONGEST_NAME:
        raise _Refused(f"{name}: expected an action as text, found {short(given)}")
    return given.strip()


def _halves(values: Any, digits: Any) -> Any:
    """Half of the last printed digit of every number; those that are shorter than most have lost zeros at their end."""
    shown = digits[(values == values) & (values != 0)]
    usual = np.quantile(shown, USUAL, method="higher") if len(shown) else digits.max(initial=0)
    return 0.5 * 10.0 ** -np.maximum(digits, usual).astype(float)
