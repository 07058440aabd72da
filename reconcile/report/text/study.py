"""An archive's study as blocks: findings first, then what is behind them, with pictures; a document
has all rows of what a text begins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from reconcile.report import numbers
from reconcile.report.blocks import (
    Block,
    Bullets,
    Folded,
    Heading,
    Marked,
    Picture,
    Sentences,
    Table,
    Words,
)
from reconcile.report.html.charts import course, histogram, intervals, scores
from reconcile.report.text import corpus as words
from reconcile.report.text.corpus import analysed, interval, won
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.rates import Estimate
from reconcile.wording import plural

if TYPE_CHECKING:
    from reconcile.corpus.study import Gaps, LargeGap, Study

SPELLINGS_SHOWN: Final = 4
SCORES_SHOWN: Final = 12
PLAYERS_DRAWN: Final = 20
LONGEST_NAME: Final = 20
HIGHEST: Final = 30.0
"""Where the axis of courses ends at most; a rate of few decisions can be anything."""


def study_blocks(study: Study) -> Iterator[Block]:
    """What the archive has and what it says; then gaps, disputes, players, phases, luck, time,
    rules and files, each where there is something of it."""
    yield Heading(words.sentence(study))
    yield Sentences(words.mixture(study), wrapped=False)
    yield from _listed(words.findings(study))
    yield from _gaps(study)
    yield from _disputes(study)
    yield from _players(study)
    yield from _phases(study)
    yield from _luck(study)
    yield from _time(study)
    yield from _rules(study)
    yield from _files(study)


def _listed(lines: Sequence[str]) -> Iterator[Block]:
    """Lines as lists, each below the line that ends with a colon."""
    title, items = "", list[str]()
    for line in lines:
        if line.endswith(":") and not line.startswith(" "):
            yield from (Bullets(items, title),) if items else ()
            title, items = line.removesuffix(":"), []
        else:
            items.append(line.strip())
    yield from (Bullets(items, title),) if items else ()


def _estimated(rate: Estimate | None, decimals: int = 2, unit: str = "") -> str | Marked:
    """A rate with its interval, and how many there are of a unit."""
    if rate is None:
        return numbers.UNKNOWN
    of = f"{rate.number:,} {unit}" if unit else ""
    note = "; ".join(filter(None, (interval(rate, decimals), of)))
    return Marked(numbers.number(rate.value, decimals), note=note)


def _gaps(study: Study) -> Iterator[Block]:
    first, last = study.corpus.compared_rules
    title = f"Counting: the same file under {first} and under {last}"
    every: list[tuple[str, str, Gaps]] = []
    for pair in study.tools:
        who = f"{pair.left.short} and {pair.right.short}"
        key = f"{pair.left.key}-{pair.right.key}"
        every.append((f"{who} of one transcript", f"tools-{key}", pair.gap))
        every.append((f"{who}, what counting alone makes", f"counting-{key}", pair.counting))
    every.append((title, "rules", study.rules_gap))
    known = [(title, key, gap) for title, key, gap in every if len(gap.values)]
    if not known:
        return
    yield Heading("How far the rates are apart", "gaps")
    yield from _listed(words.gap_lines(study))
    for title, key, gap in known:
        if gap.values.any():
            yield Picture(title, partial(histogram, gap, title, key), title)
    rows: list[Sequence[Words]] = []
    for title, _, gap in known:
        quantiles = {name: (value, ends) for name, value, ends in words.named_quantiles(gap)}
        cells = (
            Marked(
                numbers.signed(value, 2),
                note=" to ".join(numbers.signed(end, 2) for end in ends or ()),
            )
            for value, ends in quantiles.values()
        )
        rows.append((title, f"{len(gap.values):,}", *cells))
    head = ("PR, right minus left", "Player-matches", *quantiles)
    yield Folded("Quantiles", [Table(head, rows, range(1, len(head)))])
    for pair in study.tools:
        yield from _outliers(
            f"Largest gaps between {pair.left.short} and {pair.right.short}",
            (pair.left.short, pair.right.short),
            pair.outliers,
            study,
        )
    yield from _outliers(
        "Largest gaps between the rules", (first, last), study.rules_outliers, study
    )


def _outliers(
    title: str, labels: tuple[str, str], rows: Sequence[LargeGap], study: Study
) -> Iterator[Folded]:
    cells = [
        (
            row.player,
            numbers.number(row.left, 2),
            numbers.number(row.right, 2),
            numbers.signed(row.gap, 2),
            "" if row.counting is None else numbers.signed(row.counting, 2),
            f"{row.decisions:,}",
            f"`{words.compared(row, study.corpus.compared_rules)}`",
        )
        for row in rows
    ]
    head = ("Player", *labels, "Gap", "Of that counting", "Decisions", "Explained by")
    if cells:
        yield Folded(title, [Table(head, cells, range(1, 6))])


def _disputes(study: Study) -> Iterator[Block]:
    if not study.disputes:
        return
    yield Heading("What the tools dispute most", "disputes")
    yield from _listed(words.dispute_lines(study))
    rows = [
        (
            numbers.number(row.at_stake, 3),
            "differ" if row.differs else "same",
            row.action,
            "; ".join(
                f"{verdict.tool.short} {words.verdict_words(verdict, row.action)}"
                for verdict in row.verdicts
            ),
            row.xgid or "",
            f"{row.player}, game {row.game}, turn {row.turn}, {row.verdicts[0].file}",
        )
        for row in study.disputes
    ]
    head = ("Difference", "Verdicts", "Played", "Errors", "Position", "Player and file")
    yield Folded("All of them", [Table(head, rows, (0,))])


def _players(study: Study) -> Iterator[Block]:
    if not study.people:
        return
    yield Heading("Players", "players")
    yield from _listed(words.player_lines(study))
    if drawn := _players_drawn(study):
        yield Picture("PR of players", partial(str, drawn))
    rows = []
    for person in study.people:
        more = len(person.spellings) - SPELLINGS_SHOWN
        also = ", ".join(person.spellings[:SPELLINGS_SHOWN]) + f" and {more} more" * (more > 0)
        note = analysed(person.analysis) + (f"; also {also}" if also else "")
        rates: list[str | Marked] = []
        for rate in person.rates:
            ends = "" if rate.low is None else f"{rate.low:.2f} to {rate.high:.2f}"
            rates += [
                Marked(numbers.number(rate.pr, 2), note=ends),
                numbers.number(rate.snowie_er, 2),
            ]
        who = Marked(person.name, note=note)
        rows.append((who, f"{person.matches:,}", f"{person.own.decisions:,}", *rates))
    heads = [f"{rate}, {name}" for name in study.corpus.rules for rate in ("PR", "Snowie ER")]
    head = ("Player", "Matches", "Decisions", *heads)
    yield Folded("All rates", [Table(head, rows, range(1, len(head)))])
    missing = study.persons - study.rated
    if missing:
        left = f"Not listed: {plural(missing, 'player')} without a complete analysis of any match."
        yield Sentences([left])


def _phases(study: Study) -> Iterator[Block]:
    if not study.phases:
        return
    yield Heading("Where the errors are made", "phases")
    yield from _listed(words.phase_lines(study))
    yield Picture("PR by phase of the game", partial(_phases_drawn, study))
    names = [phase.name for phase in study.phases]
    people = [
        (
            Marked(name, note=analysed(analysis)),
            *(_estimated(rates.get(phase), unit="decisions") for phase in names),
        )
        for name, analysis, rates in study.by_person
    ]
    if people:
        head = ("Player", *names)
        yield Folded("Players by phase", [Table(head, people, range(1, len(head)))])
    played = [score for score in study.cube_by_score if score.rate.value]
    if played:
        yield Picture("PR of cube decisions by score", partial(scores, study.cube_by_score))
        lost = sorted(played, key=lambda score: -(score.rate.value or 0.0) * score.rate.number)
        rows = [
            (f"{score.away}-away, {score.opponent_away}-away", _estimated(score.rate))
            for score in lost[:SCORES_SHOWN]
        ]
        yield Folded("The scores with most equity lost", [Table(("Score", "PR"), rows, (1,))])


def _luck(study: Study) -> Iterator[Block]:
    if not study.luck.bins:
        return
    yield Heading("Luck against result", "luck")
    yield from _listed(words.luck_lines(study))
    yield Picture("How often the luckier player won", partial(_luck_drawn, study))
    luck = study.luck
    sides = (
        ("the luckier player", luck.luckier),
        ("the player with the lower PR", luck.better),
        ("the luckier player, where the other had the lower PR", luck.luck_over_skill),
    )
    tables: list[Block] = [
        Table(("Player", "Won"), [(who, won(rate)) for who, rate in sides], (1,))
    ]
    if luck.persons:
        rows = [
            (person.name, f"{person.luck.matches:,}", _estimated(person.luck, 1), won(person.won))
            for person in luck.persons
        ]
        head = ("Player", "Matches", "Net luck a match, pp", "Won")
        tables.append(Table(head, rows, (1, 2, 3)))
    yield Folded("By player", tables)


def _time(study: Study) -> Iterator[Block]:
    periods = study.periods
    if len(periods.names) < 2 or not periods.courses:
        return
    yield Heading("Over time", "time")
    yield from _listed(words.time_lines(study))
    rates = [rate for line in periods.courses for rate in line.rates if rate is not None]
    highest = min(max((rate.high or rate.value or 0.0 for rate in rates), default=1.0), HIGHEST)
    for number, line in enumerate(periods.courses):
        name = words.course_named(line)
        draw = partial(course, line, periods.names, f"course-{number}", highest)
        yield Picture(f"PR over time: {name}", draw, name)
    known = [
        (at, name)
        for at, name in enumerate(periods.names)
        if any(line.rates[at] is not None for line in periods.courses)
    ]
    rows = [
        (words.course_named(line), *(_estimated(line.rates[at]) for at, _ in known))
        for line in periods.courses
    ]
    head = ("Player", *(name for _, name in known))
    yield Folded("PR by player and period", [Table(head, rows, range(1, len(head)))])
    if periods.undated:
        undated = plural(periods.undated, "match", "matches")
        yield Sentences([f"{undated} without a date left out."])


def _rules(study: Study) -> Iterator[Block]:
    if not study.effects:
        return
    yield Heading("Which rules matter", "questions")
    yield from _listed(words.question_lines(study))
    rows = [
        (
            f"{row.question} {QUESTIONS[row.question].title}",
            row.answers,
            _estimated(row.interval, 3),
            words.tail(row),
            numbers.number(row.most, 2),
            f"{row.changed:,} of {row.players:,}",
            f"{row.decisions:,}",
            Marked(row.player, note=row.file),
        )
        for row in words.told_apart(study.effects)[0]
    ]
    head = ("Question", "Answers", "Mean", "95 %", "Most", "Changed", "Decisions", "Most in")
    if rows:
        yield Folded("All of them", [Table(head, rows, range(2, 7))])


def _files(study: Study) -> Iterator[Block]:
    yield Heading("Files", "files")
    rows = [
        (tool, f"{count:,}", f"{bare:,}", f"{partly:,}")
        for tool, count, bare, partly in study.sources
    ]
    head = ("Written by", "Matches", "Without any analysis", "Incomplete")
    yield Table(head, rows, (1, 2, 3))
    if study.corpus.duplicates:
        again = plural(study.corpus.duplicates, "file repeats", "files repeat")
        yield Sentences(
            [f"{again} a match by the same tool; the fullest analysis is the one used."]
        )
    yield from _listed(words.unreadable_lines(study))
    if study.errors:
        faults = [(str(count), what, file) for what, count, file in study.errors]
        yield Folded("All errors", [Table(("Files", "Why", "For example"), faults, (0,))])


def _players_drawn(study: Study) -> str:
    """The players with most decisions in the most frequent kind of analysis, the lowest PR
    first."""
    if not study.pooled:
        return ""
    usual = study.pooled[0][0]
    drawn = [person for person in study.people if person.analysis == usual][:PLAYERS_DRAWN]
    rates = [(person.name, person.own) for person in drawn if person.own.pr is not None]
    rows = [
        (
            name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…",
            Estimate(rate.pr, rate.low, rate.high, 0, rate.decisions),
        )
        for name, rate in sorted(rates, key=lambda person: person[1].pr or 0.0)
    ]
    name = f"PR of the players with most decisions, {words.analysed(usual)}"
    return intervals(rows, name, "players-chart") if len(rows) > 1 else ""


def _phases_drawn(study: Study) -> str:
    rows = [
        (f"{phase.name}, {part}", phase.rates[part])
        for phase in study.phases
        for part in ("checker", "cube")
        if part in phase.rates
    ]
    return intervals(rows, "PR by phase of the game", "phases-chart")


def _luck_drawn(study: Study) -> str:
    rows = [(words.bin_named(bin_.low, bin_.high), bin_.won) for bin_ in study.luck.bins]
    name = "How often the luckier player won, by net luck"
    return intervals(rows, name, "luck-chart", factor=100.0, unit=" %")
