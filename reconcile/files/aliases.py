"""Name variants of players: the names of one person in different files."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import field_validator

from reconcile.files.model import Model
from reconcile.files.names import fold
from reconcile.files.yaml_file import read_yaml


class Aliases(Model):
    """A file of name variants: `players: {"Kévin Unger": ["K. Unger", "kunger"]}`."""

    schema_version: Literal[1]
    players: dict[str, tuple[str, ...]]

    @field_validator("players")
    @classmethod
    def _one_person_each(cls, players: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        owners: dict[str, str] = {}
        for name, variants in players.items():
            for variant in (name, *variants):
                owner = owners.setdefault(fold(variant), name)
                if owner != name:
                    raise ValueError(f"{variant!r} belongs to both {owner!r} and {name!r}")
        return players

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The names of every person, the main one first."""
        return [(name, *variants) for name, variants in self.players.items()]

    def chosen(self, name: str) -> str:
        """The person's main name; the name itself if no variant is listed."""
        wanted = fold(name)
        return next((group[0] for group in self.groups if wanted in map(fold, group)), name)


def load_aliases(path: str | None) -> Aliases:
    """Read a file of name variants; empty without a path. Raises `InvalidConfiguration`."""
    return Aliases(schema_version=1, players={}) if path is None else read_yaml(Path(path), Aliases)
