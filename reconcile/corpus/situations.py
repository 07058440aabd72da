"""The situation of every decision for the table: its position and phase, what was done and was best, and of mistakes the XGID."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from reconcile.errors import UnreadableFile
from reconcile.gap.aligned import CUBE_ACTIONS
from reconcile.match.board.identifiers import Situations, position_keys, possible_positions, xgids
from reconcile.match.board.play import carried_out, play_on
from reconcile.match.board.position import KEY_BYTES, START, swap
from reconcile.match.columns import Bools, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.scoring.grades import AT_THE_BORDER
from reconcile.scoring.score import Scored

ACTIONS: Final = {kind.value: kind.label.replace("-", " ") for kind in Kind}
SHOWN: Final = 0.02
"""Equity lost (EMG) from which a decision's XGID is in the table: an error to every program that counts one."""


def keys_of(match: Match, matches: Sequence[Match]) -> pa.Array:
    """The key of the position of every play, cube decision and resignation of joined `matches`. Raises `UnreadableFile`."""
    positions = np.concatenate((match.plays.position, match.cubes.position, *map(_resigned_positions, matches)))
    if not possible_positions(positions).all():
        advice = "correct the file or leave it out"
        raise UnreadableFile(f"expected at most 15 checkers a player, found more on the board; {advice}", matches[0].source.path)
    return pa.Array.from_buffers(pa.binary(KEY_BYTES), len(positions), [None, pa.py_buffer(position_keys(positions))])


def _resigned_positions(match: Match) -> Ints:
    """Where every game that ended so was resigned, in the view of who resigns or accepts: after the last play."""
    plays, found = match.plays, np.zeros((len(match.resignations), 26), match.plays.position.dtype)
    for row, (game, player) in enumerate(zip(match.resignations.game.tolist(), match.resignations.player.tolist(), strict=True)):
        rows = np.flatnonzero(plays.game == game)
        last = int(rows[-1]) if len(rows) else -1
        position = tuple(plays.position[last].tolist()) if len(rows) else START
        if len(rows) and plays.validity[last] != Validity.UNPLAYED.value:
            position = carried_out(position, plays.play[last])
        found[row] = position if not len(rows) or plays.player[last] == player else swap(position)
    return found


class Actions:
    """What was done and what was best, and the XGIDs of mistakes: rows of plays, cubes, then resignations of joined matches."""

    def __init__(self, scored: Sequence[Scored], matches: Sequence[Match], match_of_game: Ints) -> None:
        self.scored, self.match, self.matches, self.match_of_game = scored[0], scored[0].match, matches, match_of_game
        plays, cubes = len(self.match.plays), len(self.match.cubes)
        wrong = np.zeros(plays + cubes, bool)
        for one in scored:
            wrong |= one.error[: len(wrong)] >= SHOWN - AT_THE_BORDER
        self.rows = np.flatnonzero(wrong)
        """Mistakes: decisions with an error of `SHOWN` or more under any rule set."""
        self.plays, self.cubes = self.rows[self.rows < plays], self.rows[self.rows >= plays] - plays

    def columns(self, order: Ints, is_best: Bools) -> dict[str, pa.Array]:
        """The three columns in this order of all rows; nothing is better than what was done where `is_best`."""
        none: list[str | None] = [None] * len(self.match.resignations)
        kinds = np.concatenate((self.match.cubes.kind, self.match.resignations.kind))
        plays, first = zip(*self._plays(), strict=True) if len(self.match.plays) else ((), ())
        done = pa.array([*plays, *(ACTIONS[kind] for kind in kinds.tolist())], pa.string())
        keeps = is_best.copy()
        keeps[self.rows] = False  # what a program charges is not best to it, whatever the equities
        best = pc.if_else(pa.array(keeps), done, pa.array([*first, *self._best_actions(), *none], pa.string()))
        place = np.full(len(order), -1, np.int32)
        place[self.rows] = np.arange(len(self.rows))
        place = place[order]
        xgid = pa.array(self._xgids(), pa.string()).take(pa.array(place, mask=place < 0))
        return {"xgid": xgid, "action": done.take(pa.array(order)), "best": best.take(pa.array(order))}

    def _plays(self) -> Iterator[tuple[str | None, str | None]]:
        """The play made and the first candidate of every play, in notation."""
        plays = self.match.plays
        rows = zip(plays.position.tolist(), plays.analysed.tolist(), (plays.validity != Validity.UNPLAYED.value).tolist(), strict=True)
        for match in self.matches:
            for number, play in enumerate(match.plays.play):
                board, analysed, played = next(rows)
                done = play_on(board, play) if played else None
                first = match.first_candidate(number) if analysed else None
                yield done, None if first is None else done if first == play else play_on(board, first)

    def _best_actions(self) -> Iterator[str | None]:
        cubes, view = self.match.cubes, self.scored.view
        response = view.kind >= Kind.TAKE.value
        second = np.where(response, view.double_take > view.double_pass, view.least >= view.no_double)
        known = (view.no_double == view.no_double) & ~cubes.answers_beaver
        for is_known, is_response, is_second in zip(known.tolist(), response.tolist(), second.tolist(), strict=True):
            yield CUBE_ACTIONS[is_response][is_second] if is_known else None

    def _xgids(self) -> list[str | None]:
        """Of plays, then of cube decisions; what is answered to a beaver has none."""
        plays, cubes, matches = self.match.plays, self.match.cubes, self.matches

        def both(name: str) -> Ints:
            found: Ints = np.concatenate((getattr(plays, name)[self.plays], getattr(cubes, name)[self.cubes]))
            return found

        game, seat, rolls = both("game"), both("player"), len(self.plays)
        owner = self.match_of_game[game]
        offered = np.zeros(len(game), bool)
        offered[rolls:] = cubes.kind[self.cubes] >= Kind.TAKE.value
        dice = np.zeros((len(game), 2), np.int64)
        dice[:rolls] = plays.dice[self.plays]
        length = np.array([match.length or 0 for match in matches])
        away = self.match.away[game]
        score = np.where(length[owner] > 0, length[owner] - away.T, 0).T
        of_money = np.array([match.rules.jacoby + 2 * match.rules.beavers for match in matches])
        found = xgids(
            Situations(
                position=both("position"),
                dice=dice,
                cube=both("cube"),
                owner=np.where(offered, -both("owner"), both("owner")),
                length=length[owner],
                score=np.stack((score[np.arange(len(game)), seat], score[np.arange(len(game)), 1 - seat]), axis=1),
                rules=np.where(length[owner] > 0, self.match.games.crawford[game], of_money[owner]),
                double_offered=offered,
                decider_is_top=seat == np.array([match.source.format in SECOND_PLAYER_ON_TOP for match in matches])[owner],
            )
        )
        beavers = cubes.answers_beaver[self.cubes].tolist()
        return found[:rolls] + [None if beaver else one for one, beaver in zip(found[rolls:], beavers, strict=True)]
