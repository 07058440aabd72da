"""Runs the suite on a program, as a pack whose figures are looked up: it is judged by the rules
that it claims, or by those that fewest of its figures are against; and from its figures to its
answers, and these as a file of rules.

The figures of a case from which answers are read are known under every combination of answers to
its questions, and what the program gives leaves some of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import yaml

from reconcile.errors import InvalidArgument, InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import DECIDED, OUTSIDE, WITHIN
from reconcile.gate.candidates.judge import PRINTED, Available, Judge, Outcome, Reference, subjects
from reconcile.gate.candidates.program import (
    LONGEST_REASON,
    MOST_CRASHES,
    About,
    Harness,
    Runs,
    crashes_after,
    started,
)
from reconcile.gate.candidates.reading import (
    Candidate,
    CommandFailed,
    read_candidates,
    short,
)
from reconcile.gate.manifest import MANIFEST, Again, Candidates, Manifest, ReferenceFile
from reconcile.gate.match_results import (
    CandidateResult,
    MatchResult,
    NotCompared,
    match_result,
)
from reconcile.gate.pack_results import PackResult
from reconcile.gate.validate import MatchRun, Progress, pack_of
from reconcile.infer.program import Run
from reconcile.infer.reported import Reported, fits_figure
from reconcile.match.tools import GNUBG, XG
from reconcile.match.values import grouped
from reconcile.rules.catalogue import Status
from reconcile.rules.rulesets import RULE_SETS, RuleSet, rule_set
from reconcile.scoring.figures import ALIASES, METRICS, metric
from reconcile.suite.cases import (
    CRASHED,
    FAILED,
    FORMATS,
    PASSED,
    PLAIN_CASE,
    STUDIED,
    UNSUPPORTED,
    AreaResult,
    Case,
    CaseResult,
    Expected,
    Given,
    SuiteRun,
    by_id,
    chosen,
    every,
    table,
)
from reconcile.wording import either, listed, one_line, plural

NAMES = {*METRICS, *ALIASES}
LUCK = "luck.equity"
"""What a program that declares nothing owes also where it gives no luck at all: in the cases about
luck every other figure of it is right."""
FIRST = next(iter(RULE_SETS))
TOOLS = {"xg": XG.name, "sgf": GNUBG.name}
Asked = tuple[Reference, Sequence[Candidate | NotCompared]]
"""A case as a reference match, and what a program gives of it."""


def run_suite(
    *,
    command: str | None = None,
    harness: str | None = None,
    files: Sequence[str] | None = None,
    form: str | None = None,
    only: str = "",
    timeout: float = 60.0,
    progress: Progress = lambda task, done, total: None,
) -> SuiteRun:
    """Ask a program for the figures of every case whose id begins with `only`: a command with
    `{file}`, one behind the protocol of a harness, or files that it wrote; `form` is the format of
    the cases that it is given. `progress` gets a task, the amount done and the total.

    Raises `InvalidArgument`, `InvalidConfiguration` for what is no command, format or case, and
    `CommandFailed` for a harness that cannot be started.
    """
    if [command, harness, files].count(None) != 2:
        raise InvalidArgument("command", "a command, a harness or files, one of them", command)
    cases = chosen(only)
    if files is not None:
        asked = list(_of_files(files, cases, form or FORMATS[0]))
        return judged(asked, _about(asked) or About(program=Path(files[0]).name))
    with started(command, harness, timeout, "--timeout") as program:
        assert program is not None
        about = program.about if isinstance(program, Harness) else About(program=program.name)
        reads = _formats(about, form)
        asked = list(ask(Runs(program, timeout), cases, about, reads, progress))
    result = judged(asked, (harness is None and _about(asked)) or about)
    if all(case.verdict == CRASHED for case in result.cases):
        none = f"gave no figures of any of {plural(len(asked), 'case')}"
        raise CommandFailed(f"{none}: {result.cases[0].reason}", result.program)
    return result


def ask(
    program: Runs,
    cases: Sequence[Case],
    about: About,
    reads: Sequence[str],
    progress: Progress = lambda task, done, total: None,
) -> Iterator[Asked]:
    """What a program that reads these formats gives of every case."""
    crashes = 0
    for done, case in enumerate(cases, start=1):
        reference = _reference(case, reads, about.figures)
        outputs = list(program.outputs(reference, is_given_up=crashes >= MOST_CRASHES))
        crashes = crashes_after(crashes, outputs)
        yield reference, outputs
        progress("running", done, len(cases))


def judged(asked: Sequence[Asked], about: About) -> SuiteRun:
    """What came of a program that says this of itself."""
    equals: tuple[str, ...] = (about.rules or FIRST,)
    judge, references, outcomes = _under(asked, equals[0])
    if about.rules is None:
        program = Run(list(subjects(chain.from_iterable(outcomes))))
        if program.subjects:
            followed = program.transformed[:1] if program.transformed else program.equals
            equals = followed or equals
        if equals[0] != FIRST:
            judge, references, outcomes = _under(asked, equals[0])
    named: list[Outcome] = [
        replace(each, candidate=about.program, of=about.program)
        for each in chain.from_iterable(outcomes)
    ]
    lucks = {
        figure.metric
        for each in named
        if isinstance(each, CandidateResult)
        for figure in each.stated
        if figure.metric.startswith("luck.")
    }
    always = frozenset({LUCK} if LUCK in lucks or not lucks else ())
    folder, matches = bundled("conformance"), []
    for reference in references:
        match = match_result(reference.manifest, folder, (), (), ())
        owing = replace(reference, always=always)
        matches.append(MatchRun(folder / reference.id / MANIFEST, owing, match))
    return _document(about, equals, pack_of(folder, judge, matches, named, is_part=True))


def _document(about: About, equals: Sequence[str], pack: PackResult) -> SuiteRun:
    """A run that is judged by the first of some rules, which give as much."""
    cases = tuple(map(_result, pack.matches))
    verdicts = {case.verdict for case in cases}
    areas = grouped(cases, lambda case: case.area)
    counts = {area: Counter(case.verdict for case in own) for area, own in areas.items()}
    findings = read_back(about.program, cases).findings
    return SuiteRun(
        pack="conformance",
        verdict=OUTSIDE if {FAILED, CRASHED} & verdicts else WITHIN,
        program=about.program,
        version=about.version,
        judged_by=tuple(equals) if about.rules or FAILED not in verdicts else (),
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
        rules={code: finding.answer for code, finding in findings.items()},
    )


def _result(match: MatchResult) -> CaseResult:
    """What came of a case; the figures that its rules have are judged."""
    case, form = by_id()[match.id], next(iter(match.manifest.files), "")
    printed: dict[str, dict[str, Reported]] = {}
    texts: dict[str, dict[str, str]] = {}
    expected: dict[str, dict[str, float]] = {}
    for figure, shown in (each for own in match.candidates for each in own.shown):
        for figures in (printed, texts, expected):
            figures.setdefault(figure.player, {})
        printed[figure.player][figure.metric] = shown
        if figure.left is not None:
            expected[figure.player][figure.metric] = figure.left
            texts[figure.player][figure.metric] = shown.text
    wholes = (cell.reason for cell in match.cells if cell.state != "incomparable")
    reasons = [*(part.why for part in match.not_compared), *wholes]
    lacking = ", ".join(f"no {cell}" for cell in match.cells if cell.fails)
    reason = one_line(next(filter(None, reasons), ""))[:LONGEST_REASON] or lacking
    facts = case.id, case.area, case.question or "", case.about, _verdict(match)
    answers = _under_answers(case, form, printed)
    return CaseResult(*facts, expected, answers, texts, reason, form, printed)


def _verdict(match: MatchResult) -> str:
    """Whether every figure is right; a case in which a declared figure is missing has failed."""
    if match.failures or any(cell.state == "missing" and cell.reason for cell in match.cells):
        return CRASHED
    verdicts = {figure.verdict for figure in match.figures}
    if OUTSIDE in verdicts or any(cell.fails for cell in match.cells):
        return FAILED
    return PASSED if verdicts & {*DECIDED} else UNSUPPORTED


def _under_answers(case: Case, form: str, figures: Given) -> Mapping[str, Expected]:
    """By answer to the question of the case, player and name, the given figures that it changes,
    where all known rule sets with this answer agree."""
    code = case.question
    sets = grouped(RULE_SETS, lambda name: RULE_SETS[name].answers[code]) if code and form else {}
    each = {answer: [case.under(name, form) for name in names] for answer, names in sets.items()}
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


def _under(asked: Sequence[Asked], name: str) -> tuple[Judge, list[Reference], list[list[Outcome]]]:
    """What judges by a rule set, the cases with the figures that they have under it, and what comes
    of each."""
    rules = rule_set(name)
    judge = Judge(load_tolerances(), PRINTED, rules)
    references = [_expecting(reference, rules) for reference, _ in asked]
    outcomes = [
        list(judge.of_program(outputs, reference))
        for reference, (_, outputs) in zip(references, asked, strict=True)
    ]
    return judge, references, outcomes


def _expecting(reference: Reference, rules: RuleSet) -> Reference:
    """A case with the names of its figures under a rule set; who never rolled has no luck."""
    expected = {
        player: frozenset(
            name
            for name, value in figures.items()
            if value is not None and (figures["luck.rolls"] or not name.startswith("luck."))
        )
        for file in reference.available.values()
        for player, figures in zip(file.players, file.under_rules.by_seat(rules), strict=True)
    }
    return replace(reference, expected=expected)


def _reference(case: Case, reads: Sequence[str], figures: Iterable[str]) -> Reference:
    """A case as a reference match, with its file in the first of the formats that it has."""
    form = next((name for name in reads if name in case.formats), "")
    declared = {metric(name).name for name in figures if name in NAMES}
    files, available, absent = {}, {}, {}
    if form:
        path, tool = case.path(form), TOOLS[form]
        nothing = dict.fromkeys(ReferenceFile.model_fields)
        files[form] = ReferenceFile.model_construct(
            None, **nothing | {"name": path.name, "tool": tool}
        )
        facts = str(path), tool, case.players, case.length, case.id
        again = Again(partial(case.read, form))
        available[form] = Available(*facts, again, case.record(form), is_table=True)
    else:
        absent[case.id] = f"no .{' or .'.join(reads)} file can show it"
    of_program = Candidates.model_construct(
        file=form or None,
        figures=tuple(name for name in METRICS if name in declared),
        precision="single",
    )
    manifest = Manifest.model_construct(
        id=case.id,
        title=case.about,
        synthetic=True,
        licence="MIT",
        provenance="synthetic players of the conformance suite",
        files=files,
        reported=(),
        pairs=(),
        candidates=of_program,
    )
    return Reference(manifest, available, absent)


def _of_files(files: Sequence[str], cases: Iterable[Case], form: str) -> Iterator[Asked]:
    """What files say of the cases that they name. Raises `ReconcileError`."""
    claims: dict[str, Candidate] = {}
    for candidate in read_candidates(files):
        for claim in candidate.claims:
            if claim.match not in by_id() or claim.match in claims:
                actual = f"{short(claim.match)}{' twice' * (claim.match in claims)}"
                expected = f"expected figures of a case, each once, found those of {actual}"
                raise InvalidConfiguration(f"{expected}; `suite list` has the ids", claim.where)
            claims[claim.match] = replace(candidate, claims=(claim,), matches=())
    for case in cases:
        own = [claims[case.id]] if case.id in claims else []
        yield _reference(case, (form, *case.formats), ()), own


def _about(asked: Iterable[Asked]) -> About | None:
    """What a program says of itself with its figures."""
    parts = (part for _, outputs in asked for part in outputs if isinstance(part, Candidate))
    claims = (claim for part in parts for claim in part.claims if claim.program)
    return next((About(program=claim.program, version=claim.version) for claim in claims), None)


def _formats(about: About, form: str | None) -> tuple[str, ...]:
    """The formats that a program is given, the first that it reads before others. Raises
    `InvalidConfiguration`."""
    if not about.formats:
        return (form or FORMATS[0],)
    reads = tuple(name for name in about.formats if name in FORMATS and form in (None, name))
    if not reads:
        expected = f"expected that it reads {form or ' or '.join(FORMATS)}"
        formats = ", ".join(about.formats)
        raise InvalidConfiguration(f"{about.program}: {expected}, found {formats}")
    return reads


# -- answers ---------------------------------------------------------------------------------------

RATES = {
    "pr": "500/counted",
    "error_rate_memg": "1000/counted",
    "snowie_er": "snowie",
    "snowie_memg": "snowie",
}
"""The answer to Q08 by the rate that a program gives."""
LONGEST_NAME = 40
LONGEST_TITLE = 200
MOST_NEAR = 3
"""Rule sets that a sentence names; of more, only their number."""
NO_CASE = "no case about it was run"
Answers: TypeAlias = tuple[str, ...]
"""One answer to each question of some, or several to one."""


class Reading:
    """What a program gives for a case, and what that leaves of the answers."""

    def __init__(self, result: CaseResult, names: frozenset[str]) -> None:
        self.case = result.case
        self.failure = "" if result.printed else result.reason
        """Why it has no figures; empty if it has."""
        shown, changing = _studied(result), self.case.given[result.form]
        self.figures = {name: shown[name] for name in changing if name in shown.keys() & names}
        combinations = list(self.case.combinations(result.form))
        self.every: Sequence[Mapping[str, str]] = [answers for answers, _ in combinations]
        self.fitting: Sequence[Mapping[str, str]] = [
            answers
            for answers, figures in combinations
            if all(fits_figure(figures[name], figure) for name, figure in self.figures.items())
        ]
        """The combinations of answers that give the figures."""

    @property
    def codes(self) -> Answers:
        """The questions that it is about."""
        return self.case.reads

    def excluded(self, code: str) -> set[str]:
        """The answers to a question that do not give the figures."""
        possible = {answers[code] for answers in self.fitting}
        return {answers[code] for answers in self.every} - possible if possible else set()

    def __str__(self) -> str:
        return f"{self.case.id} ({self.case.about})"


def _studied(result: CaseResult) -> Mapping[str, Reported]:
    """The figures that a program gives of the studied player."""
    return result.printed.get(result.case.players[STUDIED], {})


@dataclass(frozen=True)
class Finding:
    """The answers that a program may give to a question."""

    possible: Answers
    evidence: str
    """How they are known, or why they are not."""
    is_seen: bool = False
    """Whether the cases that were run say anything of it."""
    is_explained: bool = True
    """Whether known answers give the figures of all cases about it."""

    @property
    def answer(self) -> str | None:
        """The only possible answer, if it is known."""
        is_known = self.is_seen and self.is_explained and len(self.possible) == 1
        return self.possible[0] if is_known else None


@dataclass(frozen=True)
class ReadBack:
    """What was found of a program's rules."""

    program: str
    form: str
    """The format of most files that it was given."""
    names: frozenset[str]
    """The figures that it gives and that mean what they are called."""
    findings: Mapping[str, Finding]

    @cached_property
    def nearest(self) -> tuple[RuleSet, ...]:
        """The known rule sets with the fewest other answers, as far as files of the format support
        them."""
        match = _plain_case().read(self.form)
        rule_sets = [rules.for_match(match)[0] for rules in RULE_SETS.values()]
        fewest = min(len(self.differing(rules)) for rules in rule_sets)
        return tuple(rules for rules in rule_sets if len(self.differing(rules)) == fewest)

    def differing(self, rules: RuleSet) -> list[str]:
        """The questions to which the program cannot have the answer of a rule set."""
        return [
            code
            for code, finding in self.findings.items()
            if finding.is_seen and rules.answers[code] not in finding.possible
        ]


def _plain_case() -> Case:
    return by_id()[PLAIN_CASE]


def read_back(program: str, results: Iterable[CaseResult]) -> ReadBack:
    """The answers of a program by its figures of cases.

    Only figures that are right in the case on which all rules agree are used, if that is among the
    cases. A figure that it does not have (grades of errors, which depend on rules) is taken at its
    word.
    """
    asked = [result for result in results if result.form]
    form = next((result.form for result in asked), FORMATS[0])
    shown = {result.id: _studied(result) for result in asked}
    plain = _plain_case()
    right = [plain.under(rules, form)[plain.players[STUDIED]] for rules in RULE_SETS]
    wrong = {
        name
        for name, figure in shown.get(PLAIN_CASE, {}).items()
        if not any(fits_figure(figures.get(name), figure) for figures in right)
    }
    names = frozenset(name for figures in shown.values() for name in figures) - wrong
    readings = [Reading(result, names) for result in asked if result.case.reads]
    return ReadBack(program, form, names, _findings(readings, form, names))


def _findings(
    readings: Sequence[Reading], form: str, names: frozenset[str]
) -> Mapping[str, Finding]:
    """A finding for every question; a case that contradicts the others is left out, and its
    questions have no answer."""
    supported: Mapping[str, Sequence[str]] = table()["answers"][form]
    left, contradicting = _left(readings, supported)
    findings = {}
    for code, answers in supported.items():
        about = [reading for reading in readings if code in reading.codes]
        possible = tuple(answer for answer in answers if answer in left[code])
        unlike = [str(reading) for reading in about if reading in contradicting]
        unseen = _unseen(code, about, form, names)
        if code == "Q08":
            possible, unseen = _rate(possible, names)
        elif not unseen and len(possible) == len(answers) and not unlike and code != "Q11":
            unseen = "the figures that it prints are the same under all answers"
        evidence = f"no known answer gives {'; '.join(unlike)}"
        evidence = evidence if unlike else _evidence(code, possible, about)
        findings[code] = Finding(possible, unseen or evidence, not unseen, not unlike)
    return findings


def _left(
    readings: Sequence[Reading], supported: Mapping[str, Sequence[str]]
) -> tuple[Mapping[str, set[str]], Sequence[Reading]]:
    """By question the answers that are still possible, and the cases that contradict the others;
    cases about one question come first."""
    left, before = {code: set(answers) for code, answers in supported.items()}, None
    used = [reading for reading in readings if reading.figures]
    used.sort(key=lambda reading: len(reading.codes))
    contradicting: list[Reading] = []
    while before != left:
        before = dict(left)
        for reading in used:
            rows = [row for row in reading.fitting if all(row[code] in left[code] for code in row)]
            left |= {code: {row[code] for row in rows} for code in reading.codes if rows}
            contradicting += [] if rows else [reading]
        used = [reading for reading in used if reading not in contradicting]
    return left, contradicting


def _rate(possible: Answers, names: frozenset[str]) -> tuple[Answers, str]:
    """What a program may answer to Q08 by the rates that it prints, and why that is not seen."""
    rates = list(dict.fromkeys(RATES[name] for name in RATES if name in names))
    if len(rates) > 1 and rates[-1] == RATES["snowie_memg"]:
        rates.pop()  # printed beside a rate of decisions
    if len(rates) == 1:
        return tuple(rates), ""
    none = "it prints no rate" if names else NO_CASE
    return tuple(rates) or possible, "it prints several rates" if rates else none


def _unseen(code: str, about: Sequence[Reading], form: str, names: frozenset[str]) -> str:
    """Why the cases say nothing of a question; empty where they may."""
    if code == "Q11":
        if any(name.startswith("mwc_loss") for name in names):
            return ""
        return "it prints no loss in match winning chance" if names else NO_CASE
    if not about:
        can = any(code in case.reads and form in case.formats for case in every())
        return NO_CASE if can else f"no .{form} file can show it"
    if all(reading.failure for reading in about):
        return f"it fails on the matches about it: {about[0].failure}"
    if not any(reading.figures for reading in about):
        return "it prints no figure that shows it"
    return ""


def _evidence(code: str, possible: Answers, about: Sequence[Reading]) -> str:
    """How an answer is known, or which cannot be told apart."""
    if code == "Q08":
        name = next(name for name, answer in RATES.items() if answer == possible[0])
        return f"it prints {METRICS[name].words}"
    if code == "Q11":
        return "every loss in match winning chance that it prints"
    if len(possible) > 1:
        return f"the same figures in every match: {either(possible)}"
    deciding, excluded = [], set[str]()
    for reading in sorted(about, key=lambda reading: len(reading.codes)):
        if reading.figures and not reading.excluded(code) <= excluded:
            deciding.append(reading)
            excluded |= reading.excluded(code)
    return "; ".join(map(str, deciding))


def sentence(result: ReadBack) -> str:
    """Which program counts like this one, and how much of that was seen."""
    near = [rules.name for rules in result.nearest]
    like = either(near) if len(near) <= MOST_NEAR else f"{near[0]} and {len(near) - 1} others"
    start = f"{result.program} counts like {like}"
    if differing := result.differing(result.nearest[0]):
        start += f" with other answers to {listed(differing)}"
    findings = result.findings
    unknown = [code for code in findings if not findings[code].is_explained]
    unseen = [code for code in findings if findings[code].answer is None and code not in unknown]
    number = len(findings) - len(unknown) - len(unseen)
    parts = [f"{number} of {plural(len(findings), 'question')} answered"]
    if unknown:
        parts.append(f"no known answer fits {listed(unknown)}")
    if unseen:
        source = "its figures" if result.names else "the cases that were run"
        parts.append(f"{listed(unseen)} cannot be seen from {source}")
    return f"{start}; {', '.join(parts)}."


def rules_yaml(result: ReadBack) -> str:
    """The answers with their evidence as a file of rules; what was not seen is that of the nearest
    known rule set."""
    nearest, source = result.nearest[0], f"{result.program}, probed with .{result.form} files"
    answers, proofs, unseen = {}, {}, []
    for code, finding in result.findings.items():
        quote, status = finding.evidence, Status.PROBED
        if finding.answer is None:
            if not finding.possible or nearest.answers[code] in finding.possible:
                unseen.append(f"# {code}: as {nearest.name}; {one_line(quote)}\n")
                continue
            quote, status = f"one of several: {quote}", Status.INFERRED
        answers[code] = finding.possible[0]
        proofs[code] = {"status": status.value, "source": source, "quote": quote}
    name = re.sub(r"[^A-Za-z0-9._+-]+", "-", result.program).strip("-.+_")[:LONGEST_NAME]
    file = {
        "schema_version": 1,
        "name": f"{name or 'program'}-probed",
        "title": f"{result.program}, probed"[:LONGEST_TITLE],
        "extends": nearest.name,
        "answers": answers,
        "evidence": proofs,
    }
    head = f"# {one_line(sentence(result))}\n"
    text = yaml.safe_dump(file, sort_keys=False, allow_unicode=True, width=140)
    return f"{head}{text}{''.join(unseen)}"
