"""The sentences of a comparison of two files, and what makes each true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

from tests.oracles.stories.compared import NOUNS, VISIBLE, Compared, Part
from tests.oracles.stories.forms import Form, Said, capital, shows
from tests.oracles.stories.grades import grade

COUNTED = (
    ("decisions.checker", "checker play", "checker plays"),
    ("decisions.double", "double or no-double", "doubles and no-doubles"),
    ("decisions.take", "take or pass", "takes and passes"),
)
EITHER = (-1e-9, 1e-9)
"""Half a digit may be rounded either way."""
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}


def _figures(facts: Compared, said: Said) -> Iterator[str]:
    """The two sides in their order, each with its own PR."""
    figure, bridge = facts.figure("pr"), facts.bridge()
    for side, end in (("left", "from"), ("right", "to")):
        name = facts.sides[side == "right"]
        if said[side] not in (name, capital(name)):
            yield f"the {side} side is {name}"
        if not shows(said[f"{side}_pr"], bridge[end]):
            yield f"the {side} PR is {bridge[end]}"
        if figure.get(side) != bridge[end]:
            yield f"the table has {figure.get(side)} where the bridge has {bridge[end]}"


def _cancel(facts: Compared, said: Said) -> Iterator[str]:
    if said.has("cancel") and not any(abs(part) >= VISIBLE for part in _parts(facts)):
        yield "no single cause is larger"


def _parts(facts: Compared) -> list[float]:
    return [
        *(facts.made_by(of) for of in ("rules", "coverage", "reporting")),
        sum(facts.capped().values()),
        *facts.moved().values(),
    ]


def gap_of_a_player(facts: Compared, said: Said) -> Iterator[str]:
    """Who charges whom how much more."""
    yield from facts.begin(said["player"])
    yield from _figures(facts, said)
    if said["who"] != facts.sides[1]:
        yield f"{facts.sides[1]} is the side that the gap is of"
    if not shows(said["gap"], abs(facts.gap)) or abs(facts.gap) < VISIBLE:
        yield f"the gap is {facts.gap:+.4f}"
    if said["way"] != ("more" if facts.gap > 0 else "less"):
        yield f"the gap is {facts.gap:+.4f}"
    yield from _cancel(facts, said)


def no_gap_of_a_player(facts: Compared, said: Said) -> Iterator[str]:
    """That there is no gap to be seen."""
    yield from facts.begin(said["player"])
    yield from _figures(facts, said)
    if abs(facts.gap) >= VISIBLE:
        yield f"the gap is {facts.gap:+.4f}"
    yield from _cancel(facts, said)


def nearly_no_gap(facts: Compared, said: Said) -> Iterator[str]:
    """That the gap is less than the last digit printed, although the digits do not show it."""
    yield from facts.begin(said["player"])
    yield from _figures(facts, said)
    same = said["left_pr"] == said["right_pr"]
    if (
        abs(facts.gap) >= 2 * VISIBLE
        or not shows(said["least"], 2 * VISIBLE)
        or (same and abs(facts.gap) < VISIBLE)
    ):
        yield f"the gap is {facts.gap:+.4f}"
    yield from _cancel(facts, said)


def one_decision(facts: Compared, said: Said) -> Iterator[str]:
    """One decision with its share."""
    at = [
        one
        for one in facts.at(said.place("place"), said["noun"].lower()).items()
        if one[0] not in facts.named
    ]
    if len(at) != 1:
        yield f"{len(at)} decisions of that kind move the gap there"
    for key, change in at[:1]:
        facts.named[key] = change
        add(facts, said, "decision", change)


def add(
    facts: Compared, said: Said, cause: str, exact: float, rounded: Decimal | None = None
) -> None:
    """The part of the gap that a sentence or a clause names; only the first has a sentence of its own."""
    facts.parts.append(
        Part(cause, said["change"], exact, rounded, said.has("of_it"), not facts.parts)
    )


def one_decision_and_both_views(facts: Compared, said: Said) -> Iterator[str]:
    """One decision with its share, and what either side calls it."""
    yield from one_decision(facts, said)
    for side in ("left", "right"):
        name = facts.sides[side == "right"]
        if said[side] != name:
            yield f"the {side} side is {name}"
        yield from graded(facts, said, side)


def one_decision_and_one_view(facts: Compared, said: Said) -> Iterator[str]:
    """The same where both sides use the same word."""
    yield from one_decision(facts, said)
    for side in ("left", "right"):
        yield from graded(facts, said, side, "both")


def graded(facts: Compared, said: Said, side: str, word: str = "") -> Iterator[str]:
    """The error of the decision named last, and its grade."""
    given = said[word or f"{side}_word"].removeprefix("calls it ")
    here = facts.view(list(facts.named)[-1], side) if facts.named else None
    if here is None:
        yield f"the document does not say what the {side} side thinks of it"
        return
    error, rules = here["error"], facts.document[side]["rules"]
    if error is None:
        word = "has no analysis of it"
    elif round(error, 3) == 0:
        word = "right" if here["counted"] else "does not count it"
    else:
        word = grade(rules, error)
    if given != word:
        yield f"the {side} side: {word} ({error})"
    text = said[f"{side}_error"]
    if text and (
        not shows(text, error)
        or (len(text) < len("0.000000") and grade(rules, float(text)) != word)
    ):
        yield f"the {side} error is {error}, {word}"
    if not text and error is not None and round(error, 3) != 0:
        yield f"the {side} error, {error}, is not given"


def spoken(words: list[str]) -> str:
    """`one`, `one and two`, `one, two and three`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def several_decisions(facts: Compared, said: Said) -> Iterator[str]:
    """Some decisions together, in a sentence of their own each with its share."""
    if len(said.clauses) != NUMBERS[said["number"].lower()]:
        yield f"{len(said.clauses)} are named"
    changes, total = [], Decimal(0)
    for clause in said.clauses:
        free = {
            key: change
            for key, change in facts.at(clause.place("place")).items()
            if key not in facts.named
        }
        way = said.number("change") > 0
        fitting = [
            key
            for key, change in free.items()
            if (change > 0) == way and (not clause.has("change") or _near(clause, change))
        ]
        if not fitting:
            yield f"at {clause['place']} the decisions make {list(free.values())}"
            continue
        if clause.has("change") and not clause.number("change"):
            yield "one of them makes nothing that is printed"
        key = max(fitting, key=lambda one: abs(free[one]))
        facts.named[key] = free[key]
        changes.append(free[key])
        total += clause.number("change") if clause.has("change") else Decimal(f"{free[key]:.2f}")
    if sorted(changes, key=lambda change: -abs(round(change, 9))) != changes:
        yield "they are not in the order of their size"
    if said.clauses and said.clauses[0].has("change") and said.number("change") != total:
        yield f"together that is {total:+}"
    add(facts, said, "decisions", sum(changes), total)


def _near(clause: Said, change: float) -> bool:
    return abs(float(clause.number("change")) - change) < 2 * VISIBLE


def other_decisions(facts: Compared, said: Said) -> Iterator[str]:
    """All the decisions of the analysis that no sentence names."""
    add(facts, said, "small-differences", 0.0)
    index, player, count, which, most = (
        len(facts.parts) - 1,
        facts.player,
        said["count"],
        said["which"],
        said["most"],
    )
    opens = facts.parts[index].opens

    def claim() -> Iterator[str]:
        others, named = facts.others, [abs(change) for change in facts.named.values()]
        facts.parts[index] = replace(facts.parts[index], exact=sum(others.values()))
        if not shows(count, len(others)):
            yield f"the {said['which']}differences of {player} are {len(others)}, not {said['count']}"
        largest = max(others.values(), key=abs, default=0.0)
        if most and not any(
            shows(most, one) for one in others.values() if abs(one) >= abs(largest) - 1e-9
        ):
            yield f"the largest of them is {largest:.4f}, not {said['most']}"
        if opens and not most and len(others) > 1:
            yield "the largest of them is not named"
        if named and abs(largest) > min(named) + 1e-9:
            yield f"one of them is {largest:.4f}, the named ones are {[round(one, 4) for one in named]}"
        words = {
            ("other ", "smaller ")[round(abs(largest) + one, 2) < round(min(named) + two, 2)]
            for one in EITHER
            for two in EITHER
            if named
        }
        if which not in (words or {""}):
            yield f"they are {' or '.join(words) or 'all '}differences, not {which!r}: {largest:.4f} beside {named}"

    facts.later.append(claim)
    yield from ()


def counting(facts: Compared, said: Said) -> None:
    """What the rules make of the gap."""
    add(facts, said, "rules", facts.made_by("rules"))


def counting_and_why(facts: Compared, said: Said) -> Iterator[str]:
    """The same, and how many more of which decisions the right side counts."""
    counting(facts, said)
    if said["who"] != facts.sides[1]:
        yield f"{facts.sides[1]} is the side that the gap is of"
    wanted = {}
    for metric, one, many in COUNTED:
        if gap := facts.figure(metric)["gap"]:
            wanted[one if abs(gap) == 1 else many] = gap
    found = {
        clause["noun"]: float(clause.number("count")) * (1 if clause["way"] == "more" else -1)
        for clause in said.clauses
    }
    if found != wanted:
        yield f"it counts {wanted}"


def _counts(_: Compared, said: Said) -> None:
    """Judged by the sentence around it."""


def counting_the_same_number(facts: Compared, said: Said) -> Iterator[str]:
    """The same where the numbers do not differ."""
    counting(facts, said)
    if any(facts.figure(metric)["gap"] for metric, _, _ in COUNTED):
        yield "not as many decisions count"


REASONS = {
    "where the files record different games": "coverage.transcript",
    "not played or not legal": "coverage.not-played",
    "that one tool does not record": "coverage.unpaired",
    "that only one program analysed": "coverage.not-analysed",
}


def coverage(facts: Compared, said: Said) -> Iterator[str]:
    """What decisions without a counterpart make, how many they are, and why."""
    add(facts, said, "coverage", facts.made_by("coverage"))
    causes = facts.causes("coverage")
    found = {words: causes[cause] for words, cause in REASONS.items() if cause in causes}
    if not shows(said["count"], sum(found.values())):
        yield f"they are {found}"
    lone = set(found) == {"that only one program analysed"}
    wanted = (
        next(iter(found))
        if lone
        else "that only one file has"
        + " or only one program analysed" * ("that only one program analysed" in found)
    )
    if said["which"] != wanted:
        yield f"they are decisions {wanted}"
    if said.clauses:
        given = {clause["why"]: int(clause.number("count")) for clause in said.clauses}
        if given != found:
            yield f"they are {found}"


def cap(facts: Compared, said: Said) -> Iterator[str]:
    """What the cap of PR makes: of decisions that are the same in both analyses, or of all that is left of coverage."""
    only_cap = not set(facts.causes("coverage")) & set(REASONS.values())
    sums = {
        "cap": sum(facts.capped().values()),
        "coverage": facts.made_by("coverage") if only_cap else 0.0,
    }
    of = min(sums, key=lambda one: abs(sums[one] - float(said.number("change"))))
    if not sums[of]:
        yield "no PR is capped, or no decision moves for that"
    add(facts, said, of, sums[of])


def unexplained(facts: Compared, said: Said) -> None:
    """What no rule and no decision makes."""
    add(facts, said, "reporting", facts.made_by("reporting"))


def the_other_parts(facts: Compared, said: Said) -> Iterator[str]:
    """The parts that are not in a sentence of their own."""
    for clause in said.clauses:
        yield from clause.form.claim(facts, clause) or ()


def no_bridge(facts: Compared, said: Said) -> Iterator[str]:
    """Why the gap has no parts."""
    if facts.bridge().get("reason") != said["reason"] or facts.bridge()["steps"]:
        yield f"the bridge says {facts.bridge().get('reason')!r}"


PLAYERS_PR = "<left:Side> <left_pr:number>, <right:side> <right_pr:number>: "
CANCEL = "[[<cancel:, although single causes are larger: they cancel>]]"
NOUN = "|".join(
    NOUNS.get(one, one)
    for one in ("play", "no-double", "double", "take", "pass", "beaver", "resign", "accept-resign")
)
WORDS = "a slip|doubtful|an error|a blunder|right"
VIEW = (
    "calls it a slip|calls it doubtful|calls it an error|calls it a blunder|calls it right|has no analysis of it|does not count it|"
    + WORDS
)
COUNT = Form(
    "<count:count> <way:more|fewer> <noun:"
    + "|".join(noun for one in COUNTED for noun in one[1:])
    + ">",
    _counts,
)
OF_IT = "<change:signed>[[<of_it: of it>]]"
DIFFERENCES = (
    "<count:count> <which:smaller |other |>difference(s)[[ of the analysis]] <verb:makes|make> "
)
ONE_SIDED = "that only one file has or only one program analysed|that only one file has|that only one program analysed"
COVERED = f"<count:count> decision(s) <which:{ONE_SIDED}>"
SHORT_PARTS = (
    Form(f"one <noun:{NOUN}> (<place:place>) makes <change:signed>", one_decision),
    Form(
        "<number:two|three> decisions make <change:signed> (<clauses:text>)",
        several_decisions,
        (Form("<place:place>", _counts),),
    ),
    Form(f"{DIFFERENCES}<change:signed>", other_decisions),
    Form("counting makes <change:signed>", counting),
    Form(f"{COVERED} <verb:makes|make> <change:signed>", coverage),
    Form("the cap of PR makes <change:signed>", cap),
    Form("what no rule and no decision explains makes <change:signed>", unexplained),
)
STORY = (
    Form(
        f"{PLAYERS_PR}<who:side> charges <player:player> <gap:number> <way:more|less>.",
        gap_of_a_player,
    ),
    Form(f"{PLAYERS_PR}no difference for <player:player>{CANCEL}.", no_gap_of_a_player),
    Form(f"{PLAYERS_PR}less than <least:number> apart for <player:player>{CANCEL}.", nearly_no_gap),
    Form("The gap cannot be split: <reason:text>.", no_bridge),
    Form(
        f"One <noun:{NOUN}> (<place:place>) makes {OF_IT}: <left:side> <left_word:{VIEW}>[[ (<left_error:number>)]], "
        f"<right:side> <right_word:{VIEW}>[[ (<right_error:number>)]].",
        one_decision_and_both_views,
    ),
    Form(
        f"One <noun:{NOUN}> (<place:place>) makes {OF_IT}: both call it <both:{WORDS}> (<left_error:number> and <right_error:number>).",
        one_decision_and_one_view,
    ),
    Form(
        f"<number:Two|Three> decisions make {OF_IT}: <clauses:rest>.",
        several_decisions,
        (Form("<place:place> (<change:signed>)", _counts),),
    ),
    Form(f"{DIFFERENCES}{OF_IT}[[, the largest of them <most:signed>]].", other_decisions),
    Form(
        f"Counting makes {OF_IT}: as many decisions count, but not the same ones or not at the same cost.",
        counting_the_same_number,
    ),
    Form(f"Counting makes {OF_IT}: <who:side> counts <clauses:rest>.", counting_and_why, (COUNT,)),
    Form(
        f"{COVERED} <verb:makes|make> {OF_IT}[[: <clauses:rest>]].",
        coverage,
        (Form("<count:count> <why:" + "|".join(REASONS) + ">", _counts),),
    ),
    Form(f"The cap of PR makes {OF_IT}.", cap),
    Form(
        f"What no rule and no decision explains makes {OF_IT}: a figure shown is not the one that its own decisions give.",
        unexplained,
    ),
    Form("<clauses:rest>.", the_other_parts, SHORT_PARTS),
)
