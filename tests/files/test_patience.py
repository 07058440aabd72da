"""A pipe whose other end nobody opens, and a call that never returns, are given up."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from reconcile.files import patience
from reconcile.files.output import CannotWrite, write, write_all
from tests.support.command_line import run
from tests.support.processes import wait_until


@pytest.fixture
def pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    monkeypatch.setattr(patience, "_PEER", 0.2)
    os.mkfifo(tmp_path / "pipe.yaml")
    before = threading.active_count()
    yield tmp_path / "pipe.yaml"
    wait_until(lambda: threading.active_count() <= before)


@pytest.mark.parametrize(
    "words",
    ["stats {}", "convert {}", "compare {} {}", "benchmark {} --engine cat"],
)
def test_input_that_nobody_writes_to_is_refused(pipe: Path, words: str) -> None:
    done = run(*words.format(pipe, pipe).split())
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert "a pipe whose other end nobody opened in 0.2 seconds" in done.stderr


def test_output_that_nobody_reads_is_refused_and_nothing_else_written(pipe: Path) -> None:
    beside = pipe.with_name("beside")
    for outputs, added in (
        ([(str(pipe), "x"), (str(beside), "x")], []),
        ([(str(beside), "x")], [(str(pipe), "x")]),
    ):
        with pytest.raises(CannotWrite, match="a pipe whose other end nobody opened"):
            write_all(outputs, added)
        assert not beside.exists()


def test_pipe_whose_other_end_is_opened_later_is_waited_for(
    pipe: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "_PEER", 60.0)
    texts: list[str] = []
    reader = threading.Timer(0.2, lambda: texts.append(pipe.read_text()))
    reader.start()
    write(str(pipe), "through")
    reader.join()
    assert texts == ["through"]
