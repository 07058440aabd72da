"""What every part of a study asks with: who is who, which of several analyses of a match is pooled, and the 95 % interval of a rate.

Names are compared folded (case, accents, underscores, blanks) and by the user's aliases. A name that a tool cut is joined to the whole
one where a transcript proves it: two files of one transcript, the same player, one name beginning with the other. A beginning that is
proved for two different persons is left alone.

A rate is a sum over a sum. The decisions of one match are not independent of each other, so its uncertainty comes from the spread
between matches: the variance of `lost - rate * number`, the linearised ratio estimator (Cochran, Sampling Techniques, section 6.3)."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reconcile.files.aliases import Aliases
from reconcile.files.names import fold
from reconcile.gap.pairing import SHORTEST_PREFIX
from reconcile.match.tools import ANALYSERS
from reconcile.scoring.figures import PR_FACTOR

if TYPE_CHECKING:
    import duckdb


def _statements() -> Mapping[str, str]:
    _, *parts = re.split(r"^-- name: (\w+)\n", Path(__file__).with_name("statements.sql").read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[::2], map(str.strip, parts[1::2]), strict=True))


SQL: Final = _statements()
"""What a study asks, by name."""
Moments = Mapping[str, float]
FEWEST_MATCHES: Final = 5
"""With fewer there is no interval."""
FEWEST_DECISIONS: Final = 20
"""Below that a PR can be anything, so there is none."""
NORMAL: Final = 1.959963984540054
"""Half the width of a 95 % interval in standard errors."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its 95 % interval."""

    value: float | None
    """`None` without anything to divide by, and for a PR of too few decisions."""
    low: float | None
    """`None` with fewer than five matches."""
    high: float | None
    matches: int
    number: int
    """What the rate is divided by: decisions, matches, player-matches."""


def estimate(moments: Moments, *, factor: float = 1.0, least: float | None = None) -> Estimate:
    """`factor` times `lost` over `number`, from the moments over matches; the rate cannot be below `least`, so its interval is not."""
    matches, lost, number = int(moments["matches"]), moments["lost"], moments["number"]
    if not number:
        return Estimate(None, None, None, matches, 0)
    rate = lost / number
    if matches < FEWEST_MATCHES:
        return Estimate(factor * rate, None, None, matches, int(number))
    scatter = moments["squares"] - 2 * rate * moments["products"] + rate * rate * moments["number_squares"]
    half = student(matches - 1) * math.sqrt(max(scatter, 0.0) * matches / (matches - 1)) / number
    low = rate - half if least is None else max(rate - half, least)
    return Estimate(factor * rate, factor * low, factor * (rate + half), matches, int(number))


def share(of: int, among: int) -> Estimate:
    """A share of independent matches, with Wilson's interval."""
    if not among:
        return Estimate(None, None, None, 0, 0)
    rate, square = of / among, NORMAL * NORMAL
    middle = (rate + square / (2 * among)) / (1 + square / among)
    half = NORMAL / (1 + square / among) * math.sqrt(rate * (1 - rate) / among + square / (4 * among * among))
    return Estimate(rate, max(middle - half, 0.0), min(middle + half, 1.0), among, among)


def student(freedom: int) -> float:
    """Half the width of a 95 % interval of Student's t, in standard errors (Cornish-Fisher, within 0.5 % from 4 degrees of freedom)."""
    z = NORMAL
    terms = ((z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def pr(moments: Moments) -> Estimate:
    """The PR of matches by the equity lost in them and their decisions; unknown below `FEWEST_DECISIONS`."""
    if (moments["number"] or 0) < FEWEST_DECISIONS:
        return Estimate(None, None, None, int(moments["matches"]), int(moments["number"] or 0))
    return estimate(moments, factor=PR_FACTOR, least=0.0)


COMPARED: Final = tuple(ANALYSERS.values())
"""Every two of these, in this order, are compared on transcripts that both analysed; the first of them is pooled."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a rate depends on besides the play."""

    tool: str
    depth: str
    """Of most evaluations: plies ahead, or the tool's own words for a level that has no place on that scale."""


def rows(database: duckdb.DuckDBPyConnection, question: str, *values: object) -> list[tuple[Any, ...]]:
    """The rows of an answer."""
    return database.execute(question, list(values)).fetchall()


def column(part: str, rules: str) -> str:
    """The name of a rule set's column of `decisions` as SQL writes it."""
    return '"{}_{}"'.format(part, rules.replace("-", "_").replace('"', '""'))


def prepare(database: duckdb.DuckDBPyConnection, aliases: Aliases, rules: str) -> dict[str, tuple[str, ...]]:
    """Create what every part of a study reads, and return every person with the other spellings of the name.

    `sides` has for every analysis of a transcript with several the player's seat by who rolled first (`side`); `named` the person on every
    seat of a match; `analysed` the figures with some analysis; `whole` the analyses with nothing missing; `once` one of these of every
    match that was played and has one, with tool and depth: of the whole match, of XG's, gnuBG's and BGBlitz's the first, and the deepest;
    `pooled` its figures and `counted` its decisions that count under `rules`.
    """
    for macro in ("moments", "class_of", "depth_of"):
        database.execute(SQL[macro])
    spellings = identify(database, aliases)
    database.execute(SQL["analysed"])
    # What a rule counts does not change what a full analysis has, so any rule set will do.
    database.execute(SQL["whole"], [rules])
    # A file may have the day of its analysis, which is never before that of the match: the first day stated is taken.
    database.execute(SQL["once"], [[tool.name for tool in COMPARED]])
    database.execute(
        "create temp view pooled as select a.*, once.date, once.tool, once.depth from analysed a join once on once.match = a.match"
    )
    counted, error = column("counted", rules), column("error", rules)
    database.execute(SQL["counted"].format(error=error, counted=counted))
    return spellings


def identify(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> dict[str, tuple[str, ...]]:
    """Create `sides` and `named` as `prepare` describes them, and return every person with the other spellings of the name."""
    # Tools seat the players differently, and the rolls of a transcript begin with the same player.
    database.execute(SQL["sides"])
    return _persons(database, aliases)


def _persons(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> dict[str, tuple[str, ...]]:
    used = dict(rows(database, "select name, count(distinct match) from players group by name order by name"))
    variants = {fold(name): group[0] for group in aliases.groups for name in group}
    keys = {name: fold(variants.get(fold(name), name)) for name in used}
    proofs = rows(database, SQL["cut_names"])
    whole = _whole(((keys[one], keys[other]) for one, other in proofs), variants)
    groups: dict[str, list[str]] = defaultdict(list)
    for name, key in keys.items():
        groups[whole.get(key, key)].append(name)
    chosen = {key: variants.get(key) or _best(names, used) for key, names in groups.items()}
    database.execute("create temp table persons (name varchar, person varchar)")
    if used:
        named = [(name, chosen[key]) for key, names in groups.items() for name in names]
        database.execute("insert into persons select unnest(?), unnest(?)", [list(column) for column in zip(*named, strict=True)])
    database.execute(SQL["named"])
    _separate(database, aliases)
    return {chosen[key]: tuple(name for name in sorted(names) if name != chosen[key]) for key, names in groups.items()}


def _separate(database: duckdb.DuckDBPyConnection, aliases: Aliases) -> None:
    """Give namesakes the persons that the file of aliases separates."""
    shared = [name for (name,) in rows(database, "select name from persons") if aliases.shared(name)]
    for match, seat, name, *where in rows(database, SQL["shared_names"], shared):
        if (person := aliases.person(name, *where)) != aliases.chosen(name):
            database.execute("update named set person = ? where match = ? and seat = ?", [person, match, seat])


def _whole(proofs: Iterable[tuple[str, str]], kept: Mapping[str, str]) -> dict[str, str]:
    """For every folded name that was cut, the whole one; nothing for a name with an alias or that two persons share."""
    longer: dict[str, set[str]] = defaultdict(set)
    for pair in proofs:
        short, long = sorted(pair, key=len)
        if short != long and len(short) >= SHORTEST_PREFIX and long.startswith(short) and short not in kept:
            longer[short].add(long)
    found = {}
    for short, candidates in longer.items():
        most = max(candidates, key=lambda name: (len(name), name))
        if all(most.startswith(name) for name in candidates):
            found[short] = most
    # The whole name may be a cut one of another transcript itself; names only grow, so this ends.
    for short, long in found.items():
        while long in found:
            long = found[long]
        found[short] = long
    return found


def _best(names: Iterable[str], used: Mapping[str, int]) -> str:
    """The spelling to show: the longest, with blanks in place of underscores, the most frequent, not in capitals."""
    return min(names, key=lambda name: (-len(fold(name)), name.count("_"), -used[name], name.isupper(), name))
