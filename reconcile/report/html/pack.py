"""The pages of a judged pack, with the decisions in which a list differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from reconcile.files.output import legal_stem
from reconcile.gap.bridge import SideOfDecision
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import side_of_decision
from reconcile.gap.explanation import explanations
from reconcile.gap.verdict import DECIDED, INCOMPLETE, OPEN, OUTSIDE, WITHIN
from reconcile.gate.again import Again
from reconcile.gate.candidates.list_result import WAYS, Differing, ListResult
from reconcile.gate.candidates.listed import Listed
from reconcile.gate.cells import missing_lines
from reconcile.gate.judged_figures import JudgedFigure, Part, pack_cases, pack_parts
from reconcile.gate.match_results import MatchResult
from reconcile.gate.pack_results import PackResult
from reconcile.infer.program import agree_line
from reconcile.match.tools import short_name
from reconcile.report import numbers
from reconcile.report.html.decisions import Card, card_of
from reconcile.report.html.figures import Rule, answered
from reconcile.report.html.render import comparison_page, render
from reconcile.report.text.comparison import walk_line
from reconcile.report.text.decisions import list_sentences
from reconcile.report.text.pack import (
    about_tolerances,
    away_line,
    in_order,
    line,
    match_verdict,
    pack_sentence,
    worst_of,
)
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import LEADING, METRICS
from reconcile.wording import capital, plural

MOST_BOARDS: Final = 10
"""Boards of one list."""


class Reason(NamedTuple):
    """Why a decision has a card, as `Contribution` says it of a comparison."""

    metric: str
    change: float | None
    cause_title: str
    step: str
    """The question that decides; empty without one."""
    sentence: str


class ListSection(NamedTuple):
    """What the page of a match shows of one list."""

    result: ListResult
    cards: list[tuple[Card, Differing, Reason]]
    """Card, decision, and how it differs."""
    more: int
    """Decisions that differ and have no card."""


def list_sections(match: MatchResult) -> dict[int, ListSection]:
    """The sections of a match's lists by the identity of their results; boards are numbered through
    the page."""
    sections: dict[int, ListSection] = {}
    rank = 0
    for candidate in match.candidates:
        result = candidate.decisions
        if result is None:
            continue
        labels = (
            short_name(result.listed.match.source.tool),
            result.listed.program or candidate.candidate,
        )
        cards = []
        for row in result.differing[:MOST_BOARDS]:
            rank += 1
            sides = list(zip(labels, _sides(result.listed, row), strict=True))
            ids = row.xgid, row.gnubg_id
            place = row.game, row.turn, row.player
            cards.append(
                (card_of(rank, place, row.kind, sides, result.listed.match, ids), row, _reason(row))
            )
        sections[id(result)] = ListSection(
            result, cards, max(len(result.differing) - MOST_BOARDS, 0)
        )
    return sections


def _sides(listed: Listed, row: Differing) -> tuple[SideOfDecision | None, SideOfDecision | None]:
    """What the reference and the list say of a decision; the list has no analysis."""
    left = side_of_decision(listed.left, row.at)
    if left is None:
        return None, None
    decision, equity = replace(left.decision, candidates=(), chances=()), listed.equity[row.at]
    error = None if np.isnan(equity) else float(equity)
    return left, SideOfDecision(error, row.counted[1], "", decision)


def _reason(row: Differing) -> Reason:
    number = "" if row.row is None else f" Row {row.row} of the list."
    step = row.questions[0] if row.questions else ""
    sentence = f"{capital(row.sentence)}.{number}"
    return Reason(LEADING, row.pr, capital(WAYS[row.way]), step, sentence)


def rules_touched(match: MatchResult) -> list[Rule]:
    """The questions that decide what differs in the lists of a match, with the answers of the known
    rule sets."""
    touched = {
        code
        for candidate in match.candidates
        if candidate.decisions is not None
        for row in candidate.decisions.differing
        for code in row.questions
    }
    rules = answered(list(RULE_SETS), [rules.answers for rules in RULE_SETS.values()], touched)
    return [(code, givers) for code, givers in rules if code in touched]


def pack_pages(result: PackResult, folder: str) -> list[tuple[str, str]]:
    """Paths and contents: `index.html`, and a page per match, pair and candidate."""
    parts = [*pack_parts(result)]
    pages, rows, explained = dict[str, str](), [], []
    for match in in_order(result):
        named = {}
        for name, source, judged in _compared(match):
            comparison = source()
            pages[name], named[id(source)] = comparison_page(comparison, judged=judged), name
            if not judged:
                headlines = [explanation.headline for explanation in explanations(comparison)]
                explained.append((name, match.manifest.title, headlines))
        pages[_page_name(match.id)] = _match_page(
            match, [part for part in parts if part.match == match.id], named
        )
        rows.append((match, match_verdict(match), list(named.values())))
    pages["index.html"] = _index(result, rows, explained)
    return [(str(Path(folder) / name), content) for name, content in pages.items()]


def _index(result: PackResult, rows: Sequence[Any], explained: Sequence[Any]) -> str:
    """The page of a pack: `rows` are its matches, each with its verdict and the names of its pages,
    `explained` the name, title and headlines of those that are not judged."""
    cases = list(pack_cases(result))
    return render(
        "pack.html.j2",
        title=pack_sentence(result),
        diagnoses=[(diagnosis.sentence, agree_line(diagnosis)) for diagnosis in result.diagnoses],
        groups=[group.sentence for group in result.groups if not group.cause],
        walks={case.id: walk_line(case.comparison, case.figure) for case in cases},
        rows=rows,
        explained=explained,
        counts=Counter(verdict for _, verdict, _ in rows),
        failures=sorted(
            (case for case in cases if case.figure.verdict in (OUTSIDE, OPEN)), key=_severity
        ),
        unjudged=[case for case in cases if case.unjudged],
        line=line,
        worst_of=worst_of,
        page_name=_page_name,
        failed=result.failures,
        not_compared=[reason for reason in result.not_compared if not reason.is_failure],
        findings=list(about_tolerances(result)),
        lists=list(list_sentences(result)),
        missing=list(missing_lines(result.cells)),
        away=away_line(result),
    )


def _compared(match: MatchResult) -> Iterator[tuple[str, Again[Comparison], bool]]:
    """The pages of pairs and candidates: name, what was compared, whether it is judged."""
    # An id holds no dot, so that no page of a pair can be that of another match.
    stem = legal_stem(match.id)
    for number, pair in enumerate(match.pairs, start=1):
        yield f"{stem}.pair-{number}.html", pair.source, pair.gates
    for number, candidate in enumerate(match.candidates, start=1):
        if candidate.source is not None:
            yield f"{stem}.candidate-{number}.html", candidate.source, True


def _match_page(match: MatchResult, parts: Sequence[Part], named: dict[int, str]) -> str:
    """The page of a match; `named` are the pages of what was compared by its identity."""
    lists = list_sections(match)
    return render(
        "match.html.j2",
        match=match,
        verdict=match_verdict(match),
        sentence=_match_sentence(match),
        sections=[_section(part, named) for part in parts],
        explained=[(pair.pair, named[id(pair.source)]) for pair in match.pairs if not pair.gates],
        printed=_printed,
        walk_line=walk_line,
        lists=[lists.get(id(part.decisions)) for part in parts],
        rules=rules_touched(match),
    )


def _severity(case: JudgedFigure) -> tuple[bool, bool, float, str]:
    """What fails first, then what is open; the widest gap first."""
    figure = case.figure
    return not case.fails, figure.verdict == OPEN, -figure.excess, case.id


def _page_name(match: str) -> str:
    return f"{legal_stem(match)}.html"


def _section(part: Part, named: dict[int, str]) -> tuple[Part, tuple[str, str], str]:
    """What was judged together, the heads of its two columns of figures, and the report of the pair
    where it is one."""
    source = next((case.source for case in part.cases if case.source is not None), None)
    heads = ("Reported", "Ours") if source is None else ("Left", "Right")
    return part, part.heads if any(part.heads) else heads, named.get(id(source), "")


def _printed(part: Part, case: JudgedFigure, value: float | None) -> str:
    """A figure; beside one that a tool reported, with as many decimals as the tool printed."""
    figure = case.figure
    if case.source is not None or any(part.heads) or figure.left is None:
        return numbers.figure(figure.metric, value)
    digits = f"{figure.left:.10f}".rstrip("0").partition(".")[2]
    return numbers.number(value, max(len(digits), METRICS[figure.metric].decimals))


def _match_sentence(match: MatchResult) -> str:
    verdicts = [figure.verdict for figure in match.figures]
    decided = sum(verdict in DECIDED for verdict in verdicts)
    parts = [f"{verdicts.count(WITHIN)} of {plural(decided, 'figure')} within tolerance"]
    if not verdicts:
        parts = [
            "No tolerance is applied to this match" if match.pairs else "No figure was compared"
        ]
    if OPEN in verdicts:
        parts.append(f"{verdicts.count(OPEN)} open")
    if INCOMPLETE in verdicts:
        parts.append(f"{verdicts.count(INCOMPLETE)} incomplete and not judged")
    if unjudged := len(match.unjudged):
        parts.append(f"{plural(unjudged, 'given figure')} not judged")
    if match.failures:
        parts.insert(0, plural(len(match.failures), "failure"))
    if match.not_compared:
        parts.append(f"{plural(len(match.not_compared), 'part')} not compared")
    return "; ".join(parts) + "."
