"""A database gives the figures of the file it was imported from and of blunderDB's own statistics;
the gap between them is rounding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.pairing import pair
from reconcile.match.columns import Kind
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.support import blunderdb_writer as writer
from tests.support.balance import ledger_of
from tests.support.club_databases import DEMONSTRATION, SEVEN, codes, counted, source
from tests.support.data import cases
from tests.support.long import long_but_first

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


@pytest.mark.parametrize(
    ("path", "schema"), long_but_first(WRITTEN, len(writer.SCHEMAS) + 1, len(writer.SCHEMAS) + 3)
)
def test_database_gives_the_figures_of_its_file_and_of_its_own_statistics(
    stored: Any, path: Path, schema: str
) -> None:
    """The second oracle is blunderDB's predicate, asked of the same database in SQL."""
    written = stored(str(path), schema)
    database = statistics(load_match(written))
    file, totals = statistics(source(str(path)), database.rules.name), writer.own_totals(written, 1)
    assert database.rules.name == ("blunderdb-2026" if schema >= "2.37" else "blunderdb")
    for seat, player in ((0, 1), (1, -1)):
        ours, theirs = database.figures(seat), file.figures(seat)
        for name in (
            "decisions.counted",
            "decisions.checker",
            "decisions.double",
            "decisions.take",
            "moves.total",
            "moves.unforced",
        ):
            assert ours[name] == theirs[name], name
        analysed = sum(part.analysed for part in file.completeness(seat).values())
        assert ours["equity_error.total"] == pytest.approx(
            theirs["equity_error.total"], abs=HALF_A_MILLIPOINT * analysed
        )
        assert ours["pr"] == pytest.approx(
            theirs["pr"],
            abs=500 * HALF_A_MILLIPOINT * analysed / max(1, theirs["decisions.counted"] or 0),
        )
        assert ours["luck.equity"] == pytest.approx(
            theirs["luck.equity"], abs=HALF_A_MILLIPOINT * (theirs["moves.total"] or 0)
        )
        assert database.completeness(seat) == file.completeness(seat)
        decisions, error = counted(database, seat)
        own = [total for (who, _), total in totals.items() if who == player]
        assert decisions == sum(number for number, _ in own)
        if (
            path.suffix == ".xg" or schema >= writer.PER_MOVE
        ):  # a set of repeated openings shares errors before 2.39
            assert error == pytest.approx(sum(lost for _, lost in own) / 1000, abs=1e-9)


@pytest.mark.parametrize("path", long_but_first(SOURCES, 1, 2))
def test_every_row_pairs(stored: Any, path: Path) -> None:
    file, database = source(str(path)), load_match(stored(str(path)))
    pairing = pair(file, database)
    assert not pairing.differences
    assert len(pairing.plays[0]) == len(file.plays) == len(database.plays)
    stays = ~(file.cubes.answers_beaver | (file.cubes.kind == Kind.BEAVER))
    assert len(pairing.cubes[0]) == stays.sum() == len(database.cubes)
    assert (
        file.plays.position[pairing.plays[0]] == database.plays.position[pairing.plays[1]]
    ).all()
    assert (
        file.cubes.position[pairing.cubes[0]] == database.cubes.position[pairing.cubes[1]]
    ).all()
    assert (file.plays.cube[pairing.plays[0]] == database.plays.cube[pairing.plays[1]]).all()
    assert (file.cubes.owner[pairing.cubes[0]] == database.cubes.owner[pairing.cubes[1]]).all()


def test_gap_to_the_imported_file_is_rounding_and_no_engine(stored: Any) -> None:
    walk = compare(source(SEVEN), load_match(stored(SEVEN)), left_rules="blunderdb-2026").walk
    ledger = ledger_of(walk, walk.bridges(("pr",)))
    assert set(ledger["cause"]) <= {"engine.error-alone", "engine.counting", "rounding"}
    back = compare(load_match(stored(SEVEN)), source(SEVEN)).walk
    causes = set(ledger_of(back, back.bridges(("pr",)))["cause"])
    assert "engine.error-alone" in causes
    assert not causes & {"engine.not-listed", "engine.other-best-move", "engine.other-cube-verdict"}


@pytest.mark.parametrize(
    "rules", long_but_first(["gnubg", "gammonview", "xg", "backgammondb", "snowie4"], 2)
)
def test_other_programs_rules_are_replaced_where_they_need_equities_and_the_result_says_so(
    stored: Any, rules: str
) -> None:
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


def test_own_rules_are_told_as_the_file_s_marks_and_not_as_a_replacement(stored: Any) -> None:
    evidence = codes(stored(SEVEN))
    assert "answer-replaced" not in evidence
    assert evidence["marks-of-file"].endswith("no-doubles count")
