"""Single decisions as cards: the board, the plays drawn on it, and what each tool says of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Final, NamedTuple

from reconcile.gap.bridge import Contribution, SideOfDecision
from reconcile.gap.comparison import Comparison
from reconcile.match.board.identifiers import Situation, from_xgid
from reconcile.match.board.play import Play, carried_out, play_text
from reconcile.match.columns import Kind
from reconcile.match.match import Candidate, Match
from reconcile.report import numbers
from reconcile.report.html.board import SIDES, Arrows, board_svg
from reconcile.report.html.figures import RATE
from reconcile.report.words import KINDS, away_text, what_was_done
from reconcile.scoring.metrics import METRICS

MOST_CARDS: Final = 10
SHOWN_CANDIDATES: Final = (5, 4, 3, 2)
"""By the number of analyses how many plays of each are shown at least, so that all are on the first screen beside the board."""
BY_LEVEL: Final = "Plays that were analysed more deeply come first, even with a lower equity."
BY_FILE: Final = "In the order of the file, which is not that of the equities."
CHECKERS_OF: Final = {"hypergammon1": 1, "hypergammon2": 2, "hypergammon3": 3}


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
    behind: float | None
    """How far it is behind the best one; `None` for that, and where unknown."""
    level: str
    made: bool
    chances: Sequence[int] = ()
    """Win, win gammon, win backgammon, lose gammon, lose backgammon, in thousandths and the decider's view; empty if not known."""


class Opinion(NamedTuple):
    """What one file says of a decision."""

    style: str
    """One of `SIDES`."""
    tool: str
    side: SideOfDecision | None
    level: str = ""
    """How deep the tool looked; empty where candidates differ in it."""
    options: Sequence[Option] = ()
    hidden: int = 0
    """Candidates that are left out."""
    note: str = ""
    """Why the candidates are in this order, where it is not that of their equities."""
    given_up: str = ""
    """What the play made changes in the chances of the best one."""


DrawnPlay = tuple[Arrows, str, str]
"""A play drawn on the board, whose it is, and its notation."""


@dataclass(frozen=True, slots=True)
class Card:
    """A decision; one without a side that has it, as a resignation, has no board."""

    rank: int
    title: str
    done: str
    xgid: str
    gnubg_id: str
    where: str = ""
    """The score."""
    board: str = ""
    lines: Sequence[DrawnPlay] = ()
    opinions: Sequence[Opinion] = ()


def card_of(
    rank: int,
    place: tuple[int, int, str],
    kind: str,
    sides: Sequence[tuple[str, SideOfDecision | None]],
    match: Match,
    ids: tuple[str, str],
) -> Card:
    """The card of the decision at a place (game, turn, who decides); `sides` are what the tools say of it, the left one first."""
    game, turn, decider = place
    title = f"Game {game}, turn {turn}: {decider}"
    lists = shown_together(
        [(side.decision.position, side.decision.candidates) if side else None for _, side in sides]
    )
    opinions = [
        _opinion(style, tool, side, shown)
        for style, (tool, side), shown in zip(cycle(SIDES), sides, lists, strict=False)
    ]
    decision = next((one.side.decision for one in opinions if one.side is not None), None)
    if decision is None:
        return Card(rank, title, kind, *ids)
    situation = _situation(ids[0])
    done, lines = what_was_done(decision), lines_of(opinions)
    board = board_svg(
        decision.position,
        dice=decision.dice,
        cube=decision.cube,
        owner=situation.owner if situation else 0,
        offered=decision.kind in (Kind.TAKE, Kind.PASS, Kind.BEAVER),
        away=decision.away,
        names=(decider, next((name for name in match.names if name != decider), "")),
        light=decider == match.names[0],
        arrows=[drawn for drawn, _, _ in lines],
        checkers=CHECKERS_OF.get(match.rules.variation, 15),
        key=f"board-{rank}",
        name=f"{decider} to decide in game {game}, turn {turn}: {done}",
        shared=True,
    )
    where = away_text(decision.away) + (", Crawford" if situation and situation.crawford else "")
    return Card(rank, title, done, *ids, where=where, board=board, lines=lines, opinions=opinions)


def _situation(xgid: str) -> Situation | None:
    try:
        return from_xgid(xgid)
    except ValueError:
        return None


def lines_of(opinions: Sequence[Opinion]) -> list[DrawnPlay]:
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
        same = next(
            (one for one in found if sorted(one[3]) == sorted(play) or one[2] == text), None
        )
        if same:
            same[1].append(label)
        else:
            found.append((style, [label], text, play))
    return [(Arrows(style, play), ", ".join(names), text) for style, names, text, play in found]


def _best(side: SideOfDecision) -> Candidate | None:
    return next(
        (candidate for candidate in side.decision.candidates if candidate.equity is not None), None
    )


def _opinion(style: str, tool: str, side: SideOfDecision | None, shown: Sequence[Shown]) -> Opinion:
    if side is None:
        return Opinion(style, tool, None)
    if side.decision.kind is not Kind.PLAY:
        values = cube_values(side.decision.kind, side.no_double, side.double_take, side.double_pass)
        options = [
            Option(
                None, action, value, off, "", made, action_chances(action, side.decision.chances)
            )
            for action, value, off, made in values
        ]
        return Opinion(style, tool, side, side.level, options)
    levels = list(dict.fromkeys(one.level for _, one, _ in shown))
    several = len(levels) > 1
    options = [
        Option(
            rank,
            play_text(side.decision.position, one.play),
            one.equity,
            off,
            one.level if several else "",
            one.made,
            in_thousandths(one.probabilities),
        )
        for rank, one, off in shown
    ]
    level = "" if several else levels[0] if levels else side.level
    hidden = len(side.decision.candidates) - len(options)
    note, lost = order_note(shown), given_up(options)
    return Opinion(style, tool, side, level, options, hidden=hidden, note=note, given_up=lost)


Shown = tuple[int, Candidate, float | None]
"""A candidate with its rank, and how far it is behind the first that has an equity (`None` for that)."""


def shown_together(
    sides: Sequence[tuple[Sequence[int], Sequence[Candidate]] | None],
) -> list[list[Shown]]:
    """Of every analysis, as a position and its candidates, the plays that are among the first of any analysis, and the play made."""
    most = SHOWN_CANDIDATES[min(len(sides), len(SHOWN_CANDIDATES)) - 1]
    after = [
        [carried_out(tuple(side[0]), one.play) for one in side[1]] if side else [] for side in sides
    ]
    wanted = {position for places in after for position in places[:most]}
    return [
        shown_candidates(side[1], [position in wanted for position in places]) if side else []
        for side, places in zip(sides, after, strict=True)
    ]


def shown_candidates(candidates: Sequence[Candidate], wanted: Sequence[bool]) -> list[Shown]:
    """The wanted candidates and the play made."""
    first = next((index for index, one in enumerate(candidates) if one.equity is not None), 0)
    top = candidates[first].equity if candidates else None
    return [
        (
            index + 1,
            one,
            one.equity - top
            if one.equity is not None and top is not None and index != first
            else None,
        )
        for index, one in enumerate(candidates)
        if wanted[index] or one.made
    ]


def in_thousandths(chances: Sequence[float]) -> tuple[int, ...]:
    """Chances in thousandths; empty where one is not known."""
    return () if any(one != one for one in chances) else tuple(round(1000 * one) for one in chances)


def action_chances(action: str, chances: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """The chances after an action of a cube decision, in thousandths; empty after a pass."""
    if not chances or action.endswith("pass"):
        return ()
    return in_thousandths(chances[action != CUBE_ACTIONS[0]])


CHANCES: Final = ("Win", "Gammon", "Bg", "Gammon lost", "Bg lost")
"""The columns of chances, the decider's; a gammon includes a backgammon."""
GIVEN_UP: Final = ("wins", "gammons", "backgammons", "gammons lost", "backgammons lost")


def percent(thousandths: int, *, signed: bool = False) -> str:
    """A chance in per cent, with one digit."""
    text = f"{abs(thousandths) / 10:.1f}"
    if not signed:
        return text
    return f"{'−' if thousandths < 0 else '+'}{text}"


def short_level(level: str) -> str:
    """A depth behind a play: `R++` for `XG Roller++`, `3p` for `3-ply`."""
    name, plies, _ = level.removeprefix("XG ").replace("Roller", "R").partition("-ply")
    return f"{name}p" if plies else name


def given_up(options: Sequence[Option]) -> str:
    """What the play made changes in the chances of the best one: `−2.1 % wins, +3.4 % gammons lost`."""
    best, made = options[:1], [one for one in options if one.made]
    if not made or best == made or not best[0].chances or not made[0].chances:
        return ""
    changes = zip(made[0].chances, best[0].chances, GIVEN_UP, strict=True)
    return ", ".join(
        f"{percent(one - other, signed=True)} % {noun}"
        for one, other, noun in changes
        if one != other
    )


def order_note(shown: Sequence[Shown]) -> str:
    """Why candidates are not in the order of their equities; empty where they are."""
    known = [
        (round(one.equity, numbers.EQUITY_DECIMALS), one.level)
        for _, one, _ in shown
        if one.equity is not None
    ]
    turned = [one[1] != two[1] for one, two in pairwise(known) if one[0] < two[0]]
    return (BY_LEVEL if all(turned) else BY_FILE) if turned else ""


CUBE_ACTIONS: Final = (
    KINDS[Kind.NO_DOUBLE],
    "double, take",
    "double, pass",
    KINDS[Kind.TAKE],
    KINDS[Kind.PASS],
)
"""What a cube decision is between: the first three before a double, the last two after it."""


def cube_values(
    kind: Kind, no_double: float | None, double_take: float | None, double_pass: float | None
) -> list[tuple[str, float, float | None, bool]]:
    """The actions that a cube decision is between: name, equity for the player on roll, what it loses (`None` for the best), whether made.

    An answer to a double is between take and pass, and loses what the player on roll gains by it. Values that are not known: no action.
    """
    if (
        no_double is None
        or double_take is None
        or no_double != no_double
        or double_take != double_take
    ):
        return []
    passed = 1.0 if double_pass is None or double_pass != double_pass else double_pass
    if kind >= Kind.TAKE:
        best = min(double_take, passed)
        answers = zip(
            CUBE_ACTIONS[3:],
            (double_take, passed),
            (kind is not Kind.PASS, kind is Kind.PASS),
            strict=True,
        )
        return [
            (action, value, best - value if value != best else None, made)
            for action, value, made in answers
        ]
    best = max(no_double, min(double_take, passed))
    doubled = 1 if double_take <= passed else 2
    values = zip(CUBE_ACTIONS[:3], (no_double, double_take, passed), strict=True)
    return [
        (
            action,
            value,
            value - best if value != best else None,
            index == (0 if kind is Kind.NO_DOUBLE else doubled),
        )
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


def cards_of(
    comparison: Comparison, contributions: Sequence[Contribution], labels: tuple[str, str]
) -> Cards:
    """The decisions that move the leading figure most, largest first."""
    metric = leading_metric(comparison, contributions)
    found: dict[tuple[str, Place], list[Contribution]] = {}
    for contribution in contributions:
        place = place_of(contribution, comparison)
        if contribution.metric == metric and place is not None:
            found.setdefault((contribution.player, place), []).append(contribution)
    sums = {key: sum(one.change for one in group) for key, group in found.items()}
    moving = [key for key in found if abs(sums[key]) > 1e-9]
    moving.sort(
        key=lambda key: (-abs(round(sums[key], 9)), key[1].game, key[1].turn, key[1].kind, key[0])
    )
    match = comparison.statistics[0].match
    cards = []
    ranks: dict[Place, int] = {}
    for rank, (player, place) in enumerate(moving[:MOST_CARDS], start=1):
        group = sorted(found[player, place], key=lambda one: -abs(one.change))
        first = found[player, place][0]
        sides = list(zip(labels, (first.left, first.right), strict=True))
        card = card_of(
            rank,
            (place.game, place.turn, place.decider),
            place.kind.label,
            sides,
            match,
            (first.xgid, first.gnubg_id),
        )
        cards.append((card, group, sums[player, place]))
        ranks.setdefault(place, rank)
    return Cards(cards, ranks, metric, max(len(moving) - MOST_CARDS, 0))
