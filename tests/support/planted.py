"""Programs with a fault each, to see what the suite says of them: our scoring with one step wrong,
behind the protocol of a harness.

    python -m tests.support.planted FAULT RULES

The faults were written before the diagnosis, and share nothing with the faults that it knows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

from reconcile.formats import load_match
from reconcile.infer.scorer import Both, Fault, figures
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS
from tests.support.planted_faults import EDGES, LATER, NEWEST, OTHERS, QUESTIONED, UNLIKE, USUAL

PLANTED: Final[Mapping[str, Fault]] = {
    one.code: one for one in (*QUESTIONED, *EDGES, *OTHERS, *UNLIKE, *LATER, *NEWEST)
}
NAMED: Final[Mapping[str, tuple[str, ...]]] = {
    "p-q01": ("forced-counted",),
    "p-q03": ("losing-side-moved",),
    "p-q04": ("optional-left-out",),
    "p-q05": ("Q05=counts-with-zero-error",),
    "p-q06": ("Q06=max-candidate",),
    "p-q07": ("resignations-swapped",),
    "p-q08": ("rate-doubled",),
    "p-q09": ("one-point-scaled",),
    "p-q10": ("Q10=after-double",),
    "p-q11": ("table-of-woolsey",),
    "p-q12": ("total-grades-moved",),
    "p-q13": ("pr-capped",),
    "p-q14": ("Q14=gnubg-recount",),
    "p-q15": ("Q15=only-errors",),
    "p-q16": ("Q16=with-the-play",),
    "p-dances": ("dances-counted",),
    "p-first": ("first-play-left-out",),
    "p-illegal": ("illegal-exchanged",),
    "p-too-good": ("too-good-left-out",),
    "p-takes-doubler": ("answers-charged-to-doubler",),
    "p-passes": ("passes-left-out",),
    "p-crawford": ("crawford-game-left-out",),
    "p-post-crawford": ("post-crawford-no-doubles-left-out",),
    "p-last-game": ("last-game-left-out",),
    "p-unfinished": ("unfinished-left-out",),
    "p-luck-swapped": ("luck-swapped",),
    "p-luck-sign": ("luck-negative",),
    "p-players": ("players-swapped",),
    "p-round-2": ("errors-rounded-to-2",),
    "p-cube": ("errors-times-cube",),
    "p-fraction": ("mwc-fraction",),
    "p-snowie-own": ("snowie-own-moves",),
    "p-joker": ("jokers-moved",),
    "p-doublets-twice": ("doublets-left-out",),
    "p-squares": ("errors-squared",),
    "p-even-games": ("second-games-left-out",),
    "p-second-more": ("errors-of-seat-scaled",),
    "p-half-large": ("large-errors-halved",),
    "p-worst-game": ("worst-pr-of-games",),
    "p-early": ("late-left-out",),
    "p-one-more": ("pr-one-more",),
    "p-half-double": ("doubles-halved",),
    "p-take-class": ("takes-are-doubles",),
    "p-lucky-only": ("luck-good-only",),
    "p-luck-doublets": ("luck-without-doublets",),
    "p-moves": ("move-more-a-game",),
    "p-snowie-unforced": ("snowie-without-forced",),
    "p-score-first": ("score-ignored",),
    "p-score-last": ("mwc-at-last-score",),
    "p-longer": ("mwc-longer", "Q09=x1"),
    "p-without-takes": ("sum-without-part",),
    "p-small": ("small-errors-forgiven",),
    "p-wrong-pass": ("passes-doubled",),
    "p-right-doubles": ("right-doubles-left-out",),
    "p-mean-table": ("table-of-jacobs",),
    "p-money": ("mwc-none",),
    "p-error-count": ("blunders-are-no-errors",),
    "p-cube-rate": ("cube-rate-of-all",),
    "p-truncated": ("errors-truncated-to-3",),
    "p-missed-not": ("missed-doubles-left-out",),
    "p-far-games": ("later-games-left-out",),
    "p-two-plays": ("two-candidates-left-out",),
    "p-later-luck": ("luck-of-first-game",),
    "p-right-takes": ("right-takes-left-out",),
    "p-round-3": ("Q06=millipoint",),
    "p-bar": ("bar-plays-left-out",),
    "p-cheap-takes": ("takes-halved",),
    "p-mean-rate": ("mean-of-parts",),
}
"""What the suite names of each planted fault; the others are not known."""


def printed(both: Both) -> list[dict[str, str]]:
    """The figures as programs print them."""
    return [
        {name: METRICS[name].shown(one[name]) for name in USUAL if one.get(name) is not None}
        for one in both
    ]


def main(code: str, rules: str) -> None:
    """Answer a suite."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        if asked["cmd"] == "start":
            answered: dict[str, Any] = {
                "protocol": 1,
                "program": code,
                "version": "1",
                "formats": ["xg", "sgf"],
                "figures": [],
                "rules": rules,
            }
        else:
            match = load_match(asked["path"])
            both = printed(figures(match, RULE_SETS[rules], (PLANTED[code],)))
            answered = {"id": asked["id"], "players": dict(zip(match.players, both, strict=True))}
        print(json.dumps(answered), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
