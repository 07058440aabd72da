"""What Python does in the page: a question in, its files from the current folder, and what the page
shows out.

Nothing here reads a match or words a result: what the local page does is done here too, so that
what is saved is what the commands write.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, Final

from reconcile.errors import ReconcileError

RESULT: Final = ".result/page"
"""Without its ending; in a folder of its own, for files may have any name."""
EVERYTHING: Final = (
    *("numpy.random", "yaml", "reconcile.formats.xg", "reconcile.formats.gnubg"),
    *("reconcile.files.yaml_file", "reconcile.scoring.statistics", "reconcile.gap.comparison"),
    *("reconcile.gap.contributions", "reconcile.gap.review", "reconcile.report.forms"),
    *("reconcile.report.html.page", "reconcile.report.html.many", "reconcile.serve.work"),
)
"""The modules that an answer imports."""


def answer(question: str) -> str:
    """Answer a question in the current folder, both as JSON. The folder has the question's files.

    The answer has the `files`, a `sentence` and, unless it `failed`, the `path` of what to save,
    the `pages` where that is a folder, and the `players`.
    """
    asked = json.loads(question)
    try:
        shown = _answered(asked)
    except ReconcileError as error:
        shown = {"failed": True, "sentence": " ".join(str(error).split())}
    except ModuleNotFoundError as error:
        command = "compare" if len(asked["files"]) > 1 else "stats"
        shown = {
            "failed": True,
            "sentence": f"a browser cannot read this, for want of {error.name}; install the "
            f"program and run: reconcile {command} {' '.join(asked['files'])}",
        }
    except Exception as error:
        text = f"this is a bug, please report it: {type(error).__name__}: {error}"
        shown = {"failed": True, "sentence": " ".join(text.split())}
    return json.dumps({"files": asked["files"]} | shown)


def _answered(asked: dict[str, Any]) -> dict[str, Any]:
    from reconcile.serve.work import Task, run

    form, kind = asked.get("form", "html"), asked["kind"]
    names = asked["files"][: 1 if kind == "investigate" else None]
    files = tuple((name, Path(name).read_bytes()) for name in names)
    result = run(Task(kind, files, asked.get("fields", {}), form))
    target = Path(f"{RESULT}.{form}")
    target.parent.mkdir(exist_ok=True)
    pages: list[str] = []
    if result.parts:
        target.mkdir()
        for number, part in enumerate(result.parts, 1):
            stem = PurePosixPath(part.task.files[0][0]).stem
            pages.append(f"{number:03}-{stem}.{form}")
            (target / pages[-1]).write_text(part.content, "utf-8")
        target = target.with_suffix(".zip")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, part in zip(pages, result.parts, strict=True):
                archive.writestr(zipfile.ZipInfo(name), part.content, zipfile.ZIP_DEFLATED)
    else:
        target.write_text(result.content, "utf-8")
    first = result.parts[0] if result.parts else result
    title = f"{result.title}." if result.parts else result.title
    notes = [note for part in (result, *result.parts) for note in part.notes]
    return {
        "files": [name for name, _ in result.task.files] or asked["files"],
        "sentence": " ".join([title, *notes]),
        "players": first.players,
        "path": str(target),
        "pages": pages,
    }


def example(name: str) -> list[str]:
    """Put the files of an example into the current folder; their names."""
    from reconcile.serve.work import example as files_of

    for path, content in files_of(name):
        Path(path).write_bytes(content)
    return [path for path, _ in files_of(name)]


def warm() -> Iterator[None]:
    """Import what an answer needs, piece by piece, while nobody has asked yet."""
    for name in EVERYTHING:
        import_module(name)
        yield
    from reconcile.report.html.render import environment

    for template in ("review", "expert_pair", "expert_one"):
        environment().get_template(f"{template}.html.j2")
        yield
