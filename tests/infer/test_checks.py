"""The ordinary mistakes: each is recognised from figures that programs printed, comes first, and
none is named for an accident."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reconcile.infer.changes import together
from reconcile.infer.checks import CHECKS, find, sighting_of
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
    "other-player", "one-game", "factor", "sign", "rounding", "both-players", "match-as-money",
    "money-as-match", "resignations", "unanalysed-as-zero", "rounded-errors", "other-tool",
    "other-match-equity-table", "misprint", "decision-missing", "decision-twice", "level",
]  # fmt: skip


def demonstration(ending: str = "xg") -> Match:
    return loaded(Path(f"{DEMONSTRATION}.{ending}"))


def printed(
    seat: int, *names: str, game: int | None = None, times: float = 1, rules: str | None = None
) -> dict[str, str]:
    """Figures of the bundled match as a program prints them."""
    figures = statistics(demonstration(), rules).figures_at(seat, game)
    return {
        name: f"{times * float(figures[name] or 0):.{METRICS[name].decimals}f}" for name in names
    }


def window(name: str) -> dict[str, str]:
    """XG's own window for a player of the match between charlot1 and charlot2."""
    (path,) = FOLDER.glob("real/charlot1*.xg-reported.json")
    figures = json.loads(path.read_text("utf-8"))["xg"][name]
    named = ((*WINDOW[key], value) for key, value in figures.items() if key in WINDOW)
    return {metric: f"{value:.{decimals}f}" for metric, decimals, value in named}


def moves_of(name: str, seat: int) -> dict[str, Any]:
    """What gnuBG itself says of the checker plays of a player."""
    stats = json.loads((FOLDER / f"{name}.stats.json").read_text("utf-8"))["stats"]
    moves: dict[str, Any] = list(stats.values())[seat]["moves"]
    return moves


def codes(result: Investigation) -> list[str]:
    return [check.code for check in result.checks]


def sentences(match: Match, player: str, **figures: str) -> dict[str, str]:
    """The checks that hold, by code."""
    return {check.code: check.sentence for check in investigate(match, player, figures).checks}


def test_checks_come_in_the_order_in_which_a_supporter_thinks_of_them() -> None:
    assert list(CHECKS) == ORDER


COUNT = {"decisions.counted": "104"}
RECOGNISED: list[tuple[str, dict[str, str], dict[str, str], int | None, str]] = [
    ("other-player", printed(1, "pr"), {}, None, "Tomas Beck's"),
    ("other-player", printed(1, "pr", "decisions.counted"), {}, None, "Nora Lindqvist has PR 7.16"),
    ("one-game", printed(0, "pr", game=0), {}, None, "in game 1"),
    ("one-game", printed(0, "pr", game=3), {}, None, "in game 4"),
    (
        "one-game",
        printed(0, "pr", "decisions.counted"),
        {},
        2,
        "Nora Lindqvist's in the whole match. For game 2 it is",
    ),
    ("factor", printed(0, "pr", times=2), {}, None, "is twice what Nora Lindqvist has"),
    ("factor", printed(0, "pr", times=2), COUNT, None, "is twice what Nora Lindqvist has"),
    ("factor", printed(0, "error_rate_memg", times=0.5), COUNT, None, "is half what"),
    ("factor", printed(0, "equity_error.total", times=1000), COUNT, None, "thousandths of a point"),
    ("factor", printed(0, "mwc_loss_percent.total", times=100), COUNT, None, "is 100 times what"),
    ("factor", printed(0, "snowie_er", times=10), {}, None, "is 10 times what"),
    ("factor", printed(0, "equity_error.total", times=0.1), COUNT, None, "is a tenth of what"),
    ("rounding", {"pr": "7.15"}, {}, None, "PR 7.15 is 7.1565 cut off to 2 decimals: "),
]
"""A check, figures of the bundled match, right ones beside them, the game for which they are said
to be, and words of the answer."""


@pytest.mark.parametrize(("code", "shown", "right", "game", "words"), RECOGNISED)
def test_mistake_is_recognised_in_the_bundled_match(
    code: str, shown: dict[str, str], right: dict[str, str], game: int | None, words: str
) -> None:
    result = investigate(demonstration(), "nora", shown | right, game=game)
    assert codes(result)[0] == code
    assert words in headline(result)


CHARLOT = "real/charlot1*.xg"
BOTH = {"decisions.counted": "169", "decisions.checker": "149"}
SEEN = [
    ("real/test.xg", "Kévin", {"mwc_loss_percent": "0.3003"}, "factor",
     "MWC lost 0.3003 is a hundredth of what Kévin Unger has, MWC lost 30.03: it is a fraction, "
     "not a percentage."),
    (CHARLOT, "charlot1", BOTH, "both-players",
     "169 decisions and 149 checker decisions are both players' together. charlot1 alone has 90 "),
    ("real/match_with_comment.xg", "Nicolas", {"pr": "6.50"}, "rounding",
     "PR 6.50 is 6.5083 cut off to 2 decimals"),
    ("real/match_with_comment.xg", "Nicolas", {"pr": "7.00"}, "rounding",
     "PR 7.00 is 6.5083 rounded to a whole number"),
    ("real/ronde1-UngerHarmand-FriebeJacobi-7pt.xg", "friebe", {"pr": "3.7"}, "other-player",
     "PR 3.7 is Kévin"),
    (CHARLOT, "charlot1", {"pr": "0.42"}, "other-player", "PR 0.42 is charlot2's"),
    ("real/match_with_comment_2ply.sgf", "nicolas", {"pr": "6.5"}, "other-player", "PR 6.5 is "),
    ("real/ronde1-UngerHarmand-FriebeJacobi-7pt_2ply.sgf", "kévin", {"error_rate_memg": "7.1"},
     "other-player", "error rate (mEMG) 7.1 is FRIEBE"),
]  # fmt: skip
"""A real file, whose figures, what was seen, the check and how the answer begins. XG's rules give
6.508, whose range is among the open points; the figures of another player are also those of some
rules."""


@pytest.mark.parametrize(("name", "player", "figures", "code", "words"), SEEN)
def test_mistake_is_recognised_in_a_real_match(
    data: Path, name: str, player: str, figures: dict[str, str], code: str, words: str
) -> None:
    result = investigate(real(name), player, figures)
    assert codes(result)[0] == code
    assert headline(result).casefold().startswith(words.casefold())
    if code == "other-player":
        assert any(rule_set.fits for rule_set in result.rule_sets)
        assert any("With other rules" in line for line in answer(result)[1:])


@pytest.mark.parametrize("path", cases("real/*.xg", "gnubg/m4*.sgf", short=1))
def test_both_players_together_are_sums_and_rates_of_sums(path: Path) -> None:
    ours = statistics(loaded(path), "xg")
    first, second = (ours.figures(seat) for seat in (0, 1))
    both, _ = together([first, second], ours)
    error = first["equity_error.total"] + second["equity_error.total"]  # type: ignore[operator]
    counted = first["decisions.counted"] + second["decisions.counted"]  # type: ignore[operator]
    assert both["decisions.counted"] == counted
    assert both["pr"] == pytest.approx(500 * error / counted, rel=1e-12)


def test_minus_sign_of_xg_s_window_changes_nothing(data: Path) -> None:
    figures = window("charlot2")
    figures["equity_error.total"] = f"-{figures['equity_error.total']}"
    result = investigate(real(CHARLOT), "charlot2", figures)
    assert codes(result) == []
    assert " are, but for the sign, what XG's own rules give." in headline(result)
    assert result.explanations[0].differences == ()


@pytest.mark.parametrize(
    ("ending", "figures", "words"),
    [
        ("sgf", {"pr": "13.20"}, "gnuBG prints no PR: PR 13.20 is of another program, such as XG."),
        ("sgf", {"pr": "13.20", "decisions": "81"}, "gnuBG prints no PR and no number of decision"),
        ("xg", {"error_rate_memg": "31.4"}, "XG prints no error rate (mEMG): error rate (mEMG) 31"),
    ],
)
def test_figure_that_the_file_s_program_never_prints_is_of_another(
    ending: str, figures: dict[str, str], words: str
) -> None:
    result = investigate(demonstration(ending), "nora", figures)
    assert codes(result) == ["other-tool"]
    first, second, *_ = answer(result)
    assert ": no rules give " in first
    assert second.startswith(words)
    assert "If that analysed the match itself, load its own file" in second


@pytest.mark.parametrize("name", long_but_first(["m17_7pt_met_woolsey", "m19_5pt_met_zadeh"]))
def test_table_that_gnubg_used_is_recognised_from_its_own_figures(data: Path, name: str) -> None:
    match = real(f"gnubg/{name}.sgf")
    for mover in some(moves_of(f"gnubg/{name}", seat) for seat in (0, 1)):
        count = mover["unforced-moves"]
        own = [statistics(match).figures(seat)["decisions.checker"] for seat in (0, 1)]
        figures = {
            "mwc_loss_percent.checker": f"{100 * mover['error-cost']:.3f}",
            "decisions.checker": str(count),
        }
        result = investigate(match, match.players[own.index(count)], figures)
        assert codes(result)[0] == "other-match-equity-table"
        mistake = headline(result).partition(" with this mistake: it uses the match equity table ")
        assert name.rpartition("_")[2] in mistake[2].partition(". Otherwise")[0]


def test_gnubg_s_figures_of_another_level_are_recognised(data: Path) -> None:
    """The same transcript at 0 plies: as many unforced moves, other errors."""
    mover = moves_of("real/test_0ply", 0)
    figures = {
        "equity_error.checker": f"{mover['error-skill']:.3f}",
        "decisions.checker": str(mover["unforced-moves"]),
    }
    result = investigate(real("real/test_2ply.sgf"), "Kévin", figures)
    assert codes(result) == ["level"]
    (sentence,) = (check.sentence for check in result.checks)
    assert sentence.startswith(
        "147 checker decisions agree, equity lost (checker plays) 2.105 does not: here Kévin_Unger "
        "has"
    )
    assert "gnuBG at 2-ply" in sentence


def resigned() -> Match:
    """Ten plays that lost 0.01 each and a resignation that lost 0.2, by an engine whose rules are
    gnuBG's: a rate of 300/10 or 300/11."""
    rolls = {"turn": range(1, 11), "best": [0.5] * 10, "played": [0.49] * 10}
    return match_of(plays(10, stored_error=[0.01] * 10, **rolls), None, 0.2, tool="Open Sage")


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        ("30.0", "with the errors in resigning charged. "),
        ("27.3", "in resigning charged, and resignations counted as decisions. "),
    ],
)
def test_resignations_that_are_charged_are_recognised_and_whether_they_count(
    rate: str, words: str
) -> None:
    figures = read_reported({"error_rate_memg": rate, "equity_error": "0.300"})
    fit = find("resignations", sighting_of({"gnubg": statistics(resigned())}, 0, None, figures))
    assert fit
    assert words in fit.sentence


def test_another_digit_beside_a_single_figure_is_no_slip() -> None:
    figures = {"pr": "5.16", "equity_error": "1.489"}
    assert "misprint" not in sentences(demonstration(), "nora", **figures)
    assert "misprint" in sentences(demonstration(), "nora", **figures, decisions="104")


@pytest.mark.parametrize(("alike", "named"), [(5, True), (6, False)])
def test_five_decisions_that_it_may_be_are_named_and_six_are_not(alike: int, named: bool) -> None:
    errors, turns = [0.1] * alike + [0.3] * 3, range(1, alike + 4)
    match = match_of(plays(alike + 3, turn=turns, stored_error=errors), tool="eXtreme Gammon")
    figures = {"equity_error": f"{0.1 * (alike - 1) + 0.9:.6f}", "decisions": str(alike + 2)}
    sentence = sentences(match, "Ann", **figures)["decision-missing"]
    shown = [f"turn {turn} (play" in sentence for turn in turns]
    assert shown == [named] * alike + [False] * 3
    assert (f"one of {alike} decisions that cost the same" in sentence) != named


BY_CHANCE = {"other-player", "one-game", "factor", "rounding", "both-players"}
NO_MISTAKE: list[tuple[str, dict[str, str], set[str]]] = [
    ("xg", {"decisions.counted": "208"}, {"factor"}),
    ("xg", {"pr": "7"}, BY_CHANCE),
    ("xg", {"decisions.take": "1"}, BY_CHANCE),
    ("xg", {"decisions.take": "3"}, BY_CHANCE),
    ("xg", {"equity_error.take": "0.000"}, BY_CHANCE),
    ("xg", {"pr": "0.0"}, BY_CHANCE),
    ("xg", printed(0, "pr", "decisions.counted", "equity_error.checker"), set(ORDER)),
    ("xg", {"pr": "7.23"}, set(ORDER)),
    (
        "xg",
        printed(0, "pr", "decisions.counted", "decisions.checker", rules="gnubg-manual"),
        set(ORDER),
    ),
    ("xg", {"pr": "99.99"}, set(ORDER)),
    ("xg", {"pr": "-99.99"}, set(ORDER)),
    ("sgf", {"error_rate_memg": "99.9", "decisions": "121"}, set(ORDER)),
]
"""Too few digits, figures that the file's or other rules give, figures of nothing, and the checks
that must not hold."""


@pytest.mark.parametrize(("ending", "figures", "never"), NO_MISTAKE)
def test_no_mistake_is_named_without_proof(
    ending: str, figures: dict[str, str], never: set[str]
) -> None:
    assert not never & set(codes(investigate(demonstration(ending), "nora", figures)))


@pytest.mark.parametrize("tool", ["XG", "GNU Backgammon"])
@pytest.mark.parametrize("name", ["pr", "cube_pr", "decisions", "mwc_loss_percent.take"])
def test_checks_stand_a_match_in_which_hardly_anything_is_known(tool: str, name: str) -> None:
    unknown: dict[str, Any] = {"analysed": [False], "no_double": [NAN], "double_take": [NAN]}
    take = cubes(kind=[Kind.TAKE], stored_error=[NAN], **unknown)
    for length in (None, 7) if not name.startswith("mwc") else (7,):
        nothing = match_of(plays(), take, tool=tool, length=length)
        assert headline(investigate(nothing, "Ann", {name: "12"}))
