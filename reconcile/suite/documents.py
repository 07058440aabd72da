"""The suite as data, and what came of a run: the JSON documents, and their text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final, Literal
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from reconcile.document import LEFT_OUT, OR_NULL, Document, Key, Text, dumps
from reconcile.errors import At, InvalidConfiguration, UnreadableFile, reason_of
from reconcile.files.inputs import first_bytes
from reconcile.files.output import CannotWrite, write
from reconcile.files.wording import plural
from reconcile.gate.candidates.claims import stated
from reconcile.infer.reported import Reported, fits_figure
from reconcile.suite.answer_documents import rules_yaml
from reconcile.suite.answers import read_back
from reconcile.suite.cases import AREAS, Case, every
from reconcile.suite.content import CaseFiles
from reconcile.suite.diagnosis import diagnosed
from reconcile.suite.run import CRASHED, FAILED, PASSED, UNSUPPORTED, Asking, Ran

SUITE_VERSION: Final = "1.1"
"""Of the cases; raised when a case is added or an expected figure corrected."""
LARGEST_RUN: Final = 64 * 2**20
MOST_LISTED: Final = 12
SHOWN: Final = (
    "pr",
    "error_rate_memg",
    "decisions.counted",
    "equity_error.total",
    "mwc_loss_percent.total",
)
Area = Annotated[str, Key(kind=Literal[AREAS])]
Status = Annotated[str, Key(kind=Literal["passed", "failed", "unsupported", "crashed"])]


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
    """What `reconcile suite write` writes for every case: the figures under every known rule set."""

    rules: Mapping[str, Mapping[str, Mapping[str, float]]]
    """Figures by rule set, player and name; what is left out is unknown."""
    with_: Annotated[tuple[Text, ...], Key("with")]
    """Ids of the cases that fail together with this one when its edge is wrong."""


@dataclass(frozen=True, slots=True)
class CaseResult(Document):
    """What came of a case."""

    id: Text
    """Of the case."""
    status: Status
    """Whether every figure is right; `unsupported` where none was given, `crashed` where the program failed."""
    expected: Mapping[str, Mapping[str, float]]
    """By player and name, the figures that the program gives, as they should be."""
    found: Mapping[str, Mapping[str, str]]
    """The same as the program gives them."""
    reason: Annotated[str, LEFT_OUT] = ""
    """Why there are no figures."""

    def wrong(self) -> Iterator[tuple[str, str, str, str]]:
        """Player and figure, as found and as expected, of every figure that is not the expected one."""
        if self.status != FAILED:
            return
        for player, given in self.found.items():
            for name, text in given.items():
                one = stated(At(), player, name, text)
                if one.value is not None and not fits_figure(
                    self.expected[player][name], Reported(name, text, one.value, one.half)
                ):
                    yield player, name, text, f"{self.expected[player][name]:.6g}"

    def why(self) -> list[str]:
        """Why it is not passed: the reason, or each wrong figure in words."""
        wrong = (
            f"{player} {name} {found}, expected {expected}"
            for player, name, found, expected in self.wrong()
        )
        return [*filter(None, [self.reason]), *wrong]


@dataclass(frozen=True, slots=True)
class SuiteFault(Document):
    """A fault that explains failed cases."""

    code: Text
    """Its name."""
    sentence: Text
    """What the program does."""
    cases: tuple[Text, ...]
    """Ids of the failed cases that it explains."""


@dataclass(frozen=True, slots=True)
class SuiteDiagnosis(Document):
    """What the pattern of failures says."""

    rules: Mapping[str, str | None]
    """By question, the only answer that gives the figures; null where it cannot be said."""
    faults: tuple[SuiteFault, ...]
    """The fewest known faults that together explain every failed case; empty where no known ones do."""
    unexplained: tuple[Text, ...]
    """Ids of the failed cases that nothing known explains."""


@dataclass(frozen=True, slots=True)
class SuiteRun(Document):
    """What `reconcile suite run --json` writes: a program's result in every case, and what follows from it."""

    program: Text
    """Its name."""
    version: str
    """Its version; empty if it does not say."""
    cases: tuple[CaseResult, ...]
    """In the order of the index."""
    diagnosis: SuiteDiagnosis
    """What the failures have in common."""


def listed(case: Case) -> ListedCase:
    """A case as the index has it."""
    folder = f"cases/{case.id}"
    files = tuple(f"{folder}/{case.id}.{form}" for form in case.formats)
    return ListedCase(
        case.id, case.area, case.question, case.sentence, files, f"{folder}/expected.json"
    )


@cache
def index() -> SuiteIndex:
    """The suite."""
    return SuiteIndex(SUITE_VERSION, tuple(listed(case) for case in every()))


def expected_of(files: CaseFiles) -> ExpectedFigures:
    """The figures of a case, and the cases that fail with it."""
    from reconcile.suite.separates import separates

    return ExpectedFigures(files.expected, separates()[files.case.id])


def contents() -> Iterator[tuple[str, bytes]]:
    """The files of the suite, by their paths in its folder."""
    yield "index.json", dumps(index()).encode()
    yield "README.md", README.format(version=SUITE_VERSION, cases=len(every())).encode()
    for case in every():
        files = CaseFiles(case)
        for form, content in files.contents.items():
            yield f"cases/{case.id}/{case.id}.{form}", content
        yield f"cases/{case.id}/expected.json", dumps(expected_of(files)).encode()


def write_suite(path: Path) -> int:
    """Write the suite, whole or not at all, as an archive where the name ends in `.zip`, and return the number of files.

    Raises `InvalidConfiguration` for a folder with something in it, `CannotWrite` where it cannot be written.
    """
    if path.suffix.lower() == ".zip":
        return _write_archive(path)
    try:
        if path.is_dir() and any(path.iterdir()):
            raise InvalidConfiguration(
                "expected an empty folder or none, found files in it; name another", path
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix=f".{path.name[:40]}.", dir=path.parent) as temporary:
            made = Path(temporary) / "suite"
            number = 0
            for name, content in contents():
                target = made / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                number += 1
            if path.is_dir():
                path.rmdir()
            made.replace(path)
    except OSError as error:
        raise CannotWrite(
            f"cannot be written: {reason_of(error)}; check the folder", path
        ) from None
    return number


def _write_archive(path: Path) -> int:
    """The files in a folder with the archive's name; the same bytes every time."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in sorted(contents()):
            entry = ZipInfo(f"{path.stem}/{name}")
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, content)
        number = len(archive.namelist())
    write(str(path), packed.getvalue())
    return number


README: Final = """\
# Conformance suite for backgammon statistics, version {version}

{cases} tiny matches by synthetic players. Each isolates one edge on which statistics programs differ or err.

- `index.json` lists the cases: id, area, question, a sentence, files, the file with the expected figures.
- `cases/ID/expected.json` has the figures of both players under every known rule set (`rules`), and the ids of the cases that fail together
  with this one when its edge is wrong (`with`).

A program passes a case if every figure that it prints for both players is the expected one under the rules that it follows, to its last
printed digit. Nothing of it needs Python. The matches and figures are under the MIT licence.
"""


def document_of(ran: Ran) -> SuiteRun:
    """A run as its JSON document."""
    named = diagnosed(ran)
    return SuiteRun(
        program=ran.program,
        version=ran.version,
        cases=tuple(_result(ran, one) for one in ran.asked),
        diagnosis=SuiteDiagnosis(
            rules={code: one.answer for code, one in read_back(ran).findings.items()},
            faults=tuple(SuiteFault(one.code, one.sentence, one.cases) for one in named.faults),
            unexplained=named.unexplained,
        ),
    )


def _result(ran: Ran, one: Asking) -> CaseResult:
    expected = ran.expected.get(one.case.id, {})
    found = {
        player: {name: figure.text for name, figure in given.items() if name in expected[player]}
        for player, given in one.answer.found.items()
    }
    return CaseResult(
        id=one.case.id,
        status=ran.statuses[one.case.id],
        expected={
            player: {name: expected[player][name] for name in given}
            for player, given in found.items()
        },
        found=found,
        reason=one.answer.crashed or one.answer.unsupported,
    )


def rules_of(ran: Ran) -> str:
    """The answers that the cases decide, as a file of rules, after what is named."""
    return rules_yaml(read_back(ran), [one.sentence for one in diagnosed(ran).faults])


def list_text() -> str:
    """Every case on a line."""
    width = max(len(case.id) for case in every())
    return "".join(f"{case.id:<{width}}  {case.sentence}\n" for case in every())


def headline(run: SuiteRun, rules: str) -> str:
    """The result in a sentence, judged by a rule set."""
    start = f"{named_in(run)}, judged by rule set {rules}: {counted(run)}"
    failed = [one.id for one in run.cases if one.status == FAILED]
    if not failed:
        return f"{start}."
    if run.diagnosis.faults:
        return f"{start}. {' '.join(one.sentence for one in run.diagnosis.faults)}"
    more = f" and {len(failed) - MOST_LISTED} more" if len(failed) > MOST_LISTED else ""
    cases = f"{plural(len(failed), 'case')} differ{'s' * (len(failed) == 1)}"
    return f"{start}. No known fault: {cases}: {', '.join(failed[:MOST_LISTED])}{more}."


def read_run(path: str) -> SuiteRun:
    """What `suite run --json` wrote. Raises `UnreadableFile`."""
    from pydantic import TypeAdapter, ValidationError

    content = first_bytes(path, LARGEST_RUN + 1)
    try:
        return TypeAdapter(SuiteRun).validate_json(content)
    except ValidationError:
        raise UnreadableFile(
            "expected what `suite run --json` wrote, found other content; write it again with this version",
            path,
        ) from None


def named_in(run: SuiteRun) -> str:
    """A program with its version."""
    return f"{run.program} {run.version}".strip()


def counted(run: SuiteRun) -> str:
    """How many cases passed, failed, were unsupported and crashed."""
    counts = Counter(one.status for one in run.cases)
    return ", ".join(
        f"{counts[status]} {status}"
        for status in (PASSED, FAILED, UNSUPPORTED, CRASHED)
        if counts[status]
    )


def shortest(run: SuiteRun) -> Case | None:
    """The failed case with the fewest turns, of those that no fault explains where there are some; `None` if none failed."""
    failed = {one.id for one in run.cases if one.status == FAILED}
    among = failed & set(run.diagnosis.unexplained) or failed
    cases = [case for case in every() if case.id in among]
    return min(
        cases, key=lambda case: sum(len(game.turns) for game in case.match.games), default=None
    )


def found_by(run: SuiteRun) -> str:
    """What a run says of a program that gives wrong figures of real matches, in a sentence or two; empty if no case differs."""
    counts, first = Counter(one.status for one in run.cases), shortest(run)
    if first is None:
        return ""
    if counts[FAILED] == len(run.cases) < len(every()):
        return f"{named_in(run)} fails each of the first {counts[FAILED]} cases of the conformance suite."
    start = f"{named_in(run)} fails {counts[FAILED]} of {plural(counts[PASSED] + counts[FAILED], 'case')} of the conformance suite"
    if run.diagnosis.faults:
        return f"{start}. {' '.join(one.sentence for one in run.diagnosis.faults)}"
    return f"{start}, which no known fault explains. The shortest is {first.id}: {first.sentence} (`reconcile suite show {first.id}`)."


def run_text(run: SuiteRun, rules: str) -> str:
    """A run, judged by a rule set, as text: the result, and every case that did not pass."""
    lines = [headline(run, rules), ""]
    sentences = {case.id: case.sentence for case in every()}
    for one in run.cases:
        if one.status == CRASHED:
            lines.append(f"crashed  {one.id}: {one.reason}")
        elif one.status == FAILED:
            why = one.why()
            more = f"; {len(why) - 2} more" if len(why) > 2 else ""
            lines.append(f"failed   {one.id} ({sentences[one.id]}): {'; '.join(why[:2])}{more}")
    return "\n".join([*lines, ""]) if len(lines) > 2 else f"{lines[0]}\n"


def show_text(case: Case) -> str:
    """A case, its files and its figures under every rule set."""
    from reconcile.scoring.metrics import METRICS
    from reconcile.suite.separates import separates

    files = CaseFiles(case)
    lines = [
        f"{case.id}: {case.sentence}",
        f"question {case.question or 'none'}, files {', '.join(f'.{form}' for form in case.formats)}",
        "",
    ]
    for name, players in files.expected.items():
        for player, figures in players.items():
            shown = (
                f"{metric} {METRICS[metric].shown(figures[metric])}"
                for metric in SHOWN
                if metric in figures
            )
            lines.append(f"{name:<15} {player:<14} {', '.join(shown)}")
    also = separates()[case.id]
    return "\n".join([*lines, "", f"fails together with: {', '.join(also) or 'no other case'}", ""])
