"""GNU Backgammon's `.sgf`: the container, the replay of a game, and here the match they hold;
numbers stay float32, as in gnuBG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from reconcile.formats.chances import cube_chances, turned
from reconcile.formats.gnubg import analysis, replay
from reconcile.formats.gnubg.collection import (
    BETWEEN,
    ESCAPE,
    Node,
    cut,
    free_text,
    name,
    read_collection,
    value,
    values,
)
from reconcile.formats.gnubg.game import WHITE, GameReader, NodeRows
from reconcile.formats.gnubg.root import check_games, read_root
from reconcile.formats.rows import NAN, ended, in_analysed_games
from reconcile.formats.values import without_rating, written_day
from reconcile.match.columns import FAR, Cubes, Plays
from reconcile.match.match import Candidate, Match, Note, Source
from reconcile.match.tools import GNUBG
from reconcile.wording import plural

__all__ = ["read"]


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a collection written by gnuBG. Raises `UnreadableFile` if it is damaged."""
    return _Reader(path, content, *read_collection(path, content)).match()


class _Reader:
    def __init__(self, path: str, content: bytes, trees: list[list[Node]], odd: list[str]) -> None:
        self.odd = odd
        self.path, self.content, self.trees = path, content, trees
        self.roots = [read_root(path, index, nodes[0]) for index, nodes in enumerate(trees)]
        self.notes = check_games(path, self.roots)
        unstated = sum(b"MI" not in nodes[0] for nodes in trees)
        if unstated:
            self.notes.append(
                Note("no-match-information", f"{unstated} of {plural(len(trees), 'game')}")
            )
        self.rows = NodeRows()
        self.games = [
            GameReader(path, game, self.roots[game], nodes, self.rows)
            for game, nodes in enumerate(trees)
        ]
        for game in self.games:
            game.read()
        for row in range(len(self.rows.plays)):
            listed = self.node_of(row).get(b"A", b"")
            if not analysis.ALL_LISTED.fullmatch(listed):
                self.scores(row, cut(listed)[1:])

    def match(self) -> Match:
        first, root = self.trees[0][0], self.roots[0]
        tool, _, version = value(first, b"AP").decode("utf-8", "replace").partition(":")
        games, resignations, complete = ended(self.games, root.length or None)
        roots = (nodes[0] for nodes in self.trees)
        remarks = [self.rows.comment(node, key, "match") for node in roots for key in (b"GC", b"C")]
        remarks += self.rows.remarks
        return Match(
            source=Source(self.path, "sgf", tool or GNUBG.name, version or None, self.content),
            length=root.length or None,
            players=(
                without_rating(name(value(first, b"PW")))[0],
                without_rating(name(value(first, b"PB")))[0],
            ),
            rules=root.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=resignations,
            cube_unit="mwc" if root.length else "emg",
            levels=tuple(map(analysis.level, self.rows.levels)),
            complete=complete,
            notes=(*self.notes, *self.odd_notes()),
            event=free_text(value(first, b"EV")),
            date=written_day(value(first, b"DT").decode("ascii", "replace")),
            round=free_text(value(first, b"RO")),
            place=free_text(value(first, b"PC")),
            comment="\n".join(dict.fromkeys(filter(None, remarks))),
            comments=self.rows.comments,
            candidates=cache(self.candidates),
            read_first=self.first_candidate,
        )

    def odd_notes(self) -> Iterator[Note]:
        """What cannot have been played as the file has it."""
        cases = sorted(Counter(self.rows.odd.get("damaged-value", [])).items())
        damaged = [
            f"{message} ({times} times)" if times > 1 else message for message, times in cases
        ]
        impossible = [
            f"game {game.number}: {self.play_text(game, game.impossible)} cannot be made on the "
            "board before it"
            for game in self.games
            if game.impossible is not None
        ]
        self.rows.odd |= {"damaged-value": damaged + self.odd, "illegal-play": impossible}
        return self.rows.notes("damaged-value", "illegal-play", "impossible-result", "comment-cut")

    def play_columns(self) -> Plays:
        numbers = ("best", "played", "luck")
        columns = self.rows.play_columns(
            **dict.fromkeys(numbers, np.float32), luck_mark=np.int64, level=np.int64, node=None
        )
        best = columns["best"]
        del columns["node"]
        evaluated = best == best
        return Plays(
            len(best),
            {
                **columns,
                "analysed": evaluated
                | ((columns["legal"] == 0) & in_analysed_games(columns["game"], evaluated)),
                "highest": lambda: self.extremes[0],
                "spread": lambda: self.extremes[0] - self.extremes[1],
                "reach": lambda: self.reach(best),
                "position": lambda: self.positions(self.rows.plays),
                "play": lambda: [
                    _points(self.letters(row)[2:], play[2])
                    for row, play in enumerate(self.rows.plays)
                ],
            },
        )

    def cube_columns(self) -> Cubes:
        columns = self.rows.cube_columns(
            analysed=np.bool_,
            no_double=np.float32,
            double_take=np.float32,
            level=np.int64,
            node=None,
        )
        del columns["node"]
        # In a match the table gives the value of a pass, in money play it is the cube.
        passed = np.float32(np.nan if self.roots[0].length else 1)
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
        game, *_, at = self.rows.plays[row]
        nodes = self.trees[game]
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
        every = [
            self.scores(row, values(self.node_of(row), b"A")[1:])
            for row in range(len(self.rows.plays))
        ]
        return np.array([*map(max, every)], np.float32), np.array([*map(min, every)], np.float32)

    def scores(self, row: int, alternatives: list[bytes]) -> list[float]:
        """The scores of alternatives of a row of `plays` that have one; a NaN if none has."""
        try:
            listed = [analysis.alternative(part)[0] for part in alternatives]
        except analysis.Damaged as error:
            self.games[self.rows.plays[row][0]].refuse(error)
        return [score for score in listed if score == score] or [NAN]

    def reach(self, best: Any) -> Any:
        """Between the first alternative and the last where these are far apart, and the whole
        spread of a row elsewhere."""
        last = []
        for row in range(len(best)):
            listed = self.node_of(row).get(b"A", b"")
            cut_simply = BETWEEN in listed and ESCAPE not in listed
            last.append(self.scores(row, [listed.rpartition(BETWEEN)[2]])[0] if cut_simply else NAN)
        spreads = np.abs(best - np.array(last, np.float32))
        for row in np.flatnonzero(~(spreads >= FAR)).tolist():
            scores = np.array(self.scores(row, values(self.node_of(row), b"A")[1:]), np.float32)
            spreads[row] = scores.max() - scores.min()
        return spreads

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

    @staticmethod
    def play_text(game: GameReader, at: int) -> str:
        """The play of a node as written in the file."""
        node = game.nodes[at]
        key = next(key for key in node if key in (b"W", b"B"))
        return f"{key.decode()}[{value(node, key)[:10].decode('ascii', 'backslashreplace')}]"

    def first_candidate(self, row: int) -> tuple[tuple[int, int], ...] | None:
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
            analysis.candidate(part, _points(part[: part.find(b" ")], seat), index == played)
            for index, part in enumerate(parts[1:], 1)
        )


@lru_cache(replay.MOST_STEPS)
def _points(letters: bytes, seat: int) -> tuple[tuple[int, int], ...]:
    """Letter pairs as (from, to) points in the player's numbering from 1, bar 25, off 0."""
    return tuple((origin + 1, target + 1) for origin, target in replay.steps(letters, seat))
