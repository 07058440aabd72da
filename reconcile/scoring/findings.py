"""Checks that an expert would ask a user to make: findings about one file or about a pair.

Every finding has a code with a page (`reconcile explain CODE`), a severity, evidence and advice. The pages are in `findings.md`;
the functions below decide which findings apply.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from reconcile.columns import Validity
from reconcile.match import Match
from reconcile.rules.catalogue import has_candidates, has_marks
from reconcile.rules.rulesets import QUESTIONS, own_rules
from reconcile.scoring.finding_pages import FINDINGS
from reconcile.scoring.statistics import Statistics

SYNTHETIC: Final = "Synthetic"
"""An event that begins with this word marks a file that was not made by the tool whose format it has."""
CUT_AT_LEAST: Final = 5
"""Fewest candidates in a list, and fewest lists of that length, for lists to be considered cut."""
CUT_TIMES: Final = 3
"""Lists are considered cut if the greatest length is this many times as frequent as the next smaller one."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found in a file or a pair of files."""

    code: str
    severity: str
    title: str
    evidence: str
    advice: str
    side: str | None = None
    """`left` or `right` in a comparison; `None` for the pair or a single file."""
    player: str | None = None

    @property
    def text(self) -> str:
        """The finding as one line of text, with the code for `reconcile explain`."""
        return f"{self.title}: {self.evidence} [{self.code}]"


ABOUT_TOLERANCES: Final = frozenset(("override-expired", "known-gap-expired", "known-gap-gone", "exception-unused", "tolerance-too-wide"))
"""Findings about a tolerance file, for its owner."""


def found(code: str, evidence: str, *, side: str | None = None, player: str | None = None, severity: str | None = None) -> Finding:
    """A finding of a known code."""
    page = FINDINGS[code]
    return Finding(code, severity or page.severity, page.title, evidence, page.advice, side, player)


def findings_of(statistics: Statistics, side: str | None = None) -> tuple[Finding, ...]:
    """All findings about one file and its figures."""
    return tuple(found(code, evidence, side=side) for code, evidence in _about(statistics))


def _about(statistics: Statistics) -> Iterator[tuple[str, str]]:
    """Code and evidence of every finding."""
    match = statistics.match
    if match.event.startswith(SYNTHETIC):
        yield "synthetic-file", match.event
    yield from _about_analysis(statistics)
    yield from _about_candidates(match)
    yield from ((note.code, note.evidence) for note in match.notes)
    own_marks = has_marks(match) and statistics.rules.name == own_rules(match).name
    if own_marks:
        marked = match.cubes.flag[match.cubes.flag >= 0]
        yield "marks-of-file", f"{int((marked == 0).sum())} of {len(marked)} no-doubles count"
    for code, wanted, used in () if own_marks else statistics.scored.replaced:
        why = f"a {match.source.format} file does not contain what it needs"
        yield "answer-replaced", f"{code} {QUESTIONS[code].title} {used!r} instead of {wanted!r}: {why}"
    for code, validity in (("illegal-play", Validity.ILLEGAL), ("unplayed-roll", Validity.UNPLAYED)):
        rows = np.flatnonzero(match.plays.validity == validity)
        if len(rows) and not any(note.code == code for note in match.notes):
            yield code, _places(match, rows)
    if not match.complete:
        yield "unfinished-match", _state(match)
    if match.length == 1:
        yield "one-point-match", f"PR is multiplied by {statistics.rules.value('Q09'):g} under rule set {statistics.rules.name}"
    stored = match.resignations.stored_error
    cost = float(stored[stored == stored].sum())
    if cost and statistics.rules.value("Q07"):
        yield "resignation-errors", f"{cost:.3f} EMG in resignations"
    if match.cube_unit == "mwc":
        yield "met-assumed", f"{statistics.scored.met.name} is assumed"


def _about_analysis(statistics: Statistics) -> Iterator[tuple[str, str]]:
    match = statistics.match
    by_seat = [statistics.completeness(seat) for seat in (0, 1)]
    total = {part: (sum(c[part].analysed for c in by_seat), sum(c[part].expected for c in by_seat)) for part in by_seat[0]}
    if not total["checker"][0] and not total["cube"][0]:
        plays, cubes = total["checker"][1], total["cube"][1]
        yield "not-analysed", f"0 of {plays} checker plays and 0 of {cubes} cube decisions are analysed"
        return
    words = {"checker": "checker plays", "cube": "cube decisions"}
    for part, noun in words.items():
        analysed, expected = total[part]
        if analysed < expected:
            each = ", ".join(f"{match.players[seat]} {by_seat[seat][part].analysed} of {by_seat[seat][part].expected}" for seat in (0, 1))
            yield "incomplete-analysis", f"{analysed} of {expected} {noun} are analysed ({each})"
    analysed, expected = total["luck"]
    if analysed < expected:
        yield "no-luck", f"luck is known for {analysed} of {expected} rolls"
    levels = _levels(match)
    if len(levels) > 1:
        yield "mixed-levels", "checker plays with a choice: " + ", ".join(f"{label} {number}" for label, number in levels)


def _about_candidates(match: Match) -> Iterator[tuple[str, str]]:
    if match.source.format == "mat":
        yield "transcript-only", f"a {match.source.format} file has no evaluations"
        return
    plays = match.plays
    lengths = np.bincount(plays.legal[plays.analysed & (plays.legal > 0)], minlength=2)
    if has_candidates(match) and len(lengths) > CUT_AT_LEAST and lengths[-1] >= max(CUT_AT_LEAST, CUT_TIMES * lengths[-2]):
        yield "cut-candidates", f"{lengths[-1]} plays list exactly {len(lengths) - 1} candidates, none more"
    unknown = plays.analysed & (plays.legal > 1) & (plays.played != plays.played) & (plays.stored_error != plays.stored_error)
    if unknown.any():
        rows = np.flatnonzero(unknown)
        yield "play-not-listed", f"{len(rows)} {'play' if len(rows) == 1 else 'plays'}: {_places(match, rows)}"


def between(left: Statistics, right: Statistics) -> Iterator[Finding]:
    """Findings about differences in how two files were made."""
    mets = left.scored.met.name, right.scored.met.name
    if mets[0] != mets[1]:
        yield found("met-differs", f"left {mets[0]}, right {mets[1]}")
    one, two = left.match, right.match
    if one.source.tool != two.source.tool:
        return
    versions = one.source.tool_version, two.source.tool_version
    if None not in versions and versions[0] != versions[1]:
        yield found("tool-versions-differ", f"{one.source.tool}: left {versions[0]}, right {versions[1]}")
    levels = [[label for label, _ in _levels(match)][:1] for match in (one, two)]
    if all(levels) and levels[0] != levels[1]:
        yield found("levels-differ", f"{one.source.tool}, most plays: left {levels[0][0]}, right {levels[1][0]}")


def _places(match: Match, rows: np.ndarray) -> str:
    places = [
        f"game {match.games.number[match.plays.game[row]]} turn {match.plays.turn[row]} ({match.players[match.plays.player[row]]})"
        for row in rows[:3].tolist()
    ]
    more = f" and {len(rows) - 3} more" if len(rows) > 3 else ""
    return f"{', '.join(places)}{more}"


def _state(match: Match) -> str:
    first, second = match.games.score[-1].tolist()
    return f"the last game starts at {first}-{second}" + ("" if match.length is None else f" of {match.length} points")


def _levels(match: Match) -> list[tuple[str, int]]:
    """Analysis levels of the plays with a choice and how many plays have each, most frequent first."""
    chosen = match.plays.level[(match.plays.level >= 0) & (match.plays.legal > 1)]
    counts = np.bincount(chosen, minlength=len(match.levels))
    return [(match.levels[index].label, int(counts[index])) for index in np.argsort(-counts, kind="stable").tolist() if counts[index]]


def level_text(match: Match) -> str:
    """The analysis levels of a match in its tool's words, most frequent first."""
    return ", ".join(label for label, _ in _levels(match)) or "not analysed"
