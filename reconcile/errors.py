"""Everything that can be wrong with a user's input; a bug is never one of these and keeps its traceback.

A message says where, what was expected, what was found and what to do. The command line catches
`ReconcileError` in one place and exits with 2.
"""

from __future__ import annotations


class ReconcileError(Exception):
    """Something given to the program cannot be used; the text is one line for a person."""


class UnreadableFile(ReconcileError):
    """A file is missing, damaged, truncated, hostile, or of another game or version."""


class NotTheSameMatch(ReconcileError):
    """Two files were to be compared, but they do not hold the same match."""


class UnknownName(ReconcileError):
    """A rule set, match equity table, metric, player, tolerance table or code that does not exist."""


class MissingPackage(ReconcileError):
    """An input or output needs a package from an optional extra."""


class InvalidConfiguration(ReconcileError):
    """A tolerance file or manifest violates its schema."""


class NothingToCompare(ReconcileError):
    """No figure could be judged, so neither "within" nor "outside" would be true."""


class InvalidQuery(ReconcileError):
    """A question in SQL to a corpus is wrong, not permitted, or needs too much."""


class EngineError(ReconcileError):
    """A backgammon program is not installed, failed, or took too long."""


def reason_of(error: Exception) -> str:
    """What went wrong in the system's words, for the middle of a sentence."""
    return (getattr(error, "strerror", None) or str(error)).lower()
