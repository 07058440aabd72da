"""The same match in two files: which player is which, which decision is which, and where the
transcripts part.

Players are matched by name, never by seat: names are folded (case, accents, underscores, spaces),
then a unique prefix is enough, since exporters cut names, then the dice decide. Decisions are
matched by game, turn, player and kind, confirmed by dice and position; after a difference the
pairing resumes where the rolls agree again.

To show files to others, names are taken out before anything is computed, so that no output has to
think of it. Rolls, plays and scores stay: who has the match at hand will recognise it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from reconcile.document import Row
from reconcile.errors import NotTheSameMatch, UnknownName, expect
from reconcile.match.columns import Ints, Validity
from reconcile.match.match import Match
from reconcile.match.names import fold, names_with
from reconcile.match.turns import Turns, turn_text, turns_of
from reconcile.match.values import Value
from reconcile.scoring.findings import SYNTHETIC
from reconcile.wording import plural

SAME_MATCH = 0.5
"""Share of the shorter transcript's rolls that must agree."""
SHORTEST_PREFIX = 3


MatchedBy = Literal["name", "prefix", "transcript"]
"""How players were matched."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairing(Value):
    """How two files of one match correspond."""

    seats: tuple[int, int]
    """Seat in the right file of the left file's seats 0 and 1."""
    matched_by: MatchedBy
    plays: tuple[Ints, Ints]
    """Rows of `plays` that are the same decision, left and right."""
    cubes: tuple[Ints, Ints]
    """Rows of `cubes` that are the same decision, left and right."""
    differences: tuple[Row, ...]
    """Where the transcripts differ; `TranscriptDifference` of the results has the keys of a row."""

    def __repr__(self) -> str:
        plays, cubes = len(self.plays[0]), len(self.cubes[0])
        differences = plural(len(self.differences), "difference")
        by = f"<Pairing by {self.matched_by}"
        return f"{by}: {plays} plays, {cubes} cube decisions, {differences}>"


def seat_of(match: Match, player: str) -> int:
    """The seat of a player by name, or by a part of it that only one player has, folded.

    Raises `UnknownName`, `InvalidArgument`.
    """
    expect("player", player, str, "the name of a player")
    names = names_with(player, match.names)
    if len(names) == 1:
        return match.names.index(names[0])
    number = "more than one" if names else "no"
    here = " and ".join(map(repr, match.names))
    raise UnknownName(f"{number} player {player!r}; there are {here}", match.source.path)


def called(match: Match, names: tuple[str, str], seats: tuple[int, int] = (0, 1)) -> Match:
    """The match with these names of its players: `names` by the seats of a file, `seats` where
    this one has its players."""
    players = names[seats.index(0)], names[seats.index(1)]
    return match if match.players == players else replace(match, players=players)


REMEDY = "give two analyses of one match"


def pair(left: Match, right: Match, aliases: Sequence[Sequence[str]] = ()) -> Pairing:
    """Match players and decisions of two files. Raises `NotTheSameMatch` with the reason."""
    if left is right:  # in a damaged file two decisions can have one place
        rows = np.arange(len(left.plays)), np.arange(len(left.cubes))
        return Pairing((0, 1), "name", (rows[0], rows[0]), (rows[1], rows[1]), ())
    if left.length != right.length:
        raise _unlike(left, right, "not the same match", REMEDY)
    by_name = seats_by_name(left.players, right.players, aliases)
    orders = [by_name[0]] if by_name else [(0, 1), (1, 0)]
    if by_name and by_name[1] == "prefix":
        orders.append(orders[0][::-1])  # a prefix can mislead, the dice decide
    rolls, exchanged = _rolls(left, (0, 1)), not comes_first(left, right)

    def share_of(seats: tuple[int, int]) -> tuple[float, tuple[Ints, Ints]]:
        return _align(rolls, _rolls(right, seats), exchanged=exchanged)

    (share, plays), seats = max(
        ((share_of(seats), seats) for seats in orders), key=lambda aligned: aligned[0][0]
    )
    if share < SAME_MATCH:
        if by_name and share_of(seats[::-1])[0] >= SAME_MATCH:
            same = "the same dice, thrown by the other player"
            why = f"the players' names seem exchanged in one file: {same}"
            raise _unlike(left, right, why, "correct the names")
        why = f"not the same match: only {share:.0%} of the rolls agree"
        raise _unlike(left, right, why, REMEDY)
    plays = _with_unplayed(left, right, seats, plays)
    return Pairing(
        seats=seats,
        matched_by=by_name[1] if by_name and seats == by_name[0] else "transcript",
        plays=plays,
        cubes=_pair_cubes(left, right, seats, plays),
        differences=_differences(left, right, seats),
    )


def _unlike(left: Match, right: Match, why: str, remedy: str) -> NotTheSameMatch:
    contents = []
    for match in (left, right):
        length = "money session" if match.length is None else plural(match.length, "point")
        names, games = " - ".join(match.names), plural(len(match.games), "game")
        contents.append((match.source.path, f"{names}, {length}, {games}"))
    return NotTheSameMatch(why, contents, remedy)


def comes_first(left: Match, right: Match) -> bool:
    """Whether the left file is the first of the two in an order that does not depend on which of
    them is on the left."""
    here, there = left.source, right.source
    return (here.sha256, here.path) <= (there.sha256, there.path)


def seats_by_name(
    left: tuple[str, str], right: tuple[str, str], aliases: Sequence[Sequence[str]] = ()
) -> tuple[tuple[int, int], MatchedBy] | None:
    """Where the names of `left` are in `right`, and how they were matched (`name` or `prefix`);
    `None` if the names do not say."""
    groups = {fold(name): index for index, group in enumerate(aliases) for name in group}
    here, there = ([groups.get(fold(name), fold(name)) for name in side] for side in (left, right))
    if len(set(here)) == 2 and set(here) == set(there):
        return (there.index(here[0]), there.index(here[1])), "name"

    straight, crossed = (all(map(begin_alike, here, order)) for order in (there, there[::-1]))
    if straight != crossed:
        return ((0, 1) if straight else (1, 0)), "prefix"
    return None


def begin_alike(name: str | int, other: str | int) -> bool:
    """Whether a folded name is the beginning of another one; the number of a person that has
    several names is that person alone."""
    if not (isinstance(name, str) and isinstance(other, str)):
        return name == other
    shorter, longer = sorted((name, other), key=len)
    return len(shorter) >= SHORTEST_PREFIX and longer.startswith(shorter)


Rolls = dict[int, tuple[list[Hashable], list[int]]]
"""By game number: a token per roll, and its row."""


def _rolls(match: Match, seats: tuple[int, int], *, played: bool = True) -> Rolls:
    """Rolls of every game that were played, or were not, with the player as seat of the left
    file."""
    plays = match.plays
    dice = np.sort(plays.dice, axis=1).tolist()
    rolls: Rolls = defaultdict(lambda: ([], []))
    for row in np.flatnonzero((plays.validity != Validity.UNPLAYED) == played).tolist():
        tokens, rows = rolls[int(match.games.number[plays.game[row]])]
        tokens.append((seats[plays.player[row]], *dice[row]))
        rows.append(row)
    return rolls


def _align(left: Rolls, right: Rolls, *, exchanged: bool) -> tuple[float, tuple[Ints, Ints]]:
    """The share of the shorter transcript's rolls that correspond, and their rows; without a roll
    played on either side, all agree.

    Several alignments may be as long as each other. The one taken depends on the file that is
    searched first: if `exchanged`, the right one.
    """
    pairs: list[tuple[int, int]] = []
    for number in left.keys() & right.keys():
        (tokens, rows), (other_tokens, other_rows) = left[number], right[number]
        if tokens == other_tokens:
            pairs.extend(zip(rows, other_rows, strict=True))
            continue
        from difflib import SequenceMatcher

        searched = (other_tokens, tokens) if exchanged else (tokens, other_tokens)
        for *starts, size in SequenceMatcher(None, *searched, autojunk=False).get_matching_blocks():
            i, j = reversed(starts) if exchanged else starts
            pairs.extend(zip(rows[i : i + size], other_rows[j : j + size], strict=True))
    played = [sum(len(rows) for _, rows in side.values()) for side in (left, right)]
    share = len(pairs) / min(played) if min(played) else float(played[0] == played[1])
    return share, _columns(pairs)


def _columns(pairs: Iterable[tuple[int, int]]) -> tuple[Ints, Ints]:
    """Pairs of rows in order, as two columns."""
    rows = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def _with_unplayed(
    left: Match, right: Match, seats: tuple[int, int], plays: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    """The pairs, and those of the last rolls that nobody played where both files have them."""
    here, there = (
        {
            (number, token): row
            for number, game in _rolls(match, order, played=False).items()
            for token, row in zip(*game, strict=True)
        }
        for match, order in ((left, (0, 1)), (right, seats))
    )
    pairs = [(row, there[roll]) for roll, row in here.items() if roll in there]
    return _columns([*zip(*(rows.tolist() for rows in plays), strict=True), *pairs])


def _pair_cubes(
    left: Match, right: Match, seats: tuple[int, int], plays: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    turns = _turns(left, right, plays)
    index = {key: row for row, key in enumerate(_cube_keys(right, (0, 1)))}
    pairs = []
    for row, (turn, decision) in enumerate(_cube_keys(left, seats)):
        partner = index.get((turns.get(turn, (-1, -1)), decision))
        if partner is not None:
            pairs.append((row, partner))
    return _columns(pairs)


Turn = tuple[int, int]
"""Index of the game, and number of the turn."""


def _turns(left: Match, right: Match, plays: tuple[Ints, Ints]) -> dict[Turn, Turn]:
    """The turns that are the same: those of the rolls; and those without a roll, as the first one
    or after a pass."""
    here, there = (
        list(zip(table.game[rows].tolist(), table.turn[rows].tolist(), strict=True))
        for table, rows in zip((left.plays, right.plays), plays, strict=True)
    )
    rolled, occupied = dict(zip(here, there, strict=True)), set(there)
    indices = {number: index for index, number in enumerate(right.games.number.tolist())}
    turns = {
        (index, 1): (indices[number], 1)
        for index, number in enumerate(left.games.number.tolist())
        if number in indices
    }
    turns |= {
        (game, turn + 1): (other, number + 1) for (game, turn), (other, number) in rolled.items()
    }
    return {turn: other for turn, other in turns.items() if other not in occupied} | rolled


def _cube_keys(match: Match, seats: tuple[int, int]) -> Iterator[tuple[Turn, Hashable]]:
    cubes = match.cubes
    names = "game", "turn", "player", "kind", "answers_beaver"
    columns = (getattr(cubes, name).tolist() for name in names)
    for game, turn, player, kind, answer in zip(*columns, strict=True):
        yield (game, turn), (seats[player], kind, answer)


def _differences(left: Match, right: Match, seats: tuple[int, int]) -> tuple[Row, ...]:
    """Places where rolls, plays or cube actions differ, in order."""
    here, there = turns_of(left), turns_of(right, seats)
    theirs = left.names[seats[0]], left.names[seats[1]]
    differences = []
    places = (place for place in here.keys() | there.keys() if here.get(place) != there.get(place))
    for game, turn in sorted(places):
        holding = [side for side in (here, there) if (game, 0) in side]
        if not turn:
            texts = _game_text(here, game), _game_text(there, game)
        elif len(holding) == 2:
            texts = turn_text(left, game, turn, left.names), turn_text(right, game, turn, theirs)
            holding = [side for side in holding if (game, turn) in side]
        else:
            continue
        kind = "only left" if (game, turn) in here else "only right"
        if len(holding) == 2:
            kind = "differs"
        kind = "game " * (not turn) + kind
        row = {"game": game, "turn": turn, "what": kind, "left": texts[0], "right": texts[1]}
        differences.append(row)
    return tuple(differences)


def _game_text(transcript: Turns, game: int) -> str:
    turns = sum(game == number for number, _ in transcript)
    return f"{turns - 1} turns" if turns else "no such game"


PLAYERS = ("Player 1", "Player 2")
"""The names of the left file's seats."""


def anonymised(*matches: Match, aliases: Sequence[Sequence[str]] = ()) -> list[Match]:
    """Files of a match with their players renamed by the first file's seats, without event, date,
    file names and SHA-256.

    Players are matched first, while they have names. Raises `NotTheSameMatch`.
    """
    sides = ["left", "right"]
    if len(matches) != 2:
        sides = [f"analysis {number}" for number in range(1, len(matches) + 1)]
    seats = [pair(matches[0], match, aliases).seats for match in matches]
    return list(map(_nameless, matches, seats, sides))


def _nameless(match: Match, seats: tuple[int, int], side: str) -> Match:
    """The match under other names; a synthetic one still says so."""
    players = called(match, PLAYERS, seats).players
    hidden = dict(zip((*match.players, match.source.path), (*players, side), strict=True))
    # All names at once, so that none is looked for in what stands for another; of two, the longer.
    names = sorted(filter(None, hidden), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, names)) or r"(?!)")

    def without_names(text: str) -> str:
        return pattern.sub(lambda name: hidden[name[0]], text)

    notes = (replace(note, evidence=without_names(note.evidence)) for note in match.notes)
    path = f"{side}.{match.source.format}"
    return replace(
        match,
        source=replace(match.source, path=path, transcript="", content=b"", digest=""),
        players=players,
        event=SYNTHETIC if match.event.startswith(SYNTHETIC) else "",
        date=None,
        round="",
        place="",
        comment="",
        comments={},
        ratings=(None, None),
        notes=tuple(notes),
    )


def content_key(match: Match) -> tuple[str, str]:
    """What a copy of a file has in common with it: its bytes, and which match of them it is."""
    return match.source.sha256, match.source.path.partition("#")[2]


def given_twice(matches: Sequence[Match], names: Sequence[str]) -> str:
    """That files are one file, byte for byte, where two are; a match of a database is another file
    for every number."""
    first: dict[tuple[str, str], str] = {}
    for match, name in zip(matches, names, strict=True):
        key = content_key(match)
        if key in first:
            return (
                f"{first[key]} and {name} are one file, byte for byte, so nothing between them can "
                "differ; give another analysis"
            )
        first[key] = name
    return ""
