"""Every task of the cookbook runs as it is printed, as a command and in Python, and both write the
same; the commands of the walk-through print what its pages show."""

import re
import runpy
import shutil
import subprocess
import sys

import pytest

import reconcile
from benchmarks import peers
from tests.support import walkthrough
from tests.support.command_line import run
from tests.support.cookbook import BEGINNING, PAGES, make_files, printed, search_path, shown, tasks
from tests.support.data import PROJECT
from tests.support.long import long_but_first

TASKS = [task for page in PAGES for task in tasks(page)]
CASES = [
    case
    for page in PAGES
    for case in long_but_first([pytest.param(task, id=task.title) for task in tasks(page)], 2)
]
SHOWN = [task.output for task in TASKS]
FEW = (
    "Get the PRs of a folder",
    "List the decisions in dispute",
    "Count it by rules of your own",
    "Use a match equity table of your own",
    "Hold your program to it in a test",
)
"""The programs that somebody writes first: ten lines of Python at most."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with every file that the pages name."""
    make_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", search_path(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    monkeypatch.delenv("RECONCILE_DATA", raising=False)
    return tmp_path


@pytest.mark.parametrize("task", CASES)
def test_both_forms_of_a_task_run_and_write_the_same(task, folder, capsys):
    if "open_archive" in task.python:
        pytest.importorskip("duckdb", reason="the archive needs the extra `corpus`")
        assert run("corpus", "matches", "-o", "tables").exit_code == 0
    before = set(folder.rglob("*"))
    output = shown(printed(task.sh))
    assert output == task.output or (task.output is None and (not output or output in SHOWN))
    written = {
        path: path.read_bytes()
        for path in set(folder.rglob("*")) - before
        if path.suffix in (".html", ".json") and path.is_file()
    }
    for path in written:
        path.unlink()
    if "tables" in task.python and "open_archive" not in task.python:
        shutil.rmtree(folder / "tables")
    (folder / "task.py").write_text(BEGINNING + task.python, "utf-8")
    if "def test_" in task.python:
        run_python("-m", "pytest", "-p", "no:cacheprovider", "-q", "task.py")
    elif "multiprocessing" in task.python:
        run_python("-W", "error", "task.py")
    else:
        runpy.run_path("task.py", run_name="__main__")
        assert capsys.readouterr().err == ""
    if "write_text" in task.python:
        assert {path: path.read_bytes() for path in written} == written


def run_python(*words):
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    return done.stdout


def test_pages_are_short_and_have_thirty_tasks():
    heads = [
        head
        for page in PAGES
        for head in re.findall(r"^## (.*)", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert heads == [task.title for task in TASKS]
    assert len(heads) >= 30
    lines = {task.title: sum(map(bool, task.python.splitlines())) for task in TASKS}
    assert max(lines[title] for title in FEW) <= 10


@pytest.mark.exhaustive
def test_tasks_and_every_public_name_are_typed(folder):
    """As in a program of somebody else that is checked strictly; a misspelt name is refused, or the
    comment would be one too many."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    names = [name for name in reconcile.__all__ if not name.startswith("_")]
    lines = [
        "import reconcile",
        *(f"reveal_type(reconcile.{name})" for name in names),
        "reconcile.comparee  # type: ignore[attr-defined]",
    ]
    (folder / "names.py").write_text("\n".join(lines), "utf-8")
    for number, task in enumerate(TASKS):
        (folder / f"task_{number}.py").write_text(BEGINNING + task.python, "utf-8")
    files = ["names.py", *(f"task_{number}.py" for number in range(len(TASKS)))]
    output = run_python("-m", "mypy", "--strict", "--ignore-missing-imports", *files)
    revealed = [line for line in output.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(names) > 20
    assert [line for line in revealed if '"Any"' in line] == []


@pytest.mark.long
@pytest.mark.skipif(
    None in (shutil.which("bash"), shutil.which("git")), reason="the commands are of bash and git"
)
def test_every_command_of_the_walk_through_prints_what_the_page_shows():
    page = walkthrough.all_pages()
    assert walkthrough.fresh(page) == page, "run `python -m tests.support.walkthrough`"


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="the commands are of bash")
def test_a_real_program_under_test_gives_what_the_walk_through_shows():
    peers.python()
    page = walkthrough.all_pages()
    assert walkthrough.fresh(page, walkthrough.PEER) == page
