"""Packs of reference matches, what they judge, and the programs under test that are compared with them."""
