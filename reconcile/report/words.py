"""The words of a report that more than one output needs: names of files, of the steps of a bridge,
of kinds and verdicts."""

from __future__ import annotations

from typing import Final

from reconcile.errors import last_part
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import OPEN, OUTSIDE, UNGATED, Figure
from reconcile.gap.walk import Bridge
from reconcile.match.columns import Kind
from reconcile.report import numbers
from reconcile.wording import one_line

STEPS: Final[dict[str, tuple[str, str]]] = {
    "reported-left": ("reporting", "left"),
    "coverage-left": ("coverage", "left"),
    "engine": ("analysis", ""),
    "coverage-right": ("coverage", "right"),
    "reported-right": ("reporting", "right"),
}
"""The steps that are no rules: name and side."""

KINDS: Final = {kind: kind.noun for kind in Kind} | {
    Kind.PLAY: "checker play",
    Kind.NO_DOUBLE: "no double",
}
"""What reports call the kinds of decision."""
WHY_OPEN: Final = "since a rule is not known"
"""Why a figure is a range and its verdict open."""
NOT_PLAYED: Final = "not played, the game had ended"
"""What was done with a roll that the game did not wait for."""


def file_name(path: str) -> str:
    """The last part of a path, with the separators of any system, so that no report shows a user's
    folders."""
    return one_line(last_part(path) or path)


def match_title(comparison: Comparison) -> str:
    """Who played, under the left file's names."""
    first, second = comparison.left.players
    return f"{first} \N{EN DASH} {second}"


def length_text(length: int | None) -> str:
    """How long the match was."""
    return "money session" if length is None else f"{length}-point match"


def step_name(code: str) -> str:
    """A step's short name: the question's code for a rule."""
    return ", ".join(filter(None, STEPS[code])) if code in STEPS else code


def step_label(code: str) -> str:
    """The same where there is little room, with a letter for the side."""
    name, side = STEPS.get(code, (code, ""))
    return f"{name} {side[:1].upper()}".rstrip()


def bridge_of(comparison: Comparison, figure: Figure) -> Bridge | None:
    """The bridge of a figure, where there is one."""
    return next(
        (
            bridge
            for bridge in comparison.bridges
            if (bridge.player, bridge.metric) == (figure.player, figure.metric)
        ),
        None,
    )


def verdict_word(verdict: str) -> str:
    """The word for the verdict of a figure: its own, but for one that nothing judges."""
    return "not judged" if verdict == UNGATED else verdict


def verdict_words(figure: Figure, word: str) -> str:
    """The word for a figure's verdict with what it leaves out: `within, known gap +0.05`."""
    return (
        word
        if figure.known_gap is None
        else f"{word}, known gap {numbers.change(figure.metric, figure.known_gap)}"
    )


def judgement(figure: Figure) -> tuple[str, str]:
    """A verdict as pages show it: the name of its badge (`warned` for a gap that is a warning only)
    and its words."""
    if figure.verdict == OUTSIDE and figure.level == "warn":
        return "warned", verdict_words(figure, "outside (warning)")
    if figure.verdict == OPEN:
        return "warned", verdict_words(figure, OPEN)
    return figure.verdict, verdict_words(figure, verdict_word(figure.verdict))
