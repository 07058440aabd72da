"""Figures in text that a program prints: gnuBG's statistics (text, HTML, one file per game) and
XG's statistics summary.

One reader for text that somebody pastes and for exports of a program. What is printed where is in
`tables.yaml`. Time is linear in the size of the text.

gnuBG's table has English labels, two columns, and losses are negative. It prints zeros for what is
not analysed, so a part of the game in which it counts no decision at all is left out.

XG's summary has 27 lines, each with a label and a cell for each of two players, whose names are in
line 1. Seven labels are headings (`•`), and the heading above says which class a row such as
`Equity (Cost)` belongs to. Cells are separated by tabs, and an empty cell means that nothing was
lost. Text that went through a mail may have blanks for tabs: a row with a single figure then does
not say whose it is and is left out, with a note. Source: three summaries of matches as their owner
pasted them, github lassehjorthmadsen/bganalyses (MIT), English labels only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

from reconcile.errors import InvalidConfiguration
from reconcile.files.yaml_file import read_tree
from reconcile.formats import common
from reconcile.match.tools import GNUBG, XG
from reconcile.wording import listed

MOST_CHARACTERS = 16 * 2**20
TABLES: dict[str, Any] = read_tree(Path(__file__).with_name("tables.yaml"))
LONGEST_LINE = 500
"""Characters; lines of statistics are shorter, so that one endless line costs no time."""
LONGEST_NUMBER = re.compile(r"\d{20}")
"""A run of digits longer than any figure: a checksum, or damage."""
QUOTED = re.compile(r"\A\s*>[>\s]*")
"""What a mail puts before every line that it quotes."""
WIDE = "    "
"""Separator between two columns of a table read from HTML."""


@dataclass(frozen=True, slots=True)
class PastedFigure:
    """A figure by the name of its metric, as printed, and its precision."""

    metric: str
    text: str
    value: float
    half: float
    """Half of the last printed digit; 0 for a count."""


@dataclass(frozen=True, slots=True)
class Pasted:
    """The figures in a text."""

    program: str
    """Short name of the program: that of gnuBG or XG in `reconcile.match.tools`."""
    players: tuple[str, ...]
    """Names above the columns; empty if there are none."""
    columns: tuple[tuple[PastedFigure, ...], ...]
    """Figures of one or two players."""
    ignored: int
    """Lines with a number but no recognised figure."""
    notes: tuple[str, ...] = ()
    """Sentences on what the text does not say."""


def count(metric: str, value: int) -> PastedFigure:
    """A number of decisions, errors or rolls."""
    return PastedFigure(metric, str(value), value, 0.0)


def amount(metric: str, printed: str, factor: float = 1.0, *, signed: bool = False) -> PastedFigure:
    """A sum or a rate as printed, times a factor; without its sign unless `signed`, since programs
    print losses as negative numbers."""
    text = printed.replace("\N{MINUS SIGN}", "-").replace(",", ".")
    text = text if signed else text.lstrip("+-")
    digits = len(text.partition(".")[2])
    value = factor * float(text)
    return PastedFigure(
        metric,
        text if factor == 1 else f"{value:.{digits + 1 if factor < 1 else 2}f}",
        value,
        factor * 0.5 * 10.0**-digits,
    )


def decoded(content: bytes) -> str:
    """Text in one of the encodings of clipboards and files; an HTML page as the rows of its
    tables."""
    text = common.decoded(common.in_utf8(content))
    is_page = re.search(r"<(?:!doctype html|html)\b", text[:4096], re.IGNORECASE) is not None
    return _rows(text) if is_page else text


def _rows(page: str) -> str:
    """The rows of a page's tables as lines, worded as in gnuBG's text export; text outside a row
    becomes a separate line."""
    lines: list[str] = []
    cells: list[list[str]] | None = None
    for piece in page.split("<"):
        tag, _, data = piece.partition(">")
        name = tag.split(None, 1)[0].lower() if tag.strip() else ""
        text = " ".join(unescape(data).split())
        if name == "tr":
            cells = []
        elif name == "/tr" and cells is not None:
            lines.append(WIDE.join(map("".join, cells)))
            cells = None
        elif name in ("td", "th") and cells is not None:
            cells.append([text])
            continue
        if text and cells:
            cells[-1].append(text)
        elif text and cells is None:
            lines.append(text)
    return "\n".join(lines).replace("Chequer play statistics", "Chequerplay statistics") + "\n"


def lines_of(text: str) -> list[str]:
    """The lines that may contain a figure, without the quotation marks of a mail, without blank
    ones, those too long, and those with a number too long.

    So a text of blanks, or one endless line, costs no time.
    """
    return [
        line
        for line in (QUOTED.sub("", each) for each in text.splitlines())
        if line.strip() and len(line) <= LONGEST_LINE and not LONGEST_NUMBER.search(line)
    ]


def read_pasted(where: str, content: bytes, game: int | None = None) -> Pasted:
    """Read figures from the bytes of a text: of the match, or of one game (its number) if the text
    has several.

    `where` only names it in messages. Raises `InvalidConfiguration` if there are no figures, or if
    it is not certain whose they are.
    """
    lines = lines_of(decoded(content[:MOST_CHARACTERS]))
    if is_table(lines):
        return read_table(where, lines, game)
    if is_summary(lines):
        return read_summary(where, lines)
    raise InvalidConfiguration(
        "expected the text of gnuBG's or XG's statistics, found no figure in it; copy the whole "
        "window, or give single figures",
        where,
    )


def is_printed(content: bytes) -> bool:
    """Whether a text has gnuBG's statistics or XG's summary."""
    lines = lines_of(decoded(content))
    return is_table(lines) or is_summary(lines)


TABLE = TABLES["gnubg"]
HALF_SUM = 0.0005
"""Half of the last digit of gnuBG's sums of equity, and of match winning chance in percent."""
HEAD = re.compile(r"Player {3,}\S")
TITLE = re.compile(r"(?:Match|Session) statistics|Game statistics for game (\d{1,9})")
SIGNS = (
    "Chequerplay statistics",
    "Overall statistics",
    "Error rate mEMG",
    "Close or actual cube decisions",
)
"""How a line of such a table may begin."""
PATTERNS = {
    label: re.compile(TABLE[kind].replace("NUMBER", r"[+-]?\d+(?:\.\d+)?"))
    for kind in ("count", "amount")
    for label in TABLE[f"{kind}s"]
}
"""By label, what its cells have: a count, a sum or a rate, a chance."""
LABEL = re.compile(
    r"\s*(?P<label>[A-Za-z][^\d+(]*?(?:\((?:EMG|MWC|Points|[() ])+\))?)\s{2,}(?P<rest>[\d+-].*)$"
)

Cell = tuple[str, ...]
"""What a cell prints, in its parts."""
Row = list[Cell | None]
"""The cells of both players, `None` for an empty one."""
Cells = Mapping[tuple[str, str], Cell]
"""What one column has, by section and label."""


def is_table(lines: Sequence[str]) -> bool:
    """Whether lines contain a table of gnuBG's statistics."""
    return any(line.strip().startswith(SIGNS) for line in lines)


def read_table(where: str, lines: Sequence[str], game: int | None) -> Pasted:
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
    notes = tuple(_notes_of_table(players, columns))
    if not any(figures):
        why = f"; {notes[0]}" if notes else ""
        raise InvalidConfiguration(
            f"expected gnuBG's statistics of an analysed match, found no figure{why}; analyse the "
            "match first, and copy the table with its blanks",
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


def _notes_of_table(players: tuple[str, ...], columns: Sequence[Cells]) -> Iterator[str]:
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


LABELS = dict(sorted(TABLES["xg"]["labels"].items(), key=lambda row: len(row[0]), reverse=True))
"""The longest first, since one may begin another."""
FORMS = {
    form: re.compile(pattern.replace("NUMBER", r"[+-]?\d{1,6}(?:[.,]\d{1,6})?"), re.IGNORECASE)
    for form, pattern in TABLES["xg"]["forms"].items()
}
FIRST = ("level of play", "performance rating", "total errors (blunders)")
"""The labels by which a summary is recognised."""
MARKS = " \t\N{BULLET}\N{MIDDLE DOT}*-\N{EN DASH}"
"""What may come before a label: bullets and indents."""
PLAIN = str.maketrans("\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}\N{MINUS SIGN}", "  -")
NOTHING_LOST = ("0.000", "0.00")


def is_summary(lines: Sequence[str]) -> bool:
    """Whether lines contain the beginning of XG's summary."""
    return any(_labelled(line.translate(PLAIN))[0] in FIRST for line in lines)


def read_summary(where: str, lines: Sequence[str]) -> Pasted:
    """The figures of both players. Raises `InvalidConfiguration` if a row cannot be read, or it is
    not certain to which class it belongs."""
    plain = [line.translate(PLAIN) for line in lines]
    start = next((n for n, line in enumerate(plain) if _begins(line)), len(plain))
    rows: dict[tuple[str, str], Row] = {}
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
    return Pasted(XG.short, players, figures, ignored, tuple(_notes_of_summary(rows)))


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


def _cells(label: str, rest: str) -> Row | None:
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
    cells: Row = []
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
    for parts in (line.split("\t"), re.split(r"\s{2,}|\t", line), line.split()):
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


def _column(rows: Mapping[tuple[str, str], Row], seat: int) -> dict[str, PastedFigure]:
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


def _notes_of_summary(rows: Mapping[tuple[str, str], Row]) -> Iterator[str]:
    """What is said of rows of which it is not certain whose their figure is."""
    left = [label for (_, label), cells in rows.items() if len(cells) == 1]
    if left:
        yield (
            f"Left out: {listed([repr(label) for label in dict.fromkeys(left)])}, with one figure "
            "for two players and no tabs that say whose; copy XG's summary again with its tabs"
        )
