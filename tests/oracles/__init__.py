"""Other programs as oracles on matches that nobody has seen: made up, analysed and counted
anew for every seed."""
