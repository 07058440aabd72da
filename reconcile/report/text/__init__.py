"""Results as text: for a terminal or a log, or as comma-separated values."""
