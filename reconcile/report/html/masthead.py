"""The head of a match's page: who won, what was played where and when, and every game with its
score and how it ended."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final, NamedTuple

import numpy as np

from reconcile.files.wording import listed
from reconcile.match.columns import Bools, Kind
from reconcile.match.match import Match
from reconcile.match.tools import GNUBG
from reconcile.report.html.decision_list import MatchDecisions
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


def masthead(decisions: MatchDecisions) -> dict[str, Any]:
    """What the template is given of it. Of files that differ, XG's or BGBlitz's say when and where:
    gnuBG's day may be that of an import."""
    matches = [scored.match for scored in decisions.scored]
    first = min(matches, key=lambda match: match.source.tool == GNUBG.name)
    won, against = _outcome(decisions)
    by = [f"by {listed(decisions.labels)}"] if (decisions.error == decisions.error).any() else []
    return {
        "won": won,
        "head": " · ".join([against, *_facts(first), *by]),
        "other_facts": [
            f"{label}'s file says: {', '.join(_facts_of(match))}."
            for label, match in zip(decisions.labels, matches, strict=True)
            if _facts_of(match) and _facts_of(match) != _facts_of(first)
        ],
        "strip": list(_games(decisions)),
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


def _outcome(decisions: MatchDecisions) -> tuple[str, str]:
    """Who won by how much, and against whom; of a match without an end both names, and why."""
    match, points = decisions.match, _final(decisions.match)
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
    yield from _facts_of(match)


def _facts_of(match: Match) -> list[str]:
    """Event, round, place and day as a file has them."""
    stated = (match.event, match.round, match.place, _day(match.date))
    return [fact for fact in stated if fact and not fact.startswith(SYNTHETIC)]


def _day(day: date | None) -> str:
    return f"{day.day} {day:%B} {day.year}" if day else ""


def _games(decisions: MatchDecisions) -> Iterator[GameLine]:
    match, games = decisions.match, decisions.match.games
    shown = decisions.items.game[decisions.shown]
    open_: Bools = np.asarray(decisions.counted.any(axis=0))
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
            result = f"{decisions.called[winner]} +{points}" if winner >= 0 else "not finished"
            before = "–".join(map(str, score))
            yield GameLine(number, decisions.keys[first], before, result, _ending(match, row))


def _ending(match: Match, row: int) -> str:
    games, plays, cubes = match.games, match.plays, match.cubes
    if games.winner[row] < 0:
        return ""
    if ((cubes.game == row) & (cubes.kind == Kind.PASS.value)).any():
        return "pass"
    cube = int(plays.cube[plays.game == row].max(initial=1))
    ratio = int(games.points[row]) // cube
    return ", ".join(filter(None, ("resigned" * bool(games.resigned[row]), ENDINGS.get(ratio, ""))))
