"""Makes archives of any number of matches, no two alike, for measuring how a corpus grows.

    python -m benchmarks.generated_matches --count 33000 -o DIR [--seed N] [--jobs N]

They are variations of real matches (see `generated_bases`): seven of ten `.xg`, three `.sgf`, by players who meet again, over some
years, in tar files of 1,000. No two have the same bytes or the same transcript. The same seed gives the same bytes, and of two
counts the smaller gives the first matches of the larger. The real matches are those in the folder that RECONCILE_DATA names; without
it they are the bundled ones.
"""

from __future__ import annotations

import argparse
import io
import tarfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Final

from benchmarks.generated_bases import Base, Changes, SgfBase, XgBase, chosen
from benchmarks.generated_players import pair
from tests.support.data import FOLDER, PROJECT

REAL: Final = ("real/*.xg", "bgblitz/xg/*.xg", "real/*.sgf", "gnubg-text/*/*.sgf")
"""People's matches; those that gnuBG played with noise for the tests of its rules have errors that no archive has."""
BUNDLED: Final = ("reference_matches/*/*.xg", "reference_matches/*/*.sgf")
KINDS: Final = (XgBase, SgfBase, XgBase, XgBase, SgfBase, XgBase, XgBase, SgfBase, XgBase, XgBase)
"""Of ten matches in a row."""
FEWEST: Final = 10**6
"""Variations that a real match must allow to be taken."""
PER_ARCHIVE: Final = 1000
FIRST_DAY: Final = date(2015, 1, 3)
DAYS: Final = 4000
PLACES: Final = (
    "Aarhus",
    "Basel",
    "Brno",
    "Gdańsk",
    "Ghent",
    "İzmir",
    "Lyon",
    "Malmö",
    "Osaka",
    "Porto",
    "Tallinn",
    "Utrecht",
)


@cache
def bases() -> dict[type[Base], tuple[Base, ...]]:
    """The matches to be varied, by format."""
    real = [path for pattern in REAL for path in sorted(FOLDER.glob(pattern))]
    paths = real or [path for pattern in BUNDLED for path in sorted(PROJECT.glob(pattern))]
    read = [
        kind(path) for path in paths for kind in (XgBase, SgfBase) if path.suffix == kind.suffix
    ]
    return {
        kind: tuple(base for base in read if isinstance(base, kind) and base.variations >= FEWEST)
        for kind in (XgBase, SgfBase)
    }


def variation(number: int, seed: int) -> tuple[str, bytes]:
    """Name and bytes of one match of an archive. Raises `ValueError` where its base allows no further one."""
    turn, place = divmod(number, len(KINDS))
    kind = KINDS[place]
    of_kind = bases()[kind]
    times, which = divmod(turn * KINDS.count(kind) + KINDS[:place].count(kind), len(of_kind))
    base = of_kind[which]
    # Files of one transcript take turns, so that no two of them get the same dice.
    family = [
        one for several in bases().values() for one in several if one.transcript == base.transcript
    ]
    ordinal = times * len(family) + family.index(base)
    if ordinal >= base.variations:
        raise ValueError(
            f"expected fewer matches: there are only {base.variations} variations of {base.match.source.path}"
        )
    draw = Random(f"{seed} {number}")
    day = FIRST_DAY + timedelta(draw.randrange(DAYS))
    changes = Changes(
        chosen(base.slots, ordinal),
        pair(draw),
        f"{draw.choice(PLACES)} {day.year}",
        day,
        draw.uniform(0.9, 1.1),
    )
    return f"{day.year}/{number:07}{base.suffix}", base.varied(changes)


def write_archive(folder: Path, seed: int, per_archive: int, first: int, count: int) -> Path:
    """Write the archive of some matches and return its path."""
    path = folder / f"matches-{first // per_archive:04}.tar"
    unfinished = path.with_suffix(".unfinished")
    with tarfile.open(unfinished, "w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(first, first + count):
            name, content = variation(number, seed)
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    unfinished.replace(path)
    return path


def generate(
    folder: Path, count: int, *, seed: int = 1, jobs: int = 2, per_archive: int = PER_ARCHIVE
) -> list[Path]:
    """Write the archives of `count` matches and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(0, count, per_archive)
    write = partial(write_archive, folder, seed, per_archive)
    counts = [min(per_archive, count - first) for first in firsts]
    if jobs == 1:
        return list(map(write, firsts, counts))
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(write, firsts, counts))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Make archives of matches, no two alike.")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args(arguments)
    start = perf_counter()
    made = generate(chosen.output, chosen.count, seed=chosen.seed, jobs=chosen.jobs)
    size = sum(path.stat().st_size for path in made)
    print(
        f"{chosen.count:,} matches in {len(made)} archives, {size / 1e9:.2f} GB, {perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
