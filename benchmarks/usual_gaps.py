"""Measures how large gaps of PR usually are, on files of matches that several programs analysed.

    python -m benchmarks.usual_gaps FILE...

compares every two analyses of one match, each under its own rules, and writes the table that comes
with the program. Of several files with the same analysis the first counts; a match that is not
analysed completely does not.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import combinations

from reconcile.errors import NothingToCompare, NotTheSameMatch
from reconcile.files.output import write
from reconcile.formats import load_match
from reconcile.gap.comparison import TABLE, compare
from reconcile.match.match import Match
from reconcile.scoring.statistics import Statistics, statistics

Analysis = tuple[str, float | None]
"""The name of a tool, and how many plies it looked ahead in most evaluations."""


def complete(scored: Statistics) -> bool:
    """Whether every play and cube decision is analysed."""
    return all(
        part.complete
        for seat in (0, 1)
        for name, part in scored.completeness(seat).items()
        if name != "luck"
    )


def analyses(paths: Sequence[str]) -> dict[str, dict[Analysis, Match]]:
    """The complete analyses of every match, by its first file."""
    groups: list[dict[Analysis, Match]] = []
    for path in sorted(paths):
        scored = statistics(load_match(path))
        if not complete(scored):
            continue
        mine = next(
            (group for group in groups if same_match(next(iter(group.values())), scored.match)),
            None,
        )
        if mine is None:
            mine = {}
            groups.append(mine)
        mine.setdefault((scored.match.source.tool, scored.match.lookahead), scored.match)
    return {next(iter(group.values())).source.path: group for group in groups}


def same_match(left: Match, right: Match) -> bool:
    """Whether two files are of one match."""
    if left.length != right.length or len(left.games) != len(right.games):
        return False
    try:
        return not compare(left, right).pairing.differences
    except (NotTheSameMatch, NothingToCompare):
        return False


def main(paths: Sequence[str]) -> None:
    """Write the table."""
    gaps: dict[tuple[Analysis, Analysis], list[float]] = defaultdict(list)
    count: dict[tuple[Analysis, Analysis], int] = defaultdict(int)
    for group in analyses(paths).values():
        for left, right in combinations(sorted(group, key=repr), 2):
            result = compare(group[left], group[right])
            count[left, right] += 1
            gaps[left, right] += [
                abs(figure.gap)
                for figure in result.figures
                if figure.metric == "pr" and figure.gap is not None
            ]
    pairs = [
        {
            "tools": [tool for tool, _ in pair],
            "lookahead": [lookahead for _, lookahead in pair],
            "matches": count[pair],
            "gaps": sorted(sizes),
        }
        for pair, sizes in sorted(gaps.items(), key=repr)
    ]
    measured = datetime.now(UTC).date().isoformat()
    write(str(TABLE), json.dumps({"measured": measured, "pairs": pairs}, indent=1) + "\n")
    for pair in pairs:
        print(pair["tools"], pair["lookahead"], pair["matches"], "matches", pair["gaps"])


if __name__ == "__main__":
    main(sys.argv[1:])
