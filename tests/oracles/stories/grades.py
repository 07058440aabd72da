"""From which error on a program calls a decision what, written down from the programs' own pages."""

from __future__ import annotations

import struct

GRADES = {
    "xg": ((0.02, "an error"), (0.08, "a blunder")),
    "gnubg": ((0.03, "doubtful"), (0.06, "an error"), (0.12, "a blunder")),
    "bgblitz": ((0.005, "doubtful"), (0.02, "an error"), (0.05, "a blunder")),
    "blunderdb": ((0.05, "an error"), (0.1, "a blunder")),
    "backgammondb": ((0.02, "an error"), (0.08, "a blunder")),
}
"""By rule set."""
AT_THE_BORDER = 1e-6
"""Two equities in single precision make a difference that is off by less."""
ABOVE = ("gnubg",)
"""Rule sets by which an error at the border does not have the grade; they compare in single precision."""


def grade(rules: str, error: float) -> str:
    """What an error is called under a rule set."""
    name = next(
        one
        for one in (rules, rules.split("-")[0], {"gammonview": "backgammondb"}.get(rules, "xg"))
        if one in GRADES
    )
    found = "a slip"
    for border, word in GRADES[name]:
        if single(error) > single(border) if name in ABOVE else error >= border - AT_THE_BORDER:
            found = word
    return found


def is_error(rules: str, error: float) -> bool:
    """Whether it is called an error or worse."""
    return grade(rules, error) in ("an error", "a blunder")


def single(number: float) -> float:
    """A number in single precision."""
    (found,) = struct.unpack("f", struct.pack("f", number))
    return float(found)
