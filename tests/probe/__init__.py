"""Tests of `reconcile/probe`."""
