"""The results for a pack of reference matches, and what is wrong in it: errors are kept beside what can be judged, with file, line, key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal, NoReturn

from reconcile.document import (
    HIDDEN,
    LATER,
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
from reconcile.files.wording import listed, plural
from reconcile.files.yaml_file import place
from reconcile.gap.bounds import Table
from reconcile.gap.verdict import (
    DECIDED,
    FIGURE_COLUMNS,
    INCOMPLETE,
    OPEN,
    OUTSIDE,
    WITHIN,
    figure_row,
)
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.judgement import NotCompared, NotComparedParts, not_used
from reconcile.gate.candidates.list_result import ListResult, PooledLists, pooled_lists
from reconcile.gate.candidates.missing import Given, Missing
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.match_results import MatchResult, counted, verdicts_of
from reconcile.infer.program import Diagnosis
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.scoring.findings import Finding
from reconcile.scoring.metrics import MetricName, short_metric

if TYPE_CHECKING:
    import pandas as pd


GAP_GONE: Final = "known-gap-gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Document):
    """Judged figures by verdict, and parts whose files are missing."""

    within: Count
    """Within tolerance."""
    outside: Count
    """Out of tolerance."""
    open: Annotated[Count, LATER] = 0
    """Those whose range, since a rule is not known, reaches across the bound; absent in older results."""
    incomplete: Count
    """Not judged because the analysis is incomplete."""
    not_compared: Count
    """Sets of reported figures and pairs that could not be compared."""
    given: Annotated[Count, LATER] = 0
    """Figures that the program under test gives; absent, as the two below, in results of version 0.1."""
    given_judged: Annotated[Count, LATER] = 0
    """Those of them that were judged."""
    unjudged: Annotated[Count, LATER] = 0
    """Those of them that nothing bounds."""
    given_alone: Annotated[Count, LATER] = 0
    """Those of them that no reference has."""
    missing: Annotated[Count, LATER] = 0
    """What the program under test gives of one player or match and not of another."""
    unsupported: Annotated[Count, LATER] = 0
    """Matches that it says it does not support; they are among those not compared."""


@dataclass(frozen=True, slots=True)
class Unjudged(Document):
    """A figure that the program under test gives and that no tolerance bounds."""

    match: str
    """Id of the match."""
    candidate: Text
    """Name of the file or program."""
    part: str
    """The part of the match it is about; empty for all of it."""
    player: Text
    """Whose figure it is."""
    metric: MetricName
    """The name of the figure."""
    given: float
    """Its value, in the unit of the metric."""
    reason: Text
    """Why it is not judged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackResult(NotebookTable, Document):
    """What `reconcile validate --json` writes: a pack of reference matches, judged."""

    schema_version: Version = SCHEMA_VERSION
    name: Annotated[Text, Key("pack")]
    """Name of the pack's folder."""
    verdict: Literal["within", "outside"]
    """`outside` if a judged figure of level `error` is out of tolerance, or something could not be read or run."""
    summary: Summary
    """Judged figures by verdict, and parts whose files are missing."""
    errors: Annotated[tuple[Text, ...], LATER] = ()
    """What could not be read or run, one line each: matches, files of candidates, runs of a program; absent in results of version 0.1."""
    findings: tuple[Finding, ...] = ()
    """About the tolerances: bounds far too wide, and exceptions that apply to nothing that was judged."""
    diagnoses: Annotated[tuple[Diagnosis, ...], Key("diagnosis", later=True)] = ()
    """What each program under test does, by all its matches; absent in results of version 0.1."""
    unjudged: Annotated[tuple[Unjudged, ...], LATER] = ()
    """Every figure that the program under test gives and that no tolerance bounds; absent in results of version 0.1."""
    missing: Annotated[tuple[Missing, ...], LATER] = ()
    """What a program under test gives of one player or match, or is declared to give, and lacks elsewhere."""
    matches: Annotated[tuple[MatchResult, ...], within(min_length=1)]
    """Every match of the pack, by id."""
    not_compared: NotComparedParts
    """Every part of a candidate that belongs to no match of the pack; in results of version 0.1, a line for each."""
    decision_lists: Annotated[tuple[PooledLists, ...] | None, LEFT_OUT] = None
    """What the programs show that list their decisions, over all matches; absent without one."""
    given: Annotated[tuple[Given, ...], HIDDEN] = ()
    """Which figures the program under test gives of every match."""
    failed: Annotated[tuple[NotCompared, ...], HIDDEN] = ()
    """Why a program under test gave no figures, one for each failed run, and why a file of the pack cannot be read."""

    def __repr__(self) -> str:
        figures = counted(figure for match in self.matches for figure in match.figures)
        return one_line(
            self,
            f"{short(self.name)}: {self.verdict}; {plural(len(self.matches), 'match', 'matches')}, {figures}, "
            f"{self.summary.not_compared} not compared",
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for every judged figure of the pack.

        - `match`: its id
        - `judged`: `reported xg` (what a tool showed against ours), `xg against gnubg`, `candidate NAME`
        - the others as in `Comparison.to_frame`; of a reported figure `left` is the tool's and `right` ours
        """
        rows = (
            {"match": match.id, "judged": part, **figure_row(figure)}
            for match in self.matches
            for part, figures in match.parts
            for figure in figures
        )
        return frame_of(rows, {"match": "object", "judged": "object", **FIGURE_COLUMNS})

    def _small_frame(self) -> pd.DataFrame:
        kinds = {"match": "object"} | dict.fromkeys(
            ("figures", WITHIN, OUTSIDE, OPEN, INCOMPLETE, "not compared"), "int64"
        )
        rows = []
        for match in self.matches:
            known = {"match": match.id, "figures": len(list(match.figures))}
            rows.append(
                known | verdicts_of(match.figures) | {"not compared": len(match.not_compared)}
            )
        return frame_of(rows, kinds)

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What failed and belongs to no match that was judged: matches and candidates that cannot be read."""
        return tuple(one for one in self.not_compared if one.is_failure)

    @property
    def faulty(self) -> tuple[Diagnosis, ...]:
        """The diagnoses that name a mistake of a program under test, even where every figure is within its tolerance."""
        return tuple(one for one in self.diagnoses if one.faults)

    @property
    def _findings(self) -> Iterator[Finding]:
        for match in self.matches:
            yield from match.findings
            for candidate in match.candidates:
                yield from candidate.findings

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not, 2 if a program under test failed or a file of the pack cannot be read.

        With `strict`, open, incomplete, unjudged and missing figures, known gaps that are gone, parts that were not compared and a mistake that the diagnosis of a
        program names also fail; with `fail_on="warn"`, level warn does. A missing figure that the pack declares always fails.
        """
        if self.failed:
            return 2
        failing = any(
            figure.failing(strict=strict, fail_on=fail_on)
            for match in self.matches
            for figure in match.figures
        )
        summary = self.summary
        refused = summary.not_compared - summary.unsupported
        unsure = refused + summary.unjudged + len(self.missing) + len(self.faulty)
        unsure += sum(one.code == GAP_GONE for one in self._findings)
        declared = any(one.declared for one in self.missing)
        return int(failing or declared or (strict and unsure > 0))


def pack_result(
    name: str,
    matches: Sequence[MatchResult],
    not_compared: Sequence[NotCompared] = (),
    failed: Sequence[NotCompared] = (),
    diagnoses: Sequence[Diagnosis] = (),
    findings: Sequence[Finding] = (),
    missing: Sequence[Missing] = (),
    given_figures: Sequence[Given] = (),
) -> PackResult:
    """What was found for a pack: `failed` makes it `outside`, and so does a match or a candidate that cannot be read."""
    figures = [figure for match in matches for figure in match.figures]
    given = [
        figure for match in matches for candidate in match.candidates for figure in candidate.given
    ]
    unjudged = tuple(
        Unjudged(
            match.id,
            one.candidate,
            one.part,
            figure.player,
            short_metric(figure.name),
            figure.right,
            figure.note,
        )
        for match in matches
        for one, figure in match.unjudged
        if figure.right is not None
    )
    lists: dict[tuple[str, str], list[ListResult]] = {}
    for one in (candidate for match in matches for candidate in match.candidates):
        if one.decisions is not None:
            lists.setdefault((one.candidate, one.rules), []).append(one.decisions)
    return PackResult(
        name=name,
        verdict=OUTSIDE
        if failed
        or any(figure.failing() for figure in figures)
        or any(one.declared for one in missing)
        else WITHIN,
        summary=Summary(
            **verdicts_of(figures),
            not_compared=sum(len(match.not_compared) for match in matches) + len(not_compared),
            given=len(given),
            given_judged=sum(figure.verdict in DECIDED for figure in given),
            unjudged=len(unjudged),
            given_alone=sum(figure.left is None and not figure.share for figure in given),
            missing=len(missing),
            unsupported=sum(one.is_unsupported for match in matches for one in match.not_compared),
        ),
        errors=(
            *(str(one) for one in not_compared if one.is_failure),
            *(f"{match.id}: {one}" for match in matches for one in match.failures),
        ),
        findings=tuple(findings),
        diagnoses=tuple(diagnoses),
        unjudged=unjudged,
        missing=tuple(missing),
        given=tuple(given_figures),
        matches=tuple(matches),
        not_compared=tuple(not_compared),
        decision_lists=tuple(pooled_lists(*key, found) for key, found in lists.items()) or None,
        failed=tuple(failed),
    )


def read_what_can_be(
    given: Sequence[str], *, alone: bool
) -> tuple[tuple[Candidate, ...], list[tuple[NotCompared, str]]]:
    """The candidates, and those that cannot be read, each with the whole message.

    Raises `ReconcileError` if none can be, and they are `alone`: no other program is under test.
    """
    errors: dict[Path, ReconcileError] = {}
    read = read_candidates(given, errors)
    if errors and alone and not read:
        raise_first(errors)
    return read, [
        (not_used(path.name, error.below(path.parent), is_failure=True), str(error))
        for path, error in errors.items()
    ]


def raise_first(errors: Mapping[Path, ReconcileError]) -> NoReturn:
    """Raise the first, and say how many there are."""
    first = next(iter(errors.values()))
    raise (
        first
        if len(errors) == 1
        else type(first)(f"{first.reason} (and {len(errors) - 1} more)", first.at)
    )


def by_reason(failed: Iterable[NotCompared]) -> Iterator[str]:
    """What failed, a line for each; with one reason, one line."""
    matches: dict[str, list[str]] = {}
    for one in failed:
        matches.setdefault(one.why, []).append(one.what)
    for reason, named in matches.items():
        yield (
            f"{named[0]}: {reason}"
            if len(named) == 1
            else f"{reason} (in {len(named)} matches: {listed(named[:3])}{', ...' * (len(named) > 3)})"
        )


@contextmanager
def placed(folder: Path, *keys: str | int) -> Iterator[None]:
    """Report an unknown name with its place in the manifest."""
    try:
        yield
    except UnknownName as error:
        raise InvalidConfiguration(
            f"{error}; correct the file", place(folder / MANIFEST, *keys)
        ) from None


def check_bounded(folder: Path, name: str, table: Table, *keys: str | int) -> None:
    """Raise `InvalidConfiguration` for a figure, the last of `keys`, for which the table has no tolerance."""
    if table.of(str(keys[-1])) is None:
        where = place(folder / MANIFEST, *keys)
        raise InvalidConfiguration(
            f"table {name!r} has no tolerance for it; add one, or leave the figure out", where
        )
