"""Rows: a headline, and below it numbers with names. Every output lays them out in its own way, and
says the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from reconcile.document import Positive, Row
from reconcile.language import Number, say, word
from reconcile.match.columns import KindName
from reconcile.scoring.findings import NOTES, Finding
from reconcile.wording import MINUS

PLACE: Final = {
    "game": (Positive, "Number of the game, from 1."),
    "turn": (Positive, "Number of the turn in the game, from 1, counting both players."),
    "kind": (KindName, "What was decided."),
}
"""Where a decision is: columns of every table of decisions."""


class Place(NamedTuple):
    """Where a decision is; the numbers are from 1, and turns count both players."""

    game: int
    turn: int
    kind: str

    def __str__(self) -> str:
        return say("row.place", kind=word("kind", self.kind), game=self.game, turn=self.turn)


def place_of(row: Row) -> Place:
    """That of a row of a table of decisions."""
    return Place(*(row[name] for name in PLACE))


ACTIONS: Final = frozenset(
    ("no double", "double", "double, take", "double, pass", "take", "pass", "cannot move")
)
"""The actions of a cube, and none at all."""


def action_words(action: str) -> str:
    """What an action is called that is no play, which is as it is noted."""
    is_play = action not in ACTIONS
    return action if is_play else word("action", action.replace(",", "").replace(" ", "-"))


class Line(NamedTuple):
    """A row: a number or a word, what it belongs to, and what there is to say of it."""

    lead: str
    words: str
    detail: str = ""
    place: Place | None = None
    """The decision that the words name."""

    def __str__(self) -> str:
        words = " ".join(filter(None, (self.lead, self.words)))
        return f"{words}: {self.detail}" if self.detail else words


class Rows(NamedTuple):
    """A headline with the rows below it: what is said of a player, or of the match."""

    headline: str
    lines: Sequence[Line] = ()
    player: str = ""
    """Whose it is; empty for the match."""

    def story(self) -> list[str]:
        """The same as strings."""
        return [self.headline, *map(str, self.lines)]


def story(every: Iterable[Rows], notes: Iterable[str]) -> tuple[str, ...]:
    """Headlines, rows and notes as strings, in reading order."""
    return (*chain.from_iterable(rows.story() for rows in every), *notes)


def hundredths(value: float) -> int:
    """A number as it is printed with two decimals, in hundredths."""
    return round(100 * float(f"{value:.2f}"))


def signed(number: int) -> str:
    """Hundredths with a sign and two decimals; 0 has none."""
    sign = (number > 0) - (number < 0)
    return Number(f"{('', '+', MINUS)[sign]}{abs(number) / 100:.2f}")


def apart(first: float, second: float) -> tuple[str, str]:
    """Two errors with three decimals, or with as many as show that they differ."""
    for digits in (3, 4, 5, 6):
        numbers = f"{first:.{digits}f}", f"{second:.{digits}f}"
        if numbers[0] != numbers[1]:
            return Number(numbers[0]), Number(numbers[1])
    return Number(f"{first:.3f}"), Number(f"{second:.3f}")


def span(ends: Sequence[str]) -> str:
    """One number, or from one to another."""
    first, last = ends[0], ends[-1]
    return first if first == last else say("row.span", first=first, last=last)


def noted(findings: Iterable[tuple[str, Finding]], players: Iterable[str]) -> list[str]:
    """The findings that are notes, each with what its file is called (empty for all files), of
    these players."""
    shown = {None, *players}
    chosen = [
        (NOTES.index(finding.code), finding.note(label))
        for label, finding in findings
        if finding.code in NOTES and finding.player in shown
    ]
    return list(dict.fromkeys(words for _, words in sorted(chosen, key=lambda note: note[0])))
