"""The documentation as a tested product: what it says is fresh, complete and true of the program."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

import reconcile
from reconcile import __all__ as public
from reconcile import cli
from reconcile.adapters import load_match
from reconcile.benchmark.figures import BENCHMARK_FIGURES
from reconcile.cli import common
from reconcile.columns import Kind
from reconcile.files.bundled import bundled
from reconcile.gap.causes import CAUSES
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.tolerances import load_tolerances
from reconcile.report.explain import codes, page, table_of_contents
from reconcile.report.html.render import comparison_page
from reconcile.rules.catalogue import Evidence
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.finding_pages import FINDINGS
from reconcile.scoring.gnubg_table import RESULTS
from reconcile.scoring.metrics import ALIASES, METRICS
from tests.support import readme
from tests.support.data import PROJECT

README = (PROJECT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SHELL = [text for language, text in BLOCKS if language == "sh"]
CODES = codes()


def committed() -> list[Path]:
    """The files of the project, as git knows them; those of an unpacked archive otherwise."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, encoding="utf-8")
    if done.returncode == 0 and done.stdout:
        return [PROJECT / name for name in done.stdout.split("\0") if name and (PROJECT / name).is_file()]
    return [
        path for path in PROJECT.rglob("*") if path.is_file() and not any(part.startswith(".") for part in path.relative_to(PROJECT).parts)
    ]


# README


def test_generated_parts_of_the_readme_are_fresh() -> None:
    assert readme.fresh(README) == README, "run `python -m tests.support.readme`"


def test_every_marker_of_the_readme_is_closed() -> None:
    opened = re.findall(r"^<!-- ([a-z]+)", README, re.MULTILINE)
    closed = re.findall(r"^<!-- /([a-z]+) -->$", README, re.MULTILINE)
    assert opened == closed
    assert set(opened) == {"output", "rules", "help", "accuracy", "performance"}


def test_first_two_blocks_are_one_command_each_and_set_up_from_nothing() -> None:
    first, second = SHELL[0], SHELL[1]
    for block in (first, second):
        assert len(block.splitlines()) == 1
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet ")
    assert ".venv/bin/reconcile " in first
    assert ".venv/bin/pytest" in second
    assert [language for language, _ in BLOCKS[:2]] == ["sh", "sh"]


def test_first_command_ends_well_and_writes_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    command = SHELL[0].rpartition("&& .venv/bin/reconcile ")[2]
    monkeypatch.delenv("RECONCILE_DATA", raising=False)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli.main, shlex.split(command)).exit_code == 0
    (index,) = tmp_path.rglob("index.html")
    assert str(index.relative_to(tmp_path)) in README


def test_commands_and_options_the_readme_names_exist() -> None:
    named = re.findall(r"`((?:reconcile )?[a-z]+ --[^`]*)`", README) + re.findall(r"`reconcile ([^`]*)`", README)
    assert len(named) > 5
    for line in named:
        words = line.removeprefix("reconcile ").split()
        if words[0].startswith("-"):
            continue
        command = cli.command(words[0])
        options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
        assert {word for word in words if word.startswith("--")} <= options, line


def test_example_of_the_library_runs() -> None:
    (example,) = (text for language, text in BLOCKS if language == "python")
    done = subprocess.run([sys.executable, "-W", "error", "-c", example], cwd=PROJECT, capture_output=True, text=True, encoding="utf-8")
    lines = done.stdout.splitlines()
    assert done.stderr == ""
    assert float(lines[0]) > 0
    assert len(lines) == 7
    assert set(re.findall(r"reconcile\.(\w+)\(", example)) <= set(public)


def test_statistics_is_the_function_however_often_it_is_asked_for() -> None:
    match = reconcile.load_match(bundled("reference_matches") / "demonstration" / "nora-lindqvist-tomas-beck.xg")
    assert reconcile.statistics(match).figures(0) == reconcile.statistics(match).figures(0)


def table(heading: str) -> list[list[str]]:
    """The cells of the table under a heading of the README."""
    section = README.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def test_exit_codes_are_documented() -> None:
    assert {int(code) for code, _ in table("Exit codes")} == {common.WITHIN, common.OUTSIDE, common.ERROR, common.BUG}


def test_tables_of_tolerances_are_documented() -> None:
    assert [name.strip("`") for name, _ in table("Tolerances")] == list(load_tolerances().tables)


def test_documented_bounds_are_those_of_the_file() -> None:
    bounds = load_tolerances().table("documented").entries
    (text,) = (text for name, text in table("Tolerances") if name == "`documented`")
    assert bounds
    for name, tolerance in bounds.items():
        assert tolerance.abs is not None
        assert f"{tolerance.abs:.2f}" in text or f"{tolerance.abs:.1f} pp" in text, name


def test_rules_of_the_readme_are_those_of_the_program() -> None:
    rows = table("Rules")
    assert [question.partition(" ")[0] for question, *_ in rows] == list(QUESTIONS)
    for question, *answers in rows:
        code = question.partition(" ")[0]
        assert [answer.strip("` ?") for answer in answers] == [rules.answers[code] for rules in RULE_SETS.values()]


def test_links_of_the_documents_lead_somewhere() -> None:
    names = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "reports/README.md", "reference_matches/README.md")
    links = [(name, target) for name in names for target in re.findall(r"\]\(([^)]+)\)", (PROJECT / name).read_text("utf-8"))]
    assert links
    for name, target in links:
        assert target.startswith("https://") or (PROJECT / name).parent.joinpath(target).exists(), f"{name}: {target}"


# Pages


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_page(code: str) -> None:
    lines = page(code).splitlines()
    assert len(lines) >= 3
    assert sum(map(len, lines)) > 60
    assert max(map(len, lines)) <= 120
    assert not re.search(r"\bTODO\b|\bTBD\b|XXX|None", page(code).replace("What to do: Nothing", ""))


def test_every_question_answer_finding_cause_metric_and_rule_set_is_a_code() -> None:
    answers = {f"{question.code}:{name}" for question in QUESTIONS.values() for name in question.answers}
    figures = set(METRICS) | set(RESULTS) | set(BENCHMARK_FIGURES)
    assert set(CODES) == set(QUESTIONS) | answers | set(FINDINGS) | set(CAUSES) | figures | set(RULE_SETS)
    assert len(CODES) == len(set(CODES))


def test_every_answer_tells_its_source_and_evidence() -> None:
    for question in QUESTIONS.values():
        text = page(question.code)
        assert text.startswith(f"{question.code}: {question.title}")
        for name, answer in question.answers.items():
            assert len(answer.source) > 3, name
            assert isinstance(answer.evidence, Evidence)
            assert f"  {name}\n" in text
            assert "Source: " in page(f"{question.code}:{name}")
            assert "Used by: " in page(f"{question.code}:{name}")


def test_every_rule_set_answers_every_question_and_says_so() -> None:
    for name, rules in RULE_SETS.items():
        for code, answer in rules.answers.items():
            assert re.search(rf"{code} .* {re.escape(answer)}( \?)?$", page(name), re.MULTILINE)


def test_every_finding_gives_advice() -> None:
    for code, finding in FINDINGS.items():
        assert finding.advice.endswith(".")
        assert finding.title
        assert finding.advice in " ".join(page(code).split())


def test_short_names_of_figures_have_pages() -> None:
    for short, name in ALIASES.items():
        assert page(short) == page(name)


def test_list_of_pages_names_all_but_single_answers() -> None:
    listed = table_of_contents()
    for code in CODES:
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
    assert f"<code>reconcile {name}</code>" in README


def test_exit_codes_stand_in_the_help() -> None:
    assert cli.main.help is not None
    for word in ("0 within", "1 a figure out", "2 could not compare"):
        assert word in " ".join(cli.main.help.split())


# What is written, wherever it is


def test_public_names_are_all_there() -> None:
    for name in public:
        assert getattr(reconcile, name) is not None
    assert reconcile.Comparison is Comparison


def test_changelog_begins_with_what_is_unreleased() -> None:
    headings = re.findall(r"^## (.*)$", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


def test_contributing_has_its_three_recipes_in_numbered_steps() -> None:
    text = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    for recipe in ("Add a match", "Add an answer", "Add an adapter"):
        section = text.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
        assert len(re.findall(r"^\d\. ", section, re.MULTILINE)) >= 4


def test_hooks_are_local_and_run_the_versions_of_the_dev_extra() -> None:
    config = yaml.safe_load((PROJECT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    hooks = config["repos"][0]["hooks"]
    assert [hook["id"] for hook in hooks] == ["ruff", "ruff-format", "mypy"]
    assert {hook["language"] for hook in hooks} == {"system"}
    extras = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    assert {hook["entry"].split()[0] for hook in hooks} <= {re.split(r"[=><]", name)[0] for name in extras["dev"]}


def test_checks_run_the_commands_of_the_readme_and_no_others() -> None:
    script = (PROJECT / ".ci" / "run").read_text("utf-8")
    assert script.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in script
    assert "readme_command 1" in script
    assert "readme_command 2" in script
    assert (PROJECT / ".ci" / "run").stat().st_mode & 0o111
    function = script[script.index("readme_command()") : script.index('step "programs"')]
    code = f"checkout={shlex.quote(str(PROJECT))}\n{function}\nreadme_command 1; readme_command 2"
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.stdout.splitlines() == [SHELL[0].rstrip("\n"), SHELL[1].rstrip("\n")]


def test_no_file_names_a_place_on_somebody_s_machine() -> None:
    found = []
    for path in committed():
        name = path.relative_to(PROJECT).as_posix()
        if path.suffix in {".xg", ".sgf", ".png"}:
            continue
        text = path.read_text("utf-8", errors="replace")
        # Tests may make names of folders up, to show that they do not get into a report.
        folders = "root|work|opt" if name.startswith("tests/") else "home|root|Users|work|opt|mnt|srv"
        places = re.findall(rf"(?<![\w./:-])/(?:{folders})/[\w.-]+", text)
        if name != "tests/project/test_docs.py":
            # Only as the default of the folder of real matches.
            places += [line for line in text.splitlines() if "../shared" in line and not re.search(r"RECONCILE_DATA|VARIABLE", line)]
        found += [(name, place) for place in places]
    assert found == []


def test_schemas_and_typing_marker_are_part_of_the_package() -> None:
    package = PROJECT / "reconcile"
    assert (package / "py.typed").exists()
    published = sorted((package / "schemas").glob("*.json"))
    assert published
    for path in published:
        assert json.loads(path.read_text("utf-8"))["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    configured = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "reconcile" in configured["packages"]
    forced: dict[str, Any] = configured["force-include"]
    assert {Path(target).name for target in forced} == {"tolerances.yaml", "reference_matches"}
    assert bundled("tolerances.yaml").is_file()


def test_words_of_decisions_are_the_documented_ones() -> None:
    assert [kind.label for kind in Kind] == ["play", "no-double", "double", "take", "pass", "beaver", "resign", "accept-resign"]


def test_sample_report_is_what_the_program_writes_now() -> None:
    left, right = (
        load_match(PROJECT / "reference_matches" / "demonstration" / f"nora-lindqvist-tomas-beck.{ending}") for ending in ("xg", "sgf")
    )
    written = comparison_page(compare(left, right), tolerances=load_tolerances())
    assert written == (PROJECT / "reports" / "sample.html").read_text("utf-8"), "write it again: see reports/README.md"
