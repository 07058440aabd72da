"""What a study says of real archives is what the single matches, or the rows of the tables, say."""

import numpy as np
import pytest
from pydantic import TypeAdapter

from reconcile import load_match
from reconcile.corpus.query import QUESTIONS, study, usual_pairs
from reconcile.corpus.run import build
from reconcile.gap.comparison import UsualTable, compare, usual_document
from reconcile.match.names import load_aliases
from reconcile.report.forms import in_form
from tests.corpus.corpus_folder import make, rows_by_column
from tests.corpus.hand_made_corpus import corpus_of

NOBODY = load_aliases(None)
XG, GNUBG = "eXtreme Gammon", "GNU Backgammon"
CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"
LEVELS = (
    ("match_with_comment", "0ply"),
    ("ronde1-UngerHarmand-FriebeJacobi-7pt", "0ply"),
    (CHARLOT, "2ply"),
)


def rows_of(corpus, name):
    """The rows of the answer to a question by the names of their columns."""
    return rows_by_column(study(corpus, NOBODY, [name]).answers[name])


def gaps(left, right):
    figures = compare(load_match(left), load_match(right)).figures
    return [figure.gap or 0.0 for figure in figures if figure.metric == "pr"]


def test_levels_have_the_gaps_of_their_files(data, tmp_path):
    """Two matches by XG and by gnuBG at 0 plies, one at 2; so has the table of usual gaps."""
    pairs = {
        name: (data / "real" / f"{name}.xg", data / "real" / f"{name}_{level}.sgf")
        for name, level in LEVELS
    }
    files = [str(path) for pair in pairs.values() for path in pair]
    corpus = build(files, tmp_path, jobs=1)
    first, second, third = (gaps(*pair) for pair in pairs.values())
    expected = {0.0: first + second, 2.0: third}
    for row, (plies, values) in zip(rows_of(corpus, "levels"), expected.items(), strict=True):
        ends = row["left"], row["right"], row["matches"], row["players"]
        depths = "XG 3 plies ahead", f"gnuBG {plies:g} plies ahead"
        assert ends == (*depths, len(values) / 2, len(values))
        assert row["gap"] == pytest.approx(np.mean(values), abs=0.0051)
        assert row["size"] == pytest.approx(np.mean(np.abs(values)), abs=0.0051)
    (pair,) = rows_of(corpus, "tools")
    every = [*expected[0.0], *expected[2.0]]
    assert pair["gap"] == pytest.approx(np.mean(every), abs=0.0051)
    assert pair["middle"] == pytest.approx(np.median(every), abs=0.0051)
    assert pair["spread"] == pytest.approx(np.std(every, ddof=1), abs=0.0051)
    usual = TypeAdapter(UsualTable).validate_json(usual_document(usual_pairs(corpus)))
    by_levels = {
        frozenset(zip(pair.tools, pair.lookahead, strict=True)): pair.gaps for pair in usual.pairs
    }
    for plies, values in expected.items():
        sizes = pytest.approx(sorted(map(abs, values)), abs=1e-6)
        assert by_levels.pop(frozenset({(XG, 3.0), (GNUBG, plies)})) == sizes
    assert not by_levels
    assert {pair.matches for pair in usual.pairs} == {1, 2}


def test_incomplete_file_has_no_rate_anywhere(data, tmp_path):
    report = study(make(data / "real" / f"{CHARLOT}.sgf", tmp_path), NOBODY)
    text = in_form(report, "text")
    assert text.startswith(
        "1 match in 1 file, with 2 players and 287 decisions.\n\n"
        "1 match left out of the rates, since no analysis of them is complete.\n"
    )
    assert "0.00" not in text + in_form(report, "html")


def test_players_of_transcripts_are_players(data, tmp_path):
    files = [*(data / "real").glob("*.mat"), data / "real" / "test.xg"]
    corpus = build([str(path) for path in files], tmp_path, jobs=1)
    # Kévin Unger is in two of the four.
    assert in_form(study(corpus, NOBODY), "text").startswith(
        "4 matches in 5 files, with 7 players and 1,475 decisions.\n\n3 matches have no analysis.\n"
    )
    assert len(rows_of(corpus, "players")) == 2


def test_every_question_has_an_answer_of_an_archive_of_nothing(tmp_path):
    corpus = corpus_of(tmp_path)
    answers = study(corpus, NOBODY, QUESTIONS).answers
    assert [name for name, answer in answers.items() if answer.rows] == ["contents"]
    assert in_form(study(corpus, NOBODY), "text").startswith("0 matches in 0 files")
