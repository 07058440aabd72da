"""A few sentences held against arithmetic of their own; `python -m tests.oracles.stories` draws
more."""

import pytest

from tests.oracles.stories import main

FEW = ["--pairs=3", "--triples=2"]


@pytest.mark.long
def test_sentences_are_true_of_the_figures(data):
    assert main(FEW) == 0
