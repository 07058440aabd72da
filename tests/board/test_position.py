"""Positions and the identifiers that name them, against gnuBG's and XG's own exports and the installed gnuBG."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.board.identifiers import Situation, from_gnubg_id, from_match_id, from_xgid, gnubg_id, match_id, xgid
from reconcile.board.position import (
    HYPERGAMMON,
    NACKGAMMON,
    START,
    Counts,
    borne_off,
    from_position_id,
    from_position_key,
    pip_count,
    position_id,
    position_key,
    swap,
)
from tests.support.data import FOLDER

GNUBG = next((path for path in (shutil.which("gnubg"), "/usr/games/gnubg") if path and Path(path).exists()), None)

Ask = Callable[[str, Sequence[object]], list[object]]


@st.composite
def positions(draw: st.DrawFn) -> Counts:
    """Any position of up to 15 checkers a side, with at least one on the board for each."""
    board = [0] * 26
    for side, bar in ((1, 25), (-1, 0)):
        for place in draw(st.lists(st.integers(1, 25), min_size=1, max_size=15)):
            point = bar if place == 25 else place
            if board[point] * side >= 0:
                board[point] += side
    if all(count >= 0 for count in board):
        board[0] -= 1
    return tuple(board)


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Any situation; it need not be one that a game can come to."""
    length = draw(st.none() | st.integers(1, 64))
    offered = draw(st.booleans())
    rolled = not offered and draw(st.booleans())
    points = st.integers(0, (length or 30) - 1)
    cube = 1 << draw(st.integers(0, 9))
    owners = [0] if cube == 1 else [0, -1] if offered else [0, 1, -1]
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


def read_board(lines: list[str]) -> dict[str, Counts]:
    """What a drawn board shows: the position in the view of the player whose numbering it carries, and of the other."""
    top, bottom = (index for index, line in enumerate(lines) if "+1" in line and "---" in line)
    middle = next(index for index, line in enumerate(lines) if "|BAR|" in line)
    bar = lines[middle].index("BAR") + 1
    shown = {sign: [0] * 26 for sign in "XO"}
    for border, rows in ((top, range(top + 1, middle)), (bottom, range(bottom - 1, middle, -1))):
        columns = {int(label[0]): label.end() - 1 for label in re.finditer(r"\d+", lines[border].split("-+")[0])}
        for place, column in [*columns.items(), (25, bar)]:
            stack = [mark for mark in (lines[row][column] for row in rows) if mark != " "]
            for sign in set(stack) & set("XO"):
                shown[sign][place] += int(stack[-1]) if stack[-1].isdigit() else stack.count(sign)
    views = {}
    for own, other in ("XO", "OX"):
        points = [mine - theirs for mine, theirs in zip(shown[own][1:25], shown[other][1:25], strict=True)]
        views[own] = (-shown[other][25], *points, shown[own][25])
    return views


def folder(name: str) -> Path:
    if not (FOLDER / name).is_dir():
        pytest.skip(f"the samples of {name} are not here; set RECONCILE_DATA")
    return FOLDER / name


def gnubg_boards() -> Iterator[list[str]]:
    """The drawn boards of gnuBG's text exports, each with its two IDs, from the ID to the pip counts."""
    for path in sorted(folder("gnubg-text").glob("*/*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for index, line in enumerate(lines):
            if "Position ID:" in line:
                yield lines[index : index + 17]


def xg_texts() -> Iterator[str]:
    for path in sorted(folder("xg-text").glob("*.txt")):
        yield path.read_text(encoding="utf-8")


@pytest.fixture
def ask_gnubg(tmp_path: Path) -> Ask:
    """Run a line of Python inside gnuBG for every value given, and return what it printed."""
    if GNUBG is None:
        pytest.skip("gnuBG is not installed")

    def ask(line: str, values: Sequence[object]) -> list[object]:
        script = tmp_path / "ask.py"
        script.write_text(f"import gnubg\nfor value in {values!r}:\n    {line}\n    print('ANSWER', repr(answer))\n", encoding="utf-8")
        run = subprocess.run([str(GNUBG), "-t", "-q", "-r", "-p", str(script)], capture_output=True, check=True, timeout=120, cwd=tmp_path)
        answers = re.findall(r"^ANSWER (.*)$", run.stdout.decode("utf-8", "replace"), re.MULTILINE)
        return [ast.literal_eval(answer) for answer in answers]

    return ask


def halves(position: Counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The board as gnuBG's Python holds it: opponent, own; each from the ace point to the bar."""
    return tuple(max(count, 0) for count in swap(position)[1:]), tuple(max(count, 0) for count in position[1:])


class TestPosition:
    def test_the_starting_positions_look_alike_from_both_sides(self) -> None:
        for position in (START, NACKGAMMON, *HYPERGAMMON.values()):
            assert swap(position) == position

    def test_the_starting_positions_hold_all_checkers(self) -> None:
        assert borne_off(START) == borne_off(NACKGAMMON) == (0, 0)
        assert all(borne_off(position, checkers) == (0, 0) for checkers, position in HYPERGAMMON.items())

    def test_pips_are_counted_from_each_player_s_own_side(self) -> None:
        assert pip_count(START) == (167, 167)
        assert pip_count(NACKGAMMON) == (194, 194)
        assert pip_count((-1, *[0] * 5, 2, *[0] * 19)) == (12, 25)

    def test_arrays_are_as_good_as_tuples(self) -> None:
        row = np.array(START, dtype=np.int8)
        assert position_id(row) == position_id(START)
        assert swap(row) == START
        assert all(type(count) is int for count in swap(row))

    @settings(deadline=None)
    @given(positions())
    def test_turning_twice_changes_nothing(self, position: Counts) -> None:
        assert swap(swap(position)) == position
        assert borne_off(swap(position)) == borne_off(position)[::-1]
        assert pip_count(swap(position)) == pip_count(position)[::-1]

    @pytest.mark.parametrize("position", [START[:-1], (1, *START[1:]), (*START[:-1], -1), (0, 16, *[0] * 24)])
    def test_what_is_no_position_is_refused(self, position: Counts) -> None:
        with pytest.raises(ValueError, match=r"position|bar|checkers"):
            position_id(position)


class TestPositionId:
    def test_the_start_has_the_id_everybody_knows(self) -> None:
        assert position_id(START) == "4HPwATDgc/ABMA"

    def test_the_key_of_the_benchmark_is_the_same_bytes_in_letters(self) -> None:
        # the line quoted in the description of the databases
        assert position_id(from_position_key("OAHDPAABDAOAHDPAABDA")) == "4HPwATDgc/ABMA"
        assert position_key(START) == "OAHDPAABDAOAHDPAABDA"

    @settings(deadline=None)
    @given(positions())
    def test_both_spellings_round_trip(self, position: Counts) -> None:
        assert from_position_id(position_id(position)) == position
        assert from_position_key(position_key(position)) == position

    @settings(deadline=None)
    @given(
        st.text(max_size=20) | st.text("ABCDEFGHIJKLMNOP", min_size=20, max_size=20) | st.from_regex(r"[A-Za-z0-9+/]{14}", fullmatch=True)
    )
    def test_any_other_text_is_refused_or_names_a_position(self, text: str) -> None:
        for read in (from_position_id, from_position_key):
            try:
                position = read(text)
            except ValueError:
                continue
            assert from_position_id(position_id(position)) == position

    def test_ids_of_gnubg_s_exports_name_the_board_drawn_beneath(self) -> None:
        checked = 0
        for lines in gnubg_boards():
            text = lines[0].split("Position ID:")[1].strip()
            on_roll = "X" if any(line.startswith("v|") for line in lines) else "O"
            assert from_position_id(text) == read_board(lines)[on_roll]
            assert position_id(from_position_id(text)) == text
            checked += 1
        assert checked > 500

    def test_gnubg_spells_positions_as_we_do(self, ask_gnubg: Ask) -> None:
        boards = [from_position_id(lines[0].split()[-1]) for lines in gnubg_boards()]
        answers = ask_gnubg("answer = gnubg.positionid(value)", [halves(board) for board in boards])
        assert answers == [position_id(board) for board in boards]


class TestMatchId:
    @settings(deadline=None)
    @given(situations())
    def test_it_round_trips_but_for_the_beavers(self, situation: Situation) -> None:
        assert from_gnubg_id(gnubg_id(situation)) == replace(situation, beavers=False)

    def test_a_response_names_the_doubler_s_position_and_the_cube_before(self) -> None:
        # gnubg-text, match1032699, move 16: "lasse doubles to 2", the board drawn from his side
        situation = from_gnubg_id("jOfgICSweZoBBg:cBFgAAAAAAAE")
        assert situation.double_offered
        assert situation.decider_is_top
        assert (situation.cube, situation.owner, situation.dice, situation.length) == (1, 0, (0, 0), 3)
        assert situation.position == swap(from_position_id("jOfgICSweZoBBg"))

    def test_ids_of_gnubg_s_exports_say_what_stands_beside_the_board(self) -> None:
        checked = offered = 0
        for lines in gnubg_boards():
            text = lines[1].split(":")[1].strip()
            situation = from_match_id(text)
            drawing = "\n".join(lines)
            assert b64decode(match_id(situation)) == while_playing(b64decode(text))
            rolled = re.search(r"Rolled (\d)(\d)", drawing)
            assert situation.dice == ((int(rolled[1]), int(rolled[2])) if rolled else (0, 0))
            top, bottom = (int(points) for points in re.findall(r"(\d+) points?\s*$", drawing, re.MULTILINE))
            assert situation.score == ((top, bottom) if situation.decider_is_top else (bottom, top))
            length = re.search(r"(\d+) points match", drawing)
            assert length is None or situation.length == int(length[1])
            assert situation.crawford == ("Crawford game" in drawing)
            cube = re.search(r"Cube: (\d+)\)|Cube offered at (\d+)", drawing)
            assert situation.double_offered == bool(cube and cube[2])
            assert situation.cube == (1 if cube is None else int(cube[1]) if cube[1] else int(cube[2]) // 2)
            if not situation.double_offered:
                owner = {True: 1, False: -1}[situation.decider_is_top] if "(Cube:" in lines[2] else 0
                owner = {True: -1, False: 1}[situation.decider_is_top] if "(Cube:" in lines[14] else owner
                assert situation.owner == owner
            checked += 1
            offered += situation.double_offered
        assert checked > 500
        assert offered > 5

    def test_gnubg_takes_our_ids_as_they_are(self, ask_gnubg: Ask) -> None:
        cases = [gnubg_id(case) for case in known_situations() if not case.double_offered]
        line = "gnubg.command('set gnubgid ' + value); answer = gnubg.positionid() + ':' + gnubg.matchid()"
        assert ask_gnubg(line, cases) == cases

    def test_gnubg_reads_our_xgid_as_our_gnubg_id(self, ask_gnubg: Ask) -> None:
        cases = list(known_situations())
        line = "gnubg.command('set xgid ' + value); answer = gnubg.positionid() + ':' + gnubg.matchid()"
        answers = ask_gnubg(line, [xgid(case) for case in cases])
        # gnuBG cannot be set to a pending double and goes back to the doubler's cube action, and it turns the board
        # to have the player on roll at the bottom
        understood = [doubler_s(case) if case.double_offered else case for case in cases]
        assert answers == [gnubg_id(replace(case, decider_is_top=False)) for case in understood]

    @pytest.mark.parametrize("text", ["", "cAkAAAAAAAA", "cAkAAAAAAAAA!", "-AkAAAAAAAAA", "cAoAAAAAAAAA", "cCkAAAAAAAAA", "cAFAAAAAAAAA"])
    def test_what_is_no_decision_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="Match ID"):
            from_match_id(text)


def while_playing(key: bytes) -> bytes:
    """The bytes of a Match ID with the state "playing"; gnuBG's exports leave it out for the first roll of a game."""
    return bytes([key[0], key[1] | 1, *key[2:]])


def doubler_s(response: Situation) -> Situation:
    """The cube action that led to a response."""
    return replace(
        response,
        position=swap(response.position),
        owner=-response.owner,
        score=response.score[::-1],
        double_offered=False,
        decider_is_top=not response.decider_is_top,
    )


def known_situations() -> Iterator[Situation]:
    """One situation of each kind from either seat, on an unsymmetrical position."""
    position = from_position_id("jOfgICSweZoBBg")
    for top in (False, True):
        base = Situation(position=position, decider_is_top=top)
        yield from (base, replace(base, jacoby=True), replace(base, dice=(6, 3)), replace(base, cube=4, owner=1))
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
    @settings(deadline=None)
    @given(situations())
    def test_it_round_trips(self, situation: Situation) -> None:
        assert from_xgid(xgid(situation)) == situation
        assert from_xgid(xgid(situation).removeprefix("XGID=")) == situation

    def test_ids_of_xg_s_exports_say_what_is_drawn_and_written(self) -> None:
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

    def test_a_board_seen_from_the_top_is_written_from_the_bottom(self) -> None:
        bottom = Situation(position=(0, *START[1:24], 1, 1), dice=(6, 1), length=5, score=(1, 3), cube=2, owner=-1)
        top = replace(bottom, decider_is_top=True)
        assert xgid(bottom) == "XGID=-b----E-C---eE---c-e----AA:1:-1:1:61:1:3:0:5:10"
        assert xgid(top) == "XGID=aa----E-C---eE---c-e----B-:1:1:-1:61:3:1:0:5:10"

    def test_a_double_to_be_answered_is_the_doubler_s_turn(self) -> None:
        response = Situation(position=START, length=5, score=(1, 3), double_offered=True)
        assert xgid(response) == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:1:3:0:5:10"

    def test_money_tells_jacoby_and_beavers_in_one_number(self) -> None:
        assert xgid(Situation(jacoby=True, beavers=True)).endswith(":00:0:0:3:0:10")

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
    def test_what_is_no_decision_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"XGID|situation|checkers"):
            from_xgid(text)


class TestSituation:
    def test_points_away_follow_from_length_and_score(self) -> None:
        assert Situation(length=7, score=(2, 6)).away == (5, 1)
        assert Situation().away is None

    def test_money_rules_and_match_rules_exclude_each_other(self) -> None:
        for wrong in ({"length": 5, "jacoby": True}, {"length": 5, "beavers": True}, {"crawford": True}):
            with pytest.raises(ValueError, match="belong"):
                Situation(**wrong)

    def test_nobody_doubles_with_the_other_s_cube(self) -> None:
        with pytest.raises(ValueError, match="cannot double"):
            Situation(cube=2, owner=1, double_offered=True)
