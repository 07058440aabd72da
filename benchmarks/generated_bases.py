"""Real matches prepared to be varied: read once, and every byte known that another match has otherwise.

A variation has other dice where they make no difference: a roll that dances is replaced by another that dances too, and one that bears
off by another that allows exactly the same positions. Every play stays legal and every candidate possible. The equity that plays
lost is multiplied by a factor for each player, and luck by one for the match; names, event and date are others. Cube analyses stay.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from datetime import date
from math import gcd, prod
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from benchmarks.generated_players import Person
from reconcile.formats import read_match
from reconcile.formats.xg import records as at
from reconcile.formats.xg.container import (
    HEADER,
    HEADER_SIZE,
    TEXTS,
    Packed,
    open_archive,
    packed,
    sealed,
)
from reconcile.formats.xg.values import short_string, utf16_field
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import BAR
from reconcile.match.columns import Validity
from reconcile.match.match import Match, fingerprint

Dice = tuple[int, int]
ROLLS: Final = tuple((first, second) for first in range(1, 7) for second in range(first, 7))
FEW: Final = 4
"""Checkers left at which rolls begin to be the same."""
EPOCH: Final = date(1899, 12, 30)
LEVEL: Final = 1
"""Of compression: a tenth larger than XG's files, in a fifth of the time."""


class Slot(NamedTuple):
    """A roll that may be another."""

    row: int
    """Of `Match.plays`."""
    rolls: tuple[Dice, ...]


class Changes(NamedTuple):
    """What one variation has otherwise than its base."""

    dice: dict[int, Dice]
    """By row of `Match.plays`."""
    players: tuple[Person, Person]
    """By seat."""
    event: str
    day: date
    luck: float


def slots(match: Match) -> tuple[Slot, ...]:
    """The rolls that may be others, each with all that it may be, itself included."""
    return tuple(_slots(match))


def _slots(match: Match) -> Iterator[Slot]:
    plays = match.plays
    for row in np.flatnonzero(plays.validity == Validity.VALID.value).tolist():
        position = tuple(plays.position[row].tolist())
        play = plays.play[row]
        left = sum(count for count in position[1:] if count > 0)
        if not (position[BAR] if not play else left <= FEW and all(end == 0 for _, end in play)):
            continue
        results = {
            roll: frozenset(one.result for one in legal_plays(position, *roll)) for roll in ROLLS
        }
        first, second = sorted(plays.dice[row].tolist())
        same = tuple(roll for roll in ROLLS if results[roll] == results[first, second])
        if len(same) > 1:
            yield Slot(row, same)


def chosen(slots: Sequence[Slot], number: int) -> dict[int, Dice]:
    """The dice of one variation; those of different numbers differ, as long as they are below the product of all choices."""
    many = prod(len(slot.rolls) for slot in slots)
    step = int(many * 0.618) | 1
    while gcd(step, many) != 1:
        step += 2
    rest = number * step % many
    dice = {}
    for slot in slots:
        rest, choice = divmod(rest, len(slot.rolls))
        dice[slot.row] = slot.rolls[choice]
    return dice


class Base:
    """A real match in one file."""

    suffix: str

    def __init__(self, path: Path) -> None:
        self.content = path.read_bytes()
        self.match = read_match(path.name, self.content)
        self.slots = slots(self.match)
        self.variations = prod(len(slot.rolls) for slot in self.slots)
        self.transcript = fingerprint(self.match)

    def varied(self, changes: Changes) -> bytes:
        """The file of a variation."""
        raise NotImplementedError


class XgBase(Base):
    """The records of an `.xg` file, inflated once; only these are compressed again for a variation."""

    suffix = ".xg"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        opened = open_archive(path.name, self.content)
        self.thumbnail = self.content[
            HEADER_SIZE : HEADER_SIZE + HEADER.unpack_from(self.content)[-1]
        ]
        body = HEADER_SIZE + len(self.thumbnail)
        self.members = {
            name: Packed(
                self.content[body:][member.start - body :][: member.stored_size],
                member.size,
                member.crc,
            )
            for name, member in opened.members.items()
        }
        self.blob = bytes(opened.read("temp.xg"))
        self.ends = bytes(opened.read("temp.xgi"))
        kinds = np.frombuffer(self.blob[at.TYPE_OFFSET :: at.RECORD_SIZE], np.uint8)
        self.rows = np.flatnonzero(kinds == at.MOVE)
        moves = np.frombuffer(self.blob, at.MOVE_FIELDS)[self.rows]
        self.seat = np.where(
            _view(self.blob, "<i4", at.MOVE_LAYOUT["on_roll"][1])[self.rows] > 0, 0, 1
        )
        count = _view(self.blob, "<i4", at.MOVE_LAYOUT["candidates"][1])[self.rows]
        self.listed = np.arange(at.MOST_CANDIDATES) < count[:, None]
        self.equity = moves["evaluations"][:, :, 6].astype(np.float64)
        self.behind = self.equity[:, :1] - self.equity
        self.error, self.luck = (
            _view(self.blob, "<f8", at.MOVE_LAYOUT[name][1])[self.rows]
            for name in ("error", "luck")
        )

    def varied(self, changes: Changes) -> bytes:
        blob = bytearray(self.blob)
        self._renamed(blob, changes)
        for row, roll in changes.dice.items():
            self._rolled(blob, int(self.rows[row]), roll)
        factor = np.array([player.skill for player in changes.players])[self.seat]
        equities = np.ndarray(
            (len(blob) // at.RECORD_SIZE, at.MOST_CANDIDATES),
            "<f4",
            blob,
            _EQUITIES,
            (at.RECORD_SIZE, 28),
        )
        equities[self.rows] = np.where(
            self.listed, self.equity[:, :1] - factor[:, None] * self.behind, self.equity
        )
        _view(blob, "<f8", at.MOVE_LAYOUT["error"][1])[self.rows] = np.where(
            self.error > at.NOT_SCORED, self.error * factor, self.error
        )
        _view(blob, "<f8", at.MOVE_LAYOUT["luck"][1])[self.rows] = self.luck * changes.luck
        head = bytearray(self.content[:HEADER_SIZE])
        first, second = (player.name for player in changes.players)
        texts = list(TEXTS.unpack_from(head, HEADER.size))
        texts[2:4] = (
            utf16_field(f"{first} vs. {second}", 1024),
            utf16_field(f"Event: {changes.event}", 1024),
        )
        TEXTS.pack_into(head, HEADER.size, *texts)
        ends = (
            self.ends[: at.TYPE_OFFSET]
            + blob[at.TYPE_OFFSET : at.RECORD_SIZE]
            + self.ends[at.RECORD_SIZE :]
        )
        members = {**self.members, "temp.xg": packed(blob, LEVEL), "temp.xgi": packed(ends, LEVEL)}
        return bytes(head) + self.thumbnail + sealed(members)

    def _renamed(self, blob: bytearray, changes: Changes) -> None:
        first, second = (player.name for player in changes.players)
        at.put(
            blob,
            at.MATCH_HEADER_LAYOUT,
            player1=short_string(first, 40).ljust(41, b"\0"),
            player2=short_string(second, 40).ljust(41, b"\0"),
            event=short_string(changes.event, 128).ljust(129, b"\0"),
            date=float((changes.day - EPOCH).days),
            player1_utf16=utf16_field(first, 129),
            player2_utf16=utf16_field(second, 129),
            event_utf16=utf16_field(changes.event, 129),
        )

    def _rolled(self, blob: bytearray, record: int, roll: Dice) -> None:
        """Write a roll into its record, and into that of the cube before it, which has it as text."""
        start = record * at.RECORD_SIZE
        old = struct.unpack_from("<2i", blob, start + at.MOVE_LAYOUT["dice"][1])
        at.put(blob, at.MOVE_LAYOUT, start, dice=roll, dice_given=roll)
        before = start - at.RECORD_SIZE
        place = before + at.CUBE_LAYOUT["dice"][1]
        if (
            blob[before + at.TYPE_OFFSET] == at.CUBE
            and blob[place : place + 3] == b"\x02%d%d" % old
        ):
            blob[place + 1 : place + 3] = b"%d%d" % roll


_EQUITIES: Final = at.MOVE_LAYOUT["evaluations"][1] + 4 * 6


def _view(blob: bytes | bytearray, form: str, offset: int) -> npt.NDArray[Any]:
    """A field of all records, in place."""
    return np.ndarray((len(blob) // at.RECORD_SIZE,), form, blob, offset, (at.RECORD_SIZE,))


TOKEN: Final = re.compile(
    rb";(?P<color>[WB])\[(?P<roll>[1-6]{2})(?=[a-z\]])"
    rb"|\[[a-z]{0,8} E ver 3(?: \d\.\d{6}){5} (?P<equity>-?\d+\.\d{6})(?= )"
    rb"|LU\[(?P<luck>-?\d+\.\d{5})(?=\])"
    rb"|(?P<white>PW\[[^]\\]*\])|(?P<black>PB\[[^]\\]*\])|(?P<day>DT\[[^]\\]*\](?:EV\[[^]\\]*\])?)"
)
"""What varies in an SGF file of gnuBG's: rolls, equities of candidates, luck, and the names and dates of every game."""
FORMS: Final = {"equity": b"%.6f", "luck": b"%.5f"}


class SgfBase(Base):
    """The text of an SGF file as a format for `%`, and what is filled in, in order."""

    suffix = ".sgf"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.filled: list[Any] = []
        self.places: dict[str, list[int]] = {
            name: [] for name in ("roll", "equity", "luck", "white", "black", "day")
        }
        """Of what is filled in, by what it is."""
        seats: list[bool] = []
        best: list[float] = []
        pieces, end, black = [], 0, False
        for found in TOKEN.finditer(self.content):
            kind = str(found.lastgroup)
            start, stop = found.span(kind)
            pieces += [self.content[end:start].replace(b"%", b"%%"), FORMS.get(kind, b"%b")]
            self.filled.append(float(found[kind]) if kind in FORMS else found[kind])
            if kind == "roll":
                black, first = found["color"] == b"B", True
            elif kind == "equity":
                best.append(self.filled[-1] if first else best[-1])
                seats.append(black)
                first = False
            self.places[kind].append(len(self.filled) - 1)
            end = stop
        self.form = b"".join([*pieces, self.content[end:].replace(b"%", b"%%")])
        self.seats, self.best = np.array(seats, np.intp), np.array(best)
        self.behind = self.best - np.array([self.filled[place] for place in self.places["equity"]])
        rolls = [sorted(map(int, self.filled[place].decode())) for place in self.places["roll"]]
        played = np.flatnonzero(self.match.plays.validity != Validity.UNPLAYED.value)
        # What looks like a roll inside a comment would be found here.
        if rolls != np.sort(self.match.plays.dice[played], axis=1).tolist():
            raise ValueError(
                f"{path}: expected its {len(played)} rolls in their order, found {len(rolls)}"
            )
        self.place_of_roll = dict(zip(played.tolist(), self.places["roll"], strict=True))
        """By row of `Match.plays`."""

    def varied(self, changes: Changes) -> bytes:
        filled = self.filled.copy()
        for row, roll in changes.dice.items():
            filled[self.place_of_roll[row]] = b"%d%d" % roll
        factor = np.array([player.skill for player in changes.players])[self.seats]
        for place, equity in zip(
            self.places["equity"], (self.best - factor * self.behind).tolist(), strict=True
        ):
            filled[place] = equity
        for place in self.places["luck"]:
            filled[place] *= changes.luck
        white, black = (player.name.encode() for player in changes.players)
        texts = {"white": b"PW[%b]" % white, "black": b"PB[%b]" % black}
        texts["day"] = b"DT[%b]EV[%b]" % (changes.day.isoformat().encode(), changes.event.encode())
        for kind, text in texts.items():
            for place in self.places[kind]:
                filled[place] = text
        return self.form % tuple(filled)
