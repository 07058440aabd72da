"""The verdict of a pack as JSON for shields.io's endpoint badge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from reconcile.files.wording import plural
from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.pack_results import PackResult

if TYPE_CHECKING:
    from reconcile.results.models.pack import Badge

LABEL: Final = "reconcile"


def badge(result: PackResult) -> Badge:
    """Label, message and colour; bright green only if every figure was judged and is within tolerance, red where something failed."""
    summary = result.summary
    judged = summary["within"] + summary["outside"] + summary["open"]
    rest = summary["incomplete"] + summary["not_compared"] + summary["unjudged"]
    color: Literal["brightgreen", "green", "yellow", "red"]
    if result.failed:
        message, color = plural(len(result.failed), "failure"), "red"
    elif summary["outside"]:
        message, color = f"{summary['outside']} of {judged} out of tolerance", "red" if result.verdict == OUTSIDE else "yellow"
    elif summary["open"]:
        message, color = f"{summary['open']} of {judged} open", "yellow"
    else:
        message, color = f"{judged} of {judged} within tolerance", "green" if rest else "brightgreen"
    if rest and not result.failed:
        message += f", {rest} not judged"
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": color, "isError": result.verdict == OUTSIDE}
