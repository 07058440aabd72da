"""Transcripts in Jellyfish style: what gnuBG exports as `.mat`, XG as `.txt`, and playing sites as
either. No analysis.

A transcript contains only what was done: who owned the cube, which turns had no double, and which
game was the Crawford game follow from the rules of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.formats.mat.game import Game, TranscriptRows
from reconcile.formats.mat.lines import Transcript, read_lines, recognises
from reconcile.formats.rows import ended
from reconcile.formats.values import rating, written_day
from reconcile.match.board.position import STARTS
from reconcile.match.columns import Cubes, Kind, Plays
from reconcile.match.match import Level, Match, Note, Rules, Source

__all__ = ["read", "recognises"]


TOOL: Final = "transcript"
RATING: Final = re.compile(r"\s*(\d{1,5}(?:[.,]\d{1,9})?)/(\d{1,9})\s*", re.ASCII)
ALIASES: Final = {"hypergammon": "hypergammon3", "standard": "backgammon", "": "backgammon"}
"""XG's hypergammon has three checkers."""


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a transcript. Raises `UnreadableFile` if its lines cannot be understood; illegal plays
    are marked and noted."""
    return TranscriptReader(path, content, read_lines(path, content)).match()


class TranscriptReader:
    """The rows of one match, and the columns made from them."""

    def __init__(self, path: str, content: bytes, text: Transcript) -> None:
        self.path, self.content, self.text = path, content, text
        self.rules = self.read_rules()
        self.rows = TranscriptRows(path=path, rules=self.rules, text=text)
        for code, case in text.odd:
            self.rows.note(code, case)

    def match(self) -> Match:
        """Follow every game."""
        followed = [self.game(index) for index in range(len(self.text.games))]
        for game in followed:
            game.read()
        games, resignations, complete = ended(followed, self.text.length)
        return Match(
            source=self.source(),
            length=self.text.length,
            players=self.text.players,
            rules=self.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=resignations,
            cube_unit="emg",
            levels=self.levels(),
            complete=complete,
            notes=tuple(self.notes()),
            event=self.text.headers.get("event", ""),
            date=written_day(self.text.headers.get("eventdate", "")),
            round=self.text.headers.get("round", ""),
            place=self.text.headers.get("site", ""),
            comment="\n".join(self.text.comments + self.rows.remarks),
            comments=self.rows.comments,
            ratings=self.ratings(),
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
            raise UnreadableFile(
                f"expected one of the variations {', '.join(STARTS)}, found {name[:60]!r}; it "
                "starts from another position",
                self.path,
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
            *self.rows.notes("illegal-play", "forced-play", "unknown-roll", "impossible-result"),
            *self.rows.notes("damaged-value", "comment-cut", "after-footer"),
        ]
        numbers = [game.number for game in self.text.games]
        lacking = max(numbers) - len(numbers)
        if lacking > 0:
            notes.append(
                Note(
                    "games-missing",
                    f"{lacking} of {max(numbers)} games not in the file, which begins with game "
                    f"{numbers[0]}",
                )
            )
        return notes

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
        columns = self.rows.play_columns(position=np.int8, line=None, play=None)
        self.play_lines = columns.pop("line")
        return Plays(
            len(self.rows.plays),
            columns
            | unanalysed(len(self.rows.plays), "best", "played", "highest", "spread", "luck"),
        )

    def cube_columns(self) -> Cubes:
        """Their cube actions, then the answers."""
        columns = self.rows.cube_columns(position=np.int8, line=None)
        self.cube_lines = columns.pop("line")
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
