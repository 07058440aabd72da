"""Everything around files: output written completely or not at all, YAML with line numbers,
caches, processes."""
