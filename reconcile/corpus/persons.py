"""Who is who in an archive: the person on every seat, under one name for all spellings.

Names are compared folded (case, accents, underscores, blanks) and by the user's aliases. A name
that a tool cut is joined to the full one where a transcript proves it: two files of one
transcript, the same player, one name beginning with the other. A beginning that is proved for
two different persons is left alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.match.aliases import Aliases
from reconcile.match.names import fold
from reconcile.scoring.pool import best_spelling

if TYPE_CHECKING:
    import duckdb

SIDES: Final = """
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
CUT_NAMES: Final = """
select distinct a.name, b.name
from sides s join sides t on s.same_as = t.same_as and s.side = t.side and s.match < t.match
join players a on a.match = s.match and a.seat = s.seat
join players b on b.match = t.match and b.seat = t.seat
where a.name <> b.name
"""
NAMED: Final = """
create temp table named as select match, seat::tinyint as seat, name, person from spellings join (
    select match, unnest([0, 1]) as seat, unnest([player0, player1]) as name from matches
) using (name)
"""
SHARED_NAMES: Final = """
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
