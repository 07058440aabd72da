"""eXtreme Gammon's `.xg`: container, records, and here the match they hold, without an object per
record.

XG's own decisions are taken from the file unchanged: the stored errors, the byte that says a play
does not count, candidate 0 as the best, -1000 for anything not scored.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.formats.common import (
    NOBODY,
    Damaged,
    check_score,
    counted_day,
    ended,
    rating,
    turned,
)
from reconcile.formats.xg import records
from reconcile.formats.xg.records import Array, bounded, open_archive
from reconcile.match.board.play import Play
from reconcile.match.board.position import START
from reconcile.match.columns import UNKNOWN_COUNT, Cubes, Kind, Plays, Resignations, Validity
from reconcile.match.match import LONGEST_MATCH, Candidate, Evaluation, Match, Note, Rules, Source
from reconcile.match.tools import XG
from reconcile.wording import plural, summary

RECORDS = "temp.xg"
VARIATIONS = {0: "backgammon", 1: "nackgammon", 2: "hypergammon3", 3: "longgammon"}
NO_ANSWER = -1
PASSED = 0
ILLEGAL_PLAY = 2
UNPLAYED = Validity.UNPLAYED.value
NO_DOUBLE = np.int8(Kind.NO_DOUBLE)
RESPONSE_KINDS = np.array([Kind.PASS, Kind.TAKE, Kind.BEAVER], np.int8)


MOST_POINTS = 3 * 2**records.HIGHEST_CUBE
"""A backgammon at the highest cube."""


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read an `.xg` file. Raises `Damaged` if anything in it is inconsistent, `UnreadableFile` for
    a position (`.xgp`)."""
    archive = open_archive(content)
    if RECORDS not in archive.members:
        names = ", ".join(sorted(archive.members))
        raise Damaged(f"expected the member {RECORDS}, found {names}")
    blob = archive.read(RECORDS)
    if len(blob) < records.RECORD_SIZE:
        least = f"records of {records.RECORD_SIZE} bytes"
        raise Damaged(f"expected {least}, found {len(blob)}", "was the file written by XG?")
    rest = len(blob) % records.RECORD_SIZE
    reader = _Reader(path, content, blob[: len(blob) - rest] if rest else blob, rest)
    return reader.match(
        bytes(archive.read(records.MEMBER)) if records.MEMBER in archive.members else b""
    )


class _Game(NamedTuple):
    """One game from its header and its footer."""

    score: tuple[int, int]
    crawford: bool
    number: int
    automatic_doubles: int
    footer: int
    """Row of its footer; 0 if it has none."""
    winner: int
    points: int
    resigned: bool
    errors: tuple[float, float]
    """Errors of resigning and of accepting."""
    cube: int
    """Of its last play; 1 before the first."""


class _Reader:
    """The records of one file, and the columns made from them."""

    def __init__(self, path: str, content: bytes, blob: bytes | bytearray, rest: int) -> None:
        self.path, self.content, self.blob, self.rest = path, content, blob, rest
        self.header = records.values_of(records.MATCH_HEADER_LAYOUT, blob)
        self.behind, kinds = 0, blob[records.TYPE_OFFSET :: records.RECORD_SIZE]
        end = kinds.find(records.MATCH_FOOTER) + 1
        if 0 < end < len(kinds):
            self.behind, kinds = len(kinds) - end, kinds[:end]
        self.types = types = np.frombuffer(kinds, np.uint8)
        if kinds[0] != records.MATCH_HEADER or self.header["magic"] != b"DMLI":
            first_record = f"record type {kinds[0]}, mark {self.header['magic']!r}"
            raise Damaged(f"expected a match header first, marked DMLI, found {first_record}")
        # A stable sort groups the rows by type in the order of the file, so that all kinds of
        # record are found at once.
        by_type = types.argsort(kind="stable")
        ends = accumulate(kinds.count(kind) for kind in range(records.MISSING_GAME + 1))
        rows = [by_type[first:end] for first, end in pairwise([0, *ends])]
        self.game_rows, self.move_rows, self.cube_rows = (
            rows[records.GAME_HEADER],
            rows[records.MOVE],
            rows[records.CUBE],
        )
        self.footer_rows = rows[records.GAME_FOOTER]
        self.missing_games = len(rows[records.MISSING_GAME])
        if not len(self.game_rows):
            raise Damaged("expected at least one game, found none")
        first = min(
            int(kind[0])
            for kind in (self.move_rows, self.cube_rows, self.footer_rows, by_type[-1:])
            if len(kind)
        )
        if first < self.game_rows[0]:
            raise Damaged(f"expected a game header before the first roll, found record {first}")
        self.moves = np.frombuffer(blob, records.MOVE_FIELDS)
        self.cubes = np.frombuffer(blob, records.CUBE_FIELDS)
        self.split_cubes()

    def split_cubes(self) -> None:
        """Tell actions and answers apart, which a record of a double has both."""
        cube_rows = self.cube_rows
        doubled, answer = self.cubes["double"][cube_rows], self.cubes["take"][cube_rows]
        offered = doubled == 1
        # A match saved while a double waits for its response ends with one that was neither taken
        # nor passed.
        answered = offered & (answer != NO_ANSWER)
        acted = offered | (doubled == 0)
        self.response_rows, self.answers = cube_rows[answered], answer[answered]
        self.action_rows, self.offered = cube_rows[acted], offered[acted]

    @cached_property
    def length(self) -> int | None:
        """Points to win; `None` for money. Raises `Damaged`."""
        length: int = self.header["length"]
        if length == records.MONEY_LENGTH:
            return None
        if not 1 <= length <= LONGEST_MATCH:
            lengths = f"1 to {LONGEST_MATCH} points or money ({records.MONEY_LENGTH})"
            raise Damaged(f"expected a match of {lengths}, found {length} points")
        return length

    def text(self, name: str) -> str:
        """A text of the header."""
        if self.header["version"] >= records.UNICODE_VERSION:
            return records.utf16(self.header[f"{name}_utf16"])
        return records.ansi(self.header[name])

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
        version = f"file version {self.header['version']}"
        if self.is_position():
            raise UnreadableFile(
                "expected a match, found a position of XG (.xgp); a position has no statistics, "
                "give the match that it is from",
                self.path,
            )
        plays, cubes = self.decisions()
        games, impossible = self.possible_results(self.games())
        end = ended(games, self.length)
        end["resignations"] = self.with_errors(end["resignations"], games)
        comment, about, cut = records.read_comments(texts, self.blob, self.place_of)
        return Match(
            source=Source(self.path, "xg", XG.name, version, self.content),
            players=(self.text("player1"), self.text("player2")),
            rules=self.rules(),
            plays=plays,
            cubes=cubes,
            cube_unit="emg",
            levels=records.EVERY_LEVEL,
            notes=(*self.notes(impossible, complete=end["complete"]), *cut),
            comment=comment,
            comments=about,
            event=self.text("event"),
            date=counted_day(self.header["date"]),
            round=self.text("round"),
            place=self.text("location"),
            ratings=self.ratings(),
            candidates=cache(self.candidates),
            read_evaluations=self.evaluations,
            read_first=lambda row: self.first_plays[row],
            **end,
        )

    def is_position(self) -> bool:
        """Whether it is one decision alone, made or not, which is not the first of a game."""
        tables = (self.moves, self.move_rows), (self.cubes, self.cube_rows)
        return (
            not len(self.footer_rows)
            and all(len(rows) <= 1 for _, rows in tables)
            and any((table["position"][rows] != START).any() for table, rows in tables)
        )

    def ratings(self) -> tuple[float | None, float | None]:
        """Elo of both players."""
        first, second = map(rating, self.header["elo"], self.header["experience"])
        return first, second

    def games(self) -> list[_Game]:
        """The games by their headers and footers."""
        rows, games = self.footer_rows, list[_Game]()
        footers = dict(zip(self.game_of(rows).tolist(), rows.tolist(), strict=True))
        for index, row in enumerate(self.game_rows.tolist()):
            header = records.values_of(records.GAME_HEADER_LAYOUT, self.blob, row)
            score, number, doubles = (
                header[name] for name in ("score", "number", "automatic_doubles")
            )
            check_score(number, score, self.length)
            if games and number <= games[-1].number:
                order = f"{games[-1].number}, {number}"
                raise Damaged(f"expected games in rising order, each once, found {order}")
            if self.header["version"] < records.AUTOMATIC_DOUBLES_VERSION:
                doubles = 0
            if not 0 <= doubles <= records.HIGHEST_CUBE:
                most = f"0 to {records.HIGHEST_CUBE} automatic doubles"
                raise Damaged(f"expected {most}, found {doubles}")
            games.append(
                _Game(
                    score=score,
                    crawford=header["crawford"] != 0,
                    number=number,
                    automatic_doubles=doubles,
                    **self.ending(footers.get(index, 0)),
                )
            )
        return games

    def ending(self, row: int) -> dict[str, Any]:
        """How a game ended, by the record at the row of its footer; 0 where it has none."""
        footer = records.values_of(records.GAME_FOOTER_LAYOUT, self.blob, row)
        sign = footer["winner"] if row else 0
        points = footer["points"] if sign else 0
        resigned = row > 0 and footer["termination"] in records.RESIGNED
        errors = footer["resign_error"], footer["accept_error"]
        if not 0 <= points <= MOST_POINTS:
            raise Damaged(f"expected 0 to {MOST_POINTS} points won in a game, found {points}")
        if sign and resigned and not all(abs(error) <= records.LARGEST_ERROR for error in errors):
            most = f"an error of at most {records.LARGEST_ERROR:.0f} for every resignation"
            raise Damaged(f"expected {most}, found another or none")
        rolls = int(self.move_rows.searchsorted(row))
        return {
            "footer": row,
            "winner": int(sign < 0) if sign else NOBODY,
            "points": points,
            "resigned": resigned,
            "errors": errors,
            "cube": int(self.cube_at_play[rolls - 1]) if rolls else 1,
        }

    @staticmethod
    def with_errors(resignations: Resignations, games: list[_Game]) -> Resignations:
        """The same with the errors of resigning, then those of accepting."""
        ended_so = resignations.game.tolist()
        accepting = (resignations.kind == Kind.ACCEPT_RESIGN).tolist()
        error = np.array(
            [games[game].errors[side] for game, side in zip(ended_so, accepting, strict=True)]
        )
        return resignations.replaced(
            stored_error=np.where(error > records.NOT_SCORED, np.abs(error), np.nan)
        )

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
        parts = (
            (self.moves, self.move_rows, "error"),
            (self.cubes, self.action_rows, "error"),
            (self.cubes, self.response_rows, "take_error"),
        )
        rows = np.concatenate([rows for _, rows, _ in parts])
        plays, actions = len(self.move_rows), len(rows) - len(self.response_rows)
        on_roll, code, size = (
            np.concatenate([table[name or error][rows] for table, rows, error in parts])
            for name in ("on_roll", "cube", "")
        )
        if not (np.abs(on_roll) == 1).all():
            raise Damaged("expected a player +1 or -1 on roll, found another")
        bounded(np.abs(code), 0, records.HIGHEST_CUBE, f"a cube up to {2**records.HIGHEST_CUBE}")
        size = np.abs(size)
        if not size.max(initial=0) <= records.LARGEST_ERROR:  # the same if one is not a number
            most = f"an error of at most {records.LARGEST_ERROR:.0f} for every decision"
            raise Damaged(f"expected {most}, found another or none")
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
        of_plays = {name: column[:plays] for name, column in common.items()}
        of_cubes = {name: column[plays:] for name, column in common.items()}
        return (
            self.play_columns(of_plays, on_roll[:plays], code[:plays]),
            self.cube_columns(of_cubes, on_roll[plays:], code[plays:], rows[plays:]),
        )

    def play_columns(self, common: dict[str, Array], on_roll: Array, code: Array) -> Plays:
        rows, moves = self.move_rows, self.moves
        dice = bounded(moves["dice"][rows], 1, 6, "dice from 1 to 6")
        most = records.MOST_CANDIDATES
        listed = bounded(moves["candidates"][rows], 0, most, f"0 to {most} candidates")
        play = moves["play"][rows]
        if play.max(initial=0) > records.BAR:
            raise Damaged(f"expected {records.STEPS}, found {play.max()}")
        self.listed, self.kept = self.candidate_equities(listed), listed
        considered = listed > 0
        scored = common["analysed"]
        played = moves["played"][rows] != 0
        validity = (moves["invalid"][rows] == ILLEGAL_PLAY).view(np.int8)
        validity[~played] = UNPLAYED

        return Plays(
            len(rows),
            {
                **common,
                "turn": lambda: self.turn_of(rows, common["game"]),
                "dice": dice,
                "owner": lambda: np.sign(code) * on_roll,
                "validity": validity,
                "analysed": scored & considered,
                "moved": lambda: played & (play[:, 0] >= 0),
                "legal": np.where(considered, listed, UNKNOWN_COUNT),
                "flag": moves["irrelevant"][rows],
                "best": lambda: self.equities[:, 0],
                "played": self.played_equities,
                "highest": lambda: self.highest,
                "spread": lambda: np.where(
                    considered, self.highest - np.fmin.reduce(self.equities, axis=1), np.nan
                ),
                "luck": lambda: self.luck(scored),
                "level": lambda: records.level_index(moves["level"][rows], scored),
                "position": lambda: records.viewed(moves["position"][rows], on_roll),
                "play": lambda: records.plays_of(play),
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

    def played_equities(self) -> Array:
        """Of the play made of every row, NaN if it is not among the candidates."""
        index = self.played_index(self.move_rows, self.kept)
        return np.where(index >= 0, self.equities[np.arange(len(index)), index], np.nan)

    @cached_property
    def highest(self) -> Array:
        """The highest of every play."""
        equities: Array = np.fmax.reduce(self.equities, axis=1)
        return equities

    def candidate_equities(self, listed: Array) -> Array:
        """The equities of the candidates, then whatever is in the unused space.

        Raises `Damaged` for a candidate whose equity is impossible or not a number, or
        whose steps are.
        """
        widest = max(int(listed.max(initial=0)), 1)
        outside = (self.moves["moves"][self.move_rows, :widest] > records.BAR).any(axis=2)
        if (outside & (np.arange(widest) < listed[:, None])).any():
            raise Damaged(f"expected {records.STEPS}, found another for a candidate")
        equities: Array = self.moves["evaluations"][:, :widest, 6][self.move_rows]
        size = np.abs(equities)
        if size.max(initial=0) <= records.LARGEST_EQUITY:
            return equities
        # One is too large or not a number, in a candidate or in the unused space.
        if not ((size <= records.LARGEST_EQUITY) | (np.arange(widest) >= listed[:, None])).all():
            raise Damaged(f"expected {records.EQUITY}, found another or none for a candidate")
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
        names = ("no_double", "double_take", "double_pass")
        equities = _doubles(np.stack([cubes[name][rows] for name in names]))
        if not np.abs(equities).max(initial=0) <= records.LARGEST_EQUITY:  # as above
            raise Damaged(f"expected {records.EQUITY}, found another or none for a cube")
        scored = common["analysed"]
        no_double, double_take, double_pass = np.where(scored, equities, np.nan)
        bounded(answers, 0, 2, "pass, take or beaver after a double")
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
                "level": lambda: records.level_index(cubes["level"][rows], scored),
                "position": lambda: records.viewed(
                    cubes["position"][rows], np.where(common["player"], -1, 1)
                ),
            },
        )

    def chances(self, rows: Array, scored: Array) -> Array:
        """Those of `Cubes`."""
        both = [self.cubes[name][rows][:, records.CHANCES] for name in records.CUBE_CHANCES]
        in_view = np.where(scored[:, None, None], np.stack(both, axis=1), np.nan)
        return turned(_doubles(in_view), np.arange(len(rows)) >= len(rows) - len(self.answers))

    def possible_results(self, games: list[_Game]) -> tuple[list[_Game], list[str]]:
        """The games with no more points than the cube allows at their end, and where there were
        more; a cube that was turned after the last roll counts."""
        possible, cases = [*games], []
        for index, game in enumerate(games):
            if not game.footer or game.points <= game.cube:
                continue
            rolls = self.move_rows.searchsorted(game.footer)
            last_roll = self.move_rows[rolls - 1] if rolls else 0
            late = self.answers[slice(*self.response_rows.searchsorted((last_roll, game.footer)))]
            cube = game.cube << sum(late.tolist())  # a pass is 0, a take 1, a beaver 2
            most = cube if PASSED in late else 3 * cube
            if game.points > most:
                cases.append(
                    f"game {game.number}: {game.points} points with the cube at {cube}, at most "
                    f"{most} can be won"
                )
                possible[index] = game._replace(points=most)
        return possible, cases

    @cached_property
    def first_plays(self) -> list[Play | None]:
        """The play of the first candidate that XG kept, for each row of `plays`."""
        first = records.plays_of(self.moves["moves"][self.move_rows, 0])
        return [
            play if count else None for play, count in zip(first, self.kept.tolist(), strict=True)
        ]

    @cached_property
    def every_candidate(self) -> list[Candidate]:
        """The candidates that XG kept for all rows of `plays`, one list after the other."""
        plays, order = self.of_candidates("moves"), np.arange(self.most)
        played = order == self.played_index(self.move_rows, self.kept)[:, None]
        made = played[order < self.kept[:, None]].tolist()
        said = zip(records.plays_of(plays), self.every_evaluation, made, strict=True)
        return [Candidate(play, *evaluation, is_made) for play, evaluation, is_made in said]

    @cached_property
    def every_evaluation(self) -> list[Evaluation]:
        """What XG says of the same."""
        codes, values = self.of_candidates("levels"), self.of_candidates("evaluations")
        levels = records.level_index(codes[:, 0].astype(np.int32), np.ones(len(codes), bool))
        labels = [records.EVERY_LEVEL[level].label for level in levels.tolist()]
        chances = map(tuple, values[:, records.CHANCES].tolist())
        return [*zip(values[:, 6].tolist(), labels, chances, strict=True)]

    def of_candidates(self, name: str) -> Array:
        """A field of the records of checker plays, of the candidates that XG kept."""
        listed = np.arange(self.most) < self.kept[:, None]
        return self.moves[name][self.move_rows, : self.most][listed]

    @cached_property
    def most(self) -> int:
        """Candidates of the longest list."""
        return int(self.kept.max(initial=0))

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The candidates that XG kept for a row of `plays`, best first."""
        return tuple(self.every_candidate[self.list_of(row)])

    def evaluations(self, row: int) -> list[Evaluation]:
        """What XG says of the same, without their plays."""
        return self.every_evaluation[self.list_of(row)]

    def list_of(self, row: int) -> slice:
        """Where the list of a row of `plays` is among all candidates."""
        return slice(self.ends[row] - int(self.kept[row]), self.ends[row])

    @cached_property
    def ends(self) -> list[int]:
        """By row of `plays` where its list ends among all candidates."""
        ends: list[int] = self.kept.cumsum().tolist()
        return ends


def _doubles(numbers: Array) -> Array:
    """Numbers in double precision; one that is none may signal it, which NumPy would print."""
    with np.errstate(invalid="ignore"):
        return numbers.astype(float)
