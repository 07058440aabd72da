"""`reconcile investigate`: a figure is explained or it is exit code 1; `reconcile explain`: what is
told of every code."""

import re
from itertools import takewhile

import pytest

from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from tests.support.command_line import OUTSIDE, SGF, WITHIN, XG, json_in, refused, run, strict
from tests.support.long import long_but_first

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.mark.parametrize(
    ("reported", "code"),
    long_but_first([("pr=7.16", WITHIN), ("decisions=105", WITHIN), ("pr=99.9", OUTSIDE)]),
)
def test_figure_is_explained_or_it_is_exit_code_1(reported, code):
    result = run("investigate", XG, "--player", "nora", "--reported", reported)
    assert result.exit_code == code
    assert "Nora Lindqvist" in result.stdout


def test_investigation_on_standard_output_is_alone_there():
    words = "--player nora --reported pr=7.09 --reported decisions=105 --json -"
    result = run("investigate", XG, *words.split())
    document = strict(result.stdout)
    first = document["explanations"][0]
    assert [difference["question"] for difference in first["differences"]] == ["Q01"]
    assert document["reported"] == {"pr": "7.09", "decisions": "105"}
    assert "Nora Lindqvist" in result.stderr
    assert (
        run("investigate", XG, "--player", "nora", "--reported", "pr=7.16", "--quiet").output == ""
    )


@pytest.mark.parametrize(
    ("reported", "rules", "phrase"),
    long_but_first(
        [
            ("pr=7.23", "gnubg", "Rule set gnubg gives PR 7.23 exactly. "),
            ("pr=7.30", "gnubg", "Rule set gnubg gives PR 7.23 (0.07 less). "),
            ("pr=7.16", "snowie4", "Rule set snowie4 gives no PR. "),
            ("pr=7.16", "xg", "Nora Lindqvist: XG's own rules give PR 7.16 exactly."),
        ]
    ),
)
def test_named_rules_are_tried_first(reported, rules, phrase):
    words = f"--player nora --reported {reported} --rules {rules} --json tried.json"
    result = run("investigate", XG, *words.split())
    assert result.exit_code == WITHIN
    assert result.stdout.startswith(phrase)
    words = json_in("tried.json")["given_rules"]
    assert words["name"] == rules
    assert words["reproduces"] is ("exactly" in phrase)


SUMMARY = """\tTomas Beck\tNora Lindqvist
\N{BULLET} Performance Rating\t7.74\t7.16
\N{BULLET} Total Errors (Blunders)\t18 (4)\t22 (7)
   Equity (Cost)\t-1.223 (-10.46%)\t-1.489 (-22.35%)
   Decisions\t79\t104
"""


def test_pasted_text_that_names_both_players_needs_no_player():
    result = run("investigate", XG, "--paste", "-", "--json", "both.json", stdin=SUMMARY.encode())
    assert result.exit_code == WITHIN
    phrase = [line for line in result.stdout.splitlines() if ": XG's own rules give " in line]
    for line, start in zip(
        phrase,
        (
            "Nora Lindqvist: XG's own rules give PR 7.16, 104 decisions, equity lost 1.489 and "
            "MWC lost 22.35 exactly.",
            "Tomas Beck: XG's own rules give PR 7.74, 79 decisions, equity lost 1.223 and "
            "MWC lost 10.46 exactly.",
        ),
        strict=True,
    ):
        assert line.startswith(start)
    assert [(each["player"], each["reported"]["pr"]) for each in json_in("both.json")] == [
        ("Nora Lindqvist", "7.16"),
        ("Tomas Beck", "7.74"),
    ]


def test_pasted_text_of_another_program_than_the_file_s_is_named_first():
    text = SUMMARY.replace("a Lin", "a_Lin").replace("s Beck", "s_Beck").encode()
    result = run("investigate", SGF, "--player", "nora", "--paste", "-", stdin=text)
    assert result.stdout.startswith("The figures are XG's, the file has gnuBG's analysis. ")


@pytest.mark.long
def test_pasted_text_of_which_a_figure_is_explained_by_nothing_is_exit_code_1():
    text = SUMMARY.replace("7.74", "44.44").encode()
    assert run("investigate", XG, "--paste", "-", stdin=text).exit_code == OUTSIDE


@pytest.mark.parametrize(
    "arguments", [["--html", "page.html"], ["--reported", "pr=7.16"]], ids=" ".join
)
def test_player_is_asked_for_where_it_is_open_whose_figures_they_are(arguments):
    line = refused("investigate", XG, "--paste", "-", *arguments, stdin=SUMMARY.encode())
    assert "name the player with --player NAME" in line


# -- explain


def test_explain_without_code_lists_and_with_code_prints_the_page():
    listed = run("explain")
    assert listed.exit_code == WITHIN
    for code in ("Q01", "Q14", "incomplete-analysis", "pr", "gnubg"):
        assert code in listed.stdout
        assert len(run("explain", code).stdout) > 20


def test_rules_fit_a_terminal_of_80_columns_and_name_every_set():
    lines = run("explain", "--rules").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for code in QUESTIONS:
        start = next(index for index, line in enumerate(lines) if line.startswith(code))
        rest = [line for line in lines[start + 1 :] if line]
        block = list(takewhile(lambda line: line.startswith("  "), rest))
        assert all(re.search(rf"\b{name}\b", " ".join(block)) for name in RULE_SETS)
