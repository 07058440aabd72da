"""The figures that a pytest run judges: the plan for every match, and the results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reconcile.errors import InvalidConfiguration, ReconcileError
from reconcile.files.wording import printable
from reconcile.files.yaml_file import lines_of
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import INCOMPLETE, OPEN, OUTSIDE
from reconcile.gate import planned as plans
from reconcile.gate.candidates.command import TIMEOUT
from reconcile.gate.judged_figures import JudgedFigure
from reconcile.gate.manifest import load_pack
from reconcile.gate.match_results import MatchResult
from reconcile.gate.planned import Planned
from reconcile.gate.validate import match_results, validate
from reconcile.infer.program import Diagnosis
from reconcile.report.text.pack import line, steps


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a figure as text, so that its match need not be kept in memory."""

    word: str
    """`passed`, `failed`, `warned`, `open`, `mistake`, `incomplete` or `not compared`."""
    text: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, found: JudgedFigure | str, said: str = "") -> Outcome:
        """The result of a judged figure, or the reason why there is none; `said` is the diagnosis of the program that gives it."""
        if isinstance(found, str):
            return cls("not compared", printable(found))
        figure = found.figure
        names = ("left", "right", "gap", "tolerance", "level")
        facts = [
            (name, str(value)) for name in names if (value := getattr(figure, name)) is not None
        ]
        outcome = {
            INCOMPLETE: "incomplete",
            OPEN: "open",
            OUTSIDE: "failed" if found.fails else "warned",
        }.get(figure.verdict, "passed")
        text = (
            ""
            if outcome == "passed"
            else "\n".join(filter(None, (line(found), *steps(found), figure.note, said)))
        )
        return cls(outcome, printable(text), (("id", found.id), *facts))


@dataclass(eq=False)
class Judged:
    """The packs of a run, with each match read and judged once."""

    manifests: dict[Path, Path]
    """Every manifest, and its pack."""
    tolerances_file: str | None
    candidates: tuple[str, ...]
    command: str | None = None
    """Run for every match of a pack."""
    timeout: float = TIMEOUT
    candidate_table: str | None = None
    candidate_rules: str | None = None
    notes: set[str] = field(default_factory=set)
    """Notes for the summary of the run."""
    planned: dict[Path, list[Planned]] = field(default_factory=dict)
    """By manifest, those that were collected."""
    results: dict[Path, dict[Planned, Outcome]] = field(default_factory=dict)
    whole: dict[Path, dict[str, MatchResult | str] | str] = field(default_factory=dict)
    """By pack, if candidates are judged: the result of every match, or why there is none."""
    diagnoses: dict[tuple[Path, str], Diagnosis] = field(default_factory=dict)
    """By pack and program."""
    known: Tolerances | None = None
    lines: Callable[[Path], Callable[[Sequence[str | int]], int]] = field(
        default_factory=lambda: cache(lines_of)
    )

    @property
    def tolerances(self) -> Tolerances:
        """The tables. Raises `InvalidConfiguration`."""
        if self.known is None:
            self.known = load_tolerances(self.tolerances_file)
        return self.known

    def plan(self, path: Path) -> list[Planned]:
        """The planned figures of a match. Raises `ReconcileError`."""
        path = path.resolve()
        ((folder, manifest),) = load_pack(path.parent)
        planned = list(plans.plan(folder, manifest, self.tolerances))
        if self.has_candidates:
            planned += plans.plan_candidates(self._with_candidates(path))
        self.planned[path] = planned or [plans.nothing(folder, manifest)]
        return self.planned[path]

    @property
    def has_candidates(self) -> bool:
        """Whether a program is under test."""
        return bool(self.candidates) or self.command is not None

    def outcome(self, path: Path, planned: Planned) -> Outcome:
        """The result of a figure; the match is judged when its first figure is needed."""
        path = path.resolve()
        if path not in self.results:
            try:
                self.results[path] = self._judged(path)
            except ReconcileError as error:
                self.results[path] = dict.fromkeys(
                    self.planned[path], Outcome("failed", " ".join(str(error).split()))
                )
        return self.results[path][planned]

    def _judged(self, path: Path) -> dict[Planned, Outcome]:
        if self.has_candidates:
            result = self._with_candidates(path)
        else:
            (result,) = match_results(path.parent, self.tolerances)
        return {one: self._outcome(one, result, path) for one in self.planned[path]}

    def _outcome(self, one: Planned, result: MatchResult, path: Path) -> Outcome:
        if one.is_failure:
            return Outcome("failed", printable(one.missing))
        of_program = one.kind in ("candidates", "diagnosis") and one.index >= 0
        said = (
            self.diagnoses.get((self.manifests[path], result.candidates[one.index].program))
            if of_program
            else None
        )
        if one.kind == "diagnosis":
            faults = [fault for fault in said.faults if result.id in fault.matches] if said else []
            text = printable("\n".join(f"{fault.sentence} [{fault.code}]" for fault in faults))
            return Outcome("mistake" if faults else "passed", text)
        return Outcome.of(plans.look_up(one, result), said.sentence if said else "")

    def _with_candidates(self, path: Path) -> MatchResult:
        """The result for a match, of its whole pack: a candidate's match is found only by looking at all. Raises `ReconcileError`."""
        pack = self.manifests[path]
        if pack not in self.whole:
            try:
                found = validate(
                    pack,
                    self.tolerances,
                    candidates=self.candidates,
                    command=self.command,
                    command_timeout=self.timeout,
                    candidate_table=self.candidate_table,
                    candidate_rules=self.candidate_rules,
                )
            except ReconcileError as error:
                self.whole[pack] = str(error)
            else:
                unread = next(
                    (str(one) for one in found.not_compared if one.candidate and one.is_failure),
                    None,
                )
                damaged = {
                    m.id: str(one) for m in found.matches for one in m.failures if not one.candidate
                }
                broken = {one.what: str(one) for one in found.failures} | damaged
                self.whole[pack] = unread or {
                    **{match.id: match for match in found.matches},
                    **broken,
                }
                self.diagnoses |= {(pack, one.candidate): one for one in found.diagnoses}
                self.notes |= {
                    f"not used: {reason}" for reason in found.not_compared if not reason.is_failure
                }
                for match in found.matches:
                    unjudged = (
                        f
                        for one in match.candidates
                        for f in one.findings
                        if f.code == "candidate-unjudged"
                    )
                    self.notes |= {f"{match.id}: {finding.text}" for finding in unjudged}
        whole = self.whole[pack]
        kept = whole if isinstance(whole, str) else whole[path.parent.name]
        if isinstance(kept, str):
            raise InvalidConfiguration(kept)
        return kept

    def line(self, keys: tuple[str | int, ...], path: Path) -> int:
        """The place of keys in a manifest."""
        return self.lines(path)(keys)

    def unused(self, paths: Sequence[Path]) -> Iterator[str]:
        """Exceptions of the tolerances, and parts of manifests, that judged nothing of some matches."""
        manifests = [manifest for path in paths for _, manifest in load_pack(path.parent)]
        yield from plans.never_judged(
            [one for path in paths for one in self.planned[path]], manifests, self.tolerances
        )
