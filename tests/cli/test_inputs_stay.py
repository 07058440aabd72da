"""What a command reads is never replaced by what it writes, whatever name is used for it; then
nothing is written at all."""

import os
import shlex
import shutil
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

from reconcile import load_match
from reconcile.corpus.run import CARD, build
from reconcile.gate.candidates.program import Command
from tests.fuzz.commands import OUTPUTS
from tests.match.met.table_files import GOOD
from tests.support import blunderdb_writer
from tests.support.archive import SGF, XG
from tests.support.command_line import CUBE_RICH, environment, every_command, refused, run
from tests.support.long import long_but_first
from tests.support.pasted import SUMMARY

ROOT = Path(__file__).parents[2]


@cache
def club():
    """A database of one match."""
    with TemporaryDirectory() as result:
        blunderdb_writer.write(Path(result, "club.db"), [load_match(XG)])
        return Path(result, "club.db").read_bytes()


COPIED = {
    "in.xg": XG,
    "left/a.xg": XG,
    "in.sgf": SGF,
    "in_2ply.sgf": SGF,
    "right/a.sgf": SGF,
    "ours.sgf": next(CUBE_RICH.glob("*.sgf")),
    f"{CUBE_RICH.name}.sgf": next(CUBE_RICH.glob("*.sgf")),
    "evening.txt": ROOT / "tests" / "formats" / "gnubg_text" / "evening.txt",
    "evening_002.txt": ROOT / "tests" / "formats" / "gnubg_text" / "evening_002.txt",
    "t.yaml": ROOT / "tolerances.yaml",
    "usual.json": ROOT / "reconcile" / "gap" / "usual_gaps.json",
}
WRITTEN = {
    "names.yaml": 'schema_version: 1\nplayers: {"Nora": ["Nora_Lindqvist"]}\n',
    "own.yaml": "schema_version: 1\ntitle: Own\nextends: xg\n",
    "paste.txt": SUMMARY.replace("Ann", "Nora Lindqvist").replace("Ben", "Tomas Beck"),
    "prog.py": "print('{}')\n",
    "run.json": '{"program": "prog", "version": "1", "cases": [], "areas": {}, "rules": {}}',
    "show.sh": 'cat "$1"\n',
    "woolsey.xml": GOOD,
    "club.db-wal": "",
    "two.bm": "s Ann\n",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of inputs, in which the commands run."""
    shutil.copytree(CUBE_RICH, tmp_path / "pack" / CUBE_RICH.name)
    for name, source in COPIED.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(source, tmp_path / name)
    for name, content in WRITTEN.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "club.db").write_bytes(club())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(
        Command, "run", lambda self, values, timeout: Path(self.filled(values)[-1]).read_bytes()
    )  # as show.sh prints it
    return tmp_path


def everything(folder):
    """Every file and link below a folder, with the number that the system gives it."""
    return {
        str(path.relative_to(folder)): (path.lstat().st_ino, path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    }


def stays(folder, *words, message="is read by this command"):
    """What is said; nothing is written."""
    before = everything(folder)
    line = refused(*words)
    assert message in line
    assert everything(folder) == before
    return line


READING = {
    "benchmark-make": "benchmark-make in.xg",
    "compare": "compare in.xg in.sgf --left-rules own.yaml --tolerances t.yaml --aliases "
    "names.yaml --met woolsey.xml --corpus usual.json",
    "convert": "convert in.mat",
    "corpus": "corpus in.xg in.sgf",
    "corpus-query": "corpus-query tables 'select 1' --aliases names.yaml",
    "exercises": "exercises in.xg in.sgf --player Nora --aliases names.yaml",
    "diff": "diff old.json new.json",
    "stats": "stats in.xg club.db#1 --pool --rules own.yaml --met woolsey.xml --aliases names.yaml",
    "suite list": "suite list",
    "suite matrix": "suite matrix run.json",
    "analyse": "analyse in.sgf",
    "benchmark": "benchmark two.bm --engine gnubg:0 --table figures",
    "corpus-report": "corpus-report tables --aliases names.yaml",
    "investigate": "investigate in.xg --player 'Nora Lindqvist' --paste paste.txt --met "
    "woolsey.xml",
    "suite run": "suite run --candidate-command 'sh show.sh {file}'",
    "validate": "validate pack --tolerances t.yaml --candidate ours.sgf --aliases names.yaml",
}
"""Every command that writes what an option names, with everything that it can read."""
NOTHING_READ = {"suite list"}
FOLDERS = {("corpus", "--work"), ("init", "folder")}
"""What is a folder of the command's own, which holds no input."""
MORE = [
    "compare in.xg in.sgf --json new.json --html in.sgf",
    "compare in.xg in.sgf --html in.sgf --json -",
    "compare in.xg in.sgf in.sgf --json in.sgf",
    "compare left --json left/a.xg",
    "stats in.xg in.sgf --jobs 2 -o in.sgf",
    "stats in.xg --decisions --format csv -o in.xg",
    "stats club.db#1 -o club.db-wal",
    "stats in.xg --format json -o ./left/../in.xg",
    "stats evening.txt -o evening_002.txt",
    "analyse in.xg in_2ply.sgf -o .",
    "validate pack --candidate-command 'sh show.sh {match}.sgf' --json gnubg-11pt-cube-rich.sgf",
    "diff old.json old.json --markdown old.json",
    "corpus in.xg tables/archive.json -o tables",
    "corpus-report tables --html page.html --usual tables/archive.json",
    "compare in.xg in.sgf --corpus tables --json tables/archive.json",
]
"""Inputs behind another one, on a second page, in a folder, in a database, and outputs beside
others."""


def furnish(folder, line):
    """What other commands wrote, where a line reads it."""
    if "old.json" in line:
        written = (
            ("validate", "pack", "--json")
            if "validate" in line
            else ("stats", "in.xg", "--format", "json", "-o")
        )
        for name in ("old.json", "new.json"):
            assert run(*written, name).exit_code == 0
    if "in.mat" in line:
        assert run("convert", "in.xg", "-o", "in.mat").exit_code == 0
    if "tables" in line:
        pytest.importorskip("duckdb")
        build(["in.sgf"], "tables", jobs=1)


def outputs(command):
    return [
        each.opts[-1]
        for each in command.params
        if isinstance(each, click.Option)
        and each.type is click.STRING
        and OUTPUTS.search(each.name or "")
    ]


def test_every_command_that_writes_is_known():
    assert {" ".join(words) for words, command in every_command() if outputs(command)} - {
        "fetch",
        "new-match",
        "page",
    } == set(READING)


def test_output_named_twice_is_refused_as_only_the_last_would_be_written():
    for words, command in every_command():
        for option in outputs(command):
            line = refused(*words, option, "a.csv", option, "b.txt")
            assert f"{option} names 2 outputs, a.csv, b.txt: name one" in line, words


@pytest.mark.parametrize(
    "name", long_but_first([name for name in READING if name not in NOTHING_READ], 3, 9)
)
def test_no_option_of_any_command_writes_over_what_it_reads(name, folder):
    """Each output is given the name of an input, and one output that of each input."""
    line = READING[name]
    furnish(folder, line)
    words = shlex.split(line.replace("#1", ""))
    inputs = [word for part in words for word in part.split() if (folder / word).is_file()]
    for word in words:
        within = sorted(
            name
            for name in everything(folder)
            if name.startswith(f"{word}/") and "/." not in name and not name.endswith(f"/{CARD}")
        )  # no command reads the card of an archive
        inputs += dict.fromkeys([*within[:1], *within[-1:]])
    command = dict(every_command())[tuple(name.split())]
    options = [option for option in outputs(command) if (name, option) not in FOLDERS]
    tried = {(option, inputs[0]) for option in options} | {(options[-1], word) for word in inputs}
    phrase = []
    for option, word in sorted(tried):
        needed = (
            ["-o", "new.out"]
            if any("-o" in each.opts and each.required for each in command.params)
            and option != "--output"
            else []
        )
        phrase.append(stays(folder, *shlex.split(line), *needed, option, word, message=""))
    assert name == "corpus" or any(
        "is read by this command" in each for each in phrase
    )  # a file is no folder for it


@pytest.mark.parametrize("line", long_but_first(MORE, 5))
def test_no_output_replaces_what_the_command_reads(line, folder):
    furnish(folder, line)
    stays(folder, *shlex.split(line))


@pytest.mark.parametrize("kind", ["symbolic", "hard", "folder"])
def test_an_input_is_known_under_every_name(kind, folder):
    other = folder / "other.html"
    if kind == "hard":
        os.link(folder / "in.sgf", other)
    else:
        try:
            other.symlink_to(
                folder if kind == "folder" else folder / "in.sgf",
                target_is_directory=kind == "folder",
            )
        except OSError:
            pytest.skip("no links here")
    written = "other.html/in.sgf" if kind == "folder" else "other.html"
    line = stays(folder, "compare", "in.xg", "in.sgf", "--html", written)
    assert "read by this command, as in.sgf" in line
    if kind != "folder":
        line = stays(folder, "compare", "in.xg", "other.html", "--html", "in.sgf")
        assert "read by this command, as other.html" in line


def test_what_is_read_from_standard_input_stays(folder):
    with (folder / "in.xg").open("rb") as content:
        words = [sys.executable, "-m", "reconcile", "stats", "-", "-o", "in.xg"]
        done = subprocess.run(words, stdin=content, capture_output=True, env=environment())
    assert (done.returncode, b"in.xg: is read by this command, as -" in done.stderr) == (2, True)
    assert (folder / "in.xg").read_bytes() == Path(XG).read_bytes()


def test_a_page_of_an_archive_s_folder_may_be_written_again(folder):
    """It lies beside matches and is none: only files that are read must stay."""
    (folder / "left" / "report.json").write_text("old")
    shutil.copy(SGF, folder / "left")
    assert run("compare", "left", "--json", "left/report.json").exit_code == 0
    assert (folder / "left" / "report.json").read_text("utf-8").startswith("{")


def test_a_zip_file_stays_whichever_member_is_read(folder):
    with zipfile.ZipFile(folder / "both.zip", "w") as archive:
        for member in ("left/a.xg", "right/a.sgf"):
            archive.write(folder / member, "a" + Path(member).suffix)
    stays(folder, "compare", "both.zip", "--json", "both.zip")


@pytest.mark.long
def test_a_summary_of_github_is_not_added_to_an_input(folder, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "in.sgf"))
    before = everything(folder)
    done = run("compare", "in.xg", "in.sgf", "--github", "--json", "new.json")
    assert (done.exit_code, "in.sgf: is read by this command" in done.stderr) == (2, True)
    assert everything(folder) == before
