"""The sentences of a comparison of several analyses, and what makes each true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracles.stories.around import OPEN_RULE, open_rule_of
from tests.oracles.stories.compared import short
from tests.oracles.stories.forms import Form, Said, shows
from tests.oracles.stories.several import NOISE, SIZE, Several
from tests.oracles.stories.story import spoken

NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
WORTH_NAMING = 0.2
NAMED = 4


def number_word(count: int) -> str:
    """A small number in words."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def where_each_is(facts: Several, said: Said) -> Iterator[str]:
    """The PR of every analysis by its name."""
    yield from facts.begin(said["player"])
    rates = facts.rates(said["player"])
    given = {facts.side(said["first"]): said["first_pr"]} | {
        facts.side(one["whose"]): one["pr"] for one in said.clauses
    }
    yield from _rates(given, rates)
    if set(given) != set(rates):
        yield f"a PR have {[facts.labels[side] for side in rates]}"
    yield from _none_is_outlier(facts, said)


def where_one_is(facts: Several, said: Said) -> Iterator[str]:
    """The PR of the only complete analysis."""
    yield from facts.begin(said["player"])
    rates = facts.rates(said["player"])
    yield from _rates({facts.side(said["first"]): said["first_pr"]}, rates)
    if len(rates) != 1:
        yield f"{len(rates)} have a PR"


def _rates(given: dict[int, str], rates: dict[int, float]) -> Iterator[str]:
    for side, pr in given.items():
        if not shows(pr, rates.get(side)):
            yield f"side {side} has {rates.get(side)}"


def _none_is_outlier(facts: Several, said: Said) -> Iterator[str]:
    outlier = facts.outlier(facts.player)
    if said.has("none") and (outlier is not None or len(facts.rates(facts.player)) < 3):
        yield f"the outlier is {outlier}"
    if not said.has("none") and outlier is None and len(facts.rates(facts.player)) >= 3:
        yield "none is an outlier, and that is not said"


def where_most_are(facts: Several, said: Said) -> Iterator[str]:
    """Between what PRs the analyses are that are not the outlier."""
    yield from facts.begin(said["player"])
    rates, outlier = facts.rates(said["player"]), facts.outlier(said["player"])
    inside = [pr for side, pr in rates.items() if outlier is None or side != outlier.side]
    if said["number"].lower() != number_word(len(inside)):
        yield f"they are {len(inside)}"
    low = said["low"] if said.has("low") else said["one"]
    high = said["high"] if said.has("high") else low
    if not inside or not shows(low, min(inside)) or not shows(high, max(inside)):
        yield f"they are between {min(inside, default=None)} and {max(inside, default=None)}"
    if said.has("apart"):
        if outlier is None or said["apart"] != facts.labels[outlier.side]:
            yield f"the outlier is {outlier}"
        elif not shows(said["apart_pr"], rates[outlier.side]):
            yield f"it has {rates[outlier.side]}"
    elif outlier is not None:
        yield f"the outlier is {outlier} and is not named"
    yield from _none_is_outlier(facts, said)


def none_complete(facts: Several, said: Said) -> Iterator[str]:
    """That no PR compares."""
    yield from facts.begin(said["player"])
    if facts.rates(said["player"]):
        yield f"complete are {facts.rates(said['player'])}"


def the_outlier(facts: Several, said: Said) -> Iterator[str]:
    """Who it is, how far from the median of the others, on how many decisions it is alone, and what makes most of it."""
    facts.outliers_named.append(facts.player)
    outlier, given = facts.outlier(facts.player), facts.document["outlier"][facts.player]
    if outlier is None or facts.labels[outlier.side] != said["name"] or given is None:
        yield f"the outlier is {outlier}"
        return
    ends = sorted((abs(outlier.low), abs(outlier.high)))
    if not shows(said["low"], ends[0]) or not shows(
        said["high"] if said.has("high") else said["low"], ends[1]
    ):
        yield f"it is {ends} away"
    if said["way"] != ("above" if outlier.low > 0 else "below"):
        yield f"it is {outlier.low:+.3f} to {outlier.high:+.3f} away"
    if not shows(said["median"], outlier.median[0]) or not shows(
        said["median_high"] if said.has("median_high") else said["median"], outlier.median[1]
    ):
        yield f"the median is {outlier.median}"
    if min(ends) <= NOISE:
        yield "that is no distance"
    alone = facts.alone(outlier.side, facts.player)
    if said.has("alone"):
        if not shows(said["alone"], given["decisions"]) or given["decisions"] > alone:
            yield f"alone it is on {alone}"
    elif given["decisions"]:
        yield f"it is alone on {given['decisions']}"
    yield from _largest(facts, said)


def _largest(facts: Several, said: Said) -> Iterator[str]:
    given = facts.document["outlier"][facts.player]
    largest = given["largest"]
    if not said.has("place"):
        if largest is not None and abs(largest["change"]) >= WORTH_NAMING * abs(
            given["pr_from_median"]
        ):
            yield f"{largest} makes more than a fifth"
        return
    if (
        largest is None
        or said.place("place") != (largest["game"], largest["turn"])
        or not shows(said["change"], largest["change"])
    ):
        yield f"it is {largest}"
        return
    if said["other"] != facts.labels[largest["against"]]:
        yield f"the gap is that to {facts.labels[largest['against']]}"
    if abs(largest["change"]) < WORTH_NAMING * abs(given["pr_from_median"]):
        yield "that is less than a fifth of the distance"


def shallow_outlier(facts: Several, said: Said) -> Iterator[str]:
    """That the outlier does not look ahead."""
    outlier = facts.outlier(facts.player)
    if outlier is None or not facts.shallow(outlier.side):
        yield f"the outlier is {outlier}"


def left_out(facts: Several, said: Said) -> Iterator[str]:
    """Whose PR is left out, and what is missing there."""
    wanted = {
        facts.labels[side]: missing
        for side in range(len(facts.sides))
        if (missing := facts.missing(side, said["player"]))
    }
    given = {one["whose"]: one["part"] for one in said.clauses}
    if given != wanted:
        yield f"missing is {wanted}"
    if (said["end"] == "its PR is") != (len(wanted) == 1):
        yield f"they are {len(wanted)}"


def disputes(facts: Several, said: Said) -> Iterator[str]:
    """How many decisions are in dispute, for what, and the one with most at stake with what everyone says of it."""
    every, choices = len(facts.disputes), sum(one["dispute"] == "choice" for one in facts.disputes)
    if not shows(said["count"], every):
        yield f"they are {every}"
    if said.has("choices"):
        if not shows(said["choices"], choices) or not shows(said["sizes"], every - choices):
            yield f"on {choices} another choice, on {every - choices} another size"
    elif said.has("only") != (choices == 0):
        yield f"on {choices} another choice"
    elif choices not in (0, every):
        yield f"on {choices} of them another choice"
    for place in ("border", "border_2"):
        if said.has(place) and not shows(said[place], SIZE):
            yield f"the border is {SIZE}"
    for one in facts.disputes:
        best = {verdict["best"] for verdict in one["verdicts"] if verdict["best"]}
        if one["dispute"] == "choice" and len(best) < 2:
            yield f"at {one['game']}, {one['turn']} all want {best}"
        if one["dispute"] == "size" and round(one["at_stake"], 9) < SIZE:
            yield f"at {one['game']}, {one['turn']} the errors are {one['at_stake']} apart"
    first = max(facts.disputes, key=lambda one: one["at_stake"])
    rivals = [one for one in facts.disputes if one["at_stake"] >= first["at_stake"] - 1e-8]
    here = next((one for one in rivals if (one["game"], one["turn"]) == said.place("place")), None)
    if here is None or not shows(said["stake"], here["at_stake"]):
        yield f"most is at stake in {first['game']}, {first['turn']} ({first['at_stake']})"
        return
    yield from _what_each_says(facts, said["says"], here)


def _what_each_says(facts: Several, text: str, dispute: Mapping[str, Any]) -> Iterator[str]:
    verdicts = dispute["verdicts"]
    if dispute["dispute"] == "size":
        charged = [
            f"{one['error']:.3f} by {facts.labels[one['side']]}"
            for one in verdicts
            if one["error"] is not None
        ]
        best = f"they agree on {dispute['majority']}; " if dispute["majority"] else ""
        wanted = f"{best}{dispute['played']} costs {spoken(charged)}"
    else:
        sides: dict[str, list[str]] = {}
        for one in verdicts:
            if one["best"]:
                sides.setdefault(one["best"], []).append(facts.labels[one["side"]])
        wanted = ", ".join(
            f"{spoken(who)} {'prefers' if len(who) == 1 else 'prefer'} {best}"
            for best, who in sides.items()
        )
    if text != wanted:
        yield f"they say: {wanted}"


def no_disputes(facts: Several, said: Said) -> Iterator[str]:
    """That none is in dispute."""
    if facts.disputes:
        yield f"{len(facts.disputes)} are"


def wrong_in_all(facts: Several, said: Said) -> Iterator[str]:
    """How many decisions all call an error."""
    facts.said.add("wrong_in_all")
    if not shows(said["count"], facts.wrong_everywhere()) or not shows(
        said["count"], len(facts.document["agreed_errors"])
    ):
        yield f"they are {facts.wrong_everywhere()}, listed are {len(facts.document['agreed_errors'])}"


def consensus(facts: Several, said: Said) -> Iterator[str]:
    """The PRs of the consensus, and who votes with what."""
    if said["rules"] != facts.document["consensus_rules"]:
        yield f"the rules are {facts.document['consensus_rules']}"
    known = [
        player for player in facts.players if facts.document["consensus"][player]["pr"] is not None
    ]
    wanted = known + [player for player in facts.players if player not in known]
    if [one["player"] for one in said.clauses] != (wanted if known else []):
        yield f"the players are {wanted}"
    for clause in said.clauses:
        player = clause["player"]
        if not clause.has("pr"):
            if player in known:
                yield f"it is {facts.document['consensus'][player]['pr']} for {player}"
            continue
        if not shows(clause["pr"], facts.document["consensus"][player]["pr"]):
            yield f"it is {facts.document['consensus'][player]['pr']} for {player}"
        voters = facts.document["voters"][player]
        shown = ["-" if pr is None else f"{pr:.2f}" for pr in voters["pr"]]
        said_of = [
            f"{facts.labels[side]} {pr}" for side, pr in zip(voters["sides"], shown, strict=True)
        ]
        ending = " vote" if len(said_of) > 1 else " alone votes"
        if clause["voters"] != f"{spoken(said_of)}{ending}":
            yield f"voters are {said_of}"
        rates = [pr for pr in voters["pr"] if pr is not None]
        if len(rates) == 1 and not shows(clause["pr"], rates[0]):
            yield f"the only voter has {rates[0]}"


def consensus_of_nothing(facts: Several, said: Said) -> Iterator[str]:
    """That it gives no PR."""
    if said["rules"] != facts.document["consensus_rules"] or any(
        one["pr"] is not None for one in facts.document["consensus"].values()
    ):
        yield f"it gives {facts.document['consensus']}"


def no_vote(facts: Several, said: Said) -> Iterator[str]:
    """Who has no vote, on whom, and why."""
    side = facts.side(said["whose"])
    players = [one for one in facts.players if not said.has("players") or one in said["players"]]
    for player in players:
        facts.voteless.add((side, player))
        outlier = facts.outlier(player)
        holds = {
            "it is the outlier": outlier is not None and outlier.side == side,
            "its analysis is shallow": facts.shallow(side),
            "another analysis by the same program votes": any(
                facts.sides[one]["tool"] == facts.sides[side]["tool"] and one != side
                for one in facts.document["voters"][player]["sides"]
            ),
        }
        if not holds[said["why"]]:
            yield f"that is not so for {player}"
        if side in facts.document["voters"][player]["sides"]:
            yield f"it votes on {player}"


def repeated(facts: Several, said: Said) -> Iterator[str]:
    """Which files were given before."""
    digests = [(side["sha256"], side["path"].partition("#")[2]) for side in facts.sides]
    wanted = [
        facts.labels[side] for side, one in enumerate(digests) if one[0] and one in digests[:side]
    ]
    if said["files"] != spoken(wanted):
        yield f"they are {wanted}"


def not_in_all(facts: Several, said: Said) -> Iterator[str]:
    """That the transcripts differ."""
    facts.said.add("not_in_all")
    transcript = facts.document["transcript"]
    if transcript["same"]:
        yield "they are the same"
    if not shows(said["inside"], transcript["in_all"]) or not shows(
        said["all"], transcript["decisions"]
    ):
        yield f"in all are {transcript['in_all']} of {transcript['decisions']}"


def open_rule(facts: Several, said: Said) -> Iterator[str]:
    """The range of a PR, of the player the sentences are about."""
    if not said.names(facts.player, "player"):
        yield f"the sentences are about {facts.player}"
    found = [
        (short(side["tool"]), side["range"][facts.player])
        for side in facts.sides
        if "pr" in side.get("range", {}).get(facts.player, {})
    ]
    yield from open_rule_of(found, said)


def _no_claim(_: Several, __: Said) -> None:
    """Judged by the sentence around it."""


NONE = "[[<none:; none of them is an outlier>]]"
APART = "in what the error costs"
SEVERAL = (
    Form(f"<first:side> puts the PR of <player:player> at <first_pr:number>{NONE}.", where_one_is),
    Form(
        f"<first:side> puts the PR of <player:player> at <first_pr:number><between:, | and ><clauses:text>{NONE}.",
        where_each_is,
        (Form("<whose:side> at <pr:number>", _no_claim),),
    ),
    Form(
        "<number:"
        + "|".join(word.capitalize() for word in NUMBERS)
        + "> analyses put the PR of <player:player> "
        f"[[between <low:number> and <high:number>]][[at <one:number>]][[, <apart:side> at <apart_pr:number>]]{NONE}.",
        where_most_are,
    ),
    Form("No analysis of <player:player> is complete, so the PRs do not compare.", none_complete),
    Form(
        "<name:side> is the outlier, <low:number>[[ to <high:number>]] <way:above|below> the median of the others "
        "(<median:number>[[ to <median_high:number>]]); [[it is nowhere alone with its choice]]"
        "[[on <alone:count> decision(s) it is alone with "
        "its choice]][[; <place:place> alone makes <change:signed> of its gap to <other:side>]].",
        the_outlier,
    ),
    Form("Its analysis is shallow: it does not look beyond the play itself.", shallow_outlier),
    Form(
        "<clauses:rest> of <player:player>: <end:its PR is|their PRs are> left out.",
        left_out,
        (Form("<whose:side> analysed only <part:text>", _no_claim),),
    ),
    Form(
        "<count:count> decision(s) <verb:is|are> in dispute"
        f"[[, <only:all|it> only for its size: the analyses agree on the choice and differ by <border:number> or more {APART}]]"
        f"[[: on <choices:count> the analyses prefer another choice, on <sizes:count> "
        f"they agree on it and differ by <border_2:number> or more {APART}]]"
        "; most is at stake in <place:place> (<stake:number>): <says:rest>.",
        disputes,
    ),
    Form("No decision is in dispute.", no_disputes),
    Form("All analyses call <count:count> decision(s) an error.", wrong_in_all),
    Form(
        "The consensus, which is ours and no program's, gives by rules <rules:word> a PR of <clauses:rest>.",
        consensus,
        (
            Form("<pr:number> for <player:player> (<voters:text>)", _no_claim),
            Form("none for <player:player>", _no_claim),
        ),
    ),
    Form(
        "The consensus, which is ours and no program's, gives by rules <rules:word> no PR.",
        consensus_of_nothing,
    ),
    Form(
        "<whose:side> has no vote[[ on <players:text>]]: "
        "<why:it is the outlier|its analysis is shallow|another analysis by the same program votes>.",
        no_vote,
    ),
    Form(OPEN_RULE[0], open_rule, OPEN_RULE[1]),
    Form("<files:text> is a file that was given before.", repeated),
    Form(
        "The files are not quite the same match: <inside:count> of <all:count> decision(s) are in all of them.",
        not_in_all,
    ),
)
