"""gnuBG's statistics table as text: English labels, two columns, losses negative.

gnuBG prints zeros for what is not analysed. A part of the game in which it counts no decision at
all is therefore left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed.text import TABLES, Pasted, PastedFigure, amount, count
from reconcile.match.tools import GNUBG

TABLE: Final = TABLES["gnubg"]
HALF_SUM: Final = 0.0005
"""Half of the last digit of gnuBG's sums of equity, and of match winning chance in percent."""
HEAD: Final = re.compile(r"Player {3,}\S")
TITLE: Final = re.compile(r"(?:Match|Session) statistics|Game statistics for game (\d{1,9})")
SIGNS: Final = (
    "Chequerplay statistics",
    "Overall statistics",
    "Error rate mEMG",
    "Close or actual cube decisions",
)
"""How a line of such a table may begin."""
PATTERNS: Final = {
    label: re.compile(TABLE[kind].replace("NUMBER", r"[+-]?\d+(?:\.\d+)?"))
    for kind in ("count", "amount")
    for label in TABLE[f"{kind}s"]
}
"""By label, what its cells have: a count, a sum or a rate, a chance."""
LABEL: Final = re.compile(
    r"\s*(?P<label>[A-Za-z][^\d+(]*?(?:\((?:EMG|MWC|Points|[() ])+\))?)\s{2,}(?P<rest>[\d+-].*)$"
)

Cell = tuple[str, ...]
Cells = Mapping[tuple[str, str], Cell]
"""What one column has, by section and label."""


def is_table(lines: Sequence[str]) -> bool:
    """Whether lines contain a table of gnuBG's statistics."""
    return any(line.strip().startswith(SIGNS) for line in lines)


def read(where: str, lines: Sequence[str], game: int | None) -> Pasted:
    """The figures of the match, or of one game (its number). Raises `InvalidConfiguration` if there
    are none."""
    players: tuple[str, ...] = ()
    section, ignored = "", 0
    columns: tuple[dict[tuple[str, str], Cell], ...] = ({}, {})
    for line in _selected(where, lines, game):
        stripped = line.strip()
        section = TABLE["sections"].get(stripped, section)
        if HEAD.match(line):
            players = tuple(re.split(r"\s{2,}", stripped)[1:])
            continue
        # Of many blanks every number would be tried as the end of the label.
        row = LABEL.match(re.sub(r"\s{2,}", "  ", line))
        label = row["label"].partition(" (")[0].strip() if row else ""
        label = label.removesuffix(" EMG").removesuffix(" mEMG")
        if row and section != "luck" and label in PATTERNS:
            for column, cell in zip(columns, PATTERNS[label].finditer(row["rest"]), strict=False):
                column[section, label] = cell.groups(default="")
        elif re.search(r"\d", stripped):
            ignored += 1
    columns = tuple(filter(None, columns))
    figures = tuple(tuple(_figures(column)) for column in columns)
    notes = tuple(_notes(players, columns))
    if not any(figures):
        why = f"; {notes[0]}" if notes else ""
        raise InvalidConfiguration(
            f"expected gnuBG's statistics of an analysed match, found no figure{why}; analyse the "
            "match first",
            where,
        )
    return Pasted(GNUBG.short, players, figures, ignored, notes)


def _selected(where: str, lines: Sequence[str], game: int | None) -> Sequence[str]:
    """The lines of the wanted statistics; an export has one table per game and one for the match,
    each under its title."""
    matches = ((at, TITLE.fullmatch(line.strip())) for at, line in enumerate(lines))
    titles = {at: title[1] and int(title[1]) for at, title in matches if title}
    at = next((at for at, number in titles.items() if number == game), None)
    if at is not None:
        lines = lines[at + 1 : next((later for later in titles if later > at), len(lines))]
    elif titles:
        there = ", ".join(" ".join(lines[at].split()) for at in titles)
        wanted = "the match" if game is None else f"game {game}"
        raise InvalidConfiguration(
            f"expected the statistics of {wanted}, found: {there}; say which game with --game, or "
            "give the file of the last game, which has those of the match",
            where,
        )
    heads = [n for n, line in enumerate(lines) if HEAD.match(line)]
    return lines[: heads[1]] if len(heads) > 1 else lines


def _figures(cells: Cells) -> Iterator[PastedFigure]:
    """The figures of one player: those the table prints, and those of our classes that are sums of
    printed ones."""
    analysed = {section: _analysed(cells, section) for section in ("checker", "cube")}
    analysed["total"] = any(analysed.values())
    counts = {label: int(cell[0]) for (_, label), cell in cells.items() if cell[0]}
    for name, (section, labels) in TABLE["losses"].items():
        lost = [cells[section, label] for label in labels if (section, label) in cells]
        if analysed[section] and len(lost) == len(labels):
            yield _sum(f"equity_error.{name}", [cell[1] for cell in lost])
            if cells.get((section, "Error total"), ("", "", ""))[2]:
                yield _sum(f"mwc_loss_percent.{name}", [cell[2] for cell in lost])
    for name, (section, label, factor) in TABLE["rates"].items():
        numbers = [counts.get(each, 1) for each in TABLE["rests_on"][section]]
        # gnuBG prints a rate of 0 if nothing counts.
        if analysed[section] and (section, label) in cells and any(numbers):
            yield amount(name, cells[section, label][1], factor)
    for name, (section, added, less) in TABLE["numbers"].items():
        if analysed[section] and counts.keys() >= {*added, *less}:
            number = sum(counts[label] for label in added) - sum(counts[label] for label in less)
            yield count(name, number)


def _analysed(cells: Cells, section: str) -> bool:
    """Whether a part of the table is based on any decision; if its rows are not all there, it is
    taken to be."""
    labels = TABLE["rests_on"][section] + ["Total cube decisions"] * (section == "cube")
    numbers = [cells.get((section, label)) for label in labels]
    error = cells.get((section, "Error total"))
    return (
        None in numbers
        or any(int(number[0]) for number in numbers if number)
        or bool(error and float(error[1]))
    )


def _notes(players: tuple[str, ...], columns: Sequence[Cells]) -> Iterator[str]:
    for section, words in (("checker", "checker play"), ("cube", "cube decision")):
        whose = [
            players[n] if n < len(players) else f"column {n + 1}"
            for n, cells in enumerate(columns)
            if not _analysed(cells, section)
        ]
        if whose:
            yield (
                f"gnuBG's table counts no {words} of {' and '.join(whose)}: not analysed, or "
                "there was none; "
                "the zeros that gnuBG prints there are not taken as figures"
            )


def _sum(metric: str, printed: list[str]) -> PastedFigure:
    """A class that gnuBG prints in one or in several parts, whose precisions add up as well."""
    parts = [abs(float(text)) for text in printed if text]
    return PastedFigure(metric, f"{sum(parts):.3f}", sum(parts), HALF_SUM * max(len(parts), 1))
