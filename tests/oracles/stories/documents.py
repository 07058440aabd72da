"""The documents that are judged, made by the program; nothing here looks into them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from reconcile.cli import main
from reconcile.diagnosis.investigation import investigate
from reconcile.gap.comparison import compare
from reconcile.gap.many import compare_many
from reconcile.match import Match
from reconcile.report.text.investigation import investigation_text
from reconcile.results.comparison import comparison_document
from reconcile.results.investigation import investigation_document
from reconcile.results.many import many_document
from tests.support.balance import ANY_GAP

Document = Mapping[str, Any]


def compared(left: Match, right: Match, *, games: bool = True, **options: Any) -> Document:
    """The document of `compare` of two files, whatever is analysed in them; `games` are left out of it to save time."""
    found = compare(left, right, ANY_GAP, **options)
    return comparison_document(found if games else replace(found, by_game=()))


def several(matches: Sequence[Match]) -> Document:
    """The document of `compare` of several files."""
    return many_document(compare_many(list(matches)))


def investigated(match: Match, player: str, reported: Mapping[str, str]) -> tuple[Document, str]:
    """The document of `investigate` and its text."""
    found = investigate(match, player, reported)
    return investigation_document(found), investigation_text(found)


def pooled(files: Sequence[Path]) -> tuple[Document, str]:
    """The document of `stats --pool` and its text."""
    names = [str(file) for file in files]
    return json.loads(_run("stats", "--pool", *names, "--format", "json")), _run("stats", "--pool", *names)


def corpus_report(folder: Path, tables: Path) -> str:
    """The text of `corpus-report` of the matches in a folder."""
    _run("corpus", str(folder), "-o", str(tables), "--quiet")
    return _run("corpus-report", str(tables))


def _run(*arguments: str) -> str:
    found = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert found.exit_code == 0, found.output
    return found.stdout
