"""A match as every format is read: its decisions as columns, the board, match equity tables, and
the programs that analyse."""
