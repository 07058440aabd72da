"""The Smart Game Format as gnuBG reads it: a collection of game trees, one game each, in one pass
over the bytes.

A tree is `( node+ subtree* )`, a node `;` and properties, a property an identifier and values in
brackets. As in gnuBG, only the first subtree of every branching is followed, only the first two
capitals of an identifier count, and bytes between tokens that belong to none are skipped. Values
stay raw until they are needed.
"""

from __future__ import annotations

import re
from typing import Final

from reconcile.errors import UnreadableFile
from reconcile.formats.values import decoded
from reconcile.match.names import unbroken

Node = dict[bytes, bytes]
"""Identifier -> its values without their brackets, escapes untouched, `BETWEEN` each two: see
`value` and `values`."""

WORD: Final = re.compile(rb"[();]|[A-Za-z]++")
DEEPEST_NESTING: Final = 1000
MOST_GAMES: Final = 10_000
MOST_NODES: Final = 15_000
"""Most nodes of a file; a 25-point match has 4,000. An empty node takes a hundred times its byte in
memory."""
MOST_PROPERTIES: Final = 500_000
MOST_WORDS: Final = 500_000
"""Parentheses, semicolons and words outside values."""
MISPLACED: Final = b"?"
"""After a word with more than two capitals, and between a parenthesis and a property."""
ONE_NODE: Final = [b";"]
MISORDERED: Final = (b"((", b"()", b");")
"""Two marks that cannot follow each other within a tree; nor can a property follow a
parenthesis."""
BACKGAMMON: Final = re.compile(rb"\s*\+?0*6(?!\d)")
"""The number of the game among those of the format, as C's `atoi` reads it."""
LONGEST_REMEMBERED: Final = 16
LONGEST_TEXT: Final = 10_000
"""Bytes of a name or an event that are read."""
BETWEEN: Final = b"]["
BRACKET: Final = ord("]")
ESCAPE: Final = ord("\\")
ZERO: Final = b"\0"


def _properties(value: bytes) -> re.Pattern[bytes]:
    """Finds the next property: the text before its values, and its values as one text; a bracket
    that closes no value, or the rest of the file if a bracket is never closed. Values are mostly
    alternatives, of which few are read."""
    return re.compile(rb"([^][]*+)(?:\[(%b(?:\]\[%b)*+)\]|(\]|.*+))" % (value, value), re.DOTALL)


_ESCAPED_VALUE: Final = rb"[^]\\]*+(?:\\.[^]\\]*+)*+"
"""A bracket that belongs to the value may be escaped by a backslash."""
PLAIN: Final = _properties(rb"[^]]*+")
ESCAPED: Final = _properties(_ESCAPED_VALUE)
ESCAPED_VALUE: Final = re.compile(_ESCAPED_VALUE, re.DOTALL)
SMALL_LETTERS: Final = b"abcdefghijklmnopqrstuvwxyz"


def read_collection(path: str, content: bytes) -> tuple[list[list[Node]], list[str]]:
    """The main line of every backgammon game (root `GM[6]`) of the collection, as nodes, and what
    gnuBG may read in another way, in words. Raises `UnreadableFile`."""
    _check_number(path, content)
    builder = _Builder(path, has_zeros=ZERO in content)
    # What is before the values of a property is one of a few short texts: each is parsed once.
    before: dict[bytes, tuple[list[bytes], bytes]] = {}
    more: list[bytes] = []  # values separated from the first of their property
    skipped: list[bytes] = []
    for head, values, rest in (ESCAPED if ESCAPE in content else PLAIN).findall(content):
        if rest == b"]":
            if head:
                skipped.append(head)  # as in gnuBG, a bracket that closes nothing is skipped
            continue
        if skipped:
            head = b" ".join((*skipped, head))
            skipped.clear()
        parsed = before.get(head)
        if parsed is None:
            parsed = builder.words(head)
            if len(head) <= LONGEST_REMEMBERED:
                before[head] = parsed
        marks, name = parsed
        if rest:
            raise _truncated(path, len(builder.games) + 1)
        if not (marks or name):
            more.append(values)
            continue
        if more:
            builder.add_values(more)
            more = []
        if marks:
            builder.mark(marks)
        if builder.skipping or name in builder.node or not name:
            builder.leave_out(name)
        else:
            builder.node[name] = values
            builder.last = name
    builder.add_values(more)
    return builder.finished()


def _check_number(path: str, content: bytes) -> None:
    """Raise `UnreadableFile` for more properties than a match has."""
    if (
        len(content) > MOST_PROPERTIES
        and content.count(b"]") - content.count(BETWEEN) > MOST_PROPERTIES
    ):
        raise UnreadableFile(
            f"expected at most {MOST_PROPERTIES} properties in an SGF, found more; is it a match "
            "of gnuBG?",
            path,
        )


def _truncated(path: str, game: int) -> UnreadableFile:
    return UnreadableFile(
        f"damaged SGF: game {game}: the last value has no closing bracket; the file is truncated, "
        "fetch or save it again",
        path,
    )


class _Builder:
    """Game trees while they are read: which node is next, and which subtrees are skipped."""

    def __init__(self, path: str, *, has_zeros: bool) -> None:
        self.path = path
        self.games: list[list[Node]] = []
        self.depth = 0
        self.skipping = 0  # depth below which a second subtree is skipped, 0 if nothing is
        self.branched: set[int] = set()  # depths at which one subtree has already been read
        self.nodes: list[Node] = []
        self.node: Node = {}  # receives properties; one outside any game between games
        self.last = b""  # the property that receives further values
        self.mark_before = b""
        self.odd: dict[str, None] = {}  # what gnuBG may read in another way
        if has_zeros:
            self.odd["bytes that are zero, which gnuBG leaves out of values"] = None
        self.nodes_read = self.words_read = 0

    def words(self, head: bytes) -> tuple[list[bytes], bytes]:
        """The marks `(`, `;`, `)` in a text outside values, and the identifier at its end as gnuBG
        shortens it."""
        marks, name = [], b""
        for mark in WORD.finditer(head):
            word = mark[0]
            self.words_read += 1
            if self.words_read > MOST_WORDS:
                raise UnreadableFile(
                    f"expected at most {MOST_WORDS} words outside the values of an SGF, found more",
                    self.path,
                )
            if not word.isalpha():
                marks.append(word)
                name = b""
            elif capitals := word.translate(None, SMALL_LETTERS):
                name = capitals
        if len(name) > 2 or (name and marks and marks[-1] != b";"):
            marks.append(MISPLACED)  # gnuBG reads two properties, or one outside a node
        return marks, name[:2]

    def leave_out(self, name: bytes) -> None:
        """A property without a name, a skipped one or a duplicate: the values after it belong to
        none."""
        self.last = b""
        if name and not self.skipping and name != b"C":
            self.note(
                "a property occurs twice in a node; the first is read here, gnuBG may use the last"
            )

    def note(self, message: str) -> None:
        """Keep what gnuBG may read in another way."""
        self.odd[f"game {len(self.games) + 1}: {message}"] = None

    def add_values(self, more: list[bytes]) -> None:
        """Further values of the last property."""
        if more and self.last:
            self.node[self.last] = BETWEEN.join((self.node[self.last], *more))

    def mark(self, marks: list[bytes]) -> None:
        """Begin and end nodes and trees. After a misplaced mark gnuBG, which resumes by the rules
        of its parser, may lose nodes."""
        if marks == ONE_NODE and self.mark_before == b";":  # as nearly always
            self.begin_node()
            return
        for mark in marks:
            if self.depth and (mark == MISPLACED or self.mark_before + mark in MISORDERED):
                self.note(
                    "parentheses, semicolons or words in a place where the format has none; gnuBG "
                    "may skip nodes that are read here"
                )
            if mark == b";":
                self.begin_node()
            elif mark == b"(":
                self.open()
            elif mark == b")" and self.depth:
                self.close()
            self.mark_before = mark

    def begin_node(self) -> None:
        if not self.depth or self.skipping:
            return
        self.node = {}
        self.nodes.append(self.node)
        self.nodes_read += 1
        if self.nodes_read > MOST_NODES:
            raise UnreadableFile(
                f"expected at most {MOST_NODES} nodes, found more; does the file contain several "
                "matches?",
                self.path,
            )

    def open(self) -> None:
        if self.depth == 1 and not self.nodes:
            # a tree begins with a node, so the parenthesis before was not a tree; gnuBG starts
            # again, too
            self.depth = 0
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise UnreadableFile(
                f"not a gnuBG file: expected at most {DEEPEST_NESTING} nested variations, found "
                "more",
                self.path,
            )
        if self.depth == 1:
            self.nodes, self.node = [], {}
            self.branched.clear()
        elif not self.skipping and self.depth - 1 in self.branched:
            self.skipping = self.depth

    def close(self) -> None:
        if self.depth == self.skipping:
            self.skipping = 0
        self.branched.discard(self.depth)
        self.depth -= 1
        if self.depth:
            self.branched.add(self.depth)
            return
        self.node = {}
        if self.nodes and BACKGAMMON.match(value(self.nodes[0], b"GM")):
            self.games.append(self.nodes)
            if len(self.games) > MOST_GAMES:
                raise UnreadableFile(
                    f"expected at most {MOST_GAMES} games in one file, found more", self.path
                )

    def finished(self) -> tuple[list[list[Node]], list[str]]:
        if self.depth:
            raise UnreadableFile(
                f"damaged SGF: game {len(self.games) + 1} has no closing parenthesis; the file is "
                "truncated "
                "(gnuBG rejects it too), fetch or save it again",
                self.path,
            )
        if not self.games:
            raise UnreadableFile(
                "expected a game of backgammon (GM[6]), found none; is it an SGF of another game?",
                self.path,
            )
        return self.games, list(self.odd)


def value(node: Node, key: bytes) -> bytes:
    """The first value of a property; empty if it is absent."""
    text = node.get(key, b"")
    return text if BRACKET not in text else cut(text, 1)[0]


def values(node: Node, key: bytes) -> list[bytes]:
    """All values of a property; none if it is absent."""
    return cut(node[key]) if key in node else []


def cut(text: bytes, most: int = -1) -> list[bytes]:
    """Splits values in one text; after the first `most` the rest may stay in one piece."""
    if ESCAPE not in text:
        return text.split(BETWEEN, most)
    values = []
    at = 0
    while at <= len(text):
        next_value = ESCAPED_VALUE.match(text, at)
        assert next_value is not None  # it can also match nothing at all
        values.append(next_value[0])
        at = next_value.end() + len(BETWEEN)
    return values


def name(raw: bytes) -> str:
    r"""A player's name as gnuBG shows it: `\]` is `]`, other backslashes stay; cut at 31 bytes."""
    full = unbroken(re.sub(rb"\\(\n|\])", lambda escape: escape[1].strip(), raw[:LONGEST_TEXT]))
    text = full[:31]
    try:
        return text.decode("utf-8").strip()
    except UnicodeDecodeError as error:
        if (
            len(full) > 31
            and error.start >= len(text) - 3
            and error.reason == "unexpected end of data"
        ):
            return text[: error.start].decode("utf-8").strip()
        return text.decode("cp1252", "replace").strip()


def free_text(raw: bytes) -> str:
    r"""An event as gnuBG shows it, on one line."""
    return " ".join(comment(raw).splitlines())


def comment(raw: bytes) -> str:
    r"""A comment as gnuBG shows it: one backslash before anything is dropped."""
    text = re.sub(
        rb"\\(\r\n|.)", lambda escape: escape[1].strip(), raw[:LONGEST_TEXT], flags=re.DOTALL
    )
    return decoded(text).strip()
