"""Q15 and Q16: right cube actions, and turns with a dead cube, by hand."""

from reconcile.match.columns import Kind
from reconcile.scoring.score import is_dead, with_dead_cubes
from tests.support.hand_made import cubes, match_of, plays


def turns(count, **arguments):
    return plays(
        count,
        turn=list(range(1, count + 1)),
        player=[index % 2 for index in range(count)],
        **arguments,
    )


def test_every_turn_at_a_dead_cube_becomes_a_row_but_the_first():
    match = match_of(turns(4, cube=[2] * 4, owner=[1, -1, 1, 1]), length=2)
    shown = with_dead_cubes(match)
    assert (shown.cubes.turn.tolist(), shown.cubes.player.tolist()) == ([3, 4], [0, 1])
    assert is_dead(shown).all()
    assert not (shown.cubes.analysed | shown.cubes.expected).any()
    assert (shown.cubes.position == match.plays.position[2:]).all()
    assert with_dead_cubes(shown).cubes is shown.cubes


def test_live_cube_a_double_and_money_play_give_no_row():
    centred = turns(3, cube=[2] * 3, owner=[0] * 3)
    for length in (3, None):
        assert len(with_dead_cubes(match_of(centred, length=length)).cubes) == 0
    doubled = cubes(1, kind=[Kind.DOUBLE], turn=[2], player=[1], cube=[2])
    match = match_of(turns(2, cube=[2, 2], owner=[0, 0]), doubled, length=2)
    assert with_dead_cubes(match).cubes is doubled


def test_double_that_was_passed_hides_no_other_turn():
    passed = cubes(1, kind=[Kind.DOUBLE], turn=[9], player=[0])
    shown = with_dead_cubes(match_of(turns(4, cube=[2] * 4, owner=[1] * 4), passed, length=2))
    assert shown.cubes.turn.tolist() == [2, 3, 4, 9]
