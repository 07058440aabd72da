"""The Smart Game Format as gnuBG reads it: a collection of game trees, one game each, in one pass over the bytes.

A tree is `( node+ subtree* )`, a node `;` and properties, a property an identifier and values in brackets. As in
gnuBG, only the first subtree of every branching is followed, only the first two capitals of an identifier count,
and bytes between tokens that belong to none are passed over. Values stay raw until somebody needs them.
"""

from __future__ import annotations

import re
from typing import Final

from reconcile.errors import UnreadableFile

Node = dict[bytes, list[bytes]]
"""Identifier -> its values without their brackets, escapes untouched."""

WORD: Final = re.compile(rb"[();]|[A-Za-z]++")
DEEPEST_NESTING: Final = 1000
MOST_GAMES: Final = 10_000
MOST_NODES: Final = 100_000
"""Of a game; an empty node costs a hundred times its byte."""
LONGEST_REMEMBERED: Final = 16


def read_collection(path: str, content: bytes) -> list[list[Node]]:
    """The main line of every backgammon game (root `GM[6]`) of the collection, as nodes. Raises `UnreadableFile`.

    Cutting at closing brackets leaves, per value, what stands before its opening bracket and the value itself. What
    stands before is one of a few short texts, read once each.
    """
    builder = _Builder(path)
    escapes = b"\\" in content
    before: dict[bytes, tuple[list[bytes], bytes]] = {}
    current: list[bytes] = []
    held: list[bytes] = []  # pieces of a value that has escaped brackets
    chunks = content.split(b"]")
    last = chunks.pop()
    for chunk in chunks:
        if escapes:
            if _ends_escaped(chunk) and (held or b"[" in chunk):
                held.append(chunk)
                continue
            if held:
                chunk = b"]".join((*held, chunk))
                held = []
        if chunk[:1] == b"[":
            current.append(chunk[1:])
            continue
        head, _, value = chunk.partition(b"[")
        known = before.get(head)
        if known is None:
            known = _words(head)
            if len(head) <= LONGEST_REMEMBERED:
                before[head] = known
        marks, name = known
        for mark in marks:
            builder.mark(mark)
        if name:
            current = builder.property(name)
        elif marks:
            current = []
        current.append(value)
    if held or b"[" in last:
        raise UnreadableFile(
            f"{path}: damaged SGF: game {len(builder.games) + 1}: the last value has no closing bracket; "
            "the file is truncated, fetch or save it again"
        )
    for mark in _words(last)[0]:
        builder.mark(mark)
    return builder.finished()


def _ends_escaped(text: bytes) -> bool:
    """Whether the bracket after this text is escaped: an odd number of backslashes stands before it."""
    return (len(text) - len(text.rstrip(b"\\"))) % 2 == 1


def _words(head: bytes) -> tuple[list[bytes], bytes]:
    """The marks `(`, `;`, `)` in a text outside values, and the identifier at its end as gnuBG shortens it."""
    words: list[bytes] = WORD.findall(head)
    name = words[-1] if words and words[-1].isalpha() else b""
    return [word for word in words if len(word) == 1 and not word.isalpha()], bytes(c for c in name if 65 <= c <= 90)[:2]


class _Builder:
    """Game trees while they are read: which node is next, and which subtrees are passed over."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.games: list[list[Node]] = []
        self.depth = 0
        self.skipping = 0  # depth below which a second subtree is passed over, 0 when nothing is
        self.branched: set[int] = set()  # depths at which one subtree has been read already
        self.nodes: list[Node] = []
        self.node: Node | None = None

    def property(self, name: bytes) -> list[bytes]:
        """The list that takes the values of a property; of one that is given twice the first counts."""
        values: list[bytes] = []
        if self.node is not None and not self.skipping:
            self.node.setdefault(name, values)
        return values

    def mark(self, mark: bytes) -> None:
        if mark == b";":
            if self.depth and not self.skipping:
                self.node = {}
                self.nodes.append(self.node)
                if len(self.nodes) > MOST_NODES:
                    raise UnreadableFile(f"{self.path}: expected at most {MOST_NODES} nodes in one game, found more")
        elif mark == b"(":
            if self.depth == 1 and not self.nodes:
                self.depth = 0  # a tree begins with a node, so the parenthesis before was no tree; gnuBG starts anew, too
            self.depth += 1
            if self.depth > DEEPEST_NESTING:
                raise UnreadableFile(f"{self.path}: not a gnuBG file: expected at most {DEEPEST_NESTING} nested variations, found more")
            if self.depth == 1:
                self.nodes, self.node = [], None
                self.branched.clear()
            elif not self.skipping and self.depth - 1 in self.branched:
                self.skipping = self.depth
        elif self.depth:
            self.close()

    def close(self) -> None:
        if self.depth == self.skipping:
            self.skipping = 0
        self.branched.discard(self.depth)
        self.depth -= 1
        if self.depth:
            self.branched.add(self.depth)
            return
        self.node = None
        if self.nodes and self.nodes[0].get(b"GM", [b""])[0] == b"6":
            self.games.append(self.nodes)
            if len(self.games) > MOST_GAMES:
                raise UnreadableFile(f"{self.path}: expected at most {MOST_GAMES} games in one file, found more")

    def finished(self) -> list[list[Node]]:
        if self.depth:
            raise UnreadableFile(
                f"{self.path}: damaged SGF: game {len(self.games) + 1} has no closing parenthesis; the file is truncated "
                "(gnuBG refuses it too), fetch or save it again"
            )
        if not self.games:
            raise UnreadableFile(f"{self.path}: expected a game of backgammon (GM[6]), found none; is it an SGF of another game?")
        return self.games


def value(node: Node, key: bytes) -> bytes:
    """The first value of a property; empty where it is absent."""
    return node[key][0] if key in node else b""


def name(raw: bytes) -> str:
    r"""A player's name as gnuBG shows it: `\]` is `]`, other backslashes stand, cut at 31 bytes."""
    whole = re.sub(rb"\\(\n|\])", lambda escape: escape[1].strip(), raw)
    text = whole[:31]
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        if len(whole) > 31 and error.start >= len(text) - 3 and error.reason == "unexpected end of data":
            return text[: error.start].decode("utf-8").strip()
        return text.decode("cp1252", "replace").strip()


def free_text(raw: bytes) -> str:
    r"""A comment or event as gnuBG shows it: one backslash before anything is dropped."""
    text = re.sub(rb"\\(\r\n|.)", lambda escape: escape[1].strip(), raw, flags=re.DOTALL)
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace").strip()
