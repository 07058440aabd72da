"""Reading, scoring, comparing and rendering run where Python is small: without compiled packages
besides NumPy, and on 32 bits."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.report.forms import in_form
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support.command_line import PACK, SGF, XG
from tests.support.long import long_but_first
from tests.support.several import bundled_sgf, bundled_xg

PAIR = [Path(XG), Path(SGF)]
BLOCKED = "pydantic pydantic_core deflate rich pandas pyarrow deepdiff defusedxml"
"""Packages with compiled parts, or that need one."""
WORK = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {BLOCKED.split()!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}')

sys.meta_path.insert(0, Blocked())
import reconcile
from reconcile.report.forms import in_form

result = reconcile.compare(*map(reconcile.load_match, sys.argv[1:]))
sys.stdout.write("".join(in_form(result, form) for form in ("html", "text", "json")))
"""


@pytest.mark.long
def test_no_package_with_compiled_parts_is_needed():
    command = [sys.executable, "-c", WORK, XG, SGF]
    small = subprocess.run(command, capture_output=True, text=True, check=False)
    assert small.returncode == 0, small.stderr
    full = compare(bundled_xg(), bundled_sgf())
    assert small.stdout == "".join(in_form(full, form) for form in ("html", "text", "json"))


BUNDLED = long_but_first(
    [*PAIR, *sorted(PACK.glob("bgblitz-*/*.bgf")), *sorted(PACK.glob("gnubg-*/*.sgf"))], 3, 3
)


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.suffix[1:])
def test_keys_that_are_counted_have_the_width_of_the_system(path, monkeypatch):
    """On a system of 32 bits `numpy.bincount` refuses keys of 64: here the system pretends to have
    32."""
    counted = np.bincount
    widths = []

    def narrow(keys, *rest, **named):
        keys = np.asarray(keys)
        assert np.can_cast(keys.dtype, np.int32), "keys of 64 bits"
        widths.append(keys.dtype.itemsize)
        return counted(keys, *rest, **named)

    monkeypatch.setattr(np, "intp", np.int32)
    monkeypatch.setattr(np, "bincount", narrow)
    match = read_match(path.name, path.read_bytes())
    findings_of(statistics(match))
    in_form(compare(match, match, left_rules="xg", right_rules="gnubg"), "html")
    assert len(widths) > 3
