"""What nobody outside a tool knows is a range: the figures under every answer that fits what is
known."""

from __future__ import annotations

import gc
from itertools import product
from pathlib import Path
from weakref import ref

from hypothesis import HealthCheck, given, settings

from reconcile.formats import written as xg
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.findings import findings_of
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import statistics
from tests.support.bridged_pairs import read
from tests.support.claims import some
from tests.support.examples import examples
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.strategies import matches


def test_the_match_that_depends_on_the_losing_side_and_the_number_that_decides(data: Path) -> None:
    scored = statistics(loaded(data / "real/match_with_comment.xg"))
    undecided = open_range(scored)
    low, high = undecided.figures[0]["pr"]
    assert (round(low, 3), round(high, 3)) == (6.508, 6.749)
    assert undecided.codes == ("Q03",)
    assert undecided.deciding[0] == ("decisions.double", (10, 12, 13))
    assert undecided.figures[1] == {}
    (finding,) = [item for item in findings_of(scored) if item.code == "open-rule"]
    assert (finding.player, finding.severity) == ("Nicolas HARMAND", "warning")
    assert finding.evidence == (
        "PR of Nicolas HARMAND is 6.51 to 6.75: which no-doubles of the losing side XG counts is "
        "not known. "
        "XG's window decides it by its double decisions: 10, 12 or 13"
    )


def test_match_in_which_no_open_rule_matters_has_no_range_and_gnubg_has_no_open_rule(
    data: Path,
) -> None:
    scored = statistics(loaded(data / "real/test.xg"))
    assert open_range(scored).codes == ()
    assert not any(finding.code == "open-rule" for finding in findings_of(scored))
    assert open_range(statistics(loaded(Path(f"{DEMONSTRATION}.sgf")))).figures == ({}, {})


def test_range_does_not_keep_its_match_in_memory() -> None:
    """A ring is found late: a pack of hundreds of matches took most of a gigabyte."""
    scored = statistics(loaded(Path(f"{DEMONSTRATION}.xg")))
    assert open_range(scored).possible
    stays = ref(scored)
    gc.disable()
    try:
        del scored
        assert stays() is None
    finally:
        gc.enable()


@settings(
    max_examples=examples(10),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(matches())
def test_every_combination_of_answers_lies_within_the_range(match: xg.WrittenMatch) -> None:
    """A figure without a range moves by less than half a printed digit."""
    read_back = read(match)
    undecided = open_range(statistics(read_back, "xg"))
    rules = rule_set("xg")
    for answers in some(product(*rules.alternatives.values())):
        other = rules
        for code, answer in zip(rules.alternatives, answers, strict=True):
            other = other.switched(code, answer)
        figures = statistics(read_back, other)
        for seat in (0, 1):
            own = statistics(read_back, "xg").figures(seat)
            for metric, value in some(figures.figures(seat).items()):
                here = own[metric]
                if value is None or here is None:
                    continue
                low, high = undecided.figures[seat].get(metric, (here, here))
                slack = (
                    0.0
                    if metric in undecided.figures[seat]
                    else 0.5 * 10.0 ** -METRICS[metric].decimals
                )
                assert low - slack - 1e-9 <= value <= high + slack + 1e-9
