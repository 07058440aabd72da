"""Reference packs: matches with the figures their own tools reported, judged against ours, and the
gaps of a pack measured.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are written
by people who read them in the tool and never regenerated. A file that is missing is *not compared*,
never passed. A file that cannot be read makes the run fail, after every other match was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from reconcile.errors import (
    InvalidArgument,
    InvalidConfiguration,
    NothingToCompare,
    ReconcileError,
    UnreadableFile,
    expect,
    expect_aliases,
    expect_list,
)
from reconcile.files.bundled import bundled
from reconcile.files.processes import in_batches, in_order
from reconcile.files.yaml_file import place
from reconcile.formats import read_match
from reconcile.gap.bounds import Gate
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances, load_tolerances
from reconcile.gap.verdict import DECIDED, WITHIN, Figure, gate_findings, judged, judged_share
from reconcile.gap.walk import SHARES
from reconcile.gate.candidates.judge import (
    Available,
    Judge,
    Names,
    Outcome,
    Reference,
    compare_again,
    diagnosed,
    subjects,
)
from reconcile.gate.candidates.program import (
    MOST_CRASHES,
    Runs,
    crashes_after,
    started,
)
from reconcile.gate.candidates.reading import Candidate, Claim, read_candidates
from reconcile.gate.manifest import (
    MANIFEST,
    Again,
    Manifest,
    ReferenceFile,
    Reported,
    checked_bytes,
    find_file,
    half_a_digit,
    load_manifest,
    manifests_of,
    pack_manifest,
    refresh,
)
from reconcile.gate.match_results import (
    CandidateResult,
    Cell,
    MatchResult,
    NotCompared,
    PairResult,
    ReportedResult,
    always_given,
    match_result,
    not_used,
)
from reconcile.gate.measure import (
    Measurement,
    candidate_samples,
    measured,
    samples,
    tolerance_findings,
)
from reconcile.gate.pack_results import (
    PackResult,
    by_reason,
    cells_of,
    pack_result,
    placed,
    raise_first,
)
from reconcile.match.match import Match
from reconcile.match.values import grouped
from reconcile.rules.rulesets import RuleSet, rule_set
from reconcile.scoring.figures import METRICS
from reconcile.scoring.findings import decided_words
from reconcile.scoring.open_rules import Possible, known_values, open_range
from reconcile.scoring.statistics import Statistics, statistics

Progress = Callable[[str, int, int], None]
"""Called with a task, the amount done and the total."""
NOTHING: Mapping[Path, ReconcileError] = MappingProxyType({})
BATCH = 4
"""Matches that a process judges at a time."""
EXPECTED: Mapping[str, tuple[Any, str]] = {
    "pack": ((str, Path, type(None)), "the path of a folder"),
    "tolerances": ((Tolerances, type(None)), "tolerances, as load_tolerances returns them"),
    "command": ((str, type(None)), "a command line"),
    "harness": ((str, type(None)), "a command line"),
    "command_timeout": ((int, float, type(None)), "seconds"),
    "repeat": (int, "a number of runs"),
    "jobs": (int, "a number of processes"),
    "today": ((date, type(None)), "a day, as datetime.date has it"),
}
"""Of arguments, their types."""


def validate(
    pack: str | Path | None = None,
    tolerances: Tolerances | None = None,
    *,
    candidates: Sequence[str | Path] = (),
    command: str | None = None,
    harness: str | None = None,
    command_timeout: float | None = None,
    repeat: int = 1,
    cached: bool = False,
    candidate_table: str | None = None,
    candidate_rules: str | Path | RuleSet | None = None,
    aliases: Sequence[Sequence[str]] = (),
    today: date | None = None,
    jobs: int = 1,
    progress: Progress = lambda task, done, total: None,
    part: bool = False,
) -> PackResult:
    """Judge every match of a pack, by default the bundled one, by its own tolerances.

    `candidates` are files of a program under test, `command` is run for every match within
    `command_timeout` seconds, `harness` is started once (docs/suite.md). They are asked `repeat`
    times; `cached` reuses what was printed earlier. `candidate_table` judges them all beside our
    figures by `candidate_rules`. `aliases` lists the names of each person, exceptions expire before
    `today`, `progress` gets a task, the amount done and the total. Of a `part` nothing is missing.

    What cannot be read or run is `failed` in the result, and everything else is judged. Raises
    `InvalidConfiguration`, `UnreadableFile` if nothing else is left, `NothingToCompare`.
    """
    _check(locals())
    folder = Path(bundled("reference_matches") if pack is None else pack)
    own = pack_manifest(folder)
    bounds = tolerances or load_tolerances(own.tolerances)
    judge = _judge(bounds, candidate_table, candidate_rules, aliases, today)
    limit = own.candidates.timeout if command_timeout is None else command_timeout
    with started(command, harness, limit) as asked:
        program = Runs(asked, limit, repeat, cached and command is not None) if asked else None
        result = _judged_pack(folder, judge, program, candidates, jobs, progress, is_part=part)
    _check_judged(folder, result, is_tested=not part and any((candidates, command, harness)))
    return result


def _judged_pack(
    folder: Path,
    judge: Judge,
    program: Runs | None = None,
    candidates: Sequence[str | Path] = (),
    jobs: int = 1,
    progress: Progress = lambda task, done, total: None,
    *,
    is_part: bool = False,
) -> PackResult:
    """What `validate` gives, also where no figure has a verdict."""
    files, unread = _read_files(candidates, alone=program is None)
    matches = _matches(folder, judge, program, files, jobs, progress)
    references = [match.reference for match in matches if match.reference is not None]
    outcomes = [outcome for match in matches for outcome in match.of_claims]
    for file in files:
        outcomes += judge.outcomes(_unnamed(file, matches), references)
    inputs = [*_inputs(references), pack_manifest(folder).tolerances or ""]
    if program is not None:
        inputs += program.inputs(references)
        of_runs = [outcome for match in matches for outcome in match.outcomes]
        outcomes += _of_one(of_runs, program.command.name)
    return pack_of(folder, judge, matches, outcomes, unread, inputs, is_part=is_part)


def _check_judged(folder: Path, result: PackResult, *, is_tested: bool) -> None:
    """Raise `ReconcileError` where no figure has a verdict, or none of a program that is tested,
    and nothing failed but files of the pack."""
    theirs = (each.figures for match in result.matches for each in match.candidates)
    if is_tested and not result.failed and not _is_judged(chain.from_iterable(theirs)):
        raise _nothing_judged(result)
    if _is_judged(figure for match in result.matches for figure in match.figures):
        return
    for part in (part for match in result.matches for part in match.failures):
        if not part.candidate:
            raise UnreadableFile(part.failure)
    if not result.failed:
        judge = "judge a program with --candidate-command or --harness"
        remedy = f"fetch the files, add figures to the manifests, or {judge}"
        raise NothingToCompare(f"no reported figure could be compared; {remedy}", folder)


def _is_judged(figures: Iterable[Figure]) -> bool:
    return any(figure.verdict in DECIDED for figure in figures)


def _nothing_judged(result: PackResult) -> NothingToCompare:
    """That no figure of a candidate was judged, with the first reason."""
    own = (part for match in result.matches for part in match.not_compared)
    reasons = [str(part) for part in (*result.not_compared, *own) if part.candidate]
    reasons += dict.fromkeys(f"{cell.suite}: {cell.reason}" for cell in result.cells if cell.reason)
    reasons = reasons or ["they contain no figure"]
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    return NothingToCompare(f"no candidate figure could be judged: {reasons[0]}{more}")


def _read_files(
    paths: Sequence[str | Path], *, alone: bool
) -> tuple[Sequence[Candidate], Mapping[Path, ReconcileError]]:
    """The candidates, and why others cannot be read. Raises `ReconcileError` if none can be, and
    they are `alone`: no other program is under test."""
    unread: dict[Path, ReconcileError] = {}
    files = read_candidates(map(str, paths), unread)
    if unread and alone and not files:
        raise_first(unread)
    return files, unread


def _judge(
    tolerances: Tolerances,
    table: str | None,
    rules: str | Path | RuleSet | None,
    aliases: Sequence[Sequence[str]],
    today: date | None,
) -> Judge:
    if table is not None:
        tolerances.table(table)
    rule = None if rules is None else rule_set(rules)
    return Judge(tolerances, table, rule, Names(aliases), today)


def _check(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` for an argument of `validate` of another type."""
    for name, (kinds, words) in EXPECTED.items():
        expect(name, arguments[name], kinds, words)
    expect_list("candidates", arguments["candidates"], (str, Path), "a list of paths")
    expect_aliases(arguments["aliases"])
    if not callable(arguments["progress"]):
        expected = "a function of a task, the amount done and the total"
        raise InvalidArgument("progress", expected, arguments["progress"])
    if None not in (arguments["command"], arguments["harness"]):
        expected = "a command or a harness, one of them"
        raise InvalidArgument("harness", expected, arguments["harness"])


# -- a match --------------------------------------------------------------------------------------

Asked = tuple[Path, Sequence[tuple[Candidate, Claim]], bool]
"""A manifest, the claims that name its match, with what else is known of their files, and whether
a program is asked for nothing more."""


@dataclass(frozen=True, slots=True)
class MatchRun:
    """A match of a pack, and its result; `error` where it cannot be read."""

    manifest: Path
    reference: Reference | None = None
    result: MatchResult | None = None
    outcomes: Sequence[Outcome] = ()
    """What a program gave that was run for it."""
    of_claims: Sequence[Outcome] = ()
    """What came of the claims of files that name it."""
    error: ReconcileError | None = None

    @property
    def id(self) -> str:
        """The name of its folder."""
        return self.manifest.parent.resolve().name


def _judged(
    folder: Path, judge: Judge, program: Runs | None, asked: Sequence[Asked]
) -> list[MatchRun]:
    """Matches of a pack, and what a program under test gives for them."""
    matches = []
    for path, claims, is_given_up in asked:
        try:
            reference = _reference(path.parent, load_manifest(path, folder))
            result = _match_result(path.parent, reference, judge)
        except ReconcileError as error:
            matches.append(MatchRun(path, error=error))
            continue
        outputs = program.outputs(reference, is_given_up=is_given_up) if program else ()
        outcomes = list(judge.of_program(outputs, reference))
        of_claims = [each for pair in claims for each in judge.of_claim(*pair, reference)]
        for subject in subjects([*outcomes, *of_claims]):  # one process would take long
            subject.look_ahead()
        matches.append(MatchRun(path, reference, result, outcomes, of_claims))
    return matches


def _died(asked: Asked) -> list[MatchRun]:
    remedy = "try again, with fewer --jobs if memory is short"
    error = UnreadableFile(f"the process that judged it ended; {remedy}", asked[0])
    return [MatchRun(asked[0], error=error)]


def _matches(
    folder: Path,
    judge: Judge,
    program: Runs | None,
    files: Sequence[Candidate],
    jobs: int,
    progress: Progress,
) -> list[MatchRun]:
    """Every match of a pack, with the claims that name it. Raises `ReconcileError` if none can be
    read."""
    paths, work = manifests_of(folder), partial(_judged, folder, judge, program)
    every = (
        (replace(file, claims=(), matches=()), claim) for file in files for claim in file.claims
    )
    claims = grouped(every, lambda pair: pair[1].match)
    crashes = 0
    asked = (
        (path, claims.get(path.parent.resolve().name, ()), crashes == MOST_CRASHES)
        for path in paths
    )
    batches = in_batches(asked, 1 if jobs == 1 else BATCH)
    batched = map(work, batches) if jobs == 1 else in_order(batches, work, _died, jobs)
    matches = []
    for done, match in enumerate(chain.from_iterable(batched), start=1):
        progress("matches", done, len(paths))
        if program is not None and match.reference is not None:
            if crashes == MOST_CRASHES:  # other processes may have asked ahead
                outputs = program.outputs(match.reference, is_given_up=True)
                match = replace(match, outcomes=list(judge.of_program(outputs, match.reference)))
            else:
                crashes = crashes_after(crashes, match.outcomes)
        matches.append(match)
    errors = {match.manifest.parent: match.error for match in matches if match.error is not None}
    if len(errors) == len(matches):
        raise_first(errors)
    return matches


def _reference(folder: Path, manifest: Manifest) -> Reference:
    """A reference match with the files of it that are available, which it does not hold."""
    available: dict[str, Available] = {}
    absent: dict[str, str] = {}
    unreadable: dict[str, UnreadableFile] = {}
    for key, file in manifest.files.items():
        path = find_file(folder, file)
        if path is None:
            absent[key] = f"{file.name} is missing; download it with `reconcile fetch`"
            continue
        try:
            available[key] = Available.read_by(Again(partial(_read, path, file)))
        except UnreadableFile as error:
            absent[key], unreadable[key] = f"{file.name} cannot be read", error
    return Reference(manifest, available, absent, unreadable)


def _read(path: Path, file: ReferenceFile) -> Match:
    """A file of a match. Raises `UnreadableFile`, also where it has changed since it was read."""
    return read_match(str(path), checked_bytes(path, file))


def _match_result(folder: Path, reference: Reference, judge: Judge) -> MatchResult:
    """The reported figures and the pairs of a match."""
    manifest, available = reference.manifest, reference.available
    not_compared = [
        NotCompared(f"file {key}", error.below(folder), failure=str(error), keys=("files", key))
        for key, error in reference.unreadable.items()
    ]

    def is_here(part: str, *handles: str) -> bool:
        absent = reference.absent
        lacking = [absent[handle] for handle in handles if handle in absent]
        is_absent = not reference.unreadable.keys() & set(handles)
        if lacking:
            not_compared.append(NotCompared(part, "; ".join(lacking), is_absent=is_absent))
        return not lacking

    reported = []
    for index, entry in enumerate(manifest.reported):
        if entry.table and is_here(f"reported figures of {entry.file}", entry.file):
            with placed(folder, "reported", index):
                gate = judge.tolerances.gate(entry.table, manifest.id, judge.today)
                match = available[entry.file].match()
                reported.append(reported_result(folder, match, entry, index, gate))
    pairs = []
    for index, pair in enumerate(manifest.pairs):
        named = f"{pair.left} against {pair.right}"
        if is_here(named, pair.left, pair.right):
            sides = available[pair.left].match, available[pair.right].match
            bounds, today = judge.tolerances, judge.today
            compare = partial(compare_again, *sides, bounds, match=manifest.id, today=today)
            try:
                with placed(folder, "pairs", index):
                    again = Again(partial(compare, table=pair.judged_by or DEFAULT_TABLE))
                    pairs.append(PairResult.made_by(pair, again))
            except NothingToCompare as error:
                not_compared.append(NotCompared(named, str(error)))
    return match_result(manifest, folder, reported, pairs, not_compared)


# -- a run ----------------------------------------------------------------------------------------


def _unnamed(file: Candidate, matches: Iterable[MatchRun]) -> Candidate:
    """A file without the claims that were judged with the matches that they name."""
    judged = {match.id for match in matches if match.reference is not None}
    return replace(file, claims=tuple(each for each in file.claims if each.match not in judged))


def _inputs(references: Iterable[Reference]) -> Iterator[str]:
    """The files that a pack names."""
    for reference in references:
        yield from (file.path for file in reference.available.values())
        yield from (entry.rules for entry in reference.manifest.reported)
        yield reference.candidates.rules or ""


def pack_of(
    folder: Path,
    judge: Judge,
    matches: Sequence[MatchRun],
    outcomes: Sequence[Outcome],
    unread: Mapping[Path, ReconcileError] = NOTHING,
    inputs: Sequence[str] = (),
    *,
    is_part: bool,
) -> PackResult:
    """The matches of a pack with what came of candidates, of which some could not be read."""
    references = [match.reference for match in matches if match.reference is not None]
    results, twice = _once([part for part in outcomes if isinstance(part, CandidateResult)])
    refused = [*(part for part in outcomes if isinstance(part, NotCompared)), *twice]
    every = cells_of(references, results, refused)
    cells = [cell for cell in every if cell.is_owed or cell.match or not is_part]
    results, diagnoses, groups = diagnosed(results, is_claimed=judge.rules is not None)
    apart = [part for part in refused if not part.is_wrong]  # what is wrong is a cell
    judged = _with_candidates(matches, results, cells, apart)
    broken = [*filter(None, map(_unread, matches))]
    for path, error in unread.items():
        broken.append(not_used(path.name, error.below(path.parent), failure=str(error)))
    absent = (part for part in apart if not part.match and (part.is_failure or not is_part))
    return pack_result(
        folder.resolve().name,
        judged,
        [*broken, *absent],
        cells,
        diagnoses=tuple(diagnoses),
        groups=tuple(groups),
        findings=tuple(tolerance_findings(judged, judge.tolerances)),
        inputs=tuple(inputs),
    )


def _with_candidates(
    matches: Iterable[MatchRun],
    results: Iterable[CandidateResult],
    cells: Iterable[Cell],
    apart: Iterable[NotCompared],
) -> list[MatchResult]:
    """What came of every match, with what candidates give of it."""
    own = grouped(results, lambda result: result.match)
    owed = grouped(cells, lambda cell: cell.match)
    parts = grouped(apart, lambda part: part.match)
    return [
        replace(
            result,
            candidates=tuple(own.get(result.id, ())),
            cells=tuple(owed.get(result.id, ())),
            not_compared=(*result.not_compared, *parts.get(result.id, ())),
        )
        for result in (match.result for match in matches)
        if result is not None
    ]


def _unread(match: MatchRun) -> NotCompared | None:
    """A manifest that cannot be read, in the line that is wrong."""
    if (error := match.error) is None:
        return None
    home = match.manifest.parent
    line = error.at.line or 1 if error.at.name == str(match.manifest) else 1
    why, at = error.below(home, home.parent), (home / MANIFEST, line)
    return NotCompared(home.name, why, at=at, failure=str(error))


def _of_one(outcomes: Sequence[Outcome], command: str) -> list[Outcome]:
    """What came of a program that was asked, under the name by which it calls itself, also where it
    gave nothing."""
    names = sorted({outcome.candidate for outcome in outcomes} - {command})
    name = names[0] if len(names) == 1 else command
    return [
        replace(outcome, part=not_used(name, "").part, candidate=name, of=name)
        if isinstance(outcome, NotCompared) and outcome.candidate == command
        else replace(outcome, of=name)
        for outcome in outcomes
    ]


def _once(
    results: Sequence[CandidateResult],
) -> tuple[list[CandidateResult], list[NotCompared]]:
    """The results, with labels that tell several of one candidate for one match apart; those that
    give the same figures of a match again are apart."""
    labelled, twice = [], []
    earlier, seen = dict[tuple[object, ...], set[tuple[str, str]]](), set[tuple[str, str]]()
    for result in results:
        key, is_list = (result.match, result.candidate), result.decisions is not None
        before = earlier.setdefault((*key, result.version, result.file, is_list), set())
        figures = {(figure.player, figure.metric) for figure in result.totals}
        if result.expected is not None and before & figures:
            why = f"{result.place}: the match is given twice; give it once"
            twice.append(not_used(result.candidate, why, result.match, of=result.of))
            continue
        labelled.append(replace(result, part=(key in seen and result.place) or result.part))
        before |= figures
        seen.add(key)
    return labelled, twice


# -- reported figures -----------------------------------------------------------------------------


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
    figures = tuple(_reported_figures(scored, printed, gate))
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


def _reported_figures(
    scored: Statistics, printed: Sequence[Printed], gate: Gate
) -> Iterator[Figure]:
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


# -- measuring ------------------------------------------------------------------------------------


def measure(pack: Path, tolerances: str | None = None, **program: Any) -> Measurement:
    """The gaps of a pack; of a program under test, which is given as to `validate`, only its own.

    Raises `NothingToCompare` if no figure can be measured, `UnreadableFile` if a file of the pack
    cannot be read, and what `validate` raises.
    """
    is_tested = any(map(program.get, ("candidates", "command", "harness")))
    if is_tested:
        result = validate(pack, load_tolerances(), **program, candidate_table="printed")
        gaps, remedy = candidate_samples(result), "add matches that are not synthetic"
    else:
        bounds = load_tolerances(tolerances or pack_manifest(pack).tolerances)
        result = _judged_pack(pack, Judge(bounds))
        for failure in by_reason(result.failed):  # a part of a pack says nothing of its bounds
            raise UnreadableFile(failure)
        gaps = samples(result.matches, explained=True)
        remedy = "fetch the files, or add figures or pairs to the manifests"
    rows = measured(gaps)
    if not rows:
        raise NothingToCompare(f"no figure could be measured; {remedy}", pack)
    figures = ", ".join(always_given(result.cells))
    return Measurement(
        pack=result.name,
        measured=rows,
        matches=result.matches,
        of_program=is_tested,
        inputs=result.inputs,
        failed=tuple(by_reason(result.failed)),
        declares=f"\nFor pack.yaml:\ncandidates:\n  figures: [{figures}]\n" if figures else "",
    )


def validate_pack(
    pack: Path,
    *,
    to_measure: bool,
    update: bool,
    tolerances: str | None,
    candidate_table: str | None,
    say: Callable[[str], None],
    **program: Any,
) -> PackResult | Measurement:
    """A pack and a program judged; or measured, as `measure` does. With `update` its manifests are
    corrected first, each with a line for people.

    `program` and the others are options of `validate`. Raises what that raises.
    """
    if to_measure:
        return measure(pack, tolerances, **program)
    changed = refresh(pack) if update else []
    for line in changed:
        say(f"updated {line}")
    bounds = None if tolerances is None else load_tolerances(tolerances)
    result = validate(pack, bounds, **program, candidate_table=candidate_table)
    return replace(result, updated=bool(changed))
