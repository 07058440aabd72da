"""What the matches of an archive are recognised by: what was played by whom.

Two files are of one match if length, rolls, plays and cube actions are the same, and the players
are, whatever case and accents their names have. Many abandoned matches have the same few rolls
and plays; from `LONG` rolls on no two are so alike, so there names may differ, as tools cut and
spell them. *Near twins* are long transcripts of the same players of which one is the beginning
of the other, a partial save, or that differ by a single roll or in plays alone, as after a slip
in writing them down. `assembly.sql` finds them.

Who is who in an archive: the person on every seat, under one name for all spellings.

Names are compared folded (case, accents, underscores, blanks) and by the user's aliases. A name
that a tool cut is joined to the full one where a transcript proves it: two files of one
transcript, the same player, one name beginning with the other. A beginning that is proved for
two different persons is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from hashlib import sha256
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.names import Aliases, fold
from reconcile.scoring.pool import best_spelling

if TYPE_CHECKING:
    import duckdb


LONG = 12
"""Rolls: fewer than one in a thousand billion pairs of games begin with the same ones."""
FIRST_LETTER = ord("0")
GAMES = "|"


class Identity(NamedTuple):
    """What a match is recognised by."""

    match_id: str
    """Digest of the transcript and of the players' folded names; empty without a roll."""
    transcript: str
    """Digest of length, rolls, plays and cube actions; the same whichever player is on seat 0."""
    rolls: str
    """A character a roll, a stroke between games."""
    alike: list[int]
    """Five numbers, 0 for none: the match and, of a long one, its transcript, of which the same
    match has one; and three pieces of its rolls with length and players. Whatever is wrong in one
    place, a near twin has one of the three."""


def identity(match: Match) -> Identity:
    """What this match is recognised by. Rolls that were not played are left out, since not every
    format keeps them."""
    plays, cubes, games = match.plays, match.cubes, match.games
    played = plays.validity != Validity.UNPLAYED.value
    if not played.any():
        return Identity("", "", "", [0] * 5)
    first = int(plays.player[played][0])
    low, high = np.sort(plays.dice[played], axis=1).T.astype(np.int64)
    side = plays.player[played] != first
    turned = cubes.kind >= Kind.DOUBLE.value
    actions = (
        games.number[cubes.game[turned]],
        cubes.turn[turned],
        cubes.player[turned] != first,
        cubes.kind[turned],
    )
    parts = (
        np.array([match.length or 0]),
        np.stack((games.number[plays.game[played]], side, low, high), axis=1),
        plays.position[played],
        np.stack(actions, axis=1),
    )
    transcript = sha256(
        b"".join(np.int32(len(part)).tobytes() + part.astype("<i4").tobytes() for part in parts)
    ).hexdigest()
    codes = FIRST_LETTER + (low - 1) * 12 + (high - 1) * 2 + side
    letters = codes.astype(np.uint8).tobytes().decode("latin-1")
    ends = np.flatnonzero(np.diff(plays.game[played])) + 1
    starts = pairwise((0, *ends.tolist(), len(letters)))
    rolls = GAMES.join(letters[start:end] for start, end in starts)
    names = [fold(match.names[seat]) for seat in (first, 1 - first)]
    match_id = sha256("\n".join((transcript, *names)).encode()).hexdigest()
    alike = [number_of(match_id), 0, 0, 0, 0]
    if len(letters) >= LONG:
        pieces = rolls[:LONG], rolls[LONG : 2 * LONG], rolls[-LONG:]
        who = f"{match.length} {sorted(names)}"
        near = (f"{place} {piece} {who}" for place, piece in enumerate(pieces))
        alike = [alike[0], *map(number_of, (transcript, *near))]
    return Identity(match_id, transcript, rolls, alike)


def number_of(text: str) -> int:
    """A whole number from 0 to 2**63 that no other text is expected to have."""
    return int.from_bytes(sha256(text.encode()).digest()[:8]) >> 1


SIDES = """
create temp table if not exists sides as
with several as (
    select match, same_as from matches where duplicate_of is null and rolls <> ''
    qualify count(*) over (partition by same_as) > 1
), first as (
    select match, arg_min(seat, game * 4 + turn) as seat
    from decisions semi join several using (match) where turn <= 2 and kind = 'play' group by match
)
select match, same_as, s.seat::tinyint as seat, (s.seat <> first.seat)::tinyint as side
from first join several using (match), (values (0), (1)) s(seat)
"""
"""Of analyses of one transcript, the side of each seat by who rolled first: tools seat the players
differently."""
CUT_NAMES = """
select distinct a.name, b.name
from sides s join sides t on s.same_as = t.same_as and s.side = t.side and s.match < t.match
join players a on a.match = s.match and a.seat = s.seat
join players b on b.match = t.match and b.seat = t.seat
where a.name <> b.name
"""
NAMED = """
create temp table named as select match, seat::tinyint as seat, name, person from spellings join (
    select match, unnest([0, 1]) as seat, unnest([player0, player1]) as name from matches
) using (name)
"""
SHARED_NAMES = """
select match, seat, name, coalesce(event, ''), file, day from (
    select *, min(date) over (partition by same_as) as day, unnest([0, 1]) as seat,
        unnest([player0, player1]) as name from matches)
where list_contains(?, name)
"""


def name_persons(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> None:
    """Create `named`, the name and the person on every seat of a match, where namesakes are those
    that the file of aliases separates."""
    database.execute(SIDES)
    used = dict(
        database.execute("select name, count(distinct match) from players group by name").fetchall()
    )
    variants = {fold(name): group[0] for group in aliases.groups for name in group}
    folded = {name: fold(variants.get(fold(name), name)) for name in sorted(used)}
    longer: dict[str, set[str]] = defaultdict(set)
    for pair in database.execute(CUT_NAMES).fetchall():
        short, long = sorted((folded[name] for name in pair), key=len)
        if len(short) >= SHORTEST_PREFIX and short not in variants and long.startswith(short):
            longer[short] |= {long} - {short}
    groups: dict[str, list[str]] = defaultdict(list)
    for name, key in folded.items():
        groups[_full_name(key, longer)].append(name)
    persons = {
        name: variants.get(key) or best_spelling(names, used)
        for key, names in groups.items()
        for name in names
    }
    database.execute("create temp table spellings (name varchar, person varchar)")
    columns = [[*persons], [*persons.values()]]
    named = "insert into spellings select unnest(?::varchar[]), unnest(?::varchar[])"
    database.execute(named, columns)
    database.execute(NAMED)
    shared = [name for name in persons if aliases.shared(name)]
    for match, seat, name, *where in database.execute(SHARED_NAMES, [shared]).fetchall():
        if (person := aliases.person(name, *where)) != aliases.chosen(name):
            database.execute(
                "update named set person = ? where match = ? and seat = ?", [person, match, seat]
            )


def _full_name(name: str, longer: Mapping[str, set[str]]) -> str:
    """The full name of one that was cut; the name itself if two persons share it as a beginning."""
    longest = max(longer.get(name, ()), key=lambda full: (len(full), full), default="")
    if not longest or not all(longest.startswith(full) for full in longer[name]):
        return name
    return _full_name(longest, longer)  # which may be cut in another transcript; names only grow
