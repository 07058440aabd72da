"""Two or more analyses of one match: paired, and the gap between their figures walked in steps that
add up exactly."""
