"""Lists of decisions as Markdown: what they show over all matches, and a table of the decisions that differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reconcile.gate.candidates.list_result import address, sentence
from reconcile.gate.pack_results import MatchResult, PackResult
from reconcile.report import numbers
from reconcile.report.ci.markdown.table import escape
from reconcile.report.text.decision_list import list_sentences

MOST: Final = 20
"""Rows of the table of one list."""


def list_bullets(result: PackResult) -> list[str]:
    """What the lists of every program show, as a list with an empty line below it; nothing without one."""
    bullets = [f"- {escape(line)}" for line in list_sentences(result)]
    return [*bullets, ""] if bullets else []


def list_tables(result: PackResult) -> Iterator[str]:
    """A table for every list with decisions that differ."""
    for match in result.matches:
        yield from _tables(match)


def _tables(match: MatchResult) -> Iterator[str]:
    for candidate in match.candidates:
        decisions = candidate.decisions
        if decisions is None or not decisions.differing:
            continue
        more = f", the first {MOST} of {len(decisions.differing):,}" if len(decisions.differing) > MOST else ""
        yield f"\n### {match.manifest.id}: decisions of {escape(candidate.suite)} that differ{more}\n"
        yield "| decision | what differs | PR | XGID |"
        yield "| --- | --- | ---: | --- |"
        for one in decisions.differing[:MOST]:
            xgid = f"`{one.xgid}`" if one.xgid else ""
            yield f"| {escape(address(one))} | {escape(sentence(one, decisions))} | {numbers.change('pr', one.pr)} | {xgid} |"
