"""Forms of a result read back: the rows of a table, and the numbers in them as they are printed."""

import io
import re
from dataclasses import dataclass
from html import unescape

import pytest

from reconcile.scoring.metrics import METRICS

STEPS = {
    "reported-left": "reporting, left", "coverage-left": "coverage, left", "engine": "analysis",
    "coverage-right": "coverage, right", "reported-right": "reporting, right",
}  # fmt: skip
SHARES = {
    "rules": "counting rules",
    "engine": "analysis",
    "coverage": "coverage",
    "reporting": "reporting",
}
"""What every form calls a step, and a share of a gap."""
UNKNOWN = "–"


class Terminal(io.StringIO):
    """A stream that is taken for a terminal."""

    def isatty(self):
        return True


@dataclass(frozen=True)
class Printed:
    """A number as a form prints it."""

    value: float | None
    half: float
    """Half of its last digit."""
    ends: tuple[float, ...] = ()

    def is_that(self, value, ends=None):
        """Whether it is the number of the document, and its range."""
        if value is None or self.value is None:
            return value is None and self.value is None
        near = abs(self.value - value) <= self.half + 1e-9
        return near and self.ends == pytest.approx(tuple(ends or ()), abs=self.half + 1e-9)


def printed(text):
    """`-1.26`, `6.51 (6.51 to 6.75)` or a dash."""
    text = text.strip().replace("−", "-").replace(UNKNOWN, "-")
    if text in ("-", ""):
        return Printed(None, 0.0)
    first, *ends = (number for number in re.findall(r"[+-]?\d+(?:\.\d+)?", text))
    return Printed(
        float(first), 0.5 * 10.0 ** -len(first.partition(".")[2]), tuple(map(float, ends))
    )


def plain_markdown(text):
    return re.sub(
        r"`(XGID=[^`]+)`", r"\1", unescape(re.sub(r"\\(.)", r"\1", text)).replace("**", "")
    )


def title(metric):
    """What every form calls a figure or a share of a gap."""
    name, _, share = metric.partition("@")
    counts = {key.replace("decisions.counted", "decisions"): key for key in METRICS}
    name = counts.get(name, name)
    full = next(key for key in (name, f"{name}.total", f"{name}.counted") if key in METRICS)
    return METRICS[full].title + (f", {SHARES[share]}" if share else "")
