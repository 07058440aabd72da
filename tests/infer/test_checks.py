"""The ordinary mistakes: each is recognised from figures that programs printed, comes first, and
none is named for an accident."""

import json
import random
from functools import cache
from pathlib import Path

import pytest

from reconcile.infer.investigation import investigate
from reconcile.infer.reported import CHECKS, checks_that_hold, read_reported, sighting_of
from reconcile.match.columns import Kind
from reconcile.report.text.investigation import answer, headline
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.data import FOLDER
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.long import long_but_first
from tests.support.reported import window
from tests.support.tables import beside

CASES = beside(__file__)


def demonstration(ending="xg"):
    return loaded(Path(f"{DEMONSTRATION}.{ending}"))


def figures_of(case):
    """Figures of the bundled match as a program prints them, and those beside them."""
    shows = case.get("shows", {"names": []})
    ours = statistics(demonstration(), shows.get("rules"))
    figures = ours.figures_at(shows.get("seat", 0), shows.get("game"))
    texts = {
        name: f"{shows.get('times', 1) * float(figures[name] or 0):.{METRICS[name].decimals}f}"
        for name in shows["names"]
    }
    return {**texts, **case.get("beside", {}), **case.get("figures", {})}


def moves_of(name, seat):
    """What gnuBG itself says of the checker plays of a player."""
    stats = json.loads((FOLDER / f"{name}.stats.json").read_text("utf-8"))["stats"]
    return list(stats.values())[seat]["moves"]


def codes(result):
    return [check.code for check in result.checks]


def sentences(match, player, **figures):
    """The checks that hold, by code."""
    return {check.code: check.sentence for check in investigate(match, player, figures).checks}


def test_checks_come_in_the_order_in_which_a_supporter_thinks_of_them():
    assert list(CHECKS) == CASES["order"]


@pytest.mark.parametrize("case", long_but_first(CASES["recognised"], 5))
def test_mistake_is_recognised_in_the_bundled_match(case):
    result = investigate(demonstration(), "nora", figures_of(case), game=case.get("game"))
    assert codes(result)[0] == case["code"]
    assert case["words"] in answer(result)[1]


@pytest.mark.parametrize("case", CASES["seen"])
def test_mistake_is_recognised_in_a_real_match(data, case):
    result = investigate(real(case["file"]), case["player"], case["figures"])
    assert codes(result)[0] == case["code"]
    assert answer(result)[1].casefold().startswith(case["words"].casefold())


def test_minus_sign_of_xg_s_window_changes_nothing(data):
    path = next(FOLDER.glob("real/charlot1*.xg-reported.json"))
    figures = window(json.loads(path.read_text("utf-8"))["xg"]["charlot2"])
    figures["equity_error.total"] = f"-{figures['equity_error.total']}"
    result = investigate(real("real/charlot1*.xg"), "charlot2", figures)
    assert codes(result) == []
    assert headline(result).startswith("charlot2: XG's own rules give ")
    assert ", in the digits given." in headline(result)
    assert result.explanations[0].differences == ()


def test_gnubg_s_figures_of_another_level_are_recognised(data):
    """The same transcript at 0 plies: as many unforced moves, other errors."""
    mover = moves_of("real/test_0ply", 0)
    figures = {
        "equity_error.checker": f"{mover['error-skill']:.3f}",
        "decisions.checker": str(mover["unforced-moves"]),
    }
    sentence = sentences(real("real/test_2ply.sgf"), "Kévin", **figures)["level"]
    assert sentence.startswith(
        "147 checker decisions fit, equity lost (checker plays) 2.105 does not: here Kévin_Unger "
        "has"
    )
    assert "(gnuBG, 2-ply" in sentence


@cache
def under_every_rules():
    return {name: statistics(demonstration(), name) for name in RULE_SETS}


def mistyped(**figures):
    """The check of a digit for figures of the bundled match, if it holds."""
    sighting = sighting_of(under_every_rules(), 0, None, read_reported(figures))
    return next(
        (each for each in checks_that_hold(sighting) if each.code == "mistyped-digit"), None
    )


@pytest.mark.parametrize("beside", [{"decisions": "104"}, {"equity_error": "1.489"}], ids=str)
@pytest.mark.parametrize("away", long_but_first([30, 9, 90, 400]))
def test_numbers_in_turn_are_mistyped_as_often_as_chance_is_said_to_give_and_say_so(beside, away):
    """Another analysis has the same decisions, another way of counting the same sum of errors, and
    any PR near 7.16."""
    numbers = [f"{hundredths / 100:.2f}" for hundredths in range(716 - away, 717 + away)]
    checks = [check for number in numbers if (check := mistyped(pr=number, **beside))]
    assert checks
    for check in checks:
        assert " Chance alone makes about " in check.sentence
        assert check.by_chance >= len(checks) / len(numbers)


def test_figures_drawn_at_random_are_hardly_ever_mistyped_and_then_chance_is_said_to_do_it():
    draw, drawn, checks = random.Random(7), 120, []
    for _ in range(drawn):
        pr, snowie = (f"{draw.uniform(1, 20):.2f}" for _ in range(2))
        figures = {"pr": pr, "snowie_er": snowie, "decisions": str(draw.randint(60, 160))}
        names = draw.sample(sorted(figures), draw.choice((2, 3)))
        checks.append(mistyped(**{name: figures[name] for name in names}))
    assert sum(map(bool, checks)) <= drawn / 50
    assert all(" Chance alone makes about " in check.sentence for check in checks if check)


@pytest.mark.parametrize("case", long_but_first(CASES["no-mistake"], 5))
def test_no_mistake_is_named_without_proof(case):
    result = investigate(demonstration(case.get("ending", "xg")), "nora", figures_of(case))
    assert not {*case.get("never", CASES["order"])} & {*codes(result)}


@pytest.mark.parametrize("tool", ["XG", "GNU Backgammon"])
@pytest.mark.parametrize(
    "name", long_but_first(["pr", "mwc_loss_percent.take", "cube_pr", "decisions"], 2)
)
def test_checks_stand_a_match_in_which_hardly_anything_is_known(tool, name):
    unknown = {"analysed": [False], "no_double": [NAN], "double_take": [NAN]}
    take = cubes(kind=[Kind.TAKE], stored_error=[NAN], **unknown)
    for length in (None, 7) if not name.startswith("mwc") else (7,):
        nothing = match_of(plays(), take, tool=tool, length=length)
        assert headline(investigate(nothing, "Ann", {name: "12"}))
