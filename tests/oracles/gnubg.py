"""gnuBG as an oracle on matches that nobody has seen.

    python -m tests.oracles.gnubg --count 40 --seed 7

makes up so many matches, has the installed gnuBG analyse them, and holds every figure of its
statistics, of the match and of every game, against ours. Exits with 1 where one differs by more
than single precision explains. The same seed makes the same matches with the same gnuBG; `--keep
DIR` writes them.
"""

import argparse
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np

from reconcile.engines.gnubg import find, game_record, renamed, scratch
from reconcile.errors import NothingToCompare
from reconcile.formats import read_match
from reconcile.match.columns import Games, Kind
from reconcile.match.met import equity_tables
from tests.oracles.selfcheck import CheckedFile, selfcheck
from tests.oracles.transcripts import CHOICES, made, written
from tests.support.gnubg import SHIPPED

SECONDS = 300.0
"""For one run of gnuBG."""
NAMES = (
    *("Zoë Müller", "Ἀλέξανδρος", "山田太郎", "O'Brien \\] junior", "Ærøskøbing", "محمد", "Ann"),
    "over thirty-one bytes, cut: éé",
)
LENGTHS = (*(0, 0, 0, 1, 2, 3, 3, 4, 5, 5, 6, 7, 7, 9, 11, 13, 15, 17, 19, 21, 25, 27, 33, 45, 64),)
"""Points of a match, 0 for a money session; short ones often."""
PARTLY = ("all", "all", "all", "all", "moves", "cube", "luck", "games")
PLAIN = {name: readable[0] for name, (readable, _) in CHOICES.items()}
"""A layout of a transcript."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A match that was made up, and how to analyse it."""

    seed: int
    record: bytes = field(repr=False)
    """Before its analysis."""
    met: Path
    partly: str
    """`all`, one of gnuBG's switches that is off (`moves`, `cube`, `luck`), or `games` for every
    second one."""
    plies: int

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
            return [*commands, "first game", *["analyse game", "next game", "next game"] * 4]
        return [*commands, "analyse match"]


def recipe(seed):
    """The recipe of a number: the same every time."""
    random = Random(f"recipe {seed}")
    variation = "nackgammon" if random.random() < 0.15 else "backgammon"
    match = made(seed, LENGTHS, variation, games=(1, 2, 4, 8))
    lines = written(match, PLAIN).splitlines(keepends=True)
    if random.random() < 0.2:  # broken off
        turns = [at for at, line in enumerate(lines) if line[3:4] == b")"]
        del lines[random.choice(turns) + 1 :]
    record = game_record(_by_other_rules(random, read_match("made.mat", b"".join(lines))))
    return Recipe(
        seed=seed,
        record=renamed(record.encode(), (random.choice(NAMES), random.choice(NAMES))),
        met=SHIPPED / f"{random.choice(equity_tables())}.xml",
        partly=random.choice(PARTLY),
        plies=1 if 0 < match.length <= 3 and random.random() < 0.2 else 0,
    )


def _by_other_rules(random, match):
    """The match, at times without the Crawford rule, without a cube where nobody turned it, and for
    money with automatic doubles: rules that no transcript tells."""
    rules = replace(
        match.rules,
        crawford=random.random() < 0.9,
        cube=bool((match.cubes.kind == Kind.DOUBLE).any()) or random.random() < 0.7,
    )
    doubles = [
        random.choice((0, 0, 1, 3)) * match.is_money * rules.cube for _ in match.games.number
    ]
    columns = {name: getattr(match.games, name) for name in Games.names()}
    games = Games(len(match.games), {**columns, "automatic_doubles": np.array(doubles)})
    return replace(match, rules=rules, games=games)


def analysed(recipe, program):
    """The record as gnuBG saves it after its analysis."""
    humans = [f"set player {seat} human" for seat in (0, 1)]
    commands = ["set threads 1", *humans, "load match made.sgf", *recipe.analysing]
    script = "".join(f"gnubg.command({each!r})\n" for each in (*commands, "save match a.sgf"))
    with scratch() as folder:
        (folder / "made.sgf").write_bytes(recipe.record)
        program.run(script, folder=folder, timeout=SECONDS)
        return (folder / "a.sgf").read_bytes()


def counted(recipe, content, program):
    """A match counted by gnuBG and by us; `None` where nothing of it was analysed."""
    match = read_match(f"seed {recipe.seed}", content)
    try:
        return selfcheck(match, program, met=recipe.met, timeout=SECONDS)
    except NothingToCompare:
        return None


def summary(number, checks):
    """The counts of a run: matches, games, figures, and how they compare."""
    figures = [figure for check in checks for figure in check.figures]
    same = sum(figure.gnubg == figure.ours for figure in figures)
    wrong = sum(len(check.wrong) for check in checks)
    games = sum(len(check.match.games) for check in checks)
    return (
        f"{number} matches, {games} games, {len(figures)} figures: {same} the same number, "
        f"{len(figures) - same - wrong} within single precision, {wrong} differ"
    )


def main():
    """Print what differs of every match, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="write the matches, by seed and table"
    )
    options = parser.parse_args()
    program, checks = find(), list[CheckedFile]()
    for part in map(recipe, range(options.seed * 10**6, options.seed * 10**6 + options.count)):
        content = analysed(part, program)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{part.seed}-{part.met.stem}.sgf").write_bytes(content)
        check = counted(part, content, program)
        if check is not None:
            checks.append(check)
        if check is None or check.wrong:
            lines = ["nothing analysed"] if check is None else check.wrong
            print(part, *lines, sep="\n  ", flush=True)
    print(f"gnuBG {program.version}: {summary(options.count, checks)}")
    sys.exit(any(check.wrong for check in checks))


if __name__ == "__main__":
    main()
