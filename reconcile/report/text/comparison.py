"""A comparison of two files as blocks, and the walk from one figure to the other; several analyses
of one match, and a folder of them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from reconcile.files.output import legal_stem
from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.folders import FolderResult, MatchFiles
from reconcile.gap.review import Review, review_notes, review_rows
from reconcile.gap.rows import by_all
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE, UNGATED, Figure
from reconcile.gap.walk import CAUSES, Bridge
from reconcile.report import numbers, words
from reconcile.report.blocks import (
    FIXED,
    Blocks,
    Bullets,
    Command,
    Folded,
    Heading,
    Item,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
    Verdict,
    Words,
    first,
)
from reconcile.report.words import file_name, in_order, length_text, verdict_of, with_verdict
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import LEADING, METRICS
from reconcile.scoring.findings import NOTES, Finding, level_text
from reconcile.scoring.statistics import PARTS, Statistics
from reconcile.wording import plural

MOST_DIFFERENCES = 100
"""Differences between transcripts in a document; JSON has all."""
FILE_FACTS = (
    "File", "Program", "Rules", "Equity table", "Level", "Analysed", "Players", "SHA-256",
)  # fmt: skip


def comparison_blocks(comparison: Comparison) -> Blocks:
    """Rows and verdict, the judged figures, where the gaps come from, findings; in a document also
    all figures and the files."""
    verdict, match = verdict_of(comparison), words.match_title(comparison)
    if comparison.is_alarm:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone, match)
        yield from rows_and_notes(comparison)
    else:
        yield Title(f"{' against '.join(comparison.labels)}: {match}")
        yield from rows_and_notes(comparison)
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)


def evidence_blocks(comparison: Comparison) -> Blocks:
    """What is behind the rows: the judged figures, where the gaps come from, findings; in a
    document also all figures, the rules that differ and the files."""
    yield from _figures(comparison, in_order(comparison.judged))
    yield from incomplete_blocks(with_verdict(comparison, INCOMPLETE))
    noted = [
        f"{figure.title} of {figure.player}: {figure.note}"
        for figure in comparison.judged
        if figure.note
    ]
    yield from bullets("Judged with other bounds", noted)
    yield from _walks(comparison)
    yield from _waterfalls(comparison)
    findings = [finding for finding in comparison.findings if finding.code not in NOTES]
    paths = {"left": comparison.left.path, "right": comparison.right.path}
    items = [finding_item(finding, paths.get(finding.side or "", "")) for finding in findings]
    yield from bullets("Findings", items)
    yield Folded("All figures", _figures(comparison, comparison.figures))
    if differences := comparison.pairing.differences:
        rows = [
            (f"game {row['game']}", str(row["turn"] or ""), row["what"], row["left"], row["right"])
            for row in differences[:MOST_DIFFERENCES]
        ]
        head = ("Game", "Turn", "What", *comparison.labels)
        number = f"{len(rows)} of {len(differences)}"
        yield Folded(f"Where the transcripts differ ({number})", [Table(head, rows)])
    yield Folded("Rules that differ", rules_blocks(comparison.labels, comparison.statistics))
    facts = Sentences([f"Tolerances {comparison.table}. {_in_both(comparison)}."])
    files = files_table(comparison.labels, comparison.statistics)
    yield Folded("Files", [files, facts])
    yield Command(_command(comparison))


def rules_blocks(labels: Sequence[str], analyses: Sequence[Statistics]) -> Blocks:
    """The questions that these analyses answer differently."""
    rows = [
        (f"{code} {question.title}", *answers)
        for code, question in QUESTIONS.items()
        if len({*(answers := [scored.rules.answers[code] for scored in analyses])}) > 1
    ]
    tables = [scored.scored.met.name for scored in analyses]
    rows += [("Match equity table", *tables)] * (len({*tables}) > 1)
    if rows:
        yield Table(("Question", *labels), rows)
        yield Sentences(["`reconcile explain CODE` has the page of a question."])
    else:
        yield Sentences(["All are counted by the same rules."])


def files_table(labels: Sequence[str], analyses: Sequence[Statistics]) -> Table:
    """The files, and what is counted of them."""
    columns = []
    for scored in analyses:
        source, covered = scored.match.source, [scored.completeness(seat) for seat in (0, 1)]
        analysed = [
            f"{sum(of[part].analysed for of in covered)} of "
            f"{sum(of[part].expected for of in covered)} {noun}"
            for part, noun in PARTS.items()
        ]
        columns.append(
            (
                words.file_name(source.path),
                f"{source.tool}, {source.tool_version or 'version not stated'}",
                scored.rules.name,
                scored.scored.met.name,
                level_text(scored.match),
                ", ".join(analysed),
                ", ".join(scored.match.players),
                source.sha256,
            )
        )
    return Table(("", *labels), list(zip(FILE_FACTS, *columns, strict=True)))


def _in_both(comparison: Comparison) -> str:
    """How many decisions both files have, and how many only one has, for each reason."""
    walk, number = comparison.walk, comparison.paired[0]
    rows = np.flatnonzero(~walk.aligned.paired)
    causes = Counter(walk.causes("coverage-left", rows).tolist())
    alone = "; ".join(f"{CAUSES[cause].title}: {count}" for cause, count in causes.items())
    both = f"{plural(number, 'decision')} {'is' if number == 1 else 'are'} in both files"
    return f"{both}; in one alone: {alone}" if alone else both


def _command(comparison: Comparison) -> str:
    left, right = comparison.left, comparison.right
    engine = comparison.statistics[1].match.source.analysed_by
    other = ["--analyse", engine] if engine else [words.file_name(right.path)]
    names = [side.rules.file or side.rules.name for side in comparison.statistics]
    rules = ["--left-rules", names[0], "--right-rules", names[1]]
    parts = ["reconcile", "compare", words.file_name(left.path), *other, *rules]
    return shlex.join([*parts, "--table", comparison.table, "--html", "report.html"])


def bullets(title: str, items: Sequence[Words | Item], *, wrapped: bool = False) -> Blocks:
    """A list, if there is anything in it."""
    if items:
        yield Bullets(items, title, wrapped)


def rows_and_notes(comparison: Comparison) -> Blocks:
    """Why the figure of each player differs, and what a reader has to know beside it."""
    yield from (explanation.shown() for explanation in explanations(comparison))
    yield from bullets("Notes", notes(comparison), wrapped=True)


def incomplete_blocks(figures: Sequence[Figure]) -> Blocks:
    """What is missing for the figures that are not judged since their analysis is incomplete."""
    missing = dict.fromkeys(
        f"{figure.title} of {figure.player}: {lacking_of(figure)}" for figure in figures
    )
    yield from bullets("Incomplete analysis, not judged", list(missing))


def lacking_of(figure: Figure) -> str:
    """Why a figure of an incomplete analysis is not judged."""
    return figure.coverage or "unknown on one side"


def finding_item(finding: Finding, path: str) -> Item:
    """A finding, with what to do about it if it matters."""
    where = f" ({words.file_name(path)})" if path else ""
    return Item(
        finding.text,
        () if finding.severity == "info" else (finding.advice,),
        Marked(f"{finding.severity}{where}", finding.severity),
    )


def _figures(comparison: Comparison, figures: Sequence[Figure]) -> Iterator[Table]:
    noted = verdict_of(comparison).tone == "noted"
    rows = []
    for figure in figures:
        tone, word = words.judgement(figure)
        if noted and figure.verdict == OUTSIDE:
            tone = "noted"
        gap, bound = numbers.gap_shown(figure)
        if figure.verdict == OPEN and figure.gap_range:
            gap += f" ({numbers.gap_between(figure.metric, figure.gap_range)})"
        rows.append(
            (
                figure.title,
                figure.player,
                *numbers.both_sides(figure),
                gap,
                bound,
                Marked(word, tone * (tone not in ("noted", UNGATED))),
            )
        )
    if rows:
        yield Table(
            ("Figure", "Player", *comparison.labels, "gap", "allowed", "verdict"),
            rows,
            right=(2, 3, 4, 5),
        )


def _walks(comparison: Comparison) -> Blocks:
    """The walk from the left to the right figure, for each judged figure."""
    bridges = [
        words.bridge_of(comparison, figure) for figure in comparison.judged if not figure.share
    ]
    yield from walk_lines(filter(None, bridges), "Where the gaps come from")


def walk_lines(bridges: Iterable[Bridge], title: str = "") -> Blocks:
    """The way from one end of every bridge to the other: `PR of Nora: 7.16, Q01 +0.03 = 7.19`."""
    lines = [
        f"{METRICS[bridge.metric].title} of {bridge.player}: {_way(bridge)}" for bridge in bridges
    ]
    yield from bullets(title, lines, wrapped=True)


def _waterfalls(comparison: Comparison) -> Iterator[Picture]:
    """The walks of the rates and of what is judged, as pictures."""
    for number, figure in enumerate(comparison.figures):
        bridge = words.bridge_of(comparison, figure)
        is_shown = figure.metric == LEADING or figure.verdict != UNGATED
        if is_shown and bridge and bridge.steps and None not in (bridge.start, bridge.end):
            name = f"{figure.title} of {figure.player}, step by step"
            yield Picture(name, partial(_waterfall, comparison, bridge, figure, f"walk-{number}"))


def _waterfall(comparison: Comparison, bridge: Bridge, figure: Figure, key: str) -> str:
    from reconcile.report.html.charts import waterfall_svg  # no text draws

    ranges = (figure.left_range, figure.right_range)
    return waterfall_svg(bridge, comparison.labels, figure.tolerance, key, ranges)


def _way(bridge: Bridge) -> str:
    """A bridge in a line, which ends between steps alone: `7.16, Q01 +0.03 = 7.19`."""
    if not bridge.steps:
        return f"no bridge: {bridge.reason}" if bridge.reason else "no bridge"
    name = bridge.metric
    steps = [
        f"{words.step_name(step.code)} {numbers.change(name, step.change)}"
        for step in bridge.steps
        if step.change
    ]
    start, end = numbers.figure(name, bridge.start), numbers.figure(name, bridge.end)
    return ", ".join(step.replace(" ", FIXED) for step in [start, *steps]) + f" = {end}"


def walk_line(comparison: Comparison | None, figure: Figure) -> str:
    """The bridge of a figure out of tolerance in one line; empty where there is none."""
    if comparison is None or figure.share or figure.verdict not in (OUTSIDE, OPEN):
        return ""
    bridge = words.bridge_of(comparison, figure)
    return _way(bridge) if bridge else ""


LONGEST_NAME = 80
"""Most letters of a file's name in the name of its page."""


def _said_of(match: MatchFiles) -> Sequence[str]:
    """The first sentence on every player, or why the files could not be compared."""
    return [match.reason] if match.review is None else list(_headlines(match.review))


def _headlines(many: Review) -> Iterator[str]:
    """What is found of every player, with the PR by each program."""
    rows = {rows.player: rows.headline for rows in review_rows(many) if rows.player}
    for seat in many.seats:
        if many.names[seat] in rows:
            rates = [
                f"{label} {figure_of(many, side, seat, 'pr')}"
                for side, label in enumerate(many.labels)
            ]
            yield f"{rows[many.names[seat]]} ({', '.join(rates)})"


def page_names(files: Sequence[str]) -> list[str]:
    """A file name, valid on any system, for the page of every match, based on its first file's
    name."""
    names_ = {"index"}
    names = []
    for file in files:
        stem = start = legal_stem(re.sub(r"\.[^./]{1,4}(?=$|#)", "", file)[:LONGEST_NAME])
        number = 1
        while stem in names_:
            number += 1
            stem = f"{start}-{number}"
        names_.add(stem)
        names.append(f"{stem}.html")
    return names


def folder_sentence(result: FolderResult) -> str:
    """`3 matches with several analyses; gnuBG 0-ply is the outlier for 4 players; 2 files were not
    compared.`"""
    number, left = len(result.matches), len(result.leftovers)
    parts = [
        plural(number, "match with several analyses", "matches with several analyses"),
        ", ".join(
            f"{label} is the outlier for {plural(count, 'player')}"
            for label, count in result.outliers.items()
        ),
        f"{plural(left, 'file was', 'files were')} not compared" * bool(left),
    ]
    return "; ".join(filter(None, parts)) + "."


def folder_blocks(result: FolderResult) -> Blocks:
    """What was found, the matches, and the files that were not compared, each with its reason."""
    yield Heading(folder_sentence(result))
    pages = page_names([match.files[0] for match in result.matches])
    items = [
        Item(Marked(" | ".join(match.files), link=page if match.review else ""), _said_of(match))
        for match, page in zip(result.matches, pages, strict=True)
    ]
    yield from bullets("", items)
    lost = [Item(file.name, [file.reason], file.why) for file in result.leftovers]
    yield from bullets("Not compared", lost, wrapped=True)


SHOWN = 10
"""Decisions of a list that are printed; the other outputs have all."""
FIGURES = (
    ("PR", "pr"), ("checker", "checker_pr"), ("cube", "cube_pr"), ("counted", "decisions.counted"),
    ("MWC lost", "mwc_loss_percent.total"),
)  # fmt: skip
"""Headings and metrics of the table of figures."""
BRIDGED = (
    "pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "equity_error.total",
    "mwc_loss_percent.total",
)  # fmt: skip
"""Figures whose bridges are shown for every pair."""


def many_blocks(many: Review) -> Blocks:
    """Rows and notes, and what is behind them."""
    player, opponent = many.names
    yield Title(
        f"{len(many.analyses)} analyses: {player} – {opponent}, "
        f"{length_text(many.aligned.match.length)}"
    )
    yield from review_rows(many)
    yield from bullets("Notes", review_notes(many), wrapped=True)
    yield from many_evidence(many)


def many_evidence(many: Review) -> Blocks:
    """What is behind the rows: figures, gaps of PR, errors of all, files; in a document also all
    figures, every pair, and the rules that differ."""
    yield from (_rates_table(many, seat) for seat in many.seats)
    yield from (_gaps(many, seat) for seat in many.seats)
    yield from _agreed(many)
    yield from (
        Folded(f"All figures of {many.names[seat]}", [_every_figure(many, seat)])
        for seat in many.seats
    )
    yield Bullets(
        [
            f"[{side}] {label}: {file_name(scored.match.source.path)}, {level_text(scored.match)}, "
            f"rules {scored.rules.name}"
            for side, (label, scored) in enumerate(zip(many.labels, many.analyses, strict=True), 1)
        ],
        "Analyses",
        wrapped=True,
    )
    for left, right in many.indices:
        names = f"{many.labels[left]} against {many.labels[right]}"
        yield Folded(names, _pair(many, left, right), f"pair-{left + 1}-{right + 1}")
    yield Folded("Rules that differ", rules_blocks(many.labels, many.analyses))
    yield Folded("Files", [files_table(many.labels, many.analyses)])
    files = (file_name(match.source.path) for match in many.matches)
    yield Command(shlex.join(["reconcile", "compare", *files, "--html", "report.html"]))


def _pair(many: Review, left: int, right: int) -> Blocks:
    """Why the figures of two of the analyses differ, and the way from one to the other."""
    pair = many.pair(left, right)
    yield from (explanation.shown() for explanation in explanations(pair))
    yield from walk_lines(pair.walk.bridges(BRIDGED))
    files = (file_name(many.matches[side].source.path) for side in (left, right))
    yield Command(shlex.join(["reconcile", "compare", *files, "--html", "pair.html"]))


def special(many: Review, side: int, seat: int) -> str:
    """What is to be known of a player's figures by one analysis: `outlier`, `incomplete`, or
    nothing."""
    outlier = many.outlier_of(seat)
    if outlier and outlier.side == side:
        return "outlier"
    return "incomplete" if many.missing(side, seat) else ""


def figure_of(many: Review, side: int, seat: int, name: str) -> str:
    """A figure of a player by one analysis, with its range where a rule is open."""
    value = many.figures_of(side, seat)[name]
    return numbers.ranged(name, value, many.ranges[side][seat].get(name))


def rate_gap(many: Review, left: int, right: int, seat: int) -> str:
    """The gap of a player's PR between two analyses."""
    first, second = (many.figures_of(side, seat)["pr"] for side in (left, right))
    return numbers.change("pr", None if first is None or second is None else second - first)


def _rates_table(many: Review, seat: int) -> Table:
    """A line for every side."""
    rows = [
        (
            f"[{side + 1}] {label}",
            *(figure_of(many, side, seat, name) for _, name in FIGURES),
            special(many, side, seat),
        )
        for side, label in enumerate(many.labels)
    ]
    head = ("", *(head for head, _ in FIGURES), "")
    return Table(head, rows, range(1, len(FIGURES) + 1), many.names[seat])


def _every_figure(many: Review, seat: int) -> Table:
    sides = range(len(many.labels))
    rows = [
        (METRICS[name].label, *(figure_of(many, side, seat, name) for side in sides))
        for name in METRICS
    ]
    return Table(("Figure", *many.labels), rows, range(1, len(sides) + 1))


def _gaps(many: Review, seat: int) -> Table:
    """The gap of PR of every pair: the side of the column less that of the row."""
    later = range(1, len(many.labels))
    rows = [
        (
            f"[{right}] {many.labels[right - 1]}",
            *[""] * (right - 1),
            *(rate_gap(many, right - 1, side, seat) for side in later[right - 1 :]),
        )
        for right in later
    ]
    head = ("", *(f"[{side + 1}]" for side in later))
    title = f"Gaps of PR, {many.names[seat]} (column less row)"
    return Table(head, rows, later, title)


def _agreed(many: Review) -> Blocks:
    """The first errors of all, each after the smallest that a side charges, and below it what the
    sides think best."""
    aligned, errors = many.aligned, []
    for row in many.agreed:
        game, turn, player = aligned.game[row], aligned.turn[row], many.names[aligned.player[row]]
        charged = [error for error in aligned.error[:, row] if error == error]
        ends = map(_equity, (min(charged), max(charged)))
        place = f"game {game}, turn {turn}, {player}"
        where = f"{place}: {aligned.played(row)}, error {' to '.join(dict.fromkeys(ends))}"
        errors.append(Item(where, _by_action(many, row), _equity(aligned.least[row])))
    if errors:
        title = f"Errors {by_all(many.labels, aligned.voters)}, by the smallest"
        yield first(errors, SHOWN, title)._replace(wrapped=True)


def _by_action(many: Review, row: int) -> list[str]:
    """What the sides think best in a decision: every action with its sides, each with the error
    that it charges for what was done; first what most think."""
    aligned = many.aligned
    actions: dict[str, list[str]] = {}
    for side, label in enumerate(many.labels):
        action = aligned.best(side, row) or "no opinion"
        actions.setdefault(action, []).append(f"{label} ({_equity(aligned.error[side, row])})")
    most = aligned.action(row, int(aligned.majority[row]))
    order = sorted(actions, key=lambda action: (action != most, -len(actions[action]), action))
    return [f"{action}: {', '.join(actions[action])}" for action in order]


def _equity(value: float) -> str:
    return numbers.number(value, numbers.EQUITY_DECIMALS)
