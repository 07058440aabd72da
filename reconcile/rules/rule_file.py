"""A rule set as a YAML file: the answers in which a program differs from a known rule set, with
what is known of them.

    extends: gammonview
    answers: {Q04: yes}

`title`, `name`, `program`, `version` and `evidence` are optional. `evidence` has, by question, a
sentence or the columns of the table of programs: `status`, `source`, `quote`, `date`, `separates`.
What a file declares is taken as known, unless its status is `unknown`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from reconcile.errors import At, InvalidConfiguration
from reconcile.files.model import Model
from reconcile.files.yaml_file import checked_mapping, place, read_yaml
from reconcile.rules.catalogue import Cell, Status
from reconcile.wording import LONGEST_NAME, did_you_mean

UNNAMED = "given"
"""What rules are called that come from no file and have no name."""
LONGEST_TEXT = 2000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")
SPELLING = (
    "a name of 1 to 60 letters without accents, digits, dots, hyphens, underscores and plus signs"
)

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
AnswerName = Annotated[str, BeforeValidator(lambda name: str(name) if type(name) is int else name)]
"""The name of an answer; `100` needs no quotes."""


class Evidence(Model):
    """How an answer is known, in the columns of the table of programs."""

    status: Status | None = None
    """None where the file gives a sentence only."""
    source: Text | None = None
    """An address, or a file with its version or commit."""
    quote: Text | None = None
    """A few words or figures of it."""
    date: Day | None = None
    """The day on which it was looked up."""
    separates: Text | None = None
    """The file or the case that tells this answer from the next."""


class RuleFile(Model):
    """What a rule file can contain."""

    schema_version: Literal[1] = 1
    name: str | None = None
    """By default the name of the file without its ending."""
    title: Text | None = None
    program: Text | None = None
    """The program whose rules they are."""
    version: Text | None = None
    extends: str | None = None
    """The known rule set that answers every question without an answer here."""
    answers: dict[str, AnswerName] = Field(default_factory=dict)
    """Question -> name of the answer."""
    evidence: dict[
        str,
        Annotated[
            Evidence,
            BeforeValidator(lambda row: {"quote": row} if isinstance(row, str) else row),
        ],
    ] = Field(default_factory=dict)
    """Question -> how the answer is known."""

    def cells(self) -> dict[str, Cell]:
        """The evidence as rows of the table of programs."""
        return {code: _cell(self.answers[code], row) for code, row in self.evidence.items()}

    def faults(
        self, questions: Mapping[str, Collection[str]], rule_sets: Mapping[str, Mapping[str, str]]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        """What is not known, with the keys that lead to it."""
        if self.name is not None and (unfit := _unfit(self.name, rule_sets)):
            yield ("name",), f"{unfit}, found {self.name[:LONGEST_NAME]!r}"
        if self.extends is not None and self.extends not in rule_sets:
            yield ("extends",), _unknown("rule set", self.extends, rule_sets)
        for part, rows in (("answers", self.answers), ("evidence", self.evidence)):
            yield from (
                ((part, code), _unknown("question", code, questions))
                for code in rows
                if code not in questions
            )
        for code, answer in self.answers.items():
            if answer not in questions[code]:
                yield ("answers", code), _unknown("answer", answer, questions[code])
        for code, row in self.evidence.items():
            if row.status and row.status.needs_source and not row.source:
                yield (
                    ("evidence", code),
                    f"status {row.status.value!r} needs a `source` that names the program and its "
                    "version",
                )
        missing = ", ".join(code for code in questions if code not in self.answers)
        if self.extends is None and missing:
            yield (
                ("answers",),
                "expected an answer to every question, or `extends` with a rule set, found none "
                f"to {missing}",
            )


def _cell(answer: str, evidence: Evidence) -> Cell:
    unknown = evidence.status is Status.UNKNOWN
    own = None if unknown or evidence.status is Status.NOT_APPLICABLE else answer
    return Cell(answer=own, used=answer, open=unknown, **dict(evidence))


def read_rules(
    rules: str | Mapping[str, Any],
    questions: Mapping[str, Collection[str]],
    rule_sets: Mapping[str, Mapping[str, str]],
) -> RuleFile:
    """The file of a path, or what would be in one, with its name, its title and an answer to every
    question. Raises `InvalidConfiguration`.

    `questions` are those that there are, with the names of their answers; `rule_sets` the answers
    of those that can be extended.
    """
    path = Path(UNNAMED if isinstance(rules, Mapping) else rules)
    file = (
        checked_mapping("rules", rules, RuleFile)
        if isinstance(rules, Mapping)
        else read_yaml(path, RuleFile, regular=True)
    )
    name, unfit = (file.name, "") if file.name else (path.stem, _unfit(path.stem, rule_sets))
    fault = next(file.faults(questions, rule_sets), None)
    if fault:
        keys, message = fault
        if isinstance(rules, Mapping):
            at = At("rules", key=": ".join(keys))
            raise InvalidConfiguration(f"{message}; correct the rules", at)
        raise InvalidConfiguration(f"{message}; correct the file", place(path, *keys))
    if unfit:
        raise InvalidConfiguration(
            f"{unfit}, found the file's name {name!r}; add `name:` to the file", path
        )
    title = (
        f"{file.extends} with other answers"
        if file.extends and file.answers
        else file.extends or "answers of its own"
    )
    base = rule_sets[file.extends] if file.extends else {}
    answers = {code: file.answers.get(code) or base[code] for code in questions}
    return file.model_copy(update={"name": name, "title": file.title or title, "answers": answers})


def _unfit(name: str, names: Collection[str]) -> str:
    """Why a name cannot be that of a rule set: an output could not show it as it is, or it is
    another's; empty if it can."""
    if not NAME.fullmatch(name):
        return f"expected {SPELLING}"
    another = f"expected a name that no known rule set has ({', '.join(names)})"
    return another if name.casefold() in names else ""


def _unknown(noun: str, name: str, names: Collection[str]) -> str:
    """That a name is not known, what may have been meant, and what there is."""
    near = did_you_mean(name, names)
    return f"no {noun} {name[:LONGEST_NAME]!r}{near}, expected one of {', '.join(names)}"
