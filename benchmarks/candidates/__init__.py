"""Other programs as candidates: scripts that print figures, for `--candidate-command`."""
