"""The page of an investigation: that of a match by two sets of rules."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace

from reconcile.gap.review import Review, review
from reconcile.gap.rows import place_of
from reconcile.infer.investigation import Explanation, Investigation
from reconcile.language import LANGUAGES, joined, say, word
from reconcile.match.tools import short_name
from reconcile.report.answer import (
    answer,
    turning_rows,
    users,
    verdict_of,
)
from reconcile.report.html.decision_list import Lead, MatchDecisions, review_decisions
from reconcile.report.html.page import match_page
from reconcile.report.text.investigation import investigation_evidence
from reconcile.report.words import file_name
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import short_metric


def _decisions(
    result: Investigation,
    alone: Review,
    first: Explanation | None,
) -> MatchDecisions:
    """The decisions by the file's own rules and by those of an explanation; the list begins with
    those that make the difference."""
    if first is None or not first.own_differences:
        return review_decisions(alone)
    rules = changed = own_rules(result.match)
    leads = [Lead("turning", say("filter.turning"), "", list(map(place_of, first.decisions)))]
    for difference in first.own_differences:
        changed = changed.switched(difference.question, difference.answer_to)
        theirs, ours = (
            users(difference.question, reply)
            for reply in (difference.answer_to, difference.answer_from)
        )
        code, title = difference.question, word("question", difference.question)
        says = say("search.differs", title=title, theirs=theirs, ours=ours)
        places = [place_of(row) for row in first.decisions if code in row["questions"]]
        leads.append(Lead(code, title, says, places))
    match = result.match
    both = review(match, match, rules=[rules, changed], met=result.met, player=result.player)
    variant = say("label.explanation") if result.explanations else say("label.nearest")
    other = variant if first.differences else first.nearest
    labels = short_name(match.source.tool), other
    return replace(review_decisions(both), labels=labels, leads=leads)


def investigation_page(
    result: Investigation,
    tongue: str = LANGUAGES[0],
    *,
    notes: Sequence[str] = (),
    command: str = "",
) -> str:
    """The page of an investigation as HTML; `notes` are remarks on where the figures come from,
    `command` is what reproduces it."""
    match, rules = result.match, own_rules(result.match)
    nearest = result.explanations or result.closest
    alone = review(match, rules=rules, met=result.met, player=result.player)
    decisions = _decisions(result, alone, nearest[0] if nearest else None)
    sentence, *more = answer(result)
    rows = turning_rows(result)
    word, label = verdict_of(result)
    game = result.game and say("evidence.game", game=result.game)
    question = say("search.question", player=result.player)
    length = say("mast.money") if match.is_money else say("mast.length", n=match.length)
    own = {
        "title": joined(" ", question, label),
        "won": question,
        "head": joined(", ", " \N{EN DASH} ".join(match.players), length, game),
        "scripts": ("words", "page", "notation", "board", "curve", "review"),
        "verdict": {"word": word, "label": label, "sentence": sentence, "tone": ""},
        "is_alarm": True,
    }
    notes, shown = [*more, *notes], [rows] if rows else []
    evidence = investigation_evidence(result, command or command_of(result))
    return match_page(decisions, alone.analyses, shown, notes, evidence, tongue, **own)


def command_of(
    result: Investigation,
    paste: str | None = None,
    typed: Sequence[str] = (),
    rules: str | None = None,
) -> str:
    """The command that makes the page again: with every figure, or with the pasted text and what
    was typed besides."""
    words = [
        "reconcile",
        "investigate",
        file_name(result.match.source.path),
        "--player",
        result.player,
    ]
    if paste is not None:
        words += ["--paste", file_name(paste)]
    figures = [f"{short_metric(figure.metric)}={figure.text}" for figure in result.reported]
    for text in figures if paste is None else typed:
        words += ["--reported", text]
    if result.game is not None:
        words += ["--game", str(result.game)]
    if rules is not None:
        words += ["--rules", file_name(rules)]
    if result.met is not None:
        words += ["--met", file_name(result.met)]
    return shlex.join([*words, "--html", "report.html"])
