"""Other programs as candidates: scripts that print their figures of a file, for `--candidate-command`."""
