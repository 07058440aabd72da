"""Why a decision moves a figure: every cause has a code, a title and a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from reconcile.rules.rulesets import QUESTIONS


@dataclass(frozen=True, slots=True)
class Cause:
    """One cause of a gap."""

    code: str
    title: str
    page: str


WITHOUT_ARITHMETIC: Final = ("Q08", "Q12")
"""Questions that name or grade figures and change none."""
_CONVERSIONS: Final = {
    "Q09": ("conversion.one-point-factor", "Factor of a one-point match"),
    "Q10": ("conversion.response-cube", "Cube at which a take or pass is weighed"),
    "Q11": ("conversion.met", "Another match equity table"),
    "Q13": ("conversion.cap", "Cap of PR on display"),
}
_PAGES_OF_THEIR_OWN: Final = {
    "Q13": "A PR above 100 is shown as 100 on one side. A capped figure is shared among the decisions in proportion to their errors, so in "
    "any step a decision's share can change although nothing about the decision does. `reconcile explain Q13` has the answers."
}
RULE_CAUSES: Final[Mapping[str, str]] = MappingProxyType(
    {code: _CONVERSIONS[code][0] if code in _CONVERSIONS else f"rule.{code}" for code in QUESTIONS if code not in WITHOUT_ARITHMETIC}
)
"""Question -> cause of the steps that switch it."""

_PAGES: Final = (
    *(
        Cause(
            RULE_CAUSES[code],
            _CONVERSIONS[code][1] if code in _CONVERSIONS else question.title,
            _PAGES_OF_THEIR_OWN.get(code, f"The two rule sets answer {code} differently. `reconcile explain {code}` has the answers."),
        )
        for code, question in QUESTIONS.items()
        if code not in WITHOUT_ARITHMETIC
    ),
    Cause(
        "engine.other-best-move",
        "The engines prefer different plays",
        "The best play of one analysis is not that of the other, so the play made is measured against another one.",
    ),
    Cause(
        "engine.error-size",
        "Same best action, another size of error",
        "Both analyses agree on what was right and differ on what the action taken costs.",
    ),
    Cause(
        "engine.other-cube-verdict",
        "The engines judge the cube differently",
        "One analysis calls for another action than the other in this very decision: double or not for the player on roll, take or pass "
        "for the opponent.",
    ),
    Cause(
        "engine.counting",
        "Counted on one side only",
        "Under the same rule the numbers of the two analyses put the decision on different sides of the border: close on one side "
        "and not on the other, a choice on one side and none on the other.",
    ),
    Cause(
        "engine.level",
        "Another analysis level of the same tool",
        "One tool looked deeper on one side than on the other and came to other numbers.",
    ),
    Cause(
        "engine.not-listed",
        "The play made is not among the candidates",
        "One analysis does not list the play that was made, so its error is unknown there and taken as none.",
    ),
    Cause(
        "engine.error-alone",
        "One side keeps the error alone",
        "A database keeps what a decision cost and not the equities behind it, so nobody can say whether the two analyses prefer the same "
        "action. It keeps whole thousandths: a difference of up to half a thousandth is only their rounding.",
    ),
    Cause(
        "coverage.not-analysed",
        "Analysed on one side only",
        "The other file has the decision without an evaluation.",
    ),
    Cause(
        "coverage.unpaired",
        "Without a partner in the other file",
        "The other file does not have this decision: a turn is missing, or the cube was turned on one side only.",
    ),
    Cause(
        "coverage.not-played",
        "An illegal or unplayed ply",
        "The transcript shows a roll that was never played, or a play that the dice do not allow; the other file lacks it or has it "
        "differently.",
    ),
    Cause(
        "coverage.transcript",
        "The transcripts differ here",
        "The files record different games around this decision.",
    ),
    Cause(
        "rounding",
        "The same numbers up to rounding",
        "Both sides have the same error up to the precision in which files keep equities; what is left is less than a millionth.",
    ),
)
CAUSES: Final[Mapping[str, Cause]] = MappingProxyType({cause.code: cause for cause in _PAGES})
