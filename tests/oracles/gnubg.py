"""gnuBG as an oracle on matches that nobody has seen.

    python -m tests.oracles.gnubg --count 40 --seed 7

plays, edits and analyses so many matches with the installed gnuBG and holds every figure of its
statistics, of the match and of every game, against ours. Exits with 1 where one differs by more
than single precision explains. The same seed makes the same matches with the same gnuBG; `--keep
DIR` writes them.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from reconcile.engines.gnubg import find, scratch
from reconcile.errors import NothingToCompare
from reconcile.formats import read_match
from tests.oracles.fresh_matches import Recipe, edited, recipe
from tests.oracles.selfcheck import CheckedFile, selfcheck

SECONDS = 300.0
"""For one run of gnuBG."""


@dataclass(frozen=True, slots=True)
class Fresh:
    """One new match, and both tables of it."""

    recipe: Recipe
    content: bytes
    check: CheckedFile | None
    """`None` where nothing of it was analysed."""


def record(recipe, program):
    """A match played by gnuBG's bots, edited, and analysed by gnuBG."""
    humans = [f"set player {seat} human" for seat in (0, 1)]
    with scratch() as folder:

        def run(*commands):
            script = "".join(f"gnubg.command({command!r})\n" for command in commands)
            program.run(script, folder=folder, timeout=SECONDS)

        run(*recipe.playing, "save match played.sgf")
        text = edited((folder / "played.sgf").read_text("utf-8"), recipe)
        (folder / "edited.sgf").write_text(text, encoding="utf-8")
        run(
            "set threads 1", *humans, "load match edited.sgf", *recipe.analysing, "save match a.sgf"
        )
        return (folder / "a.sgf").read_bytes()


def counted(part, program):
    """A new match, counted by gnuBG and by us."""
    content = record(part, program)
    try:
        check = selfcheck(
            read_match(f"seed {part.seed}", content), program, met=part.met, timeout=SECONDS
        )
    except NothingToCompare:
        check = None
    return Fresh(part, content, check)


def fresh(count, seed, program):
    """So many new matches of a seed, each counted by both."""
    for number in range(count):
        yield counted(recipe(seed * 10**6 + number), program)


def summary(done):
    """The counts of a run: matches, games, figures, and how they compare."""
    checks = [generated.check for generated in done if generated.check]
    figures = [figure for check in checks for figure in check.figures]
    same = sum(figure.gnubg == figure.ours for figure in figures)
    wrong = sum(len(check.wrong) for check in checks)
    games = sum(len(check.match.games) for check in checks)
    return (
        f"{len(done)} matches, {games} games, {len(figures)} figures: {same} the same number, "
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
    program = find()
    done = []
    for generated in fresh(options.count, options.seed, program):
        part = generated.recipe
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            path = options.keep / f"{part.seed}-{part.met.stem}.sgf"
            path.write_bytes(generated.content)
        done.append(generated)
        wrong = generated.check.wrong if generated.check else ()
        if wrong or generated.check is None:
            print(
                part, *wrong, "" if generated.check else "nothing analysed", sep="\n  ", flush=True
            )
    print(f"gnuBG {program.version}: {summary(done)}")
    sys.exit(any(generated.check and generated.check.wrong for generated in done))


if __name__ == "__main__":
    main()
