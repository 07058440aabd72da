"""The judge of sentences: a second implementation that holds every sentence of a document against the numbers in it.

    python -m tests.oracles.stories [FILES] [--pairs N] [--seed S]

It shares no code with the program's own explanations: a *form* (`forms.py`) is a pattern of a sentence and what must hold for it to be
true. A sentence without a form and a number that no claim computes again are faults too, so that new wording cannot slip past.
"""
