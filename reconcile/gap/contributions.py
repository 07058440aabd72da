"""Single decisions of a gap: both analyses, a sentence of cause, and IDs for either tool; and all of them as a ledger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from reconcile.files.wording import capital
from reconcile.gap.bridge import CAUSES, RULE_CAUSES, Bridge, Contribution, SideOfDecision
from reconcile.gap.naming import level_name, pair_labels
from reconcile.gap.one_way import Way
from reconcile.gap.walk import LEADING, Walk
from reconcile.match.board.play import Play, apply_play, play_text
from reconcile.match.board.position import Counts
from reconcile.match.columns import Cubes, Kind, Plays
from reconcile.match.match import Decision
from reconcile.match.tools import short_name
from reconcile.match.values import once
from reconcile.scoring.decision_table import identifiers_of, located
from reconcile.scoring.score import Scored

if TYPE_CHECKING:
    import pandas as pd


DONE: Final = {
    Kind.NO_DOUBLE: "not doubling",
    Kind.DOUBLE: "the double",
    Kind.TAKE: "the take",
    Kind.PASS: "the pass",
    Kind.BEAVER: "the beaver",
}
Sides = tuple[SideOfDecision | None, SideOfDecision | None]


@dataclass(frozen=True, slots=True)
class Share:
    """What one decision adds to a step of a bridge, for one cause."""

    bridge: Bridge
    step: str
    cause: str
    item: int
    """Of `Walk.items`."""
    change: float
    ways: tuple[Way, ...]
    """Those of `Walk.ways` on which it does."""


class Reader:
    """Looks up the decisions behind the items of a walk."""

    def __init__(self, walk: Walk) -> None:
        self.walk = walk
        self.sides = (walk.left, walk.right)
        matches = walk.left.match, walk.right.match
        tools = [short_name(match.source.tool) for match in matches]
        levels = [level_name(match) for match in matches]
        self.words = pair_labels((tools[0], tools[1]), (levels[0], levels[1]))

    @once
    def identifiers(self, item: int) -> tuple[str, str]:
        """XGID and gnuBG's `Position ID:Match ID` of an item; empty where no such ID exists (a resignation)."""
        left, right = int(self.walk.items.left[item]), int(self.walk.items.right[item])
        return identifiers_of(
            *((self.walk.left.match, left) if left >= 0 else (self.walk.right.match, right))
        )

    def side(self, item: int, which: int) -> SideOfDecision | None:
        """What the left (0) or right (1) file says of an item."""
        rows = (self.walk.items.left, self.walk.items.right)[which]
        return side_of_decision(self.sides[which], int(rows[item]))

    def contribution(self, share: Share) -> Contribution:
        """A decision's share of a step in full."""
        item, cause = share.item, CAUSES[share.cause]
        sides = self.side(item, 0), self.side(item, 1)
        ids = self.identifiers(item)
        return Contribution(
            player=share.bridge.player,
            metric=share.bridge.metric,
            step=share.step,
            cause=cause.code,
            cause_title=cause.title,
            change=share.change,
            sentence=self._sentence(share, sides),
            left=sides[0],
            right=sides[1],
            xgid=ids[0],
            gnubg_id=ids[1],
        )

    def _sentence(self, share: Share, sides: Sides) -> str:
        left, right = sides
        one, two = self.words
        cause = share.cause
        if share.step in RULE_CAUSES:
            return self._rule_sentences(share, sides)
        if cause == "conversion.cap":
            return "PR is capped; this decision is the same on both sides, and its share of the figure shown is not."
        if cause.startswith("coverage"):
            here, name = (left, one) if left is not None else (right, two)
            lost = (
                f", with an error of {_size(here.error)}"
                if here is not None and here.error is not None
                else ""
            )
            if cause == "coverage.not-analysed":
                name = one if left is not None and left.error is not None else two
                known = (
                    left.error
                    if left is not None and left.error is not None
                    else right.error
                    if right is not None
                    else None
                )
                return f"Only {name} evaluated this decision" + (
                    f" (error {_size(known)})." if known is not None else "."
                )
            return f"Only the file of {name} has this decision{lost}."
        if left is None or right is None:
            return CAUSES[cause].page
        errors = f"{_size(left.error or 0)} in {one} and {_size(right.error or 0)} in {two}"
        if cause == "rounding":
            return f"The error is the same up to rounding: {errors}."
        if cause == "listed.counting":
            counts, other = (one, two) if self.walk.forward.ruled.count[share.item] else (two, one)
            return f"{counts} counts this decision and {other} does not; the error is {errors}."
        if cause == "engine.counting":
            return f"{self._counting_words(share)}; the error is {errors}."
        is_play = left.decision.kind is Kind.PLAY
        made = self._made(left, right) if is_play else DONE.get(left.decision.kind, "the action")
        if cause == "listed.error":
            return f"The program has another error: {made} costs {errors}."
        if cause == "engine.error-alone":
            return f"One side keeps the error alone, without equities; {made} costs {errors}."
        if not is_play:
            return f"{_verdicts(left, right, one, two)}; {made} costs {errors}."
        decisions = left.decision, right.decision
        best = [
            _play_words(said, said.candidates[0].play if said.candidates else None)
            for said in decisions
        ]
        if cause == "engine.other-best-move":
            return f"{one} prefers {best[0]}, {two} prefers {best[1]}; the play made, {made}, costs {errors}."
        if cause == "engine.not-listed":
            return f"One side does not list the play made, {made}; its error is {errors}."
        return f"Both prefer {_plainer(best)}; the play made, {made}, costs {errors}."

    def _made(self, left: SideOfDecision, right: SideOfDecision) -> str:
        """The play made, once where both files have one play: it can be written in several ways."""
        words = [_play_words(side.decision, side.decision.play) for side in (left, right)]
        if _reached(left.decision) == _reached(right.decision):
            return _plainer(words)
        return " and ".join(
            f"{play} in {name}" for play, name in zip(words, self.words, strict=True)
        )

    def _counting_words(self, share: Share) -> str:
        """By whose numbers a decision counts under the same rules, for the two sets of rules under which that is so."""
        one, two = self.words
        walk, said = self.walk, {}
        for way, rules in ((walk.forward, two), (walk.backward, one)):
            if way in share.ways:
                counts = bool(way.ruled.count[share.item]) == (way is walk.forward)
                said[rules] = (
                    f"the decision counts by the numbers of {one if counts else two} and not by those of {two if counts else one}"
                )
        if len(set(said.values())) == 1:
            return f"Under the same rules {next(iter(said.values()))}"
        return (
            f"Under the rules of {two} {said[two]}, under those of {one} it is the other way round"
        )

    def _rule_sentences(self, share: Share, sides: Sides) -> str:
        """What a rule does to a decision: by the numbers of either side where it is not the same for both."""
        walk = self.walk
        ways = zip((walk.forward, walk.backward), self.words, strict=True)
        said = {
            words: self._rule_sentence(share, way, sides)
            for way, words in ways
            if way in share.ways
        }
        first, *others = dict.fromkeys(said.values())
        if not others and len(said) == len(walk.ways):
            return capital(first)
        return " ".join(
            f"By the numbers of {words} it {sentence}" for words, sentence in said.items()
        )

    def _rule_sentence(self, share: Share, way: Way, sides: Sides) -> str:
        step, item, walk = share.step, share.item, self.walk
        left, right = way.judged(frozenset()), way.judged(frozenset({step}))
        if way is walk.backward:
            left, right = right, left
        answers = walk.answers(step)
        names = [f"{step}:{answer}" for answer in answers]
        if left.count[item] != right.count[item]:
            counts, not_counts = names if left.count[item] else reversed(names)
            return f"counts as a decision under {counts} and not under {not_counts}; the error is {self._errors(sides)}."
        if left.error[item] != right.error[item]:
            return f"costs {left.error[item]:.4f} under {names[0]} and {right.error[item]:.4f} under {names[1]}."
        if left.loss[item] != right.loss[item]:
            tables = (walk.left.met.name, walk.right.met.name) if step == "Q11" else answers
            return f"costs {left.loss[item]:.3f} % MWC under {tables[0]} and {right.loss[item]:.3f} % under {tables[1]}."
        return f"counts otherwise together with the other rules where {step} is switched from {answers[0]} to {answers[1]}."

    def _errors(self, sides: Sides) -> str:
        """The error on either side, once where they agree or only one side has it."""
        known = [
            (words, _size(side.error))
            for words, side in zip(self.words, sides, strict=True)
            if side and side.error is not None
        ]
        sizes = list(dict.fromkeys(size for _, size in known))
        return (
            " and ".join(f"{size} in {words}" for words, size in known)
            if len(sizes) > 1
            else sizes[0]
            if sizes
            else _size(0)
        )


def _size(error: float) -> str:
    """An error in thousandths, a smaller one with the digit that makes it differ from 0."""
    return f"{error:.4f}" if 0.00005 <= abs(error) < 0.0005 else f"{error:.3f}"


def _play_words(decision: Decision, play: Play | None) -> str:
    return "nothing" if play is None else play_text(decision.position, play)


def _plainer(words: Sequence[str]) -> str:
    """One of several ways to write a play, whichever file has it."""
    return min(words, key=lambda play: (len(play), play))


def _reached(decision: Decision) -> Counts | Play | None:
    """The position that the play made leads to; the play itself where it does not fit the position."""
    if decision.play is None:
        return None
    try:
        return apply_play(decision.position, decision.play)
    except ValueError:
        return decision.play


def _verdicts(left: SideOfDecision, right: SideOfDecision, one: str, two: str) -> str:
    """What each side calls for; where they agree on this decision but not on the other player's, only on what they agree."""
    said, other = _called_for(left), _called_for(right)
    answered = left.decision.kind >= Kind.TAKE
    own, its = (calls[-1 if answered else 0] for calls in (said, other))
    if own == its:
        return f"Both say {own if answered or said != other else ', '.join(said)}"
    return (
        f"{one} says {own}, {two} says {its}"
        if answered
        else f"{one} says {', '.join(said)}, {two} says {', '.join(other)}"
    )


def _called_for(side: SideOfDecision) -> tuple[str, ...]:
    """What is right for the player on roll, and for the other one."""
    if side.no_double is None or side.double_take is None or side.double_pass is None:
        return ("nothing",)
    take = "take" if side.double_take <= side.double_pass else "pass"
    if min(side.double_take, side.double_pass) >= side.no_double:
        return "double", take
    return "too good to double" if side.no_double > 1 and take == "pass" else "no double", take


def side_of_decision(scored: Scored, row: int) -> SideOfDecision | None:
    """What a file says of a checker play or a cube decision; `None` for a resignation, or where the file does not have it (-1)."""
    match = scored.match
    table, index = located(match, row)
    if row < 0 or table is None:
        return None
    analysed, level = bool(table.analysed[index]), int(table.level[index])
    equities: dict[str, float | None] = {}
    if analysed and isinstance(table, Cubes):
        equities = {
            name: float(getattr(scored.view, name)[index])
            for name in ("no_double", "double_take", "double_pass")
        }
    return SideOfDecision(
        decision=match.play_decision(index)
        if isinstance(table, Plays)
        else match.cube_decision(index),
        counted=bool(scored.counted[row]),
        error=float(scored.error[row]) if analysed else None,
        level=match.levels[level].label if 0 <= level < len(match.levels) else "",
        **equities,
    )


def shares_of(walk: Walk, bridges: Sequence[Bridge]) -> list[Share]:
    """What every decision adds to these bridges, the largest first."""
    ways = {
        number: tuple(way for bit, way in enumerate(walk.ways) if number >> bit & 1)
        for number in range(1 << len(walk.ways))
    }
    found = []
    for bridge in bridges:
        for columns in walk.shares(bridge):
            rows = zip(
                columns.cause,
                columns.item.tolist(),
                columns.change.tolist(),
                columns.ways.tolist(),
                strict=True,
            )
            found += [
                Share(bridge, columns.step, cause, item, change, ways[number])
                for cause, item, change, number in rows
            ]
    return sorted(
        found, key=lambda share: (-abs(share.change), share.item, share.bridge.player, share.cause)
    )


def contributions_of(walk: Walk, bridges: Sequence[Bridge]) -> tuple[Contribution, ...]:
    """Every decision that moves these bridges, the largest contribution first."""
    return tuple(map(Reader(walk).contribution, shares_of(walk, bridges)))


def ledger_columns(walk: Walk, bridges: Sequence[Bridge]) -> dict[str, list[Any]]:
    """Every contribution of every decision to these bridges, with XGID and gnuBG ID (empty without one)."""
    reader = Reader(walk)
    columns = {name: column.tolist() for name, column in walk.ledger_columns(bridges).items()}
    identifiers = [reader.identifiers(item) for item in columns.pop("item")]
    return {
        **columns,
        "xgid": [xgid for xgid, _ in identifiers],
        "gnubg_id": [gnubg_id for _, gnubg_id in identifiers],
    }


def ledger_frame(walk: Walk, bridges: Sequence[Bridge] | None = None) -> pd.DataFrame:
    """The same as a table, by default for all bridges of the match."""
    import pandas as pd

    return pd.DataFrame(ledger_columns(walk, walk.bridges() if bridges is None else bridges))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One decision and all that it moves a figure, over every step."""

    change: float
    largest: Contribution
    """Its share of the step that it moves most."""


def disagreements(walk: Walk, most: int, metric: str = LEADING) -> tuple[Disagreement, ...]:
    """The decisions that move a metric of the players most, largest first; one that no ID can describe is left out."""
    reader, found = Reader(walk), []
    for bridge in walk.bridges((metric,)):
        largest: dict[int, Share] = {}
        for share in shares_of(walk, [bridge]):
            largest.setdefault(share.item, share)
        whole = (
            np.sum([vector for _, vector in bridge.contributions], axis=0)
            if bridge.contributions
            else np.zeros(0)
        )
        found += [
            (float(whole[item]), largest[item])
            for item in np.flatnonzero(whole).tolist()
            if reader.identifiers(item)[0]
        ]
    found.sort(key=lambda entry: (-abs(entry[0]), entry[1].item, entry[1].bridge.player))
    return tuple(Disagreement(change, reader.contribution(share)) for change, share in found[:most])
