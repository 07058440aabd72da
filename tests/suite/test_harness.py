"""Programs behind the protocol: what they say is read, and what they do wrong is said of the case
and ends nothing."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gate.candidates.command import CommandFailed
from reconcile.report.html.conformance import conformance_page
from reconcile.suite.documents import document_of
from reconcile.suite.run import run
from tests.support.data import PROJECT
from tests.support.harness_programs import ABOUT, program
from tests.support.long import long_but_first

FIGURES = (
    'print(json.dumps({"id": asked["id"], "players": {"Synthetic Ann": {"moves.total": 2}}}), '
    "flush=True)"
)


def statuses(folder: Path, answer: str, only: str = "cap", timeout: float = 20) -> dict[str, str]:
    """What comes of the cases of an area."""
    return dict(run(harness=program(folder, answer), only=only, timeout=timeout).statuses)


def test_figures_that_are_right_pass_and_others_fail(tmp_path: Path) -> None:
    result = statuses(tmp_path, FIGURES)
    assert result == {
        "cap-pr-1": "passed",
        "cap-pr-2": "failed",
        "cap-pr-3": "passed",
        "cap-checker": "passed",
        "cap-error": "passed",
        "cap-below": "passed",
    }


def test_rules_without_a_figure_are_not_those_of_a_program_that_gives_it(tmp_path: Path) -> None:
    """Snowie's rules have no PR, so no PR is wrong under them: they must not be chosen."""
    answer = (
        'print(json.dumps({"id": asked["id"], "players": '
        '{name: {"pr": "17.50"} for name in ("Synthetic Ann", "Synthetic Ben")}}), flush=True)'
    )
    result = run(
        harness=program(tmp_path, answer, ABOUT.replace('"rules": "xg"', '"rules": null')),
        only="pass-wrong",
    )
    assert result.claimed is None
    assert result.rules.name == "xg"
    assert result.failed


def test_program_may_follow_the_rules_of_a_file_which_may_be_that_of_a_pack(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ours.yaml"
    path.write_text("extends: gnubg\nanswers: {Q02: xg}\n", "utf-8")
    ours = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
    result = run(harness=f'{ours} "{path}"', only="cap")
    assert (result.rules.name, set(result.statuses.values())) == ("ours", {"passed"})
    assert document_of(result).diagnosis.faults == ()
    claims = program(tmp_path, FIGURES, ABOUT.replace('"rules": "xg"', '"rules": "ours.yaml"'))
    assert run(harness=claims, only="cap", pack=tmp_path).rules.name == "ours"
    with pytest.raises(InvalidConfiguration, match=r"ours\.yaml: cannot be read"):
        run(harness=claims, only="cap")


def test_roll_that_was_not_played_is_called_so_on_the_page(tmp_path: Path) -> None:
    answer = FIGURES.replace('"moves.total": 2', '"luck.equity": "-0.4"')
    page = conformance_page(
        [document_of(run(harness=program(tmp_path, answer), only="unplayed-luck"))]
    )
    assert "61 not played, the game had ended" in page
    assert "61 None" not in page


def test_unsupported_is_no_failure(tmp_path: Path) -> None:
    result = run(
        harness=program(
            tmp_path, 'print(json.dumps({"id": asked["id"], "unsupported": "no cube"}), flush=True)'
        ),
        only="cap",
    )
    assert set(result.statuses.values()) == {"unsupported"}
    assert result.failed == ()
    assert "no cube" in conformance_page([document_of(result)])


@pytest.mark.parametrize(
    ("answer", "reason"),
    long_but_first(
        [
            ('print(json.dumps({"id": asked["id"], "error": "no idea"}), flush=True)', "no idea"),
            ("sys.exit(3)", "exit code 3"),
            ("print('hello', flush=True)", "one JSON object"),
            ("print(json.dumps({'id': 'another', 'players': {}}), flush=True)", '"id"'),
            ("import time; time.sleep(60)", "no answer after 1 second"),
            (
                "print(json.dumps({'id': asked['id'], 'players': {'Synthetic Ann': {'pr': "
                "'many'}}}), flush=True)",
                "expected a number",
            ),
            (
                "print(json.dumps({'id': asked['id'], 'players': {'Somebody': {'pr': 1}}}), "
                "flush=True)",
                "name players as the file",
            ),
        ],
        3,
    ),
)
def test_what_goes_wrong_is_said_of_the_case_and_the_program_is_started_again(
    tmp_path: Path, answer: str, reason: str
) -> None:
    first = f'if asked["id"] == "snowie-dance":\n        {answer}\n        continue\n    {FIGURES}'
    result = run(
        harness=program(tmp_path, first), only="snowie", timeout=1 if "sleep" in answer else 20
    )
    crashed = [entry for entry in result.asked if result.statuses[entry.case.id] == "crashed"]
    assert [entry.case.id for entry in crashed] == ["snowie-dance"]
    assert reason in crashed[0].answer.crashed


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        ('{"protocol": 2}', '"protocol": 1'),
        ('{"protocol": 1, "formats": ["xg"], "rules": "mine"}', '"rules"'),
        ('{"protocol": 1, "formats": "xg"}', "list of names"),
    ],
)
def test_program_that_speaks_another_protocol_cannot_run(
    tmp_path: Path, about: str, reason: str
) -> None:
    with pytest.raises(CommandFailed, match=reason):
        run(harness=program(tmp_path, FIGURES, about), only="cap")


def test_what_cannot_be_started_and_what_is_no_case_is_refused() -> None:
    with pytest.raises(CommandFailed, match="cannot be started"):
        run(harness="/no/such/program")
    with pytest.raises(InvalidConfiguration, match="expected the beginning of an id"):
        run(harness="true", only="nothing")
    with pytest.raises(CommandFailed, match="gave no figures"):
        run(command="/no/such/program {file}", only="cap")


def test_command_runs_for_every_case(tmp_path: Path) -> None:
    script = tmp_path / "prog.py"
    script.write_text(
        'print(\'{"schema_version": 1, "matches": [{"players": {"Synthetic Ann": {"moves": '
        '2}}}]}\'.replace("moves", "moves.total"))'
    )
    result = run(command=shlex.join([sys.executable, str(script), "{file}"]), only="cap-pr")
    assert list(result.statuses.values()) == ["passed", "failed", "passed"]
