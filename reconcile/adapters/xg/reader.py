"""From the records of an `.xg` file to a `Match`, without an object per record.

What XG itself decided stands in the file and is taken as it stands: the stored errors, the byte that says a play
does not count, candidate 0 as the best, -1000 for what was not scored.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.adapters.xg import records
from reconcile.adapters.xg.container import open_archive
from reconcile.errors import UnreadableFile
from reconcile.match import (
    LONGEST_MATCH,
    NO_MARK,
    UNKNOWN_COUNT,
    Candidate,
    Cubes,
    Games,
    Kind,
    Level,
    Match,
    Note,
    Plays,
    Resignations,
    Rules,
    Source,
    Validity,
)

RECORDS: Final = "temp.xg"
TOOL: Final = "eXtreme Gammon"
VARIATIONS: Final = {0: "backgammon", 1: "nackgammon", 2: "hypergammon3", 3: "longgammon"}
LEVEL_CODES: Final = np.array(sorted(records.LEVELS), np.int32)
LEVELS: Final = (*(Level(*records.LEVELS[code]) for code in LEVEL_CODES.tolist()), Level("unknown level", None))
HIGHEST_CUBE: Final = 12
"""Power of two; XG's own limit is 10."""
MOST_POINTS: Final = 3 * 2**HIGHEST_CUBE
"""A backgammon at the highest cube."""
NO_ANSWER: Final = -1
RESIGNATION_KINDS: Final = np.array([Kind.RESIGN, Kind.ACCEPT_RESIGN], np.int8)
ILLEGAL, UNPLAYED = np.int8(Validity.ILLEGAL), np.int8(Validity.UNPLAYED)
NO_DOUBLE: Final = np.int8(Kind.NO_DOUBLE)
RESPONSE_KINDS: Final = np.array([Kind.PASS, Kind.TAKE, Kind.BEAVER], np.int8)

Array = npt.NDArray[Any]


def read_xg(path: str, content: bytes) -> Match:
    """Read an `.xg` or `.xgp` file. Raises `UnreadableFile` when anything in it cannot be trusted."""
    archive = open_archive(path, content)
    if RECORDS not in archive.members:
        raise UnreadableFile(f"{path}: damaged XG file: expected the member {RECORDS}, found {', '.join(sorted(archive.members))}")
    blob = archive.read(RECORDS)
    if not blob or len(blob) % records.RECORD_SIZE:
        raise UnreadableFile(
            f"{path}: not XG records: expected a multiple of {records.RECORD_SIZE} bytes, found {len(blob)}; was the file written by XG?"
        )
    return _Reader(path, content, blob).match()


class _Reader:
    """The records of one file, and the columns made from them."""

    def __init__(self, path: str, content: bytes, blob: bytes) -> None:
        self.path, self.content, self.blob = path, content, blob
        self.types = np.frombuffer(blob, np.uint8)[records.TYPE_OFFSET :: records.RECORD_SIZE]
        self.header = np.frombuffer(blob, records.MATCH_HEADER_FIELDS, count=1)[0]
        if self.types[0] != records.MATCH_HEADER or self.header["magic"] != b"DMLI":
            raise self.bad("a match header first, marked DMLI", f"record type {self.types[0]}, mark {bytes(self.header['magic'])!r}")
        self.game_rows = np.flatnonzero(self.types == records.GAME_HEADER)
        if not len(self.game_rows):
            raise self.bad("at least one game", "none")
        self.is_move = self.types == records.MOVE
        self.move_rows = np.flatnonzero(self.is_move)
        self.moves = np.frombuffer(blob, records.MOVE_FIELDS)
        self.cubes = np.frombuffer(blob, records.CUBE_FIELDS)
        cube_rows = np.flatnonzero(self.types == records.CUBE)
        doubled = self.cubes["double"][cube_rows]
        offered = doubled == 1
        # A match saved while a double waits for its answer ends with one that nobody took or passed.
        self.response_rows = cube_rows[offered & (self.cubes["take"][cube_rows] != NO_ANSWER)]
        self.cube_rows = np.concatenate((cube_rows[(doubled == 0) | offered], self.response_rows))
        self.actions = len(self.cube_rows) - len(self.response_rows)
        first = min(self.move_rows[0] if len(self.move_rows) else len(blob), cube_rows[0] if len(cube_rows) else len(blob))
        if first < self.game_rows[0]:
            raise self.bad("a game header before the first roll", f"record {first} before it")
        self.played_before = self.is_move.cumsum() - self.is_move
        self.first_move = self.played_before[self.game_rows]

    def bad(self, expected: str, found: str) -> UnreadableFile:
        return UnreadableFile(f"{self.path}: damaged XG file: expected {expected}, found {found}; save the match again in XG")

    def match(self) -> Match:
        header = self.header
        length: int | None = int(header["length"])
        if length == records.MONEY_LENGTH:
            length = None
        elif not 1 <= length <= LONGEST_MATCH:  # type: ignore[operator]
            raise self.bad(f"a match of 1 to {LONGEST_MATCH} points or money ({records.MONEY_LENGTH})", f"{length} points")
        version = int(header["version"])
        modern = version >= records.UNICODE_VERSION
        text = _utf16 if modern else _ansi
        suffix = "_utf16" if modern else ""
        games = self.game_columns(length)
        notes = []
        if not records.KNOWN_VERSIONS[0] <= version <= records.KNOWN_VERSIONS[1]:
            notes.append(Note("file-version", f"file version {version}; the layout is verified for {records.KNOWN_VERSIONS}"))
        missing = int((self.types == records.MISSING_GAME).sum())
        if missing:
            notes.append(Note("games-missing", f"the file marks {missing} game(s) as missing"))
        winner = int(games.winner[-1])
        final = games.score[-1].tolist()
        if winner >= 0:
            final[winner] += int(games.points[-1])
        return Match(
            source=Source(self.path, "xg", TOOL, f"file version {version}", self.content),
            length=length,
            players=(text(header["player1" + suffix].tobytes()), text(header["player2" + suffix].tobytes())),
            rules=Rules(
                variation=VARIATIONS.get(int(header["variation"]), "unknown"),
                crawford=bool(header["crawford"]),
                jacoby=length is None and bool(header["jacoby"]),
                beavers=length is None and bool(header["beaver"]),
            ),
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=self.resignation_columns(games),
            cube_unit="emg",
            levels=LEVELS,
            complete=winner >= 0 if length is None else max(final) >= length,
            notes=tuple(notes),
            event=text(header["event" + suffix].tobytes()),
            candidates=self.candidates,
        )

    def game_columns(self, length: int | None) -> Games:
        rows = self.game_rows
        heads = np.frombuffer(self.blob, records.GAME_HEADER_FIELDS)
        score = heads["score"][rows]
        if score.min() < 0 or (length is not None and score.max() >= length):
            raise self.bad("scores from 0 to below the match length", str(score.tolist()))
        number = heads["number"][rows]
        if (number[1:] <= number[:-1]).any():
            raise self.bad("games in rising order, each once", str(number.tolist()))
        feet = np.flatnonzero(self.types == records.GAME_FOOTER)
        footers = np.frombuffer(self.blob, records.GAME_FOOTER_FIELDS)
        ended = self.game_of(feet)
        self.footer_of_game = np.full(len(rows), -1)
        self.footer_of_game[ended] = feet
        self.footers = footers
        winner, points, termination = np.full(len(rows), -1), np.zeros(len(rows), np.int64), np.zeros(len(rows), np.int64)
        sign = footers["winner"][feet]
        winner[ended] = (sign < 0) - (sign == 0) * 1
        points[ended] = footers["points"][feet] * (sign != 0)
        if points.min() < 0 or points.max() > MOST_POINTS:
            raise self.bad(f"0 to {MOST_POINTS} points won in a game", str(points[(points < 0) | (points > MOST_POINTS)][0]))
        termination[ended] = footers["termination"][feet]
        automatic = heads["automatic_doubles"][rows] if self.header["version"] >= 26 else np.zeros(len(rows), np.int32)
        return Games(
            len(rows),
            {
                "number": number,
                "score": score,
                "crawford": heads["crawford"][rows] != 0,
                "winner": winner,
                "points": points,
                "resigned": (termination >= 100) & (termination < 1000),
                "automatic_doubles": automatic,
            },
        )

    def game_of(self, rows: Array) -> Array:
        """Index of the game that each record belongs to."""
        return self.game_rows.searchsorted(rows) - 1

    def seats(self, on_roll: Array) -> Array:
        """Seat 0 for XG's +1, seat 1 for its -1."""
        if len(on_roll) and (np.abs(on_roll) != 1).any():
            raise self.bad("a player +1 or -1 on roll", str(on_roll[np.abs(on_roll) != 1][0]))
        return (on_roll < 0).astype(np.int64)

    def cube_values(self, code: Array) -> Array:
        beyond = (code < -HIGHEST_CUBE) | (code > HIGHEST_CUBE)
        if beyond.any():
            raise self.bad(f"a cube up to {2**HIGHEST_CUBE}", f"code {code[beyond][0]}")
        return np.left_shift(1, np.abs(code))

    def play_columns(self) -> Plays:
        rows, moves = self.move_rows, self.moves
        game = self.game_of(rows)
        on_roll = moves["on_roll"][rows]
        player = self.seats(on_roll)
        cube = moves["cube"][rows]
        error = moves["error"][rows]
        kept = moves["candidates"][rows]
        if len(rows):
            if kept.min() < 0 or kept.max() > records.MOST_CANDIDATES:
                raise self.bad(f"0 to {records.MOST_CANDIDATES} candidates", str(kept[(kept < 0) | (kept > records.MOST_CANDIDATES)][0]))
            if not (np.abs(error) <= -records.NOT_SCORED).all():
                raise self.bad(f"an error of at most {-records.NOT_SCORED:.0f} for every play", "another or none")
            thrown = moves["dice"][rows]
            if thrown.min() < 1 or thrown.max() > 6:
                raise self.bad("dice from 1 to 6", str(thrown[((thrown < 1) | (thrown > 6)).any(axis=1)][0].tolist()))
            widest = int(kept.max())
            equities_kept = moves["evaluations"][:, :widest, 6][rows]
            if not (np.isfinite(equities_kept) | (np.arange(widest) >= kept[:, None])).all():
                raise self.bad("a number for the equity of every candidate", "not a number")
        scored = error > records.NOT_SCORED
        played = moves["played"][rows] != 0
        validity = np.where(played, (moves["invalid"][rows] == 2) * ILLEGAL, UNPLAYED)

        def dice() -> Array:
            return moves["dice"][rows]

        def levels() -> Array:
            return _level_index(moves["level"][rows], scored)

        def luck() -> Array:
            value = moves["luck"][rows]
            known = (moves["luck_level"][rows] >= 0) & scored & (np.abs(value) < -records.NOT_SCORED)
            # XG leaves 0 where it computed none, so a file without any other value has no luck at all.
            return np.where(known & value.any(), value, np.nan)

        @cache
        def equities() -> Array:
            listed = np.arange(records.MOST_CANDIDATES) < kept[:, None]
            return np.where(listed, moves["evaluations"][:, :, 6][rows].astype(float), np.nan)

        def spread() -> Array:
            values = equities()
            return np.where(kept > 0, np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1), np.nan)

        def made() -> Array:
            index = self.made(rows, kept)
            return np.where(index >= 0, equities()[np.arange(len(rows)), index], np.nan)

        return Plays(
            len(rows),
            {
                "game": game,
                "turn": lambda: self.played_before[rows] - self.first_move[game] + 1,
                "player": player,
                "dice": dice,
                "cube": self.cube_values(cube),
                "owner": lambda: np.sign(cube) * on_roll,
                "validity": validity,
                "analysed": scored & (kept > 0),
                "moved": lambda: played & (moves["play"][rows][:, 0] >= 0),
                "legal": np.where(kept > 0, kept, UNKNOWN_COUNT),
                "flag": moves["irrelevant"][rows],
                "stored_error": np.where(scored, np.abs(error), np.nan),
                "best": lambda: equities()[:, 0],
                "played": made,
                "highest": lambda: np.fmax.reduce(equities(), axis=1),
                "spread": spread,
                "luck": luck,
                "luck_mark": lambda: np.full(len(rows), NO_MARK, np.int8),
                "level": levels,
                "position": lambda: _viewed(moves["position"][rows], on_roll),
                "play": lambda: [_pairs(play) for play in moves["play"][rows].tolist()],
            },
        )

    def made(self, rows: Array, kept: Array) -> Array:
        """Index of the candidate that leads to the position after the play, -1 where none does."""
        same = (self.moves["results"][rows] == self.moves["after"][rows][:, None, :]).all(axis=2)
        same &= np.arange(records.MOST_CANDIDATES) < kept[:, None]
        return np.where(same.any(axis=1), same.argmax(axis=1), -1)

    def cube_columns(self) -> Cubes:
        rows, cubes, actions = self.cube_rows, self.cubes, self.actions
        game = self.game_of(rows)
        on_roll = cubes["on_roll"][rows]
        seat = self.seats(on_roll)
        player = seat.copy()
        player[actions:] ^= 1
        code = cubes["cube"][rows]
        error = np.concatenate((cubes["error"][rows[:actions]], -cubes["error_response"][self.response_rows]))
        values = [cubes[name][rows].astype(float) for name in ("no_double", "double_take", "double_pass")]
        if len(rows) and not ((np.abs(error) <= -records.NOT_SCORED).all() and all(np.isfinite(value).all() for value in values)):
            raise self.bad("a number for every cube equity and error", "not a number")
        scored = np.abs(error) < -records.NOT_SCORED
        answer = cubes["take"][self.response_rows]
        if len(answer) and not (answer.min() >= 0 and answer.max() <= 2):
            raise self.bad("pass, take or beaver after a double", f"code {answer[(answer < 0) | (answer > 2)][0]}")
        kind = np.concatenate((cubes["double"][rows[:actions]] + NO_DOUBLE, RESPONSE_KINDS[answer]))
        true = np.ones(len(rows), bool)
        return Cubes(
            len(rows),
            {
                "game": game,
                "turn": lambda: self.played_before[rows] - self.first_move[game] + 1,
                "player": player,
                "kind": kind,
                "cube": self.cube_values(code),
                "owner": lambda: np.sign(code) * on_roll,
                "access": true,
                "recount_access": true,
                "answers_beaver": ~true,
                "expected": true,
                "analysed": scored,
                "no_double": np.where(scored, values[0], np.nan),
                "double_take": np.where(scored, values[1], np.nan),
                "double_pass": np.where(scored, values[2], np.nan),
                "stored_error": np.where(scored, np.abs(error), np.nan),
                "level": lambda: _level_index(cubes["level"][rows], scored),
                "position": lambda: _viewed(cubes["position"][rows], np.where(player, -1, 1)),
            },
        )

    def resignation_columns(self, games: Games) -> Resignations:
        resigned = np.flatnonzero(games.resigned & (games.winner >= 0))
        feet = self.footers[self.footer_of_game[resigned]]
        error = np.concatenate((feet["error_resign"], feet["error_accept"]))
        if not (np.abs(error) <= -records.NOT_SCORED).all():
            raise self.bad(f"an error of at most {-records.NOT_SCORED:.0f} for every resignation", "another or none")
        winner = games.winner[resigned]

        def last_cube() -> Array:
            cubes = []
            for index in resigned.tolist():
                rows = self.move_rows[: self.move_rows.searchsorted(self.footer_of_game[index])]
                cubes.append(1 << int(abs(self.moves["cube"][rows[-1]])) if len(rows) else 1)
            return np.array(cubes * 2, np.int64)

        return Resignations(
            2 * len(resigned),
            {
                "game": np.concatenate((resigned, resigned)),
                "player": np.concatenate((1 - winner, winner)),
                "kind": np.repeat(RESIGNATION_KINDS, len(resigned)),
                "cube": last_cube,
                "stored_error": np.where(error > records.NOT_SCORED, np.abs(error), np.nan),
            },
        )

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The candidates XG kept for a row of `plays`, best first."""
        move = self.moves[self.move_rows[row]]
        kept = int(move["candidates"])
        made = int(self.made(self.move_rows[row : row + 1], np.array([kept]))[0])
        levels = _level_index(move["levels"][:, 0].astype(np.int32), np.ones(records.MOST_CANDIDATES, bool))
        found = []
        for index in range(kept):
            lose_bg, lose_gammon, _, win, win_gammon, win_bg, equity = move["evaluations"][index].tolist()
            found.append(
                Candidate(
                    play=_pairs(move["moves"][index].tolist()),
                    equity=equity,
                    level=LEVELS[levels[index]].label,
                    probabilities=(win, win_gammon, win_bg, lose_gammon, lose_bg),
                    made=index == made,
                )
            )
        return tuple(found)


def _level_index(code: Array, known: Array) -> Array:
    index = LEVEL_CODES.searchsorted(code).clip(0, len(LEVEL_CODES) - 1)
    index = np.where(LEVEL_CODES[index] == code, index, len(LEVEL_CODES))
    return np.where(known, index, -1)


def _viewed(position: Array, sign: Array) -> Array:
    """Positions in player 1's view, turned to the view of the player with sign +1 or -1."""
    return np.where(sign[:, None] > 0, position, -position[:, ::-1])


def _pairs(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    """XG's (from, to) numbers from 0 as points from 1: bar 25, off 0. All zeros means nothing was played."""
    pairs = []
    for origin, target in zip(numbers[::2], numbers[1::2], strict=True):
        if origin < 0 or origin == target:
            break
        pairs.append((origin + 1, max(target + 1, 0)))
    return tuple(pairs)


def _utf16(raw: bytes) -> str:
    return raw.decode("utf-16-le", "replace").partition("\0")[0].strip()


def _ansi(raw: bytes) -> str:
    return raw[1 : 1 + min(raw[0], len(raw) - 1)].decode("cp1252", "replace").partition("\0")[0].strip()
