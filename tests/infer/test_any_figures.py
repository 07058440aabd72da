"""Figures that are right, wrong or missing in any mixture: what is said of them is true, and
nothing fails."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.infer.investigation import investigate
from reconcile.infer.program import diagnose
from reconcile.infer.reported import fits_figure
from reconcile.match.match import Match
from reconcile.rules.rulesets import RULE_SETS, own_rules
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import statistics
from tests.support.examples import examples
from tests.support.faulty import PACK, Printed, subjects, under
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.planted import printed

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
PLAYER = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(WRONG), max_size=len(NAMES))


@pytest.mark.long
@settings(max_examples=examples(25), deadline=None)
@given(mixture=st.lists(st.tuples(PLAYER, PLAYER), min_size=1, max_size=len(SAMPLES)))
def test_any_figures_right_or_wrong_have_a_diagnosis(
    mixture,
):
    pairs: list[tuple[Match, Printed]] = []
    is_right: list[bool] = []
    for path, seats in zip(SAMPLES, mixture, strict=False):
        match = loaded(path)
        plain = under(match, own_rules(match), NAMES)
        figures: dict[int, dict[str, str]] = {0: {}, 1: {}}
        for seat, texts in enumerate(seats):
            for name, text in texts.items():
                shown = plain[seat].get(name) if text is None else text
                if shown is not None and (not METRICS[name].is_whole or shown.isdigit()):
                    figures[seat][name] = shown
                    is_right += [text is None] * (not name.startswith("luck"))
        pairs.append((match, figures))
    result = diagnose("prog", subjects(pairs))
    if result is None:
        assert not any(figures for _, both in pairs for figures in both.values())
        return
    assert result.best.number == len(is_right)
    # The rules of the references give those that are right.
    assert max(rule_set.explained for rule_set in result.rule_sets) >= sum(is_right)
    assert all(mismatch.sentence for mismatch in result.against)


PRINTED = ("pr", "decisions.counted", "equity_error.total", "mwc_loss_percent.total", "snowie_er")


def drawn(seed):
    """A player by seat, and figures that somebody may have seen: of some rules, the other player or
    a game, misprinted, multiplied."""
    draw, match = Random(seed), loaded(SAMPLES[0])
    ours, seat = statistics(match, draw.choice(tuple(RULE_SETS))), draw.randrange(2)
    whose, part = draw.choice((seat, seat, 1 - seat)), draw.choice((None, None, None, 0))
    source = ours.figures_at(whose, part)
    names = [name for name in draw.sample(PRINTED, draw.choice((1, 2, 4))) if source[name]]
    factor, slip = draw.choice((1, 1, 1, 2, 0.01)), draw.choice((*names, "", "", ""))
    reported = {}
    for name in names:
        times = 1 if METRICS[name].is_whole else factor
        (text,) = printed({name: (source[name] or 0) * times}, [name]).values()
        wrong = text[:-1] + str((int(text[-1]) + 7) % 10)
        reported[name] = wrong if name == slip else text
    return seat, reported


@pytest.mark.parametrize(
    "seeds", long_but_first([range(3), range(3, 40), range(40, 400)], 1, 2), ids=str
)
def test_whatever_is_said_to_give_figures_that_somebody_saw_gives_them(seeds):
    match, explained = loaded(SAMPLES[0]), 0
    for seat, reported in filter(lambda pair: pair[1], map(drawn, seeds)):
        result = investigate(match, match.players[seat], reported)

        def gives(figures, wanted=result.reported):
            return all(fits_figure(figures[figure.metric], figure) for figure in wanted)

        for rules in result.rule_sets:
            assert rules.fits == gives(statistics(match, rules.name).figures(seat)), reported
        assert all(gives(explanation.figures) for explanation in result.explanations), reported
        for check in result.checks:
            if check.code in ("other-player", "one-game", "both-players"):
                assert gives(check.figures), (reported, check.sentence)
        fits = any(rules.fits for rules in result.rule_sets)
        assert result.explanations or (result.closest and not fits)
        explained += bool(result.explanations)
    assert explained
