"""Which rules would have given a figure: every combination is scored truly, the nearest rules are told first, nothing is invented."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reconcile.adapters import load_match, read_match
from reconcile.cli import main
from reconcile.columns import Kind
from reconcile.diagnosis.answer_grid import Combinations
from reconcile.diagnosis.investigation import Explanation, Investigation, investigate
from reconcile.diagnosis.reported import EXPLORED, Reported, read_reported
from reconcile.errors import InvalidConfiguration, NothingToCompare, ReconcileError, UnknownName
from reconcile.files.bundled import bundled
from reconcile.match import Match
from reconcile.report.text.investigation import headline, investigation_text
from reconcile.results.documents import dumps
from reconcile.results.investigation import investigation_document
from reconcile.rules import QUESTIONS, RULE_SETS, rule_set
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.rules.test_rules import cubes, match_of, plays
from tests.scoring.test_xg_figures import WINDOW, match_file, scored
from tests.support import schemas, strategies, xg_writer
from tests.support.data import FOLDER, ONE_OF_EACH, cases, matching, skipped_if_empty

DEMONSTRATION = bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck"
NAN = float("nan")


@cache
def loaded(path: Path) -> Match:
    return load_match(str(path))


def real(pattern: str) -> Match:
    (path,) = FOLDER.glob(pattern)
    return loaded(path)


def changes(explanation: Explanation) -> dict[str, tuple[str, str]]:
    return {one.question: (one.answer_from, one.answer_to) for one in explanation.differences}


# -- what people were told ---------------------------------------------------------------------------------------------


def test_rate_of_gammonview_is_traced_to_the_spread_of_the_candidates_and_nothing_else(data: Path) -> None:
    found = investigate(real("real/charlot1*.xg"), "charlot1", {"pr": "0.396", "decisions": "89"})
    first = found.explanations[0]
    assert first.nearest == "xg"
    assert changes(first) == {"Q01": ("xg-flag", "xg-spread")}
    assert first.also == ("gammonview",)
    assert [(one.game, one.turn, one.kind, one.counted_from, one.counted_to) for one in first.decisions] == [(1, 42, "play", True, False)]
    assert {one.name for one in found.known if one.fits} == {"gammonview"}


TRACED = [
    ("match_with_comment.xg", 0, "6.749", "81", [(8, 17), (8, 19), (8, 21)]),
    ("ronde1-*.xg", 1, "3.651", "95", None),
]
"""PR and decisions of two player sides when no losing side's no-double counts (see Q03)."""


@pytest.mark.parametrize(("pattern", "seat", "pr", "decisions", "turns"), TRACED, ids=[one[0] for one in TRACED])
def test_rate_of_blunderdb_s_clause_for_the_losing_side_is_traced_to_it(
    data: Path, pattern: str, seat: int, pr: str, decisions: str, turns: list[tuple[int, int]] | None
) -> None:
    match = real(f"real/{pattern}")
    for figures in ({"pr": pr}, {"pr": pr, "decisions": decisions}):
        first = investigate(match, match.players[seat], figures).explanations[0]
        assert first.nearest == "xg"
        assert changes(first) == {"Q03": ("minus-0.9", "nd-positive")}
        assert {one.kind for one in first.decisions} == {"no-double"}
        assert all(one.counted_from and not one.counted_to for one in first.decisions)
        if turns:
            assert sorted((one.game, one.turn) for one in first.decisions) == turns


def test_checker_error_that_blunderdb_printed_comes_closest_to_the_highest_candidate(data: Path) -> None:
    found = investigate(real("real/test.xg"), "Kévin", {"equity_error.checker": "2.150"})
    assert found.explanations == ()
    first = found.closest[0]
    assert (first.nearest, changes(first)) == ("xg", {"Q06": ("stored", "max-candidate")})
    assert 1 < first.off < 4
    assert first.figures["equity_error.checker"] == pytest.approx(2.1509, abs=1e-4)
    assert "none of" in headline(found)


def players_of_xg() -> list[Any]:
    found = []
    for path in matching("real/*.xg-reported.json"):
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            found.append(pytest.param(match_file(path), name, window, id=name))
    return skipped_if_empty(found, 3)


@pytest.mark.parametrize(("path", "name", "window"), players_of_xg())
def test_figures_of_xg_need_no_difference(path: Path, name: str, window: Mapping[str, float]) -> None:
    figures = {}
    for key, printed in window.items():
        metric, decimals = WINDOW[key]
        figures[metric] = f"{printed:.{decimals}f}"
    first = investigate(loaded(path), name, figures).explanations[0]
    assert (first.nearest, first.differences, first.decisions) == ("xg", (), ())
    for one in figures.items():
        assert investigate(loaded(path), name, dict([one])).explanations[0].differences == ()


@pytest.mark.parametrize("path", cases("gnubg/m0*.sgf", "gnubg/m4*.sgf"))
def test_figures_of_gnubg_s_rules_need_no_difference_in_its_files(path: Path) -> None:
    match = loaded(path)
    computed = statistics(match, "gnubg")
    for seat, player in enumerate(match.players):
        own = computed.figures(seat)
        figures = {name: f"{own[name]:.{3 if METRICS[name].decimals else 0}f}" for name in EXPLORED if own[name] is not None}
        first = investigate(match, player, figures).explanations[0]
        assert (first.nearest, first.differences) == ("gnubg", ())


def test_bundled_pair_shows_a_difference_without_any_data() -> None:
    match = loaded(Path(f"{DEMONSTRATION}.xg"))
    found = investigate(match, "nora", {"pr": "7.09", "decisions": "105"})
    assert list(changes(found.explanations[0])) == ["Q01"]
    assert headline(found).startswith("Nora Lindqvist: PR 7.09, Decisions 105: eXtreme Gammon's statistics window with Q01")


def test_one_game_is_investigated_by_its_number(data: Path) -> None:
    match = real("real/match_with_comment.xg")
    own = statistics(match, rule_set("xg").switched("Q03", "nd-positive")).figures(0, 7)
    assert own["pr"] != statistics(match, "xg").figures(0, 7)["pr"]
    found = investigate(match, "Nicolas", {"pr": f"{own['pr']:.3f}", "decisions": str(own["decisions.counted"])}, game=8)
    assert found.game == 8
    assert changes(found.explanations[0]) == {"Q03": ("minus-0.9", "nd-positive")}
    assert {one.game for one in found.explanations[0].decisions} == {8}
    assert "game 8" in headline(found)


def test_sgf_s_own_rules_have_no_flag_to_change_to(data: Path) -> None:
    match = real("real/test.sgf")
    own = statistics(match, "gnubg").figures(0)
    assert investigate(match, match.players[0], {"error_rate_memg": f"{own['error_rate_memg']:.1f}"}).explanations[0].differences == ()
    for explanation in investigate(match, match.players[0], {"decisions": "150"}).explanations:
        assert "xg-flag" not in [to for _, to in changes(explanation).values()]


# -- resignations, answers at another cube: what an explanation turns on -----------------------------------------------


def test_resignation_that_explains_a_sum_is_named() -> None:
    match = match_of(plays(stored_error=[NAN]), None, 0.2)
    found = investigate(match, "Ann", {"equity_error": "0.100"})
    first = next(one for one in found.explanations if one.nearest == "xg")
    assert changes(first) == {"Q07": ("yes-without-decision", "no")}
    found = investigate(match, "Ann", {"equity_error": "0.300"})
    assert found.explanations[0].nearest == "xg"
    first = next(one for one in found.explanations if one.nearest == "gnubg")
    assert changes(first) == {"Q07": ("no", "yes-without-decision")}
    (turning,) = first.decisions
    assert (turning.kind, turning.turn, turning.counted_to, turning.error_to) == ("resign", 2, False, 0.2)
    assert "resign" in investigation_text(found)


def test_answer_weighed_after_the_double_is_named_although_its_equity_is_the_same() -> None:
    match = match_of(plays(), cubes(kind=[Kind.TAKE], stored_error=[0.1]))
    changed = statistics(match, rule_set("gnubg").switched("Q10", "after-double").switched("Q06", "stored")).figures(0)
    found = investigate(match, "Ann", {"mwc_loss_percent.take": f"{changed['mwc_loss_percent.take']:.4f}", "equity_error.take": "0.1"})
    explanation = next(one for one in found.explanations if "Q10" in changes(one))
    (turning,) = [one for one in explanation.decisions if one.kind == "take"]
    assert turning.mwc_from is not None
    assert turning.mwc_to is not None
    assert turning.mwc_to > turning.mwc_from
    assert "MWC" in investigation_text(found)


def test_decisions_that_move_the_rate_most_come_first(data: Path) -> None:
    found = investigate(real("real/charlot1*.xg"), "charlot1", {"equity_error": "0.190"})
    explanation = next(one for one in found.explanations if set(changes(one)) == {"Q06"})
    sizes = [abs(one.error_to - one.error_from) for one in explanation.decisions]
    assert len(sizes) > 2
    assert sizes == sorted(sizes, reverse=True)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "printed", "value", "half"),
    [
        ("pr", "9.23", 9.23, 0.005),
        ("pr", "9,23", 9.23, 0.005),
        ("pr", " 9.2 ", 9.2, 0.05),
        ("pr", "9", 9, 0.5),
        ("mwc_loss_percent", "19.85%", 19.85, 0.005),
        ("mwc_loss_percent", "-19,85 %", 19.85, 0.005),
        ("error_rate_memg", "\N{MINUS SIGN}97.8", 97.8, 0.05),
        ("decisions", "121", 121, 0),
        ("equity_error.take", "0.000", 0, 0.0005),
    ],
)
def test_figure_is_read_as_programs_print_it(name: str, printed: str, value: float, half: float) -> None:
    (found,) = read_reported({name: printed})
    assert found.value == pytest.approx(value)
    assert found.half == pytest.approx(half)


@pytest.mark.parametrize(
    "figures",
    [
        {"pr": "nine"},
        {"pr": ""},
        {"pr": "nan"},
        {"pr": "inf"},
        {"pr": "1e99"},
        {"pr": "1.234,5"},
        {"pr": "9.23 9.24"},
        {"decisions": "89.5"},
        {"decisions": "-89"},
        {"decisions": "89", "decisions.counted": "90"},
        {},
    ],
    ids=str,
)
def test_nonsense_is_refused(figures: dict[str, str]) -> None:
    with pytest.raises(InvalidConfiguration):
        read_reported(figures)


@pytest.mark.parametrize("name", ["moves.total", "luck", "prr"])
def test_figure_that_depends_on_no_rule_is_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        read_reported({name: "1"})


def test_chances_of_a_money_session_and_a_match_without_analysis_are_refused(data: Path) -> None:
    money = real("gnubg/m10*.sgf")
    with pytest.raises(NothingToCompare, match="money"):
        investigate(money, money.players[0], {"mwc_loss_percent": "1.0"})
    bare = real("gnubg/m14*.sgf")
    with pytest.raises(NothingToCompare, match="not analysed"):
        investigate(bare, bare.players[0], {"pr": "1.0"})
    with pytest.raises(UnknownName, match="no game 99"):
        investigate(money, money.players[0], {"pr": "1.0"}, game=99)


def ran(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["investigate", f"{DEMONSTRATION}.xg", "--player", "nora", *arguments])


@pytest.mark.parametrize("figure", ["pr=nine", "decisions=105.5", "moves.total=10", "prr=1"])
def test_nonsense_on_the_command_line_is_one_line_and_exit_code_2(figure: str) -> None:
    result = ran("--reported", figure)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)


def test_figures_of_no_rules_exit_with_1_and_show_what_comes_closest() -> None:
    result = ran("--reported", "pr=7.30", "--reported", "decisions=106")
    assert result.exit_code == 1
    assert "What comes closest:" in result.stdout
    assert re.search(r"off by [\d.]+ digits", result.stdout)


# -- every combination is scored truly ---------------------------------------------------------------------------------


def check(match: Match, seat: int, game: int | None, chosen: Mapping[str, int]) -> None:
    """Figures of one combination in the arrays, against scoring the match under just these answers."""
    space = Combinations(match, None, seat, game)
    row = tuple(chosen.get(code, 0) % len(names) for code, names in space.axes.items())
    rules = space.base.for_match(match)[0]
    for code, name in space.answers_at(row).items():
        rules = rules.switched(code, name)
    expected = statistics(match, rules).figures(seat, game)
    for name, table in space.figures().items():
        value = float(table[tuple(i if size > 1 else 0 for i, size in zip(row, table.shape, strict=True))])
        wanted = expected[name]
        assert np.isnan(value) if wanted is None else value == pytest.approx(wanted, rel=1e-12, abs=1e-15), (name, value, wanted, rules)


ANSWERS = st.fixed_dictionaries({code: st.integers(0, 59) for code in QUESTIONS})
QUICK = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH))
@QUICK
@given(seat=st.integers(0, 1), whole=st.booleans(), number=st.integers(0, 30), chosen=ANSWERS)
def test_any_combination_on_a_real_match_is_what_scoring_gives(
    path: Path, seat: int, whole: bool, number: int, chosen: dict[str, int]
) -> None:
    match = loaded(path)
    check(match, seat, None if whole else number % len(match.games), chosen)


@settings(max_examples=50, deadline=None)
@given(made=strategies.matches(), seat=st.integers(0, 1), whole=st.booleans(), number=st.integers(0, 30), chosen=ANSWERS)
def test_any_combination_on_a_generated_match_is_what_scoring_gives(
    made: Any, seat: int, whole: bool, number: int, chosen: dict[str, int]
) -> None:
    match = read_match("made.xg", xg_writer.write(made))
    check(match, seat, None if whole else number % len(match.games), chosen)


EDGES = {
    "one point": match_of(plays(), length=1),
    "beyond the cap": match_of(plays(stored_error=[0.9])),
    "errors and no decision": match_of(plays(flag=[1], legal=[1], spread=[0.0])),
    "money": match_of(plays(), cubes(2, kind=[Kind.NO_DOUBLE, Kind.TAKE], answers_beaver=[False, True]), length=None),
    "plays without cube analysis": match_of(plays(), cubes(analysed=[False], no_double=[NAN], double_take=[NAN], stored_error=[NAN])),
    "cube without plays": match_of(plays(analysed=[False], stored_error=[NAN], spread=[NAN]), cubes(kind=[Kind.TAKE], stored_error=[0.1])),
    "resigned": match_of(plays(), None, 0.2),
}


@pytest.mark.parametrize("name", EDGES)
@QUICK
@given(seat=st.integers(0, 1), chosen=ANSWERS)
def test_any_combination_at_the_edges_is_what_scoring_gives(name: str, seat: int, chosen: dict[str, int]) -> None:
    check(EDGES[name], seat, None, chosen)


@pytest.mark.parametrize("path", cases("real/*.xg", "gnubg/m0*.sgf"))
def test_explanation_gives_the_figures_it_claims(path: Path) -> None:
    match = loaded(path)
    own = statistics(match, "gammonview").figures(0)
    found = investigate(match, match.players[0], {"pr": f"{own['pr']:.2f}"})
    assert found.explanations
    for explanation in found.explanations:
        rules = RULE_SETS[explanation.nearest].for_match(match)[0]
        for question, (_, answer) in changes(explanation).items():
            rules = rules.switched(question, answer)
        direct = statistics(match, rules).figures(0)
        for name, value in explanation.figures.items():
            # Errors are single or double precision with the file's columns, and so are the chances they turn into.
            assert value is direct[name] is None or value == pytest.approx(direct[name], rel=1e-6), name
        assert direct["pr"] == pytest.approx(own["pr"], abs=0.01)


@pytest.mark.parametrize("path", cases("real/*.xg", "real/test.sgf", "gnubg/m49*.sgf"))
def test_every_known_rule_set_that_fits_is_told_and_explained(path: Path) -> None:
    match = loaded(path)
    for name in RULE_SETS:
        own = statistics(match, name).figures(1)
        if own["pr"] is None:  # not analysed
            continue
        found = investigate(match, match.players[1], {"pr": f"{own['pr']:.4f}", "decisions": str(own["decisions.counted"])})
        assert name in [one.name for one in found.known if one.fits]
        assert found.explanations, name


@pytest.mark.parametrize("path", cases("real/*.xg", "real/test.sgf"))
@pytest.mark.parametrize("figures", [{"pr": "6.5"}, {"decisions": "84"}, {"equity_error": "1"}], ids=str)
def test_no_explanation_extends_an_earlier_one_and_the_fewest_differences_come_first(path: Path, figures: dict[str, str]) -> None:
    match = loaded(path)
    for player in match.players:
        found = investigate(match, player, figures)
        told = [(one.nearest, {(d.question, d.answer_to) for d in one.differences}) for one in found.explanations]
        assert [len(changed) for _, changed in told] == sorted(len(changed) for _, changed in told)
        assert len(told) <= 20
        for (base, less), (other, more) in combinations(told, 2):
            assert base != other or not less <= more
        for explanation in found.explanations:
            assert_every_difference_is_needed(match, found, explanation)


def assert_every_difference_is_needed(match: Match, found: Investigation, explanation: Explanation) -> None:
    (wanted,) = found.reported
    seat = match.players.index(found.player)
    changed = explanation.differences
    for kept in (kept for size in range(len(changed)) for kept in combinations(changed, size)):
        rules = RULE_SETS[explanation.nearest].for_match(match)[0]
        for one in kept:
            rules = rules.switched(one.question, one.answer_to)
        value = statistics(match, rules).figures(seat)[wanted.metric]
        assert value is not None
        assert abs(value - wanted.value) > wanted.half, kept


def test_answers_that_cannot_matter_are_left_out(data: Path) -> None:
    axes = Combinations(real("real/charlot1*.xg"), None, 0, None).axes
    assert {code for code, names in axes.items() if len(names) == 1} == {"Q05", "Q07", "Q09", "Q13", "Q14"}
    assert len(Combinations(match_of(plays(), length=1), None, 0, None).axes["Q09"]) == 2
    assert len(Combinations(match_of(plays(stored_error=[0.9])), None, 0, None).axes["Q13"]) == 2


# -- the document ------------------------------------------------------------------------------------------------------


def faults(found: Investigation) -> list[str]:
    return schemas.faults("investigation", json.loads(dumps(investigation_document(found))))


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH))
@pytest.mark.parametrize("figure", ["0.00", "5", "6.508", "99.99"])
def test_document_fits_its_schema(path: Path, figure: str) -> None:
    match = loaded(path)
    try:
        found = investigate(match, match.players[0], {"pr": figure})
    except NothingToCompare:
        return
    assert faults(found) == []
    assert investigation_text(found).endswith("has the page of a question.\n")


def test_document_of_a_resignation_and_of_a_game_fits_its_schema() -> None:
    match = match_of(plays(), None, 0.2)
    match = replace(match, source=replace(match.source, content=b"made by hand"))
    assert faults(investigate(match, "Ann", {"equity_error": "0.300"}, game=1)) == []


def test_figures_may_come_already_read() -> None:
    match = loaded(Path(f"{DEMONSTRATION}.xg"))
    found = investigate(match, "nora", [Reported("pr", "7.09", 7.09, 0.005), Reported("decisions.counted", "105", 105, 0)])
    assert found == investigate(match, "nora", {"pr": "7.09", "decisions": "105"})


def test_same_question_has_the_same_answer(data: Path) -> None:
    match = real("real/test.xg")
    one, two = (dumps(investigation_document(investigate(match, "Kévin", {"pr": "7.8"}))) for _ in range(2))
    assert one == two


def test_investigation_needs_a_known_player() -> None:
    with pytest.raises(ReconcileError):
        investigate(loaded(Path(f"{DEMONSTRATION}.xg")), "nobody", {"pr": "1"})


def test_figures_are_those_of_the_prototype(data: Path) -> None:
    """The figures traced above were computed before this program was; they are not our own, fed back."""
    for pattern, seat, pr, _, _ in TRACED:
        (path,) = FOLDER.glob(f"real/{pattern}")
        prototype = json.loads(path.with_name(f"{path.name}-computed.json").read_text("utf-8"))
        name = scored(path).match.players[seat]
        (player,) = [one for one in prototype["players"] if one["name"] == name]
        assert f"{player['pr_losing_side_nd_positive']:.3f}" == pr
