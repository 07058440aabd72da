"""The facts of an investigation, from its document, its text and the statistics of the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from tests.oracles.stories.compared import short
from tests.oracles.stories.figures_in_words import SHORT, figures_in
from tests.oracles.stories.forms import Names

OWN = {
    "eXtreme Gammon": "xg",
    "GNU Backgammon": "gnubg",
    "BGBlitz": "bgblitz",
    "Open Sage": "gnubg",
}
ROUNDING = 1e-9
SINGLE = 2e-7
"""Relative error of a program that adds in single precision."""


@dataclass
class Investigated:
    """An investigation; `statistics` gives the document of `stats --per-game` under a rule set."""

    document: Mapping[str, Any]
    text: str
    statistics: Callable[[str], Mapping[str, Any]]
    said: set[str] = field(default_factory=set)
    """The names of the claims made."""

    @property
    def sentences(self) -> list[str]:
        """The answer, a sentence or a few in each line."""
        return [
            line
            for line in self.text.split("\n\n")[0].splitlines()
            if not line.startswith("note: ")
        ]

    @cached_property
    def names(self) -> Names:
        """Who there is."""
        return Names(
            (short(self.document["source"]["tool"]),),
            tuple(one["name"] for one in self.statistics(self.own)["players"]),
        )

    @property
    def tool(self) -> str:
        """What the file's program is called."""
        return short(self.document["source"]["tool"])

    @property
    def own(self) -> str:
        """The rule set of the file's program."""
        return OWN.get(self.document["source"]["tool"], "gnubg")

    @property
    def reported(self) -> Mapping[str, str]:
        """What was reported."""
        return {long(name): text for name, text in self.document["reported"].items()}

    def known(self, rules: str = "") -> Mapping[str, float | None]:
        """What a known rule set gives, by default the file's own."""
        found: Mapping[str, float | None] = next(
            one["figures"]
            for one in self.document["rule_sets"]
            if one["name"] == (rules or self.own)
        )
        return found

    def fits(self, figures: Mapping[str, float | None], metric: str) -> bool:
        """Whether a figure is the reported one within its printed digits."""
        text = self.reported[metric].replace(",", "")
        digits = len(text.partition(".")[2])
        whole = metric.startswith("decisions")
        given, half = abs(float(text)), 0.0 if whole else 0.5 * 10.0**-digits
        number = figures.get(metric)
        return number is not None and abs(number - given) <= half + ROUNDING + SINGLE * given * (
            not whole
        )

    @cached_property
    def telling(self) -> list[str]:
        """The reported figures that depend on rules and say something."""
        return [
            metric for metric in self.reported if metric in self.known() and not self._blank(metric)
        ]

    def _blank(self, metric: str) -> bool:
        return float(self.reported[metric]) == 0 and self.known()[metric] is None

    @cached_property
    def reproducing(self) -> list[str]:
        """The known rule sets that give all figures, recomputed."""
        return [
            one["name"]
            for one in self.document["rule_sets"]
            if all(self.fits(one["figures"], metric) for metric in self.telling)
        ]

    def table(self, title: str) -> list[str]:
        """The cells of a line of the text's table of figures."""
        lines = self.text.split("\n\n")[1].splitlines()
        line = next((one for one in lines if one.startswith(f"{title}  ")), "")
        return re.split(r"  +", line.strip())

    def of_player(
        self, rules: str, player: str, game: int | None = None
    ) -> Mapping[str, float | None]:
        """The figures of a player under a rule set, of the match or a game."""
        found = next(one for one in self.statistics(rules)["players"] if one["name"] == player)
        if game is not None:
            found = next(one for one in found["games"] if one["game"] == game)
        return {metric: figure_at(found, metric) for metric in self.known()}

    def check(self, code: str) -> Mapping[str, float | None]:
        """What a check found, by metric."""
        found: Mapping[str, float | None] = next(
            (one["figures"] for one in self.document["checks"] if one["code"] == code), {}
        )
        return {long(name): number for name, number in found.items()}

    def wrong(
        self, text: str, figures: Mapping[str, float | None], *, given: bool = False
    ) -> Iterator[str]:
        """Where an enumeration of figures does not have these values, or as `given`, those that were reported."""
        found = figures_in(text)
        if found is None:
            yield f"{text!r} is no enumeration of figures"
            return
        for one in found[0]:
            if not given:
                yield from one.wrong(figures, self.reported)
            elif one.text.replace(",", "") != self.reported.get(one.metric, "").lstrip("+"):
                yield f"{one.metric} was given as {self.reported.get(one.metric)}"

    def all_given(self, text: str, wanted: Iterable[str]) -> Iterator[str]:
        """Where an enumeration does not name just these reported figures."""
        found = figures_in(text)
        yield from self.wrong(text, {}, given=True)
        named = [one.metric for one in found[0]] if found else []
        wanted = list(wanted)
        if found and (set(named) - set(wanted) or len(named) + found[1] != len(wanted)):
            yield f"the figures are {wanted}"

    def finish(self) -> Iterator[str]:
        """The table of known rule sets is held against the figures in it."""
        for one in self.document["rule_sets"]:
            if one["reproduces"] != (one["name"] in self.reproducing):
                yield f"rule set {one['name']} gives the figures: {one['reproduces']}"
        for one in self.document["explanations"]:
            if not all(self.fits(one["figures"], metric) for metric in self.telling):
                yield f"{one['nearest']} with {one['differences']} does not give the figures"


def long(name: str) -> str:
    """The full name of a total."""
    return next((full for full, brief in SHORT.items() if brief == name), name)


def figure_at(figures: Mapping[str, Any], metric: str) -> float | None:
    """The figure of a player in a document of statistics, by its full name."""
    found: Any = figures
    for part in metric.split("."):
        found = found[part] if isinstance(found, Mapping) else None
    return None if found is None else float(found)
