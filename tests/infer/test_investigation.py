"""Which rules would have given a figure: the nearest rules are told first, every difference told is
needed, nothing is invented, and the same question has the same answer."""

import json
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path

import pytest

from reconcile.document import dumps
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import EXPLORED, fits_figure
from reconcile.match.columns import Kind
from reconcile.report.blocks import text
from reconcile.report.text.investigation import headline, investigation_blocks
from reconcile.rules.rulesets import RULE_SETS, rule_set
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from tests.support import schemas
from tests.support.claims import some
from tests.support.data import cases, matching, skipped_if_empty
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.long import long_but_first
from tests.support.reported import match_file, window
from tests.support.tables import beside


def changes(explanation):
    return {
        difference.question: (difference.answer_from, difference.answer_to)
        for difference in explanation.differences
    }


def rules_of(match, explanation, without=()):
    """The rules of an explanation, but for some of its differences."""
    rules = RULE_SETS[explanation.nearest].for_match(match)[0]
    for difference in explanation.differences:
        if difference not in without:
            rules = rules.switched(difference.question, difference.answer_to)
    return rules


TRACED = beside(__file__, "traced.yaml")


@pytest.mark.parametrize("case", long_but_first(TRACED.values(), 2))
def test_rate_of_another_program_is_traced_to_one_answer_and_its_decisions(data, case):
    result = investigate(real(case["file"]), case["player"], case["figures"])
    first, questions = result.explanations[0], list(case["changes"])
    assert first.nearest == "xg"
    assert changes(first) == {code: tuple(both) for code, both in case["changes"].items()}
    assert all(each["counted_from"] > each["counted_to"] for each in some(first.decisions))
    assert {each["questions"] for each in first.decisions} == {tuple(questions)}
    places = sorted([each["game"], each["turn"], each["kind"]] for each in first.decisions)
    assert case.get("decisions", places) == places
    fitting = [rules.name for rules in result.rule_sets if rules.fits]
    assert case.get("fits", fitting) == fitting


def test_checker_error_that_blunderdb_printed_comes_closest_to_the_highest_candidate(
    data,
):
    result = investigate(real("real/test.xg"), "Kévin", {"equity_error.checker": "2.150"})
    assert result.explanations == ()
    first = result.closest[0]
    assert (first.nearest, changes(first)) == ("xg", {"Q06": ("stored", "max-candidate")})
    assert 1 < first.off < 4
    assert first.figures["equity_error.checker"] == pytest.approx(2.1509, abs=1e-4)
    assert headline(result).startswith(
        "Kévin Unger: no rules give equity lost (checker plays) 2.150. XG's own rules give "
    )


def players_of_xg():
    result = [
        pytest.param(match_file(path), name, shown, id=name)
        for path in matching("real/*.xg-reported.json")
        for name, shown in json.loads(path.read_text("utf-8"))["xg"].items()
    ]
    return skipped_if_empty(result, 3)


@pytest.mark.parametrize(("path", "name", "shown"), long_but_first(players_of_xg(), 0, 1))
def test_figures_of_xg_need_no_difference(path, name, shown):
    figures = window(shown)
    first = investigate(loaded(path), name, figures).explanations[0]
    assert (first.nearest, first.differences, first.decisions) == ("xg", (), ())
    for figure in figures.items():
        assert investigate(loaded(path), name, dict([figure])).explanations[0].differences == ()


@pytest.mark.parametrize("path", cases("gnubg/m0*.sgf", "gnubg/m4*.sgf", short=1, most=5))
def test_figures_of_gnubg_s_rules_need_no_difference_in_its_files(path):
    match = loaded(path)
    for seat, player in some(enumerate(match.players)):
        own = statistics(match, "gnubg").figures(seat)
        figures = {
            name: f"{value:.{3 if METRICS[name].decimals else 0}f}"
            for name, value in own.items()
            if name in EXPLORED and value is not None
        }
        first = investigate(match, player, figures).explanations[0]
        assert (first.nearest, first.differences) == ("gnubg", ())


@pytest.mark.parametrize(("suffix", "own"), [("xg", "xg"), ("sgf", "gnubg")])
def test_of_rule_sets_that_are_as_near_the_file_s_own_is_the_nearest(suffix, own):
    match = loaded(Path(f"{DEMONSTRATION}.{suffix}"))
    result = investigate(match, "nora", {"equity_error.take": "5.00"})
    assert {rule_set.figures["equity_error.take"] for rule_set in result.rule_sets} == {0.0}
    assert result.nearest.name == own


def test_one_game_is_investigated_by_its_number(data):
    match = real("real/match_with_comment.xg")
    own, xg = (
        statistics(match, rule_set("xg").switched("Q03", answer)).figures_at(0, 7)
        for answer in ("nd-positive", "minus-0.9")
    )
    assert own["pr"] != xg["pr"]
    figures = {"pr": f"{own['pr']:.3f}", "decisions": str(own["decisions.counted"])}
    result = investigate(match, "Nicolas", figures, game=8)
    assert changes(result.explanations[0]) == {"Q03": ("minus-0.9", "nd-positive")}
    assert {result.game, *(each["game"] for each in result.explanations[0].decisions)} == {8}
    assert "game 8" in headline(result)


def test_resignation_that_explains_a_sum_is_named():
    match = match_of(plays(stored_error=[NAN]), None, 0.2, tool="GNU Backgammon")
    match = replace(match, source=replace(match.source, content=b"made by hand"))
    explanations = investigate(match, "Ann", {"equity_error": "0.100"}).explanations
    first = next(explanation for explanation in explanations if explanation.nearest == "xg")
    assert changes(first) == {"Q07": ("yes-without-decision", "no")}
    result = investigate(match, "Ann", {"equity_error": "0.300"}, game=1)
    assert result.explanations[0].nearest == "xg"
    first = next(each for each in result.explanations if each.nearest == "gnubg")
    assert changes(first) == {"Q07": ("no", "yes-without-decision")}
    (decision,) = first.decisions
    assert decision["kind"] == "resign"
    assert (decision["turn"], decision["counted_to"], decision["error_to"]) == (2, False, 0.2)
    assert "resign" in text(investigation_blocks(result))
    assert faults(result) == []


def test_answer_weighed_after_the_double_is_named_although_its_equity_is_the_same():
    match = match_of(plays(), cubes(kind=[Kind.TAKE], stored_error=[0.1]))
    rules = rule_set("gnubg").switched("Q10", "after-double").switched("Q06", "stored")
    lost = f"{statistics(match, rules).figures(0)['mwc_loss_percent.take']:.4f}"
    figures = {"mwc_loss_percent.take": lost, "equity_error.take": "0.1"}
    result = investigate(match, "Ann", figures)
    explanation = next(each for each in result.explanations if "Q10" in changes(each))
    (take,) = [turning for turning in explanation.decisions if turning["kind"] == "take"]
    assert take["mwc_from"] < take["mwc_to"]
    assert "MWC" in text(investigation_blocks(result))


@pytest.mark.parametrize("path", cases("real/*.xg", "real/test.sgf", short=1, most=2))
@pytest.mark.parametrize(
    "figures", long_but_first([{"pr": "6.5"}, {"decisions": "84"}, {"equity_error": "1"}]), ids=str
)
def test_every_difference_is_needed_gives_the_figures_that_are_shown_and_the_fewest_come_first(
    path, figures
):
    match = loaded(path)
    for seat, player in some(enumerate(match.players)):
        result = investigate(match, player, figures)
        (wanted,) = result.reported
        shown = [
            (explanation.nearest, {(d.question, d.answer_to) for d in explanation.differences})
            for explanation in result.explanations
        ]
        numbers = [len(changed) for _, changed in shown]
        assert numbers == sorted(numbers)
        assert len(shown) <= 20
        for (base, less), (other, more) in combinations(shown, 2):
            assert base != other or not less <= more
        for explanation in result.explanations:
            sizes = range(1, len(explanation.differences) + 1)
            for without in chain(*(combinations(explanation.differences, n) for n in sizes)):
                rules = rules_of(match, explanation, without)
                value = statistics(match, rules).figures(seat)[wanted.metric]
                assert not fits_figure(value, wanted), without
            direct = statistics(match, rules_of(match, explanation)).figures(seat)
            for name, value in explanation.figures.items():
                # Errors are single or double precision with the file's columns, and so are the
                # chances they turn into.
                same = value is direct[name] is None or value == pytest.approx(direct[name], 1e-6)
                assert same, name


def faults(result):
    return schemas.faults("investigation", json.loads(dumps(result)))
