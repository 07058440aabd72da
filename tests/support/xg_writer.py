"""Writes an `.xg` file from plain values: the counterpart of the reader, by the same tables and
XG's own conventions.

    write(match) -> bytes

What follows from a match is derived: the cube through a game, away scores, the view of each
position, error fields with their signs and sentinels, the flag of plays that do not count. The same
match always gives the same bytes (with the same zlib): pointers are zero and no clock is read.

Money play follows the same rules, but no money file of XG's was available to check it against.
"""

import struct
import zlib
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from reconcile.files.yaml_file import read_tree
from reconcile.formats.common import DAY_ZERO
from reconcile.formats.xg import records
from reconcile.formats.xg.records import (
    ENTRY,
    HEADER,
    HEADER_SIZE,
    MAGIC,
    MONEY_LENGTH,
    MOST_CANDIDATES,
    TEXTS,
    TRAILER,
    Value,
)
from reconcile.match.board.position import PLACES, START, swap
from tests.support.written import (
    UNSCORED,
    Double,
    Game,
    Take,
    Verdict,
    WrittenMatch,
)

GUID = bytes.fromhex("e1f55a2f21e03248a423ef480ec58a0b")
"""Of the header, the same in every file."""
NOTHING_BELOW = 0.0001
"""XG writes a smaller error as 0."""
NOMINAL_POST_CRAWFORD_ERROR = 0.0001
"""What XG charges for not doubling against an opponent one away when doubling changes nothing."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a record says of the match around it: the score, the rules, and the cube as it
    stands."""

    match: WrittenMatch
    game: Game
    exponent: int = 0
    owner: int = 0
    """0 nobody, else player 1 or 2."""

    @property
    def code(self):
        """The cube as the file has it: the sign is that of the player who owns it, not of the
        player on roll."""
        return self.owner and sign(self.owner) * self.exponent

    def away(self, player):
        """Points that the player and the opponent still need."""
        length = MONEY_LENGTH if self.match.length is None else self.match.length
        first, second = (length - points for points in self.game.score)
        return (first, second) if player == 1 else (second, first)

    @property
    def jacoby(self):
        """The rules of money play as a record has them."""
        return (
            int(self.match.jacoby) + 2 * int(self.match.beaver) if self.match.length is None else 0
        )

    def after(self, turn):
        """The stakes once a double has been answered."""
        if turn.cube.double != Double.YES or turn.cube.take not in (Take.TAKE, Take.BEAVER):
            return self
        return replace(
            self,
            exponent=self.exponent + (2 if turn.cube.take == Take.BEAVER else 1),
            owner=3 - turn.player,
        )


def sign(player):
    """A player as the file has it: 1 for the first, -1 for the second."""
    return 1 if player == 1 else -1


def stored(evaluation):
    """The equity after a trip through the file's single precision."""
    return float(np.float32(evaluation.equity))


def charged(lost):
    """An error as XG writes it."""
    return lost if lost >= NOTHING_BELOW else 0.0


def verdict(cube, *, opponent_one_away):
    if cube.no_double is None or cube.double_take is None:
        return Verdict.NOT_ANALYSED
    if opponent_one_away:
        return Verdict.OPPONENT_ONE_AWAY
    no_double, double_take = cube.no_double.equity, cube.double_take.equity
    if no_double > min(double_take, cube.double_pass):
        return Verdict.TOO_GOOD if double_take > cube.double_pass else Verdict.NO_DOUBLE
    return Verdict.DOUBLE_PASS if double_take > cube.double_pass else Verdict.DOUBLE_TAKE


def cube_errors(cube, flag):
    """What the roller's cube action lost, >= 0, and what the answer to a double lost, <= 0."""
    if cube.no_double is None or cube.double_take is None or cube.double < Double.NO:
        return UNSCORED, UNSCORED
    doubled = stored(cube.double_take)
    doubling = min(doubled, cube.double_pass) - stored(cube.no_double)
    if cube.double == Double.NO:
        is_nominal = flag == Verdict.OPPONENT_ONE_AWAY and doubling == 0
        return NOMINAL_POST_CRAWFORD_ERROR if is_nominal else charged(doubling), 0.0
    taking = doubled - cube.double_pass
    return charged(-doubling), -charged(-taking if cube.take == Take.PASS else taking) or 0.0


def move_facts(move):
    """What a move lost against the FIRST candidate, <= 0, and whether it is no decision: a dance, a
    single legal play, or candidates that are all worth the same."""
    equities = [stored(candidate.evaluation) for candidate in move.candidates]
    error = UNSCORED
    if move.was_played and equities and move.played is not None:
        error = -charged(equities[0] - equities[move.played]) or 0.0
    same = len(equities) < 2 or max(equities) - min(equities) < NOTHING_BELOW
    return {
        "error": error if move.error is None else move.error,
        "irrelevant": same if move.irrelevant is None else move.irrelevant,
    }


LONGEST_NAME = 40
LONGEST_TEXT = 128
CHOICES: dict[int, int] = {
    Verdict.DOUBLE_PASS: 1,
    Verdict.NO_DOUBLE: 2,
    Verdict.DOUBLE_TAKE: 3,
}
"""XG's own choice by its verdict."""
DATE = float((date(2026, 1, 1) - DAY_ZERO).days)
PLAIN: dict[str, dict[str, Any]] = read_tree(Path(__file__).with_name("xg_written.yaml"))
"""By kind of record, in the order of the kinds."""


def write(match):
    """The bytes of an `.xg` file."""
    written = list(_records(match))
    members = Entry("temp.xg", b"".join(written)), Entry("temp.xgi", written[0] + written[-1])
    length = "Unlimited game" if match.length is None else f"{match.length} point match"
    header = file_header(
        "{} vs. {}, {}{}-{}".format(*match.players, length, *_final_score(match)),
        f"Event: {match.event} Round: " if match.event else "",
    )
    return header + archive(*members)


def _record(kind, **values):
    record, name = bytearray(records.RECORD_SIZE), [*PLAIN][kind]
    put(record, records.LAYOUTS[name], type=kind, **(PLAIN[name] | values))
    return bytes(record)


def _records(match):
    yield _match_header(match)
    for number, game in enumerate(match.games, start=1):
        yield _record(
            records.GAME_HEADER,
            score=game.score,
            crawford=game.crawford,
            initial_position=START,
            number=number,
        )
        stakes = Stakes(match, game)
        for turn in game.turns:
            yield _cube_record(turn, stakes)
            stakes = stakes.after(turn)
            if turn.move is not None:
                yield _move_record(turn, turn.move, stakes)
        if game.ending is not None:
            following = match.games[number : number + 1]
            yield _game_footer(game, game.ending, any(each.crawford for each in following))
    if match.ended and (not match.games or match.games[-1].ending):
        first, second = _final_score(match)
        winner = (first > second) - (first < second)
        yield _record(records.MATCH_FOOTER, score=(first, second), winner=winner)


def _match_header(match):
    names = {"player1": match.players[0], "player2": match.players[1]}
    younger: dict[str, Value] = {}
    if match.version >= records.UNICODE_VERSION:
        texts = {**names, "event": match.event, "location": ""}
        younger = {
            f"{key}_utf16": utf16_field(text, LONGEST_TEXT + 1) for key, text in texts.items()
        }
        younger["transcribed"] = 1
    return _record(
        records.MATCH_HEADER,
        length=MONEY_LENGTH if match.length is None else match.length,
        jacoby=match.jacoby,
        beaver=match.beaver,
        date=DATE,
        version=match.version,
        magic=b"DMLI",
        **{key: short_string(name, LONGEST_NAME) for key, name in names.items()},
        event=short_string(match.event, LONGEST_TEXT),
        **younger,
    )


def _game_footer(game, ending, crawford_next):
    return _record(
        records.GAME_FOOTER,
        score=_score_after(game),
        crawford_next=crawford_next,
        winner=sign(ending.winner),
        points=ending.points,
        termination=ending.termination,
        resign_error=ending.resign_error,
        accept_error=ending.take_resign_error,
    )


def _score_after(game):
    first, second = game.score
    if game.ending is None:
        return first, second
    points = game.ending.points
    return (first + points, second) if game.ending.winner == 1 else (first, second + points)


def _final_score(match):
    return _score_after(match.games[-1]) if match.games else (0, 0)


def _cube_record(turn, stakes):
    """The cube record of a turn, at the stakes before it."""
    cube, length = turn.cube, stakes.match.length
    one_away = length is not None and stakes.away(turn.player)[1] == 1
    flag = verdict(cube, opponent_one_away=one_away or stakes.game.crawford)
    choice, level = CHOICES.get(flag, 0), -1
    error, take_error = cube_errors(cube, flag)
    analysis: dict[str, Value] = {}
    if cube.no_double is not None and cube.double_take is not None:
        level = cube.level
        analysis = {
            "level": level,
            **_overridden(turn, stakes),
            "no_double_evaluation": cube.no_double.cubeless_floats(),
            "no_double": cube.no_double.equity,
            "double_take": cube.double_take.equity,
            "double_pass": cube.double_pass,
            "level_given": level,
            "double_take_evaluation": cube.double_take.cubeless_floats(),
            "choice_if_doubled": choice if cube.double == Double.YES else -1,
        }
    return _record(
        records.CUBE,
        on_roll=sign(turn.player),
        double=cube.double,
        take=cube.take,
        cube=stakes.code,
        position=_player_one_side(turn),
        verdict=flag,
        error=error if cube.error is None else cube.error,
        dice=short_string("77" if turn.move is None else "{}{}".format(*turn.move.dice), 2),
        take_error=take_error if cube.take_error is None else cube.take_error,
        choice=choice,
        level_shown=level,
        level_requested=level,
        **analysis,
    )


def _overridden(turn, stakes):
    """What the analysis of a decision was given of the match."""
    return {
        "position_given": turn.position,
        "away": stakes.away(turn.player),
        "cube_value": 1 << stakes.exponent,
        "cube_owner": stakes.owner and (1 if stakes.owner == turn.player else -1),
        "crawford_given": stakes.game.crawford,
        "jacoby_given": stakes.jacoby,
    }


def _move_record(turn, move, stakes):
    """The move record of a turn, at the stakes after its cube action."""
    candidates = move.candidates
    play, after = _played(move)
    level = candidates[0].level if candidates else -1
    return _record(
        records.MOVE,
        position=_player_one_side(turn),
        after=after,
        on_roll=sign(turn.player),
        play=numbers_of(play) if move.was_played else (0,) * 8,
        dice=move.dice,
        cube=stakes.code,
        candidate_count=len(candidates),
        dice_given=move.dice,
        level=level,
        candidates=len(candidates),
        played=move.was_played,
        luck=move.luck,
        rollouts=(-1,) * MOST_CANDIDATES,
        level_shown=level,
        luck_level=level,
        invalid=move.invalid,
        **move_facts(move),
        **_overridden(turn, stakes),
        **_listed(candidates),
    )


def _listed(candidates):
    """The columns of the candidates, with zeros for those that are missing."""
    empty = MOST_CANDIDATES - len(candidates)
    columns: dict[str, tuple[int, list[tuple[float, ...]]]] = {
        "results": (PLACES, [candidate.position for candidate in candidates]),
        "moves": (8, [numbers_of(candidate.play) for candidate in candidates]),
        "levels": (2, [(candidate.level, 0) for candidate in candidates]),
        "evaluations": (7, [candidate.evaluation.floats() for candidate in candidates]),
    }
    return {
        name: (*chain.from_iterable(rows), *[0] * (width * empty))
        for name, (width, rows) in columns.items()
    }


def _played(move):
    """The play and the position after it; both empty when the roll was not played."""
    if not move.was_played:
        return (), (0,) * PLACES
    if move.play is not None and move.after is not None:
        return move.play, move.after
    if move.played is None or move.played >= len(move.candidates):
        raise ValueError(
            f"a play that is not among the {len(move.candidates)} candidates needs `play` and "
            f"`after`, got {move.play!r}"
        )
    chosen = move.candidates[move.played]
    return chosen.play, chosen.position


def _player_one_side(turn):
    return turn.position if turn.player == 1 else swap(turn.position)


def file_header(title, event):
    """The uncompressed front of the file, with the texts a file manager shows."""
    texts = (utf16_field(text, 1024) for text in ("", title, event))
    return HEADER.pack(MAGIC, 1, HEADER_SIZE, 0, 0) + TEXTS.pack(GUID, *texts, b"")


@dataclass(frozen=True, slots=True)
class Entry:
    """What the registry says of a member; a number that is None is the true one."""

    name: str
    content: bytes
    size: int | None = None
    stored_size: int | None = None
    start: int | None = None
    crc: int | None = None
    compressed: bool = True


def archive(
    *entries: Entry,
    count: int | None = None,
    registry: bytes | None = None,
    packed: bool = True,
) -> bytes:
    """What follows the file header and its thumbnail: members, their registry, which may be another
    or not be compressed, and a trailer that is true of them."""
    table = blobs = b""
    for entry in entries:
        blob = zlib.compress(entry.content) if entry.compressed else entry.content
        numbers = {
            "size": len(entry.content),
            "stored_size": len(blob),
            "start": len(blobs),
            "crc": zlib.crc32(entry.content),
        }
        numbers |= {name: value for name in numbers if (value := getattr(entry, name)) is not None}
        name = short_string(entry.name, 255)
        table += ENTRY.pack(name, b"", *numbers.values(), not entry.compressed, 2)
        blobs += blob
    table = table if registry is None else registry
    table = zlib.compress(table) if packed else table
    number = len(entries) if count is None else count
    sizes = len(table), len(blobs), packed
    return blobs + table + TRAILER.pack(zlib.crc32(blobs + table), number, 1, *sizes)


def numbers_of(play):
    """Single steps as XG's eight numbers: points from 0, off as -1, and -1 for the rest."""
    flat = [number - 1 for step in play for number in step]
    return tuple(flat + [-1] * (8 - len(flat)))


def utf16_field(text: str, units: int) -> bytes:
    """Text in UTF-16, with room for the end mark."""
    return text.encode("utf-16-le")[: 2 * (units - 1)].ljust(2 * units, b"\0")


def short_string(text: str, most: int) -> bytes:
    """The same written: a length byte and at most `most` bytes."""
    encoded = text.encode("cp1252", errors="replace")[:most]
    return bytes([len(encoded)]) + encoded


def put(record, layout, base=0, /, **values):
    """Write the named fields of a table into a record, or into the one that starts at `base`."""
    for name, value in values.items():
        form, offset = layout[name]
        numbers = value if isinstance(value, (tuple, list)) else (value,)
        struct.pack_into(f"<{struct_form(form)}", record, base + offset, *numbers)


def struct_form(form):
    """A type of a table as `struct` writes it: `32*26b` is `832b`."""
    rows, _, row = form.rpartition("*")
    return f"{int(rows) * int(row[:-1])}{row[-1]}" if rows else form
