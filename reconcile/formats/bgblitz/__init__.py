"""BGBlitz's `.bgf`: the container, the decoder of its binary JSON, the replay of a game, and here
the match they hold.

BGBlitz evaluates a match in chances of winning it. Equities (EMG) are made of them by the table
that the file itself shows (`frames`), so they are BGBlitz's own, whatever table its figures are
weighed with later.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any, Final

import numpy as np

from reconcile.formats.bgblitz.container import (
    KNOWN_VERSION,
    Floats,
    Frames,
    fitted,
    numbers,
    open_bgf,
    recognises,
    scores_of,
)
from reconcile.formats.bgblitz.game import (
    HIGHEST_SCORE,
    PROBABILITIES,
    GameReader,
    RecordRows,
)
from reconcile.formats.rows import NOBODY, analysed, cube_chances, ended
from reconcile.formats.values import Damaged, flag, integer, parts, text, written_day
from reconcile.match.columns import Cubes, Kind, Plays
from reconcile.match.match import LONGEST_MATCH, Candidate, Level, Match, Note, Rules, Source
from reconcile.match.tools import BGBLITZ
from reconcile.wording import plural

__all__ = ["read", "recognises"]


MOST_GAMES: Final = 2000


def read(path: str, content: bytes, selector: str = "") -> Match:
    """Read a `.bgf` file. Raises `Damaged` if anything in it is inconsistent."""
    return _Reader(path, content, *open_bgf(content)).match()


class _Reader:
    """The object of one file, and the columns made from it."""

    def __init__(self, path: str, content: bytes, root: dict[str, Any], version: str) -> None:
        self.path, self.content, self.root, self.version = path, content, root, version
        self.length = integer(root, "matchlen", 0, LONGEST_MATCH) or None
        self.rows = RecordRows()
        cube = flag(root, "useCube", True)
        tables = parts(root, "games", MOST_GAMES)
        if not tables:
            raise Damaged("expected at least one game, found none")
        self.games = [
            GameReader(game, table, self.rows, length=self.length, cube_in_play=cube)
            for game, table in enumerate(tables)
        ]
        if self.length and any(max(game.score) >= self.length for game in self.games):
            raise Damaged(f"expected scores below {self.length} before every game, found another")
        for game in self.games:
            game.read()
        self.settled = self.settle()
        self.columns = self.rows.play_columns(
            listed=np.intp,
            candidate=np.int64,
            level=np.int64,
            luck=None,
            position=np.int8,
            play=None,
        )
        self.listed, self.candidate, self.luck = (
            self.columns.pop(name) for name in ("listed", "candidate", "luck")
        )
        self.equities = numbers(self.rows.equities)
        self.probabilities = numbers(self.rows.probabilities).reshape(-1, len(PROBABILITIES))

    def settle(self) -> list[int]:
        """Numbers of the games without points of their own: the final score has those that the
        players agreed on."""
        last = self.games[-1]
        if self.length is not None or last.winner == NOBODY:
            return []
        if last.points:
            last.resigned |= last.turn == 1
            return [len(self.games)] if last.turn == 1 else []
        final = tuple(
            integer(self.root, key, 0, HIGHEST_SCORE) for key in ("finalGreen", "finalRed")
        )
        seat = max((0, 1), key=lambda player: final[player] - last.score[player])
        last.points = max(final[seat] - last.score[seat], 0)
        last.winner, last.resigned = seat if last.points else NOBODY, True
        return [len(self.games)]

    def match(self) -> Match:
        root = self.root
        plays_frames = self.frames()
        cubes = self.cube_columns(plays_frames)
        games, resignations, complete = ended(self.games, self.length)
        away = (
            np.zeros((len(self.games), 2), np.int64)
            if self.length is None
            else self.length - games.score
        )
        return Match(
            source=Source(self.path, "bgf", BGBLITZ.name, None, self.content),
            length=self.length,
            players=(text(root, "nameGreen"), text(root, "nameRed")),
            rules=Rules(
                crawford=self.length is not None and flag(root, "useCrawford", True),
                jacoby=self.length is None and flag(root, "useJacoby", False),
                beavers=self.length is None and flag(root, "useBeaver", False),
                cube=flag(root, "useCube", True),
            ),
            games=games,
            plays=self.play_columns(),
            cubes=cubes,
            resignations=resignations,
            cube_unit="emg",
            levels=tuple(Level(level_name(plies), None) for plies in self.rows.levels),
            complete=complete,
            notes=tuple(self.notes()),
            event=text(root, "event"),
            date=written_day(str(root.get("date"))),
            round=text(root, "round"),
            place=text(root, "location") or text(root, "site"),
            comment=text(root, "comment"),
            candidates=self.candidates,
            known_chances=None
            if plays_frames is None
            else scores_of(plays_frames, away, games.crawford.tolist()),
        )

    def notes(self) -> Iterator[Note]:
        if self.version != KNOWN_VERSION:
            yield Note(
                "file-version",
                f"file version {self.version!r}; the layout is verified for {KNOWN_VERSION}",
            )
        if self.settled:
            points = plural(self.games[-1].points, "point")
            yield Note("game-settled", f"game {self.settled[0]}: {points} from the final score")

    def frames(self) -> Frames | None:
        """The lines between equity and chance; `None` in a money session. Equities of a match come
        from these."""
        if self.length is None:
            return None
        rows = self.rows
        places = [self.columns[name].repeat(self.listed) for name in ("game", "player", "cube")]
        pairs = [(*places, self.equities, numbers(rows.chances))]
        # After a pass the doubler has won the cube.
        single = rows.before + [
            (row[0], row[2], row[4], equity, row[-1])
            for table, equity in ((rows.actions, "1.0"), (rows.responses, "-1.0"))
            for row in table
            if row[-1] is not None
        ]
        if single:
            *where, equities, chances = zip(*single, strict=True)
            pairs.append((*map(np.array, where), numbers(equities), numbers(chances)))
        game, seat, cube, equity, chance = map(np.concatenate, zip(*pairs, strict=True))
        return fitted(game, seat, cube, equity, chance, len(self.games))

    def play_columns(self) -> Plays:
        columns, listed = self.columns, self.listed
        first = np.cumsum(listed) - listed
        considered = listed > 0

        def of_list(index: Any, has_value: Any) -> Floats:
            return (
                np.where(has_value, self.equities[np.where(has_value, first + index, 0)], np.nan)
                if len(self.equities)
                else np.full(len(listed), np.nan)
            )

        best = of_list(0, considered)

        def extreme(least: np.ufunc) -> Floats:
            values = np.full(len(listed), np.nan)
            if len(self.equities):
                values[considered] = least.reduceat(self.equities, first[considered])
            return values

        highest = extreme(np.fmax)
        evaluated = best == best
        return Plays(
            len(listed),
            {
                **columns,
                "analysed": analysed(
                    evaluated, ~columns["moved"] & (columns["legal"] == 1), columns["game"]
                ),
                "best": best,
                "played": of_list(self.candidate, self.candidate >= 0),
                "highest": highest,
                "spread": lambda: highest - extreme(np.fmin),
                "luck": numbers(self.luck),
            },
        )

    def cube_columns(self, frames: Frames | None) -> Cubes:
        columns = self.rows.cube_columns(
            level=np.int64,
            position=np.int8,
            record=None,
            no_double=None,
            double_take=None,
            double_pass=None,
        )
        records = columns.pop("record")
        response = columns["kind"] >= Kind.TAKE.value
        doubler = columns["player"] ^ response
        analysed: Any = True
        for name in ("no_double", "double_take", "double_pass"):
            value = numbers(columns[name])
            if frames is None:
                value = np.where(response, -value, value)
            else:
                value = frames.equity(
                    columns["game"], doubler, columns["cube"], np.where(response, 1 - value, value)
                )
            columns[name] = value
            analysed &= value == value

        # In the view of whoever decides, as in the file, which has one set for every action.
        chances = cube_chances([2 * (_chances(record.get("equity") or {}),) for record in records])
        return Cubes(len(response), {**columns, "analysed": analysed, "chances": chances})

    def candidates(self, row: int) -> tuple[Candidate, ...]:
        """The candidates of a row of `plays`, best first."""
        start = int(self.listed[:row].sum())
        listed = range(start, start + int(self.listed[row]))
        made = start + int(self.candidate[row])
        return tuple(self.candidate_at(at, at == made) for at in listed)

    def candidate_at(self, at: int, is_made: bool) -> Candidate:
        """A candidate by its place among all in the file."""
        (play, plies), equity = self.rows.candidates[at], float(self.equities[at])
        chances = tuple(self.probabilities[at].tolist())
        return Candidate(
            play=play,
            equity=equity if equity == equity else None,
            level=level_name(plies),
            probabilities=() if any(map(isnan, chances)) else chances,
            made=is_made,
        )


def _chances(evaluated: dict[str, Any]) -> tuple[float, ...]:
    """Gammons include backgammons in the file, too."""
    return tuple(numbers([evaluated.get(name) for name in PROBABILITIES]).tolist())


def level_name(plies: int) -> str:
    """A level in words; BGBlitz has no name for it in the file."""
    return f"{plies}-ply"
