"""How large the gap between two analyses usually is: gaps of PR measured on real matches, from the
program's table or a user's archive.

A table of them is a file: `corpus-report --usual` writes it, `compare --corpus` reads it. The
program's own has the same form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from reconcile.document import LEFT_OUT, Amount, Document
from reconcile.errors import InvalidConfiguration, reason_of
from reconcile.files.inputs import open_regular
from reconcile.files.limits import LARGEST_JSON
from reconcile.match.match import Match

TABLE: Final = Path(__file__).with_name("usual_gaps.json")
"""Made by `python -m benchmarks.usual_gaps`, with its date."""
FEWEST: Final = 4
"""Player-matches below which nothing is usual."""
SAME: Final = 1e-9
"""Two computations of one gap differ by less."""


@dataclass(frozen=True, slots=True)
class UsualPair(Document):
    """Two tools at one level each, in the same order everywhere."""

    tools: tuple[str, str]
    lookahead: tuple[Amount | None, Amount | None]
    """Plies looked ahead in most evaluations; `None` for rollouts and the like."""
    matches: int
    gaps: tuple[Amount, ...]
    """Sizes of the gaps of PR, one for each player of a match, or evenly spaced ones of very
    many."""


@dataclass(frozen=True, slots=True)
class UsualTable(Document):
    """Every pair of tools and levels that was measured."""

    pairs: tuple[UsualPair, ...]
    measured: Annotated[str | None, LEFT_OUT] = None
    """The day; left out where the table depends on nothing but an archive."""

    def between(self, left: Match, right: Match) -> tuple[float, ...]:
        """The sizes for two such analyses, in either order, sorted, one for each player of a match;
        empty where none are known."""
        wanted = {(match.source.tool, match.lookahead) for match in (left, right)}
        pairs = (
            pair
            for pair in self.pairs
            if set(zip(pair.tools, pair.lookahead, strict=True)) == wanted
        )
        return tuple(sorted(size for pair in pairs for size in pair.gaps))


@cache
def shipped() -> UsualTable:
    """The program's own table, which needs no check."""
    pairs = json.loads(TABLE.read_text("utf-8"))["pairs"]
    return UsualTable(tuple(UsualPair(**pair) for pair in pairs))


def load_usual(path: str) -> UsualTable:
    """Read a table. Raises `InvalidConfiguration`."""
    from pydantic import TypeAdapter, ValidationError

    again = "write it again with corpus-report --usual"
    try:
        with open_regular(Path(path)) as file:
            content = file.read(LARGEST_JSON + 1)
    except OSError as error:
        why = f"cannot be read: {reason_of(error)}; check the path"
        raise InvalidConfiguration(why, path) from None
    if len(content) > LARGEST_JSON:
        why = f"expected at most {LARGEST_JSON >> 20} MB, found more"
        raise InvalidConfiguration(f"{why}; {again}", path)
    try:
        return TypeAdapter(UsualTable).validate_json(content)
    except ValidationError as error:
        from reconcile.files.yaml_file import complaint

        keys, message = complaint(error)
        why = f"{'.'.join(map(str, keys))}: {message}" if keys else message
        raise InvalidConfiguration(f"no table of usual gaps: {why}; {again}", path) from None


def usual_document(pairs: Sequence[Mapping[str, Any]]) -> str:
    """The table as the text of a file, a line for each pair; with all digits, so that a match of
    the archive is no larger than itself."""
    lines = ",\n".join(json.dumps(pair) for pair in pairs)
    return f'{{"pairs": [\n{lines}\n]}}\n'


def of_others(gaps: Sequence[float], own: Sequence[float]) -> tuple[float, ...]:
    """The sizes of the gaps without those of this match, `own`, if it is one of those measured: all
    of its sizes are among them then.

    Sizes are kept with all digits, which no other match has, unless all are 0.
    """
    rest = list(gaps)
    for size in own if any(own) else ():
        near = [number for number, gap in enumerate(rest) if abs(gap - size) <= SAME]
        if not near:
            return tuple(gaps)
        del rest[near[0]]
    return tuple(rest)
