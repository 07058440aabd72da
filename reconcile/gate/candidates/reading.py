"""Reads candidates by their content: match files, and figures by player (schema `figures`) or lists
of decisions (schema `decisions`) in JSON or CSV.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypeAlias, TypeVar

import numpy as np
from pydantic import (
    BeforeValidator,
    Field,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from typing_extensions import TypedDict

from reconcile.document import Row
from reconcile.errors import At, InvalidConfiguration, ReconcileError, UnknownName, UnreadableFile
from reconcile.files.inputs import STANDARD_INPUT, first_bytes
from reconcile.files.limits import LONGEST_NUMBER, MOST_CLAIMS, MOST_ROWS, PRINTED
from reconcile.files.model import Model
from reconcile.files.yaml_file import complaint
from reconcile.formats import load_matches, read_match
from reconcile.formats.common import utf16
from reconcile.formats.interface import BLUNDERDB, HEAD, PROTECTED_MAGIC, Format, format_of
from reconcile.infer.reported import Parsed, Reported, printed_figure, printed_number
from reconcile.match.columns import Floats, Kind, KindName
from reconcile.match.match import LONGEST_MATCH, Match
from reconcile.match.tools import ANALYSERS
from reconcile.match.values import grouped
from reconcile.scoring.figures import ALIASES, METRICS, metric
from reconcile.wording import one_line, plural

if TYPE_CHECKING:
    import pandas as pd

LONGEST_SHOWN = 60
Unit = Literal["equity", "mwc"]
"""Of the errors: equity (EMG), or match winning chance in percentage points."""
SEATS = ("1", "2")
"""The first and the second player of a file, where a list gives no names."""


class Unusable(ReconcileError):
    """A claim that cannot be compared with a match; the text says why."""


class FilesAbsent(Unusable):
    """The files of its match are not here."""


class CommandFailed(ReconcileError):
    """The program under test gave no usable output; the message says why."""


class Unsupported(ReconcileError):
    """The program says that it does not support a match; the message says why."""


@dataclass(frozen=True, slots=True)
class Stated:
    """One figure as a candidate gives it."""

    player: str | int
    """A name, or a seat (0 or 1) where the figure follows from listed decisions."""
    metric: str
    """Full name."""
    text: str
    """As printed; empty where the program has none."""
    value: float | None
    half: float
    """Half of the last printed digit; 0 for a count."""
    is_number: bool = False
    """Whether it is given as a number, which loses zeros at its end."""

    @property
    def reported(self) -> Reported:
        """The same without its player."""
        return Reported(self.metric, self.text, self.value or 0.0, self.half)


@dataclass(frozen=True, slots=True)
class Claim:
    """Figures of one match, or the decisions from which they follow."""

    where: At
    """File, and place in it, for messages."""
    figures: tuple[Stated, ...] = ()
    match: str = ""
    """Id of the reference match; like what follows, empty where the candidate does not say."""
    players: tuple[str, ...] = ()
    length: int | None = None
    """Points to win."""
    tool: str | None = None
    """The tool whose analysis the figures are based on."""
    program: str = ""
    """The program that gives them, without its version."""
    version: str = ""
    rows: pd.DataFrame | None = field(default=None, repr=False, compare=False)
    """The decisions, if the program lists them: `line, game, turn, player, kind, counted, error,
    half, luck, luck_half, played`. Its figures then follow from them."""
    unit: Unit = "equity"
    """Of the errors of these decisions."""
    is_alone: bool = False
    """Whether a file without a name of its program has nothing else."""

    @property
    def subject(self) -> str:
        """What it says it is about."""
        return self.match or " - ".join(self.players)

    def about(self, reason: str) -> str:
        """A reason with its place, where its file has several."""
        return reason if self.is_alone else f"{self.where.short()}: {reason}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Everything one source contains."""

    name: str
    """The program's, if its output names it, otherwise the file's or the command's."""
    sha256: str = ""
    claims: tuple[Claim, ...] = ()
    matches: tuple[Match, ...] = field(default=(), repr=False)
    about: str = ""
    """Id of the reference match that all of it is about, if the user named one."""


def stated(where: At, player: str | int, name: str, value: object) -> Stated:
    """A figure from a number, a printed number, or `None`; `where` is for messages.

    Raises `InvalidConfiguration` for an unknown metric, no finite number, a broken count.
    """
    try:
        if value is None:
            return Stated(player, metric(name).name, "", None, 0.0)
        if isinstance(value, str) and "," in value:  # which `printed_figure` takes for a point
            expected = f"expected a number with a decimal point, found {short(value)}; correct it"
            raise InvalidConfiguration(f"{name}: {expected}")
        shown = printed_figure(name, value, "correct it, or write null for an unknown one")
    except UnknownName as error:
        raise InvalidConfiguration(f"{error}; correct the name", where) from None
    except InvalidConfiguration as error:
        raise InvalidConfiguration(error.reason, where) from None
    is_number = not isinstance(value, str)
    return Stated(player, shown.metric, shown.text, shown.value, shown.half, is_number)


def short(value: object) -> str:
    """What was found, shortened to fit on a line."""
    shown = repr(value[: 2 * LONGEST_SHOWN] if isinstance(value, str) else value)
    return shown if len(shown) <= LONGEST_SHOWN else shown[:LONGEST_SHOWN] + "..."


# -- forms of a text -------------------------------------------------------------------------------

LONGEST_NAME = 200
PAGE = "see docs/candidates.md"
VERSIONED = re.compile(r"(.*[^\s,])[\s,]+v?(\d[\w.+-]*)")
"""A program and its version in one text, which are kept apart so that versions can be compared."""
Entry = TypeVar("Entry")
Columns: TypeAlias = Mapping[str, Any]
"""By column or key of a row what checks and reads a cell, a type of pydantic."""
ABSENT: dict[str, Any] = {
    "match": "",
    "length": 0,
    "analysis": None,
    "unit": "equity",
    "best": "",
    "played": "",
    "luck": (np.nan, 0),
    "opponent": "",
    "program": "",
    "version": "",
}
"""What a column is that a table may be without."""


def typed(columns: Columns) -> Any:
    """The type of a row, which has no other keys."""
    typed_dict: Any = TypedDict
    keys = {name: NotRequired[cell] if name in ABSENT else cell for name, cell in columns.items()}
    kind = typed_dict("Row", keys)
    kind.__pydantic_config__ = {"extra": "forbid"}
    return kind


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

    def rows(self, columns: Columns) -> list[tuple[At, Row]]:
        """The rows below the header with their places. Raises `InvalidConfiguration`, also if there
        are none."""
        names = Counter(self.header)
        required = [name for name in columns if name not in ABSENT]
        wrong = [f"no {name!r}" for name in required if name not in names]
        wrong += [f"column {short(name)}" for name in names if name not in columns]
        wrong += [f"column {short(name)} named twice" for name in names if names[name] > 1]
        if wrong:
            optional = ", ".join(name for name in columns if name in ABSENT)
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
        table = self.checked(dict[int, typed(columns)], lines)  # type: ignore[misc]
        return [(At(self.where, line), ABSENT | row) for line, row in table.items()]

    def checked(self, kind: Any, values: object) -> Any:
        """A tree, or rows by line, as the type has it. Raises `InvalidConfiguration`."""
        try:
            return TypeAdapter(kind).validate_python(values)
        except ValidationError as error:
            keys, message = complaint(error)
            line = int(keys.pop(0)) if keys and isinstance(keys[0], int) else None
            raise self.wrong(f"{'.'.join(map(str, keys)) or 'the file'}: {message}", line) from None

    def grouped(
        self, rows: Iterable[Entry], key: Callable[[Entry], Hashable]
    ) -> Iterable[Sequence[Entry]]:
        """The rows of each match. Raises `InvalidConfiguration` for very many matches."""
        groups = grouped(rows, key)
        if len(groups) > MOST_CLAIMS:
            most = f"expected figures of at most {MOST_CLAIMS} matches, found {len(groups)}"
            raise self.wrong(f"{most}; split the file")
        return groups.values()


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


OF_MATCH: Columns = {
    "match": Words,
    "length": Annotated[int, Field(ge=0, le=LONGEST_MATCH), blank_as(0)],
    "analysis": Analysis,
}
"""The match that a row is about: the id of the reference match, points to win, and the tool whose
analysis it is based on."""


def claim_of(place: At, about: Row, names: Iterable[str], *program: str, **facts: Any) -> Claim:
    """What a program (its name, and version if apart) says of a match; `facts` are figures or
    decisions, `names` those of the players."""
    name, version = (" ".join(text[:LONGEST_NAME].split()) for text in (*program, "")[:2])
    if not version and (parts := VERSIONED.fullmatch(name)):
        name, version = parts.groups()
    return Claim(
        where=place,
        match=about["match"] or "",
        players=tuple(filter(None, dict.fromkeys(names))),
        length=about["length"] or None,
        tool=ANALYSERS[about["analysis"]].name if about["analysis"] else None,
        program=name,
        version=version,
        **facts,
    )


# -- figures by player ----------------------------------------------------------------------------
#
# match,player,metric,figure
# test-unger-job,Kévin Unger,pr,7.41

FIGURE_PAGE = (
    "As a number, as printed, or null if the program has none. Losses may have a minus sign."
)


FIGURE: Columns = {
    **OF_MATCH,
    "player": Player,
    "metric": str,
    "figure": Annotated[str | None, blank_as(None)],
    "opponent": str,
    "program": str,
    "version": str,
}
"""A line with a figure."""


def _match_of(row: Row) -> tuple[Hashable, ...]:
    """What rows of one match share: the two players only where no match is named."""
    pair = tuple(sorted(filter(None, (row["player"], row["opponent"]))))
    is_named = row["match"] or len(pair) < 2
    return *(row[name] for name in OF_MATCH), () if is_named else pair


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
FigureName = Annotated[str, WithJsonSchema({"type": "string", "enum": [*METRICS, *ALIASES]})]
Figure = Annotated[
    object,
    WithJsonSchema(
        {
            "description": FIGURE_PAGE,
            "anyOf": [
                {"type": "number"},
                {"type": "string", "pattern": PRINTED, "maxLength": LONGEST_NUMBER},
                {"type": "null"},
            ],
        }
    ),
]
"""What `stated` reads."""


class PlainMatch(Model):
    """Figures of one match."""

    match: Name | None = None
    """Id of the reference match; without it the match is identified by the players' names."""
    opponent: Name | None = None
    """The other player, if only one player's figures are given."""
    length: int | None = Field(default=None, ge=1, le=LONGEST_MATCH)
    """Points to win."""
    analysis: Annotated[Analysis, WithJsonSchema({"enum": [*ANALYSERS, None]})] = None
    """The tool whose analysis the figures are based on; by default that of the manifest."""
    players: dict[Name, dict[FigureName, Figure]] = Field(min_length=1, max_length=2)
    """Name of a player and that player's figures."""

    @model_validator(mode="after")
    def _two_players(self) -> PlainMatch:
        if self.opponent is not None and len(self.players) > 1:
            raise ValueError("expected an opponent beside one player, found two players already")
        return self


class PlainFigures(Model):
    """What `reconcile validate --candidate` reads in JSON: figures by match and player."""

    schema_version: Literal[1]
    """Raised by one when the format changes."""
    program: Name | None = None
    """The program, which every output then names instead of the file: `blunderDB 0.38`."""
    version: Name | None = None
    """Its version, if `program` does not have it."""
    matches: tuple[PlainMatch, ...] = Field(min_length=1, max_length=MOST_CLAIMS)
    """Figures by match."""


def _claims_of_tree(source: CandidateText) -> Iterator[Claim]:
    tree: PlainFigures = source.checked(PlainFigures, source.tree)
    for index, match in enumerate(tree.matches):
        place = At(source.where, key=f"matches.{index}")
        figures = _stated(
            (place._replace(key=f"{place.key}.players.{player}"), player, *figure)
            for player, printed in match.players.items()
            for figure in printed.items()
        )
        names = *match.players, match.opponent or ""
        program = tree.program or "", tree.version or ""
        yield claim_of(place, dict(match), names, *program, figures=figures)


def _claims_of_table(source: CandidateText) -> Iterator[Claim]:
    """Its rows by match, or by the two players if no match is named."""
    for group in source.grouped(source.rows(FIGURE), lambda entry: _match_of(entry[1])):
        place, first = group[0]
        players = list(dict.fromkeys(row["player"] for _, row in group))
        if len(players) > 2:
            named = short(", ".join(players))
            wrong = f"expected one or two players of a match, found {len(players)}: {named}"
            raise InvalidConfiguration(f"{wrong}; add a column match, or a column opponent", place)
        names = [row[name] for _, row in group for name in ("player", "opponent")]
        stated_in = itemgetter("player", "metric", "figure")
        figures = _stated((at, *stated_in(row)) for at, row in group)
        program = first["program"], first["version"]
        yield claim_of(place, first, names, *program, figures=figures)


def _stated(facts: Iterable[tuple[At, str, str, object]]) -> tuple[Stated, ...]:
    """The figures of a match; each fact is a place, a player, a figure's name and the figure."""
    figures: dict[tuple[str | int, str], Stated] = {}
    for at, player, name, value in facts:
        figure = stated(at, player, name, value)
        if figures.setdefault((figure.player, figure.metric), figure) is not figure:
            twice = f"{figure.metric} is given twice, perhaps once under its short name"
            raise InvalidConfiguration(f"{twice}; give each figure once", at)
    return tuple(figures.values())


# -- lists of decisions ---------------------------------------------------------------------------
#
# match,game,turn,player,kind,counted,error
# gnubg-7pt-0ply,1,2,Ann,no-double,1,0
# gnubg-7pt-0ply,1,2,Ann,play,1,0.023

KINDS = {kind.label: kind.value for kind in Kind}
LARGEST_NUMBER = 10**6
"""Larger than any number of a game or a turn."""
USUAL = 0.9
"""Share of the errors that are printed with no more digits than the list as a whole: JSON loses
zeros at the end, and a few numbers have binary noise."""
ADDRESS = frozenset({"game", "turn"})
"""Columns that only a list of decisions has."""


def _printed(cell: object) -> Parsed:
    """A number with its decimals, as it is printed; NaN for an empty cell."""
    if cell in (None, ""):
        return np.nan, 0
    number = None if isinstance(cell, str) and "," in cell else printed_number(cell)[1]
    if number is None:
        raise ValueError("expected a number as the program prints it, or nothing")
    return number


def _text(cell: object) -> object:
    """A number as text, which may be of any length."""
    return int(cell) if isinstance(cell, str) and cell.isdecimal() and len(cell) < 9 else cell


Turn = Annotated[int, Field(ge=1, le=LARGEST_NUMBER, strict=True), BeforeValidator(_text)]
Printed = Annotated[Parsed, PlainValidator(_printed)]


SHARED: Columns = {**OF_MATCH, "unit": Annotated[Unit, blank_as("equity")]}
"""What holds for all decisions of a match."""
DECISION: Columns = {
    **SHARED,
    "game": Turn,
    "turn": Turn,
    "player": Player,
    "kind": KindName,
    "counted": Annotated[bool, blank_as(False)],
    "error": Printed,
    "best": Words,
    "played": Words,
    "luck": Printed,
}
"""A line with a decision."""


def _judged(row: object) -> object:
    """A decision in JSON without the plays that its tool considered, which nothing judges."""
    if not isinstance(row, dict):
        return row
    return {key: value for key, value in row.items() if key != "candidates"}


LIST: Columns = {
    **SHARED,
    "schema_version": Literal[1],
    "program": str | None,
    "decisions": Annotated[
        list[Annotated[typed(DECISION), BeforeValidator(_judged)]],  # type: ignore[misc]
        Field(min_length=1, max_length=MOST_ROWS),
    ],
}
"""A list of decisions in JSON."""


def _is_list(tree: Any) -> bool:
    """Whether a JSON tree is a list of decisions, alone or in an object."""
    if isinstance(tree, list):
        return bool(tree) and isinstance(tree[0], dict) and set(tree[0]) >= ADDRESS
    return isinstance(tree, dict) and "decisions" in tree and "source" not in tree


def _lists_of_tree(source: CandidateText) -> Iterator[Claim]:
    tree = source.tree
    values = tree if isinstance(tree, dict) else {"schema_version": 1, "decisions": tree}
    list_ = ABSENT | source.checked(typed(LIST), values)
    shared = {name: list_[name] for name in SHARED}
    rows = [
        (At(source.where, key=f"decisions.{number - 1}"), number, ABSENT | shared | row)
        for number, row in enumerate(list_["decisions"], 1)
    ]
    yield from _lists(source, rows, list_["program"] or "")


def _lists_of_table(source: CandidateText) -> Iterator[Claim]:
    rows = [(place, place.line or 0, row) for place, row in source.rows(DECISION)]
    yield from _lists(source, rows)


def _lists(
    source: CandidateText, rows: Sequence[tuple[At, int, Row]], program: str = ""
) -> Iterator[Claim]:
    """A claim for each match; a row is its place, its line or number, and what it has."""
    import pandas as pd

    shared = itemgetter(*SHARED)
    for group in source.grouped(rows, lambda entry: shared(entry[2])):
        players = list(dict.fromkeys(row["player"] for _, _, row in group))
        if len(players) > 2:
            place = next(at for at, _, row in group if row["player"] == players[2])
            third = f"expected the decisions of two players, found a third, {short(players[2])}"
            remedy = "name the match of each row in a column or key `match`"
            raise InvalidConfiguration(f"{third}; {remedy}; correct it", place)
        first = group[0][2]
        columns = ["line", *DECISION]
        table = pd.DataFrame([{"line": line, **row} for _, line, row in group], columns=columns)
        table["kind"] = table["kind"].map(KINDS)
        for name, half in (("error", "half"), ("luck", "luck_half")):
            table[name], table[half] = _column(table[name].tolist())
        key = f"{plural(len(group), 'decision')} of {first['match']}" if first["match"] else ""
        names = [name for name in players if name not in SEATS]
        about = At(source.where, key=key), first, names, program
        yield claim_of(*about, rows=table, unit=first["unit"])


def _column(numbers: Sequence[Parsed]) -> tuple[Floats, Floats]:
    """Numbers, and half of the last printed digit of each; the shorter ones have lost zeros."""
    values, digits = (np.array(column) for column in zip(*numbers, strict=True))
    shown = digits[(values == values) & (values != 0)]
    usual = np.quantile(shown, USUAL, method="higher") if len(shown) else digits.max()
    return values.astype(float), 0.5 * 10.0 ** -np.maximum(digits, usual).astype(float)


def _claims(source: CandidateText) -> Iterator[Claim] | None:
    """What a text of figures or decisions contains; `None` for another text."""
    header, tree = {*source.header}, source.tree
    if _is_list(tree):
        return _lists_of_tree(source)
    if header >= ADDRESS:
        return _lists_of_table(source)
    if isinstance(tree, dict) and "decisions" not in tree:
        return _claims_of_tree(source)
    return _claims_of_table(source) if "player" in header else None


# -- files -----------------------------------------------------------------------------------------

LONGEST_REASON = 200
LARGEST = 16 * 2**20
"""Limit for figures and lists; match files have their own."""
EXPECTED = (
    "expected a match (.xg, .sgf, .bgf, blunderDB database, OGXM document), or figures or "
    "decisions in JSON or CSV (docs/candidates.md has scripts that make these of other texts)"
)


def read_candidates(
    words: Iterable[str], errors: dict[Path, ReconcileError] | None = None
) -> tuple[Candidate, ...]:
    """Everything in files and folders, without repetition.

    `-` is standard input. `FILE#MATCH` names the reference match of a file; `FILE.db#ID` names a
    match inside a database. Raises `UnreadableFile`, `InvalidConfiguration` with one line; with
    `errors`, adds them there instead.
    """
    candidates: dict[tuple[str, str, str, int], Candidate] = {}
    for path, name, about in (file for word in words for file in _files(word)):
        try:
            candidate = _read_file(path, name, about)
        except ReconcileError as error:
            if errors is None:
                raise
            errors[path] = error
        else:
            several = id(candidate) if candidate.matches else 0
            key = candidate.name, candidate.sha256, candidate.about, several
            candidates.setdefault(key, candidate)
    return tuple(candidates.values())


def _files(word: str) -> Iterator[tuple[Path, str, str]]:
    """The files of a word: path, path as written, and the part after `#`."""
    before, mark, about = word.rpartition("#")
    if not (mark and before) or _exists(Path(word)):  # a file has that whole name
        before, about = word, ""
    path = Path(before)
    if not (_exists(path) and path.is_dir()):
        yield path, word, about
        return
    files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    yield from ((file, str(file), about) for file in files or [path])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def _read_file(path: Path, word: str, about: str) -> Candidate:
    is_input = str(path) == STANDARD_INPUT
    name, exists = "standard input" if is_input else path.name, is_input or _exists(path)
    if exists and path.is_dir():
        raise UnreadableFile("expected a folder with candidates, found an empty one", path)
    if exists and not path.is_file():  # a pipe can be read only once
        candidate = read_printed(name, _bytes(path, name))
    else:
        head = first_bytes(path, HEAD)
        form = _match_format(head)
        if form or head.startswith(PROTECTED_MAGIC):
            # For a file of several matches the part after `#` names one of its own.
            selects = form is not None and form.selects
            matches = tuple(load_matches(word if selects else path))
            if not matches:
                raise UnreadableFile("expected a database with matches, found none in it", path)
            digest, about = matches[0].source.sha256, "" if selects else about
            return Candidate(name, digest, matches=matches, about=about)
        candidate = _read_text(str(path), _bytes(path, str(path)))
    if not about:
        return candidate
    claims = tuple(replace(claim, match=about) for claim in candidate.claims)
    return replace(candidate, about=about, claims=claims)


def _match_format(content: bytes) -> Format | None:
    """The format of a match by its first bytes; `None` for what may be a text of figures."""
    form = format_of(content)
    return None if form is None or form.figures else form


def _bytes(path: Path, name: str) -> bytes:
    content = first_bytes(path, LARGEST + 1)
    if len(content) > LARGEST:
        most = f"expected figures, found more than {LARGEST >> 20} MB; is it the right file?"
        raise UnreadableFile(most, name)
    return content


def _decoded(where: str, content: bytes) -> str:
    if not content.strip(b"\0 \t\r\n"):
        raise UnreadableFile(f"{EXPECTED}, found {'only blanks' if content else 'nothing'}", where)
    if codec := utf16(content):
        return content.decode(codec, "replace")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        wrong = f"expected UTF-8, found byte 0x{content[error.start]:02x}"
        raise UnreadableFile(f"{wrong}; save the file in UTF-8", where, line) from None
    if "\0" in text:
        raise UnreadableFile(f"{EXPECTED}, found binary data", where)
    return text.lstrip("\ufeff")


def read_printed(where: str, content: bytes) -> Candidate:
    """The same from the output of a program; `where` names it in messages."""
    form = _match_format(content)
    if form is BLUNDERDB:
        wrong = "printed a database; make it print figures, or give the database with --candidate"
        raise UnreadableFile(wrong, where)
    if form:
        match = read_match(where, content)
        return Candidate(where, match.source.sha256, matches=(match,))
    return _read_text(where, content)


def _read_text(where: str, content: bytes) -> Candidate:
    """A candidate from text. Raises `InvalidConfiguration`, `UnreadableFile` with one line."""
    source = CandidateText(where, _decoded(where, content))
    if isinstance(source.tree, dict) and list(source.tree) == ["unsupported"]:
        raise Unsupported(one_line(str(source.tree["unsupported"]))[:LONGEST_REASON], where)
    digest, name = sha256(content).hexdigest(), Path(where).name
    if (each := _claims(source)) is not None:
        claims = tuple(each)
        program, *more = {claim.program for claim in claims}
        if len(claims) == 1 and not program:
            claims = (replace(claims[0], is_alone=True),)
        return Candidate((not more and program) or name, digest, claims)
    from reconcile.formats.mat import recognises

    if recognises(content):
        return Candidate(name, digest, matches=(read_match(where, content),))
    raise UnreadableFile(f"{EXPECTED}, found {short(source.text.strip()[:40])}", where)
