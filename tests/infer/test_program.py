"""What the figures of a program have in common: the rule set that it follows, and a plain
transformation, named only if it gives every figure."""

from functools import cache

import numpy as np
import pytest

from reconcile.files.bundled import bundled
from reconcile.infer.program import (
    Compared,
    MatchFigures,
    Run,
    Subject,
    diagnosis_of,
    fault_words,
    groups_of,
    roots_of,
)
from reconcile.infer.reported import printed_figure
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.loaded import loaded

PACK = bundled("reference_matches")
FILES = (
    "gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf",
    "gnubg-7pt-0ply/alice-bob-7pt-0ply.sgf",
    "demonstration/nora-lindqvist-tomas-beck.sgf",
)
NAMES = (
    "pr",
    "error_rate_memg",
    "decisions.counted",
    "equity_error.total",
    "mwc_loss_percent.total",
    "luck.equity",
)
RULES = "gnubg"


@cache
def scored(file):
    return statistics(loaded(PACK / file), RULES)


def figures(file):
    """The figures of both players."""
    return [scored(file).figures(seat) for seat in (0, 1)]


def ruled(given):
    """A diagnosis of what a program gives of each file: by seat, figures by name."""
    subjects = []
    for file, both in zip(FILES, given, strict=True):
        shown = tuple(
            (seat, printed_figure(name, METRICS[name].shown(own[name]), ""))
            for seat, own in enumerate(both)
            for name in NAMES
        )
        match = loaded(PACK / file)
        subjects.append(Subject(file, RULE_SETS[RULES], MatchFigures(match), shown))
    return diagnosis_of("prog", Run(subjects))


def times(name, factor):
    return [[own | {name: factor * own[name]} for own in figures(file)] for file in FILES]


RIGHT = [figures(file) for file in FILES]


@pytest.mark.parametrize(
    ("code", "given"),
    [
        (None, RIGHT),
        ("players-exchanged", [both[::-1] for both in RIGHT]),
        ("per-1000", times("pr", 2)),
        ("per-500", times("error_rate_memg", 0.5)),
        ("as-fractions", times("mwc_loss_percent.total", 0.01)),
        ("percent-of-percent", times("mwc_loss_percent.total", 100)),
        ("sign", times("luck.equity", -1)),
        ("twice", times("equity_error.total", 2)),
        ("half", times("equity_error.total", 0.5)),
        ("match-before", [RIGHT[0], *RIGHT[:-1]]),
        ("another-match", [RIGHT[1]] * 3),
    ],
)
def test_transformation_is_named_that_gives_every_figure(code, given):
    """A game that is missing is what a wrong program of the gate does."""
    diagnosis = ruled(given)
    assert (diagnosis.transformation or None, diagnosis.figures) == (code, 36)
    assert f"rule set {RULES}" in diagnosis.sentence


def test_one_figure_refutes_a_transformation():
    exchanged = [both[::-1] for both in RIGHT]
    exchanged[2] = [exchanged[2][0] | {"pr": 99.99}, exchanged[2][1]]
    assert not ruled(exchanged).transformation


def test_three_digits_can_be_chance():
    doubled = ((0, printed_figure("pr", f"{2 * figures(FILES[0])[0]['pr']:.2f}", "")),)
    record = MatchFigures(loaded(PACK / FILES[0]))
    diagnosis = diagnosis_of("prog", Run([Subject("a", RULE_SETS[RULES], record, doubled)]))
    assert (diagnosis.transformation, diagnosis.agree[RULES]) == ("", 0)


ENTRIES = [("pr", "4.00"), ("decisions.counted", "9"), ("moves.total", "20")]


@pytest.mark.parametrize(
    ("unlike", "names"),
    [
        ({}, ("xg", "gnubg")),
        ({"gnubg": {"pr": 5.0}}, ("xg",)),
        ({"xg": {"pr": 5.0}, "gnubg": {"pr": 5.0, "moves.total": 21}}, ("xg",)),
        # What rules do not have counts neither way.
        ({"gnubg": {"moves.total": None}}, ("xg",)),
        ({"xg": {"moves.total": None}, "gnubg": {"pr": 5.0}}, ("xg",)),
        # Rules without a rate that is printed are not the program's.
        ({"xg": {"pr": None}, "gnubg": {"decisions.counted": 8}}, ("gnubg",)),
        ({name: {"pr": None, "decisions.counted": None, "moves.total": None}
          for name in ("xg", "gnubg")}, ()),
    ],
)  # fmt: skip
def test_rule_set_is_chosen_that_fewest_figures_are_against(unlike, names):
    order, values = list(METRICS), {}
    for rules in RULE_SETS:
        both = np.full((2, len(order)), np.nan)
        own = {name: float(text) for name, text in ENTRIES} | unlike.get(rules, {})
        for name, value in own.items() if rules in ("xg", "gnubg") else ():
            both[:, order.index(name)] = np.nan if value is None else value
        values[rules] = both
    shown = tuple((0, printed_figure(name, text, "")) for name, text in ENTRIES)
    subject = Subject(
        "a", RULE_SETS["xg"], MatchFigures.of_tables(lambda: loaded(PACK / FILES[0]), values), shown
    )
    assert Run([subject]).equals == names


def off(name, entries):
    """Compared figures: (match, seat, given, expected)."""
    return [
        Compared(match, seat, printed_figure(name, given, ""), expected, float(given) != expected)
        for match, seat, given, expected in entries
    ]


@pytest.mark.parametrize(
    ("name", "entries", "player", "change", "ratio", "sentence"),
    [
        ("decisions.counted", [("a", 0, "5", 4), ("a", 1, "7", 7), ("b", 0, "9", 8)],
         "first", 1, None, "only decisions +1, first player, in all 2 matches"),
        ("snowie_er", [("a", 0, "4.00", 2.02), ("b", 0, "10.00", 5.05)],
         None, None, 1.98, "only Snowie error rate (halved) about 1.98 times, in all 2 matches"),
        # A small factor is one where it gives every printed digit.
        ("pr", [("a", 0, "4.04", 4.0), ("a", 1, "9.09", 9.0), ("b", 0, "12.12", 12.0)],
         None, None, 1.01, "only PR about 1.01 times, in all 2 matches"),
        ("pr", [("a", 0, "4.04", 4.0), ("a", 1, "9.12", 9.0), ("b", 0, "12.12", 12.0)],
         None, None, None, "only PR +0.04 to +0.12, in all 2 matches"),
        ("pr", [("a", 0, "4.00", 2.5), ("b", 0, "3.00", 3.0), ("c", 0, "4.00", 5.0)],
         None, None, None, "only PR −1.00 to +1.50, in 2 of 3 matches (a and c)"),
    ],
)  # fmt: skip
def test_figures_that_are_off_are_grouped_by_what_they_share(
    name, entries, player, change, ratio, sentence
):
    (group,) = groups_of(off(name, entries), {})
    assert (group.player, group.change, group.ratio) == (player, change, ratio)
    assert group.sentence == sentence


@pytest.mark.parametrize(
    ("off", "roots", "moved"),
    [
        (
            [{"pr", "decisions.counted", "decisions.double"}],
            "decisions.double",
            "pr decisions.counted",
        ),
        ([{"pr", "error_rate_memg"}], "pr error_rate_memg", ""),
        (
            [{"mwc_loss_percent.take", "equity_error.take"}],
            "equity_error.take",
            "mwc_loss_percent.take",
        ),
        ([{"pr", "decisions.counted"}, {"pr"}, {"pr"}], "pr decisions.counted", ""),
        ([{"pr", "decisions.counted"}] * 2 + [{"pr"}], "decisions.counted", "pr"),
    ],
)
def test_figures_that_are_off_by_themselves_are_told_from_those_that_follow(off, roots, moved):
    assert roots_of(off) == (roots.split(), moved.split())


@pytest.mark.parametrize(
    ("names", "right", "words"),
    [
        ("pr", "decisions.counted equity_error.total",
         "Off, although computed from right figures (decisions and equity lost): PR."),
        ("pr", "decisions.counted", "Off, and not because of another figure: PR."),
        ("pr luck.equity decisions.counted", "equity_error.total",
         "Off, and not because of another figure: decisions and luck. Off, because of that: PR."),
    ],
)  # fmt: skip
def test_figures_that_are_off_are_said_with_what_they_are_computed_from(names, right, words):
    entries = [entry for name in names.split() for entry in off(name, [("a", 0, "5", 4)])]
    assert fault_words(groups_of(entries, {}), right.split()) == words
