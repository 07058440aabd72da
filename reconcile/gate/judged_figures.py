"""Every judged figure of a result as one flat case, from which gates and lists of figures are made.

A case has a stable id, so that runs can be compared: JUnit, annotations, the badge, the pytest plugin and `diff` all use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.files.names import fold
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import Figure
from reconcile.gate.kept import Again, Kept, taken
from reconcile.scoring.metrics import short_metric

if TYPE_CHECKING:
    from reconcile.gap.folders import FolderResult
    from reconcile.gate.candidates.judgement import CandidateResult
    from reconcile.gate.candidates.list_result import ListResult
    from reconcile.gate.candidates.missing import Missing
    from reconcile.gate.match_results import MatchResult, ReportedResult
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
        return None if self.source is None else taken(self.source)

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
    """What was judged together, reported figures of a file or a pair of files, or what could not be read."""

    match: str
    suite: str
    cases: tuple[JudgedFigure, ...]
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
    """A mistake that a program under test makes, by its diagnosis: a warning, and with `strict` a failure."""
    decisions: ListResult | None = None
    """The decisions of a candidate that lists them."""
    lacking: tuple[Missing, ...] = ()
    """What a candidate gives of another player or match and not here: a warning, with `strict` or where it is declared a failure."""


def comparison_part(
    source: Comparison | Kept[Comparison] | Again[Comparison],
    match: str,
    suite: str,
    place: Place | None = None,
) -> Part:
    """The judged figures of one comparison."""
    comparison = taken(source)
    facts = [("table", comparison.table)]
    for name, side in (("left", comparison.left), ("right", comparison.right)):
        tool = f"{side.tool} {side.tool_version}" if side.tool_version else side.tool
        facts += [
            (f"{name} tool", tool),
            (f"{name} rules", side.rules),
            (f"{name} sha256", side.sha256),
        ]
    cases = tuple(JudgedFigure(match, suite, figure, source, place) for figure in comparison.judged)
    return Part(match, suite, cases, tuple(fact for fact in facts if fact[1]), place=place)


def pack_parts(result: PackResult) -> Iterator[Part]:
    """Everything in a pack that counts for the verdict, and everything that was not compared, in the pack's order."""
    from reconcile.gate.candidates.missing import grouped
    from reconcile.gate.manifest import (
        MANIFEST,
    )  # two files need no manifest, nor pydantic, which checks it

    for match in result.matches:
        path = match.folder / MANIFEST
        seen: Counter[str] = Counter()
        for reported in match.reported:
            yield _reported(match, reported, path, distinct(f"reported {reported.file}", seen))
        for index, pair in enumerate(match.pairs):
            if pair.gates:
                suite = distinct(f"{pair.pair.left} against {pair.pair.right}", seen)
                yield comparison_part(pair.kept, match.id, suite, Place(path, ("pairs", index)))
        for one in match.not_compared:
            yield Part(
                match.id,
                one.what,
                (),
                missing=one.why,
                place=Place(path, one.keys),
                failed=one.is_failure,
            )
        for candidate in match.candidates:
            said = [
                (DIAGNOSIS, one.sentence)
                for one in result.diagnoses
                if one.candidate == candidate.program
            ]
            said += [
                ("fault", f"{fault.sentence} [{fault.code}]")
                for one in result.diagnoses
                if said
                for fault in one.faults
            ]
            part = _candidate(match, candidate, path, distinct(candidate.suite, seen))
            yield replace(part, facts=(*said, *part.facts))
    for (where, program), lacking in grouped(result.missing).items():
        yield Part(where, f"missing of candidate {program}", (), lacking=tuple(lacking))
    for diagnosis in result.faulty:
        yield Part(result.name, f"candidate {diagnosis.candidate}", (), fault=diagnosis.sentence)
    for one in result.not_compared:
        place = Place(one.at[0], (), one.at[1]) if one.at else None
        yield Part(result.name, one.what, (), missing=one.why, place=place, failed=one.is_failure)


def folder_parts(result: FolderResult) -> Iterator[Part]:
    """Every pair of two folders, by the files' names, then what was not compared."""
    for pair in result.matches:
        match = " against ".join(pair.files)
        if pair.comparison is None:
            yield Part(match, result.table, (), missing=pair.reason, failed=pair.failed)
        else:
            yield comparison_part(
                pair.comparison,
                match,
                f"{pair.comparison.left.rules} against {pair.comparison.right.rules}",
            )
    for one in result.leftovers:
        if one.why != "ignored":
            yield Part(
                f"{one.side} {one.name}",
                one.why,
                (),
                missing=one.reason,
                failed=one.why == "unreadable",
            )


def pack_cases(result: PackResult) -> Iterator[JudgedFigure]:
    """The judged figures of a pack, in its order."""
    for part in pack_parts(result):
        yield from part.cases


def distinct(name: str, seen: Counter[str], form: str = "{} ({})") -> str:
    """A name that no other has, since a manifest may judge one thing twice: from the second on with its number."""
    seen[name] += 1
    return name if seen[name] == 1 else form.format(name, seen[name])


def _reported(match: MatchResult, reported: ReportedResult, path: Path, suite: str) -> Part:
    players = match.manifest.reported[reported.entry].players
    keys = [(name, metric) for name, printed in players.items() for metric in printed]
    start = ("reported", reported.entry)
    cases = tuple(
        JudgedFigure(match.id, suite, figure, None, Place(path, (*start, "players", *key)))
        for key, figure in zip(keys, reported.figures, strict=True)
    )
    cases += tuple(
        JudgedFigure(match.id, suite, share, None, Place(path, start)) for share in reported.shares
    )
    facts = (("rules", reported.rules), ("table", reported.table), ("source", reported.source))
    return Part(match.id, suite, cases, facts, place=Place(path, start))


def _candidate(match: MatchResult, candidate: CandidateResult, path: Path, suite: str) -> Part:
    place = Place(path, ("candidates",) if match.manifest.candidates else ("files", candidate.file))
    lines = {
        (fold(name), metric): Place(path, ("reported", index, "players", name, metric))
        for index, entry in enumerate(match.manifest.reported)
        if entry.file == candidate.file
        for name, printed in entry.players.items()
        for metric in printed
    }

    def case(figure: Figure, *, unjudged: bool = False) -> JudgedFigure:
        """Its place is the line of the tool's own figure if the manifest has one."""
        line = lines.get((fold(figure.player), figure.metric), place)
        return JudgedFigure(match.id, suite, figure, candidate.kept, line, unjudged)

    cases = (
        *map(case, candidate.judged),
        *(case(figure, unjudged=True) for figure in candidate.unjudged),
    )
    facts = [("version", candidate.version)] if candidate.version else []
    facts += [
        ("compared with", candidate.file),
        ("rules", candidate.rules),
        ("table", candidate.table),
    ]
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
