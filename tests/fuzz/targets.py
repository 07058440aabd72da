"""One target per format for atheris, which follows what every input runs through and changes it towards lines not met before.

    python -m tests.fuzz.targets "xg records" -max_total_time=600

Seeds are the sound files of the format, small ones, and `tests/damaged`; what is behind the format is an option of libFuzzer's. An input
that crashes is written to the working folder. Needs atheris (`pip install atheris`).
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.fuzz.formats import Format

LARGEST_SEED: Final = 20_000
"""Bytes: atheris runs thousands of small inputs in the time of one large."""
FEWEST: Final = 2
"""Of the smallest seeds, whatever their size."""
LIMITS: Final = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=400000")
"""libFuzzer's: seconds on the clock of a machine that does other things too, and memory of the whole process."""


def once(kind: Format, content: bytes) -> None:
    """One input of atheris: what was taken out of a file goes back into the smallest sound one."""
    from reconcile.errors import ReconcileError

    whole = kind.wrap(kind.seeds()[0], content)
    try:
        kind.read(whole, len(content) % 10 == 0)
    except ReconcileError:
        return
    assert not kind.refuses(whole)


def write_seeds(kind: Format, folder: Path) -> int:
    """Write the seeds of a format; how many there are."""
    from tests.fuzz.seeds import DAMAGED

    seeds = sorted(map(kind.open, kind.seeds()), key=len)
    chosen = seeds[:FEWEST] + [seed for seed in seeds[FEWEST:] if len(seed) <= LARGEST_SEED]
    chosen += [path.read_bytes() for path in DAMAGED.iterdir() if path.suffix == f".{kind.name}"]
    for number, seed in enumerate(chosen):
        (folder / f"{number:03}").write_bytes(seed)
    return len(chosen)


def main() -> None:
    """Run atheris on the format that is named first."""
    import atheris

    with atheris.instrument_imports(include=["reconcile"]):  # so nothing of ours is imported above
        from tests.fuzz.formats import formats
    known = {kind.name: kind for kind in formats()}
    if len(sys.argv) < 2 or sys.argv[1] not in known:
        sys.exit(f"name a format: {', '.join(known)}")
    kind = known[sys.argv[1]]
    kind.seeds()
    with tempfile.TemporaryDirectory() as folder:
        print(f"{write_seeds(kind, Path(folder))} seeds", file=sys.stderr)
        atheris.Setup([sys.argv[0], *LIMITS, *sys.argv[2:], folder], lambda content: once(kind, content))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
