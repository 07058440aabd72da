"""Generated matches are what they are made for: all different, all legal, and scored like real ones."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
import pytest

from benchmarks import generated_matches
from benchmarks.generated_bases import Base, chosen
from benchmarks.generated_matches import FEWEST, KINDS, bases, generate, variation
from benchmarks.generated_players import PERSONS, person
from reconcile.formats import read_match
from reconcile.match.columns import Validity
from reconcile.match.match import Match, fingerprint
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some

COUNT = 16
SEED = 3


def members(archives: list[Path]) -> dict[str, bytes]:
    found = {}
    for path in archives:
        with tarfile.open(path) as archive:
            for member in archive:
                content = archive.extractfile(member)
                assert content is not None
                found[member.name] = content.read()
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Some matches by name."""
    return members(
        generate(tmp_path_factory.mktemp("made"), COUNT, seed=SEED, jobs=1, per_archive=6)
    )


@pytest.fixture(scope="module")
def matches(made: dict[str, bytes]) -> list[Match]:
    return [read_match(name, content) for name, content in made.items()]


def every_base() -> list[Base]:
    return [base for of_kind in bases().values() for base in of_kind]


@pytest.mark.long
def test_no_two_are_the_same_match(made: dict[str, bytes], matches: list[Match]) -> None:
    assert len(matches) == COUNT
    assert len({fingerprint(match) for match in matches}) == COUNT
    assert [Path(name).suffix for name in made] == [
        KINDS[number % len(KINDS)].suffix for number in range(COUNT)
    ]


@pytest.mark.long
def test_the_same_seed_gives_the_same_bytes_and_fewer_give_the_first(
    made: dict[str, bytes], tmp_path: Path
) -> None:
    first = members(generate(tmp_path / "two", COUNT // 2, seed=SEED, jobs=2, per_archive=6))
    assert first == dict(list(made.items())[: COUNT // 2])
    assert set(
        members(generate(tmp_path / "other", COUNT // 2, seed=SEED + 1, jobs=1)).values()
    ).isdisjoint(made.values())


@pytest.mark.long
@pytest.mark.parametrize("rules", [tool.rules for tool in ANALYSERS.values()])
def test_all_have_sensible_figures(matches: list[Match], rules: str) -> None:
    for match in some(matches):
        scored = statistics(match, rules)
        for seat in (0, 1):
            pr = scored.figures(seat)["pr"]
            if pr is None:  # of a match that is partly analysed
                assert not all(part.complete for part in scored.completeness(seat).values())
                continue
            assert 0 <= pr < 150, match.source.path


def test_every_play_is_legal_and_every_match_has_an_end(matches: list[Match]) -> None:
    for match in some(matches):
        assert np.count_nonzero(match.plays.validity == Validity.ILLEGAL) == 0, match.source.path
        assert match.complete
        assert match.event


def test_only_dances_and_last_checkers_have_other_dice() -> None:
    for base in some(every_base()):
        plays = base.match.plays
        original = {slot.row: tuple(sorted(plays.dice[slot.row].tolist())) for slot in base.slots}
        assert all(original[slot.row] in slot.rolls for slot in base.slots)
        other = chosen(base.slots, 12_345)
        assert set(other) == set(original)
        assert other != original
        assert all(end == 0 for row in other for _, end in plays.play[row])


def test_every_number_chooses_other_dice() -> None:
    base = min(every_base(), key=lambda one: one.variations)
    assert base.variations >= FEWEST
    assert len({tuple(chosen(base.slots, number).items()) for number in range(500)}) == 500


def test_more_matches_than_there_are_variations_are_an_error() -> None:
    with pytest.raises(ValueError, match="expected fewer matches"):
        variation(10**120, SEED)


def test_players_meet_again_and_play_as_they_do() -> None:
    assert person(7) == person(7 + PERSONS)
    assert len({person(number).name for number in range(PERSONS)}) == PERSONS


@pytest.mark.long
def test_bundled_matches_do_where_there_are_no_others(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(generated_matches, "FOLDER", tmp_path)
    bases.cache_clear()
    try:
        found = {fingerprint(read_match(*variation(number, SEED))) for number in range(12)}
    finally:
        bases.cache_clear()
    assert len(found) == 12
