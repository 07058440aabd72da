"""Candidates judged against a pack, and one part of the result picked out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from reconcile.errors import ReconcileError
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gate.match_results import CandidateResult, MatchResult
from reconcile.gate.pack_results import PackResult
from reconcile.gate.validate import validate as validate_pack
from tests.gate.candidates.samples import ZERO_PLY
from tests.support.command_line import run as command


def validate(pack: Path, tolerances: Tolerances | None = None, **more: Any) -> PackResult:
    return validate_pack(pack, tolerances or shipped(), **more)


@cache
def shipped() -> Tolerances:
    return load_tolerances()


def told(results: Mapping[str, Any] | PackResult, match: str) -> tuple[CandidateResult, ...]:
    assert isinstance(results, PackResult)
    (found,) = (one for one in results.matches if one.id == match)
    return found.candidates


def only(result: PackResult) -> CandidateResult:
    (found,) = (candidate for match in result.matches for candidate in match.candidates)
    return found


def match_of(result: PackResult, name: str) -> MatchResult:
    (found,) = (match for match in result.matches if match.id == name)
    return found


def codes(candidate: CandidateResult) -> set[str]:
    return {finding.code for finding in candidate.findings}


def refused(given: str, kind: type[ReconcileError] = ReconcileError, pack: Path = ZERO_PLY) -> str:
    with pytest.raises(kind) as caught:
        validate(pack, candidates=[given])
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


def run(*arguments: str | Path) -> Result:
    return command("validate", *arguments)
