"""Files around the program: output that is old or whole, YAML with line numbers, caches, bounded processes, names."""
