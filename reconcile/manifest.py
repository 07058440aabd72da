"""The manifests of a pack of reference matches: what a `match.yaml` may say.

A pack is a folder with one folder per match, each with a `match.yaml`. Reported figures are written by people who read them in
the tool and never regenerated.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Final, Literal

from pydantic import Field, field_validator, model_validator

from reconcile.errors import InvalidConfiguration
from reconcile.metrics import ALIASES, METRICS
from reconcile.rules.rulesets import RULE_SETS
from reconcile.yaml_file import Model, read_yaml

MANIFEST: Final = "match.yaml"


class ReferenceFile(Model):
    """One file of a reference match."""

    name: str = Field(min_length=1)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int = Field(gt=0)
    url: str | None
    bundled: bool
    tool: str
    tool_version: str | None
    level: str | None

    @field_validator("name")
    @classmethod
    def _plain_name(cls, name: str) -> str:
        if name != Path(name).name or name in (".", "..") or "\\" in name or "\0" in name:
            raise ValueError("expected a plain file name inside the pack")
        return name

    @field_validator("url")
    @classmethod
    def _secure(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith("https://"):
            raise ValueError("expected an https:// address")
        return url

    @model_validator(mode="after")
    def _obtainable(self) -> ReferenceFile:
        if not self.bundled and self.url is None:
            raise ValueError("expected a url for a file that is not bundled")
        return self


class Reported(Model):
    """Figures a tool showed for a file, with who read them."""

    file: str
    rules: str
    table: str
    source: str = Field(min_length=10)
    met: str | None = None
    by_seat: bool = False
    """Players are given as "1" and "2", in the order of the file, where their names in it are not known."""
    players: dict[str, dict[str, str]] = Field(min_length=1)
    """Player -> metric -> figure exactly as printed."""

    @field_validator("rules")
    @classmethod
    def _known_rules(cls, name: str) -> str:
        if name not in RULE_SETS:
            raise ValueError(f"unknown rule set, expected one of {', '.join(RULE_SETS)}")
        return name

    @field_validator("players")
    @classmethod
    def _numbers(cls, players: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
        for name, figures in players.items():
            for key, text in figures.items():
                if key in ALIASES:
                    raise ValueError(f"{name}: write {ALIASES[key]} for {key}")
                if key not in METRICS:
                    raise ValueError(f"{name}: no metric {key!r}; there are {', '.join(METRICS)}")
                try:
                    if not Decimal(text).is_finite():
                        raise InvalidOperation
                except InvalidOperation:
                    raise ValueError(f"{name}: {key}: expected a number as printed, found {text!r}") from None
        return players


class Pair(Model):
    """Two files of a reference match to be compared."""

    left: str
    right: str
    judged_by: str | None
    """A table of tolerances, or null for a pair that is explained and not judged."""
    note: str = ""


class Manifest(Model):
    """A `match.yaml`."""

    schema_version: Literal[1]
    id: str = Field(pattern="^[a-z0-9][a-z0-9-]*$")
    title: str
    synthetic: bool
    licence: str
    provenance: str = Field(min_length=10)
    files: dict[str, ReferenceFile] = Field(min_length=1)
    reported: tuple[Reported, ...]
    pairs: tuple[Pair, ...]

    @model_validator(mode="after")
    def _known_files(self) -> Manifest:
        for name in [reported.file for reported in self.reported] + [side for pair in self.pairs for side in (pair.left, pair.right)]:
            if name not in self.files:
                raise ValueError(f"{name!r} is none of the files {', '.join(self.files)}")
        return self


def load_pack(pack: Path) -> list[tuple[Path, Manifest]]:
    """The manifests of a pack, by id; `pack` may be the folder of a single match. Raises `InvalidConfiguration`."""
    if not pack.is_dir():
        raise InvalidConfiguration(f"{pack}: expected a folder of reference matches, found {'a file' if pack.exists() else 'nothing'}")
    paths = [pack / MANIFEST] if (pack / MANIFEST).is_file() else sorted(pack.glob(f"*/{MANIFEST}"))
    if not paths:
        raise InvalidConfiguration(f"{pack}: expected folders with a {MANIFEST}, found none")
    manifests = []
    for path in paths:
        manifest = read_yaml(path, Manifest)
        if manifest.id != path.parent.resolve().name:
            raise InvalidConfiguration(f"{path}: id: expected {path.parent.resolve().name!r} as the folder is named, found {manifest.id!r}")
        manifests.append((path.parent, manifest))
    return manifests
