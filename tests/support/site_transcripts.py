"""Sixty transcripts in the habits of the sites and programs that write them, from seeds: random legal games, doubled, dropped and resigned.

Names are invented. What a site does was seen in files of it and in other programs that read or write its exports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from random import Random
from typing import Final

from reconcile.match.board.play import Play, apply_play, legal_plays, single_steps
from reconcile.match.board.position import BAR, START, Counts, borne_off, swap
from reconcile.match.columns import Kind

MATCHES_OF_A_HABIT: Final = 5
LONGEST: Final = 60
"""Turns of a game; then somebody resigns."""


@dataclass(frozen=True)
class Action:
    """What one player did in one cell."""

    seat: int
    kind: Kind
    dice: tuple[int, int] = (0, 0)
    before: Counts = START
    """In the player's view."""
    play: Play | None = None
    """In single steps; `None` for a roll that was not played."""
    cube: int = 1
    """After a double."""


@dataclass
class PlayedGame:
    """One game."""

    score: tuple[int, int]
    actions: list[Action] = field(default_factory=list)
    winner: int = -1
    points: int = 0
    resigned: bool = False


@dataclass(frozen=True)
class Habit:
    """How a site writes transcripts."""

    name: str
    headers: tuple[str, ...] = ()
    players: tuple[str, str] = ("Ann", "Ben")
    ratings: tuple[str, ...] = ("",)
    """Behind the names, by game."""
    score: str = "{} : {}"
    indent: str = " "
    """Before a game and its score."""
    number: str = "{:3}) "
    width: int = 28
    """Of the left column."""
    word: str = " {}"
    """A word in a cell."""
    resigns: str = "Resigns"
    """Empty where a site writes only the result."""
    losses: bool = False
    plural: bool = True
    result_in_cell: bool = False
    joined: bool = False
    """Whether equal moves are counted and the steps of a checker drawn together."""
    hits: bool = True
    bar: str = "25"
    off: str = "0"
    dance: str = ""
    unplayed: str = " ????"
    unknown_rolls: bool = False
    line_end: str = "\n"
    mark: str = ""
    """At the beginning of the file."""
    money: bool = False


XG_HEADERS: Final = (
    '; [Site "Paris, Club"]',
    '; [Match ID "-755933700"]',
    '; [Event "Open 2023"]',
    '; [Round "Main 2"]',
    '; [Player 1 "Ben"]',
    '; [Player 2 "Ann"]',
    '; [Player 1 Elo "1600.00/0"]',
    '; [EventDate "2023.11.26"]',
    '; [EventTime "09.30"]',
    '; [Variation "Backgammon"]',
    '; [Unrated "Off"]',
    '; [Crawford "On"]',
    '; [CubeLimit "1024"]',
)
GALAXY_HEADERS: Final = (
    '; [Site "BackgammonGalaxy"]',
    '; [Match ID "123456"]',
    '; [Player 1 "Ann"]',
    '; [Player 2 "Ben"]',
    '; [Player 1 Elo "6,84/0"]',
    '; [Player 2 Elo "5,02/0"]',
    '; [EventDate "2024.02.28"]',
    '; [EventTime "02.44"]',
    '; [CubeLimit "1024"]',
)
STUDIO: Final = Habit("studio", GALAXY_HEADERS, resigns="Concedes", losses=True, plural=False)
HABITS: Final = (
    STUDIO,
    replace(STUDIO, name="studio without losses", losses=False, result_in_cell=True, width=36),
    replace(STUDIO, name="galaxy", resigns="", unknown_rolls=True, hits=False),
    Habit("xg text", XG_HEADERS, joined=True, width=36, bar="Bar", off="Off", line_end="\r\n", mark="\ufeff", resigns=""),
    Habit("xg mat", XG_HEADERS, resigns="", mark="\ufeff", unplayed=" ???", dance="                         "),
    Habit("gnubg", ('; [EventDate "2026.11.08"]', "; a long comment"), joined=True, bar="bar", off="off", width=26, resigns="", unplayed=""),
    Habit("bgblitz", ('; [Site "SampleServer"]', '; [Cubelimit "64"]'), score="{}: {}", width=40, word="{}", number="  {}) ", result_in_cell=True),
    Habit("gamesgrid", players=("rookie7808", "old hand"), ratings=(",1673", ",1675", ",1671.25"), resigns="", indent=""),
    Habit("heroes", ('; [Site "Heroes"]',), ratings=(" (6.84)", " (6.79)", " (7.02)"), dance=" Cannot Move"),
    Habit("opengammon", ('; [Player 1 "Ann"]', '; [Jacoby "On"]', '; [Beaver "On"]'), money=True, resigns="Resigns", joined=True),
    Habit("fibs", ("# saved by a client",), word="{}", hits=False, unplayed="", result_in_cell=True, resigns="resigns", line_end="\r\n"),
    Habit("nextgammon", ('; [Site "NextGammon"]', '; [Round "Final"]'), players=("Zoë", "Łukasz"), indent="   ", width=31, plural=False),
)  # fmt: skip


def cases() -> Iterator[tuple[str, Habit, int]]:
    """A name, the habit and the seed of every transcript."""
    for habit in HABITS:
        for seed in range(MATCHES_OF_A_HABIT):
            yield f"{habit.name}-{seed}".replace(" ", "_"), habit, seed


# -- playing -----------------------------------------------------------------------------------------------------------


def played_match(habit: Habit, seed: int) -> tuple[int | None, list[PlayedGame]]:
    """The length of a random match and its games."""
    random = Random(f"{habit.name} {seed}")
    length = None if habit.money else random.choice((1, 3, 5, 7))
    score, games, crawford = [0, 0], list[PlayedGame](), False
    while len(games) < 6 and (length is None or max(score) < length) and (length or len(games) < 3):
        is_crawford = length not in (None, 1) and not crawford and max(score) == length - 1
        crawford |= is_crawford
        limits = [length - points if length else 1 << 12 for points in score]
        game = PlayedGame((score[0], score[1]))
        _play(game, random, [0, 0] if is_crawford else limits, jacoby=habit.money)
        games.append(game)
        score[game.winner] += game.points
    return length, games


def _play(game: PlayedGame, random: Random, limits: list[int], *, jacoby: bool) -> None:
    board, cube, owner = START, 1, -1
    first, second = random.sample(range(1, 7), 2)
    dice, seat = (first, second), int(random.random() < 0.5)
    for turn in range(LONGEST):
        if turn and owner in (-1, seat) and cube < limits[seat] and random.random() < 0.08:
            cube, owner = 2 * cube, 1 - seat
            game.actions.append(Action(seat, Kind.DOUBLE, cube=cube))
            if random.random() < 0.4:
                game.actions.append(Action(1 - seat, Kind.PASS))
                game.winner, game.points = seat, cube // 2
                return
            for beaver in range(random.choice((0, 0, 1, 2)) if jacoby else 0):
                cube *= 2
                game.actions.append(Action(seat ^ (beaver == 0), Kind.BEAVER, cube=cube))
            game.actions.append(Action(1 - game.actions[-1].seat, Kind.TAKE))
        if turn:
            dice = random.randint(1, 6), random.randint(1, 6)
        plays = legal_plays(board, *dice)
        if turn > 6 and random.random() < 0.03:
            if len(plays) > 1 and random.random() < 0.5:
                game.actions.append(Action(seat, Kind.PLAY, dice, board, None))
            _resign(game, random, seat, board, 1 if jacoby and owner < 0 else 3, cube)
            return
        play = min(random.sample(plays, min(3, len(plays)))).play if plays else ()
        game.actions.append(Action(seat, Kind.PLAY, dice, board, single_steps(play, dice, board)))
        board = apply_play(board, play)
        if borne_off(board, 15)[0] == 15:
            _bear_off(game, seat, board, cube, jacoby=jacoby and owner < 0)
            return
        board, seat = swap(board), 1 - seat
    _resign(game, random, seat, board, 1, cube)


def _resign(
    game: PlayedGame, random: Random, seat: int, board: Counts, most: int, cube: int
) -> None:
    level = 1 if borne_off(board, 15)[0] else random.randint(1, most)
    game.winner, game.points, game.resigned = 1 - seat, cube * level, True


def _bear_off(game: PlayedGame, seat: int, board: Counts, cube: int, *, jacoby: bool) -> None:
    loser = swap(board)
    level = 1 if jacoby or borne_off(board, 15)[1] else 3 if any(n > 0 for n in loser[19:]) else 2
    game.winner, game.points = seat, cube * level


# -- writing -----------------------------------------------------------------------------------------------------------


def written_match(habit: Habit, length: int | None, games: list[PlayedGame]) -> bytes:
    """A match as a site writes it."""
    lines = [*habit.headers, "", f"{length or 0} point match", ""]
    for index, game in enumerate(games):
        names = [f"{name}{habit.ratings[index % len(habit.ratings)]}" for name in habit.players]
        left, right = (habit.score.format(*pair) for pair in zip(names, game.score, strict=True))
        lines.append(f"{habit.indent}Game {index + 1}")
        lines.append(f"{habit.indent}{left:<{habit.width + 4}} {right}")
        lines += _turns(habit, game)
        lines.append("")
    return (habit.mark + habit.line_end.join((*lines, ""))).encode()


def _turns(habit: Habit, game: PlayedGame) -> Iterator[str]:
    cells = [
        (
            action.seat,
            _cell(habit, action, raccoon=before is not None and before.kind is Kind.BEAVER),
        )
        for before, action in pairwise((None, *game.actions))
        if action is not None
    ]
    loser, last = 1 - game.winner, game.actions[-1]
    if last.kind is Kind.PLAY and last.play is None and habit.resigns == "Concedes":
        cells[-1] = loser, f"{last.dice[0]}{last.dice[1]}: Concedes"
    elif game.resigned and last.seat != loser and (habit.resigns or habit.unknown_rolls):
        cells.append((loser, habit.word.format(habit.resigns) if habit.resigns else "00: ????"))
    noun = "points" if habit.plural and game.points > 1 else "point"
    if habit.losses:
        cells.append((loser, habit.word.format(f"Losses {game.points} {noun}")))
    wins = f"Wins {game.points} {noun}"
    if habit.result_in_cell:
        cells.append((game.winner, habit.word.format(wins)))
    rows: list[list[str]] = []
    for at, (seat, text) in enumerate(cells):
        if at == 0 or seat <= cells[at - 1][0]:
            rows.append(["", ""])
        rows[-1][seat] = text
    for number, (left, right) in enumerate(rows, 1):
        yield f"{habit.number.format(number)}{left:<{max(habit.width, len(left) + 2)}}{right}".ljust(
            34
        )
    if not habit.result_in_cell:
        yield f"{'':{habit.width + 6 if game.winner else 6}}{wins}".ljust(34)


def _cell(habit: Habit, action: Action, *, raccoon: bool) -> str:
    if action.kind is Kind.DOUBLE:
        return habit.word.format(f"Doubles => {action.cube}")
    if action.kind is Kind.BEAVER:
        word = "Raccoons" if raccoon else "Beavers"
        return habit.word.format(f"{word} => {action.cube}")
    if action.kind is not Kind.PLAY:
        return habit.word.format("Takes" if action.kind is Kind.TAKE else "Drops")
    dice = f"{action.dice[0]}{action.dice[1]}:"
    if action.play is None:
        return dice + habit.unplayed
    return f"{dice} {_play_words(habit, action)}" if action.play else dice + habit.dance


def _play_words(habit: Habit, action: Action) -> str:
    assert action.play is not None
    board, words = list(action.before), list[str]()
    for start, end in action.play:
        hit = end > 0 and board[end] == -1
        board[start] -= 1
        board[end] = 1 if hit else board[end] + (end > 0)
        start_word = habit.bar if start == BAR else str(start)
        words.append(f"{start_word}/{end or habit.off}{'*' * (hit and habit.hits)}")
    if not habit.joined:
        return " ".join(words)
    counted = dict.fromkeys(words)
    plain = all("*" not in word for word in words)
    return " ".join(
        f"{word}({words.count(word)})" if plain and words.count(word) > 1 else word
        for word in (counted if plain else words)
    )
