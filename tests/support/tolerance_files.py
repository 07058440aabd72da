"""Tables of tolerances and texts of such files."""

from reconcile.gap.tolerances import Tolerances


def bound(**facts):
    """An entry of a table, an error unless it says otherwise."""
    return {"level": "error", "reason": "r", "source": "s", **facts}


def tables(name="one", /, **entries):
    """A file with one table."""
    return {"schema_version": 1, "tables": {name: {"title": "t", "entries": entries}}}


def of_pr(**facts):
    """A file with a bound of PR alone."""
    return tables(pr=bound(**facts))


def bounds(level, limits):
    """A table `documented` that bounds these figures."""
    entries = {name: bound(abs=limit, level=level) for name, limit in limits.items()}
    return Tolerances.from_mapping(tables("documented", **entries))


TABLES = """schema_version: 1
tables:
  documented:
    title: t
    entries:
      pr: {abs: 0.5, level: error, reason: "r", source: "s"}
      decisions: {abs: 0, level: error, reason: "r", source: "s"}
      pr@engine: {abs: 0.2, level: warn, reason: "r", source: "s"}
"""
OVERRIDE = (
    "overrides:\n  - {table: documented, match: one, player: Nora, metric: pr, abs: "
    '2.0, level: error, until: 2027-03-31, reason: "net"}\n'
)
"""To be added to `TABLES`."""
KNOWN = (
    "known_gaps:\n  - {table: documented, match: one, player: Nora, metric: pr, gap: -1.25, "
    'cause: rule.Q02, until: 2027-03-31, reason: "closed no-doubles", evidence: ["issue 12"]}\n'
)
"""The same: a gap that is expected."""
