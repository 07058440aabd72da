"""Errors that keep apart what they are about and what is wrong."""

import os
import pickle

import pytest

from reconcile.errors import At, NotTheSameMatch, ReconcileError, UnreadableFile


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ReconcileError("nothing given"), "nothing given"),
        (UnreadableFile("is damaged", "a.xg"), "a.xg: is damaged"),
        (UnreadableFile("is damaged", "a.csv", 7), "a.csv:7: is damaged"),
        (
            UnreadableFile("expected text", At("match.yaml", 3, "title")),
            "match.yaml:3: title: expected text",
        ),
        (
            NotTheSameMatch("two", [("a", "x"), ("b", "y")], "leave it"),
            "two: a (x) against b (y); leave it",
        ),
    ],
)
def test_text_has_place_and_reason_and_survives_a_process(error, text):
    assert str(error) == text
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.at, again.reason) == (
        type(error),
        text,
        error.at,
        error.reason,
    )


def test_file_is_named_as_an_output_names_it():
    here = os.path.join("home", "pack")  # noqa: PTH118
    error = UnreadableFile("home is where it is: broken", os.path.join(here, "match", "a.xg"))  # noqa: PTH118
    assert error.below(here) == f"match{os.sep}a.xg: home is where it is: broken"
    assert error.below("elsewhere", here) == error.below(here)
    assert error.below("elsewhere") == str(error)
    assert error.briefly() == "a.xg: home is where it is: broken"
    assert error.apart_from(error.at.name) == "home is where it is: broken"
    assert error.apart_from("another") == str(error)


def test_sides_of_two_matches_are_named_without_folders():
    error = NotTheSameMatch("not the same match", [("in/a: b.xg", "x"), ("in/c.sgf", "y")])
    assert error.briefly() == "not the same match: a: b.xg (x) against c.sgf (y)"
