"""Figures of a program that are right, wrong or missing in any mixture: the diagnosis says what is
true of them, and never fails."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.files.bundled import bundled
from reconcile.infer.checks import FINDERS, find, sighting_of
from reconcile.infer.investigation import investigate
from reconcile.infer.program import diagnose
from reconcile.infer.reported import fits_figure, read_reported
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.examples import examples
from tests.support.faulty import PACK, Printed, printed, subjects, under
from tests.support.loaded import loaded
from tests.support.long import long_but_first

SAMPLES = sorted((*PACK.glob("*/*.sgf"), *PACK.glob("demonstration/*.xg")))
NAMES = (
    "decisions.counted",
    "equity_error.total",
    "pr",
    "cube_pr",
    "mwc_loss_percent.take",
    "luck.equity",
)
WRONG = (None, "0", "1", "-1.234", "91", "1234.5", "0.001")
"""Instead of a figure; `None` leaves it as it is. Counts are given without decimals."""

MERELY_WRONG = {
    "gnubg-7pt-0ply": (("110", "5.111"), ("141", "1.234")),
    "gnubg-3pt-2ply": (("60", "3.807"), ("91", "1.234")),
    "gnubg-11pt-cube-rich": (("41", "7.77"), ("51", "9.99")),
}
"""Decisions and equity lost by match and seat: only those of Alice m26 are the file's own."""


@pytest.mark.long
def test_program_whose_figures_fit_for_some_players_alone_is_diagnosed() -> None:
    pairs: list[tuple[Match, Printed]] = []
    for folder, seats in MERELY_WRONG.items():
        (path,) = bundled("reference_matches").glob(f"{folder}/*.sgf")
        pairs.append(
            (
                loaded(path),
                {
                    seat: dict(zip(NAMES[:2], texts, strict=True))
                    for seat, texts in enumerate(seats)
                },
            )
        )
    result = diagnose("prog", subjects(pairs))
    assert result is not None
    assert (result.best.explained, result.best.number, result.faults) == (3, 12, ())
    assert result.sentence.startswith(
        "prog counts like no known rules: rule set gnubg comes closest, with 3 of 12 figures over "
        "3 matches"
    )
    wrong = {mismatch.match: mismatch.sentence for mismatch in result.against}
    assert (
        "Bob m26: 91 decisions and equity lost 1.234, by these rules 78 decisions"
        in wrong["match-2"]
    )
    assert "Alice m26" not in wrong["match-2"]


def mixtures() -> st.SearchStrategy[list[list[dict[str, str | None]]]]:
    """For every match and seat the figures that are given: right (`None`), or another text."""
    count, lost, *_ = NAMES
    right_or_lost = st.fixed_dictionaries(
        {count: st.just(None), lost: st.sampled_from((None, "1.234"))}
    )
    player = right_or_lost | st.dictionaries(
        st.sampled_from(NAMES), st.sampled_from(WRONG), max_size=len(NAMES)
    )
    return st.lists(st.lists(player, min_size=2, max_size=2), min_size=1, max_size=len(SAMPLES))


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(mixture=mixtures())
def test_any_figures_right_or_wrong_have_a_diagnosis(
    mixture: list[list[dict[str, str | None]]],
) -> None:
    pairs: list[tuple[Match, Printed]] = []
    right = 0
    for path, seats in zip(SAMPLES, mixture, strict=False):
        match = loaded(path)
        plain = under(match, own_rules(match), NAMES)
        figures = {}
        for seat, texts in enumerate(seats):
            chosen = {
                name: plain[seat].get(name) if text is None else text
                for name, text in texts.items()
            }
            figures[seat] = {
                name: text
                for name, text in chosen.items()
                if text is not None and (name != "decisions.counted" or text.isdigit())
            }
            right += sum(
                texts[name] is None and not name.startswith("luck") for name in figures[seat]
            )
        pairs.append((match, figures))
    result = diagnose("prog", subjects(pairs))
    if result is None:
        assert not any(figures for _, seats in pairs for figures in seats.values())
        return
    assert result.best.number == sum(
        not name.startswith("luck")
        for _, seats in pairs
        for figures in seats.values()
        for name in figures
    )
    assert (
        max(rule_set.explained for rule_set in result.rule_sets) >= right
    )  # the rules of the references give those that are right
    assert all(mismatch.sentence for mismatch in result.against)


@pytest.mark.parametrize("code", FINDERS)
def test_figures_that_the_rules_give_pass_every_check(code: str) -> None:
    match = loaded(SAMPLES[0])
    rules = own_rules(match)
    shown = under(match, rules, ("decisions.counted", "equity_error.total"))
    sighting = sighting_of({rules.name: statistics(match, rules)}, 0, None, read_reported(shown[0]))
    assert find(code, sighting) is None


PRINTED = (
    "pr",
    "decisions.counted",
    "equity_error.total",
    "mwc_loss_percent.total",
    "error_rate_memg",
    "snowie_er",
)


def drawn(seed: int) -> tuple[int, dict[str, str]]:
    """A player by seat, and figures that somebody may have seen: of some rules, the other player or
    a game, misprinted, multiplied."""
    draw, match = Random(seed), loaded(SAMPLES[0])
    ours, seat = statistics(match, draw.choice(tuple(RULE_SETS))), draw.randrange(2)
    source = ours.figures_at(
        draw.choice((seat, seat, 1 - seat)), draw.choice((None, None, None, 0))
    )
    names = [
        name for name in draw.sample(PRINTED, draw.choice((1, 2, 4))) if source[name] is not None
    ]
    factor, slip = draw.choice((1, 1, 1, 2, 0.01)), draw.choice((*names, "", "", ""))
    reported = {
        name: printed({name: source[name]}, [name], 1 if METRICS[name].is_whole else factor)[name]
        for name in names
    }
    return seat, {
        name: text[:-1] + str((int(text[-1]) + 7) % 10) if name == slip else text
        for name, text in reported.items()
    }


@pytest.mark.parametrize(
    "seeds", long_but_first([range(3), range(3, 40), range(40, 400)], 1, 2), ids=str
)
def test_whatever_is_said_to_give_figures_that_somebody_saw_gives_them(seeds: range) -> None:
    match, explained = loaded(SAMPLES[0]), 0
    for seat, reported in filter(lambda pair: pair[1], map(drawn, seeds)):
        result = investigate(match, match.players[seat], reported)
        for rule_set in result.rule_sets:
            theirs = statistics(match, rule_set.name).figures(seat)
            assert rule_set.fits == all(
                fits_figure(theirs[wanted.metric], wanted) for wanted in result.reported
            ), (reported, rule_set.name)
        for explanation in result.explanations:
            assert all(
                fits_figure(explanation.figures[wanted.metric], wanted)
                for wanted in result.reported
            ), (reported, explanation.rules)
        for checks_by_code in result.checks:
            if checks_by_code.code in ("other-player", "one-game", "both-players"):
                assert all(
                    fits_figure(checks_by_code.figures[wanted.metric], wanted)
                    for wanted in result.reported
                ), (reported, checks_by_code.sentence)
        assert result.explanations or result.closest
        explained += bool(result.explanations)
    assert explained
