"""Damaged SGFs that we read, counted by gnuBG itself: its table and ours must be equal, or the
match be told to be impossible."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from random import Random
from typing import Final

from reconcile.engines.selfcheck import CheckedFile, selfcheck
from reconcile.errors import EngineError, NothingToCompare, ReconcileError
from reconcile.formats import read_match
from reconcile.match.match import Match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.fuzz.damage import GENTLE
from tests.fuzz.formats import Format, formats
from tests.support.gnubg import program

SECONDS: Final = 60.0
"""For one file in gnuBG."""
IMPOSSIBLE: Final = ("illegal-play", "damaged-value")
LOST: Final = ("play-not-listed", "incomplete-analysis")
"""Told where gnuBG's own sum is no number: one of the scores it adds up is none, and the play is
unknown here."""
FIRST_MISSING: Final = "First game missing"
"""Why gnuBG's Python interface has no table of a match that it loads and counts as any other."""
GAME_NUMBER: Final = re.compile(rb"\[game:[^]]*\]")


@dataclass(frozen=True, slots=True)
class Counted:
    """What came of one file."""

    number: int
    outcome: str
    """`equal`, `told` (other, and a finding says that the match is not possible), or `other`; where
    gnuBG has no figures, because it ends early or loads nothing, `told` or `not loaded`; `not
    analysed` where there is nothing to count."""
    why: str = ""


def gently(kind: Format, number: int) -> bytes:
    """A sound file in which one thing is changed: always the same bytes for the same sound
    files."""
    chance = Random(f"gently {number}")
    return chance.choice(GENTLE)(chance.choice(kind.seeds()), chance)


def loaded(kind: Format, seed: int) -> Iterator[tuple[int, Match]]:
    """Damaged files that we read, with their numbers, every second one changed gently; those that
    lost their analysis are left out."""
    sound = set(kind.seeds())
    for number in count(seed * 10**9):
        content = gently(kind, number) if number % 2 else kind.mutation(number)
        if content in sound:
            continue
        try:
            match = read_match(f"number {number}", content)
        except ReconcileError:
            continue
        if match.plays.analysed.any() or match.cubes.analysed.any():
            yield number, match


def counted(number: int, match: Match) -> Counted:
    """One file, counted by both."""
    codes = [finding.code for finding in findings_of(statistics(match, "gnubg"))]
    impossible = any(code in IMPOSSIBLE for code in codes)
    try:
        wrong = checked(match).wrong
    except NothingToCompare:
        return Counted(number, "not analysed")
    except EngineError as error:
        silent = "other" if "games, we found" in str(error) else "not loaded"
        return Counted(number, "told" if impossible else silent, f"{error} {codes}")
    if not wrong:
        return Counted(number, "equal")
    shown = "; ".join(
        f"{figure.player} {figure.name} game {figure.game}: gnuBG {figure.gnubg}, "
        f"ours {figure.ours}"
        for figure in wrong[:3]
    )
    lost = any(
        figure.gnubg is not None and not math.isfinite(figure.gnubg) for figure in wrong
    ) and any(code in LOST for code in codes)
    return Counted(
        number, "told" if impossible or lost else "other", f"{len(wrong)} figures, {shown}; {codes}"
    )


def checked(match: Match) -> CheckedFile:
    """Every figure of gnuBG's table, of a match without its first game too: every game is then
    numbered as the first for gnuBG's Python interface; no figure depends on the number."""
    try:
        return selfcheck(match, program(), timeout=SECONDS)
    except EngineError as error:
        if FIRST_MISSING not in str(error):
            raise
    content = GAME_NUMBER.sub(b"[game:0]", match.source.content)
    return selfcheck(
        replace(match, source=replace(match.source, content=content)), program(), timeout=SECONDS
    )


def sample(size: int, seed: int) -> Iterator[Counted]:
    """So many damaged files that we read, each counted by both."""
    kind = next(kind for kind in formats() if kind.name == "sgf")
    for number, match in islice(loaded(kind, seed), size):
        yield counted(number, match)


def report(size: int, seed: int) -> bool:
    """Print what came of a sample; whether gnuBG agrees wherever the match is possible."""
    outcomes: Counter[str] = Counter()
    for result in sample(size, seed):
        outcomes[result.outcome] += 1
        if result.outcome != "equal":
            print(f"number {result.number}: {result.outcome}: {result.why}", flush=True)
    print(
        f"gnuBG counted {size} damaged files: "
        + ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    )
    return not outcomes["other"]
