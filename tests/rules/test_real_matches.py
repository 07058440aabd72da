"""What tells answers apart in real matches, and money sessions of XG, which decide nothing that
is open."""

from itertools import combinations

import numpy as np
import pytest

from reconcile.match.columns import Kind
from reconcile.match.met import load_met
from reconcile.rules import QUESTIONS, own_rules, rule_set
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.score import score
from reconcile.scoring.statistics import statistics
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.tables import beside, cases_of

DECISIONS: dict[str, list[tuple[str, int, int, str]]] = beside(__file__, "real_decisions.yaml")
COUNTING = ("Q01", "Q02", "Q03", "Q04", "Q05", "Q15", "Q16")
"""What they decide is whether a decision counts; the others, what it costs."""
NO_RECORD = set(cases_of(__file__, "no_record"))


@pytest.mark.parametrize("code", DECISIONS)
def test_every_two_answers_differ_on_a_decision_of_a_real_match_or_are_known_to_have_no_record(
    data, code
):
    judged: dict[str, list[object]] = {answer: [] for answer in QUESTIONS[code].answers}
    for pattern, game, turn, kind_name in DECISIONS[code]:
        (path,), kind = data.glob(pattern), Kind[kind_name]
        match = with_dead_cubes(loaded(path))
        base = (
            own_rules(match).switched("Q03", "all") if code in ("Q02", "Q04") else own_rules(match)
        )
        table = match.plays if kind is Kind.PLAY else match.cubes
        here = (match.games.number[table.game] == game) & (table.turn == turn)
        if kind is not Kind.PLAY:
            here &= match.cubes.kind == kind
        (index,) = np.flatnonzero(here).tolist()
        row = index + (0 if kind is Kind.PLAY else len(match.plays))
        for answer, result in judged.items():
            scored = score(match, base.switched(code, answer), load_met("Kazaross-XG2"))
            result.append(
                scored.counted[row]
                if code in COUNTING
                else (scored.counted[row], scored.error[row], scored.loss[row])
            )
    alike = {
        (code, *pair) for pair in combinations(judged, 2) if judged[pair[0]] == judged[pair[1]]
    }
    assert alike <= NO_RECORD


@pytest.mark.parametrize("path", cases("bgblitz/xg/B4*.xg", "bgblitz/xg/Sz*.xg"))
def test_money_session_is_settled_and_has_every_figure_but_those_of_a_match(
    path,
):
    match = loaded(path)
    games = match.games
    assert games.resigned.tolist() == [False] * (len(games) - 1) + [True]
    assert games.points[-1] > 0
    assert match.complete
    assert not match.rules.jacoby
    assert not match.rules.beavers
    computed = statistics(match)
    rest = [
        statistics(match, rule_set("xg").switched("Q03", name)) for name in QUESTIONS["Q03"].answers
    ]
    for seat in (0, 1):
        figures = computed.figures(seat)
        missing = {name for name, value in figures.items() if value is None}
        assert {name for name in missing if "mwc" in name} == {
            name for name in figures if "mwc" in name
        }
        assert all(coverage.complete for coverage in computed.completeness(seat).values())
        assert {other.figures(seat)["decisions.double"] for other in rest} == {
            figures["decisions.double"]
        }
