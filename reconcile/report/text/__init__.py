"""Results as text: for a terminal, a log, or a table of comma-separated values."""
