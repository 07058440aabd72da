"""A match analysed by Open Sage, the engine of the Python package bgsage, in a process of its own.

The transcript is the game record that gnuBG is given as well, so both analyses have the same
rows. Its plies count like XG's: 1-ply looks no roll ahead, which gnuBG calls 0-ply.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from reconcile.engines.analysis import LONGEST, Analysed, Progress, read_back
from reconcile.engines.analysis_cache import keep, key_of, place_of, read
from reconcile.engines.gnubg import scratch
from reconcile.engines.record import game_record, renamed
from reconcile.errors import EngineError, MissingPackage, UnreadableFile
from reconcile.files.processes import Program, TooLate, TooMuch
from reconcile.formats import read_match
from reconcile.formats.evaluated import CHANCES, VERSION
from reconcile.formats.mat.writer import differences
from reconcile.match.board.play import carried_out, legal_plays, play_text
from reconcile.match.board.position import Counts
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
    return Bgsage(installed, f"{platform.system()} {platform.machine()}, {_processor()}")


def label(plies: int) -> str:
    """The depth as bgsage counts it and as gnuBG does."""
    return f"{plies}-ply (gnuBG counts {plies - 1})"


def analyse(
    match: Match,
    program: Bgsage,
    *,
    plies: int,
    threads: int = 1,
    timeout: float = LONGEST,
    cache: Path | None = None,
    progress: Progress = lambda done, total: None,
) -> Analysed:
    """Analyse a match with bgsage at a number of plies; `timeout` is in seconds, `cache` a folder
    for cached analyses.

    Equities are cubeful, EMG, at the engine's own table (`MET_NAME`); luck is at 1 ply; beavers
    are not considered. Raises `EngineError` if the engine fails, takes too long or does not know
    the game that was played.
    """
    _check(match, plies)
    record = renamed(game_record(match).encode(), match.players)
    settings = {"version": program.version, "platform": program.platform, "plies": plies}
    key = key_of({"engine": "bgsage", **settings, "format": FORMAT}, record.decode())
    place = place_of(cache, "analyses", f"{key}.json")
    content = read(place, key)
    there = content is not None
    base = read_match(match.source.path, record)
    changes = tuple(f"{text} in the game record" for text in differences(match, base))
    if content is None:
        content = _analysed(
            match, base, record, program, plies, threads, timeout, progress, changes
        )
        keep(place, key, content)
    document = json.loads(content)
    how = f"analysed by bgsage {program.version} at {document['level']} on {program.platform}"
    return read_back(
        match,
        content,
        how,
        f"bgsage:{plies}",
        tuple(change["change"] for change in document["changes"]),
        from_cache=there,
    )


def _check(match: Match, plies: int) -> None:
    path = match.source.path
    if not 1 <= plies <= DEEPEST:
        raise EngineError(
            f"bgsage: expected 1 to {DEEPEST} plies, found {plies}; its 1-ply is gnuBG's 0-ply"
        )
    if match.rules.variation not in VARIATIONS:
        raise EngineError(
            f"bgsage does not know {match.rules.variation}; analyse it with gnuBG", path
        )
    if not match.rules.cube:
        raise EngineError(
            "bgsage evaluates only play with a cube, and this match has none; "
            "analyse it with gnuBG",
            path,
        )
    if (match.length or 0) > LONGEST_MATCH:
        raise EngineError(
            f"bgsage knows matches of at most {LONGEST_MATCH} points, found {match.length}; "
            f"analyse it with gnuBG",
            path,
        )


def _analysed(
    match: Match,
    base: Match,
    record: bytes,
    program: Bgsage,
    plies: int,
    threads: int,
    timeout: float,
    progress: Progress,
    changes: tuple[str, ...],
) -> bytes:
    """The analysis as the document that is kept."""
    play_rows = [row for row in range(len(base.plays)) if _playable(base, row)]
    cube_rows = [
        row
        for row in range(len(base.cubes))
        if base.cubes.kind[row] <= Kind.DOUBLE.value and base.cubes.expected[row]
    ]
    questions = {
        "plies": plies,
        "threads": threads,
        "plays": [_play_question(base, row) for row in play_rows],
        "cubes": [_situation(base, base.cubes, row) for row in cube_rows],
    }
    answers = _answers(match.source.path, questions, timeout, progress)
    head = _head(program, plies) | {"transcript": record.decode()}
    try:
        rolls = [
            _roll(base, row, answer)
            for row, answer in zip(play_rows, answers["plays"], strict=True)
        ]
        cubes = [
            _place(base, base.cubes, row)
            | dict(zip(("no_double", "double_take", "double_pass"), answer["values"], strict=True))
            | dict(zip(CHANCES, answer["chances"], strict=True))
            for row, answer in zip(cube_rows, answers["cubes"], strict=True)
        ]
        lines = [{"change": change} for change in (*_illegal(base, play_rows, rolls), *changes)]
        content = json.dumps(
            head | {"changes": lines, "plays": rolls, "cubes": cubes},
            ensure_ascii=False,
            allow_nan=False,
        ).encode()
        read_match(match.source.path, content)
    except (LookupError, TypeError, ValueError, UnreadableFile) as error:
        raise EngineError(
            f"bgsage {program.version} gave an answer that is no evaluation: {error}",
            match.source.path,
        ) from None
    return content + b"\n"


def _head(program: Bgsage, plies: int) -> dict[str, object]:
    """What the document of an analysis says of it."""
    return {
        "analysis_version": VERSION,
        "tool": BGSAGE.name,
        "tool_version": f"bgsage {program.version}",
        "platform": program.platform,
        "level": label(plies),
        "lookahead": plies - 1,
        "match_equity_table": MET_NAME,
    }


def _illegal(match: Match, rows: list[int], rolls: list[dict[str, Any]]) -> Iterator[str]:
    """Rolls whose play, or dance, is not among the legal ones."""
    for row, roll in zip(rows, rolls, strict=True):
        if bool(roll["candidates"] or match.plays.moved[row]) and not any(
            candidate["made"] for candidate in roll["candidates"]
        ):
            where = f"game {roll['game']}, turn {roll['turn']}"
            yield f"{where}: a play that the dice do not allow, which bgsage cannot judge"


def _playable(match: Match, row: int) -> bool:
    """Whether a roll was played from a position of at most fifteen checkers a side."""
    position = match.plays.position[row]
    is_complete = max(int(position[position > 0].sum()), -int(position[position < 0].sum())) <= 15
    return bool(match.plays.validity[row] == 0) and is_complete


def _board(position: Counts) -> list[int]:
    """A position as bgsage has it: checkers of either player on the bar are positive."""
    return [-position[0], *position[1:]]


def _situation(match: Match, table: Any, row: int) -> dict[str, Any]:
    """What both kinds of question have, in the view of the player on roll."""
    game, seat = int(table.game[row]), int(table.player[row])
    away = (
        (0, 0) if match.is_money else (int(match.away[game, seat]), int(match.away[game, 1 - seat]))
    )
    return {
        "board": _board(tuple(table.position[row].tolist())),
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
        "after": _board(after),
        "opening": int(plays.turn[row]) == 1,
    }


def _answers(
    path: str, questions: dict[str, Any], timeout: float, progress: Progress
) -> dict[str, list[dict[str, Any]]]:
    """The answers to all questions, in their order."""
    answers: dict[str, list[dict[str, Any]]] = {"plays": [], "cubes": []}
    total = len(questions["plays"]) + len(questions["cubes"])
    done = False
    progress(0, total)
    try:
        with scratch() as folder:
            words = [sys.executable, "-P", str(WORKER)]
            environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
            asked = [json.dumps(questions).encode()]
            with Program(words, questions=asked, cwd=folder, env=environment) as program:
                program.allow(timeout)
                for line in program.lines():
                    answer = json.loads(line)
                    done = "done" in answer
                    if not done:
                        answers["cubes" if "cube" in answer else "plays"].append(answer)
                        progress(len(answers["cubes"]) + len(answers["plays"]), total)
    except TooLate:
        raise EngineError(
            f"bgsage not finished after {timeout:g} seconds; allow more time, or fewer plies", path
        ) from None
    except TooMuch:
        raise EngineError("bgsage prints without an end; is the package sound?", path) from None
    except (OSError, ValueError) as error:
        raise EngineError(f"bgsage failed: {str(error)[:200]}", path) from None
    if not done:
        complaints = program.complaint.decode("utf-8", "replace").strip().splitlines()
        last = complaints[-1] if complaints else "nothing"
        raise EngineError(f"bgsage ended early; the last line it printed: {last[:200]}", path)
    return answers


def _roll(match: Match, row: int, answer: dict[str, Any]) -> dict[str, Any]:
    position = tuple(match.plays.position[row].tolist())
    after = carried_out(position, match.plays.play[row])
    legal = {
        tuple(_board(play.result)): play
        for play in legal_plays(position, *match.plays.dice[row].tolist())
    }
    return {
        **_place(match, match.plays, row),
        "luck": answer["luck"],
        "candidates": [
            {
                "play": play_text(
                    position,
                    match.plays.play[row] if legal[board].result == after else legal[board].play,
                ),
                "equity": equity,
                "level": level,
                "made": legal[board].result == after,
                **dict(zip(CHANCES, chances, strict=True)),
            }
            for board, equity, chances, level in (
                (tuple(move[0]), *move[1:]) for move in answer["moves"]
            )
            if board in legal
        ],
    }


def _place(match: Match, table: Any, row: int) -> dict[str, int]:
    return {"game": int(match.games.number[table.game[row]]), "turn": int(table.turn[row])}


def _processor() -> str:
    """The model of the processor, where the system names it."""
    with suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as file:
        return next(
            (line.partition(":")[2].strip() for line in file if line.startswith("model name")),
            platform.processor(),
        )
    return platform.processor()
