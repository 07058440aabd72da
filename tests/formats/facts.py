"""Facts of a match by the paths that the cases use, and the line with which a file is refused."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import read_match
from reconcile.match.board.position import STARTS, position_id, swap
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support.small_files import USUAL

PAGES = "".join(
    (Path(__file__).parent / "gnubg_text" / f"evening{number}.txt").read_text("utf-8")
    for number in ("", "_002")
)


WORDS = {
    "kind": lambda value: Kind(value).label,
    "validity": lambda value: Validity(value).name.lower(),
}


def assert_refused(work, words):
    """Refused in a single line that begins with the file."""
    with pytest.raises(UnreadableFile) as caught:
        work()
    line = str(caught.value)
    assert words in line
    assert "case." in line.partition(": ")[0] or ".db" in line.partition(": ")[0]
    assert "; " in line or "found more" in line  # what to do
    assert "\n" not in line
    assert len(line) < 500


def fact(match, path):
    """What a match says, by the path in a case."""
    name, _, rest = path.partition(".")
    if name in FACTS:
        return plain(FACTS[name](match, rest))
    value: Any = match
    word = None
    for part in path.split("."):
        value = value[int(part)] if part.lstrip("-").isdigit() else getattr(value, part)
        word = word or WORDS.get(part)
    value = plain(value)
    if word is None:
        return value
    return [*map(word, value)] if isinstance(value, list) else word(value)


def field(value):
    """The value of a field of a record, as `put` takes it."""
    if isinstance(value, dict):
        count, number = value["many"]
        return (number,) * count
    if isinstance(value, str):
        return value.encode()
    return tuple(value) if isinstance(value, list) else value


def alike(actual, value, within):
    """Whether a fact is what was expected, numbers within a tolerance, a position by its ID."""
    if isinstance(value, str) and isinstance(actual, list):
        return bool(position_id(actual) == value)
    if isinstance(value, list):
        pairs = zip(actual, value, strict=False)
        return len(actual) == len(value) and all(alike(*pair, within) for pair in pairs)
    if isinstance(value, int | float) and isinstance(actual, float):
        return bool(abs(actual - value) <= within)
    return bool(actual == value)


def plain(value):
    """Lists for arrays and tuples, null for what is no number."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, float | np.floating):
        return None if np.isnan(value) else float(value)
    return value.item() if isinstance(value, np.generic) else value


def figure(match, path):
    """`figures.SEAT.METRIC` by the file's own rules; `xg SEAT.METRIC` by others'."""
    seat, _, metric = path.partition(".")
    rules, _, seat = seat.rpartition(" ")
    return statistics(match, rules or None).figures(int(seat))[metric]


def damage(match):
    """What is noted as damaged, without the turn."""
    notes = [note.evidence for note in match.notes if note.code == "damaged-value"]
    return [re.sub(r"^game 1, turn \d+: ", "", note) for note in notes]


def everything(match):
    """The figures of both players, the luck and the candidates of the second play."""
    figures = [statistics(match).figures(seat) for seat in (0, 1)]
    return plain([figures, match.plays.luck, [each.equity for each in match.candidates(1)]])


FACTS: dict[str, Callable[[Match, str], Any]] = {
    "acted": lambda match, _: Counter(
        Kind(kind).label for kind in match.cubes.kind if kind != Kind.NO_DOUBLE
    ),
    "figures": figure,
    "counts": lambda match, path: [
        (part := statistics(match).completeness(int(path[0]))[path[2:]]).expected,
        part.analysed,
    ],
    "candidates": lambda match, path: [
        getattr(candidate, path.split(".")[1])
        for candidate in match.candidates(int(path.split(".")[0]))
    ],
    "as usual": lambda match, _: (
        everything(match) == everything(read_match("a.sgf", USUAL.encode()))
    ),
    "codes": lambda match, _: [note.code for note in match.notes],
    "evidence": lambda match, row: [note.evidence for note in match.notes][
        int(row) if row else slice(None)
    ],
    "damage": lambda match, _: damage(match),
    "goes on after its end": lambda match, _: (
        "a play or cube action after the end of the game" in damage(match)
    ),
    "checkers": lambda match, row: {
        place: count
        for place, count in enumerate(match.plays.position[int(row)].tolist())
        if count > 0
    },
    "rated": lambda match, _: [match.players[0], match.ratings[0]],
    "findings": lambda match, path: next(
        (each.evidence for each in findings_of(statistics(match)) if each.code == path), None
    ),
    "rules used": lambda match, _: statistics(match).rules.name,
    "variation": lambda match, _: (
        match.rules.variation
        if tuple(match.plays.position[0]) == STARTS[match.rules.variation]
        else "another opening"
    ),
    "last position of White": lambda match, _: (
        position_id(board if match.plays.player[-1] == 0 else swap(board))
        if (board := match.plays.position[-1].tolist())
        else None
    ),
}
