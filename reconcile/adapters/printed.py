"""Figures from text copied from a program: gnuBG's printed statistics, or the labels of XG's statistics window.

gnuBG's table is fixed: English labels, two columns, losses negative. No copy of XG's window was available; its lines are parsed
according to descriptions, by words for a class and a quantity in English, German, French and Japanese, followed by one or two
numbers and sometimes a percentage in brackets. A line that is not understood is counted; nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from reconcile.errors import InvalidConfiguration

MOST_CHARACTERS: Final = 1_000_000
NO_FIGURES: Final = re.compile(r"^.*\d{20}.*$", re.MULTILINE)
"""A line with a run of digits longer than any figure: a checksum, or damage."""
GNUBG, XG = "gnuBG", "XG"
HALF_SUM: Final = 0.0005
"""Half of the last digit of gnuBG's sums of equity, printed with three decimals."""
HALF_CHANCE: Final = 0.0005
"""The same of its sums of match winning chance, in percent."""


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
    """`gnuBG` or `XG`."""
    players: tuple[str, ...]
    """Names above the columns; empty if there are none."""
    columns: tuple[tuple[PastedFigure, ...], ...]
    """Figures of one or two players."""
    ignored: int
    """Lines with a number but no recognised figure."""


def read_pasted(path: str, content: bytes, game: int | None = None) -> Pasted:
    """Read figures from text: of the match, or of one game (its number) if the text has several.

    Raises `InvalidConfiguration` if there are none; `path` only names the text in messages.
    """
    text = NO_FIGURES.sub("", _decoded(content)[:MOST_CHARACTERS])
    gnubg = re.search(r"^\s*(Chequerplay statistics|Error rate mEMG|Close or actual cube decisions)\b", text, re.MULTILINE)
    pasted = _read_gnubg(_gnubg_table(path, text, game)) if gnubg else _read_xg(path, text)
    if not any(pasted.columns):
        raise InvalidConfiguration(
            f"{path}: expected the text of gnuBG's or XG's statistics, found no figure in it; give the figures with --reported instead"
        )
    return pasted


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


# -- gnuBG -------------------------------------------------------------------------------------------------------------

TITLE: Final = re.compile(r"^\s*(?:Game statistics for game (?P<game>\d+)|(?:Match|Session) statistics)\s*$", re.MULTILINE)
HEAD: Final = re.compile(r"^Player {3,}\S", re.MULTILINE)
SECTIONS: Final = {"Chequerplay statistics": "checker", "Luck statistics": "luck", "Cube statistics": "cube", "Overall statistics": "total"}
_NUMBER = r"[+-]?\d+(?:\.\d+)?"
COUNT: Final = re.compile(r"(\d+)(?: \( *([+-]?\d+\.\d+) \( *([+-]?\d+\.\d+)%?\)\))?(?=\s|$)")
"""A count, sometimes with its cost: `3 (-0.255 ( -1.598%))`."""
AMOUNT: Final = re.compile(rf"({_NUMBER})(?: *\( *({_NUMBER})(%?)\))?(?=\s|$)")
"""A sum or a rate, sometimes with the same in match winning chance: `-3.731 (-23.361%)`."""
LABEL: Final = re.compile(r"\s*(?P<label>[A-Za-z][^\d+(]*?(?:\((?:EMG|MWC|Points|[() ])+\))?)\s{2,}(?P<rest>[\d+-].*)$")
COUNTS: Final = (
    "Unforced moves",
    "Close or actual cube decisions",
    "Takes",
    "Passes",
    *("Missed doubles below CP", "Missed doubles above CP", "Wrong doubles below DP", "Wrong doubles above TG"),
    *("Wrong takes", "Wrong passes"),
)


def _gnubg_table(path: str, text: str, game: int | None) -> str:
    """The selected statistics; an export has one table per game and one for the match, each under its title."""
    titled = list(TITLE.finditer(text))
    if titled:
        wanted = next((found for found in titled if found["game"] == (None if game is None else str(game))), None)
        if wanted is None:
            there = ", ".join(" ".join(found[0].split()) for found in titled)
            meant = "the match" if game is None else f"game {game}"
            raise InvalidConfiguration(f"{path}: expected the statistics of {meant}, found: {there}; say which game with --game")
        text = text[wanted.end() : next((other.start() for other in titled if other.start() > wanted.start()), len(text))]
    starts = [found.start() for found in HEAD.finditer(text)]
    return text[: starts[1]] if len(starts) > 1 else text


def _read_gnubg(table: str) -> Pasted:
    players: tuple[str, ...] = ()
    section, ignored = "", 0
    cells: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for line in table.splitlines():
        stripped = line.strip()
        section = SECTIONS.get(stripped, section)
        if HEAD.match(line):
            players = tuple(re.split(r"\s{2,}", stripped)[1:])
            continue
        found = LABEL.match(line)
        label = found["label"].partition(" (")[0].strip() if found else ""
        kind = label.removesuffix(" EMG").removesuffix(" mEMG")
        known = section != "luck" and kind in (*COUNTS, "Error total", "Error rate", "Snowie error rate")
        if found and known:
            pattern = COUNT if kind in COUNTS else AMOUNT
            cells[section, kind] = [match.groups(default="") for match in pattern.finditer(found["rest"])]
        elif re.search(r"\d", stripped):
            ignored += 1
    columns = max((len(values) for values in cells.values()), default=0)
    read = [tuple(_gnubg_column({key: values[n] for key, values in cells.items() if n < len(values)})) for n in range(min(columns, 2))]
    return Pasted(GNUBG, players, tuple(read), ignored)


def _gnubg_column(cells: Mapping[tuple[str, str], tuple[str, ...]]) -> Iterator[PastedFigure]:
    """The figures of one player: those the table prints, and those of our classes that are sums of printed ones."""
    for section, part in (("checker", "checker"), ("total", "total")):
        if total := cells.get((section, "Error total")):
            yield _figure(f"equity_error.{part}", total[0])
            if total[2]:
                yield _figure(f"mwc_loss_percent.{part}", total[1])
    for section, name, factor in (("checker", "checker_pr", 0.5), ("cube", "cube_pr", 0.5), ("total", "error_rate_memg", 1.0)):
        if (rate := cells.get((section, "Error rate"))) and _counted(cells, section):
            yield _figure(name, rate[0], factor)
    if rate := cells.get(("total", "Snowie error rate")):
        yield _figure("snowie_memg", rate[0])
    counts = {key: int(values[0]) for (_, key), values in cells.items() if key in COUNTS}
    if "Unforced moves" in counts:
        yield _count("decisions.checker", counts["Unforced moves"])
    if {"Close or actual cube decisions", "Takes", "Passes"} <= set(counts):
        answers = counts["Takes"] + counts["Passes"]
        yield _count("decisions.take", answers)
        yield _count("decisions.double", counts["Close or actual cube decisions"] - answers)
        if "Unforced moves" in counts:
            yield _count("decisions.counted", counts["Unforced moves"] + counts["Close or actual cube decisions"])
    for name, labels in (("double", COUNTS[4:8]), ("take", COUNTS[8:])):
        parts = [cells.get(("cube", label)) for label in labels]
        lost = [part for part in parts if part is not None]
        if len(lost) == len(labels):
            yield _sum(f"equity_error.{name}", [part[1] for part in lost if part[1]], HALF_SUM)
            total = cells.get(("cube", "Error total"))
            if total and total[2]:
                yield _sum(f"mwc_loss_percent.{name}", [part[2] for part in lost if part[2]], HALF_CHANCE)


def _counted(cells: Mapping[tuple[str, str], tuple[str, ...]], section: str) -> bool:
    """Whether anything counts: gnuBG prints a rate of 0 if nothing does."""
    labels = {"checker": ("Unforced moves",), "cube": ("Close or actual cube decisions",), "total": COUNTS[:2]}[section]
    counts = [values[0] for (_, key), values in cells.items() if key in labels]
    return not counts or any(int(count) for count in counts)


def _figure(metric: str, printed: str, factor: float = 1.0) -> PastedFigure:
    text = printed.replace(",", ".").lstrip("+-")
    digits = len(text.partition(".")[2])
    value = factor * float(text)
    return PastedFigure(metric, text if factor == 1 else f"{value:.{digits + 1}f}", value, factor * 0.5 * 10.0**-digits)


def _count(metric: str, value: int) -> PastedFigure:
    return PastedFigure(metric, str(value), value, 0.0)


def _sum(metric: str, printed: list[str], half: float) -> PastedFigure:
    """A class that gnuBG prints in parts; the parts' precisions add up as well."""
    value = sum(abs(float(text)) for text in printed)
    return PastedFigure(metric, f"{value:.3f}", value, half * max(len(printed), 1))


# -- XG ----------------------------------------------------------------------------------------------------------------

RATE: Final = re.compile(r"(?<![a-z])(pr|performance rating|perf\.? ?rating|leistungsbewertung|leistung)(?![a-z])|パフォーマンス")
NEITHER: Final = ("snowie", "luck", "joker", "glück", "ツキ", "elo", "rate", "rating", "blunder", "gaffe", "patzer", "cost", "date")
QUANTITIES: Final = {
    "mwc_loss_percent": ("mwc", "mwk", "match winning", "勝率"),
    "equity_error": ("emg", "equity", "équité", "equité", "equite", "error", "erreur", "fehler", "lost", "verlust", "エクイティ", "エラー"),
    "decisions": ("decision", "décision", "entscheidung", "unforced", "決定", "判断", "ディシジョン"),
}
"""Words in a label that identify a quantity; the first match counts."""
COMPOUNDED: Final = ("entscheidung", "fehler")
CLASSES: Final = {
    "take": ("take", "annehm", "annahme", "prend", "prise", "テイク"),
    "double": ("double", "doubling", "doppel", "doppl", "ダブル"),
    "checker": ("checker", "move", "unforced", "zug", "züge", "stein", "coup", "pion", "ムーブ", "チェッカー"),
    "total": ("total", "overall", "all ", "gesamt", "insgesamt", "global", "合計", "全体"),
}
"""Words in a label that identify a class; without one it is the total."""
OTHER_BRACKETS: Final = re.compile(r"\([^()%]*\)")
XG_NUMBER: Final = re.compile(r"(?<![\w.,])([+-]?\d+(?:[.,]\d+)?) ?(%?)(?: *\( *([+-]?\d+(?:[.,]\d+)?) ?% *\))?(?![\w])")


def _read_xg(path: str, text: str) -> Pasted:
    columns: tuple[dict[str, PastedFigure], ...] = ({}, {})
    ignored = 0
    for line in text.replace("\N{MINUS SIGN}", "-").splitlines():
        first = XG_NUMBER.search(line)
        if first is None:
            continue
        label, rest = line[: first.start()], OTHER_BRACKETS.sub(" ", line[first.start() :])
        cells = list(XG_NUMBER.finditer(rest))
        figures = _xg_line(label, cells) if len(cells) <= len(columns) else []
        ignored += not figures
        for column, figure in figures:
            if columns[column].setdefault(figure.metric, figure).value != figure.value:
                raise InvalidConfiguration(
                    f"{path}: {figure.metric} is listed twice, {columns[column][figure.metric].text} and {figure.text}"
                )
    read = tuple(tuple(column.values()) for column in columns if column)
    return Pasted(XG, (), read, ignored)


def _xg_line(label: str, cells: list[re.Match[str]]) -> list[tuple[int, PastedFigure]]:
    metric = _xg_metric(label)
    if metric is None:
        return []
    found = []
    for column, cell in enumerate(cells):
        printed, percent, bracket = cell[1], cell[2], cell[3]
        group, _, part = metric.partition(".")
        if group == "decisions":
            if re.search("[.,%+-]", cell[0]):
                return []
            found.append((column, _count(metric, int(printed))))
            continue
        name = f"mwc_loss_percent.{part}" if percent and group == "equity_error" else metric
        found.append((column, _figure(name, printed)))
        if bracket and group == "equity_error":
            found.append((column, _figure(f"mwc_loss_percent.{part}", bracket)))
    return found


def _xg_metric(label: str) -> str | None:
    """The metric that a label means, if any."""
    words = re.sub(r"[_\"':=]+", " ", label.casefold())
    part = _meant(words, CLASSES)
    if RATE.search(words):
        return {None: "pr", "total": "pr", "checker": "checker_pr"}.get(part)
    quantity = _meant(words, QUANTITIES)
    if quantity is None or any(word in words for word in NEITHER):
        return None
    part = part or "total"
    return f"{quantity}.{'counted' if quantity == 'decisions' and part == 'total' else part}"


def _meant(words: str, meanings: Mapping[str, tuple[str, ...]]) -> str | None:
    """The first meaning with a word that starts a word of the label, or ends one as in German compounds."""
    return next(
        (
            name
            for name, names in meanings.items()
            if any(word in words if word in COMPOUNDED else re.search(rf"(?<![a-zà-ÿ]){word}", words) for word in names)
        ),
        None,
    )
