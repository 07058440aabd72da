"""The error profile: how much each side says a player has lost, decision by decision along the match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import PlainFigure
from reconcile.report import numbers
from reconcile.report.html.decisions import Place
from reconcile.report.html.svg import Scale, coordinate, picture, scale, tag, text, title
from reconcile.report.words import players
from reconcile.scoring.statistics import Statistics

WIDTH, HEIGHT = 640.0, 270.0
LEFT, RIGHT, TOP, FLOOR = 36.0, 552.0, 30.0, 242.0
METRIC: Final = "equity_error.total"
SMALLEST: Final = 0.0005
"""Errors below half a millipoint do not bend the line."""

Turn = tuple[int, int]
"""Numbers of a game and of a turn in it."""
Marks = Sequence[tuple[Turn, int, str]]
"""Places to point out: the turn, the number of its card and the words for a pointer."""


@dataclass(frozen=True, slots=True)
class Track:
    """Where the turns of a match lie on the horizontal axis."""

    starts: Mapping[int, int]
    """Game number -> turns before it."""
    turns: int

    def at(self, game: int, turn: int) -> float:
        """The coordinate of a turn."""
        return LEFT + (self.starts.get(game, 0) + turn) / max(self.turns, 1) * (RIGHT - LEFT)


def profiles(
    comparison: Comparison, labels: tuple[str, str], ranks: Mapping[Place, int]
) -> Iterator[tuple[str, str, list[tuple[int, PlainFigure]]]]:
    """Each player with a picture and the losses by game; `ranks` are the numbers of the decisions to point out."""
    losses = [_losses(side) for side in comparison.statistics]
    track = _track(losses)
    for player in players(comparison):
        seat = comparison.left.players.index(player)
        both = (losses[0][seat], losses[1][comparison.pairing.seats[seat]])
        games = [
            (game, one)
            for game, figures in comparison.by_game
            for one in figures
            if (one.player, one.metric) == (player, METRIC)
        ]
        if any(one.left is not None or one.right is not None for _, one in games):
            marked = [
                ((place.game, place.turn), rank, f"{player}, game {place.game}, turn {place.turn}")
                for place, rank in ranks.items()
                if place.decider == player
            ]
            yield player, _svg(player, both, track, labels, marked, f"profile-{seat}"), games


def _losses(statistics: Statistics) -> tuple[dict[Turn, float], dict[Turn, float]]:
    """Equity lost by seat and place."""
    scored, match = statistics.scored, statistics.match
    last = np.zeros(len(match.games), np.int64)
    turns = np.concatenate((match.plays.turn, match.cubes.turn)).astype(np.int64)
    np.maximum.at(last, scored.game[: len(turns)], turns)
    every = np.concatenate((turns, last[scored.game[len(turns) :]]))
    found: tuple[dict[Turn, float], dict[Turn, float]] = ({}, {})
    columns = (
        match.games.number[scored.game].tolist(),
        every.tolist(),
        scored.player.tolist(),
        scored.error.tolist(),
    )
    for game, turn, seat, error in zip(*columns, strict=True):
        found[seat][game, turn] = found[seat].get((game, turn), 0.0) + error
    return found


def _track(losses: Sequence[Sequence[Mapping[Turn, float]]]) -> Track:
    last: dict[int, int] = {}
    for side in losses:
        for places in side:
            for game, turn in places:
                last[game] = max(last.get(game, 0), turn)
    starts, total = {}, 0
    for game in sorted(last):
        starts[game] = total
        total += last[game] + 1
    return Track(starts, total)


def _svg(
    player: str,
    both: tuple[Mapping[Turn, float], Mapping[Turn, float]],
    track: Track,
    labels: tuple[str, str],
    marked: Marks,
    key: str,
) -> str:
    curves = [_curve(places) for places in both]
    totals = [curve[-1][1] if curve else 0.0 for curve in curves]
    axis = scale(0.0, max(*totals, 0.01), FLOOR, TOP + 14)
    parts = [*_grid(axis), *_games(track)]
    ends = [axis(total) for total in totals]
    if abs(ends[0] - ends[1]) < 16:  # labels of two lines that end close together move apart
        middle, upper = sum(ends) / 2, 0 if ends[0] <= ends[1] else 1
        ends[upper], ends[1 - upper] = middle - 8, middle + 8
    for curve, total, end, label, side in zip(
        curves, totals, ends, labels, ("left", "right"), strict=True
    ):
        hint = title(f"{label}: {numbers.number(total, 3)} EMG lost in all")
        parts.append(tag("path", hint, d=_path(curve, track, axis), class_=f"line {side}"))
        parts.append(
            text(
                f"{label if len(label) <= 8 else side} {numbers.number(total, 2)}",
                RIGHT + 6,
                end + 4,
                class_=f"end {side}",
            )
        )
    parts += _marks(marked, curves, track, axis)
    name = f"Equity lost by {player} along the match"
    described = f"{labels[0]} adds up to {numbers.number(totals[0], 3)}, {labels[1]} to {numbers.number(totals[1], 3)} EMG."
    return picture(
        key,
        WIDTH,
        HEIGHT,
        name,
        described,
        *parts,
        class_="chart",
        role="group" if marked else "img",
    )


def _curve(places: Mapping[Turn, float]) -> list[tuple[Turn, float]]:
    total = 0.0
    found = []
    for place in sorted(places):
        if places[place] >= SMALLEST:
            total += places[place]
            found.append((place, total))
    return found


def _path(curve: list[tuple[Turn, float]], track: Track, axis: Scale) -> str:
    steps = [f"H{coordinate(track.at(*place))}V{coordinate(axis(total))}" for place, total in curve]
    return f"M{LEFT:g} {coordinate(axis(0.0))}{''.join(steps)}H{RIGHT:g}"


def _grid(axis: Scale) -> list[str]:
    lines = "".join(f"M{LEFT:g} {coordinate(axis(tick))}H{RIGHT:g}" for tick in axis.ticks)
    names = [
        text(numbers.number(tick, axis.decimals), LEFT - 6, axis(tick) + 4) for tick in axis.ticks
    ]
    return [tag("path", d=lines, class_="grid"), tag("g", *names, class_="axis", text_anchor="end")]


def _games(track: Track) -> list[str]:
    starts = sorted(track.starts.items(), key=lambda item: item[1])
    bounds = "".join(
        f"M{coordinate(track.at(game, 0))} {TOP - 12:g}V{FLOOR:g}"
        for game, before in starts
        if before
    )
    ends = [track.at(game, 0) for game, _ in starts[1:]] + [RIGHT]
    names = [
        text(
            f"Game {game}" if end - track.at(game, 0) > 52 else str(game),
            (track.at(game, 0) + end) / 2,
            FLOOR + 18,
        )
        for (game, _), end in zip(starts, ends, strict=True)
        if end - track.at(game, 0) > 12
    ]
    return [
        tag("path", d=bounds, class_="bound"),
        tag("g", *names, class_="axis", text_anchor="middle"),
    ]


def _marks(
    marked: Marks, curves: list[list[tuple[Turn, float]]], track: Track, axis: Scale
) -> list[str]:
    """Numbered marks above the higher line, moved up where they would hide each other."""
    placed: list[tuple[float, float]] = []
    found = []
    for place, rank, hint in sorted(marked):
        x = track.at(*place)
        line = axis(
            max((total for curve in curves for at, total in curve if at <= place), default=0.0)
        )
        y = line - 15
        while any(abs(x - other_x) < 19 and abs(y - other_y) < 19 for other_x, other_y in placed):
            y -= 4
        placed.append((x, y))
        found.append(
            tag(
                "a",
                title(hint),
                tag(
                    "path", d=f"M{coordinate(x)} {coordinate(y)}V{coordinate(line)}", class_="stem"
                ),
                tag("circle", cx=x, cy=y, r=9, class_="mark"),
                text(str(rank), x, y + 3.8, class_="mark-text", text_anchor="middle"),
                href=f"#decision-{rank}",
            )
        )
    return found
