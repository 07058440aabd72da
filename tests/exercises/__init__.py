"""Tests of `reconcile.exercises`."""
