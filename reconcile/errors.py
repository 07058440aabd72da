"""Everything that can be wrong with what a user gave us; a bug is never one of these and keeps its traceback.

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
    """An output or input was asked for that needs a package of an optional extra."""


class InvalidConfiguration(ReconcileError):
    """A tolerance file or manifest breaks its schema."""


class NothingToCompare(ReconcileError):
    """Not one figure could be judged, so neither "within" nor "outside" would be true."""


class EngineError(ReconcileError):
    """A program that plays is not installed, failed, or took too long."""
