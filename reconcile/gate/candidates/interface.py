"""What every form of a candidate has: how its text is recognised and read. A form is a file here.

A match file in any format that is read (`reconcile.formats`) is a candidate as well.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, TypeVar

from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.limits import MOST_CLAIMS, MOST_ROWS
from reconcile.files.model import Model
from reconcile.files.yaml_file import complaint
from reconcile.gate.candidates.claims import SEATS, Claim, short
from reconcile.match.match import LONGEST_MATCH
from reconcile.match.tools import ANALYSERS

LONGEST_NAME: Final = 200
PAGE: Final = "see docs/candidates.md"
VERSIONED: Final = re.compile(r"(.*[^\s,])[\s,]+v?(\d[\w.+-]*)")
"""A program and its version in one text, which are kept apart so that versions can be compared."""
Row = TypeVar("Row", bound=Model)
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class CandidateText:
    """The text of a candidate."""

    where: str
    """The file, for messages."""
    text: str

    def wrong(self, reason: str, line: int | None = None) -> InvalidConfiguration:
        """An error in a line of it."""
        return InvalidConfiguration(f"{reason}; {PAGE}", self.where, line)

    @cached_property
    def tree(self) -> Any:
        """The JSON tree; `None` for a text without a bracket. Raises `InvalidConfiguration`."""
        if self.text.lstrip()[:1] not in ("{", "["):
            return None
        try:
            return json.loads(self.text, object_pairs_hook=_without_repeats)
        except RecursionError:
            raise self.wrong("expected JSON: found brackets nested too deep") from None
        except ValueError as error:
            reason, line = getattr(error, "msg", str(error)[:120]), getattr(error, "lineno", None)
            raise self.wrong(f"expected JSON: {reason}", line) from None

    @cached_property
    def header(self) -> tuple[str, ...]:
        """The names of the columns of a CSV table; empty for another text."""
        first = next(filter(str.strip, self.text.splitlines()), "")[:4096]
        try:
            cells = next(csv.reader([first], strict=True), [])
        except csv.Error:
            return ()
        return tuple(cell.strip().lower() for cell in cells) if len(cells) > 1 else ()

    def rows(self, kind: type[Row]) -> list[tuple[At, Row]]:
        """The rows below the header with their places. Raises `InvalidConfiguration`, also if there
        are none."""
        fields, names = kind.model_fields, Counter(self.header)
        required = [name for name, field in fields.items() if field.is_required()]
        wrong = [f"no {name!r}" for name in required if name not in names]
        wrong += [f"column {short(name)}" for name in names if name not in fields]
        wrong += [f"column {short(name)} named twice" for name in names if names[name] > 1]
        if wrong:
            optional = ", ".join(name for name in fields if name not in required)
            expected = f"expected the columns {', '.join(required)} and optionally {optional}"
            raise self.wrong(f"{expected}, found {wrong[0]}", 1)
        lines = {}
        reader = csv.reader(self.text.splitlines(keepends=True), strict=True)
        try:
            for cells in reader:
                if any(map(str.strip, cells)):
                    lines[reader.line_num] = dict(
                        zip(self.header, map(str.strip, cells), strict=False)
                    )
                    if len(cells) != len(names):
                        count = f"expected {len(names)} cells, found {len(cells)}"
                        raise self.wrong(count, reader.line_num)
        except csv.Error as error:
            raise self.wrong(f"expected CSV: {error}", reader.line_num) from None
        del lines[next(iter(lines))]
        if not 0 < len(lines) <= MOST_ROWS:
            number = "more" if lines else "only a header"
            raise self.wrong(f"expected 1 to {MOST_ROWS} lines below the header, found {number}")
        table: dict[int, Row] = self.checked(dict[int, kind], lines)  # type: ignore[valid-type]
        return [(At(self.where, line), row) for line, row in table.items()]

    def checked(self, kind: Any, values: object) -> Any:
        """A tree, or rows by line, as the type has it. Raises `InvalidConfiguration`."""
        try:
            return TypeAdapter(kind).validate_python(values)
        except ValidationError as error:
            keys, message = complaint(error)
            line = int(keys.pop(0)) if keys and isinstance(keys[0], int) else None
            raise self.wrong(f"{'.'.join(map(str, keys)) or 'the file'}: {message}", line) from None

    def grouped(
        self, rows: Iterable[Entry], key: Callable[[Entry], object]
    ) -> Iterable[Sequence[Entry]]:
        """The rows of each match. Raises `InvalidConfiguration` for very many matches."""
        groups: dict[object, list[Entry]] = {}
        for row in rows:
            groups.setdefault(key(row), []).append(row)
        if len(groups) > MOST_CLAIMS:
            most = f"expected figures of at most {MOST_CLAIMS} matches, found {len(groups)}"
            raise self.wrong(f"{most}; split the file")
        return groups.values()


@dataclass(frozen=True, slots=True)
class Form:
    """A form of candidates."""

    recognises: Callable[[CandidateText], bool]
    claims: Callable[[CandidateText], Iterator[Claim]]
    """What it contains. Raises `InvalidConfiguration` with one line."""


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    tree = dict(pairs)
    if len(tree) < len(pairs):
        repeated, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise ValueError(f"{short(repeated)} is given twice in one object")
    return tree


# -- rows -----------------------------------------------------------------------------------------


def blank_as(value: object) -> BeforeValidator:
    """What an empty cell or null means."""
    return BeforeValidator(lambda cell: value if cell in (None, "") else cell)


def _player(cell: object) -> str:
    """The name of a player, or the number of the seat."""
    name = str(cell) if type(cell) is int and str(cell) in SEATS else cell
    if not (isinstance(name, str) and name.strip() and len(name) <= LONGEST_NAME):
        raise ValueError("expected a name, or 1 or 2 for the first or second player of the file")
    return name


if TYPE_CHECKING:
    Analysis: TypeAlias = str | None
else:
    Analysis = Annotated[Literal[tuple(ANALYSERS)] | None, blank_as(None)]
Player = Annotated[str, BeforeValidator(_player)]
Words = Annotated[str, Field(max_length=LONGEST_NAME), blank_as("")]


class OfMatch(Model):
    """The match that a row is about; empty or 0 where that is not said."""

    match: Words = ""
    """Id of the reference match."""
    length: Annotated[int, Field(ge=0, le=LONGEST_MATCH), blank_as(0)] = 0
    """Points to win."""
    analysis: Analysis = None
    """The tool whose analysis it is based on."""


def claim_of(place: At, about: Any, names: Iterable[str], *program: str, **facts: Any) -> Claim:
    """What a program (its name, and version if apart) says of a match; `facts` are figures or
    decisions, `names` those of the players."""
    name, version = (" ".join(text[:LONGEST_NAME].split()) for text in (*program, "")[:2])
    if not version and (parts := VERSIONED.fullmatch(name)):
        name, version = parts.groups()
    return Claim(
        where=place,
        match=about.match or "",
        players=tuple(filter(None, dict.fromkeys(names))),
        length=about.length or None,
        tool=ANALYSERS[about.analysis].name if about.analysis else None,
        program=name,
        version=version,
        **facts,
    )
