"""The sentences of an investigation about an ordinary mistake behind the figures, and what makes each true."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.oracles.stories.figures_in_words import figures_in
from tests.oracles.stories.forms import Form, Said, shows, value
from tests.oracles.stories.investigated import Investigated

FACTORS = {
    "twice": 2.0,
    "half": 0.5,
    "1000 times": 1000.0,
    "a thousandth of": 0.001,
    "100 times": 100.0,
    "a hundredth of": 0.01,
    "a 500th of": 0.002,
}
RATES = {"pr": 500.0, "error_rate_memg": 1000.0}


def _rules(facts: Investigated, said: Said) -> str:
    return said["under"] or facts.own


def _about(facts: Investigated, said: Said) -> Iterator[str]:
    if said.has("player") and said["player"] != facts.document["player"]:
        yield f"it is about {facts.document['player']}"


def other_player(facts: Investigated, said: Said) -> Iterator[str]:
    """That they are the other player's."""
    yield from facts.all_given(said["given"], facts.telling)
    player = facts.document["player"]
    if said["player"] != player or said["other"] == player:
        yield f"the player is {player}"
    theirs = facts.of_player(_rules(facts, said), said["other"], facts.document["game"])
    if not all(facts.fits(theirs, metric) for metric in facts.telling):
        yield f"{said['other']} has {theirs}"
    yield from facts.wrong(said["ours"], facts.known())


def one_game(facts: Investigated, said: Said) -> Iterator[str]:
    """That they are those of a game."""
    yield from _about(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    for number in re.findall(r"\d+", said["games"]):
        theirs = facts.of_player(_rules(facts, said), facts.document["player"], int(number))
        if not all(facts.fits(theirs, metric) for metric in facts.telling):
            yield f"game {number} has {theirs}"
    said["meant"]
    yield from facts.wrong(said["ours"], facts.known())


def factor(facts: Investigated, said: Said) -> Iterator[str]:
    """That a factor is between them."""
    yield from _about(facts, said)
    found = figures_in(said["given"])
    for one in found[0] if found else ():
        ours = facts.known(_rules(facts, said))[one.metric]
        if ours is None or not facts.fits({one.metric: ours * FACTORS[said["factor"]]}, one.metric):
            yield f"{one.metric} is {ours}"
    yield from facts.wrong(said["ours"], facts.known(_rules(facts, said)))
    said["reason"]


def minus_sign(facts: Investigated, said: Said) -> Iterator[str]:
    """That a minus sign only says that it is a loss."""
    yield from _about(facts, said)
    for one in (figures_in(said["given"]) or ([], 0))[0]:
        if not facts.reported[one.metric].startswith("-"):
            yield f"{one.metric} was given as {facts.reported[one.metric]}"
    yield from facts.wrong(said["ours"], facts.known())


def wrong_sign(facts: Investigated, said: Said) -> Iterator[str]:
    """That luck has the wrong sign; the table of what was not searched for has it."""
    yield from _about(facts, said)
    said["given"], said["ours"]


def shortened(facts: Investigated, said: Said) -> Iterator[str]:
    """That a figure was rounded or cut off."""
    yield from _about(facts, said)
    for clause in said.clauses:
        (one,) = figures_in(clause["given"])[0]  # type: ignore[index]
        ours = facts.known()[one.metric]
        if not shows(clause["ours"], ours) or ours is None:
            yield f"{one.metric} is {ours}"
            continue
        decimals = 0 if clause["digits"] == "a whole number" else int(clause["digits"].split()[0])
        cut = int(ours * 10**decimals + 1e-9) / 10**decimals
        wanted = cut if clause["how"] == "cut off" else round(ours, decimals)
        if abs(wanted - abs(float(value(one.text)))) > 1e-9:
            yield f"{ours} {clause['how']} is {wanted}"


def both_players(facts: Investigated, said: Said) -> Iterator[str]:
    """That they are sums over both players, or rates of such sums."""
    yield from facts.all_given(said["given"], facts.telling)
    rules, game = _rules(facts, said), facts.document["game"]
    players = facts.names.players
    both = [facts.of_player(rules, player, game) for player in players]
    sums = {metric: (both[0][metric] or 0.0) + (both[1][metric] or 0.0) for metric in both[0]}
    for name, scale in RATES.items():
        if sums["decisions.counted"]:
            sums[name] = scale * sums["equity_error.total"] / sums["decisions.counted"]
    metrics = [metric for metric in facts.telling if "." in metric or metric in RATES]
    if not all(facts.fits(sums, metric) for metric in metrics):
        yield f"both have {sums}"
    yield from facts.wrong(said["ours"], facts.known(rules))
    other = next(player for player in players if player != facts.document["player"])
    if said["player"] != facts.document["player"] or said["other"] != other:
        yield f"the other player is {other}"
    yield from facts.wrong(said["theirs"], facts.of_player(rules, other, game))


def counted_otherwise(facts: Investigated, said: Said) -> Iterator[str]:
    """That they come out where decisions are counted or added in another way; the check's own figures are the evidence."""
    yield from _about(facts, said)
    yield from _come_out(facts, said)
    yield from facts.wrong(said["ours"], facts.known(_rules(facts, said)))
    said["way"]


def _come_out(facts: Investigated, said: Said) -> Iterator[str]:
    found = figures_in(said["given"])
    rules = facts.known(_rules(facts, said))
    named = [one.metric for one in found[0]] if found else []
    yield from facts.wrong(said["given"], {}, given=True)
    off = [metric for metric in facts.telling if not facts.fits(rules, metric)]
    if found and (set(named) - set(off) or len(named) + found[1] != len(off)):
        yield f"the rules do not give {off}"
    evidence = [one["figures"] for one in facts.document["checks"]]
    if not any(
        all(
            facts.fits({metric: one.get(metric, one.get(metric.removesuffix(".total")))}, metric)
            for metric in named
        )
        for one in evidence
    ):
        yield f"the checks have {evidence}"


def one_decision(facts: Investigated, said: Said) -> Iterator[str]:
    """That a decision is missing or counts twice; for a rate that follows from its error."""
    yield from _about(facts, said)
    yield from _come_out(facts, said)
    rules = facts.known(_rules(facts, said))
    yield from facts.wrong(said["ours"], rules)
    times = -1 if said["way"] == "without one decision" else 1
    for error in re.findall(r"error (\d+\.\d{3})", said["which"]):
        lost, count = rules["equity_error.total"], rules["decisions.counted"]
        if "pr" in facts.telling and lost is not None and count and count + times:
            ends = [
                500 * (lost + times * (float(error) + end)) / (count + times)
                for end in (-0.0005, 0.0005)
            ]
            given = abs(float(value(facts.reported["pr"])))
            digit = 10.0 ** -len(facts.reported["pr"].partition(".")[2])
            if not min(ends) - digit <= given <= max(ends) + digit and not facts.fits(rules, "pr"):
                yield f"with an error of {error} PR is {ends}"


def other_table(facts: Investigated, said: Said) -> Iterator[str]:
    """That they come out with another match equity table."""
    yield from _about(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    evidence = facts.check("other-match-equity-table")
    if not all(facts.fits(evidence, metric) for metric in facts.telling):
        yield f"the check has {evidence}"
    yield from facts.wrong(said["ours"], facts.known())
    said["tables"], said["met"]


def misprint(facts: Investigated, said: Said) -> Iterator[str]:
    """That one figure is a digit off and all others are those of the file."""
    yield from _about(facts, said)
    fitting = [metric for metric in facts.telling if facts.fits(facts.known(), metric)]
    yield from facts.all_given(said["others"], fitting)
    yield from facts.all_given(
        said["given"], [metric for metric in facts.telling if metric not in fitting]
    )
    yield from facts.wrong(said["ours"], facts.known())


def other_level(facts: Investigated, said: Said) -> Iterator[str]:
    """That as many decisions count and what they lost differs."""
    yield from _about(facts, said)
    counts = [metric for metric in facts.telling if metric.startswith("decisions")]
    rules = facts.known(_rules(facts, said))
    yield from facts.all_given(said["counts"], counts)
    off = [metric for metric in facts.telling if not facts.fits(rules, metric)]
    yield from facts.all_given(said["given"], off)
    if set(off) & set(counts):
        yield f"{off} differ"
    yield from facts.wrong(said["ours"], rules)
    said["level"]


def other_tool(facts: Investigated, said: Said) -> Iterator[str]:
    """That the file's program prints no such figure."""
    yield from facts.wrong(said["given"], {}, given=True)
    yield from facts.wrong(said["ours"], facts.known())
    said["names"], said["programs"]


def of_money(facts: Investigated, said: Said) -> Iterator[str]:
    """That a money session has no match to win."""
    yield from facts.wrong(said["given"], {}, given=True)


UNDER = "[[, counted by rule set <under:word>]]"
CHANCE = "[[ <chance:With so few digits this can be chance.>]]"
MISTAKES = (
    Form(
        f"<given:text> <be:is|are> <other:player>'s{UNDER}. <player:player> has <ours:text>.{CHANCE}",
        other_player,
    ),
    Form(
        f"<given:text> <be:is|are> <player:player>'s in [[game <games:text>]][[the <whole:whole match>]]{UNDER}. "
        f"For <meant:the whole match|game> [[<number:count> ]]it is <ours:text>.{CHANCE}",
        one_game,
    ),
    Form(
        f"<given:text> <be:is|are> <factor:{'|'.join(FACTORS)}> what <player:player> has, <ours:text>{UNDER}[[: <reason:text>]].{CHANCE}",
        factor,
    ),
    Form(
        f"The minus sign of <given:text> only says that it is a loss: <player:player> has <ours:text>.{CHANCE}",
        minus_sign,
    ),
    Form(f"<given:text> has the wrong sign: <player:player> has <ours:text>.{CHANCE}", wrong_sign),
    Form(
        f"<clauses:text>: the same figure(s) of <player:player>.{CHANCE}",
        shortened,
        (Form("<given:text> is <ours:number> <how:rounded|cut off> to <digits:text>", wrong_sign),),
    ),
    Form(
        f"<given:text> <be:is|are> both players' together{UNDER}. <player:player> alone has <ours:text>, "
        f"<other:player> <theirs:text>.{CHANCE}",
        both_players,
    ),
    Form(
        f"<given:text> <verb:comes|come> out <way:without one decision|with one decision counted twice>{UNDER}: <which:text>. "
        f"With every decision once, <player:player> has <ours:text>.{CHANCE}",
        one_decision,
    ),
    Form(
        "<given:text> <verb:comes|come> out with the match equity table <tables:text>; with <met:text> <player:player> has <ours:text>."
        f"{CHANCE}",
        other_table,
    ),
    Form(
        f"<given:text> <verb:comes|come> out <way:text>{UNDER}. Otherwise <player:player> has <ours:text>.{CHANCE}",
        counted_otherwise,
    ),
    Form(
        "<others:text> <verb:fits|fit>, <given:text> <are:is|are> off by a digit: <player:player> has <ours:text>. "
        f"That is a misprint or a slip in copying[[, or another rounding]].{CHANCE}",
        misprint,
    ),
    Form(
        f"<counts:text> <verb:agrees|agree>{UNDER}, <given:text> <does:does|do> not: here <player:player> has <ours:text>. As many "
        "decisions "
        f"count, so the analysis is probably another: of another level or version. This file was analysed by <level:text>.{CHANCE}",
        other_level,
    ),
    Form(
        "<tool:side> prints no <names:text>: <given:text> <be:is|are> of another program, such as <programs:text>, which analysed "
        "the match "
        "itself. This file has <tool_2:side>'s analysis: by its numbers it is <ours:text>. Load the other program's own file."
        f"{CHANCE}",
        other_tool,
    ),
    Form(
        f"<given:text> <be:is|are> of a match, and this is a money session, where none can be lost.{CHANCE}",
        of_money,
    ),
)
