"""Generated matches are what they are made for: all different, and the same for the same seed."""

import tarfile
from pathlib import Path

import pytest

from benchmarks.generated_matches import ENDINGS, generate
from reconcile.formats import read_match
from reconcile.match.turns import fingerprint
from reconcile.scoring.statistics import statistics

COUNT = 16


def members(archives):
    contents = {}
    for path in archives:
        with tarfile.open(path) as archive:
            for member in archive:
                file = archive.extractfile(member)
                assert file is not None
                contents[member.name] = file.read()
    return contents


@pytest.mark.long
def test_no_two_are_the_same_match_and_a_seed_gives_the_same_bytes(tmp_path):
    contents = members(generate(tmp_path / "a", COUNT, seed=3, jobs=1, per_archive=6))
    matches = [read_match(name, content) for name, content in contents.items()]
    assert len({fingerprint(match) for match in matches}) == COUNT
    assert [Path(name).suffix for name in contents] == [*ENDINGS, *ENDINGS][:COUNT]
    assert any(statistics(match).figures(0)["pr"] is not None for match in matches)
    fewer = members(generate(tmp_path / "b", COUNT // 2, seed=3, jobs=2, per_archive=6))
    assert fewer == dict(list(contents.items())[: COUNT // 2])
    other = members(generate(tmp_path / "c", COUNT // 2, seed=4, jobs=1))
    assert set(other.values()).isdisjoint(contents.values())
