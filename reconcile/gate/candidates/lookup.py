"""What is known of a reference match: single decisions, figures of ours, and figures that its tool reported."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from reconcile.files.names import fold
from reconcile.gap.bounds import ROUNDING, Gate
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import PARTS, Figure, judged
from reconcile.gate.candidates.claims import Candidate, Stated, StatedPosition
from reconcile.gate.candidates.explain import both_players
from reconcile.gate.candidates.judgement import CandidateResult, Judgement, Reference
from reconcile.gate.manifest import Reported
from reconcile.match.board.identifiers import Situation
from reconcile.match.board.play import apply_play, parse_play
from reconcile.match.board.position import Counts
from reconcile.match.columns import Cubes, Kind, Plays
from reconcile.match.match import Match
from reconcile.match.tools import XG
from reconcile.scoring.decision_table import situation_of
from reconcile.scoring.findings import Finding, new_finding
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import Range, dead_cubes_of, open_range, range_of
from reconcile.scoring.statistics import Statistics, statistics
from reconcile.scoring.sums import DecisionClass

TABLE: Final = "xg-position"
"""The tolerance table for positions; the other tables are for sums over a match."""
METRIC: Final = {
    DecisionClass.CHECKER: "equity_error.checker",
    DecisionClass.DOUBLE: "equity_error.double",
    DecisionClass.TAKE: "equity_error.take",
}

Key = tuple[object, ...]


def look_up(
    candidate: Candidate,
    references: Sequence[Reference],
    judgement: Judgement,
    tolerances: Tolerances,
    today: date | None,
) -> None:
    """Judge every position of a candidate at each place where a reference match has it, and add the results to the judgement."""
    places: dict[Key, list[tuple[Reference, str, Statistics, int]]] = {}
    for reference in references:
        for handle in reference.analysed(XG.name):
            if handle in reference.available:
                ours = statistics(reference.available[handle].match())
                for key, row in _decisions(ours.match):
                    places.setdefault(key, []).append((reference, handle, ours, row))
    for number, position in enumerate(candidate.positions, 1):
        here = f"position {number}" if len(candidate.positions) > 1 else "position"
        known = places.get(_key(position.situation), [])
        if not known:
            judgement.refuse(
                candidate.name,
                f"{here}: no available reference match has it with this score and cube",
            )
        for reference, handle, ours, row in known:
            gate = tolerances.gate(TABLE, reference.id, today)
            judgement.add(
                reference, _judged(gate, candidate, position, reference, handle, ours, row)
            )


def _decisions(match: Match) -> Iterator[tuple[Key, int]]:
    """The situation of every row that an identifier can describe, and the row."""
    for row in range(len(match.plays) + len(match.cubes)):
        try:
            situation = situation_of(match, row)
        except ValueError:  # a damaged game
            continue
        if situation is not None:
            yield _key(situation), row


def _key(situation: Situation) -> Key:
    """What a decision depends on, the same from either side of the board."""
    dice = tuple(sorted(situation.dice))
    rules = situation.crawford, situation.jacoby
    return (
        situation.position,
        dice,
        situation.cube,
        situation.owner,
        situation.away,
        rules,
        situation.double_offered,
    )


def _judged(
    gate: Gate,
    candidate: Candidate,
    position: StatedPosition,
    reference: Reference,
    handle: str,
    ours: Statistics,
    row: int,
) -> CandidateResult:
    match = ours.match
    is_play = row < len(match.plays)
    rows: Plays | Cubes = match.plays if is_play else match.cubes
    index = row if is_play else row - len(match.plays)
    analysed = bool(rows.analysed[index])
    kind = Kind.PLAY if is_play else Kind(int(rows.kind[index]))
    error = _play_error(position, match, index) if is_play else _cube_error(position, kind)
    metric = METRIC[DecisionClass(int(ours.scored.decision_class[row]))]
    player = match.names[int(rows.player[index])]
    left = float(ours.scored.error[row]) if analysed else None
    figure = Figure(metric, player, left, error)
    missing = "" if error is not None else "the text gives no equity for the play that was made"
    figure = judged(figure, gate, missing or ("" if analysed else "left: not analysed"))
    place = f"game {int(match.games.number[rows.game[index]])}, turn {int(rows.turn[index])}, {kind.label}"
    return CandidateResult(
        candidate=candidate.name,
        file=handle,
        rules=ours.rules.name,
        table=TABLE,
        figures=(figure,),
        reported=(False,),
        part=place,
        findings=tuple(_best(position, ours, index, is_play, place, figure.tolerance))
        if analysed
        else (),
    )


def _play_error(position: StatedPosition, match: Match, index: int) -> float | None:
    """The error of the play made, from the text's equities; `None` if the text does not list it."""
    board: Counts = tuple(match.plays.position[index].tolist())
    first, second = match.plays.dice[index].tolist()
    try:
        made = apply_play(board, match.plays.play[index])
    except ValueError:
        return None
    for text, equity in position.plays:
        try:
            reached = apply_play(board, parse_play(text, (first, second), board))
        except ValueError:
            continue
        if reached == made:
            return max(position.plays[0][1] - equity, 0.0)
    return None


def _cube_error(position: StatedPosition, kind: Kind) -> float | None:
    """The error of the action or the response, from the text's equities."""
    if position.cube is None:
        return None
    no_double, take, drop = position.cube
    doubled = min(take, drop)
    lost = {
        Kind.NO_DOUBLE: max(no_double, doubled) - no_double,
        Kind.DOUBLE: max(no_double, doubled) - doubled,
        Kind.TAKE: take - drop,
        Kind.PASS: drop - take,
    }
    return max(lost[kind], 0.0) if kind in lost else None


def _best(
    position: StatedPosition,
    ours: Statistics,
    index: int,
    is_play: bool,
    place: str,
    bound: float | None,
) -> Iterator[Finding]:
    """A finding if the best equities differ by more than the tolerance of the error."""
    if is_play:
        own = float(ours.match.plays.best[index])
        theirs = position.plays[0][1] if position.plays else None
    else:
        own = float(ours.scored.view.best[index])
        theirs = None if position.cube is None else max(position.cube[0], min(position.cube[1:]))
    if theirs is not None and own == own and abs(theirs - own) > (bound or 0.0) + ROUNDING:
        yield new_finding(
            "candidate-best-differs", f"{place}: {theirs:+.3f} here, {own:+.3f} in the reference"
        )


def computed(ours: Statistics | None, seat: int | None, metric: str) -> float | None:
    """Our figure of a player, or of both if there is no seat; `None` without the file."""
    if ours is None:
        return None
    return both_players(ours, metric) if seat is None else ours.figures(seat)[metric]


def computed_range(ours: Statistics | None, seat: int | None, metric: str) -> Range | None:
    """The lowest and the highest that our figure may be, where not all of a rule or of a file is known; `None` where it is one number."""
    if ours is None:
        return None
    if seat is not None:
        return open_range(ours).figures[seat].get(metric)
    both = range_of(
        [ours],
        lambda each: [{name: both_players(each[0], name) for name in METRICS}],
        [sum(dead_cubes_of(ours))],
    )
    return both.figures[0].get(metric)


def reported_by_tool(
    entries: Iterable[Reported], metric: str, seat: int, players: Sequence[str]
) -> str | None:
    """A figure, as printed, that the tool reported, in the first of a manifest's entries that has it."""
    for entry in entries:
        for name, printed in entry.players.items():
            is_players = (
                int(name) - 1 == seat
                if entry.by_seat and name in ("1", "2")
                else fold(name) == fold(players[seat])
            )
            if is_players and metric in printed:
                return printed[metric]
    return None


def unbounded(gate: Gate, figure: Figure, table: str) -> str:
    """Why nothing bounds a figure, in words."""
    bound = gate.of(figure.metric, figure.player)
    return (
        f"table {table} has {'no bound' if bound is None else 'the level off'} for {figure.metric}"
    )


def missing_parts(ours: Statistics | None, seat: int | None, one: Stated) -> str:
    """What is missing in the reference's analysis for a figure, in words."""
    if ours is None:
        return ""
    lacking = []
    for part in METRICS[one.metric].parts:
        covered = [
            ours.completeness(player)[part] for player in ((0, 1) if seat is None else (seat,))
        ]
        if not all(one.complete for one in covered):
            lacking.append(
                f"left: {sum(one.analysed for one in covered)} of {sum(one.expected for one in covered)} {PARTS[part]}"
            )
    return "; ".join(lacking)
