"""eXtreme Gammon's `.xg`: container, records, and here the match they hold, without an object per
record.

XG's own decisions are taken from the file unchanged: the stored errors, the byte that says a play
does not count, candidate 0 as the best, -1000 for anything not scored.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.formats.chances import turned
from reconcile.formats.rows import game_columns, is_complete
from reconcile.formats.values import counted_day, rating
from reconcile.formats.xg import comments, records
from reconcile.formats.xg.container import MAGIC, open_archive
from reconcile.formats.xg.games import Game, read_games, resignation_columns
from reconcile.formats.xg.values import (
    LEVELS,
    Array,
    ansi,
    level_index,
    pairs_of,
    plays_of,
    utf16,
    viewed,
)
from reconcile.match.board.play import Play
from reconcile.match.board.position import START
from reconcile.match.columns import UNKNOWN_COUNT, Cubes, Kind, Plays, Validity
from reconcile.match.match import LONGEST_MATCH, Candidate, Match, Note, Rules, Source
from reconcile.match.tools import XG
from reconcile.match.values import OnDemand
from reconcile.wording import plural, summary

__all__ = ["MAGIC", "read"]


RECORDS: Final = "temp.xg"
VARIATIONS: Final = {0: "backgammon", 1: "nackgammon", 2: "hypergammon3", 3: "longgammon"}
NO_ANSWER: Final = -1
PASSED: Final = 0
ILLEGAL_PLAY: Final = 2
UNPLAYED: Final = Validity.UNPLAYED.value
NO_DOUBLE: Final = np.int8(Kind.NO_DOUBLE)
RESPONSE_KINDS: Final = np.array([Kind.PASS, Kind.TAKE, Kind.BEAVER], np.int8)


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read an `.xg` or `.xgp` file. Raises `UnreadableFile` if anything in it is inconsistent."""
    archive = open_archive(path, content)
    if RECORDS not in archive.members:
        names = ", ".join(sorted(archive.members))
        raise UnreadableFile(
            f"damaged XG file: expected the member {RECORDS}, found {names}; save the match again "
            "in XG",
            path,
        )
    blob = archive.read(RECORDS)
    if len(blob) < records.RECORD_SIZE:
        raise UnreadableFile(
            f"not XG records: expected {records.RECORD_SIZE} bytes or more, found {len(blob)}; "
            "was the file written by XG?",
            path,
        )
    rest = len(blob) % records.RECORD_SIZE
    reader = _Reader(path, content, blob[: len(blob) - rest] if rest else blob, rest)
    return reader.match(
        bytes(archive.read(comments.MEMBER)) if comments.MEMBER in archive.members else b""
    )


class _Reader:
    """The records of one file, and the columns made from them."""

    def __init__(self, path: str, content: bytes, blob: bytes | bytearray, rest: int) -> None:
        self.path, self.content, self.blob, self.rest = path, content, blob, rest
        values = records.MATCH_HEADER_FIELDS.unpack_from(blob)
        self.header = dict(zip(records.MATCH_HEADER_NAMES, values, strict=True))
        self.behind, kinds = 0, blob[records.TYPE_OFFSET :: records.RECORD_SIZE]
        end = kinds.find(records.MATCH_FOOTER) + 1
        if 0 < end < len(kinds):
            self.behind, kinds = len(kinds) - end, kinds[:end]
        self.types = types = np.frombuffer(kinds, np.uint8)
        if kinds[0] != records.MATCH_HEADER or self.header["magic"] != b"DMLI":
            raise self.bad(
                "a match header first, marked DMLI",
                f"record type {kinds[0]}, mark {self.header['magic']!r}",
            )
        # A stable sort groups the rows by type in the order of the file, so that all kinds of
        # record are found at once.
        by_type = types.argsort(kind="stable")
        ends = accumulate(kinds.count(kind) for kind in range(records.MISSING_GAME + 1))
        rows = [by_type[first:end] for first, end in pairwise([0, *ends])]
        self.game_rows, self.move_rows, cube_rows = (
            rows[records.GAME_HEADER],
            rows[records.MOVE],
            rows[records.CUBE],
        )
        self.footer_rows = rows[records.GAME_FOOTER]
        self.missing_games = len(rows[records.MISSING_GAME])
        if not len(self.game_rows):
            raise self.bad("at least one game", "none")
        first = min(
            int(kind[0])
            for kind in (self.move_rows, cube_rows, self.footer_rows, by_type[-1:])
            if len(kind)
        )
        if first < self.game_rows[0]:
            raise self.bad("a game header before the first roll", f"record {first} before it")
        self.moves = np.frombuffer(blob, records.MOVE_FIELDS)
        self.cubes = np.frombuffer(blob, records.CUBE_FIELDS)
        self.split_cubes(cube_rows)

    def split_cubes(self, cube_rows: Array) -> None:
        """Tell actions and answers apart, which a record of a double has both."""
        doubled, answer = self.cubes["double"][cube_rows], self.cubes["take"][cube_rows]
        offered = doubled == 1
        # A match saved while a double waits for its response ends with one that was neither taken
        # nor passed.
        answered = offered & (answer != NO_ANSWER)
        acted = offered | (doubled == 0)
        self.response_rows, self.answers = cube_rows[answered], answer[answered]
        self.action_rows, self.offered = cube_rows[acted], offered[acted]

    def bad(self, expected: str, content: str) -> UnreadableFile:
        return UnreadableFile(
            f"damaged XG file: expected {expected}, found {content}; save the match again in XG",
            self.path,
        )

    def numbers(self, table: records.Numbers, rows: Array, *kinds: int) -> Array:
        """The numbers of a table for some records, a row per field.

        If the table has a column per kind of record, `kinds` says how many records are of each
        kind.
        """
        first = rows * (records.RECORD_SIZE // table.type.itemsize)
        places = table.columns.repeat(kinds, axis=1) if kinds else table.columns
        columns: Array = np.frombuffer(self.blob, table.type).take(first + places)
        return columns

    def bounded(self, table: records.Numbers, rows: Array, *kinds: int) -> Array:
        """The same for whole numbers. Raises `UnreadableFile` if one is out of bounds."""
        columns = self.numbers(table, rows, *kinds)
        outside = (columns < table.lowest) | (columns > table.highest)
        if np.count_nonzero(outside):  # a third of the time of `any`
            field, at = np.argwhere(outside)[0].tolist()
            raise self.bad(table.expected[field], str(columns[field, at]))
        return columns

    @cached_property
    def length(self) -> int | None:
        """Points to win; `None` for money. Raises `UnreadableFile`."""
        length: int = self.header["length"]
        if length == records.MONEY_LENGTH:
            return None
        if not 1 <= length <= LONGEST_MATCH:
            raise self.bad(
                f"a match of 1 to {LONGEST_MATCH} points or money ({records.MONEY_LENGTH})",
                f"{length} points",
            )
        return length

    def text(self, name: str) -> str:
        """A text of the header."""
        if self.header["version"] >= records.UNICODE_VERSION:
            return utf16(self.header[f"{name}_utf16"])
        return ansi(self.header[name])

    def rules(self) -> Rules:
        """Those of the header."""
        header, is_money = self.header, self.length is None
        return Rules(
            variation=VARIATIONS.get(header["variation"], "unknown"),
            crawford=bool(header["crawford"]),
            jacoby=is_money and bool(header["jacoby"]),
            beavers=is_money and bool(header["beaver"]),
        )

    def notes(self, impossible: list[str], *, complete: bool) -> Iterator[Note]:
        """What is unusual about the file, and the results that are `impossible`."""
        version = self.header["version"]
        if not records.KNOWN_VERSIONS[0] <= version <= records.KNOWN_VERSIONS[1]:
            words = f"file version {version}; the layout is verified for {records.KNOWN_VERSIONS}"
            yield Note("file-version", words)
        if self.missing_games:
            yield Note("games-missing", f"the file marks {self.missing_games} game(s) as missing")
        if self.behind:
            yield Note("after-footer", f"{plural(self.behind, 'record')} of {RECORDS}")
        yield from (Note("impossible-result", text) for text in summary(impossible))
        if self.rest:
            yield Note("file-cut", f"{self.rest} bytes of a record at the end of {RECORDS}")
        elif complete and self.length is not None and self.types[-1] != records.MATCH_FOOTER:
            yield Note("file-cut", "no record for the end of the match")

    def match(self, texts: bytes) -> Match:
        """`texts` are the comments."""
        if self.is_position():
            raise UnreadableFile(
                "expected a match, found a position of XG (.xgp); a position has no statistics, "
                "give the match that it is from",
                self.path,
            )
        length, version, rows = self.length, self.header["version"], self.footer_rows
        footers = dict(zip(self.game_of(rows).tolist(), rows.tolist(), strict=True))
        starts = self.game_rows.tolist()
        recorded = read_games(self.blob, starts, footers, length, version, self.bad)
        plays, cubes = self.decisions()
        games, impossible = self.possible_results(recorded)
        last = games[-1]
        complete = is_complete(length, last.score, last.winner, last.points)
        comment, about, cut = comments.read_comments(texts, self.blob, self.place_of)
        return Match(
            source=Source(self.path, "xg", XG.name, f"file version {version}", self.content),
            length=length,
            players=(self.text("player1"), self.text("player2")),
            rules=self.rules(),
            games=game_columns(games),
            plays=plays,
            cubes=cubes,
            resignations=resignation_columns(games, self.last_cube),
            cube_unit="emg",
            levels=LEVELS,
            complete=complete,
            notes=(*self.notes(impossible, complete=complete), *cut),
            comment=comment,
            comments=about,
            event=self.text("event"),
            date=counted_day(self.header["date"]),
            round=self.text("round"),
            place=self.text("location"),
            ratings=self.ratings(),
            candidates=cache(self.candidates),
            read_first=OnDemand(self.first_plays).__getitem__,
        )

    def is_position(self) -> bool:
        """Whether it is one decision alone, which is not the first of a game."""
        moves, cubes = (
            each["position"][rows].tolist()
            for each, rows in ((self.moves, self.move_rows), (self.cubes, self.action_rows))
        )
        alone = not len(self.footer_rows) and len(moves) <= 1 >= len(cubes)
        return alone and any(tuple(position) != START for position in moves + cubes)

    def ratings(self) -> tuple[float | None, float | None]:
        """Elo of both players."""
        first, second, *experience = records.MATCH_HEADER_RATINGS.unpack_from(self.blob)
        return rating(first, experience[0]), rating(second, experience[1])

    def game_of(self, rows: Array) -> Array:
        """Index of the game that each record belongs to."""
        return self.game_rows.searchsorted(rows) - 1

    def turn_of(self, rows: Array, game: Array) -> Array:
        """Number of the turn that each record belongs to: the plays of its game before it, and
        one."""
        return (
            self.move_rows.searchsorted(rows)
            - self.move_rows.searchsorted(self.game_rows)[game]
            + 1
        )

    def place_of(self, row: int) -> tuple[int, int]:
        """Index of the game and turn of a record."""
        rows = np.array([row])
        game = self.game_of(rows)
        return int(game[0]), int(self.turn_of(rows, game)[0])

    def decisions(self) -> tuple[Plays, Cubes]:
        """Plays, cube actions and responses: first the shared columns, computed at once, then those
        of each kind."""
        rows = np.concatenate((self.move_rows, self.action_rows, self.response_rows))
        kinds = len(self.move_rows), len(self.action_rows), len(self.response_rows)
        plays, actions = kinds[0], kinds[0] + kinds[1]
        on_roll, code = self.bounded(records.DECISION_NUMBERS, rows, *kinds)
        if np.count_nonzero(on_roll) < len(on_roll):
            raise self.bad(records.SEAT, "0")
        size = np.abs(self.numbers(records.DECISION_ERRORS, rows, *kinds)[0])
        if (
            not size.max(initial=0) <= records.LARGEST_ERROR
        ):  # the same if one of them is not a number
            raise self.bad(records.BOUNDED, "another or none")
        scored = size < records.LARGEST_ERROR
        player = (on_roll < 0).astype(np.int64)  # seat 0 is XG's +1
        player[actions:] ^= 1
        cube = 1 << np.abs(code)
        self.cube_at_play = cube[:plays]
        common = {
            "game": self.game_of(rows),
            "player": player,
            "cube": cube,
            "analysed": scored,
            "stored_error": np.where(scored, size, np.nan),
        }
        return (
            self.play_columns(
                {name: column[:plays] for name, column in common.items()},
                on_roll[:plays],
                code[:plays],
            ),
            self.cube_columns(
                {name: column[plays:] for name, column in common.items()},
                on_roll[plays:],
                code[plays:],
                rows[plays:],
            ),
        )

    def play_columns(self, common: dict[str, Array], on_roll: Array, code: Array) -> Plays:
        rows, moves = self.move_rows, self.moves
        die1, die2, listed, invalid, *play = self.bounded(records.MOVE_NUMBERS, rows)
        self.listed, self.kept = self.candidate_equities(listed), listed
        considered = listed > 0
        scored = common["analysed"]
        played = moves["played"][rows] != 0
        validity = (invalid == ILLEGAL_PLAY).view(np.int8)
        validity[~played] = UNPLAYED

        def played_equity() -> Array:
            index = self.played_index(rows, listed)
            return np.where(index >= 0, self.equities[np.arange(len(rows)), index], np.nan)

        return Plays(
            len(rows),
            {
                **common,
                "turn": lambda: self.turn_of(rows, common["game"]),
                "dice": lambda: np.stack((die1, die2), axis=1),
                "owner": lambda: np.sign(code) * on_roll,
                "validity": validity,
                "analysed": scored & considered,
                "moved": lambda: played & (play[0] >= 0),
                "legal": np.where(considered, listed, UNKNOWN_COUNT),
                "flag": moves["irrelevant"][rows],
                "best": lambda: self.equities[:, 0],
                "played": played_equity,
                "highest": lambda: self.highest,
                "spread": lambda: np.where(
                    considered, self.highest - np.fmin.reduce(self.equities, axis=1), np.nan
                ),
                "luck": lambda: self.luck(scored),
                "level": lambda: level_index(moves["level"][rows], scored),
                "position": lambda: viewed(moves["position"][rows], on_roll),
                "play": lambda: plays_of(np.stack(play, axis=1)),
            },
        )

    def luck(self, scored: Array) -> Array:
        """Of every roll."""
        value = self.moves["luck"][self.move_rows]
        # XG leaves 0 if it computed none, so a file without any other value has no luck at all.
        has_luck = (
            (self.moves["luck_level"][self.move_rows] >= 0)
            & scored
            & (np.abs(value) < records.LARGEST_ERROR)
            & (np.count_nonzero(value) > 0)
        )
        return np.where(has_luck, value, np.nan)

    @cached_property
    def equities(self) -> Array:
        """Of the candidates of every play, best first; NaN beyond the last."""
        return np.where(
            np.arange(self.listed.shape[1]) < self.kept[:, None], _doubles(self.listed), np.nan
        )

    @cached_property
    def highest(self) -> Array:
        """The highest of every play."""
        equities: Array = np.fmax.reduce(self.equities, axis=1)
        return equities

    def candidate_equities(self, listed: Array) -> Array:
        """The equities of the candidates, then whatever is in the unused space.

        Raises `UnreadableFile` for a candidate whose equity is impossible or not a number, or
        whose steps are.
        """
        widest = max(int(listed.max(initial=0)), 1)
        outside = (self.moves["moves"][self.move_rows, :widest] > records.BAR).any(axis=2)
        if (outside & (np.arange(widest) < listed[:, None])).any():
            raise self.bad(records.STEPS, "another for a candidate")
        equities: Array = self.moves["evaluations"][:, :widest, 6][self.move_rows]
        size = np.abs(equities)
        if size.max(initial=0) <= records.LARGEST_EQUITY:
            return equities
        # One is too large or not a number, in a candidate or in the unused space.
        if not ((size <= records.LARGEST_EQUITY) | (np.arange(widest) >= listed[:, None])).all():
            raise self.bad(records.EQUITY, "another or none for a candidate")
        return equities

    def played_index(self, rows: Array, listed: Array) -> Array:
        """Index of the candidate that leads to the position after the play, -1 if none does."""
        positions = np.frombuffer(self.blob, records.MOVE_RESULTS)
        after, results = positions["after"][rows], positions["results"]
        first = (results[:, 0][rows] == after) & (listed > 0)  # most plays made are the best
        index: Array = first - 1
        unlike = np.flatnonzero(~first & (listed > 1))
        if len(unlike):
            widest = int(listed[unlike].max())
            same = results[:, :widest][rows[unlike]] == after[unlike, None]
            same &= np.arange(widest) < listed[unlike, None]
            index[unlike] = np.where(same.any(axis=1), same.argmax(axis=1), -1)
        return index

    def cube_columns(
        self, common: dict[str, Array], on_roll: Array, code: Array, rows: Array
    ) -> Cubes:
        cubes, answers = self.cubes, self.answers
        equities = _doubles(self.numbers(records.CUBE_EQUITIES, rows))
        if (
            not np.abs(equities).max(initial=0) <= records.LARGEST_EQUITY
        ):  # the same if one of them is not a number
            raise self.bad(records.EQUITY, "another or none for a cube")
        scored = common["analysed"]
        no_double, double_take, double_pass = np.where(scored, equities, np.nan)
        if len(answers) and not (answers.min() >= 0 and answers.max() <= 2):
            raise self.bad(
                "pass, take or beaver after a double",
                f"code {answers[(answers < 0) | (answers > 2)][0]}",
            )
        always = np.ones(len(rows), bool)

        return Cubes(
            len(rows),
            {
                **common,
                "turn": lambda: self.turn_of(rows, common["game"]),
                "kind": np.concatenate((self.offered + NO_DOUBLE, RESPONSE_KINDS[answers])),
                "owner": lambda: np.sign(code) * on_roll,
                "access": always,
                "recount_access": always,
                "answers_beaver": ~always,
                "expected": always,
                "no_double": no_double,
                "double_take": double_take,
                "double_pass": double_pass,
                "chances": lambda: self.chances(rows, scored),
                "level": lambda: level_index(cubes["level"][rows], scored),
                "position": lambda: viewed(
                    cubes["position"][rows], np.where(common["player"], -1, 1)
                ),
            },
        )

    def chances(self, rows: Array, scored: Array) -> Array:
        """Those of `Cubes`."""
        both = [self.cubes[name][rows][:, records.CHANCES] for name in records.CUBE_CHANCES]
        in_view = np.where(scored[:, None, None], np.stack(both, axis=1), np.nan)
        return turned(_doubles(in_view), np.arange(len(rows)) >= len(rows) - len(self.answers))

    def last_cube(self, rows: list[int]) -> list[int]:
        """The cube of the last play before each of some records, 1 before the first play."""
        return [
            int(self.cube_at_play[end - 1]) if end else 1
            for end in self.move_rows.searchsorted(rows).tolist()
        ]

    def possible_results(self, games: list[Game]) -> tuple[list[Game], list[str]]:
        """The games with no more points than the cube allows at their end, and where there were
        more; a cube that was turned after the last roll counts."""
        possible, cases = [*games], []
        cubes = self.last_cube([game.footer for game in games])
        for index, (game, cube) in enumerate(zip(games, cubes, strict=True)):
            if not game.footer or game.points <= cube:
                continue
            rolls = self.move_rows.searchsorted(game.footer)
            last_roll = self.move_rows[rolls - 1] if rolls else 0
            late = self.answers[slice(*self.response_rows.searchsorted((last_roll, game.footer)))]
            cube <<= sum(late.tolist())  # a pass is 0, a take 1, a beaver 2
            most = cube if PASSED in late else 3 * cube
            if game.points > most:
                cases.append(
                    f"game {game.number}: {game.points} points with the cube at {cube}, at most "
                    f"{most} can be won"
                )
                possible[index] = game._replace(points=most)
        return possible, cases

    def first_plays(self) -> list[Play | None]:
        """The play of the first candidate that XG kept, for each row of `plays`."""
        first = plays_of(self.moves["moves"][self.move_rows, 0])
        return [
            play if count else None for play, count in zip(first, self.kept.tolist(), strict=True)
        ]

    @cached_property
    def made(self) -> list[int]:
        """By row of `plays` the index of the candidate that was made, -1 if none was."""
        made: list[int] = self.played_index(self.move_rows, self.kept).tolist()
        return made

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The candidates that XG kept for a row of `plays`, best first."""
        move, kept = self.moves[self.move_rows[row]], int(self.kept[row])
        codes = move["levels"][:kept, 0].astype(np.int32)
        levels = level_index(codes, np.ones(kept, bool)).tolist()
        values, plays = move["evaluations"][:kept].tolist(), move["moves"][:kept].tolist()
        return tuple(
            Candidate(
                play=pairs_of(tuple(play)),
                equity=numbers[6],
                level=LEVELS[level].label,
                probabilities=tuple(numbers[at] for at in records.CHANCES),
                made=index == self.made[row],
            )
            for index, (play, numbers, level) in enumerate(zip(plays, values, levels, strict=True))
        )


def _doubles(numbers: Array) -> Array:
    """Numbers in double precision; one that is none may signal it, which NumPy would print."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(float)
