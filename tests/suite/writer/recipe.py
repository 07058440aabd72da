"""The cases of the suite as they are described (`cases.yaml`): each a match of a few turns of two
synthetic players that isolates one edge."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from reconcile.files.yaml_file import read_tree
from reconcile.rules.rulesets import QUESTIONS
from tests.suite.writer.synthetic import FORMATS, content_of, match_of

ENTRIES = read_tree(Path(__file__).with_name("cases.yaml"))
NUMBER = re.compile(r"-?[\d.]+")


@dataclass(frozen=True)
class Recipe:
    """A match of a few turns, described."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str
    """Code of the question that it belongs to; empty for none."""
    about: str
    """What it tests."""
    formats: Sequence[str]
    """The formats that can hold it."""
    reads: Sequence[str]
    """Every question whose answer can change the studied player's figures, where answers are read
    from it."""
    described: Mapping[str, Any] = field(repr=False, compare=False)
    """Its match, as `match_of` takes it."""

    @cached_property
    def match(self):
        """Its turns."""
        return match_of(**self.described)

    def files(self):
        """By name, the bytes of its files; the same every time."""
        for form in self.formats:
            yield f"{self.id}.{form}", content_of(self.match, form)


@cache
def recipes():
    """All cases, area by area."""
    return tuple(_recipe(**row) for name, entry in ENTRIES.items() for row in _rows(name, **entry))


def _rows(name, each="", **entry):
    """The cases of an entry: itself, or one for each of its rows."""
    for row in each.split(", "):
        words = row.split()
        codes = [word for word in words if word in QUESTIONS]
        reads = {"reads": codes} if codes else {}
        values = [word for word in words if word not in codes]
        yield _filled({"name": name, **entry}, values) | reads


def _filled(value, values):
    """The same with the values of a row where `$1`, `$2` stand."""
    if isinstance(value, dict):
        return {key: _filled(part, values) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, values) for part in value]
    if not isinstance(value, str) or "$" not in value:
        return value
    text = re.sub(r"\$(\d)", lambda number: values[int(number[1]) - 1], value)
    return json.loads(text) if value.startswith(("$", "-$")) and NUMBER.fullmatch(text) else text


def _recipe(
    name,
    tests,
    question="",
    formats=FORMATS,
    reads=(),
    **match,
):
    return Recipe(name, question, tests, formats, reads, match)
