"""The page of what each tool was checked against: its numbers are the measured ones, and measuring
again gives the same."""

import json
from typing import Any

import pytest

from docs.making.checked import CHECKS, KEPT
from tests.oracles import measure

MEASURED: dict[str, dict[str, Any]] = json.loads(KEPT.read_text("utf-8"))
COUNTS = ("files", "games", "sides", "figures", "same", "within", "outside")


def test_every_comparison_was_measured_and_nothing_is_outside_its_tolerance():
    assert tuple(MEASURED) == tuple(CHECKS)
    for counts in MEASURED.values():
        assert counts["outside"] == 0
        assert counts["figures"] == counts["same"] + counts["within"] > 0


@pytest.mark.long
@pytest.mark.parametrize("key", ["xg-window", "gammonview"])
def test_measuring_again_gives_the_same(data, key):
    counts = {"xg-window": measure.xg_window, "gammonview": measure.gammonview}[key]()
    # Another release of the data may have more files; the counts of this one are kept.
    assert counts["outside"] == 0
    if counts["files"] == MEASURED[key]["files"]:
        assert {name: counts[name] for name in COUNTS} == {
            name: MEASURED[key][name] for name in COUNTS
        }
