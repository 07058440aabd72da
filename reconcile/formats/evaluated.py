"""A transcript with an analysis laid over it, for formats that keep the two apart, and this
program's own file of the two.

The transcript decides which rows there are; an evaluation only fills their columns, so two analyses
of one transcript pair completely.

The file is for engines that have no match file of their own. Its transcript is a game record (SGF
without an analysis), so every rule of the game is read by one reader. It names engine, version,
platform and depth, and its numbers are those of the engine, to the last digit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import ne
from types import MappingProxyType
from typing import Any

import numpy as np

from reconcile.files.limits import MOST_DECISIONS
from reconcile.formats.common import (
    NAN,
    UNKNOWN_CHANCES,
    Chances,
    Damaged,
    JsonObject,
    cube_chances,
    flag,
    integer,
    number,
    parts,
    shown,
    text,
    turned,
    typed,
)
from reconcile.formats.gnubg import read as read_record
from reconcile.match.board.play import parse_play
from reconcile.match.columns import NO_MARK, Cubes, Kind, Plays, Validity
from reconcile.match.match import Candidate, Level, Match, Note, Source
from reconcile.wording import plural

UNSTATED = Level("", None)
EXACT = "database"
"""In the label of a level that is as deep as any other of a list."""
LOSS = 0.001
"""By how much an error may differ from that of its candidates, which are rounded."""
PLACES = 9
"""Decimals of a spread, so that 0.0001 is not less by what binary fractions lose."""
Place = tuple[int, int]
"""Number of a game in the file and of a turn in it, from 1."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What an analysis says of one roll of the dice."""

    candidates: tuple[Candidate, ...]
    """In any order, in the decider's view; empty for a dance."""
    luck: float = NAN
    """Equity (EMG) gained by the roll."""
    every: bool = False
    """Whether the candidates are all legal plays, so that any other is illegal. Otherwise the
    transcript says how many there are."""
    lost: float = NAN
    """Equity (EMG) that the play made lost, where that is known and it is not a candidate."""
    levels: tuple[Level, ...] = ()
    """Of every candidate, where they are others than that of the analysis."""

    @property
    def level(self) -> Level | None:
        """Of the first candidate, likewise."""
        return self.levels[0] if self.levels else None

    def best_first(self) -> Roll:
        """The candidates by depth, the deepest first, and then by equity."""
        levels = self.levels or (UNSTATED,) * len(self.candidates)
        depths = [math.inf if level.lookahead is None else level.lookahead for level in levels]
        exact = [EXACT in level.label for level in levels]
        deepest = max((depths[row] for row, as_any in enumerate(exact) if not as_any), default=0.0)

        def rank(row: int) -> tuple[float, float]:
            equity = self.candidates[row].equity
            depth = deepest if exact[row] else depths[row]
            return depth, -math.inf if equity is None or equity != equity else equity

        rows = sorted(range(len(levels)), key=rank, reverse=True)
        return replace(
            self,
            candidates=tuple(self.candidates[row] for row in rows),
            levels=tuple(self.levels[row] for row in rows if self.levels),
        )


@dataclass(frozen=True, slots=True)
class Cube:
    """What an analysis says of the cube in one turn, in the view of the player on roll."""

    no_double: float
    double_take: float
    double_pass: float
    chances: Chances = UNKNOWN_CHANCES
    """Before the roll; engines of these formats give one set for a double and for none."""
    level: Level | None = field(default=None, kw_only=True)
    """Where it is another than that of the analysis."""


def places(match: Match, table: Plays | Cubes) -> list[Place]:
    """The place of every row."""
    return list(zip(match.games.number[table.game].tolist(), table.turn.tolist(), strict=True))


def evaluated(
    match: Match,
    source: Source,
    level: Level | None,
    rolls: Mapping[Place, Roll],
    cubes: Mapping[Place, Cube],
    *,
    answers: Mapping[Place, Cube] = MappingProxyType({}),
    notes: tuple[Note, ...] = (),
) -> Match:
    """The match with these evaluations in place of its own, equities (EMG) in float64; a row
    without one is not analysed.

    `level` is that of the whole analysis; without it each evaluation has its own. A play that is
    not among its candidates is unknown, not perfect; so is a beaver. What is answered to a double
    has the values of the turn unless there are `answers` of its own; to a beaver too, as in gnuBG's
    files; rule sets that do not count it (Q14) leave it out.
    """
    stated, values = _by_row(match, rolls), _cube_values(match, cubes, answers)
    ends, by_row = match.resignations, _best_first(stated, match.plays)
    levels = {level: 0} if level else dict[Level, int]()

    def index(evaluation: Roll | Cube) -> int:
        return levels.setdefault(evaluation.level or level or UNSTATED, len(levels))

    plays = _play_columns(by_row, match.plays, index)
    return replace(
        match,
        source=source,
        plays=match.plays.replaced(**plays),
        cubes=match.cubes.replaced(**_cube_columns(values, match.cubes, index)),
        resignations=ends.replaced(stored_error=np.full(len(ends), np.nan)),
        cube_unit="emg",
        levels=tuple(levels),
        known_chances=None,
        read_first=None,
        read_evaluations=None,
        notes=(*match.notes, *notes, *_disagreement(stated, by_row, plays, match.plays)),
        candidates=lambda row: roll.candidates if (roll := by_row[row]) is not None else (),
    )


def _best_first(stated: list[Roll | None], transcript: Plays) -> list[Roll | None]:
    """The same, those of a legal play with the best candidate first."""
    return [
        roll.best_first() if roll and validity == Validity.VALID.value else roll
        for roll, validity in zip(stated, transcript.validity.tolist(), strict=True)
    ]


def _disagreement(
    stated: list[Roll | None], by_row: list[Roll | None], plays: dict[str, Any], transcript: Plays
) -> list[Note]:
    """What is said of lists that do not begin with their best candidate, and of errors that are not
    those of the candidates."""
    lost = np.array([roll.lost if roll else NAN for roll in by_row])
    unlike = np.abs(plays["best"] - plays["played"] - lost) > LOSS
    errors = int(unlike[transcript.validity == Validity.VALID.value].sum())
    firsts = ([roll and roll.candidates[:1] for roll in rolls] for rolls in (stated, by_row))
    lists = sum(map(ne, *firsts))
    words = [
        f"{plural(lists, 'list')} of which the first candidate is not the best" * bool(lists),
        f"{plural(errors, 'error')} that the candidates do not give, and that do not count"
        * bool(errors),
    ]
    return [Note("candidates-disagree", "; ".join(filter(None, words)))] if any(words) else []


def _cube_values(
    match: Match, cubes: Mapping[Place, Cube], answers: Mapping[Place, Cube]
) -> list[Cube | None]:
    """What is said of every row of cubes."""
    cube_places = places(match, match.cubes)
    return [
        None
        if kind == Kind.BEAVER.value
        else (answers.get(place) if kind >= Kind.TAKE.value else None) or cubes.get(place)
        for place, kind in zip(cube_places, match.cubes.kind.tolist(), strict=True)
    ]


def _by_row(match: Match, rolls: Mapping[Place, Roll]) -> list[Roll | None]:
    """What is said of every row of plays: of a place with several rolls, as a damaged game has
    one, of the first."""
    play_places = places(match, match.plays)
    first = {place: row for row, place in reversed(list(enumerate(play_places)))}
    return [
        rolls.get(place) if first[place] == row else None for row, place in enumerate(play_places)
    ]


def _legal(transcript: int, roll: Roll | None) -> int:
    """`Plays.legal` of a roll: a list of plays that may be cut says that there was a choice, the
    `transcript` how much of one."""
    listed = len(roll.candidates) if roll else 0
    if roll and roll.every and listed:
        return listed
    return max(transcript, listed) if listed > 1 else transcript


def _play_row(
    roll: Roll | None, has_moved: bool, legal: int, validity: int, index: Callable[[Roll], int]
) -> tuple[Any, ...]:
    """What an analysis says of a roll in the order of `PLAY`, of which the transcript has the other
    facts."""
    candidates = roll.candidates if roll else ()
    equities = [candidate.equity for candidate in candidates if candidate.equity is not None]
    played = next((candidate.equity for candidate in candidates if candidate.made), None)
    complete = played is not None and len(equities) == len(candidates)
    danced = roll is not None and not candidates and not has_moved
    illegal = roll is not None and roll.every and not danced and played is None
    is_elsewhere = bool(equities) and roll is not None and roll.lost == roll.lost
    if roll and played is None and is_elsewhere and validity == Validity.VALID.value:
        played, complete = equities[0] - roll.lost, True
    return (
        complete or danced,
        equities[0] if complete else NAN,
        played if played is not None else NAN,
        max(equities) if complete else NAN,
        round(max(equities) - min([*equities, played]), PLACES)
        if complete and played is not None
        else NAN,
        roll.luck if roll else NAN,
        index(roll) if complete and roll else -1,
        0 if danced else _legal(legal, roll),
        Validity.ILLEGAL if illegal and validity == Validity.VALID.value else validity,
    )


PLAY = (
    "analysed", "best", "played", "highest", "spread", "luck", "level", "legal", "validity"
)  # fmt: skip
CUBE = ("analysed", "no_double", "double_take", "double_pass", "level")


def _play_columns(
    rolls: list[Roll | None], transcript: Plays, index: Callable[[Roll], int]
) -> dict[str, Any]:
    facts = transcript.moved.tolist(), transcript.legal.tolist(), transcript.validity.tolist()
    rows = [_play_row(*fact, index) for fact in zip(rolls, *facts, strict=True)]
    columns, _ = typed(Plays, rows, PLAY)
    return columns | {
        "flag": np.full(len(rolls), -1, np.int8),
        "stored_error": np.full(len(rolls), np.nan),
        "luck_mark": np.full(len(rolls), NO_MARK, np.int64),
    }


def _cube_columns(
    values: list[Cube | None], transcript: Cubes, index: Callable[[Cube], int]
) -> dict[str, Any]:
    rows = [
        (True, cube.no_double, cube.double_take, cube.double_pass, index(cube))
        if cube
        else (False, NAN, NAN, NAN, -1)
        for cube in values
    ]
    chances = cube_chances([2 * (cube.chances if cube else UNKNOWN_CHANCES,) for cube in values])
    columns, _ = typed(Cubes, rows, CUBE)
    return columns | {
        "flag": np.full(len(values), -1, np.int8),
        "stored_error": np.full(len(values), np.nan),
        "chances": turned(chances, transcript.kind >= Kind.TAKE.value),
    }


VERSION = 1
MOST_PLAYS = 10_000
"""More positions than any roll can lead to."""
MOST_NOTES = 1000
CHANCES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def read(path: str, content: bytes, selector: str = "") -> Match:
    """The match of a kept analysis. Raises `Damaged`."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        raise Damaged("not JSON to its end") from None
    if document["analysis_version"] != VERSION:
        raise Damaged(f"expected version {VERSION}, found {shown(document['analysis_version'])}")
    record = document.get("transcript")
    if type(record) is not str:
        raise Damaged(f"expected transcript to be a game record, found {shown(record)}")
    rolls: dict[Place, Roll] = {}
    for entry in parts(document, "plays", MOST_DECISIONS):
        rolls[_place(entry)] = Roll(
            tuple(_candidates(entry)), number(entry, "luck", optional=True), every=True
        )
    cubes = {
        _place(entry): Cube(
            number(entry, "no_double"),
            number(entry, "double_take"),
            number(entry, "double_pass"),
            tuple(number(entry, name, optional=True) for name in CHANCES),
        )
        for entry in parts(document, "cubes", MOST_DECISIONS)
    }
    level = Level(text(document, "level"), integer(document, "lookahead", 0, 100))
    source = Source(
        path, "analysis", text(document, "tool"), text(document, "tool_version"), content
    )
    notes = tuple(
        Note("engine-changed", text(entry, "change"))
        for entry in parts(document, "changes", MOST_NOTES)
    )
    base = read_record(path, record.encode("utf-8", "replace"))
    return evaluated(base, source, level, rolls, cubes, notes=notes)


def _place(entry: JsonObject) -> Place:
    return integer(entry, "game", 1, 2**31), integer(entry, "turn", 1, 2**31)


def _candidates(entry: JsonObject) -> Iterator[Candidate]:
    for listed in parts(entry, "candidates", MOST_PLAYS):
        try:
            play = parse_play(text(listed, "play"))
        except ValueError as error:
            raise Damaged(str(error)) from None
        chances = tuple(number(listed, name) for name in CHANCES)
        yield Candidate(
            play,
            number(listed, "equity"),
            text(listed, "level"),
            chances,
            made=flag(listed, "made", False),
        )
