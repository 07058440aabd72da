"""The suite as data, and what came of a run: the JSON documents, and their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Annotated, Final, Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from reconcile.document import LEFT_OUT, OR_NULL, Count, Document, Key, Text, dumps, within
from reconcile.errors import InvalidArgument, InvalidConfiguration
from reconcile.files.json_file import read_document
from reconcile.files.output import write, write_all
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.cells import Missing, Unjudged
from reconcile.gate.pack_results import Summary
from reconcile.infer.groups import Group, roots_of
from reconcile.infer.program import Diagnosis
from reconcile.infer.reported import fits_figure, printed_figure
from reconcile.rules.rulesets import RULE_SETS
from reconcile.scoring.figures import METRICS
from reconcile.suite.answers import read_back, rules_yaml
from reconcile.suite.cases import Case, Expected, every
from reconcile.suite.run import CRASHED, FAILED, PASSED, UNSUPPORTED, Figures, Judged, Ran, run

SUITE_VERSION: Final = "1.1"
"""Of the cases; raised when a case is added or an expected figure corrected."""
SHOWN: Final = (
    "pr",
    "error_rate_memg",
    "decisions.counted",
    "equity_error.total",
    "mwc_loss_percent.total",
)
Area = Annotated[str, within(pattern="^[a-z]+$")]
Verdict = Annotated[str, Key(kind=Literal["passed", "failed", "unsupported", "crashed"])]


@dataclass(frozen=True, slots=True)
class ListedCase(Document):
    """A case of the suite."""

    id: Text
    """Its name, for ever."""
    area: Area
    """What it is about, the first word of its id."""
    question: Annotated[str, OR_NULL]
    """Code of the question that it belongs to; null for none."""
    sentence: Text
    """What it tests."""
    files: tuple[Text, ...]
    """Its files, by their paths from the index."""
    expected: Text
    """The file with the figures that are expected."""


@dataclass(frozen=True, slots=True)
class SuiteIndex(Document):
    """What `reconcile suite write` writes as `index.json`: every case, by area."""

    version: Text
    """Of the cases."""
    cases: tuple[ListedCase, ...]
    """In the order of the areas."""


@dataclass(frozen=True, slots=True)
class ExpectedFigures(Document):
    """What `reconcile suite write` writes for every case: the figures under every known rule
    set."""

    rules: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Figures by rule set, player and name; what is left out is unknown."""


@dataclass(frozen=True, slots=True)
class CaseResult(Document):
    """What came of a case."""

    id: Text
    """Of the case."""
    area: Area
    """What it is about, the first word of its id."""
    question: Annotated[str, OR_NULL]
    """Code of the question that it belongs to; null for none."""
    about: Text
    """What it tests."""
    verdict: Verdict
    """Whether every figure is right; `unsupported` where none was given, `crashed` where the
    program failed."""
    expected: Mapping[str, Mapping[str, float]]
    """By player and name, the figures that the program gives, as they should be."""
    answers: Mapping[str, Mapping[str, Mapping[str, float]]]
    """By answer to its question, player and name, those of these figures that the answer changes,
    where all known rule sets with this answer give the same."""
    figures: Annotated[Mapping[str, Mapping[str, str]], Key("found")]
    """By player and name, the figures as the program gives them."""
    reason: Annotated[str, LEFT_OUT] = ""
    """Why there are no figures, or which are missing."""

    def wrong(self) -> Iterator[tuple[str, str, str, str]]:
        """Player and figure, as found and as expected, of every figure that is not the expected
        one."""
        for player, figures in self.figures.items() if self.verdict == FAILED else ():
            for name, text in figures.items():
                expected = self.expected[player][name]
                if not fits_figure(expected, printed_figure(name, text, "")):
                    yield player, name, text, f"{expected:.6g}"

    def off(self) -> Iterable[set[str]]:
        """The wrong figures of each player."""
        names: dict[str, set[str]] = {}
        for player, name, *_ in self.wrong():
            names.setdefault(player, set()).add(name)
        return names.values()

    def why(self) -> list[str]:
        """Why it is not passed: the reason, or each wrong figure in words, those last that follow
        from others."""
        entries = list(self.wrong())
        roots, _ = roots_of(self.off())
        wrong = (
            f"{player} {name} {text}, expected {expected}"
            for player, name, text, expected in sorted(entries, key=lambda e: e[1] not in roots)
        )
        return [*filter(None, [self.reason]), *wrong]


@dataclass(frozen=True, slots=True)
class AreaResult(Document):
    """What came of the cases of an area."""

    passed: Count
    """Cases that passed."""
    failed: Count
    """Cases that failed or crashed."""


@dataclass(frozen=True, slots=True)
class SuiteRun(Document):
    """What `reconcile suite run --json` writes: the suite as a judged pack, a program's result in
    every case, and what follows from it."""

    pack: Literal["conformance"]
    """The name of the suite among packs."""
    verdict: Literal["within", "outside"]
    """`outside` if a case failed or crashed."""
    program: Text
    """Its name."""
    version: str
    """Its version; empty if it does not say."""
    judged_by: tuple[Text, ...]
    """The rule set that it claims, or those that give all its figures; empty where no known one
    does, and it is judged by the nearest."""
    cases: tuple[CaseResult, ...]
    """In the order of the index."""
    missing: tuple[Missing, ...]
    """What the program gives of other cases and not of these; it fails where the program declares
    what it gives."""
    unjudged: tuple[Unjudged, ...]
    """Every figure of the program that its rules do not have."""
    summary: Summary
    """Its figures by verdict, and what came of those that it owes or gives."""
    diagnosis: tuple[Diagnosis, ...]
    """What the figures of all cases have in common."""
    groups: tuple[Group, ...]
    """What is off, by figure and player; those first that are always off in the same way."""
    areas: Mapping[str, AreaResult]
    """By area, how many of its cases passed and failed."""
    rules: Mapping[str, str | None]
    """By question, the only answer that gives the figures of all cases; null where it cannot be
    said."""

    @property
    def name(self) -> str:
        """The program with its version."""
        return f"{self.program} {self.version}".strip()

    @property
    def counts(self) -> Mapping[str, int]:
        """How many cases have each status."""
        return Counter(result.verdict for result in self.cases)

    @property
    def failed(self) -> list[CaseResult]:
        """The cases with a wrong figure."""
        return [result for result in self.cases if result.verdict == FAILED]


@cache
def index() -> SuiteIndex:
    """The suite."""
    return SuiteIndex(SUITE_VERSION, tuple(map(_listed, every())))


def _listed(case: Case) -> ListedCase:
    path = f"cases/{case.id}"
    files = tuple(f"{path}/{case.id}.{form}" for form in case.formats)
    expected = f"{path}/expected.json"
    return ListedCase(case.id, case.area, case.question or "", case.about, files, expected)


def contents() -> Iterator[tuple[str, bytes]]:
    """The files of the suite, by their paths in its folder."""
    yield "index.json", dumps(index()).encode()
    yield "README.md", README.format(version=SUITE_VERSION, cases=len(every())).encode()
    for case in every():
        for form in case.formats:
            yield f"cases/{case.id}/{case.id}.{form}", case.path(form).read_bytes()
        figures = {name: case.under(name) for name in RULE_SETS}
        expected = ExpectedFigures(figures)
        yield f"cases/{case.id}/expected.json", dumps(expected).encode()


def write_suite(path: Path) -> int:
    """Write the suite, all of it or nothing, as an archive where the name ends in `.zip`, and
    return the number of files.

    Raises `InvalidConfiguration` for a folder with something in it, `CannotWrite` where it cannot
    be written.
    """
    files = sorted(contents())
    if path.suffix.lower() != ".zip":
        if path.is_dir() and any(path.iterdir()):
            expected = "expected an empty folder or none, found files in it; name another"
            raise InvalidConfiguration(expected, path)
        write_all((str(path / name), content) for name, content in files)
        return len(files)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in files:
            entry = ZipInfo(f"{path.stem}/{name}")
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
    write(str(path), packed.getvalue())
    return len(files)


README: Final = """\
# Conformance suite for backgammon statistics, version {version}

{cases} tiny matches by synthetic players. Each isolates one edge on which statistics programs
differ or err.

- `index.json` lists the cases: id, area, question, a sentence, files, the file with the expected
  figures.
- `cases/ID/expected.json` has the figures of both players under every known rule set (`rules`).

A program passes a case if every figure that it prints for both players is the expected one under
the rules that it follows, to its last printed digit. Nothing of it needs Python. The matches and
figures are under the MIT licence.
"""


def document_of(ran: Ran) -> SuiteRun:
    """A run as its JSON document."""
    cases, pack = tuple(map(_result, ran.cases)), ran.pack
    counts: dict[str, Counter[str]] = {}
    for case in cases:
        counts.setdefault(case.area, Counter())[case.verdict] += 1
    is_outside = any(case.verdict in (FAILED, CRASHED) for case in cases)
    is_named = ran.about.rules or not any(case.verdict == FAILED for case in cases)
    return SuiteRun(
        pack="conformance",
        verdict=OUTSIDE if is_outside else WITHIN,
        program=ran.about.program,
        version=ran.about.version,
        judged_by=ran.equals if is_named else (),
        cases=cases,
        missing=pack.missing,
        unjudged=pack.unjudged,
        summary=pack.summary,
        diagnosis=pack.diagnoses,
        groups=pack.groups,
        areas={
            area: AreaResult(count[PASSED], count[FAILED] + count[CRASHED])
            for area, count in counts.items()
        },
        rules={code: finding.answer for code, finding in read_back(ran).findings.items()},
    )


def _result(judged: Judged) -> CaseResult:
    """What came of a case; the figures that its rules have are judged."""
    case, figures = judged.case, judged.figures
    expected: dict[str, dict[str, float]] = {player: {} for player in figures}
    shown: dict[str, dict[str, str]] = {player: {} for player in figures}
    for figure in (each for own in judged.match.candidates for each in own.totals):
        if figure.left is not None and figure.right is not None:
            expected[figure.player][figure.metric] = figure.left
            shown[figure.player][figure.metric] = figures[figure.player][figure.metric].text
    lacking = ", ".join(f"no {cell}" for cell in judged.match.cells if cell.fails)
    facts = case.id, case.area, case.question or "", case.about, judged.verdict
    answers = _under_answers(case, judged.form, figures)
    return CaseResult(*facts, expected, answers, shown, judged.failure or lacking)


def _under_answers(
    case: Case, form: str, figures: Figures
) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    """By answer to the question of the case, player and name, the given figures that it changes,
    where all known rule sets with this answer agree."""
    each: dict[str, list[Expected]] = {}
    for name, rules in RULE_SETS.items() if case.question and form else ():
        each.setdefault(rules.answers[case.question or ""], []).append(case.under(name, form))
    answers: dict[str, dict[str, dict[str, float]]] = {}
    for player, own in figures.items():
        for name in own:
            agreed = {
                answer: {under[player].get(name) for under in those}
                for answer, those in each.items()
            }
            is_changed = len(set[float | None]().union(*agreed.values())) > 1
            for answer, values in agreed.items() if is_changed else ():
                if len(values) == 1 and (value := values.pop()) is not None:
                    answers.setdefault(answer, {}).setdefault(player, {})[name] = value
    return answers


def rules_of(ran: Ran) -> str:
    """The answers that the cases decide, as a file of rules."""
    return rules_yaml(read_back(ran))


def read_run(path: str) -> SuiteRun:
    """What `suite run --json` wrote. Raises `UnreadableFile`."""
    run: SuiteRun = read_document(path, lambda tree: SuiteRun, "what `suite run --json` wrote")[1]
    return run


def list_text() -> str:
    """Every case on a line."""
    width = max(len(case.id) for case in every())
    return "".join(f"{case.id:<{width}}  {case.about}\n" for case in every())


def counted(run: SuiteRun) -> str:
    """How many cases passed, failed, were unsupported and crashed."""
    order = (PASSED, FAILED, UNSUPPORTED, CRASHED)
    return ", ".join(f"{run.counts[status]} {status}" for status in order if run.counts[status])


def shortest(run: SuiteRun) -> Case | None:
    """The failed case with the fewest turns; `None` if none failed."""
    failed = {result.id for result in run.failed}
    cases = [case for case in every() if case.id in failed]
    return min(cases, key=lambda case: len(case.read(case.formats[0]).plays), default=None)


def show_text(case: Case) -> str:
    """A case, its files and its figures under every rule set."""
    forms = ", ".join(f".{form}" for form in case.formats)
    question = f"question {case.question or 'none'}, files {forms}"
    lines = [f"{case.id}: {case.about}", question, ""]
    for rules in RULE_SETS:
        for player, figures in case.under(rules).items():
            names = [name for name in SHOWN if name in figures]
            shown = ", ".join(f"{name} {METRICS[name].shown(figures[name])}" for name in names)
            lines.append(f"{rules:<15} {player:<14} {shown}")
    return "\n".join([*lines, ""])


def run_suite(
    *, command: str | None = None, harness: str | None = None, only: str = "", timeout: float = 60.0
) -> SuiteRun:
    """Ask a program for the figures of every case whose id begins with `only`: a command with
    `{file}`, or a harness.

    Raises `InvalidArgument`, `InvalidConfiguration`, and `CommandFailed`.
    """
    if (command is None) == (harness is None):
        raise InvalidArgument("command", "a command or a harness, one of them", command)
    return document_of(run(command=command, harness=harness, only=only, timeout=timeout))
