"""From the nodes of a gnuBG collection to a `Match`.

The numbers are gnuBG's own float32. Its quirks that reach the statistics are kept and named where they stand: the
play made is found by its resulting position, the first alternative is the best whatever its score, and after a beaver
the recount of a saved match takes the wrong side for the owner of the cube.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from reconcile.adapters.gnubg import analysis, replay
from reconcile.adapters.gnubg.collection import Node, free_text, name, read_collection, value, values
from reconcile.errors import UnreadableFile
from reconcile.match import (
    LONGEST_MATCH,
    NO_MARK,
    UNKNOWN_COUNT,
    Candidate,
    Cubes,
    Games,
    Kind,
    Level,
    Match,
    Note,
    Plays,
    Resignations,
    Rules,
    Source,
    Validity,
)

TOOL: Final = "GNU Backgammon"
WHITE, BLACK = 0, 1
HIGHEST_CUBE: Final = 4096
DICE: Final = b"123456"
ON_BOARD: Final = replay.LETTERS
CHECKERS: Final = {"hypergammon1": 1, "hypergammon2": 2, "hypergammon3": 3}
NAN: Final = float("nan")


def read_sgf(path: str, content: bytes) -> Match:
    """Read a collection written by gnuBG. Raises `UnreadableFile` when it cannot be trusted."""
    return _Reader(path, content, read_collection(path, content)).match()


@dataclass(slots=True)
class _Root:
    """What the root node of a game says."""

    length: int
    number: int
    score: tuple[int, int]
    rules: Rules
    crawford_game: bool
    cube: int
    winner: int
    points: int
    resigned: bool


@dataclass(slots=True)
class _Turns:
    """Columns of one match while they grow: a tuple per row, in the order of the fields of `Plays` or `Cubes`."""

    plays: list[tuple[Any, ...]] = field(default_factory=list)
    actions: list[tuple[Any, ...]] = field(default_factory=list)
    responses: list[tuple[Any, ...]] = field(default_factory=list)
    nodes: list[tuple[int, int]] = field(default_factory=list)
    """Game and node of every row of `plays`."""
    action_nodes: list[tuple[int, int]] = field(default_factory=list)
    response_nodes: list[tuple[int, int]] = field(default_factory=list)


def _integer(text: bytes, default: int) -> int:
    digits = re.match(rb"\s*([+-]?\d{1,9})", text)
    return int(digits[1]) if digits else default


class _Reader:
    def __init__(self, path: str, content: bytes, games: list[list[Node]]) -> None:
        self.path, self.content, self.trees = path, content, games
        self.notes: list[Note] = []
        self.roots = [self.root(nodes[0]) for nodes in games]
        self.turns = _Turns()
        self.level_index: dict[bytes, int] = {}
        self.levels: list[Level] = []
        self.boards: dict[int, list[replay.Board]] = {}
        self.damaged_values: dict[str, int] = {}

    def match(self) -> Match:
        self.check_numbers()
        for game, nodes in enumerate(self.trees):
            self.read_game(game, nodes)
        first = self.trees[0][0]
        root = self.roots[0]
        tool, _, version = value(first, b"AP").decode("utf-8", "replace").partition(":")
        length = root.length or None
        games = self.game_columns()
        complete = bool(games.winner[-1] >= 0)
        if length is not None:
            final = list(self.roots[-1].score)
            if complete:
                final[int(games.winner[-1])] += int(games.points[-1])
            complete = max(final) >= length
        for message, times in sorted(self.damaged_values.items()):
            self.notes.append(Note("damaged-value", f"{message} ({times} times)" if times > 1 else message))
        return Match(
            source=Source(self.path, "sgf", TOOL if tool in ("", TOOL) else tool, version or None, self.content),
            length=length,
            players=(name(value(first, b"PW")), name(value(first, b"PB"))),
            rules=root.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=self.resignation_columns(games),
            cube_unit="emg" if length is None else "mwc",
            levels=tuple(self.levels),
            complete=complete,
            notes=tuple(self.notes),
            event=free_text(value(first, b"EV")),
            candidates=self.candidates,
        )

    # -- roots ---------------------------------------------------------------------------------------------------

    def root(self, node: Node) -> _Root:
        length, number, score = 0, 0, [0, 0]
        for text in values(node[b"MI"]) if b"MI" in node else ():
            key, _, rest = text.partition(b":")
            if key == b"length":
                length = max(_integer(rest, 0), 0)
            elif key == b"game":
                number = _integer(rest, 0)
            elif key in (b"ws", b"bs"):
                points = _integer(rest, 0)
                # As in gnuBG, a score outside the match is not believed.
                score[key == b"bs"] = points if points >= 0 and (not length or points < length) else 0
        if length > LONGEST_MATCH:
            raise UnreadableFile(
                f"{self.path}: expected a match of at most {LONGEST_MATCH} points, found {length}; gnuBG's tables end there too"
            )
        words = value(node, b"RU").split(b":")
        variation = next((word.decode().lower() for word in words if word.startswith((b"Nack", b"Hyper"))), "backgammon")
        cube = _integer(value(node, b"CV"), 1)
        result = re.match(rb"([BW])\+(\d{0,6})(R?)", value(node, b"RE"))
        winner = -1 if result is None else int(result[1] == b"B")
        return _Root(
            length=length,
            number=number,
            score=(score[0], score[1]),
            rules=Rules(
                variation=variation if variation in replay.STARTS else "backgammon",
                crawford=b"Crawford" in words,
                jacoby=b"Jacoby" in words,
                cube=b"NoCube" not in words,
            ),
            crawford_game=b"CrawfordGame" in words,
            cube=cube if 1 <= cube <= HIGHEST_CUBE and cube & (cube - 1) == 0 else 1,
            winner=winner,
            points=0 if result is None else max(int(result[2] or b"1"), 1),
            resigned=result is not None and bool(result[3]),
        )

    def check_numbers(self) -> None:
        numbers = [root.number for root in self.roots]
        if len({root.length for root in self.roots}) > 1:
            raise UnreadableFile(
                f"{self.path}: expected the games of one match, found match lengths {sorted({root.length for root in self.roots})}; "
                "save each match to its own file"
            )
        if len(set(numbers)) < len(numbers):
            twice = next(number for number in numbers if numbers.count(number) > 1)
            raise UnreadableFile(
                f"{self.path}: expected every game once, found game {twice + 1} twice; does the file hold two matches, or one match twice?"
            )
        lacking = sorted(set(range(max(max(numbers), -1) + 1)) - set(numbers)) if max(numbers) < 10_000 else []
        if lacking:
            shown = ", ".join(str(number + 1) for number in lacking[:5])
            more = f" and {len(lacking) - 5} more" if len(lacking) > 5 else ""
            self.notes.append(Note("games-missing", f"game {shown}{more} of {max(numbers) + 1} not in the file"))

    # -- nodes ---------------------------------------------------------------------------------------------------

    def read_game(self, game: int, nodes: list[Node]) -> None:
        root, turns = self.roots[game], self.turns
        limits = [root.length - points if root.length and not root.crawford_game else 0 for points in root.score]
        cube_in_play = root.rules.cube and not root.crawford_game
        cube, owner, recount_owner = root.cube, -1, -1  # owner: -1 nobody, else the seat
        recount_mover = -1
        doubler, beavers = -1, 0
        pending: tuple[float, float, bytes] | None = None
        turn, last_mover = 1, -1
        fresh = True  # still at the opening position
        rolled: tuple[int, int, int] | None = None

        def access(seat: int, holder: int) -> bool:
            return cube_in_play and holder in (-1, seat) and (not root.length or cube < limits[seat])

        for at, node in enumerate(nodes):
            if replay.is_set_up(node):
                fresh = False
            if b"CV" in node and at:
                set_cube = _integer(value(node, b"CV"), 0)
                if 1 <= set_cube <= HIGHEST_CUBE and set_cube & (set_cube - 1) == 0:
                    cube = set_cube
            if b"CP" in node:
                owner = recount_owner = {b"w": WHITE, b"b": BLACK}.get(value(node, b"CP")[:1].lower(), -1)
            if b"DI" in node:
                numbers = value(node, b"DI")
                if len(numbers) >= 2 and numbers[0] in DICE and numbers[1] in DICE:
                    player = {b"W": WHITE, b"B": BLACK}.get(value(node, b"PL")[:1], 1 - last_mover if last_mover >= 0 else -1)
                    rolled = (player, numbers[0] - 48, numbers[1] - 48) if player >= 0 else None
            raw = node.get(b"W") if b"W" in node else node.get(b"B")
            if raw is None:
                continue
            seat = WHITE if b"W" in node and (b"B" not in node or next(key for key in node if key in (b"W", b"B")) == b"W") else BLACK
            if b"W" in node and b"B" in node:
                raw = node[b"W" if seat == WHITE else b"B"]
            text = raw[1 : raw.find(b"]")]
            if text == b"double":
                if doubler < 0:
                    doubler, beavers, recount_mover = seat, 0, seat
                    pending = self.cube_values(game, at, node)
                    depth = self.level(pending[2]) if pending else -1
                    numbers_ = pending[:2] if pending else (NAN, NAN)
                    turns.actions.append(
                        (game, turn, seat, Kind.DOUBLE, cube, _side(owner, seat), access(seat, owner), access(seat, recount_owner),
                         False, True, pending is not None, *numbers_, depth)
                    )  # fmt: skip
                    turns.action_nodes.append((game, at))
                else:
                    # A double while one is pending is a beaver; gnuBG's recount then takes its player to be on roll.
                    beavers += 1
                    recount_mover = seat
                    turns.responses.append(
                        (game, turn, seat, Kind.BEAVER, cube, _side(owner, doubler), False, False, False, False, False, NAN, NAN, -1)
                    )  # fmt: skip
                    turns.response_nodes.append((game, at))
                    cube = min(cube * 2, HIGHEST_CUBE)
                    owner = seat
                continue
            if text in (b"take", b"drop"):
                if doubler < 0:
                    self.damaged(f"game {root.number + 1}: a {text.decode()} without a double")
                    continue
                read = self.cube_values(game, at, node) or pending
                depth = self.level(read[2]) if read else -1
                numbers_ = read[:2] if read else (NAN, NAN)
                kind = Kind.TAKE if text == b"take" else Kind.PASS
                turns.responses.append(
                    (game, turn, seat, kind, cube, _side(owner, doubler), False, False, beavers > 0, beavers == 0, read is not None,
                     *numbers_, depth)
                )  # fmt: skip
                turns.response_nodes.append((game, at))
                if kind is Kind.TAKE:
                    cube = min(cube * 2, HIGHEST_CUBE)
                    if not beavers:
                        owner = seat
                    recount_owner = 1 - recount_mover
                doubler = -1
                pending = None
                continue
            if len(text) < 2 or text[0] not in DICE or text[1] not in DICE:
                self.damaged(f"game {root.number + 1}: a node that is neither a roll nor a cube action was passed over")
                continue
            if doubler >= 0:
                self.damaged(f"game {root.number + 1}: a double without an answer")
                doubler = -1
            if seat == last_mover:
                self.damaged(f"game {root.number + 1}, turn {turn}: the same player twice in a row, a turn is missing")
            real = access(seat, owner)
            cube_read = self.cube_values(game, at, node) if b"DA" in node and root.rules.cube else None
            due = real and not fresh and not (turns.actions and turns.actions[-1][:4] == (game, turn, seat, Kind.DOUBLE))
            if cube_read is not None or due:
                depth = self.level(cube_read[2]) if cube_read else -1
                numbers_ = cube_read[:2] if cube_read else (NAN, NAN)
                turns.actions.append(
                    (game, turn, seat, Kind.NO_DOUBLE, cube, _side(owner, seat), real, access(seat, recount_owner),
                     False, due, cube_read is not None, *numbers_, depth)
                )  # fmt: skip
                turns.action_nodes.append((game, at))
            count, best, played, depth = self.alternatives(game, at, node, text, seat)
            mark = NO_MARK
            gained = NAN
            if b"LU" in node:
                gained = self.number_of(game, lambda n: analysis.luck(value(n, b"LU")), node)
                mark = 0
                for key, sign in ((b"GW", 1 if seat == WHITE else -1), (b"GB", 1 if seat == BLACK else -1)):
                    if key in node:
                        mark = sign * min(max(_integer(value(node, key), 1), 1), 2)
            turns.plays.append(
                (game, turn, seat, text[0] - 48, text[1] - 48, cube, _side(owner, seat), Validity.VALID, count, len(text) > 2,
                 best, played, gained, mark, depth)
            )  # fmt: skip
            turns.nodes.append((game, at))
            turn += 1
            last_mover = seat
            fresh = False
            rolled = None
        if rolled is not None:
            player, one, two = rolled
            turns.plays.append(
                (
                    game,
                    turn,
                    player,
                    one,
                    two,
                    cube,
                    _side(owner, player),
                    Validity.UNPLAYED,
                    UNKNOWN_COUNT,
                    False,
                    NAN,
                    NAN,
                    NAN,
                    NO_MARK,
                    -1,
                )
            )
            turns.nodes.append((game, len(nodes)))
        root.cube = cube
        if owner < 0 and root.rules.jacoby and not root.length:
            root.rules = Rules(root.rules.variation, root.rules.crawford, root.rules.jacoby, root.rules.beavers, root.rules.cube)
        self.finish(game, nodes, centred=owner < 0)

    def damaged(self, message: str) -> None:
        self.damaged_values[message] = self.damaged_values.get(message, 0) + 1

    def number_of(self, game: int, read: Callable[[Node], Any], node: Node) -> Any:
        try:
            return read(node)
        except analysis.Damaged as error:
            raise UnreadableFile(
                f"{self.path}: damaged analysis: game {self.roots[game].number + 1}: {error}; analyse and save the match again in gnuBG"
            ) from None

    def cube_values(self, game: int, at: int, node: Node) -> tuple[float, float, bytes] | None:
        if b"DA" not in node:
            return None
        raw = node[b"DA"]
        read: tuple[float, float, bytes] | None = self.number_of(game, lambda _: analysis.cube(raw[1 : raw.find(b"]")]), node)
        return read

    def level(self, depth: bytes) -> int:
        index = self.level_index.get(depth)
        if index is None:
            known = analysis.level(depth)
            index = self.level_index[depth] = len(self.levels)
            self.levels.append(known)
        return index

    def alternatives(self, game: int, at: int, node: Node, text: bytes, seat: int) -> tuple[int, float, float, int]:
        """Number of alternatives, score of the first, score of the play made, level; for a play without `A` nothing is known."""
        raw = node.get(b"A")
        dance = len(text) == 2
        if raw is None:
            return (0 if dance else UNKNOWN_COUNT), NAN, NAN, -1
        parts = values(raw)
        if len(parts) < 2:
            return (0 if dance else UNKNOWN_COUNT), NAN, NAN, -1
        index = _integer(parts[0], -1) + 1
        best, depth = self.number_of(game, lambda _: analysis.alternative(parts[1]), node)
        if not 1 <= index < len(parts) or not _same_letters(parts[index], text):
            index = self.locate(game, at, parts, text, seat)
        if index == 1:
            played = best
        elif index > 1:
            played = self.number_of(game, lambda _: analysis.alternative(parts[index]), node)[0]
        else:
            played = NAN
        return len(parts) - 1, best, played, self.level(depth)

    def locate(self, game: int, at: int, parts: list[bytes], text: bytes, seat: int) -> int:
        """The first alternative that leads to the position of the play made; 0 when none does."""
        board = self.board_before(game, at)
        after = replay.play(board, seat, replay.pairs(text[2:], seat))
        for index, part in enumerate(parts[1:], 1):
            letters = part[: part.find(b" ")]
            if replay.play(board, seat, replay.pairs(letters, seat), strictly=True) == after:
                return index
        return 0

    # -- boards, only where needed ---------------------------------------------------------------------------------

    def board_before(self, game: int, at: int) -> replay.Board:
        """The board before node `at` of a game."""
        if game not in self.boards:
            board = replay.start(self.roots[game].rules.variation)
            boards = []
            for node in self.trees[game]:
                if replay.is_set_up(node):
                    board = replay.set_up(board, node)
                boards.append(board)
                for key, seat in ((b"W", WHITE), (b"B", BLACK)):
                    text = value(node, key)
                    if text[:1].isdigit():
                        board = replay.play(board, seat, replay.pairs(text[2:], seat))
                        break
            boards.append(board)
            self.boards[game] = boards
        return self.boards[game][at]

    def finish(self, game: int, nodes: list[Node], *, centred: bool) -> None:
        """Winner and points as gnuBG finds them in the nodes, where these decide against `RE`."""
        root = self.roots[game]
        last = next((node for node in reversed(nodes) if b"W" in node or b"B" in node), None)
        if last is None:
            return
        for key, seat in ((b"W", WHITE), (b"B", BLACK)):
            if value(last, key) == b"drop":
                root.winner, root.points, root.resigned = 1 - seat, root.cube, False
                return
        checkers = CHECKERS.get(root.rules.variation, 15)
        for key, seat in ((b"W", WHITE), (b"B", BLACK)):
            off = sum(_borne_off(value(node, key)) for node in nodes if key in node)
            if off < checkers and not any(map(replay.is_set_up, nodes)):
                continue
            board = self.board_before(game, len(nodes))
            if any(board[seat]):
                continue
            loser = board[1 - seat]
            level = 1
            if sum(loser) == checkers and not (root.rules.jacoby and not root.length and centred):
                level = 3 if loser[replay.BAR] or any(loser[18:24]) else 2
            root.winner, root.points, root.resigned = seat, root.cube * level, False

    # -- columns ---------------------------------------------------------------------------------------------------

    def game_columns(self) -> Games:
        roots = self.roots
        return Games(
            len(roots),
            {
                "number": np.array([root.number + 1 for root in roots]),
                "score": np.array([root.score for root in roots]),
                "crawford": np.array([root.crawford_game for root in roots]),
                "winner": np.array([root.winner for root in roots]),
                "points": np.array([root.points for root in roots]),
                "resigned": np.array([root.resigned for root in roots]),
                "automatic_doubles": np.zeros(len(roots), np.int64),
            },
        )

    def play_columns(self) -> Plays:
        rows = self.turns.plays
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [[] for _ in range(15)]
        game, turn, player, one, two, cube, owner, validity, legal, moved = (np.array(column, np.int64) for column in columns[:10])
        best, played, luck = (np.array(column, np.float32) for column in columns[10:13])
        evaluated = best == best
        # A play without a choice needs no evaluation: it counts as analysed in a game that was.
        games_analysed = np.zeros(len(self.roots), bool)
        games_analysed[game[evaluated]] = True

        def extremes() -> tuple[Any, Any]:
            return self.extremes()

        return Plays(
            len(rows),
            {
                "game": game,
                "turn": turn,
                "player": player,
                "dice": lambda: np.column_stack((one, two)),
                "cube": cube,
                "owner": owner,
                "validity": validity,
                "analysed": evaluated | ((legal == 0) & games_analysed[game]),
                "moved": moved != 0,
                "legal": legal,
                "flag": np.full(len(rows), -1, np.int8),
                "stored_error": np.full(len(rows), np.nan),
                "best": best,
                "played": played,
                "highest": lambda: extremes()[0],
                "spread": lambda: extremes()[0] - extremes()[1],
                "luck": luck,
                "luck_mark": lambda: np.array(columns[13], np.int8),
                "level": lambda: np.array(columns[14], np.int16),
                "position": self.play_positions,
                "play": self.play_pairs,
            },
        )

    def cube_columns(self) -> Cubes:
        rows = self.turns.actions + self.turns.responses
        columns: list[Any] = list(zip(*rows, strict=True)) if rows else [[] for _ in range(14)]
        integers = [np.array(column, np.int64) for column in columns[:6]]
        flags = [np.array(column, bool) for column in columns[6:11]]
        values_ = [np.array(column, np.float32) for column in columns[11:13]]
        money = not self.roots[0].length
        names = ("game", "turn", "player", "kind", "cube", "owner", "access", "recount_access", "answers_beaver", "expected", "analysed")
        return Cubes(
            len(rows),
            {
                **dict(zip(names, integers + flags, strict=True)),
                "no_double": values_[0],
                "double_take": values_[1],
                "double_pass": np.where(flags[4], np.float32(1 if money else np.nan), np.float32(np.nan)),
                "stored_error": np.full(len(rows), np.nan),
                "level": lambda: np.array(columns[13], np.int16),
                "position": self.cube_positions,
            },
        )

    def resignation_columns(self, games: Games) -> Resignations:
        resigned = np.flatnonzero(games.resigned & (games.winner >= 0))
        winner = games.winner[resigned]
        return Resignations(
            2 * len(resigned),
            {
                "game": np.concatenate((resigned, resigned)),
                "player": np.concatenate((1 - winner, winner)),
                "kind": np.repeat(np.array([Kind.RESIGN, Kind.ACCEPT_RESIGN], np.int8), len(resigned)),
                "cube": lambda: np.array([self.roots[game].cube for game in resigned.tolist()] * 2, np.int64),
                "stored_error": np.full(2 * len(resigned), np.nan),
            },
        )

    def extremes(self) -> tuple[Any, Any]:
        """Highest and lowest score of the alternatives of every play, float32; NaN where none is scored."""
        high, low = [], []
        for game, at in self.turns.nodes:
            nodes = self.trees[game]
            raw = nodes[at].get(b"A") if at < len(nodes) else None
            scores = [analysis.alternative(part)[0] for part in values(raw)[1:]] if raw else []
            scores = [score for score in scores if score == score] or [NAN]
            high.append(max(scores))
            low.append(min(scores))
        return np.array(high, np.float32), np.array(low, np.float32)

    def play_positions(self) -> Any:
        players = self.turns.plays
        seen = [replay.viewed(self.board_before(*node), row[2]) for node, row in zip(self.turns.nodes, players, strict=True)]
        return np.array(seen, np.int8).reshape(-1, 26)

    def cube_positions(self) -> Any:
        rows = self.turns.actions + self.turns.responses
        nodes = self.turns.action_nodes + self.turns.response_nodes
        seen = [replay.viewed(self.board_before(*node), row[2]) for node, row in zip(nodes, rows, strict=True)]
        return np.array(seen, np.int8).reshape(-1, 26)

    def play_pairs(self) -> list[tuple[tuple[int, int], ...]]:
        made = []
        for (game, at), row in zip(self.turns.nodes, self.turns.plays, strict=True):
            nodes = self.trees[game]
            letters = value(nodes[at], b"W" if row[2] == WHITE else b"B")[2:] if at < len(nodes) else b""
            made.append(_points(letters, row[2]))
        return made

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The alternatives of a row of `plays`, in gnuBG's order."""
        game, at = self.turns.nodes[row]
        seat = self.turns.plays[row][2]
        nodes = self.trees[game]
        if at >= len(nodes) or b"A" not in nodes[at]:
            return ()
        parts = values(nodes[at][b"A"])
        text = value(nodes[at], b"W" if seat == WHITE else b"B")
        made = self.locate(game, at, parts, text, seat)
        return tuple(
            analysis.candidate(part, _points(part[: part.find(b" ")], seat), index == made) for index, part in enumerate(parts[1:], 1)
        )


def _side(owner: int, seat: int) -> int:
    """The owner of the cube seen by a seat: 1 himself, 0 nobody, -1 the opponent."""
    return 0 if owner < 0 else (1 if owner == seat else -1)


def _same_letters(alternative: bytes, text: bytes) -> bool:
    """Whether an alternative spells the play made, its steps in any order."""
    letters = alternative[: alternative.find(b" ")]
    made = text[2:]
    if letters == made:
        return True
    return len(letters) == len(made) and sorted(zip(letters[::2], letters[1::2], strict=False)) == sorted(
        zip(made[::2], made[1::2], strict=False)
    )


def _borne_off(text: bytes) -> int:
    """How many checkers a play takes off: its letters that are no point and no bar."""
    return len(text[2:].translate(None, ON_BOARD)) if text[:1].isdigit() else 0


def _points(letters: bytes, seat: int) -> tuple[tuple[int, int], ...]:
    """Letter pairs as (from, to) points: own numbering from 1, bar 25, off 0."""
    return tuple((origin + 1, target + 1) for origin, target in replay.pairs(letters, seat))
