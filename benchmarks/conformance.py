"""Runs the conformance suite on the programs that can be run here, for the matrix in the documentation.

    python -m benchmarks.conformance

writes what came of it to `docs/suite.json`. A program that is not available keeps its entry.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks import peers
from reconcile.suite.documents import document_of
from reconcile.suite.run import CRASHED, FAILED, PASSED, Ran, run

PROJECT: Final = Path(__file__).parents[1]
KEPT: Final = PROJECT / "docs" / "suite.json"
HARNESSES: Final = PROJECT / "harnesses"


def harness(interpreter: Path | str, script: str, *arguments: str) -> str:
    """What `--harness` is given to run one of ours."""
    return shlex.join([str(interpreter), str(HARNESSES / script), *arguments])


def summary(ran: Ran, day: str) -> dict[str, Any]:
    """What is kept of a run: how many cases of each area passed, and the others with what was wrong."""
    areas: dict[str, list[int]] = {}
    for one in ran.asked:
        counts = areas.setdefault(one.case.area, [0, 0])
        counts[0] += ran.statuses[one.case.id] == PASSED
        counts[1] += ran.statuses[one.case.id] != "unsupported"
    found = document_of(ran)
    others = {one.id: "; ".join(one.why()) for one in found.cases if one.status in (FAILED, CRASHED)}
    faults = [{"code": one.code, "sentence": one.sentence} for one in found.diagnosis.faults]
    return {
        "program": ran.program,
        "version": ran.version,
        "rules": ran.rules.name,
        "date": day,
        "areas": areas,
        "others": others,
        "faults": faults,
    }


def main() -> None:
    """Run what is available, and keep what was found."""
    found: dict[str, Mapping[str, Any]] = {}
    if KEPT.exists():
        found = {f"{one['program']} {one['version']}": one for one in json.loads(KEPT.read_text("utf-8"))}
    lines = [harness(sys.executable, "reconcile_harness.py"), harness(sys.executable, "gnubg_harness.py")]
    try:
        lines.append(harness(peers.python(), "gammonview_harness.py"))
    except peers.NoPeer as missing:
        print(missing, file=sys.stderr)
    for line in lines:
        one = summary(run(harness=line), datetime.now(UTC).date().isoformat())
        found[f"{one['program']} {one['version']}"] = one
    KEPT.write_text(json.dumps(list(found.values()), indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
