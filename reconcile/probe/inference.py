"""From the figures of a program to its answers: the combinations of answers that give all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from reconcile.probe.battery import Answers, Sheet
from reconcile.probe.contrasts import NOUNS
from reconcile.probe.reading import Given, fits
from reconcile.rules.rulesets import QUESTIONS

RATES: Final = {"pr": "500/counted", "error_rate_memg": "1000/counted", "snowie_er": "snowie", "snowie_memg": "snowie"}
"""The answer to Q08 by the rate that a program gives."""
MOST_SHOWN: Final = 4
"""Figures of a match in a sentence."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a program gives for a contrast."""

    sheet: Sheet
    given: Given
    """Only the figures that are read."""
    fitting: frozenset[Answers]
    """The answers to what the contrast is about that give these figures."""
    failure: str = ""
    """Why there are no figures."""

    @property
    def decides(self) -> bool:
        """Whether some answers are excluded."""
        return 0 < len(self.fitting) < len(self.sheet.predicted)

    @property
    def words(self) -> str:
        """The figures in a few words: `pr 25.00, decisions.counted 2`."""
        return ", ".join(f"{name} {one.text}" for name, one in list(self.given.items())[:MOST_SHOWN])


def see(sheet: Sheet, given: Given, names: frozenset[str]) -> Seen:
    """The answers that give a program's figures of a contrast; `names` are the figures that mean what they are called."""
    kept = {name: one for name, one in given.items() if name in names and name in sheet.contrast.figures}
    return Seen(sheet, kept, frozenset(answers for answers, figures in sheet.predicted.items() if fits(figures, kept, names)))


@dataclass(frozen=True, slots=True)
class Finding:
    """The answers that a program may give to a question."""

    question: str
    possible: Answers
    decisive: tuple[Seen, ...]
    """The contrasts that exclude an answer."""
    unexplained: tuple[Seen, ...]
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

    def joined(self, others: Sequence[_Relation], seen: Seen) -> _Relation:
        """With the questions of others, and only what fits a contrast."""
        every = (self, *others)
        codes = tuple(code for one in every for code in one.codes)
        places = [codes.index(code) for code in seen.sheet.contrast.about]
        rows = (tuple(name for part in parts for name in part) for parts in product(*(one.rows for one in every)))
        return _Relation(codes, (row for row in rows if tuple(row[place] for place in places) in seen.fitting))


def infer(seen: Sequence[Seen], supported: Mapping[str, Answers], names: frozenset[str]) -> dict[str, Finding]:
    """A finding for every question.

    Contrasts about one question come first, so that those about several start from few combinations. A contrast that contradicts
    the others is left out, and its questions have no answer.
    """
    relations = [_Relation((code,), ((name,) for name in supported[code])) for code in QUESTIONS]
    unexplained = []
    for one in sorted(seen, key=lambda one: len(one.sheet.contrast.about)):
        if one.failure or not one.given:
            continue
        touched = [relation for relation in relations if set(relation.codes) & set(one.sheet.contrast.about)]
        new = touched[0].joined(touched[1:], one)
        if not new.rows:
            unexplained.append(one)
            continue
        relations = [relation for relation in relations if relation not in touched] + [new]
    return {code: _finding(code, relations, seen, unexplained, supported, names) for code in QUESTIONS}


def _finding(
    code: str,
    relations: Sequence[_Relation],
    seen: Sequence[Seen],
    unexplained: Sequence[Seen],
    supported: Mapping[str, Answers],
    names: frozenset[str],
) -> Finding:
    about = [one for one in seen if code in one.sheet.contrast.about]
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
        unseen = f"no .{seen[0].sheet.form} file can show it"
    elif all(one.failure for one in about):
        unseen = f"it fails on the matches about it: {about[0].failure}"
    elif not any(one.given for one in about):
        unseen = f"it prints no {NOUNS[about[0].sheet.contrast.figures]}"
    elif len(possible) == len(supported[code]) and not any(one in unexplained for one in about):
        unseen = "the figures that it prints are the same under all answers"
    decisive = tuple(one for one in about if one.decides)
    return Finding(code, possible, decisive, tuple(one for one in unexplained if one in about), unseen)
