"""Name variants of players: the names of one person in different files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from reconcile.files.names import fold


@dataclass(frozen=True, slots=True)
class Aliases:
    """The name variants of a file, or none: `players: {"Kévin Unger": ["K. Unger", "kunger"]}`."""

    schema_version: int
    players: Mapping[str, tuple[str, ...]]

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The names of every person, the main one first."""
        return [(name, *variants) for name, variants in self.players.items()]

    def chosen(self, name: str) -> str:
        """The person's main name; the name itself if no variant is listed."""
        wanted = fold(name)
        return next((group[0] for group in self.groups if wanted in map(fold, group)), name)


NO_ALIASES: Final = Aliases(schema_version=1, players={})


def load_aliases(path: str | None) -> Aliases:
    """Read a file of name variants; empty without a path. Raises `InvalidConfiguration`."""
    if path is None:
        return NO_ALIASES
    from reconcile.files.model import AliasFile
    from reconcile.files.yaml_file import read_yaml

    read = read_yaml(Path(path), AliasFile)
    return Aliases(read.schema_version, read.players)
