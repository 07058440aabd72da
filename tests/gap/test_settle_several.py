"""What a rollout is asked about several analyses: every decision in dispute once, each side with the action that it wants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.gap.review import Review, review
from tests.support.claims import some
from tests.support.command_line import SGF, XG


@pytest.fixture(scope="module")
def three() -> Review:
    return review(*[load_match(path) for path in (XG, SGF, XG)])


def place(one: Any) -> tuple[int, int, str]:
    return one.game, one.turn, one.kind


def test_every_dispute_is_asked_about_once(three: Review) -> None:
    assert sorted(map(place, three.to_settle)) == sorted(map(place, three.disputes))
    assert {place(one) for one in three.to_settle if one.done is None} <= {place(one) for one in three.disputes if one.dispute == "choice"}


def test_every_side_wants_what_it_thinks_best(three: Review) -> None:
    disputes = {place(one): one for one in three.disputes}
    for asked in some(three.to_settle):
        dispute = disputes[place(asked)]
        assert len(asked.wanted) == 3
        assert asked.wanted[0] == asked.wanted[2], place(asked)
        assert (asked.wanted[0] != asked.wanted[1]) == (dispute.dispute == "choice"), place(asked)
        if asked.plays and dispute.dispute == "choice":
            named = [asked.actions[wanted] for wanted in asked.wanted if wanted is not None]
            assert named == [verdict.best for verdict in dispute.verdicts]


def test_the_order_of_files_changes_nothing_but_the_order(three: Review) -> None:
    turned = review(*[load_match(path) for path in (SGF, XG, XG)])
    for one, other in some(zip(three.to_settle, turned.to_settle, strict=True)):
        wants = [one.actions[wanted] for wanted in one.wanted if wanted is not None]
        theirs = [other.actions[wanted] for wanted in other.wanted if wanted is not None]
        assert (wants[0], wants[1], wants[2]) == (theirs[1], theirs[0], theirs[2])


def test_real_disputes_are_asked_about(data: Path) -> None:
    many = review(*[load_match(data / "real" / name) for name in ("test.xg", "test.sgf", "test_0ply.sgf")])
    assert len(many.to_settle) > 20
    assert all(len(set(one.wanted) - {None}) > 1 or one.done is not None for one in many.to_settle)
