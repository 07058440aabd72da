"""What a check is: one ordinary mistake behind figures that do not fit, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from reconcile.document import Count, Document, Positive, Text
from reconcile.infer.reported import Reported
from reconcile.infer.run import Case
from reconcile.match.columns import Bools, Floats, KindName

MOST_ACCIDENTS: Final = 0.5
"""Fits by chance to be expected among the alternatives of a check; with more it says nothing."""
SAFE: Final = 0.05
"""With more of them the sentence says that it can be chance."""
MOST_IF_EXPLAINED: Final = 0.001
"""The same where the rules of another program give the figures, and for the rules of another program: only several figures reach it."""


@dataclass(frozen=True, slots=True)
class Place(Document):
    """A decision of a match."""

    match: Text
    """Id of the match."""
    player: Text
    """Who decided."""
    game: Positive
    """Number of the game, from 1."""
    turn: Count
    """Number of the turn, from 1."""
    kind: KindName
    """What was decided."""
    error: float
    """Equity lost (EMG)."""
    xgid: str
    """As XG takes it; empty where there is no such ID."""
    gnubg_id: str
    """gnuBG's `Position ID:Match ID`; empty where there is no such ID."""

    def __str__(self) -> str:
        return f"game {self.game}, turn {self.turn} ({self.kind}, error {self.error:.3f}{f', {self.xgid}' if self.xgid else ''})"


@dataclass(frozen=True, slots=True)
class Fit:
    """An alternative that accounts for the given figures."""

    sentence: str
    values: Floats
    chance: float
    """How likely one alternative fits by chance."""
    tried: int = 1
    """How many alternatives the check has."""
    kinds: tuple[str, ...] = ("",)
    """Those of them that do, in words (`twice`, the name of a table): of one program one is the same in every match."""
    others: int = 0
    """How many figures it accounts for beside those that depend on rules."""
    figures: Mapping[str, float | None] | None = None
    """All figures of the player with the mistake, where others than those that depend on rules are not the file's; what is left out is
    not known."""
    places: tuple[Place, ...] = ()
    """The decisions that it may be, where it is about one."""

    @property
    def accidents(self) -> float:
        """How many of the check's alternatives can be expected to fit by chance."""
        return self.tried * self.chance


Finder = Callable[[Case, str], "Fit | None"]


@dataclass(frozen=True, slots=True)
class Check:
    """One ordinary mistake."""

    code: str
    title: str
    brief: str
    """What a program does that makes it in every match; `{kind}` is that of the fit."""
    page: str
    finder: Finder
    """Holds the figures against a rule set."""
    last: bool
    """Whether it is tried only if nothing else accounts for the figures."""
    own: bool
    """Whether it is tried under the file's own rules alone."""
    fitting: bool
    """Whether it is about figures that the rules give."""

    def find(self, case: Case, rules: str) -> Fit | None:
        """Hold the case against a rule set: figures that the rules give need no check."""
        if not self.fitting and case.fits(case.figures(rules)).all():
            return None
        return self.finder(case, rules)


def check(
    code: str,
    title: str,
    brief: str,
    *,
    last: bool = False,
    own: bool = False,
    fitting: bool = False,
) -> Callable[[Finder], Check]:
    """Make a check of a function, whose docstring is the check's page."""

    def make(find: Finder) -> Check:
        return Check(
            code=code,
            title=title,
            brief=brief,
            page=find.__doc__ or "",
            finder=find,
            last=last,
            own=own,
            fitting=fitting,
        )

    return make


def instead(case: Case, rules: str, values: Floats) -> Bools | None:
    """Which figures are these instead of ours; `None` unless they account for all that do not fit, and for any.

    A figure that fits as it is need not be one of these: not every figure of a program goes through the same mistake.
    """
    plain = case.fits(case.figures(rules))
    return None if plain.all() or not (plain | case.fits(values)).all() else ~plain


def chosen(case: Case, values: Floats, which: Bools) -> list[tuple[Reported, float]]:
    """The given figures that are marked, each with its value here."""
    return [
        (one, value)
        for one, value, here in zip(case.wanted, values.tolist(), which, strict=True)
        if here
    ]
