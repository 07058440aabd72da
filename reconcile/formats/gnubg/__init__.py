"""GNU Backgammon's `.sgf`: the container, the board of a game, and here the match they hold.

The numbers are gnuBG's and stay float32. Quirks that affect its statistics are kept and commented
in the code: the play made is found by its resulting position, the first alternative is the best
whatever its score, and after a beaver the recount of a saved match treats the wrong player as the
owner of the cube.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from math import inf
from typing import Any

import numpy as np

from reconcile.formats.common import (
    CUBE,
    HIGHEST_CUBE,
    NAN,
    NOBODY,
    ONE_MATCH,
    Damaged,
    Recounted,
    Rows,
    analysed,
    cube_chances,
    ended,
    turned,
    within,
    without_rating,
    written_day,
)
from reconcile.formats.gnubg import analysis, replay
from reconcile.formats.gnubg.collection import (
    ACTIONS,
    ESCAPE,
    LONGEST_TEXT,
    SETTINGS,
    Node,
    Root,
    check_games,
    comment,
    cube_value,
    cut,
    free_text,
    integer,
    is_set_up,
    name,
    odd_root,
    odd_settings,
    read_collection,
    read_root,
    value,
    values,
)
from reconcile.match.board.play import Play
from reconcile.match.board.position import CHECKERS, size_of_win
from reconcile.match.columns import (
    NO_MARK,
    UNKNOWN_COUNT,
    Cubes,
    Kind,
    Plays,
    Validity,
)
from reconcile.match.match import Candidate, Evaluation, Match, Note, Source
from reconcile.match.tools import GNUBG
from reconcile.wording import Turn, plural


@dataclass(slots=True, kw_only=True)
class NodeRows(Rows):
    """The rows of a match, each with the index of its node in the game, and what the limits of a
    file count."""

    located: int = 0
    """Number of alternatives that were played on the board to see where they lead."""
    set_up: int = 0
    """Number of positions set up by hand that were replayed."""

    def comment(self, node: Node, key: bytes, where: str) -> str:
        """A comment of a node; one of which only the beginning is read is noted."""
        raw = value(node, key)
        if len(raw) > LONGEST_TEXT:
            length = f"the first {LONGEST_TEXT:,} of {len(raw):,} bytes"
            self.note("comment-cut", f"{where}: {length}")
        return comment(raw)


ANALYSE_AGAIN = "analyse and save the match again in gnuBG"
WHITE, BLACK = 0, 1
NO_DOUBLE, VALID = Kind.NO_DOUBLE, Validity.VALID
"""Of most rows; a member of an enumeration is looked up slowly."""
DICE = b"123456"
OWNERS = {b"w": WHITE, b"b": BLACK, b"c": NOBODY}
ONE_LETTER = 3
"""Characters of dice and a letter that is no step yet."""
# alternatives that are compared with the play made; a match of 25 points needs some 20,000
MOST_LOCATED = 100_000
MOST_SET_UP = 2000
"""Positions set up by hand in a whole file."""
Evaluated = tuple[float, float, int]
"""No double, double/take and level of a cube decision."""
UNKNOWN: Evaluated = (NAN, NAN, -1)


class GameReader(Recounted):
    """Reads the nodes of one game; the state of cube and turn is the same as in gnuBG's replay."""

    rows: NodeRows

    def __init__(self, game: int, root: Root, nodes: list[Node], rows: NodeRows) -> None:
        super().__init__(
            rows, game, root.number + 1, root.score, root.length or None,
            crawford=root.crawford_game, cube_in_play=root.rules.cube, cube=root.cube,
        )  # fmt: skip
        self.root, self.nodes = root, nodes
        self.winner, self.points, self.resigned = root.winner, root.points, root.resigned
        self.pending: Evaluated | None = None
        self.on_roll = NOBODY
        self.fresh = True  # still the opening position, where nobody may double
        self.rolled: tuple[int, tuple[int, int]] | None = None
        self.board = replay.start(root.rules.variation)
        self.boards: list[replay.Board] = []
        """The board before every node, and after the last."""
        self.is_possible = True  # until a play cannot be made on its board
        self.checkers = sum(self.board[0])  # of a player
        self.over = False

    def read(self) -> None:
        """Append the rows of the game."""
        with within(self, ANALYSE_AGAIN):
            self.read_nodes()

    def read_nodes(self) -> None:
        """The rows of its nodes, then its result."""
        for oddity in odd_root(self.nodes[0]):
            self.odd(oddity)
        self.nodes = [{}, *self.nodes[1:]]
        for at, node in enumerate(self.nodes):
            if is_set_up(node):
                self.board = self.set_up(node)
            self.boards.append(self.board)
            if b"W" in node or b"B" in node:
                self.read_action(at, node)
            elif node:
                self.read_set_up(node)
            if b"C" in node:
                where = str(Turn(self.number, (self.decided or (self.turn,))[0]))
                self.remark(self.rows.comment(node, b"C", where))
        self.boards.append(self.board)
        if self.rolled is not None:
            player, dice = self.rolled
            self.roll(
                player,
                dice,
                Validity.UNPLAYED,
                UNKNOWN_COUNT,
                False,
                (NAN, NAN, NAN, NO_MARK, -1, len(self.nodes)),
            )
        self.find_result()

    def read_set_up(self, node: Node) -> None:
        """A position set by hand, the cube, or dice rolled."""
        if oddity := odd_settings(node):
            self.odd(oddity)
        set_up = is_set_up(node)
        if set_up:
            self.fresh = self.over = False
        self.on_roll = replay.on_roll(node, self.on_roll)
        cube = cube_value(value(node, b"CV"), 0)
        owner = OWNERS.get(value(node, b"CP")[:1])
        dice = value(node, b"DI")
        rolled = len(dice) >= 2 and dice[0] in DICE and dice[1] in DICE
        if self.doubler != NOBODY and (cube or rolled or owner is not None or set_up):
            self.take_back()  # as in gnuBG, whatever is set does
        self.cube = cube or self.cube
        if owner is not None:
            self.owner, self.recount_owner = owner, None
        if rolled:
            player = {b"W": WHITE, b"B": BLACK}.get(
                value(node, b"PL")[:1], 1 - self.last_mover if self.last_mover >= 0 else NOBODY
            )
            self.rolled = (player, (dice[0] - 48, dice[1] - 48)) if player != NOBODY else None
            self.decided = (self.turn, Kind.PLAY)

    def read_action(self, at: int, node: Node) -> None:
        """A play or cube action; if a node has two, the first counts, as in gnuBG."""
        if self.over:
            self.odd("a play or cube action after the end of the game")
        if not SETTINGS.isdisjoint(node):
            self.read_set_up(node)
        key = next(key for key in node if key in ACTIONS)
        seat, text = (WHITE if key == b"W" else BLACK), value(node, key)
        if len(text) >= 2 and text[0] in DICE and text[1] in DICE:
            self.read_play(at, node, text, seat)
        elif text == b"double":
            self.read_double(at, node, seat)
        elif text in (b"take", b"drop"):
            self.read_answer(at, node, seat, Kind.TAKE if text == b"take" else Kind.PASS)
        else:
            self.odd("a node that is neither a roll nor a cube action was skipped")
            if text[:1].isdigit():
                self.follow(text, seat)

    def follow(self, text: bytes, seat: int) -> None:
        """Play on the board, even what is impossible, of which the first is noted."""
        self.board = self.board[0].copy(), self.board[1].copy()
        if not replay.play(self.board, seat, text[2:]) and self.is_possible:
            self.is_possible = False
            play = f"{'WB'[seat]}[{text[:10].decode('ascii', 'backslashreplace')}]"
            case = f"{self}: {play} cannot be made on the board before it"
            self.rows.note("illegal-play", case)

    def read_double(self, at: int, node: Node, seat: int) -> None:
        """A double, or a beaver where one is pending."""
        if self.cube >= HIGHEST_CUBE:
            self.odd("a double of the largest cube, which gnuBG leaves as it is")
        evaluated = self.cube_values(node)
        if self.doubler == NOBODY:
            self.pending = evaluated
            self.double(seat, (*(evaluated or UNKNOWN), at))
            return
        # A double while one is pending is a beaver; gnuBG's recount then treats its player as on
        # roll.
        if evaluated:
            self.pending = evaluated
            self.evaluate_double(evaluated)
        self.double(seat, (*UNKNOWN, at))

    def read_answer(self, at: int, node: Node, seat: int, kind: Kind) -> None:
        """A take or pass; it is scored with the analysis of the double, of which its node has a
        copy."""
        evaluated = self.cube_values(node)
        if evaluated is not None and self.doubler != NOBODY:
            self.evaluate_double(evaluated)
        more = (*(evaluated or self.pending or UNKNOWN), at)
        if self.doubler == NOBODY:
            # gnuBG counts it all the same and leaves the cube unchanged.
            self.odd(f"a {kind.label} without a double")
            self.doubler = 1 - seat
            self.respond(seat, kind, more, expected=False)
            self.doubler = NOBODY
            return
        if seat != 1 - self.turned_by:
            self.odd(f"a {kind.label} of the player who doubled")
        self.over = kind is Kind.PASS
        self.answer(seat, kind, more)

    def read_play(self, at: int, node: Node, text: bytes, seat: int) -> None:
        """A roll with its play, and the no-double before it where the cube was accessible or
        evaluated."""
        self.check_turn(seat)
        self.pending = None
        due = self.is_due(seat, opening=self.fresh)
        evaluated = self.cube_values(node)
        if evaluated is not None and 0 < self.limits[seat] <= self.cube:
            self.odd("the analysis of a dead cube, which gnuBG counts")
        if due or evaluated is not None:
            self.act(seat, NO_DOUBLE, (*(evaluated or UNKNOWN), at), expected=due)
        legal, best, played, level = self.alternatives(node, text, seat)
        self.follow(text, seat)
        luck, mark = self.luck(node, seat) if b"LU" in node else (NAN, NO_MARK)
        self.over = not any(self.board[seat])
        dice = text[0] - 48, text[1] - 48
        more = best, played, luck, mark, level, at
        self.roll(seat, dice, VALID, legal, len(text) > ONE_LETTER, more)
        self.on_roll = 1 - seat
        self.fresh = False
        self.rolled = None

    def evaluate_double(self, evaluated: Evaluated) -> None:
        """Replace the analysis of the last double: gnuBG keeps one for it and what answers it, that
        of the last node."""
        double = self.rows.actions[-1]
        self.rows.actions[-1] = (*double[: len(CUBE)], *evaluated, double[-1])

    def cube_values(self, node: Node) -> Evaluated | None:
        """The values of a `DA`; `None` without an analysis, or a cube."""
        if b"DA" not in node or not self.root.rules.cube:
            return None
        text = value(node, b"DA")
        read = analysis.cube(text)
        if read is None and text:
            self.odd("a cube analysis without finite numbers was skipped")
        return read and (read[0], read[1], self.rows.level(read[2]))

    def luck(self, node: Node, seat: int) -> tuple[float, int]:
        """Luck (EMG) and its mark; NaN if none was computed."""
        text = value(node, b"LU")
        gained = analysis.luck(text)
        if (
            gained != gained and float(text) == inf
        ):  # gnuBG adds it up all the same; it writes -inf if it computed none
            self.odd("luck without a finite number was skipped")
        return gained, analysis.mark(node, seat) if b"GW" in node or b"GB" in node else 0

    def alternatives(self, node: Node, text: bytes, seat: int) -> tuple[int, float, float, int]:
        """Number of alternatives, score of the first, score of the play made, level of the
        first."""
        listed = node.get(b"A", b"")
        count = (
            listed.count(b"]") if ESCAPE not in listed else len(cut(listed)) - 1
        )  # one letter is found faster than two
        if not count:
            return (0 if len(text) <= ONE_LETTER else UNKNOWN_COUNT), NAN, NAN, -1
        first = analysis.LISTED.match(listed) if ESCAPE not in listed else None
        if first and first[1] == text[2:]:  # as most plays are
            best = float(first[3])
            return count, best, best, self.rows.level(first[4])
        number = value(node, b"A")
        if not (number.isdigit() or number.strip(b" -").isdigit()):
            raise Damaged(
                "expected the number of the play made before its alternatives, found another value"
            )
        index = integer(number, -1) + 1
        parts, index = self.located(listed, index if 1 <= index <= count else 1, text, seat)
        if not index:
            parts, index = self.located(listed, count, text, seat)
        best, depth = (float(first[3]), first[4]) if first else analysis.alternative(parts[1])[:2]
        scores = {0: NAN, 1: best}
        played = scores[index] if index < 2 else analysis.alternative(parts[index])[0]
        if index and played != played:
            best = NAN  # listed without a score: the play is unknown, not perfect
        return count, best, played, self.rows.level(depth)

    def located(self, listed: bytes, last: int, text: bytes, seat: int) -> tuple[list[bytes], int]:
        """The alternatives up to the `last`, and the first that leads where the play made does,
        even one that cannot be made; or 0."""
        self.rows.located += last
        if self.rows.located > MOST_LOCATED:
            raise Damaged(
                "expected plays made among the first of their alternatives, found "
                f"{MOST_LOCATED} others before them"
            )
        parts = cut(listed, last + 1)[: last + 1]
        if parts[1].startswith(text[2:] + b" "):
            return parts, 1
        return parts, replay.locate(self.board, parts, text, seat)

    def set_up(self, node: Node) -> replay.Board:
        """The board with the checkers that a node places by hand."""
        self.rows.set_up += 1
        if self.rows.set_up > MOST_SET_UP:
            most = f"at most {MOST_SET_UP} positions set up by hand"
            raise Damaged(f"expected {most}, found more", ONE_MATCH)
        board = replay.set_up(self.board, node, self.on_roll)
        if max(map(sum, board)) > CHECKERS:
            raise Damaged(
                f"expected at most {CHECKERS} checkers of a player, found "
                f"{max(map(sum, board))} set up by hand",
                "save the match again in gnuBG",
            )
        return board

    def find_result(self) -> None:
        """Correct the result of the root as gnuBG does, given the last board and the last cube;
        more points than these allow are noted."""
        stated, by_root = self.points, self.winner
        self.correct_result()
        if by_root == self.winner:
            self.capped(stated, self.points)

    def correct_result(self) -> None:
        """By the last action, the last board, or for a resignation the most that the cube
        allows."""
        if self.resigned:
            self.points = self.cube * max(self.points // self.cube, 1)
        self.points = min(self.points, 3 * self.cube)
        last = next((node for node in reversed(self.nodes) if b"W" in node or b"B" in node), {})
        for key, seat in ((b"W", WHITE), (b"B", BLACK)):
            if value(last, key) == b"drop":
                self.winner, self.points, self.resigned = 1 - seat, self.cube, False
                return
        for seat in (WHITE, BLACK):
            if not any(self.board[seat]):
                jacoby = self.root.rules.jacoby and self.length is None and self.owner == NOBODY
                loser = (0, *self.board[1 - seat])
                size = size_of_win(loser, self.checkers, gammons=not jacoby)
                self.winner, self.points, self.resigned = seat, self.cube * size, False


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a collection written by gnuBG. Raises `Damaged` if it is damaged."""
    return _Reader(path, content, *read_collection(content)).match()


class _Reader:
    def __init__(self, path: str, content: bytes, trees: list[list[Node]], odd: list[str]) -> None:
        self.path, self.content, self.trees = path, content, trees
        self.roots = [read_root(index, nodes[0]) for index, nodes in enumerate(trees)]
        self.notes = check_games(self.roots)
        unstated = sum(b"MI" not in nodes[0] for nodes in trees)
        if unstated:
            self.notes.append(
                Note("no-match-information", f"{unstated} of {plural(len(trees), 'game')}")
            )
        self.rows = NodeRows()
        for case in odd:
            self.rows.note("damaged-value", case)
        self.games = [
            GameReader(game, self.roots[game], nodes, self.rows) for game, nodes in enumerate(trees)
        ]
        for game in self.games:
            game.read()
        lists = [self.node_of(row).get(b"A", b"") for row in range(len(self.rows.plays))]
        unusual = [
            row
            for row, text in enumerate(lists)
            if text and not analysis.ALL_LISTED.fullmatch(text)
        ]
        self.unusual = frozenset(unusual)
        for row in unusual:
            self.scores(row)

    def match(self) -> Match:
        first, root = self.trees[0][0], self.roots[0]
        tool, _, version = value(first, b"AP").decode("utf-8", "replace").partition(":")
        roots = (nodes[0] for nodes in self.trees)
        remarks = [self.rows.comment(node, key, "match") for node in roots for key in (b"GC", b"C")]
        remarks += self.rows.remarks
        return Match(
            source=Source(self.path, "sgf", tool or GNUBG.name, version or None, self.content),
            players=(
                without_rating(name(value(first, b"PW")))[0],
                without_rating(name(value(first, b"PB")))[0],
            ),
            rules=root.rules,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            cube_unit="mwc" if root.length else "emg",
            levels=tuple(map(analysis.level, self.rows.levels)),
            notes=(*self.notes, *self.rows.notes()),
            event=free_text(value(first, b"EV")),
            date=written_day(value(first, b"DT").decode("ascii", "replace")),
            round=free_text(value(first, b"RO")),
            place=free_text(value(first, b"PC")),
            comment="\n".join(dict.fromkeys(filter(None, remarks))),
            comments=self.rows.comments,
            candidates=cache(self.candidates),
            read_evaluations=self.evaluations,
            read_first=self.first_candidate,
            **ended(self.games, root.length or None),
        )

    def play_columns(self) -> Plays:
        columns, _ = self.rows.play_columns(
            "best", "played", "luck", "luck_mark", "level", "node", floats=np.float32
        )
        best = columns["best"]
        evaluated = best == best
        return Plays(
            len(best),
            {
                **columns,
                "analysed": analysed(evaluated, columns["legal"] == 0, columns["game"]),
                "highest": lambda: self.extremes[0],
                "spread": lambda: self.extremes[0] - self.extremes[1],
                "position": lambda: self.positions(self.rows.plays),
                "play": lambda: [
                    _points(self.letters(row)[2:], play[2])
                    for row, play in enumerate(self.rows.plays)
                ],
            },
        )

    def cube_columns(self) -> Cubes:
        columns, _ = self.rows.cube_columns(
            "no_double", "double_take", "level", "node", floats=np.float32
        )
        # In a match the table gives the value of a pass, in money play it is the cube.
        passed = np.float32(np.nan if self.roots[0].length else 1)
        columns["analysed"] = columns["no_double"] == columns["no_double"]
        columns["double_pass"] = np.where(columns["analysed"], passed, np.float32(np.nan))
        return Cubes(
            len(columns["kind"]),
            {
                **columns,
                "position": lambda: self.positions(self.rows.actions + self.rows.responses),
                "chances": self.cube_chances,
            },
        )

    def node_of(self, row: int) -> Node:
        """The node of a row of `plays`; an empty one for dice that were not played."""
        play = self.rows.plays[row]
        nodes, at = self.trees[play[0]], play[-1]
        return nodes[at] if at < len(nodes) else {}

    def cube_chances(self) -> Any:
        """The column of `Cubes`; an answer without an analysis of its own has that of the
        double."""
        texts: dict[tuple[int, int], bytes] = {}
        rows = self.rows.actions + self.rows.responses
        for game, turn, *_, at in rows:
            nodes = self.trees[game]
            if text := value(nodes[at], b"DA") if at < len(nodes) else b"":
                texts[game, turn] = text
        pairs = [analysis.cube_chances(texts.get(row[:2], b"")) for row in rows]
        return turned(cube_chances(pairs), np.arange(len(rows)) >= len(self.rows.actions))

    @cached_property
    def extremes(self) -> tuple[Any, Any]:
        """Highest and lowest score of the alternatives of every play, float32; NaN if none is
        scored."""
        every = [*map(self.scores, range(len(self.rows.plays)))]
        return np.array([*map(max, every)], np.float32), np.array([*map(min, every)], np.float32)

    def scores(self, row: int) -> list[float]:
        """The scores of the alternatives of a row of `plays` that have one; a NaN if none has."""
        alternatives = self.node_of(row).get(b"A", b"")
        if row not in self.unusual:
            return [*map(float, analysis.SCORE.findall(alternatives))] or [NAN]
        game, turn = self.rows.plays[row][:2]
        with within(Turn(self.games[game].number, turn), ANALYSE_AGAIN):
            listed = [analysis.alternative(part)[0] for part in cut(alternatives)[1:]]
        return [score for score in listed if score == score] or [NAN]

    def positions(self, rows: list[tuple[Any, ...]]) -> Any:
        """The signed counts of `reconcile.match.board.position` for every row, from the boards of
        both players."""
        every = [side for row in rows for side in self.games[row[0]].boards[row[-1]]]
        boards = np.frombuffer(b"".join(every), np.int8).reshape(-1, 2, replay.BAR + 1)
        seat, row = np.array([row[2] for row in rows], np.intp), np.arange(len(rows))
        own, other = boards[row, seat], -boards[row, 1 - seat]
        bar = replay.BAR
        return np.concatenate(
            (other[:, bar:], own[:, :bar] + other[:, bar - 1 :: -1], own[:, bar:]), axis=1
        )

    def letters(self, row: int) -> bytes:
        """The play of a row as written in the file, dice first."""
        return value(self.node_of(row), b"W" if self.rows.plays[row][2] == WHITE else b"B")

    def first_candidate(self, row: int) -> Play | None:
        """The play of the first alternative of a row of `plays`."""
        parts = cut(self.node_of(row).get(b"A", b""), 2)
        return (
            _points(parts[1][: parts[1].find(b" ")], self.rows.plays[row][2])
            if len(parts) > 1
            else None
        )

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The alternatives of a row of `plays`, in gnuBG's order."""
        game, _, seat = self.rows.plays[row][:3]
        parts = values(self.node_of(row), b"A")
        if len(parts) < 2:
            return ()
        board = self.games[game].boards[self.rows.plays[row][-1]]
        played = replay.locate(board, parts, self.letters(row), seat)
        return tuple(
            Candidate(
                _points(part[: part.find(b" ")], seat), *analysis.evaluation(part), index == played
            )
            for index, part in enumerate(parts[1:], 1)
        )

    def evaluations(self, row: int) -> list[Evaluation]:
        """What is said of the same, without their plays."""
        if row in self.unusual:
            return [*map(analysis.evaluation, values(self.node_of(row), b"A")[1:])]
        return [
            (float(score), analysis.level(depth).label, tuple(map(float, chances.split())))
            for _, chances, score, depth in analysis.EVALUATED.findall(
                self.node_of(row).get(b"A", b"")
            )
        ]


@lru_cache(replay.MOST_STEPS)
def _points(letters: bytes, seat: int) -> Play:
    """Letter pairs as (from, to) points in the player's numbering from 1, bar 25, off 0."""
    return tuple((origin + 1, target + 1) for origin, target in replay.steps(letters, seat))
