"""gnuBG where it is installed, and positions of games nobody would play."""

import random

import pytest

from reconcile.engines.gnubg import find
from reconcile.errors import EngineError
from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START, borne_off, swap


@pytest.fixture(scope="session")
def gnubg():
    try:
        return find()
    except EngineError as error:
        pytest.skip(str(error))


def rolls(seed):
    """Positions with rolls from games of random plays: hits, bars, dances, crashed boards, races
    and bearoffs."""
    chance = random.Random(seed)
    while True:
        position = START
        while min(15 - off for off in borne_off(position)) > 0:
            dice = chance.randint(1, 6), chance.randint(1, 6)
            yield position, dice
            plays = legal_plays(position, *dice)
            position = swap(chance.choice(plays).result if plays else position)
