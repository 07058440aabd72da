"""What every form of a candidate has: how its text is recognised and read. A form is a file here.

A match file in any format that is read (`reconcile.formats`) is a candidate as well.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Final, TypeVar

from pydantic import PlainValidator, ValidationError

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_ROWS
from reconcile.files.model import Model
from reconcile.files.yaml_file import complaint
from reconcile.gate.candidates.claims import Claim, short
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS

LONGEST_NAME: Final = 200
Row = tuple[int, At, Mapping[str, Any]]
"""A row: its line in the file or its number among the items, its place, and what it has."""


@dataclass(frozen=True)
class Text:
    """The text of a candidate."""

    where: str
    """The file, for messages."""
    text: str

    @cached_property
    def tree(self) -> Any:
        """The JSON tree; `None` for a text without a bracket. Raises `InvalidConfiguration`."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return json.loads(
                self.text, object_pairs_hook=_without_repeats, parse_constant=_no_number
            )
        except json.JSONDecodeError as error:
            reason, line = error.msg.lower(), error.lineno
        except RecursionError:
            reason, line = "found brackets nested too deep; is it the right file?", None
        except ValueError as error:
            reason, line = str(error)[:120], None
        raise InvalidConfiguration(f"expected JSON: {reason}; correct the file", self.where, line)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of a CSV table; empty for another text."""
        first = next((line for line in self.text.splitlines() if line.strip()), "")[:4096]
        try:
            cells = next(csv.reader([first], strict=True), [])
        except csv.Error:
            return ()
        return tuple(cell.strip().lower() for cell in cells) if len(cells) > 1 else ()

    def rows(self) -> list[Row]:
        """The rows below the header. Raises `InvalidConfiguration`, also if there are none."""
        where, header = self.where, self.header
        if len(set(header)) < len(header):
            named = short(", ".join(header))
            raise InvalidConfiguration(f"a column is named twice; found {named}", where, 1)
        reader = csv.reader(io.StringIO(self.text, newline=""), strict=True)
        rows: list[Row] = []
        try:
            filled = (cells for cells in reader if any(map(str.strip, cells)))
            next(filled)  # the header
            for cells in filled:
                place = At(where, reader.line_num)
                if len(rows) == MOST_ROWS:
                    most = f"expected at most {MOST_ROWS} lines, found more; split the file"
                    raise InvalidConfiguration(most, where)
                if len(cells) != len(header):
                    wrong = f"expected {len(header)} cells, found {len(cells)}; correct the line"
                    raise InvalidConfiguration(wrong, place)
                values = dict(zip(header, map(str.strip, cells), strict=True))
                rows.append((reader.line_num, place, values))
        except csv.Error as error:
            wrong = f"expected CSV: {error}; correct the line"
            raise InvalidConfiguration(wrong, where, reader.line_num) from None
        if not rows:
            expected = "expected a line for every figure or decision, found only a header"
            raise InvalidConfiguration(expected, where)
        return rows


@dataclass(frozen=True, slots=True)
class Form:
    """A form of candidates."""

    name: str
    """In words."""
    recognises: Callable[[Text], bool]
    claims: Callable[[Text], tuple[Claim, ...]]
    """What it contains. Raises `InvalidConfiguration` with one line."""


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        repeated, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{short(repeated)} is given twice in one object")
    return tree


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is not a figure; write null for an unknown one")


# -- rows -----------------------------------------------------------------------------------------


def read_as(expected: str, read: Callable[[Any], object], absent: object = None) -> PlainValidator:
    """A value that `read` makes something of, or what is `absent`; `None` is not understood."""

    def check(cell: object) -> object:
        value = absent if absent is not None and cell in (None, "") else read(cell)
        if value is None:
            raise ValueError(f"expected {expected}")
        return value

    return PlainValidator(check)


def whole_number(most: int) -> Callable[[object], int | None]:
    """Reads a whole number from 1 to `most`, as a number or as text."""

    def read(cell: object) -> int | None:
        text = str(cell).strip() if type(cell) in (int, str) else ""
        digits = text.isascii() and text.isdigit() and len(text) <= len(str(most))
        return int(text) if digits and 1 <= int(text) <= most else None

    return read


def one_of(names: Iterable[str], absent: str | None = None) -> PlainValidator:
    """One of some names."""
    allowed = tuple(names)
    return read_as(" or ".join(allowed), lambda cell: cell if cell in allowed else None, absent)


def text_of(cell: object) -> str | None:
    """A text that is not too long, without the blanks around it."""
    return cell.strip() if isinstance(cell, str) and len(cell) <= LONGEST_NAME else None


def player_of(cell: object) -> str | None:
    """The name of a player, or the number of the seat."""
    name = str(cell) if type(cell) is int and cell in (1, 2) else cell
    return name if isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME else None


Length = read_as(f"a whole number from 1 to {LONGEST_MATCH}", whole_number(LONGEST_MATCH), 0)


class OfMatch(Model):
    """The match that a row is about."""

    match: Annotated[str, read_as("the id of a reference match", text_of, "")] = ""
    """Id of the reference match."""
    length: Annotated[int, Length] = 0
    """Points to win; 0 if that is unknown."""
    analysis: Annotated[str, one_of(ANALYSERS, "")] = ""
    """The tool whose analysis it is based on; empty if that is unknown."""


Kind = TypeVar("Kind", bound=Model)


def checked(kind: type[Kind], place: At, values: object, remedy: str = "correct it") -> Kind:
    """A row or a tree as the model has it. Raises `InvalidConfiguration` with its place."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        keys, message = complaint(error)
        where = ".".join(map(str, keys)) or "the file"
        raise InvalidConfiguration(f"{where}: {message}; {remedy}", place) from None


def check_names(
    kind: type[Model], place: At, noun: str, names: Sequence[str], without: Sequence[str] = ()
) -> None:
    """Raise `InvalidConfiguration` unless the columns or keys of a row are the model's."""
    fields = {name: field for name, field in kind.model_fields.items() if name not in without}
    required = [name for name, field in fields.items() if field.is_required()]
    missing = [name for name in required if name not in names]
    unknown = [name for name in names if name not in fields]
    if missing or unknown:
        optional = ", ".join(name for name in fields if name not in required)
        wrong = f"no {missing[0]!r}" if missing else f"{noun} {short(unknown[0])}"
        raise InvalidConfiguration(
            f"expected the {noun}s {', '.join(required)} and optionally {optional}, found {wrong}; "
            "see docs/candidates.md",
            place,
        )
