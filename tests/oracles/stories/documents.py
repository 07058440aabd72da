"""The documents that are judged, made by the program; nothing here looks into them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from reconcile.document import document
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.infer.investigation import investigate
from reconcile.match.match import Match
from reconcile.report.blocks import Sentences, Verdict, text
from reconcile.report.text.investigation import investigation_blocks
from reconcile.results.comparison import (
    ComparisonDocument,
    comparison_document,
    ledger,
    moving_decisions,
)
from reconcile.results.comparison import compared as compared_as
from reconcile.results.review import review_document
from reconcile.results.statistics import statistics_document
from reconcile.scoring.statistics import statistics
from tests.support.balance import ANY_GAP
from tests.support.command_line import run

Document = Mapping[str, Any]
DECISIONS = """select m.same_as, m.match, m.tool, m.lookahead, d.game, d.turn, d.kind, d.seat, d.error_xg, d.error_gnubg, d.error_bgblitz
from decisions d join matches m using (match) where d.analysed and m.duplicate_of is null"""


def compared(left: Match, right: Match, *, whole: bool = True, **options: Any) -> Document:
    """The document of `compare` of two files, whatever is analysed in them; if not `whole`, without games and bridges but that of PR."""
    found = compare(left, right, ANY_GAP, **options)
    if whole:
        return cast("Document", document(comparison_document(found)))
    bridges, alone = found.walk.bridges(("pr",)), replace(found, by_game=())
    more: dict[str, Any] = {
        "bridge": bridges,
        "ledger": ledger(found.walk, bridges),
        "decisions": moving_decisions(found.walk),
    }
    return cast("Document", document(compared_as(ComparisonDocument, alone, **more)))


def several(matches: Sequence[Match]) -> Document:
    """The document of `compare` of several files."""
    return cast("Document", document(review_document(review(*matches))))


def investigated(match: Match, player: str, reported: Mapping[str, str]) -> tuple[Document, str]:
    """The document of `investigate` and its text, with every sentence or few of the answer in one line."""
    found = investigate(match, player, reported)
    verdict, said, *tables = investigation_blocks(found)
    assert isinstance(verdict, Verdict)
    assert isinstance(said, Sentences)
    return document(found), "\n".join((verdict.sentence, *said.paragraphs)) + "\n\n" + text(tables)


def per_game(match: Match, rules: str) -> Document:
    """The document of `stats --per-game` of a file under a rule set."""
    return cast("Document", document(statistics_document(statistics(match, rules), per_game=True)))


def pooled(files: Iterable[Path]) -> tuple[Sequence[Document], Document, str]:
    """The documents of `stats` of every file, that of `stats --pool`, and its text."""
    names = [str(file) for file in files]
    each = [_json("stats", name, "--format", "json") for name in names]
    return (
        each,
        _json("stats", "--pool", *names, "--format", "json"),
        _printed("stats", "--pool", *names),
    )


def corpus_report(folder: Path, tables: Path) -> tuple[str, list[Document]]:
    """The text of `corpus-report` of the matches in a folder, and the errors of all their decisions."""
    _printed("corpus", str(folder), "-o", str(tables), "--jobs", "1", "--quiet")
    return _printed("corpus-report", str(tables)), _json(
        "corpus-query", str(tables), DECISIONS, "--format", "json"
    )


def _json(*arguments: str) -> Any:
    return json.loads(_printed(*arguments))


def _printed(*arguments: str) -> str:
    found = run(*arguments)
    assert found.exit_code == 0, found.output
    return found.stdout
