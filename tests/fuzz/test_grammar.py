"""Files of the right form and any content end as the command line promises: 0, 1 where it judges, or 2 and one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.grammar import FORMATS, tried
from tests.support.long import long_but_first


@pytest.mark.parametrize("count", long_but_first([1, 15, 60], 1, 2))
@pytest.mark.parametrize("kind", FORMATS)
def test_made_file_is_read_or_refused_in_one_line(kind: str, count: int, tmp_path: Path) -> None:
    outcomes = {tried(kind, number, tmp_path) for number in range(count)}
    assert outcomes <= {"read", "refused"}
