"""Which rules would have given a figure that somebody saw."""
