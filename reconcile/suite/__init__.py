"""The conformance suite: matches of a few turns, each about one edge, with the figures under every known rule set; and the programs that run it."""
