"""The decisions on which analyses disagree, over the action or over what it costs, and who of them
is right by a rollout.

Nothing is rolled out here: `disputes` says what to ask, `SettledDecision` what the answer means.
Either takes any number of sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import starmap, zip_longest
from typing import Annotated, Any, Final

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, Amount, Count, Document, Positive
from reconcile.gap.aligned import CUBE_ACTIONS, Aligned
from reconcile.gap.paired_decisions import Placed
from reconcile.match.board.identifiers import Situation, gnubg_id, xgid
from reconcile.match.board.play import Play, apply_play, play_text
from reconcile.match.board.position import Counts, swap
from reconcile.match.columns import Kind
from reconcile.scoring.decision_table import situation_of
from reconcile.scoring.findings import new_finding
from reconcile.wording import listed, plural

CLOSE: Final = 2.0
"""Standard errors of the difference within which a rollout does not decide."""
UNFINISHED: Final = "not finished in the time allowed"
TOO_FEW: Final = "too few games to tell"
NOBODY: Final = "no side right"
WANTED: Final = {1: 0, 2: 1}
"""By the bits of the best cube actions (`Aligned.votes`) the index of the only one; no entry where
both are equally good."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """A decision on which the sides disagree: its best action differs, or only what they charge for
    what was done."""

    game: int
    turn: int
    kind: str
    player: str
    at_stake: float
    """The largest error charged for what was done less the smallest (EMG)."""
    decided: Situation
    """In the decider's view."""
    actions: tuple[str, ...]
    """What the sides want, each once: plays in notation, or both cube actions. Where only the size
    differs, what was done too."""
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
        """The situation in the view of the player on roll, whose decision a rollout is asked
        for."""
        here = self.decided
        if not here.double_offered:
            return here
        return replace(
            here,
            position=swap(here.position),
            owner=-here.owner,
            score=here.score[::-1],
            decider_is_top=not here.decider_is_top,
            double_offered=False,
        )

    @property
    def of_size(self) -> bool:
        """Whether the sides want the same, and only the size of the error is asked about."""
        return self.done is not None and len(set(self.wanted) - {None}) < 2


@dataclass(frozen=True, slots=True)
class Action(Document):
    """An action of a decision in dispute, with what a rollout found."""

    action: str
    """A play in notation, or a cube action."""
    equity: float | None
    """EMG at the cube before the decision, in the decider's view; null where the time was over
    before."""
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
    """The action that is better by more than two standard errors of the difference; null where it
    is too close to call."""
    right: tuple[Count, ...]
    """The sides that want it, or where only the size of the error is in dispute those nearest to
    what was lost: 0 left, 1 right."""
    done: Annotated[str | None, LEFT_OUT] = None
    """What was done, where only the size of the error is in dispute; the next three are there with
    it."""
    loss: Annotated[float | None, LEFT_OUT] = None
    """What it loses by the rollout (EMG); negative if it is better than the other action."""
    loss_standard_error: Annotated[Amount | None, LEFT_OUT] = None
    """Of the loss."""
    charged: Annotated[tuple[float | None, ...] | None, LEFT_OUT] = None
    """By side the error that it charges; null where it does not say."""

    @property
    def finished(self) -> bool:
        """Whether the time was enough for its games."""
        return any(action.equity is not None for action in self.actions)

    @property
    def of_size(self) -> bool:
        """Whether the sides want the same, and only the size of the error is asked about."""
        return self.done is not None and sum(bool(each.wanted_by) for each in self.actions) < 2

    @property
    def decides(self) -> bool:
        """Whether the games were enough to tell."""
        return bool(self.right) if self.of_size else self.best is not None

    def verdict(self, names: Sequence[str]) -> str:
        """Who is right, or nearer, by a rollout; or that its games are too few, or not finished."""
        if not self.decides:
            return TOO_FEW if self.finished else UNFINISHED
        sides = listed([names[side] for side in self.right])
        return f"{sides} {'nearer' if self.of_size else 'right'}" if sides else NOBODY

    def distances(self, names: Sequence[str]) -> Iterator[str]:
        """What was done loses by the rollout, and how far from that each side's error is."""
        if self.loss is None:
            return
        yield f"{self.done} loses {self.loss:.3f} (standard error {self.loss_standard_error:.3f})"
        for name, charged in zip(names, self.charged or (), strict=False):
            charge = "does not say"
            if charged is not None:
                off = charged - max(self.loss, 0.0)
                charge = f"charges {charged:.3f}, off by {off:+.3f}"
            yield f"{name} {charge}"


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
    """What the rollouts of a review or a comparison say; `names` are those of its sides."""
    counts = Counter(decision.verdict(names) for decision in decisions)
    words = ", ".join(f"{verdict} {number}" for verdict, number in counts.most_common())
    finding = new_finding(
        "rolled-out",
        number=plural(len(decisions), "decision"),
        program=program,
        trials=trials,
        counts=words or "nothing to settle",
    )
    who = f"{program} {version}"
    return Settlement(who, trials, finding.note(), tuple(decisions), tuple(names))


def with_rollout(dispute: Dispute, values: Values | None) -> SettledDecision:
    """A dispute with a rollout's equities and standard errors, which are in the view of the player
    on roll.

    They are those of the plays, or of no double and of double/take; `None` where there are none.
    """
    equities, errors = values or ((), ())
    if values is not None and not dispute.plays:
        equities, errors = _of_cube(dispute, *values)
    best, lost = _best(equities, errors), _loss(dispute.done, equities, errors)
    wanted_by = [
        tuple(side for side, wanted in enumerate(dispute.wanted) if wanted == index)
        for index in range(len(dispute.actions))
    ]
    right = () if best is None else wanted_by[best]
    if dispute.of_size:
        right = _nearest(lost, dispute.charged)
    numbers = zip_longest(dispute.actions, equities, errors, wanted_by)
    return SettledDecision(
        dispute.game,
        dispute.turn,
        dispute.kind,
        player=dispute.player,
        at_stake=dispute.at_stake,
        xgid=xgid(dispute.decided),
        gnubg_id=gnubg_id(dispute.decided),
        actions=tuple(starmap(Action, numbers)),
        best=None if best is None else dispute.actions[best],
        right=right,
        done=None if dispute.done is None else dispute.actions[dispute.done],
        loss=lost and lost[0],
        loss_standard_error=lost and lost[1],
        charged=dispute.charged or None,
    )


def _of_cube(dispute: Dispute, equities: Sequence[float], errors: Sequence[float]) -> Values:
    """What the actions of a cube decision are worth to who decides, from no double and
    double/take."""
    no_double, double_take = equities
    if dispute.decided.double_offered:
        return (-double_take, -1.0), (errors[1], 0.0)
    error = errors[1] if double_take - CLOSE * errors[1] < 1 else 0.0
    return (no_double, min(double_take, 1.0)), (errors[0], error)


def _best(equities: Sequence[float], errors: Sequence[float]) -> int | None:
    """Index of the action that is better than every other by more than `CLOSE` standard errors;
    `None` if there is none."""
    if not equities:
        return None
    first = int(np.argmax(equities))
    ahead, apart = equities[first] - np.array(equities), np.hypot(errors[first], errors)
    clear = np.delete(ahead > CLOSE * apart, first)
    return first if clear.all() else None


def _loss(
    done: int | None, equities: Sequence[float], errors: Sequence[float]
) -> tuple[float, float] | None:
    """What was done against the best of the other actions: what it loses (negative if it is
    better), and the standard error of that."""
    if done is None or len(equities) < 2:
        return None
    rest = (index for index in range(len(equities)) if index != done)
    other = max(rest, key=equities.__getitem__)
    return equities[other] - equities[done], float(np.hypot(errors[other], errors[done]))


def _nearest(lost: tuple[float, float] | None, by_side: Sequence[float | None]) -> tuple[int, ...]:
    """The sides that charge nearest to what was lost; none where others would be within `CLOSE`
    standard errors of the loss."""
    charges = set(by_side) - {None}
    if lost is None or len(charges) < 2:
        return ()
    loss, error = max(lost[0], 0.0), lost[1]
    best, *rest = sorted(
        (charge for charge in charges if charge is not None), key=lambda charge: abs(charge - loss)
    )
    if any(abs(loss - (best + other) / 2) <= CLOSE * error for other in rest):
        return ()
    return tuple(side for side, charge in enumerate(by_side) if charge == best)


def disputes(aligned: Aligned, items: Iterable[int], *, sizes: bool = False) -> Iterator[Dispute]:
    """Decisions of the reference as a rollout is asked about them; what no ID describes is left
    out.

    A side that likes several actions best wants the one that a side before it wants, if it is among
    them. What was done is asked about where the sides agree on the best action, and with `sizes`
    always.
    """
    for item in items:
        try:
            decided = situation_of(aligned.match, item)
        except ValueError:
            continue
        if decided is not None:
            yield _dispute(aligned, item, decided, sizes or not aligned.disputed[item])


def _dispute(aligned: Aligned, item: int, decided: Situation, asks_size: bool) -> Dispute:
    """A dispute with what the sides want; where it `asks_size`, also with what each charges for
    what was done, and that among its actions, of a roll with at least one play more."""
    errors = aligned.error[:, item].tolist() if asks_size else []
    kind = str(aligned.items.kind_labels[item])
    if kind == Kind.PLAY.label:
        actions = _actions_of_roll(aligned, item, decided.position, asks_size)
    else:
        wanted = tuple(map(WANTED.get, aligned.votes[:, item].tolist()))
        words, both = kind.replace("-", " "), CUBE_ACTIONS[decided.double_offered]
        done = both.index(words) if asks_size and words in both else None
        actions = {"actions": both, "wanted": wanted, "done": done}
    return Dispute(
        *aligned.items.place(item),
        player=aligned.match.names[int(aligned.items.player[item])],
        at_stake=float(aligned.at_stake[item]),
        decided=decided,
        charged=tuple(None if error != error else error for error in errors),
        **actions,
    )


def _actions_of_roll(
    aligned: Aligned, item: int, position: Counts, asks_size: bool
) -> dict[str, Any]:
    results: dict[Counts, Play] = {}
    wanted: list[int | None] = []
    for best in aligned.best_plays(item):
        if best and not best.keys() & results.keys():
            result, play = next(iter(best.items()))
            results[result] = play
        wanted.append(next((i for i, result in enumerate(results) if result in best), None))
    done = None
    if asks_size:
        play = aligned.match.plays.play[item]
        result = tuple(apply_play(position, play))
        results[result] = play
        done = list(results).index(result)
        for candidate in aligned.match.candidates(item):
            if len(results) < 2:
                results.setdefault(tuple(apply_play(position, candidate.play)), candidate.play)
    plays = tuple(results.values())
    actions = tuple(play_text(position, play) for play in plays)
    return {"plays": plays, "actions": actions, "wanted": tuple(wanted), "done": done}


def lines(settled: Settlement) -> Iterator[tuple[str, str]]:
    """By decision where it is, and what the rollout says, in words."""
    names = settled.names
    for decision in settled.decisions:
        words = [decision.verdict(names)]
        for action in decision.actions if decision.finished else ():
            by = listed([names[side] for side in action.wanted_by])
            error = f"standard error {action.standard_error:.3f}"
            wanted = f"{error}, wanted by {by}" if by else error
            words.append(f"{action.action} {action.equity:+.3f} ({wanted})")
        words += decision.distances(names)
        place = f"game {decision.game}, turn {decision.turn}"
        yield place, f"{decision.player}, {decision.kind}: {'; '.join(words)}"
