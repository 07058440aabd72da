"""Runs the suite on a program: its figures of every case, judged by the rules that it claims, or by those that give most of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from reconcile.errors import InvalidConfiguration
from reconcile.files.wording import plural
from reconcile.gate.candidates.command import CommandFailed, read_command
from reconcile.infer.reported import fits_figure
from reconcile.rules.rulesets import RULE_SETS, RuleSet
from reconcile.suite.cases import Case, every
from reconcile.suite.content import CaseFiles, Expected
from reconcile.suite.harness import Answer, Asked, CaseHarness, CaseRuns
from reconcile.suite.synthetic import FORMATS

PASSED: Final = "passed"
FAILED: Final = "failed"
UNSUPPORTED: Final = "unsupported"
CRASHED: Final = "crashed"
MOST_CRASHES: Final = 10
"""After so many in a row a program is asked for nothing more."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Asking:
    """A case that a program was asked for."""

    files: CaseFiles
    """With the one file that it was given, if any."""
    form: str
    """The format of its file; empty where the program reads none that the case has."""
    answer: Answer

    @property
    def case(self) -> Case:
        """The case."""
        return self.files.case

    def wrong(self, expected: Expected) -> dict[str, list[str]]:
        """The figures by player that are not these."""
        found = {
            player: [
                name
                for name, one in given.items()
                if name in expected[player] and not fits_figure(expected[player][name], one)
            ]
            for player, given in self.answer.found.items()
        }
        return {player: names for player, names in found.items() if names}

    def judged(self, expected: Expected) -> bool:
        """Whether the program gives any figure that is expected."""
        return any(
            name in expected[player]
            for player, given in self.answer.found.items()
            for name in given
        )

    def fits(self, expected: Expected) -> bool:
        """Whether every figure that the program gives is expected, and right."""
        return all(
            name in expected[player] and fits_figure(expected[player][name], one)
            for player, given in self.answer.found.items()
            for name, one in given.items()
        )

    def status(self, expected: Expected) -> str:
        """What came of it."""
        if self.answer.crashed:
            return CRASHED
        if self.answer.unsupported or not self.judged(expected):
            return UNSUPPORTED
        return FAILED if self.wrong(expected) else PASSED


@dataclass(frozen=True, eq=False)
class Ran:
    """A program that was asked for all cases."""

    program: str
    version: str
    claimed: str | None
    """The rule set that it claims to follow."""
    asked: tuple[Asking, ...]

    @cached_property
    def rules(self) -> RuleSet:
        """The rules by which it is judged: those that it claims, otherwise those that fewest cases contradict.

        A figure that the rules do not have contradicts them too: nothing would be wrong by Snowie's rules, which have no PR.
        """
        if self.claimed is not None:
            return RULE_SETS[self.claimed]
        counts = {
            name: sum(not one.fits(one.files.under(rules)) for one in self.answered)
            for name, rules in RULE_SETS.items()
        }
        return RULE_SETS[min(counts, key=lambda name: counts[name])]

    @property
    def answered(self) -> tuple[Asking, ...]:
        """The cases of which it gave figures."""
        return tuple(one for one in self.asked if one.answer.found)

    @cached_property
    def expected(self) -> Mapping[str, Expected]:
        """By id of the cases of which it gave figures, what is expected under these rules of the file that it read."""
        return {one.case.id: one.files.under(self.rules) for one in self.answered}

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """By id, what came of each case."""
        return {one.case.id: one.status(self.expected.get(one.case.id, {})) for one in self.asked}

    @property
    def failed(self) -> tuple[Asking, ...]:
        """The cases with a wrong figure."""
        return tuple(one for one in self.asked if self.statuses[one.case.id] == FAILED)

    def count(self, status: str) -> int:
        """How many cases have this status."""
        return list(self.statuses.values()).count(status)


def _differs(one: Asking) -> bool:
    """Whether no known rule set gives the figures of a case."""
    return all(one.status(one.files.under(rules)) == FAILED for rules in RULE_SETS.values())


def chosen(prefix: str = "") -> tuple[Case, ...]:
    """The cases whose ids begin so. Raises `InvalidConfiguration` where none does."""
    found = tuple(case for case in every() if case.id.startswith(prefix))
    if not found:
        areas = ", ".join(dict.fromkeys(case.area for case in every()))
        raise InvalidConfiguration(
            f"expected the beginning of an id of a case, found {prefix[:60]!r}; they begin with {areas}"
        )
    return found


@contextmanager
def opened(
    harness: str | None,
    command: str | None,
    form: str | None,
    timeout: float,
    option: str = "--timeout",
) -> Iterator[tuple[Asked, tuple[str, ...], Path]]:
    """A program, the formats that it is given, and an empty folder for its files: behind the protocol of a harness, or a command.

    Raises `InvalidConfiguration` for what is no command or format, and `CommandFailed` for a harness that cannot be started.
    """
    if form is not None and form not in FORMATS:
        raise InvalidConfiguration(
            f"expected a format, one of {', '.join(FORMATS)}, found {form!r}"
        )
    with ExitStack() as stack:
        asked: Asked
        if harness is not None:
            asked = stack.enter_context(CaseHarness(harness, timeout))
            reads = tuple(
                one for one in asked.about.formats if one in FORMATS and form in (None, one)
            )
            if not reads:
                listed = ", ".join(asked.about.formats) or "none"
                raise InvalidConfiguration(
                    f"{asked.about.program}: expected that it reads {form or ' or '.join(FORMATS)}, found {listed}"
                )
        else:
            asked = CaseRuns(replace(read_command(command or ""), option=option), timeout)
            reads = (form or FORMATS[0],)
        yield asked, reads, Path(stack.enter_context(TemporaryDirectory(prefix="reconcile-suite-")))


def run(
    *,
    harness: str | None = None,
    command: str | None = None,
    form: str | None = None,
    only: str = "",
    timeout: float = 60.0,
    progress: Progress | None = None,
    hopeless: int | None = None,
) -> Ran:
    """Ask a program for the figures of every case: one behind the protocol of a harness, or a command that is run for every file.

    With `hopeless` it is asked for no more once so many cases, the first, all differ from every known rule set.

    Raises `InvalidConfiguration` for what is no command, format or case, and `CommandFailed` for a harness that cannot be started.
    """
    cases = chosen(only)
    with opened(harness, command, form, timeout) as (asked, reads, folder):
        found: list[Asking] = []
        for one in asking(asked, cases, reads, folder):
            found.append(one)
            if progress is not None:
                progress("running", len(found), len(cases))
            if len(found) == hopeless and all(map(_differs, found)):
                break
        about = asked.about
    if all(one.answer.crashed for one in found):
        raise CommandFailed(
            f"gave no figures of any of {plural(len(found), 'case')}: {found[0].answer.crashed}",
            about.program,
        )
    return Ran(about.program, about.version, about.rules, tuple(found))


def asking(
    asked: Asked, cases: Iterable[Case], reads: Sequence[str], folder: Path
) -> Iterator[Asking]:
    """What a program that reads these formats says of every case, in a file in the folder."""
    crashes = 0
    rules = RULE_SETS[asked.about.rules] if asked.about.rules else None
    placed = chain(_placed(cases, reads, rules, folder), (None,))
    for one, after in pairwise(placed):
        assert one is not None
        files, path = one
        if path is None:
            answer = Answer(unsupported=f"no .{' or .'.join(reads)} file can show it")
        elif crashes >= MOST_CRASHES:
            answer = Answer(crashed=f"not asked: it crashed on {MOST_CRASHES} cases in a row")
        else:
            answer = asked.ask(
                files.case, path, (after[0].case, after[1]) if after and after[1] else None
            )
            path.unlink(missing_ok=True)
            crashes = crashes + 1 if answer.crashed else 0
        yield Asking(files, path.suffix[1:] if path else "", answer)


def _placed(
    cases: Iterable[Case], reads: Sequence[str], rules: RuleSet | None, folder: Path
) -> Iterator[tuple[CaseFiles, Path | None]]:
    """Every case with the one file that a program reads, if any, and where it lies; with its figures where the rules are known."""
    for case in cases:
        form = next((one for one in reads if one in case.formats), "")
        if not form:
            yield CaseFiles(case), None
            continue
        files = CaseFiles(replace(case, formats=(form,)))
        path = folder / f"{case.id}.{form}"
        path.write_bytes(files.contents[form])
        if rules is not None:
            files.under(rules)
        yield files, path
