"""The structure that Windows' kernel is given has the layout of its headers; the calls themselves run on Windows alone."""

from __future__ import annotations

import ctypes

import pytest

from reconcile.files.job import Limits

OFFSETS = {
    "process_time": 0,
    "job_time": 8,
    "flags": 16,
    "smallest_set": 24,
    "largest_set": 32,
    "processes": 40,
    "affinity": 48,
    "priority": 56,
    "scheduling": 60,
    "counters": 64,
    "memory": 112,
}
"""Of `JOBOBJECT_EXTENDED_LIMIT_INFORMATION` in `winnt.h`, in a program of 64 bits."""


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="the offsets are those of 64 bits")
def test_limits_of_a_job_have_the_layout_of_windows() -> None:
    assert {name: getattr(Limits, name).offset for name, *_ in Limits._fields_} == OFFSETS
    assert ctypes.sizeof(Limits) == 144
