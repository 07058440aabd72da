"""How long a `.bgf` takes from its bytes to the figures, against decompressing and decoding the same tokens and nothing more, in one run.

    python -m benchmarks.bench_bgf [FILE.bgf]...

The decoder beside ours is `plain_smile`, which checks nothing. Every time is the best of many of processor time; the two
take turns. Without files it takes the real matches in the folder that RECONCILE_DATA names.
"""

from __future__ import annotations

import sys
from pathlib import Path
from zlib import decompress

from benchmarks.bench_load import score_xg
from benchmarks.plain_smile import decode
from benchmarks.timing import ROUNDS, best_of, milliseconds, ratio, table
from tests.support.data import matching

TIMES = 4
GZIP = 31


def measure(path: Path) -> tuple[float, float]:
    """Seconds of ours and of the bare decoder."""
    content = path.read_bytes()
    packed = content.partition(b"\n")[2]
    ours = bare = float("inf")
    for _ in range(ROUNDS):
        bare = min(bare, best_of(TIMES, lambda: decode(decompress(packed, GZIP))))
        ours = min(ours, best_of(TIMES, lambda: score_xg(path.name, content)))
    return ours, bare


def main() -> None:
    paths = [Path(name) for name in sys.argv[1:]] or matching("bgblitz/bgf/*.bgf")
    measured = [(path, *measure(path)) for path in paths]
    rows = [
        (path.name, milliseconds(ours), milliseconds(bare), ratio(ours, bare))
        for path, ours, bare in measured
    ]
    print(table("", ("file", "read and scored", "bare decode", "ratio"), rows))


if __name__ == "__main__":
    main()
