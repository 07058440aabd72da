"""Where results go: standard output for `-`, otherwise a file that is replaced completely or not at
all.

Several results of one run are written together: if one cannot be written, none is. A file that
the run reads is never written. A file that is replaced keeps its owner and mode; a link stays,
and what it leads to is replaced.
"""

from __future__ import annotations

import os
import re
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final
from unicodedata import combining, normalize

from reconcile.errors import ReconcileError, reason_of
from reconcile.files.inputs import Identity, identity, read_at
from reconcile.files.patience import opened
from reconcile.files.wording import printable

STANDARD: Final = "-"
Content = str | bytes | Iterator[str]
"""A whole, or its pieces, each of which is made when it is written."""
Output = tuple[str, Content]
"""A path or `-`, and the content to write there."""


class CannotWrite(ReconcileError):
    """An output file could not be written."""


def write(path: str, content: Content) -> None:
    """Write text or bytes to a file in one step, or to standard output. Raises `CannotWrite`."""
    write_all([(path, content)])


def write_all(outputs: Iterable[Output], appended: Iterable[Output] = ()) -> None:
    """Write every content to its path, all or none; `appended` is added to the end of files that
    others write to as well.

    Standard output comes last, so it stays empty if a file cannot be written. Raises
    `CannotWrite`.
    """
    outputs = list(outputs)
    staged = _Staged()
    try:
        for path, content in outputs:
            if path != STANDARD:
                staged.add(path, _bytes(content))
        for path, content in appended:
            staged.check(path, Path(os.path.realpath(path)))
            _append(path, b"".join(_bytes(content)))
        staged.commit()
    except BaseException:
        staged.drop()
        raise
    for path, content in outputs:
        if path == STANDARD:
            _print(content)


def check_not_read(path: str) -> None:
    """Raise `CannotWrite` if this file is one that the run reads."""
    if path != STANDARD and (name := read_at(path)) is not None:
        also = "" if name == path else f", as {name}"
        raise CannotWrite(
            f"is read by this command{also}, and would be lost; write to another file", path
        )


class _Staged:
    """Contents in temporary files beside their targets, until all of them are written."""

    def __init__(self) -> None:
        self.moves: list[tuple[str, Path, Path]] = []
        """Path as the user has it, temporary file, target."""
        self.streams: list[tuple[str, Path, Iterator[bytes]]] = []
        """Pipes and devices: nothing to replace, written when everything else is ready."""
        self.folders: list[Path] = []
        """Folders created for the files, outermost first."""
        self.targets: set[Path | Identity] = set()
        """Every target, also as the system knows it: two names may be of one file."""

    def check(self, path: str, target: Path) -> None:
        """Raise `CannotWrite` for a file that the run reads, or that an earlier output replaces."""
        check_not_read(path)
        names = {target, identity(target) or target}
        if names & self.targets:
            raise CannotWrite("named for two outputs; give each its own file", path)
        self.targets |= names

    def add(self, path: str, content: Iterator[bytes]) -> None:
        with _reported(path, "folder"):
            target = _target(path)
            if target.exists() and not target.is_file():
                self.streams.append((path, target, content))
                return
            self.check(path, target)
            _replaceable(path, target)
            for folder in reversed([parent for parent in target.parents if not parent.exists()]):
                folder.mkdir(exist_ok=True)
                self.folders.append(folder)
            handle, temporary = tempfile.mkstemp(
                ".unfinished", f".{target.name[:40]}.", target.parent
            )
        self.moves.append((path, Path(temporary), target))
        with _reported(path, "disk"):
            with os.fdopen(handle, "wb") as file:
                file.writelines(content)
                file.flush()
                os.fsync(file.fileno())
            _own(Path(temporary), target)

    def commit(self) -> None:
        for path, target, content in self.streams:
            with _reported(path, "disk"), opened(target, "wb") as stream:
                stream.writelines(content)
        while self.moves:
            path, temporary, target = self.moves[0]
            with _reported(path, "disk"):
                temporary.replace(target)
            del self.moves[0]
            self.folders.clear()

    def drop(self) -> None:
        for _, temporary, _ in self.moves:
            temporary.unlink(missing_ok=True)
        for folder in reversed(self.folders):
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def _reported(path: str, advice: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = reason_of(error)
        raise CannotWrite(f"cannot be written: {reason}; check the {advice}", path) from None


def _target(path: str) -> Path:
    """The file that is replaced: what a link leads to. Raises `CannotWrite`, `OSError`."""
    try:
        target = Path(path).resolve()
        if target.is_symlink():  # how Python 3.13 leaves a link to itself
            raise RuntimeError
    except RuntimeError:  # how Python 3.12 and older report one
        raise CannotWrite(
            "cannot be written: it is a link to itself; check the path", path
        ) from None
    except ValueError:
        raise CannotWrite(
            f"{path!r}: cannot be written: a null character in its name; check the path"
        ) from None
    if target.is_dir() or not path:
        raise CannotWrite("cannot be written: is a directory; name a file in it", path)
    return target


def _replaceable(path: str, target: Path) -> None:
    """Raise `CannotWrite` for a file of somebody else in a folder, like `/tmp`, in which only
    its owner may replace it."""
    if not hasattr(os, "geteuid") or not target.exists():
        return
    folder, us = target.parent.stat(), os.geteuid()
    if folder.st_mode & stat.S_ISVTX and us not in (0, folder.st_uid, target.stat().st_uid):
        raise CannotWrite(
            "cannot be written: it is somebody else's, and only they may replace it in this "
            "folder; choose another name",
            path,
        )


def _own(fresh: Path, target: Path) -> None:
    """Give a new file the owner and mode of the one that it replaces, or the mode of any new
    file."""
    try:
        old = target.stat()
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        fresh.chmod(0o666 & ~mask)
        return
    mode = stat.S_IMODE(old.st_mode)
    mode &= ~(
        stat.S_ISUID | (stat.S_ISGID if mode & stat.S_IXGRP else 0)
    )  # what was allowed to run with their rights has another content
    if hasattr(os, "chown"):
        for user, group in ((-1, old.st_gid), (old.st_uid, -1)):
            try:
                os.chown(fresh, user, group)
            except PermissionError:
                # Of somebody else, in a folder that we may write to: what their group may do is
                # not for ours.
                mode &= 0o777 if group == -1 else 0o707
    fresh.chmod(mode)


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
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check where it goes", name
        ) from None


def legal_stem(text: str) -> str:
    """A file name without extension that every system allows: plain letters, digits, hyphens, no
    device name of Windows."""
    plain = "".join(
        letter for letter in normalize("NFKD", text.casefold()) if not combining(letter)
    )
    stem = re.sub("[^a-z0-9_]+", "-", plain).strip("-") or "match"
    return f"{stem}-" if re.fullmatch("con|prn|aux|nul|com[0-9]|lpt[0-9]", stem) else stem


def _append(path: str, content: bytes) -> None:
    try:
        with opened(path, "ab") as file:
            file.write(content)
    except OSError as error:
        raise CannotWrite(f"cannot be added to: {reason_of(error)}; check the path", path) from None


def _print(content: Content) -> None:
    # As in a file: UTF-8, whatever encoding the console uses.
    with standard("standard output"):
        sys.stdout.flush()
        for piece in _bytes(content):
            sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def _bytes(content: Content) -> Iterator[bytes]:
    """The pieces of a content, text in UTF-8 with control characters shown."""
    for piece in (content,) if isinstance(content, (str, bytes)) else content:
        yield printable(piece).encode() if isinstance(piece, str) else piece
