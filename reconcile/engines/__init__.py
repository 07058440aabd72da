"""Backgammon programs, run and stopped as separate processes."""
