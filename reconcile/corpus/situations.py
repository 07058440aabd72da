"""The situation of every decision for the table: its position and phase, what was done and was
best, and of mistakes the XGID."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pyarrow as pa

from reconcile.errors import UnreadableFile
from reconcile.match.board.identifiers import Situations, position_keys, possible_positions, xgids
from reconcile.match.board.play import Play, carried_out, written
from reconcile.match.board.position import BAR, KEY_BYTES, START, swap
from reconcile.match.columns import Bools, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.scoring.grades import AT_THE_BORDER
from reconcile.scoring.score import Scored

ACTIONS: Final = tuple(kind.label.replace("-", " ") for kind in Kind)
SHOWN: Final = 0.02
"""Equity lost (EMG) from which a decision's XGID is in the table: an error to every program that
counts one."""


def labelled(numbers: Ints, texts: Sequence[str | None]) -> pa.Array:
    """Texts by their number in a list; null below 0."""
    index = pa.array(numbers.astype(np.int32), mask=numbers < 0)
    return pa.DictionaryArray.from_arrays(index, pa.array(texts, pa.string())).dictionary_decode()


def keys_of(match: Match, matches: Sequence[Match]) -> pa.Array:
    """The key of the position of every play, cube decision and resignation of joined `matches`.
    Raises `UnreadableFile`."""
    positions = np.concatenate(
        (match.plays.position, match.cubes.position, *map(_resigned_positions, matches))
    )
    if not possible_positions(positions).all():
        advice = "correct the file or leave it out"
        raise UnreadableFile(
            f"expected at most 15 checkers a player, found more on the board; {advice}",
            matches[0].source.path,
        )
    return pa.Array.from_buffers(
        pa.binary(KEY_BYTES), len(positions), [None, pa.py_buffer(position_keys(positions))]
    )


def _resigned_positions(match: Match) -> Ints:
    """Where every game that ended so was resigned, in the view of who resigns or accepts: after
    the last play."""
    plays, positions = (
        match.plays,
        np.zeros((len(match.resignations), 26), match.plays.position.dtype),
    )
    for row, (game, player) in enumerate(
        zip(match.resignations.game.tolist(), match.resignations.player.tolist(), strict=True)
    ):
        rows = np.flatnonzero(plays.game == game)
        last = int(rows[-1]) if len(rows) else -1
        position = tuple(plays.position[last].tolist()) if len(rows) else START
        if len(rows) and plays.validity[last] != Validity.UNPLAYED.value:
            position = carried_out(position, plays.play[last])
        positions[row] = (
            position if not len(rows) or plays.player[last] == player else swap(position)
        )
    return positions


def _first_candidates(match: Match) -> Sequence[Play | None]:
    """Of every play that was analysed."""
    return [
        match.first_candidate(row) if analysed else None
        for row, analysed in enumerate(match.plays.analysed.tolist())
    ]


def _numbered(columns: Sequence[Sequence[Play | None]]) -> tuple[Ints, list[Play | None]]:
    """A number for each value of these columns, and the value that each number stands for."""
    numbers: dict[Play | None, int] = {}
    return np.array(
        [numbers.setdefault(value, len(numbers)) for column in columns for value in column],
        np.int64,
    ), [*numbers]


def _written(play: Play, hits: int) -> str:
    """A play in notation, by the steps that hit, a bit for each."""
    return written(play, frozenset([end for step, (_, end) in enumerate(play) if hits >> step & 1]))


class Actions:
    """What was done and what was best, and the XGIDs of mistakes: rows of plays, cubes, then
    resignations of joined matches."""

    def __init__(
        self, scored: Sequence[Scored], matches: Sequence[Match], match_of_game: Ints
    ) -> None:
        self.scored, self.match, self.matches, self.match_of_game = (
            scored[0],
            scored[0].match,
            matches,
            match_of_game,
        )
        plays, cubes = len(self.match.plays), len(self.match.cubes)
        wrong = np.zeros(plays + cubes, bool)
        for rules in scored:
            wrong |= rules.error[: len(wrong)] >= SHOWN - AT_THE_BORDER
        self.rows = np.flatnonzero(wrong)
        """Mistakes: decisions with an error of `SHOWN` or more under any rule set."""
        self.plays, self.cubes = self.rows[self.rows < plays], self.rows[self.rows >= plays] - plays

    def columns(self, order: Ints, is_best: Bools) -> dict[str, pa.Array]:
        """The three columns in this order of all rows; nothing is better than what was done
        where `is_best`."""
        played, first, texts = self._plays()
        actions, none = [*texts, *ACTIONS], np.full(len(self.match.resignations), -1)
        done = np.concatenate(
            (
                played,
                self.match.cubes.kind + np.int64(len(texts)),
                self.match.resignations.kind + np.int64(len(texts)),
            )
        )
        keeps = is_best.copy()
        keeps[self.rows] = False  # what a program charges is not best to it, whatever the equities
        best = np.where(keeps, done, np.concatenate((first, self._best_actions(len(texts)), none)))
        place = np.full(len(order), -1)
        place[self.rows] = np.arange(len(self.rows))
        return {
            "xgid": labelled(place[order], self._xgids()),
            "action": labelled(done[order], actions),
            "best": labelled(best[order], actions),
        }

    def _plays(self) -> tuple[Ints, Ints, list[str]]:
        """The play made and the first candidate of every play, as numbers of texts in notation;
        -1 where there is none."""
        plays, size = self.match.plays, len(self.match.plays)
        number, distinct = _numbered(
            [*(match.plays.play for match in self.matches), *map(_first_candidates, self.matches)]
        )
        is_play = np.concatenate((plays.validity != Validity.UNPLAYED.value, plays.analysed))
        is_play &= np.array([play is not None for play in distinct], bool)[number]
        width = max((len(play) for play in distinct if play), default=1)
        # Nobody is hit on the bar or off the board.
        ends = np.array(
            [
                [end or BAR for _, end in play or ()] + [BAR] * (width - len(play or ()))
                for play in distinct
            ],
            np.int64,
        )
        hits = (
            np.take_along_axis(
                np.concatenate((plays.position, plays.position)),
                ends.reshape(-1, width)[number],
                axis=1,
            )
            == -1
        )
        coded = pa.array(number << width | hits @ (1 << np.arange(width))).dictionary_encode()
        texts = [
            _written(distinct[code >> width] or (), code) for code in coded.dictionary.to_pylist()
        ]
        played = np.where(is_play, coded.indices.to_numpy(), -1)
        return played[:size], played[size:], texts

    def _best_actions(self, first: int) -> Ints:
        """Of every cube decision, as numbers from `first` on by kind; -1 where it is not known."""
        cubes, view = self.match.cubes, self.scored.view
        response = view.kind >= Kind.TAKE.value
        second = np.where(
            response, view.double_take > view.double_pass, view.least >= view.no_double
        )
        is_valued = (view.no_double == view.no_double) & ~cubes.answers_beaver
        return np.where(is_valued, first + Kind.NO_DOUBLE.value + 2 * response + second, -1)

    def _xgids(self) -> list[str | None]:
        """Of plays, then of cube decisions; what is answered to a beaver has none."""
        plays, cubes, matches = self.match.plays, self.match.cubes, self.matches

        def both(name: str) -> Ints:
            values: Ints = np.concatenate(
                (getattr(plays, name)[self.plays], getattr(cubes, name)[self.cubes])
            )
            return values

        game, seat, rolls = both("game"), both("player"), len(self.plays)
        owner, row = self.match_of_game[game], np.arange(len(game))
        offered = np.zeros(len(game), bool)
        offered[rolls:] = cubes.kind[self.cubes] >= Kind.TAKE.value
        dice = np.zeros((len(game), 2), np.int64)
        dice[:rolls] = plays.dice[self.plays]
        length = np.array([match.length or 0 for match in matches])[owner]
        score = np.where(length > 0, length - self.match.away[game].T, 0)
        rules = np.array([match.rules.jacoby + 2 * match.rules.beavers for match in matches])
        top = np.array([match.source.format in SECOND_PLAYER_ON_TOP for match in matches])
        ids = xgids(
            Situations(
                position=both("position"),
                dice=dice,
                cube=both("cube"),
                owner=np.where(offered, -both("owner"), both("owner")),
                length=length,
                score=np.stack((score[seat, row], score[1 - seat, row]), axis=1),
                rules=np.where(length > 0, self.match.games.crawford[game], rules[owner]),
                double_offered=offered,
                decider_is_top=seat == top[owner],
            )
        )
        beavers = np.concatenate((np.zeros(rolls, bool), cubes.answers_beaver[self.cubes]))
        return [None if beaver else text for text, beaver in zip(ids, beavers, strict=True)]
