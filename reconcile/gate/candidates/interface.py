"""What every form of a candidate has: how its text is recognised and read. A form is a file here.

A match file in any format that is read (`reconcile.formats`) is a candidate as well.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationError

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_CLAIMS, MOST_ROWS
from reconcile.files.model import Model
from reconcile.files.yaml_file import complaint
from reconcile.gate.candidates.claims import SEATS, Claim, short
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS

LONGEST_NAME: Final = 200
Kind = TypeVar("Kind", bound=Model)
Row = TypeVar("Row", bound=Model)
PAGE: Final = "see docs/candidates.md"


@dataclass(frozen=True)
class CandidateText:
    """The text of a candidate."""

    where: str
    """The file, for messages."""
    text: str

    @cached_property
    def tree(self) -> Any:
        """The JSON tree; `None` for a text without a bracket. Raises `InvalidConfiguration`."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        line = None
        try:
            return json.loads(
                self.text, object_pairs_hook=_without_repeats, parse_constant=_no_number
            )
        except json.JSONDecodeError as error:
            reason, line = error.msg.lower(), error.lineno
        except RecursionError:
            reason = "found brackets nested too deep; is it the right file?"
        except ValueError as error:
            reason = str(error)[:120]
        raise InvalidConfiguration(f"expected JSON: {reason}; correct the file", self.where, line)

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of a CSV table; empty for another text."""
        first = next(filter(str.strip, self.text.splitlines()), "")[:4096]
        try:
            cells = next(csv.reader([first], strict=True), [])
        except csv.Error:
            return ()
        return tuple(cell.strip().lower() for cell in cells) if len(cells) > 1 else ()

    def rows(self, kind: type[Row]) -> Iterator[tuple[int, At, Row]]:
        """The rows below the header: line, place, and what the model makes of it.

        Raises `InvalidConfiguration`, also if there are none.
        """
        required = [name for name, field in kind.model_fields.items() if field.is_required()]
        wrong = [f"no {name!r}" for name in required if name not in self.header]
        wrong += [f"column {short(name)}" for name in self.header if name not in kind.model_fields]
        if wrong:
            optional = ", ".join(name for name in kind.model_fields if name not in required)
            expected = f"expected the columns {', '.join(required)} and optionally {optional}"
            raise InvalidConfiguration(f"{expected}, found {wrong[0]}; {PAGE}", At(self.where, 1))
        if len(set(self.header)) < len(self.header):
            named = short(", ".join(self.header))
            raise InvalidConfiguration(f"a column is named twice; found {named}", self.where, 1)
        filled = list(self._filled())[1:]
        if not 0 < len(filled) <= MOST_ROWS:
            number = "more" if filled else "only a header"
            most = f"expected 1 to {MOST_ROWS} lines below the header, found {number}"
            raise InvalidConfiguration(f"{most}; correct the file", self.where)
        for line, cells in filled:
            place = At(self.where, line)
            if len(cells) != len(self.header):
                count = f"expected {len(self.header)} cells, found {len(cells)}"
                raise InvalidConfiguration(f"{count}; correct the line", place)
            values = dict(zip(self.header, map(str.strip, cells), strict=True))
            yield line, place, checked(kind, place, values, "correct the line")

    def _filled(self) -> Iterator[tuple[int, list[str]]]:
        """The lines that are not blank, with their numbers."""
        reader = csv.reader(self.text.splitlines(keepends=True), strict=True)
        try:
            for cells in reader:
                if any(map(str.strip, cells)):
                    yield reader.line_num, cells
        except csv.Error as error:
            wrong = f"expected CSV: {error}; correct the line"
            raise InvalidConfiguration(wrong, self.where, reader.line_num) from None


@dataclass(frozen=True, slots=True)
class Form:
    """A form of candidates."""

    name: str
    """In words."""
    recognises: Callable[[CandidateText], bool]
    claims: Callable[[CandidateText], Iterable[Claim]]
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


def blank_as(value: object) -> BeforeValidator:
    """What an empty cell or null means."""
    return BeforeValidator(lambda cell: value if cell in (None, "") else cell)


def one_of(names: Collection[str]) -> AfterValidator:
    """One of some names."""

    def check(name: str) -> str:
        if name not in names:
            raise ValueError(f"expected one of {', '.join(filter(None, names))}")
        return name

    return AfterValidator(check)


def _player(cell: object) -> str:
    """The name of a player, or the number of the seat."""
    name = str(cell) if type(cell) is int and str(cell) in SEATS else cell
    if not (isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME):
        raise ValueError("expected a name, or 1 or 2 for the first or second player of the file")
    return name


Analysis = Annotated[str, one_of(("", *ANALYSERS)), blank_as("")]
Length = Annotated[int, Field(ge=0, le=LONGEST_MATCH)]
Player = Annotated[str, BeforeValidator(_player)]
Words = Annotated[str, Field(max_length=LONGEST_NAME), blank_as("")]


class OfMatch(Model):
    """The match that a row is about; empty or 0 where that is not said."""

    match: Words = ""
    """Id of the reference match."""
    length: Annotated[Length, blank_as(0)] = 0
    """Points to win."""
    analysis: Analysis = ""
    """The tool whose analysis it is based on."""


def checked(kind: type[Kind], place: At, values: object, remedy: str = "correct it") -> Kind:
    """A row or a tree as the model has it. Raises `InvalidConfiguration` with its place."""
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        keys, message = complaint(error)
        where = ".".join(map(str, keys)) or "the file"
        raise InvalidConfiguration(f"{where}: {message}; {remedy}", place) from None


Entry = TypeVar("Entry")


def grouped(
    where: str, entries: Iterable[Entry], key: Callable[[Entry], object]
) -> Iterable[Sequence[Entry]]:
    """The rows of each match. Raises `InvalidConfiguration` for very many matches."""
    groups: dict[object, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key(entry), []).append(entry)
    if len(groups) > MOST_CLAIMS:
        most = f"expected figures of at most {MOST_CLAIMS} matches, found {len(groups)}"
        raise InvalidConfiguration(f"{most}; split the file", where)
    return groups.values()
