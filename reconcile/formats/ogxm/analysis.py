"""The unit of the values of an analysis in an OGXM document.

In match play values are match winning chances, so the score, the cube and a match equity table make
equities of them, turn by turn. A document names the table, and GammonView writes down what
BGBlitz's comes to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, Final

import numpy as np

from reconcile.formats.evaluated import Place, places
from reconcile.formats.ogxm.model import EQUITY
from reconcile.formats.ogxm.record import RESIGNATIONS, Action
from reconcile.formats.values import Damaged, text
from reconcile.match.columns import Cubes, Plays, Resignations
from reconcile.match.match import Match
from reconcile.match.met import AnyMet, Met, load_met, met_names
from reconcile.match.met.equity import stakes

CURRENCIES: Final = {True: "cubeful", False: "cubeful_match"}
"""The codec's word for equity in money play, and for match winning chance, both with the cube in
play."""
STATED: Final = re.compile(
    r"(\d{1,6}):(?:(-?\d{0,2}(?:\.\d{1,12})?):(-?\d{0,2}(?:\.\d{1,12})?))?", re.ASCII
)
"""A frame as GammonView writes it: the number of an action, White's chance at equity 0, and what an
equity of 1 adds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A chance of winning the match at equity 0, and what an equity of 1 adds to it; for money 0
    and 1."""

    middle: float
    half: float
    places: int = 15
    """Decimals of an equity; GammonView keeps four, which a chance of six gives back."""

    def equity(self, value: float) -> float:
        """The equity (EMG) of a value of the document."""
        return self.change(value - self.middle)

    def change(self, value: float) -> float:
        """The difference of two equities, of two values."""
        return round(value / self.half, self.places) if self.half else float("nan")


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of every turn, in the view of the player on roll; the cube is that before a
    double."""

    rolls: Mapping[Place, Frame]
    cubes: Mapping[Place, Frame]
    resigned: Mapping[int, Frame]
    """At the end of a game that was resigned, by its number."""
    table: str = ""
    """Name of the match equity table; empty where GammonView states the frames, and for
    equities."""


def frames(
    info: dict[str, Any],
    own: Mapping[str, str],
    base: Match,
    doings: list[Action],
    met: AnyMet | None,
    unit: str,
) -> Frames:
    """The frames of an analysis (`info`) of a transcript, `own` is what GammonView keeps of it,
    `unit` that of its values. Raises `Damaged` for a match equity table that is needed and not
    known.

    `met` is used where a document names none that is known.
    """
    in_equity = unit in (EQUITY, CURRENCIES[True])
    places = 4 if own or unit == EQUITY else 15
    stated = _stated(own.get("frame", ""), places)
    if stated:
        return _written(stated, doings)
    named = text(info, "met_id")
    table = {_plain(name): name for name in met_names()}.get(_plain(named), met)
    if table is None and not in_equity:
        raise Damaged(
            "expected the match equity table of its match winning chances, found "
            f"{f'{named[:40]!r}, which is not known here' if named else 'none'}; name it with --met"
        )
    return _frames_of(base, None if in_equity or table is None else load_met(table), places)


def _written(stated: list[tuple[int, Frame | None]], doings: list[Action]) -> Frames:
    """The frames that GammonView has written down. Raises `Damaged` for a decision without one."""
    refs = [ref for ref, _ in stated]
    cubes, rolls, resigned = dict[Place, Frame](), dict[Place, Frame](), dict[int, Frame]()
    for action in doings:
        at = bisect_right(refs, action.ref) - 1
        frame = stated[at][1] if at >= 0 else None
        if frame is None:
            raise Damaged("no match equity table for some of its decisions")
        if action.action in RESIGNATIONS:
            resigned[action.place[0]] = frame
            continue
        # The double comes before its answer, so the first of a turn is the player on roll.
        (rolls if action.is_roll else cubes).setdefault(
            action.place, frame if action.white else replace(frame, middle=1 - frame.middle)
        )
    return Frames(rolls, {**rolls, **cubes}, resigned)


def _plain(name: str) -> str:
    """A name of a table without case and punctuation, in which programs differ."""
    return "".join(filter(str.isalnum, name)).casefold()


def _frames_of(match: Match, met: Met | None, digits: int) -> Frames:
    """The frames of every turn of a match by a match equity table; without one values are
    equities."""
    tables = match.plays, match.cubes, match.resignations
    most = int(max(table.cube.max(initial=1) for table in tables))
    at_stake = None if met is None else stakes(match, met, most)

    def frames_of(table: Plays | Cubes | Resignations) -> list[Frame]:
        if at_stake is None:
            return [Frame(0.0, 1.0, digits)] * len(table)
        win, lose = (
            chances.astype(np.float64)
            for chances in at_stake.of(table.game, table.player, table.cube)
        )
        pairs = zip(((win + lose) / 2).tolist(), ((win - lose) / 2).tolist(), strict=True)
        return [Frame(middle, half, digits) for middle, half in pairs]

    # The first of a turn is the player on roll; who answers a double comes later.
    rolls, cubes = (
        dict(reversed([*zip(places(match, table), frames_of(table), strict=True)]))
        for table in tables[:2]
    )
    numbers = match.games.number[match.resignations.game].tolist()
    at_end = frames_of(match.resignations)
    resigned = dict(zip(numbers, at_end, strict=True))  # a difference is the same for both players
    return Frames(rolls, cubes, resigned, "" if met is None else met.name)


def _stated(frames: str, places: int) -> list[tuple[int, Frame | None]]:
    """The frames that GammonView writes down of an analysis, each from an action on. Raises
    `Damaged`."""
    stated: list[tuple[int, Frame | None]] = []
    for entry in filter(None, frames.split(",")):
        frame = STATED.fullmatch(entry)
        if frame is None:
            raise Damaged(f"expected a frame of GammonView, found {entry[:40]!r}")
        number, middle, half = frame.groups()
        of_action = None if middle is None else Frame(float(middle or 0), float(half or 0), places)
        stated.append((int(number), of_action))
    return sorted(stated, key=itemgetter(0))
