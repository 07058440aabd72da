"""What the gap of a player's PR is made of, in words: counting, coverage, single decisions, and the differences that are left.

The parts add up to the gap, also as they are printed. Nothing here depends on which file is the left one: exchanged sides have the same
parts with the other sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from reconcile.columns import Ints, Kind
from reconcile.files.wording import listed, plural
from reconcile.gap.bridge import DECISIONS, Bridge, SideOfDecision, Vector, share_of, shares
from reconcile.gap.comparison import Comparison
from reconcile.gap.contributions import Reader
from reconcile.gap.naming import names_of
from reconcile.rules.q12_thresholds import Thresholds
from reconcile.rules.rulesets import Q12, Q13
from reconcile.scoring.grades import grade_of

SMALLEST: Final = 0.005
"""A change smaller than this rounds to 0.00."""
FEW: Final = 3
"""Decisions of one sign that are named one by one."""
SMALL: Final = "rest"
HALF: Final = 0.5
"""Share of a gap that single decisions must make to be its cause."""
EQUAL: Final = 9
"""Digits to which two changes of equal size agree, whichever side they are seen from."""
NOISE: Final = 1e-9
NOUNS: Final = {
    Kind.PLAY: "play",
    Kind.NO_DOUBLE: "no-double",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.PASS: "pass",
    Kind.BEAVER: "beaver",
    Kind.RESIGN: "resignation",
    Kind.ACCEPT_RESIGN: "accepted resignation",
}
CLASSES: Final = {
    "decisions.checker": ("checker play", "checker plays"),
    "decisions.double": ("double or no-double", "doubles and no-doubles"),
    "decisions.take": ("take or pass", "takes and passes"),
}
RESIGNED: Final = ("resignation", "resignations")
CAP: Final = "the cap of PR"
NUMBERS: Final = {2: "two", 3: "three"}
GRADES: Final = {"": "a slip", "doubtful": "doubtful", "error": "an error", "blunder": "a blunder"}
NOT_COMMON: Final = "that only one program analysed"
REASONS: Final = {
    "coverage.transcript": "where the files record different games",
    "coverage.not-played": "not played or not legal",
    "coverage.unpaired": "that one tool does not record",
    "coverage.not-analysed": NOT_COMMON,
}
"""Why a decision has nothing to be compared with, by its cause."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a gap: what makes it, and what there is to say of it."""

    cause: str
    """`rules`, `coverage`, `reporting`, `decisions` or `rest`."""
    change: float
    subject: str
    makes: str = "makes"
    """`make` of several."""
    detail: str = ""
    """What follows in a sentence of its own."""
    places: tuple[str, ...] = ()
    """Where the decisions are that it is made of, if these are named."""
    changes: tuple[float, ...] = ()
    """Of these decisions, if they are several."""
    moved: tuple[tuple[int, float], ...] = ()
    """The items of the walk that make it, each with its change; none of what no decision makes."""

    @property
    def hundredths(self) -> int:
        """Its size as it is printed: of several decisions, what they add up to as they are printed."""
        return sum(map(printed, self.changes or (self.change,)))

    def sentence(self, hundredths: int, whole: int) -> str:
        """As the first part of a gap of `whole` hundredths."""
        of_it = " of it" if 0 < hundredths <= whole or whole <= hundredths < 0 else ""
        each = apportioned(self.changes, [printed(change) for change in self.changes], hundredths)
        named = [f"{place} ({signed(one)})" for place, one in zip(self.places, each, strict=True)]
        detail = f": {listed(named)}" if named else self.detail
        return f"{self.subject[0].upper()}{self.subject[1:]} {self.makes} {signed(hundredths)}{of_it}{detail}."

    def brief(self, hundredths: int) -> str:
        """As one of several."""
        return f"{self.subject} {self.makes} {signed(hundredths)}" + (f" ({listed(self.places)})" if self.places else "")


def signed(hundredths: int) -> str:
    """`+0.46`."""
    return f"{hundredths / 100:+.2f}".replace("-", "\N{MINUS SIGN}")


def printed(change: float) -> int:
    """A change as it is printed, in hundredths."""
    return round(100 * round(change, 2))


def sizes(parts: Sequence[Part], whole: int) -> list[int]:
    """Parts of a gap in hundredths that add up to the whole as they are printed: the small differences are what is left of it."""
    others = next((index for index, part in enumerate(parts) if part.cause == SMALL), None)
    if others is None:
        return apportioned([part.change for part in parts], [part.hundredths for part in parts], whole)
    found = [part.hundredths for part in parts]
    found[others] += whole - sum(found)
    return found


def apportioned(changes: Sequence[float], hundredths: Sequence[int], whole: int) -> list[int]:
    """The same for any changes: those nearest to the next digit are rounded to it."""
    found = [*hundredths]
    while found and (lacking := whole - sum(found)):
        step = 1 if lacking > 0 else -1
        nearest = max(range(len(found)), key=lambda index: round(step * (100 * changes[index] - found[index]), EQUAL))
        found[nearest] += step
    return found


def parts_of(comparison: Comparison, bridge: Bridge) -> Iterator[Part]:
    """What a gap of PR is made of."""
    sums = shares(bridge)
    if change := sums.get("rules", 0.0):
        yield Part(
            "rules", change, "counting", detail=f": {_counted(comparison, bridge)}", moved=_moved(_added(comparison, bridge, "rules"))
        )
    if change := sums.get("coverage", 0.0):
        yield _covered(comparison, bridge, change)
    if change := sums.get("reporting", 0.0):
        why = ": a figure shown is not the one that its own decisions give"
        yield Part("reporting", change, "what no rule and no decision explains", detail=why)
    yield from _analysis(comparison, bridge)


def _added(comparison: Comparison, bridge: Bridge, share: str) -> Vector:
    """What every item of the walk adds to the gap in the steps of a share."""
    vectors = [vector for code, vector in bridge.contributions if share_of(code) == share]
    added: Vector = np.sum(vectors, axis=0) if vectors else np.zeros(len(comparison.walk.items))
    return added


def _moved(added: Vector, rows: Sequence[int] | None = None) -> tuple[tuple[int, float], ...]:
    """Items with their changes: all that have one, or some of them."""
    return tuple((row, float(added[row])) for row in (np.flatnonzero(added).tolist() if rows is None else rows))


def _counted(comparison: Comparison, bridge: Bridge) -> str:
    """How many decisions the right side counts more or fewer."""
    figures = {figure.metric: figure for figure in comparison.figures if figure.player == bridge.player}
    counted: dict[str, list[str]] = {"more": [], "fewer": []}
    every, *gaps = (figures[metric].gap if metric in figures else None for metric in ("decisions.counted", *CLASSES))
    known = [gap for gap in gaps if gap is not None]
    resigned = every - sum(known) if every is not None and len(known) == len(gaps) else None
    for gap, (one, many) in zip((*gaps, resigned), (*CLASSES.values(), RESIGNED), strict=True):
        if gap:
            word, number = "more" if gap > 0 else "fewer", int(abs(gap))
            counted[word].append(f"{number} {word} {one if number == 1 else many}")
    said = [*counted["more"], *counted["fewer"]]
    if said:
        return f"{names_of(comparison)[1]} counts {listed(said)}"
    return "as many decisions count, but not the same ones or not at the same cost"


def _causes(comparison: Comparison, step: str, rows: Ints) -> list[str]:
    """The cause of each of these items of the walk in a step."""
    walk = comparison.walk
    causes: list[str] = walk.attribution.causes(step, rows.astype(np.int64), walk.forward.ruled, walk.forward.landing).tolist()
    return causes


def reasons(comparison: Comparison, rows: Ints) -> dict[str, int]:
    """Why these items of the walk have nothing to be compared with, and how many for each reason."""
    causes = _causes(comparison, "coverage-left", rows)
    return {words: count for cause, words in REASONS.items() if (count := causes.count(cause))}


def _covered(comparison: Comparison, bridge: Bridge, change: float) -> Part:
    """The decisions that have nothing to be compared with and move the figure."""
    added = _added(comparison, bridge, "coverage")
    found = reasons(comparison, np.flatnonzero(added))
    if not found:
        return Part("coverage", change, CAP, moved=_moved(added))
    number, single = sum(found.values()), found.keys() == {NOT_COMMON}
    where = NOT_COMMON if single else "that only one file has" + " or only one program analysed" * (NOT_COMMON in found)
    why = "" if single else f": {listed([f'{count} {words}' for words, count in found.items()])}"
    return Part("coverage", change, f"{plural(number, 'decision')} {where}", "makes" if number == 1 else "make", why, moved=_moved(added))


def _analysis(comparison: Comparison, bridge: Bridge) -> Iterator[Part]:
    """The share of the analysis: the decisions that are its cause, those as large that cancel them, and the others together."""
    items = comparison.walk.items
    moved = _added(comparison, bridge, "engine")
    if capped := _capped(comparison, bridge, np.flatnonzero(moved)):
        yield Part("rules", float(moved[capped].sum()), CAP, moved=_moved(moved, capped))
        moved[capped] = 0
    order = [row for row in np.lexsort((items.kind, items.turn, items.game, -np.abs(moved).round(EQUAL))).tolist() if moved[row]]
    named = _named(moved[order], abs((bridge.end or 0.0) - (bridge.start or 0.0)))
    for way in dict.fromkeys(np.sign(moved[order[:named]]).tolist()):
        rows = [row for row in order[:named] if moved[row] * way > 0]
        yield _one(comparison, rows[0], float(moved[rows[0]])) if len(rows) == 1 else _several(comparison, rows, moved)
    others = order[named:]
    if others:
        sizes = [abs(printed(moved[row])) for row in (order[named - 1], others[0])] if named else []
        word = "" if not named else "smaller " if sizes[1] < sizes[0] else "other "
        what = plural(len(others), f"{word}difference") + ("" if comparison.right.format == DECISIONS else " of the analysis")
        size = printed(moved[others[0]])
        largest = f", the largest of them {signed(size)}" if size and len(others) > 1 else ""
        change = float(moved[others].sum())
        yield Part(SMALL, change, what, "makes" if len(others) == 1 else "make", largest, moved=_moved(moved, others))


def _capped(comparison: Comparison, bridge: Bridge, rows: Ints) -> list[int]:
    """The decisions that are the same in both analyses, and whose share of a capped figure is not."""
    caps = [statistics.rules.value(Q13) for statistics in comparison.statistics]
    if not any(cap is not None and end == cap for cap in caps for end in (bridge.start, bridge.end)):
        return []
    causes: dict[int, set[str]] = {}
    for columns in comparison.walk.shares(bridge):
        if share_of(columns.step) == "engine":
            for row, cause in zip(columns.item.tolist(), columns.cause, strict=True):
                causes.setdefault(row, set()).add(cause)
    # On every way that is walked, or exchanged files would differ in what the cap makes.
    return [row for row in rows.tolist() if causes.get(row) == {"conversion.cap"}]


def _named(moved: Vector, gap: float) -> int:
    """How many decisions are named one by one, of all by size.

    These are the first that make half of the gap between them, with those that cancel it and are as large; else those that alone are as
    large as half of it. Where the next one is as large as the last, or the only other, it is named too.
    """
    total, printed_ = float(moved.sum()), [abs(printed(change)) for change in moved.tolist()]
    half = HALF * max(gap, abs(total), SMALLEST) - NOISE
    way = np.sign(total if abs(total) >= SMALLEST or not len(moved) else moved[0])

    def few(number: int) -> bool:
        ours = np.count_nonzero(np.sign(moved[:number]) == way)
        return number <= len(moved) and bool(printed_[number - 1]) and max(int(ours), number - int(ours)) <= FEW

    def enough(number: int) -> bool:
        first = moved[:number]
        return abs(float(first[np.sign(first) == way].sum())) >= half

    several = [number for number in range(1, 2 * FEW + 1) if few(number) and enough(number)]
    large = int(np.count_nonzero(np.abs(moved) >= half))
    named = several[0] if several else large if large and few(large) else 0
    while named and few(named + 1) and (printed_[named] == printed_[named - 1] or named + 1 == len(moved)):
        named += 1
    return named


def _place(comparison: Comparison, row: int) -> str:
    return f"game {comparison.walk.items.game[row]}, turn {comparison.walk.items.turn[row]}"


def _several(comparison: Comparison, rows: Sequence[int], moved: Vector) -> Part:
    """Decisions of one sign."""
    places, changes = (tuple(_place(comparison, row) for row in rows), tuple(float(moved[row]) for row in rows))
    words = f"{NUMBERS[len(rows)]} decisions"
    return Part("decisions", sum(changes), words, "make", places=places, changes=changes, moved=_moved(moved, rows))


def _one(comparison: Comparison, row: int, change: float) -> Part:
    """One decision: where it is, and what either side says of it."""
    reader = Reader(comparison.walk)
    limits = [statistics.rules.value(Q12) for statistics in comparison.statistics]
    (one, first, error), (two, second, other) = [
        (name, *_graded(reader.side(row, side), limits[side])) for name, side in zip(names_of(comparison), (0, 1), strict=True)
    ]
    if first == second and first in GRADES.values():
        said = f"both call it {first} ({error} and {other})"
    else:
        words = [f"{grade} ({size})" if size else grade for grade, size in ((first, error), (second, other))]
        calls = ["" if word in SILENT else "calls it " for word in words]
        said = f"{one} {calls[0]}{words[0]}, {two} {'' if calls[0] else calls[1]}{words[1]}"
    subject = f"one {NOUNS[Kind(int(comparison.walk.items.kind[row]))]} ({_place(comparison, row)})"
    return Part("decisions", change, subject, detail=f": {said}", moved=((row, change),))


NOT_ANALYSED: Final = "has no analysis of it"
NOT_COUNTED: Final = "does not count it"
SILENT: Final = frozenset((NOT_ANALYSED, NOT_COUNTED))


def _graded(side: SideOfDecision | None, limits: Thresholds) -> tuple[str, str]:
    """What a side calls a decision, and the error with the digits that show why; no error where there is none."""
    if side is None or side.error is None:
        return NOT_ANALYSED, ""
    if round(side.error, 3) == 0:
        return ("right" if side.counted else NOT_COUNTED), ""
    grade = grade_of(side.error, limits)
    texts = [f"{side.error:.{digits}f}" for digits in (3, 4, 5, 6)]
    return GRADES[grade], next((text for text in texts if grade_of(float(text), limits) == grade), texts[-1])
