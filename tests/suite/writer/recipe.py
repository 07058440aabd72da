"""The cases of the suite as they are described (`cases.yaml`): each a match of a few turns of two
synthetic players that isolates one edge."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from reconcile.files.yaml_file import read_tree
from reconcile.rules.rulesets import QUESTIONS
from tests.suite.writer.synthetic import FORMATS, content_of, match_of, parsed

LINES = read_tree(Path(__file__).with_name("cases.yaml"))


@dataclass(frozen=True)
class Recipe:
    """A match of a few turns, described."""

    id: str
    """`AREA-EDGE[-NUMBER]`, for ever."""
    question: str
    """Code of the question that it belongs to; empty for none."""
    about: str
    """What it tests."""
    described: Mapping[str, Any] = field(repr=False, compare=False)
    """Its match, as `match_of` takes it."""
    formats: Sequence[str] = FORMATS
    """The formats that can hold it."""
    reads: Sequence[str] = ()
    """Every question whose answer can change the studied player's figures, where answers are read
    from it."""

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
    return tuple(recipe for name, line in LINES.items() for recipe in _recipes(name, line))


def _recipes(name, line):
    """The case of a line, or those of its rows."""
    _, _, *rows = line.split(" | ")
    for row in rows[0].split(", ") if rows else [""]:
        codes = [word for word in row.split() if word in QUESTIONS]
        values = [word for word in row.split() if word not in codes]
        text = f"{name} | {line}"
        for place, value in enumerate(values, 1):
            text = text.replace(f"${place}", value)
        own, about, match, *_ = text.split(" | ")
        code = about[:3] if about[:3] in QUESTIONS else ""
        described = parsed(match)
        formats, reads = described.pop("only", FORMATS), described.pop("reads", codes)
        yield Recipe(own, code, about[len(code) :].lstrip(), described, formats, reads)
