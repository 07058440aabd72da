"""Measure what the page "What each tool was checked against" shows, and write it to
`docs/checked.json`.

    RECONCILE_DATA=... python -m tests.oracles.measure --fresh DIR

measures everything whose files and programs are available, and keeps the rest as it was measured
before. `DIR` holds matches that `python -m tests.oracles.gnubg --keep DIR` made. `python -m
docs.generate` then writes the page.
"""

import argparse
import datetime
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from benchmarks.peers import GAMMONVIEW, gammonview_totals
from docs.making.checked import CHECKS, KEPT
from reconcile.engines.gnubg import find
from reconcile.errors import NothingToCompare
from reconcile.formats import load_match, read_match
from reconcile.scoring.statistics import statistics
from tests.oracles.selfcheck import selfcheck
from tests.support.data import matching
from tests.support.gnubg import SHIPPED
from tests.support.reported import WINDOW, match_file, scored

Entry = dict[str, Any]

REAL_XG = ("real/*.xg", "bgblitz/xg/*.xg")
ANALYSED = ("gnubg/*.sgf", "real/*.sgf", "xg-summary/*.sgf")


def entry(tool, matches, figures):
    """What was measured: for each figure whether it is the same and whether it is within its
    tolerance."""
    result = list(figures)
    same, within = (sum(numbers) for numbers in zip(*result, strict=True))
    return {
        "tool": tool,
        "measured": datetime.date.today().isoformat(),
        "files": len(matches),
        "games": sum(len(match.games) for match in matches),
        "sides": 2 * len(matches),
        "figures": len(result),
        "same": same,
        "within": within - same,
        "outside": len(result) - within,
    }


def gnubg_entry(matches):
    """gnuBG's tables of analysed matches, each under a table or gnuBG's default."""
    program, checks = find(), []
    for match, met in matches:
        with suppress(NothingToCompare):
            checks.append(selfcheck(match, program, met=met))
    figures = [figure for check in checks for figure in check.figures]
    return entry(
        f"GNU Backgammon {program.version}",
        [check.match for check in checks],
        [(figure.gnubg == figure.ours, figure.agrees) for figure in figures],
    )


def gnubg_fresh(folder):
    """Matches that were made anew, each under the table that its name ends with."""
    return gnubg_entry(
        (read_match(path.name, path.read_bytes()), SHIPPED / f"{path.stem.partition('-')[2]}.xml")
        for path in sorted(folder.glob("*.sgf"))
    )


def of_gammonview(match, totals):
    """GammonView's counts, rate and total of both players, of the match and of every game: ours,
    its own, and the digits that it prints."""
    scored = statistics(match, "gammonview")
    for game, theirs in enumerate(totals, start=-1):
        for seat, player in enumerate(match.players):
            ours, own = scored.figures_at(seat, None if game < 0 else game), theirs[player]
            cube = sum(ours[f"decisions.{part}"] or 0 for part in ("double", "take"))
            yield ours["decisions.counted"], own["total_decisions"], None
            yield cube, own["cube_decisions"], None
            yield ours["pr"], own["pr"], 3
            yield ours["equity_error.total"], own["total_error"], 4


def printed_alike(ours, theirs, digits):
    """Whether a figure is the one that was printed."""
    if digits is None or ours is None or theirs is None:
        return ours == theirs
    return abs(ours - theirs) <= 0.5 * 10**-digits + 1e-9


def gammonview():
    """GammonView's figures of every side, of the match and of every game."""
    paths = matching(*REAL_XG)
    matches = [load_match(path) for path in paths]
    figures = [
        (printed_alike(*row),) * 2
        for match, totals in zip(matches, gammonview_totals(paths), strict=True)
        for row in of_gammonview(match, totals)
    ]
    return entry(GAMMONVIEW.replace("gammonview==", "GammonView "), matches, figures)


def xg_window():
    """The figures of XG's statistics window as people typed them in."""
    figures, matches, sides = [], [], 0
    for path in matching("real/*.xg-reported.json"):
        ours = scored(match_file(path))
        matches.append(ours.match)
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            sides += 1
            own = ours.figures(ours.match.players.index(name))
            for figure, printed in window.items():
                metric, digits = WINDOW[figure]
                value = own[metric]
                same = value is not None and round(value, digits) == printed
                figures.append((same, same))
    return entry("eXtreme Gammon 2", matches, figures) | {"sides": sides}


def main():
    """Measure what can be measured here, and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--fresh",
        type=Path,
        metavar="DIR",
        help="matches made by `python -m tests.oracles.gnubg --keep DIR`",
    )
    options = parser.parse_args()
    measured = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    if matching(*REAL_XG):
        measured |= {
            "xg-window": xg_window(),
            "gammonview": gammonview(),
            "gnubg-files": gnubg_entry((load_match(path), None) for path in matching(*ANALYSED)),
        }
    if options.fresh:
        measured["gnubg-fresh"] = gnubg_fresh(options.fresh)
    listed = {key: measured[key] for key in CHECKS if key in measured}
    KEPT.write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
