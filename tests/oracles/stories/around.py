"""Sentences of a comparison that are about no part of a gap: what is not analysed or differs, what is usual, what nobody knows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from tests.oracles.stories.compared import CLOSE, Compared, Document, is_shallow, lookahead, short
from tests.oracles.stories.forms import Form, Said, capital, shows
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


def gaps_between(left: Document, right: Document) -> list[float]:
    """The measured gaps of two such analyses."""
    wanted = sorted([(left["tool"], lookahead(left)), (right["tool"], lookahead(right))], key=str)
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
    own = [
        abs(one["gap"])
        for one in facts.document["figures"]
        if one["metric"] == "pr" and one["gap"] is not None and not one["coverage"]
    ]
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
        if tool == said["tool"]
        and shows(said["low"], found["pr"][0])
        and shows(said["high"], found["pr"][1])
    ]
    if said["why"] not in {known.format(said["tool"]) for known in UNKNOWN.values()}:
        yield "no such rule is open"
    values = [one["value"] for one in said.clauses]
    metric = DECIDING.get(said["deciding"], said["deciding"])
    if not fitting:
        yield f"the ranges are {[(tool, found['pr']) for tool, found in ranges]}"
    elif not any(
        all(any(shows(one, end) for one in values) for end in found.get(metric, (None, None)))
        for found in fitting
    ):
        yield f"it is {[found.get(metric) for found in fitting]}"


def not_all_analysed(facts: Compared, said: Said) -> Iterator[str]:
    """That a side has not analysed everything."""
    yield from facts.begin(said["player"])
    wanted = [(facts.sides[side == "right"], part) for side, part in facts.missing()]
    if [(clause["whose"], clause["part"]) for clause in said.clauses] != [
        (name, part) for name, part in wanted
    ]:
        yield f"not analysed: {wanted}"


def no_pr(facts: Compared, said: Said) -> Iterator[str]:
    """That a side gives no PR."""
    yield from facts.begin(said["player"])
    absent = [
        name
        for name, end in zip(facts.sides, ("from", "to"), strict=True)
        if facts.bridge()[end] is None
    ]
    if [capital(name) for name in absent] != [capital(one["whose"]) for one in said.clauses]:
        yield f"without a PR: {absent}"


def checker_plays(facts: Compared, said: Said) -> Iterator[str]:
    """The PRs of checker plays where those of the match do not compare."""
    figure = facts.figure("checker_pr")
    for side in ("left", "right"):
        if said[side] not in (facts.sides[side == "right"], capital(facts.sides[side == "right"])):
            yield f"the {side} side is {facts.sides[side == 'right']}"
        if not shows(said[f"{side}_pr"], figure[side]):
            yield f"the {side} one is {figure[side]}"
    if figure["coverage"]:
        yield f"it is not complete: {figure['coverage']}"


def not_the_same_match(facts: Compared, said: Said) -> Iterator[str]:
    """That the transcripts differ, how often, and where first."""
    transcript = facts.document["transcript"]
    differences = transcript["differences"]
    if transcript["same"] or not differences:
        yield "they are the same"
        return
    if not shows(said["count"], len(differences)):
        yield f"there are {len(differences)}"
    place = tuple(one for one in (differences[0]["game"], differences[0]["turn"]) if one)
    if said.place("place") != place or said["what"] != differences[0]["what"]:
        yield f"the first is {differences[0]}"


def shallow(facts: Compared, said: Said) -> Iterator[str]:
    """Whose analysis does not look ahead."""
    wanted = [
        name
        for name, one in zip(facts.sides, ("left", "right"), strict=True)
        if is_shallow(facts.document[one])
    ]
    if [one["whose"] for one in said.clauses] != wanted:
        yield f"shallow are {wanted}"


def seats(facts: Compared, said: Said) -> Iterator[str]:
    """That a file has the players in the other order."""
    if said["who"] not in (facts.sides[1], capital(facts.sides[1])):
        yield f"the right side is {facts.sides[1]}"
    by = {"name": "name", "transcript": "their rolls"}.get(
        facts.document["transcript"]["players_matched_by"], "their rolls"
    )
    if said["how"] != by:
        yield f"they were matched by {by}"


OPEN_RULE = (
    "PR of <player:text> is <low:number> to <high:number>: <why:text> is not known. "
    "<tool:text>'s window decides it by its <deciding:text>: <clauses:rest>.",
    (Form("<value:number>", _no_claim),),
)
AROUND = (
    Form(
        "In <count:count><other: other|> player-matches of <left:text> against <right:text> the gap was <mean:number> "
        "on average; <clauses:rest>.",
        usual_gap,
        (
            Form(
                "the <gap:number> of <player:player> is larger than <number:text> of them",
                _no_claim,
            ),
        ),
    ),
    Form(
        "<clauses:rest> of <player:player>, so the two PRs do not compare.",
        not_all_analysed,
        (Form("<whose:side> analysed only <part:text>", _no_claim),),
    ),
    Form(
        "<clauses:rest> <verb:gives|give> no PR of <player:player>.",
        no_pr,
        (Form("<whose:side>", _no_claim),),
    ),
    Form(
        "In checker plays, which both analysed: <left:side> <left_pr:number>, <right:side> <right_pr:number>.",
        checker_plays,
    ),
    Form(
        "The two files are not quite the same match: <count:count> difference(s), the first in <place:place> (<what:text>).",
        not_the_same_match,
    ),
    Form(
        "The analysis by <clauses:rest> is shallow: it does not look beyond the play itself.",
        shallow,
        (Form("<whose:side>", _no_claim),),
    ),
    Form(
        "<who:Side> has the players in the other order; they were matched by <how:name|their rolls>.",
        seats,
    ),
    Form(OPEN_RULE[0], open_rule, OPEN_RULE[1]),
)
