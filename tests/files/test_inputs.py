"""What is read: a pipe is waited for and given up, files of our own are files, the cache is the
folder that the environment names."""

import os
import threading
from pathlib import Path

import pytest

from reconcile.files import inputs
from reconcile.files.bundled import CACHE_VARIABLE, cache_folder
from reconcile.files.inputs import open_regular
from reconcile.files.output import CannotWrite, write, write_all
from tests.support.command_line import refused
from tests.support.long import long_but_first
from tests.support.processes import wait_until


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    monkeypatch.setattr(inputs, "PEER", 0.2)
    os.mkfifo(tmp_path / "pipe.yaml")
    before = threading.active_count()
    yield tmp_path / "pipe.yaml"
    wait_until(lambda: threading.active_count() <= before)


@pytest.mark.parametrize(
    "words",
    long_but_first(["stats {}", "convert {}", "compare {} {}", "benchmark {} --engine cat"]),
)
def test_input_that_nobody_writes_to_is_refused(pipe, words):
    line = refused(*words.format(pipe, pipe).split())
    assert "a pipe whose other end nobody opened in 0.2 seconds" in line


def test_output_that_nobody_reads_is_refused_and_nothing_else_written(pipe):
    target, beside = (str(pipe), "x"), (str(pipe.with_name("beside")), "x")
    for outputs, added in (([target, beside], []), ([beside], [target])):
        with pytest.raises(CannotWrite, match="a pipe whose other end nobody opened"):
            write_all(outputs, added)
        assert not Path(beside[0]).exists()


def test_pipe_whose_other_end_is_opened_later_is_waited_for(pipe, monkeypatch):
    monkeypatch.setattr(inputs, "PEER", 60.0)
    texts: list[str] = []
    reader = threading.Timer(0.2, lambda: texts.append(pipe.read_text()))
    reader.start()
    write(str(pipe), "through")
    reader.join()
    assert texts == ["through"]


def test_what_is_no_file_of_ours_is_not_waited_for(pipe):
    folder = pipe.parent
    for path in (pipe, folder, Path("/dev/zero"), folder / "a\0b", folder / "lone \ud800"):
        with pytest.raises(OSError, match=r"not a regular file|directory|no file can have this"):
            open_regular(path)


def test_cache_is_that_of_the_system_unless_named(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    assert cache_folder() == tmp_path / "cache"
    monkeypatch.delenv(CACHE_VARIABLE)
    assert "reconcile" in cache_folder().parts
    assert cache_folder().is_absolute()
