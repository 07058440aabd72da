"""The README as the front door: short, true, with two commands that set up everything, and a
picture of what the program writes now."""

import html
import json
import re
import shlex
import subprocess

import pytest

from docs.making import pictures
from reconcile import cli
from tests.support import readme
from tests.support.claims import some
from tests.support.command_line import run
from tests.support.data import PROJECT
from web.build import whole_page

README = (PROJECT / "README.md").read_text("utf-8")
SHELL = re.findall(r"^```sh\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
FIRST_PAGE = (PROJECT / "docs" / "index.md").read_text("utf-8")
MOST_LINES = 130
PICTURES = [
    PROJECT / "docs" / "pictures" / f"{name}-{look}.webp"
    for name in ("page", "report")
    for look in ("dark", "light")
]
LARGEST_PICTURE = 150 * 1024


def test_readme_is_short_and_opens_as_the_first_page_of_the_site_does():
    assert README.count("\n") <= MOST_LINES
    assert README.split("\n\n")[:2] == FIRST_PAGE.split("\n\n")[:2]


@pytest.mark.long
def test_generated_parts_are_fresh():
    assert readme.fresh(README) == README, "run `python -m tests.support.readme`"


def test_first_two_blocks_are_one_command_each_and_set_up_from_nothing():
    for block, program in zip(SHELL, ("reconcile ", "pytest"), strict=True):
        assert block.count("\n") == 1
        assert block.startswith("python3 -m venv .venv && .venv/bin/pip install --quiet ")
        assert f".venv/bin/{program}" in block


@pytest.mark.long
def test_first_command_explains_a_gap_ends_well_and_writes_the_pages(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*shlex.split(SHELL[0].rpartition("&& .venv/bin/reconcile ")[2]))
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    line = lines[lines.index("Explained:") + 3].strip()
    assert line == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG, gap -2.31"
    assert not any("not compared" in line for line in lines[1:-1])
    (index,) = tmp_path.rglob("index.html")
    assert index.relative_to(tmp_path).as_posix() in README
    pages = re.findall(r'href="([^"#]+)"', index.read_text("utf-8").partition("<tbody>")[2])
    assert pages[0] == "demonstration.html"


def test_checks_run_the_commands_of_the_readme_and_no_others():
    script = (PROJECT / ".ci" / "run").read_text("utf-8")
    assert script.startswith("#!/usr/bin/env bash\n")
    assert all(line in script for line in ("set -euo pipefail", "command 1", "command 2"))
    assert (PROJECT / ".ci" / "run").stat().st_mode & 0o111
    (function,) = re.findall(r"^readme_command\(\) \{.*?^\}", script, re.MULTILINE | re.DOTALL)
    start = f"checkout={shlex.quote(str(PROJECT))}\n{function}"
    code = f"{start}\nreadme_command 1; readme_command 2"
    assert subprocess.check_output(["bash", "-c", code], text=True) == "".join(SHELL)


def test_each_reader_finds_a_section_with_commands_in_this_order():
    """A player first, and before anything that only a maintainer needs."""
    heads = re.findall(r"^## (You .*)$", README, re.MULTILINE)
    assert [head.split()[1] for head in heads] == ["play", "answer", "maintain"]
    for head in heads:
        assert "\n$ reconcile " in README.partition(f"\n## {head}\n")[2].partition("\n## ")[0]
    prose = re.sub(r"(?s)```.*?```", "", README.partition("## What it reads")[0])
    assert not re.search(r"\bQ\d\d\b|minus-0\.\d", prose)


@pytest.mark.parametrize(
    "page", ["README.md", "docs/cli.md", "docs/engine.md", "docs/corpus.md", "docs/packs.md"]
)
def test_commands_and_options_that_a_page_names_exist(page):
    text = (PROJECT / page).read_text("utf-8")
    lines = re.findall(r"^(?:\$ |    )?reconcile (.*)$", text, re.MULTILINE)
    for line in some([*lines, *re.findall(r"`reconcile ([^`]*)`", text)]):
        for part in line.split(" && "):
            command = re.sub(r'"[^"]*"', "", part.removeprefix("reconcile ")).partition(" #")[0]
            name, *words = command.split()
            if name.startswith("-") or name == "COMMAND":
                continue
            options = {name for parameter in cli.command(name).params for name in parameter.opts}
            used = {word for word in words if word.startswith("--")}
            assert used <= options | {"--help"}, line


# The picture


def test_picture_is_there_for_light_and_dark_and_small():
    assert sorted(PICTURES[0].parent.iterdir()) == [*PICTURES, pictures.WORDS]
    page = (PROJECT / "docs" / "page.md").read_text("utf-8")
    for path in PICTURES:
        assert path.stat().st_size <= LARGEST_PICTURE
        assert f"pictures/{path.name}" in (FIRST_PAGE if path in PICTURES[2:] else page)
    dark = r'prefers-color-scheme: dark\)" srcset="docs/pictures/report-dark.webp"'
    assert re.search(dark, README)


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_picture_shows_what_the_page_says(path):
    report = path in PICTURES[2:]
    page = pictures.REPORT.read_text("utf-8") if report else whole_page([])
    shown = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    words = json.loads(pictures.WORDS.read_text("utf-8"))[path.name]
    assert len(words) > 3
    gone = [line for line in words if line not in shown]
    assert gone == [], "run `python -m docs.making.pictures`"
