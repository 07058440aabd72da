"""Match IDs, gnuBG IDs and XGIDs name a decision, one or many at once, against gnuBG's and XG's
own exports and the installed gnuBG."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.match.board.position import (
    START,
    Situation,
    from_position_id,
    from_xgid,
    gnubg_ids,
    pip_count,
    situations,
    swap,
    xgids,
)
from tests.match.board.boards import positions, read_board, xg_texts
from tests.support.gnubg import needs_gnubg, program
from tests.support.gnubg_ids import from_gnubg_id


def xgid(situation):
    """The XGID of one."""
    return xgids(situations([situation]))[0]


def gnubg_id(situation):
    """The gnuBG ID of one."""
    return gnubg_ids(situations([situation]))[0]


@st.composite
def situations_drawn(draw):
    """Any situation; it need not be one that a game can come to."""
    length = draw(st.none() | st.integers(1, 64))
    offered = draw(st.booleans())
    rolled = not offered and draw(st.booleans())
    points = st.integers(0, (length or 30) - 1)
    cube = 1 << draw(st.integers(0, 9))
    owners = [0, -1] if offered else [0, 1, -1]
    if cube == 1:
        owners = [0]
    dice = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return Situation(
        position=draw(positions()),
        dice=(max(dice), min(dice)) if rolled else (0, 0),
        cube=cube,
        owner=draw(st.sampled_from(owners)),
        length=length,
        score=(draw(points), draw(points)),
        crawford=length is not None and draw(st.booleans()),
        jacoby=length is None and draw(st.booleans()),
        beavers=length is None and draw(st.booleans()),
        double_offered=offered,
        decider_is_top=draw(st.booleans()),
    )


class TestMatchId:
    @given(situations_drawn())
    def test_it_round_trips_but_for_the_beavers(self, situation):
        assert from_gnubg_id(gnubg_id(situation)) == replace(situation, beavers=False)

    @needs_gnubg
    def test_gnubg_takes_our_ids_as_they_are_and_reads_our_xgid_as_our_gnubg_id(self):
        cases = list(known_situations())
        ids = [gnubg_id(case) for case in cases if not case.double_offered]
        words = [f"gnubgid {each}" for each in ids] + [f"xgid {xgid(case)}" for case in cases]
        asked = "gnubg.command('set ' + value); print('ID', gnubg.positionid(), gnubg.matchid())"
        printed = program().run(f"for value in {words!r}: {asked}", timeout=120)
        answers = [":".join(each) for each in re.findall(r"(?m)^ID (\S+) (\S+)$", printed)]
        # gnuBG cannot be set to a pending double and goes back to the doubler's cube action, and it
        # turns the board to have the player on roll at the bottom
        understood = [doubler_s(case) if case.double_offered else case for case in cases]
        assert answers == ids + [
            gnubg_id(replace(case, decider_is_top=False)) for case in understood
        ]


def doubler_s(response):
    """The cube action that led to a response."""
    return replace(
        response,
        position=swap(response.position),
        owner=-response.owner,
        score=response.score[::-1],
        double_offered=False,
        decider_is_top=not response.decider_is_top,
    )


def known_situations():
    """One situation of each kind from either seat, on an unsymmetrical position."""
    position = from_position_id("jOfgICSweZoBBg")
    for top in (False, True):
        base = Situation(position=position, decider_is_top=top)
        yield from (
            base,
            replace(base, jacoby=True),
            replace(base, dice=(6, 3)),
            replace(base, cube=4, owner=1),
        )
        match = replace(base, length=7, score=(3, 5))
        yield match
        yield replace(match, dice=(4, 4))
        yield replace(match, dice=(6, 1), cube=2, owner=-1)
        yield replace(match, score=(6, 2), crawford=True, dice=(2, 1))
        yield replace(match, score=(6, 2))
        yield replace(match, double_offered=True)
        yield replace(match, double_offered=True, cube=2, owner=-1)
        yield replace(match, length=64, score=(0, 63), dice=(5, 4))


class TestXgid:
    @given(situations_drawn())
    def test_it_round_trips(self, situation):
        assert from_xgid(xgid(situation)) == situation
        assert from_xgid(xgid(situation).removeprefix("XGID=")) == situation

    def test_ids_of_xg_s_exports_say_what_is_drawn_and_written(self):
        checked = 0
        for text in xg_texts():
            first = text.lstrip("\ufeff").splitlines()[0]
            situation = from_xgid(first)
            assert xgid(situation) == first
            assert situation.position == read_board(text.splitlines())["X"]
            written = re.search(r"X: ?(\d+) +O: ?(\d+) X-O: (\d+)-(\d+)/(\d+)", text)
            assert written
            numbers = tuple(map(int, written.groups()))
            assert (*pip_count(situation.position), *situation.score, situation.length) == numbers
            checked += 1
        assert checked == 20

    def test_a_board_seen_from_the_top_is_written_from_the_bottom(self):
        bottom = Situation(
            position=(0, *START[1:24], 1, 1), dice=(6, 1), length=5, score=(1, 3), cube=2, owner=-1
        )
        top = replace(bottom, decider_is_top=True)
        assert xgid(bottom) == "XGID=-b----E-C---eE---c-e----AA:1:-1:1:61:1:3:0:5:10"
        assert xgid(top) == "XGID=aa----E-C---eE---c-e----B-:1:1:-1:61:3:1:0:5:10"

    def test_a_double_to_be_answered_is_the_doubler_s_turn(self):
        response = Situation(position=START, length=5, score=(1, 3), double_offered=True)
        assert xgid(response) == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:1:3:0:5:10"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "XGID=",
            "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:3:0:10",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:7:10",
            "XGID=-b----E-C---eE---c-e----B-:16:0:1:00:0:0:0:7:10",
            "XGID=-b----E-C---eE---c-e----O-:0:0:1:00:0:0:0:7:10",
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:60:0:0:0:7:10",
        ],
    )
    def test_what_is_no_decision_is_refused(self, text):
        with pytest.raises(ValueError, match=r"XGID|situation|checkers"):
            from_xgid(text)


def test_points_away_follow_from_length_and_score():
    assert Situation(length=7, score=(2, 6)).away == (5, 1)
    assert Situation().away is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"cube": 2, "owner": 1, "double_offered": True},
        {"dice": (2, 1), "double_offered": True},
        {"dice": (7, 1)},
        {"dice": (0, 1)},
        {"cube": 0},
        {"cube": 3},
        {"cube": 1 << 16},
        {"owner": 2},
        {"score": (-1, 0), "length": 7},
        {"position": (1, *(0,) * 25)},
        {"position": (*(0,) * 25, -1)},
        {"position": (0, 16, *(0,) * 24)},
        {"position": (0, -16, *(0,) * 24)},
    ],
)
def test_what_cannot_be_has_no_identifier_and_leaves_the_others_theirs(wrong):
    rows = situations([Situation(), Situation(**wrong), Situation()])
    for ids in (xgids(rows), gnubg_ids(rows)):
        assert ids[1] == ""
        assert ids[0] == ids[2] != ""


@given(st.lists(situations_drawn(), min_size=2, max_size=6))
def test_many_at_once_have_the_identifiers_of_each_alone(several):
    rows = situations(several)
    assert xgids(rows) == list(map(xgid, several))
    assert gnubg_ids(rows) == list(map(gnubg_id, several))
