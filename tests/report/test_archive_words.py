"""What the report of an archive says is true of its numbers, and is worded for one, for few and for
many.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from reconcile.corpus.run import build
from reconcile.corpus.study import Gaps, ToolDispute, ToolVerdict, study
from reconcile.match.aliases import load_aliases
from reconcile.match.tools import ANALYSERS
from reconcile.report.forms import in_form
from reconcile.report.text.corpus import findings, named_quantiles, verdict_words
from reconcile.scoring.rates import share
from tests.report.markup import Page

TOOLS = tuple(ANALYSERS.values())
UNREADABLE = (
    "bad_crc_or_trailer.xg",
    "bad_magic.xg",
    "empty.sgf",
    "empty.xg",
    "r01_trunc_mid_value.sgf",
    "r02_trunc_at_node_no_paren.sgf",
    "trunc_mid_50pct.xg",
)


@pytest.fixture(scope="module")
def real(data, tmp_path_factory):
    """Four matches by XG and gnuBG, months apart, and files that cannot be read."""
    files = [
        path
        for path in (data / "real").iterdir()
        if path.suffix == ".xg" or path.name.endswith("_2ply.sgf")
    ]
    return study(
        build(
            [*map(str, sorted(files)), *(str(data / "damaged" / name) for name in UNREADABLE)],
            tmp_path_factory.mktemp("out"),
            jobs=1,
        ),
        load_aliases(None),
    )


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=200))
def test_quantiles_are_named_only_with_values_beyond_them(values):
    gaps = Gaps(np.sort(values), len(values))
    value_of = {name: value for name, value, _ in named_quantiles(gaps) if value is not None}
    assert (value_of["least"], value_of["most"]) == (min(values), max(values))
    assert ("95 %" in value_of, "25 %" in value_of, "median" in value_of) == (
        len(values) >= 40,
        len(values) >= 8,
        len(values) >= 4,
    )


def test_mean_size_has_its_interval_where_there_is_one(real):
    (pair,) = real.tools
    assert "PR on average: " in findings(real)[0]
    wide = pair._replace(size=replace(pair.size, low=0.25, high=0.75))
    assert (
        "PR on average (95 % interval 0.25 to 0.75): " in findings(real._replace(tools=(wide,)))[0]
    )


def dispute(*, differs, action="8/5"):
    verdicts = ToolVerdict(TOOLS[0], "a", 0.3, "6/3"), ToolVerdict(TOOLS[1], "b", 0.004, None)
    return ToolDispute("Ann", "Ben", 2, 7, action, "XGID=", verdicts, differs)


def test_first_dispute_says_whose_decision_it_is_and_what_is_disputed(real):
    first = [
        findings(real._replace(disputes=(dispute(differs=differs),)))[1]
        for differs in (True, False)
    ]
    assert first == [
        "The tools disagree most on Ann's 8/5 against Ben (game 2, turn 7): XG says 0.300, "
        "better 6/3; gnuBG says 0.004, nearly the best.",
        "No verdicts of the tools differ; they value most differently Ann's 8/5 against Ben "
        "(game 2, turn 7): "
        "0.300 by XG and 0.004 by gnuBG.",
    ]


@pytest.mark.parametrize(
    ("error", "best", "action", "words"),
    [
        (0.0, None, "pass", "no error"),
        (0.0004, None, "8/5", "no error"),
        (0.006, None, "pass", "0.006, better take"),
        (0.006, None, "no double", "0.006, better double"),
        (0.006, None, "take", "0.006, nearly the best"),
        (0.006, None, "8/5", "0.006, nearly the best"),
        (0.2, None, "8/5", "0.200"),
        (0.2, "6/3", "8/5", "0.200, better 6/3"),
    ],
)
def test_verdict_names_the_only_alternative(error, best, action, words):
    assert verdict_words(ToolVerdict(TOOLS[0], "a", error, best), action) == words


@pytest.mark.parametrize(
    ("won", "of", "words"),
    [
        (0, 1, "in the match where the other player was luckier, the luckier one lost"),
        (
            2,
            2,
            "in the 2 matches where the other player was luckier, the luckier one won both (34 "
            "to 100 %)",
        ),
        (0, 4, "the luckier one won none (0 to 49 %)"),
        (4, 4, "the luckier one won all (51 to 100 %)"),
        (3, 4, "the luckier one won 3 (30 to 95 %)"),
    ],
)
def test_luck_over_skill_is_a_sentence(won, of, words, real):
    sentences = findings(real._replace(luck=real.luck._replace(luck_over_skill=share(won, of))))
    assert words in sentences[-1]


def test_unreadable_files_are_named_and_the_others_counted(real):
    lines = in_form(real, "text").splitlines()
    start = lines.index("Files that could not be read:")
    named, (rest,) = lines[start + 1 : -1], lines[-1:]
    assert len(named) == 5
    counted = [int(line.split()[0]) for line in named]
    assert real.corpus.errors == len(UNREADABLE)
    assert rest == f"  and {len(UNREADABLE) - sum(counted)} more"


def test_periods_without_a_match_have_no_column(real):
    (table,) = [
        element.all("table")[0]
        for element in Page(in_form(real, "html")).find("details")
        if element.all("summary")[0].text == "PR by player and period"
    ]
    heads = [cell.text for cell in table.all("thead")[0].all("th")][1:]
    played = [
        name
        for name, *rates in zip(
            real.periods.names, *(course.rates for course in real.periods.courses), strict=True
        )
        if any(rates)
    ]
    assert heads == played
    assert len(played) < len(real.periods.names)
