"""The figures that a tool reported of one file, as people read them in its window, judged against ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from reconcile.errors import InvalidConfiguration
from reconcile.files.names import fold
from reconcile.files.yaml_file import place
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import WITHIN, Figure, gate_findings, judged, judged_share
from reconcile.gate.manifest import MANIFEST, Reported
from reconcile.gate.match_results import ReportedResult
from reconcile.gate.measure import half_a_digit
from reconcile.gate.pack_results import check_bounded
from reconcile.match.match import Match
from reconcile.scoring.open_rules import Answers, Range, answered, least_shown, open_range
from reconcile.scoring.open_words import decided_words
from reconcile.scoring.statistics import Statistics, statistics

Possible = tuple[Answers, tuple[Mapping[str, Range], ...]]
"""Answers that a tool may use, and the figures that they give by seat."""


class Printed(NamedTuple):
    """A figure as a tool shows it."""

    seat: int
    metric: str
    text: str


def reported_result(
    folder: Path, match: Match, entry: Reported, index: int, table: str, gate: Gate
) -> ReportedResult:
    """One entry of a manifest, judged; `index` is its number among those of the manifest."""
    scored = statistics(match, entry.rules, entry.met)
    printed = []
    for name, figures in entry.players.items():
        here = "reported", index, "players", name
        seat = _seat(folder, match, here, entry.by_seat)
        for key, text in figures.items():
            check_bounded(folder, table, gate.table, *here, key)
            printed.append(Printed(seat, key, text))
    judged_figures = tuple(_judged(scored, printed, gate))
    shares = tuple(
        judged_share(
            figure,
            share,
            *((figure.gap, gate, "", figure.gap_range) if share == "reporting" else (0.0, gate)),
        )
        for figure in judged_figures
        for share in SHARES
        if gate.table.of(f"{figure.metric}@{share}") is not None
    )
    findings = tuple(gate_findings((*judged_figures, *shares), gate))
    return ReportedResult(
        file=entry.file,
        rules=scored.rules.name,
        table=table,
        source=entry.source,
        figures=judged_figures,
        entry=index,
        shares=shares,
        findings=findings,
    )


def _judged(scored: Statistics, printed: Sequence[Printed], gate: Gate) -> Iterator[Figure]:
    """Each figure against ours. Where a rule of the tool is open, its own figures say which answers it may use here; what these still
    leave open is a range."""
    possible = _that_fit(scored, printed, gate)
    used = next(
        (
            answers
            for answers, _ in possible
            if not scored.rules.differing(answered(scored, answers).rules)
        ),
        possible[0][0],
    )
    ours, note = answered(scored, used), decided_words(scored, used)
    for one in printed:
        figure = _figure(one, ours, _span(one, possible))
        moved = figure.right != scored.figures(one.seat)[one.metric]
        figure = judged(figure, gate, half=half_a_digit(one.text))
        yield (
            replace(figure, note="; ".join(filter(None, (figure.note, note)))) if moved else figure
        )


def _that_fit(scored: Statistics, printed: Sequence[Printed], gate: Gate) -> list[Possible]:
    """The answers under which the most of the figures are within their tolerance; one answer is that of both players."""
    every = open_range(scored).possible

    def fit(answers: Answers, one: Printed, ends: Range | None) -> bool:
        return (
            judged(
                _figure(one, answered(scored, answers), ends), gate, half=half_a_digit(one.text)
            ).verdict
            == WITHIN
        )

    fits = [
        sum(fit(possible[0], one, _span(one, [possible])) for one in printed) for possible in every
    ]
    return [possible for possible, number in zip(every, fits, strict=True) if number == max(fits)]


def _span(one: Printed, possible: Iterable[Possible]) -> Range | None:
    """The lowest and the highest that answers give for a figure; `None` where that is one number."""
    ends = [spans[one.seat][one.metric] for _, spans in possible if one.metric in spans[one.seat]]
    low, high = (
        min((low for low, _ in ends), default=0.0),
        max((high for _, high in ends), default=0.0),
    )
    return (low, high) if high - low >= least_shown(one.metric) else None


def _figure(one: Printed, ours: Statistics, ends: Range | None) -> Figure:
    left, name = float(one.text), ours.match.players[one.seat]
    gaps = (ends[0] - left, ends[1] - left) if ends else None
    right = ours.figures(one.seat)[one.metric]
    return Figure(one.metric, name, left, right, right_range=ends, gap_range=gaps)


def _seat(folder: Path, match: Match, keys: tuple[str | int, ...], by_seat: bool) -> int:
    name = str(keys[-1])
    if by_seat and name in ("1", "2"):
        return int(name) - 1
    seats: Iterable[int] = (seat for seat in (0, 1) if fold(match.players[seat]) == fold(name))
    seat = next(iter(seats), None)
    if seat is None:
        raise InvalidConfiguration(
            f"no {name!r} in {Path(match.source.path).name}, found {match.players[0]!r} and {match.players[1]!r}; correct the name",
            place(folder / MANIFEST, *keys),
        )
    return seat
