"""What a rollout is asked about several analyses: every decision in dispute once, each side with the action that it wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from reconcile.formats import load_match
from reconcile.gap.review import Review, review
from tests.support.claims import some
from tests.support.command_line import SGF, XG


@pytest.fixture(scope="module")
def three() -> Review:
    return review(*[load_match(path) for path in (XG, SGF, XG)])


def test_every_dispute_is_asked_about_once(three: Review) -> None:
    choices = [one for one in three.disputes if one.dispute == "choice"]
    assert [(one.game, one.turn, one.kind) for one in three.to_settle] == [(one.game, one.turn, one.kind) for one in choices]


def test_every_side_wants_what_it_thinks_best(three: Review) -> None:
    assert three.to_settle
    for asked, dispute in zip(three.to_settle, [one for one in three.disputes if one.dispute == "choice"], strict=True):
        assert len(asked.wanted) == 3
        assert asked.wanted[0] == asked.wanted[2] != asked.wanted[1], (asked.game, asked.turn)
        if asked.plays:
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
    assert all(len(set(one.wanted) - {None}) > 1 for one in many.to_settle)
