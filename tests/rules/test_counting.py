"""Q01 to Q04, which decisions count: every answer has a hand-made decision that tells it apart from
every other answer."""

from __future__ import annotations

import numpy as np
import pytest

from reconcile.match.columns import UNKNOWN_COUNT, Kind, Validity
from reconcile.rules import QUESTIONS
from tests.support.hand_made import NAN, cubes, judged, match_of, plays, view

PLAYS = {
    "flagged, spread": plays(flag=[1]),
    "not flagged, no spread": plays(spread=[0.0]),
    "not flagged, one legal play": plays(legal=[1], spread=[0.0]),
    "illegal": plays(validity=[Validity.ILLEGAL]),
    "unplayed": plays(validity=[Validity.UNPLAYED], legal=[UNKNOWN_COUNT], spread=[NAN]),
    "dance": plays(legal=[0], flag=[1], spread=[NAN]),
    "spread just too small": plays(spread=[0.000_099]),
    "spread just large enough": plays(spread=[0.000_1]),
    "equal to the thousandth, every legal play kept": plays(
        legal=[16], spread=[0.0004], highest=[0.5004]
    ),
    "equal to the thousandth, list cut": plays(spread=[0.0004], highest=[0.5004]),
    "spread of a thousandth": plays(spread=[0.001]),
    "spread just above a thousandth": plays(spread=[0.001_001]),
    "no flag in the format": plays(flag=[-1]),
    "usual": plays(),
}
NO_CHOICE = {"not flagged, one legal play", "unplayed", "dance"}
COUNTED_PLAYS = {
    "xg-flag": set(PLAYS)
    - {"flagged, spread", "illegal", "unplayed", "dance", "no flag in the format"},
    "xg-spread": set(PLAYS)
    - NO_CHOICE
    - {"not flagged, no spread", "illegal", "spread just too small"},
    "gnubg": set(PLAYS) - NO_CHOICE,
    "blunderdb": set(PLAYS)
    - NO_CHOICE
    - {"illegal", "equal to the thousandth, every legal play kept"},
    "bgblitz": set(PLAYS)
    - NO_CHOICE
    - {name for name in PLAYS if name.startswith(("equal to the", "spread"))}
    - {"not flagged, no spread"}
    | {"spread just above a thousandth"},
    "all-plies": set(PLAYS) - {"unplayed"},
}


@pytest.mark.parametrize(("answer", "counted"), COUNTED_PLAYS.items())
def test_q01_plays_that_count(answer: str, counted: set[str]) -> None:
    rule = QUESTIONS["Q01"].answers[answer].value
    assert {name for name, each in PLAYS.items() if rule(each)[0]} == counted


VIEWS = {
    "0.15 short of doubling": view(0.50, 0.35),
    "0.17 short of doubling": view(0.50, 0.33),
    "0.21 short of doubling": view(0.50, 0.29),
    "0.30 short of doubling": view(0.50, 0.20),
    "0.20004 short of doubling": view(0.50, 0.29996),
    "right to double": view(0.50, 0.90),
    "wrong by far not to double": view(0.00, 0.60),
    "0.15 short of doubling, the play does not count": view(0.50, 0.35, play_counts=False),
    "right to double, the play does not count": view(0.50, 0.90, play_counts=False),
    "too good by 0.10": view(1.10, 1.30),
    "too good by 0.18": view(1.18, 1.30),
    "too good by 0.30": view(1.30, 1.50),
    "losing slightly": view(-0.05, -0.10),
    "losing badly": view(-0.95, -1.05),
    "losing, no double alone below -0.9": view(-0.91, -0.89),
    "exactly 0": view(0.0, -0.1),
    "doubling changes nothing": view(0.30, 0.30),
    "doubling changes nothing, with a stored error": view(0.30, 0.30, stored_error=0.0001),
    "doubling changes 0.0009": view(0.30, 0.3009),
    "doubling changes 0.0011": view(0.30, 0.3011),
    "missed double of the losing side": view(-0.20, -0.10),
    "missed double, both below -0.9": view(-0.95, -0.92),
    "double that changes nothing": view(0.30, 0.30, kind=Kind.DOUBLE),
    "double that costs 0.0011": view(0.3011, 0.30, kind=Kind.DOUBLE),
    "right double, both below -0.9": view(-0.95, -0.92, kind=Kind.DOUBLE),
    "take worth as much as a pass": view(0.80, 0.9995, kind=Kind.TAKE),
    "pass that gains 0.0011": view(0.80, 1.0011, kind=Kind.PASS),
    "not allowed to double": view(0.50, 0.90, access=False),
    "not analysed": view(NAN, NAN, NAN),
    "without equities, marked as a decision": view(NAN, NAN, NAN, flag=0),
    "without equities, marked as none": view(NAN, NAN, NAN, flag=1),
}
UNKNOWN = {
    "not analysed",
    "without equities, marked as a decision",
    "without equities, marked as none",
}
TRIVIAL = {
    "double that changes nothing",
    "right double, both below -0.9",
    "take worth as much as a pass",
}
FAR = {
    "0.20004 short of doubling",
    "0.21 short of doubling",
    "0.30 short of doubling",
    "too good by 0.30",
} | UNKNOWN
LOSING_BADLY = {"losing badly"}
BOTH_BELOW = LOSING_BADLY | {"missed double, both below -0.9", "right double, both below -0.9"}
LOSING = BOTH_BELOW | {
    "losing slightly",
    "losing, no double alone below -0.9",
    "missed double of the losing side",
}
NOT_WINNING = LOSING | {"exactly 0", "wrong by far not to double"}
OPTIONAL = {
    "doubling changes nothing",
    "doubling changes nothing, with a stored error",
    "doubling changes 0.0009",
}
COUNTED_VIEWS = {
    ("Q02", "xg"): set(VIEWS) - FAR,
    ("Q02", "xg-rounded"): set(VIEWS) - FAR | {"0.20004 short of doubling"},
    ("Q02", "bgblitz"): set(VIEWS) - FAR - {"0.15 short of doubling, the play does not count"},
    ("Q02", "gnubg"): set(VIEWS) - FAR - {"0.17 short of doubling", "too good by 0.18"},
    ("Q02", "gnubg-manual"): set(VIEWS)
    - {"0.30 short of doubling", "wrong by far not to double"}
    - UNKNOWN,
    ("Q02", "window-0.16"): set(VIEWS)
    - FAR
    - {
        "0.17 short of doubling",
        "too good by 0.18",
        "right to double",
        "right to double, the play does not count",
    }
    - {
        "wrong by far not to double",
        "not allowed to double",
        "take worth as much as a pass",
        "pass that gains 0.0011",
    },
    ("Q02", "marked"): {"without equities, marked as a decision"},
    ("Q03", "nd-positive"): set(VIEWS) - NOT_WINNING - UNKNOWN,
    ("Q03", "minus-0.9"): set(VIEWS) - BOTH_BELOW,
    ("Q03", "minus-0.9-right"): set(VIEWS) - LOSING_BADLY,
    ("Q03", "minus-0.5"): set(VIEWS) - BOTH_BELOW - {"losing, no double alone below -0.9"},
    ("Q03", "all"): set(VIEWS),
    ("Q04", "yes"): set(VIEWS),
    ("Q04", "within-0.001-no"): set(VIEWS) - OPTIONAL,
    ("Q04", "trivial-no"): set(VIEWS) - OPTIONAL - TRIVIAL,
    ("Q04", "no-unless-error"): set(VIEWS) - OPTIONAL
    | {"doubling changes nothing, with a stored error"},
}


@pytest.mark.parametrize(("question", "counted"), COUNTED_VIEWS.items())
def test_no_doubles_that_count(question: tuple[str, str], counted: set[str]) -> None:
    code, answer = question
    rule = QUESTIONS[code].answers[answer].value
    assert {name for name, each in VIEWS.items() if rule(each)[0]} == counted


@pytest.mark.parametrize(("answer", "width"), [("xg", 0.200), ("gnubg", 0.160), ("bgblitz", 0.200)])
def test_q02_window_is_open_at_its_border(answer: str, width: float) -> None:
    rule = QUESTIONS["Q02"].answers[answer].value
    assert not rule(view(width, 0.0))[0]
    assert rule(view(np.nextafter(width, 0), 0.0))[0]


@pytest.mark.parametrize("answer", ["xg", "gnubg"])
def test_doubles_and_answers_always_count(answer: str) -> None:
    far = cubes(
        3, kind=[Kind.DOUBLE, Kind.TAKE, Kind.PASS], no_double=[0.9] * 3, double_take=[-0.9] * 3
    )
    assert judged(match_of(cube=far), "Q02", answer).counted.tolist() == [True] * 3
