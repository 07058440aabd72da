"""Measure what the page "What each tool was checked against" shows, and write it to
`docs/checked.json`.

    RECONCILE_DATA=... python -m tests.oracles.measure --fresh DIR

measures everything whose files and programs are available, and keeps the rest as it was measured
before. `DIR` holds matches that `python -m tests.oracles.gnubg --keep DIR` made. `python -m
docs.generate` then writes the page.
"""

from __future__ import annotations

import argparse
import datetime
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.peers import GAMMONVIEW, gammonview_totals
from docs.making.checked import KEPT, ORDER
from reconcile.engines.gnubg import Gnubg, find
from reconcile.engines.selfcheck import CheckedFile, selfcheck
from reconcile.errors import NothingToCompare
from reconcile.formats import load_match, read_match
from reconcile.scoring.statistics import statistics
from tests.oracles.fresh_matches import SHIPPED
from tests.support.data import matching
from tests.support.reported import WINDOW, match_file, scored

Entry = dict[str, Any]

REAL_XG: Final = ("real/*.xg", "bgblitz/xg/*.xg")
ANALYSED: Final = ("gnubg/*.sgf", "real/*.sgf", "xg-summary/*.sgf")


def entry(
    tool: str, files: int, games: int, sides: int, figures: Iterable[tuple[bool, bool]]
) -> Entry:
    """What was found: for each figure whether it is the same and whether it is within its
    tolerance."""
    result = list(figures)
    same, within = sum(number for number, _ in result), sum(number for _, number in result)
    return {
        "tool": tool,
        "measured": datetime.date.today().isoformat(),
        "files": files,
        "games": games,
        "sides": sides,
        "figures": len(result),
        "same": same,
        "within": within - same,
        "outside": len(result) - within,
    }


def gnubg_entry(checks: Iterable[CheckedFile], program: Gnubg) -> Entry:
    """gnuBG's tables of some matches."""
    done = list(checks)
    figures = [
        (figure.gnubg == figure.ours, figure.agrees) for check in done for figure in check.figures
    ]
    return entry(
        f"GNU Backgammon {program.version}",
        len(done),
        sum(len(check.match.games) for check in done),
        2 * len(done),
        figures,
    )


def gnubg_files() -> Entry:
    """Every analysed file of gnuBG's that is available, under gnuBG's default table."""
    program = find()

    def checks() -> Iterator[CheckedFile]:
        for path in matching(*ANALYSED):
            match = load_match(path)
            if match.plays.analysed.any() or match.cubes.analysed.any():
                yield selfcheck(match, program)

    return gnubg_entry(checks(), program)


def gnubg_fresh(folder: Path) -> Entry:
    """Matches that were made anew, each under the table that its name ends with."""
    program = find()

    def checks() -> Iterator[CheckedFile]:
        for path in sorted(folder.glob("*.sgf")):
            try:
                match = read_match(path.name, path.read_bytes())
                yield selfcheck(match, program, met=SHIPPED / f"{path.stem.partition('-')[2]}.xml")
            except NothingToCompare:
                continue

    return gnubg_entry(checks(), program)


def gammonview() -> Entry:
    """GammonView's counts, rate and total of every side, of the match and of every game."""
    paths = matching(*REAL_XG)
    figures, games = [], 0
    for path, totals in zip(paths, gammonview_totals(paths), strict=True):
        match = load_match(path)
        ours = statistics(match, "gammonview")
        games += len(match.games)
        for game, theirs in enumerate(totals, start=-1):
            for seat, player in enumerate(match.players):
                result, own = ours.figures_at(seat, None if game < 0 else game), theirs[player]
                cube = sum(result[f"decisions.{part}"] or 0 for part in ("double", "take"))
                counts = (
                    (result["decisions.counted"], own["total_decisions"]),
                    (cube, own["cube_decisions"]),
                )
                figures += [
                    (computed == printed, computed == printed) for computed, printed in counts
                ]
                for computed, printed, digits in (
                    (result["pr"], own["pr"], 3),
                    (result["equity_error.total"], own["total_error"], 4),
                ):
                    alike = (
                        computed == printed
                        if computed is None or printed is None
                        else abs(computed - printed) <= 0.5 * 10**-digits + 1e-9
                    )
                    figures.append((alike, alike))
    return entry(
        GAMMONVIEW.replace("gammonview==", "GammonView "),
        len(paths),
        games,
        2 * len(paths),
        figures,
    )


def xg_window() -> Entry:
    """The figures of XG's statistics window as people typed them in."""
    figures, games, sides, paths = [], 0, 0, matching("real/*.xg-reported.json")
    for path in paths:
        ours = scored(match_file(path))
        games += len(ours.match.games)
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            sides += 1
            for figure, printed in window.items():
                metric, digits = WINDOW[figure]
                value = ours.figures(ours.match.players.index(name))[metric]
                same = value is not None and round(value, digits) == printed
                figures.append((same, same))
    return entry("eXtreme Gammon 2", len(paths), games, sides, figures)


def main() -> None:
    """Measure what can be measured here, and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--fresh",
        type=Path,
        metavar="DIR",
        help="matches made by `python -m tests.oracles.gnubg --keep DIR`",
    )
    options = parser.parse_args()
    measured: dict[str, Entry] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    if matching(*REAL_XG):
        measured |= {
            "xg-window": xg_window(),
            "gammonview": gammonview(),
            "gnubg-files": gnubg_files(),
        }
    if options.fresh:
        measured["gnubg-fresh"] = gnubg_fresh(options.fresh)
    KEPT.write_text(
        json.dumps(
            {key: measured[key] for key in ORDER if key in measured}, indent=1, ensure_ascii=False
        )
        + "\n",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
