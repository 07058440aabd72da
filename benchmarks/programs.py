"""Probes the programs that can be run here, for the matrix of programs in the documentation.

    python -m benchmarks.programs

writes what the cases of the suite show of GammonView (from PyPI, in an environment of its own) and
gnuBG to `docs/programs.json`, with version and day, and puts both on the answers in the table of
programs that were probed. A program that is not available keeps its entry.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks import peers
from benchmarks.conformance import harness
from reconcile.engines.gnubg import find
from reconcile.errors import EngineError
from reconcile.rules.catalogue import FOLDER, Status
from reconcile.rules.rulesets import QUESTIONS
from reconcile.suite.run import read_back, run_suite

KEPT = Path(__file__).parents[1] / "docs" / "programs.json"


def gammonview() -> dict[str, Any]:
    """GammonView, by its own totals of `.xg` files. Raises `NoPeer`."""
    program = harness(peers.python(), "gammonview_harness.py")
    return _probed("GammonView", peers.GAMMONVIEW.partition("==")[2], program)


def gnubg() -> dict[str, Any]:
    """The gnuBG that is installed, by its own statistics of `.sgf` files. Raises `EngineError`."""
    version = find().version
    return _probed("GNU Backgammon", version, harness(sys.executable, "gnubg_harness.py"))


def _probed(program: str, version: str, asked: str) -> dict[str, Any]:
    result = run_suite(harness=asked)
    answers = read_back(result.program, result.cases)
    return {
        "program": program,
        "version": version,
        "probed": datetime.now(UTC).date().isoformat(),
        "format": answers.form,
        "answers": {
            code: {
                "answer": finding.answer,
                "possible": finding.possible,
                "evidence": finding.evidence,
            }
            for code, finding in answers.findings.items()
        },
        "nearest": answers.nearest[0].name,
        "differing": answers.differing(answers.nearest[0]),
    }


def dated(probe: Mapping[str, Any], folder: Path = FOLDER) -> list[str]:
    """Put version and day of a probe on the answers of the table that it found; the questions that
    it answers otherwise."""
    (path,) = (
        path
        for path in folder.glob("*.json")
        if json.loads(path.read_text("utf-8"))["program"] == probe["program"]
    )
    table = json.loads(path.read_text("utf-8"))
    differing = []
    for code, answers_found in probe["answers"].items():
        row = table["cells"][code]
        shown = (
            row["answer"],
            QUESTIONS[code]
            .answers[row["used"] if row["answer"] is None else row["answer"]]
            .fallback,
        )
        if answers_found["answer"] is not None and answers_found["answer"] not in shown:
            differing.append(code)
        elif row["status"] == Status.PROBED.value:
            row |= {
                "date": probe["probed"],
                "source": row["source"].replace(table["version"], probe["version"]),
            }
    table["version"] = probe["version"]
    path.write_text(
        json.dumps(table, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n"
    )
    return differing


def main() -> None:
    """Probe what is available, and keep what was found."""
    answers_found = (
        {probe["program"]: probe for probe in json.loads(KEPT.read_text("utf-8"))}
        if KEPT.exists()
        else {}
    )
    for ask in (gnubg, gammonview):
        try:
            probe = ask()
        except (peers.NoPeer, EngineError) as missing:
            print(f"{ask.__name__}: {missing}", file=sys.stderr)
            continue
        answers_found[probe["program"]] = probe
        for code in dated(probe):
            print(
                f"{probe['program']}: {code} is {probe['answers'][code]['answer']} by the probe, "
                f"not as the table says",
                file=sys.stderr,
            )
    KEPT.write_text(
        json.dumps([*answers_found.values()], indent=1, ensure_ascii=False) + "\n",
        encoding="utf-8",
        newline="\n",
    )


if __name__ == "__main__":
    main()
