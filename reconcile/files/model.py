"""Base of the models of YAML files that people write."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Unknown keys are errors, values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True)
