"""Rule sets in YAML files: each gives what its answers give, what is wrong in one is refused with
its line, and no output mistakes it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import InvalidConfiguration
from reconcile.rules.catalogue import Cell, Status
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, rule_set
from tests.support.command_line import ERROR, SGF, XG, json_in, json_of, refused, run
from tests.support.examples import examples
from tests.support.tables import beside

EVERY_ANSWER = st.fixed_dictionaries(
    {code: st.sampled_from(list(question.answers)) for code, question in QUESTIONS.items()}
)


def declared(folder, content, name="ours.yaml"):
    path = folder / name
    path.write_text(content if isinstance(content, str) else yaml.safe_dump(content), "utf-8")
    return path


@settings(max_examples=examples(30))
@given(
    base=st.sampled_from(list(RULE_SETS)),
    answers=EVERY_ANSWER,
    stored=st.sets(st.sampled_from(list(QUESTIONS))),
)
def test_any_answers_are_read_as_they_were_written(base, answers, stored, tmp_path_factory):
    own = {code: answer for code, answer in answers.items() if code in stored}
    folder = tmp_path_factory.mktemp("rules")
    for style in (yaml.safe_dump, json.dumps, plain):
        read = rule_set(str(declared(folder, style({"extends": base, "answers": own}))))
        assert read.answers == {**RULE_SETS[base].answers, **own}
        assert (read.name, read.open, {**read.alternatives}) == ("ours", frozenset(), {})
        assert read.rates_decisions == (read.answers["Q08"] != "snowie")
    if stored == set(QUESTIONS):
        assert rule_set(str(declared(folder, plain({"answers": own})))).answers == answers


def plain(tree):
    """As people write it: no quotes, also where YAML takes an answer for a number or a truth."""
    answers: Any = tree["answers"]
    lines = [f"extends: {tree['extends']}"] if "extends" in tree else []
    rows = (f"  {code}: {answer}" for code, answer in answers.items())
    return "\n".join([*lines, "answers:" if answers else "", *rows, ""])


WRONG: dict[str, dict[str, Any]] = beside(__file__, "refused.yaml")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_is_refused_with_its_line(wrong, tmp_path):
    case = WRONG[wrong]
    path = declared(tmp_path, case["file"].replace("MUCH", "x" * 90_000))
    with pytest.raises(InvalidConfiguration) as caught:
        rule_set(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}:{case['at']}: "), message
    assert case["message"] in message
    assert "\n" not in message
    assert len(message.removeprefix(str(path))) < 700


def test_file_that_is_none_is_refused_at_once(tmp_path):
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "large.yaml").write_bytes(b"#" * 10_000_000)
    words = {"absent.yaml": "no such file", "folder.yaml": "read", "large.yaml": "KB, found more"}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.yml")
        words["pipe.yml"] = "not a regular file"
    for name, message in words.items():
        with pytest.raises(InvalidConfiguration, match=message):
            rule_set(str(tmp_path / name))


@pytest.mark.parametrize(
    "name", ["xg.yaml", "Gnubg.yml", "our rules.yaml", ".yaml", "-.yaml", "a\nb.yaml"]
)
def test_name_of_a_file_that_can_be_no_name_needs_one_inside(name, tmp_path):
    path = declared(tmp_path, "extends: gammonview", name)
    with pytest.raises(InvalidConfiguration, match="add `name:` to the file"):
        rule_set(str(path))
    path = declared(tmp_path, "extends: gammonview\nname: ours-2.1", name)
    assert rule_set(str(path)).name == "ours-2.1"


def stats(path, rules):
    return json_of("stats", path, "--rules", rules, "--format", "json")


@pytest.mark.usefixtures("elsewhere")
def test_file_is_taken_wherever_a_name_is_and_has_its_own_in_every_output():
    declared(Path(), {"extends": "gammonview", "answers": {"Q08": "1000/counted"}})
    expected, own = stats(XG, "gammonview"), stats(XG, "ours.yaml")
    assert (expected["rules"], own["rules"]) == ("gammonview", "ours")
    assert own["players"][0]["pr"] == expected["players"][0]["pr"]
    assert "; rules ours," in run("stats", XG, "--rules", "ours.yaml").stdout
    assert ",ours," in run("stats", XG, "--rules", "ours.yaml", "--format", "csv").stdout
    rules = "--left-rules ours.yaml --right-rules ./ours.yaml --json c.json --html c.html"
    assert run("compare", XG, SGF, *rules.split()).exit_code < ERROR
    document = json_in("c.json")
    assert (document["left"]["rules"], document["right"]["rules"]) == ("ours", "ours")
    assert "--left-rules ours.yaml --right-rules ours.yaml" in Path("c.html").read_text("utf-8")


@pytest.mark.usefixtures("elsewhere")
def test_file_that_changes_no_answer_gives_all_that_the_rule_set_gives():
    declared(Path(), {"extends": "gnubg"})
    expected, own = stats(SGF, "gnubg"), stats(SGF, "ours.yaml")
    named = {"rules": "gnubg", "story": expected["story"]}  # the headline names rules of one's own
    assert {**own, **named} == expected
    assert set(own["players"][0]["gnubg"]) >= {"moves", "cube", "dice"}
    declared(Path(), {"extends": "gnubg", "answers": {"Q02": "xg"}})
    assert "gnubg" not in stats(SGF, "ours.yaml")["players"][0]


@pytest.mark.usefixtures("elsewhere")
def test_corpus_refuses_a_file_in_one_line():
    pytest.importorskip("pyarrow")
    declared(Path(), "extends: xg")
    line = refused("corpus", XG, "-o", "tables", "--rules", "xg,ours.yaml")
    assert "ours.yaml: a corpus is completed later" in line
    assert not Path("tables").exists()


def test_evidence_of_a_file_has_the_columns_of_the_table_of_programs(tmp_path):
    texts: dict[str, Any] = {
        "source": "ours 2.1, count.py",
        "quote": "every double",
        "separates": "a right double",
    }
    own = texts | {"status": "source-code", "date": "2026-11-22"}
    evidence = {"Q04": own, "Q14": {"status": "unknown"}, "Q01": "said so"}
    content = {"extends": "gammonview", "program": "ours", "version": "2.1", "evidence": evidence}
    rules = rule_set(str(declared(tmp_path, content | {"answers": {"Q04": "yes"}})))
    cell = rules.evidence["Q04"]
    assert cell == Cell("yes", Status.SOURCE_CODE, "yes", date="2026-11-22", **texts)
    assert (rules.evidence["Q14"].answer, rules.evidence["Q14"].used) == (None, "as-played")
    assert (rules.evidence["Q01"].status, rules.evidence["Q01"].quote) == (None, "said so")
    assert rules.open == {"Q14"}
    assert (rules.program, rules.version) == ("ours", "2.1")


@pytest.mark.usefixtures("elsewhere")
def test_rules_prints_the_difference_to_the_nearest_first():
    evidence = {"Q04": "its author says so " * 10, "Q01": "\x1b[31m\u202e"}
    content = {"extends": "gammonview", "title": "Ours", "version": "2", "evidence": evidence}
    declared(Path(), content | {"answers": {"Q04": "yes"}})
    printed = run("explain", "--rules", "ours.yaml").stdout
    lines, words = printed.splitlines(), " ".join(printed.split())
    assert lines[0] == "ours: Ours (version 2)"
    assert "Nearest: gammonview, 1 answer differs: Q04 " in words
    assert " ours yes gammonview trivial-no " in words
    named = [line.split()[0] for line in lines[8 : 8 + len(RULE_SETS) - 1]]
    own = rule_set("ours.yaml")
    apart = [len(own.differing(RULE_SETS[name])) for name in named]
    assert {*named, "gammonview"} == set(RULE_SETS)
    assert apart == sorted(apart)
    assert "\\u001b[31m\\u202e" in lines[-lines[::-1].index("Evidence")]


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize("key", ["title", "version", "evidence"])
def test_no_line_of_what_a_file_says_begins_as_a_runners_command(key):
    message = "\n".join([f"{'x' * 68} ::error::y"] * 2)
    declared(Path(), {"extends": "gnubg", key: {"Q04": message} if key == "evidence" else message})
    done = run("explain", "--rules", "ours.yaml")
    assert "error::y" in done.stdout
    assert not any(line.lstrip().startswith("::") for line in done.stdout.splitlines())
