"""Packs of reference matches, and programs under test that are compared with them."""
