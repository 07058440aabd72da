"""Figures of a match under a rule set: per player, for the match and for every game.

Sums are kept per game, player and class in double precision; a figure of the match is computed from sums over games, never
from rates. An unknown figure is `None`. (gnuBG's own single-precision sums, to the last bit, are in `reconcile.scoring.gnubg_table`.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.columns import UNKNOWN_COUNT, Floats, Ints, Plays, Validity
from reconcile.errors import UnreadableFile
from reconcile.match import Match
from reconcile.met import DEFAULT_MET, Met, load_met
from reconcile.met.equity import cost
from reconcile.met.own import own_table
from reconcile.notebook import NotebookTable, one_line, short, short_file
from reconcile.rules.rulesets import QUESTIONS, RuleSet, own_rules, rule_set
from reconcile.scoring.grades import graded, parts_and_grades, percent
from reconcile.scoring.metrics import MEMG_FACTOR, METRICS, PR_FACTOR, DecisionClass
from reconcile.scoring.net_luck import luck_rating, net_luck, roll_columns
from reconcile.scoring.score import Scored, score
from reconcile.scoring.sums import Group, Sums

if TYPE_CHECKING:
    import pandas as pd

MOST_SEQUENCES: Final = 100_000
"""Sequences of moves tried to find forced plays if the file does not mark them; a roll takes about three."""
CHECKER, DOUBLE, TAKE = DecisionClass.CHECKER.value, DecisionClass.DOUBLE.value, DecisionClass.TAKE.value
CLASSES: Final = {"checker": CHECKER, "double": DOUBLE, "take": TAKE}
EXPECTED: Final = {"checker": "checker expected", "cube": "cube expected", "luck": "moves"}
"""By part of an analysis, the count of decisions that a full one evaluates."""


class Coverage(NamedTuple):
    """How many decisions a full analysis evaluates, and how many this one does."""

    expected: int
    analysed: int

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.analysed >= self.expected


@dataclass(frozen=True)
class Statistics(NotebookTable):
    """Every figure of one match under one rule set."""

    scored: Scored
    legal: Ints | None = None
    """Number of different results of every roll, where it is known already, see `legal_plays`."""

    def __repr__(self) -> str:
        figures = ", ".join(f"{short(name)} PR {self._pr(seat)}" for seat, name in enumerate(self.match.names))
        return one_line(self, f"{short_file(self.match.source.path)} under {self.rules.name}, {self.scored.met.name}: {figures}")

    def _pr(self, seat: int) -> str:
        try:
            return METRICS["pr"].shown(self.figures(seat)["pr"])
        except UnreadableFile:
            return METRICS["pr"].shown(None)

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
        scale: float = self.rules.value("Q09") if self.match.length == 1 else 1.0
        return scale

    @property
    def counted(self) -> npt.NDArray[np.int64]:
        """Counted decisions, shape (games, 2 seats, 4 classes)."""
        return self.sums["counted"]

    @property
    def error(self) -> Floats:
        """Equity lost (EMG), same shape."""
        return self.sums["error"]

    @property
    def loss(self) -> Floats:
        """Match winning chance lost (0 to 1), points in money play; same shape."""
        return self.sums["loss"]

    @property
    def moves(self) -> tuple[Ints, Ints]:
        """Moves and unforced moves, each of shape (games, 2)."""
        return self.sums["moves"], self.sums["unforced"]

    @property
    def luck(self) -> tuple[Floats, Floats, Ints]:
        """Luck in EMG, in match winning chance (points in money play), and the number of rolls with luck known; (games, 2)."""
        return self.sums["luck"], self.sums["chance"], self.sums["luck analysed"]

    @property
    def coverage(self) -> dict[str, tuple[Ints, Ints]]:
        """Expected and analysed decisions by part (`checker`, `cube`, `luck`), each of shape (games, 2)."""
        return {part: (self.sums[expected], self.sums[f"{part} analysed"]) for part, expected in EXPECTED.items()}

    @cached_property
    def sums(self) -> Sums:
        """Every sum of which figures are made: by class, by the kind of decision, of cube decisions and of rolls."""
        return Sums(len(self.match.games), by_class(self.scored), graded(self.scored), *self.without_rules())

    def without_rules(self) -> tuple[Group, Group]:
        """What to add up of cube decisions and of rolls: the same under all rule sets with one match equity table."""
        cubes = self.match.cubes
        expected = {"cube expected": cubes.expected, "cube analysed": cubes.expected & cubes.analysed}
        return Group(cubes.game, cubes.player, expected), self._rolls()

    def _rolls(self) -> Group:
        plays = self.match.plays
        rolled = plays.validity != Validity.UNPLAYED.value
        valid = plays.validity == Validity.VALID.value
        legal = legal_plays(plays, self.match.source.path) if self.legal is None else self.legal
        luck = plays.luck
        known = luck == luck
        gained = np.where(known, luck, luck.dtype.type(0))
        columns = {
            "moves": rolled,
            "unforced": rolled & (legal > 1),
            "checker expected": valid,
            "checker analysed": valid & plays.analysed,
            "luck analysed": known & rolled,
            **roll_columns(gained),
            "luck": gained,
            "chance": roll_gains(self.scored, gained),
        }
        return Group(plays.game, plays.player, columns)

    def completeness(self, seat: int, game: int | None = None) -> dict[str, Coverage]:
        """Coverage of a player's analysis by part, for the match or one game (index from 0)."""
        totals = self.sums.totals(game)
        return {part: Coverage(totals[expected][seat], totals[f"{part} analysed"][seat]) for part, expected in EXPECTED.items()}

    def figures(self, seat: int, game: int | None = None) -> dict[str, float | int | None]:
        """All metrics of a player, for the match or one game (index from 0); unknown ones are `None`."""
        match, totals = self.match, self.sums.totals(game)
        in_match = not match.is_money
        found = figures_of(totals, seat, self.rules, scale=self.scale, scaled=totals["error"][seat], in_match=in_match)
        return found | net_luck(totals, seat, in_match=in_match) | (luck_rating(match, totals, seat) if game is None else {})

    def to_frame(self, *, per_game: bool = False) -> pd.DataFrame:
        """A row for every metric and a column for every player, by seat, for the match; missing where a figure is unknown.

        The index is the metric's name. With `per_game` it is the game's number and the metric, a block of rows for every game.
        """
        import pandas as pd

        names = pd.Index(list(METRICS), name="metric", dtype=object)
        index: pd.Index = names
        games: list[int | None] = [None]
        if per_game:
            games = list(range(len(self.match.games)))
            index = pd.MultiIndex.from_product([self.match.games.number.tolist(), names], names=["game", "metric"])
        sides = ((self.figures(0, game), self.figures(1, game)) for game in games)
        rows = [(one[name], two[name]) for one, two in sides for name in METRICS]
        return pd.DataFrame(np.array(rows, np.float64).reshape(-1, 2), index, columns=list(self.match.names))

    def _small_frame(self) -> pd.DataFrame:
        import pandas as pd

        sides = [self.figures(seat) for seat in (0, 1)]
        rows = [[one.shown(side[name]) for side in sides] for name, one in METRICS.items()]
        return pd.DataFrame(
            rows, pd.Index([one.label for one in METRICS.values()], name="figure"), columns=[short(name) for name in self.match.names]
        )


def figures_of(
    totals: Mapping[str, Sequence[Any]], seat: int, rules: RuleSet, *, scale: float, scaled: Sequence[float], in_match: bool
) -> dict[str, float | int | None]:
    """All metrics of a player but those of luck net of the opponent's, from sums by seat; unknown ones are `None`.

    `scaled` are the errors by class that are multiplied by `scale` in a rate per decision, see `Statistics.scale`.
    """
    analysed = {part: totals[f"{part} analysed"][seat] for part in EXPECTED}
    counted, errors, losses = totals["counted"][seat], totals["error"][seat], totals["loss"][seat]
    any_known = analysed["checker"] + analysed["cube"] > 0
    checker, cube = (analysed[part] > 0 or totals[EXPECTED[part]][seat] == 0 for part in ("checker", "cube"))
    known = {"checker": checker, "double": cube, "take": cube}
    by_class = {name: counted[code] for name, code in CLASSES.items()}
    decisions = sum(counted)
    total, rated = (sum(lost) if any_known else None for lost in (errors, scaled))
    moves, unforced, both = totals["moves"][seat], totals["unforced"][seat], sum(totals["moves"])
    number = counted if rules.rates_decisions else [0] * len(counted)  # of what a rate per decision is divided by, by class
    every = sum(number)
    rolls, pr = analysed["luck"], _rate(PR_FACTOR * scale, rated, every)
    return {
        "pr": None if pr is None else capped(pr, rules),
        "checker_pr": _rate(PR_FACTOR * scale, scaled[CHECKER], number[CHECKER]),
        "cube_pr": _rate(PR_FACTOR * scale, scaled[DOUBLE] + scaled[TAKE], number[DOUBLE] + number[TAKE]),
        "error_rate_memg": _rate(MEMG_FACTOR * scale, rated, every),
        "snowie_er": _rate(PR_FACTOR, total, both),
        "snowie_memg": _rate(MEMG_FACTOR, total, both),
        "decisions.counted": decisions,
        **{f"decisions.{name}": amount for name, amount in by_class.items()},
        "moves.total": moves,
        "moves.unforced": unforced,
        "moves.forced": moves - unforced,
        "equity_error.total": total,
        **{f"equity_error.{name}": errors[code] if known[name] else None for name, code in CLASSES.items()},
        "mwc_loss_percent.total": percent(sum(losses)) if any_known and in_match else None,
        **{f"mwc_loss_percent.{name}": percent(losses[code]) if known[name] and in_match else None for name, code in CLASSES.items()},
        "luck.equity": totals["luck"][seat] if rolls else None,
        "luck.mwc_percent": percent(totals["chance"][seat]) if rolls and in_match else None,
        **parts_and_grades(totals, seat, known | {"any": any_known}, rules.value("Q12"), in_match=in_match),
    }


def capped(pr: float, rules: RuleSet) -> float:
    """A PR as the program displays it (Q13), of a match or of many: the cap is of what is shown, never of what is added up."""
    cap: float | None = rules.value("Q13")
    return pr if cap is None else min(pr, cap)


def _rate(factor: float, total: float | None, number: int) -> float | None:
    return factor * total / number if number and total is not None else None


def roll_gains(scored: Scored, luck: Floats) -> Floats:
    """Match winning chance (0 to 1) gained by each roll, points in money play."""
    rolls = slice(len(scored.match.plays))
    return cost(luck, scored.win[rolls], scored.lose[rolls])


def legal_plays(plays: Plays, path: str = "") -> Ints:
    """Number of different results of every roll, computed from the rules of the game if the file does not have it.

    Only 0, 1 and "more than 1" are exact. Raises `UnreadableFile` if it takes longer than any real match would.
    """
    legal = plays.legal
    unknown = np.flatnonzero(legal == UNKNOWN_COUNT)
    if not len(unknown):
        return legal
    from reconcile.board.play import Effort, count_legal_plays

    legal = legal.copy()
    effort = Effort()
    unknown = unknown[plays.validity[unknown] != Validity.UNPLAYED.value]
    for row in unknown.tolist():
        first, second = plays.dice[row].tolist()
        legal[row] = count_legal_plays(plays.position[row].tolist(), first, second, stop_after=2, effort=effort)
        if effort.tried > MOST_SEQUENCES:
            raise UnreadableFile(
                f"{path}: expected at most {MOST_SEQUENCES} ways to play all rolls that were not analysed, found more; "
                "does the file contain several matches?"
            )
    return legal


def statistics(match: Match, rules: str | RuleSet | None = None, met: str | Met | None = None) -> Statistics:
    """Score a match and add it up.

    `rules` is a rule set, its name or the path of a YAML file of rules, by default that of the tool that wrote the file; `met` a match
    equity table, its name or the path of a gnuBG table file, by default the rule set's. Raises `UnknownName`, `InvalidConfiguration`,
    `UnreadableFile`.
    """
    chosen = own_rules(match) if rules is None else rule_set(rules)
    return Statistics(score(match, chosen, table_of(match, chosen, met)))


def table_of(match: Match, rules: RuleSet, met: str | Met | None = None) -> Met:
    """The table that a match is weighed with: `met`, or else the one that the rules name. Raises `UnknownName`, `UnreadableFile`."""
    if isinstance(met, Met):
        return met
    named: str | None = met or QUESTIONS["Q11"].answers[rules.supported("Q11", match)].value
    return (None if named else own_table(match)) or load_met(named or DEFAULT_MET)


def by_class(scored: Scored) -> Group:
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
