"""The README as the front door: short, true, with two commands that set up everything, and a
picture of what the program writes now."""

from __future__ import annotations

import html
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.making import pictures
from reconcile import cli
from reconcile.serve.pages import Session, start_page
from tests.support import readme
from tests.support.claims import some
from tests.support.data import PROJECT

README = (PROJECT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
SHELL = [text for language, text in BLOCKS if language == "sh"]
FIRST_PAGE = (PROJECT / "docs" / "index.md").read_text("utf-8")
MOST_LINES = 150
PICTURES = sorted((PROJECT / "docs" / "pictures").iterdir())
LARGEST_PICTURE = 150 * 1024


def test_readme_is_short() -> None:
    assert README.count("\n") <= MOST_LINES


def test_readme_opens_as_the_first_page_of_the_site_does() -> None:
    assert README.split("\n\n")[:2] == FIRST_PAGE.split("\n\n")[:2]


@pytest.mark.long
def test_generated_parts_are_fresh() -> None:
    assert readme.fresh(README) == README, "run `python -m tests.support.readme`"


def test_every_marker_is_closed() -> None:
    opened = re.findall(r"^<!-- ([a-z]+)", README, re.MULTILINE)
    closed = re.findall(r"^<!-- /([a-z]+) -->$", README, re.MULTILINE)
    assert opened == closed
    assert set(opened) == {"output", "accuracy"}


def test_first_two_blocks_are_one_command_each_and_set_up_from_nothing() -> None:
    first, second = SHELL
    for block in (first, second):
        assert len(block.splitlines()) == 1
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet ")
    assert ".venv/bin/reconcile " in first
    assert ".venv/bin/pytest" in second


@pytest.mark.long
def test_first_command_explains_a_gap_ends_well_and_writes_the_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = SHELL[0].rpartition("&& .venv/bin/reconcile ")[2]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli.main, shlex.split(command))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    assert lines[2] == "Explained:"
    assert lines[5].strip() == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG (-2.31)"
    assert not any("not compared" in line for line in lines[1:-1])
    (index,) = tmp_path.rglob("index.html")
    assert index.relative_to(tmp_path).as_posix() in README
    pages = re.findall(r'href="([^"#]+)"', index.read_text("utf-8").partition("<tbody>")[2])
    assert pages[:2] == ["demonstration.html", "demonstration.pair-1.html"]


def test_checks_run_the_commands_of_the_readme_and_no_others() -> None:
    script = (PROJECT / ".ci" / "run").read_text("utf-8")
    assert script.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in script
    assert "readme_command 1" in script
    assert "readme_command 2" in script
    assert (PROJECT / ".ci" / "run").stat().st_mode & 0o111
    function = re.search(r"^readme_command\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    assert function is not None
    code = (
        f"checkout={shlex.quote(str(PROJECT))}\n{function[0]}\nreadme_command 1; readme_command 2"
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, encoding="utf-8")
    assert done.stdout.splitlines() == [text.rstrip("\n") for text in SHELL]


def test_each_reader_finds_a_section_with_commands_in_this_order() -> None:
    """A player first, and before anything that only a maintainer needs."""
    heads = re.findall(r"^## (You .*)$", README, re.MULTILINE)
    assert heads == [
        "You play",
        "You answer questions, or study many matches",
        "You maintain a statistics program",
    ]
    for head in heads:
        assert "\n$ reconcile " in README.partition(f"\n## {head}\n")[2].partition("\n## ")[0]
    assert not re.search(r"\bQ\d\d\b|minus-0\.\d", README.partition("## What it reads")[0])


@pytest.mark.parametrize(
    "page", ["README.md", "docs/cli.md", "docs/engine.md", "docs/corpus.md", "docs/packs.md"]
)
def test_commands_and_options_that_a_page_names_exist(page: str) -> None:
    text = (PROJECT / page).read_text("utf-8")
    lines = re.findall(r"^(?:\$ |    )?reconcile (.*)$", text, re.MULTILINE) + re.findall(
        r"`reconcile ([^`]*)`", text
    )
    for line in some(
        [part.removeprefix("reconcile ") for commands in lines for part in commands.split(" && ")]
    ):
        words = re.sub(r'"[^"]*"', "", line).partition(" #")[0].split()
        if words[0].startswith("-") or words[0] == "COMMAND":
            continue
        command = cli.command(words[0])
        options = {name for parameter in command.params for name in parameter.opts} | {"--help"}
        assert {word for word in words if word.startswith("--")} <= options, line


# The picture


def test_picture_is_there_for_light_and_dark_of_one_size_and_small() -> None:
    assert [path.name for path in PICTURES] == [
        "page-dark.png",
        "page-light.png",
        "report-dark.png",
        "report-light.png",
    ]
    for pair in (PICTURES[:2], PICTURES[2:]):
        assert len({pictures.size_of(path.read_bytes()) for path in pair}) == 1
    for path in PICTURES:
        assert path.stat().st_size <= LARGEST_PICTURE
        page = (
            FIRST_PAGE
            if path.stem.startswith("report")
            else (PROJECT / "docs" / "page.md").read_text("utf-8")
        )
        assert path.relative_to(PROJECT / "docs").as_posix() in page
    assert re.search(
        r'prefers-color-scheme: dark\)" srcset="docs/pictures/report-dark.png"', README
    )


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_picture_shows_what_the_page_says(path: Path) -> None:
    page = (
        pictures.REPORT.read_text("utf-8")
        if path.stem.startswith("report")
        else start_page("", Session())
    )
    report = html.unescape(re.sub(r"<[^>]+>", " ", page))
    shown = " ".join(report.split())
    words = pictures.words_of(path.read_bytes())
    assert len(words) > 3
    assert [line for line in words if line not in shown] == [], (
        "run `python -m docs.making.pictures`"
    )
