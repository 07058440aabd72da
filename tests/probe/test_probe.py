"""Programs with faults: what cannot be probed is refused in one line, what fails in part is said."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import yaml

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import CommandFailed
from reconcile.gate.candidates.read import read_printed
from reconcile.probe.contrasts import contrasts, plain
from reconcile.probe.documents import evidence, outcome, rules_yaml, sentence
from reconcile.probe.inference import Ask
from reconcile.probe.probe import MOST_FAILURES, Probed, probe, probed
from reconcile.report.html.probe_page import probe_page
from reconcile.report.text.program import WIDTH, probe_text
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from tests.support.probed_programs import counting, every, few

RULES = RULE_SETS["gammonview"]
SOUND = counting(RULES, few(RULES))


def changed(change: dict[str, float], ask: Ask = SOUND) -> Ask:
    """A program whose figures are multiples of those of another."""

    def asked(name: str, content: bytes, length: int) -> Candidate:
        claim = ask(name, content, length).claims[0]
        players: dict[str, dict[str, object]] = {}
        for one in claim.figures:
            text = f"{float(one.text) * change[one.metric]:.4f}" if one.metric in change else one.text
            players.setdefault(str(one.player), {})[one.metric] = text
        return read_printed(name, json.dumps({"schema_version": 1, "matches": [{"players": players}]}).encode())

    return asked


def found(ask: Ask) -> Probed:
    return probed("prog", ask, "xg", looked_for=())


def test_figure_that_means_something_else_is_left_out_and_shown() -> None:
    result = found(changed({"equity_error.total": 1000}))
    assert [name for name, _, _ in result.other] == ["equity_error.total"]
    assert result.equally_near == ("gammonview",)
    assert "Equity lost, all classes 120.0000, where 0.120 is right" in " ".join(probe_text(result).split())


def test_program_without_a_right_figure_is_refused() -> None:
    with pytest.raises(InvalidConfiguration, match=r"found pr 60\.0000 where 30 is right, decisions\.counted 4\.0000 where 2 is right"):
        found(changed({"pr": 2, "equity_error.total": 2, "decisions.counted": 2}))


def test_several_decisions_count_and_one_counts() -> None:
    """A title in the singular begins with an article."""
    every_title = [plain(), *contrasts("xg"), *contrasts("sgf")]
    assert [one.plural for one in every_title] == [one.title.split()[0] not in ("a", "an") for one in every_title]
    said = {one.file.contrast.key: outcome(one) for one in found(SOUND).seen}
    assert said["flagged"] == "plays that XG marks as irrelevant and that lost 0.01 count"
    assert said["dance"] == "a roll that cannot be played does not count"
    assert said["take-right"] == "a right take counts"


@pytest.mark.parametrize("player", ["Nobody", "Synthetic Ben"])
def test_figures_of_another_player_are_refused(player: str) -> None:
    def other(name: str, _content: bytes, _length: int) -> Candidate:
        return read_printed(name, json.dumps({"schema_version": 1, "matches": [{"players": {player: {"pr": "30.0"}}}]}).encode())

    with pytest.raises(InvalidConfiguration, match=f"expected figures of 'Synthetic Ann', found those of {player}"):
        found(other)


def test_program_that_prints_a_match_is_refused() -> None:
    with pytest.raises(InvalidConfiguration, match="expected the figures of one match, found a match"):
        found(lambda name, content, _length: read_printed(name, content))


def failing(names: tuple[str, ...]) -> Ask:
    def asked(name: str, content: bytes, length: int) -> Candidate:
        if name.startswith(names):
            raise CommandFailed("prog: ended with exit code 3: no\nway")
        return SOUND(name, content, length)

    return asked


def test_failure_on_one_match_leaves_its_question_open() -> None:
    result = found(failing(("resignation",)))
    assert result.findings["Q07"].answer is None
    assert evidence(result.findings["Q07"]) == "it fails on the matches about it: prog: ended with exit code 3: no\\u000away"
    assert result.findings["Q02"].answer == "xg-rounded"
    assert "No figures for a resignation that lost 0.2: prog: ended" in " ".join(probe_text(result).split())
    assert "ended with exit code 3" in probe_page(result)


def test_program_that_fails_often_is_given_up() -> None:
    ran: list[str] = []
    fails = failing(("costs", "losing"))

    def asked(name: str, content: bytes, length: int) -> Candidate:
        ran.append(name)
        return fails(name, content, length)

    with pytest.raises(ReconcileError, match="exit code 3"):
        found(asked)
    assert sum(name.startswith(("costs", "losing")) for name in ran) == MOST_FAILURES + 1


def test_rule_that_is_no_known_answer_is_no_answer() -> None:
    """A program that counts a resignation error twice."""

    def asked(name: str, content: bytes, length: int) -> Candidate:
        if not name.startswith("resignation"):
            return SOUND(name, content, length)
        text = json.dumps({"schema_version": 1, "matches": [{"players": {"Synthetic Ann": {"pr": "117.5", "decisions": 2}}}]})
        return read_printed(name, text.encode())

    result = found(asked)
    assert result.findings["Q07"].answer is None
    assert evidence(result.findings["Q07"]).startswith("no known answer gives PR 117.5")
    assert "no known answer fits Q07, Q10" in sentence(result)
    assert "explained" in probe_page(result)


def test_sentence_says_which_questions_and_from_what() -> None:
    assert sentence(found(SOUND)) == (
        "prog counts like gammonview; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be seen from PR, decisions and "
        "equity lost alone."
    )
    other = RULES.switched("Q07", "yes-without-decision")
    assert sentence(found(counting(other, few(other)))).startswith("prog counts like gammonview with other answers to Q07; ")
    full = sentence(found(counting(RULES, every(RULES))))
    assert full.endswith("Q12 and Q14 cannot be seen from its figures.")


def test_text_fits_a_terminal_and_has_every_question() -> None:
    text = probe_text(probed("a program with a rather long name of several words", SOUND, "xg"))
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(f"\n{code}  " in text for code in QUESTIONS)


@pytest.mark.parametrize("name", RULE_SETS)
def test_rule_file_gives_the_answers_back(name: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    rules = RULE_SETS[name].switched("Q07", "yes-without-decision" if RULE_SETS[name].answers["Q07"] == "no" else "no")
    result = replace(probed("x", counting(rules, few(rules)), "xg", looked_for=()), program="pröbe/1 \u202e::x")
    path = tmp_path / "rules.yaml"
    path.write_text(rules_yaml(result), "utf-8")
    read = rule_set(str(path))
    assert read.name.endswith("-probed")
    expected = rules.for_match(result.seen[0].file.match)[0].answers
    assert {code: read.answers[code] for code in QUESTIONS if code != "Q11"} == {
        code: expected[code] for code in QUESTIONS if code != "Q11"
    }
    assert set(yaml.safe_load(path.read_text("utf-8"))["evidence"]) >= {one.question for one in result.answered}


def test_format_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidConfiguration, match="one of xg, sgf, found 'mat'"):
        probe("prog {file}", form="mat")
