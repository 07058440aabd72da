"""The figures that a tool reported of one file, as people read them, judged against ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from reconcile.errors import InvalidConfiguration
from reconcile.files.yaml_file import place
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.verdict import WITHIN, Figure, gate_findings, judged, judged_share
from reconcile.gate.manifest import MANIFEST, Reported, half_a_digit
from reconcile.gate.match_results import ReportedResult
from reconcile.match.match import Match
from reconcile.scoring.metrics import METRICS
from reconcile.scoring.open_rules import Possible, known_values, open_range
from reconcile.scoring.open_words import decided_words
from reconcile.scoring.statistics import Statistics, statistics


class Printed(NamedTuple):
    """A figure as a tool shows it."""

    seat: int
    metric: str
    text: str


def reported_result(
    folder: Path, match: Match, entry: Reported, index: int, gate: Gate
) -> ReportedResult:
    """One entry of a manifest, judged; `index` is its number among those of the manifest."""
    scored, printed = statistics(match, entry.rules, entry.met), []
    for name, texts in entry.players.items():
        keys = "reported", index, "players", name
        seat = entry.seat(name, match.players)
        if seat is None:
            file, players = Path(match.source.path).name, " and ".join(map(repr, match.players))
            wrong = f"no {name!r} in {file}, found {players}; correct the name"
            raise InvalidConfiguration(wrong, place(folder / MANIFEST, *keys))
        for key, text in texts.items():
            if gate.table.of(key) is None:
                wrong = f"table {entry.table!r} has no tolerance for it"
                remedy = "add one, or leave the figure out"
                raise InvalidConfiguration(
                    f"{wrong}; {remedy}", place(folder / MANIFEST, *keys, key)
                )
            printed.append(Printed(seat, key, text))
    figures = tuple(_judged(scored, printed, gate))
    shares = []
    for figure in figures:
        for share in SHARES:
            if gate.table.of(f"{figure.metric}@{share}") is not None:
                # Between a tool's figure and ours the whole gap is reporting.
                gap, gaps = (figure.gap, figure.gap_range) if share == "reporting" else (0.0, None)
                shares.append(judged_share(figure, share, gap, gate, "", gaps))
    return ReportedResult(
        file=entry.file,
        rules=scored.rules.name,
        table=entry.table or "",
        source=entry.source,
        figures=figures,
        entry=index,
        shares=tuple(shares),
        findings=tuple(gate_findings((*figures, *shares), gate)),
    )


def _judged(scored: Statistics, printed: Sequence[Printed], gate: Gate) -> Iterator[Figure]:
    """Each figure against ours.

    Where a rule of the tool is open, its own figures say which answers it may use here, the same
    for both players: those under which most figures are within tolerance. What these still leave
    open is a range.
    """
    every = open_range(scored).possible
    fits = []
    for possible in every:
        figures = (_figure(shown, scored, possible, [possible], gate) for shown in printed)
        fits.append(sum(figure.verdict == WITHIN for figure in figures))
    fitting = [each for each, number in zip(every, fits, strict=True) if number == max(fits)]
    used = next((each for each in fitting if not decided_words(scored, each[0])), fitting[0])
    note = decided_words(scored, used[0])
    for shown in printed:
        figure = _figure(shown, scored, used, fitting, gate)
        moved = figure.right != scored.figures(shown.seat)[shown.metric]
        notes = "; ".join(filter(None, (figure.note, note if moved else "")))
        yield replace(figure, note=notes)


def _figure(
    shown: Printed, scored: Statistics, used: Possible, possible: Sequence[Possible], gate: Gate
) -> Figure:
    """A figure with its verdict, and a range where the possible answers give several numbers."""
    ends = known_values(possible, shown.seat, shown.metric) or [0.0]
    low, high = ends[0], ends[-1]
    left, right = float(shown.text), used[1][0][shown.seat][shown.metric]
    figure = Figure(shown.metric, scored.match.players[shown.seat], left, right)
    if high - low >= METRICS[shown.metric].least_shown:
        figure = replace(figure, right_range=(low, high), gap_range=(low - left, high - left))
    return judged(figure, gate, half=half_a_digit(shown.text))
