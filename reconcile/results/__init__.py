"""Results as the JSON documents of the command line, and those documents read back."""
