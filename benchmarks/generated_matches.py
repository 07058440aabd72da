"""Makes archives of any number of matches, no two alike, for measuring how a corpus grows.

    python -m benchmarks.generated_matches --count 33000 -o DIR [--seed N] [--jobs N]

They are real matches with other dice here and there (`tests.support.variants`), by other players
who meet again, over some years: seven of ten `.xg`, three `.sgf`, in tar files of 1,000. The same
seed gives the same bytes, and of two counts the smaller gives the first matches of the larger. The
real matches are those in the folder that RECONCILE_DATA names; without it the bundled ones.
"""

from __future__ import annotations

import argparse
import io
import re
import tarfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from functools import cache, partial
from pathlib import Path
from random import Random

from reconcile.formats.xg import records
from tests.support.data import FOLDER, PROJECT
from tests.support.variants import variant
from tests.support.xg_writer import short_string, utf16_field

REAL = ("real/*.xg", "bgblitz/xg/*.xg", "real/*.sgf", "gnubg-text/*/*.sgf")
BUNDLED = ("reference_matches/*/*.xg", "reference_matches/*/*.sgf")
ENDINGS = (".xg", ".sgf", ".xg", ".xg", ".sgf", ".xg", ".xg", ".sgf", ".xg", ".xg")
"""Of ten matches in a row."""
PER_ARCHIVE = 1000
FIRST_DAY = date(2015, 1, 3)
EPOCH = date(1899, 12, 30)
"""Day 0 of the dates of `.xg`."""
DAYS = 4000
FIRST_NAMES = (
    "Ada Aino Björn Célia Dilek Emre Farah Gül Hana Ivo Joëlle Kaan Lucía Mette Noémie Rafał"
)
LAST_NAMES = "Åkerman Becker Çelik Dubois Ferreira García Hansen Ito Kovač Müller Novák Sørensen"
HEADINGS = re.compile(rb"(PW|PB|DT|EV)\[[^]\\]*\]")


@cache
def bases(ending: str) -> tuple[bytes, ...]:
    """The real matches of a format that are varied."""
    real = [path for pattern in REAL for path in sorted(FOLDER.glob(pattern))]
    paths = real or [path for pattern in BUNDLED for path in sorted(PROJECT.glob(pattern))]
    return tuple(path.read_bytes() for path in paths if path.suffix == ending)


def variation(number: int, seed: int) -> tuple[str, bytes]:
    """Name and bytes of one match of an archive."""
    draw = Random(f"{seed} {number}")
    ending = ENDINGS[number % len(ENDINGS)]
    content = draw.choice(bases(ending))
    day = FIRST_DAY + timedelta(draw.randrange(DAYS))
    players = [_player(draw), _player(draw)]
    if players[0] == players[1]:
        players[1] = f"{players[1]} jr"
    if ending == ".sgf":
        names = {
            "PW": players[0],
            "PB": players[1],
            "DT": day.isoformat(),
            "EV": f"Open {day.year}",
        }
        content = HEADINGS.sub(lambda field: _field(field[1], names), content)
        content = variant(content, number)
    else:
        content = variant(content, number, header=_header(players, day))
    return f"{day.year}/{number:07}{ending}", content


def _player(draw: Random) -> str:
    """A name; some play much more often than others, and a tenth is spelt in capitals."""
    first_names, last_names = FIRST_NAMES.split(), LAST_NAMES.split()
    first, last = (min(draw.choices(range(len(names)), k=2)) for names in (first_names, last_names))
    name = f"{first_names[first]} {last_names[last]}"
    return name.upper() if draw.random() < 0.1 else name


def _field(key: bytes, texts: dict[str, str]) -> bytes:
    return b"%b[%b]" % (key, texts[key.decode()].encode())


def _header(players: Sequence[str], day: date) -> dict[str, records.Value]:
    """The fields of an `.xg` file's match header that a variation has of its own."""
    fields: dict[str, records.Value] = {"date": float((day - EPOCH).days)}
    for seat, name in enumerate(players, 1):
        fields[f"player{seat}"] = short_string(name, 40).ljust(41, b"\0")
        fields[f"player{seat}_utf16"] = utf16_field(name, 129)
    return fields


def write_archive(folder: Path, seed: int, per_archive: int, first: int, count: int) -> Path:
    """Write the archive of some matches and return its path."""
    path = folder / f"matches-{first // per_archive:04}.tar"
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for number in range(first, first + count):
            name, content = variation(number, seed)
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def generate(
    folder: Path, count: int, *, seed: int = 1, jobs: int = 2, per_archive: int = PER_ARCHIVE
) -> list[Path]:
    """Write the archives of `count` matches and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    firsts = range(0, count, per_archive)
    write = partial(write_archive, folder, seed, per_archive)
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(write, firsts, [min(per_archive, count - at) for at in firsts]))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make archives of matches, no two alike.")
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    archives = generate(options.output, options.count, seed=options.seed, jobs=options.jobs)
    size = sum(path.stat().st_size for path in archives)
    print(f"{options.count:,} matches in {len(archives)} archives, {size / 1e9:.2f} GB")


if __name__ == "__main__":
    main()
