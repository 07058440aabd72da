"""Every judged figure of a result as one flat case, from which gates and lists of figures are made.

A case has a stable id, so that runs can be compared: JUnit, annotations and pages use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import UNGATED, Figure
from reconcile.match.names import fold
from reconcile.scoring.figures import short_metric

if TYPE_CHECKING:
    from reconcile.gate.candidates.list_result import ListResult
    from reconcile.gate.cells import Cell
    from reconcile.gate.match_results import CandidateResult, MatchResult, ReportedResult
    from reconcile.gate.pack_results import PackResult
    from reconcile.infer.program import Diagnosis


Source = Callable[[], Comparison]
"""What gives a comparison."""
DIAGNOSIS: Final = "diagnosis"
"""The fact of a part that says what its program does, by all its matches."""


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """One figure of one player, judged, or given by a candidate and bounded by nothing."""

    match: str
    """Id of the reference match; for a plain comparison the names of the two files."""
    suite: str
    """What was judged: `reported xg`, `xg against gnubg`, `candidate NAME`."""
    figure: Figure
    source: Source | None
    place: Place | None = None

    @property
    def unjudged(self) -> bool:
        """Whether a candidate gives it and nothing bounds it; the figure's note is the reason."""
        return self.figure.verdict == UNGATED

    @property
    def comparison(self) -> Comparison | None:
        """The comparison with the figure's bridge, if it has one."""
        return None if self.source is None else self.source()

    @property
    def metric(self) -> str:
        """The metric under its short name, or a share of it: `pr@engine`."""
        return short_metric(self.figure.name)

    @property
    def id(self) -> str:
        """The same from run to run: match, suite, player, metric."""
        return "::".join((self.match, self.suite, self.figure.player, self.metric))

    @property
    def fails(self) -> bool:
        """Whether it makes the exit code 1 at the default level."""
        return self.figure.failing()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a manifest says what is judged."""

    path: Path
    keys: tuple[str | int, ...]
    line: int | None = None
    """Of a manifest that cannot be read, in which no key can be looked for."""


@dataclass(frozen=True, slots=True)
class Part:
    """What was judged together, or what could not be read."""

    match: str
    suite: str
    cases: tuple[JudgedFigure, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    """Its tolerance table, rules and files, as name and value."""
    missing: str = ""
    """Why it was not compared; empty if it was."""
    heads: tuple[str, str] = ("", "")
    """The headings of the two columns of figures, if they need any."""
    place: Place | None = None
    failed: bool = False
    """Whether it is missing because something failed: the exit code is 2."""
    fault: str = ""
    """A transformation that a diagnosis names: a warning, with `strict` a failure."""
    decisions: ListResult | None = None
    """The decisions of a candidate that lists them."""
    lacking: tuple[Cell, ...] = ()
    """What a candidate gives elsewhere and not here: it fails with `strict` or where declared."""


def comparison_part(source: Source, match: str, suite: str, place: Place | None = None) -> Part:
    """The judged figures of one comparison."""
    comparison = source()
    facts = [("table", comparison.table)]
    for name, side in (("left", comparison.left), ("right", comparison.right)):
        tool = f"{side.tool} {side.tool_version or ''}".strip()
        facts += [(f"{name} tool", tool), (f"{name} rules", side.rules)]
        facts.append((f"{name} sha256", side.sha256))
    cases = tuple(JudgedFigure(match, suite, figure, source, place) for figure in comparison.judged)
    return Part(match, suite, cases, tuple(fact for fact in facts if fact[1]), place=place)


def pack_parts(result: PackResult) -> Iterator[Part]:
    """Everything in a pack that counts for the verdict or was not compared, in the pack's order."""
    from reconcile.gate.cells import by_match

    for match in result.matches:
        yield from _parts(match, result)
    for (match_id, program), lacking in by_match(result.cells).items():
        name = match_id or result.name
        yield Part(name, f"missing of candidate {program}", lacking=tuple(lacking))
    for diagnosis in result.faulty:
        yield Part(result.name, f"candidate {diagnosis.program}", fault=diagnosis.sentence)
    for part in result.not_compared:
        place = Place(part.at[0], (), part.at[1]) if part.at else None
        yield Part(result.name, part.part, missing=part.why, place=place, failed=part.is_failure)


def _parts(match: MatchResult, result: PackResult) -> Iterator[Part]:
    """The parts of one match."""
    from reconcile.gate.manifest import MANIFEST  # two files need no manifest, nor pydantic

    names, place_of = Counter[str](), partial(Place, match.folder / MANIFEST)
    for reported in match.reported:
        suite = distinct(reported.suite, names)
        yield _reported(match, suite, reported, place_of(("reported", reported.entry)))
    for index, pair in enumerate(match.pairs):
        if pair.gates:
            suite = distinct(pair.suite, names)
            yield comparison_part(pair.source, match.id, suite, place_of(("pairs", index)))
    for part in match.not_compared:
        place = place_of(part.keys)
        yield Part(match.id, part.part, missing=part.why, place=place, failed=part.is_failure)
    for candidate in match.candidates:
        keys = ("candidates",) if match.manifest.candidates else ("files", candidate.file)
        suite = distinct(candidate.suite, names)
        diagnoses = (each for each in result.diagnoses if each.program == candidate.program)
        yield _candidate(match, suite, candidate, place_of(keys), next(diagnoses, None))


def _lines(match: MatchResult, entry: int, place: Place) -> dict[tuple[str, str], Place]:
    """By player and metric the line of each figure that an entry of the manifest reports."""
    return {
        (name, metric): replace(place, keys=("reported", entry, "players", name, metric))
        for name, texts in match.manifest.reported[entry].players.items()
        for metric in texts
    }


def _reported(match: MatchResult, suite: str, reported: ReportedResult, place: Place) -> Part:
    own = _lines(match, reported.entry, place).values()
    places = (*own, *repeat(place, len(reported.shares)))
    cases = tuple(
        JudgedFigure(match.id, suite, figure, None, line)
        for figure, line in zip(reported.judged, places, strict=True)
    )
    facts = (("rules", reported.rules), ("table", reported.table), ("source", reported.source))
    return Part(match.id, suite, cases, facts, place=place)


def _candidate(
    match: MatchResult,
    suite: str,
    candidate: CandidateResult,
    place: Place,
    diagnosis: Diagnosis | None,
) -> Part:
    own = {
        (fold(name), metric): line
        for index, entry in enumerate(match.manifest.reported)
        if entry.file == candidate.file
        for (name, metric), line in _lines(match, index, place).items()
    }
    cases = tuple(
        JudgedFigure(
            match.id,
            suite,
            figure,
            candidate.source,
            own.get((fold(figure.player), figure.metric), place),
        )
        for figure in sorted(candidate.figures, key=lambda figure: figure.verdict == UNGATED)
        if figure.verdict != UNGATED or figure.right is not None
    )
    facts = []
    if diagnosis is not None:
        facts = [(DIAGNOSIS, diagnosis.sentence)]
    facts += [("version", candidate.version)] * bool(candidate.version)
    facts += [("compared with", candidate.file), ("rules", candidate.rules)]
    facts += [("table", candidate.table)]
    facts += [(finding.title, finding.evidence) for finding in candidate.findings]
    heads, lists = ("Reference", "Candidate"), candidate.decisions
    return Part(match.id, suite, cases, tuple(facts), "", heads, place, decisions=lists)


def distinct(name: str, names: Counter[str], form: str = "{} ({})") -> str:
    """A name that no other has: from the second time on with its number."""
    names[name] += 1
    return name if names[name] == 1 else form.format(name, names[name])
