"""Inputs on which every form of a result has to say the same: two files of a match of every kind,
and single files.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import numpy as np

from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.pairing import anonymised
from reconcile.gap.tolerances import Tolerances
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from tests.support.command_line import PACK
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import with_levels
from tests.support.loaded import loaded
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.small_transcripts import SHORT, read


def both():
    """The two bundled analyses of one match."""
    return bundled_xg(), bundled_sgf()


def illegal():
    left, right = both()
    row = next(row for row in range(len(left.plays)) if left.plays.stored_error[row] > 0.05)

    def wrong(match):
        validity = match.plays.validity.copy()
        validity[row] = Validity.ILLEGAL
        return replace(match, plays=match.plays.replaced(validity=validity))

    return compare(wrong(left), wrong(right))


def small(length, error=0.125, score=(0, 0)):
    """A short game of two plays each, and a no-double that is close, of a side that is losing."""
    rows = plays(
        4, player=[0, 1, 0, 1], turn=[1, 2, 3, 4], stored_error=[error, 0.02, 0.0, error / 2]
    )
    match = with_levels(
        rows, cubes(no_double=[-0.7], double_take=[-0.75], stored_error=[0.0]), length=length
    )
    return replace(match, games=match.games.replaced(score=np.array([score])))


def accents():
    left, right = both()
    return compare(
        replace(left, players=("Kévin_UNGER", "Åsa *Öst*")),
        replace(right, players=("Kévin UNGER", "Asa *Ost*")),
    )


def without_cubes():
    left, right = both()
    return compare(
        left, replace(right, cubes=right.cubes.replaced(analysed=right.cubes.analysed & False))
    )


def compare_anonymised():
    left, right = anonymised(*both())
    return compare(left, right)


def bounds(**allowed):
    entries = {
        name.replace("_of_analysis", "@engine"): {
            "abs": bound,
            "level": "error",
            "reason": "r",
            "source": "s",
        }
        for name, bound in allowed.items()
    }
    return Tolerances.from_mapping(
        {"schema_version": 1, "tables": {"documented": {"title": "t", "entries": entries}}}
    )


PAIRS: Final[dict[str, Callable[[], Comparison]]] = {
    "demonstration": lambda: compare(*both()),
    "shares of a gap": lambda: compare(both()[0], both()[1], bounds(pr=3.0, pr_of_analysis=0.01)),
    "open rule": lambda: compare(
        small(7), small(7, 0.3), bounds(pr=5.0), left_rules="xg", right_rules="gnubg"
    ),
    "money session": lambda: compare(
        small(None), small(None, 0.3), left_rules="xg", right_rules="gnubg"
    ),
    "unfinished match": lambda: compare(
        small(7), small(7, 0.3), left_rules="xg", right_rules="gnubg"
    ),
    "accents and underscores": accents,
    "one player": lambda: compare(*both(), player="Tomas Beck"),
    "post-Crawford": lambda: compare(
        small(3, score=(2, 1)), small(3, 0.3, score=(2, 1)), left_rules="xg", right_rules="gnubg"
    ),
    "illegal play": illegal,
    "no cube analysed": without_cubes,
    "anonymised": compare_anonymised,
}
FILES: Final[dict[str, Callable[[], Match]]] = {
    "one file": lambda: loaded(PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"),
    "transcript only": lambda: read(SHORT),
}
