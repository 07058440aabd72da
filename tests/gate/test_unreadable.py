"""A pack of which one file cannot be read: the run fails, and every other match is judged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import WITHIN
from reconcile.gate.validate import match_results, validate

SOUND, BROKEN = "gnubg-11pt-cube-rich", "gnubg-3pt-2ply"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """The file that is not as its manifest says."""
    for name in (SOUND, BROKEN):
        shutil.copytree(bundled("reference_matches") / name, tmp_path / "pack" / name)
    (path,) = (tmp_path / "pack" / BROKEN).glob("*.sgf")
    path.write_bytes(path.read_bytes() + b" ")
    return path


def test_gaps_are_not_measured_on_a_part_of_the_pack(broken: Path) -> None:
    with pytest.raises(UnreadableFile, match="expected SHA-256"):
        match_results(broken.parents[1], load_tolerances())


def test_candidate_is_judged_where_it_can_be(broken: Path) -> None:
    figures = f'{{"schema_version": 1, "matches": [{{"match": "{SOUND}", "players": {{"Ann": {{"error_rate_memg": 92.7927}}}}}}]}}'
    candidate = broken.parents[2] / "figures.json"
    candidate.write_text(figures, "utf-8")
    result = validate(broken.parents[1], candidates=[str(candidate)])
    assert result.exit_code() == 2
    assert [figure.verdict for match in result.matches for one in match.candidates for figure in one.judged] == [WITHIN]
