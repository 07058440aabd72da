"""A match under a rule set: which decisions count, what they cost, and every figure made of that."""
