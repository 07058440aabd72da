"""A program that is started once answers for every match of a pack, and is judged as one that is
run for each."""

import shlex
import sys

import pytest

from reconcile.errors import InvalidArgument
from reconcile.gate.validate import validate
from tests.support.command_line import ERROR, WITHIN, run, strict
from tests.support.data import PROJECT
from tests.support.harness_programs import program
from tests.support.packs import pack_of

OURS = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])
MATCHES = ("gnubg-3pt-2ply", "gnubg-11pt-cube-rich")
ABOUT = (
    '{"protocol": 1, "program": "half", "version": "1", "formats": ["sgf"], "figures": [], '
    '"rules": null}'
)


def half(
    folder,
    of_short='sys.exit("no memory left")',
    of_others='"unsupported": "no doubles yet"',
):
    """The command of a program that does so for the short match, and says so of the others."""
    words = f'print(json.dumps({{"id": asked["id"], {of_others}}}), flush=True)'
    return program(
        folder,
        f"""number = globals().get("number", 0) + 1
    if "3pt" in asked["id"]: {of_short}
    {words}""",
        ABOUT,
    )


@pytest.fixture
def pack(tmp_path):
    return pack_of(tmp_path / "pack", *MATCHES)


def test_every_match_is_judged_by_one_start(pack):
    outcome = validate(pack, harness=f"{OURS} gnubg", candidate_table="printed")
    assert [[entry.program for entry in match.candidates] for match in outcome.matches] == [
        ["reconcile"],
        ["reconcile"],
    ]
    assert {
        figure.verdict
        for match in outcome.matches
        for entry in match.candidates
        for figure in entry.figures
        if figure.left is not None
    } <= {"within", "incomplete"}
    assert "agrees with rule set gnubg" in outcome.diagnoses[0].sentence
    assert outcome.exit_code() == WITHIN


def test_program_and_pack_may_follow_the_rules_of_one_file(pack):
    (pack / "ours.yaml").write_text("extends: gnubg\nanswers: {Q02: xg}\n", "utf-8")
    rules = "schema_version: 1\ncandidates: {rules: ours.yaml}\n"
    (pack / "pack.yaml").write_text(rules, "utf-8")
    line = f'{OURS} "{pack / "ours.yaml"}"'
    done = run("validate", pack, "--harness", line, "--candidate-table", "printed", "--json", "-")
    matches = strict(done.stdout)["matches"]
    assert [match["candidates"][0]["rules"] for match in matches] == ["ours", "ours"]
    assert done.exit_code == WITHIN


def test_what_it_does_not_answer_is_said_of_the_match_and_the_next_is_asked(pack, tmp_path):
    done = run("validate", pack, "--harness", half(tmp_path), "--json", "-")
    assert done.exit_code == ERROR
    assert "ended with exit code 1: no memory left" in done.stdout
    assert "no doubles yet" in done.stdout


@pytest.mark.long
def test_time_is_allowed_by_the_option_of_the_command(pack, tmp_path):
    line = half(tmp_path, of_short="import time; time.sleep(60)")
    done = run("validate", pack, "--harness", line, "--candidate-timeout", "1", "--json", "-")
    assert "no answer after 1 seconds; allow more with --candidate-timeout" in done.stdout


def test_command_and_harness_are_not_given_together(pack):
    with pytest.raises(InvalidArgument):
        validate(pack, command="prog {file}", harness=OURS)
