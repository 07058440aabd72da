"""What is not known of a tool's rules, or not in a file, as a range: a figure that depends on it is
never a single number stated as fact.

Open are answers that nobody outside knows, dead cubes of which a file does not show whether they
count, and the digits that a text export does not print."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from reconcile.match.columns import Bools, Ints, Kind
from reconcile.match.match import Match
from reconcile.match.values import once
from reconcile.rules.q07_resignations import Resigning
from reconcile.rules.q16_dead_cube import shows_what_counts
from reconcile.rules.rulesets import Q07, Q16, QUESTIONS
from reconcile.scoring.dead_cubes import is_dead
from reconcile.scoring.figures import scale_of
from reconcile.scoring.metrics import METRICS, figures_of
from reconcile.scoring.score import Scored, rescored, score
from reconcile.scoring.statistics import Statistics, of_decisions
from reconcile.scoring.sums import DecisionClass, Numbers, Sums, Totals, by_class


def can_matter(code: str, match: Match) -> bool:
    """Whether the match has anything that a question is about; true for a question that is about
    every match."""
    if code == "Q16":  # rules do not know what a dead cube is
        return bool((is_dead(match) & (match.cubes.kind == Kind.NO_DOUBLE)).any())
    return QUESTIONS[code].matters(match)


def is_printed(match: Match) -> bool:
    """Whether the equities of a file are printed ones."""
    return bool(match.plays.half.any() or match.cubes.half.any())


def undecided(scored: Scored) -> Bools:
    """Whether a row counts or not, as far as the printed digits show it."""
    if not is_printed(scored.match):
        return np.zeros(len(scored.counted), bool)
    ends = [score(_moved(scored.match, sign), scored.rules, scored.met).counted for sign in (-1, 1)]
    differs: Bools = (ends[0] != scored.counted) | (ends[1] != scored.counted)
    return differs


def _moved(match: Match, sign: int) -> Match:
    """The match with every distance that decides what counts at one end of what the digits
    allow."""
    plays, cubes = match.plays, match.cubes
    answers = cubes.kind >= Kind.TAKE.value
    step = sign * cubes.half
    spread = np.maximum(plays.spread + sign * plays.half.max(initial=0.0), 0)
    moved: dict[str, Any] = {
        "no_double": np.where(answers, cubes.no_double, cubes.no_double + step),
        "double_take": np.where(answers, cubes.double_take + step, cubes.double_take),
    }
    return replace(
        match,
        plays=plays.replaced(spread=spread, highest=plays.highest),
        cubes=cubes.replaced(**moved),
    )


LEADER = 1
"""Points away."""
OWNED = 1
"""Owner of a cube in the decider's view."""


def dead_cubes(scored: Scored) -> Bools:
    """Which rows count as dead cubes (Q16) of which only BGBlitz's own file shows whether they do.

    BGBlitz evaluates the dead cube of a leader who owns it after the Crawford game, and counts it
    by its values.
    """
    match, cubes = scored.match, scored.match.cubes
    rows = np.zeros(len(scored.counted), bool)
    if not scored.rules.value(Q16) or match.is_money or shows_what_counts(match):
        return rows
    leads = match.away[cubes.game, cubes.player] == LEADER
    owned = is_dead(match) & leads & (cubes.owner == OWNED)
    rows[len(match.plays) : len(match.plays) + len(cubes)] = (
        owned & (cubes.kind == Kind.NO_DOUBLE) & ~cubes.analysed
    )
    return rows & scored.counted


def extremes(scored: Scored) -> tuple[Scored, ...]:
    """The match with the fewest and with the most decisions that its file allows; nothing where
    that is one number only."""
    open_ = undecided(scored) | dead_cubes(scored)
    ends = (scored.counted & ~open_, scored.counted | open_) if open_.any() else ()
    return tuple(replace(scored, counted=counted) for counted in ends)


Range = tuple[float, float]
"""The lowest and the highest figure that the possible answers give."""
Figures = list[dict[str, float | int | None]]
"""By seat, or a single one."""
Answers = Mapping[str, str]
"""By question."""
UNKNOWN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Q03": "which no-doubles of the losing side {} counts",
        "Q07": "whether {} counts the errors of resignations",
        "Q09": "whether {} multiplies the PR of a one-point match",
    }
)
"""What is not known, by question; `{}` stands for the tool."""
DEAD_CUBES: Final = "Q16"
"""The question of dead cubes, whose answer is known, but not every file shows what it needs."""
DECIDING: Final = (
    "decisions.double",
    "decisions.checker",
    "decisions.take",
    "equity_error.total",
    "pr",
)
"""The figures of a tool's window that could decide an open rule, the easiest to read first."""


@dataclass(frozen=True, slots=True)
class OpenRange:
    """What the open answers of a rule set, and what a file does not show, leave undecided for one
    match, or for a player's matches."""

    by_player: tuple[tuple[str, ...], ...]
    """By seat, the questions that move a figure shown."""
    figures: tuple[Mapping[str, Range], ...]
    """By seat, the range of every figure that moves by half a printed digit or more."""
    possible: tuple[tuple[Answers, tuple[Mapping[str, Range], ...]], ...]
    """For every combination of answers to those questions the figures by seat: each a range, since
    a file may not show all."""
    deciding: tuple[tuple[str, tuple[float, ...]], ...]
    """By seat, the figure that decides which answer is right and the values that it may have; `("",
    ())` where none differs."""


@once
def open_range(statistics: Statistics) -> OpenRange:
    """The figures of a match under every combination of the answers that the tool may use, as far
    as anybody outside knows.

    Kept with them: tables, findings and documents all show it.
    """
    return range_of(
        [statistics],
        lambda each: [each[0].figures(seat) for seat in (0, 1)],
        dead_cubes_of(statistics),
    )


def dead_cubes_of(statistics: Statistics) -> tuple[int, int]:
    """By seat, the number of dead cubes of which the file does not show whether they count."""
    decider = statistics.scored.player[dead_cubes(statistics.scored)]
    return int((decider == 0).sum()), int((decider == 1).sum())


def range_of(
    every: Sequence[Statistics],
    figures_of_all: Callable[[Sequence[Statistics]], Figures],
    dead: Sequence[int],
) -> OpenRange:
    """The range of figures that are made of matches under one rule set. A rule of a tool is one:
    its answer is the same in every match.

    `dead` are, for every row of figures, the dead cubes of which the files do not show whether they
    count.
    """
    rules, moved = every[0].rules, _moving_questions(every, figures_of_all)
    codes = [code for code, seats in moved.items() if seats]
    everything: list[Figures] = []
    possible = []
    for answers in product(*(rules.alternatives[code] for code in codes)):
        asked = dict(zip(codes, answers, strict=True))
        scored = [answered(each, asked) for each in every]
        everything += (here := [figures_of_all(each) for each in (scored, *_ends(scored))])
        spans = (_spans(_values(here, seat)) for seat in range(len(dead)))
        possible.append((asked, tuple(spans)))
    rows = []
    for seat, number in enumerate(dead):
        values = _values(everything, seat)
        moving = {
            name: (low, high)
            for name, (low, high) in _spans(values).items()
            if high - low >= least_shown(name)
        }
        first = max(DECIDING, key=lambda name: (len(values[name]), -DECIDING.index(name)))
        questions = [code for code in codes if seat in moved[code]]
        rows.append(
            (
                (*questions, *[DEAD_CUBES] * bool(number and moving)),
                MappingProxyType(moving),
                (first, tuple(values[first])) if moving else ("", ()),
            )
        )
    by_player, ranges, deciding = zip(*rows, strict=True)
    return OpenRange(by_player, ranges, tuple(possible), deciding)


def _moving_questions(
    every: Sequence[Statistics], figures_of_all: Callable[[Sequence[Statistics]], Figures]
) -> dict[str, set[int]]:
    """The open questions that the matches have, with the seats whose figures another answer
    moves."""
    rules, base = every[0].rules, figures_of_all(every)
    moved = {}
    for code, answers in rules.alternatives.items():
        if any(can_matter(code, each.match) for each in every):
            alternatives = [
                figures_of_all([answered(each, {code: answer}) for each in every])
                for answer in answers
                if answer != rules.answers[code]
            ]
            moved[code] = {
                seat
                for seat, here in enumerate(base)
                if any(_moves(here, figures[seat]) for figures in alternatives)
            }
    return moved


def _ends(every: Sequence[Statistics]) -> Iterator[list[Statistics]]:
    """The matches with the fewest and with the most decisions that their files allow; nothing
    where that is one number only."""
    ends = [extremes(each.scored) for each in every]
    for side in (0, 1) if any(ends) else ():
        yield [
            Statistics(end[side]) if end else each for each, end in zip(every, ends, strict=True)
        ]


def _values(several: Sequence[Figures], seat: int) -> dict[str, list[float]]:
    """By name, every known value of a seat's figure once, in order."""
    return {
        name: sorted({value for figures in several if (value := figures[seat][name]) is not None})
        for name in METRICS
    }


def _spans(values: Mapping[str, Sequence[float]]) -> dict[str, Range]:
    """The lowest and the highest of every figure that is known."""
    return {name: (ordered[0], ordered[-1]) for name, ordered in values.items() if ordered}


def _asked(statistics: Statistics) -> tuple[str, str, Mapping[str, tuple[str, ...]]]:
    """Whose rules count a file, whatever answers it can support."""
    rules = statistics.rules
    return rules.name, rules.file, rules.alternatives


def gap_range(
    left: Statistics, right: Statistics, seats: tuple[int, int], name: str
) -> Range | None:
    """The lowest and the highest gap of a figure whose answers are not known on a side; `None`
    where none is open, or a side unknown.

    Two files under the same rules are counted by one tool: whatever its answers are, they are the
    same for both. So are the dead cubes that neither file shows: either both have them all, or both
    have none.
    """
    sides: list[list[tuple[Answers, Range]]] = []
    is_open = False
    for statistics, seat in zip((left, right), seats, strict=True):
        undecided, value = open_range(statistics), statistics.figures(seat)[name]
        if value is None:
            return None
        options: list[tuple[Answers, Range]] = [({}, (value, value))]
        if name in undecided.figures[seat]:
            is_open = True
            options = [
                (answers, spans[seat][name])
                for answers, spans in undecided.possible
                if name in spans[seat]
            ]
        sides.append(options)
    if not is_open:
        return None
    one_tool = _asked(left) == _asked(right)
    together = one_tool and _same_unknown(left, right)
    gaps: list[float] = []
    for (answers, here), (theirs, there) in product(*sides):
        if one_tool and any(theirs.get(code, answer) != answer for code, answer in answers.items()):
            continue
        # What is not known of both moves them together, from end to end.
        other_way = here if together else here[::-1]
        gaps += [there[end] - other_way[end] for end in (0, 1)]
    return min(gaps), max(gaps)


def _same_unknown(left: Statistics, right: Statistics) -> bool:
    """Whether two files under the same rules leave the same open: the same dead cubes, and printed
    digits only where they are one file."""
    printed = is_printed(left.match) or is_printed(right.match)
    return _unseen(left) == _unseen(right) and (
        not printed or left.match.source.sha256 == right.match.source.sha256
    )


def _unseen(statistics: Statistics) -> set[tuple[int, int]]:
    """Game and turn of the dead cubes of which the file does not show whether they count."""
    match = statistics.match
    rows = dead_cubes(statistics.scored).nonzero()[0] - len(match.plays)
    numbers = match.games.number[match.cubes.game[rows]]
    return set(zip(numbers.tolist(), match.cubes.turn[rows].tolist(), strict=True))


def answered(statistics: Statistics, answers: Answers) -> Statistics:
    """A match under these answers, made once; the very same where they change nothing in it."""
    match, scored = statistics.match, statistics.scored
    rules = scored.rules
    for code, answer in answers.items():
        if can_matter(code, match):
            rules = rules.switched(code, answer)
    by_answers: dict[tuple[str, ...], Statistics | None] = vars(statistics).setdefault(
        "open_answers", {}
    )
    key = tuple(rules.answers.values())
    if rules.answers == scored.rules.answers:
        return statistics
    if key not in by_answers:
        counted = rescored(scored, rules)
        # A value that holds itself stays in memory until Python looks for rings, which is long
        # after the next hundred matches.
        by_answers[key] = None if counted is scored else Statistics(counted, statistics.legal)
    return statistics if (other := by_answers[key]) is None else other


def _moves(here: Mapping[str, float | None], there: Mapping[str, float | None]) -> bool:
    return here is not there and any(
        abs(other - value) >= least_shown(name)
        for name in METRICS
        if (value := here[name]) is not None and (other := there[name]) is not None
    )


def least_shown(name: str) -> float:
    """The smallest change of a figure that is reported: half a printed digit."""
    return float(0.5 * 10.0 ** -METRICS[name].decimals)


def pr_ranges(scored: Scored, of: Totals, first: Ints, one_point: Bools) -> tuple[Numbers, Numbers]:
    """The lowest and the highest PR of joined matches, each of shape (matches, 2 seats); NaN where
    a match has one PR only.

    `of` are the totals of the matches under the rules of `scored`, which add the errors of
    resignations; `first` has the first game of each, `one_point` says in a column which have that
    length. Of the questions that are open Q03 changes which no-doubles count, Q07 the errors of
    resignations, Q09 the rate of a one-point match. Under Q16 some dead cubes may count or not.
    """
    rules = scored.rules

    def answers(code: str) -> tuple[str, ...]:
        return rules.alternatives.get(code, (rules.answers[code],))

    without, errors = DecisionClass.RESIGNATION, of.sums["error"]
    left_out = (Q07.answers[name].value is Resigning.LEFT_OUT for name in answers("Q07"))
    errors = [errors[:without] if leaves_out else errors for leaves_out in left_out]
    scales = [scale_of(rules.switched("Q09", name), one_point) for name in answers("Q09")]
    rates = []
    for answer in answers("Q03"):
        other = rescored(scored, rules.switched("Q03", answer))
        unsure = dead_cubes(other)
        for counting in (
            (other, replace(other, counted=other.counted & ~unsure)) if unsure.any() else (other,)
        ):
            counted = of.sums["counted"]
            if counting is not scored:
                group = of_decisions(counting)._replace(columns={"counted": counting.counted})
                counted = by_class(Sums(len(scored.match.games), group).matches(first)["counted"])
            sums = [{**of.sums, "counted": counted, "error": error} for error in errors]
            totals = [replace(of, sums=own, scale=scale) for scale in scales for own in sums]
            rates += [figures_of(each, ["pr"])["pr"] for each in totals]
    low, high = np.fmin.reduce(rates), np.fmax.reduce(rates)
    moves = high - low >= least_shown("pr")
    return np.where(moves, low, np.nan), np.where(moves, high, np.nan)
