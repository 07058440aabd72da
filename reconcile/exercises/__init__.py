"""A player's errors as exercises: over all matches, for practice, cards, text and paper."""
