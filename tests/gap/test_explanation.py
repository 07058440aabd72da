"""Each kind of row of a gap, and the notes beside the rows."""

from dataclasses import replace
from operator import itemgetter

import pytest

from reconcile.gap.comparison import compare
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.review import review, review_rows
from reconcile.match.match import Level
from reconcile.match.tools import GNUBG, XG
from tests.support.balance import ANY_GAP, compared, ledger_of
from tests.support.hand_made import cubes, plays
from tests.support.hand_made_levels import turned, two_opinions, with_levels
from tests.support.loaded import beginning
from tests.support.several import bundled_sgf, bundled_xg
from tests.support.tables import cases_of

# -- rows ------------------------------------------------------------------------------------------


def two(*changes, **options):
    """Two opinions of one match, in which Ann's PR is 50 on the left."""
    left, right = two_opinions(*changes, **options)
    return compared(left, right, "xg", "xg")


def of_ann(comparison):
    return next(each for each in explanations(comparison) if each.player == "Ann")


def shown(comparison):
    return list(of_ann(comparison).shown().story())


@pytest.mark.parametrize("case", cases_of(__file__, "rows_of_changes_are"), ids=itemgetter("claim"))
def test_rows_of_changes_are(case):
    changes = [change for change, times in case["changes"].items() for _ in range(times)]
    rows = shown(two(*changes, error=case["error"]))
    assert rows == [f"Ann: {case['headline']}", *case["rows"]]


def test_game_that_one_file_lacks_is_named():
    comparison = compared(beginning(".xg", 3), beginning(".sgf", 2))
    rows = [row for each in explanations(comparison) for row in each.rows]
    alone = [row.left for row in rows if row.kind == "coverage"]
    assert alone
    assert all(words.startswith("alone has game 3") for words in alone)
    ledger = ledger_of(comparison.walk, comparison.walk.bridges(["moves.total"]))
    coverage = ledger[ledger["step"].str.startswith("coverage")]
    assert {*coverage["step"], *coverage["cause"]} == {"coverage-left", "coverage.transcript"}


# -- notes and the story ---------------------------------------------------------------------------


def test_notes_are_findings_said_once_the_most_important_first():
    left, right = bundled_xg(), bundled_sgf()
    dice = right.plays.dice.copy()
    dice[5] = (6, 6) if tuple(dice[5].tolist()) != (6, 6) else (5, 5)
    other = turned(replace(right, plays=right.plays.replaced(dice=dice)))
    first, *rest = notes(compared(left, other))
    assert first.startswith("The files record different games: ")
    assert any(note.startswith("The files list the players in differ") for note in rest)
    assert len({first, *rest}) == 1 + len(rest)


@pytest.mark.parametrize("lookahead", [0.0, 0.5, None])
def test_analysis_that_does_not_look_ahead_is_noted(lookahead):
    left, right = two_opinions(0.3)
    right = replace(right, levels=(Level("some", lookahead), right.levels[1]))
    text = " ".join(notes(compared(left, right)))
    assert ("does not look ahead (gnuBG)" in text) == (lookahead == 0)


def losing(tool):
    """A play of Ann, and a close no-double of hers while she is losing: XG may count it or not."""
    return with_levels(plays(), cubes(no_double=[-0.7], double_take=[-0.75]), tool=tool)


@pytest.mark.parametrize("exchanged", [False, True])
@pytest.mark.parametrize("seats", [False, True])
def test_open_rule_is_noted_where_it_moves_the_figure_of_a_player_that_is_shown(exchanged, seats):
    xg, gnubg = losing(XG.name), losing(GNUBG.name)
    for sides in ((turned(xg) if seats else xg, gnubg), (xg, turned(gnubg) if seats else gnubg)):
        left, right = sides[::-1] if exchanged else sides
        many = review_rows(review(left, right))
        for rows in many[:2]:
            said = any("a rule is not known" in line for line in rows.story())
            assert said == (rows.player == "Ann")
        for player, noted in (("Ann", True), ("Ben", False)):
            comparison = compare(left, right, ANY_GAP, player=player, need_verdict=False)
            assert ("losing" in " ".join(notes(comparison))) == noted, (player, notes(comparison))


def costing(*errors):
    """Twenty plays that cost nothing, and some that do."""
    every = [*[0.0] * 20, *errors]
    rows, played = len(every), [0.5 - error for error in every]
    turns = list(range(1, rows + 1))
    table = plays(rows, turn=turns, stored_error=every, best=[0.5] * rows, played=played)
    return with_levels(table)


def test_analyses_are_one_where_most_of_what_costs_something_agrees():
    match, free = costing(0.1, 0.2, 0.05), costing()
    other = replace(free, source=replace(free.source, tool=GNUBG.name))
    assert [
        compared(*sides).is_one_analysis
        for sides in (
            (match, costing(0.15, 0.1, 0.09)),
            (match, costing(0.1, 0.2, 0.09)),
            (free, free),
            (free, other),
        )
    ] == [False, True, True, False]
