"""Damaged SGFs that we read, counted by gnuBG itself: its table and ours must be equal, or a
finding names the match as impossible."""

import math
import re
from collections import Counter
from dataclasses import replace
from itertools import count, islice
from random import Random

from reconcile.errors import EngineError, NothingToCompare, ReconcileError
from reconcile.formats import read_match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.fuzz.damage import GENTLE
from tests.fuzz.formats import formats, sgf
from tests.oracles.selfcheck import selfcheck
from tests.support.gnubg import program

SECONDS = 60.0
"""For one file in gnuBG."""
IMPOSSIBLE = {"illegal-play", "damaged-value"}
LOST = {"play-not-listed", "incomplete-analysis"}
"""Findings where gnuBG's own sum is no number: one of the scores it adds up is none, and the play
is unknown here."""
FIRST_MISSING = "First game missing"
"""Why gnuBG's Python interface has no table of a match that it loads and counts as any other."""
GAME_NUMBER = re.compile(rb"\[game:[^]]*\]")


def gently(number):
    """A sound file in which one thing is changed."""
    chance = Random(f"gently {number}")
    return chance.choice(GENTLE)(chance.choice(sgf()), chance)


def loaded(seed):
    """Damaged files that we read, with their numbers, every second one changed gently; those that
    lost their analysis are left out."""
    kind = next(kind for kind in formats() if kind.name == "sgf")
    sound = set(sgf())
    for number in count(seed * 10**9):
        content = gently(number) if number % 2 else kind.mutation(number)
        if content in sound:
            continue
        try:
            match = read_match(f"number {number}", content)
        except ReconcileError:
            continue
        if match.has_analysis:
            yield number, match


def counted(match):
    """What came of one file that both counted, and why.

    `equal`; `noted` where the tables differ, or gnuBG has none, and a finding has the reason;
    `other` where none has; `not loaded` by gnuBG; `not analysed`.
    """
    codes = {finding.code for finding in findings_of(statistics(match, "gnubg"))}
    try:
        wrong = checked(match).wrong
    except NothingToCompare:
        return "not analysed", ""
    except EngineError as error:
        silent = "other" if "games, we found" in str(error) else "not loaded"
        return "noted" if codes & IMPOSSIBLE else silent, f"{error} {sorted(codes)}"
    if not wrong:
        return "equal", ""
    numbers = [figure.gnubg for figure in wrong if figure.gnubg is not None]
    excused = IMPOSSIBLE if all(map(math.isfinite, numbers)) else IMPOSSIBLE | LOST
    why = f"{len(wrong)} figures, {wrong[:3]}; {sorted(codes)}"
    return "noted" if codes & excused else "other", why


def checked(match):
    """Every figure of gnuBG's table, of a match without its first game too: every game is then
    numbered as the first for gnuBG's Python interface; no figure depends on the number."""
    try:
        return selfcheck(match, program(), timeout=SECONDS)
    except EngineError as error:
        if FIRST_MISSING not in str(error):
            raise
    content = GAME_NUMBER.sub(b"[game:0]", match.source.content)
    numbered = replace(match, source=replace(match.source, content=content))
    return selfcheck(numbered, program(), timeout=SECONDS)


def report(size, seed):
    """Print what came of so many damaged files that we read; whether gnuBG agrees wherever the
    match is possible."""
    outcomes: Counter[str] = Counter()
    for number, match in islice(loaded(seed), size):
        outcome, why = counted(match)
        outcomes[outcome] += 1
        if outcome != "equal":
            print(f"number {number}: {outcome}: {why}", flush=True)
    numbers = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    print(f"gnuBG counted {size} damaged files: {numbers}")
    return not outcomes["other"]
