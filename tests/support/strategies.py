"""Random matches for properties: played by the rules of the game, analysed at random, perturbed for
a second opinion.

Positions, scores and the cube follow from what was played, so that files read like files; equities
are any numbers on a grid of a few thousandths, where ties, borders of rules and errors of 0 are
frequent.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from hypothesis import strategies as st

from reconcile.formats.written import (
    UNSCORED,
    Candidate,
    Cube,
    Double,
    Ending,
    Evaluation,
    Game,
    Move,
    Take,
    Termination,
    Turn,
    WrittenMatch,
    level_equity,
)
from reconcile.match.board.play import Play, legal_plays
from reconcile.match.board.position import START, Counts, borne_off, swap

LONGEST_GAME = 7
MOST_GAMES = 3
MOST_KEPT = 4
"""Candidates kept of a roll, as XG keeps about ten of all."""
LENGTHS = (1, 2, 3, 5, 7, None)
LEVELS = (2, 2, 2, 1000, 1002)
ILLEGAL = 2

ERRORS = st.sampled_from([0.0, 0.0, 0.0, 0.00004, 0.0002, 0.001, 0.004, 0.0205, 0.09, 0.31, 1.2])
NO_DOUBLE = st.sampled_from([-1.2, -0.9, -0.4, -0.001, 0.0, 0.1, 0.45, 0.7, 0.95, 1.0, 1.05, 1.4])
GAIN = st.sampled_from(
    [-1.1, -0.3, -0.2, -0.19, -0.16, -0.15, -0.0004, 0.0, 0.0004, 0.03, 0.2, 0.8]
)


@lru_cache(maxsize=4096)
def results(position: Counts, dice: tuple[int, int]) -> tuple[tuple[Play, Counts], ...]:
    """The first few plays of a roll and where they lead, mover's view."""
    return tuple(
        (listed.play, listed.result) for listed in legal_plays(position, *dice)[:MOST_KEPT]
    )


@st.composite
def candidates(draw: st.DrawFn, position: Counts, dice: tuple[int, int]) -> tuple[Candidate, ...]:
    """Some plays of a roll with falling equities; a dance keeps its one empty play."""
    plays = results(position, dice) or (((), position),)
    equity = draw(NO_DOUBLE)
    level = draw(st.sampled_from(LEVELS))
    listed = []
    for play, after in plays:
        listed.append(Candidate(play, after, level_equity(equity), level))
        equity -= draw(ERRORS)
    return tuple(listed)


@st.composite
def moves(draw: st.DrawFn, position: Counts, dice: tuple[int, int]) -> Move:
    """A play: analysed or not, listed or not, legal or not."""
    listing = draw(candidates(position, dice))
    luck = draw(st.sampled_from([0.0, 0.25, -0.4]))
    choice = draw(st.integers(0, 19))
    played = draw(st.integers(0, len(listing) - 1))
    chosen = listing[played]
    if choice == 0:  # not analysed
        return Move(dice, (), None, chosen.play, chosen.position)
    if choice == 1 and len(listing) > 1:  # not among the candidates
        return Move(
            dice,
            tuple(c for c in listing if c is not chosen),
            None,
            chosen.play,
            chosen.position,
            luck=luck,
            error=UNSCORED,
        )
    if choice == 2 and len(listing) > 1:  # the same, and the tool scored it
        return Move(
            dice,
            tuple(c for c in listing if c is not chosen),
            None,
            chosen.play,
            chosen.position,
            luck=luck,
            error=-0.25,
        )
    if choice == 3:
        return Move(dice, listing, played, luck=luck, invalid=ILLEGAL, error=UNSCORED)
    if choice == 4:  # the flag comes from evaluations that the file does not keep
        return Move(dice, listing, played, luck=luck, irrelevant=draw(st.booleans()))
    return Move(dice, listing, played, luck=luck)


@st.composite
def cubes(draw: st.DrawFn, one_away: bool) -> Cube:
    """A cube action with access: analysed or not."""
    no_double = draw(NO_DOUBLE)
    take = no_double if one_away and draw(st.booleans()) else no_double + draw(GAIN)
    values: tuple[Evaluation | None, Evaluation | None] = (
        level_equity(no_double),
        level_equity(take),
    )
    if draw(st.integers(0, 11)) == 0:
        values = None, None
    double = draw(st.sampled_from([Double.NO] * 5 + [Double.YES]))
    response = (
        draw(st.sampled_from([Take.TAKE, Take.TAKE, Take.PASS]))
        if double == Double.YES
        else Take.NOT_ASKED
    )
    return Cube(double, response, *values, level=draw(st.sampled_from(LEVELS)))


@st.composite
def games(draw: st.DrawFn, length: int | None, score: tuple[int, int], crawford: bool) -> Game:
    """A game that ends by a pass, a resignation, in the air, or with a roll that nobody played."""
    turns: list[Turn] = []
    player, position, owner, value = draw(st.sampled_from((1, 2))), START, 0, 1
    passed = 0
    for number in range(draw(st.integers(0, LONGEST_GAME))):
        can_double = (
            number > 0 and owner in (0, player) and length != 1 and not crawford and value < 64
        )
        one_away = length is not None and length - score[2 - player] == 1
        cube = draw(cubes(one_away)) if can_double else Cube()
        if cube.double == Double.YES and cube.take == Take.PASS:
            turns.append(Turn(player, position, cube))
            passed = player
            break
        if cube.double == Double.YES:
            owner, value = 3 - player, value * 2
        dice = (draw(st.integers(1, 6)), draw(st.integers(1, 6)))
        move = draw(moves(position, dice))
        turns.append(Turn(player, position, cube, move))
        after = move.after if move.after is not None else move.candidates[move.played or 0].position
        if borne_off(after)[0] == 15:
            break
        player, position = 3 - player, swap(after)
    if turns and not passed and draw(st.integers(0, 7)) == 0 and turns[-1].move is not None:
        turns[-1] = replace(turns[-1], move=replace(turns[-1].move, was_played=False))
    return Game(tuple(turns), score, draw(endings(passed, value)), crawford)


@st.composite
def endings(draw: st.DrawFn, passed: int, value: int) -> Ending:
    """How a game ended, at times with what XG thought of the resignation."""
    if passed:
        return Ending(passed, value, Termination.PASS)
    winner = draw(st.sampled_from((1, 2)))
    resigned = draw(st.sampled_from([Termination.SINGLE, Termination.RESIGNED_SINGLE]))
    costs = st.sampled_from([UNSCORED, 0.0, -0.125])
    if resigned == Termination.SINGLE:
        return Ending(winner, value, resigned)
    return Ending(winner, value, resigned, resign_error=draw(costs), take_resign_error=draw(costs))


@st.composite
def matches(draw: st.DrawFn) -> WrittenMatch:
    """A match of a few short games, or a money session."""
    length = draw(st.sampled_from(LENGTHS))
    score, had_crawford = (0, 0), False
    played: list[Game] = []
    for _ in range(draw(st.integers(1, MOST_GAMES))):
        crawford = (
            length is not None and length > 1 and not had_crawford and max(score) == length - 1
        )
        game = draw(games(length, score, crawford))
        had_crawford |= crawford
        played.append(game)
        if game.ending is None:
            break
        won = game.ending.points
        score = (
            (score[0] + won, score[1]) if game.ending.winner == 1 else (score[0], score[1] + won)
        )
        if length is not None and max(score) >= length:
            break
    return WrittenMatch(
        ("Ann", "Ben"), length, tuple(played), jacoby=length is None, event="generated"
    )


@st.composite
def second_opinions(draw: st.DrawFn, match: WrittenMatch) -> WrittenMatch:
    """The same match as another tool has it: other equities, other seats, a few turns dropped or
    told differently."""
    games_again = [draw(_other_game(game)) for game in match.games]
    if len(games_again) > 1 and draw(st.integers(0, 9)) == 0:
        del games_again[draw(st.integers(0, len(games_again) - 1))]
    match = replace(match, games=tuple(games_again))
    return seats_swapped(match) if draw(st.booleans()) else match


@st.composite
def _other_game(draw: st.DrawFn, game: Game) -> Game:
    turns = [draw(_other_turn(turn)) for turn in game.turns]
    if len(turns) > 2 and draw(st.integers(0, 5)) == 0:
        del turns[draw(st.integers(0, len(turns) - 1))]
    return replace(game, turns=tuple(turns))


@st.composite
def _other_turn(draw: st.DrawFn, turn: Turn) -> Turn:
    choice = draw(st.integers(0, 5))
    if choice == 0:
        return turn
    cube, move = turn.cube, turn.move
    if cube.double in (Double.NO, Double.YES):
        other = draw(cubes(one_away=False))
        cube = replace(
            cube, no_double=other.no_double, double_take=other.double_take, level=other.level
        )
        if choice == 1 and cube.double == Double.YES and cube.take == Take.TAKE:
            cube = replace(cube, double=Double.NO, take=Take.NOT_ASKED)
    if (
        move is not None
        and move.was_played
        and move.candidates
        and move.played is not None
        and not move.invalid
    ):
        chosen = move.candidates[move.played]
        listing = list(draw(candidates(counts_of(turn.position), move.dice)))
        if chosen.position not in [candidate.position for candidate in listing]:
            listing.append(replace(chosen, evaluation=listing[-1].evaluation))
        listing = draw(st.permutations(listing))
        played = [candidate.position for candidate in listing].index(chosen.position)
        move = replace(move, candidates=tuple(listing), played=played, irrelevant=None, error=None)
        if choice == 2:
            move = Move(move.dice, (), None, chosen.play, chosen.position)
    return replace(turn, cube=cube, move=move)


def counts_of(position: Counts) -> Counts:
    """The position as the product keeps it."""
    return tuple(position)


def seats_swapped(match: WrittenMatch) -> WrittenMatch:
    """The same match with the players in each other's seats."""
    first, second = match.players
    return replace(
        match,
        players=(second, first),
        games=tuple(
            replace(
                game,
                turns=tuple(replace(turn, player=3 - turn.player) for turn in game.turns),
                score=(game.score[1], game.score[0]),
                ending=None
                if game.ending is None
                else replace(game.ending, winner=3 - game.ending.winner),
            )
            for game in match.games
        ),
    )
