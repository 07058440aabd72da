"""Figures that somebody may have seen, for investigations: those that programs give, of others, misprinted, shortened, multiplied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from tests.oracles.stories.investigated import figure_at

WINDOW = {
    "pr": 2,
    "decisions.counted": 0,
    "decisions.checker": 0,
    "decisions.double": 0,
    "decisions.take": 0,
    "equity_error.total": 3,
    "equity_error.checker": 3,
    "mwc_loss_percent.total": 2,
    "checker_pr": 2,
    "snowie_er": 2,
    "error_rate_memg": 3,
}
"""A figure, and how many decimals a program prints."""
RULES = ("xg", "gnubg", "blunderdb", "bgblitz", "snowie4")
FACTORS = (2.0, 0.5, 0.01, 100.0)


def seen(
    statistics: Mapping[str, Mapping[str, Any]], draw: Random, number: int
) -> Iterator[tuple[str, dict[str, str]]]:
    """So many times a player and figures; `statistics` are documents with `--per-game` by rule set."""
    for _ in range(number):
        document = statistics[draw.choice(RULES)]
        one, other = draw.sample(document["players"], 2)
        source = draw.choice((one, one, one, one, other, draw.choice(one["games"])))
        names = draw.sample(sorted(WINDOW), draw.choice((1, 1, 2, 3, 6)))
        factor = draw.choice(FACTORS) if draw.random() < 0.1 else 1.0
        slip = draw.choice(names) if draw.random() < 0.25 else ""
        found = {}
        for name in names:
            number_seen, digits = (
                figure_at(source, name),
                max(0, WINDOW[name] - draw.choice((0, 0, 0, 1))),
            )
            if number_seen is None:
                continue
            if WINDOW[name]:
                number_seen = number_seen * factor + (
                    10.0**-digits * draw.choice((1, -1, 7)) if name == slip else 0.0
                )
            else:
                number_seen += (name == slip) * draw.choice((-1, 1, 0))
            found[name] = f"{max(number_seen, 0.0):.{digits}f}"
        if found:
            yield one["name"], found
