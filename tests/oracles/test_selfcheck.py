"""gnuBG asked for its own statistics, here and now, under the table each match was analysed with:
the oracle of our whole table."""

import math
import re
from pathlib import Path

import pytest

from reconcile.formats import load_match, read_match
from tests.oracles.selfcheck import selfcheck
from tests.support.data import cases
from tests.support.gnubg import SHIPPED, needs_gnubg, program
from tests.support.long import long_but_first
from tests.support.reported import met_of

BUNDLED = sorted((Path(__file__).parents[2] / "reference_matches").glob("*/*.sgf"))
FILES = ("gnubg/m*.sgf", "real/test_2ply.sgf", "real/test.sgf", "real/charlot*05.sgf")

pytestmark = needs_gnubg


@pytest.mark.parametrize(
    "path",
    [
        *long_but_first(pytest.param(path, id=path.stem) for path in BUNDLED),
        *cases(*FILES, short=3),
    ],
)
def test_every_figure_is_gnubg_s(path):
    match = load_match(path)
    if not match.plays.analysed.any():
        pytest.skip("not analysed")
    met = SHIPPED / f"{met_of(path)}.xml" if path.parent.name == "gnubg" else None
    check = selfcheck(match, program(), met=met)
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
