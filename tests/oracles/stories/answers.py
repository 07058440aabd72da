"""The sentences of an investigation about rules, and what makes each true."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.oracles.stories.figures_in_words import LOWER, MORE, NAMES, NUMBER, figures_in
from tests.oracles.stories.forms import Form, Said, shows, value
from tests.oracles.stories.investigated import Investigated

RANGE = re.compile(rf"(?:((?i:{NAMES})) )?({NUMBER})(?: to ({NUMBER}))?")
RANGES = re.compile(
    rf"(?:(?:, | and )?(?:{MORE.pattern}|(?:(?i:{NAMES}) )?{NUMBER}(?: to {NUMBER})?))+"
)


def _digits(text: str, number: float | None) -> bool:
    return number is not None and f"{number:.{len(text.partition('.')[2])}f}" == text.lstrip(
        "+-"
    ).replace(",", "")


def _exact(facts: Investigated, said: Said, sets: list[str]) -> Iterator[str]:
    same = all(
        _digits(facts.reported[metric], facts.known(rules)[metric])
        for metric in facts.telling
        for rules in sets
    )
    if (said["how"] == " exactly") != same:
        yield f"that they are exactly the same is {same}"


def _of_whom(facts: Investigated, said: Said) -> Iterator[str]:
    if said["player"] != facts.document["player"]:
        yield f"it is about {facts.document['player']}"
    if said.has("game") != (facts.document["game"] is not None) or (
        said.has("game") and int(said["game"]) != facts.document["game"]
    ):
        yield f"it is about game {facts.document['game']}"


def own_rules_give_them(facts: Investigated, said: Said) -> Iterator[str]:
    """That the file's own program gives the figures."""
    yield from _of_whom(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    if facts.own not in facts.reproducing:
        yield f"they are given by {facts.reproducing}"
    yield from _exact(facts, said, [facts.own])


def other_rules_give_them(facts: Investigated, said: Said) -> Iterator[str]:
    """Which known rule sets give the figures, and what the file's own program gives instead."""
    yield from _of_whom(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    if re.split(r", | and ", said["sets"]) != facts.reproducing or facts.own in facts.reproducing:
        yield f"they are given by {facts.reproducing}"
    said["title"]
    yield from _exact(facts, said, facts.reproducing)
    yield from given_by(facts, said["ours"], facts.own)


def given_by(facts: Investigated, text: str, rules: str) -> Iterator[str]:
    """What a rule set gives instead: the figures that differ, and how many do not."""
    off = [metric for metric in facts.telling if not facts.fits(facts.known(rules), metric)]
    found = re.fullmatch(r"(.*?)(?:, with (?:the other (\d+) figures|(.*)) as given)?", text)
    assert found is not None
    yield from facts.wrong(found[1], facts.known(rules))
    named = figures_in(found[1])
    if named is not None and len(named[0]) + named[1] != len(off):
        yield f"{rules} differs in {off}"
    same = len(facts.telling) - len(off)
    if found[2] is not None and int(found[2]) != same:
        yield f"{same} are as given"
    if found[3] is not None:
        yield from facts.all_given(
            found[3], [metric for metric in facts.telling if metric not in off]
        )
    if found[2] is None and found[3] is None and same:
        yield f"{same} are as given, and that is not said"


def changed_rules_give_them(facts: Investigated, said: Said) -> Iterator[str]:
    """With which changes a rule set gives the figures."""
    yield from _of_whom(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    if facts.reproducing:
        yield f"they are given by {facts.reproducing}"
    first = facts.document["explanations"][0]
    if said["base"] != first["nearest"] or not shows(said["count"], len(first["differences"])):
        yield f"it is {first['nearest']} with {len(first['differences'])}"
    wanted = "; ".join(
        f"{one['title']} {one['to']} instead of {one['from']} ({one['question']})"
        for one in first["differences"]
    )
    if said["changes"] != wanted:
        yield f"the changes are {wanted}"
    if said.has("chance") != (len(first["differences"]) > 2):
        yield "that can be chance where there are more than two"
    yield from given_by(facts, said["ours"], facts.own)
    yield from _nearest(facts, said)


def _nearest(facts: Investigated, said: Said) -> Iterator[str]:
    """The known rules that come closest."""
    if not said.has("near"):
        return
    rules = (
        facts.own if said["whose"].endswith("'s own") else said["whose"].removeprefix("those of ")
    )
    yield from given_by(facts, said["near"], rules)
    off = {
        one["name"]: sum(not facts.fits(one["figures"], metric) for metric in facts.telling)
        for one in facts.document["rule_sets"]
    }
    if off[rules] > min(off.values()):
        yield f"of {min(off, key=lambda name: off[name])} fewer figures differ"
    if len(facts.telling) == 1:
        (metric,) = facts.telling
        away = {
            one["name"]: abs(number - abs(float(value(facts.reported[metric]))))
            for one in facts.document["rule_sets"]
            if (number := one["figures"][metric]) is not None
        }
        digit = 10.0 ** -len(facts.reported[metric].partition(".")[2])
        if away.get(rules, 0.0) > min(away.values()) + digit:
            yield f"{min(away, key=lambda name: away[name])} is nearer"


def _reach(facts: Investigated, text: str) -> Iterator[str]:
    """How far counting reaches: at least as far as the known rules."""
    if RANGES.fullmatch(text) is None:
        yield f"{text!r} are no ranges"
    for found in RANGE.finditer(MORE.sub("", text)):
        metric = LOWER.get((found[1] or "").lower()) or facts.telling[0]
        low, high = float(value(found[2])), float(value(found[3] or found[2]))
        half = 0.5 * 10.0 ** -len(found[2].partition(".")[2]) + 1e-9
        known = [
            number
            for rules in facts.document["rule_sets"]
            if (number := rules["figures"][metric]) is not None
        ]
        if low > high or any(not low - half <= number <= high + half for number in known):
            yield f"known rules give {min(known)} to {max(known)} of {metric}"


def no_rules_give_them(facts: Investigated, said: Said) -> Iterator[str]:
    """That no rules do, and how far counting reaches."""
    yield from _of_whom(facts, said)
    yield from facts.all_given(said["given"], facts.telling)
    if facts.document["explanations"] or facts.reproducing:
        yield "some do"
    yield from _reach(facts, said["reach"])
    if said.has("nearest"):
        wanted = {
            metric: min(_closest(facts, metric), default=(0.0, None))[1] for metric in facts.telling
        }
        yield from facts.wrong(said["nearest"], wanted)
    yield from _nearest(facts, said)


def _closest(facts: Investigated, metric: str) -> Iterator[tuple[float, float]]:
    given = abs(float(value(facts.reported[metric])))
    for one in (*facts.document["closest"], *facts.document["rule_sets"]):
        if (number := one["figures"][metric]) is not None:
            yield abs(number - given), number


def not_analysed(facts: Investigated, said: Said) -> Iterator[str]:
    """What the file does not have analysed, so that it has no such figure."""
    yield from _of_whom(facts, said)
    yield from facts.wrong(said["given"], {}, given=True)
    for one in figures_in(said["given"])[0]:  # type: ignore[index]  # judged in the line before
        if facts.known()[one.metric] is not None:
            yield f"{one.metric} is {facts.known()[one.metric]}"
    yield from analysed(facts, said["missing"])


def analysed(facts: Investigated, text: str) -> Iterator[str]:
    player = next(
        one
        for one in facts.statistics(facts.own)["players"]
        if one["name"] == facts.document["player"]
    )
    if facts.document["game"] is not None:
        player = next(one for one in player["games"] if one["game"] == facts.document["game"])
    parts = {"checker plays": "checker", "cube decisions": "cube"}
    for done, every, words in re.findall(r"(\d+) of (\d+) (checker plays|cube decisions)", text):
        covered = player["completeness"][parts[words]]
        if (int(done), int(every)) != (covered["analysed"], covered["expected"]):
            yield f"analysed are {covered}"


def incomplete(facts: Investigated, said: Said) -> Iterator[str]:
    """That the file is not completely analysed."""
    yield from analysed(facts, said["missing"])


def stands_for(facts: Investigated, said: Said) -> Iterator[str]:
    """What a printed figure may have been."""
    yield from facts.wrong(said["given"], {}, given=True)
    (one,) = figures_in(said["given"])[0]  # type: ignore[index]
    number = abs(float(value(one.text)))
    low, high = float(said.number("low")), float(said.number("high"))
    if not low < number < high:
        yield f"{number} is not inside"
    rules = facts.own if facts.own in facts.reproducing else facts.reproducing[0]
    ours = facts.known(rules)[one.metric]
    if not shows(said["ours"], ours) or ours is None or not low - 1e-6 <= ours <= high + 1e-6:
        yield f"{rules} gives {ours}"


def turns_on(facts: Investigated, said: Said) -> Iterator[str]:
    """Which decisions make the difference to the file's own rules."""
    first = facts.document["explanations"][0]
    decisions = first["decisions"]
    if not shows(said["count"], len(decisions)):
        yield f"they are {len(decisions)}"
    if said.has("more") and not shows(said["more"], len(decisions) - len(said.clauses)):
        yield f"of {len(decisions)} are named {len(said.clauses)}"
    if not said.has("more") and len(said.clauses) != len(decisions):
        yield f"of {len(decisions)} are named {len(said.clauses)}"
    for clause, one in zip(said.clauses, decisions, strict=False):
        if clause.place("place") != (one["game"], one["turn"]) or clause["kind"] != one["kind"]:
            yield f"it is {one['game']}, {one['turn']} ({one['kind']})"
        way = (
            ""
            if one["counted_from"] == one["counted_to"]
            else "counts now"
            if one["counted_to"]
            else "no longer counts"
        )
        if clause["counts"] != way:
            yield f"it {way or 'counts as before'}"
        if clause.has("before") and not (
            shows(clause["before"], one["error_from"]) and shows(clause["after"], one["error_to"])
        ):
            yield f"the error is {one['error_from']} and {one['error_to']}"
        if not clause.has("before") and abs(one["error_from"] - one["error_to"]) > 1e-6:
            yield f"the error is {one['error_from']} and {one['error_to']}, and that is not said"
        if clause.has("mwc_before") and not (
            shows(clause["mwc_before"], one["mwc_from"])
            and shows(clause["mwc_after"], one["mwc_to"])
        ):
            yield f"the loss is {one['mwc_from']} and {one['mwc_to']}"
    own, theirs = facts.known()["decisions.counted"], first["figures"]["decisions.counted"]
    moved = sum(one["counted_to"] - one["counted_from"] for one in decisions)
    if own is not None and theirs is not None and theirs - own != moved:
        yield f"{own} and {theirs} count, and the decisions make {moved}"


def turns_on_nothing(facts: Investigated, said: Said) -> Iterator[str]:
    """That no decision makes the difference."""
    if facts.document["explanations"][0]["decisions"]:
        yield f"{len(facts.document['explanations'][0]['decisions'])} do"


def one_figure_alone(facts: Investigated, said: Said) -> Iterator[str]:
    """How many rules give a single figure, and which further figure would decide."""
    if len(facts.telling) != 1:
        yield f"the figures are {facts.telling}"
    if said.has("known"):
        if not shows(said["known"], len(facts.reproducing)) or not shows(
            said["sets"], len(facts.document["rule_sets"])
        ):
            yield f"{len(facts.reproducing)} of {len(facts.document['rule_sets'])} known ones do"
    elif facts.reproducing:
        yield f"{facts.reproducing} do"
    if (
        not shows(said["tried"], facts.document["tried"])
        or not 1 < said.number("fitting") <= facts.document["tried"]
    ):
        yield f"{facts.document['tried']} were tried"
    if said.number("fitting") < len(facts.document["explanations"]):
        yield f"{len(facts.document['explanations'])} are listed"
    if said.has("metric"):
        yield from _deciding(facts, said)


def _deciding(facts: Investigated, said: Said) -> Iterator[str]:
    metric = LOWER[said["metric"].removeprefix("number of ").lower()]
    by_name = {one["name"]: one["figures"][metric] for one in facts.document["rule_sets"]}
    for one in facts.document["explanations"]:
        changes = ", ".join(f"{change['question']} {change['to']}" for change in one["differences"])
        if changes:
            by_name[f"{one['nearest']} with {changes}"] = one["figures"][metric]
    more = False
    for text, name, others in re.findall(
        r"([\d.,]*[\d]|-) for (.*?)(?: \(and (\d+) more\))?(?:$|, (?=[\d-]))", said["values"]
    ):
        more |= bool(others)
        if name not in by_name or (text != "-" and not shows(text, by_name[name])):
            yield f"{name} gives {by_name.get(name)}"
    if more and said["how"] == "decide":
        yield "one of the values belongs to several"


def only_one(facts: Investigated, said: Said) -> Iterator[str]:
    """That no other rules do."""
    if len(facts.document["explanations"]) != 1:
        yield f"{len(facts.document['explanations'])} do"


def other_rules_too(facts: Investigated, said: Said) -> Iterator[str]:
    """That other rules would give the figures as well."""
    first = facts.document["explanations"][0]
    changes = ", ".join(f"{one['question']} {one['to']}" for one in first["differences"])
    if (
        said["rules"] != f"{first['nearest']}{f' with {changes}' if changes else ''}"
        or said["player"] != facts.document["player"]
    ):
        yield f"it is {first}"
    if (said["what"] == "it") != (len(facts.telling) == 1):
        yield f"the figures are {facts.telling}"


def _decision(_: Investigated, __: Said) -> None:
    """Judged by the sentence around it."""


WHOSE = "<player:player>[[ in game <game:count>]]: "
OURS = "<tool:side>'s own rules give <ours:text>."
NEAR = " The nearest known rules, <whose:text>, give <near:text>."
ANSWERS = (
    Form(
        f"{WHOSE}<given:text> <be:is|are><how: exactly|, as far as the digits go,> what <tool:side>'s own rules give.",
        own_rules_give_them,
    ),
    Form(
        f"{WHOSE}<given:text> <be:is|are><how: exactly|, as far as the digits go,> what rule set(s) <sets:text> <verb:gives|give>"
        f"[[ (<title:text>)]]. {OURS}",
        other_rules_give_them,
    ),
    Form(
        f"{WHOSE}no known program's rules give <given:text>; rule set <base:word> does with <count:count> change(s): <changes:text>."
        f"[[ <chance:With so many changes that can be chance.>]] {OURS}[[{NEAR}]]",
        changed_rules_give_them,
    ),
    Form(
        f"{WHOSE}no rules give <given:text>. Counting alone reaches <reach:text>, <end:so the analysis or the match differs>.{NEAR}",
        no_rules_give_them,
    ),
    Form(
        f"{WHOSE}no rules give <given:text>. Counting alone reaches <reach:text>, the nearest is <nearest:text>.{NEAR}",
        no_rules_give_them,
    ),
    Form(
        f"{WHOSE}no rules give <given:text> together, although counting alone reaches <reach:text>.{NEAR}",
        no_rules_give_them,
    ),
    Form(f"{WHOSE}this file has <missing:text> analysed, so it has no <given:text>.", not_analysed),
    Form("The file is not completely analysed: <missing:text> are.", incomplete),
    Form(
        "<given:text> stands for <low:number> to <high:number>, as it was printed; here it is <ours:number>.",
        stands_for,
    ),
    Form(
        "Against <tool:side>'s own rules no decision counts or costs otherwise.", turns_on_nothing
    ),
    Form(
        "Against <tool:side>'s own rules <count:count> decision(s) <verb:counts or costs|count or cost> otherwise: "
        "<clauses:text>[[; and <more:count> more decision(s)]].",
        turns_on,
        (
            Form(
                "<place:place> (<kind:text>): <counts:counts now|no longer counts|>[[, ]][[error <before:number> -> <after:number>]]"
                "[[MWC lost <mwc_before:number> -> <mwc_after:number> %]]",
                _decision,
            ),
        ),
    ),
    Form(
        "One figure alone proves little: [[<known:count> of <sets:count> known rule sets and ]]<fitting:count> of the <tried:count> "
        "combinations of answers give it. [[The <metric:text> would <how:decide|narrow it down>: <values:rest>]]"
        "[[No other figure of this file tells the likely ones apart]].",
        one_figure_alone,
    ),
    Form("No other combination of answers gives it.", only_one),
    Form(
        "With other rules <player:player> would have <what:it|them> too (<rules:text>); that is less likely.",
        other_rules_too,
    ),
)
