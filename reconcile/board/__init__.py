"""The board: a position, the plays a roll allows, and the identifiers that name both in other tools."""
