"""The grammar of a transcript: lines split into headers, games and cells. Whether the game makes
sense is not checked here. Brackets are optional, `|` is or, tabs reach to every eighth column.

    header   ; [Key "Value"]
    length   7 point match | money session     0 points for a money session
    game     Game 1
    score    Ann : 0    Ben : 0                before the game; the left column is seat 0, a name
                                               that is left out is `Player 1` or `Player 2`
    start    ; Set Pos=-b----E-C---eE---c-e----B-/0      as in an XGID, capitals are seat 0
    turn     [1)] cell [cell]
    cell     dice: play | word | ????         without dice: a turn that nobody recorded
    play     nothing | Cannot Move | ???? | 13/8*/3(2) ... | Illegal play [(position;)]
    word     Doubles [=> 2] | Takes | Drops | Beavers | Raccoons
           | Resigns [gammon] | Concedes       also behind a roll, or in the winner's column
           | Wins 2 points [and the match] | Losses 2 points

Every writer starts columns at different places, so cells are found by their first characters, and
only a cell that is alone in its line is assigned to a player by its place, as in gnuBG's import.
Backgammon Galaxy ends a match by `Losses` in a turn without a line of its own, or in a line without
a number and so without a column; who won says `Wins`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from operator import eq
from typing import NamedTuple

from reconcile.formats.common import (
    NOBODY,
    OWN_FILES,
    SEVERAL,
    Damaged,
    cut_short,
    name_in,
    with_line_feeds,
    without_rating,
)
from reconcile.match.board.position import Counts, checked, from_xgid, swap
from reconcile.match.columns import Kind

MOST_CELLS = 10_000
"""Most cells, enough for a session of 150 games; every play is checked against the legal ones,
which takes a while."""
MOST_LINES = 50_000
LONGEST_LINE = 1000
LONGEST_SCORE_LINE = 200
HEAD = 2**16
"""Bytes in which a transcript must be recognisable."""
LEFT_COLUMN = 16
"""The last place at which a cell alone in its line is the left player's, from 0, in gnuBG
1.07.001."""
WIDEST_GAP = 8
"""Most blanks between dice and the resignation of whoever rolled them."""

_LENGTH = re.compile(
    r" *(?:(\d{1,6})[ -]+points? +match|(?:money|unlimited) (?:session|match|game))\b",
    re.I | re.ASCII,
)
_GAME = re.compile(r"\s*Game +(\d{1,6})(?!\w).*", re.I | re.ASCII)
_SCORES = tuple(
    re.compile(rf"({name})\s*:\s*(\d{{1,6}}){gap}({name})\s*:\s*(\d{{1,6}})", re.ASCII)
    for name, gap in ((r"\S.*?", r"\s{2,}"), (r"\S.*?", r"\s+"), (r"[^\s:]*", r"\s{2,}"))
)
_TURN = re.compile(r"\s*\d{1,6}\)", re.ASCII)
_NEXT_TURN = re.compile(r"(?<=\S) {2,}(?=\d{1,6}\) +loss)", re.I | re.ASCII)
_LOSS = re.compile(r"\s*loss", re.I)
WON = None
"""In place of a kind: what was won, in the column of the winner."""
_WORDS = {
    "(?:re)?doubles?": Kind.DOUBLE,
    "beavers?|raccoons?": Kind.BEAVER,
    "takes?|accepts?": Kind.TAKE,
    "drops?|pass(?:es)?|rejects?": Kind.PASS,
    "resign(?:s|ed)?|concede[ds]?": Kind.RESIGN,
    "wins?|loss(?:es)?": WON,
}
_SIZES = {"normal": 1, "single": 1, "gammon": 2, "backgammon": 3}
"""Of a resignation, by its word."""
_CELL = re.compile(
    r"(?<!\S)(?:(?P<dice>[\d?]{2}(?=:)|(?<!\S )(?<!:  )\?{4}(?!\S)):?"
    r"(?:\s*illegal play\s*\((?P<board>.*?;)\))?|"
    rf"(?P<word>{'|'.join(_WORDS)})(?!\w)"
    r"(?: (?:a )?(?P<size>normal|single|gammon|backgammon|match|game)(?: game)?\b)?"
    r"(?:\s{0,2}(?:[=-]*>)?\s{0,2}(?:to )?\(?(?P<number>\d{1,6})\)?(?![\w:/)])"
    r"(?:\s+points?(?:\s+and\s+(?:the\s+)?match)?)?)?\.?)",
    re.I | re.ASCII,
)
_START = re.compile(r"Set Pos=([-A-Oa-o]{26})/0")


class Cell(NamedTuple):
    """One player's half of a line."""

    line: int
    seat: int
    kind: Kind | None
    """`PLAY` is a roll, `RESIGN` what playing sites write before a result, `WON` a result; a
    `NO_DOUBLE` is not written in transcripts, but a database may store it."""
    number: int
    """The dice as a two-digit number, 0 for one that no dice give; the cube after a double, the
    size of a resignation, or the points won; 0 if none is written."""
    play: str
    """The play of a roll, as written; empty for a dance and for a roll that was not played."""
    board: Counts | None = None
    """After a play against the dice, where it is written out, in seat 0's view."""


@dataclass(slots=True)
class GameText:
    """One game as written."""

    line: int
    number: int
    players: tuple[str, str]
    """Without their ratings."""
    score: tuple[int, int]
    cells: list[Cell]
    ratings: tuple[str, str] = ("", "")
    """As written beside the names."""
    comments: dict[int, list[str]] = field(default_factory=dict)
    """By the number of cells before them."""
    start: Counts | None = None
    """A first position that was set up, in seat 0's view."""


@dataclass(slots=True)
class Transcript:
    """A match as written."""

    headers: dict[str, str]
    length: int | None
    games: list[GameText] = field(default_factory=list)
    odd: list[tuple[str, str]] = field(default_factory=list)
    """Code of a note, and its case: what was not understood or not read to its end."""
    comments: list[str] = field(default_factory=list)
    """Lines of a comment before the first game."""

    @property
    def players(self) -> tuple[str, str]:
        """The name of each column in most games; of as many, in the earlier ones."""
        left, right = zip(*(game.players for game in self.games), strict=True)
        return Counter(left).most_common(1)[0][0], Counter(right).most_common(1)[0][0]


def recognises(content: bytes) -> bool:
    """Whether the text has the length of a match or session, followed by a game."""
    length = False
    for line in with_line_feeds(content[:HEAD]).split("\n"):
        length = length or bool(_LENGTH.match(line))
        if length and _GAME.fullmatch(line):
            return True
    return False


def read_lines(content: bytes) -> Transcript:
    """Split a transcript into its parts. Raises `Damaged` with the line that cannot be
    understood."""
    return _Lines(with_line_feeds(content).expandtabs(8).split("\n")).transcript()


class _Lines:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.text = Transcript({}, None)
        self.headed = False
        """Whether the length of the match has been read."""
        self.announced: tuple[int, int] | None = None
        """Line and number of a game whose players have not been read yet."""
        self.cells_read = 0
        self.over = False
        """Whether a game behind the end of the match has been met."""

    def note(self, code: str, line: int, case: str) -> None:
        self.text.odd.append((code, f"line {line}: {case}"))

    def transcript(self) -> Transcript:
        read = self.text
        if len(self.lines) > MOST_LINES:
            raise Damaged(f"expected at most {MOST_LINES} lines, found {len(self.lines)}", SEVERAL)
        for at, line in enumerate(self.lines, 1):
            if self.over:
                break
            if line.lstrip().startswith((";", "#")):
                remark = line.strip("; #\t")
                self.remark(at, remark[:LONGEST_LINE])
                if len(remark) > LONGEST_LINE:
                    self.note("comment-cut", at, f"the first {LONGEST_LINE:,} letters")
            elif line.strip():
                self.read_line(at, line)
        if self.announced:
            above, number = self.announced
            raise Damaged(
                f"line {above}: expected the players and the score of game {number} after this "
                "line, found the end of the file"
            )
        if not read.games:
            lacking = "no game" if self.headed else "neither"
            raise Damaged(
                f"expected a transcript with a match length and a game, found {lacking}",
                "export the match again",
            )
        return read

    def read_line(self, at: int, line: str) -> None:
        """A heading, the players of a game, or a turn."""
        games = self.text.games
        if len(line) > LONGEST_LINE:
            most = f"at most {LONGEST_LINE} characters"
            raise Damaged(f"line {at}: expected {most}, found {len(line)}", "is it a transcript?")
        if self.announced:
            self.start(at, line, *self.announced)
            self.announced = None
        elif heading := _LENGTH.match(line):
            self.length(at, line, int(heading[1] or 0))
        elif heading := _GAME.fullmatch(line):
            if not self.headed:
                first = "the length of the match before its first game"
                raise Damaged(f"line {at}: expected {first}, found {_shown(line)}")
            self.announced = at, int(heading[1])
        elif games:
            for turn in _NEXT_TURN.split(line):
                self.add(at, turn, games[-1])

    def remark(self, at: int, text: str) -> None:
        """A header, a line of a comment, or the first position of a game."""
        read = self.text
        key, quote, value = text.lstrip("[").partition('"')
        if text.startswith("Set Pos="):
            self.set_up(at, text)
        elif text.startswith("[") and quote:
            if not read.games:
                read.headers.setdefault(key.strip().lower(), name_in(value.rpartition('"')[0]))
        elif text and read.games and (cells := read.games[-1].cells):
            read.games[-1].comments.setdefault(len(cells), []).append(name_in(text))
        elif text:
            read.comments.append(name_in(text))

    def set_up(self, at: int, text: str) -> None:
        start, games = _START.fullmatch(text), self.text.games
        if not start or not games or games[-1].cells or self.announced:
            raise Damaged(
                f"line {at}: expected 'Set Pos=', 26 letters as in an XGID and '/0', before the "
                f"first turn of a game, found {_shown(text)}"
            )
        try:
            games[-1].start = checked(from_xgid(f"{start[1]}:0:0:1:00:0:0:0:0:0").position)
        except ValueError as error:
            raise Damaged(f"line {at}: expected a possible position, found {error}") from None

    def length(self, at: int, line: str, length: int) -> None:
        if self.headed:
            raise Damaged(
                f"line {at}: expected one match, found a second one ({_shown(line)})", OWN_FILES
            )
        self.headed, self.text.length = True, length or None

    def add(self, at: int, line: str, game: GameText) -> None:
        """The cells of a line. The winner's column may repeat what the loser's says."""
        last = game.cells[-1] if game.cells else None
        unique = {cell[1:]: cell for cell in self.cells(at, line)}.values()
        cells = [
            cell for cell in unique if last is None or last[1:] != cell[1:] or cell.kind is not WON
        ]
        if (
            last
            and [(cell.kind, cell.number) for cell in cells] == [(WON, last.number)]
            and _LOSS.match(self.lines[last.line - 1])
        ):  # who lost in a line without a number, the winner's column says
            last = game.cells.pop()._replace(kind=Kind.RESIGN)
        ended = last.kind if last else Kind.PLAY
        if cells and (ended is WON or (ended is Kind.RESIGN and cells[0].kind is not WON)):
            after = "result" if ended is WON else "resignation"
            end = f"the end of game {game.number} after its {after}"
            raise Damaged(f"line {at}: expected {end}, found {_shown(line)}")
        game.cells.extend(cells)
        self.cells_read += len(cells)
        if self.cells_read > MOST_CELLS:
            most = f"at most {MOST_CELLS} rolls and cube actions"
            raise Damaged(f"line {at}: expected {most}, found more", SEVERAL)

    def start(self, at: int, line: str, announced: int, number: int) -> None:
        """A game with its players and score; one behind the end of the match is left out."""
        read = self.text
        line = line.strip()
        scores = len(line) <= LONGEST_SCORE_LINE and next(
            filter(None, (form.fullmatch(line) for form in _SCORES)), None
        )
        if not scores:
            expected = f"the players and the score of game {number} as 'Ann : 0   Ben : 0'"
            raise Damaged(f"line {at}: expected {expected}, found {_shown(line)}")
        names = (name_in(name) or f"Player {at}" for at, name in enumerate(scores.group(1, 3), 1))
        (left, rating), (right, other) = map(without_rating, names)
        game = GameText(
            announced, number, (left, right), (int(scores[2]), int(scores[4])), [], (rating, other)
        )
        if (
            read.length is not None
            and max(game.score) >= read.length
            and read.games
            and _goes_on(read.games[-1], game)
            and _ends(read.games[-1], read.length)
        ):
            self.note("after-footer", announced, f"game {number}")
            self.over = True
            return
        first = read.games[0].players if read.games else game.players
        if game.players != first and not _goes_on(read.games[-1], game):
            usual, here = (_shown(" and ".join(names)) for names in (first, game.players))
            raise Damaged(
                f"line {at}: expected the players of the first game, {usual}, found {here}",
                OWN_FILES,
            )
        read.games.append(game)

    def cells(self, at: int, line: str) -> list[Cell]:
        turn = _TURN.match(line)
        body = line[turn.end() :] if turn else line
        entries = list(_CELL.finditer(body))
        if not entries or body[: entries[0].start()].strip():
            if turn and body.strip():
                cells = "rolls ('51: 13/8 6/5') or cube actions ('Doubles => 2')"
                raise Damaged(f"line {at}: expected {cells}, found {_shown(line)}")
            if not turn:
                self.note("damaged-value", at, "not understood, skipped")
            return []
        seats = [int(len(line) - len(body) + entries[0].start() > LEFT_COLUMN)]
        for before, cell in pairwise(entries):
            seats.append(seats[-1] + (not _same_column(body, before, cell)))
        if seats[-1] > 1:
            raise Damaged(f"line {at}: expected one entry for each player, found {_shown(line)}")
        ends = [cell.start() for cell in entries[1:]] + [len(body)]
        return [
            self.cell(at, seat, cell, body[cell.end() : end].strip())
            for seat, cell, end in zip(seats, entries, ends, strict=True)
        ]

    def cell(self, at: int, seat: int, entry: re.Match[str], rest: str) -> Cell:
        if dice := entry["dice"]:
            number = int(dice) if all(die in "123456" for die in dice) else 0
            board = self.written_out(at, entry["board"]) if entry["board"] else None
            if board is None:
                return Cell(at, seat, Kind.PLAY, number, rest)
            if not rest:
                return Cell(at, seat, Kind.PLAY, number, "Illegal play", board)
        if rest.strip("=> "):
            before = repr(entry[0].strip())
            raise Damaged(f"line {at}: expected nothing after {before}, found {_shown(rest)}")
        word, size = entry["word"].lower(), (entry["size"] or "").lower()
        value = int(entry["number"] or _SIZES.get(size, 0))
        kind = next(kind for words, kind in _WORDS.items() if re.fullmatch(words, word))
        if word.startswith("loss"):
            seat = 1 - seat
        elif size in ("match", "game"):
            seat = NOBODY  # OpenGammon writes this in the winner's column
        return Cell(at, seat, kind, value, "")

    def written_out(self, at: int, text: str) -> Counts:
        """The position behind an illegal play, as XG writes it and gnuBG reads it: from its
        thirteenth value on, the fifth says whose checkers are positive."""
        values = text.split(";")
        try:
            board = checked([int(value) for value in values[12:38]])
            return (swap(board), board)[("0", "1").index(values[4])]
        except (ValueError, IndexError):
            behind = "a position behind 'Illegal play'"
            raise Damaged(f"line {at}: expected {behind}, found {_shown(text)}") from None


def _goes_on(before: GameText, game: GameText) -> bool:
    """Whether a game with another name is of the same match: one name stays, and the score follows
    from the one before."""
    gained = [after - points for points, after in zip(before.score, game.score, strict=True)]
    return (
        any(map(eq, before.players, game.players))
        and min(gained) == 0 < max(gained)
        and game.number == before.number + 1
    )


def _ends(game: GameText, length: int) -> bool:
    """Whether the result of a game, where it is written, ends a match."""
    last = game.cells[-1] if game.cells else None
    return last is None or last.kind is not WON or game.score[last.seat] + last.number >= length


def _same_column(body: str, before: re.Match[str], cell: re.Match[str]) -> bool:
    """Whether a resignation follows a roll of the same player, behind its dice or one blank behind
    its play."""
    between = body[before.end() : cell.start()]
    return bool(
        before["dice"]
        and re.match("resign|concede", cell[0], re.I)
        and len(between) - len(between.rstrip()) <= (1 if between.strip() else WIDEST_GAP)
    )


def _shown(text: str) -> str:
    return repr(cut_short(text.strip(), 60))
