"""A match analysed by Open Sage (`sage.py`).

The transcript is the game record that gnuBG is given as well, so both analyses have the same
rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from reconcile.engines.analysis import Analysed, Effort, kept_or_made, read_back
from reconcile.engines.record import game_record, renamed
from reconcile.engines.sage import Sage, Situation
from reconcile.errors import EngineError
from reconcile.formats import read_match
from reconcile.formats.evaluated import CHANCES, VERSION
from reconcile.formats.mat.writer import differences
from reconcile.match.board.play import carried_out, legal_plays, play_text
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.tools import BGSAGE

DEEPEST = 4
"""Plies as the engine counts them; a match takes seconds at 2, a minute at 3, an hour at 4."""
VARIATIONS = ("backgammon", "nackgammon", "longgammon")
"""Starting positions of fifteen checkers; the engine has learned no other game."""
MET_NAME = "Kazaross-XG2"
"""The table that the engine computes with; it takes no other."""
LONGEST_MATCH = 25
"""Points; the engine's table ends there."""
FORMAT = 2
"""Version of the questions and of the kept form; changing it invalidates every cached analysis."""
VALUES = ("no_double", "double_take", "double_pass", *CHANCES)


def analyse(
    match: Match, engine: Sage, *, only: tuple[int, int] | None = None, **options: Any
) -> Analysed:
    """Analyse a match with Open Sage, or only one turn of it, by the numbers of game and turn;
    `options` are those of `analysis.Effort`.

    Equities are cubeful, EMG, at the engine's own table (`MET_NAME`); luck is at 1 ply; beavers
    are not considered. Raises `EngineError` if the engine fails, takes too long or does not know
    the game that was played.
    """
    effort = Effort(**options)
    _check(match)
    record = renamed(game_record(match).encode(), match.players).decode()
    content, from_cache = kept_or_made(
        effort.cache,
        ".json",
        {
            "engine": "sage",
            "version": engine.version,
            "plies": effort.plies,
            "only": only,
            "format": FORMAT,
        },
        record,
        lambda: _analysis(match, record, engine, effort, only),
    )
    document = json.loads(content)
    how = f"analysed by Open Sage {engine.version} at {document['level']}"
    changes = tuple(change["change"] for change in document["changes"])
    return read_back(match, content, how, f"sage:{effort.plies}", changes, from_cache=from_cache)


def _check(match: Match) -> None:
    """Refuse a game that the engine does not know."""
    trouble = ""
    if match.rules.variation not in VARIATIONS:
        trouble = f"Open Sage does not know {match.rules.variation}"
    elif not match.rules.cube:
        trouble = "Open Sage evaluates only play with a cube, and this match has none"
    elif (match.length or 0) > LONGEST_MATCH:
        trouble = f"Open Sage knows matches of at most {LONGEST_MATCH} points, found {match.length}"
    if trouble:
        raise EngineError(f"{trouble}; analyse it with gnuBG", match.source.path)


def _analysis(
    match: Match, record: str, engine: Sage, effort: Effort, only: tuple[int, int] | None
) -> bytes:
    """The analysis as the document that is kept."""
    base = read_match(match.source.path, record.encode())
    plays, cubes = base.plays, base.cubes
    play_rows = _rows(base, plays, plays.validity == 0, only)
    is_choice = (cubes.kind <= Kind.DOUBLE.value) & cubes.expected
    cube_rows = _rows(base, cubes, is_choice, only)
    total = len(cube_rows) + len(play_rows)
    values, rolls = list[dict[str, Any]](), list[dict[str, Any]]()
    try:
        with engine.within(effort.timeout):
            for row in cube_rows:
                effort.progress(len(values), total)
                equities = engine.cube(situation(base, cubes, row), effort.plies).tolist()
                values.append(_place(base, cubes, row) | dict(zip(VALUES, equities, strict=True)))
            for row in play_rows:
                effort.progress(len(values) + len(rolls), total)
                rolls.append(_roll(base, row, engine, effort.plies))
    except EngineError as error:
        raise EngineError(str(error), match.source.path) from None
    changes = (
        *_illegal(base, play_rows, rolls),
        *(f"{text} in the game record" for text in differences(match, base)),
    )
    document = _head(engine, effort.plies) | {
        "transcript": record,
        "changes": [{"change": change} for change in changes],
        "plays": rolls,
        "cubes": values,
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _rows(match: Match, table: Any, asked: Any, only: tuple[int, int] | None) -> list[int]:
    """The rows that are asked, in which both players have one to fifteen checkers."""
    for sign in (1, -1):
        checkers = np.maximum(sign * table.position, 0).sum(axis=1)
        asked = asked & (checkers >= 1) & (checkers <= 15)
    if only:
        asked = asked & (match.games.number[table.game] == only[0]) & (table.turn == only[1])
    return list(np.flatnonzero(asked).tolist())


def _head(engine: Sage, plies: int) -> dict[str, object]:
    """What the document of an analysis says of it."""
    return {
        "analysis_version": VERSION,
        "tool": BGSAGE.name,
        "tool_version": f"bgsage {engine.version}",
        "platform": "WebAssembly",
        "level": f"{plies}-ply",
        "lookahead": plies - 1,
        "match_equity_table": MET_NAME,
    }


def _illegal(match: Match, rows: list[int], rolls: list[dict[str, Any]]) -> Iterator[str]:
    """Rolls whose play, or dance, is not among the legal ones."""
    for row, roll in zip(rows, rolls, strict=True):
        candidates = roll["candidates"]
        has_choice = bool(candidates or match.plays.moved[row])
        if has_choice and not any(candidate["made"] for candidate in candidates):
            where = f"game {roll['game']}, turn {roll['turn']}"
            yield f"{where}: a play that the dice do not allow, which Open Sage cannot judge"


def situation(match: Match, table: Any, row: int) -> Situation:
    """What the engine is asked for in a row of plays or cubes."""
    game, seat = int(table.game[row]), int(table.player[row])
    away = (0, 0) if match.is_money else match.away[game, [seat, 1 - seat]].tolist()
    return Situation(
        tuple(table.position[row].tolist()),
        int(table.cube[row]),
        int(table.owner[row]),
        (away[0], away[1]),
        bool(match.games.crawford[game]),
        match.is_money and match.rules.jacoby,
    )


def _roll(match: Match, row: int, engine: Sage, plies: int) -> dict[str, Any]:
    """What the document has of a roll: the legal plays among those that the engine lists."""
    plays, asked, dice = match.plays, situation(match, match.plays, row), match.plays.dice[row]
    after = carried_out(asked.position, plays.play[row])
    legal = {tuple(play.result): play.play for play in legal_plays(asked.position, *dice.tolist())}
    looked = engine.plays(asked, dice.tolist(), plies, after)
    candidates = []
    for at in np.argsort(-looked.equities, kind="stable").tolist():
        result = tuple(looked.results[at].tolist())
        if result in legal:
            is_made = result == after
            play = plays.play[row] if is_made else legal[result]
            candidates.append(
                {
                    "play": play_text(asked.position, play),
                    "equity": float(looked.equities[at]),
                    "level": f"{looked.plies[at]}-ply",
                    "made": is_made,
                    **dict(zip(CHANCES, looked.chances[at].tolist(), strict=True)),
                }
            )
    luck = engine.luck(asked, dice.tolist(), is_first=int(plays.turn[row]) == 1)
    return _place(match, plays, row) | {"luck": luck, "candidates": candidates}


def _place(match: Match, table: Any, row: int) -> dict[str, Any]:
    return {"game": int(match.games.number[table.game[row]]), "turn": int(table.turn[row])}
