"""Every decision of a match under a rule set as one table: what was done, what was best, what it
lost, and whether it counts.

Units do not depend on the format of the file: equities and errors are EMG, chances are of winning
the match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.match.all_rows import evaluated, over_all
from reconcile.match.board.identifiers import NO_DICE, Situation, gnubg_id, xgid
from reconcile.match.board.play import play_text
from reconcile.match.columns import Bools, Cubes, Floats, Kind, Plays, Validity
from reconcile.match.match import Match
from reconcile.match.met.equity import chance_of, stakes
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.notebook import NotebookTable, one_line
from reconcile.rules.rulesets import Q02, Q04
from reconcile.scoring.dead_cubes import is_dead

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.scoring.score import Scored

COLUMNS: Final = {
    "game": "int64",
    "turn": "int64",
    "player": "object",
    "seat": "int64",
    "kind": "object",
    "dice": "object",
    "played": "object",
    "best": "object",
    "equity_played": "float64",
    "equity_best": "float64",
    "error": "float64",
    "error_mwc_percent": "float64",
    "counted": "bool",
    "why_not": "object",
    "level": "object",
    "luck": "float64",
    "chance_before": "float64",
    "chance_after": "float64",
    "xgid": "object",
    "gnubg_id": "object",
}
"""The columns in their order, with the type of each."""
STAGE: Final = np.array([2, 0, 0, 1, 1, 1, 3, 4])
"""By kind: within a turn the cube action, the response, the play, a resignation and its answer."""
NOT_ANALYSED: Final = "not-analysed"
UNPLAYED: Final = "unplayed"
ILLEGAL: Final = "illegal"
KINDS: Final = np.array([kind.label for kind in Kind], object)


@dataclass(frozen=True, eq=False, repr=False)
class DecisionTable(NotebookTable):
    """Decisions in the order played, one row each.

    - `game`, `turn`: numbers as in the file, from 1
    - `player`, `seat`: who decides: the name, and 0 or 1 in the order of the file's players
    - `kind`: `play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign`, `accept-resign`
    - `dice`: as rolled, `31`; missing for a cube decision
    - `played`, `best`: what was done and what is best: plays in notation, cube actions as in
      `kind`; missing where unknown
    - `equity_played`, `equity_best`: their equities (EMG, decider's view, cube before the
      decision); missing where the file has none
    - `error`: what the rule set charges (EMG); 0 where nothing, missing where not analysed. It adds
      up to `equity_error.total`
    - `error_mwc_percent`: the same in match winning chance (percentage points); missing for money
    - `counted`: whether it counts under the rule set
    - `why_not`: the question that leaves it out (`Q01`...), `not-analysed`, `unplayed` or
      `illegal`; empty where it counts
    - `level`: how deep the tool looked, in its own words; empty where not analysed
    - `luck`: equity (EMG) gained by the roll; missing for cube decisions
    - `chance_before`, `chance_after`: the decider's chance of winning the match (0 to 1), with the
      best and with what was done; missing for money
    - `xgid`, `gnubg_id`: the decision as either tool takes it; empty where there is no such ID (a
      resignation, the answer to a beaver)
    """

    columns: Mapping[str, npt.NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["game"])

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.columns[name]

    def __repr__(self) -> str:
        counted = int(self.columns["counted"].sum())
        return one_line(self, f"{len(self)} decisions, {counted} of them counted")

    def to_frame(self) -> pd.DataFrame:
        """The table of pandas."""
        import pandas as pd

        return pd.DataFrame(
            {name: pd.Series(column, dtype=column.dtype) for name, column in self.columns.items()}
        )

    def to_arrow(self) -> Any:
        """The table of Arrow; needs pyarrow."""
        table = import_module("pyarrow").Table
        return table.from_pandas(self.to_frame(), preserve_index=False)


class Decisions:
    """The columns of a scored match; rows are those of `Scored`, resignations only where the rules
    count them."""

    def __init__(self, scored: Scored) -> None:
        self.scored, self.match = scored, scored.match
        plays, cubes = len(self.match.plays), len(self.match.cubes)
        self.plays, self.cubes, self.others = (
            slice(plays),
            slice(plays, plays + cubes),
            slice(plays + cubes, None),
        )
        self.size = len(scored.error)
        self.resigned = self.size - plays - cubes

    def table(self, names: Sequence[str] = tuple(COLUMNS)) -> DecisionTable:
        """Some columns, by default all, in the order played."""
        return DecisionTable(
            {name: column[self.order] for name, column in self.columns(names).items()}
        )

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """The rows of `Scored` in the order played."""
        place = self.columns(("game", "turn"))
        return np.lexsort((STAGE[self.scored.kind], place["turn"], place["game"]))

    def columns(self, names: Sequence[str] = tuple(COLUMNS)) -> dict[str, npt.NDArray[Any]]:
        """Some columns, by default all, by the rows of `Scored`."""
        match, scored = self.match, self.scored
        columns: dict[str, Callable[[], Any]] = {
            "game": lambda: match.games.number[scored.game],
            "turn": lambda: match.turns[: self.size],
            "player": lambda: np.array(match.names, object)[scored.player],
            "seat": lambda: scored.player,
            "kind": lambda: KINDS[scored.kind],
            "dice": lambda: self._texts(
                f"{first}{second}" for first, second in match.plays.dice.tolist()
            ),
            "played": self._played,
            "best": self._best,
            "equity_played": lambda: self.equities[0],
            "equity_best": lambda: self.equities[1],
            "error": lambda: self._error,
            "error_mwc_percent": self._loss,
            "counted": lambda: scored.counted,
            "why_not": self._why_not,
            "level": self._levels,
            "luck": lambda: np.concatenate(
                (match.plays.luck, np.full(self.size - len(match.plays), np.nan))
            ),
            "chance_before": lambda: self.chances[0],
            "chance_after": lambda: self.chances[1],
            "xgid": lambda: self._identifiers[:, 0],
            "gnubg_id": lambda: self._identifiers[:, 1],
        }
        return {name: np.asarray(columns[name]()).astype(COLUMNS[name]) for name in names}

    @cached_property
    def _error(self) -> Floats:
        """What decisions cost (EMG); NaN where the tool evaluated nothing and nothing is
        charged."""
        error: Floats = np.where(
            self.analysed | (self.scored.error != 0), self.scored.error, np.nan
        )
        return error

    def _loss(self) -> Floats:
        """The same in match winning chance (percentage points); NaN for money."""
        unknown = self.match.is_money or self._error != self._error
        loss: Floats = np.where(unknown, np.nan, 100.0 * self.scored.loss)
        return loss

    @cached_property
    def _identifiers(self) -> npt.NDArray[Any]:
        """XGID and gnuBG ID by row."""
        return np.array(
            [identifiers_of(self.match, row) for row in range(self.size)], object
        ).reshape(self.size, 2)

    @cached_property
    def analysed(self) -> Bools:
        """Whether the tool evaluated it."""
        return evaluated(self.match)[: self.size]

    @cached_property
    def equities(self) -> tuple[Floats, Floats]:
        """Of what was done and of the best, in the decider's view."""
        plays, view = self.match.plays, self.scored.view
        kind = view.kind
        response = kind >= Kind.TAKE.value
        done = np.select(
            [kind == Kind.NO_DOUBLE.value, kind == Kind.DOUBLE.value, kind == Kind.PASS.value],
            [view.no_double, view.least, -view.double_pass],
            -view.double_take,
        )
        best = np.where(response, -view.least, view.best)
        analysed = self.match.cubes.analysed
        cubes = (np.where(analysed, equity, np.nan) for equity in (done, best))
        none = np.full(self.resigned, np.nan)
        rolled = (np.where(plays.analysed, equity, np.nan) for equity in (plays.played, plays.best))
        played, wanted = (
            np.concatenate((equity, two, none)).astype(np.float64)
            for equity, two in zip(rolled, cubes, strict=True)
        )
        return played, wanted

    @cached_property
    def chances(self) -> tuple[Floats, Floats]:
        """Of winning the match, with the best and with what was done; NaN for money."""
        match, scored = self.match, self.scored
        if match.is_money:
            return np.full(self.size, np.nan), np.full(self.size, np.nan)
        cube = over_all(match, "cube")[: self.size]
        win, lose = stakes(match, scored.met, int(cube.max(initial=1))).of(
            scored.game, scored.player, cube
        )
        played, best = self.equities
        return chance_of(best, win, lose), chance_of(played, win, lose)

    def _why_not(self) -> npt.NDArray[Any]:
        """By row the question that leaves a decision out."""
        scored, match, rules = self.scored, self.match, self.scored.rules
        why = np.full(self.size, "", object)
        plays, cubes, view = match.plays, match.cubes, scored.view
        why[self.plays] = "Q01"
        why[self.plays][~plays.analysed] = NOT_ANALYSED
        why[self.plays][plays.validity == Validity.ILLEGAL.value] = ILLEGAL
        why[self.plays][plays.validity == Validity.UNPLAYED.value] = UNPLAYED
        of_cubes = np.where(view.acted, "Q15", "Q02").astype(object)
        of_cubes[~view.acted & rules.value(Q02)(view)] = "Q03"
        of_cubes[~rules.value(Q04)(view)] = "Q04"
        of_cubes[~cubes.analysed] = NOT_ANALYSED
        of_cubes[cubes.answers_beaver] = "Q14"
        of_cubes[is_dead(match) & ~view.acted & ~cubes.analysed] = "Q16"
        why[self.cubes] = of_cubes
        why[self.others] = "Q07"
        why[scored.counted] = ""
        return why

    def _levels(self) -> npt.NDArray[Any]:
        labels = np.array([*(level.label for level in self.match.levels), ""], object)
        return np.concatenate(
            (
                labels[self.match.plays.level],
                labels[self.match.cubes.level],
                np.full(self.resigned, "", object),
            )
        )

    def _texts(self, of_plays: Iterator[str | None]) -> npt.NDArray[Any]:
        """A column of texts that only plays have."""
        texts = np.full(self.size, None, object)
        texts[self.plays] = np.array([*of_plays], object)
        return texts

    def _notation(self, row: int, play: Any) -> str | None:
        return (
            None
            if play is None
            else play_text(tuple(self.match.plays.position[row].tolist()), play)
        )

    def _played(self) -> npt.NDArray[Any]:
        plays = self.match.plays
        unplayed = (plays.validity == Validity.UNPLAYED.value).tolist()
        texts = self._texts(
            None if unplayed[row] else self._notation(row, plays.play[row])
            for row in range(len(plays))
        )
        return np.where(self.scored.kind == Kind.PLAY.value, texts, KINDS[self.scored.kind])

    def _best(self) -> npt.NDArray[Any]:
        """What was done is the best where nothing is better: of equal candidates the first may be
        another."""
        match, view = self.match, self.scored.view
        analysed, played = match.plays.analysed.tolist(), self._played()
        first = (
            match.first_candidate(row) if analysed[row] else None for row in range(len(match.plays))
        )
        texts = self._texts(self._notation(row, play) for row, play in enumerate(first))
        evaluated = match.cubes.analysed & (view.no_double == view.no_double)
        doubled = view.access & (view.least >= view.no_double)
        actions = np.where(doubled, KINDS[Kind.DOUBLE.value], KINDS[Kind.NO_DOUBLE.value])
        answers = np.where(
            view.double_take <= view.double_pass, KINDS[Kind.TAKE.value], KINDS[Kind.PASS.value]
        )
        texts[self.cubes] = np.where(
            evaluated, np.where(view.kind >= Kind.TAKE.value, answers, actions), None
        )
        done, best = self.equities
        return np.where(done == best, played, texts)


def located(match: Match, row: int) -> tuple[Plays | Cubes | None, int]:
    """The table of a row (plays, then cubes) and its place there; no table for a resignation."""
    plays = len(match.plays)
    if row < plays:
        return match.plays, row
    return match.cubes if row < plays + len(match.cubes) else None, row - plays


def identifiers_of(match: Match, row: int) -> tuple[str, str]:
    """XGID and gnuBG's `Position ID:Match ID` of a row (plays, then cubes); empty where no such ID
    exists."""
    try:
        decided = situation_of(match, row)
    except ValueError:
        return "", ""
    return (xgid(decided), gnubg_id(decided)) if decided else ("", "")


def situation_of(match: Match, row: int) -> Situation | None:
    """The situation of a row (plays, then cubes); `None` for a resignation or the answer to a
    beaver, which no ID describes.

    Raises `ValueError` where it cannot be, as in a damaged game.
    """
    table, index = located(match, row)
    response = isinstance(table, Cubes) and int(table.kind[index]) >= Kind.TAKE
    if table is None or (response and match.cubes.answers_beaver[index]):
        return None
    game, seat, owner = int(table.game[index]), int(table.player[index]), int(table.owner[index])
    score, position = match.games.score[game].tolist(), table.position[index].tolist()
    first, second = table.dice[index].tolist() if isinstance(table, Plays) else NO_DICE
    return Situation(
        position=tuple(position),
        dice=(first, second),
        cube=int(table.cube[index]),
        owner=-owner if response else owner,
        length=match.length,
        score=(0, 0) if match.is_money else (score[seat], score[1 - seat]),
        crawford=not match.is_money and bool(match.games.crawford[game]),
        jacoby=match.is_money and match.rules.jacoby,
        beavers=match.is_money and match.rules.beavers,
        double_offered=response,
        decider_is_top=seat == int(match.source.format in SECOND_PLAYER_ON_TOP),
    )
