"""Keys: the 20 letters, the bytes of a Position ID and positions, one at a time and by the
thousand, and gnuBG's word for each."""

from itertools import islice

import pytest

from engine_benchmark.keys import from_position_key, position_class, position_key
from reconcile.match.board.position import position_id
from tests.engine_benchmark.conftest import rolls


@pytest.mark.parametrize(
    "text", ["OAHDPAABDAOAHDPAABDQ", "OAHDPAABDA", "oahdpaabdaoahdpaabda", "é"]
)
def test_what_is_no_key_is_refused(text):
    with pytest.raises(ValueError, match="20 letters"):
        from_position_key(text)


# -- gnuBG --


def asked(gnubg, script):
    """What a script inside gnuBG prints after a marker."""
    return gnubg.run(f"print('begin')\n{script}", timeout=300).rpartition("begin\n")[2].splitlines()


def test_keys_ids_and_classes_are_gnubg_s_on_many_positions(gnubg):
    many = [*dict.fromkeys(islice(rolls(4), 2000))][:1500]
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
