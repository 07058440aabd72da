"""The cases of the suite: each a match of a few turns of two synthetic players that isolates one
edge, with its figures under every rule set.

The bundled folder `conformance` has a table, `cases.json`, and the files of the matches. Both are
written from a recipe that is among the tests.

Also what came of a run: the JSON documents, their text, and what the failing cases of a program
share. By these a reader finds the area, the kind of decision and the figure of its fault.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, partial
from io import BytesIO
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np

from reconcile.document import HIDDEN, LEFT_OUT, OR_NULL, Count, Document, Key, Text, dumps, within
from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.files.json_file import read_document
from reconcile.files.output import write, write_all
from reconcile.formats import load_match
from reconcile.gate.match_results import Missing, Unjudged
from reconcile.gate.pack_results import Summary
from reconcile.infer.program import MOST_FIGURES, Diagnosis, Group, MatchFigures, in_words, roots_of
from reconcile.infer.reported import Reported, fits_figure, printed_figure
from reconcile.match.match import Match
from reconcile.match.values import grouped, once
from reconcile.rules.rulesets import RULE_SETS, rule_set
from reconcile.scoring.figures import METRICS
from reconcile.wording import either, plural, some

FORMATS = ("xg", "sgf")
STUDIED = 0
"""The seat of the player whose figures answer the questions of a case."""
PLAIN_CASE = "count-two-errors"
"""The case on which all rules agree: it shows which figures of a program mean what they are
called."""
Expected: TypeAlias = Mapping[str, Mapping[str, float]]
"""Figures by player and name."""
Values: TypeAlias = float | Sequence[float | None] | None
"""A figure under several rules; a number where it is the same under all."""


@cache
def table() -> Mapping[str, Any]:
    """The bundled table."""
    tree: Mapping[str, Any] = json.loads((bundled("conformance") / "cases.json").read_bytes())
    return tree


@dataclass(frozen=True, eq=False)
class Case:
    """A match of a few turns that isolates one edge."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str | None
    """Code of the question that it belongs to."""
    about: str
    """What it tests."""
    players: tuple[str, str]
    length: int | None
    """Points to win; `None` for money."""
    facts: tuple[str, ...]
    """What its match has that most of them lack: `a take`."""
    figures: Mapping[str, Sequence[Sequence[Values]]]
    """By format and seat, every figure under the known rule sets; its figures are the same in each
    format, as far as a file stores what rules need."""
    reads: tuple[str, ...] = ()
    """Every question whose answer can change the studied player's figures, where answers are read
    from it."""
    given: Mapping[str, Mapping[str, Values]] = field(default_factory=dict)
    """By format and name, the figures under every combination of these answers."""

    @property
    def area(self) -> str:
        """The first word of its id."""
        return self.id.partition("-")[0]

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats that can hold it."""
        return tuple(self.figures)

    def path(self, form: str) -> Path:
        """Its file in a format."""
        return bundled("conformance") / "cases" / f"{self.id}.{form}"

    @once
    def read(self, form: str) -> Match:
        """Its file in a format, as our readers read it."""
        return load_match(self.path(form))

    @once
    def under(self, rules: str, form: str = "") -> Expected:
        """The figures under a rule set, by name or as a file: those that all its files have, or the
        one in a format."""
        each = [
            self.record(name).by_seat(rule_set(rules))
            for name in ((form,) if form else self.formats)
        ]
        return {
            player: {
                name: value
                for name, value in each[0][seat].items()
                if value is not None and all(both[seat].get(name) is not None for both in each)
            }
            for seat, player in enumerate(self.players)
        }

    @once
    def record(self, form: str) -> MatchFigures:
        """The figures of a file under rule sets: those of a known one are looked up."""
        names = table()["rules"]
        columns = np.array(
            [
                [[value_at(value, column) for value in own] for own in self.figures[form]]
                for column in range(len(names))
            ],
            float,
        )
        figures = dict(zip(names, columns, strict=True))
        return MatchFigures.of_tables(partial(self.read, form), figures)

    def combinations(self, form: str) -> Iterator[tuple[Mapping[str, str], Mapping[str, Any]]]:
        """Every combination of answers to the questions that are read from it, with the studied
        player's figures."""
        supported = table()["answers"][form]
        each = product(*(supported[code] for code in self.reads))
        for row, answers in enumerate(each):
            figures = {name: value_at(value, row) for name, value in self.given[form].items()}
            yield dict(zip(self.reads, answers, strict=True)), figures


def value_at(values: Values, column: int) -> float | None:
    """A figure under one of several rules."""
    return values[column] if isinstance(values, Sequence) else values


@cache
def every() -> tuple[Case, ...]:
    """All cases, area by area."""
    return tuple(
        Case(**entry | {name: tuple(entry.get(name, ())) for name in ("players", "facts", "reads")})
        for entry in table()["cases"]
    )


@cache
def by_id() -> Mapping[str, Case]:
    """All cases by id."""
    return {case.id: case for case in every()}


def areas() -> tuple[str, ...]:
    """First words of ids, in the order of the index."""
    return tuple(dict.fromkeys(case.area for case in every()))


def chosen(prefix: str = "") -> tuple[Case, ...]:
    """The cases whose ids begin so. Raises `InvalidConfiguration` where none does."""
    cases = tuple(case for case in every() if case.id.startswith(prefix))
    if not cases:
        expected = f"expected the beginning of an id of a case, found {prefix[:60]!r}"
        raise InvalidConfiguration(f"{expected}; they begin with {', '.join(areas())}")
    return cases


# -- documents -------------------------------------------------------------------------------------

PASSED = "passed"
FAILED = "failed"
UNSUPPORTED = "unsupported"
CRASHED = "crashed"
SUITE_VERSION = "1.1"
"""Of the cases; raised when a case is added or an expected figure corrected."""
SHOWN = (
    "pr",
    "error_rate_memg",
    "decisions.counted",
    "equity_error.total",
    "mwc_loss_percent.total",
)
Area = Annotated[str, within(pattern="^[a-z]+$")]
Verdict = Annotated[str, Key(kind=Literal["passed", "failed", "unsupported", "crashed"])]
Given: TypeAlias = Mapping[str, Mapping[str, Reported]]
"""By player and name, figures as a program gives them."""


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

    rules: Mapping[str, Expected]
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
    expected: Expected
    """By player and name, the figures that the program gives, as they should be."""
    answers: Mapping[str, Expected]
    """By answer to its question, player and name, those of these figures that the answer changes,
    where all known rule sets with this answer give the same."""
    figures: Annotated[Mapping[str, Mapping[str, str]], Key("found")]
    """By player and name, the figures as the program gives them."""
    reason: Annotated[str, LEFT_OUT] = ""
    """Why there are no figures, or which are missing."""
    form: Annotated[str, HIDDEN] = ""
    """The format of its file; empty where the program reads none that the case has."""
    printed: Annotated[Given, HIDDEN] = field(default_factory=dict)
    """Also the figures that the rules do not have."""

    @property
    def case(self) -> Case:
        """The case."""
        return by_id()[self.id]

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
        players = grouped(self.wrong(), itemgetter(0)).values()
        return [{name for _, name, *_ in wrong} for wrong in players]

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


README = """\
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
    cases = (result.case for result in run.failed)
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


# -- what failing cases share ----------------------------------------------------------------------

SERIES = re.compile(r"(.+)-(\d+(?:\.\d+)?)")
"""The id of a case that is one of several with another number each."""
MOST_GROUPS = 4
MOST_FACTS = 2
MOST_ALONE = 5
"""Facts that failing cases alone have; more say nothing."""
MOST_AREAS = 6
Wrong: TypeAlias = Mapping[str, Set[str]]
"""By the id of a failing case, its wrong figures."""


def shared(run: SuiteRun) -> Iterator[str]:
    """What the cases with a wrong figure have in common, a sentence each."""
    wrong = {result.id: {name for _, name, *_ in result.wrong()} for result in run.failed}
    printed = {
        name for result in run.cases for figures in result.figures.values() for name in figures
    }
    asked = {result.id for result in run.cases if result.verdict in (PASSED, FAILED)}
    judged = [case for case in every() if case.id in asked]
    failing = [case for case in judged if case.id in wrong]
    if 0 < len(failing) < len(judged):
        yield from _of_areas(judged, failing)
    if failing:
        yield from _of_figures(run, list(wrong.values()), printed)
        yield from _of_changes(run)
        yield from _of_others(run)
        yield from _of_facts(judged, failing)
        yield from _borders(judged, wrong)


def _of_areas(judged: Sequence[Case], failing: Sequence[Case]) -> Iterator[str]:
    numbers, every = Counter(case.area for case in failing), Counter(case.area for case in judged)
    parts = [f"{number} of {every[area]} of {area}" for area, number in numbers.most_common()]
    right = f"; {len(every) - len(numbers)} of {len(every)} areas pass" if len(every) > 1 else ""
    yield f"Failing are {some(parts, MOST_AREAS)}{right}."


def _of_figures(run: SuiteRun, wrong: Sequence[Set[str]], printed: Set[str]) -> Iterator[str]:
    counts = Counter(name for names in wrong for name in names)
    number = plural(len(wrong), "case")
    roots, moved = (
        sorted(names, key=lambda name: -counts[name])
        for names in roots_of(each for result in run.failed for each in result.off())
    )
    if roots and all(counts[name] == len(wrong) for name in roots):
        yield f"Wrong in each of {number}: {in_words(roots)}."
    elif roots:
        parts = [f"{METRICS[name].words} in {counts[name]}" for name in roots]
        yield f"Wrong of {number}: {some(parts, MOST_FIGURES)}."
    if moved:
        yield f"Wrong because of that: {in_words(moved)}."
    if right := [name for name in METRICS if name in printed - counts.keys()]:
        yield f"Right in every case: {in_words(right)}."


def _of_changes(run: SuiteRun) -> Iterator[str]:
    """By how much figures are off, where that is always the same."""
    alike = [group.sentence for group in run.groups if (group.change, group.ratio) != (None, None)]
    if alike:
        yield f"Off alike: {'; '.join(alike[:MOST_GROUPS])}."


def _of_others(run: SuiteRun) -> Iterator[str]:
    """In how many cases all that is wrong is the other player's."""
    exchanged = 0
    for result in run.failed:
        both = dict(zip(result.expected, [*result.expected.values()][::-1], strict=True))
        wrong = list(result.wrong())
        exchanged += bool(wrong) and all(
            name in both[player] and fits_figure(both[player][name], printed_figure(name, text, ""))
            for player, name, text, _ in wrong
        )
    if 2 * exchanged > len(run.failed):
        cases = plural(len(run.failed), "case")
        yield f"In {exchanged} of {cases} all that is wrong is the other player's."


def _of_facts(judged: Sequence[Case], failing: Sequence[Case]) -> Iterator[str]:
    """What all cases have that fail, where few others have it; and what only failing, or only
    passing ones have."""
    passing = [case for case in judged if case not in failing]
    fail, passes = (
        Counter(fact for case in cases for fact in case.facts) for cases in (failing, passing)
    )
    common = [
        fact
        for fact, number in fail.items()
        if number == len(failing) and 2 * passes[fact] < len(passing)
    ]
    for fact in sorted(common, key=passes.__getitem__)[:MOST_FACTS]:
        also = f"and so have {plural(passes[fact], 'case')} that pass"
        yield f"All of them have {fact}, {also if passes[fact] else 'and no other case has it'}."
    sides = [("fail", failing, passes)] * all(passes[fact] for fact in common)
    sides += [("pass", passing, fail)] * (len(passing) < len(failing))
    for verb, own, other in sides:
        facts, is_all = _alone(own, other)
        if facts and is_all:
            yield f"The cases that {verb} are those that have {either(facts)}."
        elif 0 < len(facts) <= MOST_ALONE:
            yield f"All cases {verb} that have {either(facts)}."


def _alone(cases: Sequence[Case], opposite: Counter[str]) -> tuple[list[str], bool]:
    """Facts of cases that none of the others has, as few as say it, and whether every case has one
    of them."""
    numbers = Counter(fact for case in cases for fact in case.facts if not opposite[fact])
    left, facts = list(cases), list[str]()
    for fact, number in numbers.most_common():
        rest = [case for case in left if fact not in case.facts]
        if number > 1 and len(rest) < len(left):
            left, facts = rest, [*facts, fact]
    return facts, not left


def _borders(judged: Sequence[Case], wrong: Wrong) -> Iterator[str]:
    """Where in a series of cases passing begins or ends."""
    numbered = [(match, case) for case in judged if (match := SERIES.fullmatch(case.id))]
    for name, each in groupby(numbered, key=lambda entry: entry[0][1]):
        series = sorted((float(match[2]), match[2], case.id in wrong) for match, case in each)
        parts = [
            ([number for _, number, _ in part], fails)
            for fails, part in groupby(series, key=lambda entry: entry[2])
        ]
        is_scale = any("." in number for _, number, _ in series)
        if is_scale and len(parts) in (2, 3) and len(series) > 3:
            words = (
                f"{' to '.join(dict.fromkeys((numbers[0], numbers[-1])))} "
                f"{'fail' if fails else 'pass'}"
                for numbers, fails in parts
            )
            yield f"{name}: {', '.join(words)}."
