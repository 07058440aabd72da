"""Files that spell the players in different ways: a result calls each player by one name, so that its parts can be joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

import numpy as np

from reconcile.document import document
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.results.comparison import comparison_document
from reconcile.results.review import review_document
from tests.support.loaded import beginning

SGF, XG = ".sgf", ".xg"
SPELLINGS: Final = (("Kévin Unger", "Nora Beck"), ("kévin_unger", "NORA_BECK"), ("KÉVIN UNGER", "nora  beck"))


def spelt(ending: str, names: tuple[str, str]) -> Match:
    """The match under other names, with a last roll that was not played: a finding that names its player."""
    match = beginning(ending, 1)
    unplayed = np.arange(len(match.plays)) == len(match.plays) - 1
    plays = match.plays.replaced(validity=np.where(unplayed, np.int8(Validity.UNPLAYED.value), match.plays.validity))
    return replace(match, players=names, plays=plays)


def places(value: Any, names: tuple[str, ...], place: str = "") -> Iterator[str]:
    """Where these names are, as a key or in a text."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from (f"{place}/{key}" for name in names if name in key)
            yield from places(part, names, f"{place}/{key}")
    elif isinstance(value, list):
        for part in value:
            yield from places(part, names, place)
    elif isinstance(value, str):
        yield from (place for name in names if name in value)


def test_comparison_calls_every_player_as_the_left_file_does() -> None:
    for first, second in ((0, 1), (1, 0)):
        found = document(comparison_document(compare(spelt(SGF, SPELLINGS[first]), spelt(XG, SPELLINGS[second]))))
        assert set(places(found, SPELLINGS[second])) == {"/right/players"}
        assert found["right"]["players"] == list(SPELLINGS[second])
        assert [one["side"] for one in found["findings"] if one["code"] == "unplayed-roll"] == ["left", "right"]
        assert {"/figures/player", "/left/players", "/findings/evidence"} <= set(places(found, SPELLINGS[first]))


def test_several_analyses_call_every_player_as_the_file_with_most_decisions_does() -> None:
    files = zip((SGF, XG, SGF), SPELLINGS, strict=True)
    whole = review(*(spelt(ending, names) for ending, names in files))
    found = document(review_document(whole))
    others = tuple(name for names in SPELLINGS for name in names if name not in whole.names)
    assert len(others) == 4
    assert set(places(found, others)) == {"/sides/players"}
    assert [side["players"] for side in found["sides"]] == [list(names) for names in SPELLINGS]
    assert {"/pairs/figures/player", "/disputes/player", "/sides/findings/evidence"} <= set(places(found, whole.names))


def test_names_that_were_matched_by_the_rolls_alone_are_one_as_well() -> None:
    found = document(comparison_document(compare(spelt(SGF, ("Ann", "Ben")), spelt(XG, SPELLINGS[0]))))
    told = next(one for one in found["findings"] if one["code"] == "players-by-transcript")
    assert all(name in told["evidence"] for name in ("Ann", "Ben", *SPELLINGS[0]))
    assert set(places(found, SPELLINGS[0])) == {"/right/players", "/findings/evidence"}
