"""Pooled figures and the sentences below them, held against the statistics of every match."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.oracles.stories.around import UNKNOWN
from tests.oracles.stories.compared import short
from tests.oracles.stories.forms import Form, Names, Said, shows

RATES = {"pr": 500.0, "error_rate_memg": 1000.0}
CAP = 100.0
"""What XG shows of a PR above it."""
CAPPED = ("xg",)


@dataclass
class Pool:
    """The documents of every match under its own rules, that of the pool, and its text."""

    each: Sequence[Mapping[str, Any]]
    document: Mapping[str, Any]
    text: str

    @property
    def sentences(self) -> list[str]:
        """The lines of the text that are sentences."""
        return [line for line in self.text.splitlines() if re.search(r"\w: .*\]$|\.$", line)]

    @cached_property
    def names(self) -> Names:
        """Who there is."""
        return Names((), tuple(one["name"] for one in self.document["players"]))

    def of(self, pooled: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """The figures of a pooled player in every match."""
        names = {_plain(name) for name in pooled.get("names", [pooled["name"]])} | {
            _plain(pooled["name"])
        }
        return [
            player
            for one in self.each
            if one["rules"] == pooled["rules"]
            for player in one["players"]
            if _plain(player["name"]) in names
        ]

    def finish(self) -> Iterator[str]:
        """Every pooled figure is the sum of those of the matches, or a rate of such sums; ranges and caps are not lost."""
        for pooled in self.document["players"]:
            matches = [one for one in self.of(pooled) if one["decisions"]["counted"] is not None]
            if not matches:
                continue
            counted = sum(one["decisions"]["counted"] for one in matches)
            lost = sum(one["equity_error"]["total"] for one in matches)
            if (
                pooled["decisions"]["counted"] != counted
                or abs(pooled["equity_error"]["total"] - lost) > 1e-6
            ):
                yield f"{pooled['name']} has {counted} decisions and {lost} lost"
            if (
                len(matches) == 1
                and pooled["pr"] is not None
                and abs(pooled["pr"] - matches[0]["pr"]) > 1e-9
            ):
                yield f"{pooled['name']} has PR {matches[0]['pr']} in the one match, and {pooled['pr']} here"
            for name, scale in RATES.items():
                rate = scale * lost / counted if counted else None
                capped = (
                    rate is not None and name == "pr" and pooled["rules"] in CAPPED and rate > CAP
                )
                if (
                    rate is not None
                    and len(matches) > 1
                    and abs(pooled[name] - (CAP if capped else rate)) > 1e-6 * rate
                ):
                    yield f"{name} of {pooled['name']} is {rate}"
            if any("pr" in one.get("range", {}) for one in matches) and "pr" not in pooled.get(
                "range", {}
            ):
                yield f"PR of {pooled['name']} is a range in a match, and not here"
            yield from self._table(pooled)

    def _table(self, pooled: Mapping[str, Any]) -> Iterator[str]:
        line = next(
            (one for one in self.text.splitlines() if one.startswith(f"{pooled['name']} ")), ""
        )
        ends = pooled.get("range", {}).get("pr", [pooled["pr"]] * 2)
        numbers = re.findall(r"\d+\.\d+", line.removeprefix(pooled["name"]))
        if pooled["pr"] is not None and not all(
            any(shows(one, end) for one in numbers) for end in ends
        ):
            yield f"the table has {line!r} where PR is {pooled['pr']}, {ends}"


def _plain(name: str) -> str:
    return re.sub(r"[_\s]+", " ", name).casefold()


def ranged(facts: Pool, said: Said) -> Iterator[str]:
    """Why a pooled PR is a range."""
    pooled = next(
        (
            one
            for one in facts.document["players"]
            if one["name"] == said["player"] and "pr" in one.get("range", {})
        ),
        None,
    )
    if (
        pooled is None
        or not shows(said["low"], pooled["range"]["pr"][0])
        or not shows(said["high"], pooled["range"]["pr"][1])
    ):
        yield f"it is {pooled and pooled['range']['pr']}"
        return
    tools = {short(one["source"]["tool"]) for one in facts.each if one["rules"] == pooled["rules"]}
    if said.has("why") and said["why"] not in {
        known.format(tool) for known in UNKNOWN.values() for tool in tools
    }:
        yield "no such rule is open"
    if said.has("same") != (pooled["matches"] > 1) and said.has("why"):
        yield f"{pooled['matches']} matches"
    said["code"]


def drawn(facts: Pool, said: Said) -> Iterable[str]:
    """How the intervals were made."""
    made = sorted({one["resampled"] for one in facts.document["players"]})
    if said["what"] != " or ".join(made):
        yield f"it was by {made}"


def left_out(facts: Pool, said: Said) -> Iterable[str]:
    """How many matches have no analysis."""
    number = sum(one["unanalysed"] for one in facts.document["players"])
    if not shows(said["count"], number):
        yield f"they are {number}"


POOL = (
    Form(
        "PR of <player:player> is <low:number> to <high:number>: <why:text> is not known[[<same:, but it is the same in every match>]]"
        " <code:rest>",
        ranged,
    ),
    Form(
        "PR of <player:player> is <low:number> to <high:number>: <words:which turns with a dead cube> <tool:text> counts is not in "
        "these files"
        " <code:rest>",
        ranged,
    ),
    Form(
        "PR of <player:player> is <low:number> to <high:number>: equities are known as far as they are printed <code:rest>",
        ranged,
    ),
    Form(
        "Left out because nothing in them is analysed: <count:count> player's match<es:(es)>.",
        left_out,
    ),
    Form(
        "Sums over sums. The 95 % intervals come from drawing <what:text> with replacement.", drawn
    ),
)
