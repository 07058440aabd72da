"""The decisions on which analyses want different actions, and who of them is right by a rollout.

Nothing is rolled out here: `disputes` says what to ask, `with_rollout` what the answer means. Either takes any number of sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from reconcile.document import Amount, Count, Document, Positive
from reconcile.files.wording import listed, plural
from reconcile.gap.aligned import CUBE_ACTIONS, Aligned, best_plays
from reconcile.match.board.identifiers import Situation, gnubg_id, xgid
from reconcile.match.board.play import Play, play_text
from reconcile.match.board.position import swap
from reconcile.match.columns import Kind, KindName
from reconcile.scoring.decision_table import located, situation_of

if TYPE_CHECKING:
    from reconcile.scoring.statistics import Statistics

CLOSE: Final = 2.0
"""Standard errors of the difference within which a rollout does not decide."""
WANTED: Final = {1: 0, 2: 1}
"""By the bits of the best cube actions the index of the one; none where both are as good."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision whose best action differs between the sides."""

    game: int
    turn: int
    kind: str
    player: str
    at_stake: float
    """The largest error charged for what was done less the smallest (EMG)."""
    decided: Situation
    """In the decider's view."""
    actions: tuple[str, ...]
    """What the sides want, each once: plays in notation, or both cube actions."""
    wanted: tuple[int | None, ...]
    """By side the index of the action that it thinks best; `None` where it does not say."""
    plays: tuple[Play, ...] = ()
    """Of a roll, as `actions`."""

    @property
    def asked(self) -> Situation:
        """The situation in the view of the player on roll, whose decision a rollout is asked for."""
        here = self.decided
        if not here.double_offered:
            return here
        mine, theirs = here.score
        turned = {"position": swap(here.position), "owner": -here.owner, "score": (theirs, mine), "decider_is_top": not here.decider_is_top}
        return replace(here, double_offered=False, **turned)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Action(Document):
    """An action of a decision in dispute, with what a rollout found."""

    action: str
    """A play in notation, or a cube action."""
    equity: float | None
    """EMG at the cube before the decision, in the decider's view; null where the time was over before."""
    standard_error: Amount | None
    """Of the equity (EMG)."""
    wanted_by: tuple[Count, ...]
    """The sides that think it best: 0 left, 1 right."""


@dataclass(frozen=True, slots=True)
class SettledDecision(Document):
    """A decision in dispute that was rolled out."""

    game: int
    """Number of the game as in the left file."""
    turn: Positive
    """From 1 in each game, counting both players."""
    kind: KindName
    """What was done."""
    player: str
    """Who decides."""
    at_stake: Amount
    """The largest error charged for what was done less the smallest (EMG)."""
    xgid: str
    """The decision, for XG."""
    gnubg_id: str
    """The decision, for gnuBG."""
    actions: tuple[Action, ...]
    """What the sides want, each action once."""
    best: str | None
    """The action that is better by more than two standard errors of the difference; null where it is too close to call."""
    right: tuple[Count, ...]
    """The sides that want it: 0 left, 1 right."""

    @property
    def is_done(self) -> bool:
        """Whether the rollout was finished in time."""
        return all(one.equity is not None for one in self.actions)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the rollouts of a comparison found."""

    program: str
    """Who rolled out."""
    version: str
    trials: int
    decisions: tuple[SettledDecision, ...]
    """Most at stake first."""


def with_rollout(dispute: Dispute, values: tuple[Sequence[float], Sequence[float]] | None) -> SettledDecision:
    """A dispute with a rollout's equities and standard errors, which are in the view of the player on roll.

    They are those of the plays, or of no double and of double/take; `None` where there are none.
    """
    equities, errors = values or ((), ())
    if values is not None and not dispute.plays:
        no_double, taken = equities
        if dispute.decided.double_offered:
            equities, errors = (-taken, -1.0), (errors[1], 0.0)
        else:
            equities, errors = (no_double, min(taken, 1.0)), (errors[0], errors[1] if taken - CLOSE * errors[1] < 1 else 0.0)
    wanted_by = [tuple(side for side, wanted in enumerate(dispute.wanted) if wanted == at) for at in range(len(dispute.actions))]
    known: Sequence[tuple[float | None, float | None]] = [*zip(equities, errors, strict=True)] or [(None, None)] * len(dispute.actions)
    actions = tuple(Action(name, *value, by) for name, value, by in zip(dispute.actions, known, wanted_by, strict=True))
    best = _clearly_best(equities, errors)
    return SettledDecision(
        dispute.game,
        dispute.turn,
        dispute.kind,
        dispute.player,
        dispute.at_stake,
        xgid(dispute.decided),
        gnubg_id(dispute.decided),
        actions,
        None if best is None else dispute.actions[best],
        () if best is None else wanted_by[best],
    )


def _clearly_best(equities: Sequence[float], errors: Sequence[float]) -> int | None:
    """The index of what is better than everything else by more than `CLOSE` standard errors; `None` if there is none."""
    if not equities:
        return None
    first = int(np.argmax(equities))
    others = [index for index in range(len(equities)) if index != first]
    clear = all(equities[first] - equities[one] > CLOSE * np.hypot(errors[first], errors[one]) for one in others)
    return first if clear else None


def disputes(aligned: Aligned, found: Iterable[tuple[int, float]]) -> Iterator[Dispute]:
    """Disputes as a rollout is asked about them; `found` are decisions and what is at stake. What no ID describes is left out.

    A side that likes several actions best wants the one that a side before it wants, if it is among them.
    """
    sides, rows = aligned.sides, aligned.rows
    for item, at_stake in found:
        dispute = _dispute(sides[aligned.reference], int(rows[aligned.reference, item]), at_stake)
        if dispute is None:
            continue
        if dispute.kind == Kind.PLAY.label:
            yield _plays(dispute, zip(sides, rows[:, item].tolist(), strict=True))
        else:
            wanted = tuple(WANTED.get(votes) for votes in aligned.votes[:, item].tolist())
            yield replace(dispute, actions=CUBE_ACTIONS[dispute.decided.double_offered], wanted=wanted)


def _plays(dispute: Dispute, here: Iterable[tuple[Statistics, int]]) -> Dispute:
    found: dict[tuple[int, ...], Play] = {}
    wanted: list[int | None] = []
    for side, row in here:
        best = best_plays(side, row) if row >= 0 and side.match.plays.analysed[row] else {}
        if best and not best.keys() & found.keys():
            led_to, play = next(iter(best.items()))
            found[led_to] = play
        wanted.append(next((index for index, led_to in enumerate(found) if led_to in best), None))
    plays = tuple(found.values())
    actions = tuple(play_text(dispute.decided.position, play) for play in plays)
    return replace(dispute, actions=actions, plays=plays, wanted=tuple(wanted))


def _dispute(side: Statistics, item: int, at_stake: float) -> Dispute | None:
    """A dispute about a row of a file, without its actions; `None` where no ID describes it."""
    match = side.match
    table, row = located(match, item)
    try:
        decided = situation_of(match, item)
    except ValueError:
        return None
    if table is None or decided is None or at_stake != at_stake:
        return None
    kind = Kind.PLAY if table is match.plays else Kind(int(match.cubes.kind[row]))
    place = int(match.games.number[table.game[row]]), int(table.turn[row])
    return Dispute(*place, kind.label, match.names[int(table.player[row])], at_stake, decided, (), ())


def sentence(settlement: Settlement, names: Sequence[str]) -> str:
    """Who is right how often, by the names of the sides."""
    decisions = settlement.decisions
    who = f"{settlement.program}'s rollout ({settlement.trials} trials)"
    if not decisions:
        return f"{listed(list(names))} never want different actions: there is nothing to settle by a rollout."
    done = [one for one in decisions if one.is_done]
    wins = [sum(side in one.right for one in done) for side in range(len(names))]
    order = sorted(range(len(names)), key=lambda side: -wins[side])
    parts = [f"{names[side]} right on {wins[side]}" for side in order if wins[side]]
    close, neither = sum(one.best is None for one in done), sum(one.best is not None and not one.right for one in done)
    text = f"{who} gives {parts[0]} of {plural(len(decisions), 'decision')} in dispute" if parts else ""
    text += "".join(f" and {part}" for part in parts[1:])
    if not parts:
        text = f"{who} decides none of {plural(len(decisions), 'decision')} in dispute"
    rest = [f"{close} {'is' if close == 1 else 'are'} too close to call (within {CLOSE:g} standard errors)"] if close else []
    rest += [f"on {neither} no side is right"] if neither else []
    unfinished = len(decisions) - len(done)
    rest += [f"{unfinished} {'was' if unfinished == 1 else 'were'} not finished in the time allowed"] if unfinished else []
    return "; ".join([text, *rest]) + "."


def lines(settlement: Settlement, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """By decision where it is, and what the rollout found, in words."""
    for one in settlement.decisions:
        nobody = "too close to call" if one.best is None else "no side right"
        verdict = f"{listed([names[side] for side in one.right])} right" if one.right else nobody
        values = [
            f"{action.action} {action.equity:+.3f} (standard error {action.standard_error:.3f}{_wanting(action, names)})"
            for action in one.actions
            if action.equity is not None
        ]
        said = "; ".join([verdict, *values]) if one.is_done else "not finished in the time allowed"
        yield f"game {one.game}, turn {one.turn}", f"{one.player}, {one.kind}: {said}"


def _wanting(action: Action, names: Sequence[str]) -> str:
    sides = [names[side] for side in action.wanted_by]
    return f", wanted by {listed(sides)}" if sides else ""
