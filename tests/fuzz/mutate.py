"""Damaged files by the thousand: each must be read or refused with one line by any command that is
given it, within 2 seconds and 512 MB.

    python -m tests.fuzz.mutate --count 20000
    python -m tests.fuzz.mutate --count 500 --only sgf --gnubg 200
    python -m tests.fuzz.mutate --count 500 --only "xg records" --only page

Prints how many of each format were read, refused, slow, too large or crashed; what went wrong is
named with the number that makes the same bytes again, and kept with --keep. Exits with 1 on any
bug. With --gnubg, of the damaged SGFs that are read, so many are counted by gnuBG as well.
"""

import argparse
import resource
import signal
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from tests.fuzz.against_gnubg import report
from tests.fuzz.formats import checksum_fails, formats
from tests.fuzz.judge import refused

SECONDS = 2.0
"""Of processor time that one input may take."""
HANG = 20.0
"""After so many an input is given up."""
MEGABYTES = 512
"""That one input may need beyond what the process holds."""
COLUMNS = ("read", "refused", "slow", "large", "crashed")


class Hang(BaseException):
    """An input that takes for ever; no `Exception`, so that nobody keeps it."""


@dataclass(slots=True)
class Tried:
    """What came of the inputs of one format."""

    counts: Counter[str] = field(default_factory=Counter)
    """Of `COLUMNS`."""
    bugs: list[tuple[int, str]] = field(default_factory=list)
    """The number of an input and what happened."""
    slowest: tuple[float, int] = (0.0, 0)
    """Seconds, number."""


def peak():
    """The most memory that this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def give_up(number, frame):
    raise Hang


def tried(kind, number, result, *, timed=True):
    """Make the input of a number, give it to a command and count what came out; without a clock,
    where any computer shall come to the same."""
    content = kind.mutation(number)
    before, start = peak(), process_time()
    why = ""
    signal.setitimer(signal.ITIMER_PROF, HANG * timed)
    try:
        outcome = "refused" if refused(kind, content, kind.sound(number)) else "read"
    except Hang:
        outcome, why = "slow", f"given up after {HANG:g} s"
    except Exception:
        outcome, why = "crashed", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    seconds = process_time() - start
    if timed and outcome in ("read", "refused") and seconds > SECONDS:
        outcome, why = "slow", f"{seconds:.1f} s"
    elif outcome == "read" and kind.name == "xg" and checksum_fails(content):
        outcome, why = "crashed", "read in spite of a wrong checksum"
    elif peak() - before > MEGABYTES:
        outcome, why = "large", f"{peak() - before:.0f} MB"
    result.counts[outcome] += 1
    result.slowest = max(result.slowest, (seconds, number))
    if why:
        result.bugs.append((number, f"{outcome}: {why}"))


def line(name, counts, rest):
    """A line of the table."""
    cells = [counts.total(), *(counts[column] for column in COLUMNS)]
    return f"{name:<20}{''.join(f'{cell:>9}' for cell in cells)}  {rest}"


def main():
    """Run, print and report by the exit code whether there was a bug."""
    kinds = {kind.name: kind for kind in formats()}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=2000, help="inputs in all (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="other inputs (default: 0)")
    parser.add_argument("--only", action="append", choices=kinds, help="a kind; may be repeated")
    parser.add_argument("--gnubg", type=int, default=0, help="damaged SGFs that gnuBG counts too")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write inputs that show a bug")
    asked = parser.parse_args()
    signal.signal(signal.SIGPROF, give_up)
    chosen = [kinds[name] for name in asked.only or kinds]
    parts, total, bugs = sum(kind.share for kind in chosen), Counter[str](), 0
    print(f"{'format':<20}{''.join(f'{name:>9}' for name in ('inputs', *COLUMNS))}  slowest")
    for kind in chosen:
        result, first = Tried(), asked.seed * 10**9
        for number in range(first, first + max(1, round(asked.count * kind.share / parts))):
            tried(kind, number, result)
        total += result.counts
        seconds, number = result.slowest
        print(line(kind.name, result.counts, f"{seconds:.2f} s (number {number})"), flush=True)
        for number, why in result.bugs:
            print(f"{kind.name}, number {number}: {why}")
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                (asked.keep / f"{kind.name}-{number}").write_bytes(kind.mutation(number))
        bugs += len(result.bugs)
    print(line("all", total, f"peak memory {peak():.0f} MB"))
    return int(bugs > 0 or (asked.gnubg > 0 and not report(asked.gnubg, asked.seed)))


if __name__ == "__main__":
    sys.exit(main())
