"""What an archive says, as a page with its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reconcile.report.html.charts import course, histogram, intervals, scores
from reconcile.report.text import corpus as words
from reconcile.report.text.corpus import findings, left_out, mixture, sentence
from reconcile.scoring.rates import FEWEST_DECISIONS, Estimate

if TYPE_CHECKING:
    from reconcile.corpus.study import BetweenTools, Gaps, Study

SPELLINGS_SHOWN: Final = 4
SCORES_SHOWN: Final = 12
PLAYERS_DRAWN: Final = 20
LONGEST_NAME: Final = 20
HIGHEST: Final = 30.0
"""Where the axis of courses ends at most; a rate of few decisions can be anything."""


def corpus_page(study: Study) -> str:
    """The report as one HTML file."""
    from reconcile.report.html.render import render

    played = [score for score in study.cube_by_score if score.rate.value]
    costliest = sorted(played, key=lambda score: -(score.rate.value or 0.0) * score.rate.number)[
        :SCORES_SHOWN
    ]  # equity lost
    courses = study.periods.courses
    some, none = words.told_apart(study.effects)
    return render(
        "corpus.html.j2",
        study=study,
        said=words,
        sentence=sentence(study),
        mixture=mixture(study),
        findings=findings(study),
        left_out=left_out(study.luck),
        sections=_sections(study),
        gaps=_gaps(study),
        players=_players(study),
        phases=_phases(study),
        scores=scores(study.cube_by_score) if costliest else "",
        costliest=costliest,
        luck=_luck(study),
        courses=_courses(study),
        periods=[
            (at, name)
            for at, name in enumerate(study.periods.names)
            if any(score.rates[at] is not None for score in courses)
        ],
        effects=some,
        without_effect=none,
        fewest=FEWEST_DECISIONS,
        spellings_shown=SPELLINGS_SHOWN,
    )


def _sections(study: Study) -> list[tuple[str, str, bool]]:
    """Key and name of every section, and whether there is anything in it."""
    return [
        ("gaps", "Gaps", bool(len(study.rules_gap.values))),
        ("disputes", "In dispute", bool(study.disputes)),
        ("players", "Players", bool(study.people)),
        ("phases", "Phases", bool(study.phases)),
        ("luck", "Luck", bool(study.luck.bins)),
        ("time", "Over time", len(study.periods.names) > 1 and bool(study.periods.courses)),
        ("questions", "Rules", bool(study.effects)),
        (
            "outliers",
            "Largest gaps",
            bool(study.rules_outliers or any(pair.outliers for pair in study.tools)),
        ),
        ("files", "Files", True),
    ]


def _gaps(study: Study) -> list[tuple[str, Gaps, str, BetweenTools | None]]:
    """Title, gaps, picture and, for two tools, the pair whose levels are listed."""
    first, last = study.corpus.compared_rules
    gaps: list[tuple[str, str, Gaps, BetweenTools | None]] = []
    for pair in study.tools:
        key = f"{pair.left.key}-{pair.right.key}"
        who = "Two programs" if pair.left.name != pair.right.name else "One program at two depths"
        title = (
            f"{who}: {pair.left.short}'s analysis and {pair.right.short}'s of one transcript, "
            "each under its own rules"
        )
        gaps += [
            (f"tools-{key}", title, pair.gap, pair),
            (f"counting-{key}", "Of that, what counting alone makes", pair.counting, None),
        ]
    gaps.append(
        ("rules", f"Counting: the same file under {first} and under {last}", study.rules_gap, None)
    )
    return [
        (title, gap, histogram(gap, title, key) if gap.values.any() else "", pair)
        for key, title, gap, pair in gaps
        if len(gap.values)
    ]


def _players(study: Study) -> str:
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


def _phases(study: Study) -> str:
    rows = [
        (f"{phase.name}, {part}", phase.rates[part])
        for phase in study.phases
        for part in ("checker", "cube")
        if part in phase.rates
    ]
    return intervals(rows, "PR by phase of the game", "phases-chart")


def _luck(study: Study) -> str:
    rows = [(words.bin_named(bin_.low, bin_.high), bin_.won) for bin_ in study.luck.bins]
    name = "How often the luckier player won, by net luck"
    return intervals(rows, name, "luck-chart", factor=100.0, unit=" %")


def _courses(study: Study) -> list[tuple[str, str]]:
    periods = study.periods
    if len(periods.names) < 2:
        return []
    rates = [rate for line in periods.courses for rate in line.rates if rate is not None]
    highest = min(max((rate.high or rate.value or 0.0 for rate in rates), default=1.0), HIGHEST)
    return [
        (words.course_named(line), course(line, periods.names, f"course-{number}", highest))
        for number, line in enumerate(periods.courses)
    ]
