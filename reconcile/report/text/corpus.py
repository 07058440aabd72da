"""An archive's study as text, findings first; the arithmetic is done in `reconcile.corpus.study`."""

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
    from reconcile.corpus.study import Study
    from reconcile.corpus.study.disputes import Dispute
    from reconcile.corpus.study.luck import Luck
    from reconcile.corpus.study.players import Course
    from reconcile.corpus.study.rules import OpenPr
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


def sentence(study: Study) -> str:
    """The contents of the archive, in a sentence."""
    corpus = study.corpus
    matches = f"{plural(study.played, 'match', 'matches')} in {plural(study.files, 'file')}"
    parts = [
        f"{matches}, with {plural(study.persons, 'player')} and {plural(study.decisions, 'decision')}"
    ]
    if study.unanalysed:
        parts.append(f"{plural(study.unanalysed, 'match has', 'matches have')} no analysis")
    if study.incomplete:
        whose = "its analysis is" if study.incomplete == 1 else "their analyses are"
        parts.append(
            f"{plural(study.incomplete, 'match', 'matches')} left out of the rates, since {whose} incomplete"
        )
    if corpus.without_match:
        parts.append(f"{plural(corpus.without_match, 'file')} without a match")
    if corpus.errors:
        parts.append(f"{plural(corpus.errors, 'file')} could not be read")
    return "; ".join(parts) + "."


def mixture(study: Study) -> list[str]:
    """What is mixed in the archive, to be read before any rate; empty without a complete analysis."""
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
        known = {
            name: value for name, value, _ in words.named_quantiles(pair.gap) if value is not None
        }
        if "95 %" in known:
            ends = f"between {numbers.signed(known['5 %'], 2)} and {numbers.signed(known['95 %'], 2)} for nine of ten"
        else:
            ends = f"from {numbers.signed(known['least'], 2)} to {numbers.signed(known['most'], 2)}"
        between = "" if pair.size.low is None else f" (95 % interval {words.interval(pair.size)})"
        many = f"{words.player_matches(len(pair.gap.values))} of {plural(pair.mean.matches, 'match', 'matches')}"
        size = f"{numbers.number(pair.size.value, 2)} PR on average{between}"
        yield f"{left} and {right} differ by {size}: {right}'s minus {left}'s is {ends} ({many})."
    if study.disputes:
        yield from _of_disputes(study.disputes)


def _of_open_rules(study: Study) -> Iterator[str]:
    for one in study.open_prs:
        tool = next(tool.short for tool in TOOLS.values() if tool.rules == one.rules)
        some = f"{one.changed:,} of {words.player_matches(one.players)}"
        yield f"The PR of {some} under {tool}'s rules is a range, up to {one.widest:.2f} wide: {_why_open(one, tool)}."


def _why_open(one: OpenPr, tool: str) -> str:
    """What is not known, or not in these files."""
    asked = RULE_SETS[one.rules].open & UNKNOWN.keys()
    codes = sorted(asked if one.one_point else asked - {ONE_POINT})
    if codes:
        return f"{listed([UNKNOWN[code].format(tool) for code in codes])} is not known"
    if one.rules == BGBLITZ.rules:
        return f"which turns with a dead cube {tool} counts is not in these files"
    return "equities are known as far as they are printed"


def _of_disputes(disputes: Sequence[Dispute]) -> Iterator[str]:
    """The largest dispute; where the verdicts agree on it, the largest on which they differ before it."""
    first, largest = disputes[0], max(disputes, key=lambda one: one.at_stake)
    if not first.differs:
        yield f"No verdicts of the tools differ; they value most differently {_whose(first)}: {_values(first)}."
    elif first.at_stake < largest.at_stake:
        yield f"Where the tools' verdicts differ, they are furthest apart on {_whose(first)}: {_verdicts(first)}."
        yield f"They are further apart, with one verdict, on {_whose(largest)}: {_values(largest)}."
    else:
        yield f"The tools disagree most on {_whose(first)}: {_verdicts(first)}."


def _whose(one: Dispute) -> str:
    against = f" against {one.opponent}" if one.opponent else ""
    return f"{one.player}'s {one.action or 'decision'}{against} (game {one.game}, turn {one.turn})"


def _verdicts(dispute: Dispute) -> str:
    return "; ".join(
        f"{one.tool.short} says {words.said(one, dispute.action)}" for one in dispute.verdicts
    )


def _values(dispute: Dispute) -> str:
    return " and ".join(
        f"{numbers.number(one.error, 3)} by {one.tool.short}" for one in dispute.verdicts
    )


def _of_phases(study: Study) -> Iterator[str]:
    shares = [(phase.share, phase) for phase in study.phases if phase.share is not None]
    if shares:
        part, most = max(shares, key=lambda one: one[0])
        rate = most.rates["both"]
        ends = (
            f", with PR {words.with_interval(rate)} in {plural(rate.number, 'decision')}"
            if rate.value is not None
            else ""
        )
        yield f"{words.share(part)} of the equity that players lost was lost in {PHASES[most.name]}{ends}."


def _of_luck(study: Study) -> Iterator[str]:
    luck = study.luck
    if luck.luckier.number:
        yield f"The luckier player won {_matches(luck.luckier)}{left_out(luck, luck.without_luck)}."
    if luck.better.number:
        few = _too_few(luck) if luck.luckier.number else left_out(luck, 0, luck.without_pr)
        yield f"The player with the lower PR won {_matches(luck.better)}{_torn(luck.luck_over_skill)}{few}."


def left_out(luck: Luck, without_luck: int = 0, without_pr: int = 0) -> str:
    """Which matches say nothing of who won: `; 2 money sessions left out`; empty if none."""
    reasons = [
        plural(luck.money, "money session") if luck.money else "",
        plural(luck.unfinished, "unfinished match", "unfinished matches")
        if luck.unfinished
        else "",
        f"{plural(without_luck, 'match', 'matches')} without the luck of every roll"
        if without_luck
        else "",
        f"{plural(without_pr, 'match', 'matches')} with too few decisions" if without_pr else "",
    ]
    found = listed([reason for reason in reasons if reason])
    return f"; {found} left out" if found else ""


def _too_few(luck: Luck) -> str:
    """The same for those that say nothing of PR alone."""
    return (
        f"; {plural(luck.without_pr, 'match', 'matches')} with too few decisions left out"
        if luck.without_pr
        else ""
    )


def _matches(share: Estimate) -> str:
    return words.won(share, " match" if share.number == 1 else " matches")


def _torn(torn: Estimate) -> str:
    if torn.value is None:
        return ""
    number = round(torn.value * torn.number)
    if torn.number == 1:
        return f"; in the match where the other player was luckier, the luckier one {'won' if number else 'lost'}"
    count = (
        "none"
        if not number
        else f"{number:,}"
        if number < torn.number
        else "both"
        if number == 2
        else "all"
    )
    return f"; in the {torn.number:,} matches where the other player was luckier, the luckier one won {count} ({words.percent(torn)})"


def _gaps(study: Study) -> list[str]:
    first, last = study.corpus.compared_rules
    lines = []
    for label, gaps, size in (
        (f"PR under {last} minus PR under {first}, same file", study.rules_gap, None),
        *(
            (f"{one.right.short}'s PR minus {one.left.short}'s, same transcript", one.gap, one.size)
            for one in study.tools
        ),
    ):
        if len(gaps.values):
            known = [
                f"{name} {numbers.signed(value, 2)}"
                for name, value, _ in words.named_quantiles(gaps)
                if value is not None
            ]
            mean = words.with_interval(size) if size else numbers.number(gaps.mean_size, 2)
            lines.append(
                f"{label}: mean size {mean}, {'  '.join(known)} ({words.player_matches(len(gaps.values))})"
            )
    for pair in study.tools:
        for one in pair.levels:
            named = words.levels_named(pair.left.short, pair.right.short, one)
            lines.append(
                f"  {named}: mean size {words.with_interval(one.size)} ({words.player_matches(one.mean.number)})"
            )
    return lines


def _disputes(study: Study) -> list[str]:
    if not study.disputes:
        return []
    lines = []
    shown = study.disputes[:LINES]
    for differs, label in (
        (True, "Decisions on which the tools' verdicts differ, by the difference of the errors:"),
        (False, VALUED),
    ):
        rows = [one for one in shown if one.differs is differs]
        lines += [label] if rows else []
        for one in rows:
            verdicts = "; ".join(
                f"{verdict.tool.short} {words.said(verdict, one.action)}"
                for verdict in one.verdicts
            )
            lines.append(
                f"  {numbers.number(one.at_stake, 3)}  {one.xgid}  {one.action}: {verdicts}"
            )
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
        many = f"{plural(person.matches, 'match', 'matches')}, {plural(person.own.decisions, 'decision')}"
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
        lines.append(
            f"  {phase.name}  {words.counted(phase.rates['both'])}, {words.share(phase.share)} of the equity lost  {parts}"
        )
    return lines


def _luck(study: Study) -> list[str]:
    if not study.luck.bins:
        return []
    lines = ["How often the luckier player won, by net luck:"]
    return lines + [
        f"  {words.bin_named(one.low, one.high)}  {words.won(one.won)}" for one in study.luck.bins
    ]


def _time(study: Study) -> list[str]:
    if len(study.periods.names) < 2:
        return []
    lines = ["PR over time, by tool and depth, with the number of matches in brackets:"]
    courses = study.periods.courses[: LINES + 1]
    return lines + [
        f"  {words.course_named(one)}  " + "  ".join(_points(study.periods.names, one))
        for one in courses
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
    for one in some:
        high = f"95 % {words.tail(one)}  " if one.players >= words.FEWEST_FOR_A_TAIL else ""
        lines.append(
            f"  {one.question}  mean {one.mean:.3f}  {high}most {one.most:.2f}  "
            f"changes {one.changed:,} of {words.player_matches(one.players)}  {QUESTIONS[one.question].title}"
        )
    return (
        [*lines, f"  {words.NO_DIFFERENCE}: {', '.join(one.question for one in none)}"]
        if none
        else lines
    )


def _unreadable(study: Study) -> list[str]:
    if not study.errors:
        return []
    lines, left = ["Files that could not be read:"], study.corpus.errors
    for what, count, file in study.errors[:FILES]:
        left -= count
        # A name from elsewhere never begins a line: what a CI job prints can be an order to it.
        lines.append(
            f"  {plural(count, 'file')}{', the first' if count > 1 else ''} {one_line(file)}: {one_line(what)}"
        )
    return [*lines, f"  and {left:,} more"] if left > 0 else lines
