"""Statistics of files, and of players over several, as text and CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path

from reconcile.gap.rows import analysis_notes, analysis_rows, errors_and_blunders
from reconcile.match.tools import short_name
from reconcile.report.blocks import (
    Blocks,
    Bullets,
    Folded,
    Item,
    Marked,
    Sentences,
    Table,
    Words,
)
from reconcile.rules.rulesets import Q12, RULE_SETS, RuleSet
from reconcile.scoring.figures import GRADES, METRICS
from reconcile.scoring.findings import NOTES, findings_of, level_text, words_of_pool
from reconcile.scoring.gnubg_table import GnubgManual, manual_results
from reconcile.scoring.grades import BLUNDER, ERROR, band, rated
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.pool import FEWEST_GAMES, Analysis, Pooled, match_intervals
from reconcile.scoring.statistics import PARTS, Skill, Statistics, skill_measures
from reconcile.scoring.statistics import statistics as scored_by
from reconcile.wording import capital, one_line, plural

NO_FIGURE = "-"
CUBE = ["double", "wrong_double", "missed_double", "take", "wrong_take", "wrong_pass"]
SECTIONS = (
    ("Overall", ["pr", "error_rate_memg", "snowie_memg", "snowie_er"]),
    (
        "Checker play",
        [
            "checker_pr",
            "decisions.checker",
            "errors.checker",
            "blunders.checker",
            "equity_error.checker",
            "mwc_loss_percent.checker",
        ],
    ),
    (
        "Cube",
        [
            *["cube_pr", "decisions.double", "decisions.take", "errors.double", "blunders.double"],
            *["errors.take", "blunders.take"],
            *(f"{lost}.{part}" for lost in ("equity_error", "mwc_loss_percent") for part in CUBE),
        ],
    ),
    (
        "Together",
        [
            "decisions.counted",
            "errors.total",
            "blunders.total",
            "equity_error.total",
            "mwc_loss_percent.total",
        ],
    ),
    ("Moves", ["moves.total", "moves.unforced", "moves.forced"]),
    ("Luck", [name for name in METRICS if name.startswith("luck.")]),
)
RESTS_ON = {
    "pr": ("decisions.counted",),
    "checker_pr": ("decisions.checker",),
    "cube_pr": ("decisions.double", "decisions.take"),
}
"""By rate the counts of the decisions that it rests on."""
LONGEST_NAME = 16
"""More letters of a name would make a table wider than a terminal of 80 columns."""
GAME_COLUMNS = (
    ("pr", "PR"),
    ("decisions.counted", "Decisions"),
    ("equity_error.total", "Lost"),
    ("luck.equity", "Luck"),
)
"""What a row of a game shows of a player: metric and head."""
CSV_HEAD = ",".join(("path", "rules", "met", "player", "game", *METRICS)) + "\n"

SKILL = ("Error difference in MWC (pp)", "Luck-adjusted result, less 50 (pp)")
RESULTS = (
    "Actual result (%)", "Luck-adjusted result (%)", "MWC against current opponent (%)",
)  # fmt: skip
FigureRow = tuple[str, ...]
"""Label, first player, second player."""


def shown(metric: str, value: float | None, range_: tuple[float, float] | None = None) -> str:
    """A figure with the digits of its metric, its range if a rule is open, or a dash if it is
    unknown."""
    return " to ".join(METRICS[metric].shown(number) for number in range_ or (value,))


def sections(statistics: Statistics) -> Iterator[tuple[str, list[FigureRow]]]:
    """Every section of the table: its title and its rows, as text; of a file without an analysis
    only the rows that say something."""
    if any(statistics.completeness(seat)[part].analysed for seat in (0, 1) for part in PARTS):
        yield from _every_section(statistics)
        return
    for title, rows in _every_section(statistics):
        informative = [row for row in rows if {*row[1:]} != {NO_FIGURE}]
        if informative:
            yield title, informative


def _every_section(statistics: Statistics) -> Iterator[tuple[str, list[FigureRow]]]:
    match, sides = statistics.match, [statistics.figures(seat) for seat in (0, 1)]
    for title, names in SECTIONS:
        rows = list(_figure_rows(statistics, names))
        if title == "Together":
            rows[-2:-2] = _page_counts(statistics)
        if title == "Overall":
            ends = [match_intervals(statistics, seat).get("pr") for seat in (0, 1)]
            intervals = [shown("pr", None, interval) for interval in ends]
            if any(ends):
                rows.insert(1, ("95 % interval of the PR, by games", *intervals))
            rows.append(("XG's word for the PR", *_bands(sides, "pr")))
            words = [rated("gnubg", side)[0] or NO_FIGURE for side in sides]
            rows.append(("gnuBG's word for the rate", *words))
        for part, noun in (("checker_pr", "plays"), ("cube_pr", "the cube")):
            if part in names:
                rows.insert(1, (f"XG's word for {noun}", *_bands(sides, part)))
        yield title, rows
    if not match.is_money:
        measured = [skill_measures(match, sides, seat) for seat in (0, 1)]
        yield "Who played better", _measures(SKILL, measured)
        if statistics.rules.known_as == "gnubg-manual":
            results = [manual_results(statistics, seat) for seat in (0, 1)]
            yield "Results", _measures(RESULTS, results)
    covered = [statistics.completeness(seat) for seat in (0, 1)]
    analysed = []
    for part, noun in PARTS.items():
        cells = [f"{side[part].analysed} of {side[part].expected}" for side in covered]
        analysed.append((capital(noun), *cells))
    yield "Analysed", analysed


def _figure_rows(statistics: Statistics, names: Iterable[str]) -> Iterator[FigureRow]:
    """A row for each of these figures; doubtful decisions come before the errors of a class."""
    sides = [statistics.figures(seat) for seat in (0, 1)]
    ranges = open_range(statistics).figures
    has_doubtful = statistics.rules.value(Q12).doubtful is not None
    for name in names:
        if name == "luck.elo" and len(statistics.match.games) < FEWEST_GAMES:
            continue
        group, _, part = name.partition(".")
        doubtful = [f"doubtful.{part}"] * (group == "errors" and has_doubtful)
        for metric in [*doubtful, name]:
            values = zip(sides, ranges, strict=True)
            cells = [shown(metric, side[metric], ends.get(metric)) for side, ends in values]
            yield _label(statistics.rules, metric), *cells


def _page_counts(statistics: Statistics) -> Iterator[FigureRow]:
    """The errors and blunders that headlines and filters count, with their borders."""
    counts = zip(*(errors_and_blunders(statistics, seat) for seat in (0, 1)), strict=True)
    names = f"Errors, from {ERROR:.3f}", f"Blunders, from {BLUNDER:.3f}"
    for name, both in zip(names, counts, strict=True):
        yield name, *(NO_FIGURE if count is None else str(count) for count in both)


def _label(rules: RuleSet, metric: str) -> str:
    """What a row is called; counts by the borders of a program have its name and its words."""
    grade = metric.partition(".")[0]
    if grade not in GRADES:
        return METRICS[metric].label
    words = rules.value(Q12).words[GRADES.index(grade)]
    program = short_name(rules.program) or rules.name
    return f"{program}: {words}, {METRICS[metric].label.partition(', ')[2]}"


def _bands(sides: Sequence[Mapping[str, float | None]], rate: str) -> list[str]:
    """XG's words for a rate of both players."""
    counts = [sum(side[name] or 0 for name in RESTS_ON[rate]) for side in sides]
    rates = zip((side[rate] for side in sides), counts, strict=True)
    return [band(value, count) or NO_FIGURE for value, count in rates]


def _measures(titles: Sequence[str], sides: Sequence[Skill | GnubgManual]) -> list[FigureRow]:
    """A row for every field, with its title."""
    fields = zip(*map(astuple, sides), strict=True)
    return [(title, *map(_percent, values)) for title, values in zip(titles, fields, strict=True)]


def _percent(value: float | None) -> str:
    return NO_FIGURE if value is None else f"{value:.2f}"


def _heading(statistics: Statistics) -> list[str]:
    match, source = statistics.match, statistics.match.source
    length = "money session" if match.length is None else f"{match.length} point match"
    version = f" {source.tool_version}" if source.tool_version else ""
    games, met = plural(len(match.games), "game"), statistics.scored.met.name
    file = one_line(Path(source.path).name)
    rules = f"rules {statistics.rules.name}, match equity table {met}"
    return [
        f"{file}: {match.players[0]} - {match.players[1]}, {length}, {games}",
        f"{source.tool}{version}, {level_text(match)}; {rules}",
    ]


def _short(name: str) -> str:
    """A player's name as far as a column has room for it."""
    return (
        name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "\N{HORIZONTAL ELLIPSIS}"
    )


def _games(statistics: Statistics, seat: int, name: str) -> Table:
    """A row for every game: number, score before it, and the first figures of a player."""
    games, rows = statistics.match.games, []
    numbered = zip(games.number.tolist(), games.score.tolist(), strict=True)
    for index, (number, score) in enumerate(numbered):
        figures = statistics.figures_at(seat, index)
        shown_ = [shown(name, figures[name]) for name, _ in GAME_COLUMNS]
        rows.append((str(number), "-".join(map(str, score)), *shown_))
    head = ("Game", "Score", *(title for _, title in GAME_COLUMNS))
    return Table(head, rows, range(2, len(head)), f"Games, {name}")


def statistics_blocks(
    statistics: Statistics, *, per_game: bool = False, costliest: int = 3
) -> Blocks:
    """The heading, rows with the costliest decisions of each player, the table of the match with
    one of every game below it, and the findings."""
    yield Sentences(_heading(statistics), wrapped=False)
    label = short_name(statistics.match.source.tool)
    yield from (analysis_rows(statistics, seat, label, costliest) for seat in (0, 1))
    if noted := analysis_notes(statistics):
        yield Bullets(noted, "Notes", wrapped=True)
    yield from statistics_evidence(statistics, per_game=per_game)


def statistics_evidence(statistics: Statistics, *, per_game: bool) -> Blocks:
    """What is behind the rows: all figures, those of every game, and the findings; in a document
    also what other rules give of the same analysis."""
    players = [_short(name) for name in statistics.match.names]
    rows = [row for title, rows in sections(statistics) for row in ((title,), *rows)]
    yield Table(("Match", *players), rows, (1, 2))
    if per_game:
        yield from (_games(statistics, seat, name) for seat, name in enumerate(players))
    if findings := [finding for finding in findings_of(statistics) if finding.code not in NOTES]:
        yield Bullets(
            [Item(each.text, lead=Marked(each.severity, each.severity)) for each in findings]
        )
    yield Folded("The same analysis by other programs' rules", _other_rules(statistics, players))


def _other_rules(scored: Statistics, players: Sequence[str]) -> Blocks:
    rows: list[Sequence[Words]] = []
    for name, rules in RULE_SETS.items():
        other = scored_by(scored.match, rules, scored.scored.met)
        rates = (shown("pr", other.figures(seat)["pr"]) for seat in (0, 1))
        rows.append((Marked(name, note=rules.title), *rates))
    yield Table(("Rules", *players), rows, (1, 2))
    yield Sentences(["`reconcile investigate` finds the rules that give a figure."])


def csv_rows(statistics: Statistics, *, per_game: bool = False) -> str:
    """A row per player and block under the columns of `CSV_HEAD`; an unknown figure is an empty
    field."""
    rows = []
    numbers = statistics.match.games.number.tolist()
    for seat, name in enumerate(statistics.match.names):
        for game in [None, *range(len(numbers))] if per_game else [None]:
            figures = statistics.figures_at(seat, game)
            number = "" if game is None else numbers[game]
            head = [
                statistics.match.source.path,
                statistics.rules.name,
                statistics.scored.met.name,
                name,
                number,
            ]
            rows.append([*map(cell, head), *(figures[metric] for metric in METRICS)])
    return comma_separated(rows)


def comma_separated(rows: Iterable[Iterable[object]]) -> str:
    """Rows as comma-separated values; `None` is an empty field."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def cell(value: object) -> str:
    """Text that no spreadsheet mistakes for a formula."""
    text = one_line(str(value))
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


COUNTED = "decisions.counted"
RATES = ("pr", "snowie_er")
INTERVAL = "low", "high"
RANGE = "least", "most"
"""Columns of the ends of an interval, and of the range of a figure that is not decided."""


def pool_blocks(pooled: Sequence[Pooled]) -> Blocks:
    """What is mixed; the rates and what they rest on, a row per player and rule set; why figures
    are ranges, what is left out."""
    yield from _mixed(pooled)
    yield from _pool_tables(pooled)
    yield Sentences(
        [f"{reason} [{code}]" for player in pooled for code, reason in words_of_pool(player)],
        wrapped=False,
    )
    if left_out := sum(player.unanalysed for player in pooled):
        number = plural(left_out, "match of a player", "matches of a player")
        yield Sentences([f"Left out, since too few decisions are analysed: {number}."])
    yield Sentences(["Sums over sums. The 95 % intervals come from the spread between games."])


def _mixed(pooled: Sequence[Pooled]) -> Blocks:
    """What is mixed in rates, to be read before them: tools, depths with numbers of matches, and by
    tool the rule sets: `xg for XG, gnubg for gnuBG`."""
    analyses = {
        number: (analysis, player.rules)
        for player in pooled
        for number, analysis in player.analyses.items()
    }
    if not analyses:
        return
    matches = Counter(analysis for analysis, _ in analyses.values())
    order = sorted(matches, key=lambda each: (-matches[each], each.tool, each.depth))
    numbers = [f"{analysed(each)} {plural(matches[each], 'match', 'matches')}" for each in order]
    rates = f"All rates are of {analysed(order[0])}"
    if len(order) > 1:
        rates = f"Analyses are mixed: {', '.join(numbers)}"
    rules = sorted({(analysis.tool, name) for analysis, name in analyses.values()})
    named = [f"{name} for {short_name(tool)}" for tool, name in rules]
    if len({name for _, name in rules}) == 1:
        named = [rules[0][1]]
    yield Sentences([f"{rates}; counting rules: {', '.join(named)}."])


def analysed(analysis: Analysis) -> str:
    """A tool with its depth: `gnuBG 2 plies ahead`."""
    tool = short_name(analysis.tool)
    return analysis.depth if analysis.depth.startswith(tool) else f"{tool} {analysis.depth}"


def _pool_tables(pooled: Sequence[Pooled]) -> Iterator[Table]:
    """Rates, and what they rest on; the rule set has a column where there are several."""
    several = len({player.rules for player in pooled}) > 1
    rates, based = [], []
    for player in pooled:
        who = [player.name, player.rules] if several else [player.name]
        covered = [player.completeness["checker"], player.completeness["cube"]]
        analysed = (
            f"{sum(part.analysed for part in covered)} of {sum(part.expected for part in covered)}"
        )
        row = [*who, shown(COUNTED, player.figures[COUNTED], player.ranges.get(COUNTED))]
        for name in RATES:
            row.append(shown(name, player.figures[name], player.ranges.get(name)))
            row.append(shown(name, None, player.intervals.get(name)))
        rates.append(row)
        based.append([*who, str(player.matches), str(player.games), analysed])
    head, first = (["player", "rules"], 2) if several else (["player"], 1)
    yield Table(
        [*head, "decisions", "PR", "PR, 95 %", "Snowie / 2", "its 95 %"],
        rates,
        range(first, first + 5),
    )
    yield Table([*head, "matches", "games", "analysed"], based, range(first, first + 3))


def pool_csv(pooled: Sequence[Pooled]) -> str:
    """One row per player and rule set; an unknown figure is an empty field, as are the ends of the
    range of one that has none."""
    intervals, ranges = (
        [f"{name}.{end}" for name in names for end in ends]
        for names, ends in ((RATES, INTERVAL), (METRICS, RANGE))
    )
    rows: list[list[object]] = [
        ["player", "rules", "matches", "games", *METRICS, *intervals, "open_rules", *ranges]
    ]
    for player in pooled:
        ends = [end for name in RATES for end in player.intervals.get(name, (None, None))]
        most = [end for name in METRICS for end in player.ranges.get(name, (None, None))]
        rows.append(
            [
                cell(player.name),
                player.rules,
                player.matches,
                player.games,
                *(player.figures[name] for name in METRICS),
                *ends,
                " ".join(player.open_rules),
                *most,
            ]
        )
    return comma_separated(rows)
