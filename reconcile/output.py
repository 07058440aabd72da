"""Where results go: standard output for `-`, otherwise a file that is either the old one or the whole new one."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from reconcile.errors import ReconcileError

STANDARD: Final = "-"


class CannotWrite(ReconcileError):
    """An output file could not be written."""


def write(path: str, content: str | bytes) -> None:
    """Write text or bytes to a file in one step, or to standard output. Raises `CannotWrite`."""
    if path != STANDARD:
        _replace(path, content.encode() if isinstance(content, str) else content)
    elif isinstance(content, str):
        sys.stdout.write(content)
    else:
        sys.stdout.buffer.write(content)


def _replace(path: str, content: bytes) -> None:
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    except OSError as error:
        raise CannotWrite(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}; check the folder") from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(target)
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise CannotWrite(f"{path}: cannot be written: {(error.strerror or str(error)).lower()}; check the disk") from None
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_all(outputs: Iterable[tuple[str, str | bytes]]) -> None:
    """Write contents to their paths, standard output last: nothing stands there when a file cannot be written."""
    for path, content in sorted(outputs, key=lambda output: output[0] == STANDARD):
        write(path, content)
