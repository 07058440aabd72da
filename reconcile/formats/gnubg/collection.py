"""The Smart Game Format as gnuBG reads it: a collection of game trees, one game each, in one pass
over the bytes.

A tree is `( node+ subtree* )`, a node `;` and properties, a property an identifier and values in
brackets. As in gnuBG, only the first subtree of every branching is followed, only the first two
capitals of an identifier count, and bytes between tokens that belong to none are skipped. Values
stay raw until they are needed.

The root of a game has match, score, rules and result. A file with a node that gnuBG reads and never
writes was damaged or edited: gnuBG makes something else of it than its properties say, or leaves it
to chance, so figures may differ from those that gnuBG shows. Each is noted, none is imitated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from reconcile.formats.common import (
    HIGHEST_CUBE,
    OWN_FILES,
    SEVERAL,
    Damaged,
    decoded,
    missing_games,
)
from reconcile.match.board.position import STARTS
from reconcile.match.match import Note, Rules
from reconcile.match.names import unbroken

Node = dict[bytes, bytes]
"""Identifier -> its values without their brackets, escapes untouched, `BETWEEN` each two: see
`value` and `values`."""

WORD = re.compile(rb"[();]|[A-Za-z]++")
DEEPEST_NESTING = 1000
MOST_GAMES = 10_000
MOST_NODES = 15_000
"""Most nodes of a file; a 25-point match has 4,000. An empty node takes a hundred times its byte in
memory."""
MOST_PROPERTIES = 500_000
MOST_WORDS = 500_000
"""Parentheses, semicolons and words outside values."""
MISPLACED = b"?"
"""After a word with more than two capitals, and between a parenthesis and a property."""
ONE_NODE = [b";"]
MISORDERED = (b"((", b"()", b");")
"""Two marks that cannot follow each other within a tree; nor can a property follow a
parenthesis."""
BACKGAMMON = re.compile(rb"\s*\+?0*6(?!\d)")
"""The number of the game among those of the format, as C's `atoi` reads it."""
LONGEST_REMEMBERED = 16
LONGEST_TEXT = 10_000
"""Bytes of a name or an event that are read."""
BETWEEN = b"]["
BRACKET = ord("]")
ESCAPE = ord("\\")
ZERO = b"\0"


def _properties(value: bytes) -> re.Pattern[bytes]:
    """Finds the next property: the text before its values, and its values as one text; a bracket
    that closes no value, or the rest of the file if a bracket is never closed. Values are mostly
    alternatives, of which few are read."""
    return re.compile(rb"([^][]*+)(?:\[(%b(?:\]\[%b)*+)\]|(\]|.*+))" % (value, value), re.DOTALL)


_ESCAPED_VALUE = rb"[^]\\]*+(?:\\.[^]\\]*+)*+"
"""A bracket that belongs to the value may be escaped by a backslash."""
PLAIN = _properties(rb"[^]]*+")
ESCAPED = _properties(_ESCAPED_VALUE)
ESCAPED_VALUE = re.compile(_ESCAPED_VALUE, re.DOTALL)
TRUNCATED = "the file is truncated, fetch or save it again"
SMALL_LETTERS = b"abcdefghijklmnopqrstuvwxyz"


def read_collection(content: bytes) -> tuple[list[list[Node]], list[str]]:
    """The main line of every backgammon game (root `GM[6]`) of the collection, as nodes, and what
    gnuBG may read in another way, in words. Raises `Damaged`."""
    _check_number(content)
    builder = _Builder(has_zeros=ZERO in content)
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
            raise builder.cut_short(": the last value has no closing bracket")
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


def _check_number(content: bytes) -> None:
    """Raise `Damaged` for more properties than a match has."""
    if (
        len(content) > MOST_PROPERTIES
        and content.count(b"]") - content.count(BETWEEN) > MOST_PROPERTIES
    ):
        most = f"at most {MOST_PROPERTIES} properties in an SGF"
        raise Damaged(f"expected {most}, found more", "is it a match of gnuBG?")


class _Builder:
    """Game trees while they are read: which node is next, and which subtrees are skipped."""

    def __init__(self, *, has_zeros: bool) -> None:
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
                most = f"at most {MOST_WORDS} words outside the values of an SGF"
                raise Damaged(f"expected {most}, found more")
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
            raise Damaged(f"expected at most {MOST_NODES} nodes, found more", SEVERAL)

    def open(self) -> None:
        if self.depth == 1 and not self.nodes:
            # a tree begins with a node, so the parenthesis before was not a tree; gnuBG starts
            # again, too
            self.depth = 0
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise Damaged(
                f"not a gnuBG file: expected at most {DEEPEST_NESTING} nested variations, found "
                "more"
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
                raise Damaged(f"expected at most {MOST_GAMES} games in one file, found more")

    def cut_short(self, lacking: str) -> Damaged:
        """The error about the last game, which ends early."""
        return Damaged(f"damaged SGF: game {len(self.games) + 1}{lacking}", TRUNCATED)

    def finished(self) -> tuple[list[list[Node]], list[str]]:
        if self.depth:
            raise self.cut_short(" has no closing parenthesis (gnuBG rejects it too)")
        if not self.games:
            none = "expected a game of backgammon (GM[6]), found none"
            raise Damaged(none, "is it an SGF of another game?")
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


def is_set_up(node: Node) -> bool:
    """Whether a node places checkers by hand."""
    return b"AW" in node or b"AB" in node or b"AE" in node


LONGEST_RULES = 1000
LONGEST_NUMBER = 100
"""Bytes, including leading blanks."""
MOST_INFORMATION = 100
"""Values of `MI`; gnuBG writes four."""


@dataclass(frozen=True, slots=True)
class Root:
    """The root of one game."""

    length: int
    """0 for money."""
    number: int
    """From 0."""
    score: tuple[int, int]
    rules: Rules
    crawford_game: bool
    cube: int
    winner: int
    """Seat, -1 without a winner."""
    points: int
    resigned: bool


def integer(text: bytes, default: int) -> int:
    """The integer at the start of a text, as C's `atoi` reads it."""
    digits = re.match(rb"\s*([+-]?\d{1,9})", text[:LONGEST_NUMBER])
    return int(digits[1]) if digits else default


def cube_value(text: bytes, default: int) -> int:
    """A value of the cube: a power of two up to gnuBG's largest, otherwise `default`."""
    cube = integer(text, 0)
    return cube if 1 <= cube <= HIGHEST_CUBE and cube & (cube - 1) == 0 else default


def read_root(index: int, node: Node) -> Root:
    """Read a root node, of the game at an index of the file.

    A game without match information is one of a money session, as in gnuBG.
    """
    length, number, score = 0, 0 if b"MI" in node else index, [0, 0]
    for text in values(node, b"MI")[:MOST_INFORMATION]:
        key, _, rest = text.partition(b":")
        if key == b"length":
            length = max(integer(rest, 0), 0)
        elif key == b"game":
            number = integer(rest, 0)
        elif key in (b"ws", b"bs"):
            points = integer(rest, 0)
            # As in gnuBG, a score outside the match is ignored, whatever the order of the values.
            score[key == b"bs"] = max(points, 0)
    if length and max(score) >= length:
        score = [points if points < length else 0 for points in score]
    words = value(node, b"RU")[:LONGEST_RULES].split(b":")
    result = re.match(rb"([BW])\+(\d{0,6})(R?)", value(node, b"RE"))
    return Root(
        length=length,
        number=number,
        score=(score[0], score[1]),
        rules=_rules(words),
        crawford_game=b"CrawfordGame" in words,
        cube=cube_value(value(node, b"CV"), 1),
        winner=-1 if result is None else int(result[1] == b"B"),
        points=0 if result is None else max(int(result[2] or b"1"), 1),
        resigned=result is not None and bool(result[3]),
    )


def _rules(words: list[bytes]) -> Rules:
    named = (word for word in words if word.startswith((b"Nack", b"Hyper")))
    variation = next(named, b"").decode("ascii", "replace").lower()
    return Rules(
        variation=variation if variation in STARTS else "backgammon",
        crawford=b"Crawford" in words,
        jacoby=b"Jacoby" in words,
        cube=b"NoCube" not in words,
    )


def check_games(roots: list[Root]) -> list[Note]:
    """Check that the games belong to one match. Raises `Damaged`; missing games are noted."""
    lengths = sorted({root.length for root in roots})
    if len(lengths) > 1:
        raise Damaged(f"expected the games of one match, found match lengths {lengths}", OWN_FILES)
    return missing_games([root.number for root in roots], "", "file")


ACTIONS = frozenset((b"W", b"B"))
SETTINGS = frozenset((b"AE", b"AW", b"AB", b"CV", b"CP", b"DI"))
"""What sets the board, the cube or the dice; gnuBG writes each to a node of its own."""
NOT_IN_ROOT = ACTIONS | SETTINGS - {b"CV", b"CP"}  # there CP is the copyright, as in any SGF
RESULT = re.compile(rb"[BW]\+\d{1,6}(R(esign)?)?")


def odd_root(root: Node) -> list[str]:
    """What is odd about the root of a game."""
    oddities = []
    if not NOT_IN_ROOT.isdisjoint(root):
        oddities.append(
            "a play, a cube action or a position in the root of the game, where gnuBG reads none"
        )
    result = value(root, b"RE")
    if result[:1].upper() in (b"B", b"W") and not RESULT.fullmatch(result):
        oddities.append("a result that is not written as W+1 or B+2R")
    return oddities


def odd_settings(node: Node) -> str:
    """What is odd about a node with one of `SETTINGS`; empty if nothing is."""
    if not ACTIONS.isdisjoint(node):
        return (
            "the dice, the cube or the position set in the node of a play or cube action, which "
            "gnuBG may leave out"
        )
    if b"DI" in node and (is_set_up(node) or len(value(node, b"DI")) < 2):
        return (
            "dice that are incomplete or set together with a position, of which gnuBG reads one "
            "or neither"
        )
    return ""
