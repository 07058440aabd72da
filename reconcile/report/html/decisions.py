"""Single decisions as cards: the board, the plays drawn on it, and what each tool says of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, pairwise
from typing import Final, NamedTuple

from reconcile.gap.contributions import SideOfDecision
from reconcile.match.board.identifiers import Situation, from_xgid
from reconcile.match.board.play import Play, carried_out, play_text
from reconcile.match.columns import Kind
from reconcile.match.match import Candidate, Match
from reconcile.report import numbers
from reconcile.report.html.board import SIDES, Arrows, board_svg
from reconcile.report.words import KINDS, away_text, what_was_done

MOST_CARDS: Final = 10
SHOWN_CANDIDATES: Final = (5, 4, 3, 2)
"""By the number of analyses how many plays of each are shown at least, so that all are on the first
screen beside the board."""
BY_LEVEL: Final = "Plays that were analysed more deeply come first, even with a lower equity."
BY_FILE: Final = "In the order of the file, which is not that of the equities."
CHECKERS_OF: Final = {"hypergammon1": 1, "hypergammon2": 2, "hypergammon3": 3}


class Option(NamedTuple):
    """A play or a cube action that a tool considered."""

    rank: int | None
    choice: Play | str
    equity: float | None
    behind: float | None
    """How far it is behind the best one; `None` for that, and where unknown."""
    level: str
    is_played: bool
    chances: Sequence[int] = ()
    """Win, win gammon, win backgammon, lose gammon, lose backgammon, in thousandths and the
    decider's view; empty if not known."""


class Opinion(NamedTuple):
    """What one file says of a decision."""

    style: str
    """One of `SIDES`."""
    tool: str
    side: SideOfDecision | None
    options: Sequence[Option] = ()
    hidden: int = 0
    """Candidates that are left out."""
    note: str = ""
    """Why the candidates are in this order, where it is not that of their equities."""

    @property
    def level(self) -> str:
        """How deep the tool looked; empty where candidates differ in it."""
        levels = {option.level for option in self.options if option.rank}
        if len(levels) > 1 or self.side is None:
            return ""
        return levels.pop() if levels else self.side.level

    def action(self, option: Option) -> str:
        """A play in standard notation, or a cube action."""
        if isinstance(option.choice, str) or self.side is None:
            return str(option.choice)
        return play_text(self.side.decision.position, option.choice)

    @property
    def given_up(self) -> str:
        """What the play made changes in the chances of the best one: `−2.1 % wins, +3.4 % gammons
        lost`."""
        played = next((option for option in self.options if option.is_played), None)
        if not (played and played.rank and played.chances and self.options[0].chances):
            return ""
        changes = zip(played.chances, self.options[0].chances, GIVEN_UP, strict=True)
        return ", ".join(
            f"{percent(after - before, signed=True)} % {noun}"
            for after, before, noun in changes
            if after != before
        )


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
    """The card of the decision at a place (game, turn, who decides); `sides` are what the tools say
    of it, the left one first."""
    game, turn, decider = place
    title = f"Game {game}, turn {turn}: {decider}"
    decision = next((side.decision for _, side in sides if side), None)
    if decision is None:
        return Card(rank, title, kind, *ids)
    situation = _situation(ids[0])
    opinions = opinions_of(sides)
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
    """The arrows: the play made, and what each tool thinks best where that is another play; equal
    plays are drawn once."""
    decision = next(opinion.side.decision for opinion in opinions if opinion.side is not None)
    if decision.kind is not Kind.PLAY:
        return []
    wanted = [("played", "played", decision.play)]
    for opinion in opinions:
        best = _best(opinion.side.decision.candidates) if opinion.side else None
        wanted.append((opinion.style, f"best for {opinion.tool}", best.play if best else None))
    drawn: list[tuple[Arrows, list[str], str]] = []
    for style, label, play in wanted:
        if play is not None:
            text = play_text(decision.position, play)
            for arrows, labels, other in drawn:
                if other == text or sorted(arrows.play) == sorted(play):
                    labels.append(label)
                    break
            else:
                drawn.append((Arrows(style, play), [label], text))
    return [(arrows, ", ".join(labels), text) for arrows, labels, text in drawn]


def _best(candidates: Sequence[Candidate]) -> Candidate | None:
    return next((candidate for candidate in candidates if candidate.equity is not None), None)


def opinions_of(sides: Sequence[tuple[str, SideOfDecision | None]]) -> list[Opinion]:
    """What every file says of a decision, of plays those that are among the first of any analysis,
    and the play made."""
    decisions = [side.decision if side else None for _, side in sides]
    lists = shown_together(
        [(decision.position, decision.candidates) if decision else None for decision in decisions]
    )
    return [
        _opinion(style, tool, side, shown)
        for style, (tool, side), shown in zip(cycle(SIDES), sides, lists, strict=False)
    ]


def _opinion(style: str, tool: str, side: SideOfDecision | None, shown: Sequence[Shown]) -> Opinion:
    if side is None:
        return Opinion(style, tool, None)
    decision = side.decision
    if decision.kind is not Kind.PLAY:
        values = cube_values(decision.kind, side.no_double, side.double_take, side.double_pass)
        options = [
            Option(None, action, value, off, "", played, action_chances(action, decision.chances))
            for action, value, off, played in values
        ]
        return Opinion(style, tool, side, options)
    options = [
        Option(
            rank,
            candidate.play,
            candidate.equity,
            off,
            candidate.level,
            candidate.made,
            in_thousandths(candidate.probabilities),
        )
        for rank, candidate, off in shown
    ]
    hidden = len(decision.candidates) - len(options)
    return Opinion(style, tool, side, options, hidden, order_note(shown))


Shown = tuple[int, Candidate, float | None]
"""A candidate with its rank, and how far it is behind the first that has an equity (`None` for
that)."""


def shown_together(
    sides: Sequence[tuple[Sequence[int], Sequence[Candidate]] | None],
) -> list[list[Shown]]:
    """Of every analysis, as a position and its candidates, the plays that are among the first of
    any analysis, and the play made."""
    most = SHOWN_CANDIDATES[min(len(sides), len(SHOWN_CANDIDATES)) - 1]
    after = [
        [carried_out(tuple(side[0]), candidate.play) for candidate in side[1]] if side else []
        for side in sides
    ]
    wanted = {position for places in after for position in places[:most]}
    return [
        shown_candidates(side[1], [position in wanted for position in places]) if side else []
        for side, places in zip(sides, after, strict=True)
    ]


def shown_candidates(candidates: Sequence[Candidate], wanted: Sequence[bool]) -> list[Shown]:
    """The wanted candidates and the play made."""
    best = _best(candidates)
    shown = []
    for index, candidate in enumerate(candidates):
        if wanted[index] or candidate.made:
            behind = None
            if candidate.equity is not None and best and best is not candidate:
                behind = candidate.equity - (best.equity or 0.0)
            shown.append((index + 1, candidate, behind))
    return shown


def in_thousandths(chances: Sequence[float]) -> tuple[int, ...]:
    """Chances in thousandths; empty where one is not known."""
    if any(chance != chance for chance in chances):
        return ()
    return tuple(round(1000 * chance) for chance in chances)


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
    sign = ("+", "−")[thousandths < 0] if signed else ""
    return f"{sign}{abs(thousandths) / 10:.1f}"


def short_level(level: str) -> str:
    """A depth behind a play: `R++` for `XG Roller++`, `3p` for `3-ply`."""
    name, plies, _ = level.removeprefix("XG ").replace("Roller", "R").partition("-ply")
    return f"{name}p" if plies else name


def order_note(shown: Sequence[Shown]) -> str:
    """Why candidates are not in the order of their equities; empty where they are."""
    rated = [
        (round(candidate.equity, numbers.EQUITY_DECIMALS), candidate.level)
        for _, candidate, _ in shown
        if candidate.equity is not None
    ]
    turned = [before[1] != after[1] for before, after in pairwise(rated) if before[0] < after[0]]
    if not turned:
        return ""
    return BY_LEVEL if all(turned) else BY_FILE


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
    """The actions that a cube decision is between: name, equity for the player on roll, what it
    loses (`None` for the best), whether made.

    An answer to a double is between take and pass, and loses what the player on roll gains by it.
    Values that are not known: no action."""
    stated = (no_double, double_take, double_pass)
    on, take, passed = (math.nan if value is None else value for value in stated)
    if on != on or take != take:
        return []
    passed = 1.0 if passed != passed else passed
    if kind >= Kind.TAKE:
        actions: Sequence[str] = CUBE_ACTIONS[3:]
        values, played = [take, passed], int(kind is Kind.PASS)
        best, sign = min(values), -1
    else:
        actions, values, sign = CUBE_ACTIONS[:3], [on, take, passed], 1
        best = max(on, min(take, passed))
        played = 0 if kind is Kind.NO_DOUBLE else 1 + (take > passed)
    return [
        (action, value, None if value == best else sign * (value - best), index == played)
        for index, (action, value) in enumerate(zip(actions, values, strict=True))
    ]
