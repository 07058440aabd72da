"""The figures of a pack that will be judged, listed before any is judged: the items of a test run.

The plan follows from the manifest and the tolerance tables, and for a pair also from the players' names in the left file. It is the same
on every computer that has the file, whatever the figures are; `look_up` then finds the result of an item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from reconcile.formats import read_match
from reconcile.gap.bounds import Gate
from reconcile.gap.bridge import SHARES
from reconcile.gap.comparison import Comparison
from reconcile.gap.tolerances import Tolerances
from reconcile.gap.verdict import Figure
from reconcile.gate.files import checked_bytes, find_file
from reconcile.gate.judged_figures import JudgedFigure, Place, distinct
from reconcile.gate.manifest import MANIFEST, Manifest, Pair, Reported
from reconcile.gate.match_results import MatchResult
from reconcile.gate.pack_results import check_bounded, placed
from reconcile.match.tools import analyser
from reconcile.scoring.metrics import METRICS, short_metric


@dataclass(frozen=True, slots=True)
class Planned:
    """One figure that will be judged, or a part whose figures are not known yet."""

    match: str
    suite: str
    player: str = ""
    """The name in the manifest, or for a pair in the left file; empty if the file is not available."""
    name: str = ""
    """The metric, or a share of it, for example `pr@engine`; empty if the player is."""
    tools: tuple[str, ...] = ()
    table: str = ""
    kind: Literal["reported", "pairs", "candidates", "diagnosis"] = field(kw_only=True)
    """`diagnosis` is what the figures of a program say of it: no figure, and never missing."""
    index: int = -1
    """Which of the manifest's `reported` or `pairs`, or of the match's candidates."""
    place: Place = field(kw_only=True)
    missing: str = ""
    """Why it cannot be judged, if that is already known."""
    is_failure: bool = False
    """Whether it cannot be judged because something failed, and is not just missing."""

    @property
    def metric(self) -> str:
        """The metric's short name."""
        return short_metric(self.name)


def plan(folder: Path, manifest: Manifest, tolerances: Tolerances) -> Iterator[Planned]:
    """Everything in a match that counts for the verdict, in the order of the manifest.

    Raises `InvalidConfiguration` for a table that does not exist and a figure without a tolerance, `UnreadableFile` for the left file of
    a pair.
    """
    seen: Counter[str] = Counter()
    for index, entry in enumerate(manifest.reported):
        if entry.table is not None:
            with placed(folder, "reported", index):
                gate = tolerances.gate(entry.table, manifest.id)
            yield from _reported(
                folder, manifest, index, entry, gate, distinct(f"reported {entry.file}", seen)
            )
    for index, pair in enumerate(manifest.pairs):
        if pair.judged_by is not None:
            with placed(folder, "pairs", index):
                gate = tolerances.gate(pair.judged_by, manifest.id)
            yield from _pair(
                folder,
                manifest,
                index,
                pair,
                gate,
                distinct(f"{pair.left} against {pair.right}", seen),
            )


def plan_candidates(result: MatchResult) -> Iterator[Planned]:
    """The planned figures of candidates, which are known only after reading them."""
    place_ = Place(result.folder / MANIFEST, ("candidates",))
    seen: Counter[str] = Counter()
    for index, candidate in enumerate(result.candidates):
        suite = distinct(candidate.suite, seen)
        tools = _tools(result.manifest, candidate.file)
        planned = partial(
            Planned, result.id, suite, tools=tools, table=candidate.table, index=index, place=place_
        )
        for figure in (*candidate.judged, *candidate.unjudged):
            yield planned(figure.player, figure.name, kind="candidates")
        if candidate.program:
            yield planned(kind="diagnosis")
    for one in result.not_compared:
        if one.candidate:
            yield Planned(
                result.id,
                distinct(one.what, seen),
                kind="candidates",
                place=place_,
                missing=one.why,
                is_failure=one.is_failure,
            )


def nothing(folder: Path, manifest: Manifest) -> Planned:
    """The one entry of a match of which nothing is judged, so that it never passes in silence."""
    why = "no figure is reported, no pair is judged and no candidate gives a figure; add one of them to judge the match"
    return Planned(
        manifest.id,
        "nothing to judge",
        kind="reported",
        place=Place(folder / MANIFEST, ()),
        missing=why,
    )


def look_up(planned: Planned, result: MatchResult) -> JudgedFigure | str:
    """The result of a planned figure; a reason if it was not judged."""
    if planned.missing:
        return planned.missing
    found = _found(planned, result)
    if isinstance(found, str):
        return found
    figure, comparison = found
    if figure is None:
        return "neither side has this figure"
    return JudgedFigure(planned.match, planned.suite, figure, comparison, planned.place)


def never_judged(
    planned: Iterable[Planned], manifests: Sequence[Manifest], tolerances: Tolerances
) -> Iterator[str]:
    """Entries of manifests and tolerances that apply to no planned figure, one line each."""
    listed = list(planned)
    for manifest in manifests:
        for entry in manifest.reported:
            if entry.table is None:
                continue
            gate = tolerances.gate(entry.table, manifest.id)
            for name, printed in entry.players.items():
                for metric in printed:
                    bound = gate.of(metric, name)
                    if bound is not None and bound.level == "off":
                        yield f"{manifest.id}: {metric} of {name} is reported but never judged: its level is off in table {entry.table}"
    for what, exceptions in (
        ("override", tolerances.overrides),
        ("known gap", tolerances.known_gaps),
    ):
        for exception in exceptions:
            if not any(
                exception.table == one.table
                and exception.match in (None, one.match)
                and exception.concerns(one.name, one.player)
                for one in listed
            ):
                yield f"the {what} for {exception.whose} in table {exception.table} applies to nothing that is judged"


def _reported(
    folder: Path, manifest: Manifest, index: int, entry: Reported, gate: Gate, suite: str
) -> Iterator[Planned]:
    tools, table = _tools(manifest, entry.file), entry.table or ""
    for player, printed in entry.players.items():
        for metric in printed:
            keys = ("reported", index, "players", player, metric)
            check_bounded(folder, table, gate.table, *keys)
            for name in _bounded(metric, player, gate):
                where = Place(folder / MANIFEST, keys)
                yield Planned(
                    manifest.id,
                    suite,
                    player,
                    name,
                    tools,
                    table,
                    kind="reported",
                    index=index,
                    place=where,
                )


def _pair(
    folder: Path, manifest: Manifest, index: int, pair: Pair, gate: Gate, suite: str
) -> Iterator[Planned]:
    where = Place(folder / MANIFEST, ("pairs", index))
    tools = tuple(dict.fromkeys((*_tools(manifest, pair.left), *_tools(manifest, pair.right))))
    planned = partial(
        Planned,
        manifest.id,
        suite,
        tools=tools,
        table=pair.judged_by or "",
        kind="pairs",
        index=index,
        place=where,
    )
    file = manifest.files[pair.left]
    path = find_file(folder, file)
    if path is None:
        yield planned(missing=f"{file.name} is missing; download it with `reconcile fetch`")
        return
    for player in read_match(str(path), checked_bytes(path, file)).players:
        yield from (
            planned(player, name) for metric in METRICS for name in _bounded(metric, player, gate)
        )


def _bounded(metric: str, player: str, gate: Gate) -> Iterator[str]:
    """The metric and its shares that have a tolerance."""
    for name in (metric, *(f"{metric}@{share}" for share in SHARES)):
        bound = gate.of(name, player) if gate.table.of(name) is not None else None
        if bound is not None and bound.level != "off":
            yield name


def _tools(manifest: Manifest, handle: str) -> tuple[str, ...]:
    """The short name of a file's tool."""
    name = manifest.files[handle].tool
    tool = analyser(name)
    return (tool.key if tool else name,)


def _found(planned: Planned, result: MatchResult) -> tuple[Figure | None, Comparison | None] | str:
    """The figure with its comparison, or the reason why there is none."""
    manifest = result.manifest
    match planned.kind:
        case "reported":
            entry = manifest.reported[planned.index]
            one = next((one for one in result.reported if one.entry == planned.index), None)
            if one is None:
                return _reason(result, f"reported figures of {entry.file}")
            keys = [
                (player, metric) for player, printed in entry.players.items() for metric in printed
            ]
            plain = planned.name.partition("@")[0]
            whole = one.figures[keys.index((planned.player, plain))]
            return _named((whole, *one.shares), planned.name, whole.player), None
        case "pairs":
            pair = manifest.pairs[planned.index]
            compared = next((one for one in result.pairs if one.pair == pair), None)
            if compared is None:
                return _reason(result, f"{pair.left} against {pair.right}")
            return _named(
                compared.comparison.judged, planned.name, planned.player
            ), compared.comparison
        case "candidates":
            candidate = result.candidates[planned.index]
            unjudged = next(
                (
                    f
                    for f in candidate.unjudged
                    if (f.name, f.player) == (planned.name, planned.player)
                ),
                None,
            )
            return (
                unjudged.note
                if unjudged
                else (_named(candidate.judged, planned.name, planned.player), candidate.comparison)
            )
        case "diagnosis":
            return None, None


def _named(figures: Iterable[Figure], name: str, player: str) -> Figure | None:
    found = next(
        (figure for figure in figures if (figure.name, figure.player) == (name, player)), None
    )
    return None if found is None or found.verdict == "ungated" else found


def _reason(result: MatchResult, what: str) -> str:
    return next((one.why for one in result.not_compared if one.what == what), "not compared")
