"""What a study says of archives made by hand: what counts, what is left out, who is who."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reconcile.corpus import study as module
from reconcile.corpus.query import ask
from reconcile.corpus.study import Study, study
from reconcile.match.aliases import Aliases, load_aliases
from reconcile.report.html.corpus import corpus_page
from reconcile.report.text.corpus import corpus_text, findings, sentence
from reconcile.scoring.rates import FEWEST_DECISIONS
from tests.support.hand_made_corpus import RULES, UNKNOWN, analysis, archive_of
from tests.support.long import long_but_first

XG, GNUBG, BGBLITZ = "eXtreme Gammon", "GNU Backgammon", "BGBlitz"
NOBODY = load_aliases(None)
INCOMPLETE: dict[str, Any] = {"figures": (UNKNOWN, UNKNOWN), "fully_analysed": False}
SHALLOW: dict[str, Any] = {"lookahead": 0.0, "level_name": "0-ply"}
DEEP: dict[str, Any] = {"lookahead": 4.0, "level_name": "4-ply"}


def studied(folder: Path, *analyses: dict[str, Any], aliases: Aliases = NOBODY) -> Study:
    return study(archive_of(folder, *analyses), aliases)


# -- gaps ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("complete", "gaps"), [(True, [5.0, 10.0]), (False, [10.0])])
def test_players_are_paired_by_who_rolled_first_and_incomplete_ones_left_out(
    complete: bool, gaps: list[float], tmp_path: Path
) -> None:
    """Ann lost 1 by XG and, as "me" on the other seat, 1.5 by gnuBG; Ben 4 and 5. PR is 500 times
    that over 50 decisions."""
    of_me: dict[str, Any] = {} if complete else {"figures": ({}, UNKNOWN), "fully_analysed": False}
    turned = analysis(GNUBG, ("guest", "me"), (5.0, 1.5), same_as=0, first=1, **of_me)
    (pair,) = studied(tmp_path, analysis(lost=(1.0, 4.0)), turned).tools
    assert pair.gap.values.tolist() == pytest.approx(gaps)
    assert pair.incomplete == (not complete)
    assert [(outlier.player, outlier.left, outlier.right) for outlier in pair.outliers] == [
        ("Ben", 40.0, 50.0),
        ("Ann", 10.0, 15.0),
    ][: len(gaps)]


def test_gap_of_two_tools_is_split_by_the_left_analysis_under_the_right_rules(
    tmp_path: Path,
) -> None:
    """XG's analysis gives Ann 8 by its own rules and 9 by gnuBG's, gnuBG's gives 11 by its own:
    of 3 between them 1 is counting."""
    report = studied(
        tmp_path,
        analysis(rates={"xg": (8.0, 6.0), "gnubg": (9.0, 5.5)}),
        analysis(GNUBG, same_as=0, rates={"xg": (10.0, 2.0), "gnubg": (11.0, 1.0)}),
    )
    (pair,) = report.tools
    assert [(outlier.player, outlier.gap, outlier.counting) for outlier in pair.outliers] == [
        ("Ben", -5.0, -0.5),
        ("Ann", 3.0, 1.0),
    ]
    assert pair.counting.values.tolist() == [-0.5, 1.0]
    # The same files under two rule sets: every one has its own gap, gnuBG's rules minus XG's, and
    # the sign does not matter.
    assert report.rules_gap.values.tolist() == [-1.0, -0.5, 1.0, 1.0]
    assert [(outlier.gap, outlier.files) for outlier in report.rules_outliers[-1:]] == [
        (-0.5, ("0.file",))
    ]


def test_match_with_several_analyses_by_one_program_counts_once(tmp_path: Path) -> None:
    """Of gnuBG's files that of 4 plies speaks, and each pair of levels has the match once."""
    report = studied(
        tmp_path,
        analysis(lost=(1.0, 4.0), lookahead=2.0, level_name="2-ply"),
        analysis(GNUBG, lost=(9.0, 9.0), same_as=0, **SHALLOW),
        analysis(GNUBG, lost=(5.0, 1.5), same_as=0, **DEEP),
    )
    between = next(pair for pair in report.tools if pair.left.name != pair.right.name)
    assert (between.gap.values.tolist(), between.mean.matches) == ([-25.0, 40.0], 1)
    assert [len(level.gap.values) for level in between.levels] == [2, 2]


def test_gap_that_is_shown_as_nothing_is_no_large_gap(tmp_path: Path) -> None:
    report = studied(tmp_path, analysis(rates={"gnubg": (10.006, 10.004)}))
    assert [outlier.player for outlier in report.rules_outliers] == ["Ann"]
    assert len(report.rules_gap.values) == 2


# -- tool and depth --------------------------------------------------------------------------------


def test_two_depths_of_one_tool_are_a_pair_and_one_counts(tmp_path: Path) -> None:
    both = [
        analysis(GNUBG, lost=lost, same_as=2 * match, **depth)
        for match in range(6)
        for depth, lost in ((SHALLOW, (2.0, 1.0)), (DEEP, (1.0, 1.0)))
    ]
    report = studied(tmp_path, *both)
    (pair,) = report.tools
    assert (pair.left.short, pair.right.short) == ("gnuBG 0 plies ahead", "gnuBG 4 plies ahead")
    assert pair.gap.values.tolist() == [-10.0] * 6 + [0.0] * 6
    assert [
        (person.name, person.analysis.depth, person.matches, person.rates[0].pr)
        for person in report.people
    ] == [("Ann", "4 plies ahead", 6, 10.0), ("Ben", "4 plies ahead", 6, 10.0)]
    text = corpus_text(report)
    assert "gnuBG 0 plies ahead and gnuBG 4 plies ahead differ by 5.00 PR on average" in text
    assert "All rates are of gnuBG 4 plies ahead; counting rules: gnubg." in text.splitlines()[1]


def test_a_change_of_depth_over_time_is_no_progress(tmp_path: Path) -> None:
    report = studied(
        tmp_path,
        *(
            analysis(GNUBG, lost=lost, date=date(year, 3, 1), **depth)
            for depth, lost, years in (
                (SHALLOW, (2.0, 1.0), (2020, 2021)),
                (DEEP, (1.0, 1.0), (2022, 2023)),
            )
            for year in years
            for _ in range(5)
        ),
    )
    of_ann = {
        course.analysis.depth: [rate.value for rate in course.rates if rate is not None]
        for course in report.periods.courses
        if course.name == "Ann"
    }
    assert of_ann == {"0 plies ahead": [20.0, 20.0], "4 plies ahead": [10.0, 10.0]}
    mixed = (
        "Analyses are mixed: gnuBG 0 plies ahead 10 matches, gnuBG 4 plies ahead 10 matches; "
        "counting rules: gnubg; played from 2020 to 2023."
    )
    assert corpus_text(report).splitlines()[1] == mixed
    page = corpus_page(report)
    assert page.index(mixed) < page.index("PR")


@pytest.mark.parametrize(
    ("tool", "place", "named"),
    long_but_first(
        [(XG, 0, "xg"), ("Other", 0, "xg"), (GNUBG, 1, "gnubg"), (BGBLITZ, 2, "bgblitz")], 2
    ),
)
def test_every_rate_is_by_the_rules_of_the_tool(
    tool: str, place: int, named: str, tmp_path: Path
) -> None:
    decided = [{"turn": turn, "seat": turn % 2, "errors": (0.1, 0.2, 0.3)} for turn in range(40)]
    rows = [
        analysis(tool, date=date(2020, 1 + number, 1), decisions=decided) for number in range(3)
    ]
    for row in (row for each in rows for row in each["players"]):
        row["rated_error"] = 1.0 + RULES.index(row["rules"])
    rated = studied(tmp_path, *rows)
    factor = place + 1
    assert [person.own.pr for person in rated.people] == [pytest.approx(10.0 * factor)] * 2
    assert [rate and rate.value for course in rated.periods.courses for rate in course.rates] == [
        pytest.approx(10.0 * factor)
    ] * 9
    assert [phase.rates["both"].value for phase in rated.phases] == [pytest.approx(50.0 * factor)]
    assert rated.rules == ((tool, named),)
    text, page = corpus_text(rated), corpus_page(rated)
    assert f"counting rules: {named};" in text.splitlines()[1]
    assert text.count("counting rules") == page.count("counting rules") == 1


def test_the_rules_of_several_tools_are_named_with_them(tmp_path: Path) -> None:
    rated = studied(tmp_path, analysis(), analysis(), analysis(GNUBG))
    assert "counting rules: xg for XG, gnubg for gnuBG." in corpus_text(rated).splitlines()[1]


# -- disputes --------------------------------------------------------------------------------------


def disputed(*turns: tuple[Any, ...]) -> list[dict[str, Any]]:
    """XG's and gnuBG's decisions by turn: both errors and both best actions."""
    return [
        analysis(
            tool,
            same_as=0,
            decisions=[
                {"turn": turn, "seat": (turn - 1) % 2, "errors": row[side], "best": row[2 + side]}
                for turn, row in enumerate(turns, 1)
            ],
        )
        for side, tool in enumerate((XG, GNUBG))
    ]


def test_own_rules_decide_the_error_and_one_tool_alone_disputes_nothing(tmp_path: Path) -> None:
    words = {"xgid": "XGID=a", "action": "8/5 6/5", "best": "24/20"}
    first: dict[str, Any] = {"turn": 1, "seat": 0}
    agreed = {"turn": 2, "seat": 1, "errors": 0.5}
    (dispute,) = studied(
        tmp_path,
        analysis(decisions=[first | {"errors": (0.3, 9.0, 9.0), **words}, agreed]),
        analysis(
            BGBLITZ,
            same_as=0,
            decisions=[{"turn": 1, "seat": 0, "errors": (9.0, 9.0, 0.1)}, agreed],
        ),
        analysis(decisions=[{"turn": 1, "seat": 0, "errors": 5.0}]),
    ).disputes
    assert (dispute.player, dispute.opponent, dispute.action, dispute.xgid, dispute.differs) == (
        "Ann",
        "Ben",
        "8/5 6/5",
        "XGID=a",
        False,
    )
    assert dispute.at_stake == pytest.approx(0.2)
    assert [(verdict.error, verdict.best) for verdict in dispute.verdicts] == [
        (0.3, "24/20"),
        (0.1, None),
    ]


def test_another_verdict_comes_before_a_larger_difference_of_value(tmp_path: Path) -> None:
    disputes = studied(
        tmp_path,
        *disputed(
            (0.9, 0.4, "24/20", "24/20"),
            (0.1, 0.13, "8/2", "13/7"),
            (0.0, 0.02, None, "6/3"),
            (0.019, 0.021, None, "6/3"),
        ),
    ).disputes
    assert [(dispute.turn, dispute.differs) for dispute in disputes] == [
        (2, True),
        (3, True),
        (1, False),
        (4, False),
    ]


@pytest.mark.parametrize(
    ("shown", "turns"),
    long_but_first([(2, [2, 3, 1]), (40, [2, 3, 1, 4]), (1, [2, 1]), (3, [2, 3, 1])], 2),
)
def test_largest_difference_of_all_is_there_however_many_verdicts_differ(
    shown: int, turns: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "DISPUTES_SHOWN", shown)
    report = studied(
        tmp_path,
        *disputed(
            (0.9, 0.4, "24/20", "24/20"),
            (0.1, 0.2, "8/2", "13/7"),
            (0.1, 0.13, "8/2", "13/7"),
            (0.5, 0.48, None, None),
        ),
    )
    assert [dispute.turn for dispute in report.disputes] == turns
    about = [finding for finding in findings(report) if "apart" in finding]
    assert [finding.partition(" (")[0] for finding in about] == [
        "Where the tools' verdicts differ, they are furthest apart on Ben's decision against Ann",
        "They are further apart, with one verdict, on Ann's decision against Ben",
    ]


def test_the_answers_to_a_beaver_are_compared_by_who_gives_them(tmp_path: Path) -> None:
    """In one turn Ben beavers and Ann takes: both are answers, but not the same one."""
    answers: list[dict[str, Any]] = [
        {"turn": 1, "seat": 0, "errors": 0.1},
        {"turn": 3, "seat": 1, "errors": 0.3, "kind": "beaver"},
        {"turn": 3, "seat": 0, "errors": 0.0, "kind": "take"},
    ]
    both = [analysis(tool, same_as=0, decisions=answers) for tool in (XG, GNUBG)]
    assert studied(tmp_path, *both).disputes == ()


# -- time ------------------------------------------------------------------------------------------


def dated(folder: Path, *days: date | None) -> Study:
    """Ann's matches against Ben on these days; she loses 1, 2, 3... EMG in 50 decisions."""
    return studied(
        folder,
        *(analysis(lost=(number + 1.0, 0.0), date=day) for number, day in enumerate(days)),
    )


def rates_of_ann(report: Study) -> list[Any]:
    return [*next(course for course in report.periods.courses if course.name == "Ann").rates]


def test_close_days_are_months_and_far_ones_years(tmp_path: Path) -> None:
    near = dated(tmp_path / "near", date(2024, 11, 30), date(2025, 1, 1), date(2025, 1, 31), None)
    assert (near.periods.names, near.periods.undated) == (("2024-11", "2024-12", "2025-01"), 1)
    assert [rate and rate.value for rate in rates_of_ann(near)] == [10.0, None, 25.0]
    within = dated(tmp_path / "within", date(2021, 1, 31), date(2023, 12, 1)).periods.names
    assert (len(within), within[0], within[-1]) == (36, "2021-01", "2023-12")
    beyond = dated(tmp_path / "beyond", date(2021, 1, 31), date(2024, 1, 1)).periods.names
    assert beyond == ("2021", "2022", "2023", "2024")
    assert dated(tmp_path / "none", None).periods.names == ()


def test_five_matches_of_a_period_have_an_interval(tmp_path: Path) -> None:
    days = *(date(2024, 1, day) for day in range(1, 6)), date(2024, 2, 1)
    january, february = rates_of_ann(dated(tmp_path, *days))
    assert january.value == pytest.approx(500 * 15 / 250)
    # The spread of 1 to 5 lost in 50 decisions each: standard error sqrt(2.5 / 5) / 50, and
    # Student's 2.776.
    assert january.low == pytest.approx(30 - 500 * 2.776 * (2.5 / 5) ** 0.5 / 50, rel=0.005)
    assert february.low is None


def test_course_of_all_players_stands_before_those_of_twelve(tmp_path: Path) -> None:
    report = studied(
        tmp_path,
        *(
            analysis(
                names=(f"Player {2 * pair}", f"Player {2 * pair + 1}"), date=date(2024, month, 1)
            )
            for pair in range(7)
            for month in (1, 2)
        ),
    )
    names = [course.name for course in report.periods.courses]
    assert (len(names), names[0], names.count(None)) == (13, None, 1)


# -- luck, phases and rules ------------------------------------------------------------------------


def lucky(luck: float, lost: tuple[float, float], winner: int, **more: Any) -> dict[str, Any]:
    """A match with Ann's net luck in percentage points, what she and Ben lost, and who won."""
    figures = [{"luck_net_mwc_percent": sign * luck} for sign in (1, -1)]
    return analysis(lost=lost, winner=winner, figures=figures, **more)


def test_luck_and_skill_are_those_of_the_winners(tmp_path: Path) -> None:
    played = (
        (12.0, (2.0, 1.0), 0),
        (-55.0, (1.0, 2.0), 0),
        (-120.0, (2.0, 1.0), 1),
        (3.0, (1.0, 2.0), 0),
    )
    luck = studied(tmp_path, *(lucky(*match) for match in played)).luck
    assert [(share.value, share.number) for share in (luck.luckier, luck.better)] == [(0.75, 4)] * 2
    assert (luck.luck_over_skill.value, luck.luck_over_skill.number) == (0.5, 2)  # the first two
    bins = [(step.low, step.high, step.won.value, step.won.number) for step in luck.bins]
    assert bins == [(0.0, 10.0, 1.0, 1), (10.0, 20.0, 1.0, 1), (50.0, None, 0.5, 2)]


def test_money_sessions_and_unfinished_matches_are_named(tmp_path: Path) -> None:
    kinds: list[dict[str, Any]] = [{}, {"length": None}, {"length": None}, {"complete": False}]
    report = studied(tmp_path, *(lucky(-5.0, (1.0, 2.0), 1, **kind) for kind in kinds))
    assert findings(report)[-2:] == [
        "The luckier player won 1 of 1 match (21 to 100 %); 2 money sessions and 1 unfinished "
        "match left out.",
        "The player with the lower PR won 0 of 1 match (0 to 79 %); in the match where the "
        "other player was luckier, the luckier one won.",
    ]


def test_luck_of_some_rolls_decides_nothing(tmp_path: Path) -> None:
    luck = studied(tmp_path, analysis(winner=0), analysis(winner=0)).luck
    assert (luck.luckier.number, luck.bins, luck.without_luck) == (0, (), 2)


def test_share_of_a_phase_is_of_all_that_was_lost(tmp_path: Path) -> None:
    decided = [
        {"turn": turn, "seat": 0, "errors": error, "phase": phase}
        for turn, (phase, error) in enumerate(
            [("contact", 0.1), ("contact", 0.2), ("race", 0.1)], 1
        )
    ]
    phases = studied(tmp_path, analysis(decisions=decided)).phases
    assert [phase.name for phase in phases] == ["contact", "race"]
    assert [phase.lost for phase in phases] == pytest.approx([0.3, 0.1])
    assert [phase.share for phase in phases] == pytest.approx([0.75, 0.25])


def test_effect_of_a_question_is_the_size_of_its_changes(tmp_path: Path) -> None:
    """In eleven matches it moves the 22 PRs by 0, 1, ... 21, by turns up and down."""
    asked = {"question": "Q02", "from": "xg", "to": "gnubg", "decisions": 0}
    questions = [
        {
            **asked,
            "match": size // 2,
            "seat": size % 2,
            "name": ("Ann", "Ben")[size % 2],
            "pr": float(size) * (-1) ** size,
        }
        for size in range(22)
    ]
    corpus = archive_of(tmp_path, *(analysis() for _ in range(11)), questions=questions)
    (effect,) = study(corpus, NOBODY).effects
    assert (effect.players, effect.changed, effect.mean, effect.most) == (22, 21, 10.5, 21.0)
    assert effect.high == pytest.approx(0.95 * 21)
    assert (effect.file, effect.player) == ("10.file", "Ben")


@pytest.mark.parametrize(
    ("rules", "length", "reason"),
    [
        ("bgblitz", 1, "whether BGBlitz multiplies the PR of a one-point match is not known."),
        ("bgblitz", 7, "which turns with a dead cube BGBlitz counts is not in these files."),
        ("xg", 7, "which no-doubles of the losing side XG counts is not known."),
    ],
)
def test_range_names_the_widest_and_its_own_cause(
    rules: str, length: int, reason: str, tmp_path: Path
) -> None:
    matches = [analysis(length=length), analysis(length=length)]
    for match, seat, high in ((0, 0, 10.2), (1, 1, 10.5)):
        for row in matches[match]["players"]:
            if (row["rules"], row["seat"]) == (rules, seat):
                row |= {"pr_low": 10.0, "pr_high": high}
    report = studied(tmp_path, *matches)
    (open_pr,) = report.open_prs
    assert (open_pr.rules, open_pr.players, open_pr.changed) == (rules, 4, 2)
    (finding,) = (line for line in findings(report) if " is a range" in line)
    assert " is a range, up to 0.50 wide (Ben: 10.00 to 10.50): " in finding
    assert finding.endswith(reason)


def test_two_ranges_of_one_rule_set_are_told_apart(tmp_path: Path) -> None:
    matches = [analysis(length=length) for length in (1, 7)]
    for high, match in enumerate(matches, 11):
        for row in match["players"]:
            row |= {"pr_low": 10.0, "pr_high": float(high)} if row["rules"] == "xg" else {}
    ranges = [line for line in findings(studied(tmp_path, *matches)) if " is a range" in line]
    assert [line.partition(":")[0] for line in ranges] == [
        "The PR of 2 of 4 player-matches under XG's rules is a range, up to 2.00 wide (Ann",
        "The PR of 2 of 4 player-matches in one-point matches under XG's rules is a range, up to "
        "1.00 wide (Ann",
    ]


# -- what is not known -----------------------------------------------------------------------------


def test_incomplete_analysis_is_in_no_rate_share_or_course(tmp_path: Path) -> None:
    alone = studied(tmp_path / "1", analysis())
    both = studied(tmp_path / "2", analysis(), analysis(**INCOMPLETE))
    for part in (
        *("people", "phases", "by_person", "cube_by_score", "luck", "effects", "periods"),
        *("rules_outliers", "rated"),
    ):
        assert getattr(both, part) == getattr(alone, part), part
    assert both.rules_gap.values.tolist() == alone.rules_gap.values.tolist()
    assert (alone.incomplete, both.incomplete, both.unanalysed, both.played) == (0, 1, 0, 2)
    assert "1 match left out of the rates, since its analysis is incomplete" in sentence(both)


def test_complete_analysis_of_another_tool_takes_the_place_of_an_incomplete_one(
    tmp_path: Path,
) -> None:
    report = studied(tmp_path, analysis(**INCOMPLETE), analysis(GNUBG, lost=(0.3, 0.3), same_as=0))
    assert [person.rates[0].pr for person in report.people] == [pytest.approx(3.0)] * 2
    assert (report.incomplete, report.tools) == (0, ())


@pytest.mark.parametrize(
    ("counted", "rated"), [(FEWEST_DECISIONS - 1, False), (FEWEST_DECISIONS, True)]
)
def test_few_decisions_have_no_rate(counted: int, rated: bool, tmp_path: Path) -> None:
    cube = {"turn": 1, "seat": 0, "errors": 0.1, "kind": "double", "xgid": "x"}
    cubes = [cube | {"away": 3, "opponent_away": 5}] * counted
    report = studied(
        tmp_path, analysis(lost=(5.0, 5.0), counted=counted, date=date(2024, 1, 1), decisions=cubes)
    )
    rates = [
        *(person.rates[0].pr for person in report.people),
        *(person.rates[0].snowie_er for person in report.people),
        *(rate.value for phase in report.phases for rate in phase.rates.values()),
        *(rate.value for _, _, phases in report.by_person for rate in phases.values()),
        *(cell.rate.value for cell in report.cube_by_score),
    ]
    assert [rate is not None for rate in rates] == [rated] * (4 + 2 + 1 + 1)
    assert len(report.rules_gap.values) == 2 * rated
    pr = "100.00" if rated else "-"  # where XG's window ends
    shown = f"  Ann  XG at an unknown depth  1 match, {counted} decisions  xg {pr}  "
    assert shown in corpus_text(report)
    assert ("Cube decisions by score" in corpus_page(report)) == rated


def test_nothing_lost_has_no_share(tmp_path: Path) -> None:
    decided = [{"turn": 1, "seat": 0, "errors": 0.0}]
    report = studied(tmp_path, analysis(lost=(0.0, 0.0), decisions=decided))
    assert [phase.share for phase in report.phases] == [None]
    assert findings(report) == []
    assert ", - of the equity lost" in corpus_text(report)


# -- who is who ------------------------------------------------------------------------------------

ALONE = ("Bea", "Mary Smith", "Cleo", "Mary", "Dora", "Joan Smith", "Eve", "Joan Miller", "Fay")


def spelled(*pairs: tuple[tuple[str, str], tuple[str, str]]) -> list[dict[str, Any]]:
    """Matches, each analysed by XG with the first names and by gnuBG with the second, seated the
    other way round."""
    return [
        each
        for place, (left, right) in enumerate(pairs)
        for each in (
            analysis(XG, left),
            analysis(GNUBG, right, same_as=2 * place, first=1),
        )
    ]


def test_spellings_are_one_player_and_a_cut_name_is_joined_only_where_a_transcript_proves_it(
    tmp_path: Path,
) -> None:
    report = studied(
        tmp_path,
        *spelled(
            # Case, accents, underscores and blanks make no new player; a name that was cut is that
            # of the seat.
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
        ),
    )
    assert {person.name: person.spellings for person in report.people} == {
        "Kévin Unger": ("kevin__UNGER ",),
        "Ann": ("ANN",),
        "Pierre Unger Nicolas Harmand": ("Pierre_Unger_Nicola",),
        **dict.fromkeys((*ALONE, "Rose Smith", "Gil"), ()),
    }


def test_alias_decides_over_a_proof(tmp_path: Path) -> None:
    rows = *spelled((("Joan Smith", "Ann"), ("Ann", "Joan"))), analysis(names=("Joan", "Cleo"))
    apart = Aliases(schema_version=1, players={"Joan B.": ("Joan",)})
    for number, (aliases, more) in enumerate(((NOBODY, set()), (apart, {"Joan B."}))):
        people = studied(tmp_path / str(number), *rows, aliases=aliases).people
        assert {person.name for person in people} == {"Joan Smith", "Ann", "Cleo", *more}


def test_namesakes_are_separated_by_event_file_and_date(tmp_path: Path) -> None:
    joan, turned = ("Joan Smith", "Ann"), ("Ann", "JOAN SMITH")
    corpus = archive_of(
        tmp_path / "tables",
        analysis(names=joan, event="Oslo Open"),
        analysis(names=turned, event="Rome"),
        analysis(names=joan, file="league/2.xg"),
        analysis(names=joan, date=date(2020, 5, 1)),
        analysis(names=joan, date=date(2022, 5, 1)),
    )
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
    asked = "select count(distinct opponent_person) from player_matches where person = 'Ann'"
    assert ask(corpus, asked, aliases).rows == [(4,)]
