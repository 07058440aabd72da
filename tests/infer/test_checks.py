"""The ordinary mistakes: each is recognised from figures that other programs printed, comes first,
and none is named for an accident."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reconcile.infer.checks import CHECKS, find, sighting_of
from reconcile.infer.figure_changes import FIGURE_CHANGES
from reconcile.infer.investigation import Investigation, investigate
from reconcile.infer.reported import read_reported
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from reconcile.report.answer import answer, headline
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.data import FOLDER, cases
from tests.support.hand_made import NAN, cubes, match_of, plays
from tests.support.loaded import DEMONSTRATION, loaded, real
from tests.support.long import long_but_first
from tests.support.reported import WINDOW

ORDER = [
    *("other-player", "one-game", "factor", "sign", "rounding", "both-players"),
    *("match-as-money", "money-as-match", "resignations", "unanalysed-as-zero", "rounded-errors"),
    *(
        "other-tool",
        "other-match-equity-table",
        "misprint",
        "decision-missing",
        "decision-twice",
        "level",
    ),
]


def demonstration(ending: str = "xg") -> Match:
    return loaded(Path(f"{DEMONSTRATION}.{ending}"))


def printed(
    match: Match,
    seat: int,
    *names: str,
    game: int | None = None,
    times: float = 1,
    rules: str | None = None,
) -> dict[str, str]:
    """Figures of a player as a program prints them."""
    figures = statistics(match, rules).figures_at(seat, game)
    return {
        name: f"{times * float(figures[name] or 0):.{METRICS[name].decimals}f}" for name in names
    }


def window(name: str) -> dict[str, str]:
    """XG's own window for a player of the match between charlot1 and charlot2."""
    (path,) = FOLDER.glob("real/charlot1*.xg-reported.json")
    figures = json.loads(path.read_text("utf-8"))["xg"][name]
    return {
        WINDOW[key][0]: f"{value:.{WINDOW[key][1]}f}"
        for key, value in figures.items()
        if key in WINDOW
    }


def stats_of(name: str) -> Any:
    """gnuBG's own statistics of a match."""
    return json.loads((FOLDER / f"{name}.stats.json").read_text("utf-8"))


def codes(result: Investigation) -> list[str]:
    return [check.code for check in result.checks]


def test_checks_come_in_the_order_in_which_a_supporter_thinks_of_them() -> None:
    assert list(CHECKS) == ORDER


COUNT = ("decisions.counted",)
RECOGNISED: list[tuple[str, dict[str, Any], tuple[str, ...], int | None, str]] = [
    ("other-player", {"seat": 1, "names": ("pr",)}, (), None, "Tomas Beck's"),
    (
        "other-player",
        {"seat": 1, "names": ("pr", "decisions.counted")},
        (),
        None,
        "Nora Lindqvist has PR 7.16",
    ),
    *(
        ("one-game", {"names": ("pr",), "game": game}, (), None, f"in game {game + 1}")
        for game in (0, 3)
    ),
    (
        "one-game",
        {"names": ("pr", "decisions.counted")},
        (),
        2,
        "Nora Lindqvist's in the whole match. For game 2 it is",
    ),
    ("factor", {"names": ("pr",), "times": 2}, (), None, "is twice what Nora Lindqvist has"),
    ("factor", {"names": ("pr",), "times": 2}, COUNT, None, "is twice what Nora Lindqvist has"),
    ("factor", {"names": ("error_rate_memg",), "times": 0.5}, COUNT, None, "is half what"),
    (
        "factor",
        {"names": ("equity_error.total",), "times": 1000},
        COUNT,
        None,
        "it is in thousandths of a point",
    ),
    (
        "factor",
        {"names": ("mwc_loss_percent.total",), "times": 100},
        COUNT,
        None,
        "is 100 times what",
    ),
    ("factor", {"names": ("pr",), "times": 10}, COUNT, None, "is 10 times what"),
    ("factor", {"names": ("snowie_er",), "times": 10}, (), None, "is 10 times what"),
    ("factor", {"names": ("equity_error.total",), "times": 0.1}, COUNT, None, "is a tenth of what"),
]
"""A check, figures of the bundled match, right ones beside them, the game for which they are said
to be, and words of the answer."""


@pytest.mark.parametrize(("code", "shown", "right", "game", "words"), RECOGNISED)
def test_mistake_is_recognised_in_the_bundled_match(
    code: str, shown: dict[str, Any], right: tuple[str, ...], game: int | None, words: str
) -> None:
    match = demonstration()
    setting = {"seat": 0, "game": None, "times": 1, **shown}
    figures = printed(
        match, setting["seat"], *setting["names"], game=setting["game"], times=setting["times"]
    )
    result = investigate(match, "nora", figures | printed(match, 0, *right), game=game)
    assert codes(result)[0] == code
    assert words in headline(result)


def test_window_of_the_other_player_is_recognised(data: Path) -> None:
    result = investigate(real("real/charlot1*.xg"), "charlot1", window("charlot2"))
    assert codes(result)[0] == "other-player"
    assert headline(result).startswith(
        "PR 0.42, 79 decisions, 64 checker decisions, 13 double decisions and 9 more figures are "
        "charlot2's."
    )
    assert result.checks[0].figures["decisions.counted"] == 79


@pytest.mark.parametrize(
    ("name", "player", "printed", "owner", "rules"),
    [
        ("ronde1-UngerHarmand-FriebeJacobi-7pt.xg", "friebe", {"pr": "3.7"}, "Kévin", "gnubg"),
        ("charlot1*.xg", "charlot1", {"pr": "0.42"}, "charlot2", "bgblitz"),
        ("match_with_comment_2ply.sgf", "nicolas", {"pr": "6.5"}, "Kévin", "blunderdb-2026"),
        (
            "ronde1-UngerHarmand-FriebeJacobi-7pt_2ply.sgf",
            "kévin",
            {"error_rate_memg": "7.1"},
            "FRIEBE",
            "gnubg-manual",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_figure_of_the_other_player_comes_before_other_rules_that_give_it(
    data: Path, name: str, player: str, printed: dict[str, str], owner: str, rules: str
) -> None:
    result = investigate(real(f"real/{name}"), player, printed)
    assert rules in [rule_set.name for rule_set in result.rule_sets if rule_set.fits]
    assert result.checks[0].code == "other-player"
    (figure,) = printed.values()
    assert re.match(rf"\S.* {figure} is {owner}\S*.*'s\. ", headline(result))
    assert any("With other rules" in line for line in answer(result)[1:])


def test_gnubg_s_figures_of_one_game_are_recognised(data: Path) -> None:
    match = real("gnubg/m04*.sgf")
    games = stats_of("gnubg/m04_7pt_0ply")["games"]
    for number, game in some(enumerate(games, 1)):
        mover = (game.get("stats") or game)["X"]["moves"]
        figures = {
            "equity_error.checker": f"{mover['error-skill']:.3f}",
            "decisions.checker": str(mover["unforced-moves"]),
        }
        seat = next(
            seat
            for seat in (0, 1)
            if statistics(match).figures_at(seat, number - 1)["decisions.checker"]
            == mover["unforced-moves"]
        )
        result = investigate(match, match.players[seat], figures)
        assert codes(result)[0] == "one-game"
        assert f"in game {number}. For the whole match it is" in headline(result)


def test_sum_of_both_players_in_xg_s_window_is_recognised(data: Path) -> None:
    first, second = window("charlot1"), window("charlot2")
    both = {
        name: str(int(first[name]) + int(second[name]))
        for name in ("decisions.counted", "decisions.checker")
    }
    result = investigate(real("real/charlot1*.xg"), "charlot1", both)
    assert codes(result) == ["both-players"]
    assert headline(result).startswith(
        "169 decisions and 149 checker decisions are both players' together. charlot1 alone has 90 "
        "decisions"
    )


@pytest.mark.parametrize("path", cases("real/*.xg", "gnubg/m4*.sgf", short=1))
def test_both_players_together_are_sums_and_rates_of_sums(path: Path) -> None:
    ours = statistics(loaded(path), "xg")
    first, second = (ours.figures(seat) for seat in (0, 1))
    both, _ = FIGURE_CHANGES["both-players"]([first, second], ours)
    error = first["equity_error.total"] + second["equity_error.total"]  # type: ignore[operator]
    counted = first["decisions.counted"] + second["decisions.counted"]  # type: ignore[operator]
    assert both["decisions.counted"] == counted
    assert both["pr"] == pytest.approx(500 * error / counted, rel=1e-12)


def test_fraction_for_xg_s_percentage_is_recognised(data: Path) -> None:
    result = investigate(real("real/test.xg"), "Kévin", {"mwc_loss_percent": "0.3003"})
    assert codes(result)[0] == "factor"
    assert headline(result) == (
        "MWC lost 0.3003 is a hundredth of what Kévin Unger has, MWC lost 30.03: it is a fraction, "
        "not a percentage."
    )


def test_number_of_decisions_is_never_scaled() -> None:
    match = demonstration()
    twice = printed(match, 0, "decisions.counted", times=2)
    assert "factor" not in codes(investigate(match, "nora", twice))


def test_minus_sign_of_xg_s_window_changes_nothing(data: Path) -> None:
    figures = window("charlot2")
    figures["equity_error.total"] = f"-{figures['equity_error.total']}"
    result = investigate(real("real/charlot1*.xg"), "charlot2", figures)
    assert codes(result) == []
    assert " are, but for the sign, what XG's own rules give." in headline(result)
    assert result.explanations[0].differences == ()


@pytest.mark.parametrize("text", ["6.50", "7.00"])
def test_figure_that_was_cut_off_or_rounded_is_recognised(data: Path, text: str) -> None:
    """XG's rules give 6.508, whose range is among the open points."""
    result = investigate(real("real/match_with_comment.xg"), "Nicolas", {"pr": text})
    assert codes(result)[0] == "rounding"
    assert (
        f"PR {text} is 6.5083 "
        f"{'cut off to 2 decimals' if text == '6.50' else 'rounded to a whole number'}"
        in headline(result)
    )


@pytest.mark.parametrize("name", long_but_first(["charlot1", "charlot2"]))
def test_xg_s_window_asked_of_a_file_of_gnubg_is_recognised(data: Path, name: str) -> None:
    figures = window(name)
    for asked in (figures, {metric: figures[metric] for metric in ("pr", "decisions.counted")}):
        result = investigate(real("real/charlot1*_2ply.sgf"), name, asked)
        assert codes(result)[0] == "other-tool"
        assert any(
            line.startswith(
                f"gnuBG prints no PR and no number of decisions: PR {figures['pr']} and "
            )
            for line in answer(result)
        )


@pytest.mark.parametrize("figures", [{"pr": "13.20"}, {"pr": "13.20", "decisions": "81"}])
def test_pr_asked_of_a_file_of_gnubg_is_of_another_program(figures: dict[str, str]) -> None:
    result = investigate(demonstration("sgf"), "nora", figures)
    assert codes(result) == ["other-tool"]
    first, second, *_ = answer(result)
    assert first.startswith("Nora_Lindqvist: no rules give PR 13.20")
    assert "such as XG. If that analysed the match itself, load its own file" in second


def test_rate_of_gnubg_asked_of_an_xg_file_is_of_another_program() -> None:
    result = investigate(demonstration(), "nora", {"error_rate_memg": "31.4"})
    assert codes(result) == ["other-tool"]
    first, second, *_ = answer(result)
    assert first.startswith(
        "Nora Lindqvist: no rules give error rate (mEMG) 31.4. Counting alone reaches "
    )
    assert second.startswith(
        "XG prints no error rate (mEMG): error rate (mEMG) 31.4 is of another program, such as "
        "gnuBG"
    )


@pytest.mark.parametrize("name", long_but_first(["m17_7pt_met_woolsey", "m19_5pt_met_zadeh"]))
def test_table_that_gnubg_used_is_recognised_from_its_own_figures(data: Path, name: str) -> None:
    match = real(f"gnubg/{name}.sgf")
    for mover in some(side["moves"] for side in stats_of(f"gnubg/{name}")["stats"].values()):
        seat = next(
            seat
            for seat in (0, 1)
            if statistics(match).figures(seat)["decisions.checker"] == mover["unforced-moves"]
        )
        figures = {
            "mwc_loss_percent.checker": f"{100 * mover['error-cost']:.3f}",
            "decisions.checker": str(mover["unforced-moves"]),
        }
        result = investigate(match, match.players[seat], figures)
        assert codes(result)[0] == "other-match-equity-table"
        named = re.search(
            r"comes? out of a program with this mistake: "
            r"it uses the match equity table (.*)\. Otherwise",
            headline(result),
        )
        assert named
        assert re.search(rf"\b{name.rpartition('_')[2]}\b", named[1])


def test_gnubg_s_figures_of_another_level_are_recognised(data: Path) -> None:
    """The same transcript at 0 plies: as many unforced moves, other errors."""
    match = real("real/test_2ply.sgf")
    mover = stats_of("real/test_0ply")["stats"]["X"]["moves"]
    result = investigate(
        match,
        "Kévin",
        {
            "equity_error.checker": f"{mover['error-skill']:.3f}",
            "decisions.checker": str(mover["unforced-moves"]),
        },
    )
    assert codes(result) == ["level"]
    sentence = next(
        line for line in answer(result) if line.startswith("147 checker decisions agree")
    )
    assert sentence.startswith(
        "147 checker decisions agree, equity lost (checker plays) 2.105 does not: here Kévin_Unger "
        "has"
    )
    assert "gnuBG at 2-ply" in sentence


@pytest.mark.parametrize(
    "figures",
    long_but_first(
        [
            {"pr": "7"},
            {"decisions.take": "1"},
            {"decisions.take": "3"},
            {"equity_error.take": "0.000"},
            {"pr": "0.0"},
        ]
    ),
    ids=str,
)
def test_figure_with_too_few_digits_proves_no_mistake(figures: dict[str, str]) -> None:
    result = investigate(demonstration(), "nora", figures)
    assert not {"other-player", "one-game", "factor", "rounding", "both-players"} & set(
        codes(result)
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("yes-without-decision", "with the errors in resigning charged. "),
        (
            "yes-with-decision",
            "with the errors in resigning charged, and resignations counted as decisions. ",
        ),
    ],
)
def test_resignations_that_are_charged_are_recognised_and_whether_they_count(
    answer: str, words: str
) -> None:
    """Ten plays that lost 0.01 each and a resignation that lost 0.2, by an engine whose rules are
    gnuBG's: a rate of 300/10 or 300/11."""
    match = match_of(
        plays(10, turn=range(1, 11), stored_error=[0.01] * 10, best=[0.5] * 10, played=[0.49] * 10),
        None,
        0.2,
        tool="Open Sage",
    )
    figures = {
        "error_rate_memg": {"yes-without-decision": "30.0", "yes-with-decision": "27.3"}[answer],
        "equity_error": "0.300",
    }
    sighting = sighting_of({"gnubg": statistics(match)}, 0, None, read_reported(figures))
    fit = find("resignations", sighting)
    assert fit
    assert words in fit.sentence


def test_figures_that_own_rules_give_have_no_mistake() -> None:
    match = demonstration()
    for seat, player in some(enumerate(match.players)):
        assert (
            codes(
                investigate(
                    match,
                    player,
                    printed(match, seat, "pr", "decisions.counted", "equity_error.checker"),
                )
            )
            == []
        )


def test_one_figure_that_another_program_s_rules_give_has_no_mistake() -> None:
    result = investigate(demonstration(), "nora", {"pr": "7.23"})
    assert codes(result) == []
    assert headline(result).startswith(
        "Nora Lindqvist: PR 7.23 is exactly what rule sets gnubg and "
    )


def test_several_figures_that_another_program_s_rules_give_have_no_mistake() -> None:
    match = demonstration()
    figures = printed(
        match, 0, "pr", "decisions.counted", "decisions.checker", rules="gnubg-manual"
    )
    assert codes(investigate(match, "nora", figures)) == []


@pytest.mark.parametrize("text", ["99.99", "-99.99"])
def test_figure_that_no_rules_give_has_no_mistake(text: str) -> None:
    assert codes(investigate(demonstration(), "nora", {"pr": text})) == []


def test_figures_beside_one_that_only_gnubg_prints_are_not_of_another_program() -> None:
    result = investigate(
        demonstration("sgf"), "nora", {"error_rate_memg": "99.9", "decisions": "121"}
    )
    assert codes(result) == []


@pytest.mark.parametrize(
    ("tool", "name", "text", "money"),
    long_but_first(
        (tool, name, text, money)
        for tool in ("XG", "GNU Backgammon")
        for name, text in {
            "pr": "3.21",
            "cube_pr": "1.00",
            "decisions": "12",
            "mwc_loss_percent.take": "0.5",
        }.items()
        for money in ((False, True) if name in METRICS and not METRICS[name].in_mwc else (False,))
    ),
)
def test_checks_stand_a_match_in_which_hardly_anything_is_known(
    tool: str, name: str, text: str, money: bool
) -> None:
    nothing = match_of(
        plays(),
        cubes(
            kind=[Kind.TAKE],
            analysed=[False],
            no_double=[NAN],
            double_take=[NAN],
            stored_error=[NAN],
        ),
        tool=tool,
    )
    assert headline(
        investigate(replace(nothing, length=None) if money else nothing, "Ann", {name: text})
    )
