"""Cards of the decisions on which a program's list and the reference differ: the board, what each side says, and which question decides."""

from __future__ import annotations

from typing import Final, NamedTuple

from reconcile.gap.contributions import side_of_decision
from reconcile.gap.walk import LEADING
from reconcile.gate.candidates.differing import Differing
from reconcile.gate.candidates.list_result import WAYS, ListResult, sentence
from reconcile.gate.pack_results import MatchResult
from reconcile.report.html.decisions import Card, card_of
from reconcile.report.html.rule_pages import Rule
from reconcile.report.words import tool
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS

MOST_BOARDS: Final = 10
"""Boards of one list; the page of the comparison shows every decision."""


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
    others: int
    """Decisions that differ and have no card."""


def list_sections(match: MatchResult) -> dict[int, ListSection]:
    """The sections of a match's lists by the identity of their results; boards are numbered through the page."""
    sections: dict[int, ListSection] = {}
    rank = 0
    for candidate in match.candidates:
        result = candidate.decisions
        if result is None:
            continue
        right = result.listed.right.scored
        labels = tool(result.listed.match.source), result.listed.rows.program or candidate.candidate
        cards = []
        for one in result.differing[:MOST_BOARDS]:
            rank += 1
            sides = [(label, side_of_decision(scored, one.row)) for label, scored in zip(labels, (result.listed.left, right), strict=True)]
            ids = one.xgid, one.gnubg_id
            place = one.game, one.turn, one.player
            cards.append((card_of(rank, place, one.kind.label, sides, result.listed.match, ids), one, _reason(one, result)))
        sections[id(result)] = ListSection(result, cards, max(len(result.differing) - MOST_BOARDS, 0))
    return sections


def _reason(one: Differing, result: ListResult) -> Reason:
    words = sentence(one, result)
    row = "" if one.line is None else f" Row {one.line} of the list."
    title = WAYS[one.what]
    step = one.questions[0] if one.questions else ""
    return Reason(LEADING, one.pr, title[:1].upper() + title[1:], step, f"{words[:1].upper()}{words[1:]}.{row}")


def rules_touched(match: MatchResult) -> list[Rule]:
    """The questions that decide what differs in the lists of a match, with the answers of the known rule sets."""
    touched = {code for one in match.candidates if one.decisions is not None for row in one.decisions.differing for code in row.questions}
    found = []
    for code in QUESTIONS:
        if code in touched:
            given: dict[str, list[str]] = {}
            for rules in RULE_SETS.values():
                given.setdefault(rules.answers[code], []).append(rules.name)
            found.append((code, given))
    return found
