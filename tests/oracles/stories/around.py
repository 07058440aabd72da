"""Sentences of a comparison that say what else is known: how large such a gap usually is, and the range of a rule that nobody knows."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.oracles.stories.compared import CLOSE, Compared, Document, short
from tests.oracles.stories.forms import Form, Said, shows
from tests.support.data import PROJECT

MEASURED = PROJECT / "reconcile/gap/usual_gaps.json"
FEWEST = 4
"""Gaps below which the program says nothing of what is usual."""
UNKNOWN = {
    "Q03": "which no-doubles of the losing side {} counts",
    "Q07": "whether {} counts the errors of resignations",
    "Q09": "whether {} multiplies the PR of a one-point match",
}
DECIDING = {
    "double decisions": "decisions.double",
    "doubles": "decisions.double",
    "checker plays": "decisions.checker",
    "takes": "decisions.take",
    "equity lost": "equity_error.total",
    "pr": "pr",
}


@cache
def measured() -> list[dict[str, Any]]:
    """The gaps that were measured, as the program has them."""
    found: list[dict[str, Any]] = json.loads(MEASURED.read_text("utf-8"))["pairs"]
    return found


def depth(side: Document) -> float | None:
    """How many plies a side's usual analysis looks beyond the play; `None` where its level is no number of plies."""
    found = re.match(r"(\d+)-ply", str(side["level"]))
    if found is None or side["tool"] not in ("GNU Backgammon", "eXtreme Gammon"):
        return None
    return float(found[1]) - (side["tool"] == "eXtreme Gammon")


def gaps_between(left: Document, right: Document) -> list[float]:
    """The measured gaps of two such analyses."""
    wanted = sorted([(left["tool"], depth(left)), (right["tool"], depth(right))], key=str)
    for one in measured():
        if sorted(zip(one["tools"], one["lookahead"], strict=True), key=str) == wanted:
            return list(one["gaps"])
    return []


def called(side: Document) -> str:
    """A side with its level."""
    level = str(side["level"]).split(", ")[0].removesuffix(" cubeful")
    return f"{short(side['tool'])} {level}".strip()


def usual_gap(facts: Compared, said: Said) -> Iterator[str]:
    """How many such gaps were measured, their mean, and how many are smaller than each of these."""
    left, right = facts.document["left"], facts.document["right"]
    if (said["left"], said["right"]) != (called(left), called(right)):
        yield f"the sides are {called(left)} and {called(right)}"
    own = [abs(one["gap"]) for one in facts.document["figures"] if one["metric"] == "pr" and one["gap"] is not None and not one["coverage"]]
    every = gaps_between(left, right)
    rest = [gap for gap in every if not any(abs(gap - one) <= CLOSE for one in own)]
    measured_here = len(every) - len(rest) == len(own) and any(own)
    gaps = rest if measured_here else every
    if bool(said["other"]) != measured_here or not shows(said["count"], len(gaps)):
        yield f"{len(gaps)} were measured, this match among them: {measured_here}"
    if not gaps:
        return
    if not shows(said["mean"], sum(gaps) / len(gaps)):
        yield f"their mean is {sum(gaps) / len(gaps)}"
    for clause in said.clauses:
        gap = abs(facts.figure("pr", clause["player"])["gap"])
        smaller = sum(one < gap for one in gaps)
        if not shows(clause["gap"], gap):
            yield f"the gap of {clause['player']} is {gap}"
        if clause["number"] != ("all" if smaller == len(gaps) else str(smaller or "none")):
            yield f"{smaller} of {len(gaps)} are smaller"


def _no_claim(_: Compared, __: Said) -> None:
    """Judged by the sentence around it."""


def open_rule(facts: Compared, said: Said) -> Iterator[str]:
    """The range of a PR of the comparison, which rule is not known, and which figure would decide."""
    ranges = []
    for side in ("left", "right"):
        for player in facts.names.players:
            figures = {
                one["metric"]: one[f"{side}_range"]
                for one in facts.document["figures"]
                if one["player"] == player and f"{side}_range" in one
            }
            if "pr" in figures and said.names(player, "player"):
                ranges.append((short(facts.document[side]["tool"]), figures))
    yield from open_rule_of(ranges, said)


def open_rule_of(ranges: list[tuple[str, dict[str, list[float]]]], said: Said) -> Iterator[str]:
    """The claims about a range; `ranges` are those of the player, by tool: figure by figure the lowest and the highest."""
    fitting = [
        found
        for tool, found in ranges
        if tool == said["tool"] and shows(said["low"], found["pr"][0]) and shows(said["high"], found["pr"][1])
    ]
    if said["why"] not in {known.format(said["tool"]) for known in UNKNOWN.values()}:
        yield "no such rule is open"
    values = [one["value"] for one in said.clauses]
    metric = DECIDING.get(said["deciding"], said["deciding"])
    if not fitting:
        yield f"the ranges are {[(tool, found['pr']) for tool, found in ranges]}"
    elif not any(all(any(shows(one, end) for one in values) for end in found.get(metric, (None, None))) for found in fitting):
        yield f"it is {[found.get(metric) for found in fitting]}"


OPEN_RULE = (
    "PR of <player:text> is <low:number> to <high:number>: <why:text> is not known. "
    "<tool:text>'s window decides it by its <deciding:text>: <clauses:rest>.",
    (Form("<value:number>", _no_claim),),
)
AROUND = (
    Form(
        "In <count:count><other: other|> player-matches of <left:text> against <right:text> the gap was <mean:number> on average; <clauses:rest>.",
        usual_gap,
        (Form("the <gap:number> of <player:player> is larger than <number:text> of them", _no_claim),),
    ),
    Form(OPEN_RULE[0], open_rule, OPEN_RULE[1]),
)
