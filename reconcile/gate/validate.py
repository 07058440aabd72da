"""Reference packs: matches with the figures their own tools reported, judged against ours.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are written by people who read them in
the tool and never regenerated. A file that is missing is *not compared*, never passed. A file that cannot be read makes the run fail,
after every other match was judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Final

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
from reconcile.files.workers import in_batches, in_order
from reconcile.formats import read_match
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import DECIDED
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.command import TIMEOUT, read_command
from reconcile.gate.candidates.explain import Programs
from reconcile.gate.candidates.harness import HarnessCommand
from reconcile.gate.candidates.judge import Judge
from reconcile.gate.candidates.judgement import Available, Judgement, NotCompared, Reference
from reconcile.gate.candidates.missing import Given, Missing, missing_between
from reconcile.gate.candidates.runs import Runs
from reconcile.gate.files import checked_bytes, find_file
from reconcile.gate.kept import Again
from reconcile.gate.manifest import (
    MANIFEST,
    Manifest,
    ReferenceFile,
    load_manifest,
    load_pack,
    manifests_of,
)
from reconcile.gate.match_results import MatchResult, PairResult, match_result
from reconcile.gate.measure import Measured, Sample, half_a_digit, measured, too_wide
from reconcile.gate.pack_results import (
    PackResult,
    pack_result,
    placed,
    raise_first,
    read_what_can_be,
)
from reconcile.gate.reported_figures import reported_result
from reconcile.infer.program import Diagnosis
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet, rule_set
from reconcile.scoring.findings import Finding, new_finding

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
    progress: Callable[[str, int, int], None] = lambda what, done, total: None,
    part: bool = False,
) -> PackResult:
    """Judge every match of a pack, by default the bundled one, with the tolerances bundled with the program.

    `candidates` are files with the output of a program under test, see `reconcile.gate.candidates.read`; `command` is run for every match
    and prints such output, within `command_timeout` seconds; `harness` is one that is started once and answers by the protocol of
    docs/suite.md. They are asked `repeat` times, with the same figures each time; `cached` takes its output
    of an earlier run with the same program and the same file. `candidate_table` judges them all, and our figures beside them are counted
    by `candidate_rules`, a rule set or its name. `aliases` lists the names of each person. `today`, by default the current day, decides
    whether overrides and known gaps of the tolerances have expired. So many `jobs`, processes, read and judge the matches. `progress` is
    called with a task, the amount done and the total. `pack` may be a `part` of one, of which candidates need not say anything.

    A match or a candidate that cannot be read, a bundled file that is missing or changed, and a `command` that fails are `failed` in the
    result, and everything else is judged. Raises `InvalidConfiguration` for a bad manifest or candidate, `UnreadableFile` for a bad file,
    if nothing else is left to judge; `NothingToCompare` if nothing failed and no figure, or no candidate figure, could be judged.
    """
    expect("pack", pack, (str, Path, type(None)), "the path of a folder")
    expect(
        "tolerances",
        tolerances,
        (Tolerances, type(None)),
        "tolerances, as load_tolerances returns them",
    )
    expect_list("candidates", candidates, (str, Path), "a list of paths")
    expect("command", command, (str, type(None)), "a command line")
    expect("harness", harness, (str, type(None)), "a command line")
    expect("command_timeout", command_timeout, (int, float), "seconds")
    expect("repeat", repeat, int, "a number of runs")
    expect("jobs", jobs, int, "a number of processes")
    expect("today", today, (date, type(None)), "a day, as datetime.date has it")
    expect_aliases(aliases)
    if not callable(progress):
        raise InvalidArgument(
            "progress", "a function of a task, the amount done and the total", progress
        )
    folder = bundled("reference_matches") if pack is None else Path(pack)
    tolerances = tolerances or load_tolerances()
    if candidate_table is not None:
        tolerances.table(candidate_table)
    rules = None if candidate_rules is None else rule_set(candidate_rules)
    if command is not None and harness is not None:
        raise InvalidArgument("harness", "a command or a harness, one of them", harness)
    with ExitStack() as stack:
        program: Runs | None = None
        if command is not None:
            program = Runs(read_command(command), command_timeout, repeat, cached)
        elif harness is not None:
            program = Runs(
                stack.enter_context(HarnessCommand(harness, command_timeout)),
                command_timeout,
                repeat,
            )
        read, unread = read_what_can_be([str(one) for one in candidates], alone=program is None)
        judge = Judge((), tolerances, candidate_table, rules, aliases, today)
        asking = (
            _Asking(replace(judge, judgement=Judgement(), programs=Programs()), program)
            if read or program is not None
            else None
        )
        references, matches, not_compared, failed = _matches(
            folder, partial(_judged, folder, tolerances, today, asking), judge, jobs, progress
        )
        not_compared += [one for one, _ in unread]
        failed += [NotCompared(one.what, text) for one, text in unread]
        diagnoses: Sequence[Diagnosis] = ()
        given: Sequence[Given] = ()
        missing: Sequence[Missing] = ()
        if read or program is not None:
            judgement, given, missing = _asked(
                judge, references, read, program, may_be_empty=part or bool(failed)
            )
            failed += judgement.failures
            elsewhere = judgement.not_compared.get("", ())
            not_compared += [one for one in elsewhere if one.is_failure or not part]
            diagnoses = judgement.diagnoses
            matches = [
                replace(
                    match,
                    candidates=tuple(judgement.results.get(match.id, ())),
                    not_compared=(*match.not_compared, *judgement.not_compared.get(match.id, ())),
                )
                for match in matches
            ]
    result = pack_result(
        folder.resolve().name,
        matches,
        not_compared,
        failed,
        diagnoses,
        tuple(_tolerance_findings(matches, tolerances)),
        missing,
        given,
    )
    unreadable = [error for reference in references for error in reference.unreadable.values()]
    if unreadable and not _judges(result):
        raise unreadable[0]
    if not (result.failed or _judges(result)):
        remedy = "fetch the files, add figures to the manifests, or judge a program with --candidate-command or --harness"
        raise NothingToCompare(f"no reported figure could be compared; {remedy}", folder)
    return result


def _judges(result: PackResult) -> bool:
    """Whether any figure has a verdict."""
    return any(figure.verdict in DECIDED for match in result.matches for figure in match.figures)


@dataclass(frozen=True, slots=True)
class _Asking:
    """What is under test: a program that is run for every match, or `None`, and how it is judged."""

    judge: Judge
    """It knows nothing of what is found, since it is sent to every process."""
    program: Runs | None

    def ask(self, reference: Reference) -> Judge:
        """What was found about the program's figures of one match."""
        judge = replace(
            self.judge, references=(reference,), judgement=Judgement(), programs=Programs()
        )
        if self.program is not None:
            self.program.ask(reference, judge)
            judge.programs.look_ahead()
        return judge


@dataclass(frozen=True, slots=True)
class _Judged:
    """A match of a pack, and its result; `error` where it cannot be read."""

    manifest: Path
    reference: Reference | None = None
    result: MatchResult | None = None
    asked: tuple[Judgement, Programs] | None = None
    """What was found about a program that was run for it."""
    read: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The files that were read, see `note`."""
    error: ReconcileError | None = None


def _judged(
    folder: Path,
    tolerances: Tolerances,
    today: date | None,
    asking: _Asking | None,
    paths: Sequence[Path],
) -> list[_Judged]:
    """Matches of a pack, and what a program under test gives for them."""
    return [_one_judged(folder, tolerances, today, asking, path) for path in paths]


def _one_judged(
    folder: Path, tolerances: Tolerances, today: date | None, asking: _Asking | None, path: Path
) -> _Judged:
    asked = None
    with reading():
        try:
            reference, loaded = _load(path.parent, load_manifest(path, folder))
            result = _validate_match(path.parent, reference, loaded, tolerances, today)
        except ReconcileError as error:
            return _Judged(path, read=noted(), error=error)
        if asking is not None:
            reference = replace(
                reference,
                available={key: Available.of(again(), again) for key, again in loaded.items()},
            )
            judge = asking.ask(reference)
            asked = judge.judgement, judge.programs
        return _Judged(path, reference, result, asked, noted())


def _died(path: Path) -> list[_Judged]:
    return [
        _Judged(
            path,
            error=UnreadableFile(
                "the process that judged it ended; try again, with fewer --jobs if memory is short",
                path,
            ),
        )
    ]


def _matches(
    folder: Path,
    work: Callable[[Sequence[Path]], list[_Judged]],
    judge: Judge,
    jobs: int,
    progress: Callable[[str, int, int], None],
) -> tuple[list[Reference], list[MatchResult], list[NotCompared], list[NotCompared]]:
    """The matches of a pack that can be read, their results, and what failed; `judge` is told what a program gives for them.

    Raises `ReconcileError` if none can be read.
    """
    references, results, failed = [], [], []
    errors: dict[Path, ReconcileError] = {}
    paths = manifests_of(folder)
    batches = in_batches(paths, 1 if jobs == 1 else BATCH)
    batched = map(work, batches) if jobs == 1 else in_order(batches, work, _died, jobs)
    for done, one in enumerate(chain.from_iterable(batched), start=1):
        progress("matches", done, len(paths))
        note(one.manifest)
        for name, endings in one.read.items():
            note(name, endings)
        if one.error is not None:
            errors[one.manifest.parent] = one.error
            failed.append(NotCompared(one.manifest.parent.name, str(one.error)))
        elif one.reference is not None and one.result is not None:
            references.append(one.reference)
            results.append(one.result)
            if one.asked is not None:
                judge.absorb(*one.asked)
            failed += [
                NotCompared(one.reference.id, str(error))
                for error in one.reference.unreadable.values()
            ]
    if not references:
        raise_first(errors)
    broken = [
        NotCompared(
            path.name,
            error.below(path, path.parent),
            is_failure=True,
            at=(path / MANIFEST, _line(error, path / MANIFEST)),
        )
        for path, error in errors.items()
    ]
    return references, results, broken, failed


def _line(error: ReconcileError, manifest: Path) -> int:
    """The line of a manifest that an error is about, 1 if it is about none."""
    return error.at.line or 1 if error.at.name == str(manifest) else 1


def match_results(pack: str | Path, tolerances: Tolerances) -> tuple[MatchResult, ...]:
    """The result of `validate` for the matches of a pack, even if nothing could be judged. Raises `UnreadableFile`."""
    found = [(path, *_load(path, manifest)) for path, manifest in load_pack(Path(pack))]
    for _, reference, _ in found:
        for error in reference.unreadable.values():
            raise error
    return tuple(
        _validate_match(path, reference, loaded, tolerances, None)
        for path, reference, loaded in found
    )


def _asked(
    asked: Judge,
    references: Sequence[Reference],
    read: Sequence[Candidate],
    program: Runs | None,
    *,
    may_be_empty: bool,
) -> tuple[Judgement, Sequence[Given], Sequence[Missing]]:
    """What was found about candidates, those that were `read` and then a program that was `asked`; what they give, and what is missing.

    Raises `NothingToCompare` if none of their figures was judged and nothing failed, unless it `may_be_empty`.
    """
    judge = replace(asked, references=references, judgement=Judgement(), programs=Programs())
    for candidate in read:
        judge.consider(candidate)
    judge.absorb(asked.judgement, asked.programs)
    names = sorted(judge.judgement.names)
    if program is not None and len(names) == 1:
        judge.judgement.rename(program.command.name, *names)
    judgement = judge.judgement
    tested = [candidate.name for candidate in read]
    tested += (names or [program.command.name]) if program else []
    given = list(judgement.given(references))
    missing = [*missing_between(given), *judgement.without_candidate(references, tested)]
    judge.programs.diagnose(judgement, judge.tolerances)
    if not (judgement.compared or judgement.failures or may_be_empty):
        refused = [str(one) for refused in judgement.not_compared.values() for one in refused]
        reasons = [*refused, *judgement.unjudged] or ["they contain no figure"]
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        raise NothingToCompare(f"no candidate figure could be judged: {reasons[0]}{more}")
    return judgement, given, missing


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
    """A file of a match. Raises `UnreadableFile`, also where it has changed since it was read first."""
    return read_match(str(path), checked_bytes(path, file))


def _compared(
    left: Again[Match],
    right: Again[Match],
    tolerances: Tolerances,
    table: str,
    name: str,
    today: date | None,
) -> Comparison:
    return compare(left(), right(), tolerances, table=table, match=name, today=today)


def _validate_match(
    folder: Path,
    reference: Reference,
    loaded: Mapping[str, Again[Match]],
    tolerances: Tolerances,
    today: date | None,
) -> MatchResult:
    manifest, absent = reference.manifest, reference.absent
    not_compared = [
        NotCompared(f"file {key}", error.below(folder), is_failure=True, keys=("files", key))
        for key, error in reference.unreadable.items()
    ]
    reported = []
    for index, entry in enumerate(manifest.reported):
        if entry.table is None:
            continue
        if entry.file in absent:
            is_absent = entry.file not in reference.unreadable
            not_compared.append(
                NotCompared(
                    f"reported figures of {entry.file}", absent[entry.file], is_absent=is_absent
                )
            )
        else:
            with placed(folder, "reported", index):
                gate = tolerances.gate(entry.table, manifest.id, today)
                reported.append(
                    reported_result(folder, loaded[entry.file](), entry, index, entry.table, gate)
                )
    pairs = []
    for index, pair in enumerate(manifest.pairs):
        lacking = [absent[side] for side in (pair.left, pair.right) if side in absent]
        if lacking:
            is_absent = not {pair.left, pair.right} & reference.unreadable.keys()
            not_compared.append(
                NotCompared(
                    f"{pair.left} against {pair.right}", "; ".join(lacking), is_absent=is_absent
                )
            )
            continue
        table = pair.judged_by or "documented"
        try:
            with placed(folder, "pairs", index):
                again = Again(
                    _compared,
                    (loaded[pair.left], loaded[pair.right], tolerances, table, manifest.id, today),
                )
                pairs.append(PairResult.of(pair, again))
        except NothingToCompare as error:
            not_compared.append(NotCompared(f"{pair.left} against {pair.right}", str(error)))
    return match_result(manifest, folder, reported, pairs, not_compared)


def samples(matches: Iterable[MatchResult], *, explained: bool = False) -> Iterator[Sample]:
    """Every gap of a pack that can be measured, with the tolerance table that judged it.

    With `explained`, also figures without a bound from pairs of real matches, under the table `""` if no table judges the pair.
    """
    for match in matches:
        for reported in match.reported:
            printed = [
                text
                for figures in match.manifest.reported[reported.entry].players.values()
                for text in figures.values()
            ]
            for figure, text in zip(reported.figures, printed, strict=True):
                yield Sample(match.id, reported.table, figure, half_a_digit(text))
            yield from (Sample(match.id, reported.table, share) for share in reported.shares)
        for pair in match.pairs:
            if explained and not match.synthetic:
                comparison = pair.comparison
                table = comparison.table if pair.gates else ""
                yield from (
                    Sample(match.id, table, figure)
                    for figure in (*comparison.figures, *comparison.shares)
                )
            elif pair.gates:
                yield from (
                    Sample(match.id, str(pair.pair.judged_by), figure) for figure in pair.judged
                )
        for candidate in match.candidates:
            yield from (Sample(match.id, candidate.table, figure) for figure in candidate.judged)


def _tolerance_findings(
    matches: Sequence[MatchResult], tolerances: Tolerances
) -> Iterator[Finding]:
    """Findings about the tolerances of a pack: bounds far too wide, and exceptions that apply to nothing that was judged."""
    judged_here = tuple(samples(matches))
    yield from too_wide(row for row in measured(judged_here) if not _as_printed(tolerances, row))
    incomplete = {match.id for match in matches if match.not_compared}
    for entry in (*tolerances.overrides, *tolerances.known_gaps):
        concerned = any(
            entry.table == one.table
            and entry.match in (None, one.match)
            and entry.concerns(one.figure.name, one.figure.player)
            for one in judged_here
        )
        if not concerned and entry.match not in incomplete:
            yield new_finding(
                "exception-unused", f"{entry.whose}, table {entry.table}: {entry.reason}"
            )


def _as_printed(tolerances: Tolerances, row: Measured) -> bool:
    """Whether a figure is bounded by the digits with which it is given, which can be no tighter."""
    bound = (
        tolerances.tables[row.table].of(row.metric)
        if row.table is not None and row.table in tolerances.tables
        else None
    )
    return bound is not None and bound.within is not None
