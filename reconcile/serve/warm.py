"""Imported ahead of any work by what starts workers."""

from reconcile.serve.child import warm

warm()
