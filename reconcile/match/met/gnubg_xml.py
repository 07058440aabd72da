"""Reads a match equity table in gnuBG's XML format, without trusting its content.

defusedxml never fetches the document type that gnuBG's own files name, and rejects a file that
declares an entity, so that none is expanded. Elements that a table does not need are ignored, as in
gnuBG.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from reconcile.errors import At, UnreadableFile
from reconcile.files.inputs import note
from reconcile.match.met.assembly import PARAMETERS, Listed, Parameters, TableFile, refuse
from reconcile.match.met.extension import LONGEST_MATCH

LARGEST_FILE: Final = 1_000_000
"""Bytes; gnuBG's largest table has 17 000."""


@dataclass(frozen=True, slots=True)
class _Place:
    """An element and its place, for error messages."""

    element: Element
    where: At
    lines: dict[Element, int]

    @property
    def tag(self) -> str:
        return self.element.tag

    @property
    def text(self) -> str:
        return "".join(self.element.itertext()).strip()

    def attribute(self, name: str, default: str = "") -> str:
        return self.element.get(name, default)

    def all(self, tag: str) -> list[_Place]:
        return [
            _Place(child, At(self.where.name, key=f"line {self.lines[child]}"), self.lines)
            for child in self.element.findall(tag)
        ]

    def only(self, tag: str) -> _Place:
        """Return the only child of that kind."""
        children = self.all(tag)
        if len(children) != 1:
            refuse(self.where, f"one <{tag}> in <{self.tag}>", str(len(children)))
        return children[0]


def read_table(path: str) -> TableFile:
    """Return the checked content of the file at `path`. Raises `UnreadableFile`."""
    met = _parse(path, _content(path))
    info = met.only("info")
    length = _length(info.only("length"))
    description = "".join(element.text for element in info.all("description"))
    return {
        "title": info.only("name").text,
        "source": f"{description or 'no description'}; read from {Path(path).name}",
        "length": length,
        "pre_crawford": _pre_crawford(met.only("pre-crawford-table"), length),
        "post_crawford": _post_crawford(met, length),
    }


def _shown(text: str) -> str:
    """Quote content of a file on one short line."""
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _content(path: str) -> bytes:
    note(path)
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise UnreadableFile(
            f"expected a match equity table, found no readable file ({reason}); correct the path",
            path,
        ) from error
    if len(content) > LARGEST_FILE:
        refuse(path, f"at most {LARGEST_FILE} bytes", "more")
    return content


def _parse(path: str, content: bytes) -> _Place:
    """Return the root element, with the line of every element."""
    lines: dict[Element, int] = {}

    class Builder(TreeBuilder):
        def start(self, tag: str, attributes: dict[str, str], /) -> Element:
            element = super().start(tag, attributes)
            lines[element] = parser.parser.CurrentLineNumber
            return element

    parser = DefusedXMLParser(target=Builder())
    try:
        parser.feed(content)
        root = parser.close()
    except ParseError as error:
        refuse(At(path, key=f"line {error.position[0]}"), "XML", str(error).partition(": line")[0])
    except DefusedXmlException as error:
        refuse(
            At(path, key=f"line {parser.parser.CurrentLineNumber}"),
            "no entities",
            f"the entity {_shown(getattr(error, 'name', ''))}",
        )
    except (ValueError, LookupError) as error:  # an encoding that Python's parser does not support
        refuse(path, "XML in UTF-8", str(error))
    where = At(path, key=f"line {lines[root]}")
    if root.tag != "met":
        refuse(where, "a match equity table, <met>", f"<{_shown(root.tag)[1:-1]}>")
    return _Place(root, where, lines)


def _length(element: _Place) -> int | None:
    try:
        length = int(element.text)
    except ValueError:
        length = 0
    if length == -1:
        return None
    if not 1 <= length <= LONGEST_MATCH:
        refuse(
            element.where,
            f"a length of 1 to {LONGEST_MATCH}, or -1 for a table of parameters",
            _shown(element.text),
        )
    return length


def _number(element: _Place) -> float:
    """Return a chance or rate; the comparison also rejects `nan`."""
    try:
        number = float(element.text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        refuse(element.where, "a number from 0 to 1", _shown(element.text))
    return number


def _kind(table: _Place, *kinds: str) -> str:
    kind = table.attribute("type", "")
    if kind not in kinds:
        refuse(table.where, f"type {' or '.join(kinds)}", _shown(kind))
    return kind


def _row(row: _Place, at_least: int, at_most: int) -> Listed:
    listed = [_number(figure) for figure in row.all("me")]
    if not at_least <= len(listed) <= at_most:
        refuse(row.where, f"{at_least} figures in the row", str(len(listed)))
    return listed


def _parameters(table: _Place, kind: str) -> dict[str, float | str]:
    parameters: dict[str, float | str] = {"type": kind}
    for element in table.only("parameters").all("parameter"):
        parameters[element.attribute("name", "")] = _number(element)
    return parameters


def _pre_crawford(table: _Place, length: int | None) -> list[Listed] | Parameters:
    """Return the rows; a formula is allowed only with length -1, since otherwise gnuBG evaluates
    it, which is not reproduced here."""
    if length is None:
        return _parameters(table, _kind(table, "mec", "zadeh"))
    _kind(table, "explicit")
    rows = table.all("row")
    if len(rows) != length:
        refuse(table.where, f"{length} rows, as the length says", str(len(rows)))
    return [_row(row, length, length) for row in rows]


def _post_crawford(met: _Place, length: int | None) -> dict[str, Listed | Parameters]:
    """Return the tables by player.

    gnuBG silently replaces the first table of a player by a second one, and with length -1 it
    writes listed figures past the end of the array. Both are rejected.
    """
    tables: dict[str, Listed | Parameters] = {}
    elements = met.all("post-crawford-table")
    for table in elements:
        kind = (
            _kind(table, *PARAMETERS) if length is None else _kind(table, "explicit", *PARAMETERS)
        )
        player = table.attribute("player", "both")
        if length is not None and kind == "explicit":
            tables[player] = _row(table.only("row"), length - 1, LONGEST_MATCH)
            continue
        tables[player] = parameters = _parameters(table, kind)
        for name in parameters.keys() - PARAMETERS[kind].keys() - {"type"}:
            refuse(table.where, f"the parameters {', '.join(PARAMETERS[kind])}", _shown(name))
    if tables.keys() not in ({"both"}, {"0", "1"}) or len(elements) != len(tables):
        players = (
            ", ".join(_shown(table.attribute("player", "both")) for table in elements) or "none"
        )
        refuse(met.where, "post-Crawford tables for player 'both', or for '0' and '1'", players)
    return tables
