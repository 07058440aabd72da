"""Who is who: spellings and cut names are one player, and nobody becomes somebody else."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.query import ask
from reconcile.corpus.study import Study, study
from reconcile.files.aliases import Aliases, load_aliases
from tests.support.hand_made_corpus import corpus_of, decision_row, match_row, player_rows

XG, GNUBG = "eXtreme Gammon", "GNU Backgammon"
NOBODY = load_aliases(None)


def archive(folder: Path, *pairs: tuple[tuple[str, str], tuple[str, str]]) -> Study:
    """The study of matches, each analysed by XG with the first names and by gnuBG with the
    second, seated the other way round."""
    matches, players, decisions = [], [], []
    for index, (left, right) in enumerate(pairs):
        first, second = 2 * index, 2 * index + 1
        matches += [match_row(first, XG, left), match_row(second, GNUBG, right, same_as=first)]
        players += [*player_rows(first, left), *player_rows(second, right)]
        # Who is first in the left file rolls first.
        decisions += [
            decision_row(first, 1, 0, 0.0),
            decision_row(first, 2, 1, 0.0),
            decision_row(second, 1, 1, 0.0),
            decision_row(second, 2, 0, 0.0),
        ]
    return study(corpus_of(folder, matches=matches, players=players, decisions=decisions), NOBODY)


def spelled(report: Study) -> dict[str, tuple[str, ...]]:
    return {person.name: person.spellings for person in report.people}


def test_spellings_are_one_player_and_a_cut_name_is_joined_only_where_a_transcript_proves_it(
    tmp_path: Path,
) -> None:
    report = archive(
        tmp_path,
        # Case, accents, underscores and blanks make no new player; a name that was cut is that of
        # the seat.
        (("Kévin Unger", "Ann"), ("ANN", "kevin__UNGER ")),
        (("Pierre Unger Nicolas Harmand", "Bea"), ("Bea", "Pierre_Unger_Nicola")),
        # The same beginning alone proves nothing.
        (("Mary Smith", "Cleo"), ("Cleo", "Mary Smith")),
        (("Mary", "Dora"), ("Dora", "Mary")),
        # The beginning of two persons is neither.
        (("Joan Smith", "Eve"), ("Eve", "Joan")),
        (("Joan Miller", "Fay"), ("Fay", "Joan")),
        # Other names of one seat are not one player.
        (("Rose Smith", "Gil"), ("me", "Player 1")),
    )
    joined = {
        "Kévin Unger": ("kevin__UNGER ",),
        "Ann": ("ANN",),
        "Pierre Unger Nicolas Harmand": ("Pierre_Unger_Nicola",),
    }
    alone = (
        "Bea",
        "Mary Smith",
        "Cleo",
        "Mary",
        "Dora",
        "Joan Smith",
        "Eve",
        "Joan Miller",
        "Fay",
        "Rose Smith",
        "Gil",
    )
    assert spelled(report) == {**joined, **dict.fromkeys(alone, ())}


def test_alias_decides_over_a_proof(tmp_path: Path) -> None:
    names = (("Joan Smith", "Ann"), ("Ann", "Joan"))
    matches = [match_row(0, XG, names[0]), match_row(1, GNUBG, names[1], same_as=0)]
    decisions = [decision_row(0, 1, 0, 0.0), decision_row(1, 1, 1, 0.0)]
    players = [
        *player_rows(0, names[0]),
        *player_rows(1, names[1]),
        *player_rows(2, ("Joan", "Cleo")),
    ]
    corpus = corpus_of(
        tmp_path,
        matches=[*matches, match_row(2, XG, ("Joan", "Cleo"))],
        players=players,
        decisions=decisions,
    )
    assert set(spelled(study(corpus, NOBODY))) == {"Joan Smith", "Ann", "Cleo"}
    apart = Aliases(schema_version=1, players={"Joan B.": ("Joan",)})
    assert set(spelled(study(corpus, apart))) == {"Joan Smith", "Ann", "Cleo", "Joan B."}


@pytest.mark.long
def test_match_counts_once_whatever_the_number_of_files(
    real: Corpus, real_files: list[Path]
) -> None:
    report = study(real, NOBODY)
    assert (report.played, report.files) == (10, len(real_files))
    assert sum(person.matches for person in report.people) == 2 * 10
    assert [
        person.spellings for person in report.people if person.name == "Kévin UNGER Nicolas HARMAND"
    ] == [("Kévin_UNGER_Nicola",)]


def test_namesakes_are_separated_by_event_file_and_date(tmp_path: Path) -> None:
    rows = [
        match_row(0, XG, ("Joan Smith", "Ann"), event="Oslo Open"),
        match_row(1, XG, ("Ann", "JOAN SMITH"), event="Rome"),
        match_row(2, XG, ("Joan Smith", "Ann"), file="league/2.xg"),
        match_row(3, XG, ("Joan Smith", "Ann"), date=date(2020, 5, 1)),
        match_row(4, XG, ("Joan Smith", "Ann"), date=date(2022, 5, 1)),
    ]
    players = [
        player
        for row in rows
        for player in player_rows(row["match"], (row["player0"], row["player1"]))
    ]
    corpus = corpus_of(tmp_path / "tables", matches=rows, players=players)
    path = tmp_path / "names.yaml"
    path.write_text(
        "schema_version: 1\nnamesakes:\n  joan smith:\n    Joan (Oslo): {event: oslo*}\n    "
        "Joan (league): {file: league/*}\n"
        "    Joan (2020): {since: 2020-01-01, until: 2020-12-31}\n"
    )
    aliases = load_aliases(str(path))
    assert {person.name: person.matches for person in study(corpus, aliases).people} == {
        "Ann": 5,
        "Joan (Oslo)": 1,
        "Joan (league)": 1,
        "Joan (2020)": 1,
        "Joan Smith": 2,
    }
    (row,) = ask(
        corpus,
        "select count(distinct opponent_person) from player_matches where person = 'Ann'",
        aliases=aliases,
    ).rows
    assert row == (4,)
