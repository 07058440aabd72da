"""The table of the suite: every case with its figures under every known rule set and, where answers
are read from it, under every combination of answers to its questions."""

import json
from dataclasses import replace
from functools import cache
from itertools import product
from types import MappingProxyType

from reconcile.formats import read_match
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.cases import PLAIN_CASE
from tests.suite.writer.facts import facts
from tests.suite.writer.recipe import recipes
from tests.suite.writer.synthetic import FORMATS

BASE_RULES = RULE_SETS["gnubg"]
"""Answers the questions that a case is not about; any other rule set would do."""
EQUITY = tuple(
    name
    for name, figure in METRICS.items()
    if name.startswith(("decisions.", "equity_error."))
    or (figure.factor != 1 and not figure.in_mwc)
)
"""Figures of decisions, errors and rates, by which most questions are answered."""
CHANCE = tuple(name for name in METRICS if name.startswith("mwc_loss_percent."))
GRADES = tuple(name for name in METRICS if name.startswith(("errors.", "blunders.", "doubtful.")))
DIGITS = 12
"""Of a figure: more than any program prints."""


@cache
def match_of_file(name):
    """A file of a case, as our readers read it."""
    (case,) = (recipe for recipe in recipes() if recipe.id == name.rpartition(".")[0])
    return read_match(name, dict(case.files())[name])


@cache
def supported(form):
    """By question, the answers for which files of this format have what they need."""
    match = match_of_file(f"{PLAIN_CASE}.{form}")
    return {
        code: [name for name, answer in question.answers.items() if answer.applies(match)]
        for code, question in QUESTIONS.items()
    }


def names_read(case):
    """The figures that are read of a case; no other question than its own can change them."""
    own = {"Q10": CHANCE, "Q12": GRADES}
    return own.get(case.reads[0], EQUITY) if case.reads else (*EQUITY, *CHANCE)


def figures_under(case, form, answers):
    """The studied player's figures, with some answers of `BASE_RULES` replaced."""
    rules = replace(BASE_RULES, answers=MappingProxyType({**BASE_RULES.answers, **answers}))
    figures = statistics(match_of_file(f"{case.id}.{form}"), rules).figures(0)
    return {name: figures[name] for name in names_read(case)}


def table():
    """The table, a case on a line."""
    facts = {
        "rules": list(RULE_SETS),
        "figures": list(METRICS),
        "answers": {form: supported(form) for form in FORMATS},
    }
    lines = [f"{json.dumps(name)}: {json.dumps(value)}," for name, value in facts.items()]
    cases = ",\n".join(json.dumps(_row(case), separators=(",", ":")) for case in recipes())
    return "\n".join(["{", *lines, '"cases": [', cases, "]}", ""])


def _row(case):
    forms = {form: match_of_file(f"{case.id}.{form}") for form in case.formats}
    row = {"id": case.id, "question": case.question or None, "about": case.about}
    first = next(iter(forms.values()))
    row |= {"players": first.players, "length": first.length, "facts": list(facts(first))}
    row["figures"] = {form: _under_rule_sets(match) for form, match in forms.items()}
    if case.reads:
        row["reads"] = case.reads
        row["given"] = {form: _given(case, form) for form in case.formats}
    return row


def _under_rule_sets(match):
    """By player, the figures in their order."""
    scored = [statistics(match, rules) for rules in RULE_SETS]
    each = [[ours.figures(seat) for ours in scored] for seat in (0, 1)]
    return [[_values(figures[name] for figures in own) for name in METRICS] for own in each]


def _given(case, form):
    """By name, the figures that are read, for every combination of answers to its questions, the
    last of these changing first."""
    every = product(*(supported(form)[code] for code in case.reads))
    each = [
        figures_under(case, form, dict(zip(case.reads, answers, strict=True))) for answers in every
    ]
    return {name: _values(figures[name] for figures in each) for name in names_read(case)}


def _values(values):
    """A figure under several rules; one value where it is the same under all."""
    numbers = [None if value is None else _rounded(value) for value in values]
    return numbers if len({*numbers}) > 1 else numbers[0]


def _rounded(value):
    number = float(f"{value:.{DIGITS}g}")
    return int(number) if number.is_integer() else number
