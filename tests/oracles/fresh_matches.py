"""New matches for gnuBG: what to play, and edits of the record that its bots never make.

gnuBG's bots double late and never redouble, resign rarely and have short names. So the record of a
match they played is rewritten, as text: doubles, takes, passes and beavers are put in wherever the
cube allows, games are resigned or broken off, and the scores of the following games are put right.
Every analysis is dropped; gnuBG then analyses what came of it.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from reconcile.match.met import equity_tables
from tests.oracles.records import Node, nodes_of
from tests.support.gnubg import SHIPPED

NAMES = (
    *("Zoë Müller", "Ἀλέξανδρος", "山田太郎", "O'Brien \\] junior", "Ærøskøbing", "محمد", "Ann"),
    "over thirty-one bytes, cut: éé",
)
LENGTHS = (*(0, 0, 0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 9, 11, 13, 15, 17, 19, 21, 25, 27, 33, 45, 64),)
"""Points of a match, 0 for a money session; short ones often."""
POSITIONS = (
    *("4HPwATDgc/ABMA", "4NvBEQiYz+ABAA", "2+4NAABrHgEAAA", "cHcXAADfbQAAAA", "bHsDAWC2HwEAAA"),
    "NgAAACBBAAAAAA",
)
"""Set-ups: the opening position, a prime, a race, bear-ins and a bear-off."""
SETTINGS = """\
set threads 1
set rng mersenne
set seed {seed}
set display off
set delay 0
set confirm new off
set confirm save off
set automatic roll on
set automatic move on
set automatic bearoff on
set automatic game {games}
set automatic doubles {automatic_doubles}
set jacoby {jacoby}
set beavers {beavers}
set crawford {crawford}
set cube use {cube}
set variation {variation}
set matchequitytable "{met}"
"""
SEAT = """\
set player {seat} gnubg
set player {seat} chequerplay evaluation plies 0
set player {seat} cubedecision evaluation plies 0
set player {seat} chequerplay evaluation noise {noise}
set player {seat} cubedecision evaluation noise {noise}
"""
KEPT = ("PL", "AE", "AW", "AB", "DI", "CV", "CP")
"""Properties of a set-up."""
LARGEST_CUBE = 64
OTHER = {"B": "W", "W": "B"}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What to play and how to analyse it."""

    seed: int
    length: int
    met: Path
    jacoby: bool
    beavers: bool
    automatic_doubles: int
    nackgammon: bool
    cube: bool
    crawford: bool
    position: str | None
    doubling: float
    """Chance of a double put in before a roll that allows one."""
    partly: str
    """`all`, one of gnuBG's switches that is off (`moves`, `cube`, `luck`), or `games` for every
    second one."""
    plies: int
    names: tuple[str, str]
    random: Random = field(repr=False)

    @property
    def playing(self):
        """gnuBG's commands that play the match, from a new program."""
        noise = [self.random.choice((0.0, 0.02, 0.06)) for _ in range(2)]
        switch = {True: "on", False: "off"}
        commands = SETTINGS.format(
            seed=self.seed % 2**31,
            games=switch[self.length > 0],
            automatic_doubles=self.automatic_doubles,
            jacoby=switch[self.jacoby],
            beavers=3 * self.beavers,
            crawford=switch[self.crawford],
            cube=switch[self.cube],
            variation="nackgammon" if self.nackgammon else "standard",
            met=self.met,
        ).splitlines()
        bots = "".join(SEAT.format(seat=seat, noise=noise[seat]) for seat in (0, 1)).splitlines()
        new = f"new match {self.length}" if self.length else "new session"
        if self.position is None:
            return [*commands, *bots, new, *["new game"] * (0 if self.length else 4)]
        # A set-up needs a game that nobody plays on by itself; then both players are gnuBG again
        # and play it out.
        humans = [f"set player {seat} human" for seat in (0, 1)]
        board = ["set automatic roll off", new, "set turn 0", f"set board {self.position}"]
        if self.cube and self.random.random() < 0.7:
            board += ["set cube value 2", f"set cube owner {self.random.randrange(2)}"]
        games = ["new game"] * (0 if self.length else 2)
        return [*commands, *humans, *board, *bots, "set automatic roll on", "play", *games]

    @property
    def analysing(self):
        """gnuBG's commands that analyse a match that was loaded."""
        commands = [
            f"set analysis {part} evaluation plies {self.plies}"
            for part in ("chequerplay", "cubedecision")
        ]
        commands.append(f'set matchequitytable "{self.met}"')
        if self.partly in ("moves", "cube", "luck"):
            commands.append(f"set analysis {self.partly} off")
        if self.partly == "games":
            return [*commands, "first game", *["analyse game", "next game", "next game"] * 40]
        return [*commands, "analyse match"]


def recipe(seed):
    """The recipe of a number: the same every time."""
    random = Random(seed)
    length = random.choice(LENGTHS)
    money = length == 0
    return Recipe(
        seed=seed,
        length=length,
        met=SHIPPED / f"{random.choice(equity_tables())}.xml",
        jacoby=money and random.random() < 0.6,
        beavers=money and random.random() < 0.6,
        automatic_doubles=random.choice((0, 3)) if money else 0,
        nackgammon=random.random() < 0.15,
        cube=random.random() < 0.95,
        crawford=random.random() < 0.9,
        position=random.choice(POSITIONS) if random.random() < 0.15 else None,
        doubling=random.choice((0.0, 0.02, 0.05, 0.1)),
        partly=random.choice(("all", "all", "all", "all", "moves", "cube", "luck", "games")),
        plies=1 if 0 < length <= 3 and random.random() < 0.2 else 0,
        names=(random.choice(NAMES), random.choice(NAMES)),
        random=random,
    )


class _Cube:
    """The cube of one game while it is rewritten."""

    def __init__(self, root):
        self.value = int(root.get("CV", ["1"])[0])
        self.owner = ""
        self.offered = 0

    def follow(self, node):
        """What a node does to the cube."""
        if "CV" in node and self.offered == 0:
            self.value = int(node["CV"][0])
        if "CP" in node:
            self.owner = {"b": "B", "w": "W"}.get(node["CP"][0], "")
        player, action = done(node)
        if action == "double":
            self.value *= (
                2 if self.offered else 1
            )  # a beaver takes the cube at twice its value and turns it again
            self.offered += 1
            self.owner = player
        elif action == "take":
            self.value, self.offered, self.owner = self.value * 2, 0, player

    def is_free(self, player):
        """Whether a player may double."""
        return self.owner in ("", player) and self.value < LARGEST_CUBE

    def allows(self, player, action):
        """Whether a cube action of the record is still one after those put in before it."""
        return self.offered > 0 or (action == "double" and self.is_free(player))


def done(node):
    """Who did what in a node: a play's letters with its dice, or a cube action; nothing in a
    set-up."""
    player = next((name for name in ("B", "W") if name in node), "")
    return player, node[player][0] if player else ""


def edited(text, record):
    """The record rewritten; the score of a match follows, and it ends where somebody has won it."""
    random, score, crawford_over, games = record.random, {"W": 0, "B": 0}, False, []
    for number, tree in enumerate(re.findall(r"\((;FF.*?)\)\s*(?=\(|\Z)", text, re.DOTALL)):
        if record.length and max(score.values()) >= record.length:
            break
        root, *nodes = nodes_of(tree)
        crawford = (
            record.crawford
            and record.length > 1
            and not crawford_over
            and record.length - 1 in score.values()
        )
        crawford_over |= crawford
        doubling = 0.0 if crawford or not record.cube or record.length == 1 else record.doubling
        before = dict(score)
        result_nodes, result = _game(root, nodes, record, doubling)
        if result:
            score[result[0]] += int(result[2:].rstrip("R"))
        rules = [
            rule for rule in root.get("RU", [""])[0].split(":") if rule and rule != "CrawfordGame"
        ] + ["CrawfordGame"] * crawford
        made_so = "".join(f"\n;{_written(node)}" for node in result_nodes)
        header = {
            "PW": record.names[0],
            "PB": record.names[1],
            "RU": ":".join(rules),
            "CV": root.get("CV", [""])[0],
            "RE": result,
        }
        games.append(
            f"(;FF[4]GM[6]CA[UTF-8]AP[GNU "
            f"Backgammon:1.07.001]MI[length:{record.length}][game:{number}]"
            f"[ws:{before['W']}][bs:{before['B']}]"
            f"{_written({key: [value] for key, value in header.items() if value})}{made_so})\n"
        )
        if not result and random.random() < 0.5:
            break
    return "".join(games)


def _written(node):
    return "".join(
        name + "".join(f"[{value}]" for value in values) for name, values in node.items()
    )


def _game(root, nodes, record, doubling):
    """The nodes of one game with cube actions put in, and its result; empty for a game that was
    broken off."""
    random, written = record.random, list[Node]()
    was, cube = _Cube(root), _Cube(root)
    stops = random.randrange(4, 40) if random.random() < 0.2 else 0
    for number, full in enumerate(nodes):
        player, action = done(full)
        setup = {name: full[name] for name in KEPT if name in full}
        node = {player: [action]} if player else setup
        was.follow(node)
        rolled = action[:2].isdigit()
        if stops and number >= stops and rolled and not cube.offered:
            if random.random() < 0.3:
                return written, ""
            return written, f"{random.choice('BW')}+{random.randint(1, 3) * cube.value}R"
        if rolled and number and cube.is_free(player) and random.random() < doubling:
            stake, added = cube.value, _doubled(random, player, record.beavers)
            for step in added:
                cube.follow(step)
            written += added
            last, answer = done(added[-1])
            if answer == "drop":
                return written, f"{OTHER[last]}+{stake * len(added[1:])}"
        if not rolled and player and not cube.allows(player, action):
            if action == "drop":
                return written, ""
            continue
        cube.follow(node)
        written.append(node)
        if action == "drop":
            return written, f"{OTHER[player]}+{cube.value}"
    played = root.get("RE", [""])[0]
    if not played:
        return written, ""
    level = min(max(int(re.sub(r"\D", "", played)) // was.value, 1), 3)
    return written, f"{played[0]}+{level * cube.value}{'R' * played.endswith('R')}"


def _doubled(random, player, beavers):
    """A double and its answer, which may be a beaver with its own."""
    answer = random.choice(["take"] * 6 + ["drop"] + ["double"] * 2 * beavers)
    added = [{player: ["double"]}, {OTHER[player]: [answer]}]
    if answer == "double":
        added.append({player: ["take" if random.random() < 0.7 else "drop"]})
    return added
