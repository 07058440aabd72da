"""Keys: the 20 letters, the bytes of a Position ID and positions, one at a time and by the
thousand, and gnuBG's word for each."""

from __future__ import annotations

import pytest

from engine_benchmark.keys import from_position_key, position_class, position_key, result_keys
from reconcile.engines.gnubg import Gnubg
from reconcile.match.board.play import apply_play, legal_plays, parse_play
from reconcile.match.board.position import START, Counts, position_id, swap

START_KEY = "OAHDPAABDAOAHDPAABDA"
Rolls = list[tuple[Counts, tuple[int, int]]]


def test_letters_are_the_bytes_of_the_position_id() -> None:
    assert position_id(from_position_key(START_KEY)) == "4HPwATDgc/ABMA"
    assert position_key(START) == START_KEY


@pytest.mark.parametrize(
    "text", ["OAHDPAABDAOAHDPAABDQ", "OAHDPAABDA", "oahdpaabdaoahdpaabda", "é"]
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="20 letters"):
        from_position_key(text)


def board(own: dict[int, int], other: dict[int, int]) -> list[int]:
    """Counts from the checkers each player has on his own points."""
    counts = [0] * 26
    for place, count in own.items():
        counts[place] += count
    for place, count in other.items():
        counts[25 - place] -= count
    return counts


FAR = {24: 2, 13: 5, 8: 3, 6: 5}
MIDDLE = {13: 5, 8: 5, 6: 5}
CASES = [
    ("contact", board(FAR, FAR)),
    ("race", board({6: 15}, {6: 15})),
    ("race", board({12: 15}, {12: 15})),  # the hindmost have just passed: 12 + 12 < 25
    ("contact", board({14: 15}, {13: 15})),
    ("crashed", board({24: 6}, MIDDLE)),  # six checkers left
    ("contact", board({24: 7}, MIDDLE)),
    ("crashed", board({24: 6, 1: 2}, MIDDLE)),  # two on the ace point are dead
    ("contact", board({24: 7, 1: 2}, MIDDLE)),
    ("crashed", board({24: 5, 2: 6, 1: 4}, MIDDLE)),  # five, and one spare of the two point
    ("contact", board({24: 6, 2: 6, 1: 3}, MIDDLE)),
    ("crashed", board({24: 5, 2: 9}, MIDDLE)),  # the same without any on the ace point
    ("contact", board({24: 5, 2: 9, 1: 1}, MIDDLE)),  # a single one there is alive
    (None, board({}, MIDDLE)),
    (None, board(MIDDLE, {})),
]


@pytest.mark.parametrize(("group", "counts"), CASES)
def test_class_by_hand(group: str | None, counts: list[int]) -> None:
    for view in (tuple(counts), swap(tuple(counts))):
        assert position_class(view) == group


def test_five_results_of_the_published_line_are_legal_in_the_swapped_view_only() -> None:
    """Source document 003."""
    listed = [
        "JIGHPAABDAOAHDPAABDA",
        "OAHDMJABDAOAHDPAABDA",
        "OAHDOEABCBOAHDPAABDA",
        "OAHDOBABCEOAHDPAABDA",
        "OAHDPAABAJOAHDPAABDA",
    ]
    named = ["8/4 6/4", "13/11 13/9", "24/20 13/11", "24/22 13/9", "24/22 24/20"]
    results = result_keys(legal_plays(START, 2, 4))
    assert [results[key].result for key in listed] == [
        apply_play(START, parse_play(text)) for text in named
    ]
    as_they_stand = {position_key(play.result) for play in legal_plays(START, 2, 4)}
    assert not as_they_stand & set(listed)


# -- gnuBG --


def asked(gnubg: Gnubg, script: str) -> list[str]:
    """What a script inside gnuBG prints after a marker."""
    return gnubg.run(f"print('begin')\n{script}", timeout=300).rpartition("begin\n")[2].splitlines()


def test_keys_ids_and_classes_are_gnubg_s_on_many_positions(gnubg: Gnubg, many: Rolls) -> None:
    letters = [position_key(position) for position, _ in many]
    script = f"""
for key in {letters!r}:
    code = [(ord(high) - 65) * 16 + ord(low) - 65 for high, low in zip(key[::2], key[1::2])]
    board = gnubg.positionfromkey(code)
    assert list(gnubg.positionkey(list(board))) == code
    print(gnubg.positionid(board), gnubg.classifypos(board, 0), *board[1], *board[0])
"""
    names = {0: "over", 9: "crashed", 10: "contact"}
    lines = asked(gnubg, script)
    assert len(lines) == len(many) == 1500
    classes: set[str] = set()
    for row, line in enumerate(lines):
        name, number, *counts = line.split()
        own, other = [int(word) for word in counts[:25]], [int(word) for word in counts[25:]]
        position = many[row][0]
        assert position_id(position) == name
        assert [max(count, 0) for count in position[1:]] == own
        assert [max(-count, 0) for count in position[24::-1]] == other
        assert (position_class(position) or "over") == names.get(int(number), "race")
        classes.add(str(position_class(position)))
    assert classes == {"contact", "crashed", "race"}
