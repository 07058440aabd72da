"""Everything the page of a comparison shows, as one frozen value: the templates only lay it out."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from reconcile import __version__
from reconcile.files.wording import plural
from reconcile.gap.bridge import Contribution
from reconcile.gap.comparison import TOTALS, Comparison, Side
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import UNGATED
from reconcile.report import numbers
from reconcile.report.html.decisions import Card, cards
from reconcile.report.html.error_profile import Profile, profiles
from reconcile.report.html.figures import Glance, Group, figure_groups, glances
from reconcile.report.html.ledger import Ledger, ledger
from reconcile.report.html.rule_pages import RulePage, rule_pages
from reconcile.report.html.walks import Walk, walks
from reconcile.report.verdict import Verdict, explained, verdict_of
from reconcile.report.words import STEPS, file_name, length_text, match_title, players, side_labels
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.metrics import METRICS

SHORT_HASH: Final = 12
MOST_DIFFERENCES: Final = 100


@dataclass(frozen=True, slots=True)
class SideCard:
    """One of the two files."""

    side: str
    label: str
    file: str
    sha256: str
    short_sha256: str
    tool: str
    version: str
    rules: str
    rules_title: str
    met: str
    level: str
    players: str
    analysed: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding."""

    severity: str
    title: str
    where: str
    evidence: str
    advice: str


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """A place where the transcripts differ."""

    game: str
    turn: str
    what: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class ToleranceRow:
    """What is allowed, and why."""

    title: str
    bound: str
    level: str
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class Page:
    """The whole page."""

    title: str
    subtitle: str
    players: tuple[str, ...]
    labels: tuple[str, str]
    verdict: Verdict
    synthetic: str
    glances: tuple[Glance, ...]
    sides: tuple[SideCard, SideCard]
    paired: str
    groups: tuple[Group, ...]
    columns: int
    """Of the table of figures."""
    walks: tuple[Walk, ...]
    other_walks: tuple[Walk, ...]
    findings: tuple[FindingRow, ...]
    differences: tuple[DifferenceRow, ...]
    more_differences: str
    cards: tuple[Card, ...]
    card_metric: str
    more_cards: str
    ledger: Ledger
    profiles: tuple[Profile, ...]
    rules: tuple[RulePage, ...]
    steps: tuple[tuple[str, str, str], ...]
    """Code, name and meaning of the steps that are no rules."""
    table: str
    tolerances: tuple[ToleranceRow, ...]
    command: str
    version: str


def comparison_view(
    comparison: Comparison,
    contributions: Sequence[Contribution],
    *,
    synthetic: str,
    command: str,
    tolerances: Tolerances | None,
    judged: bool,
) -> Page:
    """Everything the page shows."""
    if not judged:
        comparison = replace(
            comparison,
            figures=tuple(replace(one, tolerance=None, level=None, verdict=UNGATED) for one in comparison.figures),
            shares=(),
        )
    labels = side_labels(comparison)
    walked = walks(comparison, contributions, labels)
    chosen = cards(comparison, contributions, labels)
    names = players(comparison)
    marked = {
        name: [
            ((place.game, place.turn), rank, f"{place.decider}, game {place.game}, turn {place.turn}")
            for place, rank in chosen.ranks.items()
            if place.decider == name
        ]
        for name in names
    }
    differences = comparison.pairing.differences
    hidden = len(differences) - MOST_DIFFERENCES
    return Page(
        title=match_title(comparison),
        subtitle=f"{labels[0]} against {labels[1]}, {length_text(comparison.length)}, {plural(comparison.games, 'game')}",
        players=names,
        labels=labels,
        verdict=verdict_of(comparison) if judged else explained(comparison),
        synthetic=synthetic,
        glances=glances(comparison, walked.anchors),
        sides=(_side(comparison, 0, labels), _side(comparison, 1, labels)),
        paired="The right side gives figures alone. Its decisions are taken to be those of the left file, under the rules nearest to it."
        if comparison.totals_alone
        else f"{comparison.paired[0]} of {comparison.paired[1]} decisions are in both files.",
        groups=figure_groups(comparison, walked.anchors),
        columns=1 + 4 * len(names),
        walks=walked.judged,
        other_walks=walked.others,
        findings=tuple(
            FindingRow(one.severity, one.title, _where(one.side, one.player, labels), one.evidence, one.advice)
            for one in sorted(comparison.findings, key=lambda one: ("error", "warning", "info").index(one.severity))
        ),
        differences=tuple(
            DifferenceRow(str(one.game), str(one.turn) if one.turn else "", one.what, one.left, one.right)
            for one in differences[:MOST_DIFFERENCES]
        ),
        more_differences=plural(hidden, "difference") if hidden > 0 else "",
        cards=chosen.cards,
        card_metric=METRICS[chosen.metric].title,
        more_cards=plural(chosen.others, "more decision") if chosen.others else "",
        ledger=ledger(comparison, contributions, chosen.ranks),
        profiles=profiles(comparison, labels, marked),
        rules=rule_pages(comparison, labels, {contribution.step for contribution in contributions}),
        steps=tuple((code, name, meaning) for code, (name, meaning) in STEPS.items()),
        table=comparison.table,
        tolerances=_tolerances(comparison, tolerances),
        command=command or _command(comparison),
        version=__version__,
    )


def _where(side: str | None, player: str | None, labels: tuple[str, str]) -> str:
    named = {"left": labels[0], "right": labels[1]}.get(side or "", "")
    return ", ".join(filter(None, (named, player)))


def _side(comparison: Comparison, index: int, labels: tuple[str, str]) -> SideCard:
    side: Side = (comparison.left, comparison.right)[index]
    name = ("left", "right")[index]
    statistics = comparison.statistics[index]
    words = {"checker": "checker plays", "cube": "cube decisions", "luck": "rolls with luck"}
    covered = [statistics.completeness(seat) for seat in (0, 1)]
    analysed = []
    for part, noun in words.items():
        seen, expected = (sum(getattr(one[part], field) for one in covered) for field in ("analysed", "expected"))
        analysed.append(f"{seen} of {expected} {noun}")
    rules = RULE_SETS.get(side.rules)
    return SideCard(
        side=name,
        label=labels[index],
        file=file_name(side.path),
        sha256=side.sha256,
        short_sha256=side.sha256[:SHORT_HASH],
        tool=side.tool,
        version=side.tool_version or "version not stated",
        rules=side.rules,
        rules_title=rules.title if rules else "",
        met=side.met,
        level=side.level,
        players=", ".join(side.players),
        analysed=("not told",) if side.format == TOTALS else tuple(analysed),
        warnings=tuple(f"{one.title}: {one.evidence}" for one in comparison.findings if one.side == name and one.severity != "info"),
    )


def _tolerances(comparison: Comparison, tolerances: Tolerances | None) -> tuple[ToleranceRow, ...]:
    """The bounds that judged, with their reasons where the table at hand is the one that was used."""
    tables = (tolerances or load_tolerances()).tables
    table = tables.get(comparison.table)
    rows: dict[str, ToleranceRow] = {}
    for figure in comparison.judged:
        entry = table.of(figure.name) if table else None
        same = entry is not None and entry.level == figure.level and (entry.abs is None or entry.abs == figure.tolerance)
        metric = METRICS[figure.metric]
        bound = numbers.gap_and_bound(figure.metric, None, figure.tolerance)[1]
        if entry is not None and entry.rel is not None:
            bound = f"{numbers.number(100 * entry.rel, 1)} % of the left figure"
        reason, source = (entry.reason, entry.source) if entry is not None and same else ("as the table of tolerances says", "")
        row = ToleranceRow(figure.title, f"{bound} {metric.unit}".strip(), figure.level or "", reason, source)
        if figure.note:
            row = replace(row, title=f"{figure.title} of {figure.player}", reason=figure.note)
        rows.setdefault(row.title, row)
    return tuple(rows.values())


def _command(comparison: Comparison) -> str:
    left, right = comparison.left, comparison.right
    plies = comparison.statistics[1].match.source.analysed_plies
    other = [file_name(right.path)] if plies is None else ["--analyse", str(plies)]
    words = ["reconcile", "compare", file_name(left.path), *other, "--left-rules", left.rules, "--right-rules", right.rules]
    return shlex.join([*words, "--table", comparison.table, "--html", "report.html"])
