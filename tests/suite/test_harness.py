"""Programs behind the protocol: what they say is read, and what they do wrong is said of the case
and ends nothing."""

import shlex
import sys

import pytest

from reconcile.gate.candidates.reading import CommandFailed
from reconcile.report.forms import in_form
from reconcile.suite.run import run_suite
from tests.support.harness_programs import ABOUT, program
from tests.support.long import long_but_first


def says(words):
    """A line of a program that answers with this."""
    return f'print(json.dumps({{"id": asked["id"], {words}}}), flush=True)'


def gives(figures):
    return says(f'"players": {{"Synthetic Ann": {figures}}}')


TWO_MOVES = gives('{"moves.total": 2}')


def asked(folder, answer, only="cap", timeout=20, **more):
    """What comes of the cases of an area."""
    return run_suite(harness=program(folder, answer, **more), only=only, timeout=timeout)


def verdicts(result):
    """By id, what came of each case."""
    return {each.id: each.verdict for each in result.cases}


def test_figures_that_are_right_pass_and_others_fail(tmp_path):
    rest = verdicts(asked(tmp_path, TWO_MOVES))
    assert rest.pop("cap-pr-2") == "failed"
    assert len(rest) == 5
    assert set(rest.values()) == {"passed"}


def test_nothing_is_judged_by_one_digit(tmp_path):
    rounded = asked(tmp_path, gives('{"pr": 18, "moves.total": 2}'), "cap-pr-1")
    assert [(each.metric, each.value) for each in rounded.unjudged] == [("pr", 18)]
    assert rounded.summary.judged == 1


def test_rules_without_a_figure_are_not_those_of_a_program_that_gives_it(tmp_path):
    """Snowie's rules have no PR, so no PR is wrong under them: they must not be chosen."""
    both = '{name: {"pr": "17.50"} for name in ("Synthetic Ann", "Synthetic Ben")}'
    about = ABOUT.replace('"rules": "xg"', '"rules": null')
    result = asked(tmp_path, says(f'"players": {both}'), "pass-wrong", about=about)
    assert "failed" in verdicts(result).values()


def test_roll_that_was_not_played_is_called_so_on_the_page(tmp_path):
    result = asked(tmp_path, gives('{"luck.equity": "-0.4"}'), "unplayed-luck")
    page = in_form(result, "html")
    assert "61 not played, the game had ended" in page
    assert "61 None" not in page


def test_unsupported_is_no_failure(tmp_path):
    result = asked(tmp_path, says('"unsupported": "no cube"'))
    assert {*verdicts(result).values()} == {"unsupported"}
    assert "no cube" in in_form(result, "html")


@pytest.mark.parametrize(
    ("answer", "reason"),
    long_but_first(
        [
            (says('"error": "no idea"'), "no idea"),
            ("sys.exit(3)", "exit code 3"),
            ("print('hello', flush=True)", "one JSON object"),
            ("print(json.dumps({'id': 'another', 'players': {}}), flush=True)", '"id"'),
            ("import time; time.sleep(60)", "no answer after 1 second"),
            (gives('{"pr": "many"}'), "expected a number"),
            (says('"players": {"Somebody": {"pr": 1}}'), "correct the name"),
        ],
        3,
    ),
)
def test_what_goes_wrong_is_said_of_the_case_and_the_program_is_started_again(
    tmp_path, answer, reason
):
    first = (
        f'if asked["id"] == "snowie-dance":\n        {answer}\n        continue\n    {TWO_MOVES}'
    )
    result = asked(tmp_path, first, "snowie", 1 if "sleep" in answer else 20)
    (crashed,) = [each for each in result.cases if each.verdict == "crashed"]
    assert crashed.id == "snowie-dance"
    assert reason in crashed.reason


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ('{"protocol": 2}', "protocol: expected 1, found 2"),
        (
            '{"protocol": 1, "formats": ["xg"], "rules": "mine"}',
            "rules: unknown rule set",
        ),
        ('{"protocol": 1, "formats": "xg"}', "formats: expected a list"),
    ],
)
def test_program_that_speaks_another_protocol_cannot_run(tmp_path, about, reason):
    with pytest.raises(CommandFailed, match=reason):
        asked(tmp_path, TWO_MOVES, about=about)


def test_program_that_gives_nothing_at_all_is_refused():
    with pytest.raises(CommandFailed, match="gave no figures"):
        run_suite(command="/no/such/program {file}", only="cap")


def test_command_runs_for_every_case(tmp_path):
    script = tmp_path / "prog.py"
    players = '{"Synthetic Ann": {"moves.total": 2}}'
    script.write_text(
        f"""print('{{"schema_version": 1, "matches": [{{"players": {players}}}]}}')"""
    )
    result = run_suite(command=shlex.join([sys.executable, str(script), "{file}"]), only="cap-pr")
    assert list(verdicts(result).values()) == ["passed", "failed", "passed"]
