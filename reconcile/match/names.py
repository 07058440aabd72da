"""Names of players in the form used for comparing them, since exporters change case, accents,
underscores and spaces; the names of one person in different files, and one name of several persons.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field
from datetime import date as Day  # noqa: N812 - as in `match.match`
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import Literal

from reconcile.errors import Misplaced

_BLANKS = bytes.maketrans(b"\t\n", b"  ")


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """A name in the form used for comparing: without case, accents, underscores and repeated
    spaces."""
    if name.isascii():
        return " ".join(name.replace("_", " ").lower().split())
    plain = unicodedata.normalize("NFKD", name.replace("_", " ")).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c)).translate(
        {0xF8: "o", 0x142: "l", 0x111: "d", 0xE6: "ae", 0xDF: "ss"}
    )
    return " ".join(plain.split())


def names_with(part: str, names: Iterable[str]) -> list[str]:
    """The names that a text is, or else is a part of, in the form used for comparing."""
    wanted, every = fold(part), list(names)
    exact = [name for name in every if fold(name) == wanted]
    return exact or [name for name in every if wanted and wanted in fold(name)]


def told_apart(players: tuple[str, str]) -> tuple[str, str]:
    """The names of two players, distinguished by their seats if they are the same: `Same#1` and
    `Same#2`."""
    first, second = players
    return (f"{first}#1", f"{second}#2") if fold(first) == fold(second) else players


def unbroken(text: bytes) -> bytes:
    """A name on one line, as the standard of SGF wants it: line feeds and tabs become blanks."""
    return text.translate(_BLANKS)


FORBID = {"extra": "forbid"}
"""What a dataclass says to pydantic so that an unknown key is an error."""


@dataclass(frozen=True, slots=True)
class Where:
    """Matches of one of several persons with the same name: all that is given holds; `event` and
    `file` are patterns."""

    event: str | None = None
    file: str | None = None
    since: Day | None = None
    until: Day | None = None
    __pydantic_config__ = FORBID

    def __post_init__(self) -> None:
        if not any(astuple(self)):
            raise ValueError("expected at least one of event, file, since and until")

    def holds(self, event: str, file: str, day: Day | None) -> bool:
        """Whether a match is one of these; one without a date is in no period."""
        for pattern, value in ((self.event, event), (self.file, file)):
            if pattern is not None and not fnmatchcase(value.lower(), pattern.lower()):
                return False
        if self.since is None and self.until is None:
            return True
        return day is not None and (self.since or day) <= day <= (self.until or day)


@dataclass(frozen=True, slots=True)
class Aliases:
    """The name variants of a file, or none: `players: {"Kévin Unger": ["K. Unger", "kunger"]}`."""

    schema_version: Literal[1]
    players: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    namesakes: Mapping[str, Mapping[str, Where]] = field(default_factory=dict)
    """By a name of several persons, where each of them played: `{"Joan Smith": {"Joan Smith
    (Oslo)": {event: "Oslo*"}}}`."""
    __pydantic_config__ = FORBID

    def __post_init__(self) -> None:
        owners: dict[str, str] = {}
        for name, *variants in self.groups:
            for variant in (name, *variants):
                owner = owners.setdefault(fold(variant), name)
                if owner != name:
                    text = f"{variant!r} belongs to both {owner!r} and {name!r}"
                    raise Misplaced(text, "players")

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The names of every person, the main one first."""
        return [(name, *variants) for name, variants in self.players.items()]

    def chosen(self, name: str) -> str:
        """The person's main name; the name itself if no variant is listed."""
        wanted = fold(name)
        return next((group[0] for group in self.groups if wanted in map(fold, group)), name)

    def shared(self, name: str) -> Mapping[str, Where]:
        """The persons of a name that several have, in the order of the file; empty for any
        other."""
        wanted = {fold(name), fold(self.chosen(name))}
        return next(
            (persons for shared, persons in self.namesakes.items() if fold(shared) in wanted), {}
        )

    def person(self, name: str, event: str, file: str, day: Day | None) -> str:
        """Who played a match under this name: of namesakes the first whose matches it is one of,
        else the person's main name."""
        chosen = (
            person for person, where in self.shared(name).items() if where.holds(event, file, day)
        )
        return next(chosen, self.chosen(name))


NO_ALIASES = Aliases(schema_version=1)


def load_aliases(path: str | Path | None) -> Aliases:
    """Read a file of name variants; empty without a path. Raises `InvalidConfiguration`."""
    if path is None:
        return NO_ALIASES
    from reconcile.files.yaml_file import read_yaml  # a program without such a file needs no YAML

    return read_yaml(Path(path), Aliases)
