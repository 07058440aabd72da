"""What is read or refused and how, as the cases of `refused.yaml`."""

from typing import Any

from tests.support.tables import beside


def cases(section):
    """The cases of a section by name."""
    sections: dict[str, dict[str, Any]] = beside(__file__, "refused.yaml")
    return sections[section]
