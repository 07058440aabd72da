"""Bundled matches copied into two folders, and what comparing the folders makes of them."""

import shutil
from pathlib import Path

from reconcile.gap.folders import compare_folders
from tests.support.command_line import PACK, SGF, XG

NORA_XG, NORA = Path(XG), Path(SGF)
ALICE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ANN = PACK / "gnubg-11pt-cube-rich" / "ann-ben-11pt-cube-rich.sgf"


def put(folder, **files):
    """Copies under other names; `__` in a name is a folder, the ending is the file's own."""
    for name, path in files.items():
        target = folder / (name.replace("__", "/") + path.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)


def judged(left, right, **options):
    """The comparison of two folders."""
    return compare_folders(str(left), str(right), **options)


def partners(result):
    """Which file of the left was compared with which of the right."""
    return {match.files[0]: match.files[1] for match in result.matches}


def not_compared(result):
    """Which files were not compared, and why."""
    return {f"{file.side} {file.name}": file.why for file in result.leftovers}
