"""Reconcile backgammon statistics between tools."""

__version__ = "0.1.0"
