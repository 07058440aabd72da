"""Reference packs: matches with the figures their own tools reported, judged against ours.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are written
by people who read them in the tool and never regenerated. A file that is missing is *not compared*,
never passed. A file that cannot be read makes the run fail, after every other match was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeVar

from reconcile.errors import (
    InvalidArgument,
    NothingToCompare,
    ReconcileError,
    UnreadableFile,
    expect,
    expect_aliases,
    expect_list,
)
from reconcile.files.bundled import bundled
from reconcile.files.inputs import note, noted, reading
from reconcile.files.processes import in_batches, in_order
from reconcile.formats import read_match
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import DECIDED
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import TIMEOUT, read_command
from reconcile.gate.candidates.explain import diagnosed, look_ahead
from reconcile.gate.candidates.harness import HarnessCommand
from reconcile.gate.candidates.judge import Judge, Outcome
from reconcile.gate.candidates.missing import Given, Missing, given_by, missing_between
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.candidates.references import Available, Names, Reference
from reconcile.gate.candidates.runs import Runs
from reconcile.gate.files import checked_bytes, find_file
from reconcile.gate.kept import Again
from reconcile.gate.manifest import MANIFEST, Manifest, ReferenceFile, load_manifest, manifests_of
from reconcile.gate.match_results import (
    CandidateResult,
    MatchResult,
    NotCompared,
    PairResult,
    match_result,
    not_used,
)
from reconcile.gate.measure import tolerance_findings
from reconcile.gate.pack_results import PackResult, pack_result, placed, raise_first
from reconcile.gate.reported_figures import reported_result
from reconcile.infer.program import Diagnosis
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet, rule_set

Progress = Callable[[str, int, int], None]
"""Called with a task, the amount done and the total."""
Kind = TypeVar("Kind", CandidateResult, NotCompared)
BATCH: Final = 4
"""Matches that a process judges at a time."""


def validate(
    pack: str | Path | None = None,
    tolerances: Tolerances | None = None,
    *,
    candidates: Sequence[str | Path] = (),
    command: str | None = None,
    harness: str | None = None,
    command_timeout: float = TIMEOUT,
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
    """Judge every match of a pack, by default the bundled one, with the bundled tolerances.

    `candidates` are files of a program under test, `command` is run for every match within
    `command_timeout` seconds, `harness` is started once (docs/suite.md). They are asked `repeat`
    times; `cached` reuses what was printed earlier. `candidate_table` judges them all beside our
    figures by `candidate_rules`. `aliases` lists the names of each person. `today` decides whether
    exceptions have expired. `progress` is called with a task, the amount done and the total. `pack`
    may be a `part` of one, of which candidates need not say anything.

    What cannot be read or run is `failed` in the result, and everything else is judged. Raises
    `InvalidConfiguration`, `UnreadableFile` if nothing else is left, `NothingToCompare`.
    """
    facts = {"command_timeout": command_timeout, "repeat": repeat, "jobs": jobs, "today": today}
    _check(pack, tolerances, candidates, {"command": command, "harness": harness}, facts)
    _check_names(aliases, progress)
    tolerances = tolerances or load_tolerances()
    judge = _judge_by(tolerances, candidate_table, candidate_rules, aliases, today)
    with ExitStack() as stack:
        program = _program(stack, command, harness, (command_timeout, repeat, cached))
        files = _read_candidates(candidates, alone=program is None)
        return _run(pack, judge, files, program, jobs, progress, is_part=part)


def _judge_by(
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


def _program(
    stack: ExitStack, command: str | None, harness: str | None, runs: tuple[float, int, bool]
) -> Runs | None:
    """The program under test; a harness ends with the stack."""
    timeout, repeat, cached = runs
    if command is not None:
        return Runs(read_command(command), timeout, repeat, cached)
    if harness is not None:
        return Runs(stack.enter_context(HarnessCommand(harness, timeout)), timeout, repeat)
    return None


def _run(
    pack: str | Path | None,
    judge: Judge,
    files: tuple[Sequence[Candidate], Mapping[Path, ReconcileError]],
    program: Runs | None,
    jobs: int,
    progress: Progress,
    *,
    is_part: bool,
) -> PackResult:
    """Judge the matches of a pack, the candidates that were read, and a program."""
    folder = bundled("reference_matches") if pack is None else Path(pack)
    read, unread = files
    work = partial(_judged, folder, judge, program)
    run = Run(folder, judge.tolerances, _matches(folder, work, jobs, progress))
    for path, error in unread.items():
        run.failed.append(NotCompared(not_used(path.name, "").part, str(error)))
        why = error.below(path.parent)
        run.not_compared.append(not_used(path.name, why, is_failure=True))
    if read or program is not None:
        run.judge(judge, read, program, may_be_empty=is_part or bool(run.failed))
    return run.result(is_part=is_part)


def _check_names(aliases: Sequence[Sequence[str]], progress: object) -> None:
    expect_aliases(aliases)
    if not callable(progress):
        expected = "a function of a task, the amount done and the total"
        raise InvalidArgument("progress", expected, progress)


EXPECTED: Final[dict[str, tuple[Any, str]]] = {
    "command_timeout": ((int, float), "seconds"),
    "repeat": (int, "a number of runs"),
    "jobs": (int, "a number of processes"),
    "today": ((date, type(None)), "a day, as datetime.date has it"),
}


def _check(
    pack: object,
    tolerances: object,
    candidates: object,
    programs: Mapping[str, object],
    facts: Mapping[str, object],
) -> None:
    """Raise `InvalidArgument` for an argument of another type."""
    expect("pack", pack, (str, Path, type(None)), "the path of a folder")
    by_load = "tolerances, as load_tolerances returns them"
    expect("tolerances", tolerances, (Tolerances, type(None)), by_load)
    expect_list("candidates", candidates, (str, Path), "a list of paths")
    for name, line in programs.items():
        expect(name, line, (str, type(None)), "a command line")
    for name, value in facts.items():
        expect(name, value, *EXPECTED[name])
    if None not in programs.values():
        raise InvalidArgument("harness", "a command or a harness, one of them", programs["harness"])


def _read_candidates(
    paths: Sequence[str | Path], *, alone: bool
) -> tuple[tuple[Candidate, ...], dict[Path, ReconcileError]]:
    """The candidates, and why others cannot be read.

    Raises `ReconcileError` if none can be, and they are `alone`: no other program is under test.
    """
    errors: dict[Path, ReconcileError] = {}
    read = read_candidates(map(str, paths), errors)
    if errors and alone and not read:
        raise_first(errors)
    return read, errors


# -- a match --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Judged:
    """A match of a pack, and its result; `error` where it cannot be read."""

    manifest: Path
    reference: Reference | None = None
    result: MatchResult | None = None
    outcomes: Sequence[Outcome] = ()
    """What a program gave that was run for it."""
    read: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The files that were read, see `note`."""
    error: ReconcileError | None = None


def _judged(
    folder: Path, judge: Judge, program: Runs | None, paths: Sequence[Path]
) -> list[_Judged]:
    """Matches of a pack, and what a program under test gives for them."""
    return [_one_judged(folder, judge, program, path) for path in paths]


def _one_judged(folder: Path, judge: Judge, program: Runs | None, path: Path) -> _Judged:
    with reading():
        try:
            reference, loaded = _load(path.parent, load_manifest(path, folder))
            result = _match_result(path.parent, reference, loaded, judge)
        except ReconcileError as error:
            return _Judged(path, read=noted(), error=error)
        available = {key: Available.read_by(again) for key, again in loaded.items()}
        reference = replace(reference, available=available)
        outcomes = list(program.ask(reference, judge)) if program is not None else []
        look_ahead([part for part in outcomes if isinstance(part, CandidateResult)])
        return _Judged(path, reference, result, outcomes, noted())


def _died(path: Path) -> list[_Judged]:
    remedy = "try again, with fewer --jobs if memory is short"
    error = UnreadableFile(f"the process that judged it ended; {remedy}", path)
    return [_Judged(path, error=error)]


def _matches(
    folder: Path,
    work: Callable[[Sequence[Path]], list[_Judged]],
    jobs: int,
    progress: Progress,
) -> list[_Judged]:
    """Every match of a pack. Raises `ReconcileError` if none can be read."""
    paths = manifests_of(folder)
    batches = in_batches(paths, 1 if jobs == 1 else BATCH)
    batched = map(work, batches) if jobs == 1 else in_order(batches, work, _died, jobs)
    matches = []
    for done, match in enumerate(chain.from_iterable(batched), start=1):
        progress("matches", done, len(paths))
        note(match.manifest)
        for name, endings in match.read.items():
            note(name, endings)
        matches.append(match)
    errors = {match.manifest.parent: match.error for match in matches if match.error is not None}
    if len(errors) == len(matches):
        raise_first(errors)
    return matches


def _load(folder: Path, manifest: Manifest) -> tuple[Reference, dict[str, Again[Match]]]:
    """A reference match, and the files of it that are available, which it does not hold."""
    loaded: dict[str, Again[Match]] = {}
    absent: dict[str, str] = {}
    unreadable: dict[str, UnreadableFile] = {}
    for key, file in manifest.files.items():
        path = find_file(folder, file)
        if path is None:
            absent[key] = f"{file.name} is missing; download it with `reconcile fetch`"
            continue
        again = Again(_read, (path, file))
        try:
            again()
        except UnreadableFile as error:
            absent[key], unreadable[key] = f"{file.name} cannot be read", error
        else:
            loaded[key] = again
    return Reference(manifest, {}, absent, unreadable), loaded


def _read(path: Path, file: ReferenceFile) -> Match:
    """A file of a match. Raises `UnreadableFile`, also where it has changed since it was read."""
    return read_match(str(path), checked_bytes(path, file))


def _compared(
    left: Again[Match], right: Again[Match], judge: Judge, table: str, name: str
) -> Comparison:
    return compare(left(), right(), judge.tolerances, table=table, match=name, today=judge.today)


def _match_result(
    folder: Path, reference: Reference, loaded: Mapping[str, Again[Match]], judge: Judge
) -> MatchResult:
    """The reported figures and the pairs of a match."""
    manifest = reference.manifest
    not_compared = [
        NotCompared(f"file {key}", error.below(folder), is_failure=True, keys=("files", key))
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
                match = loaded[entry.file]()
                reported.append(reported_result(folder, match, entry, index, gate))
    pairs = []
    for index, pair in enumerate(manifest.pairs):
        named = f"{pair.left} against {pair.right}"
        if is_here(named, pair.left, pair.right):
            table = pair.judged_by or "documented"
            arguments = loaded[pair.left], loaded[pair.right], judge, table, manifest.id
            try:
                with placed(folder, "pairs", index):
                    pairs.append(PairResult.made_by(pair, Again(_compared, arguments)))
            except NothingToCompare as error:
                not_compared.append(NotCompared(named, str(error)))
    return match_result(manifest, folder, reported, pairs, not_compared)


def match_results(pack: str | Path, tolerances: Tolerances) -> tuple[MatchResult, ...]:
    """The result of `validate` for the matches of a pack, even if nothing could be judged.

    Raises `UnreadableFile`.
    """
    folder, results = Path(pack), []
    for path in manifests_of(folder):
        reference, loaded = _load(path.parent, load_manifest(path, folder))
        for error in reference.unreadable.values():
            raise error
        results.append(_match_result(path.parent, reference, loaded, Judge(tolerances)))
    return tuple(results)


# -- a run ----------------------------------------------------------------------------------------


class Run:
    """The matches of a pack and what candidates give of them."""

    def __init__(self, folder: Path, tolerances: Tolerances, matches: Sequence[_Judged]) -> None:
        self.folder, self.tolerances = folder, tolerances
        self.asked = [outcome for match in matches for outcome in match.outcomes]
        self.references = [match.reference for match in matches if match.reference is not None]
        self.matches = [match.result for match in matches if match.result is not None]
        self.failed: list[NotCompared] = []
        self.not_compared: list[NotCompared] = []
        self.diagnoses: list[Diagnosis] = []
        self.given_figures: list[Given] = []
        self.missing: list[Missing] = []
        for match in matches:
            if match.error is not None:
                self._broken(match.manifest, match.error)
            unreadable = match.reference.unreadable if match.reference else {}
            for error in unreadable.values():
                self.failed.append(NotCompared(match.manifest.parent.resolve().name, str(error)))

    def _broken(self, manifest: Path, error: ReconcileError) -> None:
        """Add a manifest that cannot be read, with the line that is wrong."""
        folder = manifest.parent
        line = error.at.line or 1 if error.at.name == str(manifest) else 1
        why, place = error.below(folder, folder.parent), (folder / MANIFEST, line)
        self.not_compared.append(NotCompared(folder.name, why, is_failure=True, at=place))
        self.failed.append(NotCompared(folder.name, str(error)))

    def judge(
        self, judge: Judge, read: Sequence[Candidate], program: Runs | None, *, may_be_empty: bool
    ) -> None:
        """Judge candidates that were read, and add what came of a program that was asked.

        Raises `NothingToCompare` if nothing of them was judged or failed, unless it `may_be_empty`.
        """
        outcomes: list[Outcome] = []
        for candidate in read:
            outcomes += judge.outcomes(candidate, self.references)
        outcomes += self.asked
        tested = [candidate.name for candidate in read]
        if program is not None:
            command = program.command.name
            names = sorted({outcome.candidate for outcome in self.asked} - {command})
            tested += names or [command]
            if len(names) == 1:  # what it calls itself, also where it gave nothing
                outcomes = [_renamed(outcome, command, names[0]) for outcome in outcomes]
        results = _with_parts([part for part in outcomes if isinstance(part, CandidateResult)])
        refused = [part for part in outcomes if isinstance(part, NotCompared)]
        for reference in self.references:
            self.given_figures += given_by(reference, _of_match(results, reference.id))
        about = {outcome.match for outcome in outcomes}
        self.missing = [*missing_between(self.given_figures), *self._without(tested, about)]
        results, self.diagnoses = diagnosed(results, self.tolerances)
        failures = [part for part in refused if part.is_failure]
        figures = (figure for result in results for figure in result.figures)
        is_judged = any(figure.verdict in DECIDED for figure in figures)
        if not (is_judged or failures or may_be_empty):
            _nothing_judged(results, refused)
        for part in failures:
            self.failed.append(NotCompared(part.match, f"{part.candidate}: {part.why}"))
        self._add(results, refused)

    def _add(self, results: Sequence[CandidateResult], refused: Sequence[NotCompared]) -> None:
        """Add what came of candidates to their matches."""
        self.not_compared += _of_match(refused, "")
        self.matches = [
            replace(
                match,
                candidates=tuple(_of_match(results, match.id)),
                not_compared=(*match.not_compared, *_of_match(refused, match.id)),
            )
            for match in self.matches
        ]

    def _without(self, tested: Sequence[str], about: set[str]) -> Iterator[Missing]:
        """The matches that no candidate is about."""
        for reference in self.references:
            has_file = any(handle in reference.available for handle in reference.analysed())
            if has_file and reference.id not in about:
                names, declared = ", ".join(dict.fromkeys(tested)), reference.candidates.figures
                yield Missing(reference.id, names, None, None, bool(declared))

    def result(self, *, is_part: bool) -> PackResult:
        """Everything. Raises `ReconcileError` if no figure has a verdict and nothing says why."""
        result = pack_result(
            self.folder.resolve().name,
            self.matches,
            [part for part in self.not_compared if part.is_failure or not is_part],
            self.failed,
            self.diagnoses,
            tuple(tolerance_findings(self.matches, self.tolerances)),
            self.missing,
            self.given_figures,
        )
        if any(figure.verdict in DECIDED for match in result.matches for figure in match.figures):
            return result
        for reference in self.references:
            for error in reference.unreadable.values():
                raise error
        if not result.failed:
            remedy = (
                "fetch the files, add figures to the manifests, or judge a program with "
                "--candidate-command or --harness"
            )
            raise NothingToCompare(f"no reported figure could be compared; {remedy}", self.folder)
        return result


def _of_match(outcomes: Iterable[Kind], match: str) -> list[Kind]:
    return [outcome for outcome in outcomes if outcome.match == match]


def _renamed(outcome: Outcome, old: str, new: str) -> Outcome:
    if isinstance(outcome, NotCompared) and outcome.candidate == old:
        return replace(outcome, part=not_used(new, "").part, candidate=new)
    return outcome


def _with_parts(results: Sequence[CandidateResult]) -> list[CandidateResult]:
    """The results with labels that tell several of one candidate for one match apart."""
    labelled, earlier = [], set[tuple[str, str]]()
    for result in results:
        key = result.match, result.candidate
        labelled.append(
            replace(result, part=result.place) if key in earlier and result.place else result
        )
        earlier.add(key)
    return labelled


def _nothing_judged(results: Sequence[CandidateResult], refused: Sequence[NotCompared]) -> None:
    """Raise `NothingToCompare` with the first reason."""
    reasons = list(map(str, refused))
    reasons += [
        f"{result.suite}: {figure.note}"
        for result in results
        if not result.judged
        for figure in result.unjudged[:1]
    ]
    reasons = reasons or ["they contain no figure"]
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    raise NothingToCompare(f"no candidate figure could be judged: {reasons[0]}{more}")
