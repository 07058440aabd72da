"""The head of a match's page: who won, what was played where and when, and every game with its score and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final, NamedTuple

import numpy as np

from reconcile.files.wording import listed
from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Match
from reconcile.match.tools import GNUBG
from reconcile.report.html.decision_list import Seen
from reconcile.report.words import length_text
from reconcile.scoring.findings import SYNTHETIC

ENDINGS: Final = {2: "gammon", 3: "backgammon"}


class GameLine(NamedTuple):
    """A game of the strip."""

    number: int
    key: str
    """The address of its first decision."""
    score: str
    """Before it."""
    result: str
    ending: str


def masthead(seen: Seen) -> dict[str, Any]:
    """What the template is given of it. Of files that differ, XG's or BGBlitz's say when and where: gnuBG's day may be that of an import."""
    matches = [one.match for one in seen.scored]
    first = min(matches, key=lambda match: match.source.tool == GNUBG.name)
    won, against = _outcome(seen)
    by = [f"by {listed(seen.labels)}"] if (seen.error == seen.error).any() else []
    return {
        "won": won,
        "head": " · ".join([against, *_facts(first), *by]),
        "other_facts": [
            f"{label}'s file says: {', '.join(_said(match))}."
            for label, match in zip(seen.labels, matches, strict=True)
            if _said(match) and _said(match) != _said(first)
        ],
        "strip": list(_games(seen)),
    }


def _final(match: Match) -> list[int]:
    """Points of both players after the last game, at most the length of the match."""
    if not len(match.games):
        return [0, 0]
    points = match.games.score[-1].tolist()
    winner = int(match.games.winner[-1])
    if winner >= 0:
        points[winner] += int(match.games.points[-1])
    return [min(count, match.length or count) for count in points]


def _outcome(seen: Seen) -> tuple[str, str]:
    """Who won by how much, and against whom; of a match without an end both names, and why."""
    match, points = seen.match, _final(seen.match)
    leader = int(points[1] > points[0])
    winner, loser = match.names[leader], match.names[1 - leader]
    score = f"{points[leader]}–{points[1 - leader]}"
    if points[0] == points[1] or not (match.complete or match.is_money):
        result = f"{winner} – {loser}, {score}"
    else:
        result = f"{winner} won {score}"
    if match.complete and points[0] != points[1]:
        return result, f"against {loser}"
    return result, "money session" if match.is_money else "unfinished"


def _facts(match: Match) -> Iterator[str]:
    if not match.is_money:
        yield length_text(match.length)
    yield from _said(match)


def _said(match: Match) -> list[str]:
    """Event, round, place and day as a file has them."""
    event = "" if match.event.startswith(SYNTHETIC) else match.event
    return list(filter(None, (event, match.round, match.place, _day(match.date))))


def _day(day: date | None) -> str:
    return f"{day.day} {day:%B} {day.year}" if day else ""


def _games(seen: Seen) -> Iterator[GameLine]:
    match, games = seen.match, seen.match.games
    shown = seen.items.game[seen.kept]
    open_: Bools = np.asarray(seen.counted.any(axis=0))
    rows = zip(
        games.number.tolist(),
        games.score.tolist(),
        games.winner.tolist(),
        games.points.tolist(),
        strict=True,
    )
    for row, (number, score, winner, points) in enumerate(rows):
        here = np.flatnonzero(shown == number)
        if len(here):
            first = int(here[int(open_[here].argmax())])
            result = f"{seen.called[winner]} +{points}" if winner >= 0 else "not finished"
            before = "–".join(map(str, score))
            yield GameLine(number, seen.keys[first], before, result, _ending(match, row))


def _ending(match: Match, row: int) -> str:
    games, plays, cubes = match.games, match.plays, match.cubes
    if games.winner[row] < 0:
        return ""
    if ((cubes.game == row) & (cubes.kind == Kind.PASS.value)).any():
        return "pass"
    cube = int(plays.cube[plays.game == row].max(initial=1))
    ratio = int(games.points[row]) // cube
    return ", ".join(filter(None, ("resigned" * bool(games.resigned[row]), ENDINGS.get(ratio, ""))))
