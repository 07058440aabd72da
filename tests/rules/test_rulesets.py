"""Every cell of the matrix: which program answers which question how, and what nobody outside
knows."""

from __future__ import annotations

from click.testing import CliRunner

from reconcile.cli import main
from reconcile.report.explain import page, rule_matrix
from reconcile.rules import QUESTIONS, RULE_SETS, Status
from tests.support.claims import some

SETS = (
    "xg",
    "gnubg",
    "gnubg-manual",
    "blunderdb",
    "blunderdb-2026",
    "backgammondb",
    "gammonview",
    "bgblitz",
    "snowie4",
)
# A "?" marks a cell that is open: nobody outside knows the program's answer, and what stands is the
# best attested one.
MATRIX = """
Q01|xg-flag|gnubg|gnubg|gnubg|blunderdb ?|xg-flag|xg-spread|bgblitz|all-plies
Q02|xg|gnubg|gnubg-manual ?|gnubg|xg|xg|xg-rounded|bgblitz|gnubg ?
Q03|minus-0.9 ?|all|all|all|nd-positive|minus-0.9 ?|minus-0.9-right|all|all ?
Q04|yes|yes|yes|yes|yes|within-0.001-no|trivial-no|yes|yes ?
Q05|left-out|left-out|left-out ?|left-out|left-out|left-out ?|left-out|left-out|left-out ?
Q06|stored|candidate-0|candidate-0 ?|millipoint|millipoint|stored|ten-thousandth|\
counted-plays|candidate-0 ?
Q07|yes-without-decision|no ?|no ?|no ?|no ?|yes-without-decision|yes-with-decision|no|no ?
Q08|500/counted|1000/counted|1000/counted|500/counted|500/counted|500/counted|500/counted|\
500/counted|snowie
Q09|x1.5|x1|x1|x1|x1|x1.5|x1|x1 ?|x1 ?
Q10|before-double|before-double|before-double ?|before-double ?|before-double|\
before-double ?|before-double|before-double|before-double ?
Q11|Kazaross-XG2|Kazaross-XG2|Kazaross-XG2 ?|Kazaross-XG2 ?|Kazaross-XG2|Kazaross-XG2 ?|\
Kazaross-XG2|file|Kazaross-XG2 ?
Q12|xg|gnubg|gnubg-manual|blunderdb|blunderdb|backgammondb|xg|bgblitz|gnubg ?
Q13|100|none|none|none|none|none|none|none ?|none
Q14|as-played ?|gnubg-recount|as-played ?|as-played ?|as-played ?|as-played ?|as-played ?|\
as-played ?|as-played ?
Q15|yes|yes|yes|yes|yes|yes|yes|only-errors|yes ?
Q16|no|no|no ?|no ?|no|no ?|no|with-the-play|no ?
"""
CELLS = [
    (code, name, cell.removesuffix("?").strip(), cell.endswith("?"))
    for line in MATRIX.strip().splitlines()
    for code, *cells in [[part.strip() for part in line.split("|")]]
    for name, cell in zip(SETS, cells, strict=True)
]
MEASURED = {
    "xg": {"Q01", "Q02", "Q04", "Q05", "Q06", "Q08", "Q10", "Q11", "Q12", "Q15", "Q16"},
    "gnubg": set(QUESTIONS) - {"Q07", "Q13"},
    "gammonview": set(QUESTIONS) - {"Q12", "Q14"},
    "bgblitz": {"Q01", "Q02", "Q03", "Q04", "Q05", "Q06", "Q10", "Q11", "Q12", "Q15", "Q16"},
}
"""What was probed, or checked on files with the program's own figures; nothing else was."""


def test_matrix_is_that_of_the_rule_sets() -> None:
    assert tuple(RULE_SETS) == SETS
    assert [
        (code, name, RULE_SETS[name].answers[code], code in RULE_SETS[name].open)
        for code in QUESTIONS
        for name in SETS
    ] == CELLS


def test_measured_answers_are_those_that_the_table_calls_probed_or_verified() -> None:
    result = {
        name: {
            code
            for code, cell in rules.evidence.items()
            if cell.status in (Status.PROBED, Status.VERIFIED)
        }
        for name, rules in RULE_SETS.items()
    }
    assert {name: codes for name, codes in result.items() if codes} == MEASURED


def test_rules_prints_every_cell_and_marks_the_open_ones() -> None:
    printed = CliRunner().invoke(main, ["explain", "--rules"])
    assert printed.exit_code == 0
    assert printed.stdout == rule_matrix() + "\n"
    table, last = printed.stdout.split("\n? nobody outside knows")
    lines = table.splitlines()
    assert "used meanwhile" in last
    assert max(map(len, lines)) <= 80
    cells: dict[tuple[str, str], str] = {}
    code = answer = ""
    for line in lines:
        if line[:3] in QUESTIONS:
            code = line[:3]
            assert line == f"{code} {QUESTIONS[code].title}"
            continue
        first, _, sets = line.strip().partition("  ")
        # A long list of rule sets goes on in the next line.
        answer, sets = (first, sets) if sets else (answer, first)
        cells |= {
            (code, name): answer for name in sets.replace(" ?", "?").replace(",", " ").split()
        }
    expected = {(code, name + "?" * is_open): answer for code, name, answer, is_open in CELLS}
    assert cells == expected


def test_page_of_a_rule_set_tells_every_cell_and_what_is_open() -> None:
    for rules in some(RULE_SETS.values()):
        first, *lines = page(rules.name).splitlines()
        assert first == f"{rules.name}: {rules.title}"
        text = " ".join(" ".join(lines).split())
        for code in QUESTIONS:
            assert (
                f"{code} {QUESTIONS[code].title} "
                f"{rules.answers[code]}{' ?' if code in rules.open else ''}" in text
            ), (rules.name, code)
