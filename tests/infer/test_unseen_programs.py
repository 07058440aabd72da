"""Forty programs with a fault each, written before the catalogue of faults: what the diagnosis of
eight matches and the suite name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

import pytest

from reconcile.infer.program import diagnose
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS
from reconcile.suite.diagnosis import diagnosed
from tests.support.data import matching, present
from tests.support.faulty import subjects
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.planted import UNSEEN, printed, suite_run

GIVEN: Final = (
    "pr", "snowie_er", "decisions.counted", "decisions.checker", "decisions.double",
    "decisions.take", "moves.total", "equity_error.total", "equity_error.checker",
    "equity_error.take", "mwc_loss_percent.total", "luck.equity",
)  # fmt: skip
MATCHES: Final = ("m02", "m03", "m05", "m26", "m30", "m42", "m44", "m49")
NAMED: Final[Mapping[str, tuple[str, str]]] = {
    "last game": ("last-game-left-out", "last-game-left-out"),
    "first game": ("first-game-left-out", "first-game-left-out"),
    "first game twice": ("game-twice", "game-twice"),
    "resigned games": ("", ""),
    "games of the first": ("", "games-of-winner-only"),
    "last roll": ("last-turns-not-read", "last-turns-not-read"),
    "opening roll": ("first-turns-not-read", "first-turns-not-read"),
    "forty rolls": ("late-turns-not-read", ""),
    "passes": ("passes-not-read", "passes-not-read"),
    "redoubles": ("redoubles-not-read", "redoubles-not-read"),
    "cube not reset": ("cube-not-reset", ""),
    "gammons twice": ("gammons-doubled", "gammons-doubled"),
    "score turned": ("score-swapped", "score-swapped"),
    "opener first": ("players-by-opening", "players-by-opening"),
    "no scores": ("score-ignored", "score-ignored"),
    "luck of dances": ("luck-without-dances", "luck-without-dances"),
    "dances count": ("dances-counted", "dances-counted"),
    "after a dance": ("no-doubles-after-dances-left-out", "no-doubles-after-dances-left-out"),
    "after Crawford": ("post-crawford-cubes-dropped", "post-crawford-cubes-dropped"),
    "takes to the doubler": ("answers-errors-to-doubler", "answers-errors-to-doubler"),
    "takes to both": ("answers-charged-to-both", "answers-charged-to-both"),
    "doublets twice": ("doublets-counted-twice", "doublets-counted-twice"),
    "doubles twice": ("doubles-counted-twice", ""),
    "takes merged": ("answers-among-doubles", "answers-among-doubles"),
    "window 0.1": ("window-moved", "window-moved"),
    "missed doubles": ("missed-doubles-forgiven", "missed-doubles-forgiven"),
    "wrong passes": ("passes-doubled", "passes-doubled"),
    "cut at a half": ("large-errors-cut", "large-errors-cut"),
    "thousandths": ("rounded-errors", "errors-truncated-to-3"),
    "cube at 1": ("errors-times-cube", "errors-times-cube"),
    "Woolsey's table": ("other-match-equity-table", "table-of-woolsey"),
    "mean of games": ("mean-pr-of-games", "mean-pr-of-games"),
    "mean of parts": ("mean-of-parts", "mean-of-parts"),
    "net luck": ("luck-is-net", "luck-is-net"),
    "first for both": ("one-players-figures-for-both", "one-players-figures-for-both"),
    "exchanged and xg": ("other-player", "players-swapped"),
    "PR doubled": ("factor", "pr-scaled"),
    "fractions": ("factor", "mwc-loss-fraction"),
    "luck goes on": ("state-kept", "state-kept"),
    "moves of the player": ("snowie-own-moves", "snowie-own-moves"),
}
"""The first cause that is named, by eight matches and by the suite; empty where it is not known.
None is another one."""
FIRST: Final = ("last game", "exchanged and xg", "PR doubled", "first for both")


@cache
def matches() -> tuple[Match, ...]:
    return tuple(loaded(path) for name in MATCHES for path in matching(f"gnubg/{name}_*.sgf"))


@pytest.mark.skipif(not present(), reason="no folder of real matches")
@pytest.mark.parametrize("name", long_but_first(dict.fromkeys((*FIRST, *UNSEEN)), 2, 6))
def test_twelve_figures_of_eight_matches_name_the_fault_or_nothing(name: str) -> None:
    answers = UNSEEN[name].answers(matches(), RULE_SETS["gnubg"])
    outputs = [
        {seat: printed(figures, GIVEN) for seat, figures in enumerate(both)} for both in answers
    ]
    result = diagnose("prog", subjects(list(zip(matches(), outputs, strict=True))))
    assert result is not None
    assert [fault.code for fault in result.faults[:1]] == [*filter(None, [NAMED[name][0]])]
    assert not (NAMED[name][0] and result.sure in ("open", "none"))


@pytest.mark.long
@pytest.mark.parametrize("name", UNSEEN)
def test_suite_names_the_fault_or_nothing(name: str) -> None:
    result = diagnosed(suite_run(UNSEEN[name]))
    assert [fault.code for fault in result[:1]] == [*filter(None, [NAMED[name][1]])]
