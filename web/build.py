"""Builds the page without installation: `python -m web.build -o reconcile.html [--numpy WHEEL]
[--pyodide FOLDER] [--split DIR]`.

What goes in is pinned: Pyodide's files by the digests below, NumPy's wheel by the one in Pyodide's
own list. The same inputs give the same bytes. Everything is gzipped once, and the browser unpacks
it, so that a server or a mail that compresses again loses nothing.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import importlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

from reconcile.engines import sage
from reconcile.errors import ReconcileError
from reconcile.files.output import write, write_all
from reconcile.gap.tolerances import load_tolerances
from reconcile.language import LANGUAGES, language
from reconcile.match.met import equity_tables
from reconcile.report.html.look import digest, environment, messages, scripts
from reconcile.rules.rulesets import RULE_SETS
from web.inside import EXAMPLES

PYODIDE = "0.27.7"
PINNED = {
    "pyodide-lock.json": "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
}
"""The files of npm's `pyodide` and their SHA-256."""
NUMPY_FROM = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full/"
LIBRARIES = {
    "click": "click",
    "jinja2": "jinja2",
    "markupsafe": "markupsafe",
    "yaml": "pyyaml",
}
"""The pure Python packages inside, by module, and what their distributions are called."""
LARGEST_UPLOAD = 32 * 2**20
"""Bytes of all files; a match has some 100 KB, a long one 1 MB."""
MOST_FILES = 1000
LEFT_OUT = ("schemas", "starter_files", "__pycache__")
"""Folders of ours that nothing in a browser reads."""
SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""How an archive is unpacked; Python before 3.11.4 knows no filter."""
HERE = Path(__file__).parent
PROJECT = HERE.parent
LOCKED = PROJECT / ".ci" / "lock.txt"
EXECUTED = re.compile(r"<script>(.*?)</script>", re.DOTALL)


class CannotBuild(Exception):
    """The page cannot be built; the text says why and what to do."""


class Part(NamedTuple):
    """Something that the page loads."""

    name: str
    """As Pyodide asks for it, or as the page does."""
    content: bytes
    """Gzipped."""

    @property
    def file(self) -> str:
        """The name of its file in a folder, with a digest, so that browsers may keep it for
        ever."""
        stem, _, _ = self.name.rpartition(".")
        return f"{stem}-{hashlib.sha256(self.content).hexdigest()[:12]}.bin"


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what is asked for; an exit code."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if not asked.output and not asked.split:
        parser.error("say where to write the page: -o FILE, --split DIR, or both")
    try:
        parts = gathered(asked.numpy, asked.pyodide)
        for change in other_versions():
            print(f"web.build: {change}", file=sys.stderr)
        if asked.output:
            page = whole_page(parts)
            write(asked.output, page)
            print(f"wrote {asked.output}, {len(page.encode()) / 2**20:.1f} MB")
        if asked.split:
            write_all(
                (str(Path(asked.split, name)), content)
                for name, content in split_page(parts).items()
            )
            print(f"wrote {asked.split}/index.html")
    except CannotBuild as error:
        print(f"web.build: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m web.build", description=(__doc__ or "").partition("\n\n")[2]
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the page as one file, which needs no server"
    )
    parser.add_argument(
        "--split", metavar="DIR", help="write the page as a folder for a web server"
    )
    parser.add_argument(
        "--numpy",
        metavar="WHEEL",
        type=Path,
        help="NumPy's wheel for Pyodide (default: downloaded)",
    )
    parser.add_argument(
        "--pyodide",
        metavar="FOLDER",
        type=Path,
        help="the files of npm's package pyodide (default: by npm)",
    )
    return parser


def gathered(wheel: Path | None, folder: Path | None) -> list[Part]:
    """Everything that the page loads, checked against its digest. Raises `CannotBuild`."""
    with tempfile.TemporaryDirectory() as scratch:
        files = {
            name: checked(name, _read(path), PINNED[name])
            for name, path in _runtime(folder, Path(scratch)).items()
        }
    lock = json.loads(files["pyodide-lock.json"])
    numpy = lock["packages"]["numpy"]
    content = _read(wheel) if wheel else _downloaded(NUMPY_FROM + numpy["file_name"])
    results = {
        **files,
        "pyodide-lock.json": json.dumps({"info": lock["info"], "packages": {}}).encode(),
        "numpy.whl": checked(numpy["file_name"], content, numpy["sha256"]),
        "program.zip": program(),
        "networks.zip": networks(),
        "worker.js": (HERE / "worker.js").read_bytes(),
    }
    return [Part(name, gzip.compress(content, 9, mtime=0)) for name, content in results.items()]


def _runtime(folder: Path | None, scratch: Path) -> dict[str, Path]:
    """The files of Pyodide, by npm where no folder was given."""
    if folder is None:
        npm = shutil.which("npm")
        if npm is None:
            raise CannotBuild(
                "expected npm, which downloads Pyodide, found none; install it, or name a copy "
                "with --pyodide FOLDER"
            )
        asked = [npm, "pack", "--silent", f"pyodide@{PYODIDE}"]
        done = subprocess.run(  # noqa: S603
            asked,
            cwd=scratch,
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode:
            raise CannotBuild(
                f"npm could not download Pyodide: {' '.join(done.stderr.split())[-300:]}; name "
                f"a copy with --pyodide FOLDER"
            )
        shutil.unpack_archive(next(scratch.glob("*.tgz")), scratch, **SAFELY)
        folder = scratch / "package"
    return {name: folder / name for name in PINNED}


def checked(name: str, content: bytes, digest: str) -> bytes:
    """The content, if it has this SHA-256. Raises `CannotBuild`."""
    results = hashlib.sha256(content).hexdigest()
    if results != digest:
        raise CannotBuild(
            f"{name}: expected the SHA-256 {digest}, found {results}; get the file again"
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CannotBuild(f"{path}: cannot be read: {error.strerror}; check the path") from None


def _downloaded(address: str) -> bytes:
    try:
        # A fixed https address, and the digest is checked.
        with urlopen(address, timeout=60) as answer:  # noqa: S310
            return bytes(answer.read())
    except OSError as error:
        raise CannotBuild(
            f"{address}: cannot be downloaded: {error}; name a copy with --numpy WHEEL"
        ) from None


def program() -> bytes:
    """This package, what it imports and the examples, as one zip file."""
    return _packed((name, path.read_bytes()) for name, path in sorted(_program_files()))


def networks() -> bytes:
    """The engine's networks, held against their digest, as one zip file. Raises `CannotBuild`."""
    try:
        folder = sage.assets()
        contents = sage.weights(folder)
    except ReconcileError as error:
        raise CannotBuild(str(error)) from None
    names = (f"bgsage/_assets/{name}" for name in sage.WEIGHTS)
    return _packed(zip(names, contents, strict=True))


def _packed(members: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip file, not compressed, as the whole is afterwards."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name), content)
    return written.getvalue()


def _program_files() -> Iterator[tuple[str, Path]]:
    for module in LIBRARIES:
        folder = Path(str(importlib.import_module(module).__file__)).parent
        yield from (
            (path.relative_to(folder.parent).as_posix(), path) for path in folder.rglob("*.py")
        )
    ours = PROJECT / "reconcile"
    for path in ours.rglob("*"):
        if path.is_file() and not {*path.relative_to(ours).parts} & {*LEFT_OUT}:
            yield path.relative_to(PROJECT).as_posix(), path
    yield from ((f"web/{name}", HERE / name) for name in ("__init__.py", "inside.py", "zipped.py"))
    shared = {
        "tolerances.yaml",
        *(f"reference_matches/{name}" for names in EXAMPLES.values() for name in names),
    }
    yield from ((f"reconcile/data/{name}", PROJECT / name) for name in shared)


def other_versions() -> Iterator[str]:
    """What is installed in another version than the project's lock names."""
    locked = (
        dict(re.findall(r"(?m)^([a-z0-9_.-]+)==(\S+)", LOCKED.read_text("utf-8")))
        if LOCKED.exists()
        else {}
    )
    for name in LIBRARIES.values():
        if name in locked and locked[name] != version(name):
            yield (
                f"warning: expected {name} {locked[name]}, as .ci/lock.txt has it, found "
                f"{version(name)}, which is in the page"
            )


def whole_page(parts: Sequence[Part]) -> str:
    """The page as one file."""
    texts = (
        f'<script type="text/plain" '
        f'id="part-{part.name}">{base64.b64encode(part.content).decode()}</script>'
        for part in parts
    )
    return _page(parts, {}, "\n".join(texts), "'none'")


def split_page(parts: Sequence[Part]) -> dict[str, str | bytes]:
    """The page as files of a folder, by name."""
    page = _page(parts, {part.name: part.file for part in parts}, "", "'self'")
    return {"index.html": page, **{part.file: part.content for part in parts}}


def _frame(tongue: str, app: str) -> str:
    """What the page shows, in a language, with what its scripts say."""
    words = language(tongue).messages
    return (
        environment()
        .from_string((HERE / "frame.html.j2").read_text("utf-8"))
        .render(
            tongue=tongue,
            t={key.removeprefix("web."): words[key][0] for key in words if key.startswith("web.")},
            spoken=messages(("words", "page"), tongue, app),
            examples=EXAMPLES,
            most=LARGEST_UPLOAD,
            most_files=MOST_FILES,
            rules=[*RULE_SETS],
            tables=[*load_tolerances().tables],
            mets=equity_tables(),
        )
    )


def _page(parts: Sequence[Part], places: Mapping[str, str], contents: str, connect: str) -> str:
    app = (HERE / "page.js").read_text("utf-8")
    frame, *translated = (_frame(tongue, app) for tongue in LANGUAGES)
    values = {
        "title": language().messages["web.title"][0],
        "frame": frame,
        "frames": dict(zip(LANGUAGES[1:], translated, strict=True)),
        "sage": sage.RELEASE,
        "licence": sage.LICENCE.read_text("utf-8"),
        "css": (HERE / "page.css").read_text("utf-8"),
        "app": app,
        "parts": [
            {"name": part.name, "bytes": len(part.content), "at": places.get(part.name, "")}
            for part in parts
        ],
        "tongue": LANGUAGES[0],
        "pyodide": PYODIDE,
        "packages": ", ".join(
            ["NumPy", *(f"{name} {version(name)}" for name in LIBRARIES.values())]
        ),
    }
    template = environment().from_string((HERE / "page.html.j2").read_text("utf-8"))
    # The frame runs only what the page around it allows: the scripts of all pages.
    executed = {
        *EXECUTED.findall(template.render(**values, policy="", contents="")),
        *scripts().values(),
    }
    policy = (
        f"default-src 'none'; script-src {' '.join(sorted(map(digest, executed)))} "
        f"'wasm-unsafe-eval'; "
        "style-src 'unsafe-inline'; img-src data:; "
        f"worker-src blob:; frame-src blob:; connect-src {connect}; form-action 'none'; "
        f"base-uri 'none'"
    )
    return template.render(**values, policy=policy, contents=contents)


if __name__ == "__main__":
    sys.exit(main())
