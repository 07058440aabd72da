"""The Computational Backgammon blog on gnuBG's benchmark databases: its line, its losses, and where it errs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

BENCHMARK_LINE = (
    "m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 0.133905 OAHDMJABDAOAHDPAABDA 0.0835662 OAHDOEABCBOAHDPAABDA 0.111429 "
    "OAHDOBABCEOAHDPAABDA 0.124954 OAHDPAABAJOAHDPAABDA 0.189375"
)


def benchmark_chunk(path: Path, text: str) -> Any:
    from engine_benchmark.reader import Contents, read_benchmark

    path.write_text(text)
    (chunk,) = read_benchmark(str(path), Contents(str(path)))
    return chunk


def test_line_of_the_page_is_the_start_with_42_and_its_five_plays(tmp_path: Path) -> None:
    from engine_benchmark.keys import result_keys, to_letters
    from reconcile.match.board.play import format_play, legal_plays
    from reconcile.match.board.position import START

    chunk = benchmark_chunk(tmp_path / "a.bm", BENCHMARK_LINE)
    assert tuple(chunk.board[0].tolist()) == START
    assert chunk.dice.tolist() == [[2, 4]]
    legal = result_keys(legal_plays(START, 2, 4))
    named = [format_play(START, legal[key].play) for key in to_letters(chunk.listed)]
    assert named == ["8/4 6/4", "13/11 13/9", "24/20 13/11", "24/22 13/9", "24/22 24/20"]
    assert chunk.equity[0] == 0.133905


def test_losses_of_the_page_s_line_are_what_its_calculation_gives(tmp_path: Path) -> None:
    """The play found in the list costs the difference; one outside it the worst of the listed ones."""
    from engine_benchmark.keys import result_keys, to_letters
    from engine_benchmark.score import judge
    from reconcile.match.board.play import legal_plays
    from reconcile.match.board.position import START

    chunk = benchmark_chunk(tmp_path / "a.bm", BENCHMARK_LINE)
    listed = to_letters(chunk.listed)
    losses = {key: float(judge(chunk, [key]).loss[0]) for key in result_keys(legal_plays(START, 2, 4))}
    assert [losses[key] for key in listed] == [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]
    assert {loss for key, loss in losses.items() if key not in listed} == {0.189375}


def test_key_of_the_page_is_the_position_id_in_other_letters() -> None:
    """The page: "not the usual GNUbg position ID - it uses a different serialization". The ten bytes are the same."""
    from base64 import b64decode

    from engine_benchmark.keys import position_key
    from reconcile.match.board.position import START, position_id

    letters = position_key(START)
    code = bytes([(ord(high) - 65) << 4 | (ord(low) - 65) for high, low in zip(letters[::2], letters[1::2], strict=True)])
    assert letters == "OAHDPAABDAOAHDPAABDA"
    assert code == b64decode(position_id(START) + "==")


def test_more_than_the_top_five_can_be_listed(data: Path) -> None:
    """The page: "only the top five". The favourite at 0 plies comes on top, so that six can be."""
    text = (data / "benchmark" / "format-fixture.bm").read_text("utf-8")
    lengths = [(len(line.split()) - 4) // 2 for line in text.splitlines() if line.startswith("m ")]
    assert max(lengths) == 6
