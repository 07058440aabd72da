"""One file has one verdict, whatever is asked for: what is refused is refused when it is read, and
what is read every output and every rule set reads.

The files are sixty damaged ones: of each format the first by the recipe of `tests.fuzz.formats`, so
that a number names its bytes.
"""

from collections.abc import Callable
from functools import partial

import pytest

from reconcile.errors import NothingToCompare, UnreadableFile
from reconcile.formats import read_match
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.match.match import Match
from reconcile.report.forms import in_form
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.score import settled
from reconcile.scoring.statistics import statistics
from tests.fuzz.formats import formats
from tests.support.long import long_but_first

SHARES = {"sgf": 22, "xg records": 12, "bgf object": 10, "mat": 6, "gnubg text": 5, "ogxm": 5}
KINDS = {kind.name: kind for kind in formats() if kind.name in SHARES}
MUTANTS = [(name, number) for name in KINDS for number in range(SHARES[name])]


def mutant(name, number):
    return f"{name.replace(' ', '-')}-{number}{KINDS[name].suffix}", KINDS[name].mutation(number)


def is_read(name, number):
    try:
        read_match(*mutant(name, number))
    except UnreadableFile:
        return False
    return True


def rows_of_archive(match):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from reconcile.corpus.rows import ReadMatch, identity, rows_of

    brief = settled(match)
    return list(rows_of([ReadMatch(brief, "0" * 64, "", identity(brief))], tuple(RULE_SETS)))


def table_of(rules, match):
    return in_form(statistics(match, rules), "text")


OUTPUTS: dict[str, Callable[[Match], object]] = {
    **{f"stats by {rules}": partial(table_of, rules) for rules in RULE_SETS},
    "decisions": lambda match: in_form(statistics(match), "decisions", "csv"),
    "stats --html": lambda match: in_form(review(match), "html"),
    "compare --html": lambda match: in_form(compare(match, match), "html"),
    "corpus": rows_of_archive,
}


@pytest.mark.parametrize(
    ("name", "number"),
    long_but_first(
        [*MUTANTS[4::5], *(each for at, each in enumerate(MUTANTS) if at % 5 != 4)], 3, 24
    ),
)
def test_what_is_read_is_read_by_every_output_and_rule_set(name, number):
    if not is_read(name, number):
        return  # as every command reads it in the same way
    for output, write in OUTPUTS.items():
        try:
            write(read_match(*mutant(name, number)))
        except NothingToCompare:  # of a file without an analysis
            assert output.endswith("html")
