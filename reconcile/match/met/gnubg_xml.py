"""Reads a match equity table in gnuBG's XML format, without trusting its content.

defusedxml never fetches the document type that gnuBG's own files name, and rejects a file that
declares an entity, so that none is expanded. Elements that a table does not need are ignored, as in
gnuBG.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from reconcile.errors import At, UnreadableFile
from reconcile.match.met.table import (
    LONGEST_MATCH,
    PARAMETERS,
    Listed,
    Parameters,
    TableFile,
    refuse,
)

LARGEST_FILE = 1_000_000
"""Bytes; gnuBG's largest table has 17 000."""


@dataclass(frozen=True, slots=True)
class _Place:
    """An element and its place, for error messages."""

    element: Element
    path: str
    lines: Mapping[Element, int]

    @property
    def text(self) -> str:
        return "".join(self.element.itertext()).strip()

    def refuse(self, expected: str, content: str) -> NoReturn:
        refuse(At(self.path, key=f"line {self.lines[self.element]}"), expected, content)

    def all(self, tag: str) -> list[_Place]:
        return [replace(self, element=child) for child in self.element.findall(tag)]

    def only(self, tag: str) -> _Place:
        """Return the only child of that kind."""
        children = self.all(tag)
        if len(children) != 1:
            self.refuse(f"one <{tag}> in <{self.element.tag}>", str(len(children)))
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
    met = _Place(root, path, lines)
    if root.tag != "met":
        met.refuse("a match equity table, <met>", f"<{_shown(root.tag)[1:-1]}>")
    return met


def _length(element: _Place) -> int | None:
    try:
        length = int(element.text)
    except ValueError:
        length = 0
    if length != -1 and not 1 <= length <= LONGEST_MATCH:
        element.refuse(
            f"a length of 1 to {LONGEST_MATCH}, or -1 for a table of parameters",
            _shown(element.text),
        )
    return None if length == -1 else length


def _number(element: _Place) -> float:
    """Return a chance or rate; the comparison also rejects `nan`."""
    try:
        number = float(element.text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        element.refuse("a number from 0 to 1", _shown(element.text))
    return number


def _kind(table: _Place, *kinds: str) -> str:
    kind = table.element.get("type", "")
    if kind not in kinds:
        table.refuse(f"type {' or '.join(kinds)}", _shown(kind))
    return kind


def _row(row: _Place, at_least: int, at_most: int) -> Listed:
    listed = [_number(figure) for figure in row.all("me")]
    if not at_least <= len(listed) <= at_most:
        row.refuse(f"{at_least} figures in the row", str(len(listed)))
    return listed


def _parameters(table: _Place, kind: str) -> Parameters:
    elements = table.only("parameters").all("parameter")
    return {"type": kind} | {
        element.element.get("name", ""): _number(element) for element in elements
    }


def _pre_crawford(table: _Place, length: int | None) -> list[Listed] | Parameters:
    """Return the rows; a formula is allowed only with length -1, since otherwise gnuBG evaluates
    it, which is not reproduced here."""
    if length is None:
        return _parameters(table, _kind(table, *PARAMETERS))
    _kind(table, "explicit")
    rows = table.all("row")
    if len(rows) != length:
        table.refuse(f"{length} rows, as the length says", str(len(rows)))
    return [_row(row, length, length) for row in rows]


def _post_crawford(met: _Place, length: int | None) -> dict[str, Listed | Parameters]:
    """Return the tables by player.

    gnuBG silently replaces the first table of a player by a second one, and with length -1 it
    writes listed figures past the end of the array. Both are rejected.
    """
    tables: dict[str, Listed | Parameters] = {}
    elements = met.all("post-crawford-table")
    players = [table.element.get("player", "both") for table in elements]
    for player, table in zip(players, elements, strict=True):
        kind = _kind(table, *["explicit"] * (length is not None), *PARAMETERS)
        if length is not None and kind == "explicit":
            tables[player] = _row(table.only("row"), length - 1, LONGEST_MATCH)
            continue
        tables[player] = parameters = _parameters(table, kind)
        for name in parameters.keys() - {*PARAMETERS[kind], "type"}:
            table.refuse(f"the parameters {', '.join(PARAMETERS[kind])}", _shown(name))
    if sorted(players) not in (["both"], ["0", "1"]):
        content = ", ".join(map(_shown, players)) or "none"
        met.refuse("post-Crawford tables for player 'both', or for '0' and '1'", content)
    return tables
