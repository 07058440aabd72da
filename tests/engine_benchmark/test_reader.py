"""The lines of a benchmark file: what they hold, in bounded memory, and what is refused."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine_benchmark.keys import CLASSES, to_letters
from engine_benchmark.reader import LONGEST_LINE, Chunk, Contents, read_benchmark
from reconcile.errors import UnreadableFile
from tests.engine_benchmark.samples import FLAT, PUBLISHED, written


def read(path: str, chunk: int = 100) -> tuple[list[Chunk], Contents]:
    contents = Contents(path)
    return list(read_benchmark(path, contents, chunk)), contents


def test_published_line(tmp_path: Path) -> None:
    ((chunk,), contents) = read(written(tmp_path, PUBLISHED))
    assert to_letters(chunk.key) == ["OAHDPAABDAOAHDPAABDA"]
    assert chunk.dice.tolist() == [[2, 4]]
    assert chunk.equity.tolist() == [0.133905]
    assert chunk.loss.tolist() == [0.0, 0.0835662, 0.111429, 0.124954, 0.189375]
    assert [len(chunk), chunk.line.tolist(), CLASSES[chunk.group[0]]] == [1, [1], "contact"]
    assert chunk.interesting.all()  # nothing says that its rollouts are the same
    assert contents.without_rollouts == 1


def test_equity_of_the_best_is_that_of_its_rollout(data: Path) -> None:
    """A rollout is seen by the opponent: w, gammons and all, of the player on roll after the play."""
    path = data / "benchmark" / "format-fixture.bm"
    ((chunk,), contents) = read(str(path))
    rollouts = {}
    for line in path.read_text().splitlines():
        if line.startswith("#R"):
            _, key, *numbers = line.split()
            win, gammon, backgammon, lose_gammon, lose_backgammon = map(float, numbers)
            rollouts[key] = -(2 * win - 1 + gammon + backgammon - lose_gammon - lose_backgammon)
    listed = to_letters(chunk.listed)
    for row in range(len(chunk)):
        first, end = chunk.start[row], chunk.start[row + 1]
        equities = [rollouts[key] for key in listed[first:end]]
        assert equities[0] == pytest.approx(chunk.equity[row], abs=2e-6)
        assert [equities[0] - other for other in equities] == pytest.approx(
            chunk.loss[first:end].tolist(), abs=3e-6
        )
    assert (len(chunk), contents.kinds["m"], contents.kinds["#R"], contents.kinds["r"]) == (
        14,
        14,
        71,
        14,
    )
    assert int((~chunk.interesting).sum()) == 10  # of the fixture's lines ten are flat
    assert np.diff(chunk.start).max() == 6  # five plays and the favourite at 0 plies


def test_chunks_are_the_whole_in_parts(data: Path) -> None:
    path = str(data / "benchmark" / "format-fixture.bm")
    ((whole,), _) = read(path)
    parts, _ = read(path, 4)
    assert [len(part) for part in parts] == [4, 4, 4, 2]
    for name in ("line", "key", "dice", "equity", "interesting", "group", "listed", "loss"):
        assert (
            np.concatenate([getattr(part, name) for part in parts]) == getattr(whole, name)
        ).all(), name


def test_flat_line_is_not_interesting_and_a_missing_rollout_makes_it_so(tmp_path: Path) -> None:
    ((chunk,), _) = read(written(tmp_path, FLAT))
    assert chunk.interesting.tolist() == [False]
    for lost in ("#R NHDOCEEAAEOPBNAAAAAA 0 0 0 0 0\n", "#R NHDOIEBAAEOPBNAAAAAA 0 0 0 0 0\n"):
        ((chunk,), contents) = read(written(tmp_path, FLAT.replace(lost, "")))
        assert chunk.interesting.tolist() == [True]
        assert contents.without_rollouts == 1
    other = FLAT.replace(
        "#R NHDOCEEAAEOPBNAAAAAA 0 0 0 0 0", "#R NHDOCEEAAEOPBNAAAAAA 0 0 0 0.001 0"
    )
    assert read(written(tmp_path, other))[0][0].interesting.tolist() == [True]


def test_rollouts_belong_to_the_next_m_line_only_and_a_single_play_with_its_own_is_not_interesting(
    tmp_path: Path,
) -> None:
    *lines, last = FLAT.splitlines()
    ((chunk,), _) = read(written(tmp_path, f"{FLAT}{last}\n"))
    assert chunk.interesting.tolist() == [False, True]
    single = "m OPBNAAAAHAONEDEAGAAA 3 5 NHDOIEBAAEOPBNAAAAAA 1"
    ((chunk,), _) = read(written(tmp_path, "\n".join([*lines, single])))
    assert chunk.interesting.tolist() == [False]


def test_other_lines_are_counted(tmp_path: Path) -> None:
    key = "OAHDPAABDAOAHDPAABDA"
    text = f"""s a 1
s a 1
s b 2
o {key} 0.5 0.1 0.01 0.1 0.01
o {key} 1 0 0 0 0
c {key} 50.5 49 ND
c {key} 61.5 69 D/T
c {key} 61.5 99.9 D/D
c {key} 100 0 TG
c {key} 61.5 69 D/T
e {key} 0.5 0.1 0.01 0.1 0.01
O {key} 0.5 0 0 0 0
b {key} 3 1 JIGHPAABDAOAHDPAABDA 0.5 0.1 0.01 0.1 0.01
m {key} 6 6

#Resumed
whatever else
{PUBLISHED}
"""
    (chunks, contents) = read(written(tmp_path, text.replace("\n", "\r\n")))
    assert [len(chunk) for chunk in chunks] == [1]
    assert contents.kinds == {
        "s": 3,
        "o": 2,
        "c": 5,
        "e": 1,
        "O": 1,
        "b": 1,
        "m": 2,
        "blank": 1,
        "comment": 2,
    }
    assert contents.actions == {"ND": 1, "D/T": 2, "D/D": 1, "TG": 1}
    assert contents.settings == ["a 1", "b 2"]
    assert contents.interesting_cubes == 1
    assert contents.without_plays == 1
    assert contents.lines == len(text.splitlines())


def test_losses_that_do_not_ascend_are_told_and_gzip_is_read_as_it_is(tmp_path: Path) -> None:
    _, contents = read(written(tmp_path, PUBLISHED.replace("0.0835662", "0.2")))
    assert contents.unordered == 1
    ((chunk,), _) = read(written(tmp_path, gzip.compress(PUBLISHED.encode())))
    assert chunk.loss[-1] == 0.189375


WRONG = [
    ("m OAHDPAABDAOAHDPAABD 2 4", "key of 20 letters"),
    ("m OAHDPAABDAOAHDPAABDQ 2 4", "key of 20 letters"),
    ("m", "key of 20 letters"),
    ("m OAHDPAABDAOAHDPAABDA 2", "two dice"),
    ("m OAHDPAABDAOAHDPAABDA 0 4", "two dice"),
    ("m OAHDPAABDAOAHDPAABDA 12 4", "two dice"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA", "pairs"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA x", "a number"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA nan", "a number"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 1e999", "a number"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 1_0", "a number"),
    (PUBLISHED.replace("0.111429", "-0.111429"), "losses of 0 or more"),
    (PUBLISHED.replace("OAHDMJABDAOAHDPAABDA", "JIGHPAABDAOAHDPAABDA"), "listed twice"),
    ("m PPPPPPPPPPPPPPPPPPPP 2 4 JIGHPAABDAOAHDPAABDA 1", "key of a position"),
    ("m OAHDPAABDAOAHDPAABDA 2 4 PPPPPPPPPPPPPPPPPPPP 1", "key of a position"),
    ("m AAAAAAAAAAAAAAAAAAAA 2 4 AAAAAAAAAAAAAAAAAAAA 1", "game that goes on"),
    ("#R OAHDPAABDAOAHDPAABDA 1 2 3 4", "5 probabilities"),
    ("#R OAHDPAABDAOAHDPAABDA 1 2 3 4 x", "a number"),
    ("#R OAHD 1 2 3 4 5", "key of 20 letters"),
    ("o OAHDPAABDAOAHDPAABDA 1 2", "5 probabilities"),
    ("c OAHDPAABDAOAHDPAABDA 1 2 XX", "one of TG"),
    ("c OAHDPAABDAOAHDPAABDA 1 200 ND", "0 to 100"),
    ("b OAHDPAABDAOAHDPAABDA 7 7", "two dice"),
    ("r x", "seed"),
    ("m\0", "text"),
    ("#" * (LONGEST_LINE + 1), "at most"),
]


@pytest.mark.parametrize(("line", "message"), WRONG, ids=[message for _, message in WRONG])
def test_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(UnreadableFile) as raised:
        read(written(tmp_path, f"# one\n{PUBLISHED}\n{line}\n{PUBLISHED}\n"))
    assert "line 3: expected " in str(raised.value)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 400


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"\n\n# nothing\n", "found none in 3 lines"),
        (b"\x1f\x8b\x08damaged", "damaged gzip"),
        (gzip.compress(PUBLISHED.encode() * 50)[:-20], "damaged gzip"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\x00", "xz"),
        (b"PK\x03\x04aaaa", "zip"),
        (b"RGMH\x00\x00", "text"),
        (b"\xff" * 2**20, "at most"),
        (b"\x00" * 2**20, "at most"),
    ],
)
def test_what_is_no_benchmark_file_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(UnreadableFile, match=message):
        read(written(tmp_path, content))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.bm"), str(tmp_path), ""):
        with pytest.raises(UnreadableFile):
            read(path)


@pytest.mark.long
@pytest.mark.skipif(
    not Path("/proc/self/status").exists(),
    reason="needs /proc to tell the peak of a process's memory",
)
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """The same file eight times as long; 120,000 lines against 15,000."""
    rolled = PUBLISHED.split()
    block = "".join(
        f"#R {key} 0.466836 0.124434 0.005261 0.166515 0.0076{index}\n"
        for index, key in enumerate(rolled[4::2])
    )
    block += PUBLISHED + "\n" + "# comment\n" * 4
    peaks = []
    for count in (1_500, 12_000):
        path = written(tmp_path, "s a 1\n" + block * count)
        code = (
            "from engine_benchmark.reader import Contents, read_benchmark\n"
            f"print(sum(len(chunk) for chunk in read_benchmark({path!r}, Contents('x'), 1024)))\n"
            "print(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        lines, peak = map(int, done.stdout.split())
        assert lines == count
        peaks.append(peak)
    assert peaks[1] < peaks[0] * 1.1
