"""What a match says of every decision, whatever the rules, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import chain, repeat
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.match.all_rows import kinds, over_all
from reconcile.match.board.identifiers import Situations, gnubg_ids, xgids
from reconcile.match.board.play import Play, carried_out, notation
from reconcile.match.board.position import START, position_keys, swap
from reconcile.match.columns import Bools, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.phases import phases
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.match.values import Texts

CHOICES: Final = np.array([0, 1, 1, 2, 2, 2, 3, 4])
"""By kind of decision what is chosen between: doubling or not, for example."""


class Facts:
    """Columns over the rows of `Match.plays`, then `Match.cubes`, then `Match.resignations`, each
    made when first used.

    Of many matches joined as one (`reconcile.scoring.score`), `matches` are these: what a file
    states once is theirs.
    """

    def __init__(self, match: Match, matches: Sequence[Match] = ()) -> None:
        self.match, self.matches = match, tuple(matches) or (match,)
        self.kind = kinds(match)
        """`Kind` of each."""

    def __len__(self) -> int:
        return len(self.kind)

    def filled(self, column: npt.NDArray[Any], absent: float = np.nan) -> npt.NDArray[Any]:
        """A column that only the first rows have, with `absent` in the others."""
        size = (len(self) - len(column), *column.shape[1:])
        kind = np.float64 if absent != absent else column.dtype
        return np.concatenate((column, np.full(size, absent, kind)))

    def both(self, name: str, absent: float) -> npt.NDArray[Any]:
        """A column of plays and of cube decisions."""
        both = [getattr(table, name) for table in (self.match.plays, self.match.cubes)]
        return self.filled(np.concatenate(both), absent)

    # -- place

    @cached_property
    def in_game(self) -> Ints:
        """The row of its game in `Match.games`."""
        game: Ints = over_all(self.match, "game")
        return game

    @cached_property
    def in_match(self) -> Ints:
        """Which of the matches it is of."""
        sizes = [len(match.games) for match in self.matches]
        return np.repeat(np.arange(len(sizes)), sizes)[self.in_game]

    @cached_property
    def seat(self) -> Ints:
        """Of who decides."""
        seat: Ints = over_all(self.match, "player")
        return seat

    # -- situation

    @cached_property
    def dice(self) -> Ints:
        """Shape (rows, 2); 0 where nothing is rolled."""
        return self.filled(self.match.plays.dice, 0)

    @cached_property
    def cube(self) -> Ints:
        """Its value before the decision."""
        cube: Ints = over_all(self.match, "cube")
        return cube

    @cached_property
    def owner(self) -> Ints:
        """Who owns it, before a double: 1 the player on roll, -1 the other; 0 for resignations."""
        return self.both("owner", 0)

    @cached_property
    def away(self) -> Ints:
        """Shape (rows, 2): points that the decider and the opponent need; 0 for money."""
        away = self.match.away[self.in_game]
        return np.where(self.seat[:, np.newaxis] == 0, away, away[:, ::-1])

    @cached_property
    def jacoby(self) -> Bools:
        """Whether the Jacoby rule is played; never in a match."""
        # Money sessions with and without it are scored together.
        played = np.array([each.is_money and each.rules.jacoby for each in self.matches])
        return played[self.in_match]

    @cached_property
    def phase(self) -> Ints:
        """An index of `reconcile.match.phases.PHASES`; -1 for resignations."""
        return self.filled(phases(self.match), -1)

    @cached_property
    def position(self) -> Ints:
        """Shape (rows, 26), in the decider's view: before the decision; of a resignation that after
        the last play of the game."""
        plays, cubes = self.match.plays.position, self.match.cubes.position
        resigned = np.array([*self._resigned()], plays.dtype).reshape(-1, plays.shape[1])
        return np.concatenate((plays, cubes, resigned))

    def _resigned(self) -> Iterator[Sequence[int]]:
        plays, resigned = self.match.plays, self.match.resignations
        rows = np.searchsorted(plays.game, resigned.game, "right") - 1
        for row, game, player in zip(rows, resigned.game, resigned.player, strict=True):
            if row < 0 or plays.game[row] != game:
                yield START
                continue
            position = tuple(plays.position[row].tolist())
            if plays.validity[row] != Validity.UNPLAYED.value:
                position = carried_out(position, plays.play[row])
            yield position if plays.player[row] == player else swap(position)

    # -- what was done, and what the tool said

    @cached_property
    def played(self) -> Texts:
        """The play in notation, the label of a cube action; missing for a roll that was not
        played."""
        plays = self.match.plays
        columns = (play for match in self.matches for play in match.plays.play)
        played = self.with_kinds(notation(columns, plays.position))
        unplayed = np.flatnonzero(plays.validity == Validity.UNPLAYED.value)
        number = played.number.copy()
        number[unplayed] = -1
        return Texts(number, played.texts)

    @cached_property
    def first(self) -> Texts:
        """The tool's first candidate of every play that it evaluated."""
        return notation(self._first(), self.match.plays.position)

    @cached_property
    def candidates(self) -> npt.NDArray[np.object_]:
        """The plays that the tool considered, as `Match.candidates` has them; none of any other
        decision."""
        plays = (match.candidates(row) for match in self.matches for row in range(len(match.plays)))
        no_plays = repeat((), len(self) - len(self.match.plays))
        return np.fromiter(chain(plays, no_plays), object)

    def _first(self) -> Iterator[Play | None]:
        for match in self.matches:
            for row, analysed in enumerate(match.plays.analysed.tolist()):
                yield match.first_candidate(row) if analysed else None

    def with_kinds(self, plays: Texts) -> Texts:
        """Texts of plays, and the label of its kind for every other decision."""
        number = self.kind + len(plays.texts)
        number[: len(plays.number)] = plays.number
        return Texts(number, [*plays.texts, *LABELS])

    @cached_property
    def level(self) -> Texts:
        """How deep the tool looked, in its own words; of joined matches it means nothing."""
        return Texts(self.both("level", -1), [level.label for level in self.match.levels], "")

    # -- identifiers

    @cached_property
    def xgid(self) -> npt.NDArray[Any]:
        """As XG takes it; empty where there is no ID, as of a resignation or of the answer to a
        beaver."""
        return self.identified(xgids)

    @cached_property
    def gnubg_id(self) -> npt.NDArray[Any]:
        """gnuBG's `Position ID:Match ID`; empty where there is no XGID."""
        return self.identified(gnubg_ids)

    def identifiers(self, row: int) -> tuple[str, str]:
        """Both of one row."""
        return self.xgid[row], self.gnubg_id[row]

    def identified(
        self,
        ids: Callable[[Situations], list[str]],
        rows: Ints | slice = slice(None),
    ) -> npt.NDArray[Any]:
        """The identifiers of some rows."""
        nowhere: Bools = self.kind >= Kind.RESIGN.value
        first = len(self.match.plays)
        nowhere[first : first + len(self.match.cubes)] = self.match.cubes.answers_beaver
        return np.where(nowhere[rows], "", np.array(ids(self.situations(rows)), object))

    def situations(self, rows: Ints | slice) -> Situations:
        """What each depends on."""
        kind, game, match = self.kind[rows], self.in_game[rows], self.in_match[rows]
        offered = (kind >= Kind.TAKE.value) & (kind < Kind.RESIGN.value)
        length = np.array([each.length or 0 for each in self.matches])[match]
        rules = np.array([each.rules.jacoby + 2 * each.rules.beavers for each in self.matches])
        top = np.array([each.source.format in SECOND_PLAYER_ON_TOP for each in self.matches])
        is_money = (length == 0)[:, np.newaxis]
        return Situations(
            position=self.position[rows],
            dice=self.dice[rows],
            cube=self.cube[rows],
            owner=np.where(offered, -self.owner[rows], self.owner[rows]),
            length=length,
            score=np.where(is_money, 0, length[:, np.newaxis] - self.away[rows]),
            rules=np.where(length > 0, self.match.games.crawford[game], rules[match]),
            double_offered=offered,
            decider_is_top=self.seat[rows] == top[match],
        )

    @cached_property
    def position_key(self) -> npt.NDArray[np.uint8]:
        """Shape (rows, 10): the bytes of its Position ID; every position has to be possible."""
        return position_keys(self.position)

    @cached_property
    def key(self) -> Ints:
        """A number that the same decision has in every match: position, dice, cube, score and rules
        are the same; the response to a double is another decision."""
        return _mixed(
            *self.position_key.view("<u2").T,
            self.dice.max(axis=1),
            self.dice.min(axis=1),
            self.cube,
            self.owner,
            *self.away.T,
            self.match.games.crawford[self.in_game],
            self.jacoby,
            CHOICES[self.kind],
        )


LABELS: Final = tuple(kind.label for kind in Kind)


def _mixed(*columns: Any) -> Ints:
    """A number from whole numbers of each row, the same on every machine: splitmix64 over them."""
    state = np.zeros(len(columns[0]), np.uint64)
    for column in columns:
        state = (state ^ column.astype(np.int64).view(np.uint64)) + np.uint64(0x9E3779B97F4A7C15)
        state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        state ^= state >> np.uint64(31)
    return (state >> np.uint64(1)).astype(np.int64)
