"""Rule set `gammonview` against GammonView itself, from PyPI, in an environment of its own: `.xg`
matches and games, a resignation."""

import struct
from random import Random

import pytest

from benchmarks.peers import gammonview_totals
from reconcile.formats import load_match
from reconcile.formats.xg import records
from reconcile.match.columns import Validity
from reconcile.scoring.statistics import statistics
from tests.oracles.measure import of_gammonview, printed_alike
from tests.support.claims import some
from tests.support.data import PROJECT, label, matching, skipped_if_empty
from tests.support.ogxm import needs_ogxm
from tests.support.xg_tampering import records_of, sealed

RESIGNED = PROJECT / "tests" / "formats" / "ogxm" / "resigned.gvab"
"""Written by GammonView, with its judgement of a resignation."""
BUNDLED = sorted((PROJECT / "reference_matches").glob("*/*.xg"))
REAL = matching("real/*.xg", "bgblitz/xg/*.xg")

DOUBLED, EQUITIES = 16, 152
"""Offsets in a cube record: whether a double was made, and the equities of no double, double/take
and double/pass."""

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def totals():
    """GammonView's own totals of every file."""
    paths = [*BUNDLED, *REAL]
    return dict(zip(paths, gammonview_totals(paths), strict=True))


def agrees(path, theirs_of):
    """Every count and every printed digit of both players is GammonView's, for the match and every
    game."""
    match = load_match(path)
    scored = statistics(match, "gammonview")
    assert len(theirs_of) == 1 + len(match.games)
    assert all(printed_alike(*row) for row in some(of_gammonview(match, theirs_of)))
    for game, theirs in enumerate(theirs_of, start=-1):
        for seat, player in enumerate(match.players):
            own = theirs[player]
            mine = (match.plays.player == seat) & ((match.plays.game == game) | (game < 0))
            # As the finding `luck-not-theirs` says.
            if not (match.plays.validity[mine] == Validity.UNPLAYED).any():
                luck = match.plays.luck[mine]
                rounded = sum(round(gained, 4) for gained in luck[luck == luck].tolist())
                assert printed_alike(rounded, own["total_luck"], 4)
            if "total_error_mwc" in own:  # a table of its own with fewer digits
                ours = scored.figures_at(seat, None if game < 0 else game)
                assert ours["mwc_loss_percent.total"] == pytest.approx(
                    100 * (own["total_error_mwc"] or 0), abs=0.001
                )


@needs_ogxm
def test_resignation_that_gammonview_judged_is_charged_and_counts_for_both_players():
    theirs = gammonview_totals([RESIGNED])[0]
    assert {
        name: (own["total_error"], own["total_decisions"]) for name, own in theirs[0].items()
    } == {"Ann": (0.5, 3), "Ben": (1.0, 2)}
    # Ben's one play is not analysed, so that he has no totals; his decisions have their errors.
    decisions = statistics(load_match(RESIGNED), "gammonview").decisions().to_frame()
    by_seat = decisions[decisions["counted"]].groupby("seat")["error"]
    assert by_seat.sum().tolist() == pytest.approx([0.5, 1.0], abs=1e-6)
    assert by_seat.count().tolist() == [3, 2]


def at_the_borders(random):
    """No double, double/take and double/pass within 0.00015 of one border or two of a rule."""
    near, also = random.randint(-15, 15) * 1e-5, random.randint(-15, 15) * 1e-5
    level, sign = random.uniform(-0.85, 0.9), random.choice((-1, 1))
    return random.choice(
        [
            (level, level - 0.2 + near, 1.0),  # the window
            (1.2 + near, 1.2, 1.0),
            (level, level + sign * 0.001 + near, 1.0),  # optional
            (-0.9 + near, -0.9 + also, 1.0),  # losing
            (-0.9 + near, -0.9 + near + random.choice((0, sign * 0.001, 0.02)) + also, 1.0),
            (0.8, 1 + sign * 0.001 + near, 1.0),  # take or pass
        ]
    )


def rewritten(content, random):
    """An `.xg` file whose cube decisions are all at the borders."""
    written = records_of(content)
    for record in written:
        offered = struct.unpack_from("<i", record, DOUBLED)[0] in (0, 1)
        if (
            record[records.TYPE_OFFSET] == records.CUBE
            and offered
            and any(record[EQUITIES : EQUITIES + 12])
        ):
            struct.pack_into("<3f", record, EQUITIES, *at_the_borders(random))
    return sealed(content, written)


@pytest.mark.parametrize(
    "path",
    [
        *(pytest.param(path, id=label(path)) for path in BUNDLED),
        *skipped_if_empty([pytest.param(path, id=label(path)) for path in REAL]),
    ],
)
def test_every_count_and_every_printed_digit_is_gammonview_s(path, totals):
    agrees(path, totals[path])


def test_cube_decisions_at_every_border_count_as_in_gammonview(tmp_path):
    paths = [tmp_path / f"{seed}.xg" for seed in range(20)]
    for seed, path in enumerate(paths):
        path.write_bytes(rewritten(BUNDLED[0].read_bytes(), Random(seed)))
    totals = gammonview_totals(paths)
    for path, theirs in some(zip(paths, totals, strict=True)):
        agrees(path, theirs)
