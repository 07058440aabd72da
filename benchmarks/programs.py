"""Probes the programs that can be run here, for the matrix of programs in the documentation.

    python -m benchmarks.programs

writes what `reconcile probe --json` finds of GammonView (from PyPI, in an environment of its own) and gnuBG to `docs/programs.json`, with
version and day. A program that is not available keeps its entry.
"""

from __future__ import annotations

import json
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks import peers
from reconcile.engines.gnubg import find
from reconcile.errors import EngineError
from reconcile.probe.documents import probe_document
from reconcile.probe.probe import probe

KEPT: Final = Path(__file__).parents[1] / "docs" / "programs.json"
CANDIDATES: Final = Path(__file__).parent / "candidates"


def command(interpreter: Path | str, script: str) -> str:
    """What `--candidate-command` is given to run a script."""
    return shlex.join([str(interpreter), str(CANDIDATES / script), "{file}"])


def gammonview() -> dict[str, Any]:
    """GammonView, by its own totals of `.xg` files. Raises `NoPeer`."""
    return _probed("GammonView", peers.GAMMONVIEW.partition("==")[2], command(peers.python(), "gammonview.py"), "xg")


def gnubg() -> dict[str, Any]:
    """The gnuBG that is installed, by its own statistics of `.sgf` files. Raises `EngineError`."""
    return _probed("GNU Backgammon", find().version, command(sys.executable, "gnubg.py"), "sgf")


def _probed(program: str, version: str, candidate: str, form: str) -> dict[str, Any]:
    found = probe_document(probe(candidate, form=form))
    kept = {name: found[name] for name in ("format", "answers", "borders", "nearest", "differing")}
    return {"program": program, "version": version, "probed": datetime.now(UTC).date().isoformat(), **kept}


def main() -> None:
    """Probe what is available, and keep what was found."""
    found = {one["program"]: one for one in json.loads(KEPT.read_text("utf-8"))} if KEPT.exists() else {}
    for ask in (gnubg, gammonview):
        try:
            one = ask()
        except (peers.NoPeer, EngineError) as missing:
            print(f"{ask.__name__}: {missing}", file=sys.stderr)
            continue
        found[one["program"]] = one
    KEPT.write_text(json.dumps([*found.values()], indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
