"""A match as rows of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.columns import Kind
from reconcile.corpus.situations import PHASES, SHOWN, mistakes, phases, spread_over
from reconcile.corpus.tables import PARTS, column_of, schemas
from reconcile.match import Match, fingerprint
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.dead_cubes import with_dead_cubes
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.statistics import Statistics, statistics

KINDS: Final = np.array([kind.label for kind in Kind], object)

Rows = dict[str, Any]


def match_rows(match: Match, sha256: str, rules: Sequence[str], fragment: str = "") -> dict[str, pa.RecordBatch]:
    """The rows of one match in every table.

    Its number (`match`) is 0 until the tables are assembled, and its file only `fragment`, the suffix after the file name if the file
    has several matches.
    """
    if any(RULE_SETS[name].value("Q16") for name in rules):
        match = with_dead_cubes(match)  # so that every rule set has the same rows
    scored = [statistics(match, name) for name in rules]
    tables: dict[str, Rows] = {
        "matches": _match(scored[0], sha256, fragment),
        "players": _owners(scored, rules, by_game=False),
        "games": _owners(scored, rules, by_game=True),
        "questions": _questions(scored[0], rules),
        "decisions": _decisions(scored, rules),
    }
    return {name: pa.RecordBatch.from_pydict(tables[name], schema=schema) for name, schema in schemas(rules).items()}


def _match(scored: Statistics, sha256: str, fragment: str) -> Rows:
    match = scored.match
    covered = [coverage for seat in (0, 1) for part, coverage in scored.completeness(seat).items() if part != "luck"]
    return {
        "match": [0],
        "file": [fragment],
        "sha256": [sha256],
        "transcript": [fingerprint(match)],
        "duplicate_of": [None],
        "same_as": [0],
        "format": [match.source.format],
        "tool": [match.source.tool],
        "tool_version": [match.source.tool_version],
        "player0": [match.players[0]],
        "player1": [match.players[1]],
        "event": [match.event],
        "date": [match.date],
        "length": [match.length],
        "games": [len(match.games)],
        "complete": [match.complete],
        "lookahead": [match.lookahead],
        "analysed": [sum(part.analysed for part in covered)],
        "expected": [sum(part.expected for part in covered)],
    }


def _owners(scored: Sequence[Statistics], rules: Sequence[str], *, by_game: bool) -> Rows:
    """Figures per rule set and seat, for the match or every game."""
    match = scored[0].match
    games: list[int | None] = list(range(len(match.games))) if by_game else [None]
    numbers, winners, points = (match.games.number.tolist(), match.games.winner.tolist(), match.games.points.tolist())
    places = [(one, name, seat, game) for one, name in zip(scored, rules, strict=True) for seat in (0, 1) for game in games]
    figures = [one.figures(seat, game) for one, _, seat, game in places]
    covered = [one.completeness(seat, game) for one, _, seat, game in places]
    both = match_moves(scored[0])
    rows: Rows = {
        "match": np.zeros(len(places), np.int32),
        "seat": [seat for _, _, seat, _ in places],
        "name": [match.players[seat] for _, _, seat, _ in places],
        "rules": [name for _, name, _, _ in places],
        **{column_of(metric): [found[metric] for found in figures] for metric in METRICS},
        "moves_both": [int(both.sum()) if game is None else int(both[game]) for *_, game in places],
        "rated_error": [
            None if found["equity_error.total"] is None else found["equity_error.total"] * _one_point_factor(one)
            for (one, *_), found in zip(places, figures, strict=True)
        ],
    }
    for part in PARTS:
        rows[f"{part}_expected"] = [seen[part].expected for seen in covered]
        rows[f"{part}_analysed"] = [seen[part].analysed for seen in covered]
    if by_game:
        rows["game"] = [numbers[game] for *_, game in places if game is not None]
        rows["won"] = [
            None if winners[game] < 0 else points[game] * int(winners[game] == seat) for _, _, seat, game in places if game is not None
        ]
    return rows


def match_moves(scored: Statistics) -> npt.NDArray[np.int64]:
    """Moves of both players by game."""
    moves: npt.NDArray[np.int64] = scored.moves[0].sum(axis=1)
    return moves


def _one_point_factor(scored: Statistics) -> float:
    return float(scored.rules.value("Q09")) if scored.match.length == 1 else 1.0


def _questions(first: Statistics, rules: Sequence[str]) -> Rows:
    """How much each question alone changes PR and the number of decisions from the first rule set towards the second."""
    match, here = first.match, first.rules
    there = RULE_SETS[rules[1]].for_match(match)[0] if len(rules) > 1 else here
    rows = []
    for code, answer in here.answers.items():
        other = there.answers[code]
        if answer == other or not QUESTIONS[code].is_varied:
            continue
        changed = statistics(match, here.switched(code, other), first.scored.met)
        for seat in (0, 1):
            before, after = first.figures(seat), changed.figures(seat)
            known = before["pr"] is not None and after["pr"] is not None
            pr = (after["pr"] or 0) - (before["pr"] or 0) if known else None
            decisions = (after["decisions.counted"] or 0) - (before["decisions.counted"] or 0)
            rows.append((0, seat, match.players[seat], code, answer, other, pr, decisions))
    names = ("match", "seat", "name", "question", "from", "to", "pr", "decisions")
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def _decisions(scored: Sequence[Statistics], rules: Sequence[str]) -> Rows:
    match = scored[0].match
    plays, cubes, resignations = match.plays, match.cubes, match.resignations
    dice = np.zeros((len(cubes) + len(resignations), 2), np.int8)
    dice = np.concatenate((plays.dice.astype(np.int8), dice))
    no_dice = np.arange(len(dice)) >= len(plays)
    last = np.zeros(len(match.games), np.int64)
    np.maximum.at(last, plays.game, plays.turn)
    stored = resignations.stored_error
    analysed = np.concatenate((plays.analysed, cubes.analysed, stored == stored))
    kinds = np.concatenate((np.zeros(len(plays), np.int64), cubes.kind, resignations.kind))
    luck = np.concatenate((plays.luck.astype(np.float64), np.full(len(dice) - len(plays), np.nan)))
    game, seat = (np.concatenate([getattr(table, name) for table in (plays, cubes, resignations)]) for name in ("game", "player"))
    away = match.away
    money = np.full(len(dice), match.is_money)
    phase = np.full(len(dice), None, object)
    phase[: len(plays) + len(cubes)] = PHASES[phases(match)]
    wrong = np.zeros(len(dice), bool)
    for one in scored:
        wrong[: len(one.scored.error)] |= one.scored.error >= SHOWN
    shown = np.flatnonzero(wrong)
    rows: Rows = {
        "match": np.zeros(len(dice), np.int32),
        "game": match.games.number[game],
        "turn": np.concatenate((plays.turn, cubes.turn, last[resignations.game] + 1)),
        "seat": seat,
        "kind": KINDS[kinds],
        "die1": pa.array(dice[:, 0], mask=no_dice),
        "die2": pa.array(dice[:, 1], mask=no_dice),
        "cube": np.concatenate((plays.cube, cubes.cube, resignations.cube)),
        "phase": phase,
        "away": pa.array(away[game, seat].astype(np.int16), mask=money),
        "opponent_away": pa.array(away[game, 1 - seat].astype(np.int16), mask=money),
        "analysed": analysed,
        "luck": pa.array(luck, mask=luck != luck),
        **{name: spread_over(shown, len(dice), values) for name, values in mistakes(scored[0].scored, shown).items()},
    }
    for name, one in zip(rules, scored, strict=True):
        column, rated = name.replace("-", "_"), len(one.scored.error)
        # Rule sets that leave resignations out have no rows for them.
        unknown = ~analysed | (np.arange(len(dice)) >= rated)
        rows[f"counted_{column}"] = _filled(one.scored.counted, len(dice))
        rows[f"error_{column}"] = pa.array(_filled(one.scored.error.astype(np.float64), len(dice)), mask=unknown)
        loss = _filled(one.scored.loss.astype(np.float64) * 100, len(dice))
        rows[f"loss_{column}"] = pa.array(loss, mask=unknown | match.is_money | np.isnan(loss))
    return rows


def _filled(values: npt.NDArray[Any], size: int) -> npt.NDArray[Any]:
    filled = np.zeros(size, values.dtype)
    filled[: len(values)] = values
    return filled
