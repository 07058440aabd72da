"""The figures of a program that are off, grouped: by figure, by player, and by what all their
differences share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Annotated, Final, Literal, TypeAlias

import numpy as np

from reconcile.document import OR_NULL, Document, Positive, Text
from reconcile.infer.reported import Reported, margin
from reconcile.match.columns import Floats
from reconcile.scoring.figures import METRICS, MetricName, short_metric
from reconcile.wording import listed, plural, signed, some

LIKE: Final = 0.05
"""How far ratios may be apart, as a share of their mean, to be about the same."""
MOST_MATCHES: Final = 3
"""Matches that a sentence names."""
MOST_NAMED: Final = 8
"""Figures that a sentence names."""
CLASSES: Final = ("checker", "double", "take")
LOST: Final = ("equity_error", "mwc_loss_percent")
MADE_OF: Final[Mapping[str, Sequence[str]]] = {
    **{f"{group}.total": [f"{group}.{each}" for each in CLASSES] for group in LOST},
    **{f"mwc_loss_percent.{each}": [f"equity_error.{each}"] for each in CLASSES},
    "decisions.counted": [f"decisions.{each}" for each in CLASSES],
    **dict.fromkeys(("pr", "error_rate_memg"), ("decisions.counted", "equity_error.total")),
    "checker_pr": ("decisions.checker", "equity_error.checker"),
    "cube_pr": [f"{group}.{each}" for group in ("decisions", LOST[0]) for each in CLASSES[1:]],
    **dict.fromkeys(("snowie_er", "snowie_memg"), ("moves.total", "equity_error.total")),
}
"""By figure those from which it follows."""
Place: TypeAlias = Literal["first", "second"]
SEATS: Final[tuple[Place, Place]] = ("first", "second")


@dataclass(frozen=True, slots=True)
class Compared:
    """A figure that a program gave, beside what it should be."""

    match: str
    seat: int
    figure: Reported
    expected: float
    is_off: bool

    @property
    def size(self) -> float:
        """What it should be; of a loss without its sign."""
        return self.expected if METRICS[self.figure.metric].is_signed else abs(self.expected)

    @property
    def change(self) -> float:
        """How much more the program gives."""
        return self.figure.value - self.size


@dataclass(frozen=True, slots=True)
class Group(Document):
    """One figure of a program that is off in some or all matches."""

    figure: MetricName
    """Its name."""
    player: Annotated[Place | None, OR_NULL]
    """The only player of whom it is off, in the order of the file; null for both."""
    cause: Annotated[str | None, OR_NULL]
    """The transformation that explains it; null where none does."""
    change: float | None
    """How much more the program gives, if that is always the same; null otherwise."""
    ratio: float | None
    """How many times as much it gives, if that is always about the same; null otherwise."""
    matches: Positive
    """Matches in which it is off."""
    of: Positive
    """Matches in which it was compared."""
    sentence: Text
    """The same in words."""

    @property
    def is_scattered(self) -> bool:
        """Whether it is off by more than one difference or ratio."""
        return self.change is None and self.ratio is None


def roots_of(off: Iterable[Set[str]]) -> tuple[list[str], list[str]]:
    """Of the figures that are off, for each player of each match, those that follow from no other
    of them in half of the places or more, and the others."""
    every, alone = Counter[str](), Counter[str]()
    for names in off:
        every.update(names)
        alone.update(name for name in names if not _is_moved(name, names))
    roots = {name for name, number in every.items() if 2 * alone[name] >= number}
    both = ([name for name in METRICS if name in each] for each in (roots, every.keys() - roots))
    first, rest = both
    return first, rest


def _is_moved(name: str, off: Set[str]) -> bool:
    return any(part in off or _is_moved(part, off) for part in MADE_OF.get(name, ()))


def fault_words(off: Iterable[Set[str]], right: Collection[str]) -> str:
    """Which figures are off by themselves, which because of them, and which right ones they are
    made of, in sentences."""
    roots, moved = roots_of(off)
    parts = {part for name in roots for part in MADE_OF.get(name, ())}
    made_of = [name for name in METRICS if name in parts] if parts <= {*right} else []
    words = [f"Off by itself: {_named(roots)}."]
    words += [f"Off because of that: {_named(moved)}."] * bool(moved)
    words += [f"It is made of right figures: {_named(made_of)}."] * bool(made_of)
    return " ".join(words)


def _named(names: Iterable[str]) -> str:
    return some([METRICS[name].words for name in names], MOST_NAMED)


def groups_of(
    compared: Sequence[Compared], causes: Mapping[str, str], program: str = ""
) -> Iterator[Group]:
    """A group for each figure that is off, the worst first: those that do not follow from others,
    in most matches, always in the same way.

    `causes` are transformations by figure, `program` is named where there are several."""
    names = dict.fromkeys(entry.figure.metric for entry in compared if entry.is_off)
    groups = [
        _group([entry for entry in compared if entry.figure.metric == name], causes.get(name))
        for name in names
    ]
    places: dict[tuple[str, int], set[str]] = {}
    for entry in compared:
        if entry.is_off:
            places.setdefault((entry.match, entry.seat), set()).add(entry.figure.metric)
    roots, _ = roots_of(places.values())
    order = {
        short_metric(name): (name not in roots, -group.matches, group.is_scattered)
        for name, group in zip(names, groups, strict=True)
    }
    for group in sorted(groups, key=lambda group: order[group.figure]):
        only = "only " if len(groups) == 1 else ""
        yield Group(
            group.figure,
            group.player,
            group.cause,
            group.change,
            group.ratio,
            group.matches,
            group.of,
            f"{f'{program}: ' if program else ''}{only}{group.sentence}",
        )


def _group(compared: Sequence[Compared], cause: str | None) -> Group:
    off = [entry for entry in compared if entry.is_off]
    name, seats = off[0].figure.metric, {entry.seat for entry in off}
    is_one = len(seats) == 1 and len({entry.seat for entry in compared}) > 1
    player = SEATS[seats.pop()] if is_one else None
    matches, of = (list(dict.fromkeys(each.match for each in part)) for part in (off, compared))
    changes = np.array([entry.change for entry in off])
    change, ratio = _common(off, changes), _ratio(off)
    if change is not None:
        ratio = None
    where = f"in all {plural(len(of), 'match', 'matches')}"
    if len(matches) < len(of) or len(of) == 1:
        where = f"in {len(matches)} of {plural(len(of), 'match', 'matches')}"
    if len(matches) < len(of) and len(matches) <= MOST_MATCHES:
        where += f" ({listed(matches)})"
    whose = f", {player} player" if player else ""
    words = f"{METRICS[name].words} {_words(name, changes, change, ratio)}{whose}, {where}"
    return Group(
        short_metric(name),
        player,
        cause,
        change,
        ratio,
        len(matches),
        len(of),
        words,
    )


def _common(off: Sequence[Compared], changes: Floats) -> float | None:
    """The change that all share, within the printed digits; `None` of a single figure."""
    widest = 2 * max(margin(entry.figure) for entry in off)
    middle = float(np.median(changes))
    if len(off) < 2 or np.ptp(changes) > widest or abs(middle) <= widest:
        return None
    return round(middle, 9)


def _ratio(off: Sequence[Compared]) -> float | None:
    """The ratio that all share, about; `None` of a single figure, or where there is none."""
    ratios = np.array([e.figure.value / e.size if e.size else np.nan for e in off])
    mean = float(ratios.mean())
    if len(off) < 2 or not np.ptp(ratios) <= LIKE * abs(mean) or abs(mean - 1) <= LIKE:
        return None
    return float(f"{mean:.3g}")


def _words(name: str, changes: Floats, change: float | None, ratio: float | None) -> str:
    digits = METRICS[name].decimals
    if change is not None:
        return signed(change, digits)
    if ratio is not None:
        return f"about {ratio:g} times" if ratio else "always 0"
    low, high = (signed(float(end), digits) for end in (changes.min(), changes.max()))
    return low if low == high else f"{low} to {high}"
