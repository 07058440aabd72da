"""What is read or refused and how, as the cases of `refused.yaml`."""

from tests.support.tables import beside


def cases(section):
    """The cases of a section by name."""
    sections = beside(__file__, "refused.yaml")
    return sections[section]
