"""The conformance suite: tiny matches, each about one edge, and what programs make of them."""
