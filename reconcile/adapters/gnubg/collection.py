"""The Smart Game Format as gnuBG reads it: a collection of game trees, one game each, in one pass over the bytes.

A tree is `( node+ subtree* )`, a node `;` and properties, a property an identifier and values in brackets. As in
gnuBG, only the first subtree of every branching is followed, only the first two capitals of an identifier count,
and bytes between tokens that belong to none are passed over. Values stay raw until somebody needs them.
"""

from __future__ import annotations

import re
from typing import Final

from reconcile.errors import UnreadableFile

Node = dict[bytes, bytes]
"""Identifier -> its raw values, brackets included."""

# Possessive and never failing after an opening bracket, so that hostile input costs time in proportion to its length.
TOKEN: Final = re.compile(
    rb"([();])|([A-Za-z]++)\s*+((?:\[[^\]\\]*+(?:\\.[^\]\\]*+)*+(?:\]\s*+|\\?\Z))++)|[A-Za-z]++",
    re.DOTALL,
)
DEEPEST_NESTING: Final = 1000
MOST_GAMES: Final = 10_000
OUTSIDE, KEEP = 0, 1


def read_collection(path: str, content: bytes) -> list[list[Node]]:
    """The main line of every backgammon game (root `GM[6]`) of the collection, as nodes. Raises `UnreadableFile`."""
    games: list[list[Node]] = []
    depth = 0
    skipping = 0  # depth below which a second subtree is passed over, 0 when nothing is
    branched: set[int] = set()  # depths at which one subtree has been read already
    nodes: list[Node] = []
    node: Node = {}
    for mark, name, values in TOKEN.findall(content):
        if name:
            if skipping or not depth:
                continue
            if values.rstrip()[-1:] != b"]":
                raise UnreadableFile(
                    f"{path}: damaged SGF: game {len(games) + 1}: the value of {name.decode()} has no closing bracket; "
                    "the file is truncated, fetch or save it again"
                )
            key = name if len(name) <= 2 and name.isupper() else bytes(c for c in name if 65 <= c <= 90)[:2]
            if key and key not in node:
                node[key] = values
        elif mark == b";":
            if depth and not skipping:
                node = {}
                nodes.append(node)
        elif mark == b"(":
            if depth == 1 and not nodes:
                depth = 0  # a tree begins with a node, so the parenthesis before was no tree; gnuBG starts anew, too
            depth += 1
            if depth > DEEPEST_NESTING:
                raise UnreadableFile(f"{path}: not a gnuBG file: expected at most {DEEPEST_NESTING} nested variations, found more")
            if depth == 1:
                nodes, node = [], {}
                branched.clear()
                branched.add(0)
            elif not skipping and depth - 1 in branched:
                skipping = depth
        elif mark == b")" and depth:
            if depth == skipping:
                skipping = 0
            branched.discard(depth)
            depth -= 1
            if depth:
                branched.add(depth)
            elif nodes and nodes[0].get(b"GM", b"")[:3] == b"[6]":
                games.append(nodes)
                if len(games) > MOST_GAMES:
                    raise UnreadableFile(f"{path}: expected at most {MOST_GAMES} games in one file, found more")
    if depth:
        raise UnreadableFile(
            f"{path}: damaged SGF: game {len(games) + 1} has no closing parenthesis; the file is truncated (gnuBG refuses it too), "
            "fetch or save it again"
        )
    if not games:
        raise UnreadableFile(f"{path}: expected a game of backgammon (GM[6]), found none; is it an SGF of another game?")
    return games


def values(raw: bytes) -> list[bytes]:
    """The values of a property without their brackets, escapes untouched."""
    text = raw.rstrip()
    if text.count(b"][") + 1 == text.count(b"["):
        return text[1:-1].split(b"][")
    return list(re.findall(rb"\[([^\]\\]*+(?:\\.[^\]\\]*+)*+)\]", text, re.DOTALL))


def value(node: Node, key: bytes) -> bytes:
    """The first value of a property; empty where it is absent."""
    raw = node.get(key)
    return values(raw)[0] if raw else b""


def name(raw: bytes) -> str:
    r"""A player's name as gnuBG shows it: `\]` is `]`, other backslashes stand, cut at 31 bytes."""
    text = re.sub(rb"\\(\n|\])", lambda escape: escape[1].strip(), raw)[:31]
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        if error.start >= len(text) - 3 and error.reason == "unexpected end of data":
            return text[: error.start].decode("utf-8").strip()
        return text.decode("cp1252", "replace").strip()


def free_text(raw: bytes) -> str:
    r"""A comment or event as gnuBG shows it: one backslash before anything is dropped."""
    text = re.sub(rb"\\(\r\n|.)", lambda escape: escape[1].strip(), raw, flags=re.DOTALL)
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace").strip()
