"""An archive's study as text, findings first; the arithmetic is done in
`reconcile.corpus.study`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from reconcile.files.wording import listed, one_line, plural
from reconcile.match.tools import BGBLITZ, TOOLS
from reconcile.report import numbers
from reconcile.report.text import corpus_words as words
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.open_rules import UNKNOWN

if TYPE_CHECKING:
    from reconcile.corpus.study import Course, Dispute, Luck, OpenPr, Study
    from reconcile.scoring.rates import Estimate

ONE_POINT: Final = "Q09"
"""The question about one-point matches."""
LINES: Final = 10
"""Players and disputes in the text; the page shows more."""
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


def corpus_text(study: Study) -> str:
    """The study in a few lines a part."""
    parts = [
        [sentence(study), *mixture(study)],
        findings(study),
        _gaps(study),
        _disputes(study),
        _players(study),
        _phases(study),
        _luck(study),
        _time(study),
        _questions(study),
        _unreadable(study),
    ]
    return numbers.ascii_minus("\n\n".join("\n".join(part) for part in parts if part)) + "\n"


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
    parts = [words.mixture(study.pooled, study.rules)]
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
            for name, value, _ in words.named_quantiles(pair.gap)
            if value is not None
        }
        ends = f"from {quantiles['least']} to {quantiles['most']}"
        if "95 %" in quantiles:
            ends = f"between {quantiles['5 %']} and {quantiles['95 %']} for nine of ten"
        between = "" if pair.size.low is None else f" (95 % interval {words.interval(pair.size)})"
        many = f"{words.player_matches(len(pair.gap.values))} of {matches(pair.mean.matches)}"
        size = f"{numbers.number(pair.size.value, 2)} PR on average{between}"
        yield f"{left} and {right} differ by {size}: {right}'s minus {left}'s is {ends} ({many})."
    if study.disputes:
        yield from _of_disputes(study.disputes)


def _of_open_rules(study: Study) -> Iterator[str]:
    for rate in study.open_prs:
        tool = next(tool.short for tool in TOOLS.values() if tool.rules == rate.rules)
        some = f"{rate.changed:,} of {words.player_matches(rate.players)}"
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


def _of_disputes(disputes: Sequence[Dispute]) -> Iterator[str]:
    """The largest dispute; where the verdicts agree on it, the largest on which they differ before
    it."""
    first, largest = disputes[0], max(disputes, key=lambda dispute: dispute.at_stake)
    if not first.differs:
        valued = f"they value most differently {_whose(first)}: {_values(first)}"
        yield f"No verdicts of the tools differ; {valued}."
        return
    verdicts = "; ".join(
        f"{verdict.tool.short} says {words.verdict_words(verdict, first.action)}"
        for verdict in first.verdicts
    )
    if first.at_stake < largest.at_stake:
        apart = f"they are furthest apart on {_whose(first)}: {verdicts}"
        yield f"Where the tools' verdicts differ, {apart}."
        yield f"They are further apart, with one verdict, on {_whose(largest)}: {_values(largest)}."
    else:
        yield f"The tools disagree most on {_whose(first)}: {verdicts}."


def _whose(dispute: Dispute) -> str:
    against = f" against {dispute.opponent}" if dispute.opponent else ""
    place = f"game {dispute.game}, turn {dispute.turn}"
    return f"{dispute.player}'s {dispute.action or 'decision'}{against} ({place})"


def _values(dispute: Dispute) -> str:
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
            where += f", with PR {words.with_interval(rate)} in {number}"
        yield f"{words.share(part)} of the equity that players lost was lost in {where}."


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
    return words.won(share, " match" if share.number == 1 else " matches")


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
    return f"; in the {torn.number:,} matches {luckier} won {count} ({words.percent(torn)})"


def _gaps(study: Study) -> list[str]:
    first, last = study.corpus.compared_rules
    lines = []
    label = f"PR under {last} minus PR under {first}, same file"
    gaps = [(label, study.rules_gap, numbers.number(study.rules_gap.mean_size, 2))]
    for pair in study.tools:
        label = f"{pair.right.short}'s PR minus {pair.left.short}'s, same transcript"
        gaps.append((label, pair.gap, words.with_interval(pair.size)))
    for label, gap, mean in gaps:
        if len(gap.values):
            quantiles = "  ".join(
                f"{name} {numbers.signed(value, 2)}"
                for name, value, _ in words.named_quantiles(gap)
                if value is not None
            )
            many = words.player_matches(len(gap.values))
            lines.append(f"{label}: mean size {mean}, {quantiles} ({many})")
    for pair in study.tools:
        for level in pair.levels:
            named = words.levels_named(pair.left.short, pair.right.short, level)
            many = words.player_matches(level.mean.number)
            lines.append(f"  {named}: mean size {words.with_interval(level.size)} ({many})")
    return lines


def _disputes(study: Study) -> list[str]:
    lines = []
    for differs, label in ((True, DIFFERING), (False, VALUED)):
        rows = [row for row in study.disputes[:LINES] if row.differs is differs]
        lines += [label] if rows else []
        for row in rows:
            verdicts = "; ".join(
                f"{verdict.tool.short} {words.verdict_words(verdict, row.action)}"
                for verdict in row.verdicts
            )
            stake = numbers.number(row.at_stake, 3)
            lines.append(f"  {stake}  {row.xgid}  {row.action}: {verdicts}")
    return lines


def _players(study: Study) -> list[str]:
    if not study.people:
        return []
    lines = ["Most decisions (PR by rule set, with its 95 % interval from five matches on):"]
    for person in study.people[:LINES]:
        rates = "  ".join(
            f"{name} {numbers.number(rate.pr, 2)}"
            + (f" ({rate.low:.2f} to {rate.high:.2f})" if rate.low is not None else "")
            for name, rate in zip(study.corpus.rules, person.rates, strict=True)
        )
        spelled = f" (also {', '.join(person.spellings)})" if person.spellings else ""
        many = f"{matches(person.matches)}, {plural(person.own.decisions, 'decision')}"
        lines.append(
            f"  {person.name}{spelled}  {words.analysed(person.analysis)}  {many}  {rates}"
        )
    return lines


def _phases(study: Study) -> list[str]:
    if not study.phases:
        return []
    lines = ["Where the errors are made, PR (95 % interval over matches; decisions):"]
    for phase in study.phases:
        parts = "  ".join(
            f"{part} {words.counted(phase.rates[part])}"
            for part in ("checker", "cube")
            if part in phase.rates
        )
        both = f"{words.counted(phase.rates['both'])}, {words.share(phase.share)}"
        lines.append(f"  {phase.name}  {both} of the equity lost  {parts}")
    return lines


def _luck(study: Study) -> list[str]:
    if not study.luck.bins:
        return []
    lines = ["How often the luckier player won, by net luck:"]
    return lines + [
        f"  {words.bin_named(bin_.low, bin_.high)}  {words.won(bin_.won)}"
        for bin_ in study.luck.bins
    ]


def _time(study: Study) -> list[str]:
    if len(study.periods.names) < 2:
        return []
    lines = ["PR over time, by tool and depth, with the number of matches in brackets:"]
    courses = study.periods.courses[: LINES + 1]
    return lines + [
        f"  {words.course_named(line)}  " + "  ".join(_points(study.periods.names, line))
        for line in courses
    ]


def _points(names: tuple[str, ...], course: Course) -> Iterator[str]:
    for name, rate in zip(names, course.rates, strict=True):
        if rate is not None:
            yield f"{name} {numbers.number(rate.value, 2)} ({rate.matches:,})"


def _questions(study: Study) -> list[str]:
    if not study.effects:
        return []
    some, none = words.told_apart(study.effects)
    lines = ["Questions, sorted by how much each alone changes PR:"]
    for effect in some:
        has_tail = effect.players >= words.FEWEST_FOR_A_TAIL
        high = f"95 % {words.tail(effect)}  " if has_tail else ""
        changed = f"{effect.changed:,} of {words.player_matches(effect.players)}"
        lines.append(
            f"  {effect.question}  mean {effect.mean:.3f}  {high}most {effect.most:.2f}  "
            f"changes {changed}  {QUESTIONS[effect.question].title}"
        )
    if none:
        codes = ", ".join(effect.question for effect in none)
        lines.append(f"  {words.NO_DIFFERENCE}: {codes}")
    return lines


def _unreadable(study: Study) -> list[str]:
    if not study.errors:
        return []
    lines, left = ["Files that could not be read:"], study.corpus.errors
    for fault, count, file in study.errors[:FILES]:
        left -= count
        first = ", the first" if count > 1 else ""
        # A name from elsewhere never begins a line: what a CI job prints can be an order to it.
        lines.append(f"  {plural(count, 'file')}{first} {one_line(file)}: {one_line(fault)}")
    return [*lines, f"  and {left:,} more"] if left > 0 else lines
