"""Fifty statistics programs, each wrong in a way of its own, behind the protocol of a harness:

    reconcile validate --harness 'python -m tests.gate.wrong_programs NUMBER'
    reconcile suite run --harness 'python -m tests.gate.wrong_programs NUMBER'

They take the decisions of a match from the rule set of its tool (or another one), spoil them, and
add them up by arithmetic of their own. Number 0 is right.
"""

import json
import sys
from typing import Any

import numpy as np
import pandas as pd

from reconcile.formats import load_match
from reconcile.match.met import load_met
from reconcile.rules.rulesets import RULE_SETS, own_rules
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

    game, player = scored.game, scored.player
    rolls = count - len(plays)
    fields = {
        "game": game,
        "turn": match.turns[:count],
        "player": player,
        "kind": scored.kind,
        "counted": scored.counted.astype(int),
        "error": scored.error.astype(float),
        "loss": scored.loss.astype(float),
        "legal": of("plays", "legal"),
        "moved": of("plays", "moved"),
        "luck": of("plays", "luck"),
        "rolled": of("plays", "validity", 2) != 2,
        "doublet": np.append(plays.dice[:, 0] == plays.dice[:, 1], [False] * rolls),
        "nd": of("cubes", "no_double"),
        "dt": of("cubes", "double_take"),
        "dp": of("cubes", "double_pass", 1.0),
        "access": of("cubes", "access", 0) == 1,
        "value": np.nan_to_num(of("cubes", "cube")) + np.nan_to_num(of("plays", "cube")),
        "crawford": games.crawford[game],
        "late": np.isin(game, np.flatnonzero(games.crawford)[:1] + 1 + np.arange(99)[:, None])
        & games.crawford.any(),
        "last": game == len(games) - 1,
        "won": games.winner[game] == player,
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


def taken(rows):
    """Whether a double was taken."""
    turns = rows.game * 1000 + rows.turn
    return (rows.kind == DOUBLE) & turns.isin(turns[rows.kind == TAKE])


def wrongly(rows):
    """Takes cost what passing would have saved or not."""
    cost = (rows.dt - np.nan_to_num(rows.dp, nan=1.0)).abs()
    return charged(rows, rows.error.mask(rows.kind == TAKE, cost).fillna(0))


def once_a_turn(rows, name):
    """Of the decisions of a turn only the one that is largest in a column counts and costs."""
    order = rows.sort_values(name, ascending=False, kind="stable")
    return without(rows, order.duplicated(["game", "turn", "player"]).reindex(rows.index))


P, N, D, T, X = PLAY, NO_DOUBLE, DOUBLE, TAKE, PASS
EXCHANGED = {"rate": lambda f: f[::-1]}

# What each does otherwise: `rules` other than the tool's; `rows` spoils decisions, `rate` figures;
# `whole` adds up otherwise; `prints` fewer figures; `keeps` looks at the matches before.
FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("nothing", {}),
    ("doubles are close below 0.05", {"rows": lambda d: closed(d, 0.05)}),
    ("doubles are close below 0.25", {"rows": lambda d: closed(d, 0.25), "prints": FEW}),
    ("every take is charged", {"rows": wrongly}),
    (
        "forced plays count",
        {
            "rows": lambda d: d.assign(
                counted=d.counted.mask((d.kind == P) & (d.legal == 1) & (d.moved == 1), 1)
            )
        },
    ),
    (
        "the side that is losing has no close doubles",
        {
            "rules": "gnubg",
            "rows": lambda d: d.assign(counted=d.counted.mask((d.kind == N) & (d.nd < 0), 0)),
        },
    ),
    ("PR per 1000", {"rate": lambda f: scaled(f, "pr", 2)}),
    ("mEMG per 500", {"rate": lambda f: scaled(f, "error_rate_memg", 0.5)}),
    ("luck has the other sign", {"rate": lambda f: scaled(f, "luck", -1), "prints": FEW}),
    ("the last game is lost", {"rows": lambda d: d[~d["last"]]}),
    (
        "players exchanged in matches to 7",
        {"rate": lambda f, m=None: f[::-1] if m and m.length == 7 else f},
    ),
    ("players exchanged", {**EXCHANGED, "rules": "gammonview"}),
    ("the Crawford game is left out", {"rows": lambda d: without(d, d.crawford)}),
    ("the first turn of a game is skipped", {"rows": lambda d: without(d, d.turn == 1)}),
    (
        "errors are not normalised to the cube",
        {"rows": lambda d: charged(d, d.error * d.value.clip(lower=1))},
    ),
    (
        "errors are cut to hundredths",
        {"rows": lambda d: charged(d, np.floor(d.error * 100 + 1e-6) / 100)},
    ),
    ("players exchanged and PR per 1000", {"rate": lambda f: scaled(f[::-1], "pr", 2)}),
    ("another match equity table", {"table": "woolsey"}),
    (
        "luck of the other player",
        {"rate": lambda f: with_one(f, "luck.equity", lambda own, their: their["luck.equity"])},
    ),
    ("resignations cost nothing", {"rows": lambda d: d[d.kind < 6]}),
    (
        "takes and passes charged to the doubler",
        {"rows": lambda d: d.assign(player=d.player ^ (d.kind.isin([T, X]) & (d.error > 0)))},
    ),
    ("passes do not count", {"rows": lambda d: d.assign(counted=d.counted.mask(d.kind == X, 0))}),
    (
        "a double that was taken is one decision",
        {"rows": lambda d: d.assign(counted=d.counted.mask(taken(d), 0))},
    ),
    ("losses are fractions", {"rate": lambda f: scaled(f, "mwc", 0.01)}),
    (
        "checker PR over all decisions",
        {
            "rate": lambda f: with_one(
                f,
                "checker_pr",
                lambda own, _: 500 * own["equity_error.checker"] / max(own["decisions.counted"], 1),
            )
        },
    ),
    (
        "PR is the mean of its parts",
        {
            "rate": lambda f: with_one(
                f, "pr", lambda own, _: (own["checker_pr"] + own["cube_pr"]) / 2
            ),
            "prints": RATES,
        },
    ),
    ("rates are means of the games", {"whole": by_game}),
    ("figures of the match before", {"keeps": lambda now, before: (before or [now])[-1]}),
    (
        "luck adds up from match to match",
        {
            "keeps": lambda now, before: [
                own | {"luck.equity": own["luck.equity"] + sum(b[s]["luck.equity"] for b in before)}
                for s, own in enumerate(now)
            ]
        },
    ),
    (
        "Snowie's rate over a player's own moves",
        {
            "rate": lambda f: with_one(
                f,
                "snowie_er",
                lambda own, _: 500 * own["equity_error.total"] / max(own["moves.total"], 1),
            ),
            "prints": RATES,
        },
    ),
    ("dances are no moves", {"rows": lambda d: d[~((d.kind == P) & (d.moved == 0))]}),
    (
        "errors under 0.02 are nothing",
        {"rows": lambda d: charged(d, d.error.mask(d.error < 0.02, 0)), "rules": "blunderdb"},
    ),
    (
        "doublets count twice",
        {"rows": lambda d: pd.concat([d, d[d.doublet].assign(rolled=False, luck=0)])},
    ),
    ("no error is over 0.2", {"rows": lambda d: charged(d, d.error.clip(upper=0.2))}),
    (
        "the last game is lost and luck has the other sign",
        {"rows": lambda d: d[~d["last"]].assign(luck=-d.luck)},
    ),
    (
        "close below 0.25 and forced plays count",
        {
            "rows": lambda d: closed(d, 0.25).assign(
                counted=lambda e: e.counted.mask((e.kind == P) & (e.legal == 1) & (e.moved == 1), 1)
            )
        },
    ),
    (
        "both players together",
        {
            "rate": lambda f: (
                with_one(
                    with_one(
                        f,
                        "equity_error.total",
                        lambda o, t: o["equity_error.total"] + t["equity_error.total"],
                    ),
                    "decisions.counted",
                    lambda o, t: o["decisions.counted"] + t["decisions.counted"],
                )[:1]
                * 2
            )
        },
    ),
    (
        "doubles and takes stand in each other's columns",
        {
            "rate": lambda f: [
                own
                | {
                    f"{n}.{a}": own[f"{n}.{b}"]
                    for n in ("decisions", "equity_error", "mwc_loss_percent")
                    for a, b in (("double", "take"), ("take", "double"))
                }
                for own in f
            ]
        },
    ),
    ("games that were lost count alone", {"rows": lambda d: without(d, d.won), "prints": FEW}),
    (
        "no cube decisions after the Crawford game",
        {"rows": lambda d: without(d, d.late & (d.kind != P)), "rules": "gammonview"},
    ),
    (
        "turns over 20 are not read, PR is cut to a digit",
        {
            "rows": lambda d: d[d.turn <= 20],
            "rate": lambda f: with_one(f, "pr", lambda o, _: np.floor(10 * o["pr"]) / 10),
        },
    ),
    ("a turn is one decision", {"rows": lambda d: once_a_turn(d, "counted")}),
    ("only the larger error of a turn costs", {"rows": lambda d: once_a_turn(d, "error")}),
    ("the opening has no errors", {"rows": lambda d: charged(d, d.error.mask(d.turn <= 4, 0))}),
    ("luck without doublets", {"rows": lambda d: d.assign(luck=d.luck.mask(d.doublet, 0))}),
    (
        "luck without forced plays",
        {
            "rows": lambda d: d.assign(luck=d.luck.mask((d.kind == P) & (d.legal == 1), 0)),
            "prints": FEW,
        },
    ),
    (
        "PR over rolls",
        {
            "rate": lambda f: with_one(
                f, "pr", lambda o, _: 500 * o["equity_error.total"] / max(o["moves.total"], 1)
            )
        },
    ),
    (
        "losses are rounded to percents, one by one",
        {"rows": lambda d: d.assign(loss=d.loss.round(2)), "prints": RATES},
    ),
    (
        "errors of no-doubles are forgotten",
        {"rows": lambda d: charged(d, d.error.mask(d.kind == N, 0)), "rules": "blunderdb"},
    ),
    ("equity in thousandths", {"rate": lambda f: scaled(f, "equity_error", 1000)}),
    (
        "games are counted from the second on",
        {"rows": lambda d: d[d.game > 0], "rules": "gammonview"},
    ),
]


def answer(number, path, before):
    """The printed figures of both players of a file."""
    fault, match = FAULTS[number][1], load_match(path)
    rules = RULE_SETS[fault["rules"]] if "rules" in fault else own_rules(match)
    rules = rules.for_match(match)[0]
    rows = fault.get("rows", lambda d: d)(decisions(match, rules, fault.get("table")))
    figures = fault.get("whole", both)(rows, match, rules)
    rate = fault.get("rate", lambda f: f)
    figures = rate(figures, match) if rate.__defaults__ else rate(figures)
    kept = fault.get("keeps", lambda now, earlier: now)(figures, before)
    before.append(figures)
    return {
        name: {
            key: None if np.isnan(own[key]) else f"{own[key]:.{DIGITS[key]}f}"
            for key in fault.get("prints", DIGITS)
        }
        for name, own in zip(match.players, kept, strict=True)
    }


def main(number, claimed=None):
    """Answer a harness; by default a program claims no rules but those it takes otherwise."""
    before: list[Any] = []
    start = {"protocol": 1, "program": f"prog-{number}", "version": "1", "formats": ["xg"]}
    start |= {"figures": list(FAULTS[number][1].get("prints", DIGITS))}
    if rules := claimed or FAULTS[number][1].get("rules"):
        start["rules"] = rules
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["cmd"] == "stop":
            return
        said = start
        if asked["cmd"] != "start":
            said = {"id": asked["id"], "players": answer(number, asked["path"], before)}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
