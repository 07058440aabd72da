"""What an archive says, as a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reconcile.corpus.study.prepared import FEWEST_DECISIONS, Estimate
from reconcile.report.html.corpus_charts import course, histogram, intervals, scores
from reconcile.report.text import corpus_words as words
from reconcile.report.text.corpus import findings, left_out, sentence

if TYPE_CHECKING:
    from reconcile.corpus.study import Study
    from reconcile.corpus.study.gaps import BetweenTools, Gaps
    from reconcile.corpus.study.players import Score

SPELLINGS_SHOWN: Final = 4
SCORES_SHOWN: Final = 12
PLAYERS_DRAWN: Final = 20
LONGEST_NAME: Final = 20
HIGHEST: Final = 30.0
"""Where the axis of courses ends at most; a rate of few decisions can be anything."""


def corpus_page(study: Study) -> str:
    """The report as one HTML file."""
    from reconcile.report.html.render import render

    dearest = _dearest(study)
    some, none = words.told_apart(study.effects)
    return render(
        "corpus.html.j2",
        study=study,
        said=words,
        sentence=sentence(study),
        findings=findings(study),
        left_out=left_out(study.luck),
        sections=_sections(study),
        gaps=_gaps(study),
        players=_players(study),
        phases=_phases(study),
        scores=scores(study.cube_by_score) if dearest else "",
        dearest=dearest,
        luck=_luck(study),
        courses=_courses(study),
        periods=_periods(study),
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
        ("outliers", "Largest gaps", bool(study.rules_outliers or any(pair.outliers for pair in study.tools))),
        ("files", "Files", True),
    ]


def _gaps(study: Study) -> list[tuple[str, Gaps, str, BetweenTools | None]]:
    """Title, gaps, picture and, for two tools, the pair whose levels are listed."""
    first, last = study.corpus.compared_rules
    gaps: list[tuple[str, str, Gaps, BetweenTools | None]] = []
    for one in study.tools:
        pair = f"{one.left.key}-{one.right.key}"
        title = f"Two tools: {one.left.short}'s analysis and {one.right.short}'s of one transcript, each under its own rules"
        gaps += [(f"tools-{pair}", title, one.gap, one), (f"counting-{pair}", "Of that, what counting alone makes", one.counting, None)]
    gaps.append(("rules", f"Counting: the same file under {first} and under {last}", study.rules_gap, None))
    return [(title, gap, histogram(gap, title, key), pair) for key, title, gap, pair in gaps if len(gap.values)]


def _players(study: Study) -> str:
    """The players with most decisions, the lowest PR first."""
    rates = [(person.name, person.rates[0]) for person in study.people[:PLAYERS_DRAWN] if person.rates[0].pr is not None]
    rows = [
        (name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…", Estimate(rate.pr, rate.low, rate.high, 0, rate.decisions))
        for name, rate in sorted(rates, key=lambda one: one[1].pr or 0.0)
    ]
    rules = study.corpus.rules[0]
    return intervals(rows, f"PR of the players with most decisions, under {rules}", "players-chart") if len(rows) > 1 else ""


def _phases(study: Study) -> str:
    rows = [(f"{phase.name}, {part}", phase.rates[part]) for phase in study.phases for part in ("checker", "cube") if part in phase.rates]
    return intervals(rows, "PR by phase of the game", "phases-chart") if any(rate.value is not None for _, rate in rows) else ""


def _dearest(study: Study) -> list[Score]:
    """The scores at which most equity was lost at the cube."""
    enough = [one for one in study.cube_by_score if one.rate.value]
    return sorted(enough, key=lambda one: -(one.rate.value or 0.0) * one.rate.number)[:SCORES_SHOWN]


def _luck(study: Study) -> str:
    rows = [(words.bin_named(one.low, one.high), one.won) for one in study.luck.bins]
    return intervals(rows, "How often the luckier player won, by net luck", "luck-chart", factor=100.0, unit=" %") if rows else ""


def _periods(study: Study) -> list[tuple[int, str]]:
    """Place and name of the periods in which somebody has a rate."""
    courses = study.periods.courses
    return [(place, name) for place, name in enumerate(study.periods.names) if any(one.rates[place] is not None for one in courses)]


def _courses(study: Study) -> list[tuple[str, str]]:
    periods = study.periods
    if len(periods.names) < 2:
        return []
    known = [rate for one in periods.courses for rate in one.rates if rate is not None]
    highest = min(max((rate.high or rate.value or 0.0 for rate in known), default=1.0), HIGHEST)
    return [
        (words.course_named(one), course(one, periods.names, f"course-{number}", highest)) for number, one in enumerate(periods.courses)
    ]
