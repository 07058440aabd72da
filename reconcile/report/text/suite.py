"""What programs, or versions of one, made of the conformance suite as blocks, with the shortest
case that fails on a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from reconcile.gate.pack_results import distinct
from reconcile.match.values import grouped
from reconcile.report.blocks import (
    Block,
    Blocks,
    Bullets,
    Command,
    Folded,
    Heading,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
    Words,
)
from reconcile.report.html.charts import board_of
from reconcile.report.text.comparison import bullets
from reconcile.report.words import NOT_PLAYED
from reconcile.scoring.figures import METRICS
from reconcile.scoring.statistics import statistics
from reconcile.suite.cases import (
    CRASHED,
    FAILED,
    PASSED,
    UNSUPPORTED,
    Case,
    CaseResult,
    SuiteRun,
    counted,
    every,
    shared,
    shortest,
)
from reconcile.wording import listed, plural, some

WRONG = (FAILED, CRASHED)
MOST_BOARDS = 2
"""Of a failed case: the last decisions of the player with a wrong figure are those that it is
about."""
MOST_MISSING = 8
MOST_FAILED = 4
"""Failed cases of an area, in a list."""
MOST_WHY = 2
"""Wrong figures of a case in its line."""
TONES = {PASSED: "within", FAILED: "outside", CRASHED: "error", UNSUPPORTED: "incomplete"}


def run_blocks(run: SuiteRun) -> Blocks:
    """What a program made of the suite: the result, what the failing cases share, and by area every
    case that did not pass."""
    by = "the nearest known rule set, as none gives all its figures"
    if run.judged_by:
        first, *also = run.judged_by
        by = f"rule set {first}{f', as well as by {listed(also)}' if also else ''}"
    yield Heading(f"{run.name}, judged by {by}: {counted(run)}.")
    crashed = {case.id for case in run.cases if case.verdict == CRASHED}
    if missing := [entry for entry in run.missing if entry.match not in crashed]:
        names = list(dict.fromkeys(entry.figure or "all figures" for entry in missing))
        number = plural(len({entry.match for entry in missing}), "case")
        yield Sentences([f"Missing in {number}, and given in others: {some(names, MOST_MISSING)}."])
    yield Sentences([each.sentence for each in run.diagnosis if each.transformation])
    if sentences := list(shared(run)):
        yield Bullets(sentences)
    yield from bullets("Crashed", list(_crashed(run)))
    areas = grouped(run.failed, lambda result: result.area)
    for area, failed in sorted(areas.items(), key=lambda entry: -len(entry[1])):
        count = run.areas[area]
        title = f"{area}: {count.failed} of {count.passed + count.failed} failed"
        lines = list(map(_failed, failed[:MOST_FAILED]))
        yield Bullets(lines, title, more=len(failed) - len(lines))
    yield from _drawn(run)
    yield from _areas([run])


def _failed(result: CaseResult) -> str:
    why = result.why()
    more = [f"{len(why) - MOST_WHY} more"] if len(why) > MOST_WHY else []
    return f"{result.id} ({result.about}): {'; '.join(why[:MOST_WHY] + more)}"


def _crashed(run: SuiteRun) -> Iterator[str]:
    """How a program failed, and in which cases."""
    crashed = (result for result in run.cases if result.verdict == CRASHED)
    for reason, cases in grouped(crashed, lambda result: result.reason).items():
        ids = [result.id for result in cases]
        yield f"{plural(len(ids), 'case')}: {reason}: {some(ids, MOST_FAILED)}"


def matrix_blocks(runs: Sequence[SuiteRun]) -> Blocks:
    """Programs, or versions in the order of their making, side by side."""
    yield Title(f"{', '.join(dict.fromkeys(run.program for run in runs))} in the conformance suite")
    yield Sentences([*(f"{run.name}: {counted(run)}" for run in runs), *changes(runs)])
    if alone := list(_alone(runs)):
        yield Bullets(alone, "Failed by one program alone")
    for run in runs:
        yield from _drawn(run)
    yield from _areas(runs)


def changes(runs: Sequence[SuiteRun]) -> Iterator[str]:
    """What changed from each version of a program to the next, in the order in which they are
    given."""
    for name in dict.fromkeys(run.program for run in runs):
        own = [
            (run, {result.id: result for result in run.cases})
            for run in runs
            if run.program == name
        ]
        for (old, before), (new, after) in pairwise(own):
            both = [case for case in before if case in after]
            ways = (WRONG, (PASSED,), "now"), ((PASSED,), WRONG, "no longer")
            parts = [
                f"{plural(len(cases), 'case')} {now} pass{'es' * (len(cases) == 1)}: "
                f"{listed(cases)}"
                for start, end, now in ways
                if (
                    cases := [
                        case
                        for case in both
                        if before[case].verdict in start and after[case].verdict in end
                    ]
                )
            ]
            changed = "; ".join(parts) or "no case changes"
            yield f"From {old.name} to {new.name}: {changed}."


def _alone(runs: Sequence[SuiteRun]) -> Iterator[str]:
    """By program, the cases that no other one fails."""
    results = [{result.id: result.verdict for result in run.cases} for run in runs]
    for run, own in zip(runs, results, strict=True):
        rivals = [statuses for statuses in results if statuses is not own]
        cases = [
            case
            for case, status in own.items()
            if status == FAILED
            and any(case in statuses for statuses in rivals)
            and all(statuses.get(case) != FAILED for statuses in rivals)
        ]
        if cases:
            yield f"{run.name}: {listed(cases)}"


def _areas(runs: Sequence[SuiteRun]) -> Iterator[Folded]:
    """Every case that was asked, by area, with what came of it in each run."""
    results = [{result.id: result for result in run.cases} for run in runs]
    before = Counter[str]()
    names = [distinct(run.name, before) for run in runs]
    asked = [case for case in every() if any(case.id in of_run for of_run in results)]
    for area, of_area in groupby(asked, key=lambda case: case.area):
        cases = list(of_area)
        rows = [
            [case.id, case.about, *(_cell(of_run.get(case.id)) for of_run in results)]
            for case in cases
        ]
        counts = [
            f"{f'{name} ' * (len(runs) > 1)}{_tally(cases, of_run)}"
            for name, of_run in zip(names, results, strict=True)
        ]
        head = ("Case", "What it tests", *names)
        yield Folded(f"{area}: {', '.join(counts)}", [Table(head, rows)], area)


def _tally(cases: Sequence[Case], results: Mapping[str, CaseResult]) -> str:
    counts = Counter(results[case.id].verdict for case in cases if case.id in results)
    return f"{counts[PASSED]} of {counts[PASSED] + counts[FAILED] + counts[CRASHED]} passed"


def _cell(result: CaseResult | None) -> Words:
    if result is None:
        return "not asked"
    return Marked(result.verdict, TONES[result.verdict], "; ".join(result.why()))


def _drawn(run: SuiteRun) -> Blocks:
    """The shortest case that a program fails: wrong figures, and boards in a document."""
    if (case := shortest(run)) is None:
        return
    wrong = list(next(result for result in run.cases if result.id == case.id).wrong())
    rows = [(player, METRICS[name].title, *values) for player, name, *values in wrong]
    blocks: list[Block] = [
        Sentences([f"{case.id}: {case.about}."]),
        Table(("Player", "Figure", run.name, "Expected"), rows, right=(2, 3)),
        *_boards(case, {player for player, *_ in wrong}, run.name),
        Command(f"reconcile suite show {case.id}"),
    ]
    yield Folded(f"The shortest case that {run.name} fails", blocks)


def _boards(case: Case, whose: set[str], key: str) -> Iterator[Picture]:
    columns = statistics(case.read(case.formats[0])).decisions().columns
    rows = [
        dict(zip(columns, row, strict=True))
        for row in zip(*(column.tolist() for column in columns.values()), strict=True)
    ]
    about = [
        row
        for row in rows
        if row["xgid"]
        and row["player"] in whose
        and (row["kind"] != "play" or row["error"] or row["why_not"])
    ]
    for number, row in enumerate(about[-MOST_BOARDS:]):
        done = row["played"] or NOT_PLAYED
        place = f"Game {row['game']}, turn {row['turn']}, {row['player']}:"
        name = " ".join(filter(None, (place, row["dice"], done)))
        best = f", best {row['best']}" if row["best"] not in (row["played"], None) else ""
        caption = f"{name}{best}  {row['xgid']}"
        yield board_of(row["xgid"], f"board-{key}-{number}", name, caption)
