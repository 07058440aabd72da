"""The decisions on which analyses disagree, over the action or over what it costs, and who of them is right by a rollout.

Nothing is rolled out here: `disputes` says what to ask, `Settled` what the answer means. Either takes any number of sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from reconcile.files.wording import listed, plural
from reconcile.gap.aligned import CUBE_ACTIONS, Aligned, best_plays
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
DONE: Final = {Kind.NO_DOUBLE.label: 0, Kind.DOUBLE.label: 1, Kind.TAKE.label: 0, Kind.PASS.label: 1}
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
        turned = {"position": swap(here.position), "owner": -here.owner, "score": (theirs, mine), "decider_is_top": not here.decider_is_top}
        return replace(here, double_offered=False, **turned)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Settled:
    """A dispute with what a rollout found; EMG at the cube before the decision, in the decider's view."""

    dispute: Dispute
    equities: tuple[float, ...]
    """Of the actions; empty where the time was over before."""
    errors: tuple[float, ...]
    """Their standard errors."""

    @property
    def best(self) -> int | None:
        """Index of the action that is better than every other by more than `CLOSE` standard errors; `None` if there is none."""
        if not self.equities:
            return None
        first = int(np.argmax(self.equities))
        others = [index for index in range(len(self.equities)) if index != first]
        clear = all(self.equities[first] - self.equities[one] > CLOSE * np.hypot(self.errors[first], self.errors[one]) for one in others)
        return first if clear else None

    @property
    def loss(self) -> tuple[float, float] | None:
        """What was done against the best of the other actions: what it loses (negative if it is better), and the standard error of that."""
        done = self.dispute.done
        if done is None or len(self.equities) < 2:
            return None
        other = max((index for index in range(len(self.equities)) if index != done), key=self.equities.__getitem__)
        return self.equities[other] - self.equities[done], float(np.hypot(self.errors[other], self.errors[done]))

    @property
    def off(self) -> tuple[float | None, ...]:
        """By side what it charges for what was done, less what that loses by the rollout."""
        found = self.loss
        if found is None:
            return ()
        loss = max(found[0], 0.0)
        return tuple(None if charged is None else charged - loss for charged in self.dispute.charged)

    @property
    def nearest(self) -> tuple[int, ...]:
        """The sides that charge nearest to what was lost; none where others would be within `CLOSE` standard errors of the loss."""
        found, charged = self.loss, {side: one for side, one in enumerate(self.dispute.charged) if one is not None}
        if found is None or len(set(charged.values())) < 2:
            return ()
        loss, error = max(found[0], 0.0), found[1]
        best = min(charged.values(), key=lambda one: abs(one - loss))
        if any(abs(loss - (best + one) / 2) <= CLOSE * error for one in charged.values() if one != best):
            return ()
        return tuple(side for side, one in charged.items() if one == best)

    @property
    def of_size(self) -> bool:
        """Whether the sides want the same, and only the size of the error is asked about."""
        return self.dispute.done is not None and len({one for one in self.dispute.wanted if one is not None}) < 2

    @property
    def told(self) -> bool:
        """Whether the games were enough to tell."""
        return bool(self.nearest) if self.of_size else self.best is not None

    @property
    def right(self) -> tuple[int, ...]:
        """The sides that want the better action, or where only the size differs those that are nearest to it."""
        if self.of_size:
            return self.nearest
        return () if self.best is None else tuple(side for side, wanted in enumerate(self.dispute.wanted) if wanted == self.best)


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the rollouts of a comparison found."""

    program: str
    """Who rolled out."""
    version: str
    trials: int
    decisions: tuple[Settled, ...]
    """Most at stake first."""


def with_rollout(dispute: Dispute, values: tuple[Sequence[float], Sequence[float]] | None) -> Settled:
    """A dispute with a rollout's equities and standard errors, which are in the view of the player on roll.

    They are those of the plays, or of no double and of double/take; `None` where there are none.
    """
    if values is None:
        return Settled(dispute, (), ())
    equities, errors = values
    if not dispute.plays:
        no_double, taken = equities
        if dispute.decided.double_offered:
            equities, errors = (-taken, -1.0), (errors[1], 0.0)
        else:
            equities, errors = (no_double, min(taken, 1.0)), (errors[0], errors[1] if taken - CLOSE * errors[1] < 1 else 0.0)
    return Settled(dispute, tuple(equities), tuple(errors))


def disputes(aligned: Aligned, found: Iterable[tuple[int, float]], *, sizes: bool = False) -> Iterator[Dispute]:
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
            dispute = _plays(dispute, zip(sides, rows[:, item].tolist(), strict=True))
        else:
            wanted = tuple(WANTED.get(votes) for votes in aligned.votes[:, item].tolist())
            dispute = replace(dispute, actions=CUBE_ACTIONS[dispute.decided.double_offered], wanted=wanted)
        if sizes or not aligned.disputed[item]:
            charged = tuple(None if error != error else error for error in aligned.error[:, item].tolist())
            dispute = replace(_with_done(dispute, sides[aligned.reference].match, item), charged=charged)
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
    return replace(dispute, plays=plays, actions=tuple(play_text(position, play) for play in plays), done=list(found).index(done))


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


def identifiers(dispute: Dispute) -> tuple[str, str]:
    """XGID and gnuBG ID of a dispute."""
    return xgid(dispute.decided), gnubg_id(dispute.decided)


def sentence(settlement: Settlement, names: Sequence[str]) -> str:
    """Who is right how often, by the names of the sides, and nearer where only the size is in dispute."""
    decisions = tuple(one for one in settlement.decisions if not one.of_size)
    sizes = tuple(one for one in settlement.decisions if one.of_size)
    who = f"{settlement.program}'s rollout ({settlement.trials} trials)"
    if not decisions and not sizes:
        return f"{listed(list(names))} are nowhere in dispute: there is nothing to settle by a rollout."
    groups = (decisions, "in dispute", "right"), (sizes, SIZES, "nearer")
    counts = [_count(group, names, what, verb) for group, what, verb in groups if group]
    return " ".join(f"{who} {count}." if index == 0 else f"It {count}." for index, count in enumerate(counts))


def _count(decisions: Sequence[Settled], names: Sequence[str], what: str, verb: str) -> str:
    """`gives XG right on 3 of 5 decisions in dispute; too few games to tell on 2 (within 2 standard errors)`."""
    done = [one for one in decisions if one.equities]
    wins = [sum(side in one.right for one in done) for side in range(len(names))]
    order = sorted(range(len(names)), key=lambda side: -wins[side])
    parts = [f"{names[side]} {verb} on {wins[side]}" for side in order if wins[side]]
    close, neither = sum(not one.told for one in done), sum(one.told and not one.right for one in done)
    text = f"gives {parts[0]} of {plural(len(decisions), 'decision')} {what}" if parts else ""
    text += "".join(f" and {part}" for part in parts[1:])
    if not parts:
        text = f"decides none of {plural(len(decisions), 'decision')} {what}"
    rest = [f"{TOO_FEW} on {close} (within {CLOSE:g} standard errors)"] if close else []
    rest += [f"on {neither} no side is right"] if neither else []
    unfinished = len(decisions) - len(done)
    rest += [f"{unfinished} {'was' if unfinished == 1 else 'were'} not finished in the time allowed"] if unfinished else []
    return "; ".join([text, *rest])


def lines(settlement: Settlement, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """By decision where it is, and what the rollout found, in words."""
    for one in settlement.decisions:
        asked = one.dispute
        where = f"game {asked.game}, turn {asked.turn}"
        verdict = verdict_on(one, names)
        values = [
            f"{action} {equity:+.3f} (standard error {error:.3f}{_wanting(asked, index, names)})"
            for index, (action, equity, error) in enumerate(zip(asked.actions, one.equities, one.errors, strict=bool(one.equities)))
        ]
        if values:
            values += distances(one, names)
        yield where, f"{asked.player}, {asked.kind}: " + ("; ".join([verdict, *values]) if values else UNFINISHED)


def verdict_on(one: Settled, names: Sequence[str]) -> str:
    """Who is right, or nearer, by a rollout; or that its games are too few."""
    if not one.told:
        return TOO_FEW
    return f"{listed([names[side] for side in one.right])} {'nearer' if one.of_size else 'right'}" if one.right else "no side right"


def distances(one: Settled, names: Sequence[str]) -> Iterator[str]:
    """What was done loses by the rollout, and how far from that each side's error is, in words."""
    if one.loss is None or one.dispute.done is None:
        return
    loss, error = one.loss
    lost = f"loses {loss:.3f}" if loss >= 0 else f"is better by {-loss:.3f}"
    yield f"{one.dispute.actions[one.dispute.done]} {lost} (standard error {error:.3f})"
    for name, charged, off in zip(names, one.dispute.charged, one.off, strict=True):
        yield f"{name} does not say" if charged is None or off is None else f"{name} charges {charged:.3f}, off by {off:+.3f}"


def _wanting(dispute: Dispute, index: int, names: Sequence[str]) -> str:
    sides = [names[side] for side, wanted in enumerate(dispute.wanted) if wanted == index]
    return f", wanted by {listed(sides)}" if sides else ""
