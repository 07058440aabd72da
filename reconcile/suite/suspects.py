"""The conformance suite beside a pack: which of its cases a program with wrong figures fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.gap.verdict import OUTSIDE
from reconcile.gate.candidates.command import CommandFailed
from reconcile.gate.pack_results import PackResult
from reconcile.suite.documents import SuiteRun, document_of, found_by
from reconcile.suite.run import run

HOPELESS: Final = 20
"""Cases, the first: if a program fails them all, the others would say nothing new."""
LONGEST_CASE: Final = 5.0
"""Seconds for a case, far shorter than a match; a slower program is soon asked for no more."""
ASK: Final = "`reconcile suite run` on the program shows in which cases it differs."


def with_suite(
    result: PackResult, suite: SuiteRun | None, run_now: Callable[[], SuiteRun | None] | None
) -> PackResult:
    """The result with the failed cases of the suite before the diagnosis of each program that gives
    wrong figures.

    Without an earlier run of the `suite` the program is run now; where none can be, the diagnosis
    says how to find the cases.
    """
    wrong = {
        candidate.program
        for match in result.matches
        for candidate in match.candidates
        if any(figure.verdict == OUTSIDE for figure in candidate.figures)
    }
    suspects = [entry for entry in result.diagnoses if entry.candidate in wrong or entry.faults]
    if suspects and suite is None and run_now is not None:
        suite = run_now()
        if suite is None:
            return result
    diagnoses = []
    for diagnosis in result.diagnoses:
        sentence = diagnosis.sentence
        if diagnosis in suspects and suite is not None:
            sentence = f"{found_by(suite)} {sentence}".strip()
        elif diagnosis in suspects and not diagnosis.faults:
            sentence = f"{sentence} {ASK}"
        diagnoses.append(replace(diagnosis, sentence=sentence))
    return replace(result, diagnoses=tuple(diagnoses))


def run_for_pack(
    harness: str | None,
    command: str | None,
    timeout: float,
    progress: Callable[[str, int, int], None],
    pack: Path,
) -> SuiteRun | None:
    """A run of the suite; `None` if the program gives figures of no other matches than the pack's,
    or claims to follow rules that cannot be read."""
    try:
        return document_of(
            run(
                harness=harness,
                command=command,
                timeout=min(timeout, LONGEST_CASE),
                progress=progress,
                hopeless=HOPELESS,
                pack=pack,
            )
        )
    except (CommandFailed, InvalidConfiguration):
        return None
