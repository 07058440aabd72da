"""Bundled matches copied into two folders, and what comparing the folders makes of them."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from reconcile.gap.folders import FolderResult, compare_folders
from tests.support.command_line import PACK, SGF, XG

NORA_XG, NORA = Path(XG), Path(SGF)
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"


def put(folder: Path, **files: Path) -> None:
    """Copies under other names; `__` in a name is a folder, the ending is the file's own."""
    for name, path in files.items():
        target = folder / (name.replace("__", "/") + path.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def judged(left: Path, right: Path, **options: Any) -> FolderResult:
    """The comparison of two folders."""
    return compare_folders(str(left), str(right), **options)


def partners(result: FolderResult) -> dict[str, str]:
    """Which file of the left was compared with which of the right."""
    return {match.files[0]: match.files[1] for match in result.matches}


def not_compared(result: FolderResult) -> dict[str, str]:
    """Which files were not compared, and why."""
    return {f"{file.side} {file.name}": file.why for file in result.leftovers}
