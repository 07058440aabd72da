"""The board: positions, the plays that a roll allows, and the identifiers that other tools use for
them."""
