"""Twenty-seven programs that are right: three ways of adding up and nine of printing.

`added_up`: in double precision, in single precision one decision after the other, in single
precision game by game. What they print are the figures of `FIGURES`, under the rules of the tool.
"""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import numpy as np

from reconcile.rules.rulesets import own_rules
from tests.gate.wrong_programs import CLASSES, PLAY, decisions


def double(values, _games):
    return float(np.sum(values))


def single(values, _games):
    total = np.float32(0)
    for value in values:
        total += np.float32(value)
    return total


def single_by_game(values, games):
    total = np.float32(0)
    for game in np.unique(games):
        total += single(values[games == game], games)
    return total


ADDING = {"double": double, "single": single, "single by game": single_by_game}


def rounded(mode, digits):
    return lambda value: str(Decimal(str(value)).quantize(Decimal(1).scaleb(-digits), mode))


def negative(value):
    """A loss as some programs print it."""
    return f"\N{MINUS SIGN}{value:.3f}"


PRINTING = {
    "all digits": float,
    "all digits as text": lambda value: repr(value.item() if hasattr(value, "item") else value),
    "shortest of its precision": str,
    "%.6g": lambda value: f"{value:.6g}",
    "%.7g": lambda value: float(f"{value:.7g}"),
    "%.9f": lambda value: f"{value:.9f}",
    "half up": rounded(ROUND_HALF_UP, 2),
    "half even": rounded(ROUND_HALF_EVEN, 3),
    "minus signs": negative,
}


def printed(match, adding, printing):
    """What a program prints of a match, by player."""
    rules = own_rules(match).for_match(match)[0]
    rows, add, show = decisions(match, rules), ADDING[adding], PRINTING[printing]
    rolls = ((rows.kind == PLAY) & rows.rolled).sum()
    both: dict[str, dict[str, int | str | None]] = {}
    for seat, name in enumerate(match.players):
        own = rows[rows.player == seat]
        games, number = own.game.to_numpy(), int(own.counted.sum())
        lost = add(own.error.to_numpy(), games)
        kind = type(lost)
        figures = {
            "equity_error.total": lost,
            "pr": kind(500) * lost / kind(number),
            "error_rate_memg": kind(1000) * lost / kind(number),
            "snowie_er": kind(500) * lost / kind(rolls),
        }
        for part, kinds in CLASSES.items():
            among = own.kind.isin(kinds)
            figures[f"equity_error.{part}"] = add(own.error[among].to_numpy(), games[among])
        if match.length:
            chance = add(own.loss.to_numpy(), games)
            figures["mwc_loss_percent.total"] = kind(100) * chance
        both[name] = {"decisions.counted": number}
        both[name] |= {name: show(value) for name, value in figures.items()}
        both[name]["mwc_loss_percent.total"] = both[name].get("mwc_loss_percent.total")
    return both
