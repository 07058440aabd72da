"""Converts the cells of a transcript to a `Match` without an analysis.

A transcript contains only what was done: who owned the cube, which turns had no double, and which game was the Crawford
game follow from the rules of the game.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from reconcile.adapters.dates import written_day
from reconcile.adapters.mat.game import STARTS, Game, Row, Rows
from reconcile.adapters.mat.lines import Action, Transcript, read_lines
from reconcile.columns import NO_MARK, Cubes, Games, Plays, unscored_resignations
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
        self.rows = Rows(path, self.rules, text, damaged=[f"line {line}: not understood, skipped" for line in text.passed_over])

    def match(self) -> Match:
        """Follow every game."""
        for index in range(len(self.text.games)):
            self.game(index).read()
        games = self.game_columns()
        length = self.text.length
        complete = bool(games.winner[-1] >= 0)
        if length is not None:
            final = games.score[-1] + games.points[-1] * (np.arange(2) == games.winner[-1])
            complete = bool(final.max() >= length)
        return Match(
            source=self.source(),
            length=length,
            players=self.text.games[0].players,
            rules=self.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=unscored_resignations(games, lambda game: self.rows.games[game][-1]),
            cube_unit="emg",
            levels=self.levels(),
            complete=complete,
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
                f"{self.path}: expected one of the variations {', '.join(STARTS)}, found {name[:60]!r}; it starts from another position"
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

    def game_columns(self) -> Games:
        """The columns of the games."""
        number, score, crawford, winner, points, resigned, automatic, _ = zip(*self.rows.games, strict=True)
        return Games(
            len(self.rows.games),
            {
                "number": np.array(number),
                "score": np.array(score),
                "crawford": np.array(crawford),
                "winner": np.array(winner),
                "points": np.array(points),
                "resigned": np.array(resigned),
                "automatic_doubles": np.array(automatic),
            },
        )

    def play_columns(self) -> Plays:
        """Their rolls."""
        rows = len(self.rows.plays)
        game, turn, player, dice, cube, owner, validity, legal, moved, position, play = _transposed(self.rows.plays, 11)
        unknown = np.full(rows, np.nan)
        return Plays(
            rows,
            {
                "game": np.array(game, np.int64),
                "turn": np.array(turn, np.int64),
                "player": np.array(player, np.int64),
                "dice": np.array(dice, np.int64).reshape(-1, 2),
                "cube": np.array(cube, np.int64),
                "owner": np.array(owner, np.int64),
                "validity": np.array(validity, np.int64),
                "analysed": np.zeros(rows, bool),
                "moved": np.array(moved, bool),
                "legal": np.array(legal, np.int64),
                "flag": np.full(rows, -1, np.int8),
                **dict.fromkeys(("stored_error", "best", "played", "highest", "spread", "luck"), unknown),
                "luck_mark": np.full(rows, NO_MARK, np.int8),
                "level": np.full(rows, -1, np.int16),
                "position": np.array(position, np.int8).reshape(-1, 26),
                "play": lambda: list(play),
            },
        )

    def cube_columns(self) -> Cubes:
        """Their cube actions, then the answers."""
        rows = self.rows.actions + self.rows.responses
        game, turn, player, kind, cube, owner, access, beaver, expected, position = _transposed(rows, 10)
        unknown = np.full(len(rows), np.nan)
        return Cubes(
            len(rows),
            {
                "game": np.array(game, np.int64),
                "turn": np.array(turn, np.int64),
                "player": np.array(player, np.int64),
                "kind": np.array(kind, np.int64),
                "cube": np.array(cube, np.int64),
                "owner": np.array(owner, np.int64),
                "access": np.array(access, bool),
                "recount_access": np.array(access, bool),
                "answers_beaver": np.array(beaver, bool),
                "flag": np.full(len(rows), -1, np.int8),
                "expected": np.array(expected, bool),
                "analysed": np.zeros(len(rows), bool),
                **dict.fromkeys(("no_double", "double_take", "double_pass", "stored_error"), unknown),
                "level": np.full(len(rows), -1, np.int16),
                "position": np.array(position, np.int8).reshape(-1, 26),
            },
        )


def _transposed(rows: list[Row], width: int) -> list[Any]:
    return list(zip(*rows, strict=True)) if rows else [()] * width
