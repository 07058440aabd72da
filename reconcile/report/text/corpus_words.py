"""The words and numbers of an archive's study that its text and its page have in common."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from reconcile.files.wording import plural
from reconcile.match.tools import short_name
from reconcile.report import numbers

if TYPE_CHECKING:
    from reconcile.corpus.study import Course, Effect, Gaps, Levels, Outlier, Verdict
    from reconcile.scoring.rates import Analysis, Estimate

LEAST: Final = 0.0005
"""What is below it is shown as 0.000: a mean change of PR is no difference, an equity lost is no
error."""
NEAR: Final = 0.02
"""Equity lost (EMG) below which an action is nearly the best where the tables name no better
one."""
NO_DIFFERENCE: Final = "no difference (mean below 0.0005)"
FEWEST_FOR_A_TAIL: Final = 40
"""Player-matches below which 95 % of them cannot be told from all."""
OTHERWISE: Final = {"pass": "take", "no double": "double", "double": "no double"}
"""Where there is only one alternative, it was better than what was an error."""


def player_matches(number: int) -> str:
    """`8 player-matches`: a player of a match is one."""
    return plural(number, "player-match", "player-matches")


def told_apart(effects: Sequence[Effect]) -> tuple[list[Effect], list[Effect]]:
    """The questions that make a difference, and the others."""
    return [effect for effect in effects if effect.mean >= LEAST], [
        effect for effect in effects if effect.mean < LEAST
    ]


def tail(effect: Effect) -> str:
    """What 95 % of the changes are within; a dash of few."""
    return numbers.number(effect.high if effect.players >= FEWEST_FOR_A_TAIL else None, 2)


def with_interval(estimate: Estimate, decimals: int = 2) -> str:
    """A rate with its interval, if it has one: `6.46 (3.24 to 9.69)`."""
    value = numbers.number(estimate.value, decimals)
    return value if estimate.low is None else f"{value} ({interval(estimate, decimals)})"


def counted(rate: Estimate) -> str:
    """The same with the number of decisions: `6.46 (3.24 to 9.69; 843 decisions)`."""
    between = f"{interval(rate)}; " if rate.low is not None else ""
    return f"{numbers.number(rate.value, 2)} ({between}{plural(rate.number, 'decision')})"


def share(part: float | None) -> str:
    """A share of the whole: `81 %`; a dash for that of nothing."""
    return numbers.UNKNOWN if part is None else f"{100 * part:.0f} %"


def interval(estimate: Estimate, decimals: int = 2) -> str:
    """The 95 % interval: `3.24 to 9.69`; empty without one."""
    if estimate.low is None:
        return ""
    return " to ".join(numbers.number(end, decimals) for end in (estimate.low, estimate.high))


def won(share: Estimate, unit: str = "") -> str:
    """A share of matches with its interval: `78 of 100 matches (69 to 85 %)`; `unit` follows the
    number."""
    if share.value is None or share.low is None or share.high is None:
        return numbers.UNKNOWN
    return f"{share.value * share.number:,.0f} of {share.number:,}{unit} ({percent(share)})"


def percent(share: Estimate) -> str:
    """The interval of a share: `41 to 93 %`."""
    places = 0 if share.number < 1000 else 1
    return f"{100 * (share.low or 0.0):.{places}f} to {100 * (share.high or 0.0):.{places}f} %"


def bin_named(low: float, high: float | None) -> str:
    """What a bin of net luck holds: `10 to 20 pp`."""
    return f"{low:.0f} pp or more" if high is None else f"{low:.0f} to {high:.0f} pp"


def course_named(course: Course) -> str:
    """Whose course it is, and by what analyses: `Ann, gnuBG 2 plies ahead`."""
    return (
        f"{course.name if course.name is not None else 'All players'}, {analysed(course.analysis)}"
    )


def analysed(analysis: Analysis) -> str:
    """A tool with its depth: `gnuBG 2 plies ahead`."""
    tool = short_name(analysis.tool)
    return analysis.depth if analysis.depth.startswith(tool) else f"{tool} {analysis.depth}"


def mixture(analyses: Sequence[tuple[Analysis, int]], rules: Sequence[tuple[str, str]]) -> str:
    """What is mixed in rates, to be read before them: tools, depths with numbers of matches, and by
    tool the rule sets."""
    listed = ", ".join(
        f"{analysed(analysis)} {plural(number, 'match', 'matches')}"
        for analysis, number in analyses
    )
    start = (
        f"Analyses are mixed: {listed}"
        if len(analyses) > 1
        else f"All rates are of {analysed(analyses[0][0])}"
    )
    return f"{start}; counting rules: {_rules_named(rules)}"


def _rules_named(rules: Sequence[tuple[str, str]]) -> str:
    """The rule set of the rates, with the tools where they are several: `xg for XG, gnubg for
    gnuBG`."""
    if len({name for _, name in rules}) == 1:
        return rules[0][1]
    return ", ".join(f"{name} for {short_name(tool)}" for tool, name in rules)


def levels_named(left: str, right: str, levels: Levels) -> str:
    """Two tools with their levels: `XG 3 plies ahead, BGBlitz 3-ply`."""
    sides = zip((left, right), levels.depth, strict=True)
    return ", ".join(
        depth if depth.startswith(tool) else f"{tool} {depth}" for tool, depth in sides
    )


def instead(verdict: Verdict, action: str) -> str:
    """What a tool says of an action beside its error: `better 13/9`, `nearly the best`, or `the
    best`; empty if the tables do not say."""
    if verdict.error < LEAST:
        return "the best"
    best = verdict.best or OTHERWISE.get(action)
    if best:
        return f"better {best}"
    return "nearly the best" if verdict.error < NEAR else ""


def verdict_words(verdict: Verdict, action: str) -> str:
    """What a tool says of a decision: its error and what it would have done."""
    if verdict.error < LEAST:
        return "no error"
    return ", ".join(filter(None, (numbers.number(verdict.error, 3), instead(verdict, action))))


def compared(outlier: Outlier, rules: tuple[str, ...]) -> str:
    """The command that explains a gap."""
    files = [*outlier.files[:2], *outlier.files[:1]][:2]
    words = ["reconcile", "compare", *files]
    if len(outlier.files) == 1:
        words += ["--left-rules", rules[0], "--right-rules", rules[-1]]
    return shlex.join([*words, "--html", "gap.html"])


def named_quantiles(gaps: Gaps) -> list[tuple[str, float | None, tuple[float, float] | None]]:
    """The ends and the quantiles of a distribution with their names and intervals; `None` for
    quantiles that few values do not have."""
    if not len(gaps.values):
        return []
    ends = float(gaps.values[0]), float(gaps.values[-1])
    middle = zip(
        ("5 %", "25 %", "median", "75 %", "95 %"),
        gaps.known_quantiles,
        gaps.quantile_intervals,
        strict=False,
    )
    return [("least", ends[0], None), *middle, ("most", ends[1], None)]
