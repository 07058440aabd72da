"""The page of the conformance suite: what programs, or versions of one, made of every case, and the
shortest that fails on a board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, Final

from reconcile.match.board.identifiers import from_xgid
from reconcile.report.html.board import board_svg
from reconcile.report.html.render import render
from reconcile.report.words import NOT_PLAYED
from reconcile.scoring.statistics import statistics
from reconcile.suite.cases import Case, every
from reconcile.suite.documents import CaseResult, SuiteRun, counted, shortest
from reconcile.suite.run import CRASHED, FAILED, PASSED, UNSUPPORTED
from reconcile.wording import listed, plural

WRONG: Final = (FAILED, CRASHED)
MOST_BOARDS: Final = 2
"""Of a failed case: the last decisions of the player with a wrong figure are those that it is
about."""
VERDICTS: Final = {PASSED: "within", FAILED: "outside", CRASHED: "error", UNSUPPORTED: "incomplete"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A failed case with its decisions on boards."""

    program: str
    case: Case
    wrong: Sequence[tuple[str, str, str, str]]
    """Player, figure, as found, as expected."""
    boards: Sequence[tuple[str, str, str]]
    """Where and what was done, the board, the XGID."""


def conformance_page(runs: Sequence[SuiteRun], command: str = "") -> str:
    """What programs made of the suite as one HTML file, a column for each run."""
    results = [{result.id: result for result in run.cases} for run in runs]
    asked = [case for case in every() if any(case.id in results_of for results_of in results)]
    statuses = {
        case.id: [
            results_of[case.id].status if case.id in results_of else "" for results_of in results
        ]
        for case in asked
    }
    areas = [
        (
            area,
            [_tally(statuses, cases, column) for column in range(len(runs))],
            [(case, _cells(case, results)) for case in cases],
        )
        for area, cases in (
            (area, list(cases)) for area, cases in groupby(asked, key=lambda case: case.area)
        )
    ]
    return render(
        "conformance.html.j2",
        programs=[run.name for run in runs],
        runs=[(run.name, counted(run)) for run in runs],
        shown=[
            _shown(number, run, case)
            for number, run in enumerate(runs)
            if (case := shortest(run)) is not None
        ],
        alone=list(_alone(statuses, runs)),
        changes=list(changes(runs)),
        areas=areas,
        verdicts=VERDICTS,
        command=command,
    )


def _tally(
    statuses: Mapping[str, Sequence[str]], cases: Sequence[Case], column: int
) -> tuple[int, int]:
    """Cases passed of those judged."""
    counts = Counter(statuses[case.id][column] for case in cases)
    return counts[PASSED], counts[PASSED] + counts[FAILED] + counts[CRASHED]


def _cells(case: Case, results: Sequence[Mapping[str, CaseResult]]) -> list[tuple[str, str]]:
    """By run, what came of a case and why."""
    return [
        (result[case.id].status, "; ".join(result[case.id].why()))
        if case.id in result
        else ("", "")
        for result in results
    ]


def _alone(
    statuses: Mapping[str, Sequence[str]], runs: Sequence[SuiteRun]
) -> Iterator[tuple[str, list[str]]]:
    """By program, the cases that no other one fails."""
    for column, run in enumerate(runs if len(runs) > 1 else ()):
        cases = [
            case
            for case, row in statuses.items()
            if row[column] == FAILED and row.count(FAILED) == 1 and len(set(row) - {""}) > 1
        ]
        if cases:
            yield run.name, cases


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
                        if before[case].status in start and after[case].status in end
                    ]
                )
            ]
            changed = "; ".join(parts) or "no case changes"
            yield f"From {old.name} to {new.name}: {changed}."


def _shown(number: int, run: SuiteRun, case: Case) -> Shown:
    wrong = list(next(result for result in run.cases if result.id == case.id).wrong())
    columns = statistics(case.read(case.formats[0])).decisions().columns
    rows = [
        dict(zip(columns, row, strict=True))
        for row in zip(*(column.tolist() for column in columns.values()), strict=True)
    ]
    whose = {player for player, *_ in wrong}
    about = [
        row
        for row in rows
        if row["xgid"]
        and row["player"] in whose
        and (row["kind"] != "play" or row["error"] or row["why_not"])
    ]
    return Shown(
        run.name,
        case,
        wrong,
        [_drawn(f"{number}-{index}", row) for index, row in enumerate(about[-MOST_BOARDS:])],
    )


def _drawn(key: str, row: Mapping[str, Any]) -> tuple[str, str, str]:
    situation = from_xgid(row["xgid"])
    dice = situation.dice if any(situation.dice) else None
    done = row["played"] or NOT_PLAYED
    words = filter(
        None, (f"Game {row['game']}, turn {row['turn']}, {row['player']}:", row["dice"], done)
    )
    title = " ".join(words)
    board = board_svg(
        situation.position,
        dice=dice,
        cube=situation.cube,
        owner=situation.owner,
        offered=situation.double_offered,
        away=situation.away,
        key=f"board-{key}",
        name=title,
        shared=True,
    )
    best = f", best {row['best']}" if row["best"] not in (row["played"], None) else ""
    return f"{title}{best}", board, row["xgid"]
