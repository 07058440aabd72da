"""From the figures of a program to its answers: the contrasts as files with the figures of every combination of answers, the combinations
that give all of the program's, and the numbers at which its figures change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final

from reconcile.document import HIDDEN, Document, Text, within
from reconcile.errors import InvalidConfiguration
from reconcile.files.names import fold
from reconcile.formats import read_match
from reconcile.gate.candidates.claims import Candidate, of_player
from reconcile.gate.candidates.command import Command
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.reported import ROUNDING, Reported
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET, load_met
from reconcile.probe.contrasts import NOUNS, Contrast, Series, contrasts, plain
from reconcile.probe.synthetic import OTHER, STUDIED, content_of
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet
from reconcile.scoring.score import score
from reconcile.scoring.statistics import Statistics

BASE: Final = RULE_SETS["gnubg"]
"""Answers the questions that a contrast is not about; by `Contrast.about` any other rule set would do."""
SEAT: Final = 0
"""Of the studied player."""

Figures = Mapping[str, float | None]
Answers = tuple[str, ...]
"""One answer to each question of some."""


def figures_of(match: Match, rules: RuleSet) -> Figures:
    """The studied player's figures of a match under some rules."""
    return Statistics(score(match, rules, load_met(DEFAULT_MET))).figures(SEAT)


@dataclass(frozen=True)
class ContrastFile:
    """A contrast in a format, with the figures under every combination of the answers that it is about."""

    contrast: Contrast
    form: str

    @cached_property
    def content(self) -> bytes:
        """The file."""
        return content_of(self.contrast.match, self.form)

    @cached_property
    def match(self) -> Match:
        """The file as our reader reads it."""
        return read_match(f"{self.contrast.key}.{self.form}", self.content)

    @cached_property
    def predicted(self) -> Mapping[Answers, Figures]:
        """The figures by the answers to `about`, in its order."""
        about = self.contrast.about
        answers = [supported(self.form)[code] for code in about]
        return {names: self.under(dict(zip(about, names, strict=True))) for names in product(*answers)}

    def under(self, answers: Mapping[str, str]) -> Figures:
        """The figures with some answers of `BASE` replaced."""
        figures = figures_of(self.match, replace(BASE, answers=MappingProxyType({**BASE.answers, **answers})))
        return {name: figures[name] for name in self.contrast.figures}


@cache
def contrast_files(form: str) -> tuple[ContrastFile, ...]:
    """All contrasts of a format."""
    return tuple(ContrastFile(one, form) for one in contrasts(form))


@cache
def plain_file(form: str) -> ContrastFile:
    """The contrast on which all rules agree."""
    return ContrastFile(plain(), form)


@cache
def supported(form: str) -> Mapping[str, Answers]:
    """By question, the answers for which files of this format have what they need."""
    match = plain_file(form).match
    return {code: tuple(name for name, one in question.answers.items() if one.applies(match)) for code, question in QUESTIONS.items()}


PRECISION: Final = 1e-5
"""Relative: a match winning chance near a half has seven digits, the equity made of it fewer."""

Given = Mapping[str, Reported]
"""By metric."""
Ask = Callable[[str, bytes, int], Candidate]
"""What a program makes of a file: from its name, its bytes and the points to win (0 for money)."""


def asking(command: Command, timeout: float, folder: Path) -> Ask:
    """A program that is run for every file, written into a folder."""

    def ask(name: str, content: bytes, length: int) -> Candidate:
        path = folder / name
        path.write_bytes(content)
        values = {"file": str(path), "match": path.stem, "player": STUDIED, "player1": STUDIED, "player2": OTHER, "length": str(length)}
        return read_printed(f"{command.name} ({name})", command.run(values, timeout))

    return ask


def given_of(candidate: Candidate, *, per_player: bool = False) -> Given:
    """The studied player's figures. Raises `InvalidConfiguration` where there are none."""
    if len(candidate.claims) != 1:
        found = "a match" if candidate.matches else "positions" if candidate.positions else f"figures of {len(candidate.claims)} matches"
        raise InvalidConfiguration(f"{candidate.name}: expected the figures of one match, found {found}; make the program print totals")
    claim = of_player(candidate.claims[0], STUDIED) if per_player else candidate.claims[0]
    found_figures = {
        one.metric: Reported(one.metric, one.text, one.value, one.half)
        for one in claim.figures
        if one.value is not None and (one.player == SEAT if isinstance(one.player, int) else fold(one.player) == fold(STUDIED))
    }
    if not found_figures:
        players = ", ".join(dict.fromkeys(str(one.player) for one in claim.figures)) or "nobody"
        raise InvalidConfiguration(f"{candidate.name}: expected figures of {STUDIED!r}, found those of {players}; name players as the file")
    return found_figures


def fits_one(value: float | None, one: Reported) -> bool:
    """Whether a program gives this figure, within its printed digits and the single precision in which files keep equities."""
    return value is not None and abs(value - one.value) <= one.half + (PRECISION * abs(one.value) if one.half else ROUNDING)


def fits(figures: Figures, given: Given, names: frozenset[str]) -> bool:
    """Whether a program gives these figures, as far as it gives any of the named ones."""
    return all(fits_one(figures[name], given[name]) for name in figures if name in given and name in names)


RATES: Final = {"pr": "500/counted", "error_rate_memg": "1000/counted", "snowie_er": "snowie", "snowie_memg": "snowie"}
"""The answer to Q08 by the rate that a program gives."""
MOST_SHOWN: Final = 4
"""Figures of a match in a sentence."""


@dataclass(frozen=True, slots=True)
class AnsweredContrast:
    """What a program gives for a contrast."""

    file: ContrastFile
    given: Given
    """Only the figures that are read."""
    fitting: frozenset[Answers]
    """The answers to what the contrast is about that give these figures."""
    failure: str = ""
    """Why there are no figures."""

    @property
    def decides(self) -> bool:
        """Whether some answers are excluded."""
        return 0 < len(self.fitting) < len(self.file.predicted)

    @property
    def words(self) -> str:
        """The figures in a few words: `pr 25.00, decisions.counted 2`."""
        return ", ".join(f"{name} {one.text}" for name, one in list(self.given.items())[:MOST_SHOWN])


def see(file: ContrastFile, given: Given, names: frozenset[str]) -> AnsweredContrast:
    """The answers that give a program's figures of a contrast; `names` are the figures that mean what they are called."""
    kept = {name: one for name, one in given.items() if name in names and name in file.contrast.figures}
    return AnsweredContrast(file, kept, frozenset(answers for answers, figures in file.predicted.items() if fits(figures, kept, names)))


@dataclass(frozen=True, slots=True)
class Finding:
    """The answers that a program may give to a question."""

    question: str
    possible: Answers
    decisive: tuple[AnsweredContrast, ...]
    """The contrasts that exclude an answer."""
    unexplained: tuple[AnsweredContrast, ...]
    """The contrasts whose figures no combination of answers gives."""
    unseen: str = ""
    """Why nothing can be said."""

    @property
    def answer(self) -> str | None:
        """The only possible answer; `None` where there are several or where the figures contradict all."""
        return self.possible[0] if len(self.possible) == 1 and not self.unexplained and not self.unseen else None


class _Relation:
    """The combinations of answers to some questions that are still possible."""

    def __init__(self, codes: tuple[str, ...], rows: Iterable[Answers]) -> None:
        self.codes, self.rows = codes, frozenset(rows)

    def joined(self, others: Sequence[_Relation], seen: AnsweredContrast) -> _Relation:
        """With the questions of others, and only what fits a contrast."""
        every = (self, *others)
        codes = tuple(code for one in every for code in one.codes)
        places = [codes.index(code) for code in seen.file.contrast.about]
        rows = (tuple(name for part in parts for name in part) for parts in product(*(one.rows for one in every)))
        return _Relation(codes, (row for row in rows if tuple(row[place] for place in places) in seen.fitting))


def infer(seen: Sequence[AnsweredContrast], supported: Mapping[str, Answers], names: frozenset[str]) -> dict[str, Finding]:
    """A finding for every question.

    Contrasts about one question come first, so that those about several start from few combinations. A contrast that contradicts
    the others is left out, and its questions have no answer.
    """
    relations = [_Relation((code,), ((name,) for name in supported[code])) for code in QUESTIONS]
    unexplained = []
    for one in sorted(seen, key=lambda one: len(one.file.contrast.about)):
        if one.failure or not one.given:
            continue
        touched = [relation for relation in relations if set(relation.codes) & set(one.file.contrast.about)]
        new = touched[0].joined(touched[1:], one)
        if not new.rows:
            unexplained.append(one)
            continue
        relations = [relation for relation in relations if relation not in touched] + [new]
    return {code: _finding(code, relations, seen, unexplained, supported, names) for code in QUESTIONS}


def _finding(
    code: str,
    relations: Sequence[_Relation],
    seen: Sequence[AnsweredContrast],
    unexplained: Sequence[AnsweredContrast],
    supported: Mapping[str, Answers],
    names: frozenset[str],
) -> Finding:
    about = [one for one in seen if code in one.file.contrast.about]
    relation = next(one for one in relations if code in one.codes)
    left = {row[relation.codes.index(code)] for row in relation.rows}
    possible = tuple(name for name in supported[code] if name in left)
    unseen = ""
    if code == "Q08":
        rates = list(dict.fromkeys(RATES[name] for name in RATES if name in names))
        if len(rates) > 1 and rates[-1] == RATES["snowie_memg"]:
            rates.pop()  # printed beside a rate of decisions
        possible = tuple(rates) or possible
        unseen = "" if len(rates) == 1 else "it prints several rates" if rates else "it prints no rate"
    elif code == "Q11":
        unseen = "" if any(name.startswith("mwc_loss") for name in names) else "it prints no loss in match winning chance"
    elif not about:
        unseen = f"no .{seen[0].file.form} file can show it"
    elif all(one.failure for one in about):
        unseen = f"it fails on the matches about it: {about[0].failure}"
    elif not any(one.given for one in about):
        unseen = f"it prints no {NOUNS[about[0].file.contrast.figures]}"
    elif len(possible) == len(supported[code]) and not any(one in unexplained for one in about):
        unseen = "the figures that it prints are the same under all answers"
    decisive = tuple(one for one in about if one.decides)
    return Finding(code, possible, decisive, tuple(one for one in unexplained if one in about), unseen)


@dataclass(frozen=True, slots=True)
class Border(Document):
    """The number at which the program's figures change."""

    key: Annotated[str, HIDDEN]
    """The key of its series."""
    title: Text
    """What the number is."""
    question: Annotated[str, within(pattern="^Q[0-9]{2}$")]
    """The question that it is about."""
    low: float | None
    """The last number with the figures of the low end; null where there is no border."""
    high: float | None
    """The first number with the figures of the high end; null where there is no border."""
    note: str = ""
    """Why there is no border; empty where there is one."""

    @property
    def words(self) -> str:
        """Where it is: `between 0.19999 and 0.2`."""
        return self.note if self.low is None or self.high is None else f"between {_plain_number(self.low)} and {_plain_number(self.high)}"


def border(series: Series, given: Callable[[float], Given], names: frozenset[str]) -> Border | None:
    """The border of a series by bisection; `None` where the program prints none of its figures."""

    def figures(step: int) -> tuple[tuple[str, str], ...]:
        found = given(series.at(step))
        return tuple((name, one.text) for name, one in found.items() if name in series.figures and name in names)

    low, high = 0, series.steps
    first, last = figures(low), figures(high)
    if not first and not last:
        return None
    found_at = partial(Border, series.key, series.title, series.question)
    if first == last:
        return found_at(None, None, f"none from {_plain_number(series.low)} to {_plain_number(series.high)}")
    while high - low > 1:
        middle = (low + high) // 2
        found = figures(middle)
        if found == first:
            low = middle
        elif found == last:
            high = middle
        else:
            return found_at(None, None, f"no single border: other figures at {series.at(middle):g}")
    return found_at(series.at(low), series.at(high))


def _plain_number(number: float) -> str:
    """Without an exponent."""
    return f"{number:.7f}".rstrip("0").rstrip(".").replace("-", "\N{MINUS SIGN}")
