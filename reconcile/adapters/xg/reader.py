"""From the records of an `.xg` file to a `Match`, without an object per record.

What XG itself decided stands in the file and is taken as it stands: the stored errors, the byte that says a play
does not count, candidate 0 as the best, -1000 for what was not scored.
"""

from __future__ import annotations

from math import isfinite
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
MOST_POINTS: Final = 3 * 2**records.HIGHEST_CUBE
"""A backgammon at the highest cube."""
NO_ANSWER: Final = -1
NOBODY: Final = -1
WINNER_OF_SIGN: Final = np.array([NOBODY, 0, 1])
"""Seat by the sign +1 or -1 (which counts from the end); 0 is nobody."""
ILLEGAL_PLAY: Final = 2
RESIGNATION_KINDS: Final = np.array([Kind.RESIGN, Kind.ACCEPT_RESIGN], np.int8)
UNPLAYED: Final = np.int8(Validity.UNPLAYED)
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
        self.header = dict(zip(records.MATCH_HEADER_FIELDS.fields or (), self.fields(records.MATCH_HEADER_FIELDS)[0].item(), strict=True))
        types = np.frombuffer(blob, np.uint8)[records.TYPE_OFFSET :: records.RECORD_SIZE]
        if types[0] != records.MATCH_HEADER or self.header["magic"] != b"DMLI":
            raise self.bad("a match header first, marked DMLI", f"record type {types[0]}, mark {self.header['magic']!r}")
        # A stable sort puts the rows of one type side by side, in the order of the file: all kinds of record are found at once.
        by_type = types.argsort(kind="stable")
        ends = np.bincount(types, minlength=records.MISSING_GAME + 1).cumsum().tolist()
        rows = [by_type[first:end] for first, end in zip([0, *ends], ends, strict=False)]
        self.game_rows, self.move_rows, self.footer_rows = (rows[kind] for kind in (records.GAME_HEADER, records.MOVE, records.GAME_FOOTER))
        self.missing_games = len(rows[records.MISSING_GAME])
        if not len(self.game_rows):
            raise self.bad("at least one game", "none")
        cube_rows = rows[records.CUBE]
        first = min((int(kind[0]) for kind in (self.move_rows, cube_rows, self.footer_rows) if len(kind)), default=len(types))
        if first < self.game_rows[0]:
            raise self.bad("a game header before the first roll", f"record {first} before it")
        self.moves = self.fields(records.MOVE_FIELDS)
        self.cubes = self.fields(records.CUBE_FIELDS)
        doubled = self.cubes["double"][cube_rows]
        offered = doubled == 1
        # A match saved while a double waits for its answer ends with one that nobody took or passed.
        response_rows = cube_rows[offered & (self.cubes["take"][cube_rows] != NO_ANSWER)]
        self.cube_rows = np.concatenate((cube_rows[(doubled == 0) | offered], response_rows))
        self.actions = len(self.cube_rows) - len(response_rows)

    def bad(self, expected: str, found: str) -> UnreadableFile:
        return UnreadableFile(f"{self.path}: damaged XG file: expected {expected}, found {found}; save the match again in XG")

    def fields(self, table: np.dtype[np.void]) -> Array:
        """All records as a table has them, without a copy."""
        return np.frombuffer(self.blob, table)

    def numbers(self, table: records.Numbers, rows: Array) -> Array:
        """The numbers of a table for some records, a row per field; refused where one is out of its bounds."""
        of_records = np.frombuffer(self.blob, table.type).reshape(-1, records.RECORD_SIZE // np.dtype(table.type).itemsize)
        found: Array = of_records[rows, table.columns]
        sound = (found >= table.lowest) & (found <= table.highest)  # neither holds for what is no number
        if not sound.all():
            field, row = np.argwhere(~sound)[0].tolist()
            raise self.bad(table.expected[field], str(found[field, row]))
        return found

    def match(self) -> Match:
        header = self.header
        length: int | None = header["length"]
        if length == records.MONEY_LENGTH:
            length = None
        elif not 1 <= length <= LONGEST_MATCH:  # type: ignore[operator]
            raise self.bad(f"a match of 1 to {LONGEST_MATCH} points or money ({records.MONEY_LENGTH})", f"{length} points")
        version = header["version"]
        modern = version >= records.UNICODE_VERSION
        text = _utf16 if modern else _ansi
        suffix = "_utf16" if modern else ""
        games = self.game_columns(length)
        notes = []
        if not records.KNOWN_VERSIONS[0] <= version <= records.KNOWN_VERSIONS[1]:
            notes.append(Note("file-version", f"file version {version}; the layout is verified for {records.KNOWN_VERSIONS}"))
        if self.missing_games:
            notes.append(Note("games-missing", f"the file marks {self.missing_games} game(s) as missing"))
        winner = int(games.winner[-1])
        final = games.score[-1].tolist()
        if winner >= 0:
            final[winner] += int(games.points[-1])
        return Match(
            source=Source(self.path, "xg", TOOL, f"file version {version}", self.content),
            length=length,
            players=(text(header["player1" + suffix]), text(header["player2" + suffix])),
            rules=Rules(
                variation=VARIATIONS.get(header["variation"], "unknown"),
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
            event=text(header["event" + suffix]),
            candidates=self.candidates,
        )

    def game_columns(self, length: int | None) -> Games:
        rows, count = self.game_rows, len(self.game_rows)
        heads = self.fields(records.GAME_HEADER_FIELDS)
        numbers = self.numbers(records.GAME_HEADER_NUMBERS, rows)
        score, number = numbers[:2].T, numbers[2]
        if length is not None and score.max() >= length:
            raise self.bad("scores from 0 to below the match length", str(score.tolist()))
        if (number[1:] <= number[:-1]).any():
            raise self.bad("games in rising order, each once", str(number.tolist()))
        footers = self.fields(records.GAME_FOOTER_FIELDS)
        sign, points_won = footers["winner"][self.footer_rows], footers["points"][self.footer_rows]
        ended = self.game_of(self.footer_rows)
        winner, points, termination = results = np.zeros((3, count), np.int64)
        winner[:] = NOBODY
        results[:, ended] = WINNER_OF_SIGN[np.sign(sign)], points_won * (sign != 0), footers["termination"][self.footer_rows]
        if points.min() < 0 or points.max() > MOST_POINTS:
            raise self.bad(f"0 to {MOST_POINTS} points won in a game", str(points[(points < 0) | (points > MOST_POINTS)][0]))
        self.footer_of_game = np.zeros(count, np.int64)
        self.footer_of_game[ended] = self.footer_rows

        def automatic_doubles() -> Array:
            counted = self.header["version"] >= records.AUTOMATIC_DOUBLES_VERSION
            return heads["automatic_doubles"][rows] if counted else np.zeros(count, np.int32)

        return Games(
            count,
            {
                "number": number,
                "score": score,
                "crawford": heads["crawford"][rows] != 0,
                "winner": winner,
                "points": points,
                "resigned": (termination >= 100) & (termination < 1000),
                "automatic_doubles": automatic_doubles,
            },
        )

    def game_of(self, rows: Array) -> Array:
        """Index of the game that each record belongs to."""
        return self.game_rows.searchsorted(rows) - 1

    def turn_of(self, rows: Array, game: Array) -> Array:
        """Number of the turn that each record belongs to: the plays of its game before it, and one."""
        before = self.move_rows.searchsorted(rows)
        return before - self.move_rows.searchsorted(self.game_rows)[game] + 1

    def seats(self, on_roll: Array) -> Array:
        """Seat 0 for XG's +1, seat 1 for its -1."""
        if not on_roll.all():
            raise self.bad(records.SEAT, "0")
        return (on_roll < 0).astype(np.int64)

    def play_columns(self) -> Plays:
        rows, moves = self.move_rows, self.moves
        on_roll, die1, die2, cube, kept, invalid = self.numbers(records.MOVE_NUMBERS, rows)
        (error,) = self.numbers(records.MOVE_ERRORS, rows)
        self.check_candidates(kept)
        self.kept = kept
        game, player = self.game_of(rows), self.seats(on_roll)
        scored = error > records.NOT_SCORED
        played = moves["played"][rows] != 0
        considered = kept > 0

        def luck() -> Array:
            value = moves["luck"][rows]
            known = (moves["luck_level"][rows] >= 0) & scored & (np.abs(value) < records.LARGEST_ERROR)
            # XG leaves 0 where it computed none, so a file without any other value has no luck at all.
            return np.where(known, value, np.nan) if value.any() else np.full(len(rows), np.nan)

        def equities() -> Array:
            listed = np.arange(records.MOST_CANDIDATES) < kept[:, None]
            return np.where(listed, moves["evaluations"][:, :, 6][rows].astype(float), np.nan)

        def spread() -> Array:
            values = equities()
            return np.where(considered, np.fmax.reduce(values, axis=1) - np.fmin.reduce(values, axis=1), np.nan)

        def made() -> Array:
            index = self.made(rows, kept)
            return np.where(index >= 0, equities()[np.arange(len(rows)), index], np.nan)

        return Plays(
            len(rows),
            {
                "game": game,
                "turn": lambda: self.turn_of(rows, game),
                "player": player,
                "dice": lambda: np.stack((die1, die2), axis=1),
                "cube": 1 << np.abs(cube),
                "owner": lambda: np.sign(cube) * on_roll,
                "validity": np.where(played, invalid == ILLEGAL_PLAY, UNPLAYED),
                "analysed": scored & considered,
                "moved": lambda: played & (moves["play"][rows][:, 0] >= 0),
                "legal": np.where(considered, kept, UNKNOWN_COUNT),
                "flag": moves["irrelevant"][rows],
                "stored_error": np.where(scored, np.abs(error), np.nan),
                "best": lambda: equities()[:, 0],
                "played": made,
                "highest": lambda: np.fmax.reduce(equities(), axis=1),
                "spread": spread,
                "luck": luck,
                "luck_mark": lambda: np.full(len(rows), NO_MARK, np.int8),
                "level": lambda: _level_index(moves["level"][rows], scored),
                "position": lambda: _viewed(moves["position"][rows], on_roll),
                "play": lambda: [_pairs(play) for play in moves["play"][rows].tolist()],
            },
        )

    def check_candidates(self, kept: Array) -> None:
        """Refuse a candidate whose equity is no number."""
        widest = int(kept.max(initial=0))
        equities = self.moves["evaluations"][:, :widest, 6][self.move_rows]
        # One infinite or no number makes the sum one; only then is it worth asking whether a candidate has it.
        if not isfinite(equities.sum()) and not (np.isfinite(equities) | (np.arange(widest) >= kept[:, None])).all():
            raise self.bad("a number for the equity of every candidate", "not a number")

    def made(self, rows: Array, kept: Array) -> Array:
        """Index of the candidate that leads to the position after the play, -1 where none does."""
        same = (self.moves["results"][rows] == self.moves["after"][rows][:, None, :]).all(axis=2)
        same &= np.arange(records.MOST_CANDIDATES) < kept[:, None]
        return np.where(same.any(axis=1), same.argmax(axis=1), -1)

    def cube_columns(self) -> Cubes:
        rows, cubes, actions = self.cube_rows, self.cubes, self.actions
        on_roll, code = self.numbers(records.CUBE_NUMBERS, rows)
        equities = self.numbers(records.CUBE_EQUITIES, rows)
        error = np.concatenate((cubes["error"][rows[:actions]], cubes["error_response"][rows[actions:]]))
        size = np.abs(error)
        if not (size <= records.LARGEST_ERROR).all():
            raise self.bad(f"an error of at most {records.LARGEST_ERROR:.0f} for every cube decision", "another or none")
        answer = cubes["take"][rows[actions:]]
        if len(answer) and not (answer.min() >= 0 and answer.max() <= 2):
            raise self.bad("pass, take or beaver after a double", f"code {answer[(answer < 0) | (answer > 2)][0]}")
        scored = size < records.LARGEST_ERROR
        no_double, double_take, double_pass = np.where(scored, equities.astype(float), np.nan)
        game, player = self.game_of(rows), self.seats(on_roll)
        player[actions:] ^= 1
        always = np.ones(len(rows), bool)
        return Cubes(
            len(rows),
            {
                "game": game,
                "turn": lambda: self.turn_of(rows, game),
                "player": player,
                "kind": np.concatenate((cubes["double"][rows[:actions]] + NO_DOUBLE, RESPONSE_KINDS[answer])),
                "cube": 1 << np.abs(code),
                "owner": lambda: np.sign(code) * on_roll,
                "access": always,
                "recount_access": always,
                "answers_beaver": ~always,
                "flag": lambda: np.full(len(rows), -1, np.int8),
                "expected": always,
                "analysed": scored,
                "no_double": no_double,
                "double_take": double_take,
                "double_pass": double_pass,
                "stored_error": np.where(scored, size, np.nan),
                "level": lambda: _level_index(cubes["level"][rows], scored),
                "position": lambda: _viewed(cubes["position"][rows], np.where(player, -1, 1)),
            },
        )

    def resignation_columns(self, games: Games) -> Resignations:
        resigned = np.flatnonzero(games.resigned & (games.winner >= 0))
        # What resigning cost in every such game, then what accepting cost.
        error = self.numbers(records.RESIGNATION_ERRORS, self.footer_of_game[resigned]).ravel()
        winner = games.winner[resigned]

        def last_cube() -> Array:
            found = np.ones(len(resigned), np.int64)
            before = self.move_rows.searchsorted(self.footer_of_game[resigned])
            codes = self.numbers(records.MOVE_NUMBERS, self.move_rows)[3]
            found[before > 0] = 1 << np.abs(codes[before[before > 0] - 1])
            return np.concatenate((found, found))

        return Resignations(
            2 * len(resigned),
            {
                "game": np.concatenate((resigned, resigned)),
                "player": np.concatenate((1 - winner, winner)),
                "kind": RESIGNATION_KINDS.repeat(len(resigned)),
                "cube": last_cube,
                "stored_error": np.where(error > records.NOT_SCORED, np.abs(error), np.nan),
            },
        )

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The candidates XG kept for a row of `plays`, best first."""
        move = self.moves[self.move_rows[row]]
        kept = int(self.kept[row])
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
    raw = raw or b"\0"
    return raw[1 : 1 + raw[0]].decode("cp1252", "replace").partition("\0")[0].strip()
