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
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from operator import itemgetter

import numpy as np

from reconcile.errors import UnreadableFile
from reconcile.files.limits import MOST_GAMES
from reconcile.formats.common import (
    UNKNOWN_CHANCES,
    Chances,
    Damaged,
    JsonObject,
    flag,
    integer,
    number,
    part,
    parts,
    text,
    within,
)
from reconcile.formats.evaluated import Cube, Place, Roll, evaluated, places
from reconcile.formats.ogxm.model import (
    ELSEWHERE,
    EQUITY,
    KEY,
    annotated,
    blocks,
    document_of,
    of_block,
    own_items,
    unit_of,
)
from reconcile.formats.ogxm.record import (
    DOUBLE,
    RESIGNATIONS,
    Action,
    actions,
    steps,
    transcript,
)
from reconcile.match.columns import Cubes, Kind, Plays, Resignations, Validity
from reconcile.match.match import Candidate, Level, Match, Note, Source
from reconcile.match.met import DEFAULT_MET, AnyMet, Met, equity_tables, load_met
from reconcile.match.met.equity import stakes
from reconcile.match.tools import BGBLITZ, BGSAGE, GAMMONVIEW, GNUBG, XG
from reconcile.wording import plural

CURRENCIES = {True: "cubeful", False: "cubeful_match"}
"""The codec's word for equity in money play, and for match winning chance, both with the cube in
play."""
STATED = re.compile(
    r"(\d{1,6}):(?:(-?\d{0,2}(?:\.\d{1,12})?):(-?\d{0,2}(?:\.\d{1,12})?))?", re.ASCII
)
"""A frame as GammonView writes it: the number of an action, White's chance at equity 0, and what an
equity of 1 adds."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A chance of winning the match at equity 0, and what an equity of 1 adds to it; for money 0
    and 1."""

    middle: float
    half: float
    places: int = 15
    """Decimals of an equity; GammonView keeps four, which a chance of six gives back."""

    def equity(self, value: float) -> float:
        """The equity (EMG) of a value of the document."""
        return self.change(value - self.middle)

    def change(self, value: float) -> float:
        """The difference of two equities, of two values."""
        return round(value / self.half, self.places) if self.half else float("nan")


@dataclass(frozen=True, slots=True)
class Frames:
    """The frames of every turn, in the view of the player on roll; the cube is that before a
    double."""

    rolls: Mapping[Place, Frame]
    cubes: Mapping[Place, Frame]
    resigned: Mapping[int, Frame]
    """At the end of a game that was resigned, by its number."""
    table: str = ""
    """Name of the match equity table; empty where GammonView states the frames, and for
    equities."""


def frames(
    info: JsonObject,
    own: Mapping[str, str],
    base: Match,
    doings: list[Action],
    met: AnyMet | None,
    unit: str,
) -> Frames:
    """The frames of an analysis (`info`) of a transcript, `own` is what GammonView keeps of it,
    `unit` that of its values. Raises `Damaged` for a match equity table that is needed and not
    known.

    `met` is used where a document names none that is known.
    """
    in_equity = unit in (EQUITY, CURRENCIES[True])
    places = 4 if own or unit == EQUITY else 15
    stated = _stated(own.get("frame", ""), places)
    if stated:
        return _written(stated, doings)
    named = text(info, "met_id")
    table = {_plain(name): name for name in equity_tables()}.get(_plain(named), met)
    if table is None and not in_equity:
        raise Damaged(
            "expected the match equity table of its match winning chances, found "
            f"{f'{named[:40]!r}, which is not known here' if named else 'none'}; name it with --met"
        )
    return _frames_of(base, None if in_equity or table is None else load_met(table), places)


def _written(stated: list[tuple[int, Frame | None]], doings: list[Action]) -> Frames:
    """The frames that GammonView has written down. Raises `Damaged` for a decision without one."""
    refs = [ref for ref, _ in stated]
    cubes, rolls, resigned = dict[Place, Frame](), dict[Place, Frame](), dict[int, Frame]()
    for action in doings:
        at = bisect_right(refs, action.ref) - 1
        frame = stated[at][1] if at >= 0 else None
        if frame is None:
            raise Damaged("no match equity table for some of its decisions")
        if action.action in RESIGNATIONS:
            resigned[action.place[0]] = frame
            continue
        # The double comes before its answer, so the first of a turn is the player on roll.
        (rolls if action.is_roll else cubes).setdefault(
            action.place, frame if action.white else replace(frame, middle=1 - frame.middle)
        )
    return Frames(rolls, {**rolls, **cubes}, resigned)


def _plain(name: str) -> str:
    """A name of a table without case and punctuation, in which programs differ."""
    return "".join(filter(str.isalnum, name)).casefold()


def _frames_of(match: Match, met: Met | None, digits: int) -> Frames:
    """The frames of every turn of a match by a match equity table; without one values are
    equities."""
    tables = match.plays, match.cubes, match.resignations
    most = int(max(table.cube.max(initial=1) for table in tables))
    at_stake = None if met is None else stakes(match, met, most)

    def frames_of(table: Plays | Cubes | Resignations) -> list[Frame]:
        if at_stake is None:
            return [Frame(0.0, 1.0, digits)] * len(table)
        win, lose = (
            chances.astype(np.float64)
            for chances in at_stake.of(table.game, table.player, table.cube)
        )
        pairs = zip(((win + lose) / 2).tolist(), ((win - lose) / 2).tolist(), strict=True)
        return [Frame(middle, half, digits) for middle, half in pairs]

    # The first of a turn is the player on roll; who answers a double comes later.
    rolls, cubes = (
        dict(reversed([*zip(places(match, table), frames_of(table), strict=True)]))
        for table in tables[:2]
    )
    numbers = match.games.number[match.resignations.game].tolist()
    at_end = frames_of(match.resignations)
    resigned = dict(zip(numbers, at_end, strict=True))  # a difference is the same for both players
    return Frames(rolls, cubes, resigned, "" if met is None else met.name)


def _stated(frames: str, places: int) -> list[tuple[int, Frame | None]]:
    """The frames that GammonView writes down of an analysis, each from an action on. Raises
    `Damaged`."""
    stated: list[tuple[int, Frame | None]] = []
    for entry in filter(None, frames.split(",")):
        frame = STATED.fullmatch(entry)
        if frame is None:
            raise Damaged(f"expected a frame of GammonView, found {entry[:40]!r}")
        number, middle, half = frame.groups()
        of_action = None if middle is None else Frame(float(middle or 0), float(half or 0), places)
        stated.append((int(number), of_action))
    return sorted(stated, key=itemgetter(0))


MOST_PLAYS = 1024
STEP = 1e-6
"""A document's values are multiples of this."""
ROOM = 0.05
"""How far a match winning chance may lie outside 0 to 1: equities were made chances by a table that
the engine did not use."""
NO_FRAME = Frame(0.0, 0.0)
DEPTH = re.compile(r"([0-9]{1,2})[- ]?ply|.*@.*", re.ASCII)
"""A level by its depth alone, or by a preset of GammonView, which says no more."""
TOOLS = {
    "xg": XG.name,
    "gnubg": GNUBG.name,
    "bgblitz": BGBLITZ.name,
    "bgsage": BGSAGE.name,
    "gv-bgsage": BGSAGE.name,
}
"""Tools by the model that an analysis names, up to a slash."""
CHANCES = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")


def read(path: str, content: bytes, selector: str = "", met: AnyMet | None = None) -> Match:
    """The match with the selected analysis (1 is the first), or with the only one; a document
    without an analysis is a transcript.

    `met` is the match equity table of an analysis that names none that is known. Raises
    `Damaged`, and `MissingPackage` where the package `ogxm` is not installed.
    """
    every = readers(path, content, met)
    if not selector and len(every) == 1:
        return every[0]()
    if not (selector.isascii() and selector.isdigit() and 1 <= int(selector) <= len(every)):
        choice = f"found {selector[:40]!r}" if selector else "found none"
        raise UnreadableFile(
            f"expected the number of one of its {len(every)} analyses, as {path}#1, {choice}; or "
            "compare all of them",
            path,
        )
    return every[int(selector) - 1]()


def readers(path: str, content: bytes, met: AnyMet | None = None) -> list[Callable[[], Match]]:
    """What reads each analysis of a document, or its transcript where it has none. Raises
    `Damaged`, `MissingPackage`."""
    document = document_of(content)
    number = len(blocks(document))
    return [partial(_match, path, content, document, index, met) for index in range(number)] or [
        partial(_match, path, content, document, None, met)
    ]


def _match(
    path: str, content: bytes, document: JsonObject, index: int | None, met: AnyMet | None
) -> Match:
    """The transcript, with one analysis laid over it."""
    base = transcript(path, document)
    if index is None:
        tool = GAMMONVIEW.name if any(annotated(document, KEY)) else "OGXM"
        return replace(base, source=Source(path, "ogxm", tool, None, content))
    every = blocks(document)
    info = every[index]
    name = text(info, "analysis_id")
    own = own_items(document, name)
    # GammonView knows no other equity in a match than that of its own forms.
    in_equity = text(info, "currency") in (EQUITY, own and CURRENCIES[True])
    unit = EQUITY if in_equity or content.startswith(b"{") else CURRENCIES[base.is_money]
    by_gammonview = bool(own) or unit == EQUITY
    with within(f"analysis {index + 1}"):
        tool, version = _tool(info, by_gammonview=by_gammonview)
        doings = actions(document)
        units = frames(info, own, base, doings, met, unit)
        waits = base.plays.validity == Validity.UNPLAYED.value
        unplayed = frozenset(compress(places(base, base.plays), waits.tolist()))
        levels = Levels(info, own, by_players=by_gammonview and own.get("plies") != "gnubg")
        stated = _statements(index, doings, units, unplayed, levels, unit)
    source = Source(
        f"{path}#{index + 1}" if len(every) > 1 else path, "ogxm", tool, version, content
    )
    notes = [Note("ogxm-values", _evidence(document, name, by_gammonview, stated, units.table))]
    if stated.other_units:
        units_found = ", ".join(f"{count} in {unit}" for unit, count in stated.other_units.items())
        notes.append(Note("ogxm-units", f"{units_found}, expected {CURRENCIES[base.is_money]}"))
    match = evaluated(
        base, source, None, stated.rolls, stated.cubes, answers=stated.answers, notes=tuple(notes)
    )
    return _without(unplayed | _set_up(document), _completed(match, stated))


def _set_up(document: JsonObject) -> frozenset[Place]:
    """The first roll of every game that begins at a position set up by hand."""
    return frozenset(
        (number, 1)
        for number, game in enumerate(parts(document, "games", MOST_GAMES), 1)
        if "initial_board" in game or (game["plies"][:1] and "set_position" in game["plies"][0])
    )


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


def _evidence(
    document: JsonObject, name: str, by_gammonview: bool, stated: _Statements, table: str
) -> str:
    """What the format has taken from an analysis, in words."""
    words = [] if stated.in_equity else [f"values are multiples of {STEP:.6f}"]
    if table not in ("", DEFAULT_MET):
        words.append(
            f"equities by {table}; `--met {table}` gives match winning chances lost as the "
            "document has them"
        )
    if by_gammonview:
        words.append("GammonView rounds equities to 0.0001")
    marks = list(filter(None, own_items(document, name).get("pr", "").split(",")))
    if marks:
        words.append(
            f"GammonView marks {plural(len(marks), 'decision')} otherwise, as counted or not; here "
            "the rules alone say what counts"
        )
    elsewhere = sum("~" not in key for key, _ in annotated(document, ELSEWHERE + name))
    if elsewhere:
        words.append(
            f"of {plural(elsewhere, 'decision')} that GammonView keeps in a form of its own only "
            "what the format has is read"
        )
    return "; ".join(words)


@dataclass(slots=True)
class _Statements:
    """What an analysis says, by turn, as equities (EMG)."""

    rolls: dict[Place, Roll] = field(default_factory=dict)
    cubes: dict[Place, Cube] = field(default_factory=dict)
    answers: dict[Place, Cube] = field(default_factory=dict)
    """Of an answer to a double where it has values of its own."""
    other_units: Counter[str] = field(default_factory=Counter)
    """Decisions left out, by the unit of their values."""
    illegal: set[Place] = field(default_factory=set)
    in_equity: bool = False
    resigned: dict[tuple[int, int], float] = field(default_factory=dict)
    """Equity lost by resigning and by accepting it, by the game's number and the kind."""

    def fits(self, usual: str, expected: str, decision: JsonObject) -> bool:
        """Whether a decision is in the expected unit; one that states none is in the usual one."""
        unit = decision.get("currency") or usual
        unit = unit_of(unit) if type(unit) is int else text({"unit": unit}, "unit")
        unit = expected if (unit, expected) == (CURRENCIES[True], EQUITY) else unit
        self.other_units.update([] if unit == expected else [unit or "no stated unit"])
        return unit == expected


def _statements(
    index: int,
    doings: list[Action],
    units: Frames,
    unplayed: frozenset[Place],
    levels: Levels,
    expected: str,
) -> _Statements:
    """Everything that an analysis says in the expected unit, which decisions that state none have
    by its currency; nothing of rolls that were not played."""
    stated = _Statements(in_equity=expected == EQUITY)
    fits = partial(stated.fits, text(levels.info, "currency"), expected)
    for action in doings:
        value, place = of_block(action.value, index), action.place
        if value is None:
            continue
        if action.action in RESIGNATIONS:
            frame = units.resigned.get(place[0], NO_FRAME)
            stated.resigned.update(_resigned(value, place[0], frame) if fits(value) else ())
            continue
        cube: JsonObject | None = value
        if action.is_roll:
            cube = part(value, "cube_decision") or part(value, "missed_double")
            if flag(value, "illegal_move", False):
                stated.illegal.add(place)
            if place in units.rolls and place not in unplayed and fits(value):
                stated.rolls[place] = _roll(value, units.rolls[place], action, levels)
        is_own = action.is_roll or action.action == DOUBLE
        cubes = stated.cubes if is_own else stated.answers
        if not cube or "no_double_equity" not in cube or place in cubes:
            continue
        if place in units.cubes and fits(cube):
            level = levels.of(cube, value, key="cube_ply")
            cubes[place] = _cube(cube, units.cubes[place], level)
    return stated


def _roll(value: JsonObject, frame: Frame, action: Action, levels: Levels) -> Roll:
    """What an analysis says of a roll."""
    alternatives = parts(value, "alternatives", MOST_PLAYS, optional=True)
    level_of_each = tuple(levels.of(candidate, value) for candidate in alternatives)
    candidates = tuple(
        _candidate(candidate, frame, action, level)
        for candidate, level in zip(alternatives, level_of_each, strict=True)
    )
    roll = part(value, "roll") or value
    luck, lost = (
        frame.change(number(table, key)) if key in table else math.nan
        for table, key in ((roll, "luck"), (value, "equity_loss"))
    )
    return Roll(candidates, luck, lost=lost, levels=level_of_each)


def _resigned(
    value: JsonObject, game: int, frame: Frame
) -> Iterator[tuple[tuple[int, int], float]]:
    """What resigning and accepting lost. The two errors are each other's opposite, so that one of
    them says both."""
    error, accepted = (
        frame.change(number(value, key, optional=True))
        for key in ("resign_error", "take_resign_error")
    )
    yield (game, Kind.RESIGN.value), max(error if error == error else -accepted, 0.0)
    yield (game, Kind.ACCEPT_RESIGN.value), max(accepted if accepted == accepted else -error, 0.0)


def _cube(value: JsonObject, frame: Frame, level: Level) -> Cube:
    no_double, double_take, double_pass = (
        frame.equity(_chance(value, f"{name}_equity", frame))
        for name in ("no_double", "double_take", "double_pass")
    )
    return Cube(
        no_double,
        double_take,
        double_pass,
        chances=_chances(value) or UNKNOWN_CHANCES,
        level=level,
    )


def _candidate(value: JsonObject, frame: Frame, action: Action, level: Level) -> Candidate:
    return Candidate(
        play=steps(value, "move", white=action.white),
        equity=frame.equity(_chance(value, "equity", frame)),
        level=level.label,
        probabilities=_chances(value),
        made=flag(value, "is_played", False),
    )


def _chances(value: JsonObject) -> Chances:
    """The chances of the player who rolls, or who doubles; empty where there are none."""
    stated = part(value, "eval")
    return () if stated is None else tuple(number(stated, name) for name in CHANCES)


@dataclass(frozen=True, slots=True)
class Levels:
    """How deep an analysis looked, which a decision and a candidate may say for themselves."""

    info: JsonObject
    own: Mapping[str, str]
    by_players: bool
    """Whether plies are counted from the position, as players do, not from the play."""

    @property
    def by_gammonview(self) -> bool:
        """Whether GammonView wrote it, whose labels are counted as players do."""
        return self.by_players or bool(self.own)

    def of(self, *inner: JsonObject, key: str = "checker_ply") -> Level:
        """The level of the first object that says it, the innermost first."""
        for value in (*inner, self.info):
            stated = part(value, "level") or {}
            label = text(value, "eval_level") or text(stated, "preset")
            depth = DEPTH.fullmatch(label)
            plies = stated.get(key, stated.get("checker_ply", value.get("ply")))
            # GammonView labels a candidate by its depth; its plies are those of the whole list.
            labelled = depth and depth[1] and (plies is None or self.by_gammonview)
            if depth and labelled:
                plies = int(depth[1])
            if label or plies is not None:
                break
        counted = {} if plies is None else {"plies": plies}
        by_players = self.by_players or (self.by_gammonview and bool(labelled))
        ahead = integer(counted, "plies", 0, 100, -1) - by_players
        by_depth = (depth or not label) and "rollout" not in stated
        named = label or ("" if plies is None else f"{plies}{'' if self.by_players else '-'}ply")
        preset = text(self.info, "preset") or self.own.get("preset", "")
        return Level(f"{preset} {named}".strip(), ahead if by_depth and ahead >= 0 else None)


def _chance(value: JsonObject, key: str, frame: Frame) -> float:
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
    """The match with what `evaluated` does not know: plays that the tool found illegal, and what
    resigning lost."""
    plays, ends = match.plays, match.resignations
    illegal = np.array([place in stated.illegal for place in places(match, plays)], np.bool_)
    resigned = [
        stated.resigned.get(key, math.nan)
        for key in zip(match.games.number[ends.game].tolist(), ends.kind.tolist(), strict=True)
    ]
    return replace(
        match,
        plays=plays.replaced(validity=np.where(illegal, Validity.ILLEGAL.value, plays.validity)),
        resignations=ends.replaced(stored_error=np.array(resigned, np.float64)),
    )


def _tool(info: JsonObject, *, by_gammonview: bool) -> tuple[str, str | None]:
    """Name and version of the tool that made an analysis, as far as it says.

    What GammonView keeps is GammonView's, whoever evaluated it, since it counts by rules of its
    own; the model is its version.
    """
    model, named = text(info, "model_id"), text(info, "model_name")
    if by_gammonview:
        return GAMMONVIEW.name, model or None
    head, _, version = model.partition("/")
    return TOOLS.get(head, named or model or "OGXM"), version or None
