"""Every message that is said is in the catalogue, and the catalogues of all languages have the same
messages, slots and forms."""

import ast
import json
import re
from functools import cache
from string import Formatter

import pytest
from jinja2 import nodes

from reconcile.gap.explanation import COSTS
from reconcile.gap.rows import ACTIONS
from reconcile.infer.reported import CHECKS
from reconcile.language import CATALOGUES, LANGUAGES, Number, joined, language, say
from reconcile.match.board.position import PHASES
from reconcile.match.match import LABELS
from reconcile.report.html.decision_list import CHANCES
from reconcile.report.html.look import environment
from reconcile.rules.rulesets import QUESTIONS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.findings import NOTES
from reconcile.scoring.statistics import PARTS
from tests.support.data import PROJECT
from tests.support.sources import trees
from web.inside import EXAMPLES

ENGLISH = language().messages
GROUPS = {
    "chance": CHANCES,
    "change": CHANCES,
    "action": [re.sub(r"\W+", "-", action) for action in ACTIONS],
    "kind": LABELS,
    "phase": PHASES,
    "lacks": PARTS,
    "title": NOTES,
    "cost": COSTS,
    # A table and a factor are said by their own name and number.
    "answer": [name for code in COSTS - {"Q09", "Q11"} for name in QUESTIONS[code].answers],
    "figure": [figure.noun.replace(" ", "-") for figure in METRICS.values()],
    "part": [figure.part.replace(" ", "-") for figure in METRICS.values() if figure.part],
    "question": QUESTIONS,
    "fits": CHECKS,
}
"""By group of the catalogue what has a word in it."""
INSIDE = {"number.signs", "list.and", "date.months", "date.day"}
"""What the catalogue itself says."""
OPENING, CLOSING = "([{", ")]}"


def slots(form):
    return {name for _, name, _, _ in Formatter().parse(form) if name}


def in_python():
    """Key and slots of every message that is said, by file; `None` where a variable has slots."""
    inside = PROJECT / "web" / "inside.py"
    for path, tree in [*trees().items(), (inside, ast.parse(inside.read_text("utf-8")))]:
        if not re.search(r"reconcile\.language import .*\b(say|word)\b", path.read_text("utf-8")):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "say":
                names = {keyword.arg for keyword in node.keywords}
                yield path, ast.literal_eval(node.args[0]), None if None in names else names
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "word":
                group = ast.literal_eval(node.args[0])
                yield from ((path, f"{group}.{name}", None) for name in GROUPS[group])


def in_templates():
    parser = environment()
    folders = ("reconcile/report/html/templates", "web")
    for path in (each for folder in folders for each in (PROJECT / folder).glob("*.j2")):
        for call in parser.parse(path.read_text("utf-8")).find_all(nodes.Call):
            if getattr(call.node, "name", "") == "say":
                yield path, call.args[0].as_const(), {keyword.key for keyword in call.kwargs}
    frame = PROJECT / "web" / "frame.html.j2"
    tree = parser.parse(frame.read_text("utf-8"))
    named = set()
    for part in (*tree.find_all(nodes.Getattr), *tree.find_all(nodes.Getitem)):
        if getattr(getattr(part, "node", ""), "name", "") == "t":
            named.add(getattr(part, "attr", "") or getattr(getattr(part, "arg", ""), "value", None))
    for name in {*named, *EXAMPLES} - {None}:
        yield frame, f"web.{name}", None


def entries(text):
    """The parts of an object of a script, between its commas."""
    depth, part = 0, ""
    for sign in text:
        depth += (sign in OPENING) - (sign in CLOSING)
        if depth < 0:
            break
        if sign == "," and not depth:
            yield part.strip()
            part = ""
        else:
            part += sign
    yield part.strip()


def in_scripts():
    """Of a script the slots are known where they are written as an object that spreads no other."""
    folders = ("reconcile/report/html/templates", "web")
    for path in (each for folder in folders for each in (PROJECT / folder).glob("*.js")):
        text = path.read_text("utf-8")
        for found in re.finditer(r"\bsay\('([^']+)'(, )?(\{)?", text):
            parts = list(entries(text[found.end() :])) if found[3] else []
            known = not found[2] or (found[3] and not any(part.startswith("...") for part in parts))
            names = {part.partition(":")[0].strip() for part in parts}
            yield path, found[1], names if known else None


@cache
def said():
    return [*in_python(), *in_templates(), *in_scripts()]


def test_what_is_said_is_in_the_catalogue_and_nothing_else_is():
    assert {key for _, key, _ in said()} | INSIDE == ENGLISH.keys()


def test_what_has_a_page_is_called_in_english_as_on_its_page():
    titles = {f"question.{code}": page.title for code, page in QUESTIONS.items()}
    titles |= {f"fits.{code}": page.title for code, page in CHECKS.items()}
    assert {key: ENGLISH[key][0] for key in titles} == titles


def test_every_slot_of_a_message_is_given_and_no_other():
    wrong = [
        (path.name, key, given)
        for path, key, given in said()
        if given is not None and given - {"n"} != slots("".join(ENGLISH[key])) - {"n"}
    ]
    assert not wrong


def test_what_has_a_plural_is_given_a_number():
    numbered = [(key, given) for _, key, given in said() if len(ENGLISH[key]) > 1]
    assert numbered
    assert all(given is None or "n" in given for _, given in numbered)


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_languages_have_the_same_messages_slots_and_forms(code):
    text = (CATALOGUES / f"{code}.json").read_text("utf-8")
    assert json.dumps(json.loads(text), ensure_ascii=False, indent=1) + "\n" == text, "a key twice"
    other = language(code).messages
    assert other.keys() == ENGLISH.keys()
    for key, forms in ENGLISH.items():
        assert len(forms) == len(other[key]), key
        assert {name for form in forms for name in slots(form)} == {
            name for form in other[key] for name in slots(form)
        }, key
        assert all(other[key]), key


def test_a_message_is_english_until_a_page_says_it_in_its_language():
    one, some = say("rows.smaller", n=1), say("rows.smaller", n=1000)
    assert (one, some) == ("1 smaller cause", "1,000 smaller causes")
    assert language("de").text(some) == "1.000 kleinere Ursachen"
    assert language("fr").text(say("rows.smaller", n=0)) == "0 cause plus petite"


def test_what_is_in_a_slot_is_said_in_the_language_of_the_sentence():
    lost = say("practice.lose", label="gnuBG", loss=Number("1,000.055"))
    assert lost == "By gnuBG you lose 1,000.055."
    assert language("de").text(lost) == "Nach gnuBG verlierst du 1.000,055."
    both = joined("; ", say("go.next"), "", say("go.before"))
    assert both == "The next decision; The decision before"
    assert language("de").text(both) == "Die nächste Entscheidung; Die Entscheidung davor"
    three = "XG", "gnuBG", say("practice.both")
    assert language("fr").text(three) == "XG, gnuBG et les deux joueurs"


TERMS = (
    *("action", "analysis", "away", "backgammon", "bear-off", "beaver", "blunder", "candidate"),
    *("chances", "checker", "close", "contact", "counts", "Crawford", "cube", "dead cube"),
    *("decision", "dispute", "double", "EMG", "equity", "error", "exercise", "figure", "forced"),
    *("gammon", "gap", "joker", "luck", "match equity table", "money", "move", "MWC", "opening"),
    *("optional double", "outlier", "pass", "phase", "pips", "play", "ply", "PR", "practice"),
    *("race", "redouble", "resignation", "rule set", "Snowie error rate", "take", "tolerance"),
    *("too good", "transcript", "turn"),
)
"""What the first screens call things that a beginner would look up."""
MOST_TERMS = 100
AVOIDED = {
    "mistake": "error",
    "wrong in": "error in",
    "threshold": "border",
    "evaluation": "analysis",
    "depth": "level",
    "chequer": "checker",
    "drop": "pass",
    "at money": "in money play",
    "near miss": "close",
    "for want of": "",
    "takes no part beside": "",
    "an error to all": "",
    "Too few games": "",
}
"""What they do not say, and what they say instead."""


def test_the_terms_of_the_first_screens_are_in_the_glossary():
    page = (PROJECT / "docs" / "glossary.md").read_text("utf-8")
    defined = re.findall(r"^\| (.+?) \||\*(.+?)\*", page, re.MULTILINE)
    named = " ".join("".join(entry) for entry in defined)
    shown = " ".join(form for forms in ENGLISH.values() for form in forms)
    assert len(TERMS) <= MOST_TERMS
    for term in TERMS:
        assert re.search(rf"\b{term}", shown, re.IGNORECASE), term
        assert re.search(rf"\b{term}", named, re.IGNORECASE), term


def test_one_thing_has_one_name():
    said = [(key, form) for key, forms in ENGLISH.items() for form in forms]
    own = {"web.what": "drop"}  # of a file
    assert not [
        (key, word)
        for key, form in said
        for word in AVOIDED
        if re.search(rf"\b{word}", form, re.IGNORECASE) and own.get(key) != word
    ]
