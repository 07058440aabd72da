"""Figures as a sentence names them: `PR 7.16 (0.07 less) and 104 decisions`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tests.oracles.stories.forms import shows, value

CLASSES = {
    "": "total",
    " (checker plays)": "checker",
    " (doubles and no-doubles)": "double",
    " (takes and passes)": "take",
}
WORDS = {
    "PR of checker plays": "checker_pr",
    "PR of cube decisions": "cube_pr",
    "PR": "pr",
    "error rate (mEMG)": "error_rate_memg",
    "Snowie error rate (halved)": "snowie_er",
    "Snowie error rate": "snowie_memg",
    "checker decisions": "decisions.checker",
    "double decisions": "decisions.double",
    "takes and passes": "decisions.take",
    "decisions": "decisions.counted",
    "checker decision": "decisions.checker",
    "double decision": "decisions.double",
    "take or pass": "decisions.take",
    "decision": "decisions.counted",
    **{f"equity lost{words}": f"equity_error.{name}" for words, name in CLASSES.items()},
    **{f"MWC lost{words}": f"mwc_loss_percent.{name}" for words, name in CLASSES.items()},
}
"""By what a sentence calls it, the name of a figure that depends on rules."""
NUMBER = r"-?\d[\d,]*(?:\.\d+)?"
NAMES = "|".join(re.escape(words) for words in sorted(WORDS, key=len, reverse=True))
FIGURE = re.compile(
    rf"(?:(?P<after>(?i:{NAMES})) (?P<number>{NUMBER})|(?P<count>{NUMBER}) (?P<before>(?i:{NAMES}))|no (?P<none>(?i:{NAMES})))"
    rf"(?: \((?P<distance>{NUMBER} (?:less|more)|the same)\))?"
)
MORE = re.compile(r"(\d+) more figures?")
SHORT = {
    "decisions.counted": "decisions",
    "equity_error.total": "equity_error",
    "mwc_loss_percent.total": "mwc_loss_percent",
}
LOWER = {words.lower(): name for words, name in WORDS.items()}


@dataclass(frozen=True)
class Figure:
    """A figure that a sentence names."""

    metric: str
    text: str
    """As it stands there; empty where it is said that there is none."""
    distance: str

    def wrong(
        self, known: Mapping[str, float | None], reported: Mapping[str, str]
    ) -> Iterator[str]:
        """Where it is not this value, or not so far from what was reported."""
        number = known.get(self.metric)
        if not self.text:
            if number is not None:
                yield f"{self.metric} is {number}"
            return
        if not shows(self.text, number):
            yield f"{self.metric} is {number}, not {self.text}"
        given = reported.get(self.metric, reported.get(SHORT.get(self.metric, "")))
        if self.distance and given is not None:
            gap = value(self.text) - abs(value(given))
            words = "the same" if not gap else f"{abs(gap)} {'less' if gap < 0 else 'more'}"
            if words != self.distance:
                yield f"{self.metric} is {words} than reported"


def figures_in(text: str) -> tuple[list[Figure], int] | None:
    """The figures of an enumeration, and how many more are only counted; `None` where it is no enumeration of figures."""
    found, more, at = [], 0, 0
    while at < len(text):
        one, others = FIGURE.match(text, at), MORE.match(text, at)
        if others is not None:
            more, at = int(others[1]), others.end()
        elif one is not None:
            metric = LOWER[(one["after"] or one["before"] or one["none"]).lower()]
            found.append(Figure(metric, one["number"] or one["count"] or "", one["distance"] or ""))
            at = one.end()
        else:
            return None
        separator = re.compile(r", | and |$").match(text, at)
        if separator is None:
            return None
        at = max(separator.end(), at + (separator.end() == at and at < len(text)))
    return found, more
