"""Transcripts in Jellyfish style: what gnuBG exports as `.mat`, XG as `.txt`, and playing sites as
either. No analysis.

A transcript contains only what was done: what each play leads to, who owned the cube, which turns
had no double, and which game was the Crawford game follow from the rules of the game. Transcripts
differ in how much of a play they write: some mark hits, some only the last one, some none; a
checker's path may be written as one step or several. So a play is legal if it leads to the result
of a legal play.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from operator import sub
from typing import Any, NamedTuple

import numpy as np

from reconcile.formats.common import (
    HIGHEST_CUBE,
    NOBODY,
    SEVERAL,
    Damaged,
    Follower,
    Row,
    Rows,
    cut_short,
    ended,
    missing_games,
    rating,
    written_day,
)
from reconcile.formats.mat.lines import WON, Cell, Transcript, read_lines, recognises
from reconcile.match.board.play import (
    Effort,
    Play,
    carried_out,
    count_legal_plays,
    legal_play_meant,
    legal_plays,
    parse_play,
    play_text,
)
from reconcile.match.board.position import (
    STARTS,
    Counts,
    borne_off,
    checkers_of,
    size_of_win,
    swap,
)
from reconcile.match.columns import UNKNOWN_COUNT, Cubes, Kind, Plays, Validity
from reconcile.match.match import Level, Match, Note, Rules, Source
from reconcile.wording import plural

__all__ = ["read", "recognises"]


@dataclass(slots=True, kw_only=True)
class MadeRows(Rows):
    """The rows of a match whose plays are checked by the legal ones."""

    effort: Effort = field(default_factory=Effort)


class Made(NamedTuple):
    """A roll as it was played."""

    validity: Validity
    legal: int
    """Number of different positions the roll can lead to, as in `Plays.legal`."""
    play: Play
    after: Counts
    """The mover's view; after an illegal play as recorded, backward moves included, without
    impossible steps."""


ILLEGAL = re.compile(r"\s*\(?illegal (?:play|move)\)?", re.I)
"""What a program writes of a play against the dice, in its place or behind it."""


def make(
    board: Counts, dice: tuple[int, int], text: str, *, last: bool, effort: Effort | None = None
) -> Made:
    """Make the play written as `text`; `last` means that only the result of the game follows.
    Raises `ValueError` for another notation."""
    missing = bool(text) and not text.strip("?")
    steps = ILLEGAL.sub("", text)
    if text and not steps:
        return Made(Validity.ILLEGAL, count_legal_plays(board, *dice, effort=effort), (), board)
    play = () if missing else parse_play(steps, dice, board, backward=True)
    if not play:
        possible = count_legal_plays(board, *dice, effort=effort)
        if possible == 1 and not last:  # gnuBG's import makes it, whatever the cell says instead
            forced = legal_plays(board, *dice)[0]
            return Made(Validity.VALID, possible, forced.play, forced.result)
        if missing or (possible and last and not text):
            return Made(Validity.UNPLAYED, UNKNOWN_COUNT, (), board)
        return Made(Validity.ILLEGAL if possible else Validity.VALID, possible, (), board)
    legal_play, legal = legal_play_meant(board, *dice, play, effort)
    if legal_play is None:
        return Made(Validity.ILLEGAL, legal, play, carried_out(board, play))
    return Made(Validity.VALID, legal, legal_play.play, legal_play.result)


def make_noted(
    rows: MadeRows, where: object, board: Counts, dice: tuple[int, int], text: str, *, last: bool
) -> Made:
    """The same; a play that the dice do not allow, and one that is not written since it was forced,
    are noted."""
    played = make(board, dice, text, last=last, effort=rows.effort)
    if played.validity is Validity.ILLEGAL:
        words = f"{dice[0]}{dice[1]} does not allow {cut_short(text, 40) or 'no play'!r}"
        rows.note("illegal-play", f"{where}: {words}")
    elif played.validity is Validity.VALID and played.play and "/" not in text:
        rows.note("forced-play", f"{where}: {play_text(board, played.play)}")
    return played


MOST_SEQUENCES = 100_000
"""Sequences of moves tried in a whole file to find the legal plays; a roll takes about ten, unless
the file is hostile."""

MOST_ILLEGAL = 1000
"""Illegal plays in a whole file. A match rarely has one, unless it is of an unnamed variation."""

Result = tuple[int, int]
"""Winner's seat and points."""


@dataclass(slots=True, kw_only=True)
class TranscriptRows(MadeRows):
    """The rows of a match, and what else its games share while they are read."""

    rules: Rules
    text: Transcript
    place: str = "line"
    """The unit of `Cell.line`, for messages."""
    match_point_reached: bool = False
    """Whether a player was one point away in an earlier game."""


class Game(Follower):
    """One game, followed cell by cell."""

    rows: TranscriptRows
    unanswered = "a roll while a double waits for its response"

    def __init__(self, rows: TranscriptRows, index: int) -> None:
        games = rows.text.games
        self.rows, self.text, self.length, self.rules = (
            rows,
            games[index],
            rows.text.length,
            rows.rules,
        )
        self.gained: tuple[int, int] | None = None
        """What the score of the next game adds; `None` without a next game."""
        for following in games[index + 1 : index + 2]:
            if following.number == self.text.number + 1:
                first, second = map(sub, following.score, self.text.score)
                self.gained = first, second
        last = self.text.cells[-1] if self.text.cells else None
        self.stated: Result | None = (last.seat, last.number) if last and last.kind is WON else None
        self.unwritten = self.count_automatic_doubles()
        """Automatic doubles that the written points leave out."""
        super().__init__(
            rows, index, self.text.number, self.text.score, self.length,
            crawford=self.is_crawford(), cube_in_play=self.rules.cube, cube=1 << self.unwritten,
        )  # fmt: skip
        self.cell = Cell(self.text.line, NOBODY, None, 0, "")
        """The one that is read now; before the first there is only the line of the game."""
        self.resignation: Result | None = None
        """As its own words say."""
        self.board = self.text.start or STARTS[self.rules.variation]
        """In seat 0's view."""

    def is_crawford(self) -> bool:
        """Whether a player is one point away for the first time; a game with a double is never the
        Crawford game."""
        if (
            not self.rules.crawford
            or self.length in (None, 1)
            or self.rows.match_point_reached
            or self.length - 1 not in self.text.score
        ):
            return False
        self.rows.match_point_reached = True
        return not any(cell.kind is Kind.DOUBLE for cell in self.text.cells)

    def count_automatic_doubles(self) -> int:
        """gnuBG leaves automatic doubles out of its transcripts; only the score of the next game
        shows them."""
        if (
            self.length is not None
            or self.gained is None
            or self.stated is None
            or self.stated[1] <= 0
        ):
            return 0
        factor, rest = divmod(self.gained[self.stated[0]], self.stated[1])
        return (
            factor.bit_length() - 1
            if not rest and 1 < factor <= HIGHEST_CUBE and factor & (factor - 1) == 0
            else 0
        )

    def read(self) -> None:
        """Follow the game and add its rows."""
        cells = self.text.cells
        for at, self.cell in enumerate(cells):
            seat, kind = self.cell.seat, self.cell.kind
            match kind:
                case Kind.PLAY:
                    self.play(
                        seat, last=at + 1 == len(cells) or cells[at + 1].kind in (Kind.RESIGN, WON)
                    )
                case Kind.NO_DOUBLE:
                    self.without_double(seat, self.details(seat, Kind.NO_DOUBLE))
                case Kind.DOUBLE | Kind.BEAVER:
                    self.turned(seat)
                case Kind.TAKE | Kind.PASS:
                    self.answered(seat, kind)
                case Kind.RESIGN if seat != NOBODY:
                    self.resignation = 1 - seat, self.cube * self.cell.number
            for text in self.text.comments.get(at + 1, ()):
                self.remark(text)
        self.finish()

    def view(self, seat: int) -> Counts:
        """The position in the view of a seat."""
        return self.board if seat == 0 else swap(self.board)

    def details(self, seat: int, kind: Kind) -> Row:
        """What ends the row of a decision: the position before it, and the line that has it."""
        return self.view(seat), self.cell.line

    @property
    def responder(self) -> int:
        """The player who has to respond to a double, a beaver or a raccoon."""
        if self.doubler == NOBODY:
            return NOBODY
        return self.doubler if self.beavers % 2 else 1 - self.doubler

    def __str__(self) -> str:
        """Where it is now, with the line of the cell that is read."""
        return f"{super().__str__()} ({self.rows.place} {self.cell.line})"

    def play(self, seat: int, *, last: bool) -> None:
        """A roll and its play, and before it the double that was not made."""
        cell = self.cell
        dice = divmod(cell.number, 10)
        if not cell.number:
            self.unknown_roll(seat)
            return
        if self.doubler != NOBODY and self.beavers:
            self.answered(self.responder, Kind.TAKE)  # playing on accepts the beaver
        self.check_turn(seat)
        if self.is_due(seat, opening=self.turn == 1 and self.text.start is None):
            self.without_double(seat, self.details(seat, Kind.NO_DOUBLE))
        before, line = self.details(seat, Kind.PLAY)
        with self.understood():
            played = make_noted(self.rows, self, before, dice, cell.play, last=last)
        self.refuse_many()
        if played.validity is Validity.UNPLAYED and not last:
            self.odd("the play is not written, positions after it are uncertain")
        self.roll(
            seat,
            dice,
            played.validity,
            played.legal,
            bool(played.play),
            more=(before, line, played.play),
        )
        self.board = cell.board or (played.after if seat == 0 else swap(played.after))

    @contextmanager
    def understood(self) -> Iterator[None]:
        """Raises `Damaged` for a play in another notation."""
        try:
            yield
        except ValueError:
            written = repr(cut_short(self.cell.play, 60))
            raise Damaged(f"{self}: expected a play such as '13/8 6/5', found {written}") from None

    def unknown_roll(self, seat: int) -> None:
        """A turn whose dice nobody recorded, or that no dice give: it is no decision, and its play
        is taken from the words alone."""
        self.check_turn(seat)
        self.rows.note("unknown-roll", str(self))
        if self.cell.play.strip("?"):
            with self.understood():
                play = parse_play(self.cell.play, backward=True)
            after = carried_out(self.view(seat), play)
            self.board = after if seat == 0 else swap(after)
        self.turn += 1
        self.last_mover = seat

    def refuse_many(self) -> None:
        """Raise `Damaged` where there are more ways to play or illegal plays than a match
        can have."""
        if self.rows.effort.tried > MOST_SEQUENCES:
            most = f"at most {MOST_SEQUENCES} ways to play all rolls up to here"
            raise Damaged(f"{self}: expected {most}, found more", SEVERAL)
        if len(self.rows.odd.get("illegal-play", ())) > MOST_ILLEGAL:
            raise Damaged(
                f"{self}: expected plays of {self.rules.variation}, found more than "
                f"{MOST_ILLEGAL} that the dice do not allow",
                "was another variation played?",
            )

    def turned(self, seat: int) -> None:
        """A double, or a beaver if a double is waiting for its response."""
        self.check_cube()
        if self.doubler == NOBODY and self.cell.kind is Kind.DOUBLE:
            self.double(seat, self.details(seat, Kind.DOUBLE))
        elif seat == self.responder:
            self.double(seat, self.details(seat, Kind.BEAVER))
        else:
            self.odd(
                "a beaver without a double"
                if self.doubler == NOBODY
                else "the same player doubles twice"
            )

    def check_cube(self) -> None:
        """A cube that is not twice the previous one is accepted, since the double before it may be
        missing."""
        number = self.cell.number
        beaver = self.cell.seat == self.responder
        at_hand = self.cube * (2 if beaver else 1)
        if number and 2 * at_hand not in (number, number * self.first_cube):
            self.odd(f"the cube goes to {number}, but it was at {at_hand}")
            if not beaver and 2 <= number <= HIGHEST_CUBE and number & (number - 1) == 0:
                self.cube = number // 2

    def answered(self, seat: int, kind: Kind) -> None:
        """A take or pass; it belongs to the player who has to respond, whatever its column."""
        if self.doubler == NOBODY:
            self.odd(f"a {kind.label} without a double")
            return
        if seat != self.responder:
            self.odd("a response in the column of the player who doubled")
        self.answer(self.responder, kind, self.details(self.responder, kind))

    def finish(self) -> None:
        """The result of the game: from the score of the next game, as written, or from the
        plays."""
        by_rule = (
            (1 - self.passed_by, self.cube) if self.passed_by != NOBODY else self.natural_end()
        )
        by_score = self.score_gained()
        results = {
            "the score": by_score,
            "the written result": self.stated,
            "the play": by_rule,
        }
        winner, points = next(filter(None, (*results.values(), self.resignation)), (NOBODY, 0))
        if winner != NOBODY and not points:
            points = by_rule[1] if by_rule else self.cube
        for name, result in results.items():
            if result and result[0] != winner:
                names = self.text.players
                self.odd(
                    f"won by {names[winner]} after the score, but {name} says {names[result[0]]}"
                )
        written = self.stated[1] << self.unwritten if self.stated else 0
        if by_score and written not in (0, points):
            self.odd(f"{plural(points, 'point')} won after the score, but {written} are written")
        self.winner, self.resigned = winner, winner != NOBODY and by_rule is None
        self.points = self.capped(points, self.most_points(by_rule))

    def most_points(self, by_rule: Result | None) -> int:
        """What the winner can have won: as much as a pass or the last board say, or else a
        backgammon unless the loser bore off."""
        if self.winner == NOBODY:
            return 0
        if by_rule and by_rule[0] == self.winner:
            return by_rule[1]
        loser_off = borne_off(self.view(1 - self.winner), checkers_of(self.rules.variation))[0]
        return self.cube * (1 if loser_off or self.is_undoubled_jacoby() else 3)

    def is_undoubled_jacoby(self) -> bool:
        """Whether gammons do not count, since nobody has doubled."""
        return self.rules.jacoby and self.owner == NOBODY

    def score_gained(self) -> Result | None:
        """Winner and points as the score of the next game shows them."""
        if self.gained is None:
            return None
        for seat in (0, 1):
            if self.gained[seat] > 0 and self.gained[1 - seat] == 0:
                return seat, self.gained[seat]
        self.odd("the score after it does not follow from the score before it")
        return None

    def natural_end(self) -> Result | None:
        """Winner and points when a player has borne off the last checker."""
        checkers = checkers_of(self.rules.variation)
        for seat in (0, 1):
            if borne_off(self.view(seat), checkers)[0] == checkers:
                gammons = not self.is_undoubled_jacoby()
                size = size_of_win(self.view(1 - seat), checkers, gammons=gammons)
                return seat, self.cube * size
        return None


TOOL = "transcript"
RATING = re.compile(r"\s*(\d{1,5}(?:[.,]\d{1,9})?)/(\d{1,9})\s*", re.ASCII)
ALIASES = {"hypergammon": "hypergammon3", "standard": "backgammon", "": "backgammon"}
"""XG's hypergammon has three checkers."""


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a transcript. Raises `Damaged` if its lines cannot be understood; illegal plays are
    marked and noted."""
    return TranscriptReader(path, content, read_lines(content)).match()


class TranscriptReader:
    """The rows of one match, and the columns made from them."""

    def __init__(self, path: str, content: bytes, text: Transcript) -> None:
        self.path, self.content, self.text = path, content, text
        self.rules = self.read_rules()
        self.rows = TranscriptRows(rules=self.rules, text=text)
        for code, case in text.odd:
            self.rows.note(code, case)

    def match(self) -> Match:
        """Follow every game."""
        followed = [self.game(index) for index in range(len(self.text.games))]
        for game in followed:
            game.read()
        return Match(
            source=self.source(),
            players=self.text.players,
            rules=self.rules,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            cube_unit="emg",
            levels=self.levels(),
            notes=tuple(self.notes()),
            event=self.text.headers.get("event", ""),
            date=written_day(self.text.headers.get("eventdate", "")),
            round=self.text.headers.get("round", ""),
            place=self.text.headers.get("site", ""),
            comment="\n".join(self.text.comments + self.rows.remarks),
            comments=self.rows.comments,
            ratings=self.ratings(),
            **ended(followed, self.text.length),
        )

    def ratings(self) -> tuple[float | None, float | None]:
        """What the headers say of the players, who may be named there in the other order than over
        the columns, or else what is beside their names in the first game."""
        headers, players = self.text.headers, self.text.players
        numbers = (1, 2) if headers.get("player 1", players[0]) != players[1] else (2, 1)
        first, second = (
            _rating(headers.get(f"player {number} elo", "")) or _rating(f"{beside}/1")
            for number, beside in zip(numbers, self.text.games[0].ratings, strict=True)
        )
        return first, second

    def game(self, index: int) -> Game:
        """The follower of one game."""
        return Game(self.rows, index)

    def source(self) -> Source:
        """The source of the match."""
        return Source(self.path, "mat", TOOL, None, self.content)

    def levels(self) -> tuple[Level, ...]:
        """A transcript has no analysis."""
        return ()

    def read_rules(self) -> Rules:
        """The rules of play in the headers."""
        headers, money = self.text.headers, self.text.length is None
        name = headers.get("variation", "backgammon")
        variation = "".join(filter(str.isalnum, name)).lower()
        variation = ALIASES.get(variation, variation)
        if variation not in STARTS:
            raise Damaged(
                f"expected one of the variations {', '.join(STARTS)}, found {name[:60]!r}",
                "it starts from another position",
            )

        def is_on(key: str, default: str = "off") -> bool:
            return headers.get(key, default).lower() == "on"

        beavers = any(cell.kind is Kind.BEAVER for game in self.text.games for cell in game.cells)
        return Rules(
            variation=variation,
            crawford=not money and is_on("crawford", "on"),
            jacoby=money and is_on("jacoby"),
            beavers=money and (is_on("beaver") or beavers),
            cube=headers.get("cubelimit", "") != "1",
        )

    def notes(self) -> list[Note]:
        """What a user should know about it."""
        notes = [
            *self.renamed(),
            *self.rows.notes(),
        ]
        numbers = (game.number - 1 for game in self.text.games)
        return [*notes, *missing_games(numbers, "", "file")]

    def renamed(self) -> Iterator[Note]:
        """Notes of the games that have another name in a column than most."""
        players = self.text.players
        for game in self.text.games:
            for name, usual in zip(game.players, players, strict=True):
                if name != usual:
                    where = f"game {game.number}, {self.rows.place} {game.line}"
                    yield Note("player-renamed", f"{where}: {name} in place of {usual}")

    def play_columns(self) -> Plays:
        """Their rolls."""
        columns, rest = self.rows.play_columns("position", "line", "play")
        self.play_lines = rest["line"]
        return Plays(
            len(self.rows.plays),
            columns
            | unanalysed(len(self.rows.plays), "best", "played", "highest", "spread", "luck"),
        )

    def cube_columns(self) -> Cubes:
        """Their cube actions, then the answers."""
        columns, rest = self.rows.cube_columns("position", "line")
        self.cube_lines = rest["line"]
        rows = len(self.cube_lines)
        # No gnuBG has counted it, so that a beaver leaves the cube to whom it belongs (Q14).
        columns["recount_access"] = columns["access"]
        return Cubes(rows, columns | unanalysed(rows, "no_double", "double_take", "double_pass"))


def unanalysed(rows: int, *equities: str) -> dict[str, Any]:
    """The columns of decisions without an analysis."""
    unknown = np.full(rows, np.nan)
    return {
        "analysed": np.zeros(rows, bool),
        **dict.fromkeys(equities, unknown),
        "level": np.full(rows, -1, np.int16),
    }


def _rating(text: str) -> float | None:
    """Of `1600.00/0`: a rating, with a point or a comma, and the experience."""
    parts = RATING.fullmatch(text)
    return rating(float(parts[1].replace(",", ".")), int(parts[2])) if parts else None
