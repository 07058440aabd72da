"""The document of an investigation fits its schema, and the same question has the same answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from reconcile.document import dumps
from reconcile.errors import NothingToCompare
from reconcile.infer.investigation import Investigation, investigate
from reconcile.report.blocks import text
from reconcile.report.text.investigation import investigation_blocks
from tests.support import schemas
from tests.support.data import ONE_OF_EACH, cases
from tests.support.hand_made import match_of, plays
from tests.support.loaded import loaded, real


def faults(result: Investigation) -> list[str]:
    return schemas.faults("investigation", json.loads(dumps(result)))


@pytest.mark.parametrize("path", cases(*ONE_OF_EACH, short=1, most=3))
@pytest.mark.parametrize("figure", ["0.00", "5", "99.99"])
def test_document_fits_its_schema(path: Path, figure: str) -> None:
    match = loaded(path)
    try:
        result = investigate(match, match.players[0], {"pr": figure})
    except NothingToCompare:
        return
    assert faults(result) == []
    assert text(investigation_blocks(result)).endswith("has the page of a\nquestion.\n")


def test_document_of_a_resignation_and_of_a_game_fits_its_schema() -> None:
    match = match_of(plays(), None, 0.2)
    match = replace(match, source=replace(match.source, content=b"made by hand"))
    assert faults(investigate(match, "Ann", {"equity_error": "0.300"}, game=1)) == []


def test_same_question_has_the_same_answer(data: Path) -> None:
    match = real("real/test.xg")
    first, second = (dumps(investigate(match, "Kévin", {"pr": "7.8"})) for _ in range(2))
    assert first == second
