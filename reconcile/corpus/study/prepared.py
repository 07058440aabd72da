"""What every part of a study asks with: who is who, which of several analyses of a match is pooled,
and the 95 % interval of a rate.

Names are compared folded (case, accents, underscores, blanks) and by the user's aliases. A name
that a tool cut is joined to the whole one where a transcript proves it: two files of one
transcript, the same player, one name beginning with the other. A beginning that is proved for
two different persons is left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reconcile.corpus.tables import own_rules
from reconcile.files.aliases import Aliases
from reconcile.files.names import fold
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.rates import best_spelling

if TYPE_CHECKING:
    import duckdb


def _statements() -> Mapping[str, str]:
    _, *parts = re.split(
        r"^-- name: (\w+)\n",
        Path(__file__).with_name("statements.sql").read_text("utf-8"),
        flags=re.MULTILINE,
    )
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


SQL: Final = _statements()
"""What a study asks, by name."""
COMPARED: Final = tuple(ANALYSERS.values())
"""Every two of these, in this order, are compared on transcripts that both analysed; the first
of them is pooled."""


def rows(
    database: duckdb.DuckDBPyConnection, question: str, *values: object
) -> list[tuple[Any, ...]]:
    """The rows of an answer."""
    return database.execute(question, list(values)).fetchall()


def prepare(
    database: duckdb.DuckDBPyConnection, aliases: Aliases, rules: Sequence[str]
) -> dict[str, tuple[str, ...]]:
    """Create what every part of a study reads, and return every person with the other spellings of
    the name.

    `sides` has for every analysis of a transcript with several the player's seat by who rolled
    first (`side`); `named` the person on every seat of a match; `analysed` the figures with some
    analysis; `whole` the analyses with figures of both players; `once` one of these of every
    match that was played and has one, with tool and depth: of the whole match, of XG's, gnuBG's
    and BGBlitz's the first, and the deepest, and the rule set that rates it; `pooled` its
    figures, and `rated` those under that rule set.
    """
    for macro in ("moments", "class_of", "depth_of"):
        database.execute(SQL[macro])
    database.execute(SQL["held_players"])
    spellings = identify(database, aliases)
    database.execute(SQL["analysed"])
    database.execute(SQL["whole"])
    # A file may have the day of its analysis, which is never before that of the match: the first
    # day stated is taken.
    database.execute(
        SQL["once"].format(own=own_rules("tool", rules)), [[tool.name for tool in COMPARED]]
    )
    database.execute(SQL["pooled"])
    return spellings


def identify(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> dict[str, tuple[str, ...]]:
    """Create `sides` and `named` as `prepare` describes them, and return every person with the
    other spellings of the name."""
    # Tools seat the players differently, and the rolls of a transcript begin with the same player.
    database.execute(SQL["sides"])
    return _persons(database, aliases)


def _persons(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> dict[str, tuple[str, ...]]:
    used = dict(
        rows(
            database, "select name, count(distinct match) from players group by name order by name"
        )
    )
    variants = {fold(name): group[0] for group in aliases.groups for name in group}
    keys = {name: fold(variants.get(fold(name), name)) for name in used}
    proofs = rows(database, SQL["cut_names"])
    complete = _complete_names(((keys[short], keys[long]) for short, long in proofs), variants)
    groups: dict[str, list[str]] = defaultdict(list)
    for name, key in keys.items():
        groups[complete.get(key, key)].append(name)
    chosen = {key: variants.get(key) or best_spelling(names, used) for key, names in groups.items()}
    database.execute("create temp table persons (name varchar, person varchar)")
    if used:
        named = [(name, chosen[key]) for key, names in groups.items() for name in names]
        database.execute(
            "insert into persons select unnest(?), unnest(?)",
            [list(column) for column in zip(*named, strict=True)],
        )
    database.execute(SQL["named"])
    _separate(database, aliases)
    return {
        chosen[key]: tuple(name for name in sorted(names) if name != chosen[key])
        for key, names in groups.items()
    }


def _separate(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> None:
    """Give namesakes the persons that the file of aliases separates."""
    shared = [
        name for (name,) in rows(database, "select name from persons") if aliases.shared(name)
    ]
    for match, seat, name, *where in rows(database, SQL["shared_names"], shared):
        if (person := aliases.person(name, *where)) != aliases.chosen(name):
            database.execute(
                "update named set person = ? where match = ? and seat = ?", [person, match, seat]
            )


def _complete_names(
    proofs: Iterable[tuple[str, str]], variants: Mapping[str, str]
) -> dict[str, str]:
    """For every folded name that was cut, the whole one; nothing for a name with an alias or
    that two persons share."""
    longer: dict[str, set[str]] = defaultdict(set)
    for pair in proofs:
        short, long = sorted(pair, key=len)
        if (
            short != long
            and len(short) >= SHORTEST_PREFIX
            and long.startswith(short)
            and short not in variants
        ):
            longer[short].add(long)
    complete = {}
    for short, candidates in longer.items():
        most = max(candidates, key=lambda name: (len(name), name))
        if all(most.startswith(name) for name in candidates):
            complete[short] = most
    # The whole name may be a cut one of another transcript itself; names only grow, so this ends.
    for short, long in complete.items():
        while long in complete:
            long = complete[long]
        complete[short] = long
    return complete
