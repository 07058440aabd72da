"""Single decisions as cards: the board, the plays drawn on it, and what each tool says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from reconcile.board.identifiers import Situation, from_xgid
from reconcile.board.play import Play, play_text
from reconcile.columns import Kind
from reconcile.gap.bridge import Contribution, SideOfDecision
from reconcile.gap.comparison import Comparison
from reconcile.match import Candidate, Match
from reconcile.report import numbers
from reconcile.report.html.board import Arrows, board_svg
from reconcile.report.html.figures import RATE
from reconcile.report.words import KINDS, away_text, what_was_done
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


class Option(NamedTuple):
    """A play or a cube action that a tool considered."""

    rank: int | None
    action: str
    equity: float | None
    behind: str
    """How far it is behind the best one; empty for that."""
    level: str
    made: bool


class Opinion(NamedTuple):
    """What one file says of a decision."""

    style: str
    """`left` or `right`."""
    tool: str
    side: SideOfDecision | None
    options: list[Option]
    hidden: int
    """Candidates that are left out."""


Line = tuple[Arrows, str, str]
"""A play drawn on the board, whose it is, and its notation."""


@dataclass(frozen=True, slots=True)
class Card:
    """A decision; one without a side that has it, as a resignation, has no board."""

    rank: int
    title: str
    done: str
    where: str
    """The score."""
    board: str
    lines: list[Line]
    opinions: list[Opinion]
    xgid: str
    gnubg_id: str


def card_of(
    rank: int,
    place: tuple[int, int, str],
    kind: str,
    sides: Sequence[tuple[str, SideOfDecision | None]],
    match: Match,
    ids: tuple[str, str],
) -> Card:
    """The card of the decision at a place (game, turn, who decides); `sides` are what the left and the right tool say of it."""
    game, turn, decider = place
    title = f"Game {game}, turn {turn}: {decider}"
    opinions = [_opinion(style, tool, side) for style, (tool, side) in zip(("left", "right"), sides, strict=False)]
    decision = next((one.side.decision for one in opinions if one.side is not None), None)
    if decision is None:
        return Card(rank, title, kind, "", "", [], [], *ids)
    situation = _situation(ids[0])
    done, lines = what_was_done(decision), lines_of(opinions)
    board = board_svg(
        decision.position,
        dice=decision.dice,
        cube=decision.cube,
        owner=situation.owner if situation else 0,
        offered=decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER),
        away=decision.away,
        names=(decider, next((name for name in match.players if name != decider), "")),
        arrows=[drawn for drawn, _, _ in lines],
        checkers=CHECKERS.get(match.rules.variation, 15),
        key=f"board-{rank}",
        name=f"{decider} to decide in game {game}, turn {turn}: {done}",
    )
    where = away_text(decision.away) + (", Crawford" if situation and situation.crawford else "")
    return Card(rank, title, done, where, board, lines, opinions, *ids)


def _situation(xgid: str) -> Situation | None:
    try:
        return from_xgid(xgid)
    except ValueError:
        return None


def lines_of(opinions: Sequence[Opinion]) -> list[Line]:
    """The arrows: the play made, and what each tool thinks best where that is another play; equal plays are drawn once."""
    decision = next(one.side.decision for one in opinions if one.side is not None)
    if decision.kind is not Kind.PLAY:
        return []
    wanted = [("played", "played", decision.play)]
    for one in opinions:
        best = _best(one.side) if one.side is not None else None
        wanted.append((one.style, f"best for {one.tool}", best.play if best else None))
    found: list[tuple[str, list[str], str, Play]] = []
    for style, label, play in wanted:
        if play is None:
            continue
        text = play_text(decision.position, play)
        same = next((one for one in found if sorted(one[3]) == sorted(play) or one[2] == text), None)
        if same:
            same[1].append(label)
        else:
            found.append((style, [label], text, play))
    return [(Arrows(style, play), " and ".join(names), text) for style, names, text, play in found]


def _best(side: SideOfDecision) -> Candidate | None:
    return next((candidate for candidate in side.decision.candidates if candidate.equity is not None), None)


def _opinion(style: str, tool: str, side: SideOfDecision | None) -> Opinion:
    if side is None:
        return Opinion(style, tool, None, [], 0)
    if side.decision.kind is not Kind.PLAY:
        return Opinion(style, tool, side, _cube_options(side), 0)
    options = _candidates(side)
    return Opinion(style, tool, side, options, len(side.decision.candidates) - len(options))


def _candidates(side: SideOfDecision) -> list[Option]:
    best = _best(side)
    top = best.equity if best else None
    found = []
    for index, one in enumerate(side.decision.candidates):
        if index < SHOWN_CANDIDATES or one.made:
            off = one.equity - top if one.equity is not None and top is not None else None
            behind = numbers.equity(off) if index else ""
            level = one.level if one.level != side.level else ""
            found.append(Option(index + 1, play_text(side.decision.position, one.play), one.equity, behind, level, one.made))
    return found


def _cube_options(side: SideOfDecision) -> list[Option]:
    if side.no_double is None or side.double_take is None:
        return []
    passed = 1.0 if side.double_pass is None else side.double_pass
    doubled = 1 if side.double_take <= passed else 2
    made = {Kind.NO_DOUBLE: 0, Kind.DOUBLE: doubled, Kind.TAKE: 1, Kind.BEAVER: 1, Kind.PASS: 2}.get(side.decision.kind)
    values = ((KINDS[Kind.NO_DOUBLE], side.no_double), ("double, take", side.double_take), ("double, pass", passed))
    best = max(side.no_double, min(side.double_take, passed))
    return [
        Option(None, action, value, numbers.equity(value - best) if value != best else "", "", index == made)
        for index, (action, value) in enumerate(values)
    ]


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


class Cards(NamedTuple):
    """The cards, each with its contributions, the largest first, and their sum."""

    cards: list[tuple[Card, list[Contribution], float]]
    ranks: dict[Place, int]
    """Number of the card that shows a decision."""
    metric: str
    """The figure by which they were chosen."""
    others: int
    """How many more decisions move this figure."""


def cards_of(comparison: Comparison, contributions: Sequence[Contribution], labels: tuple[str, str]) -> Cards:
    """The decisions that move the leading figure most, largest first."""
    metric = leading_metric(comparison, contributions)
    found: dict[tuple[str, Place], list[Contribution]] = {}
    for contribution in contributions:
        place = place_of(contribution, comparison)
        if contribution.metric == metric and place is not None:
            found.setdefault((contribution.player, place), []).append(contribution)
    sums = {key: sum(one.change for one in group) for key, group in found.items()}
    moving = [key for key in found if abs(sums[key]) > 1e-9]
    moving.sort(key=lambda key: (-abs(round(sums[key], 9)), key[1].game, key[1].turn, key[1].kind, key[0]))
    match = comparison.statistics[0].match
    cards = []
    ranks: dict[Place, int] = {}
    for rank, (player, place) in enumerate(moving[:MOST_CARDS], start=1):
        group = sorted(found[player, place], key=lambda one: -abs(one.change))
        first = found[player, place][0]
        sides = list(zip(labels, (first.left, first.right), strict=True))
        card = card_of(rank, (place.game, place.turn, place.decider), place.kind.label, sides, match, (first.xgid, first.gnubg_id))
        cards.append((card, group, sums[player, place]))
        ranks.setdefault(place, rank)
    return Cards(cards, ranks, metric, max(len(moving) - MOST_CARDS, 0))
