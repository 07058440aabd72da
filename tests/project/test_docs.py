"""The documentation as a tested product: what it says is complete and true of the program."""

import re
import subprocess

import click
import pytest

import reconcile
from reconcile import cli
from reconcile.cli import common
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.explanation import ROW_PAGES
from reconcile.gap.walk import CAUSES
from reconcile.infer.reported import CHECKS
from reconcile.report.explain import BENCHMARK_FIGURES, codes, page, table_of_contents
from reconcile.report.html.page import comparison_page
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, givers
from reconcile.scoring.figures import ALIASES, METRICS
from reconcile.scoring.findings import FINDINGS
from reconcile.scoring.gnubg_table import RESULTS
from tests.support.claims import some
from tests.support.command_line import SGF, XG
from tests.support.data import PROJECT

CODES = codes()
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "reports/README.md",
    "reference_matches/README.md",
)


def text_of(name):
    return (PROJECT / name).read_text("utf-8")


# Documents


def cells(anchor):
    """The cells of the first table under a heading of the page of the command line."""
    section = text_of("docs/cli.md").partition(f"{{#{anchor}}}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_exit_codes_and_environment_variables_are_documented():
    names = ("WITHIN", "OUTSIDE", "ERROR", "BUG", "INTERRUPTED", "PIPE_CLOSED")
    assert {int(code) for code, _ in cells("exit-codes")} == {getattr(common, at) for at in names}
    sources = "".join(path.read_text("utf-8") for path in (PROJECT / "reconcile").rglob("*.py"))
    used = set(re.findall(r'"(RECONCILE_[A-Z]+)"', sources))
    assert {name.strip("`") for name, _ in cells("environment")} == used


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_of_the_documents_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)]+)\)", text_of(name)):
        place = (PROJECT / name).parent / target.partition("#")[0]
        assert target.startswith("https://") or place.exists(), target


def test_changelog_begins_with_this_version_or_what_is_unreleased():
    first, *_ = re.findall(r"^## (.*)$", text_of("CHANGELOG.md"), re.MULTILINE)
    version = rf"\[{re.escape(reconcile.__version__)}\] - \d{{4}}-\d\d-\d\d"
    assert first == "[Unreleased]" or re.fullmatch(version, first)


def test_tests_that_a_page_names_exist():
    pages = {path.name: path.read_text("utf-8") for path in (PROJECT / "docs").glob("*.md")}
    named = [
        (name, test)
        for name, text in pages.items()
        for test in re.findall(r"`(tests/[\w/.]+)`", text)
    ]
    assert sum(name == "security.md" for name, _ in named) > 10
    assert [(name, test) for name, test in named if not (PROJECT / test).exists()] == []


@pytest.mark.long
def test_sample_report_is_what_the_program_writes_now():
    written = comparison_page(compare(load_match(XG), load_match(SGF)))
    assert written == text_of("reports/sample.html"), "write it again: see reports/README.md"


# Pages of codes


def test_every_code_has_a_page_and_all_but_single_answers_are_listed():
    listed = table_of_contents()
    for code in some(CODES):
        text = page(code).replace("What to do: Nothing", "")
        lines = text.splitlines()
        assert len(lines) >= 3, code
        assert text.startswith(code.partition(":")[0]), code
        assert len(text) > 60, code
        assert max(map(len, lines)) <= 120, code
        assert not re.search(r"\bTODO\b|\bTBD\b|XXX|None", text), code
        assert ":" in code or re.search(rf"^  {re.escape(code)} ", listed, re.MULTILINE), code


def test_every_question_answer_finding_cause_metric_and_rule_set_is_a_code():
    answers = {
        f"{question.code}:{name}" for question in QUESTIONS.values() for name in question.answers
    }
    catalogues = (QUESTIONS, answers, FINDINGS, CAUSES, ROW_PAGES, CHECKS, METRICS, RESULTS)
    assert set(CODES) == set().union(*catalogues, BENCHMARK_FIGURES, RULE_SETS)
    assert len(CODES) == len(set(CODES))


def test_every_answer_has_its_source_and_evidence():
    for question in QUESTIONS.values():
        text = page(question.code)
        assert text.startswith(f"{question.code}: {question.title}")
        for name, answer in question.answers.items():
            assert answer.source or givers(question.code, name), name
            assert f"  {name}\n" in text
            for word in ("Evidence: ", "Source: ", "Used by: "):
                assert word in page(f"{question.code}:{name}")


def test_short_names_of_figures_have_pages():
    for short, name in ALIASES.items():
        assert page(short).endswith(page(name))
        assert page(short) == page(name) or short in ROW_PAGES


# Command line


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_and_option_has_help(name):
    command = cli.command(name)
    assert command.help
    assert command.help.strip().partition("\n")[0].endswith((".", ":", ","))
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help or isinstance(parameter.type, click.Choice), parameter.name
    assert f"\n## `{name}` {{#{name}}}\n" in text_of("docs/cli.md")


# What is written, wherever it is

BESIDE = (".ci/run", ".ci/fresh", ".ci/pythons", "tests/project/test_docs.py")
"""Files that may name the folder of real matches beside the checkout."""


def committed():
    """The files of the project, as git knows them; those of an unpacked archive otherwise."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=False)
    if done.returncode == 0 and done.stdout:
        names = done.stdout.decode().split("\0")
    else:
        paths = [path.relative_to(PROJECT) for path in PROJECT.rglob("*")]
        names = [str(path) for path in paths if not any(part[0] == "." for part in path.parts)]
    return [PROJECT / name for name in names if name and (PROJECT / name).is_file()]


def test_no_file_names_a_place_on_somebody_s_machine():
    named = []
    for path in committed():
        name = path.relative_to(PROJECT).as_posix()
        if path.suffix in {".xg", ".sgf", ".webp"}:
            continue
        text = path.read_text("utf-8", errors="replace")
        # Tests may make names of folders up, to show that they do not get into a report.
        places = (
            "root|work|opt" if name.startswith("tests/") else "home|root|Users|work|opt|mnt|srv"
        )
        named += [
            (name, place[0])
            for place in re.finditer(rf"/(?:{places})/[\w.-]+", text)
            if not re.match(r"[\w./:-]", text[max(place.start() - 1, 0) : place.start()])
        ]
        if name not in BESIDE and "../shared" in text:
            named.append((name, "../shared"))
    assert named == []
