"""gnuBG's own statistics at the end of its text export, held against the figures computed from the
turns above them."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.score import Scored
from reconcile.scoring.statistics import Statistics, statistics
from tests.support import data as real

ARCHIVE: Final = "gnubg-text-archive/llabba.tar.xz"
FIRST, SECOND = 41, 65
"""Columns where the figures of the players begin."""
DIGIT: Final = 0.0005
ROUNDED: Final = 1e-9
LOST: Final = {
    "missed_double": ("Missed doubles below CP", "Missed doubles above CP"),
    "wrong_double": ("Wrong doubles below DP", "Wrong doubles above TG"),
    "wrong_take": ("Wrong takes",),
    "wrong_pass": ("Wrong passes",),
}

Printed = dict[str, list[tuple[str, str]]]
"""Label without its units -> the figures of both players in every section that has it."""


@cache
def archived() -> dict[str, bytes]:
    """The pages of every match of the archive, joined, by plies and name: read once, since the
    archive is packed as one."""
    path = real.FOLDER / ARCHIVE
    pages: dict[str, dict[str, bytes]] = {}
    if path.is_file():
        with tarfile.open(path) as tar:
            for member in tar:
                if (
                    "/analyzed/" in member.name
                    and member.isfile()
                    and (file := tar.extractfile(member))
                ):
                    plies, name = member.name.split("/")[-2:]
                    stem = name.removesuffix(".txt")
                    first = stem[:-4] if stem[-4:-3] == "_" and stem[-3:].isdigit() else stem
                    pages.setdefault(f"{plies} {first}", {})[name] = file.read()
    return {
        key: b"".join(
            content
            for _, content in sorted(rows.items(), key=lambda entry: (len(entry[0]), entry[0]))
        )
        for key, rows in sorted(pages.items())
    }


def block(text: str, title: str) -> Printed:
    """The figures below the last line of a title."""
    rows: Printed = {}
    for line in text[text.rindex(f"\n{title}\n") :].splitlines():
        label = line[:FIRST].partition("(")[0].strip()
        if line[FIRST:].strip():
            rows.setdefault(label, []).append((line[FIRST:SECOND].strip(), line[SECOND:].strip()))
    return rows


def disagreements(match: Match, text: str) -> Iterator[str]:
    """Every figure of gnuBG's that the match does not give under gnuBG's rules, in words."""
    computed, printed = statistics(match, "gnubg"), block(text, "Match statistics")
    for seat in (0, 1):
        for fault in _of(computed, printed, seat):
            yield f"{match.players[seat]}: {fault}"


def _of(computed: Statistics, printed: Printed, seat: int) -> Iterator[str]:
    scored, figures, match = computed.scored, computed.figures(seat), computed.match
    cubes = match.cubes

    def count(label: str) -> int:
        return int(printed[label][0][seat].split()[0])

    def value(name: str) -> float:
        return _number(figures, name)

    own = cubes.player == seat
    marked = [count(f"Moves marked {grade}") for grade in ("very bad", "bad", "doubtful")]
    pairs = {
        "Total moves": value("moves.total"),
        "Unforced moves": value("decisions.checker"),
        "Total cube decisions": int((own & cubes.analysed).sum()),
        "Doubles": int((own & (cubes.kind == Kind.DOUBLE)).sum()),
        "Takes": int((own & (cubes.kind == Kind.TAKE)).sum()),
        "Passes": int((own & (cubes.kind == Kind.PASS)).sum()),
    }
    for label, number in pairs.items():
        if count(label) != number:
            yield f"{label} {count(label)}, computed {number}"
    for name, number in (
        ("blunders", marked[0]),
        ("errors", sum(marked[:2])),
        ("doubtful", sum(marked)),
    ):
        if number != value(f"{name}.checker"):
            yield f"{number} {name} of plays, computed {value(f'{name}.checker')}"
    low, high = (
        open_range(computed).figures[seat].get("decisions.double", (value("decisions.double"),) * 2)
    )
    close = count("Close or actual cube decisions") - value("decisions.take")
    if not low <= close <= high:
        yield f"{close} doubles and close no-doubles, computed {low} to {high}"
    yield from _of_errors(scored, printed, seat)
    yield from _of_phases(figures, printed, seat)


def _of_errors(scored: Scored, printed: Printed, seat: int) -> Iterator[str]:
    plays = np.arange(len(scored.error)) < len(scored.match.plays)
    rows = {"checker": plays, "cube": ~plays, "total": plays | ~plays}
    for at, (name, wanted) in enumerate(rows.items()):
        wrong = wanted & (scored.player == seat) & (scored.error != 0)
        equity, _, chance = printed["Error total EMG"][at][seat].partition("(")
        error, loss = float(scored.error[wrong].sum()), 100 * float(scored.loss[wrong].sum())
        if abs(-float(equity) - error) > DIGIT * (wrong.sum() + 1) + ROUNDED:
            yield f"error total {name} {equity}, computed {error:.4f} from {wrong.sum()} errors"
        at_stake = float(np.abs(scored.win - scored.lose)[wrong].sum()) / 2
        if abs(-float(chance.rstrip("%) ")) - loss) > 100 * DIGIT * at_stake + DIGIT + ROUNDED:
            yield f"winning chance lost {name} {chance}, computed {loss:.4f}"


def _of_phases(figures: Mapping[str, float | None], printed: Printed, seat: int) -> Iterator[str]:
    for name, labels in LOST.items():
        amounts = [printed[label][0][seat] for label in labels]
        number = sum(int(amount.split()[0]) for amount in amounts)
        lost = sum(-float(amount.split("(")[1].split()[0]) for amount in amounts if "(" in amount)
        error = _number(figures, f"equity_error.{name}")
        if abs(lost - error) > DIGIT * (number + len(labels)) + ROUNDED:
            yield f"{name} {lost:.3f}, computed {error:.4f}"


def _number(figures: Mapping[str, float | None], name: str) -> float:
    figure = figures[name]
    assert figure is not None, name
    return float(figure)


def close_calls(match: Match, text: str) -> Iterator[tuple[str, int, int]]:
    """The players of whom gnuBG counts another number of close cube decisions: name, printed,
    computed."""
    computed, printed = (
        statistics(match, "gnubg"),
        block(text, "Match statistics")["Close or actual cube decisions"][0],
    )
    for seat, name in enumerate(match.players):
        figures = computed.figures(seat)
        number = int(figures["decisions.double"] or 0) + int(figures["decisions.take"] or 0)
        if number != int(printed[seat]):
            yield name, int(printed[seat]), number


def joined(first: Path) -> bytes:
    """The pages of a match in a folder, by the names that gnuBG gives them."""
    pages = sorted(
        path
        for path in first.parent.iterdir()
        if path.stem[:-4] == first.stem and path.stem[-4] == "_" and path.suffix == ".txt"
    )
    return b"".join(path.read_bytes() for path in (first, *pages))
