"""Every judged figure of a result as one flat case, from which gates and lists of figures are made.

A case has a stable id, so that runs can be compared: JUnit, annotations and pages use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import Figure
from reconcile.gate.kept import Again, Kept, value_of
from reconcile.match.names import fold
from reconcile.scoring.metrics import short_metric

if TYPE_CHECKING:
    from reconcile.gap.folders import FolderResult
    from reconcile.gate.candidates.list_result import ListResult
    from reconcile.gate.candidates.missing import Missing
    from reconcile.gate.match_results import CandidateResult, MatchResult, ReportedResult
    from reconcile.gate.pack_results import PackResult


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
    source: Comparison | Kept[Comparison] | Again[Comparison] | None
    place: Place | None = None
    unjudged: bool = False
    """Whether a candidate gives it and nothing bounds it; the figure's note is the reason."""

    @property
    def comparison(self) -> Comparison | None:
        """The comparison with the figure's bridge, if it has one."""
        return None if self.source is None else value_of(self.source)

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
    """A mistake that a program makes, by its diagnosis: a warning, with `strict` a failure."""
    decisions: ListResult | None = None
    """The decisions of a candidate that lists them."""
    lacking: tuple[Missing, ...] = ()
    """What a candidate gives elsewhere and not here: it fails with `strict` or where declared."""


def comparison_part(
    source: Comparison | Kept[Comparison] | Again[Comparison],
    match: str,
    suite: str,
    place: Place | None = None,
) -> Part:
    """The judged figures of one comparison."""
    comparison = value_of(source)
    facts = [("table", comparison.table)]
    for name, side in (("left", comparison.left), ("right", comparison.right)):
        tool = f"{side.tool} {side.tool_version or ''}".strip()
        facts += [(f"{name} tool", tool), (f"{name} rules", side.rules)]
        facts.append((f"{name} sha256", side.sha256))
    cases = tuple(JudgedFigure(match, suite, figure, source, place) for figure in comparison.judged)
    return Part(match, suite, cases, tuple(fact for fact in facts if fact[1]), place=place)


def pack_parts(result: PackResult) -> Iterator[Part]:
    """Everything in a pack that counts for the verdict or was not compared, in the pack's order."""
    from reconcile.gate.candidates.missing import by_candidate

    for match in result.matches:
        yield from _parts(match, result)
    for (match_id, program), lacking in by_candidate(result.missing).items():
        yield Part(match_id, f"missing of candidate {program}", lacking=tuple(lacking))
    for diagnosis in result.faulty:
        yield Part(result.name, f"candidate {diagnosis.candidate}", fault=diagnosis.sentence)
    for part in result.not_compared:
        place = Place(part.at[0], (), part.at[1]) if part.at else None
        yield Part(result.name, part.part, missing=part.why, place=place, failed=part.is_failure)


def _parts(match: MatchResult, result: PackResult) -> Iterator[Part]:
    """The parts of one match."""
    from reconcile.gate.manifest import MANIFEST  # two files need no manifest, nor pydantic

    path, names = match.folder / MANIFEST, Counter[str]()
    for reported in match.reported:
        yield _reported(match, reported, path, distinct(f"reported {reported.file}", names))
    for index, pair in enumerate(match.pairs):
        if pair.gates:
            suite = distinct(f"{pair.pair.left} against {pair.pair.right}", names)
            yield comparison_part(pair.source, match.id, suite, Place(path, ("pairs", index)))
    for part in match.not_compared:
        place = Place(path, part.keys)
        yield Part(match.id, part.part, missing=part.why, place=place, failed=part.is_failure)
    for candidate in match.candidates:
        facts = []
        for diagnosis in result.diagnoses:
            if diagnosis.candidate == candidate.program:
                faults = ((fault.sentence, fault.code) for fault in diagnosis.faults)
                facts = [(DIAGNOSIS, diagnosis.sentence)]
                facts += [("fault", f"{sentence} [{code}]") for sentence, code in faults]
        yield _candidate(match, candidate, path, distinct(candidate.suite, names), facts)


def folder_parts(result: FolderResult) -> Iterator[Part]:
    """Every pair of two folders, by the files' names, then what was not compared."""
    for pair in result.matches:
        match, comparison = " against ".join(pair.files), pair.comparison
        if comparison is None:
            yield Part(match, result.table, missing=pair.reason, failed=pair.failed)
        else:
            suite = f"{comparison.left.rules} against {comparison.right.rules}"
            yield comparison_part(comparison, match, suite)
    for file in result.leftovers:
        if file.why != "ignored":
            name, failed = f"{file.side} {file.name}", file.why == "unreadable"
            yield Part(name, file.why, missing=file.reason, failed=failed)


def pack_cases(result: PackResult) -> Iterator[JudgedFigure]:
    """The judged figures of a pack, in its order."""
    for part in pack_parts(result):
        yield from part.cases


def distinct(name: str, names: Counter[str], form: str = "{} ({})") -> str:
    """A name that no other has: from the second time on with its number."""
    names[name] += 1
    return name if names[name] == 1 else form.format(name, names[name])


def _reported(match: MatchResult, reported: ReportedResult, path: Path, suite: str) -> Part:
    players = match.manifest.reported[reported.entry].players
    start = Place(path, ("reported", reported.entry))
    places = [
        Place(path, (*start.keys, "players", name, metric))
        for name, printed in players.items()
        for metric in printed
    ]
    places += [start] * len(reported.shares)
    cases = tuple(
        JudgedFigure(match.id, suite, figure, None, place)
        for figure, place in zip(reported.judged, places, strict=True)
    )
    facts = (("rules", reported.rules), ("table", reported.table), ("source", reported.source))
    return Part(match.id, suite, cases, facts, place=start)


def _candidate(
    match: MatchResult,
    candidate: CandidateResult,
    path: Path,
    suite: str,
    facts: list[tuple[str, str]],
) -> Part:
    keys = ("candidates",) if match.manifest.candidates else ("files", candidate.file)
    place, lines = Place(path, keys), _lines(match, candidate.file, path)
    cases = tuple(
        JudgedFigure(
            match.id,
            suite,
            figure,
            candidate.source,
            lines.get((fold(figure.player), figure.metric), place),
            unjudged,
        )
        for figures, unjudged in ((candidate.judged, False), (candidate.unjudged, True))
        for figure in figures
    )
    facts += [("version", candidate.version)] if candidate.version else []
    facts += [("compared with", candidate.file), ("rules", candidate.rules)]
    facts.append(("table", candidate.table))
    facts += [(finding.title, finding.evidence) for finding in candidate.findings]
    heads = ("Reference", "Candidate")
    return Part(
        match.id,
        suite,
        cases,
        tuple(facts),
        heads=heads,
        place=place,
        decisions=candidate.decisions,
    )


def _lines(match: MatchResult, file: str, path: Path) -> dict[tuple[str, str], Place]:
    """By player and metric, the line of the tool's own figure if the manifest has one."""
    return {
        (fold(name), metric): Place(path, ("reported", index, "players", name, metric))
        for index, entry in enumerate(match.manifest.reported)
        if entry.file == file
        for name, printed in entry.players.items()
        for metric in printed
    }
