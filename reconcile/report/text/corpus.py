"""An archive's study in words: its findings, and the first lines of every part."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reconcile.match.tools import BGBLITZ, TOOLS, short_name
from reconcile.report import numbers
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.grades import ERROR
from reconcile.scoring.open_words import UNKNOWN
from reconcile.scoring.rates import NORMAL
from reconcile.wording import listed, one_line, plural

if TYPE_CHECKING:
    from reconcile.corpus.study import (
        BetweenTools,
        Course,
        Gaps,
        LargeGap,
        Levels,
        Luck,
        OpenPr,
        QuestionEffect,
        Study,
        ToolDispute,
        ToolVerdict,
    )
    from reconcile.scoring.rates import Analysis, Estimate

LEAST: Final = 0.0005
"""What is below it is shown as 0.000: a mean change of PR is no difference, an equity lost is no
error."""
NO_DIFFERENCE: Final = "no difference (mean below 0.0005)"
FEWEST_FOR_A_TAIL: Final = 40
"""Player-matches below which 95 % of them cannot be told from all."""
OTHERWISE: Final = {"pass": "take", "no double": "double", "double": "no double"}
"""Where there is only one alternative, it was better than what was an error."""
ONE_POINT: Final = "Q09"
"""The question about one-point matches."""
LINES: Final = 10
"""Players and disputes in the text; the page shows more."""
FEWEST_PAIRS: Final = 10
"""Pairs of players below which the share in the same order says nothing."""
FILES: Final = 5
"""Unreadable files in the text."""
PHASES: Final = {
    "opening": "the opening",
    "contact": "contact positions",
    "race": "races",
    "bear-off": "bear-offs",
}
DIFFERING: Final = "Decisions on which the tools' verdicts differ, by the difference of the errors:"
VALUED: Final = "Decisions that the tools value most differently, with no other verdict:"


def matches(count: int) -> str:
    """`3 matches`."""
    return plural(count, "match", "matches")


def sentence(study: Study) -> str:
    """The contents of the archive, in a sentence."""
    corpus = study.corpus
    whose = "its analysis is" if study.incomplete == 1 else "their analyses are"
    players, decisions = plural(study.persons, "player"), plural(study.decisions, "decision")
    unanalysed = plural(study.unanalysed, "match has", "matches have")
    left = f"{matches(study.incomplete)} left out of the rates, since {whose} incomplete"
    parts = (
        (
            True,
            f"{matches(study.played)} in {plural(study.files, 'file')}, "
            f"with {players} and {decisions}",
        ),
        (study.unanalysed, f"{unanalysed} no analysis"),
        (study.incomplete, left),
        (corpus.without_match, f"{plural(corpus.without_match, 'file')} without a match"),
        (corpus.errors, f"{plural(corpus.errors, 'file')} could not be read"),
    )
    return "; ".join(words for count, words in parts if count) + "."


def mixture(study: Study) -> list[str]:
    """What is mixed in the archive, to be read before any rate; empty without a complete
    analysis."""
    if not study.pooled:
        return []
    parts = [mixed_analyses(study.pooled, study.rules)]
    if study.years:
        first, last = study.years
        parts.append(f"played in {first}" if first == last else f"played from {first} to {last}")
    if study.twins:
        parts.append(f"{plural(study.twins, 'near twin')} of other matches left out of the rates")
    return ["; ".join(parts) + "."]


def findings(study: Study) -> list[str]:
    """What the archive says, each in a sentence."""
    return [*_of_tools(study), *_of_open_rules(study), *_of_phases(study), *_of_luck(study)]


def _of_tools(study: Study) -> Iterator[str]:
    for pair in study.tools:
        left, right = pair.left.short, pair.right.short
        quantiles = {
            name: numbers.signed(value, 2)
            for name, value, _ in named_quantiles(pair.gap)
            if value is not None
        }
        ends = f"from {quantiles['least']} to {quantiles['most']}"
        if "95 %" in quantiles:
            ends = f"between {quantiles['5 %']} and {quantiles['95 %']} for nine of ten"
        between = "" if pair.size.low is None else f" (95 % interval {interval(pair.size)})"
        many = f"{player_matches(len(pair.gap.values))} of {matches(pair.mean.matches)}"
        size = f"{numbers.number(pair.size.value, 2)} PR on average{between}"
        yield f"{left} and {right} differ by {size}: {right}'s minus {left}'s is {ends} ({many})."
        yield from _of_ranking(pair)
    if study.disputes:
        yield from _of_disputes(study.disputes)


def _of_ranking(pair: BetweenTools) -> Iterator[str]:
    """Whether players may be ranked across two analysers, and the error of that."""
    if pair.mean.low is None or pair.mean.value is None or not pair.spread:
        return
    left, right, mean = pair.left.short, pair.right.short, pair.mean.value
    moved = f"{right}'s {'less' if mean > 0 else 'plus'} {numbers.number(abs(mean), 2)}"
    shift = f"{moved} (95 % interval of the mean gap {interval(pair.mean)})"
    apart = f"more than {numbers.number(NORMAL * pair.spread, 2)} apart"
    order = ""
    if pair.ordered >= FEWEST_PAIRS:
        agreed = f"{pair.agreed:,} of {pair.ordered:,} pairs of players"
        order = f"; over all matches, both put {agreed} in the same order"
    yield (
        f"Two players, one rated by {left} and the other by {right}, can be ranked by a match "
        f"where their PRs, {shift}, are {apart}, as the gap of a match scatters by "
        f"{numbers.number(pair.spread, 2)} (standard deviation){order}."
    )


def _of_open_rules(study: Study) -> Iterator[str]:
    for rate in study.open_prs:
        tool = next(tool.short for tool in TOOLS.values() if tool.rules == rate.rules)
        some = f"{rate.changed:,} of {player_matches(rate.players)}"
        some += " in one-point matches" * rate.one_point
        low, high = (numbers.number(end, 2) for end in rate.ends)
        wide = f"up to {rate.widest:.2f} wide ({rate.player}: {low} to {high})"
        wide += f": {_why_open(rate, tool)}"
        yield f"The PR of {some} under {tool}'s rules is a range, {wide}."


def _why_open(rate: OpenPr, tool: str) -> str:
    """What is not known, or not in these files."""
    asked = RULE_SETS[rate.rules].open & UNKNOWN.keys()
    codes = sorted(asked if rate.one_point else asked - {ONE_POINT})
    if codes:
        return f"{listed([UNKNOWN[code].format(tool) for code in codes])} is not known"
    if rate.rules == BGBLITZ.rules:
        return f"which turns with a dead cube {tool} counts is not in these files"
    return "equities are known as far as they are printed"


def _of_disputes(disputes: Sequence[ToolDispute]) -> Iterator[str]:
    """The largest dispute; where the verdicts agree on it, the largest on which they differ before
    it."""
    first, largest = disputes[0], max(disputes, key=lambda dispute: dispute.at_stake)
    if not first.differs:
        valued = f"they value most differently {_whose(first)}: {_values(first)}"
        yield f"No verdicts of the tools differ; {valued}."
        return
    verdicts = "; ".join(
        f"{verdict.tool.short} says {verdict_words(verdict, first.action)}"
        for verdict in first.verdicts
    )
    if first.at_stake < largest.at_stake:
        apart = f"they are furthest apart on {_whose(first)}: {verdicts}"
        yield f"Where the tools' verdicts differ, {apart}."
        yield f"They are further apart, with one verdict, on {_whose(largest)}: {_values(largest)}."
    else:
        yield f"The tools disagree most on {_whose(first)}: {verdicts}."


def _whose(dispute: ToolDispute) -> str:
    against = f" against {dispute.opponent}" if dispute.opponent else ""
    place = f"game {dispute.game}, turn {dispute.turn}"
    return f"{dispute.player}'s {dispute.action or 'decision'}{against} ({place})"


def _values(dispute: ToolDispute) -> str:
    return " and ".join(
        f"{numbers.number(verdict.error, 3)} by {verdict.tool.short}"
        for verdict in dispute.verdicts
    )


def _of_phases(study: Study) -> Iterator[str]:
    shares = [(phase.share, phase) for phase in study.phases if phase.share is not None]
    if shares:
        part, most = max(shares, key=lambda entry: entry[0])
        rate, where = most.rates["both"], PHASES[most.name]
        if rate.value is not None:
            number = plural(rate.number, "decision")
            where += f", with PR {with_interval(rate)} in {number}"
        yield f"{share(part)} of the equity that players lost was lost in {where}."


def _of_luck(study: Study) -> Iterator[str]:
    luck = study.luck
    if luck.luckier.number:
        yield f"The luckier player won {_matches(luck.luckier)}{left_out(luck, luck.without_luck)}."
    if luck.better.number:
        few = _few(luck.without_pr)
        left = listed_out([few]) if luck.luckier.number else left_out(luck, 0, luck.without_pr)
        won = f"{_matches(luck.better)}{_torn(luck.luck_over_skill)}"
        yield f"The player with the lower PR won {won}{left}."


def left_out(luck: Luck, without_luck: int = 0, without_pr: int = 0) -> str:
    """Which matches say nothing of who won: `; 2 money sessions left out`; empty if none."""
    unfinished = plural(luck.unfinished, "unfinished match", "unfinished matches")
    silent = f"{matches(without_luck)} without the luck of every roll"
    return listed_out(
        [
            plural(luck.money, "money session") * bool(luck.money),
            unfinished * bool(luck.unfinished),
            silent * bool(without_luck),
            _few(without_pr),
        ]
    )


def _few(without_pr: int) -> str:
    return f"{matches(without_pr)} with too few decisions" * bool(without_pr)


def listed_out(reasons: Sequence[str]) -> str:
    """What is left out; empty if nothing is."""
    parts = listed(list(filter(None, reasons)))
    return f"; {parts} left out" if parts else ""


def _matches(share: Estimate) -> str:
    return won(share, " match" if share.number == 1 else " matches")


def _torn(torn: Estimate) -> str:
    if torn.value is None:
        return ""
    number = round(torn.value * torn.number)
    luckier = "where the other player was luckier, the luckier one"
    if torn.number == 1:
        return f"; in the match {luckier} {'won' if number else 'lost'}"
    count = f"{number:,}"
    if number in (0, torn.number):
        every = "both" if number == 2 else "all"
        count = every if number else "none"
    return f"; in the {torn.number:,} matches {luckier} won {count} ({percent(torn)})"


def gap_lines(study: Study) -> list[str]:
    """How far the rates of tools and rules are apart."""
    first, last = study.corpus.compared_rules
    lines = []
    label = f"PR under {last} minus PR under {first}, same file"
    gaps = [(label, study.rules_gap, numbers.number(study.rules_gap.mean_size, 2))]
    for pair in study.tools:
        label = f"{pair.right.short}'s PR minus {pair.left.short}'s, same transcript"
        gaps.append((label, pair.gap, with_interval(pair.size)))
    for label, gap, mean in gaps:
        if len(gap.values):
            quantiles = "  ".join(
                f"{name} {numbers.signed(value, 2)}"
                for name, value, _ in named_quantiles(gap)
                if value is not None
            )
            many = player_matches(len(gap.values))
            lines.append(f"{label}: mean size {mean}, {quantiles} ({many})")
    for pair in study.tools:
        for level in pair.levels:
            named = levels_named(pair.left.short, pair.right.short, level)
            many = player_matches(level.mean.number)
            lines.append(f"  {named}: mean size {with_interval(level.size)} ({many})")
    return lines


def dispute_lines(study: Study) -> list[str]:
    """The decisions that the tools dispute most."""
    lines = []
    for differs, label in ((True, DIFFERING), (False, VALUED)):
        rows = [row for row in study.disputes[:LINES] if row.differs is differs]
        lines += [label] if rows else []
        for row in rows:
            verdicts = "; ".join(
                f"{verdict.tool.short} {verdict_words(verdict, row.action)}"
                for verdict in row.verdicts
            )
            stake = numbers.number(row.at_stake, 3)
            lines.append(f"  {stake}  {row.xgid}  {row.action}: {verdicts}")
    return lines


def player_lines(study: Study) -> list[str]:
    """The players with most decisions."""
    if not study.people:
        return []
    lines = ["Most decisions (PR by rule set, with its 95 % interval from five games on):"]
    for person in study.people[:LINES]:
        rates = "  ".join(
            f"{name} {numbers.number(rate.pr, 2)}"
            + (f" ({rate.low:.2f} to {rate.high:.2f})" if rate.low is not None else "")
            for name, rate in zip(study.corpus.rules, person.rates, strict=True)
        )
        spelled = f" (also {', '.join(person.spellings)})" if person.spellings else ""
        many = f"{matches(person.matches)}, {plural(person.own.decisions, 'decision')}"
        lines.append(f"  {person.name}{spelled}  {analysed(person.analysis)}  {many}  {rates}")
    return lines


def phase_lines(study: Study) -> list[str]:
    """Where the errors are made."""
    if not study.phases:
        return []
    lines = ["Where the errors are made, PR (95 % interval over games; decisions):"]
    for phase in study.phases:
        parts = "  ".join(
            f"{part} {counted(phase.rates[part])}"
            for part in ("checker", "cube")
            if part in phase.rates
        )
        both = f"{counted(phase.rates['both'])}, {share(phase.share)}"
        lines.append(f"  {phase.name}  {both} of the equity lost  {parts}")
    return lines


def luck_lines(study: Study) -> list[str]:
    """How often the luckier player won."""
    if not study.luck.bins:
        return []
    lines = ["How often the luckier player won, by net luck:"]
    return lines + [
        f"  {bin_named(bin_.low, bin_.high)}  {won(bin_.won)}" for bin_ in study.luck.bins
    ]


def time_lines(study: Study) -> list[str]:
    """The PR over time."""
    if len(study.periods.names) < 2:
        return []
    lines = ["PR over time, by tool and depth, with the number of matches in brackets:"]
    courses = study.periods.courses[: LINES + 1]
    return lines + [
        f"  {course_named(line)}  " + "  ".join(_points(study.periods.names, line))
        for line in courses
    ]


def _points(names: tuple[str, ...], course: Course) -> Iterator[str]:
    for name, rate in zip(names, course.rates, strict=True):
        if rate is not None:
            yield f"{name} {numbers.number(rate.value, 2)} ({rate.matches:,})"


def question_lines(study: Study) -> list[str]:
    """How much each question changes the PR."""
    if not study.effects:
        return []
    some, none = told_apart(study.effects)
    lines = ["Questions, sorted by how much each alone changes PR:"]
    for effect in some:
        has_tail = effect.players >= FEWEST_FOR_A_TAIL
        high = f"95 % {tail(effect)}  " if has_tail else ""
        changed = f"{effect.changed:,} of {player_matches(effect.players)}"
        lines.append(
            f"  {effect.question}  mean {effect.mean:.3f}  {high}most {effect.most:.2f}  "
            f"changes {changed}  {QUESTIONS[effect.question].title}"
        )
    if none:
        codes = ", ".join(effect.question for effect in none)
        lines.append(f"  {NO_DIFFERENCE}: {codes}")
    return lines


def unreadable_lines(study: Study) -> list[str]:
    """The files that could not be read."""
    if not study.errors:
        return []
    lines, left = ["Files that could not be read:"], study.corpus.errors
    for fault, count, file in study.errors[:FILES]:
        left -= count
        first = ", the first" if count > 1 else ""
        # A name from elsewhere never begins a line: what a CI job prints can be an order to it.
        lines.append(f"  {plural(count, 'file')}{first} {one_line(file)}: {one_line(fault)}")
    return [*lines, f"  and {left:,} more"] if left > 0 else lines


def player_matches(number: int) -> str:
    """`8 player-matches`: a player of a match is one."""
    return plural(number, "player-match", "player-matches")


def told_apart(
    effects: Sequence[QuestionEffect],
) -> tuple[list[QuestionEffect], list[QuestionEffect]]:
    """The questions that make a difference, and the others."""
    return [effect for effect in effects if effect.mean >= LEAST], [
        effect for effect in effects if effect.mean < LEAST
    ]


def tail(effect: QuestionEffect) -> str:
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


def mixed_analyses(
    analyses: Sequence[tuple[Analysis, int]], rules: Sequence[tuple[str, str]]
) -> str:
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


def instead(verdict: ToolVerdict, action: str) -> str:
    """What a tool says of an action beside its error: `better 13/9`, `nearly the best`, or `the
    best`; empty if the tables do not say."""
    if verdict.error < LEAST:
        return "the best"
    best = verdict.best or OTHERWISE.get(action)
    if best:
        return f"better {best}"
    return "nearly the best" if verdict.error < ERROR else ""


def verdict_words(verdict: ToolVerdict, action: str) -> str:
    """What a tool says of a decision: its error and what it would have done."""
    if verdict.error < LEAST:
        return "no error"
    return ", ".join(filter(None, (numbers.number(verdict.error, 3), instead(verdict, action))))


def compared(outlier: LargeGap, rules: tuple[str, ...]) -> str:
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
