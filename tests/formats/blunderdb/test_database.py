"""The moves of a database become plays and cube decisions with the figures of the file that it
was imported from and of blunderDB itself; what makes them doubtful is a finding."""

import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from reconcile.formats import load_match
from reconcile.formats.blunderdb.reader import LABELS, cube_action
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.formats.club_databases import (
    DEMONSTRATION,
    RICH,
    SEVEN,
    changed,
    codes,
    counted,
    source,
)
from tests.support import blunderdb_writer as writer
from tests.support.data import cases
from tests.support.long import long_but_first
from tests.support.tables import cases_of


def test_no_double_without_a_row_is_not_analysed_and_the_answer_follows_from_the_double_s_label(
    folder,
):
    """As blunderDB's import of a gnuBG file leaves it."""
    match = source(RICH)
    path = writer.write(folder / "as-gnubg.db", [match], as_gnubg=True)
    database, ours = load_match(path), match.cubes
    rows, stored = pair(match, database).cubes
    assert len(rows) == len(ours)
    assert (database.cubes.kind[stored] == ours.kind[rows]).all()
    analysed = database.cubes.analysed
    assert analysed.sum() == (ours.analysed & (ours.kind == Kind.DOUBLE)).sum()
    assert np.isnan(database.cubes.stored_error[~analysed]).all()
    evidence = codes(path)
    number = (ours.kind == Kind.NO_DOUBLE).sum()
    assert f"{number} no-doubles" in evidence["cube-rows-missing"]
    assert "incomplete-analysis" in evidence


@pytest.mark.parametrize("label", [8, 14])
@pytest.mark.parametrize("path", cases("gnubg/*_beaver_cuberich.sgf"))
def test_beaver_that_has_no_row_shows_in_the_cube_of_the_next_play(tmp_path, path, label):
    """blunderDB's import of an .xg labels a double that was beavered as passed."""
    file = source(str(path))
    statement = f"UPDATE move SET cube_action = {label} WHERE cube_action = 8"
    stored = load_match(changed(tmp_path, statement, paths=(str(path),)))
    answers = file.cubes.kind != Kind.TAKE
    for name in ("game", "turn", "player", "kind", "cube", "owner"):
        here, there = getattr(stored.cubes, name), getattr(file.cubes, name)
        assert (here == there)[answers].all()
    assert (stored.plays.cube == file.plays.cube).all()
    assert (stored.cubes.kind == Kind.BEAVER).any()


@pytest.mark.parametrize("path", long_but_first([f"{DEMONSTRATION}.xg", SEVEN]))
def test_plays_alone_lead_to_the_same_positions_where_the_stored_ones_are_gone(tmp_path, path):
    match = load_match(writer.write(tmp_path / "whole.db", [source(path)]))
    bare = load_match(changed(tmp_path, "UPDATE move SET position_id = NULL", paths=(path,)))
    assert (bare.plays.position == match.plays.position).all()
    assert not bare.plays.analysed.any()
    assert "not-analysed" in codes(tmp_path / "changed.db")


@pytest.mark.parametrize(("label", "action", "answer"), cases_of(__file__, "labels"))
def test_label_of_a_cube_action_says_what_was_done(label, action, answer):
    assert cube_action(label) == (Kind[action], answer and Kind[answer])


def test_every_fixed_label_of_an_action_is_understood_and_no_other():
    assert cube_action("Unknown(D=2,T=1)") is None
    assert all(cube_action(label) for label in LABELS if label not in ("checker", "cube"))
    assert len(LABELS) == len(set(LABELS)) == 42


SOURCES = [
    pytest.param(Path(SEVEN), id="gnubg-7pt"),
    pytest.param(Path(f"{DEMONSTRATION}.xg"), id="demonstration"),
    *cases("real/*.xg"),
]
WRITTEN = [
    *(pytest.param(Path(SEVEN), schema, id=f"gnubg-7pt-{schema}") for schema in writer.SCHEMAS),
    *(
        pytest.param(*path.values, schema, id=f"{path.id}-{schema}", marks=path.marks)
        for path in SOURCES[1:]
        for schema in writer.SCHEMAS[::-1]
    ),
]
"""A file and the schema of the database that it is written to."""
HALF_A_MILLIPOINT = 0.0005
COUNTS = [
    *(f"decisions.{name}" for name in ("counted", "checker", "double", "take")),
    *(f"moves.{name}" for name in ("total", "unforced")),
]


@pytest.mark.parametrize(("path", "schema"), long_but_first(WRITTEN, 2, len(writer.SCHEMAS) + 3))
def test_database_gives_the_figures_of_its_file_and_of_its_own_statistics(stored, path, schema):
    """The second oracle is blunderDB's predicate, asked of the same database in SQL."""
    written = stored(str(path), schema)
    database = statistics(load_match(written))
    file = statistics(source(str(path)), database.rules.name)
    with closing(sqlite3.connect(written)) as connection:
        totals = writer.own_totals(connection, 1)
    assert database.rules.name == ("blunderdb-2026" if schema >= "2.37" else "blunderdb")
    for seat, player in ((0, 1), (1, -1)):
        ours, theirs = database.figures(seat), file.figures(seat)
        assert [ours[name] for name in COUNTS] == [theirs[name] for name in COUNTS]
        assert database.completeness(seat) == file.completeness(seat)
        analysed = sum(part.analysed for part in file.completeness(seat).values())
        per_decision = 500 / max(1, theirs["decisions.counted"] or 0)
        for name, millipoints in (
            ("equity_error.total", analysed),
            ("pr", per_decision * analysed),
            ("luck.equity", theirs["moves.total"] or 0),
        ):
            room = HALF_A_MILLIPOINT * millipoints
            assert ours[name] == pytest.approx(theirs[name], abs=room), name
        decisions, error = counted(database, seat)
        own = [total for (who, _), total in totals.items() if who == player]
        assert decisions == sum(number for number, _ in own)
        # A set of repeated openings shares errors before 2.39.
        if path.suffix == ".xg" or schema >= writer.PER_MOVE:
            assert error == pytest.approx(sum(lost for _, lost in own) / 1000, abs=1e-9)


@pytest.mark.parametrize("path", long_but_first(SOURCES, 1, 2))
def test_every_row_pairs(stored, path):
    file, database = source(str(path)), load_match(stored(str(path)))
    pairing = pair(file, database)
    assert not pairing.differences
    stays = ~(file.cubes.answers_beaver | (file.cubes.kind == Kind.BEAVER))
    for name, rows, number in (
        ("plays", pairing.plays, len(file.plays)),
        ("cubes", pairing.cubes, stays.sum()),
    ):
        here, there = getattr(file, name), getattr(database, name)
        assert len(rows[0]) == number == len(there)
        for column in ("position", "cube", "owner"):
            assert (getattr(here, column)[rows[0]] == getattr(there, column)[rows[1]]).all()


@pytest.mark.parametrize(
    "rules", long_but_first(["gnubg", "gammonview", "xg", "backgammondb", "snowie4"], 2)
)
def test_other_programs_rules_are_replaced_where_they_need_equities_and_the_result_says_so(
    stored, rules
):
    scored = statistics(load_match(stored(SEVEN)), rules)
    replaced = {code: used for code, _, used in scored.scored.replaced}
    assert replaced["Q02"] == "marked"
    assert replaced.get("Q03", "all") == "all"
    assert scored.rules.answers["Q06"] in ("stored", "millipoint")
    evidence = [
        finding.evidence for finding in findings_of(scored) if finding.code == "answer-replaced"
    ]
    assert len(evidence) == len(
        replaced.keys() - {"Q07"}
    )  # no game of it was resigned with an error, so that answer changes nothing
    own = statistics(load_match(stored(SEVEN)))
    assert scored.figures(0)["equity_error.total"] == own.figures(0)["equity_error.total"]
    assert (scored.figures(0)["decisions.double"] or 0) == own.figures(0)["decisions.double"]


def test_sound_database_has_no_finding_about_the_database(stored):
    evidence = codes(stored(f"{DEMONSTRATION}.xg"))
    assert evidence.keys().isdisjoint(cases_of(__file__, "doubtful"))
    assert evidence["marks-of-file"].endswith("no-doubles count")


@pytest.mark.parametrize(("size", "words"), [(0, None), (4152, "4152 bytes")])
def test_write_ahead_log_that_is_not_read_is_told(tmp_path, size, words):
    path = changed(tmp_path)
    path.with_name("changed.db-wal").write_bytes(b"x" * size)
    evidence = codes(path).get("log-not-read")
    assert evidence is words is None or str(words) in str(evidence)
