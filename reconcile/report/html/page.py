"""The pages of a match with one analysis, two or several, by two sets of rules where figures were
investigated, and of a folder of matches."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from reconcile.gap.comparison import Comparison
from reconcile.gap.explanation import explanations, notes
from reconcile.gap.folders import FolderResult
from reconcile.gap.review import Review, review, review_notes, review_rows
from reconcile.gap.rows import Rows, place_of
from reconcile.gap.verdict import UNGATED
from reconcile.infer.investigation import Explanation, Investigation
from reconcile.language import LANGUAGES, joined, say, word
from reconcile.match.tools import short_name
from reconcile.report.blocks import Block, Command, Folded, Verdict
from reconcile.report.html.decision_list import (
    Lead,
    MatchDecisions,
    comparison_decisions,
    review_decisions,
)
from reconcile.report.html.first_screen import first_screen
from reconcile.report.html.look import content, page, render
from reconcile.report.text.comparison import (
    evidence_blocks,
    files_table,
    folder_blocks,
    many_evidence,
    page_names,
)
from reconcile.report.text.investigation import (
    answer,
    investigation_evidence,
    mark_of,
    turning_rows,
    users,
)
from reconcile.report.text.statistics import statistics_evidence
from reconcile.report.words import Verdict as Judgement
from reconcile.report.words import explained, file_name, verdict_of
from reconcile.rules.rulesets import own_rules
from reconcile.scoring.figures import short_metric
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.statistics import Statistics

SCRIPTS = (
    *("words", "page", "notation", "board", "curve", "review", "send"),
    *("keep", "looks", "sheet", "practice"),
)


def match_page(
    decisions: MatchDecisions,
    analyses: Sequence[Statistics],
    rows: Sequence[Rows],
    notes: Sequence[str],
    expert: Iterable[Block],
    tongue: str,
    **own: Any,
) -> str:
    """The first screen of a match, and below it what is behind its rows, in a language."""
    screen = first_screen(decisions, analyses, rows, notes)
    shared = {"expert": content(expert), "scripts": SCRIPTS, "synthetic": synthetic(decisions)}
    return render("review.html.j2", tongue, **screen | shared | own)


def synthetic(decisions: MatchDecisions) -> str:
    """What the files say of themselves where they were made up."""
    events = dict.fromkeys(scored.match.event for scored in decisions.scored)
    return " ".join(event for event in events if event.startswith(SYNTHETIC))


def comparison_page(
    comparison: Comparison,
    tongue: str = LANGUAGES[0],
    *,
    judged: bool = True,
) -> str:
    """The report of a comparison as one HTML file, in a language; without `judged` the gaps are
    explained and no tolerance applies."""
    if not judged:
        figures = tuple(
            replace(figure, tolerance=None, level=None, verdict=UNGATED)
            for figure in comparison.figures
        )
        comparison = replace(comparison, figures=figures, shares=())
    verdict = verdict_of(comparison) if judged else explained(comparison)
    gaps = explanations(comparison)
    moving = sorted((row for gap in gaps for row in gap.rows), key=lambda row: -abs(row.change))
    places = [row.place for row in moving if row.place]
    decisions = comparison_decisions(comparison, places)
    return match_page(
        decisions,
        comparison.statistics,
        [gap.shown() for gap in gaps],
        notes(comparison),
        _expert(comparison, None if comparison.is_alarm else verdict),
        tongue,
        verdict=verdict,
        is_alarm=comparison.is_alarm,
    )


def _expert(comparison: Comparison, verdict: Judgement | None) -> Iterator[Block]:
    if verdict:
        yield Verdict(verdict.label, verdict.sentence, verdict.tone)
    yield from evidence_blocks(comparison)


def many_page(many: Review, tongue: str = LANGUAGES[0]) -> str:
    """The report as one HTML file, in a language."""
    evidence = _alone(many) if len(many.analyses) == 1 else many_evidence(many)
    rows, notes = review_rows(many), review_notes(many)
    return match_page(review_decisions(many), many.analyses, rows, notes, evidence, tongue)


def statistics_page(scored: Statistics, tongue: str = LANGUAGES[0]) -> str:
    """The page of one analysis; it says what its file could not be asked."""
    rules = scored.rules
    for code, wanted, _ in scored.scored.replaced:
        rules = rules.switched(code, wanted)
    return many_page(review(scored.match, rules=rules, met=scored.scored.met), tongue)


def _alone(many: Review) -> Iterator[Block]:
    """What is behind the rows of one analysis."""
    scored = many.analyses[0]
    yield from statistics_evidence(scored, per_game=True)
    yield Folded("File", [files_table(many.labels, [scored])])
    path = file_name(many.match.source.path)
    yield Command(shlex.join(["reconcile", "stats", path, "--html", "report.html"]))


def folder_pages(result: FolderResult, tongue: str = LANGUAGES[0]) -> dict[str, str]:
    """By name a page for every match that was compared, and `index.html`."""
    names = page_names([match.files[0] for match in result.matches])
    pages = {
        name: many_page(match.review, tongue)
        for match, name in zip(result.matches, names, strict=True)
        if match.review is not None
    }
    return pages | {"index.html": page(folder_blocks(result))}


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
    word, label = mark_of(result)
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
