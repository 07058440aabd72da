"""The recipes of CONTRIBUTING.md are done in a copy of the project: what their blocks add works."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from tests.support.data import PROJECT
from tests.support.small_transcripts import SHORT

RECIPES = ("Add an answer", "Add an adapter", "Add a figure")
BLOCK = re.compile(
    r"(?P<how>At the end of|In place of the row `(?P<row>Q\d\d)` of|A new|In) "
    r"`(?P<path>reconcile/\S+)`"
    r"(?:,\s+before `(?P<line>[^`]+)`)?:\n\n```\w+\n(?P<text>.*?)```\n",
    re.DOTALL,
)
FIGURE = "moves.forced_percent"
MATCH = "reference_matches/gnubg-3pt-2ply/alice-bob-3pt-2ply.sgf"


def add(project, block):
    """Do what a recipe says of one block."""
    path, text = project / block["path"], block["text"]
    old = path.read_text("utf-8") if path.exists() else ""
    if block["row"]:
        program = json.loads(old)
        program["cells"][block["row"]] = json.loads(text)
        new = json.dumps(program)
    elif block["line"]:
        assert old.count(f"{block['line']}\n") == 1
        new = old.replace(block["line"], text + block["line"])
    else:
        assert bool(old) == (block["how"] == "At the end of")
        new = old + text
    path.write_text(new, "utf-8")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project after all recipes."""
    copy = tmp_path_factory.mktemp("recipes") / "project"
    leave = shutil.ignore_patterns(".*", "__pycache__", "damaged", "node_modules", "dist")
    shutil.copytree(PROJECT, copy, ignore=leave)
    page = (PROJECT / "CONTRIBUTING.md").read_text("utf-8")
    for recipe in RECIPES:
        section = page.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
        blocks = list(BLOCK.finditer(section))
        assert len(blocks) == section.count("```") / 2 > 0
        for block in blocks:
            add(copy, block)
    return copy


COMMANDS = """
import json, sys
from click.testing import CliRunner
from reconcile.cli import main
ran = (CliRunner().invoke(main, words, catch_exceptions=False) for words in json.load(sys.stdin))
print(json.dumps([done.stdout for done in ran]))
"""


def run(project, *words, stdin=""):
    """What Python prints in the copy."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=project,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(project, *commands):
    """What each of some commands of the copy prints."""
    words = json.dumps([command.split() for command in commands])
    return json.loads(run(project, "-c", COMMANDS, stdin=words))


def test_answer_has_a_page_and_counts_under_the_rule_set_that_gives_it(project):
    page, rules = printed(project, "explain Q03", "explain gammonview")
    page = " ".join(page.split())
    assert (
        "Leave a no-double out if no double and double/take are both worth less than -0.7" in page
    )
    assert "Source: gammonview: Example 1.0, manual, page 12" in page
    assert "losing count?  minus-0.7" in rules


def test_format_is_recognised_and_its_errors_count(project, tmp_path):
    lines = "EXAMPLE 1\n1 1: *8/5 6/5 = 0.16, 24/23 13/10 = 0.01\n1 2: 13/8 = 0.3, *24/14 = 0.1\n"
    (tmp_path / "match.example").write_text(f"{lines}== transcript\n{SHORT}")
    words = f"stats {tmp_path / 'match.example'} --format json"
    document, listed = map(json.loads, printed(project, words, f"{words} --decisions"))
    assert document["source"]["tool"] == "Example"
    errors = [row["error"] for row in listed["decisions"] if row["error"] is not None]
    assert errors == pytest.approx([0.0, 0.2])


def test_figure_is_in_every_output(project):
    document, page = printed(project, f"stats {MATCH} --format json", f"explain {FIGURE}")
    for player in json.loads(document)["players"]:
        moves = player["moves"]
        assert moves["forced_percent"] == pytest.approx(100 * moves["forced"] / moves["total"])
    assert "Share of the rolls" in page


@pytest.mark.long
def test_pages_and_types_follow(project):
    subprocess.run([sys.executable, "-m", "docs.generate"], cwd=project, capture_output=True)
    assert FIGURE in (project / "docs" / "figures.md").read_text("utf-8")
    assert run(project, "-m", "docs.generate") == ""
    run(project, "-m", "mypy", "--strict", "reconcile/formats/example.py", "reconcile/rules")
