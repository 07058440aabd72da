"""Other programs as oracles on matches that nobody has seen: made, edited, analysed and counted
anew for every seed."""
