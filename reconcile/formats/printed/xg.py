"""XG's statistics summary of a match as text: 27 lines, each with a label and a cell for each of
two players, whose names are in line 1.

Seven labels are headings (`•`), and the heading above says which class a row such as `Equity
(Cost)` belongs to. Cells are separated by tabs, and an empty cell means that nothing was lost. Text
that went through a mail may have blanks for tabs: a row with a single figure then does not say
whose it is and is left out, with a note.

Source: three summaries of matches as their owner pasted them, github lassehjorthmadsen/bganalyses
(MIT), English labels only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed.text import TABLES, Pasted, PastedFigure, amount, count
from reconcile.match.tools import XG
from reconcile.wording import listed

LABELS: Final = dict(
    sorted(TABLES["xg"]["labels"].items(), key=lambda row: len(row[0]), reverse=True)
)
"""The longest first, since one may begin another."""
FORMS: Final = {
    form: re.compile(pattern.replace("NUMBER", r"[+-]?\d{1,6}(?:[.,]\d{1,6})?"), re.IGNORECASE)
    for form, pattern in TABLES["xg"]["forms"].items()
}
FIRST: Final = ("level of play", "performance rating", "total errors (blunders)")
"""The labels by which a summary is recognised."""
MARKS: Final = " \t>\N{BULLET}\N{MIDDLE DOT}*-\N{EN DASH}"
"""What may come before a label: bullets, indents, the quotation marks of a mail."""
PLAIN: Final = str.maketrans("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}", "  -")
NOTHING_LOST: Final = ("0.000", "0.00")

Cell = tuple[str, ...] | None
"""What a cell prints, in its parts; `None` if it is empty."""


def is_summary(lines: Sequence[str]) -> bool:
    """Whether lines contain the beginning of XG's summary."""
    return any(_labelled(line.translate(PLAIN))[0] in FIRST for line in lines)


def read(where: str, lines: Sequence[str]) -> Pasted:
    """The figures of both players. Raises `InvalidConfiguration` if a row cannot be read, or it is
    not certain to which class it belongs."""
    plain = [line.translate(PLAIN) for line in lines]
    start = next((n for n, line in enumerate(plain) if _begins(line)), len(plain))
    rows: dict[tuple[str, str], list[Cell]] = {}
    section, ignored = "", sum(map(_has_digit, plain[: max(start - 1, 0)]))
    for line in plain[start:]:
        label, rest = _labelled(line)
        cells = _cells(label, rest) if label else None
        if cells is None:
            if "\t" in rest or "(blunders)" in label:
                raise InvalidConfiguration(
                    f"expected figures of two players after {label!r}, found "
                    f"{rest.strip()[:60]!r}; copy it again",
                    where,
                )
            ignored += _has_digit(line)
            continue
        below, names, _ = LABELS[label]
        if not below:
            section = names[0].rpartition(".")[2] if names else label
        elif section not in below:
            raise _misplaced(where, label)
        if rows.setdefault((section, label), cells) is not cells:
            raise _misplaced(where, label)
    columns = _about_mean(_column(rows, 0), _column(rows, 1))
    if not any(columns):
        raise InvalidConfiguration(
            "expected figures in XG's summary, found only empty cells; copy it again", where
        )
    players = _players(where, plain[start - 1] if start else "")
    figures = tuple(tuple(column.values()) for column in columns)
    return Pasted(XG.short, players, figures, ignored, tuple(_notes(rows)))


def _misplaced(where: str, label: str) -> InvalidConfiguration:
    return InvalidConfiguration(
        f"{label!r} is not below its heading in XG's summary, or occurs twice below one; a heading "
        "is missing, or it is of two matches: copy one whole summary",
        where,
    )


def _labelled(line: str) -> tuple[str, str]:
    """The label of a line and what follows it; no label if it is none of XG's."""
    rest = line.lstrip(MARKS)
    lower = rest.lower()
    for label in LABELS:
        if lower.startswith(label) and rest[len(label) : len(label) + 1] in ("", " ", "\t"):
            return label, rest[len(label) :]
    return "", ""


def _begins(line: str) -> bool:
    """Whether a line is a heading, before which a sentence may begin like a row."""
    label, rest = _labelled(line)
    return bool(label) and not LABELS[label][0] and _cells(label, rest) is not None


def _has_digit(line: str) -> bool:
    return any(map(str.isdigit, line))


def _cells(label: str, rest: str) -> list[Cell] | None:
    """The cells of a row: two, or one if it has a single figure that may be either player's.

    `None` if the row cannot be read.
    """
    pattern, parts = FORMS[LABELS[label][2]], rest.split("\t")
    if len(parts) > 2 and not parts[0].strip():
        texts = [part.strip() for part in parts[1:]]
        matches = [pattern.fullmatch(text) for text in texts[:2]]
        read_as = [bool(match) for match in matches]
        is_read = not any(texts[2:]) and read_as == [bool(text) for text in texts[:2]]
        return [match and match.groups("") for match in matches] if is_read else None
    text, at = " ".join(rest.split()), 0
    cells: list[Cell] = []
    while at < len(text):
        match = pattern.match(text, at)
        if match is None or text[match.end() : match.end() + 1] not in ("", " "):
            return None
        cells.append(match.groups(""))
        at = match.end() + 1
    if len(cells) > 2:
        return None
    return cells or [None, None]


def _players(where: str, line: str) -> tuple[str, str]:
    """The names above the columns."""
    text = line.lstrip("> ")
    for parts in (text.split("\t"), re.split(r"\s{2,}|\t", text), text.split()):
        names = [part.strip() for part in parts if part.strip()]
        differ = len(names) == 2 and names[0].casefold() != names[1].casefold()
        if differ and not _labelled(line)[0]:
            return names[0], names[1]
        if len(names) > 2:
            break
    raise InvalidConfiguration(
        "expected the names of the two players in the line above the first row of XG's summary, "
        f"found {line.strip()[:60]!r}; copy the text with its first line, or separate the names by "
        "a tab",
        where,
    )


def _column(rows: Mapping[tuple[str, str], list[Cell]], seat: int) -> dict[str, PastedFigure]:
    """The figures of one player by metric."""
    own = {place: cells[seat] for place, cells in rows.items() if len(cells) == 2}
    costs = [
        cell for (_, label), cells in rows.items() if LABELS[label][2] == "cost" for cell in cells
    ]
    in_match, has_figures = any(cell and cell[1] for cell in costs), any(own.values())
    column: dict[str, PastedFigure] = {}
    for (section, label), cell in own.items():
        _, names, form = LABELS[label]
        if form == "cost" and has_figures:
            cell = cell or NOTHING_LOST[: 1 + in_match]
        for name, text in zip(names, cell or (), strict=False):
            metric = name.format(section)
            if form in ("whole", "errors"):
                column[metric] = count(metric, int(text) if _has_digit(text) else 0)
            elif text:
                factor, signed = 500.0 if form == "rate" else 1.0, form in ("gain", "fortune")
                column[metric] = amount(metric, text, factor, signed=signed)
    return column


def _about_mean(
    first: dict[str, PastedFigure], second: dict[str, PastedFigure]
) -> tuple[dict[str, PastedFigure], dict[str, PastedFigure]]:
    """The same with the luck-based Elo counted from the mean of both, value and text, since the
    centre is no figure of the match; of one alone it says nothing."""
    elo = [column.pop("luck.elo", None) for column in (first, second)]
    if elo[0] and elo[1]:
        half = (elo[0].value - elo[1].value) / 2
        for column, value in ((first, half), (second, -half)):
            column["luck.elo"] = PastedFigure("luck.elo", f"{value:.1f}", value, 0.5)
    return first, second


def _notes(rows: Mapping[tuple[str, str], list[Cell]]) -> Iterator[str]:
    """What is said of rows of which it is not certain whose their figure is."""
    left = [label for (_, label), cells in rows.items() if len(cells) == 1]
    if left:
        yield (
            f"Left out: {listed([repr(label) for label in dict.fromkeys(left)])}, with one figure "
            "for two players and no tabs that say whose; copy XG's summary again with its tabs"
        )
