"""What Python does in the page: a question in, the command that answers it run over files in a
folder, and what the page shows out.

Nothing here reads a match or words a result: the command line does, so that what is saved is what
it writes.
"""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final

from reconcile.errors import ReconcileError
from reconcile.files.bundled import bundled
from reconcile.files.wording import plural
from reconcile.files.zipped import MAGIC, zipped_files
from reconcile.formats import load_match
from reconcile.gap.folders import File, chosen_matches
from reconcile.match.match import fingerprint
from reconcile.serve.offered import EXAMPLES, FIGURES

PASTED: Final = "pasted.txt"
OUTPUTS: Final = {"html": "--html", "json": "--json", "md": "--markdown"}
RESULT: Final = ".result/page"
"""Without its ending; in a folder of its own, for files may have any name."""
EVERYTHING: Final = (
    *("numpy.random", "yaml", "reconcile.formats.xg", "reconcile.formats.gnubg"),
    *("reconcile.files.yaml_file", "reconcile.scoring.statistics", "reconcile.gap.review"),
    *("reconcile.gap.comparison", "reconcile.gap.contributions", "reconcile.gap.review"),
    *("reconcile.cli.compare", "reconcile.cli.stats", "reconcile.report.forms"),
    *("reconcile.report.text.comparison", "reconcile.report.ledger_file"),
    *("reconcile.report.html.page", "reconcile.report.html.many"),
)
"""The modules that commands import when they run."""
PROGRAM: Final = "reconcile"
ELSEWHERE: Final = "a browser cannot read this, for want of {}; install the program and run:"


def answer(question: str) -> str:
    """Answer a question in the current folder, both as JSON. The folder has the question's files.

    The answer has the `files`, a `sentence` and, unless it `failed`, the `path` of what to save,
    the `pages` where that is a folder, and the `players`.
    """
    asked = json.loads(question)
    try:
        matches, notes = chosen(asked["files"]) if asked["kind"] == "open" else ([], [])
    except ReconcileError as error:
        return json.dumps({"files": asked["files"], "failed": True, "sentence": str(error)})
    if len(matches) > 1:
        return json.dumps(_several(asked, matches, notes))
    if matches:
        asked["files"] = matches[0]
    answered = _answered(asked, f"{RESULT}.{asked.get('form', 'html')}")
    return json.dumps(answered | {"sentence": " ".join([answered["sentence"], *notes])})


def _answered(asked: dict[str, Any], target: str) -> dict[str, Any]:
    """What a command writes at a target."""
    results: list[Any] = []
    code, printed, complained = run(words(asked, target), results)
    if code not in (0, 1) or not Path(target).exists():
        complaint = next(
            (line for line in complained.splitlines() if line.startswith(f"{PROGRAM}: ")),
            complained,
        )
        sentence = _line(complaint.removeprefix(f"{PROGRAM}: "))
        return {"files": asked["files"], "failed": True, "sentence": sentence}
    return {
        "files": asked["files"],
        "sentence": _first_sentence(results, printed),
        "players": _players(results),
        "path": target,
        "pages": [],
    }


def _several(asked: dict[str, Any], matches: list[list[str]], notes: list[str]) -> dict[str, Any]:
    """A page for each match, all of them in one zip file."""
    form = asked.get("form", "html")
    folder = Path(f"{RESULT}.{form}")
    folder.mkdir(parents=True)
    outcome = []
    for number, files in enumerate(matches, 1):
        target = folder / f"{number:03}-{Path(files[0]).stem}.{form}"
        answered = _answered(asked | {"files": files}, str(target))
        if "failed" in answered:
            notes.append(answered["sentence"])
        else:
            outcome.append(answered)
    if not outcome:
        return {"files": asked["files"], "failed": True, "sentence": " ".join(notes)}
    pages = sorted(path.name for path in folder.iterdir())
    with zipfile.ZipFile(f"{RESULT}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name in pages:
            archive.writestr(
                zipfile.ZipInfo(name), (folder / name).read_bytes(), zipfile.ZIP_DEFLATED
            )
    sentence = " ".join([f"{plural(len(outcome), 'match', 'matches')}.", *notes])
    return outcome[0] | {
        "files": asked["files"],
        "sentence": sentence,
        "path": f"{RESULT}.zip",
        "pages": pages,
    }


def chosen(names: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """By match the files that are compared, and what is left aside; no match where the command has
    to say what is wrong."""
    paths, files, notes = [path for name in names for path in _unzipped(name)], [], []
    for path in paths if len(paths) > 1 else ():
        try:
            match = load_match(path)
        except ModuleNotFoundError:
            return [], []
        except ReconcileError as error:
            notes.append(f"{path} was left out: {error.apart_from(path)}.")
            continue
        files.append(File(path, match, fingerprint(match)))
    matches = list(chosen_matches(files))
    notes += [note for match in matches for note in match.notes]
    return [[file.name for file in match.files] for match in matches] or [list(paths)], notes


def _unzipped(name: str) -> Iterator[str]:
    """The file, or those of a zip file, which are written beside it; hidden ones are left aside."""
    content = Path(name).read_bytes()
    if not content.startswith(MAGIC):
        yield name
        return
    for member, unpacked in zipped_files(name, content):
        path = Path(f"{name} files", member)
        if not path.name.startswith("."):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(unpacked)
            yield str(path)


def example(name: str) -> list[str]:
    """Put the files of an example into the current folder; their names."""
    for path in EXAMPLES[name].files:
        shutil.copyfile(bundled("reference_matches") / path, Path(path).name)
    return [Path(path).name for path in EXAMPLES[name].files]


def warm() -> Iterator[None]:
    """Import what an answer needs, piece by piece, while nobody has asked yet."""
    for name in EVERYTHING:
        import_module(name)
        yield
    from reconcile.report.html.render import environment

    for template in ("review", "expert_pair", "expert_one"):
        environment().get_template(f"{template}.html.j2")
        yield


def words(asked: dict[str, Any], path: str = f"{RESULT}.html") -> list[str]:
    """The words of the command that answers a question at a path."""
    files = [name if not name.startswith("-") else f"./{name}" for name in asked["files"]]
    target = [OUTPUTS[asked.get("form", "html")], path]
    fields = {name: text.strip() for name, text in asked.get("fields", {}).items() if text.strip()}
    if asked["kind"] == "investigate":
        options = [
            word
            for name in FIGURES
            if name in fields
            for word in ("--reported", f"{name}={fields[name]}")
        ]
        options += [
            word
            for name in ("player", "game")
            if name in fields
            for word in (f"--{name}", fields[name])
        ]
        if "paste" in fields:
            Path(PASTED).write_text(asked["fields"]["paste"], encoding="utf-8")
            options += ["--paste", PASTED]
        return ["investigate", *files[:1], *options, *target]
    if len(files) > 1:
        return ["compare", *files, *target]
    return [
        "stats",
        *files,
        *(["--format", "json", "--output", target[1]] if target[0] == "--json" else target),
    ]


def run(args: Sequence[str], results: list[Any]) -> tuple[int, str, str]:
    """Run a command: its exit code and what it printed on both streams. What it found is added to
    `results`."""
    from reconcile.cli import main
    from reconcile.report import forms

    def watched(result: object, form: str, *needs: object, **options: object) -> Any:
        results.append(result)
        return in_form(result, form, *needs, **options)

    in_form = forms.in_form
    out, err = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    forms.in_form = watched
    code = 0
    try:
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main.main([*args], prog_name=PROGRAM)
            except SystemExit as ended:
                code = ended.code if isinstance(ended.code, int) else 2
            except ModuleNotFoundError as error:
                print(
                    f"{PROGRAM}: {ELSEWHERE.format(error.name)} {PROGRAM} {' '.join(args)}",
                    file=sys.stderr,
                )
                code = 2
            except Exception as error:
                print(
                    f"{PROGRAM}: this is a bug, please report it: {type(error).__name__}: {error}",
                    file=sys.stderr,
                )
                code = 70
    finally:
        forms.in_form = in_form
    return code, _text(out), _text(err)


def _first_sentence(results: Sequence[Any], printed: str) -> str:
    """The first headline of what was found; where there is none, the first line of what the command
    printed."""
    from reconcile.gap.comparison import Comparison
    from reconcile.gap.explanation import story
    from reconcile.gap.review import Review, review_story

    for result in results:
        if isinstance(result, Review):
            return next(review_story(result))
        if isinstance(result, Comparison):
            return next(story(result))
    return _line(printed)


def _players(results: Sequence[Any]) -> tuple[str, ...]:
    """The players of the first file, as far as the result knows them."""
    for result in results:
        matches = getattr(result, "matches", ()) or [
            result.match for result in getattr(result, "statistics", ())
        ]
        if matches:
            return tuple(matches[0].players)
    return ()


def _line(text: str) -> str:
    """The first line of a text that is not empty."""
    return next(filter(None, map(str.strip, text.splitlines())), "")


def _text(stream: TextIOWrapper) -> str:
    content: bytes = stream.buffer.getvalue()  # type: ignore[attr-defined]
    return content.decode("utf-8", "replace")
