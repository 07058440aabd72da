"""Figures are read as programs print them; nonsense, and figures that no rule or no analysis can
give, are refused."""

from pathlib import Path

import pytest

from reconcile import errors
from reconcile.errors import NothingToCompare, ReconcileError, UnknownName
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import Reported, read_reported
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.tables import beside

CASES = beside(__file__)


@pytest.mark.parametrize(("name", "printed", "value", "half"), CASES["read"])
def test_figure_is_read_as_programs_print_it(name, printed, value, half):
    (figure,) = read_reported({name: printed})
    assert (figure.value, figure.half) == pytest.approx((value, half))


@pytest.mark.parametrize(("kind", "words", "figures"), CASES["refused"], ids=str)
def test_nonsense_is_refused(kind, words, figures):
    with pytest.raises(getattr(errors, kind), match=words):
        investigate(loaded(Path(f"{DEMONSTRATION}.xg")), "nora", figures)


@pytest.mark.parametrize(
    ("name", "figures", "game", "words"),
    [
        ("gnubg/m10*.sgf", {"mwc_loss_percent": "1.0"}, None, "money"),
        ("gnubg/m14*.sgf", {"pr": "1.0"}, None, "not analysed"),
        ("gnubg/m10*.sgf", {"pr": "1.0"}, 99, "no game 99"),
    ],
)
def test_what_a_file_cannot_have_is_refused(data, name, figures, game, words):
    match = real(name)
    with pytest.raises((NothingToCompare, UnknownName), match=words):
        investigate(match, match.players[0], figures, game=game)


def test_figures_may_come_already_read():
    match = loaded(Path(f"{DEMONSTRATION}.xg"))
    read = [Reported("pr", "7.09", 7.09, 0.005), Reported("decisions.counted", "105", 105, 0)]
    texts = {figure.metric: figure.text for figure in read}
    assert investigate(match, "nora", read) == investigate(match, "nora", texts)
    with pytest.raises(ReconcileError):
        investigate(match, "nobody", texts)
