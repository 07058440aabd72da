"""The statistics of one file as a table for people, on a terminal or in plain text, and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from reconcile.files.printable import one_line
from reconcile.files.wording import plural
from reconcile.report.text.terminal import plain
from reconcile.scoring.findings import Finding, findings_of, level_text
from reconcile.scoring.gnubg_table import MANUAL, manual_results, rating
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.skill import band
from reconcile.scoring.statistics import Coverage, Statistics

NO_FIGURE: Final = "-"
SECTIONS: Final = (
    ("Overall", ("pr", "error_rate_memg", "snowie_er", "snowie_memg")),
    ("Checker play", ("checker_pr", "decisions.checker", "equity_error.checker", "mwc_loss_percent.checker")),
    (
        "Cube",
        (
            "cube_pr",
            "decisions.double",
            "decisions.take",
            "equity_error.double",
            "equity_error.take",
            "mwc_loss_percent.double",
            "mwc_loss_percent.take",
        ),
    ),
    ("Together", ("decisions.counted", "equity_error.total", "mwc_loss_percent.total")),
    ("Moves and luck", ("moves.total", "moves.unforced", "moves.forced", "luck.equity", "luck.mwc_percent")),
)

Row = tuple[str, str, str]
"""Label, first player, second player."""


def shown(metric: str, value: float | None) -> str:
    """A figure with the digits of its metric; a dash if it is unknown."""
    return METRICS[metric].shown(value)


def _rows(statistics: Statistics, game: int | None) -> Iterator[tuple[str, list[Row]]]:
    covered = [statistics.completeness(seat, game) for seat in (0, 1)]
    sides = [_with_unknown(statistics.figures(seat, game), covered[seat]) for seat in (0, 1)]
    for title, names in SECTIONS:
        rows = [(METRICS[name].label, shown(name, sides[0][name]), shown(name, sides[1][name])) for name in names]
        if title == "Overall":
            one, two = (band(side["pr"]) or NO_FIGURE for side in sides)
            rows.append(("XG's word for the PR", one, two))
            rates = [side["error_rate_memg"] for side in sides]
            one, two = (rating(None if rate is None else rate / 1000) or NO_FIGURE for rate in rates)
            rows.append(("gnuBG's word for the rate", one, two))
        yield title, rows
    if statistics.rules.name == "gnubg-manual" and not statistics.match.is_money:
        results = [manual_results(statistics, seat, game) for seat in (0, 1)]
        titles = ("Actual result (%)", "Luck-adjusted result (%)", "MWC against current opponent (%)")
        yield "Results", [(title, *(_percent(side[name]) for side in results)) for title, name in zip(titles, MANUAL, strict=True)]  # type: ignore[misc]
    words_of = {"checker": "Checker plays", "cube": "Cube decisions", "luck": "Rolls with luck"}
    yield (
        "Analysed",
        [(words_of[part], *(f"{side[part].analysed} of {side[part].expected}" for side in covered)) for part in words_of],  # type: ignore[misc]
    )


def _with_unknown(figures: dict[str, float | int | None], covered: dict[str, Coverage]) -> dict[str, float | int | None]:
    """Figures for display: if nothing was analysed, the number of decisions is unknown rather than 0."""
    unknown = {part for part in ("checker", "cube") if covered[part].expected > covered[part].analysed == 0}
    part_of = {"decisions.checker": "checker", "decisions.double": "cube", "decisions.take": "cube"}
    hidden = {name for name, part in part_of.items() if part in unknown} | ({"decisions.counted"} if len(unknown) == 2 else set())
    return {name: None if name in hidden else value for name, value in figures.items()}


def _percent(value: float | None) -> str:
    return NO_FIGURE if value is None else f"{value:.2f}"


def _heading(statistics: Statistics) -> list[str]:
    match, source = statistics.match, statistics.match.source
    length = "money session" if match.length is None else f"{match.length} point match"
    version = f" {source.tool_version}" if source.tool_version else ""
    return [
        f"{one_line(Path(source.path).name)}: {match.players[0]} - {match.players[1]}, {length}, {plural(len(match.games), 'game')}",
        f"{source.tool}{version}, {level_text(match)}; rules {statistics.rules.name}, match equity table {statistics.scored.met.name}",
    ]


def finding_line(finding: Finding) -> str:
    """A finding in one line."""
    return f"{finding.severity}: {finding.text}"


def _blocks(statistics: Statistics, per_game: bool) -> Iterator[tuple[str, int | None]]:
    yield "Match", None
    if per_game:
        for index, number in enumerate(statistics.match.games.number.tolist()):
            score = "-".join(map(str, statistics.match.games.score[index].tolist()))
            yield f"Game {number} at {score}", index


def statistics_text(statistics: Statistics, *, per_game: bool = False) -> str:
    """The table in plain text."""
    players = statistics.match.players
    lines = _heading(statistics)
    for title, game in _blocks(statistics, per_game):
        sections = list(_rows(statistics, game))
        label = max(len(row[0]) for _, rows in sections for row in rows) + 2
        width = max(14, *(len(name) + 2 for name in players))
        lines += ["", f"{title:<{label}}{players[0]:>{width}}{players[1]:>{width}}"]
        for section, rows in sections:
            lines.append(section)
            lines += [f"  {name:<{label - 2}}{one:>{width}}{two:>{width}}" for name, one, two in rows]
    found = [finding_line(finding) for finding in findings_of(statistics)]
    return "\n".join([*lines, *([""] if found else []), *found]) + "\n"


def print_statistics(statistics: Statistics, *, per_game: bool = False) -> None:
    """The same on a terminal."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    for line in _heading(statistics):
        console.print(plain(line), soft_wrap=True)
    for title, game in _blocks(statistics, per_game):
        table = Table(title=title, title_justify="left", box=None, pad_edge=False)
        table.add_column()
        for name in statistics.match.players:
            table.add_column(plain(name), justify="right")
        for section, rows in _rows(statistics, game):
            table.add_row(f"[bold]{section}[/bold]")
            for name, one, two in rows:
                table.add_row(f"  {name}", one, two)
        console.print(table)
    colours = {"error": "red", "warning": "yellow", "info": "dim"}
    for finding in findings_of(statistics):
        console.print(f"[{colours[finding.severity]}]{plain(finding_line(finding))}[/]", soft_wrap=True)


def statistics_csv(scored: Sequence[Statistics], *, per_game: bool = False) -> str:
    """One row per file, player and block; an unknown figure is an empty field."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["path", "rules", "met", "player", "game", *METRICS])
    for statistics in scored:
        numbers = statistics.match.games.number.tolist()
        for seat, name in enumerate(statistics.match.players):
            for game in [None, *range(len(numbers))] if per_game else [None]:
                figures = statistics.figures(seat, game)
                number = "" if game is None else numbers[game]
                head = [statistics.match.source.path, statistics.rules.name, statistics.scored.met.name, name, number]
                writer.writerow([*map(cell, head), *("" if figures[metric] is None else repr(figures[metric]) for metric in METRICS)])
    return text.getvalue()


def cell(value: object) -> str:
    """Text that no spreadsheet mistakes for a formula."""
    text = one_line(str(value))
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
