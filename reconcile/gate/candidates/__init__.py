"""Candidates: what a program under test reports about the reference matches.

    bytes --read--> Candidate(claims, matches) --judge, with references--> CandidateResult

A claim is a set of figures for one match. `read` recognises a candidate by its content, `program`
runs a program for its output, `judge` finds the reference match that each claim is about and
compares it with the tool's own figures.
"""
