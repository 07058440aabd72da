"""Candidates: what a program under test says of the reference matches, in whatever form it says it.

    bytes --read--> Candidate(claims, positions, matches) --judge, with the reference matches--> CandidateResult

A claim is a set of figures of one match. `read` recognises a candidate by its content, `command` runs a program for its output,
`judge` finds the reference match each claim is about and holds it against the tool's own figures.
"""
