"""A match under a rule set: which decisions count, what they cost, and the figures that follow."""
