"""The lines of a transcript, split into headers, games and cells; whether the game makes sense is
not checked here.

    ; [Key "Value"]                        XG and playing sites; gnuBG writes EventDate and
    Variation only 7 point match                          0 for a money session Game 1 Ann : 0
    Ben : 0        the score before the game; the left column is seat 0
     1) 51: 13/8 24/23      61: 13/7 8/7   a cell is a roll with its play ...
     2)  Doubles => 2        Takes         ... or a word
    24) Resigns                           also after a roll: 30) 23: 2/0 1/0   Resigns 24) 65:
    Concedes       Wins 1 point   Backgammon Studio's word, here of the player who rolled Wins 2
    points                          under the winner's column, or in a cell of its own 28)  Losses 1
    point    Wins 1 point    Backgammon Studio names the loser as well, before the winner Ann,1673 :
    0            Ben (6.84) : 0 a rating behind a name, which may change between games

Every writer starts columns at different places, so cells are found by their first characters, and
only a cell that is alone in its line is assigned to a player by its place.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from operator import eq
from typing import Final, NamedTuple

from reconcile.errors import UnreadableFile
from reconcile.formats.values import check_size, cut_short, name_in, with_line_feeds, without_rating
from reconcile.match.columns import Kind
from reconcile.match.match import LONGEST_MATCH

LARGEST_TRANSCRIPT: Final = 2**20
"""Bytes; a 25-point match takes 16 000."""
MOST_CELLS: Final = 10_000
"""Most cells, enough for a session of 150 games; every play is checked against the legal ones,
which takes a while."""
MOST_LINES: Final = 50_000
LONGEST_LINE: Final = 1000
LONGEST_SCORE_LINE: Final = 200
SEVERAL: Final = "does the file contain several matches?"
HEAD: Final = 2**16
"""Bytes in which a transcript must be recognisable."""
DEEPEST_INDENT: Final = 16
"""Most blanks before a result without a number in the left column; XG and gnuBG write 6 there and
34 for the right one."""
WIDEST_GAP: Final = 8
"""Most blanks between a turn's number and a first cell in the left column; they write 1 or 2 there
and about 30 for the right one."""

_LENGTH: Final = re.compile(
    r"[ \t]*(?:(\d{1,6})[ -]points? match|(?:money|unlimited) (?:session|match|game))\b",
    re.I | re.ASCII,
)
_GAME: Final = re.compile(r"\s*Game (\d{1,6})\s*", re.I | re.ASCII)
_SCORES: Final = tuple(
    re.compile(rf"(\S.*?)\s*:\s*(\d{{1,6}}){gap}(\S.*?)\s*:\s*(\d{{1,6}})", re.ASCII)
    for gap in (r"\s{2,}", r"\s+")
)
_TURN: Final = re.compile(r"\s*\d{1,6}\)(.*)", re.ASCII)
WON: Final = None
"""In place of a kind: what was won, in the column of the winner."""
_WORDS: Final = {
    "(?:re)?doubles?": Kind.DOUBLE,
    "beavers?|raccoons?": Kind.BEAVER,
    "takes?|accepts?": Kind.TAKE,
    "drops?|pass(?:es)?|rejects?": Kind.PASS,
    "resign(?:s|ed)?|concede[ds]?": Kind.RESIGN,
    "wins?|loss(?:es)?": WON,
}
_CELL: Final = re.compile(
    r"(?<!\S)(?:(?P<dice>[\d?]{2}):|"
    rf"(?P<word>{'|'.join(_WORDS)})(?!\w)(?:\s*=>\s*(?P<cube>\d{{1,6}}))?"
    r"(?:\s+(?P<points>\d{1,6})\s+points?(?:\s+and\s+the\s+match)?)?)",
    re.I | re.ASCII,
)


class Cell(NamedTuple):
    """One player's half of a line."""

    line: int
    seat: int
    kind: Kind | None
    """`PLAY` is a roll, `RESIGN` what playing sites write in the column of the player who gives up
    before a result, `WON` a result; a `NO_DOUBLE` is not written in transcripts, but a database may
    store it."""
    number: int
    """The dice as a two-digit number, 0 for one that no dice give; the cube after a double, or the
    points won; 0 if none is written."""
    play: str
    """The play of a roll, as written; empty for a dance and for a roll that was not played."""


@dataclass(frozen=True, slots=True)
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


@dataclass(slots=True)
class Transcript:
    """A match as written."""

    headers: dict[str, str]
    length: int | None
    games: list[GameText] = field(default_factory=list)
    passed_over: list[int] = field(default_factory=list)
    """Numbers of the lines that were not understood."""
    cut: list[int] = field(default_factory=list)
    """Numbers of the lines of comments that are longer than `LONGEST_LINE`."""
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


def read_lines(path: str, content: bytes) -> Transcript:
    """Split a transcript into its parts. Raises `UnreadableFile` with the line that cannot be
    understood."""
    check_size(path, content, LARGEST_TRANSCRIPT, "a transcript")
    return _Lines(path, with_line_feeds(content).split("\n")).transcript()


class _Lines:
    def __init__(self, path: str, lines: list[str]) -> None:
        self.path, self.lines = path, lines
        self.text = Transcript({}, None)
        self.headed = False
        """Whether the length of the match has been read."""
        self.announced: tuple[int, int] | None = None
        """Line and number of a game whose players have not been read yet."""
        self.numbers: set[int] = set()
        self.cells_read = 0

    def bad(
        self,
        line: int,
        expected: str,
        content: str,
        advice: str = "correct the line or export the match again",
    ) -> UnreadableFile:
        return UnreadableFile(
            f"line {line}: expected {expected}, found {content}; {advice}", self.path
        )

    def transcript(self) -> Transcript:
        read = self.text
        if len(self.lines) > MOST_LINES:
            raise self.bad(
                MOST_LINES + 1, f"at most {MOST_LINES} lines", str(len(self.lines)), SEVERAL
            )
        for at, line in enumerate(self.lines, 1):
            if line.lstrip().startswith((";", "#")):
                remark = line.strip("; #\t")
                self.remark(at, remark[:LONGEST_LINE])
                read.cut += [at] * (len(remark) > LONGEST_LINE)
            elif line.strip():
                self.read_line(at, line)
        if self.announced:
            raise self.bad(
                self.announced[0],
                f"the players and the score of game {self.announced[1]} after this line",
                "the end of the file",
            )
        if not read.games:
            raise UnreadableFile(
                "expected a transcript with a match length and a game, found "
                f"{'no game' if self.headed else 'neither'}; "
                "export the match again",
                self.path,
            )
        return read

    def read_line(self, at: int, line: str) -> None:
        """A heading, the players of a game, or a turn."""
        games = self.text.games
        if len(line) > LONGEST_LINE:
            raise self.bad(
                at, f"at most {LONGEST_LINE} characters", f"{len(line)}", "is it a transcript?"
            )
        if self.announced:
            games.append(self.game(at, line, *self.announced))
            self.announced = None
        elif heading := _LENGTH.match(line):
            self.length(at, line, int(heading[1] or 0))
        elif heading := _GAME.fullmatch(line):
            if not self.headed:
                raise self.bad(at, "the length of the match before its first game", _shown(line))
            self.announced = at, int(heading[1])
        elif games:
            self.add(at, line, games[-1])

    def remark(self, at: int, text: str) -> None:
        """A header, or a line of a comment. What XG sets up by hand in such a line is not
        supported."""
        read = self.text
        key, quote, value = text.lstrip("[").partition('"')
        if text.startswith("Set Pos=") and self.headed:
            read.passed_over.append(at)
        elif text.startswith("[") and quote:
            if not read.games:
                read.headers.setdefault(key.strip().lower(), name_in(value.rpartition('"')[0]))
        elif text and read.games and (cells := read.games[-1].cells):
            read.games[-1].comments.setdefault(len(cells), []).append(name_in(text))
        elif text:
            read.comments.append(name_in(text))

    def length(self, at: int, line: str, length: int) -> None:
        if self.headed:
            raise self.bad(
                at, "one match", f"a second one ({_shown(line)})", "save each match to its own file"
            )
        if length > LONGEST_MATCH:
            raise self.bad(
                at,
                f"a match of at most {LONGEST_MATCH} points",
                f"{length}",
                "gnuBG's tables end there too",
            )
        self.headed, self.text.length = True, length or None

    def add(self, at: int, line: str, game: GameText) -> None:
        """The cells of a line. The winner's column may repeat what the loser's says."""
        last = game.cells[-1] if game.cells else None
        unique = {cell[1:]: cell for cell in self.cells(at, line)}.values()
        cells = [
            cell for cell in unique if last is None or last[1:] != cell[1:] or cell.kind is not WON
        ]
        ended = last.kind if last else Kind.PLAY
        if cells and (ended is WON or (ended is Kind.RESIGN and cells[0].kind is not WON)):
            after = "result" if ended is WON else "resignation"
            raise self.bad(at, f"the end of game {game.number} after its {after}", _shown(line))
        game.cells.extend(cells)
        self.cells_read += len(cells)
        if self.cells_read > MOST_CELLS:
            raise self.bad(at, f"at most {MOST_CELLS} rolls and cube actions", "more", SEVERAL)

    def game(self, at: int, line: str, announced: int, number: int) -> GameText:
        read = self.text
        line = line.strip()
        scores = len(line) <= LONGEST_SCORE_LINE and (
            _SCORES[0].fullmatch(line) or _SCORES[1].fullmatch(line)
        )
        if not scores:
            raise self.bad(
                at,
                f"the players and the score of game {number} as 'Ann : 0   Ben : 0'",
                _shown(line),
            )
        if number in self.numbers:
            raise self.bad(
                announced,
                "every game once",
                f"game {number} twice",
                "does the file hold two matches, or one match twice?",
            )
        self.numbers.add(number)
        (left, rating), (right, other) = map(without_rating, map(name_in, scores.group(1, 3)))
        game = GameText(
            announced, number, (left, right), (int(scores[2]), int(scores[4])), [], (rating, other)
        )
        if read.length is not None and max(game.score) >= read.length:
            raise self.bad(
                at,
                f"scores below the match length of {read.length}",
                f"{game.score[0]} : {game.score[1]}",
            )
        first = read.games[0].players if read.games else game.players
        if game.players != first and not _goes_on(read.games[-1], game):
            raise self.bad(
                at,
                f"the players of the first game, {_shown(' and '.join(first))}",
                _shown(" and ".join(game.players)),
                "save each match to its own file",
            )
        return game

    def cells(self, at: int, line: str) -> list[Cell]:
        turn = _TURN.fullmatch(line)
        body = turn[1] if turn else line
        entries = list(_CELL.finditer(body))
        if not entries or body[: entries[0].start()].strip():
            if turn and body.strip():
                raise self.bad(
                    at, "rolls ('51: 13/8 6/5') or cube actions ('Doubles => 2')", _shown(line)
                )
            if not turn:
                self.text.passed_over.append(at)
            return []
        first_column = entries[0].start() <= (WIDEST_GAP if turn else DEEPEST_INDENT)
        seats = [int(not first_column)]
        for before, cell in pairwise(entries):
            seats.append(seats[-1] + (not _same_column(body, before, cell)))
        if seats[-1] > 1:
            raise self.bad(at, "one entry for each player", _shown(line))
        ends = [cell.start() for cell in entries[1:]] + [len(body)]
        return [
            self.cell(at, seat, cell, body[cell.end() : end].strip())
            for seat, cell, end in zip(seats, entries, ends, strict=True)
        ]

    def cell(self, at: int, seat: int, entry: re.Match[str], rest: str) -> Cell:
        if dice := entry["dice"]:
            number = int(dice) if all(die in "123456" for die in dice) else 0
            return Cell(at, seat, Kind.PLAY, number, rest)
        if rest:
            raise self.bad(at, f"nothing after {entry[0].strip()!r}", _shown(rest))
        word, value = entry["word"].lower(), int(entry["cube"] or entry["points"] or 0)
        kind = next(kind for words, kind in _WORDS.items() if re.fullmatch(words, word))
        return Cell(at, 1 - seat if word.startswith("loss") else seat, kind, value, "")


def _goes_on(before: GameText, game: GameText) -> bool:
    """Whether a game with another name is of the same match: one name stays, and the score follows
    from the one before."""
    gained = [after - points for points, after in zip(before.score, game.score, strict=True)]
    return (
        any(map(eq, before.players, game.players))
        and min(gained) == 0 < max(gained)
        and game.number == before.number + 1
    )


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
