"""What is read or refused and how, as the cases of `refused.yaml`."""

from __future__ import annotations

from typing import Any

from tests.support.tables import beside


def cases(section: str) -> dict[str, Any]:
    """The cases of a section by name."""
    sections: dict[str, dict[str, Any]] = beside(__file__, "refused.yaml")
    return sections[section]
