"""Several analyses of one match, and a folder of them, as blocks."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from reconcile.files.output import legal_stem
from reconcile.gap.explanation import explanations
from reconcile.gap.folders import FolderResult, MatchFiles
from reconcile.gap.review import Review, review_notes, review_rows
from reconcile.gap.rows import by_all
from reconcile.report import numbers
from reconcile.report.blocks import (
    Block,
    Bullets,
    Command,
    Folded,
    Heading,
    Item,
    Marked,
    Table,
    Title,
    first,
)
from reconcile.report.text.comparison import bullets, files_table, rules_blocks, walk_lines
from reconcile.report.words import file_name, length_text
from reconcile.scoring.figures import METRICS
from reconcile.scoring.findings import level_text
from reconcile.wording import plural

LONGEST_NAME: Final = 80
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


def folder_blocks(result: FolderResult) -> Iterator[Block]:
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


SHOWN: Final = 10
"""Decisions of a list that are printed; the other outputs have all."""
FIGURES: Final = (
    ("PR", "pr"), ("checker", "checker_pr"), ("cube", "cube_pr"), ("counted", "decisions.counted"),
    ("MWC lost", "mwc_loss_percent.total"),
)  # fmt: skip
"""Headings and metrics of the table of figures."""
BRIDGED: Final = (
    "pr", "checker_pr", "cube_pr", "error_rate_memg", "snowie_er", "equity_error.total",
    "mwc_loss_percent.total",
)  # fmt: skip
"""Figures whose bridges are shown for every pair."""


def many_blocks(many: Review) -> Iterator[Block]:
    """Rows and notes, and what is behind them."""
    player, opponent = many.names
    yield Title(
        f"{len(many.analyses)} analyses: {player} – {opponent}, "
        f"{length_text(many.aligned.match.length)}"
    )
    yield from review_rows(many)
    yield from bullets("Notes", review_notes(many), wrapped=True)
    yield from many_evidence(many)


def many_evidence(many: Review) -> Iterator[Block]:
    """What is behind the rows: figures, gaps of PR, errors of all, files; in a document also all
    figures, every pair, and the rules that differ."""
    yield from (_figures(many, seat) for seat in many.seats)
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


def _pair(many: Review, left: int, right: int) -> Iterator[Block]:
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


def _figures(many: Review, seat: int) -> Table:
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


def _agreed(many: Review) -> Iterator[Block]:
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
