"""Every decision as one row: its errors add up to the figures, and its units do not depend on the
format."""

import numpy as np
import pytest

from reconcile import load_match, statistics
from reconcile.match.board.play import play_text
from reconcile.match.board.position import from_xgid
from reconcile.match.columns import Kind
from reconcile.match.match import Facts
from reconcile.scoring.decisions import COLUMNS
from tests.support.claims import some
from tests.support.data import label, matching
from tests.support.gnubg_ids import from_gnubg_id
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.long import long_but_first

BUNDLED = [DEMONSTRATION.with_suffix(suffix) for suffix in (".xg", ".sgf")]
REAL = [
    pytest.param(path, id=f"{label(path)}{path.suffix}")
    for path in [*matching("real/*.xg"), *matching("real/*.sgf"), *matching("bgblitz/bgf/*.bgf")]
]


@pytest.mark.parametrize("rules", ["xg", "gnubg", "bgblitz"])
@pytest.mark.parametrize(
    "path", [*(pytest.param(path, id=path.suffix) for path in BUNDLED), *long_but_first(REAL, 2)]
)
def test_errors_add_up_to_the_figures_of_each_player(path, rules):
    computed = statistics(loaded(path), rules)
    table = computed.decisions()
    for seat in (0, 1):
        mine, figures = table["seat"] == seat, computed.figures(seat)
        if figures["decisions.counted"] is None:
            assert not all(part.complete for part in computed.completeness(seat).values())
            continue
        assert np.nansum(table["error"][mine]) == pytest.approx(
            figures["equity_error.total"] or 0, abs=1e-6
        )
        assert np.nansum(table["error_mwc_percent"][mine]) == pytest.approx(
            figures["mwc_loss_percent.total"] or 0, abs=1e-4
        )
        assert table["counted"][mine].sum() == figures["decisions.counted"]


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.suffix)
def test_an_error_is_the_best_equity_less_that_of_what_was_done_in_every_format(path):
    frame = statistics(loaded(path), "gnubg").decisions().to_frame()
    assert list(frame.columns) == list(COLUMNS)
    judged = frame[frame["error"].notna() & frame["equity_best"].notna()]
    assert len(judged) > 250
    assert np.allclose(judged["equity_best"] - judged["equity_played"], judged["error"], atol=2e-5)
    assert (judged["chance_before"] >= judged["chance_after"] - 1e-9).all()
    lost = 100 * (judged["chance_before"] - judged["chance_after"])
    rolled = judged["kind"].isin(["play", "no-double", "double"])
    assert np.allclose(lost[rolled], judged["error_mwc_percent"][rolled], atol=5e-3)
    assert (
        (judged["played"] == judged["best"]) == (judged["equity_best"] == judged["equity_played"])
    ).all()
    assert (frame["counted"] == (frame["why_not"] == "")).all()
    assert frame["xgid"].str.match("XGID=").all()


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.suffix)
def test_plays_are_those_of_the_file_with_its_candidates_and_their_equities(path):
    match = loaded(path)
    table = statistics(match).decisions()
    names = "row", "kind", "candidates", "played", "equity_best", "equity_played"
    for row, kind, candidates, *rest in zip(*map(table.listed, names), strict=True):
        assert candidates == (match.candidates(row) if kind == "play" else ())
        if candidates:
            view = match.decision(row)
            made = [candidate.equity for candidate in candidates if candidate.made]
            equities = candidates[0].equity, made[0]
            text = play_text(view.position, view.play)
            assert rest == [text, *(pytest.approx(each, abs=1e-5) for each in equities)]
    assert sum(map(len, table["candidates"])) > 500


@pytest.mark.parametrize("path", [*BUNDLED, *long_but_first(REAL, 0)], ids=label)
def test_identifiers_say_the_situation_of_the_decision(path):
    match = loaded(path)
    facts = Facts(match)
    for row in some(range(len(match.plays) + len(match.cubes))):
        at = row - len(match.plays)
        view = match.decision(row)
        xgid, gnubg_id = facts.identifiers(row)
        if not xgid:
            assert match.cubes.answers_beaver[at]
            continue
        for situation in (from_xgid(xgid), from_gnubg_id(gnubg_id)):
            assert situation.position == view.position
            assert (situation.cube, situation.away) == (view.cube, view.away)
            assert situation.double_offered == (view.kind >= Kind.TAKE)


def test_a_table_of_arrow_has_the_same_rows():
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    table = statistics(load_match(BUNDLED[1])).decisions()
    arrow = table.to_arrow()
    assert arrow.column_names == list(COLUMNS)
    assert arrow.num_rows == len(table)
    assert arrow["xgid"].null_count == 0
    assert arrow["error"].null_count == np.isnan(table["error"]).sum()
