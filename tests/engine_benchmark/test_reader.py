"""The lines of a benchmark file: what they hold, in bounded memory, and what is refused."""

import gzip

import pytest

from engine_benchmark.reader import LONGEST_LINE, Contents, read_benchmark
from reconcile.errors import UnreadableFile
from tests.engine_benchmark.samples import FLAT, PUBLISHED, written
from tests.support.tables import beside


def read(path):
    contents = Contents(path)
    return list(read_benchmark(path, contents)), contents


def interesting(folder, text):
    return [line.interesting for line in read(written(folder, text))[0]]


def test_published_line(tmp_path):
    ((line,), contents) = read(written(tmp_path, PUBLISHED))
    assert line[:2] == (1, "OAHDPAABDAOAHDPAABDA")
    assert (line.group, line.dice, line.equity) == ("contact", (2, 4), 0.133905)
    assert list(line.losses.values()) == [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]
    assert line.interesting  # nothing says that its rollouts are the same
    assert contents.without_rollouts == 1


def test_lines_of_a_whole_file(data):
    (lines, contents) = read(str(data / "benchmark" / "format-fixture.bm"))
    assert (len(lines), contents.kinds["m"], contents.kinds["#R"]) == (14, 14, 71)
    assert [line.interesting for line in lines].count(False) == 10
    assert max(len(line.losses) for line in lines) == 6  # five and the favourite at 0 plies


def test_flat_line_is_not_interesting_and_a_missing_rollout_makes_it_so(tmp_path):
    assert interesting(tmp_path, FLAT) == [False]
    for lost in ("#R NHDOCEEAAEOPBNAAAAAA 0 0 0 0 0\n", "#R NHDOIEBAAEOPBNAAAAAA 0 0 0 0 0\n"):
        assert interesting(tmp_path, FLAT.replace(lost, "")) == [True]
    assert interesting(tmp_path, FLAT.replace("AAAAAA 0 0 0 0 0", "AAAAAA 0 0 0 0.1 0", 1)) == [
        True
    ]


def test_rollouts_belong_to_the_next_m_line_only_and_a_single_play_with_its_own_is_not_interesting(
    tmp_path,
):
    *lines, last = FLAT.splitlines()
    assert interesting(tmp_path, f"{FLAT}{last}\n") == [False, True]
    single = "m OPBNAAAAHAONEDEAGAAA 3 5 NHDOIEBAAEOPBNAAAAAA 1"
    assert interesting(tmp_path, "\n".join([*lines, single])) == [False]


def test_other_lines_are_counted(tmp_path):
    key = "OAHDPAABDAOAHDPAABDA"
    text = f"""s a 1
s a 1
s b 2
o {key} 0.5 0.1 0.01 0.1 0.01
c {key} 50.5 49 ND
e {key} 0.5 0.1 0.01 0.1 0.01
b {key} 3 1 JIGHPAABDAOAHDPAABDA 0.5 0.1 0.01 0.1 0.01
m {key} 6 6

whatever else
{PUBLISHED}
"""
    (lines, contents) = read(written(tmp_path, text.replace("\n", "\r\n")))
    assert len(lines) == 1
    assert contents.kinds == {"s": 3, "o": 1, "m": 2, "other": 5}
    assert contents.settings == ["a 1", "b 2"]
    assert (contents.without_plays, contents.lines) == (1, len(text.splitlines()))


def test_losses_that_do_not_ascend_are_told_and_gzip_is_read_as_it_is(tmp_path):
    _, contents = read(written(tmp_path, PUBLISHED.replace("0.0835662", "0.2")))
    assert contents.unordered == 1
    ((line,), _) = read(written(tmp_path, gzip.compress(PUBLISHED.encode())))
    assert list(line.losses.values())[-1] == 0.189375


LINES = beside(__file__, "lines.yaml")
WRONG = [*LINES["wrong"], ("m\0", "text"), ("#" * (LONGEST_LINE + 1), "at most")]


@pytest.mark.parametrize(("line", "expected"), WRONG, ids=range(len(WRONG)))
def test_wrong_line_is_named(tmp_path, line, expected):
    with pytest.raises(UnreadableFile, match="line 3: expected ") as raised:
        read(written(tmp_path, f"# one\n{PUBLISHED}\n{line}\n{PUBLISHED}\n"))
    text = str(raised.value)
    assert expected in text
    assert "\n" not in text
    assert len(text) < 400


NOTHING = {
    b"": "found none in 0 lines",
    b"BZh91AY\n# nothing\n": "found none in 2 lines",
    b"\x1f\x8b\x08damaged": "damaged gzip",
    gzip.compress(PUBLISHED.encode() * 50)[:-20]: "damaged gzip",
    b"RGMH\x00\x00": "text",
    b"\xff" * 2**20: "at most",
}


@pytest.mark.parametrize("content", NOTHING, ids=NOTHING.values())
def test_what_is_no_benchmark_file_is_refused(tmp_path, content):
    with pytest.raises(UnreadableFile, match=NOTHING[content]):
        read(written(tmp_path, content))


def test_lines_are_read_one_by_one(tmp_path):
    contents = Contents("x")
    lines = read_benchmark(written(tmp_path, f"{PUBLISHED}\n" * 1000), contents)
    next(lines)
    assert contents.lines == 1
    lines.close()
