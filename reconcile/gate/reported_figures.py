"""The figures that a tool reported of one file, as people read them, judged against ours."""

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
from reconcile.gate.manifest import MANIFEST, Reported, half_a_digit
from reconcile.gate.match_results import ReportedResult
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
    folder: Path, match: Match, entry: Reported, index: int, gate: Gate
) -> ReportedResult:
    """One entry of a manifest, judged; `index` is its number among those of the manifest."""
    scored, table = statistics(match, entry.rules, entry.met), entry.table or ""
    printed = []
    for name, figures in entry.players.items():
        here = "reported", index, "players", name
        seat = _seat(folder, match, here, entry.by_seat)
        for key, text in figures.items():
            check_bounded(folder, table, gate.table, *here, key)
            printed.append(Printed(seat, key, text))
    judged_figures = tuple(_judged(scored, printed, gate))
    shares = []
    for figure in judged_figures:
        for share in SHARES:
            if gate.table.of(f"{figure.metric}@{share}") is not None:
                # Between a tool's figure and ours the whole gap is reporting.
                gap, gaps = (figure.gap, figure.gap_range) if share == "reporting" else (0.0, None)
                shares.append(judged_share(figure, share, gap, gate, "", gaps))
    return ReportedResult(
        file=entry.file,
        rules=scored.rules.name,
        table=table,
        source=entry.source,
        figures=judged_figures,
        entry=index,
        shares=tuple(shares),
        findings=tuple(gate_findings((*judged_figures, *shares), gate)),
    )


def _judged(scored: Statistics, printed: Sequence[Printed], gate: Gate) -> Iterator[Figure]:
    """Each figure against ours.

    Where a rule of the tool is open, its own figures say which answers it may use here; what these
    still leave open is a range.
    """
    possible = _that_fit(scored, printed, gate)
    used = possible[0][0]
    for answers, _ in possible:
        if not scored.rules.differing(answered(scored, answers).rules):
            used = answers
            break
    ours, note = answered(scored, used), decided_words(scored, used)
    for shown in printed:
        figure = _with_verdict(shown, ours, _span(shown, possible), gate)
        moved = figure.right != scored.figures(shown.seat)[shown.metric]
        notes = "; ".join(filter(None, (figure.note, note if moved else "")))
        yield replace(figure, note=notes)


def _that_fit(scored: Statistics, printed: Sequence[Printed], gate: Gate) -> list[Possible]:
    """The answers, the same for both players, under which most figures are within tolerance."""
    every = open_range(scored).possible
    fits = []
    for possible in every:
        ours = answered(scored, possible[0])
        figures = (_with_verdict(shown, ours, _span(shown, [possible]), gate) for shown in printed)
        fits.append(sum(figure.verdict == WITHIN for figure in figures))
    return [possible for possible, number in zip(every, fits, strict=True) if number == max(fits)]


def _span(shown: Printed, possible: Iterable[Possible]) -> Range | None:
    """The lowest and the highest that answers give for a figure; `None` for one number."""
    seats = (spans[shown.seat] for _, spans in possible)
    ends = [span[shown.metric] for span in seats if shown.metric in span]
    low = min((low for low, _ in ends), default=0.0)
    high = max((high for _, high in ends), default=0.0)
    return (low, high) if high - low >= least_shown(shown.metric) else None


def _with_verdict(shown: Printed, ours: Statistics, ends: Range | None, gate: Gate) -> Figure:
    """A figure with its verdict."""
    left, name = float(shown.text), ours.match.players[shown.seat]
    gaps = (ends[0] - left, ends[1] - left) if ends else None
    right = ours.figures(shown.seat)[shown.metric]
    figure = Figure(shown.metric, name, left, right, right_range=ends, gap_range=gaps)
    return judged(figure, gate, half=half_a_digit(shown.text))


def _seat(folder: Path, match: Match, keys: tuple[str | int, ...], by_seat: bool) -> int:
    name = str(keys[-1])
    if by_seat and name in ("1", "2"):
        return int(name) - 1
    names = [fold(player) for player in match.players]
    if fold(name) in names:
        return names.index(fold(name))
    first, second = map(repr, match.players)
    file = Path(match.source.path).name
    wrong = f"no {name!r} in {file}, found {first} and {second}; correct the name"
    raise InvalidConfiguration(wrong, place(folder / MANIFEST, *keys))
