"""Figures of a match under a rule set: per player, for the match and for every game.

Sums are kept per game, player and class in double precision; a figure of the match is computed from
sums over games, never from rates. An unknown figure is `None`. (gnuBG's own single-precision sums,
to the last bit, are in `reconcile.scoring.gnubg_table`.)

Luck beside skill: who played a match better, and BGBlitz's own luck, the result minus the
difference in skill.

In a match a game changes a player's chance of winning it from that at the score before to that at
the score after; what the players' errors do not explain of this change is BGBlitz's luck. In money
play the points won take the place of the chances, 0 for a game that was broken off, and the errors
are weighed in equity whatever the cube. Source: the `luck` of every game in 11 files of BGBlitz,
which holds it in the view of the second player (red).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from reconcile.document import Count, Document
from reconcile.errors import InvalidArgument, UnknownName, UnreadableFile, expect
from reconcile.language import word
from reconcile.match.columns import UNKNOWN_COUNT, Floats, Ints, Plays, Validity
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, AnyMet, Met, load_met
from reconcile.match.met.equity import chance_after_game, chance_at_score, cost, own_table
from reconcile.match.values import Value
from reconcile.notebook import NotebookTable, one_line, short, short_file
from reconcile.rules.rulesets import Q11, RuleSet, own_rules, rule_set
from reconcile.scoring.figures import (
    ALIASES,
    METRICS,
    Figures,
    by_player,
    figures_of,
    of_player,
    point_factor,
    totals_of,
    uncapped_pr,
)
from reconcile.scoring.grades import graded
from reconcile.scoring.score import Scored, score
from reconcile.scoring.sums import EXPECTED, DecisionClass, Group, Sums, Totals, complete
from reconcile.wording import did_you_mean

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.scoring.decisions import DecisionTable


MOST_SEQUENCES = 100_000
"""Sequences of moves tried to find forced plays if the file does not mark them; a roll takes about
three."""
JOKER = 0.20
"""Luck of a roll (EMG) from which XG calls it a joker."""
SMALLEST_LUCK = 1e-4
"""Luck of a roll (EMG) below which it has none: XG's files hold float noise up to 2e-5 in decided
games."""


class NamedFigures(dict[str, float | int | None]):
    """Figures by the name of their metric, totals also by their short name; another name raises
    `UnknownName`, with the name that is meant."""

    def __missing__(self, name: object) -> float | int | None:
        if name in ALIASES:
            return self[ALIASES[str(name)]]
        raise UnknownName(f"no figure {name!r}{did_you_mean(str(name), self)}")


@dataclass(frozen=True, slots=True)
class Coverage(Document):
    """How many of the decisions of a full analysis are evaluated."""

    expected: Count
    """Decisions that a full analysis evaluates."""
    analysed: Count
    """Decisions evaluated in this file."""

    @property
    def complete(self) -> bool:
        """Whether the figures that rest on them are shown."""
        return bool(complete(self.analysed, self.expected))


PARTS = {"checker": "checker plays", "cube": "cube decisions", "luck": "rolls with luck"}
"""The parts of an analysis in words."""


def lacking(
    covered: Mapping[str, Coverage], parts: Collection[str] = ("checker", "cube")
) -> list[str]:
    """Why no figure that rests on these parts is shown: `9 of 50 cube decisions`; empty where they
    are."""
    return [
        word("lacks", part, **asdict(covered[part]))
        for part in PARTS
        if part in parts and not covered[part].complete
    ]


@dataclass(frozen=True, eq=False)
class Statistics(Value, NotebookTable):
    """Every figure of one match under one rule set."""

    scored: Scored
    legal: Ints | None = field(default=None, compare=False)
    """Number of different results of every roll, where it is known already, see `legal_plays`."""

    def __repr__(self) -> str:
        figures = ", ".join(
            f"{short(name)} PR {self._pr(seat)}" for seat, name in enumerate(self.match.names)
        )
        return one_line(
            self,
            f"{short_file(self.match.source.path)} under {self.rules.name}, "
            f"{self.scored.met.name}: {figures}",
        )

    def _pr(self, seat: int) -> str:
        try:
            return METRICS["pr"].shown(self.figures(seat)["pr"])
        except UnreadableFile:
            return METRICS["pr"].shown(None)

    def decisions(self) -> DecisionTable:
        """Every decision as one row: what was done, what was best, what it lost and whether it
        counts, in the order played."""
        from reconcile.scoring.decisions import in_order

        return in_order(self.scored)

    @property
    def match(self) -> Match:
        """The match that was scored."""
        return self.scored.match

    @property
    def rules(self) -> RuleSet:
        """The rules as far as the file supports them."""
        return self.scored.rules

    @property
    def scale(self) -> float:
        """By which rates per decision are multiplied, as Q09 answers it."""
        return float(point_factor(self.rules, self.match.length == 1))

    @cached_property
    def sums(self) -> Sums:
        """Every sum of which figures are made: by class, by the kind of decision, of cube decisions
        and of rolls."""
        return Sums(
            len(self.match.games),
            of_decisions(self.scored),
            graded(self.scored),
            *self.without_rules,
        )

    @cached_property
    def without_rules(self) -> tuple[Group, Group]:
        """What to add up of cube decisions and of rolls: the same under all rule sets with one
        match equity table."""
        cubes = self.match.cubes
        expected = {
            "cube expected": cubes.expected,
            "cube analysed": cubes.expected & cubes.analysed,
        }
        return Group(cubes.game, cubes.player, expected), self._rolls()

    def _rolls(self) -> Group:
        plays = self.match.plays
        rolled = plays.validity != Validity.UNPLAYED.value
        valid = plays.validity == Validity.VALID.value
        legal = legal_plays(plays, self.match.source.path) if self.legal is None else self.legal
        luck = plays.luck
        with_luck = luck == luck
        gained = np.where(with_luck, luck, luck.dtype.type(0))
        columns = {
            "moves": rolled,
            "unforced": rolled & (legal > 1),
            "checker expected": valid,
            "checker analysed": valid & plays.analysed,
            "luck analysed": with_luck & rolled,
            "jokers": gained >= JOKER,
            "rolls with luck": np.abs(gained) >= SMALLEST_LUCK,
            "luck": gained,
            "chance": roll_gains(self.scored, gained),
        }
        return Group(plays.game, plays.player, columns)

    def completeness(self, seat: int, game: int | None = None) -> dict[str, Coverage]:
        """Coverage of a player's analysis by part, for the match or one game by its number. Raises
        `UnknownName`, `InvalidArgument`."""
        return self.completeness_at(seat, self._row_of(seat, game))

    def figures(self, seat: int, game: int | None = None) -> dict[str, float | int | None]:
        """All metrics of a player, for the match or one game by its number; unknown ones are
        `None`.

        Raises `UnknownName`, `InvalidArgument`.
        """
        return self.figures_at(seat, self._row_of(seat, game))

    def uncapped_pr(self, seat: int) -> float | None:
        """The PR of a player without the cap at which a program may show it (Q13); `None` where
        unknown."""
        rate = float(uncapped_pr(self._totals_of_match[seat]))
        return None if math.isnan(rate) else rate

    def _row_of(self, seat: int, game: int | None) -> int | None:
        if type(seat) is not int or seat not in (0, 1):
            first, second = self.match.names
            raise InvalidArgument("seat", f"0 for {first} or 1 for {second}", seat)
        return None if game is None else self.match.game_row(game)

    def completeness_at(self, seat: int, row: int | None) -> dict[str, Coverage]:
        """The same as `completeness`, for the match or a row of `Match.games`."""
        sums = self.sums.of(row)
        return {
            part: Coverage(int(sums[expected][seat]), int(sums[f"{part} analysed"][seat]))
            for part, expected in EXPECTED.items()
        }

    def figures_at(self, seat: int, row: int | None) -> dict[str, float | int | None]:
        """The same as `figures`, for the match or a row of `Match.games`."""
        return NamedFigures(self._of_match[seat] if row is None else self._of_games[seat][row])

    @cached_property
    def _of_match(self) -> list[Figures]:
        """The figures by seat."""
        return list(map(of_player, self._totals_of_match))

    @cached_property
    def _totals_of_match(self) -> list[Totals]:
        """What they are made of."""
        first, second = self.sums.players
        result = result_of(self.match)
        sides = zip((first, second), (second, first), result.pop("result"), strict=True)
        return [self._totals(own, their, result=won, **result) for own, their, won in sides]

    @cached_property
    def _of_games(self) -> list[list[Figures]]:
        """The figures by seat and game."""
        figures = figures_of(self._totals(self.sums.games))
        return [
            by_player({name: values[:, seat] for name, values in figures.items()})
            for seat in (0, 1)
        ]

    def _totals(
        self, sums: Mapping[str, Any], their: Mapping[str, Any] | None = None, **result: Any
    ) -> Totals:
        return totals_of(
            sums,
            self.rules,
            their,
            is_money=self.match.is_money,
            one_point=self.match.length == 1,
            **result,
        )

    def to_frame(self, *, per_game: bool = False) -> pd.DataFrame:
        """A row for every metric and a column for every player, by seat, for the match; missing
        where a figure is unknown.

        The index is the metric's name. With `per_game` it is the game's number and the metric, a
        block of rows for every game.
        """
        import pandas as pd

        numbers = self.match.games.number.tolist() if per_game else [None]
        blocks = [
            pd.DataFrame(
                {seat: pd.Series(self.figures(seat, game), METRICS, float) for seat in (0, 1)}
            ).rename_axis("metric")
            for game in numbers
        ]
        table = pd.concat(blocks, keys=numbers, names=["game"]) if per_game else blocks[0]
        return table.set_axis(list(self.match.names), axis=1)

    def _small_frame(self) -> pd.DataFrame:
        import pandas as pd

        sides = [self.figures(seat) for seat in (0, 1)]
        rows = {
            metric.label: [metric.shown(side[name]) for side in sides]
            for name, metric in METRICS.items()
        }
        names = [short(name) for name in self.match.names]
        return pd.DataFrame.from_dict(rows, "index", columns=names).rename_axis("figure")


def again(statistics: Statistics, scored: Scored) -> Statistics:
    """The statistics of the same match scored in another way, without what both have in common
    being computed again."""
    other = Statistics(scored, statistics.legal)
    if (
        scored.match is statistics.match
        and scored.win is statistics.scored.win
        and scored.lose is statistics.scored.lose
    ):
        other.__dict__["without_rules"] = statistics.without_rules
    return other


def result_of(match: Match) -> dict[str, Any]:
    """What the luck figures need of a match: by seat 1 for the winner and 0 for the loser, points
    in money play; NaN where unfinished."""
    games = match.games
    if not match.complete:
        result = [math.nan, math.nan]
    elif match.is_money:
        points = np.where(games.winner == 0, games.points, -games.points) * (games.winner >= 0)
        result = [float(points.sum()), -float(points.sum())]
    else:
        result = [float(games.winner[-1] == seat) for seat in (0, 1)]
    return {
        "result": result,
        "length": math.nan if match.length is None else match.length,
        "games": len(games),
    }


def roll_gains(scored: Scored, luck: Floats) -> Floats:
    """Match winning chance (0 to 1) gained by each roll, points in money play."""
    rolls = slice(len(scored.match.plays))
    return cost(luck, scored.win[rolls], scored.lose[rolls])


def legal_plays(plays: Plays, path: str = "") -> Ints:
    """Number of different results of every roll, computed from the rules of the game if the file
    does not have it.

    Only 0, 1 and "more than 1" are exact. Raises `UnreadableFile` if it takes longer than any real
    match would.
    """
    legal = plays.legal
    unknown = np.flatnonzero(legal == UNKNOWN_COUNT)
    if not len(unknown):
        return legal
    from reconcile.match.board.play import Effort, count_legal_plays

    legal = legal.copy()
    effort = Effort()
    unknown = unknown[plays.validity[unknown] != Validity.UNPLAYED.value]
    for row in unknown.tolist():
        first, second = plays.dice[row].tolist()
        legal[row] = count_legal_plays(
            plays.position[row].tolist(), first, second, stop_after=2, effort=effort
        )
        if effort.tried > MOST_SEQUENCES:
            expected = f"expected at most {MOST_SEQUENCES} ways to play all rolls that were not"
            why = f"{expected} analysed, found more; does the file contain several matches?"
            raise UnreadableFile(why, path)
    return legal


def statistics(
    match: Match,
    rules: str | Path | Mapping[str, Any] | RuleSet | None = None,
    met: AnyMet | None = None,
) -> Statistics:
    """Score a match and add it up.

    `rules` is a rule set, its name, the path of a YAML file of rules or a mapping like one, by
    default that of the tool that wrote the file; `met` a match equity table, its name, the path of
    a gnuBG table file or its numbers (`load_met`), by default the rule set's. Raises `UnknownName`,
    `InvalidConfiguration`, `UnreadableFile`, `InvalidArgument`.
    """
    expect("match", match, Match, "a match, as load_match returns it")
    chosen = own_rules(match) if rules is None else rule_set(rules)
    return Statistics(score(match, chosen, table_of(match, chosen, met)))


def table_of(match: Match, rules: RuleSet, met: AnyMet | None = None) -> Met:
    """The table that a match is weighed with: `met`, or else the one that the rules name. Raises
    `UnknownName`, `UnreadableFile`."""
    if isinstance(met, Met):
        return met
    named = (Q11.answers[rules.supported("Q11", match)].value or None) if met is None else met
    return (None if named is not None else own_table(match)) or load_met(
        DEFAULT_MET if named is None else named
    )


def of_decisions(scored: Scored) -> Group:
    """What counts and what it costs, to be added up by class of decision."""
    columns = {"counted": scored.counted, "error": scored.error, "loss": scored.loss}
    return Group(scored.game, scored.player, columns, scored.decision_class, len(DecisionClass))


def nested(figures: dict[str, Any]) -> dict[str, Any]:
    """Figures by dotted name as the nested object of the JSON contract."""
    tree: dict[str, Any] = {}
    for name, value in figures.items():
        group, _, key = name.partition(".")
        if key:
            tree.setdefault(group, {})[key] = value
        else:
            tree[group] = value
    return tree


SETTLED = "game-settled"
"""Note of a last game whose points are known from the final score only."""


@dataclass(frozen=True, slots=True)
class BgblitzLuck(Document):
    """Of this player, positive is lucky."""

    plain: float | None
    """In chances of winning the match, 0 to 1, or points in a money session; null at a score that
    the file does not show."""
    weighted: float | None
    """As an equity at cube 1; the same as plain in a money session."""


def result_minus_skill(statistics: Statistics, seat: int, game: int | None = None) -> BgblitzLuck:
    """The luck of a player in the match or one game (index from 0), positive is lucky; unknown
    where a skill is."""
    skills = [statistics.figures_at(each, game)["equity_error.total"] for each in (0, 1)]
    if None in skills:
        return BgblitzLuck(None, None)
    sign = 1 if seat else -1
    luck = (
        sign * float(np.sum(part if game is None else part[game])) for part in _by_game(statistics)
    )
    return BgblitzLuck(*(None if value != value else value for value in luck))


def _by_game(statistics: Statistics) -> tuple[Floats, Floats]:
    """Plain and weighted luck of every game, the view of the second player."""
    match, met = statistics.match, statistics.scored.met
    games = match.games
    points = np.where(games.winner >= 0, games.points, 0)
    won = np.where(games.winner == 1, points, -points)
    if match.is_money:
        broken_off = any(note.code == SETTLED for note in match.notes) and bool(
            (match.plays.game == len(games) - 1).any()
        )
        won = won * np.where(np.arange(len(games)) == len(games) - 1, not broken_off, True)
        plain = won + _difference(statistics.sums.games["error"])
        return plain, plain
    before = 1 - chance_at_score(match, met).astype(np.float64)
    ones, none = np.ones_like(points), np.zeros_like(points)
    scores = [[points * (games.winner == seat) for seat in (0, 1)], (none, ones), (ones, none)]
    after, win, lose = (
        1 - chance_after_game(match, met, *score).astype(np.float64) for score in scores
    )
    result = np.where(games.winner >= 0, after, before)
    plain = result - before + _difference(statistics.sums.games["loss"])
    return plain, (2 * (before + plain) - (win + lose)) / (win - lose)


def _difference(lost: Floats) -> Any:
    """By how much the second player lost more than the first in every game."""
    return np.diff(lost.sum(axis=2))[:, 0]


NOT_THEIRS = MappingProxyType(
    {
        "gammonview": "GammonView rounds the luck of every roll to four decimals, adds that of "
        "rolls that were never played, and weighs it with a table of four decimals"
    }
)
"""By rule set, how a program adds up luck in another way than is done here."""


@dataclass(frozen=True, slots=True)
class Skill(Document):
    """Two measures of who played a match better, percentage points of match winning chance; under
    perfect judgement both have the same expectation."""

    error_difference_mwc_percent: float | None
    """What the opponent's errors cost less what the player's own did; null where one is unknown."""
    luck_adjusted_mwc_percent: float | None
    """The result without luck, less 50; null of an unfinished match, and where the luck of a roll
    is unknown."""


def skill_measures(
    match: Match, sides: Sequence[Mapping[str, float | int | None]], seat: int
) -> Skill:
    """Who played a match better, from the figures by seat."""
    own, other = (sides[side]["mwc_loss_percent.total"] for side in (seat, 1 - seat))
    difference = None if own is None or other is None else other - own
    net = sides[seat]["luck.net_mwc_percent"]
    rating = sides[seat][
        "luck.rating_percent"
    ]  # known only of a finished match whose rolls all have luck
    if net is None or rating is None:
        return Skill(difference, None)
    return Skill(difference, 100 * float(match.games.winner[-1] == seat) - net - 50)
