"""The same match in two files: which player is which, which decision is which, and where the transcripts part.

Players are matched by name, never by seat: names are folded (case, accents, underscores, spaces), then a unique prefix is
enough, since exporters cut names, then the dice decide. Decisions are matched by game, turn, player and kind, confirmed by
dice and position; after a difference the pairing resumes where the rolls agree again.

To show files to others, names are taken out before anything is computed, so that no output has to think of it. Rolls, plays and scores
stay: who has the match at hand will recognise it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from reconcile.document import Count, Document
from reconcile.errors import NotTheSameMatch, UnknownName, expect
from reconcile.files.names import fold, names_with
from reconcile.files.wording import plural
from reconcile.match.columns import Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.values import Value
from reconcile.scoring.findings import SYNTHETIC

SAME_MATCH: Final = 0.5
"""Share of the shorter transcript's rolls that must agree."""
SHORTEST_PREFIX: Final = 3


MatchedBy = Literal["name", "prefix", "transcript"]
"""How players were matched."""


@dataclass(frozen=True, slots=True)
class TranscriptDifference(Document):
    """One place where the transcripts differ."""

    game: Count
    """Number of the game in the left file."""
    turn: Count
    """Number of the turn; 0 for a whole game."""
    what: str
    """What differs."""
    left: str
    """What the left file has."""
    right: str
    """What the right file has."""


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
    differences: tuple[TranscriptDifference, ...]

    def __repr__(self) -> str:
        plays, cubes = len(self.plays[0]), len(self.cubes[0])
        return f"<Pairing by {self.matched_by}: {plays} plays, {cubes} cube decisions, {plural(len(self.differences), 'difference')}>"


def seat_of(match: Match, player: str) -> int:
    """The seat of a player by name, or by a part of it that only one player has, folded. Raises `UnknownName`, `InvalidArgument`."""
    expect("player", player, str, "the name of a player")
    names = names_with(player, match.names)
    if len(names) == 1:
        return match.names.index(names[0])
    raise UnknownName(
        f"{'more than one' if names else 'no'} player {player!r}; there are {match.names[0]!r} and {match.names[1]!r}",
        match.source.path,
    )


def called(match: Match, names: tuple[str, str], seats: tuple[int, int] = (0, 1)) -> Match:
    """The match with these names of its players: `names` by the seats of a file, `seats` where this one has its players."""
    players = names[seats.index(0)], names[seats.index(1)]
    return match if match.players == players else replace(match, players=players)


OTHERS: Final = "give two analyses of one match"


def pair(left: Match, right: Match, aliases: Sequence[Sequence[str]] = ()) -> Pairing:
    """Match players and decisions of two files. Raises `NotTheSameMatch` with the reason."""
    if left is right:  # in a damaged file two decisions can have one place
        rows = np.arange(len(left.plays)), np.arange(len(left.cubes))
        return Pairing((0, 1), "name", (rows[0], rows[0]), (rows[1], rows[1]), ())
    if left.length != right.length:
        raise _unlike(left, right, "not the same match", OTHERS)
    by_name = seats_by_name(left.players, right.players, aliases)
    orders = [by_name[0]] if by_name else [(0, 1), (1, 0)]
    rolls = _rolls(left, (0, 1))
    if by_name and by_name[1] == "prefix":
        orders.append((orders[0][1], orders[0][0]))  # a prefix can mislead, the dice decide
    exchanged = not comes_first(left, right)
    aligned = [
        (_align(rolls, _rolls(right, _inverse(seats)), exchanged=exchanged), seats)
        for seats in orders
    ]
    (plays, share), seats = max(aligned, key=lambda found: found[0][1])
    if share < SAME_MATCH:
        if (
            by_name
            and _align(rolls, _rolls(right, _inverse((seats[1], seats[0]))))[1] >= SAME_MATCH
        ):
            why = "the players' names seem exchanged in one file: the same dice, thrown by the other player"
            raise _unlike(left, right, why, "correct the names")
        raise _unlike(
            left, right, f"not the same match: only {share:.0%} of the rolls agree", OTHERS
        )
    plays = _with_unplayed(left, right, seats, plays)
    cubes = _pair_cubes(left, right, seats, plays)
    return Pairing(
        seats=seats,
        matched_by=by_name[1] if by_name and seats == by_name[0] else "transcript",
        plays=plays,
        cubes=cubes,
        differences=_differences(left, right, seats, plays),
    )


def _unlike(left: Match, right: Match, why: str, remedy: str = "") -> NotTheSameMatch:
    return NotTheSameMatch(why, [_held(left), _held(right)], remedy)


def comes_first(left: Match, right: Match) -> bool:
    """Whether the left file is the first of the two in an order that does not depend on which of them is on the left."""
    here, there = left.source, right.source
    return (here.sha256, here.path) <= (there.sha256, there.path)


def _held(match: Match) -> tuple[str, str]:
    """A file, and what it holds in words."""
    length = "money session" if match.length is None else plural(match.length, "point")
    return (
        match.source.path,
        f"{match.names[0]} - {match.names[1]}, {length}, {plural(len(match.games), 'game')}",
    )


def _inverse(seats: tuple[int, int]) -> tuple[int, int]:
    return (seats.index(0), seats.index(1))


def seats_by_name(
    left: tuple[str, str], right: tuple[str, str], aliases: Sequence[Sequence[str]] = ()
) -> tuple[tuple[int, int], MatchedBy] | None:
    """Where the names of `left` are in `right`, and how they were matched (`name` or `prefix`); `None` if the names do not say."""
    known = {fold(name): index for index, group in enumerate(aliases) for name in group}
    one, two = ([known.get(fold(name), fold(name)) for name in names] for names in (left, right))
    if len(set(one)) == 2 and set(one) == set(two):
        return (two.index(one[0]), two.index(one[1])), "name"

    def starts(a: object, b: object) -> bool:
        if not (isinstance(a, str) and isinstance(b, str)):
            return a == b
        shorter, longer = sorted((a, b), key=len)
        return len(shorter) >= SHORTEST_PREFIX and longer.startswith(shorter)

    straight = starts(one[0], two[0]) and starts(one[1], two[1])
    crossed = starts(one[0], two[1]) and starts(one[1], two[0])
    if straight != crossed:
        return ((0, 1) if straight else (1, 0)), "prefix"
    return None


Rolls = dict[int, tuple[list[Hashable], list[int]]]
"""By game number: a token per roll, and its row."""


def _rolls(match: Match, seats: tuple[int, int]) -> Rolls:
    """Rolls of every game, with the player as seat of the left file; rolls that were not played are left out."""
    plays = match.plays
    numbers = match.games.number[plays.game].tolist()
    dice = np.sort(plays.dice, axis=1).tolist()
    found: Rolls = defaultdict(lambda: ([], []))
    columns = zip(
        numbers,
        plays.player.tolist(),
        dice,
        (plays.validity != Validity.UNPLAYED).tolist(),
        strict=True,
    )
    for row, (number, player, (low, high), played) in enumerate(columns):
        if played:
            tokens, rows = found[number]
            tokens.append((seats[player], low, high))
            rows.append(row)
    return found


def _align(
    left: Rolls, right: Rolls, *, exchanged: bool = False
) -> tuple[tuple[Ints, Ints], float]:
    """Rows of rolls that correspond, and their share of the shorter transcript; without a roll played on either side, all agree.

    Several alignments may be as long as each other. The one taken depends on the file that is searched first: if `exchanged`, the right
    one.
    """
    pairs: list[tuple[int, int]] = []
    for number, (tokens, rows) in left.items():
        if number not in right:
            continue
        other_tokens, other_rows = right[number]
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
    ordered = np.array(sorted(pairs), np.int64).reshape(-1, 2)
    return (ordered[:, 0], ordered[:, 1]), share


def _with_unplayed(
    left: Match, right: Match, seats: tuple[int, int], plays: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    """The pairs, and those of the last rolls that nobody played where both files have them."""
    one, two = _unplayed(left, (0, 1)), _unplayed(right, _inverse(seats))
    pairs = [(row, two[roll]) for roll, row in one.items() if roll in two]
    if not pairs:
        return plays
    rows = np.array(
        sorted([*zip(*(rows.tolist() for rows in plays), strict=True), *pairs]), np.int64
    )
    return rows[:, 0], rows[:, 1]


def _unplayed(match: Match, seats: tuple[int, int]) -> dict[Hashable, int]:
    plays = match.plays
    rows = np.flatnonzero(plays.validity == Validity.UNPLAYED).tolist()
    return {
        (
            int(match.games.number[plays.game[row]]),
            seats[int(plays.player[row])],
            *sorted(plays.dice[row].tolist()),
        ): row
        for row in rows
    }


def _pair_cubes(
    left: Match, right: Match, seats: tuple[int, int], plays: tuple[Ints, Ints]
) -> tuple[Ints, Ints]:
    turns = _turns(left, right, plays)
    index = {key: row for row, key in enumerate(_cube_keys(right, (0, 1)))}
    pairs = []
    for row, (game, turn, seat, kind, order) in enumerate(_cube_keys(left, seats)):
        there = turns.get((game, turn), (-1, -1))
        partner = index.get((*there, seat, kind, order))
        if partner is not None:
            pairs.append((row, partner))
    rows = np.array(pairs, np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def _turns(
    left: Match, right: Match, plays: tuple[Ints, Ints]
) -> dict[tuple[int, int], tuple[int, int]]:
    """The turns (game, number) that are the same: those of the rolls; and those without a roll, as the first one or after a pass."""
    tables = zip((left.plays, right.plays), plays, strict=True)
    here, there = (
        list(zip(table.game[rows].tolist(), table.turn[rows].tolist(), strict=True))
        for table, rows in tables
    )
    rolled, taken = dict(zip(here, there, strict=True)), set(there)
    there_by_number = {number: index for index, number in enumerate(right.games.number.tolist())}
    numbers = enumerate(left.games.number.tolist())
    other = {
        (index, 1): (there_by_number[number], 1)
        for index, number in numbers
        if number in there_by_number
    }
    other |= {(one[0], one[1] + 1): (two[0], two[1] + 1) for one, two in rolled.items()}
    return {
        one: two for one, two in other.items() if one not in rolled and two not in taken
    } | rolled


def _cube_keys(match: Match, seats: tuple[int, int]) -> list[tuple[int, int, int, int, bool]]:
    cubes = match.cubes
    columns = (
        cubes.game.tolist(),
        cubes.turn.tolist(),
        cubes.player.tolist(),
        cubes.kind.tolist(),
        cubes.answers_beaver.tolist(),
    )
    return [
        (game, turn, seats[player], kind, answer)
        for game, turn, player, kind, answer in zip(*columns, strict=True)
    ]


def _differences(
    left: Match, right: Match, seats: tuple[int, int], plays: tuple[Ints, Ints]
) -> tuple[TranscriptDifference, ...]:
    """Places where rolls, plays or cube actions differ, in order."""
    if _told_alike(
        left, right, seats
    ):  # as most are, and what every turn is recognised by takes long to write
        return ()
    (one, here), (two, there) = (
        _transcript(left, left, (0, 1)),
        _transcript(right, left, _inverse(seats)),
    )
    if one == two:
        return ()
    from deepdiff import DeepDiff  # 0.3 s to import, and most pairs are equal

    changes = DeepDiff(one, two, view="tree", threshold_to_diff_deeper=0)
    found = []
    for kind, what in (
        ("values_changed", "differs"),
        ("dictionary_item_added", "only right"),
        ("dictionary_item_removed", "only left"),
    ):
        for change in changes.get(kind, ()):
            game, *turns = change.path(output_format="list")
            if turns:
                said = (words.get(game, {}).get(turns[0], "nothing") for words in (here, there))
                found.append(TranscriptDifference(game, turns[0], what, *said))
            else:
                found.append(
                    TranscriptDifference(
                        game,
                        0,
                        f"game {what}",
                        _game_text(one.get(game)),
                        _game_text(two.get(game)),
                    )
                )
    return tuple(sorted(found, key=lambda d: (d.game, d.turn, d.what)))


def _told_alike(left: Match, right: Match, seats: tuple[int, int]) -> bool:
    """Whether both have the same rolls, positions and cube actions in the same order, and plays that lead to the same positions."""
    from reconcile.match.board.play import apply_play

    found = []
    for match, names in ((left, (0, 1)), (right, _inverse(seats))):
        plays, cubes = match.plays, match.cubes
        rows, acted = (
            np.flatnonzero(plays.validity != Validity.UNPLAYED),
            cubes.kind != Kind.NO_DOUBLE,
        )
        seat, dice = np.array(names)[plays.player[rows]], np.sort(plays.dice[rows], axis=1)
        columns = (plays.game[rows], plays.turn[rows], seat, dice, plays.position[rows])
        found.append(
            (
                rows.tolist(),
                (
                    match.games.number,
                    *columns,
                    cubes.game[acted],
                    cubes.turn[acted],
                    cubes.kind[acted],
                ),
            )
        )
    (here, one), (there, two) = found
    if not all(map(np.array_equal, one, two)):
        return False
    written = [
        (row, left.plays.play[row], right.plays.play[other])
        for row, other in zip(here, there, strict=True)
    ]
    try:
        return all(
            mine == theirs
            or apply_play(position := left.plays.position[row].tolist(), mine)
            == apply_play(position, theirs)
            for row, mine, theirs in written
        )
    except ValueError:  # a play that its position does not allow
        return False


def _game_text(turns: Mapping[int, str] | None) -> str:
    return "no such game" if turns is None else f"{len(turns)} turns"


Turns = dict[int, dict[int, str]]
"""By game number and turn."""


def _transcript(match: Match, names: Match, seats: tuple[int, int]) -> tuple[Turns, Turns]:
    """What every turn of a match is recognised by, and the same in words; players under the names of the left file.

    A play is its dice and the position it leads to: one play can be written in several ways.
    """
    from reconcile.match.board.play import apply_play, format_play
    from reconcile.match.board.position import position_id

    plays, cubes, games = match.plays, match.cubes, match.games
    turns: dict[int, dict[int, list[tuple[str, str]]]] = {
        number: defaultdict(list) for number in games.number.tolist()
    }
    for row in np.flatnonzero(cubes.kind != Kind.NO_DOUBLE).tolist():
        label = Kind(int(cubes.kind[row])).label
        turns[int(games.number[cubes.game[row]])][int(cubes.turn[row])].append((label, label))
    for row in np.flatnonzero(plays.validity != Validity.UNPLAYED).tolist():
        player = names.names[seats[int(plays.player[row])]]
        low, high = sorted(plays.dice[row].tolist(), reverse=True)
        position = plays.position[row].tolist()
        try:
            reached = position_id(apply_play(position, plays.play[row]))
            made = f"{format_play(position, plays.play[row])} -> {reached}"
        except ValueError:
            reached = made = "a play that the position does not allow"
        roll = f"{player} {low}{high}: "
        turns[int(games.number[plays.game[row]])][int(plays.turn[row])].append(
            (roll + reached, roll + made)
        )

    def joined(which: int) -> Turns:
        return {
            number: {turn: ", ".join(one[which] for one in events) for turn, events in each.items()}
            for number, each in turns.items()
        }

    return joined(0), joined(1)


PLAYERS: Final = ("Player 1", "Player 2")
"""The names of the left file's seats."""


def anonymised(*matches: Match, aliases: Sequence[Sequence[str]] = ()) -> list[Match]:
    """Files of a match with their players renamed by the first file's seats, without event, date, file names and SHA-256.

    Players are matched first, while they have names. Raises `NotTheSameMatch`.
    """
    seats = [pair(matches[0], match, aliases).seats for match in matches]
    sides = (
        ["left", "right"]
        if len(matches) == 2
        else [f"analysis {number}" for number in range(1, len(matches) + 1)]
    )
    renamed = [(PLAYERS[one.index(0)], PLAYERS[one.index(1)]) for one in seats]
    return [_nameless(*one) for one in zip(matches, renamed, sides, strict=True)]


def _nameless(match: Match, players: tuple[str, str], side: str) -> Match:
    """The match under other names; a synthetic one still says so."""
    hidden = tuple(zip((*match.players, match.source.path), (*players, side), strict=True))
    return replace(
        match,
        source=replace(
            match.source,
            path=f"{side}.{match.source.format}",
            transcript="",
            content=b"",
            digest="",
        ),
        players=players,
        event=SYNTHETIC if match.event.startswith(SYNTHETIC) else "",
        date=None,
        round="",
        place="",
        comment="",
        comments={},
        ratings=(None, None),
        notes=tuple(
            replace(note, evidence=_without(note.evidence, hidden)) for note in match.notes
        ),
    )


def _without(text: str, hidden: Iterable[tuple[str, str]]) -> str:
    """All names at once, so that none is looked for in what stands for another; of two, the longer."""
    stand_ins = dict(hidden)
    names = sorted(filter(None, stand_ins), key=len, reverse=True)
    return (
        re.sub("|".join(map(re.escape, names)), lambda found: stand_ins[found[0]], text)
        if names
        else text
    )
