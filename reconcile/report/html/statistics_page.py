"""The page of one file: each player's rate first, then every figure and every game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from reconcile.files.wording import one_line
from reconcile.report.html.render import render
from reconcile.report.text.statistics import GAME_COLUMNS, game_figures, sections, shown
from reconcile.scoring.findings import SYNTHETIC, findings_of, level_text
from reconcile.scoring.grades import band
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics
from reconcile.tools import short_name

NOT_KNOWN: Final = "no known PR"


def headline(statistics: Statistics) -> str:
    """What a player looks for: both rates in one sentence."""
    match = statistics.match
    rates = [statistics.figures(seat)["pr"] for seat in (0, 1)]
    if rates == [None, None]:
        return f"{match.players[0]} – {match.players[1]}: the file has no analysis, so there is no PR."
    one, two = (NOT_KNOWN if rate is None else f"a PR of {shown_rate(statistics, seat)}" for seat, rate in enumerate(rates))
    return f"{match.names[0]} has {one}, {match.names[1]} {two}."


def shown_rate(statistics: Statistics, seat: int) -> str:
    """A player's PR, as a range where an open rule moves it."""
    return shown("pr", statistics.figures(seat)["pr"], open_range(statistics).figures[seat].get("pr"))


def statistics_page(statistics: Statistics) -> str:
    """The page as HTML."""
    match, source = statistics.match, statistics.match.source
    whole = [all(statistics.completeness(seat)[part].complete for part in ("checker", "cube")) for seat in (0, 1)]
    glances = []
    for seat, name in enumerate(match.names):
        figures = statistics.figures(seat)
        word = band(figures["pr"] if whole[seat] else None)
        lost = "" if figures["equity_error.total"] is None else f"{shown('equity_error.total', figures['equity_error.total'])} EMG lost"
        counted = figures["decisions.counted"]
        decisions = "" if not lost or counted is None else f" in {counted} decisions"
        glances.append((name, shown_rate(statistics, seat), f"{word}, XG's scale" if word else "", lost + decisions))
    games = [
        (number, "-".join(map(str, match.games.score[index].tolist())), [game_figures(statistics, seat, index) for seat in (0, 1)])
        for index, number in enumerate(match.games.number.tolist())
    ]
    return render(
        "statistics.html.j2",
        statistics=statistics,
        match=match,
        headline=headline(statistics),
        tool=short_name(source.tool),
        level=level_text(match),
        file=one_line(Path(source.path).name),
        glances=glances,
        sections=list(sections(statistics)),
        game_columns=GAME_COLUMNS,
        games=games,
        findings=findings_of(statistics),
        synthetic=match.event if match.event.startswith(SYNTHETIC) else "",
    )
