"""What passes between the page and its workers."""

from __future__ import annotations

import multiprocessing.connection
import traceback

import pytest

from reconcile.serve.workers import send


def test_what_is_sent_is_received() -> None:
    ours, theirs = multiprocessing.Pipe()
    with ours, theirs:
        send(ours, ("progress", "reading", 1, None))
        assert theirs.recv() == ("progress", "reading", 1, None)


def test_a_message_to_a_worker_that_is_gone_leaves_no_buffer_in_the_traceback() -> None:
    """Python 3.12.1 crashes when it collects a buffer of a `BytesIO` in a cycle, and 3.13.0 warns of it."""
    ours, theirs = multiprocessing.Pipe()
    theirs.close()
    with ours, pytest.raises(BrokenPipeError) as refused:
        send(ours, "task")
    frames = [frame for frame, _ in traceback.walk_tb(refused.value.__traceback__)]
    assert frames[-1].f_code.co_filename == multiprocessing.connection.__file__
    held = [
        value
        for frame in frames
        for value in frame.f_locals.values()
        if isinstance(value, memoryview)
    ]
    assert [type(value.obj).__name__ for value in held if not isinstance(value.obj, bytes)] == []
