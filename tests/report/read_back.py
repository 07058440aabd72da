"""Forms of a result read back: the rows of a table, and the numbers in them as they are printed."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from html import unescape
from typing import Any, Final

import pytest

from reconcile.report.forms import in_form
from reconcile.scoring.metrics import METRICS

STEPS: Final = {
    "reported-left": "reporting, left", "coverage-left": "coverage, left", "engine": "analysis", "coverage-right": "coverage, right",
    "reported-right": "reporting, right",
}  # fmt: skip
SHARES: Final = {
    "rules": "counting rules",
    "engine": "analysis",
    "coverage": "coverage",
    "reporting": "reporting",
}
"""What every form calls a step, and a share of a gap."""
UNKNOWN: Final = "–"


class Terminal(io.StringIO):
    """A stream that is taken for a terminal."""

    def isatty(self) -> bool:
        return True


@dataclass(frozen=True)
class Printed:
    """A number as a form prints it."""

    value: float | None
    half: float
    """Half of its last digit."""
    ends: tuple[float, ...] = ()

    def is_that(self, value: float | None, ends: list[float] | None = None) -> bool:
        """Whether it is the number of the document, and its range."""
        if value is None or self.value is None:
            return value is None and self.value is None
        near = abs(self.value - value) <= self.half + 1e-9
        return near and self.ends == pytest.approx(tuple(ends or ()), abs=self.half + 1e-9)


def printed(text: str) -> Printed:
    """`-1.26`, `6.51 (6.51 to 6.75)` or a dash."""
    text = text.strip().replace("−", "-").replace(UNKNOWN, "-")
    if text in ("-", ""):
        return Printed(None, 0.0)
    first, *ends = (one for one in re.findall(r"[+-]?\d+(?:\.\d+)?", text))
    return Printed(
        float(first), 0.5 * 10.0 ** -len(first.partition(".")[2]), tuple(map(float, ends))
    )


def terminal(result: object) -> str:
    stream = Terminal()
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", "200")
        in_form(result, "terminal", stream)
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())


def plain_markdown(text: str) -> str:
    return re.sub(
        r"`(XGID=[^`]+)`", r"\1", unescape(re.sub(r"\\(.)", r"\1", text)).replace("**", "")
    )


def title(metric: str) -> str:
    """What every form calls a figure or a share of a gap."""
    name, _, share = metric.partition("@")
    name = {one.replace("decisions.counted", "decisions"): one for one in METRICS}.get(name, name)
    full = next(one for one in (name, f"{name}.total", f"{name}.counted") if one in METRICS)
    return METRICS[full].title + (f", {SHARES[share]}" if share else "")


NUMBER: Final = r"(-|[+-]?\d+(?:\.\d+)?(?: \([^)]*\))?)"


def rows(text: str, figures: list[Any]) -> list[tuple[str, str, list[Printed], str]]:
    """The rows of the table of judged figures in a form: title, player, numbers and verdict."""
    lines = text.replace("−", "-").replace(UNKNOWN, "-").replace("ℹ️ ", "").splitlines()
    start = next(
        index
        for index, line in enumerate(lines)
        if "allowed" in line and "verdict" in line and "Figure" in line
    )
    known = sorted(
        {(title(one["metric"]), one["player"].replace(UNKNOWN, "-")) for one in figures},
        key=lambda one: -len("".join(one)),
    )
    found: list[tuple[str, str, list[Printed], str]] = []
    for line in lines[start + 1 :]:
        cells = " ".join(re.sub(r"[│┃|]", " ", line).split())
        if not re.search(r"[a-z]", cells, re.IGNORECASE):
            if found:
                break
            continue
        name, player = next((a, b) for a, b in known if cells.startswith(f"{a} {b} "))
        rest = re.fullmatch(
            rf" {NUMBER} {NUMBER} {NUMBER} {NUMBER} (.*)", cells.removeprefix(f"{name} {player}")
        )
        assert rest is not None, cells
        verdict = re.sub(r"^[^a-z]+", "", rest[5]).partition(",")[0].removesuffix(" (warning)")
        found.append((name, player, [printed(rest[index]) for index in range(1, 5)], verdict))
    return found
