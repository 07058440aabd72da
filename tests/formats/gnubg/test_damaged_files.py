"""Damaged and odd `.sgf` files made with gnuBG are refused for what is wrong with them, or read
like the sound file they came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.small_sgf import ANN, BEN, codes

REFUSED = {
    "empty": "empty",
    "r22_empty_file": "empty",
    "r01_trunc_mid_value": "truncated",
    "r02_trunc_at_node_no_paren": "truncated",
    "r46_trunc_in_second_game": "truncated",
    "trunc_50pct": "truncated",
    "trunc_last_paren": "truncated",
    "r31_variations": "no closing parenthesis",  # a variation is opened and never closed
    "r43_concat_same_file_twice": "twice",
    "r44_comma_decimals": "expected a number",
    "r16_DA_truncated_numbers": "expected 21 numbers",
    "r23_text_only": "expected",
}
NOTED = {
    "r17_dice_71": ["damaged-value", "damaged-value"],
    "r19_take_without_double": ["damaged-value"],
    "r20_game_number_99": ["games-missing"],
    "r25_second_game_only": ["games-missing"],
}
SAME_AS_TEST = ("bom", "bracket_in_comment", "latin1_names", "no_GS")
SAME_AS_M02 = (
    "r04_no_GS",
    "r05_GS_garbage",
    "r10_garbage_before",
    "r11_BOM",
    "r13_A_index_99",
    "r19_take_without_double",
    "r20_game_number_99",
    "r26_long_utf8_name",
    "r28_A_old_format_nover",
    "r29_DA_old_format_nover",
    "r37_cube_8192",
    "r40_RE_inconsistent",
    "r47_proper_variations",
)


@pytest.mark.parametrize("path", cases("damaged/*.sgf"))
def test_damaged_file_is_refused_for_what_is_wrong_or_read(path: Path) -> None:
    if path.stem in REFUSED:
        with pytest.raises(UnreadableFile, match=REFUSED[path.stem]):
            load_match(path)
    else:
        match = load_match(path)
        assert len(match.plays) > 0
        assert path.stem not in NOTED or codes(match) == NOTED[path.stem]


@pytest.mark.parametrize(
    ("name", "origin"),
    [(name, "real/test.sgf") for name in SAME_AS_TEST]
    + [(name, "gnubg/m02_3pt_0ply.sgf") for name in SAME_AS_M02],
)
def test_oddity_that_gnubg_shrugs_off_changes_no_figure(data: Path, name: str, origin: str) -> None:
    odd, plain = (
        statistics(load_match(data / "damaged" / f"{name}.sgf")),
        statistics(load_match(data / origin)),
    )
    for seat in (ANN, BEN):
        assert odd.figures(seat) == plain.figures(seat)


def test_swapped_players_swap_seats_and_nothing_else(data: Path) -> None:
    match = load_match(data / "damaged" / "swapped_players.sgf")
    assert match.players == load_match(data / "real" / "test.sgf").players[::-1]
