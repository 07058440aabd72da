"""Ask the installed gnuBG: the same tables to the last bit of float32.

* Listed figures and the trailers' chances after the Crawford game: equal everywhere.
* Projected figures (beyond the file's length): equal where gnuBG runs on glibc 2.36, the C library
  of Debian 12. Another library may round erf otherwise at some scores, which moves a chance by at
  most 3e-8.
* A result looked up for a game: within 6e-8, since gnuBG hands it out only through an equity, which
  rounds once more.
"""

import json
import os

import numpy as np
import pytest

from reconcile.match.met import LONGEST_MATCH, equity_tables, load_met
from tests.match.met.table_files import CASES, table_xml
from tests.support.gnubg import SHIPPED, needs_gnubg, needs_tables, program

pytestmark = pytest.mark.long

ERF_KNOWN = (
    hasattr(os, "confstr")
    and "CS_GNU_LIBC_VERSION" in os.confstr_names
    and os.confstr("CS_GNU_LIBC_VERSION") == "glibc 2.36"
)

MADE = {name: table_xml(case) for name, case in CASES["asked"].items()} | {
    "64-points": table_xml(
        {
            "length": 64,
            "pre": [
                [f"{0.5 + 0.003 * (column - row):.4f}" for column in range(64)] for row in range(64)
            ],
            "post": {"both": [f"{0.5 - 0.005 * i:.4f}" for i in range(64)]},
        }
    ),
}

SCRIPT = """
import json
tables, results = {}, {}
for name, path in json.load(open("tables.json")).items():
    gnubg.command('set matchequitytable "%s"' % path)
    tables[name] = gnubg.met(64)
    results[name] = found = []
    for length in (1, 3, 7, 27):
        for points0 in range(length):
            for points1 in range(length):
                for crawford in (0, 1):
                    if crawford and (length - points0 == 1) == (length - points1 == 1):
                        continue
                    for player in (0, 1):
                        for cube in (1, 4):
                            score = points0, points1
                            info = gnubg.cubeinfo(cube, -1, player, length, score, crawford)
                            chances = gnubg.eq2mwc(1.0, info), gnubg.eq2mwc(-1.0, info)
                            place = length, points0, points1, crawford, player, cube
                            found.append(place + chances)
json.dump({"tables": tables, "results": results}, open("answer.json", "w"))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gnubg")
    for name, content in MADE.items():
        (folder / f"{name}.xml").write_text(content)
    return folder


@pytest.fixture(scope="module")
def answer(folder):
    """Run gnuBG once over every table."""
    paths = {name: str(SHIPPED / f"{name}.xml") for name in equity_tables()} | {
        name: str(folder / f"{name}.xml") for name in MADE
    }
    (folder / "tables.json").write_text(json.dumps(paths))
    program().run(SCRIPT, folder=folder, timeout=120)
    return json.loads((folder / "answer.json").read_text())


def named(name, folder):
    return str(folder / f"{name}.xml") if name in MADE else name


@needs_gnubg
@needs_tables
@pytest.mark.parametrize("name", [*equity_tables(), *MADE])
def test_listed_trailers_and_projected_chances_equal_gnubg(name, answer, folder):
    met = load_met(named(name, folder))
    length = met.explicit_length or 0
    pre = np.array(answer["tables"][name][0], np.float32)
    assert pre.shape == (LONGEST_MATCH, LONGEST_MATCH)
    assert np.array_equal(met.listed, pre[:length, :length])
    assert np.array_equal(met.post, np.array(answer["tables"][name][1:], np.float32))
    # The corrections to erf were measured with one C library.
    assert np.abs(met.pre - pre).max() <= (0 if ERF_KNOWN else 2**-24 * 1.01)


@needs_gnubg
@needs_tables
@pytest.mark.parametrize("name", [*equity_tables(), *MADE])
def test_a_result_is_worth_what_gnubg_says(name, answer, folder):
    met = load_met(named(name, folder))
    rows = np.array(answer["results"][name])
    length, points0, points1, crawford, player, cube = rows[:, :6].astype(int).T
    away0, away1 = length - points0, length - points1
    post_crawford = (crawford == 1) | (away0 == 1) | (away1 == 1)
    player0_wins = met.chance(away0 - cube, away1, post_crawford)
    player1_wins = met.chance(away0, away1 - cube, post_crawford)
    wins = np.where(player == 0, player0_wins, 1 - player1_wins)
    loses = np.where(player == 0, player1_wins, 1 - player0_wins)
    np.testing.assert_allclose(wins, rows[:, 6], rtol=0, atol=6e-8)
    np.testing.assert_allclose(loses, rows[:, 7], rtol=0, atol=6e-8)


@needs_tables
@pytest.mark.parametrize("name", equity_tables())
def test_file_that_gnubg_ships_is_read_as_our_table_of_its_name(name):
    ours, theirs = load_met(name), load_met(str(SHIPPED / f"{name}.xml"))
    assert (ours.name, ours.title, ours.explicit_length) == (
        theirs.name,
        theirs.title,
        theirs.explicit_length,
    )
    assert np.array_equal(ours.pre, theirs.pre)
    assert np.array_equal(ours.post, theirs.post)
