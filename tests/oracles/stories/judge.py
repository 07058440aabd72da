"""Holds the sentences of a document against the facts in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from tests.oracles.stories.forms import Form, Names, first_that_matches


class Facts(Protocol):
    """The facts of a document that its sentences are about."""

    @property
    def names(self) -> Names:
        """What its sides and players are called."""

    def finish(self) -> Iterable[str]:
        """What is wrong with the sentences taken together."""


@dataclass(frozen=True)
class Fault:
    """A sentence that is not true, or that nobody can check."""

    document: str
    sentence: str
    wrong: str

    def __str__(self) -> str:
        return f"{self.document}\n    {self.sentence!r}\n    {self.wrong}"


def faults(
    document: str, facts: Facts, sentences: Sequence[str], forms: Iterable[Form]
) -> Iterator[Fault]:
    """Every fault of the sentences, read in order."""
    forms = tuple(forms)
    for sentence in sentences:
        said = first_that_matches(sentence, forms, facts.names)
        if said is None:
            yield Fault(document, sentence, "no form of the judge has this sentence")
            continue
        for wrong in (*(said.form.claim(facts, said) or ()), *said.unread()):
            yield Fault(document, sentence, wrong)
    for wrong in facts.finish():
        yield Fault(document, " ".join(sentences), wrong)
