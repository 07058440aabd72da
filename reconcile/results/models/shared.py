"""What several documents have in common: numbers, names, a source, and a finding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from reconcile import tools
from reconcile.scoring.findings import Severity

Version = Annotated[Literal[1], Field(description="Raised by one for every incompatible change.")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(ge=0)]
Text = Annotated[str, Field(min_length=1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PRINTED: Final = "^\\s*[+\\-\N{MINUS SIGN}]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+\\-]?[0-9]{1,3})?\\s*%?\\s*$"
"""A number as programs print it."""
if TYPE_CHECKING:
    Players: TypeAlias = Sequence[str]
else:
    Players = Annotated[list[str], Field(min_length=2, max_length=2)]


class Source(TypedDict):
    """A file, so that anyone can check a figure against the same bytes."""

    path: str
    """As given; `-` for standard input."""
    sha256: Sha256
    """SHA-256 of its bytes."""
    format: Text
    """Format found in its content."""
    tool: Text
    """The program that wrote it."""
    tool_version: str | None
    """As stated in the file; null if the format does not say."""


class Finding(TypedDict):
    """A finding about a file or a pair. `reconcile explain CODE` prints its page."""

    code: Annotated[str, Field(pattern="^[a-z][a-z0-9-]*$")]
    """The finding's code."""
    severity: Severity
    """How much it matters."""
    title: str
    """What it is, in a few words."""
    evidence: str
    """Where and how much, in this file or pair."""
    advice: str
    """What to do about it."""
    side: tools.Side | None
    """The file it is about in a comparison; null for the pair or a single file."""
    player: str | None
    """The player it is about; null for both."""
