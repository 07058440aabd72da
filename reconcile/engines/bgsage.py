"""A match analysed by Open Sage, the engine of the Python package bgsage, in a process of its own.

The transcript is the game record that gnuBG is given as well, so both analyses have the same
rows. Its plies count like XG's: 1-ply looks no roll ahead, which gnuBG calls 0-ply.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from reconcile.engines.analysis import Analysed, Effort, kept_or_made, read_back
from reconcile.engines.gnubg import last_line, scratch
from reconcile.engines.record import game_record, renamed
from reconcile.errors import EngineError, MissingPackage, UnreadableFile
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.formats import read_match
from reconcile.formats.evaluated import CHANCES, VERSION
from reconcile.formats.mat.writer import differences
from reconcile.match.board.play import carried_out, legal_plays, play_text
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.match.tools import BGSAGE

DEEPEST: Final = 4
"""Plies as bgsage counts them; a match takes seconds at 1, minutes at 3, hours at 4."""
VARIATIONS: Final = ("backgammon", "nackgammon", "longgammon")
"""Starting positions of fifteen checkers; the engine has learned no other game."""
MET_NAME: Final = "Kazaross-XG2"
"""The table that the engine computes with; it takes no other."""
LONGEST_MATCH: Final = 25
"""Points; the engine's table ends there."""
FORMAT: Final = 1
"""Version of the questions and of the kept form; changing it invalidates every cached analysis."""
WORKER: Final = Path(__file__).with_name("bgsage_worker.py")
OWNERS: Final = {1: "player", 0: "centered", -1: "opponent"}
VALUES: Final = ("no_double", "double_take", "double_pass", *CHANCES)


@dataclass(frozen=True, slots=True)
class Bgsage:
    """The installed bgsage."""

    version: str
    platform: str
    """System and processor: its figures differ between them."""


def find() -> Bgsage:
    """The bgsage of this Python. Raises `MissingPackage` if it is not installed."""
    try:
        installed = version("bgsage")
    except PackageNotFoundError:
        raise MissingPackage(
            "bgsage is not installed; pip install 'gammon-reconcile[bgsage]'"
        ) from None
    processor = platform.processor()
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
        models = (line.partition(":")[2].strip() for line in file if line.startswith("model name"))
        processor = next(models, processor)
    return Bgsage(installed, f"{platform.system()} {platform.machine()}, {processor}")


def analyse(match: Match, program: Bgsage, **options: Any) -> Analysed:
    """Analyse a match with bgsage; `options` are those of `analysis.Effort`.

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
            "engine": "bgsage",
            "version": program.version,
            "platform": program.platform,
            "plies": effort.plies,
            "format": FORMAT,
        },
        record,
        lambda: _analysis(match, record, program, effort),
    )
    document = json.loads(content)
    how = f"analysed by bgsage {program.version} at {document['level']} on {program.platform}"
    changes = tuple(change["change"] for change in document["changes"])
    return read_back(match, content, how, f"bgsage:{effort.plies}", changes, from_cache=from_cache)


def _check(match: Match) -> None:
    """Refuse a game that the engine does not know."""
    trouble = ""
    if match.rules.variation not in VARIATIONS:
        trouble = f"bgsage does not know {match.rules.variation}"
    elif not match.rules.cube:
        trouble = "bgsage evaluates only play with a cube, and this match has none"
    elif (match.length or 0) > LONGEST_MATCH:
        trouble = f"bgsage knows matches of at most {LONGEST_MATCH} points, found {match.length}"
    if trouble:
        raise EngineError(f"{trouble}; analyse it with gnuBG", match.source.path)


def _analysis(match: Match, record: str, program: Bgsage, effort: Effort) -> bytes:
    """The analysis as the document that is kept."""
    base = read_match(match.source.path, record.encode())
    plays, cubes = base.plays, base.cubes
    on_board = [np.maximum(sign * plays.position, 0).sum(axis=1) <= 15 for sign in (1, -1)]
    play_rows = np.flatnonzero((plays.validity == 0) & np.all(on_board, axis=0)).tolist()
    cube_rows = np.flatnonzero((cubes.kind <= Kind.DOUBLE.value) & cubes.expected).tolist()
    questions = {
        "plies": effort.plies,
        "threads": effort.threads,
        "plays": [_play_question(base, row) for row in play_rows],
        "cubes": [_situation(base, cubes, row) for row in cube_rows],
    }
    answers = _answers(match.source.path, questions, effort)
    of_cubes, of_plays = answers[: len(cube_rows)], answers[len(cube_rows) :]
    try:
        rolls = [_roll(base, *pair) for pair in zip(play_rows, of_plays, strict=True)]
        changes = [
            *_illegal(base, play_rows, rolls),
            *(f"{text} in the game record" for text in differences(match, base)),
        ]
        document = _head(program, effort.plies) | {
            "transcript": record,
            "changes": [{"change": change} for change in changes],
            "plays": rolls,
            "cubes": [
                _place(base, cubes, row) | dict(zip(VALUES, answer["cube"], strict=True))
                for row, answer in zip(cube_rows, of_cubes, strict=True)
            ],
        }
        content = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
        read_match(match.source.path, content)
    except (LookupError, TypeError, ValueError, UnreadableFile) as error:
        text = f"bgsage {program.version} gave an answer that is no evaluation: {error}"
        raise EngineError(text, match.source.path) from None
    return content + b"\n"


def _head(program: Bgsage, plies: int) -> dict[str, object]:
    """What the document of an analysis says of it."""
    return {
        "analysis_version": VERSION,
        "tool": BGSAGE.name,
        "tool_version": f"bgsage {program.version}",
        "platform": program.platform,
        "level": f"{plies}-ply (gnuBG counts {plies - 1})",
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
            yield f"{where}: a play that the dice do not allow, which bgsage cannot judge"


def _answers(path: str, questions: dict[str, Any], effort: Effort) -> list[dict[str, Any]]:
    """The answers to all questions, cubes first."""
    answers: list[dict[str, Any]] = []
    total = len(questions["plays"]) + len(questions["cubes"])
    words = [sys.executable, "-P", str(WORKER)]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    asked = [json.dumps(questions).encode()]
    try:
        with (
            scratch() as folder,
            Program(words, questions=asked, cwd=folder, env=environment) as program,
        ):
            program.allow(effort.timeout)
            for line in chain([b"{}"], program.lines()):
                answers.append(json.loads(line))
                effort.progress(min(len(answers) - 1, total), total)
        if "done" in answers[-1]:
            return answers[1:-1]
        complaint = last_line(program.complaint.decode("utf-8", "replace"))
        trouble = f"ended early; the last line it printed: {complaint[:200]}"
    except TooLate:
        trouble = f"not finished after {effort.timeout:g} seconds; allow more time, or fewer plies"
    except TooMuch:
        trouble = "prints without an end; is the package sound?"
    except (OSError, ValueError) as error:
        trouble = f"failed: {str(error)[:200]}"
    raise EngineError(f"bgsage {trouble}", path)


def board_of(position: Sequence[int]) -> list[int]:
    """A position as bgsage has it: checkers of either player on the bar are positive."""
    return [-position[0], *position[1:]]


def _situation(match: Match, table: Any, row: int) -> dict[str, Any]:
    """What both kinds of question have, in the view of the player on roll."""
    game, seat = int(table.game[row]), int(table.player[row])
    away = (0, 0) if match.is_money else match.away[game, [seat, 1 - seat]].tolist()
    return {
        "board": board_of(tuple(table.position[row].tolist())),
        "cube_value": int(table.cube[row]),
        "cube_owner": OWNERS[int(table.owner[row])],
        "away1": away[0],
        "away2": away[1],
        "is_crawford": bool(match.games.crawford[game]),
        "jacoby": match.is_money and match.rules.jacoby,
    }


def _play_question(match: Match, row: int) -> dict[str, Any]:
    plays = match.plays
    after = carried_out(tuple(plays.position[row].tolist()), plays.play[row])
    return {
        **_situation(match, plays, row),
        "dice": plays.dice[row].tolist(),
        "after": board_of(after),
        "opening": int(plays.turn[row]) == 1,
    }


def _roll(match: Match, row: int, answer: dict[str, Any]) -> dict[str, Any]:
    """What the document has of a roll: the legal plays among those that the engine lists."""
    plays, position = match.plays, tuple(match.plays.position[row].tolist())
    after = board_of(carried_out(position, plays.play[row]))
    legal = {
        tuple(board_of(play.result)): play.play
        for play in legal_plays(position, *plays.dice[row].tolist())
    }
    candidates = []
    for board, equity, chances, level in answer["moves"]:
        if tuple(board) in legal:
            is_made = board == after
            play = plays.play[row] if is_made else legal[tuple(board)]
            candidates.append(
                {
                    "play": play_text(position, play),
                    "equity": equity,
                    "level": level,
                    "made": is_made,
                    **dict(zip(CHANCES, chances, strict=True)),
                }
            )
    return _place(match, plays, row) | {"luck": answer["luck"], "candidates": candidates}


def _place(match: Match, table: Any, row: int) -> dict[str, Any]:
    return {"game": int(match.games.number[table.game[row]]), "turn": int(table.turn[row])}
