"""The JSON documents as types: what the writers build, `diff` reads back, and the published schemas are generated from.

The modules need pydantic, so only what reads or publishes a document imports them; the writers import them for mypy alone.
"""
