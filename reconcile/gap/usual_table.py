"""A table of usual gaps as a file: written by `corpus-report --usual`, read by `compare --corpus`. It has the form of the program's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from reconcile.errors import InvalidConfiguration, reason_of
from reconcile.files.inputs import note
from reconcile.files.limits import LARGEST_JSON
from reconcile.files.model import Model
from reconcile.files.regular import open_regular
from reconcile.gap.usual import Analysis

Size = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Plies = Annotated[float, Field(ge=0, allow_inf_nan=False)] | None


class UsualPair(Model):
    """Two tools at one level each, in the same order everywhere."""

    tools: tuple[str, str]
    lookahead: tuple[Plies, Plies]
    """Plies looked ahead in most evaluations; `None` for rollouts and the like."""
    matches: int
    gaps: tuple[Size, ...]
    """Sizes of the gaps of PR, one for each player of a match, or evenly spaced ones of very many."""


class UsualTable(Model):
    """Every pair of tools and levels that was measured."""

    pairs: tuple[UsualPair, ...]
    measured: str | None = None
    """The day; left out where the table depends on nothing but an archive."""

    def between(self, left: Analysis, right: Analysis) -> tuple[float, ...]:
        """The sizes for two such analyses, in either order; empty where there are none."""
        wanted = {left, right}
        return tuple(size for one in self.pairs if set(zip(one.tools, one.lookahead, strict=True)) == wanted for size in one.gaps)


def load_usual(path: str) -> UsualTable:
    """Read a table. Raises `InvalidConfiguration`."""
    note(path)
    try:
        with open_regular(Path(path)) as file:
            content = file.read(LARGEST_JSON + 1)
    except OSError as error:
        raise InvalidConfiguration(f"cannot be read: {reason_of(error)}; check the path", path) from None
    if len(content) > LARGEST_JSON:
        raise InvalidConfiguration(f"expected at most {LARGEST_JSON >> 20} MB, found more; write it again with corpus-report --usual", path)
    try:
        return UsualTable.model_validate_json(content)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        text = f"{where}: {first['msg']}" if where else first["msg"]
        raise InvalidConfiguration(
            f"expected a table of usual gaps, found {text}; write it again with corpus-report --usual", path
        ) from None


def usual_document(pairs: Sequence[Mapping[str, Any]]) -> str:
    """The table as the text of a file, a line for each pair; with all digits, so that a match of the archive is no larger than itself."""
    lines = ",\n".join(json.dumps(pair) for pair in pairs)
    return f'{{"pairs": [\n{lines}\n]}}\n'
