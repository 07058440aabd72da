"""Base of the models of YAML files that people write, and the model of a file of name variants."""

from __future__ import annotations

from datetime import date as Day  # noqa: N812 - as in `match.match`
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from reconcile.files.names import fold


class Model(BaseModel):
    """Unknown keys are errors, values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Namesake(Model):
    """Matches of one of several persons with the same name."""

    event: str | None = None
    file: str | None = None
    since: Day | None = None
    until: Day | None = None

    @model_validator(mode="after")
    def _is_told_apart(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("expected at least one of event, file, since and until")
        return self


class AliasFile(Model):
    """`players: {"Kévin Unger": ["K. Unger", "kunger"]}`."""

    schema_version: Literal[1]
    players: dict[str, tuple[str, ...]] = {}
    namesakes: dict[str, dict[str, Namesake]] = {}

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
