"""gnuBG asked for its own statistics, here and now: the oracle of our whole table."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.formats import load_match, read_match
from tests.oracles.selfcheck import Checked, selfcheck
from tests.support.data import cases
from tests.support.gnubg import needs_gnubg, program
from tests.support.long import long_but_first

BUNDLED = sorted((Path(__file__).parents[2] / "reference_matches").glob("*/*.sgf"))
FILES = ("real/test_2ply.sgf", "real/test.sgf", "real/charlot*05.sgf", "gnubg/m[1-5]*.sgf")

pytestmark = needs_gnubg


@pytest.mark.parametrize(
    "path",
    [
        *long_but_first(pytest.param(path, id=path.stem) for path in BUNDLED),
        *cases(*FILES, short=0),
    ],
)
def test_every_figure_is_gnubg_s(path):
    match = load_match(path)
    if not match.plays.analysed.any():
        pytest.skip("not analysed")
    check = selfcheck(match, program())
    assert check.wrong == ()
    names = {figure.name for figure in check.figures if figure.gnubg is not None}
    assert names >= {
        "moves/unforced-moves",
        "cube/close-cube",
        "cube/error-skill",
        "dice/luck",
        "dice/luck-adjusted-result",
    }
    # 2 players, the match and every game; luck may be missing from gnuBG's printed table, not from
    # ours.
    assert {(figure.game, figure.player) for figure in check.figures} == {
        (game, player) for game in (None, *match.games.number.tolist()) for player in match.players
    }


@pytest.mark.parametrize(
    ("gnubg", "ours", "agrees"),
    [
        (3, 3, True),
        (3, 4, False),
        (0.25, 0.25000001, True),
        (0.25, 0.251, False),
        (None, 0.0, False),
        (0.0, None, False),
        (None, None, True),
    ],
)
def test_counters_are_equal_and_sums_to_float32(gnubg, ours, agrees):
    assert Checked(None, "Ann", "cube/error-skill", gnubg, ours).agrees is agrees


def test_rating_of_a_match_without_luck_is_at_the_pole_of_its_formula():
    """The result of a match won is 1 or 0 then, give or take single precision: gnuBG gives -2100
    or nothing, and so do we."""
    (path,) = (path for path in BUNDLED if "3pt" in path.stem)
    content = re.sub(rb"LU\[[^]]*\]", b"", path.read_bytes())
    check = selfcheck(read_match("no luck", content), program())
    assert check.wrong == ()
    ratings = [figure for figure in check.figures if figure.name == "dice/fibs-rating-difference"]
    assert [figure.slack for figure in ratings] == [math.inf] * 2


@pytest.mark.parametrize(
    ("old", "new"),
    long_but_first(
        [
            (rb"PW\[[^]]*", "PW[a name of thirty-two bytes: éééé".encode()),
            (rb"A\[1\]\[[a-y]([a-y]{3} E)", b"A[1][\xe8\\1"),
            (rb"PW\[[^]]*", b"PW[Zo\xe9 in Latin-1"),
        ],
        2,
    ),
)
def test_letters_that_gnubg_cuts_or_that_are_none_of_a_play_do_no_harm(old, new):
    """Without that of a play the numbers behind it would be others in gnuBG."""
    content, places = re.subn(old, new, BUNDLED[0].read_bytes())
    assert places
    assert selfcheck(read_match("changed", content), program()).wrong == ()


def test_bounds_follow_from_single_precision():
    """Signed sums are bounded by their number of terms, and nothing hides a roll's luck or a
    small error."""
    check = selfcheck(load_match(BUNDLED[0]), program())
    rolls = len(check.match.plays)
    for figure in check.figures:
        if figure.name in ("dice/luck-cost", "dice/luck-adjusted-result", "dice/actual-result"):
            assert 0 < figure.slack <= 2**-24 * (rolls + len(check.match.games))
        elif not figure.name.startswith(("dice/fibs", "error-based")):
            assert figure.slack == 0
    wrong = [
        figure
        for figure in check.figures
        if isinstance(figure.gnubg, float)
        and replace(figure, gnubg=figure.gnubg + 1e-4 * max(1, abs(figure.gnubg))).agrees
    ]
    assert {figure.name for figure in wrong} <= {
        "dice/fibs-rating-difference",
        "error-based-fibs-rating/total",
    }
