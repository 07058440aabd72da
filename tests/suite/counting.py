"""Programs in this process that count by known rules, asked as a command is."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from reconcile.formats import load_match
from reconcile.gate.candidates.program import About, Runs
from reconcile.rules.rulesets import RuleSet
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.run import ask, judged


@dataclass
class Counting:
    """A program in this process that counts by these rules and prints these figures with the usual
    digits; it fails where `spoilt` raises."""

    rules: RuleSet
    names: Sequence[str]
    spoilt: Callable[[str], None] = lambda name: None
    name: str = "prog"
    per_player: bool = False
    changed: Callable[[dict[str, str], str], dict[str, str]] = lambda figures, length: figures
    """What it makes of the figures of a player in a match of this length."""

    def run(self, values, timeout):
        """What it prints of a file."""
        self.spoilt(values["match"])
        scored = statistics(read_file(values["file"]), self.rules)
        players = {}
        for seat, player in enumerate(scored.match.players):
            figures = {name: scored.figures(seat)[name] for name in self.names}
            texts = {
                name: METRICS[name].shown(value)
                for name, value in figures.items()
                if value is not None
            }
            players[player] = self.changed(texts, values["length"])
        return json.dumps({"schema_version": 1, "matches": [{"players": players}]}).encode()


read_file = cache(load_match)


PROG = About(program="prog")


def ran(program, cases, about=PROG, form="xg"):
    """What comes of such a program, which says this of itself."""
    return judged(list(ask(Runs(program), cases, about, (form,))), about)
