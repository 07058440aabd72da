"""A pack of which one file cannot be read: the run fails, and every other match is judged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from reconcile.errors import UnreadableFile
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import OUTSIDE, WITHIN
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


def test_run_fails_after_the_other_matches_were_judged(broken: Path) -> None:
    result = validate(broken.parents[1])
    assert (result.exit_code(), result.verdict) == (2, OUTSIDE)
    (reason,) = result.failed
    assert str(reason).startswith(f"{BROKEN}: {broken}: expected SHA-256 ")
    sound, other = result.matches
    assert {figure.verdict for figure in sound.figures} == {WITHIN}
    assert not any(other.figures)
    first, *rest = other.not_compared
    assert (first.is_failure, first.is_absent, first.keys) == (True, False, ("files", "gnubg"))
    assert str(first).startswith(f"file gnubg: {broken.name}: expected SHA-256 ")
    assert [(one.is_failure, one.is_absent, one.why) for one in rest] == [(False, False, f"{broken.name} cannot be read")]
    assert other.failures == (first,)


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
