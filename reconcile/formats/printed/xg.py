"""XG's statistics summary of a match as text: 27 lines, each with a label and a cell for each of
two players, whose names are in line 1.

Seven labels are headings (`•`), and the heading above says which class a row such as `Equity
(Cost)` belongs to. Cells are separated by tabs, and an empty cell means that nothing was lost. Text
that went through a mail may have blanks for tabs: a row with a single figure then belongs to the
player for whom the arithmetic between the rows holds (sums of classes, rates, luck that is the same
for both with the other sign); where it does not decide, the text is refused.

Source: three summaries of matches as their owner pasted them, github lassehjorthmadsen/bganalyses
(MIT), English labels only. Every relation held on their six sides within half a last digit of what
is printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Final, NamedTuple

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed.text import Pasted, PastedFigure, amount, count
from reconcile.match.tools import XG

NOISE: Final = 1e-9
CLASSES: Final = ("checker", "double", "take")
ALL: Final = ("total", *CLASSES)


class Label(NamedTuple):
    """What a line of the summary has."""

    below: list[str]
    """The sections in which it occurs; none of a heading, which begins one."""
    figures: str
    """Names, of which those of a row may be of its section."""
    form: str
    """What its cells look like, see `FORMS`."""


class Relation(NamedTuple):
    """A figure as the sum of others times a factor, divided by the sum of more."""

    factor: float
    parts: list[str]
    divisors: list[str]


def _tables() -> tuple[dict[str, Label], dict[str, Relation]]:
    labels, relations = {}, {}
    for line in Path(__file__).with_name("xg.txt").read_text("utf-8").splitlines():
        if "|" in line:
            label, below, figures, form = map(str.strip, line.split("|"))
            labels[label] = Label(below.split(), figures, form)
        elif "=" in line:
            figure, formula = line.split(" = ")
            factor, added = formula.split(" * ")
            parts, _, divisors = added.partition(" / ")
            terms = [each.split(" + ") for each in (parts, divisors) if each]
            relations[figure] = Relation(float(factor), terms[0], [*terms, []][1])
    return labels, relations


TABLE, RELATIONS = _tables()
TOGETHER: Final = {
    "luck.net_equity": 0,
    "luck.net_mwc_percent": 0,
    "luck.rate": 0,
    "luck.rating_percent": 100,
}
"""What the figures of both players add up to; of luck that is net the second is minus the first."""

Column = Mapping[str, PastedFigure]


def contradictions(players: Sequence[str], columns: tuple[Column, Column]) -> Iterator[str]:
    """A sentence for every relation that does not hold; relations with an unknown figure are passed
    over."""
    first, second = columns
    rolls = [column["luck.rolls"].value for column in columns if "luck.rolls" in column]
    both = {"the rolls of both players": count("", int(sum(rolls)))} if len(rolls) == 2 else {}
    for name, column in zip(players, ({**first, **both}, second), strict=True):
        for sentence in _of_one(column):
            yield f"{name}: {sentence}"
    for metric, total in TOGETHER.items():
        if metric in first and metric in second:
            here, there = first[metric], second[metric]
            if abs(here.value + there.value - total) > here.half + there.half + NOISE:
                yield (
                    f"{metric} is {here.text} of {players[0]} and {there.text} of {players[1]}, "
                    f"expected {total} together"
                )


def _of_one(column: Column) -> Iterator[str]:
    for metric, (factor, parts, divisors) in RELATIONS.items():
        if not column.keys() >= {metric, *parts, *divisors}:
            continue
        figure, summands = column[metric], [column[part] for part in parts]
        number = sum(column[part].value for part in divisors) if divisors else 1.0
        if not number:
            continue
        gives = factor * sum(part.value for part in summands) / number
        room = figure.half + factor * sum(part.half for part in summands) / number + NOISE
        if abs(figure.value - gives) > room:
            name = "the level of play" if metric == "level" else metric
            divided = f" by {' + '.join(divisors)}" if divisors else ""
            yield f"{name} is {figure.text}, but {' + '.join(parts)}{divided} gives {gives:.4g}"
    for group in (*CLASSES, "total"):
        errors, blunders = column.get(f"errors.{group}"), column.get(f"blunders.{group}")
        if errors and blunders and blunders.value > errors.value:
            yield f"blunders.{group} is {blunders.text}, more than the errors, {errors.text}"


_NUMBER = r"[+-]?\d{1,6}(?:[.,]\d{1,6})?"
FORMS: Final = {
    "word": re.compile(rf"[^\d()\t]{{1,40}}\(({_NUMBER})\)"),  # World Class (-0,0093)
    "number": re.compile(rf"({_NUMBER})"),
    "errors": re.compile(r"(none|\d{1,6})(?: ?\((\d{1,6})\))?", re.IGNORECASE),  # 31 (18), None
    "cost": re.compile(rf"({_NUMBER})(?: ?\(({_NUMBER}) ?(%?)\))?"),  # -2,998 (-11,96%)
    "chance": re.compile(rf"({_NUMBER}) ?%(?: ?favou?rite)?", re.IGNORECASE),
    "whole": re.compile(r"([+-]?\d{1,6})"),
}
LABELS: Final = sorted(TABLE, key=len, reverse=True)
FIRST: Final = ("level of play", "performance rating")
"""The labels by which a summary is recognised."""
MARKS: Final = " \t>\N{BULLET}\N{MIDDLE DOT}*-\N{EN DASH}"
"""What may come before a label: bullets, indents, the quotation marks of a mail."""
MOST_UNCERTAIN: Final = 10
"""Rows whose single figure may be either player's: more are not tried."""

Columns = tuple[dict[str, PastedFigure], dict[str, PastedFigure]]
"""Figures of both players by metric, and `level`, the rate beside the word for the level of
play."""
Cell = tuple[str, ...] | None
"""What a cell prints, in its parts; `None` if it is empty."""


@dataclass(slots=True)
class Summary:
    """The rows of a summary as they are read."""

    players: tuple[str, str]
    cells: dict[str, tuple[Cell, Cell]] = field(default_factory=dict)
    uncertain: dict[str, Cell] = field(default_factory=dict)
    """Rows with a single figure that may be either player's."""
    places: dict[str, str] = field(default_factory=dict)
    """The line of every row, in words."""
    keeps_tabs: bool = False
    """Whether an empty first cell was seen, so that a missing cell is the second."""
    ignored: int = 0


def is_summary(lines: Sequence[str]) -> bool:
    """Whether lines contain the beginning of XG's summary."""
    return any(
        _labelled(line)[0] in (*FIRST, "total errors (blunders)") for line in map(_plain, lines)
    )


def read(where: str, lines: Sequence[str]) -> Pasted:
    """The figures of both players. Raises `InvalidConfiguration` if a row cannot be read, or it is
    not certain whose its figure is."""
    summary = _rows(where, [_plain(line) for line in lines])
    columns = _about_mean(_assigned(where, summary))
    notes = tuple(
        f"XG's rows contradict each other: {sentence}"
        for sentence in contradictions(summary.players, columns)
    )
    wanted = tuple(
        tuple(figure for name, figure in column.items() if name != "level") for column in columns
    )
    if not any(wanted):
        raise InvalidConfiguration(
            "expected figures in XG's summary, found only empty cells; copy it again", where
        )
    return Pasted(XG.short, summary.players, wanted, summary.ignored, notes)


def _plain(line: str) -> str:
    return (
        line.replace("\N{NO-BREAK SPACE}", " ")
        .replace("\N{NARROW NO-BREAK SPACE}", " ")
        .replace("\N{MINUS SIGN}", "-")
    )


def _labelled(line: str) -> tuple[str, str]:
    """The label of a line and what follows it; no label if it is none of XG's."""
    rest = line.lstrip(MARKS)
    lower = rest.lower()
    for label in LABELS:
        if lower.startswith(label) and (len(rest) == len(label) or rest[len(label)] in " \t"):
            return label, rest[len(label) :]
    return "", ""


def _rows(where: str, lines: Sequence[str]) -> Summary:
    summary: Summary | None = None
    section = ""
    for number, line in enumerate(lines):
        label, rest = _labelled(line)
        cells = _cells(label, rest) if label else None
        if cells is None:
            if label and _is_row(line, label, rest):
                raise InvalidConfiguration(
                    f"expected figures of two players after {label!r}, found "
                    f"{rest.strip()[:60]!r}; copy it again",
                    where,
                )
            if summary is not None:
                summary.ignored += _has_digit(line)
            continue
        if summary is None and TABLE[label].below:
            continue  # a sentence that begins like a row, before the summary
        if summary is None:
            summary = Summary(_players(where, lines[number - 1] if number else "", label))
            summary.ignored = sum(map(_has_digit, lines[: max(number - 1, 0)]))
        if not TABLE[label].below:
            section = TABLE[label].figures.partition(" ")[0].rpartition(".")[2]
        elif section not in TABLE[label].below:
            raise InvalidConfiguration(
                f"{label!r} is not below its heading in XG's summary; copy the whole text again",
                where,
            )
        name = TABLE[label].figures.format(section)
        if name in summary.cells or name in summary.uncertain:
            raise InvalidConfiguration(
                f"{label!r} occurs twice below one heading of XG's summary; a heading is missing, "
                "or it is of two matches: copy one whole summary",
                where,
            )
        _add(summary, name, label, cells, tabs=rest.count("\t"))
    assert summary
    return summary


def _is_row(line: str, label: str, rest: str) -> bool:
    """Whether a line is a row of the summary, rather than a sentence that begins like one."""
    has_bullet = "\N{BULLET}" in line[: len(line) - len(rest)]
    return (has_bullet and not TABLE[label].below) or "\t" in rest or "(blunders)" in label


def _has_digit(line: str) -> bool:
    return any(map(str.isdigit, line))


def _cells(label: str, rest: str) -> list[Cell] | None:
    """The cells of a row: two if it is certain which is whose, one if it has a single figure, none
    if both are empty.

    `None` if the row cannot be read.
    """
    pattern = FORMS[TABLE[label].form]
    parts = rest.split("\t")
    if len(parts) > 2 and not parts[0].strip():
        texts = [part.strip() for part in parts[1:]]
        if any(texts[2:]):
            return None
        matches = [pattern.fullmatch(text) if text else None for text in texts[:2]]
        return (
            None
            if any(text and not match for text, match in zip(texts, matches, strict=False))
            else [m and m.groups("") for m in matches]
        )
    text, at = " ".join(rest.split()), 0
    single: list[Cell] = []
    while at < len(text):
        match = pattern.match(text, at)
        if match is None or (match.end() < len(text) and text[match.end()] != " "):
            return None
        single.append(match.groups(""))
        at = match.end() + 1
    return single if len(single) <= 2 else None


def _add(summary: Summary, name: str, label: str, cells: list[Cell], tabs: int) -> None:
    summary.places[name] = label
    if len(cells) == 1:
        summary.uncertain[name] = cells[0]
        return
    summary.keeps_tabs |= (
        tabs >= 2 and len(cells) == 2 and cells[0] is None and cells[1] is not None
    )
    summary.cells[name] = (cells[0], cells[1]) if cells else (None, None)


def _players(where: str, line: str, label: str) -> tuple[str, str]:
    """The names above the columns."""
    text = line.lstrip("> ")
    for parts in (text.split("\t"), re.split(r"\s{2,}|\t", text), text.split()):
        names = [part.strip() for part in parts if part.strip()]
        if (
            len(names) == 2
            and names[0].casefold() != names[1].casefold()
            and not _labelled(line)[0]
        ):
            return names[0], names[1]
        if len(names) > 2:
            break
    raise InvalidConfiguration(
        f"expected the names of the two players in the line above {label!r} of XG's summary, "
        f"found {line.strip()[:60]!r}; "
        "copy the text with its first line, or separate the names by a tab",
        where,
    )


def _assigned(where: str, summary: Summary) -> Columns:
    """The figures of both columns, where every single figure of a row belongs to the player for
    whom the sums hold."""
    names = list(summary.uncertain)
    if not names:
        return _figures(summary.cells)
    fits = []
    for choice in product((0, 1), repeat=len(names)) if len(names) <= MOST_UNCERTAIN else ():
        added = {
            name: (
                (summary.uncertain[name], None) if seat == 0 else (None, summary.uncertain[name])
            )
            for name, seat in zip(names, choice, strict=True)
        }
        columns = _figures(summary.cells | added)
        if not any(contradictions(summary.players, columns)):
            fits.append((choice, columns))
    if len(fits) > 1 and summary.keeps_tabs:
        fits = [fit for fit in fits if not any(fit[0])]
    if len(fits) != 1:
        rows = ", ".join(repr(summary.places[name]) for name in names[:3])
        raise InvalidConfiguration(
            f"{rows} {'have' if len(names) > 1 else 'has'} one figure for two players, and "
            "without its tabs the text does not say "
            "whose; copy XG's summary again with its tabs, or give single figures",
            where,
        )
    return fits[0][1]


def _about_mean(columns: Columns) -> Columns:
    """The same with the luck-based Elo counted from the mean of both, value and text, since the
    centre is no figure of the match."""
    elo = [column.get("luck.elo") for column in columns]
    if elo[0] is None or elo[1] is None:  # of one alone it says nothing
        for column in columns:
            column.pop("luck.elo", None)
        return columns
    mean = (elo[0].value + elo[1].value) / 2
    first, second = (
        column
        | {
            "luck.elo": replace(
                figure, text=f"{figure.value - mean:.1f}", value=figure.value - mean, half=0.5
            )
        }
        for column, figure in zip(columns, elo, strict=True)
        if figure
    )
    return first, second


def _figures(cells: Mapping[str, tuple[Cell, Cell]]) -> Columns:
    first, second = ({figure.metric: figure for figure in _column(cells, seat)} for seat in (0, 1))
    return first, second


def _column(cells: Mapping[str, tuple[Cell, Cell]], seat: int) -> Iterator[PastedFigure]:
    """The figures of one player, and `level`."""
    own = {names: both[seat] for names, both in cells.items()}
    in_match = any(
        cell and cell[2] for names in cells if names.startswith(LOST) for cell in cells[names]
    )
    for names, cell in own.items():
        first, _, second = names.partition(" ")
        if names.startswith(LOST):
            if cell is None and not _has_class(own, first.partition(".")[2]):
                continue  # the whole column is missing, not only what was lost
            yield amount(first, cell[0] if cell else "0.000")
            if cell[2] if cell else in_match:
                yield amount(second, cell[1] if cell else "0.00")
        elif cell is None:
            continue
        elif names.startswith("errors"):
            yield count(first, 0 if cell[0].lower() == "none" else int(cell[0]))
            yield count(second, int(cell[1] or 0))
        elif second:
            yield amount(first, cell[0], signed=True)
            if cell[2]:
                yield amount(second, cell[1], signed=True)
        elif names in WHOLE:
            yield count(names, int(cell[0]))
        else:
            factor = 500.0 if names in ("checker_pr", "cube_pr") else 1.0
            yield amount(names, cell[0], factor, signed=names == "luck.rate")


LOST: Final = "equity_error."
WHOLE: Final = {label.figures for label in TABLE.values() if label.form == "whole"}


def _has_class(own: Mapping[str, Cell], part: str) -> bool:
    """Whether a player has any figure of the class of a loss."""
    of_cube = "double" if part.endswith("double") else "take"
    section = part if part in ALL else of_cube
    counted = "decisions.counted" if section == "total" else f"decisions.{section}"
    return any(own.get(names) for names in (f"errors.{section} blunders.{section}", counted))
