"""Analyses of one match as one OGXM document, which the package `ogxm` and the programs that use it read.

The transcript is that of the file with most decisions; an analysis has what it says of these decisions. Values are rounded as the format
does; what it has no field for is kept beside them (`reconcile.formats.ogxm.analysis`), so that reading gives every figure back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

import numpy as np
import numpy.typing as npt

from reconcile.formats.mat.writer import (
    FOR_PEOPLE,
    CannotTranscribe,
    check_starts,
    differences,
    events,
    steps,
)
from reconcile.formats.ogxm import analysis, read_all
from reconcile.formats.ogxm.analysis import CHANCE, MONEY, Frame, Frames, frames_of
from reconcile.formats.ogxm.codec import Refused, encoded
from reconcile.formats.ogxm.record import (
    BEAVER,
    BLACK,
    DOUBLE,
    PASS,
    TAKE,
    VARIATIONS,
    WHITE,
    transcript,
)
from reconcile.gap.aligned import reference_of
from reconcile.gap.pairing import Pairing, pair
from reconcile.match.board.play import Play, carried_out, legal_plays
from reconcile.match.board.position import Counts
from reconcile.match.columns import NO_MARK, Columns, Kind, Validity
from reconcile.match.match import Candidate, Level, Match
from reconcile.match.tools import TOOLS

ROLLS: Final = [(first, second) for first in range(1, 7) for second in range(first, 7)]
"""The format's numbers of the rolls."""
ACTIONS: Final = {Kind.DOUBLE: DOUBLE, Kind.TAKE: TAKE, Kind.PASS: PASS, Kind.BEAVER: BEAVER}
GAME_OVER, RESIGNED = 24, 27
STAKES: Final = ("single", "gammon", "backgammon")
DIGITS: Final = 6
LONGEST_STEP: Final = 6
MOVES: Final = (2, 4)
"""Most steps of a roll that is not a double, and of one that is."""
ABSENT: Final = {"luck_mark": NO_MARK}
CHANCES: Final = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")


@dataclass(frozen=True, slots=True)
class Written:
    """A document, and where it differs from the match it was made of, one line each."""

    content: bytes
    changes: tuple[str, ...]


def ogxm_document(matches: Sequence[Match], aliases: Sequence[Sequence[str]] = ()) -> Written:
    """Analyses of one match as one document, in this order; a match without an analysis gives its transcript alone.

    Raises `CannotTranscribe` for a match that the format cannot hold, `NotTheSameMatch`, and `MissingPackage` without the package `ogxm`.
    """
    reference = matches[reference_of(matches)]
    document = _transcript(reference)
    base = transcript(reference.source.path, document)
    analysed = [
        match for match in matches if match.plays.analysed.any() or match.cubes.analysed.any()
    ]
    blocks = [
        _Block(base, reference, match, pair(reference, match, aliases), number)
        for number, match in enumerate(analysed)
    ]
    document["analyses_info"] = [block.info() for block in blocks]
    document["annotations"] = sorted(
        (one for block in blocks for one in block.annotations()), key=lambda one: str(one["key"])
    )
    for game, index in zip(document["games"], range(len(base.games)), strict=True):
        turn, number = 1, int(base.games.number[index])
        for value in game["plies"]:
            said = [block.says((number, turn), value) for block in blocks]
            value["analyses"] = [
                {"analysis_index": at, **one} for at, one in enumerate(said) if one
            ]
            turn += "d1" in value
    try:
        content = encoded(document)
    except Refused as error:
        raise CannotTranscribe(
            f"{reference.source.path}: cannot be written as OGXM: {error}; {FOR_PEOPLE}"
        ) from None
    return Written(
        content, tuple(differences(reference, read_all(reference.source.path, content)[0]()))
    )


# -- the transcript ----------------------------------------------------------------------------------------------------


def _transcript(match: Match) -> dict[str, Any]:
    """The document without an analysis. Raises `CannotTranscribe`."""
    check_starts(match)
    path = match.source.path
    if match.rules.variation not in VARIATIONS:
        raise CannotTranscribe(
            f"{path}: expected one of {', '.join(VARIATIONS)} for OGXM, found the variation {match.rules.variation!r}"
        )
    games = [_game(match, index, game) for index, game in enumerate(events(match))]
    return {
        "ogxm": {"major": 2, "minor": 0},
        "checksum": "crc32",
        "player_white": match.players[0],
        "player_black": match.players[1],
        "match_length": match.length or 0,
        "variant": match.rules.variation,
        "crawford": match.rules.crawford,
        "jacoby": match.is_money and match.rules.jacoby,
        "beavers": match.is_money
        and (match.rules.beavers or bool((match.cubes.kind == Kind.BEAVER.value).any())),
        "score_start": match.games.score[0].tolist() if len(match.games) else [0, 0],
        "games": games,
        **({} if match.rules.cube else {"cube_limit": 1}),
        **({"event": match.event} if match.event else {}),
    }


def _game(match: Match, index: int, game: Sequence[Any]) -> dict[str, Any]:
    plies: list[dict[str, Any]] = []
    cube = 1 << int(match.games.automatic_doubles[index])
    for event in game:
        color = WHITE if event.player == 0 else BLACK
        if event.kind is not Kind.PLAY:
            accepted = (
                event.kind is Kind.TAKE and plies[-1]["action_id"] == BEAVER
            )  # which the format leaves to the roll that follows
            plies += [] if accepted else [{"action_id": ACTIONS[event.kind], "color": color}]
            cube *= 2 if event.kind in (Kind.TAKE, Kind.BEAVER) else 1
            continue
        low, high = sorted(match.plays.dice[event.row].tolist())
        validity = Validity(match.plays.validity[event.row])
        unplayed = validity is Validity.UNPLAYED
        made = () if unplayed else steps(match, event.row)
        # The format takes a last roll without a play as one that was not played.
        unplayed |= not made and bool(match.games.resigned[index]) and event is game[-1]
        value = {
            "action_id": ROLLS.index((low, high)),
            "color": color,
            "d1": low,
            "d2": high,
            "moves": [],
        }
        moves = (
            _any_moves(match, event.row, color)
            if validity is Validity.ILLEGAL
            else _moves(made, (low, high), color)
        )
        if moves is None:  # nor has what follows: the rest of the game is left out
            break
        value["moves"] = moves
        plies.append(value | ({"unplayed_roll": True} if unplayed else {}))
    winner, points = int(match.games.winner[index]), int(match.games.points[index])
    if winner < 0:
        return {"plies": plies, "winner": 255, "is_crawford": bool(match.games.crawford[index])}
    if match.games.resigned[index]:
        stake = STAKES[min(max(points // max(cube, 1), 1), 3) - 1]
        plies.append(
            {"action_id": RESIGNED, "color": BLACK if winner == 0 else WHITE, "resign_value": stake}
        )
    else:
        plies.append({"action_id": GAME_OVER})
    doubles = int(match.games.automatic_doubles[index])
    return {
        "plies": plies,
        "winner": winner,
        "points_won": points,
        "is_crawford": bool(match.games.crawford[index]),
        **({"auto_doubles": doubles} if doubles else {}),
    }


def _moves(made: Play, dice: tuple[int, int], color: int) -> list[dict[str, int]]:
    """Steps as the format has them: a point from White's side, and the die."""
    left = list(dice) * (2 if dice[0] == dice[1] else 1)
    found = []
    for start, end in made:
        die = next(
            (one for one in left if one == start - end),
            max(left, default=start - end) if end == 0 else start - end,
        )
        if die in left:
            left.remove(die)
        found.append({"from": 25 - start if color == WHITE else start, "pips": die})
    return found


def _any_moves(match: Match, row: int, color: int) -> list[dict[str, int]] | None:
    """The steps of a play that the dice do not allow, those that are possible, none longer than a die; `None` where they are too many."""
    board: Counts = tuple(match.plays.position[row].tolist())
    found: list[dict[str, int]] = []
    low, high = match.plays.dice[row].tolist()
    for start, end in match.plays.play[row]:
        while carried_out(board, ((start, end),)) != board:
            free = (
                point
                for point in range(max(start - LONGEST_STEP, end), start)
                if point == end or board[point] >= 0
            )
            point = next(free, -1)
            if point < 0 or len(found) == MOVES[low == high]:
                return None
            board = carried_out(board, ((start, point),))
            found.append({"from": 25 - start if color == WHITE else start, "pips": start - point})
            start = point
    return found


# -- the analyses ------------------------------------------------------------------------------------------------------


class _Block:
    """One analysis, in the rows of the document's transcript."""

    def __init__(
        self, base: Match, reference: Match, match: Match, pairing: Pairing, number: int
    ) -> None:
        self.base, self.match = base, match
        self.name = str(uuid5(NAMESPACE_OID, f"{match.source.sha256} {match.source.path} {number}"))
        self.frames: Frames = frames_of(base, match.known_chances)
        self.play_at, self.cube_at = (
            {key: row for row, key in enumerate(_keys(base, table))}
            for table in (base.plays, base.cubes)
        )
        self.plays = _rows(
            self.play_at, len(base.plays), reference, reference.plays, match.plays, pairing.plays
        )
        self.cubes = _rows(
            self.cube_at, len(base.cubes), reference, reference.cubes, match.cubes, pairing.cubes
        )
        there = _resigned(match, pairing.seats)
        self.resignations = np.array(
            [there.get(key, -1) for key in _resigned(base, (0, 1))], np.int64
        )

    def info(self) -> dict[str, Any]:
        tool = TOOLS.get(self.match.source.tool)
        version = self.match.source.tool_version
        table = (
            {}
            if self.match.is_money
            else {
                "met_id": "kazaross-xg2"
                if self.match.known_chances is None
                else f"{tool.key if tool else 'own'}"
            }
        )
        return {
            "analysis_id": self.name,
            "currency": MONEY if self.match.is_money else CHANCE,
            "model_id": tool.key if tool else self.match.source.tool,
            "model_name": f"{self.match.source.tool} ({version})"
            if version
            else self.match.source.tool,
            **table,
        }

    def annotations(self) -> list[dict[str, Any]]:
        tables = (
            ("plays", analysis.KEPT["plays"], self.plays),
            ("cubes", analysis.KEPT["cubes"], self.cubes),
            ("resignations", analysis.KEPT["resignations"], self.resignations),
        )
        columns = {
            name: _columns(getattr(self.base, name), getattr(self.match, name), names, rows)
            for name, names, rows in tables
        }
        return analysis.annotations_of(self.name, self.match, columns)

    def says(self, place: tuple[int, int], value: dict[str, Any]) -> dict[str, Any]:
        """What it says of an action of the document; empty where nothing."""
        if "d1" not in value:
            kind = next(
                (kind for kind, action in ACTIONS.items() if action == value["action_id"]), None
            )
            return {} if kind in (None, Kind.BEAVER) else self._cube(place, kind)
        found: dict[str, Any] = {}
        row = self.play_at.get((*place, Kind.PLAY.value, 0), -1)
        there = int(self.plays[row]) if row >= 0 else -1
        frame = self.frames.rolls.get(place)
        if there >= 0 and frame is not None and not math.isnan(frame.middle):
            if self.match.plays.analysed[there] and "unplayed_roll" not in value:
                found |= self._play(row, there, frame, value)
            luck = float(self.match.plays.luck[there])
            if luck == luck:
                found["roll"] = {"luck": _rounded(luck * frame.half)}
        cube = self._cube(place, Kind.NO_DOUBLE)
        return found | ({"cube_decision": cube} if cube else {})

    def _play(self, row: int, there: int, frame: Frame, value: dict[str, Any]) -> dict[str, Any]:
        position = tuple(self.base.plays.position[row].tolist())
        result = carried_out(position, self.base.plays.play[row])
        listed = list(
            self._alternatives(position, result, self.match.candidates(there), frame, value)
        )
        groups = {
            str(one["level"]): len(listed) - at for at, one in reversed(list(enumerate(listed)))
        }
        listed.sort(key=lambda one: (-groups[str(one["level"])], -one["equity"]))
        made = next((one for one in listed if one["is_played"]), None)
        if not listed or made is None or made["level"] == listed[0]["level"]:
            return {"alternatives": listed} if listed else {}
        # The format has a play that was made only among those of the first play's level; otherwise it has its loss.
        rest = [one for one in listed if one is not made]
        return {"alternatives": rest, "equity_loss": _rounded(listed[0]["equity"] - made["equity"])}

    def _alternatives(
        self,
        position: tuple[int, ...],
        result: tuple[int, ...],
        candidates: Sequence[Candidate],
        frame: Frame,
        value: dict[str, Any],
    ) -> Iterator[dict[str, Any]]:
        dice = value["d1"], value["d2"]
        legal = {one.result: one.play for one in legal_plays(position, *dice)} or {position: ()}
        levels = {level.label: level for level in self.match.levels}
        for one in candidates:
            after = carried_out(position, one.play)
            made = legal.pop(after, None)
            if made is None or one.equity is None or math.isnan(one.equity):
                continue
            chances = {
                "eval": dict(
                    zip(
                        CHANCES,
                        (round(min(max(float(chance), 0), 1), 4) for chance in one.probabilities),
                        strict=True,
                    )
                )
            }
            yield {
                "equity": _rounded(frame.value(float(one.equity))),
                "is_played": after == result,
                "move": value["moves"] if after == result else _moves(made, dice, value["color"]),
                "level": _level(levels.get(one.level, Level(one.level, None))),
                **(chances if len(one.probabilities) == len(CHANCES) else {}),
            }

    def _cube(self, place: tuple[int, int], kind: Kind) -> dict[str, Any]:
        row = self.cube_at.get((*place, kind.value, 0), -1)
        there = int(self.cubes[row]) if row >= 0 else -1
        frame = self.frames.cubes.get(place)
        cubes = self.match.cubes
        if there < 0 or frame is None or math.isnan(frame.middle) or not cubes.analysed[there]:
            return {}
        raw = [
            float(column[there])
            for column in (cubes.no_double, cubes.double_take, cubes.double_pass)
        ]
        no_double, taken, passed = (
            raw
            if self.match.cube_unit == "mwc" and not self.match.is_money
            else map(frame.value, raw)
        )
        passed = frame.value(1.0) if passed != passed else passed
        if no_double != no_double or taken != taken:
            return {}
        least = min(taken, passed)
        should = {True: "double", False: "too_good" if no_double > passed else "no_double"}[
            no_double < least
        ]
        lost = {
            Kind.NO_DOUBLE: least - no_double,
            Kind.DOUBLE: no_double - least,
            Kind.TAKE: taken - passed,
            Kind.PASS: passed - taken,
        }[kind]
        return {
            "no_double_equity": _rounded(no_double),
            "double_take_equity": _rounded(taken),
            "double_pass_equity": _rounded(passed),
            "correct_action": should
            if kind <= Kind.DOUBLE
            else "pass"
            if taken > passed
            else "take",
            "level": _level(self.match.levels[int(cubes.level[there])])
            if cubes.level[there] >= 0
            else {},
            **({"equity_loss": _rounded(lost)} if lost > 0 else {}),
        }


Key = tuple[int, int, int, int]


def _keys(match: Match, table: Any) -> list[Key]:
    """What identifies the rows of `plays` or `cubes`: number of the game, turn, kind, and whether it answers a beaver."""
    cubes = table is match.cubes
    columns = (
        (table.kind.tolist(), table.answers_beaver.tolist())
        if cubes
        else ([Kind.PLAY.value] * len(table), [0] * len(table))
    )
    return list(
        zip(match.games.number[table.game].tolist(), table.turn.tolist(), *columns, strict=True)
    )


def _rows(
    at: dict[Key, int],
    rows: int,
    reference: Match,
    here: Any,
    there: Any,
    pairs: tuple[npt.NDArray[Any], npt.NDArray[Any]],
) -> npt.NDArray[np.int64]:
    """By row of the transcript (`at`) that of the analysis, -1 where it has none in the same position."""
    found = np.full(rows, -1, np.int64)
    keys = _keys(reference, here)
    for one, two in zip(*(side.tolist() for side in pairs), strict=True):
        if keys[one] in at and (here.position[one] == there.position[two]).all():
            found[at[keys[one]]] = two
    return found


def _resigned(match: Match, seats: tuple[int, int]) -> dict[tuple[int, int, int], int]:
    """The rows of resignations by game number, seat in the transcript and kind."""
    rows = match.resignations
    numbers = match.games.number[rows.game].tolist()
    return {
        (number, seats.index(player), kind): row
        for row, (number, player, kind) in enumerate(
            zip(numbers, rows.player.tolist(), rows.kind.tolist(), strict=True)
        )
    }


def _columns(
    here: Columns, there: Columns, names: Sequence[str], rows: npt.NDArray[np.int64]
) -> analysis.Columns:
    """Columns of an analysis in the rows of the transcript; unknown where it has none."""
    found = {}
    for name in names:
        column = getattr(there, name)
        absent = (
            getattr(here, name)
            if name == "validity"
            else np.nan
            if column.dtype.kind == "f"
            else ABSENT.get(name, -1)
        )
        if column.dtype.kind == "b":
            absent = False
        taken = (
            column[np.where(rows >= 0, rows, 0)]
            if len(column)
            else np.full(len(rows), absent, column.dtype)
        )
        found[name] = np.where(rows >= 0, taken, absent).astype(column.dtype)
    return found


def _level(level: Level) -> dict[str, Any]:
    plies = {} if level.lookahead is None else {"checker_ply": int(level.lookahead)}
    return {"preset": level.label, **plies} if level.label else plies


def _rounded(value: float) -> float:
    return round(value, DIGITS)
