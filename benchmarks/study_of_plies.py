"""Measures how far PR moves with the depth of gnuBG's analysis, on an archive that has the same matches at two depths.

    python -m benchmarks.study_of_plies ARCHIVE [-o docs/study-of-plies.md]

ARCHIVE is a folder or an archive with every match analysed at 0 plies and deeper by the same gnuBG, for example the one that
`docs/study-of-plies.md` names. The page is written from what is measured, by rule set `gnubg`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.study_page import Rows, Sides, page
from reconcile.errors import ReconcileError
from reconcile.formats.archives import units
from reconcile.match.board.identifiers import xgid
from reconcile.match.board.play import apply_play, play_text
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match, fingerprint
from reconcile.scoring.decision_table import situation
from reconcile.scoring.open_rules import undecided
from reconcile.scoring.statistics import Statistics, statistics

RULES: Final = "gnubg"
OPENING: Final = 6
"""Turns of a game, both players counted."""
WORST: Final = 10
NOTICED: Final = 0.005
"""EMG; a smaller difference between two actions is no other verdict."""
SEED: Final = 20261122
RESAMPLES: Final = 10_000

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """One match at both depths, the same rows in both."""

    flat: Statistics
    deep: Statistics


def pairs_of(paths: Sequence[str]) -> list[Pair]:
    """The matches that are there at 0 plies and deeper. Raises `ReconcileError`."""
    found: dict[str, dict[float, Match]] = defaultdict(dict)
    for unit in units(paths):
        try:
            matches = list(unit.matches())
        except ReconcileError as error:
            sys.stderr.write(f"left out: {error}\n")
            continue
        for match in matches:
            depth = max((level.lookahead or 0 for level in match.levels), default=None)
            if depth is not None:
                found[fingerprint(match)].setdefault(depth, match)
    pairs = []
    for depths in found.values():
        if 0 in depths and len(depths) > 1:
            flat, deep = depths[0], depths[max(depths)]
            assert flat.players == deep.players
            assert (flat.plays.position == deep.plays.position).all()
            assert (flat.cubes.position == deep.cubes.position).all()
            pairs.append(Pair(statistics(flat, RULES), statistics(deep, RULES)))
    return pairs


def sides_of(pairs: Sequence[Pair]) -> Sides:
    """Figures of both players of every match."""
    names = ("pr", "checker_pr", "cube_pr", "decisions.counted", "equity_error.total")
    places = [(number, pair, seat) for number, pair in enumerate(pairs) for seat in (0, 1)]
    tables = [
        np.array(
            [
                [one.figures(seat)[name] or 0.0 for one in (pair.flat, pair.deep)]
                for _, pair, seat in places
            ],
            float,
        )
        for name in names
    ]
    return Sides(np.array([number for number, *_ in places]), *tables)


def phases(match: Match) -> npt.NDArray[np.object_]:
    """The phase of every play, then of every cube decision."""
    position = np.concatenate((match.plays.position, match.cubes.position)).astype(int)
    turn = np.concatenate((match.plays.turn, match.cubes.turn))
    places = np.arange(position.shape[1])
    rear = np.where(position > 0, places, -1).max(axis=1)
    front = np.where(position < 0, places, len(places)).min(axis=1)
    contact = rear > front
    race = np.where(rear <= 6, "bear-off", "race")
    found: npt.NDArray[np.object_] = np.where(
        contact, np.where(turn <= OPENING, "opening", "contact"), race
    ).astype(object)
    return found


def rows_of(pair: Pair) -> Rows:
    """The decisions of a match that count at either depth."""
    match, both = pair.flat.match, (pair.flat, pair.deep)
    plays, cubes = len(match.plays), len(match.cubes)
    total = plays + cubes
    kinds = np.concatenate(
        (
            np.full(plays, "play", object),
            np.array([Kind(kind).label for kind in match.cubes.kind], object),
        )
    )
    kinds[(kinds == "take") | (kinds == "pass")] = "take or pass"
    error = np.stack([one.scored.error[:total] for one in both], axis=1).astype(float)
    counted = np.stack([one.scored.counted[:total] for one in both], axis=1)
    flipped = np.zeros(total, bool)
    for row in np.flatnonzero(counted[:plays].any(axis=1)).tolist():
        lists = [one.match.candidates(row) for one in both]
        board = match.plays.position[row]
        before = apply_play(board, lists[0][0].play)
        # A play beyond those that are printed costs at least as much as the last of them.
        same = [one for one in lists[1] if apply_play(board, one.play) == before] or lists[1][-1:]
        flipped[row] = (lists[1][0].equity or 0.0) - (same[0].equity or 0.0) >= NOTICED
    flipped[plays:] = np.not_equal(*(_right_action(one) for one in both)) & (
        error[plays:].sum(axis=1) >= NOTICED
    )
    keep = counted.any(axis=1)
    phase = phases(match)
    group = np.array([f"{kind}, {phase[row]}" for row, kind in enumerate(kinds)], object)
    return Rows(group[keep], error[keep], counted[keep], flipped[keep])


def _right_action(one: Statistics) -> npt.NDArray[Any]:
    """The right choice of the decider of every cube row: whether to double, whether to pass."""
    cubes, view = one.match.cubes, one.scored.view
    answer: npt.NDArray[Any] = view.double_take > view.double_pass
    return np.where(cubes.kind >= Kind.TAKE, answer, view.best > view.no_double)


def joined(found: Sequence[Rows]) -> Rows:
    """The decisions of all matches."""
    names = ("group", "error", "counted", "flipped")
    return Rows(*(np.concatenate([getattr(one, name) for one in found]) for name in names))


def worst_of(pairs: Sequence[Pair]) -> Iterator[dict[str, str]]:
    """The plays whose error differs most: XGID, what was played, both verdicts."""
    places = []
    for number, pair in enumerate(pairs):
        rolls = slice(len(pair.flat.match.plays))
        apart = pair.deep.scored.error[rolls] - pair.flat.scored.error[rolls]
        places += [
            (abs(float(apart[row])), number, row)
            for row in np.argsort(-np.abs(apart))[:WORST].tolist()
        ]
    for _, number, row in sorted(places, reverse=True)[:WORST]:
        pair = pairs[number]
        match, plays = pair.flat.match, pair.flat.match.plays
        board = tuple(plays.position[row].tolist())
        first, second = plays.dice[row].tolist()
        where = situation(
            match,
            int(plays.game[row]),
            int(plays.player[row]),
            board,
            cube=int(plays.cube[row]),
            owner=int(plays.owner[row]),
            dice=(first, second),
        )
        best = [
            play_text(board, one.match.candidates(row)[0].play) for one in (pair.flat, pair.deep)
        ]
        error = [float(one.scored.error[row]) for one in (pair.flat, pair.deep)]
        yield {
            "xgid": xgid(where),
            "played": play_text(board, plays.play[row]),
            "flat": f"{best[0]} ({error[0]:.3f})",
            "deep": f"{best[1]} ({error[1]:.3f})",
        }


def interval(sides: Sides, figure: Any) -> tuple[float, float]:
    """The middle 95 % of a figure of the sides over resampled matches."""
    chance = np.random.default_rng(SEED)
    of_match = [np.flatnonzero(sides.match == number) for number in np.unique(sides.match)]
    found = [
        figure(
            np.concatenate(
                [of_match[one] for one in chance.integers(0, len(of_match), len(of_match))]
            )
        )
        for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("archive", nargs="+")
    parser.add_argument("-o", "--output", default="-")
    given = parser.parse_args()
    pairs = pairs_of(given.archive)
    sides, rows = sides_of(pairs), joined([rows_of(pair) for pair in pairs])
    played = sum(int((pair.flat.match.plays.validity != Validity.UNPLAYED).sum()) for pair in pairs)
    open_ = [
        int(sum(undecided(one.scored).sum() for one in (pair.flat, pair.deep))) for pair in pairs
    ]
    text = page(
        sides, rows, list(worst_of(pairs)), interval=interval, rolls=played, undecided=sum(open_),
        date=datetime.now(UTC).date().isoformat(),
        versions=sorted({one.match.source.tool_version or "" for pair in pairs for one in (pair.flat, pair.deep)}),
    )  # fmt: skip
    if given.output == "-":
        sys.stdout.write(text)
    else:
        Path(given.output).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
