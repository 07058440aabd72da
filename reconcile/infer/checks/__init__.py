"""The ordinary mistakes behind a figure that does not fit, in the order in which they are tried before any combination of rules.

A check looks at the figures that somebody gave for a player and at every figure of the match: of both players, of every game, under
every known rule set. It holds if it accounts for all the given figures and hardly by chance: how many of its alternatives would fit a
number of these digits by accident is estimated first.

To add a check, write a function with `@check` in the module for its kind and list it here; its docstring is its page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from reconcile.document import Document, Key, Text
from reconcile.files.wording import capital
from reconcile.infer.checks import counted, one_decision, printed
from reconcile.infer.checks.check import MOST_ACCIDENTS, MOST_IF_EXPLAINED, SAFE, Check
from reconcile.infer.reported import EXPLORED
from reconcile.infer.run import Case
from reconcile.scoring.metrics import short_metric, short_names

_SHORT: Final = tuple(map(short_metric, EXPLORED))

CHECKS: Final[Mapping[str, Check]] = {
    one.code: one
    for one in (
        printed.other_player,
        printed.one_game,
        printed.factor,
        printed.sign,
        printed.rounding,
        printed.both_players,
        counted.match_as_money,
        counted.money_as_match,
        counted.resignations,
        counted.unanalysed,
        counted.rounded_errors,
        counted.other_tool,
        counted.other_match_equity_table,
        printed.misprint,
        one_decision.missing,
        one_decision.twice,
        counted.level,
    )
}
"""Every check by code, in the order in which they are tried."""
if TYPE_CHECKING:
    CheckCode: TypeAlias = str
else:
    CheckCode = Literal[tuple(CHECKS)]


@dataclass(frozen=True, slots=True)
class HoldingCheck(Document):
    """An ordinary mistake that accounts for the reported figures."""

    code: CheckCode
    """Its code; `reconcile explain CODE` prints its page."""
    sentence: Text
    """What was found."""
    figures: Annotated[
        Mapping[str, float | None], Key(by=short_names, kind=dict[Literal[_SHORT], float | None])
    ]
    """The figures that it accounts for, as this file has them."""


def checks_that_hold(case: Case) -> Iterator[HoldingCheck]:
    """The checks that account for the given figures, in order; none where the file's own rules give them.

    The other player's figure is likelier than another program's; any other mistake is not.
    """
    known = [bool(case.fits(case.figures(name)).all()) for name in case.tables]
    held = False
    for one in CHECKS.values():
        if known[0] or (one.last and (held or any(known))):
            continue
        for rules in list(case.tables)[: 1 if one.own else None]:
            is_open = one is printed.other_player or not any(known)
            most = MOST_ACCIDENTS if rules == case.own and is_open else MOST_IF_EXPLAINED
            fit = one.find(case, rules)
            if fit is not None and fit.accidents <= most:
                values = {
                    wanted.metric: float(value)
                    for wanted, value in zip(case.wanted, fit.values, strict=True)
                }
                chance = " With so few digits this can be chance." if fit.accidents > SAFE else ""
                sentence = f"{capital(fit.sentence)}{chance}"
                yield HoldingCheck(
                    one.code,
                    sentence,
                    {name: value if value == value else None for name, value in values.items()},
                )
                held = True
                break
