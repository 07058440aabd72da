"""Figures of a player over many matches: sums over sums, never means of rates, with their statistical uncertainty.

The interval is a percentile bootstrap: matches of a pool (games, where there are fewer than five) are drawn with replacement, and the
middle 95 % of the rates of the draws are reported. The draws are seeded, so the same files give the same interval.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from reconcile.files.aliases import Aliases
from reconcile.files.names import fold
from reconcile.scoring.grades import percent
from reconcile.scoring.metrics import MEMG_FACTOR, METRICS, PR_FACTOR
from reconcile.scoring.statistics import CLASSES, Coverage, Statistics

DRAWS: Final = 2000
SEED: Final = 20_000
LARGEST_DRAW: Final = 4_000_000
"""Numbers drawn at once, to limit memory for a player with many thousand matches."""
QUANTILES: Final = (0.025, 0.975)
FEWEST_MATCHES: Final = 5
"""With fewer matches, games are drawn instead."""
FEWEST_GAMES: Final = 2

Table = npt.NDArray[np.float64]
Part = tuple[int, Statistics, int]
"""Number of a match, its statistics, and the player's seat."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """One player's figures over all matches under one rule set."""

    name: str
    names: tuple[str, ...]
    """The names in the files."""
    rules: str
    matches: int
    unanalysed: int
    """Matches left out because nothing in them is analysed: their moves would dilute the rates."""
    games: int
    figures: dict[str, float | int | None]
    intervals: dict[str, tuple[float, float]]
    """95 % intervals of the rates; a rate is left out if there is too little to resample."""
    resampled: Literal["matches", "games"]
    """What was drawn with replacement."""
    completeness: dict[str, Coverage]


def pool(scored: Sequence[Statistics], aliases: Aliases) -> tuple[Pooled, ...]:
    """Pool the figures of every player, by rule set and by folded or aliased name, in order of the names."""
    found: dict[tuple[str, str], list[Part]] = {}
    for number, statistics in enumerate(scored):
        for seat, name in enumerate(statistics.match.players):
            key = (fold(aliases.chosen(name)), statistics.rules.name)
            found.setdefault(key, []).append((number, statistics, seat))
    return tuple(_pooled(parts, aliases, rules) for (_, rules), parts in sorted(found.items(), key=lambda entry: entry[0]))


def match_intervals(statistics: Statistics, seat: int) -> dict[str, tuple[float, float]]:
    """95 % intervals of a player's rates in one match, whose games are drawn as those of a pool are; a rate that is unknown is left out."""
    figures = statistics.figures(seat)
    found = _intervals(_games([(0, statistics, seat)]), by_match=False)
    return {name: ends for name, ends in found.items() if figures[name] is not None}


def _pooled(every: list[Part], aliases: Aliases, rules: str) -> Pooled:
    names = tuple(dict.fromkeys(statistics.match.players[seat] for _, statistics, seat in every))
    parts = [part for part in every if _analysed(part[1], part[2], "checker", "cube")]
    unanalysed = len(every) - len(parts)
    parts = parts or every
    games = _games(parts)
    by_match = len(parts) >= FEWEST_MATCHES
    covered = [statistics.completeness(seat) for _, statistics, seat in parts]
    return Pooled(
        name=aliases.chosen(names[0]),
        names=names,
        rules=rules,
        matches=len(every) - unanalysed,
        unanalysed=unanalysed,
        games=len(games["match"]),
        figures=_figures(games, parts),
        intervals=_intervals(games, by_match),
        resampled="matches" if by_match else "games",
        completeness={
            part: Coverage(sum(one[part].expected for one in covered), sum(one[part].analysed for one in covered)) for part in covered[0]
        },
    )


def _analysed(statistics: Statistics, seat: int, *parts: str) -> bool:
    """Whether anything in these parts of a player's match is analysed."""
    covered = statistics.completeness(seat)
    return any(covered[part].analysed for part in parts)


def _games(parts: list[Part]) -> dict[str, npt.NDArray[Any]]:
    """What every game of the player adds, as columns."""
    columns = [
        {
            "match": np.full(len(statistics.match.games), number),
            "counted": statistics.counted[:, seat],
            # The factor of a one-point match applies to the rate of that match, so it multiplies its errors here.
            "error": statistics.error[:, seat] * (statistics.rules.value("Q09") if statistics.match.length == 1 else 1.0),
            "loss": statistics.loss[:, seat],
            "moves": statistics.moves[0][:, seat],
            "unforced": statistics.moves[1][:, seat],
            "both": statistics.moves[0].sum(axis=1),
        }
        for number, statistics, seat in parts
    ]
    return {name: np.concatenate([part[name] for part in columns]) for name in columns[0]}


def _figures(games: dict[str, npt.NDArray[Any]], parts: list[Part]) -> dict[str, float | int | None]:
    counted, scaled, loss = (games[name].sum(axis=0) for name in ("counted", "error", "loss"))
    error = sum((statistics.error[:, seat].sum(axis=0) for _, statistics, seat in parts), np.zeros(4))
    moves, unforced, both = (int(games[name].sum()) for name in ("moves", "unforced", "both"))
    has = {part: any(_analysed(statistics, seat, part) for _, statistics, seat in parts) for part in ("checker", "cube")}
    needed = {part: any(statistics.completeness(seat)[part].expected for _, statistics, seat in parts) for part in has}
    known = any(has.values())
    of_class = {name: has[part] or not needed[part] for name, part in (("checker", "checker"), ("double", "cube"), ("take", "cube"))}
    money = any(statistics.match.is_money for _, statistics, _ in parts)
    decisions = int(counted.sum())
    rated = counted * all(statistics.rules.rates_decisions for _, statistics, _ in parts)
    cube = [CLASSES["double"], CLASSES["take"]]

    def rate(factor: float, lost: float, number: float) -> float | None:
        return float(factor * lost / number) if number and known else None

    figures: dict[str, float | int | None] = {
        "pr": rate(PR_FACTOR, scaled.sum(), rated.sum()),
        "checker_pr": rate(PR_FACTOR, scaled[CLASSES["checker"]], rated[CLASSES["checker"]]),
        "cube_pr": rate(PR_FACTOR, scaled[cube].sum(), rated[cube].sum()),
        "error_rate_memg": rate(MEMG_FACTOR, scaled.sum(), rated.sum()),
        "snowie_er": rate(PR_FACTOR, error.sum(), both),
        "snowie_memg": rate(MEMG_FACTOR, error.sum(), both),
        "decisions.counted": decisions,
        **{f"decisions.{name}": int(counted[code]) for name, code in CLASSES.items()},
        "moves.total": moves,
        "moves.unforced": unforced,
        "moves.forced": moves - unforced,
        "equity_error.total": float(error.sum()) if known else None,
        **{f"equity_error.{name}": float(error[code]) if of_class[name] else None for name, code in CLASSES.items()},
        "mwc_loss_percent.total": percent(float(loss.sum())) if known and not money else None,
        **{
            f"mwc_loss_percent.{name}": percent(float(loss[code])) if of_class[name] and not money else None
            for name, code in CLASSES.items()
        },
    }
    own = [statistics.figures(seat) for _, statistics, seat in parts]
    for name in METRICS:
        if name not in figures:
            figures[name] = None if money and METRICS[name].in_mwc else _added([one[name] for one in own], strict=name.startswith("luck."))
    # A rate is never added, and XG's rating and Elo are those of a match.
    rolls = [_added([statistics.figures(side)["luck.rolls"] for _, statistics, _ in parts], strict=True) for side in (0, 1)]
    net = figures["luck.net_equity"]
    figures["luck.rate"] = None if net is None or None in rolls or not any(rolls) else net / sum(number or 0 for number in rolls)
    return figures | {name: own[0][name] if len(own) == 1 else None for name in ("luck.rating_percent", "luck.elo")}


def _added(values: Sequence[float | int | None], *, strict: bool) -> float | int | None:
    """The sum of the known figures; `None` if none is known, or, where `strict`, if any is unknown."""
    known = [value for value in values if value is not None]
    return sum(known) if known and (len(known) == len(values) or not strict) else None


def _intervals(games: dict[str, npt.NDArray[Any]], by_match: bool) -> dict[str, tuple[float, float]]:
    match = games["match"]
    group = np.unique(match, return_inverse=True)[1] if by_match else np.arange(len(match))
    if group.max(initial=-1) + 1 < FEWEST_GAMES:
        return {}
    columns = games["error"].sum(axis=1), games["counted"].sum(axis=1), games["both"]
    lost, decisions, both = (np.bincount(group, column).astype(np.float64) for column in columns)
    found = {}
    for name, factor, denominator in (
        ("pr", PR_FACTOR, decisions),
        ("error_rate_memg", MEMG_FACTOR, decisions),
        ("snowie_er", PR_FACTOR, both),
    ):
        between = resampled(lost, denominator, factor)
        if between is not None:
            found[name] = between
    return found


def interval(lost: Table, decisions: Table) -> tuple[float, float] | None:
    """The 95 % interval of a PR over matches, from the equity lost and decisions of each; `None` for too few matches."""
    return resampled(lost, decisions, PR_FACTOR) if len(lost) >= FEWEST_MATCHES else None


def resampled(lost: Table, number: Table, factor: float) -> tuple[float, float] | None:
    """The middle 95 % of a rate over draws of its groups with replacement; `None` if no draw has a decision."""
    groups = len(lost)
    draw = np.random.default_rng(SEED)
    at_once = max(1, min(DRAWS, LARGEST_DRAW // groups))
    rates: list[Table] = []
    for start in range(0, DRAWS, at_once):
        drawn = draw.integers(0, groups, (min(at_once, DRAWS - start), groups))
        numbers = number[drawn].sum(axis=1)
        possible = numbers > 0
        rates.append(factor * lost[drawn].sum(axis=1)[possible] / numbers[possible])
    every = np.concatenate(rates)
    if not len(every):
        return None
    low, high = np.quantile(every, QUANTILES)
    return float(low), float(high)
