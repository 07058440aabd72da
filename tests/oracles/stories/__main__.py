"""Judges the sentences over files, over the real matches that there are, or over generated pairs; exits with 1 where one is not true."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.oracles.stories.generated import seeds
from tests.oracles.stories.judge import Fault
from tests.oracles.stories.runs import judged_files, judged_generated, real_sets


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m tests.oracles.stories", description=__doc__)
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        help="analyses of one match (default: every real match in RECONCILE_DATA)",
    )
    parser.add_argument(
        "--pairs", type=int, default=0, metavar="N", help="judge so many generated pairs instead"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="S",
        help="the same pairs are made from the same seed",
    )
    given = parser.parse_args(arguments)
    found = 0
    for fault in _generated(given.pairs, given.seed) if given.pairs else _of_files(given.files):
        print(fault)
        found += 1
    print(f"{found or 'no'} fault{'s' * (found != 1)}")
    return int(found > 0)


def _of_files(files: list[Path]) -> Iterable[Fault]:
    for one in [files] if files else real_sets():
        yield from judged_files(one)


def _generated(number: int, seed: int) -> Iterable[Fault]:
    with ProcessPoolExecutor(os.cpu_count()) as workers:
        for faults in workers.map(judged_generated, seeds(number, seed), chunksize=20):
            yield from faults


if __name__ == "__main__":
    sys.exit(main())
