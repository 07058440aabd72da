"""One decision too few or too many: the figures without each decision of a player, or with it
twice, all at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from reconcile.document import Count, Document, Positive, Text
from reconcile.infer.reported import COUNTS, Reported, margin
from reconcile.infer.run import shown_in_part
from reconcile.infer.turning import kind_and_turn
from reconcile.match.columns import Bools, Floats, Ints, KindName
from reconcile.scoring.decision_table import identifiers_of
from reconcile.scoring.figures import cap_of, scale_of
from reconcile.scoring.metrics import figures_of
from reconcile.scoring.statistics import Statistics
from reconcile.scoring.sums import DecisionClass, Totals, by_class

TWO_WAYS: Final = 2
"""In which it may be one: too few, or too many."""
NO_EVIDENCE: Final = 0.6
"""How likely a count is one off by chance, where nothing else shows which decision it is."""


@dataclass(frozen=True, slots=True)
class Place(Document):
    """A decision of a match."""

    match: Text
    """Id of the match."""
    player: Text
    """Who decided."""
    game: Positive
    """Number of the game, from 1."""
    turn: Count
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    error: float
    """Equity lost (EMG)."""
    xgid: str
    """As XG takes it; empty where there is no such ID."""
    gnubg_id: str
    """gnuBG's `Position ID:Match ID`; empty where there is no such ID."""

    def __str__(self) -> str:
        shown = f", {self.xgid}" if self.xgid else ""
        return f"game {self.game}, turn {self.turn} ({self.kind}, error {self.error:.3f}{shown})"


def place_of(statistics: Statistics, row: int, match: str = "") -> Place:
    """A decision by its row in the match (with this id): plays, then cubes, then resignations."""
    scored = statistics.scored
    kind, turn = kind_and_turn(scored.match, row)
    game = int(scored.match.games.number[scored.game[row]])
    player, error = scored.match.names[int(scored.player[row])], float(scored.error[row])
    ids = identifiers_of(scored.match, row)
    return Place(match, player, game, turn, kind.label, error, *ids)


class WithEach(NamedTuple):
    """A player's figures with each decision more or less often."""

    rows: Ints
    """Of the decisions, in the match."""
    values: Floats
    """Shape (rows, figures); NaN where unknown."""
    fits: Bools
    """Which of the rows give every figure that is wanted."""


def with_each(
    statistics: Statistics,
    seat: int,
    game: int | None,
    wanted: Sequence[Reported],
    times: int,
    *,
    counted: bool = True,
) -> WithEach:
    """Figures with each of a player's decisions, of the match or a game (its index), `times` more
    often.

    `counted` chooses those that count, otherwise those that were analysed and do not count.
    """
    sums, rules, match = statistics.sums.of(game), statistics.rules, statistics.match
    scored, rows = statistics.scored, _decisions(statistics, seat, game, counted=counted)
    of_class = times * (scored.decision_class[rows, np.newaxis] == np.arange(len(DecisionClass)))
    columns = {
        "counted": np.ones(len(scored.error)),
        "error": scored.error,
        "loss": scored.loss,
    }
    changed = {
        name: by_class(sums[name][seat] + of_class * column[rows, np.newaxis])
        for name, column in columns.items()
    }
    shown = {part: bool(seats[seat]) for part, seats in shown_in_part(sums).items()}
    scale, cap = scale_of(rules, match.length == 1), cap_of(rules)
    moves, in_match = sums["moves"].sum(), not match.is_money
    totals = Totals(changed, shown, moves, scale=scale, cap=cap, in_match=in_match)
    names = [figure.metric for figure in wanted]
    figures = figures_of(totals, names)
    values = np.stack(
        [np.broadcast_to(np.asarray(figures[name], float), len(rows)) for name in names], axis=-1
    )
    off = np.abs(values - [figure.value for figure in wanted])
    return WithEach(rows, values, (off <= [margin(figure) for figure in wanted]).all(axis=-1))


def _decisions(statistics: Statistics, seat: int, game: int | None, *, counted: bool) -> Ints:
    """The rows of a player's decisions that count, or that were analysed and do not."""
    scored, match = statistics.scored, statistics.match
    own = ((scored.counted > 0) == counted) & (scored.player == seat)
    if not counted:
        analysed = np.concatenate((match.plays.analysed, match.cubes.analysed))
        own[: len(analysed)] &= analysed
        own[len(analysed) :] = False  # resignations
    return np.flatnonzero(own if game is None else own & (scored.game == game))


def chance(wanted: Sequence[Reported], plain: Floats, values: Floats) -> float:
    """How likely any of these decisions accounts for figures by chance: how much of the way from
    our figure to as far beyond the given one they cover, of the figure that proves most.

    `plain` are our figures, shape (figures), `values` those with each decision, shape (rows,
    figures).
    """
    least = NO_EVIDENCE
    for column, figure in enumerate(wanted):
        away = figure.value - plain[column]
        if figure.metric in COUNTS or abs(away) <= margin(figure):
            continue
        width = 2 * margin(figure)
        way = (values[:, column] - plain[column]) / away
        near = values[:, column][(way > 0) & (way < 2)]
        covered = len(np.unique(np.round(near / width))) * width
        least = min(least, covered / (2 * abs(away)))
    return float(least)
