"""Finds the rules that give a figure somebody saw."""
