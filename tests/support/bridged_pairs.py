"""Pairs of files of one match, bundled and real, and written matches, for the tests of bridges."""

from pathlib import Path

from reconcile.formats import read_match
from tests.support.data import matching
from tests.support.loaded import DEMONSTRATION
from tests.support.xg_writer import write

ANALYSIS_STEPS = {"coverage-left", "engine", "coverage-right"}
"""Steps that two analyses of a match need and one file against itself does not."""


def real_pairs():
    """Every two files of one real match, every other pair the other way round."""
    pairs = [(Path(f"{DEMONSTRATION}.xg"), Path(f"{DEMONSTRATION}.sgf"))]
    for left in matching("real/*.xg"):
        companions = [
            left.with_name(f"{left.stem}{ending}")
            for ending in ("_2ply.sgf", "_0ply.sgf", ".sgf", ".mat")
        ]
        deep, shallow, played, transcript = companions
        pairs += [(left, other) for other in companions if other.is_file()]
        pairs += [
            (first, second)
            for first, second in ((deep, shallow), (deep, played), (transcript, deep))
            if first.is_file() and second.is_file()
        ]
    return [
        (second, first) if number % 2 else (first, second)
        for number, (first, second) in enumerate(pairs)
    ]


def read(match):
    """A match as it is read back from a written .xg file."""
    return read_match("generated.xg", write(match))
