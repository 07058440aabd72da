"""Writes the conformance suite: its recipe (`cases.yaml`) as files of matches and one table.

python -m tests.suite.writer
"""
