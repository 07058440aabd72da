"""What is read or refused and how, as the cases of `refused.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml


@cache
def cases(section: str) -> dict[str, Any]:
    """The cases of a section by name."""
    path = Path(__file__).with_name("refused.yaml")
    sections: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))
    return sections[section]
