"""Where results go: standard output for `-`, otherwise a file that is replaced completely or not at
all.

Several results of one run are written together: if one cannot be written, none is. A file that
the run reads is never written. A file that is replaced keeps its owner and mode; a link stays,
and what it leads to is replaced.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from unicodedata import combining, normalize

from reconcile.errors import ReconcileError, reason_of
from reconcile.files.inputs import Identity, identity, opened, read_at
from reconcile.wording import printable

STANDARD = "-"
Content = str | bytes | Iterator[str]
"""A whole, or its pieces, each of which is made when it is written."""
Output = tuple[str, Content]
"""A path or `-`, and the content to write there."""


class CannotWrite(ReconcileError):
    """An output file could not be written."""


def write(path: str, content: Content, inputs: Iterable[str] = ()) -> None:
    """Write text or bytes to a file in one step, or to standard output; none of the `inputs` is
    replaced. Raises `CannotWrite`."""
    write_all([(path, content)], inputs=inputs)


def write_all(
    outputs: Iterable[Output], appended: Iterable[Output] = (), inputs: Iterable[str] = ()
) -> None:
    """Write every content to its path, all or none; `appended` is added to the end of files that
    others write to as well. None of the `inputs` is replaced; they are gone through once for every
    output.

    Standard output comes last, so it stays empty if a file cannot be written. Raises
    `CannotWrite`.
    """
    printed, streams, moves = list[Content](), list[Output](), list[tuple[str, Path, Path]]()
    targets: set[Path | Identity] = set()
    with ExitStack() as undone:
        for path, content in outputs:
            if path == STANDARD:
                printed.append(content)
            elif (target := _target(path)).exists() and not target.is_file():
                streams.append((path, content))  # nothing to replace
            else:
                _check(path, target, targets, inputs)
                moves.append((path, _staged(path, target, content, undone), target))
        for path, content in appended:
            _check(path, Path(os.path.realpath(path)), targets, inputs)
            with _reported(path, "path", "added to"), opened(path, "ab") as file:
                file.writelines(_bytes(content))
        for path, content in streams:
            with _reported(path, "disk"), opened(path, "wb") as file:
                file.writelines(_bytes(content))
        for path, temporary, target in moves:
            with _reported(path, "disk"):
                temporary.replace(target)
    for content in printed:
        with standard("standard output"):
            sys.stdout.flush()
            # As in a file: UTF-8, whatever encoding the console uses.
            sys.stdout.buffer.writelines(_bytes(content))
            sys.stdout.buffer.flush()


def check_place(path: str) -> None:
    """Raise `CannotWrite` if more than the folder of an output is missing: only that is made.

    Object storage has no folders.
    """
    parents = map(str, Path(path).parents)
    # A Path raises for a name that is too long.
    missing = [folder for folder in parents if not os.path.exists(folder)]  # noqa: PTH110
    if len(missing) > 1 and not path.startswith("s3://"):
        raise CannotWrite(
            f"cannot be written: there is no folder {missing[-1]}; check the path, or make it", path
        )


def check_not_read(path: str, inputs: Iterable[str]) -> None:
    """Raise `CannotWrite` if this file is one that the run reads."""
    if path != STANDARD and (name := read_at(path, inputs)) is not None:
        also = "" if name == path else f", as {name}"
        raise CannotWrite(
            f"is read by this command{also}, and would be lost; write to another file", path
        )


def _check(path: str, target: Path, targets: set[Path | Identity], inputs: Iterable[str]) -> None:
    """Raise `CannotWrite` for a file that the run reads, or that an earlier output replaces."""
    check_not_read(path, inputs)
    names = {target, identity(target) or target}  # two names may be of one file
    if names & targets:
        raise CannotWrite("named for two outputs; give each its own file", path)
    targets |= names


def _target(path: str) -> Path:
    """The file that is replaced: what a link leads to. Raises `CannotWrite`."""
    try:
        with _reported(path, "folder"):
            target = Path(path).resolve()
            if target.is_symlink():  # how Python 3.13 leaves a link to itself
                raise RuntimeError
    except (RuntimeError, ValueError):
        reason = "a null character in its name, or a link to itself"
        raise CannotWrite(f"cannot be written: {reason}; check the path", path) from None
    if target.is_dir() or not path:
        raise CannotWrite("cannot be written: is a directory; name a file in it", path)
    return target


def _staged(path: str, target: Path, content: Content, undone: ExitStack) -> Path:
    """The content in a temporary file beside its target; `undone` removes what is left of it, and
    folders that were created for it and stayed empty."""
    from tempfile import mkstemp  # which few runs need

    with _reported(path, "folder"):
        for folder in reversed([parent for parent in target.parents if not parent.exists()]):
            folder.mkdir(exist_ok=True)
            undone.callback(_removed, folder)
        handle, name = mkstemp(".unfinished", f".{target.name[:40]}.", target.parent)
    temporary = Path(name)
    undone.callback(temporary.unlink, missing_ok=True)
    with _reported(path, "disk"):
        with os.fdopen(handle, "wb") as file:
            file.writelines(_bytes(content))
            file.flush()
            os.fsync(file.fileno())
        _own(temporary, target)
    return temporary


def _removed(folder: Path) -> None:
    with suppress(OSError):  # it is not empty
        folder.rmdir()


def _own(fresh: Path, target: Path) -> None:
    """Give a new file the owner and mode of the one that it replaces, without their rights when it
    runs, or the mode of any new file."""
    mask = os.umask(0)
    os.umask(mask)
    mode = 0o666 & ~mask
    if target.exists():
        old = target.stat()
        mode = old.st_mode & 0o777
        try:
            if hasattr(os, "chown"):
                os.chown(fresh, old.st_uid, old.st_gid)
        except PermissionError:  # what their group may do is not for ours
            mode &= 0o707
    fresh.chmod(mode)


@contextmanager
def _reported(path: str, advice: str, doing: str = "written") -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        text = f"cannot be {doing}: {reason_of(error)}; check the {advice}"
        raise CannotWrite(text, path) from None


@contextmanager
def standard(name: str) -> Iterator[None]:
    """What is written to a standard stream in here raises `CannotWrite` if the stream is full or
    closed, and nothing later.

    A pipe that nobody reads any more raises `BrokenPipeError`, which ends a program as a shell
    expects.
    """
    try:
        yield
    except OSError as error:
        stream = sys.stdout if name == "standard output" else sys.stderr
        with suppress(OSError, ValueError):  # or Python would try again, and complain, when it ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if isinstance(error, BrokenPipeError):
            raise
        text = f"cannot be written: {reason_of(error)}; check where it goes"
        raise CannotWrite(text, name) from None


def legal_stem(text: str) -> str:
    """A file name without extension that every system allows: plain letters, digits, hyphens, no
    device name of Windows."""
    plain = "".join(
        letter for letter in normalize("NFKD", text.casefold()) if not combining(letter)
    )
    stem = re.sub("[^a-z0-9_]+", "-", plain).strip("-") or "match"
    return f"{stem}-" if re.fullmatch("con|prn|aux|nul|com[0-9]|lpt[0-9]", stem) else stem


def _bytes(content: Content) -> Iterator[bytes]:
    """The pieces of a content, text in UTF-8 with control characters shown."""
    for piece in (content,) if isinstance(content, (str, bytes)) else content:
        yield printable(piece).encode() if isinstance(piece, str) else piece
