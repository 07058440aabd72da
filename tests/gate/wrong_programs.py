"""Statistics programs, each wrong in a way of its own, behind the protocol of a harness:

    reconcile validate --harness 'python -m tests.gate.wrong_programs "PR per 1000" xg'
    reconcile suite run --harness 'python -m tests.gate.wrong_programs "PR per 1000" xg'

They take the decisions of a match from the rule set of its tool, spoil them, and add them up by
arithmetic of their own.
"""

import json
import sys
from typing import Any

import numpy as np
import pandas as pd

from reconcile.formats import load_match
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.score import score
from reconcile.scoring.statistics import table_of

PLAY, NO_DOUBLE, DOUBLE, TAKE, PASS = range(5)
CLASSES = {"checker": [PLAY], "double": [NO_DOUBLE, DOUBLE], "take": [TAKE, PASS, 5]}
DIGITS = {"pr": 2, "error_rate_memg": 1, "snowie_er": 2, "moves.total": 0, "luck.equity": 3}
SUMS = {"decisions": 0, "equity_error": 3, "mwc_loss_percent": 2}
DIGITS |= {f"{group}.{name}": SUMS[group] for group in SUMS for name in CLASSES}
DIGITS |= {"decisions.counted": 0, "equity_error.total": 3, "mwc_loss_percent.total": 2}


def decisions(match, rules):
    """A row for each decision."""
    scored = score(match, rules, table_of(match, rules))
    plays, cubes, count = match.plays, match.cubes, len(scored.error)

    def of(own, name, other=np.nan):
        parts = {"plays": [np.full(len(cubes), other)], "cubes": []}[own]
        column = np.asarray(getattr(getattr(match, own), name), float)
        before = np.full(len(plays) if own == "cubes" else 0, other)
        whole = np.concatenate([before, column, *parts])
        return np.concatenate([whole, np.full(count - len(whole), other)])

    fields = {
        "game": scored.game,
        "player": scored.player,
        "kind": scored.kind,
        "counted": scored.counted.astype(int),
        "error": scored.error.astype(float),
        "loss": scored.loss.astype(float),
        "legal": of("plays", "legal"),
        "moved": of("plays", "moved"),
        "luck": of("plays", "luck"),
        "rolled": of("plays", "validity", 2) != 2,
        "nd": of("cubes", "no_double"),
        "dt": of("cubes", "double_take"),
        "dp": of("cubes", "double_pass", 1.0),
        "access": of("cubes", "access", 0) == 1,
        "last": scored.game == len(match.games) - 1,
    }
    return pd.DataFrame(fields)


def added(rows, seat):
    """A player's figures."""
    own = rows[rows.player == seat]
    rolls = rows[(rows.kind == PLAY) & rows.rolled]
    error, number = own.error.sum(), max(own.counted.sum(), 1)
    figures = {"pr": 500 * error / number, "error_rate_memg": 1000 * error / number}
    figures["snowie_er"] = 500 * error / max(len(rolls), 1)
    figures["moves.total"] = sum(rolls.player == seat)
    figures["luck.equity"] = own.luck.sum() if rolls.luck.notna().all() else np.nan
    figures["decisions.counted"] = own.counted.sum()
    parts = {name: own[own.kind.isin(kinds)] for name, kinds in CLASSES.items()}
    for name, part in {"total": own, **parts}.items():
        figures[f"decisions.{name}"] = part.counted.sum()
        figures[f"equity_error.{name}"] = part.error.sum()
        figures[f"mwc_loss_percent.{name}"] = 100 * part.loss.sum()
    return figures


def closed(rows, window):
    """No-doubles that cost less to double count."""
    cost = rows.nd - np.fmin(rows.dt, np.nan_to_num(rows.dp, nan=1.0))
    nothing = (rows.kind == NO_DOUBLE) & rows.access & rows.nd.notna()
    return rows.assign(counted=rows.counted.mask(nothing, (cost < window).astype(int)))


def scaled(figures, begins, factor):
    """Some figures times a factor."""
    return [
        {n: v * factor if n.startswith(begins) else v for n, v in own.items()} for own in figures
    ]


def forced_count(rows):
    """Forced plays are decisions."""
    forced = (rows.kind == PLAY) & (rows.legal == 1) & (rows.moved == 1)
    return rows.assign(counted=rows.counted.mask(forced, 1))


def summed(figures):
    """The errors and decisions of both players added up."""
    names = ("equity_error.total", "decisions.counted")
    return [own | {name: sum(each[name] for each in figures) for name in names} for own in figures]


def over_rolls(figures):
    """A PR by rolls."""
    return [own | {"pr": 500 * own["equity_error.total"] / own["moves.total"]} for own in figures]


def with_other_luck(figures):
    """Each player's luck is the other's."""
    name = "luck.equity"
    return [own | {name: other[name]} for own, other in zip(figures, figures[::-1], strict=True)]


def without_the_end(rows):
    """The last game is lost."""
    return rows[~rows["last"]]


FAULTS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "the last game is lost": {"rows": without_the_end},
    "luck of the other player": {"figures": with_other_luck},
    "both players together": {"figures": summed},
    "doubles are close below 0.05": {"rows": lambda d: closed(d, 0.05)},
    "forced plays count": {"rows": forced_count},
    "PR per 1000": {"figures": lambda f: scaled(f, "pr", 2)},
    "players exchanged and PR per 1000": {"figures": lambda f: scaled(f[::-1], "pr", 2)},
    "players exchanged in matches to 7": {"figures": lambda f: f[::-1], "length": 7},
    "dances are no moves": {"rows": lambda d: d[~((d.kind == PLAY) & (d.moved == 0))]},
    "the last game is lost and luck has the other sign": {
        "rows": lambda d: without_the_end(d).assign(luck=-d.luck)
    },
    "PR over rolls": {"figures": over_rolls},
}
"""What each does otherwise: it spoils decisions, or figures; in matches of one length alone."""


def answer(name, path):
    """The printed figures of both players of a file."""
    fault, match = FAULTS[name], load_match(path)
    if match.length != fault.get("length", match.length):
        fault = {}
    rows = decisions(match, own_rules(match).for_match(match)[0])
    rows = fault.get("rows", lambda right: right)(rows)
    figures = fault.get("figures", lambda right: right)([added(rows, seat) for seat in (0, 1)])
    return {
        player: {
            key: None if np.isnan(own[key]) else f"{own[key]:.{digits}f}"
            for key, digits in DIGITS.items()
        }
        for player, own in zip(match.players, figures, strict=True)
    }


def main(name, rules):
    """Answer a harness, claiming rules."""
    about = {"protocol": 1, "program": "prog", "version": "1", "formats": ["xg"], "rules": rules}
    about["figures"] = list(DIGITS)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        said = about
        if asked["cmd"] != "start":
            said = {"id": asked["id"], "players": answer(name, asked["path"])}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
