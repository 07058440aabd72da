"""Read a match equity table in gnuBG's XML form, trusting nothing in it.

The document type that gnuBG's own files name is never fetched, and a file that declares one inside itself is refused, so
that no entity can be defined, let alone expanded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn
from xml.parsers import expat

from reconcile.errors import UnreadableFile
from reconcile.met.assembly import PARAMETERS, Listed, Parameters, TableFile
from reconcile.met.extension import LONGEST_MATCH

LARGEST_FILE: Final = 1_000_000
"""Bytes; gnuBG's largest table has 17 000."""

_PARENTS: Final = {
    "met": (None,),
    "info": ("met",),
    "name": ("info",),
    "description": ("info",),
    "length": ("info",),
    "pre-crawford-table": ("met",),
    "post-crawford-table": ("met",),
    "row": ("pre-crawford-table", "post-crawford-table"),
    "me": ("row",),
    "parameters": ("pre-crawford-table", "post-crawford-table"),
    "parameter": ("parameters",),
}


@dataclass(slots=True)
class _Element:
    """One element, and the place to name when something is wrong with it."""

    tag: str
    where: str
    attributes: dict[str, str]
    children: list[_Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces).strip()

    def all(self, tag: str) -> list[_Element]:
        return [child for child in self.children if child.tag == tag]

    def one(self, tag: str) -> _Element:
        """Return the only child of that kind."""
        found = self.all(tag)
        if len(found) != 1:
            _refuse(self.where, f"one <{tag}> in <{self.tag}>", str(len(found)))
        return found[0]


def read_table(path: str) -> TableFile:
    """Return what the file at `path` says, checked; raises `UnreadableFile`."""
    met = _parse(path, _content(path))
    info = met.one("info")
    length = _length(info.one("length"))
    description = "".join(element.text for element in info.all("description"))
    return {
        "title": info.one("name").text,
        "source": f"{description or 'no description'}; read from {Path(path).name}",
        "length": length,
        "pre_crawford": _pre_crawford(met.one("pre-crawford-table"), length),
        "post_crawford": _post_crawford(met, length),
    }


def _refuse(where: str, expected: str, found: str) -> NoReturn:
    raise UnreadableFile(f"{where}: expected {expected}, found {found}; correct the file or name a table that is known without one")


def _shown(text: str) -> str:
    """Quote what a file says, on one line and never long."""
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _content(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(f"{path}: expected a match equity table, found no readable file ({reason}); correct the path") from error
    if len(content) > LARGEST_FILE:
        _refuse(path, f"at most {LARGEST_FILE} bytes", "more")
    return content


def _parse(path: str, content: bytes) -> _Element:
    """Return the root element, every element standing where it may."""
    parser = expat.ParserCreate()
    parser.buffer_text = True
    root: list[_Element] = []
    opened: list[_Element] = []

    def here() -> str:
        return f"{path}: line {parser.CurrentLineNumber}"

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = _Element(tag, here(), attributes)
        parent = opened[-1].tag if opened else None
        if parent not in _PARENTS.get(tag, ()):
            _refuse(element.where, "an element of a match equity table in its place", f"<{_shown(tag)[1:-1]}> in {parent or 'no element'}")
        (opened[-1].children if opened else root).append(element)
        opened.append(element)

    def text(piece: str) -> None:
        if opened:
            opened[-1].pieces.append(piece)

    def document_type(name: str, _system: str | None, _public: str | None, declares: int) -> None:
        if declares:
            _refuse(here(), "no declarations", f"a document type {_shown(name)} that declares its own")

    def unknown_entity(name: str, _is_parameter: int) -> None:
        _refuse(here(), "plain text", f"the entity {_shown(name)}")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _tag: opened.pop()
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = document_type
    parser.SkippedEntityHandler = unknown_entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        _refuse(f"{path}: line {error.lineno}", "XML", expat.ErrorString(error.code))
    except (ValueError, LookupError) as error:  # an encoding Python has no single-byte table for
        _refuse(path, "XML in UTF-8", str(error))
    return root[0]


def _length(element: _Element) -> int | None:
    try:
        length = int(element.text)
    except ValueError:
        length = 0
    if length == -1:
        return None
    if not 1 <= length <= LONGEST_MATCH:
        _refuse(element.where, f"a length of 1 to {LONGEST_MATCH}, or -1 for a table of parameters", _shown(element.text))
    return length


def _number(element: _Element) -> float:
    """Return a chance or rate; comparing refuses `nan` too."""
    try:
        number = float(element.text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        _refuse(element.where, "a number from 0 to 1", _shown(element.text))
    return number


def _kind(table: _Element, *kinds: str) -> str:
    kind = table.attributes.get("type", "")
    if kind not in kinds:
        _refuse(table.where, f"type {' or '.join(kinds)}", _shown(kind))
    return kind


def _row(row: _Element, at_least: int, at_most: int) -> Listed:
    listed = [_number(figure) for figure in row.all("me")]
    if not at_least <= len(listed) <= at_most:
        _refuse(row.where, f"{at_least} figures in the row", str(len(listed)))
    return listed


def _parameters(table: _Element, kind: str) -> dict[str, float | str]:
    parameters: dict[str, float | str] = {"type": kind}
    for element in table.one("parameters").children:
        parameters[element.attributes.get("name", "")] = _number(element)
    return parameters


def _pre_crawford(table: _Element, length: int | None) -> list[Listed] | Parameters:
    """Return the rows; a formula only with length -1, for otherwise gnuBG evaluates it, and that is not reproduced here."""
    if length is None:
        return _parameters(table, _kind(table, "mec", "zadeh"))
    _kind(table, "explicit")
    rows = table.all("row")
    if len(rows) != length:
        _refuse(table.where, f"{length} rows, as the length says", str(len(rows)))
    return [_row(row, length, length) for row in rows]


def _post_crawford(met: _Element, length: int | None) -> dict[str, Listed | Parameters]:
    """Return the tables by player.

    gnuBG lets a second table for a player replace the first without a word, and with length -1 it writes listed figures past
    the end of the array. Both are refused.
    """
    tables: dict[str, Listed | Parameters] = {}
    elements = met.all("post-crawford-table")
    for table in elements:
        kind = _kind(table, *PARAMETERS) if length is None else _kind(table, "explicit", *PARAMETERS)
        player = table.attributes.get("player", "both")
        if length is not None and kind == "explicit":
            tables[player] = _row(table.one("row"), length - 1, LONGEST_MATCH)
            continue
        tables[player] = parameters = _parameters(table, kind)
        for name in parameters.keys() - PARAMETERS[kind].keys() - {"type"}:
            _refuse(table.where, f"the parameters {', '.join(PARAMETERS[kind])}", _shown(name))
    if tables.keys() not in ({"both"}, {"0", "1"}) or len(elements) != len(tables):
        players = ", ".join(_shown(table.attributes.get("player", "both")) for table in elements) or "none"
        _refuse(met.where, "post-Crawford tables for player 'both', or for '0' and '1'", players)
    return tables
