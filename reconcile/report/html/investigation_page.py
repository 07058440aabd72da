"""Everything the page of an investigation shows, as one frozen value: the template only lays it out."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from reconcile import __version__
from reconcile.diagnosis.investigation import Explanation, Investigation
from reconcile.files.wording import plural
from reconcile.gap.contributions import TOOL_WORDS
from reconcile.met import load_met
from reconcile.report import numbers
from reconcile.report.html.rule_pages import Paragraph, paragraphs
from reconcile.report.html.turning_cards import MOST_BOARDS, DecisionCard, turning_cards
from reconcile.report.text.investigation import change_of, headline
from reconcile.report.words import file_name, length_text
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, own_rules
from reconcile.scoring.findings import SYNTHETIC
from reconcile.scoring.metrics import METRICS, SHORT

ALWAYS_SHOWN: Final = ("pr", "decisions.counted")


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A reported figure, and what the rules of the file's own tool give."""

    title: str
    unit: str
    page: str
    printed: str
    own: str


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A known rule set."""

    name: str
    title: str
    fits: bool
    figures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A question answered otherwise."""

    code: str
    title: str
    answer_from: str
    answer_to: str


@dataclass(frozen=True, slots=True)
class TurningRow:
    """A decision that a difference touches."""

    game: str
    turn: str
    kind: str
    change: str
    xgid: str
    rank: str
    """Of its card; empty where it has none."""


@dataclass(frozen=True, slots=True)
class ExplanationCard:
    """Rules that give the figures, or come close."""

    rank: str
    title: str
    nearest: str
    differences: tuple[DifferenceRow, ...]
    figures: tuple[tuple[str, str], ...]
    also: str
    off: str
    decisions: tuple[TurningRow, ...]
    more: str


@dataclass(frozen=True, slots=True)
class AnswerText:
    """An answer with the rule sets that give it."""

    name: str
    used_by: str
    page: tuple[Paragraph, ...]
    source: str
    evidence: str


@dataclass(frozen=True, slots=True)
class QuestionPage:
    """The page of a question that an explanation answers otherwise."""

    code: str
    title: str
    page: tuple[Paragraph, ...]
    answers: tuple[AnswerText, ...]


@dataclass(frozen=True, slots=True)
class InvestigationPage:
    """The whole page."""

    title: str
    subtitle: str
    word: str
    """`within`, `explained` or `outside`: how the headline is coloured."""
    label: str
    sentence: str
    synthetic: str
    notes: tuple[str, ...]
    tool: str
    source: tuple[tuple[str, str], ...]
    sha256: str
    figures: tuple[FigureRow, ...]
    own_title: str
    known_titles: tuple[str, ...]
    known: tuple[KnownRow, ...]
    explained: bool
    explanations: tuple[ExplanationCard, ...]
    cards: tuple[DecisionCard, ...]
    more_cards: str
    questions: tuple[QuestionPage, ...]
    tried: str
    command: str
    version: str


def investigation_page(result: Investigation, *, notes: Sequence[str] = (), command: str = "") -> str:
    """The page of an investigation as HTML; `notes` are remarks on where the figures come from, `command` is what reproduces it."""
    from reconcile.report.html.render import render

    return render("investigation.html.j2", page=investigation_view(result, notes=notes, command=command))


def investigation_view(result: Investigation, *, notes: Sequence[str] = (), command: str = "") -> InvestigationPage:
    """Everything the page shows."""
    match = result.match
    told = result.explanations or result.closest
    base = own_rules(match)
    met = load_met(result.met or base.value("Q11"))
    own = next(one for one in result.known if one.name == base.name)
    first = told[0] if told else None
    cards = turning_cards(result, first, met) if first else ()
    ranks = {turning.row: card.rank for card, turning in zip(cards, first.decisions if first else (), strict=False)}
    names = tuple(one.metric for one in result.reported)
    source = match.source
    first_player, second_player = match.players
    word, label = _verdict(result)
    where = "" if result.game is None else f", game {result.game}"
    return InvestigationPage(
        title=f"Which rules give the figures of {result.player}?",
        subtitle=f"{first_player} \N{EN DASH} {second_player}, {length_text(match.length)}{where}",
        word=word,
        label=label,
        sentence=headline(result) + ".",
        synthetic=match.event if match.event.startswith(SYNTHETIC) else "",
        notes=tuple(notes),
        tool=TOOL_WORDS.get(source.tool, source.tool),
        source=(
            ("File", file_name(source.path)),
            ("Tool", f"{source.tool}, {source.tool_version or 'version not stated'}"),
            ("Equity table", met.name),
            ("Player", result.player),
        ),
        sha256=source.sha256 or "",
        figures=tuple(
            FigureRow(
                METRICS[one.metric].title, METRICS[one.metric].unit, METRICS[one.metric].page, one.text, _shown(one.metric, own.figures)
            )
            for one in result.reported
        ),
        own_title=f"rules of {TOOL_WORDS.get(source.tool, own.name)}",
        known_titles=tuple(METRICS[name].title for name in names),
        known=tuple(
            KnownRow(one.name, RULE_SETS[one.name].title, one.fits, tuple(_shown(name, one.figures) for name in names))
            for one in result.known
        ),
        explained=bool(result.explanations),
        explanations=tuple(
            _explanation(str(rank), one, names, ranks if one is first else {}, bool(result.explanations))
            for rank, one in enumerate(told, start=1)
        ),
        cards=cards,
        more_cards=plural(len(first.decisions) - len(cards), "more decision") if first and len(first.decisions) > len(cards) else "",
        questions=tuple(_questions(told)),
        tried=plural(result.tried, "combination"),
        command=command or command_of(result),
        version=__version__,
    )


def _verdict(result: Investigation) -> tuple[str, str]:
    if not result.explanations:
        return "outside", "No rules give these figures"
    if not result.explanations[0].differences:
        return "within", "No difference"
    return "explained", "Explained"


def _shown(name: str, figures: Any) -> str:
    return numbers.figure(name, figures[name])


def _explanation(rank: str, one: Explanation, names: Iterable[str], ranks: dict[int, str], fits: bool) -> ExplanationCard:
    shown = dict.fromkeys((*names, *ALWAYS_SHOWN))
    return ExplanationCard(
        rank=rank,
        title=RULE_SETS[one.nearest].title,
        nearest=one.nearest,
        differences=tuple(DifferenceRow(d.question, d.title, d.answer_from, d.answer_to) for d in one.differences),
        figures=tuple((METRICS[name].title, _shown(name, one.figures)) for name in shown),
        also=", ".join(RULE_SETS[name].title for name in one.also),
        off="" if fits else f"The worst figure is off by {numbers.number(one.off / 2, 1)} of its last printed digit.",
        decisions=tuple(
            TurningRow(str(d.game), str(d.turn), d.kind, change_of(d), d.xgid, ranks.get(d.row, "")) for d in one.decisions[:MOST_BOARDS]
        ),
        more=plural(len(one.decisions) - MOST_BOARDS, "more decision") if len(one.decisions) > MOST_BOARDS else "",
    )


def _questions(told: Sequence[Explanation]) -> Iterable[QuestionPage]:
    differences = [one for explanation in told for one in explanation.differences]
    for code in QUESTIONS:
        names = dict.fromkeys(name for one in differences if one.question == code for name in (one.answer_from, one.answer_to))
        if names:
            question = QUESTIONS[code]
            page = paragraphs(question.page.partition("\n\n")[2] or question.page)
            yield QuestionPage(code, question.title, page, tuple(_answer(code, name) for name in names))


def _answer(code: str, name: str) -> AnswerText:
    answer = QUESTIONS[code].answers[name]
    used = ", ".join(rules.name for rules in RULE_SETS.values() if rules.answers[code] == name)
    return AnswerText(name, used, paragraphs(answer.page), answer.source, answer.evidence.value)


def command_of(result: Investigation, paste: str | None = None, typed: Sequence[str] = ()) -> str:
    """The command that makes the page again: with every figure, or with the pasted text and what was typed besides."""
    words = ["reconcile", "investigate", file_name(result.match.source.path), "--player", result.player]
    if paste is not None:
        words += ["--paste", file_name(paste)]
    figures = [f"{SHORT.get(one.metric, one.metric)}={one.text}" for one in result.reported]
    for text in figures if paste is None else typed:
        words += ["--reported", text]
    if result.game is not None:
        words += ["--game", str(result.game)]
    if result.met is not None:
        words += ["--met", file_name(result.met)]
    return shlex.join([*words, "--html", "report.html"])
