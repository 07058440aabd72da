"""Writes synthetic matches, made of plain values, as the files of other programs: for probes and demonstrations."""
