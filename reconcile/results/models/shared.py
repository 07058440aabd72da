"""What several documents have in common: numbers, names, a source, a finding, and an object with a key for each of many names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from reconcile import tools
from reconcile.columns import Kind
from reconcile.scoring.findings import Severity

Version = Annotated[Literal[1], Field(description="Raised by one for every incompatible change.")]
Count = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(ge=0)]
Text = Annotated[str, Field(min_length=1)]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
if TYPE_CHECKING:
    KindName: TypeAlias = str
    Players: TypeAlias = Sequence[str]
else:
    KindName = Literal[tuple(kind.label for kind in Kind)]
    Players = Annotated[list[str], Field(min_length=2, max_length=2)]


def with_keys(name: str, fields: Mapping[str, tuple[object, str]], description: str, optional: Collection[str] = ()) -> Any:
    """The type of an object with these keys, of which each has a type and a description."""
    described: dict[str, Any] = {key: Annotated[kind, Field(description=text)] for key, (kind, text) in fields.items()}
    made = TypedDict(name, {key: NotRequired[kind] if key in optional else kind for key, kind in described.items()})  # type: ignore[misc]
    made.__doc__ = description
    return made


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
