"""The decisions on which analyses disagree, over the action or over what it costs, and who of them is right by a rollout.

Nothing is rolled out here: `disputes` says what to ask, `SettledDecision` what the answer means. Either takes any number of sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, Amount, Count, Document, Positive
from reconcile.files.wording import listed, plural
from reconcile.gap.aligned import CUBE_ACTIONS, Aligned
from reconcile.gap.paired_decisions import Placed
from reconcile.match.board.identifiers import Situation, gnubg_id, xgid
from reconcile.match.board.play import Play, apply_play, play_text
from reconcile.match.board.position import swap
from reconcile.match.columns import Kind
from reconcile.scoring.decision_table import located, situation_of

if TYPE_CHECKING:
    from reconcile.match.match import Match
    from reconcile.scoring.statistics import Statistics

CLOSE: Final = 2.0
"""Standard errors of the difference within which a rollout does not decide."""
UNFINISHED: Final = "not finished in the time allowed"
TOO_FEW: Final = "too few games to tell"
SIZES: Final = "in dispute over the size of an error"
DONE: Final = {
    Kind.NO_DOUBLE.label: 0,
    Kind.DOUBLE.label: 1,
    Kind.TAKE.label: 0,
    Kind.PASS.label: 1,
}
"""Index of what was done among the actions of a cube decision."""
WANTED: Final = {1: 0, 2: 1}
"""By the bits of the best cube actions the index of the one; none where both are as good."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision on which the sides disagree: its best action differs, or only what they charge for what was done."""

    game: int
    turn: int
    kind: str
    player: str
    at_stake: float
    """The largest error charged for what was done less the smallest (EMG)."""
    decided: Situation
    """In the decider's view."""
    actions: tuple[str, ...]
    """What the sides want, each once: plays in notation, or both cube actions. Where only the size differs, what was done too."""
    wanted: tuple[int | None, ...]
    """By side the index of the action that it thinks best; `None` where it does not say."""
    plays: tuple[Play, ...] = ()
    """Of a roll, as `actions`."""
    done: int | None = None
    """Where the size is asked about, the index of what was done."""
    charged: tuple[float | None, ...] = ()
    """By side the error (EMG) that it charges for it; `None` where it does not say."""

    @property
    def asked(self) -> Situation:
        """The situation in the view of the player on roll, whose decision a rollout is asked for."""
        here = self.decided
        if not here.double_offered:
            return here
        mine, theirs = here.score
        turned = {
            "position": swap(here.position),
            "owner": -here.owner,
            "score": (theirs, mine),
            "decider_is_top": not here.decider_is_top,
        }
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
class SettledDecision(Placed):
    """A decision in dispute that was rolled out."""

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
    """The sides that want it, or where only the size of the error is in dispute those nearest to what was lost: 0 left, 1 right."""
    done: Annotated[str | None, LEFT_OUT] = None
    """What was done, where only the size of the error is in dispute; the next three are there with it."""
    loss: Annotated[float | None, LEFT_OUT] = None
    """What it loses by the rollout (EMG); negative if it is better than the other action."""
    loss_standard_error: Annotated[Amount | None, LEFT_OUT] = None
    """Of the loss."""
    charged: Annotated[tuple[float | None, ...] | None, LEFT_OUT] = None
    """By side the error that it charges; null where it does not say."""

    @property
    def finished(self) -> bool:
        """Whether the time was enough for its games."""
        return any(one.equity is not None for one in self.actions)

    @property
    def of_size(self) -> bool:
        """Whether the sides want the same, and only the size of the error is asked about."""
        return self.done is not None and sum(bool(one.wanted_by) for one in self.actions) < 2

    @property
    def told(self) -> bool:
        """Whether the games were enough to tell."""
        return bool(self.right) if self.of_size else self.best is not None

    @property
    def off(self) -> tuple[float | None, ...]:
        """By side what it charges for what was done, less what that loses by the rollout."""
        if self.loss is None or self.charged is None:
            return ()
        loss = max(self.loss, 0.0)
        return tuple(None if charged is None else charged - loss for charged in self.charged)


@dataclass(frozen=True, slots=True)
class Settlement(Document):
    """Rollouts of the decisions in dispute (`--settle`)."""

    program: str
    """Who rolled out, with its version."""
    trials: Positive
    """Games of each rollout."""
    sentence: str
    """Who is right how often."""
    decisions: tuple[SettledDecision, ...]
    """Most at stake first."""
    names: Annotated[tuple[str, ...], HIDDEN] = ()
    """Of the sides."""


Values = tuple[Sequence[float], Sequence[float]]
"""Equities, and their standard errors."""


def settlement(
    program: str,
    version: str,
    trials: int,
    decisions: Sequence[SettledDecision],
    names: Sequence[str],
) -> Settlement:
    """What the rollouts of a review or a comparison found; `names` are those of its sides."""
    said = _sentence(f"{program}'s rollout ({trials} trials)", decisions, names)
    return Settlement(f"{program} {version}", trials, said, tuple(decisions), tuple(names))


def with_rollout(dispute: Dispute, values: Values | None) -> SettledDecision:
    """A dispute with a rollout's equities and standard errors, which are in the view of the player on roll.

    They are those of the plays, or of no double and of double/take; `None` where there are none.
    """
    equities, errors = (
        ((), ()) if values is None else values if dispute.plays else _of_cube(dispute, *values)
    )
    best, lost = _best(equities, errors), _loss(dispute.done, equities, errors)
    if dispute.done is not None and len(set(dispute.wanted) - {None}) < 2:
        right = _nearest(lost, dispute.charged)
    else:
        right = (
            ()
            if best is None
            else tuple(side for side, wanted in enumerate(dispute.wanted) if wanted == best)
        )
    known: Sequence[tuple[float | None, float | None]] = [*zip(equities, errors, strict=True)] or [
        (None, None)
    ] * len(dispute.actions)
    wanted_by = [
        tuple(side for side, wanted in enumerate(dispute.wanted) if wanted == index)
        for index in range(len(dispute.actions))
    ]
    return SettledDecision(
        dispute.game,
        dispute.turn,
        dispute.kind,
        player=dispute.player,
        at_stake=dispute.at_stake,
        xgid=xgid(dispute.decided),
        gnubg_id=gnubg_id(dispute.decided),
        actions=tuple(
            Action(action, *found, by)
            for action, found, by in zip(dispute.actions, known, wanted_by, strict=True)
        ),
        best=None if best is None else dispute.actions[best],
        right=right,
        done=None if dispute.done is None else dispute.actions[dispute.done],
        loss=lost and lost[0],
        loss_standard_error=lost and lost[1],
        charged=dispute.charged or None,
    )


def _of_cube(dispute: Dispute, equities: Sequence[float], errors: Sequence[float]) -> Values:
    """What the actions of a cube decision are worth to who decides, from no double and double/take."""
    no_double, taken = equities
    if dispute.decided.double_offered:
        return (-taken, -1.0), (errors[1], 0.0)
    return (no_double, min(taken, 1.0)), (
        errors[0],
        errors[1] if taken - CLOSE * errors[1] < 1 else 0.0,
    )


def _best(equities: Sequence[float], errors: Sequence[float]) -> int | None:
    """Index of the action that is better than every other by more than `CLOSE` standard errors; `None` if there is none."""
    if not equities:
        return None
    first = int(np.argmax(equities))
    others = [index for index in range(len(equities)) if index != first]
    clear = all(
        equities[first] - equities[one] > CLOSE * np.hypot(errors[first], errors[one])
        for one in others
    )
    return first if clear else None


def _loss(
    done: int | None, equities: Sequence[float], errors: Sequence[float]
) -> tuple[float, float] | None:
    """What was done against the best of the other actions: what it loses (negative if it is better), and the standard error of that."""
    if done is None or len(equities) < 2:
        return None
    other = max(
        (index for index in range(len(equities)) if index != done), key=equities.__getitem__
    )
    return equities[other] - equities[done], float(np.hypot(errors[other], errors[done]))


def _nearest(lost: tuple[float, float] | None, by_side: Sequence[float | None]) -> tuple[int, ...]:
    """The sides that charge nearest to what was lost; none where others would be within `CLOSE` standard errors of the loss."""
    charged = {side: one for side, one in enumerate(by_side) if one is not None}
    if lost is None or len(set(charged.values())) < 2:
        return ()
    loss, error = max(lost[0], 0.0), lost[1]
    best = min(charged.values(), key=lambda one: abs(one - loss))
    if any(
        abs(loss - (best + one) / 2) <= CLOSE * error for one in charged.values() if one != best
    ):
        return ()
    return tuple(side for side, one in charged.items() if one == best)


def in_dispute(aligned: Aligned, seats: Sequence[int]) -> list[Dispute]:
    """The decisions in dispute of these players, most at stake first, as a rollout is asked about them."""
    return list(
        disputes(
            aligned, ((item, float(aligned.at_stake[item])) for item in aligned.in_dispute(seats))
        )
    )


def disputes(
    aligned: Aligned, found: Iterable[tuple[int, float]], *, sizes: bool = False
) -> Iterator[Dispute]:
    """Disputes as a rollout is asked about them; `found` are decisions and what is at stake. What no ID describes is left out.

    A side that likes several actions best wants the one that a side before it wants, if it is among them. What was done is asked about
    where the sides agree on the best action, and with `sizes` always.
    """
    sides, rows = aligned.sides, aligned.rows
    for item, at_stake in found:
        dispute = _dispute(sides[aligned.reference], int(rows[aligned.reference, item]), at_stake)
        if dispute is None:
            continue
        if dispute.kind == Kind.PLAY.label:
            dispute = _plays(dispute, aligned.best_plays(item))
        else:
            wanted = tuple(WANTED.get(votes) for votes in aligned.votes[:, item].tolist())
            dispute = replace(
                dispute, actions=CUBE_ACTIONS[dispute.decided.double_offered], wanted=wanted
            )
        if sizes or not aligned.disputed[item]:
            charged = tuple(
                None if error != error else error for error in aligned.error[:, item].tolist()
            )
            dispute = replace(
                _with_done(dispute, sides[aligned.reference].match, item), charged=charged
            )
        yield dispute


def _with_done(dispute: Dispute, match: Match, item: int) -> Dispute:
    """A dispute with what was done among its actions, and at least one play more."""
    if dispute.kind != Kind.PLAY.label:
        return replace(dispute, done=DONE.get(dispute.kind))
    position = dispute.decided.position
    made = match.plays.play[item]
    found = {tuple(apply_play(position, play)): play for play in dispute.plays}
    done = tuple(apply_play(position, made))
    found.setdefault(done, made)
    for one in match.candidates(item):
        if len(found) < 2:
            found.setdefault(tuple(apply_play(position, one.play)), one.play)
    plays = tuple(found.values())
    return replace(
        dispute,
        plays=plays,
        actions=tuple(play_text(position, play) for play in plays),
        done=list(found).index(done),
    )


def _plays(dispute: Dispute, by_side: Iterable[Mapping[tuple[int, ...], Play]]) -> Dispute:
    """A dispute about a roll with the plays that the sides want, from what each thinks best."""
    found: dict[tuple[int, ...], Play] = {}
    wanted: list[int | None] = []
    for best in by_side:
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
    return Dispute(
        *place, kind.label, match.names[int(table.player[row])], at_stake, decided, (), ()
    )


def _sentence(who: str, decisions: Sequence[SettledDecision], names: Sequence[str]) -> str:
    """Who is right how often, by the names of the sides, and nearer where only the size is in dispute."""
    if not decisions:
        return f"{listed(list(names))} are nowhere in dispute: there is nothing to settle by a rollout."
    groups = (False, "in dispute", "right"), (True, SIZES, "nearer")
    found = [
        ([one for one in decisions if one.of_size is of_size], what, verb)
        for of_size, what, verb in groups
    ]
    counts = [_count(group, names, what, verb) for group, what, verb in found if group]
    return " ".join(f"{who if index == 0 else 'It'} {count}." for index, count in enumerate(counts))


def _count(decisions: Sequence[SettledDecision], names: Sequence[str], what: str, verb: str) -> str:
    """`gives XG right on 3 of 5 decisions in dispute; too few games to tell on 2 (within 2 standard errors)`."""
    done = [one for one in decisions if one.finished]
    wins = [sum(side in one.right for one in done) for side in range(len(names))]
    order = sorted(range(len(names)), key=lambda side: -wins[side])
    parts = [f"{names[side]} {verb} on {wins[side]}" for side in order if wins[side]]
    close, neither = (
        sum(not one.told for one in done),
        sum(one.told and not one.right for one in done),
    )
    number = f"of {plural(len(decisions), 'decision')} {what}"
    text = (
        " and ".join([f"gives {parts[0]} {number}", *parts[1:]])
        if parts
        else f"decides none {number}"
    )
    rest = [f"{TOO_FEW} on {close} (within {CLOSE:g} standard errors)"] if close else []
    rest += [f"on {neither} no side is right"] if neither else []
    unfinished = len(decisions) - len(done)
    rest += (
        [f"{unfinished} {'was' if unfinished == 1 else 'were'} not finished in the time allowed"]
        if unfinished
        else []
    )
    return "; ".join([text, *rest])


def lines(found: Settlement) -> Iterator[tuple[str, str]]:
    """By decision where it is, and what the rollout found, in words."""
    for one in found.decisions:
        said = [
            verdict_on(one, found.names),
            *map(_said, one.actions, repeat(found.names)),
            *distances(one, found.names),
        ]
        yield (
            f"game {one.game}, turn {one.turn}",
            f"{one.player}, {one.kind}: {'; '.join(said if one.finished else said[:1])}",
        )


def _said(one: Action, names: Sequence[str]) -> str:
    wanted = (
        f", wanted by {listed([names[side] for side in one.wanted_by])}" if one.wanted_by else ""
    )
    return (
        f"{one.action} {one.equity:+.3f} (standard error {one.standard_error:.3f}{wanted})"
        if one.equity is not None
        else ""
    )


def verdict_on(one: SettledDecision, names: Sequence[str]) -> str:
    """Who is right, or nearer, by a rollout; or that its games are too few, or not finished."""
    if not one.finished:
        return UNFINISHED
    if not one.told:
        return TOO_FEW
    return (
        f"{listed([names[side] for side in one.right])} {'nearer' if one.of_size else 'right'}"
        if one.right
        else "no side right"
    )


def distances(one: SettledDecision, names: Sequence[str]) -> Iterator[str]:
    """What was done loses by the rollout, and how far from that each side's error is, in words."""
    if one.loss is None:
        return
    lost = f"loses {one.loss:.3f}" if one.loss >= 0 else f"is better by {-one.loss:.3f}"
    yield f"{one.done} {lost} (standard error {one.loss_standard_error:.3f})"
    for name, charged, off in zip(names, one.charged or (), one.off, strict=True):
        yield (
            f"{name} does not say"
            if charged is None or off is None
            else f"{name} charges {charged:.3f}, off by {off:+.3f}"
        )
