"""gnuBG's text export with its analysis, a page for every game: the lines of a page, the pages of a
match, and here the match they hold.

A page prints board, cube, dice and score of every turn as Position ID and Match ID, so a turn is
read as it stands; following the plays only checks it. Who resigned is not printed: a game that ends
neither on the board nor with a pass was resigned.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NoReturn

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.formats.chances import cube_chances
from reconcile.formats.gnubg_text.analysis import listed_plays, printed_chances
from reconcile.formats.gnubg_text.game import GameReader, level_label
from reconcile.formats.gnubg_text.lines import IN_CHANCES, Page, pages_of, recognises
from reconcile.formats.mat.game import MadeRows
from reconcile.formats.rows import PLAY, ended, in_analysed_games, missing_games
from reconcile.match.board.play import parse_play
from reconcile.match.board.position import STARTS, position_id
from reconcile.match.columns import Cubes, Floats, Plays
from reconcile.match.match import LONGEST_MATCH, Candidate, Level, Match, Rules, Source
from reconcile.match.met import DEFAULT_MET, AnyMet, load_met
from reconcile.match.tools import GNUBG

__all__ = ["read", "recognises"]


FORMAT: Final = "gnubg-text"


def read(path: str, content: bytes, selector: str = "", met: AnyMet | None = None) -> Match:
    """Read the pages of one match, in one text; `met` is the table with which gnuBG printed chances
    instead of equities. Raises `UnreadableFile` if a line of them cannot be understood."""
    return _Reader(path, content, DEFAULT_MET if met is None else met).match()


class _Reader:
    def __init__(self, path: str, content: bytes, met: AnyMet) -> None:
        self.path, self.content = path, content
        self.pages = sorted(pages_of(path, content), key=lambda page: page.before)
        self.check()
        first = self.pages[0]
        self.length, self.players = first.length, first.players
        self.rows = MadeRows(path=path)
        self.rules = self.read_rules()
        table = load_met(met) if IN_CHANCES.search(content) else None
        self.games = [
            GameReader(self.rows, number, page, self.rules, table)
            for number, page in enumerate(self.pages)
        ]
        for game in self.games:
            game.read()

    def refuse(self, page: Page, expected: str, content: str) -> NoReturn:
        raise UnreadableFile(
            f"line {page.line}: expected {expected}, found {content}; keep the pages of one match "
            "together",
            self.path,
        )

    def check(self) -> None:
        """Check that the pages belong to one match, each once."""
        first = self.pages[0]
        if (first.length or 0) > LONGEST_MATCH:
            self.refuse(first, f"a match of at most {LONGEST_MATCH} points", str(first.length))
        for page, following in zip(self.pages, [*self.pages[1:], None], strict=True):
            if (page.players, page.length) != (first.players, first.length):
                names, length = " and ".join(page.players), page.length or "any number of"
                self.refuse(
                    page,
                    f"a game of {' and '.join(first.players)}",
                    f"one of {names} to {length} points",
                )
            if following is not None and page.before == following.before:
                self.refuse(following, "every game once", f"game {page.before + 1} twice")
            if page.length is not None and max(page.score) >= page.length:
                self.refuse(
                    page,
                    f"scores below the match length of {page.length}",
                    f"{page.score[0]}-{page.score[1]}",
                )

    def read_rules(self) -> Rules:
        """What the pages show of the rules of play."""
        first = self.pages[0].turns[0]
        variation = next(
            (name for name, board in STARTS.items() if position_id(board) == first.position),
            "backgammon",
        )
        at_match_point = [
            page
            for page in self.pages
            if page.length and page.length - 1 in page.score and page.length > 1
        ]
        money = self.pages[0].length is None
        return Rules(
            variation=variation,
            crawford=not money
            and (not at_match_point or any(page.state for page in at_match_point)),
            jacoby=money and not first.state["no_jacoby"],
            beavers=money
            and any(
                turn.action == "doubles" and turn.state["doubled"]
                for page in self.pages
                for turn in page.turns
            ),
        )

    def match(self) -> Match:
        games, resignations, complete = ended(self.games, self.length)
        versions = sorted({page.version for page in self.pages if page.version})
        return Match(
            source=Source(self.path, FORMAT, GNUBG.name, ", ".join(versions) or None, self.content),
            length=self.length,
            players=self.players,
            rules=self.rules,
            games=games,
            plays=self.play_columns(),
            cubes=self.cube_columns(),
            resignations=resignations,
            cube_unit="emg",
            levels=tuple(
                Level(label, float(label.partition("-")[0]) if label[0].isdigit() else None)
                for label in self.rows.levels
            ),
            complete=complete,
            notes=(
                *missing_games((page.before for page in self.pages), "at least ", "pages read"),
                *self.rows.notes("damaged-value", "illegal-play", "forced-play"),
                *self.rows.notes("impossible-result", "comment-cut"),
            ),
            event=self.pages[0].facts.get("Event", ""),
            round=self.pages[0].facts.get("Round", ""),
            place=self.pages[0].facts.get("Place", ""),
            comment=self.pages[0].facts.get("Comments", ""),
            comments=self.rows.comments,
            candidates=cache(self.candidates),
        )

    def play_columns(self) -> Plays:
        numbers = ("best", "played", "highest", "lowest", "half", "luck")
        columns = self.rows.play_columns(
            **dict.fromkeys(numbers, np.float64),
            luck_mark=np.int64,
            level=np.int64,
            position=np.int8,
            play=None,
            text=None,
        )
        evaluated = columns["best"] == columns["best"]
        columns["spread"] = columns["highest"] - columns.pop("lowest")
        columns["analysed"] = evaluated | (
            (columns["legal"] == 0) & in_analysed_games(columns["game"], evaluated)
        )
        del columns["text"]
        return Plays(len(self.rows.plays), columns)

    def cube_columns(self) -> Cubes:
        numbers = ("no_double", "double_take", "double_pass", "half")
        columns = self.rows.cube_columns(
            **dict.fromkeys(numbers, np.float64), level=np.int64, position=np.int8, text=None
        )
        texts = columns.pop("text")

        def chances() -> Floats:
            """Printed once for every action, below an answer in the view of whoever answers."""
            return cube_chances([2 * (printed_chances(text),) for text in texts])

        analysed = columns["no_double"] == columns["no_double"]
        return Cubes(len(texts), {**columns, "analysed": analysed, "chances": chances})

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The printed plays of a row of `plays`, best first; their equities are the best one less
        the distance, as in the columns."""
        row_of_play, candidates = self.rows.plays[row], []
        game, _, seat, *_, cube = row_of_play[:6]
        dice, best, (board, _, text) = row_of_play[3:5], row_of_play[len(PLAY)], row_of_play[-3:]
        for listed in listed_plays(text, self.games[game].span(seat, cube)):
            try:
                play = parse_play(listed.play, dice, board)
            except ValueError:
                play = ()
            candidates.append(
                Candidate(
                    play,
                    best - listed.value.less,
                    level_label(listed.level),
                    listed.probabilities,
                    listed.is_played,
                )
            )
        return tuple(candidates)
