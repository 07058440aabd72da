"""The results for a pack of reference matches, and what programs under test owe and give of every
match; errors are beside what can be judged. Every judged figure is also one flat case, from which
gates and lists of figures are made: it has a stable id, so that runs can be compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import repeat
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn

from reconcile.document import (
    HIDDEN,
    LEFT_OUT,
    SCHEMA_VERSION,
    Count,
    Document,
    Key,
    Text,
    Version,
    within,
)
from reconcile.errors import InvalidConfiguration, ReconcileError, UnknownName
from reconcile.files.yaml_file import place
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import (
    DECIDED,
    FIGURE_COLUMNS,
    INCOMPLETE,
    OPEN,
    OUTSIDE,
    UNGATED,
    WITHIN,
    Figure,
    figure_row,
)
from reconcile.gate.candidates.judge import Reference
from reconcile.gate.candidates.lists import ListResult, PooledLists, pooled_lists
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.match_results import (
    NO_REFERENCE,
    STATES,
    CandidateResult,
    Cell,
    MatchResult,
    Missing,
    NotCompared,
    ReportedResult,
    State,
    Unjudged,
    by_match,
    counted,
    lacking,
    unjudged,
    verdicts_of,
)
from reconcile.infer.program import Diagnosis, Group, fault_words
from reconcile.match.names import fold
from reconcile.match.values import grouped
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.scoring.figures import METRICS, metric, short_metric
from reconcile.scoring.findings import Finding
from reconcile.wording import listed, plural

if TYPE_CHECKING:
    import pandas as pd

GAP_GONE = "known-gap-gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Document):
    """Judged figures by verdict, and parts whose files are missing."""

    within: Count
    """Within tolerance."""
    outside: Count
    """Out of tolerance."""
    open: Count = 0
    """Those whose range, by an open rule, crosses the bound."""
    incomplete: Count
    """Not judged because the analysis is incomplete."""
    not_compared: Count
    """Sets of reported figures and pairs that could not be compared."""
    judged: Count = 0
    """Of the figures that the program under test owes or gives, those that were judged."""
    unsupported: Count = 0
    """Those of matches that it says it does not support."""
    incomparable: Count = 0
    """Those of which nothing can be said, for a reason: nothing bounds them, or a side has none."""
    missing: Count = 0
    """Those that it gives of one player or match, or is declared to give, and not of another; and
    what it gives of a match or player that the pack does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackResult(NotebookTable, Document):
    """What `reconcile validate --json` writes: a pack of reference matches, judged."""

    schema_version: Version = SCHEMA_VERSION
    name: Annotated[Text, Key("pack")]
    """Name of the pack's folder."""
    verdict: Literal["within", "outside"]
    """`outside` if a figure of level `error` is out of tolerance, or something failed."""
    summary: Summary
    """Judged figures by verdict, and parts whose files are missing."""
    errors: tuple[Text, ...] = ()
    """What could not be read or run, one line each."""
    findings: tuple[Finding, ...] = ()
    """About the tolerances: bounds far too wide, and exceptions that apply to nothing."""
    diagnoses: Annotated[tuple[Diagnosis, ...], Key("diagnosis")] = ()
    """What each program under test does, by all its matches."""
    groups: tuple[Group, ...] = ()
    """The figures of programs that are off, grouped by what their differences share."""
    unjudged: tuple[Unjudged, ...] = ()
    """Every figure of the program that is not judged, and what it gives that the pack does not
    have."""
    missing: tuple[Missing, ...] = ()
    """What a program gives of one player or match, or is declared to give, and lacks elsewhere."""
    matches: Annotated[tuple[MatchResult, ...], within(min_length=1)]
    """Every match of the pack, by id."""
    not_compared: tuple[NotCompared, ...]
    """Every part of a candidate that belongs to no match."""
    decision_lists: Annotated[tuple[PooledLists, ...] | None, LEFT_OUT] = None
    """What the programs show that list their decisions, over all matches; absent without one."""
    inputs: Annotated[tuple[str, ...], HIDDEN] = ()
    """Files that were read because the pack or the program's command line names them."""
    cells: Annotated[tuple[Cell, ...], HIDDEN] = ()
    """What the programs under test owe and give, and what came of it."""
    updated: Annotated[bool, HIDDEN] = False
    """Whether manifests were corrected first: a gate that does so must not pass unnoticed."""

    def __repr__(self) -> str:
        figures = counted(figure for match in self.matches for figure in match.figures)
        return one_line(
            self,
            f"{short(self.name)}: {self.verdict}; {plural(len(self.matches), 'match', 'matches')}, "
            f"{figures}, {self.summary.not_compared} not compared",
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for every judged figure of the pack.

        - `match`: its id
        - `judged`: `reported xg` (a tool's figures), `xg against gnubg`, `candidate NAME`
        - the others as in `Comparison.to_frame`; of a reported figure `left` is the tool's
        """
        rows = (
            {"match": match.id, "judged": result.suite, **figure_row(figure)}
            for match in self.matches
            for result in match.results
            for figure in result.judged
        )
        return frame_of(rows, {"match": "object", "judged": "object", **FIGURE_COLUMNS})

    def _small_frame(self) -> pd.DataFrame:
        names = ("figures", WITHIN, OUTSIDE, OPEN, INCOMPLETE, "not compared")
        rows = [
            {
                "match": match.id,
                "figures": len(list(match.figures)),
                **verdicts_of(match.figures),
                "not compared": len(match.not_compared),
            }
            for match in self.matches
        ]
        return frame_of(rows, {"match": "object", **dict.fromkeys(names, "int64")})

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What failed and belongs to no match that was judged: what cannot be read."""
        return tuple(part for part in self.not_compared if part.is_failure)

    @property
    def failed(self) -> tuple[tuple[str, str], ...]:
        """Every run of a program that gave no figures, and file of the pack that cannot be read:
        the match or what else it is, and why."""
        every = [(part.part, part.failure) for part in self.failures]
        every += [
            (match.id, ": ".join(filter(None, (part.candidate, part.failure))))
            for match in self.matches
            for part in match.failures
        ]
        return tuple(every)

    @property
    def faulty(self) -> tuple[Diagnosis, ...]:
        """The diagnoses that name a transformation, even where every figure is within."""
        return tuple(diagnosis for diagnosis in self.diagnoses if diagnosis.transformation)

    @property
    def faults(self) -> str:
        """Which figures of the program are off by themselves, and which because of them, in
        sentences; empty where it has none, or there are several programs."""
        groups = [group for group in self.groups if not group.cause]
        if not groups or len({cell.program for cell in self.cells}) > 1:
            return ""
        right = {cell.figure or "" for cell in self.cells if cell.state == "judged"}
        return fault_words(groups, right - {metric(group.figure).name for group in groups})

    @property
    def _findings(self) -> Iterator[Finding]:
        for match in self.matches:
            yield from match.findings
            for candidate in match.candidates:
                yield from candidate.findings

    def remarks(self, *, quiet: bool = False) -> Iterator[str]:
        """What failed, and that manifests are to be looked at; also where all else is `quiet`."""
        yield from (f"error: {line}" for line in by_reason(self.failed))
        if self.updated:
            yield (
                "manifests were updated: review the changes, read the reported figures of changed "
                "files again, and run again without --update"
            )

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not, 2 if a program failed or a file of the pack cannot be read.

        With `strict`, open, incomplete, unjudged and missing figures, known gaps that are gone,
        parts that were not compared and a transformation that a diagnosis names also fail; with
        `fail_on="warn"`, level warn does. A missing figure that the pack declares always fails, and
        so does a corrected manifest.
        """
        if self.failed:
            return 2
        if self.updated:
            return 1
        failing = any(
            figure.failing(strict=strict, fail_on=fail_on)
            for match in self.matches
            for figure in match.figures
        )
        apart = (
            *self.not_compared,
            *(part for match in self.matches for part in match.not_compared),
        )
        is_unsure = (
            any(not part.is_unsupported for part in apart)
            or any(cell.state in ("incomparable", "missing") for cell in self.cells)
            or any(finding.code == GAP_GONE for finding in self._findings)
            or bool(self.faulty)
        )
        declared = any(cell.fails for cell in self.cells)
        return int(failing or declared or (strict and is_unsure))


def pack_result(
    name: str,
    matches: Sequence[MatchResult],
    not_compared: Sequence[NotCompared] = (),
    cells: Sequence[Cell] = (),
    **rest: Any,
) -> PackResult:
    """What came of a pack: what failed, or could not be read, makes it `outside`; `rest` is what
    else the result has, by its names."""
    of_lists = (each for match in matches for each in match.candidates if each.decisions)
    lists = grouped(of_lists, lambda each: (each.candidate, each.rules))
    figures = [figure for match in matches for figure in match.figures]
    apart = [part for match in matches for part in match.not_compared]
    is_failed = any(part.is_failure for part in (*not_compared, *apart))
    is_outside = any(cell.fails for cell in cells) or any(map(Figure.failing, figures))
    return PackResult(
        name=name,
        verdict=OUTSIDE if is_failed or is_outside else WITHIN,
        summary=_summary(figures, cells, not_compared=len(apart) + len(not_compared)),
        errors=(
            *(str(part) for part in not_compared if part.is_failure),
            *(f"{match.id}: {part}" for match in matches for part in match.failures),
        ),
        unjudged=tuple(unjudged(cells)),
        missing=tuple(
            Missing(cell.match, cell.candidate, cell.player, cell.name)
            for cell in lacking(cells)
            if cell.is_owed
        ),
        matches=tuple(matches),
        decision_lists=tuple(
            pooled_lists(*key, [each.decisions for each in own if each.decisions])
            for key, own in lists.items()
        )
        or None,
        not_compared=tuple(not_compared),
        cells=tuple(cells),
        **rest,
    )


def _summary(figures: Sequence[Figure], cells: Sequence[Cell], *, not_compared: int) -> Summary:
    states = Counter(cell.state for cell in cells)
    of_cells = {name: states[name] for name in STATES}
    return Summary(**verdicts_of(figures), not_compared=not_compared, **of_cells)


def raise_first(errors: Mapping[Path, ReconcileError]) -> NoReturn:
    """Raise the first, and say how many there are."""
    first = next(iter(errors.values()))
    if len(errors) == 1:
        raise first
    raise type(first)(f"{first.reason} (and {len(errors) - 1} more)", first.at)


def by_reason(failed: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What failed, by name and reason, a line for each; with one reason, one line."""
    for reason, parts in grouped(failed, itemgetter(1)).items():
        names = [name for name, _ in parts]
        shown = listed(names[:3]) + ", ..." * (len(names) > 3)
        several = f"{reason} (in {len(names)} matches: {shown})"
        yield several if len(names) > 1 else f"{shown}: {reason}"


@contextmanager
def placed(folder: Path, *keys: str | int) -> Iterator[None]:
    """Report an unknown name with its place in the manifest."""
    try:
        yield
    except UnknownName as error:
        where = place(folder / MANIFEST, *keys)
        raise InvalidConfiguration(f"{error}; correct the file", where) from None


# -- what programs owe ----------------------------------------------------------------------------


def cells_of(
    references: Sequence[Reference],
    results: Sequence[CandidateResult],
    refused: Sequence[NotCompared],
) -> Iterator[Cell]:
    """The cells of every program, match by match; last what is missing in the pack."""
    programs = [result.of for result in results] + [part.of for part in refused]
    for program in dict.fromkeys(programs):
        own = [result for result in results if result.of == program]
        apart = [part for part in refused if part.of == program]
        yield from _of_program(program, references, own, apart)


def _of_program(
    program: str,
    references: Sequence[Reference],
    results: Sequence[CandidateResult],
    refused: Sequence[NotCompared],
) -> Iterator[Cell]:
    usual = {
        figure.metric
        for result in results
        if result.expected is not None
        for figure in result.stated
        if not figure.share
    }
    names = [result.candidate for result in results] + [part.candidate for part in refused]
    label = ", ".join(dict.fromkeys(names))
    here, absent = {result.match for result in results}, set[str]()
    for reference in references:
        owed = reference.candidates.figures or usual | reference.always
        if reference.id in here:
            own = [result for result in results if result.match == reference.id]
            yield from _of_match(program, reference, owed, own)
        elif any(handle in reference.available for handle in reference.handles()):
            reasons = [part for part in refused if part.match == reference.id]
            absent.add(reference.id)
            yield from _absent(program, reference, owed, label, reasons)
    declared = any(reference.candidates.figures for reference in references)
    for part in refused:
        if part.is_wrong and part.match not in absent:
            yield Cell(
                match=part.match or part.about,
                program=program,
                candidate=part.candidate,
                state="missing",
                reason=part.why,
                is_owed=False,
                fails=declared,
            )


def _of_match(
    program: str,
    reference: Reference,
    owed: Collection[str],
    results: Sequence[CandidateResult],
) -> Iterator[Cell]:
    """The cells of a match of which a program gives something."""
    demanded, named = reference.demanded, set[tuple[str, str]]()
    has: dict[str, frozenset[str]] = {}
    for result in results:
        has |= result.expected or {}
        for figure in result.totals:
            is_declared = figure.metric in demanded & has.get(figure.player, demanded)
            state, reason = _state(figure, is_declared=is_declared)
            if state is None:
                continue
            named.add((figure.player, figure.metric))
            # That a table bounds nothing is not the program's fault.
            is_wrong = figure.verdict == UNGATED and figure.tolerance is not None
            yield Cell(
                match=reference.id,
                program=program,
                candidate=result.candidate,
                state=state,
                part=result.part,
                player=figure.player,
                figure=figure.metric,
                value=figure.right,
                reason=reason,
                fails=is_declared and (state == "missing" or is_wrong),
            )
    empty = Cell(reference.id, program, results[0].candidate, "missing")
    for cell in _of_each(empty, owed, has):
        if (cell.player, cell.figure) not in named:
            yield replace(cell, fails=cell.figure in demanded)


def _state(figure: Figure, *, is_declared: bool) -> tuple[State | None, str]:
    """What came of a figure of which a program says something, and why; `None` of one that nobody
    has, or that nobody asks for."""
    if figure.verdict in DECIDED:
        return "judged", ""
    if figure.right is None:
        if is_declared and figure.left is not None:
            return "missing", ""
        is_asked = figure.verdict != UNGATED
        return ("incomparable", figure.coverage) if is_asked else (None, "")
    return "incomparable", figure.note or figure.coverage or NO_REFERENCE


def _of_each(
    empty: Cell, owed: Collection[str], has: Mapping[str, Collection[str]]
) -> Iterator[Cell]:
    """A cell for each figure that is owed and that the reference has of a player."""
    for player, figures in has.items():
        for name in METRICS:
            if name in owed and name in figures:
                yield replace(empty, player=player, figure=name)


def _absent(
    program: str,
    reference: Reference,
    owed: Collection[str],
    label: str,
    reasons: Sequence[NotCompared],
) -> Iterator[Cell]:
    """The cells of a match of which a program gives nothing, for a reason or without one."""
    empty, demanded = Cell(reference.id, program, label, "missing"), reference.demanded
    for part in reasons[:1]:
        state: State = "unsupported" if part.is_unsupported else "missing"
        empty = Cell(reference.id, program, part.candidate, state, reason=part.why)
        empty = replace(empty, is_failure=part.is_failure)
    is_money = reference.length is None
    figures = [name for name in METRICS if name in owed and not (METRICS[name].in_mwc and is_money)]
    has = {player: reference.expected.get(player, figures) for player in reference.players}
    for cell in _of_each(empty, figures, has) if figures else [empty]:
        is_demanded = bool(demanded & {cell.figure} if cell.figure else demanded)
        yield replace(cell, fails=is_demanded and cell.state == "missing")


# -- judged figures --------------------------------------------------------------------------------

Source = Callable[[], Comparison]
"""What gives a comparison."""
DIAGNOSIS = "diagnosis"
"""The fact of a part that says what its program does, by all its matches."""
OFF = "figures that are off"
"""The fact of a part that says which figures of its program are off by themselves."""


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
    for match in result.matches:
        yield from _parts(match, result)
    for (match_id, program), cells in by_match(result.cells).items():
        name = match_id or result.name
        yield Part(name, f"missing of candidate {program}", lacking=tuple(cells))
    for diagnosis in result.faulty:
        yield Part(result.name, f"candidate {diagnosis.program}", fault=diagnosis.sentence)
    for part in result.not_compared:
        place = Place(part.at[0], (), part.at[1]) if part.at else None
        yield Part(result.name, part.part, missing=part.why, place=place, failed=part.is_failure)


def _parts(match: MatchResult, result: PackResult) -> Iterator[Part]:
    """The parts of one match."""
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
        facts = [(DIAGNOSIS, diagnosis.sentence) for diagnosis in diagnoses]
        facts += [(OFF, result.faults)] * bool(result.faults)
        yield _candidate(match, suite, candidate, place_of(keys), facts)


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
    facts: list[tuple[str, str]],
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
