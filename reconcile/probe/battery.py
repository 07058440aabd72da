"""The contrasts as files, and the figures that every combination of answers gives for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from types import MappingProxyType
from typing import Final

import numpy as np

from reconcile.adapters import read_match
from reconcile.adapters.writers import match as written
from reconcile.adapters.writers import sgf, xg
from reconcile.match import Match
from reconcile.met import DEFAULT_MET, load_met
from reconcile.met.equity import chance_of, stakes
from reconcile.probe.contrasts import SGF, Contrast, contrasts, plain
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics

BASE: Final = RULE_SETS["gnubg"]
"""Answers the questions that a contrast is not about; by `Contrast.about` any other rule set would do."""
SEAT: Final = 0
"""Of the studied player."""
DIGITS: Final = 9
"""Of a match winning chance in a file."""

Figures = Mapping[str, float | None]
Answers = tuple[str, ...]
"""One answer to each question of some."""


def content_of(made: written.Match, form: str) -> bytes:
    """The bytes of a synthetic match in a format; the same every time."""
    return sgf.write(_in_chances(made)) if form == SGF else xg.write(made)


def _in_chances(made: written.Match) -> written.Match:
    """The same with its cube decisions in match winning chance, as gnuBG stores them; as it is for money play."""
    if made.length is None:
        return made
    blank = read_match("probe.xg", xg.write(made))
    at_stake = stakes(blank, load_met(DEFAULT_MET), 4)

    def chance(equity: float, game: int, player: int, value: int) -> float:
        win, lose = at_stake.of(np.array([game]), np.array([player - 1]), np.array([value]))
        return float(chance_of(np.array([equity]), win, lose)[0])

    games = []
    for number, game in enumerate(made.games):
        turns, value = [], 1
        for turn in game.turns:
            cube, seat = turn.cube, turn.player
            if cube.no_double is not None and cube.double_take is not None:
                no_double, double_take = (
                    replace(one, equity=round(chance(one.equity, number, seat, value), DIGITS))
                    for one in (cube.no_double, cube.double_take)
                )
                cube = replace(cube, no_double=no_double, double_take=double_take)
            turns.append(replace(turn, cube=cube))
            value *= 2 if cube.take == written.Take.TAKE else 1
        games.append(replace(game, turns=tuple(turns)))
    return replace(made, games=tuple(games))


def figures_of(match: Match, rules: RuleSet) -> Figures:
    """The studied player's figures of a match under some rules."""
    return Statistics(score(match, rules, load_met(DEFAULT_MET))).figures(SEAT)


@dataclass(frozen=True)
class PredictedContrast:
    """A contrast in a format, with the figures under every combination of the answers that it is about."""

    contrast: Contrast
    form: str

    @cached_property
    def content(self) -> bytes:
        """The file."""
        return content_of(self.contrast.match, self.form)

    @cached_property
    def match(self) -> Match:
        """The file as our reader reads it."""
        return read_match(f"{self.contrast.key}.{self.form}", self.content)

    @cached_property
    def predicted(self) -> Mapping[Answers, Figures]:
        """The figures by the answers to `about`, in its order."""
        about = self.contrast.about
        answers = [supported(self.form)[code] for code in about]
        return {names: self.under(dict(zip(about, names, strict=True))) for names in product(*answers)}

    def under(self, answers: Mapping[str, str]) -> Figures:
        """The figures with some answers of `BASE` replaced."""
        figures = figures_of(self.match, replace(BASE, answers=MappingProxyType({**BASE.answers, **answers})))
        return {name: figures[name] for name in self.contrast.figures}


@cache
def sheets(form: str) -> tuple[PredictedContrast, ...]:
    """All contrasts of a format."""
    return tuple(PredictedContrast(one, form) for one in contrasts(form))


@cache
def plain_sheet(form: str) -> PredictedContrast:
    """The contrast on which all rules agree."""
    return PredictedContrast(plain(), form)


@cache
def supported(form: str) -> Mapping[str, Answers]:
    """By question, the answers for which files of this format have what they need."""
    match = plain_sheet(form).match
    return {code: tuple(name for name, one in question.answers.items() if one.applies(match)) for code, question in QUESTIONS.items()}
