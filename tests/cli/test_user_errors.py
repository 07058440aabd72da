"""Mistakes that users make, and the one line that each gets: the place, what was expected and found, and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tests.support.command_line import ERROR, SGF, XG, run
from tests.support.data import PROJECT

OTHER: Final = str(PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
MISTAKES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "a folder": (("stats", "folder"), ("folder: cannot be read: is a directory", "folder/*.xg", "`reconcile stats --html DIR`")),
    "a file that is not there": (("stats", "none.xg"), ("none.xg: cannot be read: no such file", "check the path")),
    "an address": (("stats", "https://example.com/a.xg"), ("expected a file, found an address", "download it")),
    "a cut file": (("stats", "cut.xg"), ("cut.xg: damaged XG file", "expected at least", "found 300", "save the match again")),
    "an empty file": (("stats", "empty.xg"), ("empty.xg: expected a match, found an empty file", "export it again")),
    "no file": (("stats",), ("Missing argument 'FILE...'", "`reconcile stats --help`")),
    "a command misspelt": (("stat", XG), ("No such command 'stat' (did you mean stats?)", "`reconcile --help`")),
    "an option misspelt": (("compare", XG, SGF, "--jsn", "-"), ("No such option '--jsn'", "--json", "`reconcile compare --help`")),
    "an option without its value": (("stats", XG, "--rules"), ("'--rules' requires an argument", "--help`")),
    "an empty value": (("stats", XG, "--rules", ""), ("expected a name or a value, found an empty one", "check the command")),
    "rules in capitals": (("stats", XG, "--rules", "XG"), ("no rule set 'XG' (did you mean xg?)", "expected one of xg, gnubg")),
    "rules without answers": (("stats", XG, "--rules", "rules.yaml"), ("rules.yaml:1: answers: expected an answer", "correct the file")),
    "an unknown table": (
        ("stats", XG, "--met", "foo"),
        ("match equity table 'foo'", "expected one of Kazaross-XG2", "a path that ends in .xml"),
    ),
    "aliases without a pool": (("stats", XG, "--aliases", "none.yaml"), ("--aliases says which names are one player", "add --pool")),
    "aliases that are not there": (("stats", XG, "--pool", "--aliases", "none.yaml"), ("none.yaml: cannot be read", "check the path")),
    "one file to compare": (("compare", XG), ("expected a second file, or --analyse ENGINE:PLIES", "found only")),
    "two matches": (("compare", XG, OTHER), ("not the same match", "7 points", "3 points", "give two analyses of one match")),
    "a player of neither": (("compare", XG, SGF, "--player", "Bob"), ("no player 'Bob'", "there are 'Nora Lindqvist' and 'Tomas Beck'")),
    "a table of tolerances": (("compare", XG, SGF, "--table", "nope"), ("no table of tolerances 'nope'", "expected one of documented")),
    "a title for a metric": (("compare", XG, SGF, "--tolerances", "bounds.yaml"), ("bounds.yaml:6", "metric 'PR' (did you mean pr?)")),
    "a figure of nobody": (("investigate", XG, "--reported", "pr=7"), ("name the player with --player NAME",)),
    "a figure without a value": (("investigate", XG, "--player", "Nora", "--reported", "pr"), ("expected METRIC=FIGURE such as pr=9.23",)),
    "a figure as an option": (("investigate", XG, "--PR", "7"), ("No such option '--PR'", "--reported pr=9.23", "`reconcile investigate")),
    "an unknown figure": (("investigate", XG, "--player", "Nora", "--reported", "foo=7"), ("no metric 'foo'", "expected one of pr")),
    "an unknown code": (("explain", "Q99"), ("no page 'Q99'", "did you mean Q09?", "`reconcile explain` lists all")),
    "an empty pack": (("validate", "folder"), ("expected folders with a match.yaml, found none", "`reconcile new-match`")),
    "a candidate that is not there": (("validate", "--candidate", "none.json"), ("none.json: cannot be read", "check the path")),
    "a candidate that is none": (("validate", "--candidate", "text.txt"), ("text.txt: expected a match", "found 'hello'")),
    "a command without a file": (("validate", "--candidate-command", "prog"), ("expected {file}", "give its output as a candidate")),
    "a folder to write": (("stats", XG, "--html", "folder"), ("folder: cannot be written: is a directory", "name a file in it")),
    "no tables": (("corpus-report", "folder"), ("holds no finished tables", "name the folder that was given to -o")),
    "an archive of nothing": (("corpus", "folder", "-o", "tables"), ("expected matches or archives of matches, found none",)),
    "a depth of 9": (("analyse", XG, "--plies", "9"), ("9 is not in the range", "`reconcile analyse --help`")),
    "a case that is none": (("suite", "show", "dance-not"), ("no case 'dance-not'", "did you mean dance-")),
    "a page of two matches": (
        ("stats", XG, SGF, "--html", "a.html"),
        ("--html needs a folder for the pages of players, not a.html", "name one file"),
    ),
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
    (tmp_path / "bounds.yaml").write_text(f"schema_version: 1\ntables:\n  a:\n    title: A\n    entries:\n      PR: {entry}\n", "utf-8")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_gets_one_line_that_says_what_to_do(mistake: str) -> None:
    words, said = MISTAKES[mistake]
    done = run(*words)
    assert (done.exit_code, done.stdout) == (ERROR, "")
    (line,) = done.stderr.splitlines()
    assert [part for part in said if part not in line] == [], line
    assert [word for word in CRYPTIC if word in line] == []


@pytest.mark.usefixtures("here")
def test_file_given_twice_is_named(tmp_path: Path) -> None:
    (tmp_path / "copy.xg").write_bytes(Path(XG).read_bytes())
    for files in ((XG, "copy.xg"), (SGF, XG, "copy.xg")):
        done = run("compare", *files)
        assert f"{XG} and copy.xg are one file, byte for byte" in done.stderr
    for words in ((XG, SGF), (XG, "copy.xg", "--left-rules", "gnubg"), (XG, "copy.xg", "--quiet")):
        assert run("compare", *words).stderr == ""


def test_page_of_messages_has_words_that_messages_have() -> None:
    page = (PROJECT / "docs" / "troubleshooting.md").read_text("utf-8").partition("## The program itself")[0]
    phrases = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    said = " ".join(part for _, parts in MISTAKES.values() for part in parts)
    said += "".join(path.read_text("utf-8") for path in (PROJECT / "reconcile").rglob("*.py"))
    assert len(phrases) >= 15
    assert [phrase for phrase in phrases if phrase not in said] == []
