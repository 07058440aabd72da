"""Random matches for properties: played by the rules of the game, analysed at random, perturbed for
a second opinion; each is named by its seed.

Positions, scores and the cube follow from what was played, so that files read like files; equities
are any numbers on a grid of a few thousandths, where ties, borders of rules and errors of 0 are
frequent.
"""

from dataclasses import replace
from functools import lru_cache
from random import Random

from hypothesis import strategies as st

from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import START, borne_off, swap
from tests.support.written import (
    UNSCORED,
    Candidate,
    Cube,
    Double,
    Ending,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
    level_equity,
)

LONGEST_GAME = 7
MOST_GAMES = 3
MOST_KEPT = 4
"""Candidates kept of a roll, as XG keeps about ten of all."""
LENGTHS = (1, 2, 3, 5, 7, None)
LEVELS = (2, 2, 2, 1000, 1002)
ILLEGAL = 2
ERRORS = (0.0, 0.0, 0.0, 0.00004, 0.0002, 0.001, 0.004, 0.0205, 0.09, 0.31, 1.2)
NO_DOUBLE = (-1.2, -0.9, -0.4, -0.001, 0.0, 0.1, 0.45, 0.7, 0.95, 1.0, 1.05, 1.4)
GAIN = (-1.1, -0.3, -0.2, -0.19, -0.16, -0.15, -0.0004, 0.0, 0.0004, 0.03, 0.2, 0.8)
SEEDS = st.integers(0, 2**32 - 1).map(Random)


def matches():
    """Matches of a few short games, or money sessions."""
    return SEEDS.map(match)


def match(random):
    """A match of a few short games, or a money session."""
    length, score = random.choice(LENGTHS), (0, 0)
    played: list[Game] = []
    for _ in range(random.randint(1, MOST_GAMES)):
        before = any(game.crawford for game in played)
        crawford = bool(length and length > 1 and not before and max(score) == length - 1)
        current = game(random, length, score, crawford)
        played.append(current)
        assert current.ending is not None
        won = current.ending.points
        first = current.ending.winner == 1
        score = (score[0] + won * first, score[1] + won * (not first))
        if length is not None and max(score) >= length:
            break
    return WrittenMatch(
        ("Ann", "Ben"), length, tuple(played), jacoby=length is None, event="generated"
    )


def game(random, length, score, crawford):
    """A game that ends by a pass, a resignation, in the air, or with a roll that nobody played."""
    turns = []
    player, position, owner, value = random.choice((1, 2)), START, 0, 1
    passed = 0
    for number in range(random.randint(0, LONGEST_GAME)):
        access = number and owner in (0, player) and length != 1 and not crawford and value < 64
        one_away = length is not None and length - score[2 - player] == 1
        action = cube(random, one_away) if access else Cube()
        if action.take == Take.PASS:
            turns.append(Turn(player, position, action))
            passed = player
            break
        if action.double == Double.YES:
            owner, value = 3 - player, value * 2
        played = move(random, position, (random.randint(1, 6), random.randint(1, 6)))
        turns.append(Turn(player, position, action, played))
        after = played.after
        if after is None:
            after = played.candidates[played.played or 0].position
        if borne_off(after)[0] == 15:
            break
        player, position = 3 - player, swap(after)
    if turns and turns[-1].move is not None and random.randrange(8) == 0:
        turns[-1] = replace(turns[-1], move=replace(turns[-1].move, was_played=False))
    return Game(tuple(turns), score, ending(random, passed, value), crawford)


def ending(random, passed, value):
    """How a game ended, at times with what XG thought of the resignation."""
    if passed:
        return Ending(passed, value, Termination.PASS)
    winner = random.choice((1, 2))
    if random.random() < 0.5:
        return Ending(winner, value, Termination.SINGLE)
    errors = [random.choice((UNSCORED, 0.0, -0.125)) for _ in range(2)]
    return Ending(
        winner,
        value,
        Termination.RESIGNED_SINGLE,
        resign_error=errors[0],
        take_resign_error=errors[1],
    )


def cube(random, one_away=False):
    """A cube action with access: analysed or not."""
    no_double = random.choice(NO_DOUBLE)
    dead = one_away and random.random() < 0.5
    take = no_double + (0 if dead else random.choice(GAIN))
    analysed = random.randrange(12) > 0
    double = random.choice([Double.NO] * 5 + [Double.YES])
    response = random.choice((Take.TAKE, Take.TAKE, Take.PASS))
    return Cube(
        double,
        response if double == Double.YES else Take.NOT_ASKED,
        level_equity(no_double) if analysed else None,
        level_equity(take) if analysed else None,
        level=random.choice(LEVELS),
    )


@lru_cache(maxsize=4096)
def results(position, dice):
    """The first few plays of a roll and where they lead, mover's view; a dance has one empty
    play."""
    plays = legal_plays(position, *dice)[:MOST_KEPT]
    return tuple((listed.play, listed.result) for listed in plays) or (((), position),)


def candidates(random, position, dice):
    """Some plays of a roll with falling equities."""
    equity, level, listed = random.choice(NO_DOUBLE), random.choice(LEVELS), []
    for play, after in results(position, dice):
        listed.append(Candidate(play, after, level_equity(equity), level))
        equity -= random.choice(ERRORS)
    return listed


def move(random, position, dice):
    """A play: analysed or not, listed or not, legal or not."""
    listing = tuple(candidates(random, position, dice))
    luck, way = random.choice((0.0, 0.25, -0.4)), random.randrange(20)
    played = random.randrange(len(listing))
    chosen = listing[played]
    if way == 0:
        return Move(dice, (), None, chosen.play, chosen.position)
    if way in (1, 2) and len(listing) > 1:  # not among the candidates, where the tool may score it
        rest = tuple(candidate for candidate in listing if candidate is not chosen)
        error = UNSCORED if way == 1 else -0.25
        return Move(dice, rest, None, chosen.play, chosen.position, luck=luck, error=error)
    plain = Move(dice, listing, played, luck=luck)
    if way == 3:
        return replace(plain, invalid=ILLEGAL, error=UNSCORED)
    # Where a flag is written, it comes from evaluations that the file does not keep.
    return replace(plain, irrelevant=random.random() < 0.5) if way == 4 else plain


def second_opinion(written, random):
    """The same match as another tool has it: other equities, a few turns dropped or written
    differently."""
    games = []
    for played in written.games:
        turns = [other_turn(turn, random) for turn in played.turns]
        if len(turns) > 2 and random.randrange(6) == 0:
            del turns[random.randrange(len(turns))]
        games.append(replace(played, turns=tuple(turns)))
    if len(games) > 1 and random.randrange(10) == 0:
        del games[random.randrange(len(games))]
    return replace(written, games=tuple(games))


def other_turn(turn, random):
    """A turn with other equities; at times without its double or its analysis."""
    way = random.randrange(6)
    if way == 0:
        return turn
    action, played = turn.cube, turn.move
    if action.double in (Double.NO, Double.YES):
        other = cube(random)
        undone = way == 1 and action.take == Take.TAKE
        action = replace(
            other,
            double=Double.NO if undone else action.double,
            take=Take.NOT_ASKED if undone else action.take,
        )
    listed = played and played.was_played and played.played is not None and not played.invalid
    if played is not None and listed and played.candidates:
        chosen = played.candidates[played.played or 0]
        listing = candidates(random, turn.position, played.dice)
        if chosen.position not in [candidate.position for candidate in listing]:
            listing.append(replace(chosen, evaluation=listing[-1].evaluation))
        random.shuffle(listing)
        index = [candidate.position for candidate in listing].index(chosen.position)
        played = replace(played, candidates=tuple(listing), played=index)
        played = replace(played, irrelevant=None, error=None)
        if way == 2:
            played = Move(played.dice, (), None, chosen.play, chosen.position)
    return replace(turn, cube=action, move=played)
