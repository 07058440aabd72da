"""Every task of the cookbook runs as it is printed, as a command and in Python, and both write the same."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import reconcile
from tests.match.met.table_files import GOOD
from tests.support.command_line import run
from tests.support.data import PROJECT
from tests.support.long import long_but_first

PAGES: Final = sorted((PROJECT / "docs" / "cookbook").glob("*.md"))
TASK: Final = re.compile(
    r"^## (.+)\n\n```sh\n(.+)\n```\n\n```python\n((?:.*\n)+?)```$", re.MULTILINE
)
TASKS: Final = [
    task
    for page in PAGES
    for task in long_but_first(
        (
            pytest.param(sh, python, id=f"{page.stem}: {title}")
            for title, sh, python in TASK.findall(page.read_text("utf-8"))
        ),
        2,
    )
]
FEW: Final = {
    "Get the PRs of a folder": 6,
    "List the decisions in dispute": 6,
    "Count it by rules of your own": 6,
    "Use a match equity table of your own": 6,
    "Hold your program to it in a test": 6,
}
"""The programs that somebody writes first, and the lines of code that they may take."""
PROGRAM: Final = f"""#!{sys.executable}
import json, sys
import reconcile
scored = reconcile.statistics(reconcile.load_match(sys.argv[1]))
players = dict(zip(scored.match.players, (scored.figures(seat) for seat in (0, 1))))
print(json.dumps({{"schema_version": 1, "matches": [{{"players": players}}]}}))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the pages name."""
    files = reconcile.samples()
    match, other = files["nora-lindqvist-tomas-beck.xg"], files["nora-lindqvist-tomas-beck.sgf"]
    for name, source in {
        "match.xg": match, "match.sgf": other, "other.sgf": other, "matches/a.xg": match, "matches/b.sgf": files["alice-bob-3pt-2ply.sgf"],
        "left/a.xg": match, "right/a.xg": match, "left/b.xg": match, "right/b.xg": match, "mine.xg": match,
        "tolerances.yaml": PROJECT / "tolerances.yaml",
    }.items():  # fmt: skip
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(source, tmp_path / name)
    shutil.copytree(
        PROJECT / "reference_matches" / "gnubg-3pt-2ply", tmp_path / "pack" / "gnubg-3pt-2ply"
    )
    (tmp_path / "mine.yaml").write_text(
        "schema_version: 1\ntitle: Mine\nextends: xg\nanswers: {Q02: gnubg}\n"
    )
    (tmp_path / "mine.xml").write_text(GOOD)
    (tmp_path / "names.yaml").write_text(
        'schema_version: 1\nplayers: {"Nora Lindqvist": ["N. Lindqvist"]}\n'
    )
    (tmp_path / "prog").write_text(PROGRAM)
    (tmp_path / "prog").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(
        "PATH",
        os.pathsep.join((str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"])),
    )
    monkeypatch.setenv("PYTHONPATH", str(PROJECT))
    return tmp_path


@pytest.mark.parametrize(("sh", "python"), TASKS)
def test_both_forms_of_a_task_run_and_write_the_same(
    sh: str, python: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if "open_archive" in python:
        pytest.importorskip("duckdb", reason="the archive needs the extra `corpus`")
        assert run("corpus", "matches", "-o", "tables").exit_code == 0
    words, _, given = sh.partition(" < ")
    before = set(folder.rglob("*"))
    done = run(*shlex.split(words)[1:], stdin=Path(given).read_bytes() if given else b"")
    assert done.exit_code in (0, 1), done.output
    written = {
        path: path.read_bytes()
        for path in set(folder.rglob("*")) - before
        if path.suffix in (".html", ".json") and path.is_file()
    }
    (folder / "task.py").write_text(python, "utf-8")
    for path in written:
        path.unlink()
    if "tables" in python and "open_archive" not in python:
        shutil.rmtree(folder / "tables")
    if "def test_" in python or "multiprocessing" in python:
        runner = (
            ["-m", "pytest", "-p", "no:cacheprovider", "-q"]
            if "def test_" in python
            else ["-W", "error"]
        )
        task = subprocess.run(
            [sys.executable, *runner, "task.py"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (task.returncode, task.stderr) == (0, ""), task.stdout
    else:
        runpy.run_path("task.py", run_name="__main__")
        assert capsys.readouterr().err == ""
    assert {path: path.read_bytes() for path in written if "write_text" in python} == (
        written if "write_text" in python else {}
    )


def test_pages_are_short_and_have_thirty_tasks() -> None:
    assert len(TASKS) >= 30
    for page in PAGES:
        text = page.read_text("utf-8")
        assert text.count("\n## ") == len(TASK.findall(text))
        assert len(text.splitlines()) <= 150
    lines = {
        str(one.id).partition(": ")[2]: [
            line for line in str(one.values[1]).splitlines() if line.strip()
        ]
        for one in TASKS
    }
    assert {title: len(lines[title]) <= most for title, most in FEW.items()} == dict.fromkeys(
        FEW, True
    )


@pytest.mark.exhaustive
def test_tasks_and_every_public_name_are_typed(folder: Path) -> None:
    """As in a program of somebody else that is checked strictly; a misspelt name is refused, or the comment would be one too many."""
    pytest.importorskip("mypy", reason="mypy is not installed")
    names = [name for name in reconcile.__all__ if not name.startswith("_")]
    lines = [
        "import reconcile",
        *(f"reveal_type(reconcile.{name})" for name in names),
        "reconcile.comparee  # type: ignore[attr-defined]",
    ]
    (folder / "names.py").write_text("\n".join(lines), "utf-8")
    for number, one in enumerate(TASKS):
        (folder / f"task_{number}.py").write_text(str(one.values[1]), "utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "names.py"]
    words += [f"task_{number}.py" for number in range(len(TASKS))]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    revealed = [line for line in done.stdout.splitlines() if "Revealed type is" in line]
    assert len(revealed) == len(names) > 20
    assert [line for line in revealed if '"Any"' in line] == []
