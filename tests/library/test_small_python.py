"""Reading, scoring, comparing and rendering run where Python is small: without compiled packages
besides NumPy, and on 32 bits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reconcile.document import dumps
from reconcile.formats import load_match, read_match
from reconcile.gap.comparison import compare
from reconcile.report.forms import in_form
from reconcile.report.html.render import comparison_page
from reconcile.results.comparison import comparison_document
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support.data import PROJECT
from tests.support.long import long_but_first

PACK = PROJECT / "reference_matches"
PAIR = sorted((PACK / "demonstration").glob("*.xg")) + sorted(
    (PACK / "demonstration").glob("*.sgf")
)
BLOCKED = (
    "pydantic",
    "pydantic_core",
    "deflate",
    "zlib_ng",
    "rich",
    "pandas",
    "pyarrow",
    "deepdiff",
    "defusedxml",
)
"""Packages with compiled parts, or that need one."""
WORK = f"""
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition('.')[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}')

sys.meta_path.insert(0, Blocked())
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.report.html.render import comparison_page
from reconcile.report.forms import in_form
from reconcile.results.comparison import comparison_document
from reconcile.document import dumps

result = compare(*map(load_match, sys.argv[1:]))
document = dumps(comparison_document(result))
sys.stdout.write(comparison_page(result) + in_form(result, "text") + document)
"""


@pytest.mark.long
def test_no_package_with_compiled_parts_is_needed() -> None:
    small = subprocess.run(
        [sys.executable, "-c", WORK, *PAIR], capture_output=True, text=True, check=False
    )
    assert small.returncode == 0, small.stderr
    full = compare(load_match(PAIR[0]), load_match(PAIR[1]))
    assert small.stdout == comparison_page(full) + in_form(full, "text") + dumps(
        comparison_document(full)
    )


BUNDLED = long_but_first(
    [*PAIR, *sorted(PACK.glob("bgblitz-*/*.bgf")), *sorted(PACK.glob("gnubg-*/*.sgf"))], 3, 3
)


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.suffix[1:])
def test_keys_that_are_counted_have_the_width_of_the_system(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a system of 32 bits `numpy.bincount` refuses keys of 64: here the system pretends to have
    32."""
    counted = np.bincount
    widths = []

    def narrow(keys: Any, *rest: Any, **named: Any) -> Any:
        keys = np.asarray(keys)
        assert np.can_cast(keys.dtype, np.int32), "keys of 64 bits"
        widths.append(keys.dtype.itemsize)
        return counted(keys, *rest, **named)

    monkeypatch.setattr(np, "intp", np.int32)
    monkeypatch.setattr(np, "bincount", narrow)
    match = read_match(path.name, path.read_bytes())
    findings_of(statistics(match))
    comparison_page(compare(match, match, left_rules="xg", right_rules="gnubg"))
    assert len(widths) > 3
