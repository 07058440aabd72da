"""Every decision of a match under a rule set as one table: the place, the situation, what was done,
what the tool says of it, what it cost, and whether it counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from reconcile.match.board.position import PHASES
from reconcile.match.columns import Bools, Floats, Ints, Kind, Validity
from reconcile.match.match import LABELS, STAGE, Facts, framed, widest
from reconcile.match.met.equity import chance_of, stakes
from reconcile.match.values import Texts, once
from reconcile.notebook import NotebookTable, one_line
from reconcile.rules.rulesets import Q02, Q04
from reconcile.scoring.score import is_dead

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.scoring.score import Scored

Column = npt.NDArray[Any]
Coded = Column | Texts
COLUMNS = (
    *("game", "turn", "player", "seat", "kind", "dice", "position", "cube", "away"),
    *("opponent_away", "played", "best", "equity_played", "equity_best", "no_double"),
    *("double_take", "double_pass", "error", "error_mwc_percent", "counted", "why_not", "level"),
    *("luck", "chance_before", "chance_after", "xgid", "gnubg_id"),
)
"""Those of the public table in their order."""
NOT_ANALYSED = "not-analysed"
UNPLAYED = "unplayed"
ILLEGAL = "illegal"


class DecisionTable(NotebookTable):
    """Decisions in the order played, one row each.

    - `game`, `turn`: numbers as in the file, from 1
    - `player`, `seat`: who decides: the name, and 0 or 1 in the order of the file's players
    - `kind`: `play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign`, `accept-resign`
    - `dice`: as rolled, `31`; missing for a cube decision
    - `position`: 26 signed counts in the decider's view: index 0 the opponent's bar, 1 to 24 the
      points, 25 the own bar; of a resignation the position after the last play
    - `cube`: its value before the decision
    - `away`, `opponent_away`: points the decider and the opponent still need; missing for money
    - `played`, `best`: what was done and what is best: plays in notation, cube actions as in
      `kind`; missing where unknown
    - `equity_played`, `equity_best`: their equities (EMG, decider's view, cube before the
      decision); missing where the file has none
    - `no_double`, `double_take`, `double_pass`: the three equities of a cube decision (EMG, view of
      the player on roll, cube before the decision); missing where the file has none
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

    Asked for by name it also has `owner` of the cube, `crawford` and `jacoby`, `phase` of the game,
    `comment`, and `candidates`, the plays that the tool considered.
    """

    def __init__(
        self, size: int, make: Callable[[str], Coded], names: Sequence[str] = COLUMNS
    ) -> None:
        """`make` gives a column by its name."""
        self.size, self.names = size, tuple(names)
        self._make, self._columns = make, dict[str, Coded]()
        self._spelled = dict[str, Column]()

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, name: str) -> Column:
        column = self.coded(name)
        if not isinstance(column, Texts):
            return column
        if name not in self._spelled:
            self._spelled[name] = column.spelled()
        return self._spelled[name]

    def coded(self, name: str) -> Coded:
        """The same, texts by their numbers."""
        if name not in self._columns:
            self._columns[name] = self._make(name)
        return self._columns[name]

    def listed(self, name: str) -> list[Any]:
        """The same as plain values, `None` where unknown."""
        return [None if value != value else value for value in self[name].tolist()]

    def texts(self, name: str) -> Texts:
        """A column of texts by their numbers."""
        column = self.coded(name)
        assert isinstance(column, Texts), name
        return column

    def __repr__(self) -> str:
        counted = int(self["counted"].sum())
        return one_line(self, f"{len(self)} decisions, {counted} of them counted")

    @property
    def columns(self) -> Mapping[str, Column]:
        """Every column of the public table."""
        return {name: self[name] for name in self.names}

    def take(self, rows: Ints) -> DecisionTable:
        """Some of the decisions, in this order."""
        return DecisionTable(len(rows), lambda name: self.coded(name)[rows], self.names)

    def with_columns(
        self, columns: Mapping[str, Column], shown: Sequence[str] = ()
    ) -> DecisionTable:
        """The same decisions with these columns; those `shown` are the first of the public
        table."""
        return DecisionTable(
            len(self),
            lambda name: columns[name] if name in columns else self.coded(name),
            (*shown, *self.names),
        )

    def to_frame(self) -> pd.DataFrame:
        """The table of pandas."""
        position = np.fromiter(map(tuple, self["position"].tolist()), object)
        return framed({**self.columns, "position": position})

    def to_arrow(self) -> Any:
        """The table of Arrow; needs pyarrow."""
        table = import_module("pyarrow").Table
        return table.from_pandas(self.to_frame(), preserve_index=False)


def stacked(tables: Sequence[DecisionTable]) -> DecisionTable:
    """Tables below each other."""
    return DecisionTable(
        sum(map(len, tables)),
        lambda name: np.concatenate([table[name] for table in tables]),
        tables[0].names,
    )


def decision_table(scored: Scored, facts: Facts) -> DecisionTable:
    """The decisions of a scored match by the rows of its facts, which several rule sets may
    share."""
    return DecisionTable(len(facts), Judged(scored, facts).column)


@once
def decisions_of(scored: Scored) -> DecisionTable:
    """The same by its own facts, made once."""
    return decision_table(scored, scored.facts)


def in_order(scored: Scored) -> DecisionTable:
    """Those of which the rules have a row, in the order played."""
    table, size = decision_table(scored, scored.facts), len(scored.error)
    places = (table[name][:size] for name in ("stage", "turn", "game"))
    return table.take(np.lexsort([*places]))


class Judged:
    """The columns of a match under a rule set, by the rows of its facts; where the rules leave
    resignations out, these do not count and cost nothing that is known."""

    def __init__(self, scored: Scored, facts: Facts) -> None:
        self.scored, self.facts, self.match = scored, facts, scored.match
        plays, cubes = len(self.match.plays), len(self.match.cubes)
        self.plays, self.cubes = slice(plays), slice(plays, plays + cubes)

    def column(self, name: str) -> Coded:
        """A column by its name."""
        make = self._columns.get(name)
        column: Coded = make() if make else getattr(self.facts, name)
        return column if isinstance(column, Texts) else widest(column)

    @cached_property
    def _columns(self) -> Mapping[str, Callable[[], Coded]]:
        facts, scored, match = self.facts, self.scored, self.match
        view = scored.view
        return {
            "game": lambda: match.games.number[facts.in_game],
            "turn": lambda: match.turns,
            "kind": lambda: facts.label,
            "dice": lambda: facts.roll,
            "crawford": lambda: match.games.crawford[facts.in_game],
            "phase": lambda: Texts(facts.phase, PHASES, ""),
            "comment": self._comments,
            "away": lambda: facts.needed[:, 0],
            "opponent_away": lambda: facts.needed[:, 1],
            "best": self.best,
            "wanted": self.wanted,
            "equity_played": lambda: self.equities[0],
            "equity_best": lambda: self.equities[1],
            "no_double": lambda: self._of_cubes(view.no_double),
            "double_take": lambda: self._of_cubes(view.double_take),
            "double_pass": lambda: self._of_cubes(view.double_pass),
            "error": lambda: self.error,
            "error_mwc_percent": lambda: self.loss,
            "counted": lambda: facts.filled(scored.counted, 0),
            "why_not": self._why_not,
            "luck": lambda: facts.filled(match.plays.luck),
            "chance_before": lambda: self.chances[0],
            "chance_after": lambda: self.chances[1],
            "row": lambda: np.arange(len(facts)),
            "stage": lambda: STAGE[facts.kind],
            "validity": lambda: facts.filled(match.plays.validity, Validity.VALID.value),
            "stored_error": lambda: facts.filled(facts.both("stored_error")),
            "kind_number": lambda: facts.kind,
            "evaluated": lambda: match.evaluated,
            "answers_beaver": lambda: self._whether(match.cubes.answers_beaver),
            "access": lambda: self._whether(view.access),
            "dead": lambda: self._whether(is_dead(match) & ~view.acted),
        }

    def _of_cubes(self, column: Floats) -> Floats:
        filled = np.full(len(self.facts), np.nan)
        filled[self.cubes] = np.where(self.match.cubes.analysed, column, np.nan)
        return filled

    def _whether(self, column: Bools) -> Bools:
        """A mask of cube decisions; nothing else is in it."""
        mask = np.zeros(len(self.facts), bool)
        mask[self.cubes] = column
        return mask

    @cached_property
    def error(self) -> Floats:
        """What decisions cost (EMG); NaN where the tool evaluated nothing and nothing is
        charged."""
        charged = self.facts.filled(self.scored.error)
        return np.where(self.match.evaluated | (charged != 0), charged, np.nan)

    @cached_property
    def loss(self) -> Floats:
        """The same in match winning chance (percentage points); NaN for money."""
        lost: Floats = 100.0 * self.facts.filled(self.scored.loss)
        is_known = (self.error == self.error) & (not self.match.is_money)
        return np.where(is_known, lost, np.nan)

    @cached_property
    def equities(self) -> tuple[Floats, Floats]:
        """Of what was done and of the best, in the decider's view."""
        plays, view = self.match.plays, self.scored.view
        kind = view.kind
        done = np.select(
            [kind == Kind.NO_DOUBLE.value, kind == Kind.DOUBLE.value, kind == Kind.PASS.value],
            [view.no_double, view.least, -view.double_pass],
            -view.double_take,
        )
        best = np.where(kind >= Kind.TAKE.value, -view.least, view.best)
        played, wanted = self._of_cubes(done), self._of_cubes(best)
        played[self.plays] = np.where(plays.analysed, plays.played, np.nan)
        wanted[self.plays] = np.where(plays.analysed, plays.best, np.nan)
        return played, wanted

    @cached_property
    def chances(self) -> tuple[Floats, Floats]:
        """Of winning the match, with the best and with what was done; NaN for money."""
        played, best = self.equities
        if self.match.is_money:
            return np.full_like(best, np.nan), np.full_like(best, np.nan)
        facts, cube = self.facts, self.facts.cube
        at_stake = stakes(self.match, self.scored.met, int(cube.max(initial=1)))
        win, lose = at_stake.of(facts.in_game, facts.seat, cube)
        return chance_of(best, win, lose), chance_of(played, win, lose)

    def best(self) -> Texts:
        """What was done is the best where nothing is better: of equal candidates the first may be
        another."""
        played, best = self.equities
        return self.facts.played.where(played == best, self.wanted())

    def wanted(self) -> Texts:
        """The tool's first play, and by the equities the best cube action; missing where it gives
        none."""
        wanted = self.facts.with_kinds(self.facts.first)
        plays, number = len(wanted.texts) - len(LABELS), wanted.number.copy()
        number[self.plays.stop :] = -1
        number[self.cubes] = self._best_kinds(plays)
        return Texts(number, wanted.texts)

    def _best_kinds(self, first: int) -> Ints:
        """Of every cube decision the best action, as numbers from `first` on by kind; -1 where it
        is not known."""
        view = self.scored.view
        response = view.kind >= Kind.TAKE.value
        doubled = view.access & (view.least >= view.no_double)
        second = np.where(response, view.double_take > view.double_pass, doubled)
        is_known = self.match.cubes.analysed & (view.no_double == view.no_double)
        return np.where(is_known, first + Kind.NO_DOUBLE.value + 2 * response + second, -1)

    def _comments(self) -> Column:
        """What somebody wrote about each; empty where nobody did."""
        facts, match = self.facts, self.match
        places = zip(facts.in_game.tolist(), match.turns.tolist(), facts.kind.tolist(), strict=True)
        return np.array([match.comments.get(place, "") for place in places], object)

    def _why_not(self) -> Column:
        """By row the question that leaves a decision out."""
        match, rules, view = self.match, self.scored.rules, self.scored.view
        why = np.full(len(self.facts), "Q07", object)
        plays, cubes = match.plays, match.cubes
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
        why[np.flatnonzero(self.scored.counted)] = ""
        return why
