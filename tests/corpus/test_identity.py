"""What makes two files one match, and which files are near twins of a match."""

import re
from pathlib import Path

import pytest

from reconcile.corpus import run
from reconcile.corpus.query import study
from reconcile.corpus.rows import identity
from reconcile.formats import read_match
from reconcile.formats.mat.writer import transcript
from reconcile.match.names import NO_ALIASES
from reconcile.report.forms import in_form
from tests.corpus.corpus_folder import by_file, make, table
from tests.support.archive import SGF, XG
from tests.support.long import long_but_first

HEAD = "7 point match\n\n Game 1\n {} : 0                        {} : 0\n"
ROLLS = ("  1) 31: 8/5 6/5                 64: 24/14\n", "  2) 62: 24/18 13/11\n")
OTHER = ("  1) 31: 24/23 13/10             64: 24/18 13/9\n", "  2) 62: 24/18 13/11\n")
WHOLE = transcript(read_match(XG.name, XG.read_bytes())).text


def test_few_rolls_of_other_players_or_with_other_plays_are_other_matches_and_other_letters_not(
    tmp_path,
):
    for name, players, rolls in (
        ("a", ("Änn", "Ben"), ROLLS),
        ("b", ("ANN", "ben"), ROLLS),  # without case and accents the same
        ("c", ("Cem", "Dov"), ROLLS),
        ("d", ("Ann", "Ben"), OTHER),
    ):
        (tmp_path / f"{name}.mat").write_text(HEAD.format(*players) + "".join(rolls), "utf-8")
    corpus = make(tmp_path, tmp_path / "out")
    assert (corpus.played, corpus.matches, corpus.duplicates) == (3, 3, 1)
    first, second, *_ = table(tmp_path / "out", "matches")
    assert first["match_id"] == second["match_id"] != ""
    assert (first["duplicate_of"], second["duplicate_of"]) == (None, first["match"])
    assert second["twin_of"] is None


@pytest.mark.parametrize(
    ("kind", "first_name"),
    long_but_first(
        [
            ("partial", "a"),
            ("dice", "z"),
            ("play", "a"),
            ("partial", "z"),
            ("dice", "a"),
            ("play", "z"),
        ],
        1,
        4,
    ),
)
def test_a_partial_save_and_a_slip_are_near_twins_and_one_counts(kind, first_name, tmp_path):
    lines = WHOLE.splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if line.startswith(" 12)"))
    if kind == "partial":
        twin = "".join(lines[: place + 1])
    else:
        roll = re.search(r"(\d\d): (\S+)", lines[place]) or [""]
        changed = {
            "dice": lines[place].replace(roll[1] + ":", "11:" if roll[1] != "11" else "22:", 1),
            "play": lines[place].replace(roll[2], "24/23", 1),
        }
        twin = "".join([*lines[:place], changed[kind], *lines[place + 1 :]])
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "m.mat").write_text(WHOLE)
    (tmp_path / "in" / "n.xg").write_bytes(XG.read_bytes())
    (tmp_path / "in" / f"{first_name}.mat").write_text(twin)
    corpus = make(tmp_path / "in", tmp_path / "out")
    rows = by_file(tmp_path / "out", "matches")
    assert (corpus.played, corpus.duplicates) == (1, 1)
    assert rows[f"{first_name}.mat"]["twin_of"] in (rows["m.mat"]["match"], rows["n.xg"]["match"])
    assert rows[f"{first_name}.mat"]["duplicate_of"] == rows["m.mat"]["match"]
    assert [rows[name]["twin_of"] for name in ("m.mat", "n.xg")] == [None, None]
    assert "1 near twin of other matches left out of the rates" in in_form(
        study(corpus, NO_ALIASES), "text"
    )


def test_one_match_is_recognised_in_every_format():
    first, *rest = [
        identity(read_match(*file))
        for file in (
            (XG.name, XG.read_bytes()),
            (SGF.name, SGF.read_bytes()),
            ("a.mat", WHOLE.encode()),
        )
    ]
    assert first.transcript
    assert [(match.transcript, match.rolls) for match in rest] == [
        (first.transcript, first.rolls)
    ] * 2


def test_the_id_of_an_analysis_is_of_its_content_and_not_of_its_place(corpus):
    rows = by_file(corpus.folder, "matches")
    first, again, other = (rows[name]["analysis_id"] for name in ("a.sgf", "again.sgf", "b.xg"))
    assert first == again != other
    assert len(first) == 64


@pytest.mark.parametrize(
    ("first", "other", "near"),
    [
        ("abcdef", "abcdef", True),
        ("abcdef", "abc", True),
        ("abcdef", "abcxef", True),
        ("abcdef", "xbcdef", True),
        ("abcdef", "abcdefg", True),
        ("abcdef", "xabcdef", True),
        ("abcdef", "abdef", True),
        ("abcdef", "xbcdex", False),
        ("abcdef", "abdcef", False),
        ("abcdef", "bcdefgh", False),
        ("abcdef", "xyabcdef", False),
    ],
)
def test_near_is_a_beginning_or_one_change(first, other, near):
    import duckdb

    script = Path(run.__file__).with_name("assembly.sql").read_text("utf-8")
    database = duckdb.connect()
    database.execute(script.partition("-- Every match of every file")[0])
    asked = "select are_near(?, ?), are_near(?, ?)"
    texts = [first, other, other, first]
    assert database.execute(asked, texts).fetchall() == [(near, near)]
