"""Converts the cells of a transcript to a `Match` without an analysis.

A transcript contains only what was done: who owned the cube, which turns had no double, and which game was the Crawford
game follow from the rules of the game.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from reconcile.adapters.mat.game import CUBE_COLUMNS, PLAY_COLUMNS, STARTS, Game, TranscriptRows
from reconcile.adapters.mat.lines import Action, Transcript, read_lines
from reconcile.adapters.rows import by_name, column, columns, game_columns, is_complete
from reconcile.adapters.values import written_day
from reconcile.columns import Cubes, Plays, unscored_resignations
from reconcile.errors import UnreadableFile
from reconcile.files.wording import summary
from reconcile.match import Level, Match, Note, Rules, Source

TOOL: Final = "transcript"
ALIASES: Final = {"hypergammon": "hypergammon3", "standard": "backgammon", "": "backgammon"}
"""XG's hypergammon has three checkers."""


def read_mat(path: str, content: bytes) -> Match:
    """Read a transcript. Raises `UnreadableFile` if its lines cannot be understood; illegal plays are marked and noted."""
    return TranscriptReader(path, content, read_lines(path, content)).match()


class TranscriptReader:
    """The rows of one match, and the columns made from them."""

    def __init__(self, path: str, content: bytes, text: Transcript) -> None:
        self.path, self.content, self.text = path, content, text
        self.rules = self.read_rules()
        self.rows = TranscriptRows(
            path=path, rules=self.rules, text=text, damaged=[f"line {line}: not understood, skipped" for line in text.passed_over]
        )

    def match(self) -> Match:
        """Follow every game."""
        for index in range(len(self.text.games)):
            self.game(index).read()
        rows, length = self.rows.games, self.text.length
        games = game_columns(rows)
        return Match(
            source=self.source(),
            length=length,
            players=self.text.games[0].players,
            rules=self.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=unscored_resignations(games, lambda game: rows[game].cube),
            cube_unit="emg",
            levels=self.levels(),
            complete=is_complete(length, rows[-1].score, rows[-1].winner, rows[-1].points),
            notes=tuple(self.notes()),
            event=self.text.headers.get("event", ""),
            date=written_day(self.text.headers.get("eventdate", "")),
        )

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
                f"expected one of the variations {', '.join(STARTS)}, found {name[:60]!r}; it starts from another position", self.path
            )

        def is_on(key: str, default: str = "off") -> bool:
            return headers.get(key, default).lower() == "on"

        beavers = any(cell.action is Action.BEAVER for game in self.text.games for cell in game.cells)
        return Rules(
            variation=variation,
            crawford=not money and is_on("crawford", "on"),
            jacoby=money and is_on("jacoby"),
            beavers=money and (is_on("beaver") or beavers),
            cube=headers.get("cubelimit", "") != "1",
        )

    def notes(self) -> list[Note]:
        """What a user should know about it."""
        notes = [Note("illegal-play", evidence) for evidence in summary(self.rows.illegal)]
        notes += [Note("damaged-value", evidence) for evidence in summary(self.rows.damaged)]
        numbers = [game.number for game in self.text.games]
        lacking = max(numbers) - len(numbers)
        if lacking > 0:
            notes.append(Note("games-missing", f"{lacking} of {max(numbers)} games not in the file, which begins with game {numbers[0]}"))
        return notes

    # -- columns ---------------------------------------------------------------------------------------------------

    def play_columns(self) -> Plays:
        """Their rolls."""
        rows = len(self.rows.plays)
        given = by_name(PLAY_COLUMNS, self.rows.plays)
        unknown = np.full(rows, np.nan)
        return Plays(
            rows,
            {
                **columns(given, np.int64, "game", "turn", "player", "cube", "owner", "validity", "legal"),
                **columns(given, np.bool_, "moved"),
                "dice": np.array(given["dice"], np.int64).reshape(-1, 2),
                "analysed": np.zeros(rows, bool),
                **dict.fromkeys(("best", "played", "highest", "spread", "luck"), unknown),
                "level": np.full(rows, -1, np.int16),
                "position": np.array(given["position"], np.int8).reshape(-1, 26),
                "play": lambda: list(given["play"]),
            },
        )

    def cube_columns(self) -> Cubes:
        """Their cube actions, then the answers."""
        rows = self.rows.actions + self.rows.responses
        given = by_name(CUBE_COLUMNS, rows)
        unknown = np.full(len(rows), np.nan)
        return Cubes(
            len(rows),
            {
                **columns(given, np.int64, "game", "turn", "player", "kind", "cube", "owner"),
                **columns(given, np.bool_, "access", "answers_beaver", "expected"),
                "recount_access": column(given["access"], np.bool_),
                "analysed": np.zeros(len(rows), bool),
                **dict.fromkeys(("no_double", "double_take", "double_pass"), unknown),
                "level": np.full(len(rows), -1, np.int16),
                "position": np.array(given["position"], np.int8).reshape(-1, 26),
            },
        )
