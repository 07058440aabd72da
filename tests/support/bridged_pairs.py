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
        deep, shallow, played, transcript = (
            left.with_name(f"{left.stem}{ending}")
            for ending in ("_2ply.sgf", "_0ply.sgf", ".sgf", ".mat")
        )
        pairs += [(left, other) for other in (deep, shallow, played, transcript)]
        pairs += [(deep, shallow), (deep, played), (transcript, deep)]
    there = [pair for pair in pairs if all(path.is_file() for path in pair)]
    return [pair[:: 1 - number % 2 * 2] for number, pair in enumerate(there)]


def read(match):
    """A match as it is read back from a written .xg file."""
    return read_match("generated.xg", write(match))
