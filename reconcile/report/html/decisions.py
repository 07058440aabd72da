"""The decisions that contribute most to a gap, each as a card: board, what both tools think of it, and why it counts differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from reconcile.board.identifiers import Situation, from_xgid
from reconcile.columns import Kind
from reconcile.gap.bridge import Contribution, SideOfDecision
from reconcile.gap.comparison import Comparison
from reconcile.match import Candidate, Decision
from reconcile.report import numbers
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.figures import RATE
from reconcile.report.html.walks import step_link
from reconcile.report.words import KINDS, away_text, play_text, step_name, what_was_done
from reconcile.scoring.metrics import METRICS

MOST_CARDS: Final = 10
SHOWN_CANDIDATES: Final = 5
CHECKERS: Final = {"hypergammon1": 1, "hypergammon2": 2, "hypergammon3": 3}


class Place(NamedTuple):
    """What makes a decision the same in two contributions."""

    game: int
    turn: int
    kind: Kind
    decider: str
    """Under the left file's name."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One contribution of the decision: a step, its cause, its size and the sentence that explains it."""

    step: str
    link: str
    cause: str
    change: str
    sentence: str


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """A play or a cube action that a tool considered."""

    rank: str
    action: str
    equity: str
    difference: str
    level: str
    """Where it is not that of the decision."""
    made: bool


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one tool says of the decision."""

    side: str
    """`left` or `right`."""
    tool: str
    error: str
    counted: str
    level: str
    rows: tuple[CandidateRow, ...]
    missing: str
    """Why there are no rows."""
    more: str


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow of the board, explained."""

    style: str
    label: str
    play: str


@dataclass(frozen=True, slots=True)
class Card:
    """A decision."""

    rank: str
    title: str
    done: str
    score: str
    change: str
    metric: str
    player: str
    reasons: tuple[Reason, ...]
    board: str
    lines: tuple[Line, ...]
    opinions: tuple[Opinion, ...]
    xgid: str
    gnubg_id: str


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards, and where each decision has its own."""

    cards: tuple[Card, ...]
    metric: str
    """Name of the figure by which they were chosen."""
    ranks: dict[Place, str]
    others: int
    """How many more decisions move this figure."""


def place_of(contribution: Contribution, comparison: Comparison) -> Place | None:
    """Where the decision is; `None` for one that neither side shows."""
    for index, side in enumerate((contribution.left, contribution.right)):
        if side is not None:
            decision = side.decision
            names = (comparison.left, comparison.right)[index].players
            seat = names.index(decision.player) if decision.player in names else -1
            decider = comparison.left.players[seat] if seat >= 0 else decision.player
            return Place(decision.game, decision.turn, decision.kind, decider)
    return None


def leading_metric(comparison: Comparison, contributions: Sequence[Contribution]) -> str:
    """The figure whose contributions come first: PR if there are any, then a judged one, then what there is."""
    present = {contribution.metric for contribution in contributions}
    order = [RATE, *[figure.metric for figure in comparison.judged], *METRICS]
    return next((name for name in order if name in present), RATE)


def cards(comparison: Comparison, contributions: Sequence[Contribution], labels: tuple[str, str]) -> Cards:
    """The decisions that move the leading figure most, largest first."""
    metric = leading_metric(comparison, contributions)
    found: dict[tuple[str, Place], list[Contribution]] = {}
    for contribution in contributions:
        place = place_of(contribution, comparison)
        if contribution.metric == metric and place is not None:
            found.setdefault((contribution.player, place), []).append(contribution)
    sums = {key: sum(one.change for one in group) for key, group in found.items()}
    moving = [key for key in found if abs(sums[key]) > 1e-9]
    order = sorted(moving, key=lambda key: (-abs(round(sums[key], 9)), key[1].game, key[1].turn, key[1].kind, key[0]))
    chosen = order[:MOST_CARDS]
    made = tuple(_card(str(rank), comparison, found[key], key[1], sums[key], labels) for rank, key in enumerate(chosen, start=1))
    ranks: dict[Place, str] = {}
    for card, (_, place) in zip(made, chosen, strict=True):
        ranks.setdefault(place, card.rank)
    return Cards(made, metric, ranks, len(order) - len(chosen))


def _card(rank: str, comparison: Comparison, group: list[Contribution], place: Place, total: float, labels: tuple[str, str]) -> Card:
    first = group[0]
    side = first.left or first.right
    assert side is not None
    decision = side.decision
    situation = _situation(first.xgid)
    opponent = next((name for name in comparison.left.players if name != place.decider), "")
    lines = lines_of(first, labels)
    score = away_text(decision.away) + (", Crawford" if situation and situation.crawford else "")
    done = what_was_done(decision)
    return Card(
        rank=rank,
        title=f"Game {place.game}, turn {place.turn}: {place.decider}",
        done=done,
        score=score,
        change=numbers.change(first.metric, total),
        metric=METRICS[first.metric].title,
        player=first.player,
        reasons=tuple(
            Reason(step_name(one.step), step_link(one.step), one.cause_title, numbers.change(one.metric, one.change), one.sentence)
            for one in sorted(group, key=lambda one: -abs(one.change))
        ),
        board=board_svg(
            decision.position,
            dice=decision.dice,
            cube=decision.cube,
            owner=situation.owner if situation else 0,
            offered=decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER),
            away=decision.away,
            names=(place.decider, opponent),
            arrows=[Arrows(line.style, play) for line, play in lines],
            checkers=CHECKERS.get(comparison.statistics[0].match.rules.variation, 15),
            key=f"board-{rank}",
            name=f"{place.decider} to decide in game {place.game}, turn {place.turn}: {done}",
        ),
        lines=tuple(line for line, _ in lines),
        opinions=tuple(
            opinion_of(name, label, one) for name, label, one in zip(("left", "right"), labels, (first.left, first.right), strict=True)
        ),
        xgid=first.xgid,
        gnubg_id=first.gnubg_id,
    )


def _situation(xgid: str) -> Situation | None:
    try:
        return from_xgid(xgid)
    except ValueError:
        return None


Play = tuple[tuple[int, int], ...]


def lines_of(contribution: Contribution, labels: tuple[str, str]) -> list[tuple[Line, Play]]:
    """The arrows: the play made, and what each tool thinks best where that is another play; equal plays are drawn once."""
    sides = [side for side in (contribution.left, contribution.right) if side is not None]
    decision = sides[0].decision
    if decision.kind is not Kind.PLAY:
        return []
    found: list[tuple[str, list[str], str, Play]] = []
    wanted = [("played", "played", decision.play)]
    for style, label, side in zip(("left", "right"), labels, (contribution.left, contribution.right), strict=True):
        best = _best(side.decision.candidates) if side is not None else None
        wanted.append((style, f"best for {label}", best.play if best else None))
    for style, label, play in wanted:
        if play is None:
            continue
        same = next((one for one in found if sorted(one[3]) == sorted(play) or one[2] == play_text(decision.position, play)), None)
        if same:
            same[1].append(label)
        else:
            found.append((style, [label], play_text(decision.position, play), play))
    return [(Line(style, " and ".join(names), text), play) for style, names, text, play in found]


def _best(candidates: tuple[Candidate, ...]) -> Candidate | None:
    return next((candidate for candidate in candidates if candidate.equity is not None), None)


def opinion_of(name: str, label: str, side: SideOfDecision | None) -> Opinion:
    """What a tool (`name` left or right, called `label`) says of a decision."""
    if side is None:
        return Opinion(name, label, numbers.UNKNOWN, "not in this file", "", (), "This file has no such decision.", "")
    decision = side.decision
    rows = _candidate_rows(side) if decision.kind is Kind.PLAY else _cube_rows(side)
    hidden = len(decision.candidates) - len(rows) if decision.kind is Kind.PLAY else 0
    return Opinion(
        side=name,
        tool=label,
        error=numbers.number(side.error, numbers.EQUITY_DECIMALS),
        counted="counts" if side.counted else "does not count",
        level=side.level,
        rows=rows,
        missing="" if rows else "Not analysed." if side.error is None else "The file holds no candidates of this decision.",
        more=_more(decision, hidden),
    )


def _more(decision: Decision, hidden: int) -> str:
    if decision.kind is not Kind.PLAY:
        return "Equities in the view of the player on roll."
    return f"{hidden} more in the file." if hidden > 0 else ""


def _candidate_rows(side: SideOfDecision) -> tuple[CandidateRow, ...]:
    decision = side.decision
    best = _best(decision.candidates)
    top = best.equity if best else None
    rows = []
    for index, candidate in enumerate(decision.candidates):
        if index < SHOWN_CANDIDATES or candidate.made:
            off = candidate.equity - top if candidate.equity is not None and top is not None else None
            difference = numbers.signed(off, numbers.EQUITY_DECIMALS) if index else ""
            level = candidate.level if candidate.level != side.level else ""
            action = play_text(decision.position, candidate.play)
            rows.append(CandidateRow(str(index + 1), action, numbers.equity(candidate.equity), difference, level, candidate.made))
    return tuple(rows)


def _cube_rows(side: SideOfDecision) -> tuple[CandidateRow, ...]:
    kind = side.decision.kind
    if side.no_double is None or side.double_take is None:
        return ()
    passed = 1.0 if side.double_pass is None else side.double_pass
    taken = side.double_take <= passed
    made = {
        Kind.NO_DOUBLE: 0,
        Kind.DOUBLE: 1 if taken else 2,
        Kind.TAKE: 1,
        Kind.BEAVER: 1,
        Kind.PASS: 2,
    }.get(kind, -1)
    values = ((KINDS[Kind.NO_DOUBLE], side.no_double), ("double, take", side.double_take), ("double, pass", passed))
    best = max(side.no_double, min(side.double_take, passed))
    rows = []
    for index, (action, value) in enumerate(values):
        difference = numbers.signed(value - best, numbers.EQUITY_DECIMALS) if value != best else ""
        rows.append(CandidateRow("", action, numbers.equity(value), difference, "", index == made))
    return tuple(rows)
