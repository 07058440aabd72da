"""The results for a pack of reference matches, and what is wrong in it: errors are kept beside what can be judged, with file, line, key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn, cast

from reconcile.diagnosis.program import Diagnosis
from reconcile.errors import InvalidConfiguration, ReconcileError, UnknownName
from reconcile.files.wording import listed, plural
from reconcile.files.yaml_file import place
from reconcile.gap.bounds import Table
from reconcile.gap.comparison import Comparison
from reconcile.gap.verdict import DECIDED, FIGURE_COLUMNS, INCOMPLETE, OPEN, OUTSIDE, WITHIN, Figure, figure_row
from reconcile.gate.candidates.claims import Candidate
from reconcile.gate.candidates.judgement import CandidateResult, NotCompared, not_used
from reconcile.gate.candidates.read import read_candidates
from reconcile.gate.manifest import MANIFEST, Manifest, Pair, Reported
from reconcile.notebook import NotebookTable, frame_of, one_line, short
from reconcile.scoring.findings import Finding

if TYPE_CHECKING:
    import pandas as pd

    from reconcile.results.models.pack import Summary


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """Reported figures of one file compared with ours."""

    file: str
    rules: str
    table: str
    source: str
    figures: tuple[Figure, ...]
    """`left` is the tool's figure, `right` is ours; in the order of the manifest."""
    entry: int
    """Which of the manifest's `reported` it is."""
    shares: tuple[Figure, ...] = ()
    """Shares of gaps for which the table has a bound; between a tool's figure and ours the whole gap is reporting."""
    findings: tuple[Finding, ...] = ()
    """About overrides and known gaps."""


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair of files compared."""

    pair: Pair
    comparison: Comparison
    gates: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Everything found for one reference match."""

    manifest: Manifest
    folder: Path
    """Where its manifest is."""
    reported: tuple[ReportedResult, ...]
    pairs: tuple[PairResult, ...]
    not_compared: tuple[NotCompared, ...]
    """One for every set of figures, pair or candidate that could not be compared."""
    candidates: tuple[CandidateResult, ...] = ()
    """What programs under test say of it, judged."""

    def __repr__(self) -> str:
        return one_line(self, f"{self.manifest.id}: {_counted(self.figures)}, {len(self.not_compared)} not compared")

    @property
    def parts(self) -> Iterator[tuple[str, tuple[Figure, ...]]]:
        """The figures that gate with what they were judged as: `reported xg`, `xg against gnubg`, `candidate NAME`."""
        for reported in self.reported:
            yield f"reported {reported.file}", (*reported.figures, *reported.shares)
        for pair in self.pairs:
            if pair.gates:
                yield f"{pair.pair.left} against {pair.pair.right}", pair.comparison.judged
        for candidate in self.candidates:
            yield candidate.suite, candidate.judged

    @property
    def nothing_here(self) -> bool:
        """Whether files that were not found are all there is to say about the match."""
        return bool(self.not_compared) and not any(self.figures) and not self.pairs and all(one.is_absent for one in self.not_compared)

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What should have worked and did not; the exit code is 2."""
        return tuple(one for one in self.not_compared if one.is_failure)

    @property
    def listed(self) -> tuple[Reported, ...]:
        """The reported figures that are shown and not judged."""
        return tuple(entry for entry in self.manifest.reported if entry.table is None)

    @property
    def unjudged(self) -> Iterator[tuple[CandidateResult, Figure]]:
        """The figures that candidates give and nothing bounds, each after its candidate."""
        yield from ((candidate, figure) for candidate in self.candidates for figure in candidate.unjudged)

    @property
    def findings(self) -> Iterator[Finding]:
        """The findings of its reported figures and its pairs."""
        for reported in self.reported:
            yield from reported.findings
        for pair in self.pairs:
            yield from (finding for finding in pair.comparison.findings if finding.severity != "info")

    @property
    def figures(self) -> Iterator[Figure]:
        """The figures that count for the verdict."""
        for _, figures in self.parts:
            yield from figures


def _verdicts(figures: Iterable[Figure]) -> dict[str, int]:
    """How many figures have each verdict."""
    verdicts = Counter(figure.verdict for figure in figures)
    return {word: verdicts[word] for word in (WITHIN, OUTSIDE, OPEN, INCOMPLETE)}


def _counted(figures: Iterable[Figure]) -> str:
    return ", ".join(f"{count} {word}" for word, count in _verdicts(figures).items())


@dataclass(frozen=True, slots=True)
class PackResult(NotebookTable):
    """Everything found for a pack."""

    name: str
    """That of its folder."""
    matches: tuple[MatchResult, ...]
    """By id."""
    findings: tuple[Finding, ...] = ()
    """About the tolerances: bounds that are far too wide, and exceptions that apply to nothing that was judged."""
    not_compared: tuple[NotCompared, ...] = ()
    """One for every match and every candidate that cannot be read, and for every part of a candidate that belongs to no match."""
    failed: tuple[NotCompared, ...] = ()
    """Why a program under test gave no figures, one for each failed run, and why a file of the pack cannot be read."""
    diagnoses: tuple[Diagnosis, ...] = ()
    """One for every program under test that gives figures without decisions."""

    def __repr__(self) -> str:
        figures = _counted(figure for match in self.matches for figure in match.figures)
        return one_line(
            self,
            f"{short(self.name)}: {self.verdict}; {plural(len(self.matches), 'match', 'matches')}, {figures}, "
            f"{self.summary['not_compared']} not compared",
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for every judged figure of the pack.

        - `match`: its id
        - `judged`: `reported xg` (what a tool showed against ours), `xg against gnubg`, `candidate NAME`
        - the others as in `Comparison.to_frame`; of a reported figure `left` is the tool's and `right` ours
        """
        rows = (
            {"match": match.manifest.id, "judged": part, **figure_row(figure)}
            for match in self.matches
            for part, figures in match.parts
            for figure in figures
        )
        return frame_of(rows, {"match": "object", "judged": "object", **FIGURE_COLUMNS})

    def _small_frame(self) -> pd.DataFrame:
        kinds = {"match": "object"} | dict.fromkeys(("figures", WITHIN, OUTSIDE, OPEN, INCOMPLETE, "not compared"), "int64")
        rows = []
        for match in self.matches:
            known = {"match": match.manifest.id, "figures": len(list(match.figures))}
            rows.append(known | _verdicts(match.figures) | {"not compared": len(match.not_compared)})
        return frame_of(rows, kinds)

    @property
    def failures(self) -> tuple[NotCompared, ...]:
        """What failed and belongs to no match that was judged: matches and candidates that cannot be read."""
        return tuple(one for one in self.not_compared if one.is_failure)

    @property
    def errors(self) -> Iterator[str]:
        """Everything that failed, one line each, the same wherever the pack is."""
        yield from map(str, self.failures)
        yield from (f"{match.manifest.id}: {one}" for match in self.matches for one in match.failures)

    @property
    def summary(self) -> Summary:
        """How many figures are within, outside, open, incomplete; how many parts were not compared; how many candidates give."""
        parts = sum(len(match.not_compared) for match in self.matches) + len(self.not_compared)
        verdicts = _verdicts(figure for match in self.matches for figure in match.figures)
        given = [figure for match in self.matches for candidate in match.candidates for figure in candidate.given]
        unjudged = sum(1 for match in self.matches for _ in match.unjudged)
        counts = {"given": len(given), "given_judged": sum(figure.verdict in DECIDED for figure in given), "unjudged": unjudged}
        return cast("Summary", verdicts | {"not_compared": parts} | counts)

    @property
    def verdict(self) -> Literal["within", "outside"]:
        """`within` or `outside`; never `within` if a program under test failed or a file of the pack cannot be read."""
        return OUTSIDE if self.failed or any(figure.failing() for match in self.matches for figure in match.figures) else WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """0 within tolerance, 1 not, 2 if a program under test failed or a file of the pack cannot be read.

        With `strict`, open, incomplete and unjudged figures and parts that were not compared also fail; with `fail_on="warn"`, level warn
        does.
        """
        if self.failed:
            return 2
        failing = any(figure.failing(strict=strict, fail_on=fail_on) for match in self.matches for figure in match.figures)
        return int(failing or (strict and self.summary["not_compared"] + self.summary["unjudged"] > 0))


def read_what_can_be(given: Sequence[str], *, alone: bool) -> tuple[tuple[Candidate, ...], list[tuple[NotCompared, str]]]:
    """The candidates, and those that cannot be read, each with the whole message.

    Raises `ReconcileError` if none can be, and they are `alone`: no other program is under test.
    """
    errors: dict[Path, ReconcileError] = {}
    read = read_candidates(given, errors)
    if errors and alone and not read:
        raise_first(errors)
    return read, [(not_used(path.name, error.below(path.parent), is_failure=True), str(error)) for path, error in errors.items()]


def raise_first(errors: Mapping[Path, ReconcileError]) -> NoReturn:
    """Raise the first, and say how many there are."""
    first = next(iter(errors.values()))
    raise first if len(errors) == 1 else type(first)(f"{first.reason} (and {len(errors) - 1} more)", first.at)


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
        raise InvalidConfiguration(f"{error}; correct the file", place(folder / MANIFEST, *keys)) from None


def check_bounded(folder: Path, name: str, table: Table, *keys: str | int) -> None:
    """Raise `InvalidConfiguration` for a figure, the last of `keys`, for which the table has no tolerance."""
    if table.of(str(keys[-1])) is None:
        where = place(folder / MANIFEST, *keys)
        raise InvalidConfiguration(f"table {name!r} has no tolerance for it; add one, or leave the figure out", where)
