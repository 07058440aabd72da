"""The sentences of a comparison of two files, and what makes each true."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.stories.compared import NOUNS, VISIBLE, Compared
from tests.oracles.stories.forms import Form, Said, capital, shows

COUNTED = (
    ("decisions.checker", "checker play", "checker plays"),
    ("decisions.double", "double or no-double", "doubles and no-doubles"),
    ("decisions.take", "take or pass", "takes and passes"),
)
NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5}
GRADES = {
    "xg": ((0.02, "an error"), (0.08, "a blunder")),
    "gnubg": ((0.03, "doubtful"), (0.06, "an error"), (0.12, "a blunder")),
    "bgblitz": ((0.005, "doubtful"), (0.02, "an error"), (0.05, "a blunder")),
    "blunderdb": ((0.05, "an error"), (0.1, "a blunder")),
    "backgammondb": ((0.02, "an error"), (0.08, "a blunder")),
}
"""By rule set, from which error on it has a grade, written down from the programs' own pages."""


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
    return [*(facts.made_by(of) for of in ("rules", "coverage", "reporting")), *facts.moved("engine").values()]


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


def one_decision(facts: Compared, said: Said) -> Iterator[str]:
    """One decision with its share."""
    at = facts.at(said.place("place"), said["noun"].lower())
    if len(at) != 1:
        yield f"{len(at)} decisions of that kind move the gap there"
    for key, change in at.items():
        if not shows(said["change"], change):
            yield f"it makes {change:+.4f}"
        if any(abs(other) > abs(change) + 1e-9 for other in facts.others.values()):
            yield "another decision makes more"
        facts.named.append(key)
    facts.part("decision", said["change"])


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
    here = facts.view(facts.named[-1], side) if facts.named else None
    if here is None:
        yield f"the document does not say what the {side} side thinks of it"
        return
    error, counted = here["error"], here["counted"]
    if error is None:
        word = "has no analysis of it"
    elif round(error, 3) == 0:
        word = "right" if counted else "does not count it"
    else:
        word = grade(facts.document[side]["rules"], error)
    if given != word:
        yield f"the {side} side: {word} ({error})"
    if said.has(f"{side}_error") and not shows(said[f"{side}_error"], error):
        yield f"the {side} error is {error}"
    if not said.has(f"{side}_error") and error is not None and round(error, 3) != 0:
        yield f"the {side} error, {error}, is not given"


def grade(rules: str, error: float) -> str:
    """What an error is called."""
    found = "a slip"
    name = next((one for one in (rules, rules.split("-")[0], {"gammonview": "backgammondb"}.get(rules, "xg")) if one in GRADES))
    for border, word in GRADES[name]:
        if round(error, 9) >= border:
            found = word
    return found


def spoken(words: list[str]) -> str:
    """`one`, `one and two`, `one, two and three`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def several_decisions(facts: Compared, said: Said) -> Iterator[str]:
    """Some decisions together, each with its share."""
    if len(said.clauses) != NUMBERS[said["number"].lower()]:
        yield f"{len(said.clauses)} are named"
    changes = []
    for clause in said.clauses:
        at = facts.at(clause.place("place"))
        fitting = {key: change for key, change in at.items() if shows(clause["change"], change) and key not in facts.named}
        if not fitting:
            yield f"at {clause['place']} the decisions make {list(at.values())}"
            continue
        key = next(iter(fitting))
        changes.append(fitting[key])
        facts.named.append(key)
    if not shows(said["change"], sum(changes)):
        yield f"together they make {sum(changes):+.4f}"
    if sorted(changes, key=lambda change: -abs(change)) != changes:
        yield "they are not in the order of their size"
    facts.part("decisions", said["change"])


def several_decisions_in_short(facts: Compared, said: Said) -> Iterator[str]:
    """Some decisions together, of which only the first is named."""
    engine = sorted(facts.moved("engine").items(), key=lambda one: -abs(one[1]))
    same = [one for one in engine if (one[1] > 0) == (facts.gap > 0)][: NUMBERS[said["number"].lower()]]
    changes = [change for _, change in same]
    if not shows(said["change"], sum(changes)):
        yield f"the largest make {sum(changes):+.4f}"
    if not same or same[0][0][:2] != said.place("place") or abs(changes[0]) < abs(sum(changes)) / 2:
        yield f"most of it is not there: {same}"
    facts.named += [key for key, _ in same]
    facts.part("decisions", said["change"])


def other_decisions(facts: Compared, said: Said) -> Iterator[str]:
    """All the decisions of the analysis that were not named."""
    others = facts.others
    if not shows(said["count"], len(others)):
        yield f"they are {len(others)}"
    if not shows(said["change"], sum(others.values())):
        yield f"they make {sum(others.values()):+.4f}"
    largest = max(map(abs, others.values()), default=0.0)
    if said.has("most") and not shows(said["most"], largest):
        yield f"the largest of them is {largest:.4f}"
    named = [abs(change) for key, change in facts.moved("engine").items() if key in facts.named]
    if said["which"].strip() == "smaller" and (not named or largest > min(named) + 1e-9):
        yield f"one of them is {largest:.4f}, the named ones are {[round(one, 4) for one in named]}"
    if not said["which"].strip() and named:
        yield "some are named, so these are others"
    facts.part("small-differences", said["change"])


def counting(facts: Compared, said: Said) -> Iterator[str]:
    """What the rules make of the gap."""
    yield from _share(facts, said, "rules")


def counting_and_why(facts: Compared, said: Said) -> Iterator[str]:
    """The same, and how many more of which decisions the right side counts."""
    yield from _share(facts, said, "rules")
    if said["who"] != facts.sides[1]:
        yield f"{facts.sides[1]} is the side that the gap is of"
    wanted = {}
    for metric, one, many in COUNTED:
        if gap := facts.figure(metric)["gap"]:
            wanted[one if abs(gap) == 1 else many] = gap
    found = {}
    way = ""
    for clause in said.clauses:
        way = clause["way"].strip() or way
        found[clause["noun"]] = float(clause.number("count")) * (1 if way == "more" else -1)
    if found != wanted:
        yield f"it counts {wanted}"


def _counts(_: Compared, said: Said) -> None:
    """Judged by the sentence around it."""


def counting_the_same_number(facts: Compared, said: Said) -> Iterator[str]:
    """The same where the numbers do not differ."""
    yield from _share(facts, said, "rules")
    if any(facts.figure(metric)["gap"] for metric, _, _ in COUNTED):
        yield "not as many decisions count"


def coverage(facts: Compared, said: Said) -> Iterator[str]:
    """What decisions of one side alone make."""
    yield from _share(facts, said, "coverage")


def unexplained(facts: Compared, said: Said) -> Iterator[str]:
    """What no rule and no decision makes."""
    yield from _share(facts, said, "reporting")


def _share(facts: Compared, said: Said, of: str) -> Iterator[str]:
    if not shows(said["change"], facts.made_by(of)):
        yield f"the ledger has {facts.made_by(of):+.4f}"
    facts.part(of, said["change"])


def the_other_parts(facts: Compared, said: Said) -> Iterator[str]:
    """The parts that are not the largest."""
    for clause in said.clauses:
        yield from clause.form.claim(facts, clause) or ()


def no_bridge(facts: Compared, said: Said) -> Iterator[str]:
    """Why the gap has no parts."""
    if facts.bridge().get("reason") != said["reason"] or facts.bridge()["steps"]:
        yield f"the bridge says {facts.bridge().get('reason')!r}"


def not_all_analysed(facts: Compared, said: Said) -> Iterator[str]:
    """That a side has not analysed everything."""
    yield from facts.begin(said["player"])
    wanted = [(facts.sides[side == "right"], part) for side, part in facts.missing()]
    if [(clause["whose"], clause["part"]) for clause in said.clauses] != [(name, part) for name, part in wanted]:
        yield f"not analysed: {wanted}"


def no_pr(facts: Compared, said: Said) -> Iterator[str]:
    """That a side gives no PR."""
    yield from facts.begin(said["player"])
    absent = [name for name, end in zip(facts.sides, ("from", "to"), strict=True) if facts.bridge()[end] is None]
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
    if not shows(said["paired"], transcript["paired"]) or not shows(said["all"], transcript["decisions"]):
        yield f"in both are {transcript['paired']} of {transcript['decisions']}"


def shallow(facts: Compared, said: Said) -> Iterator[str]:
    """Whose analysis does not look ahead."""
    wanted = [name for name, one in zip(facts.sides, ("left", "right"), strict=True) if is_shallow(facts.document[one])]
    if [one["whose"] for one in said.clauses] != wanted:
        yield f"shallow are {wanted}"


def is_shallow(side: dict[str, object]) -> bool:
    """Whether a side's analysis, as its level says, looks less than a ply ahead of the play: gnuBG's 0-ply, XG's 1-ply."""
    level = str(side["level"] or "").split(", ")[0]
    return level.startswith("0-ply" if side["tool"] == "GNU Backgammon" else "1-ply")


def seats(facts: Compared, said: Said) -> Iterator[str]:
    """That a file has the players in the other order."""
    if said["who"] not in (facts.sides[1], capital(facts.sides[1])):
        yield f"the right side is {facts.sides[1]}"
    by = {"name": "name", "transcript": "their rolls"}.get(facts.document["transcript"]["players_matched_by"], "their rolls")
    if said["how"] != by:
        yield f"they were matched by {by}"


PLAYERS_PR = "<left:Side> <left_pr:number>, <right:side> <right_pr:number>: "
CANCEL = "[[<cancel:, although single causes are larger: they cancel>]]"
NOUN = "|".join(NOUNS.get(one, one) for one in ("play", "no-double", "double", "take", "pass", "beaver", "resign", "accept-resign"))
WORDS = "a slip|doubtful|an error|a blunder|right"
VIEW = "calls it a slip|calls it doubtful|calls it an error|calls it a blunder|calls it right|has no analysis of it|does not count it|" + WORDS
COUNT = Form("<count:count><way: more| fewer|> <noun:" + "|".join(noun for one in COUNTED for noun in one[1:]) + ">", _counts)
SHORT_PARTS = (
    Form(f"one <noun:{NOUN}> (<place:place>) makes <change:signed>", one_decision),
    Form("<number:two|three> decisions make <change:signed> (most of it <place:place>)", several_decisions_in_short),
    Form("<count:count><which: smaller| other|> difference(s)[[ of the analysis]] <verb:make|makes> <change:signed>", other_decisions),
    Form("counting makes <change:signed>", counting),
    Form("decisions that only one side has make <change:signed>", coverage),
    Form("<change:signed> stays unexplained", unexplained),
)
STORY = (
    Form(f"{PLAYERS_PR}<who:side> charges <player:player> <gap:number> <way:more|less>{CANCEL}.", gap_of_a_player),
    Form(f"{PLAYERS_PR}no difference for <player:player>{CANCEL}.", no_gap_of_a_player),
    Form("The gap cannot be split: <reason:text>.", no_bridge),
    Form(
        f"One <noun:{NOUN}> (<place:place>) makes <change:signed>[[ of it]]: <left:side> <left_word:{VIEW}>[[ (<left_error:number>)]], "
        f"<right:side> <right_word:{VIEW}>[[ (<right_error:number>)]].",
        one_decision_and_both_views,
    ),
    Form(
        f"One <noun:{NOUN}> (<place:place>) makes <change:signed>[[ of it]]: both call it <both:{WORDS}> "
        "(<left_error:number> and <right_error:number>).",
        one_decision_and_one_view,
    ),
    Form(
        "<number:Two|Three> decisions make <change:signed>[[ of it]]: <clauses:rest>.",
        several_decisions,
        (Form("<place:place> (<change:signed>)", _counts),),
    ),
    Form(
        "<count:count><which: smaller| other|> difference(s)[[ of the analysis]] <verb:make|makes> <change:signed>[[ of it]]"
        "[[, none of them more than <most:number>]].",
        other_decisions,
    ),
    Form(
        "Counting makes <change:signed>[[ of it]]: as many decisions count, but not the same ones or not at the same cost.",
        counting_the_same_number,
    ),
    Form("Counting makes <change:signed>[[ of it]]: <who:side> counts <clauses:rest>.", counting_and_why, (COUNT,)),
    Form("Decisions that only one file has, or only one program analysed, make <change:signed>[[ of it]].", coverage),
    Form(
        "No rule and no decision explains <change:signed>[[ of it]]: a figure shown is not the one that its own decisions give.",
        unexplained,
    ),
    Form("<clauses:rest> of <player:player>, so the two PRs do not compare.", not_all_analysed, (Form("<whose:side> analysed only <part:text>", _counts),)),
    Form("<clauses:rest> <verb:gives|give> no PR of <player:player>.", no_pr, (Form("<whose:side>", _counts),)),
    Form("In checker plays, which both analysed: <left:side> <left_pr:number>, <right:side> <right_pr:number>.", checker_plays),
    Form(
        "The two files are not quite the same match: <count:count> difference(s), the first in <place:place> (<what:text>); "
        "<paired:count> of <all:count> decision(s) are in both.",
        not_the_same_match,
    ),
    Form(
        "The analysis by <clauses:rest> is shallow: it does not look beyond the play itself.", shallow, (Form("<whose:side>", _counts),)
    ),
    Form("<who:Side> has the players in the other order; they were matched by <how:name|their rolls>.", seats),
    Form("<clauses:rest>.", the_other_parts, SHORT_PARTS),
)
