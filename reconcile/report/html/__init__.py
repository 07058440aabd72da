"""Results as pages: one file each, with everything in it."""
