"""The table of formats: every row names what reads it, and a file costs no format but its own."""

import subprocess
import sys

import pytest

from reconcile.formats.interface import FORMATS, format_of
from tests.support.data import PROJECT
from tests.support.small_sgf import root
from tests.support.small_transcripts import SHORT

BEGINNINGS = {
    "xg": b"RGMH\0\0\0\0(;",
    "blunderdb": b"SQLite format 3\0(;",
    "ogxm": b"OGXM(;",
    "evaluated": b'{"analysis_version":1,"transcript":"(;GM[6])","format":"BGF"}',
    "bgblitz": b'{"format":"BGF"}\n(;GM[6])',
    "gnubg": root().encode(),
    "gnubg_text": (PROJECT / "tests/formats/gnubg_text/evening.txt").read_bytes(),
    "mat": SHORT.encode(),
}
"""Bytes of every format, some of them with what marks another one further on."""


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_format_is_recognised_and_has_what_reads_it(form):
    assert format_of(BEGINNINGS[form.name]) == form
    assert callable(form.adapter.read)


def test_every_format_has_a_name_of_its_own_and_other_bytes_are_none():
    assert sorted(BEGINNINGS) == sorted(form.name for form in FORMATS)
    others = b"", b"\0\0", b"hello", b"{}", b"[1, 2]", b'{"match_length": 7, "xgid": "-b"}'
    assert not any(map(format_of, others))


def test_xg_file_and_a_named_table_import_no_other_format_and_no_xml_parser():
    code = (
        "import sys; from reconcile.formats.interface import format_of; format_of(b'RGMH').adapter;"
        "from reconcile.match.met import load_met; load_met('g11').chance(3, 40, False); "
        "print(*sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT
    )
    modules = set(run.stdout.split())
    assert {"reconcile.formats.xg", "reconcile.match.met"} <= modules
    assert modules.isdisjoint(
        f"reconcile.formats.{form.name}" for form in FORMATS if form.name != "xg"
    )
    assert not [name for name in modules if "xml" in name or "expat" in name]
