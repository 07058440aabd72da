"""Programs with faults: what cannot be probed is refused in one line, what fails in part is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
import yaml

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.gate.candidates.command import CommandFailed
from reconcile.report.html.probe_page import probe_page
from reconcile.report.text.program import WIDTH, probe_text
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from reconcile.suite.answer_documents import evidence, outcome, rules_yaml, sentence
from reconcile.suite.borders import SERIES
from reconcile.suite.probe import MOST_FAILURES, Probed, probe
from tests.support.long import long_but_first
from tests.support.probed_programs import Counting, every, few, probe_of

RULES = RULE_SETS["gammonview"]
SOUND = Counting(RULES, few(RULES))


def found(change: Callable[[str, bytes], bytes]) -> Probed:
    return probe_of(replace(SOUND, change=change))


def times(factors: dict[str, float]) -> Probed:
    """A program whose figures are multiples of those of another."""

    def change(_name: str, text: bytes) -> bytes:
        printed = json.loads(text)
        for figures in printed["matches"][0]["players"].values():
            figures |= {
                name: f"{float(figures[name]) * factor:.4f}" for name, factor in factors.items()
            }
        return json.dumps(printed).encode()

    return found(change)


def test_figure_that_means_something_else_is_left_out_and_shown() -> None:
    result = times({"equity_error.total": 1000})
    assert [name for name, _, _ in result.other] == ["equity_error.total"]
    assert result.equally_near == ("gammonview",)
    assert "Equity lost, all classes 120.0000, where 0.120 is right" in " ".join(
        probe_text(result).split()
    )


def test_program_without_a_right_figure_is_refused() -> None:
    with pytest.raises(
        InvalidConfiguration,
        match=r"found pr 60\.0000 where 30 is right, decisions\.counted 4\.0000 where 2 is right",
    ):
        times({"pr": 2, "equity_error.total": 2, "decisions.counted": 2})


def test_what_a_case_shows_is_said_of_it() -> None:
    said = {one.file.case.id: outcome(one) for one in probe_of(SOUND).seen}
    assert said["count-flag-error"] == "an error of 0.01 that XG marks as irrelevant counts"
    assert said["dance-not-counted"] == "a roll that cannot be played does not count"
    assert said["take-right"] == "a right take counts"


@pytest.mark.parametrize("player", ["Nobody", "Synthetic Ben"])
def test_figures_of_another_player_are_refused(player: str) -> None:
    text = json.dumps({"schema_version": 1, "matches": [{"players": {player: {"pr": "30.0"}}}]})
    with pytest.raises(
        ReconcileError, match=f"expected figures of .*Synthetic Ann.*, found those of {player}"
    ):
        found(lambda _name, _text: text.encode())


def failing(names: tuple[str, ...], ran: list[str]) -> Callable[[str, bytes], bytes]:
    def change(name: str, text: bytes) -> bytes:
        ran.append(name)
        if name.startswith(names):
            raise CommandFailed("ended with exit code 3: no\nway", "prog")
        return text

    return change


def test_failure_on_one_match_leaves_its_question_open() -> None:
    result = found(failing(("resign",), []))
    assert result.findings["Q07"].answer is None
    assert (
        evidence(result.findings["Q07"])
        == "it fails on the matches about it: prog: ended with exit code 3: no\\u000away"
    )
    assert result.findings["Q02"].answer == "xg-rounded"
    assert "No figures for a resignation that lost 0.2: prog: ended" in " ".join(
        probe_text(result).split()
    )
    assert "ended with exit code 3" in probe_page(result)


def test_program_that_fails_often_is_given_up() -> None:
    ran: list[str] = []
    with pytest.raises(CommandFailed, match="exit code 3"):
        found(failing(("close", "losing"), ran))
    assert sum(name.startswith(("close", "losing")) for name in ran) == MOST_FAILURES + 1


def test_rule_that_is_no_known_answer_is_no_answer() -> None:
    """A program that counts a resignation error twice."""

    text = json.dumps(
        {
            "schema_version": 1,
            "matches": [{"players": {"Synthetic Ann": {"pr": "117.5", "decisions": 2}}}],
        }
    )
    result = found(lambda name, printed: text.encode() if name.startswith("resign") else printed)
    assert result.findings["Q07"].answer is None
    assert evidence(result.findings["Q07"]).startswith("no known answer gives PR 117.5")
    assert "no known answer fits Q07, Q10" in sentence(result)
    assert "explained" in probe_page(result)


def test_sentence_says_which_questions_and_from_what() -> None:
    assert sentence(probe_of(SOUND)) == (
        "prog counts like gammonview; 12 of 16 questions answered, Q10, Q11, Q12 and Q14 cannot be seen from PR, decisions and "
        "equity lost alone."
    )
    other = RULES.switched("Q07", "yes-without-decision")
    assert sentence(probe_of(Counting(other, few(other)))).startswith(
        "prog counts like gammonview with other answers to Q07; "
    )
    full = sentence(probe_of(Counting(RULES, every(RULES))))
    assert full.endswith("Q12 and Q14 cannot be seen from its figures.")


def test_text_fits_a_terminal_and_has_every_question() -> None:
    text = probe_text(
        replace(
            probe_of(SOUND, "xg", SERIES[:2]),
            program="a program with a rather long name of several words",
        )
    )
    assert max(map(len, text.splitlines())) <= WIDTH
    assert all(f"\n{code}  " in text for code in QUESTIONS)


@pytest.mark.parametrize("name", long_but_first(RULE_SETS, 2))
def test_rule_file_gives_the_answers_back(name: str, tmp_path) -> None:  # type: ignore[no-untyped-def]
    rules = RULE_SETS[name].switched(
        "Q07", "yes-without-decision" if RULE_SETS[name].answers["Q07"] == "no" else "no"
    )
    result = replace(probe_of(Counting(rules, few(rules))), program="pröbe/1 \u202e::x")
    path = tmp_path / "rules.yaml"
    path.write_text(rules_yaml(result), "utf-8")
    read = rule_set(str(path))
    assert read.name.endswith("-probed")
    expected = rules.for_match(result.seen[0].file.match)[0].answers
    assert {code: read.answers[code] for code in QUESTIONS if code != "Q11"} == {
        code: expected[code] for code in QUESTIONS if code != "Q11"
    }
    assert set(yaml.safe_load(path.read_text("utf-8"))["evidence"]) >= {
        one.question for one in result.answered
    }


def test_format_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidConfiguration, match="one of xg, sgf, found 'mat'"):
        probe(command="prog {file}", form="mat")
