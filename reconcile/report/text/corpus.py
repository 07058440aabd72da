"""An archive's study as text, findings first; the arithmetic is done in `reconcile.corpus.study`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reconcile.files.wording import plural
from reconcile.report import numbers
from reconcile.rules.rulesets import QUESTIONS

if TYPE_CHECKING:
    from reconcile.corpus.study import Study
    from reconcile.corpus.study.disputes import Verdict
    from reconcile.corpus.study.gaps import Gaps, Levels, Outlier
    from reconcile.corpus.study.periods import Course
    from reconcile.corpus.study.spread import Estimate

LINES: Final = 10
"""Players and disputes in the text; the page shows more."""


def corpus_text(study: Study) -> str:
    """The study in a few lines a part."""
    parts = [
        [sentence(study)],
        findings(study),
        _gaps(study),
        _disputes(study),
        _players(study),
        _phases(study),
        _luck(study),
        _time(study),
    ]
    parts.append(_questions(study))
    return numbers.ascii_minus("\n\n".join("\n".join(part) for part in parts if part)) + "\n"


def sentence(study: Study) -> str:
    """The contents of the archive, in a sentence."""
    corpus = study.corpus
    matches = f"{plural(study.played, 'match', 'matches')} in {plural(study.files, 'file')}"
    parts = [f"{matches}, with {plural(study.persons, 'player')} and {plural(study.decisions, 'decision')}"]
    if corpus.without_match:
        parts.append(f"{plural(corpus.without_match, 'file')} without a match")
    if corpus.errors:
        parts.append(f"{plural(corpus.errors, 'file')} could not be read")
    return "; ".join(parts) + "."


def findings(study: Study) -> list[str]:
    """What the archive says, each in a sentence."""
    return [*_of_tools(study), *_of_phases(study), *_of_luck(study), *_of_time(study)]


def _of_tools(study: Study) -> Iterator[str]:
    for pair in study.tools:
        quantiles = pair.gap.quantiles
        left, right = pair.left.short, pair.right.short
        ends = f"between {numbers.signed(quantiles[0], 2)} and {numbers.signed(quantiles[-1], 2)}"
        yield (
            f"{left} and {right} differ by {numbers.number(pair.gap.mean_size, 2)} of PR on average: {right}'s minus {left}'s is {ends} "
            f"for nine of ten players of a match ({len(pair.gap.values):,} of them, in {plural(pair.mean.matches, 'match', 'matches')})."
        )
    if study.disputes:
        first = study.disputes[0]
        where = f"game {first.game}, turn {first.turn}"
        ends = " and ".join(f"{numbers.number(one.error, 3)} by {one.tool.short}" for one in first.verdicts)
        yield f"The tools dispute most what {first.action or 'a decision'} cost {first.player} ({where}): {ends}."


def _of_phases(study: Study) -> Iterator[str]:
    if study.phases:
        most = max(study.phases, key=lambda phase: phase.share)
        yield (
            f"{numbers.number(100 * most.share, 0)} % of the equity that players lost was lost in {_phase(most.name)}, "
            f"with PR {with_interval(most.rates['both'])}."
        )


def _phase(name: str) -> str:
    return {"opening": "the opening", "contact": "contact positions", "race": "races", "bear-off": "bear-offs"}[name]


def _of_luck(study: Study) -> Iterator[str]:
    luck = study.luck
    if luck.luckier.number:
        yield f"The luckier player won {won(luck.luckier, ' matches')}."
    if luck.better.number:
        torn = luck.luck_over_skill
        rest = f"; where that was not the luckier one, luck won {won(torn)}" if torn.number else ""
        yield f"The player with the lower PR won {won(luck.better, ' matches')}{rest}."


def _of_time(study: Study) -> Iterator[str]:
    if study.periods.courses:
        every = [
            (name, rate)
            for name, rate in zip(study.periods.names, study.periods.courses[0].rates, strict=True)
            if rate and rate.value is not None
        ]
        if len(every) > 1:
            (first, start), (last, end) = every[0], every[-1]
            yield f"All players together had PR {with_interval(start)} in {first} and {with_interval(end)} in {last}."


def _gaps(study: Study) -> list[str]:
    first, last = study.corpus.compared_rules
    lines = []
    for label, gaps in (
        (f"PR under {last} minus PR under {first}, same file", study.rules_gap),
        *((f"{one.right.short}'s PR minus {one.left.short}'s, same transcript", one.gap) for one in study.tools),
    ):
        if len(gaps.values):
            quantiles = "  ".join(f"{name} {numbers.signed(value, 2)}" for name, value, _ in named_quantiles(gaps))
            lines.append(f"{label}: mean size {numbers.number(gaps.mean_size, 2)}, {quantiles} ({len(gaps.values):,} players of matches)")
    for pair in study.tools:
        for one in pair.levels:
            named = levels_named(pair.left.short, pair.right.short, one)
            lines.append(f"  {named}: mean size {with_interval(one.size)} ({one.mean.number:,} players of matches)")
    return lines


def _disputes(study: Study) -> list[str]:
    if not study.disputes:
        return []
    lines = ["Decisions that the tools dispute most:"]
    for one in study.disputes[:LINES]:
        verdicts = "; ".join(f"{verdict.tool.short} {said(verdict)}" for verdict in one.verdicts)
        lines.append(f"  {numbers.number(one.at_stake, 3)}  {one.xgid}  {one.action}: {verdicts}")
    return lines


def _players(study: Study) -> list[str]:
    if not study.people:
        return []
    lines = ["Most decisions:"]
    for person in study.people[:LINES]:
        rates = "  ".join(
            f"{name} {numbers.number(rate.pr, 2)}" + (f" ({rate.low:.2f} to {rate.high:.2f})" if rate.low is not None else "")
            for name, rate in zip(study.corpus.rules, person.rates, strict=True)
        )
        spelled = f" (also {', '.join(person.spellings)})" if person.spellings else ""
        lines.append(
            f"  {person.name}{spelled}  {plural(person.matches, 'match', 'matches')}, {person.rates[0].decisions:,} decisions  {rates}"
        )
    return lines


def _phases(study: Study) -> list[str]:
    if not study.phases:
        return []
    lines = [f"Where the errors are made, PR under {study.corpus.rules[0]}:"]
    for phase in study.phases:
        parts = "  ".join(f"{part} {with_interval(phase.rates[part])}" for part in ("checker", "cube") if part in phase.rates)
        lines.append(
            f"  {phase.name}  {with_interval(phase.rates['both'])}, {numbers.number(100 * phase.share, 0)} % of the equity lost  {parts}"
        )
    return lines


def _luck(study: Study) -> list[str]:
    if not study.luck.bins:
        return []
    lines = ["How often the luckier player won, by net luck:"]
    return lines + [f"  {bin_named(one.low, one.high)}  {won(one.won)}" for one in study.luck.bins]


def _time(study: Study) -> list[str]:
    if len(study.periods.names) < 2:
        return []
    lines = [f"PR over time under {study.corpus.rules[0]}:"]
    return lines + [f"  {course_named(one)}  " + "  ".join(_points(study.periods.names, one)) for one in study.periods.courses[: LINES + 1]]


def _points(names: tuple[str, ...], course: Course) -> Iterator[str]:
    for name, rate in zip(names, course.rates, strict=True):
        if rate is not None:
            yield f"{name} {numbers.number(rate.value, 2)}"


def _questions(study: Study) -> list[str]:
    return ["Questions, sorted by how much each alone changes PR:"] + [
        f"  {one.question}  mean {one.mean:.3f}  95 % {one.high:.2f}  most {one.most:.2f}  changes {one.changed} of {one.players}  "
        f"{QUESTIONS[one.question].title}"
        for one in study.effects
    ]


def with_interval(estimate: Estimate, decimals: int = 2) -> str:
    """A rate with its interval, if it has one: `6.46 (3.24 to 9.69)`."""
    value = numbers.number(estimate.value, decimals)
    return value if estimate.low is None else f"{value} ({interval(estimate, decimals)})"


def interval(estimate: Estimate, decimals: int = 2) -> str:
    """The 95 % interval: `3.24 to 9.69`; empty without one."""
    return "" if estimate.low is None else f"{numbers.number(estimate.low, decimals)} to {numbers.number(estimate.high, decimals)}"


def won(share: Estimate, unit: str = "") -> str:
    """A share of matches with its interval: `78 of 100 matches (69 to 85 %)`; `unit` follows the number."""
    if share.value is None or share.low is None or share.high is None:
        return numbers.UNKNOWN
    places = 0 if share.number < 1000 else 1
    between = f"{100 * share.low:.{places}f} to {100 * share.high:.{places}f} %"
    return f"{share.value * share.number:,.0f} of {share.number:,}{unit} ({between})"


def bin_named(low: float, high: float | None) -> str:
    """What a bin of net luck holds: `10 to 20 pp`."""
    return f"{low:.0f} pp or more" if high is None else f"{low:.0f} to {high:.0f} pp"


def course_named(course: Course) -> str:
    """Whose course it is."""
    return course.name if course.name is not None else "All players"


def levels_named(left: str, right: str, levels: Levels) -> str:
    """Two tools with their levels: `XG looking 3 plies ahead, gnuBG 2`."""
    return ", ".join(f"{tool} {level_named(level)}" for tool, level in zip((left, right), levels.lookahead, strict=True))


def level_named(lookahead: float | None) -> str:
    """How far a tool looked ahead in most evaluations."""
    if lookahead is None:
        return "at no fixed depth"
    return f"{lookahead:g} {'ply' if lookahead == 1 else 'plies'} ahead"


def said(verdict: Verdict) -> str:
    """What a tool says of a decision: its error and what it would have done."""
    error = numbers.number(verdict.error, 3)
    if not verdict.error:
        return "no error"
    return f"{error}, better {verdict.best}" if verdict.best else error


def compared(outlier: Outlier, rules: tuple[str, ...]) -> str:
    """The command that explains a gap."""
    if len(outlier.files) > 1:
        return f"reconcile compare {_quoted(outlier.files[0])} {_quoted(outlier.files[1])} --html gap.html"
    both = _quoted(outlier.files[0])
    return f"reconcile compare {both} {both} --left-rules {rules[0]} --right-rules {rules[-1]} --html gap.html"


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)


def named_quantiles(gaps: Gaps) -> list[tuple[str, float, tuple[float, float] | None]]:
    """The quantiles of a distribution with their names and intervals."""
    return list(zip(("5 %", "25 %", "median", "75 %", "95 %"), gaps.quantiles, gaps.quantile_intervals, strict=False))
