"""The documentation as a tested product: what it says is fresh, complete and true of the
program."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import click
import pytest

import reconcile
from reconcile import cli
from reconcile.cli import common
from reconcile.formats import load_match
from reconcile.gap.bridge import CAUSES
from reconcile.gap.comparison import compare
from reconcile.gap.explanation import EXPLAINED
from reconcile.infer.checks import CHECKS
from reconcile.match.columns import Kind
from reconcile.report.explain import BENCHMARK_FIGURES, codes, page, table_of_contents
from reconcile.report.html.render import comparison_page
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, givers
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.gnubg_table import RESULTS
from reconcile.scoring.metrics import ALIASES, METRICS
from tests.support.claims import some
from tests.support.data import PROJECT

COMMAND_LINE = (PROJECT / "docs" / "cli.md").read_text("utf-8")
CODES = codes()


def committed() -> list[Path]:
    """The files of the project, as git knows them; those of an unpacked archive otherwise."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, encoding="utf-8"
    )
    if done.returncode == 0 and done.stdout:
        return [
            PROJECT / name
            for name in done.stdout.split("\0")
            if name and (PROJECT / name).is_file()
        ]
    return [
        path
        for path in PROJECT.rglob("*")
        if path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(PROJECT).parts)
    ]


# Documents


def cells(anchor: str) -> list[list[str]]:
    """The cells of the first table under a heading of the page of the command line."""
    section = COMMAND_LINE.partition(f"{{#{anchor}}}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_exit_codes_are_documented() -> None:
    codes = {
        common.WITHIN,
        common.OUTSIDE,
        common.ERROR,
        common.BUG,
        common.INTERRUPTED,
        common.PIPE_CLOSED,
    }
    assert {int(code) for code, _ in cells("exit-codes")} == codes


def test_environment_variables_are_documented() -> None:
    sources = "".join(path.read_text("utf-8") for path in (PROJECT / "reconcile").rglob("*.py"))
    assert {name.strip("`") for name, _ in cells("environment")} == set(
        re.findall(r'"(RECONCILE_[A-Z]+)"', sources)
    )


def test_rules_on_their_page_are_those_of_the_program() -> None:
    rows = re.findall(
        r"^\| \[(Q\d\d)\]\S+ (.*) \|$",
        (PROJECT / "docs" / "rules.md").read_text("utf-8"),
        re.MULTILINE,
    )
    assert [code for code, _ in rows] == list(QUESTIONS)
    for code, row in rows:
        answers = re.findall(r"\[`([^`]+)`\]", row)
        assert answers == [rules.answers[code] for rules in RULE_SETS.values()]


def test_links_of_the_documents_lead_somewhere() -> None:
    names = (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "reports/README.md",
        "reference_matches/README.md",
    )
    links = [
        (name, target)
        for name in names
        for target in re.findall(r"\]\(([^)]+)\)", (PROJECT / name).read_text("utf-8"))
    ]
    assert links
    for name, target in links:
        assert (
            target.startswith("https://")
            or (PROJECT / name).parent.joinpath(target.partition("#")[0]).exists()
        ), f"{name}: {target}"


# Pages


def test_every_code_has_a_page() -> None:
    for code in some(CODES):
        lines = page(code).splitlines()
        assert len(lines) >= 3, code
        assert sum(map(len, lines)) > 60, code
        assert max(map(len, lines)) <= 120, code
        assert not re.search(
            r"\bTODO\b|\bTBD\b|XXX|None", page(code).replace("What to do: Nothing", "")
        ), code


def test_every_question_answer_finding_cause_metric_and_rule_set_is_a_code() -> None:
    answers = {
        f"{question.code}:{name}" for question in QUESTIONS.values() for name in question.answers
    }
    figures = set(METRICS) | set(RESULTS) | set(BENCHMARK_FIGURES)
    assert set(CODES) == set(QUESTIONS) | answers | set(FINDINGS) | set(CAUSES) | set(
        EXPLAINED
    ) | set(CHECKS) | figures | set(RULE_SETS)
    assert len(CODES) == len(set(CODES))


def test_every_answer_tells_its_source_and_evidence() -> None:
    for question in QUESTIONS.values():
        text = page(question.code)
        assert text.startswith(f"{question.code}: {question.title}")
        for name, answer in question.answers.items():
            assert answer.source or givers(question.code, name), name
            assert "Evidence: " in page(f"{question.code}:{name}")
            assert f"  {name}\n" in text
            assert "Source: " in page(f"{question.code}:{name}")
            assert "Used by: " in page(f"{question.code}:{name}")


def test_short_names_of_figures_have_pages() -> None:
    for short, name in ALIASES.items():
        assert page(short).endswith(page(name))
        assert page(short) == page(name) or short in EXPLAINED


def test_list_of_pages_names_all_but_single_answers() -> None:
    listed = table_of_contents()
    for code in some(CODES):
        assert ":" in code or re.search(rf"^  {re.escape(code)} ", listed, re.MULTILINE), code


# Command line


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_and_option_has_help(name: str) -> None:
    command = cli.command(name)
    assert command.help
    assert command.help.strip().partition("\n")[0].endswith((".", ":", ","))
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help or isinstance(parameter.type, click.Choice), parameter.name
    assert f"\n## `{name}` {{#{name}}}\n" in COMMAND_LINE


def test_exit_codes_stand_in_the_help() -> None:
    assert cli.main.help is not None
    for word in ("0 within", "1 a figure out", "2 could not compare"):
        assert word in " ".join(cli.main.help.split())


# What is written, wherever it is


def test_changelog_begins_with_this_version_or_what_is_unreleased() -> None:
    first, *_ = re.findall(
        r"^## (.*)$", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert first == "[Unreleased]" or re.fullmatch(
        rf"\[{re.escape(reconcile.__version__)}\] - \d{{4}}-\d\d-\d\d", first
    )


def test_contributing_has_its_three_recipes_in_numbered_steps() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    for recipe in ("Add a match", "Add an answer", "Add an adapter"):
        section = text.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
        assert len(re.findall(r"^\d\. ", section, re.MULTILINE)) >= 4


def test_no_file_names_a_place_on_somebody_s_machine() -> None:
    named = []
    for path in committed():
        name = path.relative_to(PROJECT).as_posix()
        if path.suffix in {".xg", ".sgf", ".png"}:
            continue
        text = path.read_text("utf-8", errors="replace")
        # Tests may make names of folders up, to show that they do not get into a report.
        folders = (
            "root|work|opt" if name.startswith("tests/") else "home|root|Users|work|opt|mnt|srv"
        )
        found_at = re.finditer(rf"/(?:{folders})/[\w.-]+", text)
        places = [
            each[0]
            for each in found_at
            if not re.match(r"[\w./:-]", text[max(each.start() - 1, 0) : each.start()])
        ]
        if name not in (
            "tests/project/test_docs.py",
            ".ci/run",
            ".ci/fresh",
            ".ci/pythons",
        ):  # RECONCILE_DATA beside the checkout
            places += [line for line in text.splitlines() if "../shared" in line]
        named += [(name, place) for place in places]
    assert named == []


def test_words_of_decisions_are_the_documented_ones() -> None:
    assert [kind.label for kind in Kind] == [
        "play",
        "no-double",
        "double",
        "take",
        "pass",
        "beaver",
        "resign",
        "accept-resign",
    ]


@pytest.mark.long
def test_sample_report_is_what_the_program_writes_now() -> None:
    left, right = (
        load_match(
            PROJECT / "reference_matches" / "demonstration" / f"nora-lindqvist-tomas-beck.{ending}"
        )
        for ending in ("xg", "sgf")
    )
    written = comparison_page(compare(left, right))
    assert written == (PROJECT / "reports" / "sample.html").read_text("utf-8"), (
        "write it again: see reports/README.md"
    )


def test_tests_that_a_page_names_are_there() -> None:
    named = {
        (path.name, test)
        for path in (PROJECT / "docs").glob("*.md")
        for test in re.findall(r"`(tests/[\w/.]+)`", path.read_text("utf-8"))
    }
    assert sum(page == "security.md" for page, _ in named) > 10
    assert [(page, test) for page, test in sorted(named) if not (PROJECT / test).exists()] == []


def test_no_summary_of_a_command_is_cut_short() -> None:
    context = click.Context(cli.main)
    groups = [
        cli.main,
        *(
            each
            for name in cli.COMMANDS
            if isinstance(each := cli.main.get_command(context, name), click.Group)
        ),
    ]
    assert len(groups) > 1
    settings: dict[str, Any] = {
        **cli.main.context_settings,
        "terminal_width": 80,
        "max_content_width": 80,
    }  # click keeps its help option
    shown = [
        group.get_help(click.Context(group, info_name="reconcile", **settings)) for group in groups
    ]
    assert [
        line
        for text in shown
        for line in text.splitlines()
        if line.endswith("...") and not line.startswith("Usage")
    ] == []
