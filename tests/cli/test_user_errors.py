"""Every way of getting a command wrong: exit code 2 and one line, with the place, what was expected
and found, and what to do."""

import inspect
import re
import shlex
from pathlib import Path
from string import Template

import click
import pytest

from reconcile.cli import COMMANDS, command, main
from tests.support.command_line import ERROR, SGF, WITHIN, XG, refused, run
from tests.support.data import PROJECT
from tests.support.tables import beside

FILES = {
    "XG": XG,
    "SGF": SGF,
    "PACKED": str(PROJECT / "reference_matches" / "gnubg-3pt-2ply"),
    "FILE": __file__,
}
"""What stands in the cases for a file or a folder."""
MISTAKES = {
    line: (
        [Template(word).substitute(FILES) for word in shlex.split(line)],
        [Template(part).substitute(FILES) for part in ([says] if isinstance(says, str) else says)],
    )
    for line, says in beside(__file__, "mistakes.yaml").items()
}
"""By line the words of a command, and what its one line of error says."""
CRYPTIC = ("Field required", "valid dictionary", "instance of", "Traceback", "found b'")


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.txt").write_text("hello\n", "utf-8")
    (tmp_path / "empty.xg").touch()
    (tmp_path / "cut.xg").write_bytes(Path(XG).read_bytes()[:300])
    (tmp_path / "rules.yaml").write_text("schema_version: 1\nname: ours\n", "utf-8")
    entry = "{abs: 0.1, level: error, reason: measured, source: here}"
    (tmp_path / "bounds.yaml").write_text(
        f"schema_version: 1\ntables:\n  a:\n    title: A\n    entries:\n      PR: {entry}\n",
        "utf-8",
    )
    off = entry.replace("error", '"off"')
    (tmp_path / "off.yaml").write_text(
        f"schema_version: 1\ntables: {{nothing: {{title: t, entries: {{pr: {off}}}}}}}\n", "utf-8"
    )
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_gets_one_line_that_says_what_to_do_and_writes_nothing(mistake, tmp_path):
    words, message = MISTAKES[mistake]
    before = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    done = run(*words)
    assert (done.exit_code, done.stdout.startswith("::error ")) == (ERROR, "--github" in words)
    assert done.stdout.count("\n") == ("--github" in words)
    assert [path for path in sorted(tmp_path.rglob("*")) if path.is_file()] == before
    (line,) = done.stderr.splitlines()
    assert line.startswith("reconcile: ")
    assert [part for part in message if part not in line] == [], line
    assert [word for word in CRYPTIC if word in line] == []


@pytest.mark.usefixtures("here")
def test_file_given_twice_is_named(tmp_path):
    (tmp_path / "copy.xg").write_bytes(Path(XG).read_bytes())
    for files in ((XG, "copy.xg"), (SGF, XG, "copy.xg")):
        done = run("compare", *files)
        assert f"{XG} and copy.xg are one file, byte for byte" in done.stderr
    for words in ((XG, SGF), (XG, "copy.xg", "--left-rules", "gnubg"), (XG, "copy.xg", "--quiet")):
        assert run("compare", *words).stderr == ""


def examples():
    return [
        (name, line)
        for name in COMMANDS
        for line in re.findall(r"(?m)^Example: (.*)$", inspect.cleandoc(command(name).help or ""))
    ]


@pytest.mark.parametrize(("name", "line"), examples())
def test_example_of_a_command_is_one(name, line):
    program, inputs, *arguments = shlex.split(line)
    assert (program, inputs) == ("reconcile", name)
    command(name).make_context(name, arguments, parent=click.Context(main, **main.context_settings))


def test_folder_of_an_output_is_made_below_one_that_exists(tmp_path):
    folder = tmp_path / "new"
    assert run("stats", XG, "-o", folder / "stats.txt").exit_code == WITHIN
    assert (folder / "stats.txt").read_text("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        f"stats {XG} -o",
        f"compare {XG} {SGF} --json",
        "validate --html",
        f"corpus {XG} -o",
        "init",
    ],
)
def test_path_with_two_missing_folders_is_refused_and_names_the_first(words, tmp_path):
    line = refused(*words.split(), tmp_path / "reprot" / "2026" / "result.mat")
    assert f"there is no folder {tmp_path / 'reprot'};" in line
    assert not (tmp_path / "reprot").exists()


def test_bug_keeps_its_traceback(monkeypatch):
    def broken(_path, met=None):
        raise RuntimeError("a bug")

    monkeypatch.setattr("reconcile.report.of_files.load_match", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run("stats", XG)


def test_page_of_messages_has_words_that_messages_have():
    page = (
        (PROJECT / "docs" / "troubleshooting.md")
        .read_text("utf-8")
        .partition("## The program itself")[0]
    )
    phrases = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    message = " ".join(part for _, parts in MISTAKES.values() for part in parts)
    message += "".join(path.read_text("utf-8") for path in (PROJECT / "reconcile").rglob("*.py"))
    assert len(phrases) >= 15
    assert [phrase for phrase in phrases if phrase not in message] == []
