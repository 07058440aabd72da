"""The unit of the values of an analysis in an OGXM document.

In match play values are match winning chances, so the score, the cube and a match equity table make
equities of them, turn by turn. A document names the table, and GammonView writes down what
BGBlitz's comes to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

import numpy as np

from reconcile.formats.evaluated import Place, places
from reconcile.formats.ogxm.record import LAST_ROLL, RESIGNATIONS, Action
from reconcile.formats.values import Damaged, text
from reconcile.match.columns import Cubes, Plays, Resignations
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, AnyMet, Met, load_met, met_names
from reconcile.match.met.equity import stakes

CURRENCIES: Final = {True: "cubeful", False: "cubeful_match"}
"""The codec's word for equity in money play, and for match winning chance, both with the cube in
play."""
GAMMONVIEW: Final = "x-gammonview-analysis/"
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

    def equity(self, value: float) -> float:
        """The equity (EMG) of a value of the document."""
        return (value - self.middle) / self.half if self.half else float("nan")


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of every turn, in the view of the player on roll; the cube is that before a
    double."""

    rolls: Mapping[Place, Frame]
    cubes: Mapping[Place, Frame]
    resigned: Mapping[int, float]
    """By the number of a game that was resigned, what an equity of 1 adds to a chance at its
    end."""
    table: str = ""
    """Name of the match equity table; empty where GammonView states the frames, and for money."""


def frames(
    document: dict[str, Any],
    info: dict[str, Any],
    base: Match,
    doings: list[Action],
    met: AnyMet | None,
) -> Frames:
    """The frames of an analysis (`info`) of a transcript. Raises `Damaged` for a match equity table
    that is needed and not known.

    `met` is used where a document names none that is known.
    """
    stated = _stated(document, text(info, "analysis_id"))
    if stated:
        refs = [ref for ref, _ in stated]
        by_place: tuple[dict[Place, Frame], dict[Place, Frame]] = ({}, {})
        resigned = {}
        for action in doings:
            at = bisect_right(refs, action.ref) - 1
            frame = stated[at][1] if at >= 0 else None
            if frame is None:
                raise Damaged("no match equity table for some of its decisions")
            if action.action in RESIGNATIONS:
                resigned[action.place[0]] = frame.half
                continue
            # The double comes before its answer, so the first of a turn is the player on roll.
            by_place[action.action > LAST_ROLL].setdefault(
                action.place, frame if action.white else Frame(1 - frame.middle, frame.half)
            )
        return Frames(by_place[0], {**by_place[0], **by_place[1]}, resigned)
    named = text(info, "met_id")
    table = {_plain(name): name for name in met_names()}.get(_plain(named), met)
    if table is None and not base.is_money:
        raise Damaged(
            "expected the match equity table of its match winning chances, found "
            f"{f'{named[:40]!r}, which is not known here' if named else 'none'}; name it with --met"
        )
    return _frames_of(base, load_met(DEFAULT_MET if table is None else table))


def _plain(name: str) -> str:
    """A name of a table without case and punctuation, in which programs differ."""
    return "".join(filter(str.isalnum, name)).casefold()


def _frames_of(match: Match, met: Met) -> Frames:
    """The frames of every turn of a match by a match equity table."""
    tables = match.plays, match.cubes, match.resignations
    at_stake = stakes(match, met, int(max(table.cube.max(initial=1) for table in tables)))

    def frames_of(table: Plays | Cubes | Resignations) -> list[Frame]:
        if match.is_money:
            return [Frame(0.0, 1.0)] * len(table)
        win, lose = (
            chances.astype(np.float64)
            for chances in at_stake.of(table.game, table.player, table.cube)
        )
        return [*map(Frame, ((win + lose) / 2).tolist(), ((win - lose) / 2).tolist())]

    # The first of a turn is the player on roll; who answers a double comes later.
    rolls, cubes = (
        dict(reversed([*zip(places(match, table), frames_of(table), strict=True)]))
        for table in tables[:2]
    )
    numbers = match.games.number[match.resignations.game].tolist()
    halves = (frame.half for frame in frames_of(match.resignations))
    resigned = dict(zip(numbers, halves, strict=True))  # the same for both players
    return Frames(rolls, cubes, resigned, "" if match.is_money else met.name)


def _stated(document: dict[str, Any], name: str) -> list[tuple[int, Frame | None]]:
    """The frames that GammonView writes down of an analysis, each from an action on. Raises
    `Damaged`."""
    pieces: dict[int, str] = {}
    for annotation in document.get("annotations") or []:
        key, _, number = str(annotation.get("key")).partition("~")
        if (
            key == GAMMONVIEW + name
            and type(annotation.get("value")) is str
            and (not number or re.fullmatch("[0-9]{1,4}", number))
        ):
            pieces[int(number or 0)] = annotation["value"]
    value = "".join(piece for _, piece in sorted(pieces.items()))
    listed = next(
        (item.removeprefix("frame=") for item in value.split(";") if item.startswith("frame=")), ""
    )
    stated: list[tuple[int, Frame | None]] = []
    for entry in filter(None, listed.split(",")):
        frame = STATED.fullmatch(entry)
        if frame is None:
            raise Damaged(f"expected a frame of GammonView, found {entry[:40]!r}")
        number, middle, half = frame.groups()
        of_action = None if middle is None else Frame(float(middle or 0), float(half or 0))
        stated.append((int(number), of_action))
    return sorted(stated, key=itemgetter(0))
