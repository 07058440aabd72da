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
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed.text import Pasted, PastedFigure, amount, count
from reconcile.match.tools import XG

NOISE: Final = 1e-9
CLASSES: Final = ("checker", "double", "take")
_LOSSES: Final = ("equity_error", "mwc_loss_percent")
RELATIONS: Final[Mapping[str, tuple[float, tuple[str, ...], tuple[str, ...]]]] = {
    "decisions.counted": (1.0, tuple(f"decisions.{name}" for name in CLASSES), ()),
    **{
        f"{group}.total": (1.0, tuple(f"{group}.{name}" for name in CLASSES), ())
        for group in ("errors", "blunders", *_LOSSES)
    },
    **{
        f"{group}.{name}": (1.0, (f"{group}.wrong_{first}", f"{group}.{second}"), ())
        for group in _LOSSES
        for name, first, second in (
            ("double", "double", "missed_double"),
            ("take", "take", "wrong_pass"),
        )
    },
    "pr": (500.0, ("equity_error.total",), ("decisions.counted",)),
    "level": (1.0, ("equity_error.total",), ("decisions.counted",)),
    "checker_pr": (500.0, ("equity_error.checker",), ("decisions.checker",)),
    "cube_pr": (
        500.0,
        ("equity_error.double", "equity_error.take"),
        ("decisions.double", "decisions.take"),
    ),
    "luck.rate": (1.0, ("luck.net_equity",), ("the rolls of both players",)),
}
"""A figure: a factor, the figures of which it is the sum, and those by which that is divided."""
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
WORD: Final = re.compile(rf"[^\d()\t]{{1,40}}\(({_NUMBER})\)")
"""`World Class (-0,0093)`."""
RATE: Final = re.compile(rf"({_NUMBER})")
ERRORS: Final = re.compile(r"(none|\d{1,6})(?: ?\((\d{1,6})\))?", re.IGNORECASE)
"""Errors, and blunders among them: `31 (18)`, `2`, `None`."""
COST: Final = re.compile(rf"({_NUMBER})(?: ?\(({_NUMBER}) ?(%?)\))?")
"""`-2,998 (-11,96%)`."""
CHANCE: Final = re.compile(rf"({_NUMBER}) ?%(?: ?favou?rite)?", re.IGNORECASE)
WHOLE: Final = re.compile(r"([+-]?\d{1,6})")

ALL: Final = ("total", "checker", "double", "take")
HEADINGS: Final[Mapping[str, tuple[str, re.Pattern[str]]]] = {
    "level of play": ("level", WORD),
    "performance rating": ("pr", RATE),
    "checker play": ("checker_pr", WORD),
    "cube play": ("cube_pr", WORD),
    "luck": ("luck.rate", WORD),
    "total errors (blunders)": ("total", ERRORS),
    "checker errors (blunders)": ("checker", ERRORS),
    "doubles (blunders)": ("double", ERRORS),
    "takes (blunders)": ("take", ERRORS),
    "jokers": ("luck.jokers", WHOLE),
}
"""Label of a heading, the section it begins, and what its cells look like."""
ROWS: Final[Mapping[str, tuple[tuple[str, ...], str, re.Pattern[str]]]] = {
    "equity (cost)": (ALL, "", COST),
    "decisions": (("total",), "decisions.counted", WHOLE),
    "unforced moves": (("checker",), "decisions.checker", WHOLE),
    "wrong doubles": (("double",), "wrong_double", COST),
    "missed doubles": (("double",), "missed_double", COST),
    "cube decisions": (("double",), "decisions.double", WHOLE),
    "wrong takes": (("take",), "wrong_take", COST),
    "wrong passes": (("take",), "wrong_pass", COST),
    "take decisions": (("take",), "decisions.take", WHOLE),
    "luck (cost)": (("luck.jokers",), "luck", COST),
    "rolls": (("luck.jokers",), "luck.rolls", WHOLE),
    "luck based rating": (("luck.jokers",), "luck.rating_percent", CHANCE),
    "luck based elo": (("luck.jokers",), "luck.elo", WHOLE),
}
"""Label of a row, the sections in which it occurs, its name (empty for that of its section), and
what its cells look like."""
COUNTED: Final = {
    "total": "decisions.counted",
    "checker": "decisions.checker",
    "double": "decisions.double",
    "take": "decisions.take",
}
LABELS: Final = sorted((*HEADINGS, *ROWS), key=len, reverse=True)
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
        surely = "\t" in rest or (
            label in HEADINGS and "\N{BULLET}" in line[: len(line) - len(rest)]
        )
        if cells is None:
            if label and (surely or "(blunders)" in label):
                raise InvalidConfiguration(
                    f"expected figures of two players after {label!r}, found "
                    f"{rest.strip()[:60]!r}; copy it again",
                    where,
                )
            if summary is not None:
                summary.ignored += any(map(str.isdigit, line))
            continue
        if summary is None:
            if label not in HEADINGS:  # a sentence that begins like a row, before the summary
                continue
            summary = Summary(_players(where, lines[number - 1] if number else "", label))
            summary.ignored = sum(
                any(map(str.isdigit, earlier)) for earlier in lines[: max(number - 1, 0)]
            )
        if label in HEADINGS:
            section = HEADINGS[label][0]
        name = _name(where, label, section)
        if name in summary.cells or name in summary.uncertain:
            raise InvalidConfiguration(
                f"{label!r} occurs twice below one heading of XG's summary; a heading is missing, "
                "or it is of two matches: copy one whole summary",
                where,
            )
        _add(summary, name, label, cells, tabs=rest.count("\t"))
    assert summary is not None
    return summary


def _name(where: str, label: str, section: str) -> str:
    """What a heading or a row of a section is called."""
    if label in HEADINGS:
        return section
    sections, name, _ = ROWS[label]
    if section not in sections:
        raise InvalidConfiguration(
            f"{label!r} is not below its heading in XG's summary; copy the whole text again", where
        )
    return name or f"loss.{section}"


def _cells(label: str, rest: str) -> list[Cell] | None:
    """The cells of a row: two if it is certain which is whose, one if it has a single figure, none
    if both are empty.

    `None` if the row cannot be read.
    """
    pattern = HEADINGS[label][1] if label in HEADINGS else ROWS[label][2]
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
    own = {name: both[seat] for name, both in cells.items()}
    for name, cell in own.items():
        if name in ALL:
            if cell is not None:
                yield count(f"errors.{name}", 0 if cell[0].lower() == "none" else int(cell[0]))
                yield count(f"blunders.{name}", int(cell[1] or 0))
        elif name.startswith("loss.") or (
            "_" in name and name.split("_")[0] in ("wrong", "missed")
        ):
            part = name.removeprefix("loss.")
            of_kind = "double" if part.endswith("double") else "take"
            section = part if part in ALL else of_kind
            if cell is None and own.get(section) is None and own.get(COUNTED[section]) is None:
                continue  # the whole column is missing, not only what was lost
            equity, chance, percent = cell or ("0", "", "")
            in_match = bool(percent) or (
                cell is None
                and any(
                    two and two[2] for key in cells if key.startswith("loss.") for two in cells[key]
                )
            )
            yield amount(f"equity_error.{part}", equity if cell else "0.000")
            if in_match:
                yield amount(f"mwc_loss_percent.{part}", chance if cell else "0.00")
        elif cell is None:
            continue
        elif name == "luck":
            yield amount("luck.net_equity", cell[0], signed=True)
            if cell[2]:
                yield amount("luck.net_mwc_percent", cell[1], signed=True)
        elif name in ("level", "pr", "luck.rate", "luck.rating_percent"):
            yield amount(name, cell[0], signed=name == "luck.rate")
        elif name in ("checker_pr", "cube_pr"):
            yield amount(name, cell[0], 500.0)
        else:
            yield count(name, int(cell[0]))
