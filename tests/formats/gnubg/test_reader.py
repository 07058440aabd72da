"""Records of gnuBG, real, odd and cut: refused for what is wrong with them, or read like the sound
file they came from."""

import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match
from reconcile.scoring.statistics import statistics
from tests.support import data as real
from tests.support.command_line import PACK
from tests.support.small_files import USUAL
from tests.support.small_sgf import BEN_31, codes, read, root
from tests.support.tables import beside, cases_of

ODD = beside(__file__)


@pytest.mark.parametrize("path", real.cases("damaged/*.sgf"))
def test_damaged_file_is_refused_for_what_is_wrong_or_read(path):
    if path.stem in ODD["refused"]:
        with pytest.raises(UnreadableFile, match=ODD["refused"][path.stem]):
            load_match(path)
    else:
        match = load_match(path)
        assert len(match.plays) > 0
        assert codes(match) == ODD["noted"].get(path.stem, codes(match))


@pytest.mark.parametrize(("origin", "name"), cases_of(__file__, "same"))
def test_oddity_that_gnubg_shrugs_off_changes_no_figure(data, name, origin):
    odd = statistics(load_match(data / "damaged" / f"{name}.sgf"))
    plain = statistics(load_match(data / origin))
    assert [odd.figures(0), odd.figures(1)] == [plain.figures(0), plain.figures(1)]


def test_every_prefix_is_refused_or_read_without_another_fault():
    games = USUAL + root(1, score=(1, 0)) + BEN_31 + ")"
    for end in range(len(games)):
        try:
            match = read(games[:end])
        except UnreadableFile:
            continue
        assert len(match.games) == 1
        assert end >= len(USUAL)


def test_candidates_are_the_same_as_often_as_anybody_looks(monkeypatch):
    match = read(USUAL)
    monkeypatch.setattr("reconcile.formats.gnubg.MOST_LOCATED", 10)
    ((first, second),) = {match.candidates(1) for _ in range(20)}
    assert (first.play, first.equity, first.made) == (((24, 21), (6, 5)), 0.5, False)
    assert (second.play, second.equity, second.made) == (((8, 5), (6, 5)), 0.375, True)


def test_what_is_said_of_a_candidate_is_the_same_without_its_play():
    match = load_match(PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
    for row in range(len(match.plays)):
        without = [(each.equity, each.level, each.probabilities) for each in match.candidates(row)]
        assert match.evaluations(row) == without
