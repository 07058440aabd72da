"""A rule set as a YAML file: the answers in which a program differs from a known rule set, with what is known of them.

    extends: gammonview
    answers: {Q04: yes}

`title`, `name`, `version` and `evidence` (by question) are optional. What a file declares is taken as known: its rule set has no open
answers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from reconcile.errors import InvalidConfiguration
from reconcile.files.yaml_file import Misplaced, Model, read_yaml
from reconcile.rules.rulesets import QUESTIONS, RULE_SETS, RuleSet

LONGEST_TEXT: Final = 2000
NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,59}")
SPELLING: Final = "a name of 1 to 60 letters without accents, digits, dots, hyphens, underscores and plus signs"

Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT)]
AnswerName = Annotated[str, BeforeValidator(lambda found: str(found) if type(found) is int else found)]
"""The name of an answer; `100` needs no quotes."""


class RuleFile(Model):
    """What a rule file can contain."""

    schema_version: Literal[1] = 1
    name: str | None = None
    """By default the name of the file without its ending."""
    title: Text | None = None
    version: Text | None = None
    extends: str | None = None
    """The known rule set that answers every question without an answer here."""
    answers: dict[str, AnswerName] = Field(default_factory=dict)
    """Question -> name of the answer."""
    evidence: dict[str, Text] = Field(default_factory=dict)
    """Question -> how the answer is known."""

    @field_validator("name")
    @classmethod
    def _own_name(cls, name: str | None) -> str | None:
        if name is not None:
            _check_name(name)
        return name

    @field_validator("extends")
    @classmethod
    def _known_rules(cls, name: str | None) -> str | None:
        if name is not None and name not in RULE_SETS:
            raise ValueError(f"no such rule set{_near(name, RULE_SETS)}, expected one of {', '.join(RULE_SETS)}")
        return name

    @model_validator(mode="after")
    def _known_answers(self) -> RuleFile:
        for part in ("answers", "evidence"):
            for code in getattr(self, part):
                if code not in QUESTIONS:
                    raise Misplaced(f"no such question{_near(code, QUESTIONS)}, expected one of {', '.join(QUESTIONS)}", part, code)
        for code, answer in self.answers.items():
            known = QUESTIONS[code].answers
            if answer not in known:
                shown = repr(answer[:100])
                raise Misplaced(f"no answer {shown}{_near(answer, known)}, expected one of {', '.join(known)}", "answers", code)
        missing = ", ".join(code for code in QUESTIONS if code not in self.answers)
        if self.extends is None and missing:
            raise Misplaced(f"expected an answer to every question, or `extends` with a rule set, found none to {missing}", "answers")
        return self


def read_rules(path: Path) -> RuleSet:
    """The rule set of a file. Raises `InvalidConfiguration`."""
    file = read_yaml(path, RuleFile, regular=True)
    name = file.name or path.stem
    try:
        _check_name(name)
    except ValueError as error:
        raise InvalidConfiguration(f"{path}: {error}, found the file's name {name!r}; add `name:` to the file") from None
    base = RULE_SETS[file.extends].answers if file.extends else {}
    return RuleSet(
        name,
        file.title or (f"{file.extends} with other answers" if file.extends and file.answers else file.extends or "answers of its own"),
        MappingProxyType({code: file.answers.get(code) or base[code] for code in QUESTIONS}),
        file=path.name,
        version=file.version or "",
        evidence=MappingProxyType(file.evidence),
    )


def _check_name(name: str) -> None:
    """Raise `ValueError` for a name that an output could not show as it is, or that is another rule set's."""
    if not NAME.fullmatch(name):
        raise ValueError(f"expected {SPELLING}")
    if name.casefold() in RULE_SETS:
        raise ValueError(f"expected a name that no known rule set has ({', '.join(RULE_SETS)})")


def _near(name: str, known: Iterable[str]) -> str:
    """What may have been meant, in words."""
    near = get_close_matches(name[:100], list(known), 1)
    return f" (did you mean {near[0]}?)" if near else ""
