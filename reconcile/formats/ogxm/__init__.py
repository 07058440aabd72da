"""OGXM, the match format of HedgeHog and OpenGammon: a transcript and any number of analyses of it
in one document.

The Python package `ogxm` reads the bytes; here its JSON becomes one match for each analysis. Which
unit an equity has, the analysis states itself (`currency`); values in another unit, or in none, are
left out. Values are in the view of the player who rolls, or who doubles. In match play they are
match winning chances, and errors are differences of them; the score, the cube and the match equity
table that the analysis names make equities of them (EMG).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from typing import Any, Final

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.files.limits import MOST_GAMES
from reconcile.formats.chances import UNKNOWN_CHANCES
from reconcile.formats.evaluated import Cube, Place, Roll, evaluated, places
from reconcile.formats.ogxm.analysis import CURRENCIES, Frame, Frames, frames
from reconcile.formats.ogxm.codec import MAGIC, decoded
from reconcile.formats.ogxm.record import (
    DOUBLE,
    LAST_ROLL,
    RESIGNATIONS,
    Action,
    actions,
    steps,
    transcript,
)
from reconcile.formats.values import (
    Damaged,
    flag,
    integer,
    number,
    part,
    parts,
    readable,
    text,
)
from reconcile.match.board.play import carried_out, count_legal_plays, legal_plays
from reconcile.match.columns import Cubes, Kind, Plays, Validity
from reconcile.match.match import Candidate, Level, Match, Note, Source
from reconcile.match.met import DEFAULT_MET, AnyMet
from reconcile.match.tools import BGBLITZ, BGSAGE, GAMMONVIEW, GNUBG, XG
from reconcile.wording import plural

__all__ = ["MAGIC", "read", "read_all"]


FORMAT: Final = "ogxm"
MOST_ANALYSES: Final = 64
MOST_PLAYS: Final = 1024
STEP: Final = 1e-6
"""A document's values are multiples of this."""
ROOM: Final = 0.05
"""How far a match winning chance may lie outside 0 to 1: equities were made chances by a table that
the engine did not use."""
DEPTH: Final = re.compile(r"[0-9]{1,2}[- ]?ply", re.ASCII)
TOOLS: Final = {
    "xg": XG.name,
    "gnubg": GNUBG.name,
    "bgblitz": BGBLITZ.name,
    "bgsage": BGSAGE.name,
    "gv-bgsage": BGSAGE.name,
}
"""Tools by the model that an analysis names, up to a slash."""
CHANCES: Final = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
KEY: Final = "x-gammonview-"
"""How the keys of GammonView's annotations begin."""


def read(path: str, content: bytes, selector: str = "", met: AnyMet | None = None) -> Match:
    """The match with the selected analysis (1 is the first), or with the only one; a document
    without an analysis is a transcript.

    `met` is the match equity table of an analysis that names none that is known. Raises
    `UnreadableFile`, and `MissingPackage` where the package `ogxm` is not installed.
    """
    readers = read_all(path, content, met)
    if not selector and len(readers) == 1:
        return readers[0]()
    if not (selector.isascii() and selector.isdigit() and 1 <= int(selector) <= len(readers)):
        choice = f"found {selector[:40]!r}" if selector else "found none"
        raise UnreadableFile(
            f"expected the number of one of its {len(readers)} analyses, as {path}#1, {choice}; or "
            "compare all of them",
            path,
        )
    return readers[int(selector) - 1]()


def read_all(path: str, content: bytes, met: AnyMet | None = None) -> list[Callable[[], Match]]:
    """What reads each analysis of a document, or its transcript where it has none. Raises
    `UnreadableFile`, `MissingPackage`."""
    document = decoded(path, content)
    with _readable(path):
        blocks = _blocks(document)
    return [
        partial(_match, path, content, document, index, met) for index in range(len(blocks))
    ] or [partial(_match, path, content, document, None, met)]


def _readable(path: str) -> AbstractContextManager[None]:
    remedy = "save the match in another format of the program that has it"
    return readable(path, "OGXM document", remedy)


def _blocks(document: dict[str, Any]) -> list[dict[str, Any]]:
    if "analyses_info" in document:
        return parts(document, "analyses_info", MOST_ANALYSES)
    block = part(document, "analysis_info")
    return [] if block is None else [block]


def _match(
    path: str, content: bytes, document: dict[str, Any], index: int | None, met: AnyMet | None
) -> Match:
    with _readable(path):
        base = transcript(path, document)
        if index is None:
            tool = GAMMONVIEW.name if _keys(document, KEY) else "OGXM"
            source = Source(path, FORMAT, tool, None, content)
            return replace(base, source=source, plays=_judged(base.plays))
        return _analysed(path, content, document, index, base, met)


def _judged(plays: Plays) -> Plays:
    """The plays of a transcript, those marked that the dice do not allow."""
    validity, rows = (
        plays.validity.copy(),
        zip(plays.position.tolist(), plays.dice.tolist(), plays.play, strict=True),
    )
    for row, (position, dice, play) in enumerate(rows):
        allowed = {legal.result for legal in legal_plays(position, *dice)} or {tuple(position)}
        if validity[row] == Validity.VALID.value and carried_out(position, play) not in allowed:
            validity[row] = Validity.ILLEGAL.value
    return plays.replaced(validity=validity)


def _analysed(
    path: str,
    content: bytes,
    document: dict[str, Any],
    index: int,
    base: Match,
    met: AnyMet | None,
) -> Match:
    """The transcript with one analysis laid over it."""
    blocks = _blocks(document)
    info = blocks[index]
    name, whose = text(info, "analysis_id"), f"analysis {index + 1}: "
    try:
        tool, version = _tool(info, by_gammonview=bool(_keys(document, f"{KEY}analysis/{name}")))
        doings = actions(document)
        units = frames(document, info, base, doings, met)
        waits = (base.plays.validity == Validity.UNPLAYED.value).tolist()
        unplayed = frozenset(compress(places(base, base.plays), waits))
        stated = _statements(
            index, doings, units, unplayed, text(info, "currency"), CURRENCIES[base.is_money]
        )
    except Damaged as error:
        raise Damaged(f"{whose}{error}") from None
    source = Source(
        f"{path}#{index + 1}" if len(blocks) > 1 else path, FORMAT, tool, version, content
    )
    notes = [Note("ogxm-values", _evidence(document, name, stated, units.table))]
    if stated.other_units:
        units_found = ", ".join(f"{count} in {unit}" for unit, count in stated.other_units.items())
        notes.append(Note("ogxm-units", f"{units_found}, expected {CURRENCIES[base.is_money]}"))
    match = evaluated(
        base, source, None, stated.rolls, stated.cubes, answers=stated.answers, notes=tuple(notes)
    )
    openings = {
        (number, 1)
        for number, game in enumerate(parts(document, "games", MOST_GAMES), 1)
        if not flag(game, "is_default_board", True)
    }
    return _without(unplayed | openings, _completed(match, stated))


def _without(rolls: Collection[Place], match: Match) -> Match:
    """The match without the no-doubles before these rolls that the analysis has no values of.

    They are rolls that were not played, of which gnuBG keeps none, and the first of a game from a
    position set up by hand.
    """
    cubes = match.cubes
    due = np.array([place not in rolls for place in places(match, cubes)], np.bool_)
    stays = cubes.analysed | (cubes.kind != Kind.NO_DOUBLE.value) | due
    if stays.all():
        return match
    return replace(
        match,
        cubes=Cubes(
            int(stays.sum()), {name: getattr(cubes, name)[stays] for name in Cubes.names()}
        ),
    )


def _evidence(document: dict[str, Any], name: str, stated: _Statements, table: str) -> str:
    """What the format has taken from an analysis, in words."""
    words = [f"values are multiples of {STEP:.6f}"]
    if table not in ("", DEFAULT_MET):
        words.append(
            f"equities by {table}; `--met {table}` gives match winning chances lost as the "
            "document has them"
        )
    if _keys(document, f"{KEY}analysis/{name}"):
        words.append("GammonView rounds equities to 0.0001")
    elsewhere = sum("~" not in key for key in _keys(document, f"{KEY}decisions/{name}"))
    if elsewhere:
        words.append(
            f"of {plural(elsewhere, 'decision')} that GammonView keeps in a form of its own only "
            "what the format has is read"
        )
    if stated.shortened:
        words.append(f"{plural(stated.shortened, 'roll')} with fewer plays than were analysed")
    return "; ".join(words)


def _keys(document: dict[str, Any], start: str) -> list[str]:
    """The keys of its annotations that begin so."""
    annotations = document.get("annotations")
    listed = annotations if type(annotations) is list else []
    keys = [str(annotation.get("key")) for annotation in listed if type(annotation) is dict]
    return [key for key in keys if key.startswith(start)]


@dataclass(slots=True)
class _Statements:
    """What an analysis says, by turn, as equities (EMG)."""

    rolls: dict[Place, Roll] = field(default_factory=dict)
    cubes: dict[Place, Cube] = field(default_factory=dict)
    answers: dict[Place, Cube] = field(default_factory=dict)
    """Of an answer to a double where it has values of its own."""
    shortened: int = 0
    """Rolls of which fewer plays are listed than were analysed."""
    other_units: Counter[str] = field(default_factory=Counter)
    """Decisions left out, by the unit of their values."""
    resigned: dict[tuple[int, int], float] = field(default_factory=dict)
    """Equity lost by resigning and by accepting it, by the game's number and the kind."""


def _statements(
    index: int,
    doings: list[Action],
    units: Frames,
    unplayed: frozenset[Place],
    currency: str,
    expected: str,
) -> _Statements:
    """Everything that an analysis says in the expected unit, which decisions that state none have
    by `currency`; nothing of rolls that were not played."""
    stated = _Statements()

    def fits(decision: dict[str, Any]) -> bool:
        unit = text(decision, "currency") or currency
        stated.other_units.update([] if unit == expected else [unit or "no stated unit"])
        return unit == expected

    for action in doings:
        value = _of_block(action.value, index)
        if value is None:
            continue
        place = action.place
        if action.action in RESIGNATIONS:
            if fits(value):
                half = units.resigned.get(place[0], 0.0)
                stated.resigned.update(_resigned(value, place[0], half))
            continue
        if action.action > LAST_ROLL:
            if place in units.cubes and "no_double_equity" in value and fits(value):
                cubes = stated.cubes if action.action == DOUBLE else stated.answers
                cubes[place] = _cube(value, units.cubes[place])
            continue
        cube = part(value, "cube_decision")
        if cube and place not in stated.cubes and place in units.cubes and fits(cube):
            stated.cubes[place] = _cube(cube, units.cubes[place])
        if place in units.rolls and place not in unplayed and fits(value):
            stated.rolls[place] = roll = _roll(value, units.rolls[place], action)
            analysed = value.get("alternatives_total")
            stated.shortened += type(analysed) is int and analysed > len(roll.candidates)
    return stated


def _roll(value: dict[str, Any], frame: Frame, action: Action) -> Roll:
    """What an analysis says of a roll."""
    listed = []
    if "alternatives" in value:
        alternatives = parts(value, "alternatives", MOST_PLAYS)
        listed = [_candidate(candidate, frame, action) for candidate in alternatives]
    roll = part(value, "roll")
    level, luck, elsewhere = None, math.nan, math.nan
    if roll is not None and "luck" in roll and frame.half:
        luck = number(roll, "luck") / frame.half
    if listed:
        level = _level(value["alternatives"][0])
        is_listed = any(candidate.made for candidate in listed)
        if not is_listed and "equity_loss" in value and frame.half:
            # What it lost says what it was worth.
            elsewhere = (listed[0].equity or 0.0) - number(value, "equity_loss") / frame.half
    return Roll(tuple(listed), luck, elsewhere=elsewhere, level=level)


def _of_block(value: dict[str, Any], index: int) -> dict[str, Any] | None:
    """What one analysis says of an action; `None` if nothing."""
    if "analyses" in value:
        return next(
            (
                analysis
                for analysis in parts(value, "analyses", MOST_ANALYSES)
                if analysis.get("analysis_index") == index
            ),
            None,
        )
    return part(value, "analysis") if index == 0 else None


def _resigned(
    value: dict[str, Any], game: int, half: float
) -> Iterator[tuple[tuple[int, int], float]]:
    """What resigning and accepting lost. The two errors are each other's opposite, so that one of
    them says both."""
    stated = {
        key: number(value, key) for key in ("resign_error", "take_resign_error") if key in value
    }
    if half and stated:
        error = stated.get("resign_error", -stated.get("take_resign_error", 0.0)) / half
        accepted = stated.get("take_resign_error", -error * half) / half
        yield (game, Kind.RESIGN.value), max(error, 0.0)
        yield (game, Kind.ACCEPT_RESIGN.value), max(accepted, 0.0)


def _cube(value: dict[str, Any], frame: Frame) -> Cube:
    no_double, double_take, double_pass = (
        frame.equity(_chance(value, f"{name}_equity", frame))
        for name in ("no_double", "double_take", "double_pass")
    )
    return Cube(
        no_double,
        double_take,
        double_pass,
        chances=_chances(value) or UNKNOWN_CHANCES,
        level=_level(value),
    )


def _candidate(value: dict[str, Any], frame: Frame, action: Action) -> Candidate:
    return Candidate(
        play=steps(value, "move", white=action.white),
        equity=frame.equity(_chance(value, "equity", frame)),
        level=_level(value).label,
        probabilities=_chances(value),
        made=flag(value, "is_played", False),
    )


def _chances(value: dict[str, Any]) -> tuple[float, ...]:
    """The chances of the player who rolls, or who doubles; empty where there are none."""
    stated = part(value, "eval")
    return () if stated is None else tuple(number(stated, name) for name in CHANCES)


def _level(value: dict[str, Any]) -> Level:
    stated = part(value, "level") or {}
    label = text(stated, "preset")
    plies = integer(stated, "checker_ply", 0, 100) if "checker_ply" in stated else None
    lookahead = plies if not label or DEPTH.fullmatch(label) else None
    return Level(label or ("" if plies is None else f"{plies}-ply"), lookahead)


def _chance(value: dict[str, Any], key: str, frame: Frame) -> float:
    """A value of the document. Raises `Damaged` for one that is not in the unit which the analysis
    states."""
    if value.get(key) is None and key != "equity":
        return math.nan
    stated = number(value, key)
    if frame.middle and not -ROOM <= stated <= 1 + ROOM:
        raise Damaged(
            f"its values are said to be match winning chances, but one is {stated:g}; which unit "
            "they have is open"
        )
    return stated


def _completed(match: Match, stated: _Statements) -> Match:
    """The match with what `evaluated` does not know: the number of legal plays, and what resigning
    lost."""
    plays, ends = match.plays, match.resignations
    rolls = zip(plays.position.tolist(), plays.dice.tolist(), strict=True)
    legal = np.array(
        [count_legal_plays(tuple(position), *dice) for position, dice in rolls], np.int64
    )
    resigned = [
        stated.resigned.get(key, math.nan)
        for key in zip(match.games.number[ends.game].tolist(), ends.kind.tolist(), strict=True)
    ]
    return replace(
        match,
        plays=plays.replaced(legal=legal),
        resignations=ends.replaced(stored_error=np.array(resigned, np.float64)),
    )


def _tool(info: dict[str, Any], *, by_gammonview: bool) -> tuple[str, str | None]:
    """Name and version of the tool that made an analysis, as far as it says.

    What GammonView keeps is GammonView's, whoever evaluated it, since it counts by rules of its
    own; the model is its version.
    """
    model, named = text(info, "model_id"), text(info, "model_name")
    if by_gammonview:
        return GAMMONVIEW.name, model or None
    head, _, version = model.partition("/")
    return TOOLS.get(head, named or model or "OGXM"), version or None
