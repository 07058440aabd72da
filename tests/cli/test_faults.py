"""Faults of the machine: no file, another one while it is read, a full disk, an interrupt at any
moment.

Whatever happens, the exit code is 2 with one line of error and nothing else, and a file that stood
where the output goes is still the old one.
"""

import os
import threading
from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.output import CannotWrite, write
from reconcile.formats import load_match
from tests.support.command_line import ERROR, refused, run
from tests.support.command_line import SGF as BUNDLED
from tests.support.command_line import XG as OTHER
from tests.support.long import long_but_first

SGF, XG = Path(BUNDLED), Path(OTHER)
STATS = ("stats", str(SGF), "--format", "json", "-o", "out.json")
INPUTS = (
    "stats PATH",
    "compare PATH SGF",
    "compare XG PATH",
    "compare XG SGF --tolerances PATH",
    "convert PATH -o out.mat",
    "diff PATH PATH",
    "investigate PATH --player Nora --reported pr=4",
    "new-match PATH",
    "benchmark PATH --engine true",
)
OLD = "what stood there before"


# -- what is read


@pytest.fixture
def unreadable(tmp_path, monkeypatch):
    """Things that have a name and no match in them."""
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("secret").write_bytes(SGF.read_bytes())
    Path("secret").chmod(0)
    Path("nowhere").symlink_to("gone")
    Path("round").symlink_to("round")
    Path("nothing").touch()
    return [
        "folder",
        "secret",
        "nowhere",
        "round",
        "nothing",
        "absent",
        "nothing/under",
        "n" * 5000,
        "/dev/null",
        "/proc/self/mem",
    ]


@pytest.mark.parametrize("line", long_but_first(INPUTS, 9))
def test_what_cannot_be_read_is_told(line, unreadable):
    for path in unreadable:
        if path == "secret" and os.access(path, os.R_OK):  # nothing is secret to root
            continue
        if path.startswith("/") and not Path(path).exists():
            continue
        places = {"PATH": path, "SGF": str(SGF), "XG": str(XG)}
        refused(*(places.get(word, word) for word in line.split()))
    assert not Path("out.json").exists()


def test_file_without_an_end_is_refused():
    if not Path("/dev/zero").exists():
        pytest.skip("no /dev/zero here")
    assert "found more than 128 MB" in refused("stats", "/dev/zero")


def test_file_that_is_written_while_it_is_read_is_refused_or_read_whole(tmp_path):
    sound, path = SGF.read_bytes(), tmp_path / SGF.name  # findings name the file
    full = run("stats", SGF)
    for written in (0, 1, len(sound) // 2, len(sound) - 2):
        path.write_bytes(sound[:written])
        refused("stats", path)
    stop = threading.Event()

    def write_again():
        while not stop.is_set():
            for part in (b"", sound[: len(sound) // 2], sound):
                path.write_bytes(part)
            path.unlink()

    writer = threading.Thread(target=write_again)
    writer.start()
    try:
        for _ in range(10):
            done = run("stats", path)
            assert done.exit_code in (0, ERROR), done.output
            if done.exit_code:
                assert (done.stdout, done.stderr.count("\n")) == ("", 1)
            else:
                assert done.stdout.splitlines()[1:] == full.stdout.splitlines()[1:]
    finally:
        stop.set()
        writer.join()


def test_null_character_in_a_name_is_told():
    """No shell lets one through, a library's caller and a manifest may."""
    with pytest.raises(UnreadableFile, match="null character"):
        load_match("match\0.sgf")
    with pytest.raises(CannotWrite, match="null character"):
        write("out\0.json", OLD)


@pytest.mark.parametrize(
    "number", ["0x" + "f" * 9000, "9" * 9000, "1." + "5" * 9000, "-" + "1" * 41]
)
def test_number_too_long_for_python_is_told(number, tmp_path):
    (tmp_path / "t.yaml").write_text(f"schema_version: {number}\nplayers: {{}}\n")
    for command in (("explain", "--rules"), ("compare", SGF, XG, "--aliases")):
        line = refused(*command, tmp_path / "t.yaml")
        assert line.endswith(f"{tmp_path}/t.yaml:1: a number has too many digits; correct the file")


def test_too_little_memory_is_told(monkeypatch):
    def short(path):
        raise MemoryError

    monkeypatch.setattr("reconcile.formats.read_bytes", short)
    phrase = "not enough memory for this; give it more, or fewer files at once"
    assert refused("stats", SGF) == f"reconcile: {phrase}"


# -- what is written


@pytest.mark.parametrize(
    "where", ["/dev/full", "folder.json", "out.json/file.json", "n" * 5000 + ".json"]
)
def test_what_cannot_be_written_is_told(where, tmp_path, monkeypatch):
    if where.startswith("/") and not Path(where).exists():
        pytest.skip(f"no {where} here")
    monkeypatch.chdir(tmp_path)
    Path("folder.json").mkdir()
    Path("out.json").write_text(OLD, "utf-8")
    refused(*STATS[:-1], where)
    assert (Path("out.json").read_text("utf-8"), list(Path("folder.json").iterdir())) == (OLD, [])
