"""Every way of getting a command wrong: exit code 2 and one line, with the place, what was expected
and found, and what to do."""

from __future__ import annotations

import inspect
import os
import re
import shlex
from pathlib import Path
from typing import Final

import click
import pytest

from reconcile.cli import COMMANDS, command, main
from tests.support.command_line import ERROR, SGF, WITHIN, XG, run
from tests.support.data import PROJECT

OTHER: Final = str(PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
PACKED: Final = str(PROJECT / "reference_matches" / "gnubg-3pt-2ply")
NORA: Final = ("investigate", XG, "--player", "Nora", "--reported")
MISTAKES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "a folder": (
        ("convert", "folder", "-o", "match.mat"),
        ("folder: cannot be read: is a directory", "folder/*.xg", "`reconcile corpus`"),
    ),
    "a folder without a match": (
        ("stats", "folder"),
        ("folder: expected matches in this folder, found none",),
    ),
    "a file that is not there": (
        ("stats", "none.xg"),
        ("none.xg: cannot be read: no such file", "check the path"),
    ),
    "an address": (
        ("stats", "https://example.com/a.xg"),
        ("expected a file, found an address", "download it"),
    ),
    "a cut file": (
        ("stats", "cut.xg"),
        ("cut.xg: damaged XG file", "expected at least", "found 300", "save the match again"),
    ),
    "an empty file": (
        ("stats", "empty.xg"),
        ("empty.xg: expected a match, found an empty file", "export it again"),
    ),
    "no file": (("stats",), ("Missing argument 'FILE...'", "`reconcile stats --help`")),
    "a command misspelt": (
        ("stat", XG),
        ("No such command 'stat' (did you mean stats?)", "`reconcile --help`"),
    ),
    "an option misspelt": (
        ("compare", XG, SGF, "--jsn", "-"),
        ("No such option '--jsn'", "--json", "`reconcile compare --help`"),
    ),
    "an option without its value": (
        ("stats", XG, "--rules"),
        ("'--rules' requires an argument", "--help`"),
    ),
    **{
        f"an empty value of {words[0]}, {number}": (
            words,
            ("expected a name or a value, found an empty one", "check the command"),
        )
        for number, words in enumerate(
            (
                ("stats", XG, "--rules", ""),
                ("corpus", "", "-o", "tables"),
                ("compare", XG, SGF, "--tolerances="),
            )
        )
    },
    "rules in capitals": (
        ("stats", XG, "--rules", "XG"),
        ("no rule set 'XG' (did you mean xg?)", "expected one of xg, gnubg"),
    ),
    "rules without answers": (
        ("stats", XG, "--rules", "rules.yaml"),
        ("rules.yaml:1: answers: expected an answer", "correct the file"),
    ),
    "an unknown table": (
        ("stats", XG, "--met", "foo"),
        ("match equity table 'foo'", "expected one of Kazaross-XG2", "a path that ends in .xml"),
    ),
    "aliases without a pool": (
        ("stats", XG, "--aliases", "none.yaml"),
        ("--aliases says which names are one player", "add --pool"),
    ),
    "aliases that are not there": (
        ("stats", XG, "--pool", "--aliases", "none.yaml"),
        ("none.yaml: cannot be read", "check the path"),
    ),
    "one file to compare": (
        ("compare", XG),
        ("expected a second file, or --analyse ENGINE:PLIES", "found only"),
    ),
    "two matches": (
        ("compare", XG, OTHER),
        ("not the same match", "7 points", "3 points", "give two analyses of one match"),
    ),
    "a player of neither": (
        ("compare", XG, SGF, "--player", "Bob"),
        ("no player 'Bob'", "there are 'Nora Lindqvist' and 'Tomas Beck'"),
    ),
    "a table of tolerances": (
        ("compare", XG, SGF, "--table", "nope"),
        ("no table of tolerances 'nope'", "expected one of documented"),
    ),
    "a title for a metric": (
        ("compare", XG, SGF, "--tolerances", "bounds.yaml"),
        ("bounds.yaml:6", "metric 'PR' (did you mean pr?)"),
    ),
    "a figure of nobody": (
        ("investigate", XG, "--reported", "pr=7"),
        ("name the player with --player NAME",),
    ),
    "a figure without a value": (
        ("investigate", XG, "--player", "Nora", "--reported", "pr"),
        ("expected METRIC=FIGURE such as pr=9.23",),
    ),
    "a figure as an option": (
        ("investigate", XG, "--PR", "7"),
        ("No such option '--PR'", "--reported pr=9.23", "`reconcile investigate"),
    ),
    "an unknown figure": (
        ("investigate", XG, "--player", "Nora", "--reported", "foo=7"),
        ("no metric 'foo'", "expected one of pr"),
    ),
    "an unknown code": (
        ("explain", "Q99"),
        ("no page 'Q99'", "did you mean Q09?", "`reconcile explain` lists all"),
    ),
    "an empty pack": (
        ("validate", "folder"),
        ("expected folders with a match.yaml, found none", "`reconcile new-match`"),
    ),
    "a candidate that is not there": (
        ("validate", "--candidate", "none.json"),
        ("none.json: cannot be read", "check the path"),
    ),
    "a candidate that is none": (
        ("validate", "--candidate", "text.txt"),
        ("text.txt: expected a match", "found 'hello'"),
    ),
    "a command without a file": (
        ("validate", "--candidate-command", "prog"),
        ("expected {file}", "give its output as a candidate"),
    ),
    "a folder to write": (
        ("stats", XG, "--html", "folder"),
        ("folder: cannot be written: is a directory", "name a file in it"),
    ),
    "no tables": (
        ("corpus-report", "folder"),
        ("holds no finished tables", "name the folder that was given to -o"),
    ),
    "an archive of nothing": (
        ("corpus", "folder", "-o", "tables"),
        ("expected matches or archives of matches, found none",),
    ),
    "a depth of 9": (
        ("analyse", XG, "--plies", "9"),
        ("9 is not in the range", "`reconcile analyse --help`"),
    ),
    "a case that is none": (
        ("suite", "show", "dance-not"),
        ("no case 'dance-not'", "did you mean dance-"),
    ),
    "a page of two matches": (
        ("stats", XG, SGF, "--html", "a.html"),
        ("--html needs a folder for the pages of players, not a.html", "name one file"),
    ),
    "a missing file of several": (
        ("stats", XG, "none.xg", "--format", "json"),
        ("none.xg: cannot be read",),
    ),
    "a file of Python": (("stats", __file__), (f"{__file__}: expected",)),
    "missing rules": (("stats", "--rules", "none.yaml", XG), ("none.yaml: cannot be read",)),
    "missing rules of the right": (
        ("compare", "--right-rules", "none.yaml", XG, SGF),
        ("none.yaml: cannot be read",),
    ),
    "missing rules to print": (("explain", "--rules", "none.yaml"), ("none.yaml: cannot be read",)),
    "rules that are a match": (("explain", "--rules", XG), ("expected one of xg, gnubg",)),
    "unknown rules of the left": (
        ("compare", "--left-rules", "snowflake", XG, SGF),
        ("no rule set 'snowflake'",),
    ),
    "a missing match equity table": (
        ("stats", "--met", "none.xml", XG),
        ("none.xml: expected a match equity table",),
    ),
    "aliases that are a match": (("compare", "--aliases", XG, XG, SGF), (f"{XG}: ",)),
    "tolerances that are a match": (("compare", "--tolerances", XG, XG, SGF), (f"{XG}: ",)),
    "nothing to judge": (
        ("compare", "--table", "nothing", "--tolerances", "off.yaml", XG, SGF),
        ("nothing",),
    ),
    "an output in a file": (
        ("stats", XG, "-o", "text.txt/stats.txt"),
        ("text.txt/stats.txt: cannot be written",),
    ),
    "an output onto a folder": (("stats", XG, "-o", "folder"), ("folder: cannot be written",)),
    "one of two outputs": (
        ("compare", XG, SGF, "--json", "-", "--html", "text.txt/page.html"),
        ("text.txt/page.html: cannot be written",),
    ),
    **{
        f"{option} of {command[0]} twice": (
            (*command, option, "a.csv", option, "b.txt"),
            (f"{option} names 2 outputs, a.csv, b.txt: name one",),
        )
        for option, command in (
            ("--ledger", ("compare", XG, SGF)),
            ("--json", ("compare", XG, SGF)),
            ("--html", ("stats", XG)),
            ("--output", ("stats", XG)),
            ("--output", ("convert", XG)),
            ("--output", ("analyse", XG)),
            ("--rules", ("suite", "run", "--harness", "x")),
            ("--output", ("corpus", XG)),
            ("--html", ("corpus-report", "folder")),
            ("--usual", ("corpus-report", "folder")),
            ("--output", ("corpus-query", "folder")),
            ("--output", ("new-match", XG)),
            ("--output", ("benchmark-make", XG)),
        )
    },
    "pages of a pack onto a file": (
        ("validate", PACKED, "--json", "-", "--html", "text.txt"),
        ("text.txt",),
    ),
    "a missing pack": (("validate", "none"), ("found nothing",)),
    "a pack that is a file": (("validate", XG), ("found a file",)),
    "missing tolerances of a pack": (
        ("validate", "--tolerances", "none.yaml"),
        ("none.yaml: cannot be read",),
    ),
    "an error that no option hides": (("validate", "--exit-zero", "none"), ("found nothing",)),
    "a player who did not play": (
        ("investigate", XG, "--player", "Cleo", "--reported", "pr=7.16"),
        ("no player 'Cleo'",),
    ),
    "a figure given twice": ((*NORA, "pr=7.16", "--reported", "pr=7.09"), ("pr",)),
    "nothing to investigate": (NORA[:-1], ("--reported",)),
    "a game that was not played": ((*NORA, "pr=7.16", "--game", "9"), ("9",)),
    "an unknown answer": (("explain", "Q01:snowflake"), ("snowflake",)),
    "rules of a side of three": (
        ("compare", XG, SGF, SGF, "--left-rules", "xg"),
        ("--left-rules",),
    ),
    "three files to be judged": (("compare", XG, SGF, SGF, "--strict"), ("--strict",)),
    "an unknown format": (("stats", "--format", "xml", XG), ("'xml' is not one of",)),
    "an unknown level": (("compare", "--fail-on", "info", XG, SGF), ("'info' is not one of",)),
    "two results on standard output": (
        ("compare", XG, SGF, "--json", "-", "--html", "-"),
        ("can be -",),
    ),
    "two results of a pack there": (("validate", "--json", "-", "--markdown", "-"), ("can be -",)),
    "two files from standard input": (("compare", "-", "-"), ("can be -",)),
    "a document of an office": (("convert", XG, "-o", "match.docx"), ("match.docx",)),
}
CRYPTIC: Final = ("Field required", "valid dictionary", "instance of", "Traceback", "found b'")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_mistake_gets_one_line_that_says_what_to_do_and_writes_nothing(
    mistake: str, tmp_path: Path
) -> None:
    words, message = MISTAKES[mistake]
    before = [path for path in sorted(tmp_path.rglob("*")) if path.is_file()]
    done = run(*words)
    assert (done.exit_code, done.stdout) == (ERROR, "")
    assert [path for path in sorted(tmp_path.rglob("*")) if path.is_file()] == before
    (line,) = done.stderr.splitlines()
    assert line.startswith("reconcile: ")
    assert [part for part in message if part not in line] == [], line
    assert [word for word in CRYPTIC if word in line] == []


@pytest.mark.usefixtures("here")
def test_file_given_twice_is_named(tmp_path: Path) -> None:
    (tmp_path / "copy.xg").write_bytes(Path(XG).read_bytes())
    for files in ((XG, "copy.xg"), (SGF, XG, "copy.xg")):
        done = run("compare", *files)
        assert f"{XG} and copy.xg are one file, byte for byte" in done.stderr
    for words in ((XG, SGF), (XG, "copy.xg", "--left-rules", "gnubg"), (XG, "copy.xg", "--quiet")):
        assert run("compare", *words).stderr == ""


def examples() -> list[tuple[str, str]]:
    return [
        (name, line)
        for name in COMMANDS
        for line in re.findall(r"(?m)^Example: (.*)$", inspect.cleandoc(command(name).help or ""))
    ]


@pytest.mark.parametrize(("name", "line"), examples())
def test_example_of_a_command_is_one(name: str, line: str) -> None:
    program, inputs, *arguments = shlex.split(line)
    assert (program, inputs) == ("reconcile", name)
    command(name).make_context(name, arguments, parent=click.Context(main, **main.context_settings))


def test_unwritable_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write everywhere")
    result = run("stats", XG, "-o", str(folder / "stats.txt"))
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "permission denied" in result.stderr


def test_output_folder_is_made(tmp_path: Path) -> None:
    assert run("stats", XG, "-o", str(tmp_path / "new" / "deep" / "stats.txt")).exit_code == WITHIN
    assert (tmp_path / "new" / "deep" / "stats.txt").read_text("utf-8")


def test_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_path: str, met: str | None = None) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("reconcile.formats.load_match", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        run("stats", XG)


def test_page_of_messages_has_words_that_messages_have() -> None:
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
