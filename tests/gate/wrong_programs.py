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
from reconcile.match.met import load_met
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.score import score
from reconcile.scoring.statistics import table_of

PLAY, NO_DOUBLE, DOUBLE, TAKE, PASS = range(5)
CLASSES = {"checker": [PLAY], "double": [NO_DOUBLE, DOUBLE], "take": [TAKE, PASS, 5]}
DIGITS = {"pr": 2, "checker_pr": 2, "cube_pr": 2, "error_rate_memg": 1, "snowie_er": 2}
DIGITS |= {"decisions.counted": 0, **{f"decisions.{name}": 0 for name in CLASSES}}
DIGITS |= {"moves.total": 0, "equity_error.total": 3, "mwc_loss_percent.total": 2}
DIGITS |= {f"equity_error.{name}": 3 for name in CLASSES}
DIGITS |= {f"mwc_loss_percent.{name}": 2 for name in CLASSES} | {"luck.equity": 3}
FEW = ("pr", "decisions.counted", "luck.equity")
RATES = ("pr", "checker_pr", "cube_pr", "snowie_er", "mwc_loss_percent.total")


def decisions(match, rules, table=None):
    """A row for each decision."""
    met = load_met(table) if table else table_of(match, rules)
    scored, plays, cubes = score(match, rules, met), match.plays, match.cubes
    count, games = len(scored.error), match.games

    def of(own, name, other=np.nan):
        parts = {"plays": [np.full(len(cubes), other)], "cubes": []}[own]
        column = np.asarray(getattr(getattr(match, own), name), float)
        before = np.full(len(plays) if own == "cubes" else 0, other)
        whole = np.concatenate([before, column, *parts])
        return np.concatenate([whole, np.full(count - len(whole), other)])

    game = scored.game
    fields = {
        "game": game,
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
        "crawford": games.crawford[game],
        "last": game == len(games) - 1,
    }
    return pd.DataFrame(fields)


def added(rows, seat, match, rules):
    """A player's figures."""
    own = rows[rows.player == seat]
    parts = {name: own[own.kind.isin(kinds)] for name, kinds in CLASSES.items()}
    cube = pd.concat([parts["double"], parts["take"]])
    single = 1.5 if match.length == 1 and rules.answers["Q09"] == "x1.5" else 1

    def rate(lost, number, factor=500):
        return single * factor * lost / number if number else 0.0

    rolls = rows[(rows.kind == PLAY) & rows.rolled]
    error, number = own.error.sum(), own.counted.sum()
    figures = {"pr": rate(error, number), "error_rate_memg": rate(error, number, 1000)}
    figures["checker_pr"] = rate(parts["checker"].error.sum(), parts["checker"].counted.sum())
    figures["cube_pr"] = rate(cube.error.sum(), cube.counted.sum())
    figures["snowie_er"] = 500 * error / max(len(rolls), 1)
    figures |= {"decisions.counted": number, "moves.total": sum(rolls.player == seat)}
    figures |= {f"decisions.{name}": part.counted.sum() for name, part in parts.items()}
    for name, part in {"total": own, **parts}.items():
        figures[f"equity_error.{name}"] = part.error.sum()
        figures[f"mwc_loss_percent.{name}"] = 100 * part.loss.sum()
    figures["luck.equity"] = own.luck.sum() if rolls.luck.notna().all() else np.nan
    cap = 100 if rules.answers["Q13"] == "100" else np.inf
    return figures | {name: min(figures[name], cap) for name in ("pr",)}


def both(rows, match, rules):
    """The figures of both players."""
    return [added(rows, seat, match, rules) for seat in (0, 1)]


def without(rows, gone):
    """Decisions that neither count nor cost."""
    return rows.assign(**{name: rows[name].mask(gone, 0) for name in ("counted", "error", "loss")})


def charged(rows, error):
    """Other errors; the loss goes with them."""
    ratio = (rows.loss.sum() / max(rows.error.sum(), 1e-9)) * np.ones(len(rows))
    ratio = (rows.loss / rows.error).where(rows.error > 0, ratio)
    return rows.assign(error=error, loss=error * ratio)


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


def with_one(figures, name, value):
    """One figure made from the others, `value(own, theirs)`."""
    return [own | {name: value(own, figures[1 - seat])} for seat, own in enumerate(figures)]


def by_game(rows, match, rules):
    """The rates are means of those of the games."""
    each = [both(part, match, rules) for _, part in rows.groupby("game")]
    whole = both(rows, match, rules)
    rates = ("pr", "checker_pr", "cube_pr")
    return [
        own | {name: np.mean([game[seat][name] for game in each]) for name in rates}
        for seat, own in enumerate(whole)
    ]


def forced_count(rows):
    """Forced plays are decisions."""
    forced = (rows.kind == PLAY) & (rows.legal == 1) & (rows.moved == 1)
    return rows.assign(counted=rows.counted.mask(forced, 1))


COLUMNS = {
    f"{group}.{name}": f"{group}.{other}"
    for group in ("decisions", "equity_error", "mwc_loss_percent")
    for name, other in (("double", "take"), ("take", "double"))
}


def exchanged(figures):
    """Figures of doubles under the names of those of takes, and the other way round."""
    return [own | {name: own[other] for name, other in COLUMNS.items()} for own in figures]


def summed(figures, names):
    """The figures of both players added up."""
    return [own | {name: sum(each[name] for each in figures) for name in names} for own in figures]


# What each does otherwise: `rows` spoils decisions, `rate` figures; `whole` adds up otherwise;
# `prints` fewer figures; `keeps` looks at the matches before.
FAULTS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "the last game is lost": {"rows": lambda d: d[~d["last"]]},
    "luck of the other player": {
        "rate": lambda f: with_one(f, "luck.equity", lambda own, their: their["luck.equity"])
    },
    "figures of the match before": {"keeps": lambda now, before: (before or [now])[-1]},
    "both players together": {
        "rate": lambda f: summed(f, ("equity_error.total", "decisions.counted"))
    },
    "luck has the other sign": {"rate": lambda f: scaled(f, "luck", -1), "prints": FEW},
    "doubles are close below 0.05": {"rows": lambda d: closed(d, 0.05)},
    "forced plays count": {"rows": forced_count},
    "PR per 1000": {"rate": lambda f: scaled(f, "pr", 2)},
    "mEMG per 500": {"rate": lambda f: scaled(f, "error_rate_memg", 0.5)},
    "players exchanged in matches to 7": {
        "rate": lambda f, m=None: f[::-1] if m and m.length == 7 else f
    },
    "the Crawford game is left out": {"rows": lambda d: without(d, d.crawford)},
    "errors are cut to hundredths": {
        "rows": lambda d: charged(d, np.floor(d.error * 100 + 1e-6) / 100)
    },
    "players exchanged and PR per 1000": {"rate": lambda f: scaled(f[::-1], "pr", 2)},
    "another match equity table": {"table": "woolsey"},
    "resignations cost nothing": {"rows": lambda d: d[d.kind < 6]},
    "losses are fractions": {"rate": lambda f: scaled(f, "mwc", 0.01)},
    "PR is the mean of its parts": {
        "rate": lambda f: with_one(
            f, "pr", lambda own, _: (own["checker_pr"] + own["cube_pr"]) / 2
        ),
        "prints": RATES,
    },
    "rates are means of the games": {"whole": by_game},
    "luck adds up from match to match": {
        "keeps": lambda now, before: [
            own | {"luck.equity": own["luck.equity"] + sum(b[s]["luck.equity"] for b in before)}
            for s, own in enumerate(now)
        ]
    },
    "dances are no moves": {"rows": lambda d: d[~((d.kind == PLAY) & (d.moved == 0))]},
    "the last game is lost and luck has the other sign": {
        "rows": lambda d: d[~d["last"]].assign(luck=-d.luck)
    },
    "doubles and takes stand in each other's columns": {"rate": exchanged},
    "PR over rolls": {
        "rate": lambda f: with_one(
            f, "pr", lambda o, _: 500 * o["equity_error.total"] / max(o["moves.total"], 1)
        )
    },
    "equity in thousandths": {"rate": lambda f: scaled(f, "equity_error", 1000)},
}


def answer(name, path, before):
    """The printed figures of both players of a file."""
    fault, match = FAULTS[name], load_match(path)
    rules = own_rules(match).for_match(match)[0]
    rows = fault.get("rows", lambda d: d)(decisions(match, rules, fault.get("table")))
    figures = fault.get("whole", both)(rows, match, rules)
    rate = fault.get("rate", lambda f: f)
    figures = rate(figures, match) if rate.__defaults__ else rate(figures)
    kept = fault.get("keeps", lambda now, earlier: now)(figures, before)
    before.append(figures)
    return {
        player: {
            key: None if np.isnan(own[key]) else f"{own[key]:.{DIGITS[key]}f}"
            for key in fault.get("prints", DIGITS)
        }
        for player, own in zip(match.players, kept, strict=True)
    }


def main(name, rules):
    """Answer a harness, claiming rules."""
    before: list[Any] = []
    about = {"protocol": 1, "program": "prog", "version": "1", "formats": ["xg"], "rules": rules}
    about["figures"] = list(FAULTS[name].get("prints", DIGITS))
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        said = about
        if asked["cmd"] != "start":
            said = {"id": asked["id"], "players": answer(name, asked["path"], before)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
