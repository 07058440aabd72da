"""gnuBG's statistics table as text: English labels, two columns, losses negative.

gnuBG prints zeros for what is not analysed. A part of the game in which it counts no decision at
all is therefore left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.formats.printed.text import Pasted, PastedFigure, amount, count, titled
from reconcile.match.tools import GNUBG

HALF_SUM: Final = 0.0005
"""Half of the last digit of gnuBG's sums of equity, printed with three decimals."""
HALF_CHANCE: Final = 0.0005
"""The same of its sums of match winning chance, in percent."""
HEAD: Final = re.compile(r"Player {3,}\S")
SECTIONS: Final = {
    "Chequerplay statistics": "checker",
    "Luck statistics": "luck",
    "Cube statistics": "cube",
    "Overall statistics": "total",
}
SIGNS: Final = (
    "Chequerplay statistics",
    "Overall statistics",
    "Error rate mEMG",
    "Close or actual cube decisions",
)
"""How a line of such a table may begin."""
_NUMBER = r"[+-]?\d+(?:\.\d+)?"
COUNT: Final = re.compile(r"(\d+)(?: \( *([+-]?\d+\.\d+) \( *([+-]?\d+\.\d+)%?\)\))?(?=\s|$)")
"""A count, sometimes with its cost: `3 (-0.255 ( -1.598%))`."""
AMOUNT: Final = re.compile(rf"({_NUMBER})(?: *\( *({_NUMBER})(%?)\))?(?=\s|$)")
"""A sum or a rate, sometimes with the same in match winning chance: `-3.731 (-23.361%)`."""
LABEL: Final = re.compile(
    r"\s*(?P<label>[A-Za-z][^\d+(]*?(?:\((?:EMG|MWC|Points|[() ])+\))?)\s{2,}(?P<rest>[\d+-].*)$"
)
LOST: Final = (
    *(
        "Missed doubles below CP",
        "Missed doubles above CP",
        "Wrong doubles below DP",
        "Wrong doubles above TG",
    ),
    *("Wrong takes", "Wrong passes"),
)
LABEL_OF_CLOSE: Final = "Close or actual cube decisions"
COUNTS: Final = (
    "Unforced moves",
    LABEL_OF_CLOSE,
    "Total moves",
    "Total cube decisions",
    "Takes",
    "Passes",
    *LOST,
)
AMOUNTS: Final = ("Error total", "Error rate", "Snowie error rate")
PARTS: Final = {
    "equity_error.missed_double": LOST[:2],
    "equity_error.wrong_double": LOST[2:4],
    "equity_error.double": LOST[:4],
    "equity_error.wrong_take": LOST[4:5],
    "equity_error.wrong_pass": LOST[5:],
    "equity_error.take": LOST[4:],
}
"""Our figures of the cube by the rows of which they are the sum."""

Cells = Mapping[tuple[str, str], tuple[str, ...]]
"""What one column has, by section and label."""


def is_table(lines: Sequence[str]) -> bool:
    """Whether lines contain a table of gnuBG's statistics."""
    return any(line.strip().startswith(SIGNS) for line in lines)


def read(where: str, lines: Sequence[str], game: int | None) -> Pasted:
    """The figures of the match, or of one game (its number). Raises `InvalidConfiguration` if there
    are none."""
    players: tuple[str, ...] = ()
    section, ignored = "", 0
    cells: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for line in _selected(where, lines, game):
        stripped = line.strip()
        section = SECTIONS.get(stripped, section)
        if HEAD.match(line):
            players = tuple(re.split(r"\s{2,}", stripped)[1:])
            continue
        # Of many blanks every number would be tried as the end of the label.
        row = LABEL.match(re.sub(r"\s{2,}", "  ", line))
        label = row["label"].partition(" (")[0].strip() if row else ""
        kind = label.removesuffix(" EMG").removesuffix(" mEMG")
        if row and section != "luck" and kind in (*COUNTS, *AMOUNTS):
            pattern = COUNT if kind in COUNTS else AMOUNT
            cells[section, kind] = [
                match.groups(default="") for match in pattern.finditer(row["rest"])
            ]
        elif re.search(r"\d", stripped):
            ignored += 1
    columns = [
        {key: values[n] for key, values in cells.items() if n < len(values)}
        for n in range(min(max((len(values) for values in cells.values()), default=0), 2))
    ]
    read_ = tuple(tuple(_column(column)) for column in columns)
    notes = tuple(_notes(players, columns))
    if not any(read_):
        why = f"; {notes[0]}" if notes else ""
        raise InvalidConfiguration(
            f"expected gnuBG's statistics of an analysed match, found no figure{why}; analyse the "
            "match first",
            where,
        )
    return Pasted(GNUBG.short, players, read_, ignored, notes)


def _selected(where: str, lines: Sequence[str], game: int | None) -> Sequence[str]:
    """The lines of the wanted statistics; an export has one table per game and one for the match,
    each under its title."""
    titles = titled(lines)
    at = next((at for at, number in titles.items() if number == game), None)
    if at is not None:
        lines = lines[at + 1 : next((later for later in titles if later > at), len(lines))]
    elif titles:
        there = ", ".join(" ".join(lines[at].split()) for at in titles)
        wanted = "the match" if game is None else f"game {game}"
        raise InvalidConfiguration(
            f"expected the statistics of {wanted}, found: {there}; say which game with --game, or "
            "give the file of the last "
            "game, which has those of the match",
            where,
        )
    heads = [n for n, line in enumerate(lines) if HEAD.match(line)]
    return lines[: heads[1]] if len(heads) > 1 else lines


def _column(cells: Cells) -> Iterator[PastedFigure]:
    """The figures of one player: those the table prints, and those of our classes that are sums of
    printed ones."""
    analysed = {part: _analysed(cells, part) for part in ("checker", "cube")}
    analysed["total"] = analysed["checker"] or analysed["cube"]
    for section in ("checker", "total"):
        if (total := cells.get((section, "Error total"))) and analysed[section]:
            yield amount(f"equity_error.{section}", total[0])
            if total[2]:
                yield amount(f"mwc_loss_percent.{section}", total[1])
    for section, name, factor in (
        ("checker", "checker_pr", 0.5),
        ("cube", "cube_pr", 0.5),
        ("total", "error_rate_memg", 1.0),
    ):
        rate = cells.get((section, "Error rate"))
        if rate and analysed[section] and _counted(cells, section):
            yield amount(name, rate[0], factor)
    if (rate := cells.get(("total", "Snowie error rate"))) and analysed["total"]:
        yield amount("snowie_memg", rate[0])
    counts = {key: int(values[0]) for (_, key), values in cells.items() if key in COUNTS}
    if "Unforced moves" in counts and analysed["checker"]:
        yield count("decisions.checker", counts["Unforced moves"])
    if {LABEL_OF_CLOSE, "Takes", "Passes"} <= set(counts):
        answers, close = counts["Takes"] + counts["Passes"], counts[LABEL_OF_CLOSE]
        if analysed["cube"]:
            yield count("decisions.take", answers)
            yield count("decisions.double", close - answers)
        if "Unforced moves" in counts and analysed["total"]:
            yield count("decisions.counted", counts["Unforced moves"] + close)
    cube_total = cells.get(("cube", "Error total"))
    for name, labels in PARTS.items() if analysed["cube"] else ():
        lost = [cells["cube", label] for label in labels if ("cube", label) in cells]
        if len(lost) == len(labels):
            yield _sum(name, [part[1] for part in lost if part[1]], HALF_SUM)
            if cube_total and cube_total[2]:
                chances = [part[2] for part in lost if part[2]]
                yield _sum(name.replace("equity_error", "mwc_loss_percent"), chances, HALF_CHANCE)


def _analysed(cells: Cells, part: str) -> bool:
    """Whether a part of the table is based on any decision; if its rows are not all there, it is
    taken to be."""
    total, counted = {
        "checker": ("Total moves", "Unforced moves"),
        "cube": ("Total cube decisions", "Close or actual cube decisions"),
    }[part]
    numbers = [
        cells.get((part, label))
        for label in ((counted,) if part == "checker" else (total, counted))
    ]
    error = cells.get((part, "Error total"))
    return (
        None in numbers
        or any(int(number[0]) for number in numbers if number)
        or bool(error and float(error[0]))
    )


def _counted(cells: Cells, section: str) -> bool:
    """Whether anything counts: gnuBG prints a rate of 0 if nothing does."""
    labels = {"checker": COUNTS[:1], "cube": COUNTS[1:2], "total": COUNTS[:2]}[section]
    counts = [values[0] for (_, key), values in cells.items() if key in labels]
    return not counts or any(int(count_) for count_ in counts)


def _notes(players: tuple[str, ...], columns: Sequence[Cells]) -> Iterator[str]:
    for part, words in (("checker", "checker play"), ("cube", "cube decision")):
        whose = [
            players[n] if n < len(players) else f"column {n + 1}"
            for n, cells in enumerate(columns)
            if not _analysed(cells, part)
        ]
        if whose:
            yield (
                f"gnuBG's table counts no {words} of {' and '.join(whose)}: not analysed, or "
                "there was none; "
                "the zeros that gnuBG prints there are not taken as figures"
            )


def _sum(metric: str, printed: list[str], half: float) -> PastedFigure:
    """A class that gnuBG prints in parts; the parts' precisions add up as well."""
    value = sum(abs(float(text)) for text in printed)
    return PastedFigure(metric, f"{value:.3f}", value, half * max(len(printed), 1))
