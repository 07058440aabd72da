"""Transcripts in layouts drawn at random: a match made up, and its text as some program or site
might write it.

Every choice of a layout lists what gnuBG's importer was seen to read, and beside it what only other
programs write. A layout with any of the latter has a second text, the same but for these choices,
so that gnuBG imports the match of every layout. The same seed makes the same texts.
"""

from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from reconcile.match.board.play import legal_plays
from reconcile.match.board.position import BAR, STARTS, Counts, borne_off, size_of_win, swap

LENGTHS = (0, 1, 1, 2, 3, 3, 5, 7, 11)
LONGEST_GAME = 400
"""Rolls, after which whoever is on roll resigns."""
SHORTEST_LINE = 20
"""For a line of fewer than 17 letters gnuBG repeats the right cell of the line before."""

CHOICES: dict[str, tuple[tuple[Any, ...], tuple[Any, ...]]] = {
    "names": (
        (("Ann", "Ben"), ("Ann Lee", "Ben_2"), ("Ann [x]", "8 Ben"), ("Jean-Luc O'Hara", "Zoë")),
        (("Ann: 1st", "Ben"), ("Ann (6.84)", "Ben (7.02)")),
    ),
    "headers": (
        ("", '; [Site "Somewhere"]\n; [Match ID "1"]\n', '; [Event "Cup"]\n; [Unrated "Off"]\n'),
        ("# saved by a client\n", "; free text\n"),
    ),
    "length": (
        ("{} point match", " {} point match", "{}  point  match", "{} Point Match"),
        ("{} points match", "{}-point match"),
    ),
    "game": (
        (" Game {}", "Game {}", " Game  {} ", " Game {}:", " Game {} (x)"),
        (" game {}", "GAME {}"),
    ),
    "colon": ((" : ", ": ", ":", "  :  "), ()),
    "number": (("{:3}) ", "{:2}) ", "{}) ", " {:02}) ", "{:3})"), ("    ",)),
    "indent": ((0, 1, 2, 6), ()),
    "column": ((20, 28, 34, 40, 46, 60), (8,)),
    "tight": ((False, True), ()),
    "lines": (("\n", "\r\n"), ("\r", "\n\n")),
    "encoding": (("utf-8", "utf-8-sig"), ("utf-16", "utf-16-le", "cp1252")),
    "bar": (("bar", "Bar", "BAR", "25", "b"), ()),
    "off": (("off", "Off", "OFF", "0", "o", "-"), ()),
    "slash": (("/", "/", " / "), ()),
    "hits": (("all", "none"), ()),
    "join": (("steps", "chains", "pairs"), ()),
    "times": (("repeat", "({})", " ({})"), ()),
    "between": ((" ", ", ", ","), ("  ",)),
    "colon of dice": ((": ",), (":", ":  ")),
    "dance": (("", "Cannot Move", "cannot move"), ("Can't move", "no move", "Cannot  Move")),
    "double": (
        (
            *("Doubles => {}", "Doubles", "doubles => {}", "Double => {}", "Doubles ==> {}"),
            *("Doubles -> {}", "Doubles=>{}", "Doubles ({})", "Doubles to {}", "Doubles {}"),
        ),
        ("Redoubles => {}",),
    ),
    "take": (("Takes", "Take", "takes", "Takes."), ("Accepts", "accept")),
    "drop": (("Drops", "Drop", "drops", "Drops."), ("Passes", "Rejects", "pass")),
    "beaver": (("Beavers => {}", "Beavers", "Beaver => {}"), ()),
    "resign": (
        (None, "Resigns", "Resign", "resigned", "Resigns {}", "Resign {}", "Resigned Match"),
        ("Concedes", "Resigned Game", "concede", "Resigns a {}", "Resigned {}"),
    ),
    "resigner": ((True, False), ()),
    "wins": (
        (
            *("Wins {} point{s}", "Wins {} points", "Wins {} point", "wins {} point{s}"),
            *("Wins {} points{match}", "Wins {} points{Match}."),
        ),
        (),
    ),
    "result": (("own line", "cell"), ()),
    "gap": ((0, 1, 2), ()),
}  # fmt: skip
"""Name of a choice -> what gnuBG reads, and what it does not."""


@dataclass(frozen=True, slots=True)
class Act:
    """A roll with its play, or a word of the cube."""

    seat: int
    what: str
    dice: tuple[int, int] = (0, 0)
    board: Counts = ()
    """Before a roll, in the view of whoever acts."""
    play: tuple[tuple[int, int], ...] = ()
    cube: int = 0


@dataclass(slots=True)
class Game:
    """One game that was made up."""

    number: int
    score: tuple[int, int]
    start: Counts
    """In seat 0's view."""
    acts: list[Act] = field(default_factory=list)
    winner: int = 0
    points: int = 0
    resigned: int = 0
    """How large the resignation was; 0 without one."""


@dataclass(slots=True)
class Made:
    """A match that was made up."""

    length: int
    jacoby: bool
    """In every session, since gnuBG's import does not read the header."""
    variation: str
    games: list[Game]


def made(seed, lengths=LENGTHS, variation="backgammon", games=(1, 1, 2, 4)):
    """The match of a seed, of one of some lengths (0 for a money session) and at most so many
    games."""
    random = Random(seed)
    length = random.choice(lengths)
    match = Made(length, length == 0, variation, [])
    score, crawford_played = (0, 0), False
    for number in range(1, 1 + random.choice(games)):
        crawford = length > 1 and not crawford_played and length - 1 in score
        crawford_played |= crawford
        start = STARTS[variation]
        if random.random() < 0.12 and not crawford:  # gnuBG passes over a set-up in that game
            start = _later(random, start)
        game = Game(number, score, start)
        _play(random, match, game, cube_in_play=not crawford)
        match.games.append(game)
        gained = (game.points, 0) if game.winner == 0 else (0, game.points)
        score = score[0] + gained[0], score[1] + gained[1]
        if length and max(score) >= length:
            break
    return match


def _later(random, board):
    """A position after some plays, for seat 0 to roll."""
    for _ in range(2 * random.randrange(5, 25)):
        plays = legal_plays(board, *_dice(random))
        board = swap(random.choice(plays).result if plays else board)
    return board


def _dice(random):
    return random.randint(1, 6), random.randint(1, 6)


def _play(random, match, game, *, cube_in_play):
    """Make up the acts of a game and its result."""
    seat, board = random.randrange(2), game.start
    board = board if seat == 0 else swap(board)
    cube, owner, first = 1, None, True
    end = random.choice(("board", "board", "pass", "resign"))
    turns = random.randrange(3, 40)
    while True:
        turns -= 1
        limit = match.length and match.length - game.score[seat]
        may_double = cube_in_play and owner in (None, seat) and not first and cube < (limit or 64)
        if may_double and (random.random() < 0.04 or (turns <= 0 and end == "pass")):
            game.acts.append(Act(seat, "double", cube=2 * cube))
            if turns <= 0 and end == "pass":
                game.acts.append(Act(1 - seat, "drop"))
                game.winner, game.points = seat, cube
                return
            if match.length == 0 and random.random() < 0.3 and cube < 16:
                game.acts.append(Act(1 - seat, "beaver", cube=4 * cube))
                game.acts.append(Act(seat, "take"))
                cube *= 4
            else:
                game.acts.append(Act(1 - seat, "take"))
                cube *= 2
            owner = 1 - seat
        if (turns <= 0 and end == "resign") or turns < -LONGEST_GAME:
            game.resigned = random.choice((1, 1, 2, 3))
            if (match.jacoby and owner is None) or borne_off(board)[0]:
                game.resigned = 1
            game.winner, game.points = 1 - seat, cube * game.resigned
            return
        dice = _dice(random)
        while first and dice[0] == dice[1]:
            dice = _dice(random)
        first = False
        plays = legal_plays(board, *dice)
        chosen = random.choice(plays) if plays else None
        if chosen and turns < 0:  # home as fast as may be, or the game never ends
            chosen = min(
                plays, key=lambda play: sum(n * max(0, k) for n, k in enumerate(play.result))
            )
        game.acts.append(Act(seat, "roll", dice, board, chosen.play if chosen else ()))
        board = chosen.result if chosen else board
        if borne_off(board)[0] == 15:
            size = size_of_win(swap(board), gammons=not (match.jacoby and owner is None))
            game.winner, game.points = seat, cube * size
            return
        seat, board = 1 - seat, swap(board)


@dataclass(frozen=True, slots=True)
class Layout:
    """A match in a drawn layout, and in one of the same kind that gnuBG reads."""

    match: Made
    choices: dict[str, Any]
    content: bytes
    for_gnubg: bytes


def layout(seed):
    """The layout of a seed; every third has choices that gnuBG does not read."""
    match, random = made(seed), Random(f"layout {seed}")
    wide = seed % 3 == 2
    drawn = {
        name: random.choice(own + others if wide else own)
        for name, (own, others) in CHOICES.items()
    }
    if drawn["encoding"] == "cp1252" and drawn["names"][1] == "Zoë":
        drawn["encoding"] = "utf-8"
    narrowed = {
        name: value if value in CHOICES[name][0] else CHOICES[name][0][0]
        for name, value in drawn.items()
    }
    return Layout(match, drawn, written(match, drawn), written(match, narrowed))


def written(match, choices):
    """The bytes of a match in a layout."""
    lines = [*choices["headers"].splitlines()]
    if match.variation != "backgammon":
        lines.append(f'; [Variation "{match.variation.title()}"]')
    lines += [f'; [Jacoby "{"On" if match.jacoby else "Off"}"]', '; [Beaver "On"]'][
        : 2 * (match.length == 0)
    ]
    lines += ["", choices["length"].format(match.length)]
    names = choices["names"]
    for game in match.games:
        lines += ["", choices["game"].format(game.number)]
        first, second = (
            f"{name}{choices['colon']}{points}"
            for name, points in zip(names, game.score, strict=True)
        )
        lines.append(f" {first}".ljust(choices["column"]) + f"  {second}")
        if game.start != STARTS[match.variation]:
            lines.append(f"; Set Pos={''.join(map(_letter, game.start))}/0")
        lines += _Sheet(match, game, choices).lines()
    lines = [line.ljust(SHORTEST_LINE) if line and line[0] != ";" else line for line in lines]
    text = choices["lines"].join([*lines, ""])
    return text.encode(choices["encoding"])


def _is_over(match):
    last = match.games[-1]
    return last.score[last.winner] + last.points >= match.length


def _letter(count):
    if not count:
        return "-"
    return "_ABCDEFGHIJKLMNO"[count] if count > 0 else "_abcdefghijklmno"[-count]


class _Sheet:
    """The lines of one game."""

    def __init__(self, match, game, choices):
        self.match, self.game, self.choices = match, game, choices
        self.rows: list[list[str]] = []
        self.last = 1

    def lines(self):
        """All of them."""
        for act in self.game.acts:
            self.add(act.seat, self.cell(act))
        tail = self.ending()
        rows = [self.row(number, *cells) for number, cells in enumerate(self.rows, 1)]
        return rows + tail

    def add(self, seat, text):
        """A cell behind the last one."""
        if seat <= self.last:
            self.rows.append(["", ""])
        self.rows[-1][seat] = text
        self.last = seat

    def row(self, number, left, right):
        """The line of a turn."""
        choices = self.choices
        head = choices["number"].format(number) + " " * choices["indent"] * bool(left)
        line = f"{head}{left}"
        if choices["tight"] and left and len(line) >= SHORTEST_LINE:
            return f"{line}  {right}"
        return (
            line.ljust(max(choices["column"], 18) if not left else choices["column"]) + f"  {right}"
        )

    def cell(self, act):
        """The text of an act."""
        choices = self.choices
        if act.what in ("double", "beaver"):
            return " " * choices["gap"] + choices[act.what].format(act.cube)
        if act.what in ("take", "drop"):
            return " " * choices["gap"] + choices[act.what]
        dice = f"{act.dice[0]}{act.dice[1]}{choices['colon of dice']}"
        return f"{dice}{self.play(act) or choices['dance']}".ljust(3)

    def play(self, act):
        """A play in the words of the layout."""
        choices, board = self.choices, list(act.board)
        paths: list[list[int]] = []
        hits: set[tuple[int, int]] = set()
        """Path and place in it."""
        for start, end in act.play:
            path = next(
                (path for path in paths if path[-1] == start and choices["join"] != "steps"), None
            )
            if path is None:
                paths.append(path := [start])
            path.append(end)
            if end and board[end] == -1:
                hits.add((paths.index(path), len(path) - 1))
                board[end] = 0
            board[start] -= 1
            board[end] += bool(end)
        words = Counter(
            self.path(path, {at for number, at in hits if number == place})
            for place, path in enumerate(paths)
        )
        texts = []
        for word, times in words.items():
            if choices["times"] == "repeat" or times == 1:
                texts += [word] * times
            else:
                texts.append(word + choices["times"].format(times))
        return choices["between"].join(texts)

    def path(self, path, hits):
        """The way of one checker, which must say where it hit."""
        choices = self.choices
        if choices["join"] == "pairs":
            kept = [at for at in range(len(path)) if at in (0, len(path) - 1) or at in hits]
        else:
            kept = [*range(len(path))]
        words = []
        for at in kept:
            word = {BAR: choices["bar"], 0: choices["off"]}.get(path[at], str(path[at]))
            words.append(word + "*" * (at in hits and choices["hits"] == "all"))
        return choices["slash"].join(words)

    def ending(self):
        """What follows the last act: a resignation and the result, in cells or lines of their
        own."""
        game, choices = self.game, self.choices
        points = game.points
        over = (
            _is_over(self.match)
            and self.match.length
            and game.number == self.match.games[-1].number
        )
        wins = choices["wins"].format(
            points, s="s" * (points != 1),
            match=" and the match" * bool(over), Match=" And The Match" * bool(over),
        )  # fmt: skip
        word = choices["resign"] if game.resigned else None
        if word == "Resigned Match" and not over:
            word = "Resigned"
        if word:
            size = ("", "normal", "gammon", "backgammon")[game.resigned]
            by = 1 - game.winner if choices["resigner"] else game.winner
            self.add(by, word.format(size))
        if choices["result"] == "cell" and (1 - self.last == game.winner or not word):
            self.add(game.winner, wins)
            return []
        return [
            (" " * (choices["column"] + 2) if game.winner else "      ").ljust(18 * game.winner)
            + wins
        ]
