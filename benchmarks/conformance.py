"""Runs the conformance suite on the programs that can be run here, for the matrix in the
documentation.

    python -m benchmarks.conformance

writes what came of it to `docs/suite.json`. A program that is not available keeps its entry. When
all are available, their matrix is `docs/samples/matrix.html`.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import peers
from reconcile.report.html.look import page
from reconcile.report.text.suite import matrix_blocks
from reconcile.suite.cases import CRASHED, FAILED, PASSED, SuiteRun
from reconcile.suite.run import run_suite

PROJECT = Path(__file__).parents[1]
KEPT = PROJECT / "docs" / "suite.json"
MATRIX = PROJECT / "docs" / "samples" / "matrix.html"
HARNESSES = PROJECT / "harnesses"


def harness(interpreter: Path | str, script: str, *arguments: str) -> str:
    """What `--harness` is given to run one of ours."""
    return shlex.join([str(interpreter), str(HARNESSES / script), *arguments])


def summary(document: SuiteRun, day: str) -> dict[str, Any]:
    """What is kept of a run: how many cases of each area passed, and the others with what was
    wrong."""
    areas: dict[str, list[int]] = {}
    for case in document.cases:
        counts = areas.setdefault(case.area, [0, 0])
        counts[0] += case.verdict == PASSED
        counts[1] += case.verdict != "unsupported"
    failures = {
        case.id: "; ".join(case.why())
        for case in document.cases
        if case.verdict in (FAILED, CRASHED)
    }
    return {
        "program": document.program,
        "version": document.version,
        "rules": next(iter(document.judged_by), ""),
        "date": day,
        "areas": areas,
        "others": failures,
    }


def main() -> None:
    """Run what is available, and keep what was found."""
    summaries: dict[str, Mapping[str, Any]] = {}
    if KEPT.exists():
        summaries = {
            f"{tested['program']} {tested['version']}": tested
            for tested in json.loads(KEPT.read_text("utf-8"))
        }
    interpreters: dict[str, Path | str] = {
        "reconcile_harness.py": sys.executable,
        "gnubg_harness.py": sys.executable,
    }
    try:
        interpreters["gammonview_harness.py"] = peers.python()
    except peers.NoPeer as missing:
        print(missing, file=sys.stderr)
    today = datetime.now(UTC).date().isoformat()
    documents: list[SuiteRun] = []
    for script, interpreter in interpreters.items():
        documents.append(run_suite(harness=harness(interpreter, script)))
        tested = summary(documents[-1], today)
        summaries[f"{tested['program']} {tested['version']}"] = tested
    KEPT.write_text(
        json.dumps(list(summaries.values()), indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
        newline="\n",
    )
    if len(documents) == len([*HARNESSES.glob("*_harness.py")]):
        MATRIX.write_text(page(matrix_blocks(documents)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
