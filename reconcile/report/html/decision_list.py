"""The decisions of a match as its page has them: compact columns, which the page's own script shows
one at a time, and the list: addresses, worst first, filters with their counts, and chances.

Equities and errors are whole thousandths, the digits that a page shows. A position is a letter for
each of its 26 counts, `A` for one checker of the decider, `a` for one of the opponent, `-` for
none; a play is a letter for each place that a checker leaves or reaches, `a` for 0. What can be
worked out from these (notation, XGID, GNU ID, the board) is left to the script.

An error is a loss of `SIZE` or more, one border for all analyses. Unknown is never zero: where an
analysis says nothing of a decision its error is a dash, and it does not call it an error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.aligned import SIZE, Aligned
from reconcile.gap.comparison import Comparison
from reconcile.gap.review import Review
from reconcile.gap.rows import Place, action_words, by_all
from reconcile.language import joined, say, word
from reconcile.match.board.play import Play, carried_out
from reconcile.match.board.position import CHECKERS, PHASES, checkers_of
from reconcile.match.columns import Bools, Floats, Ints, Kind, Validity
from reconcile.match.match import STAGE, Candidate, Decision, Match, chances_of_other
from reconcile.match.tools import SECOND_PLAYER_ON_TOP, XG
from reconcile.report import numbers
from reconcile.report.words import KINDS
from reconcile.scoring.grades import BLUNDER, at_least, worst_first
from reconcile.scoring.score import Scored

SHOWN_CANDIDATES = (5, 4, 3, 2)
"""By the number of analyses how many plays of each are shown at least, so that all are on the first
screen beside the board."""
CUBE_ACTIONS = (
    KINDS[Kind.NO_DOUBLE],
    "double, take",
    "double, pass",
    KINDS[Kind.TAKE],
    KINDS[Kind.PASS],
)
"""What a cube decision is between: the first three before a double, the last two after it."""
CHANCES = ("win", "gammon", "backgammon", "gammon-lost", "backgammon-lost")
"""The decider's; a gammon includes a backgammon."""
CUBE_VALUES = ("no_double", "double_take", "double_pass")
"""The columns of their equities."""
WITH_CHANCES = 5
"""As many of the first candidates have their chances in copied text, and the play made."""
PHASE_NUMBERS = {name: str(number) for number, name in enumerate(PHASES)}
Shown = tuple[int, Candidate, float | None]
"""A candidate with its rank, and how far it is behind the first that has an equity (`None` for
that)."""
Parted = tuple[list[Shown], list[Shown]]
"""Those that are shown, and those that are on demand."""
_LETTERS = np.frombuffer(b"onmlkjihgfedcba-ABCDEFGHIJKLMNO", "S1")
"""From fifteen checkers of the opponent to fifteen of the decider."""
NO_NOTE, BY_LEVEL, BY_FILE, CUBE_VIEW = range(4)
"""What is said below the candidates of a decision, as in `note` of `words`."""
Rows = Ints


def words() -> dict[str, list[Any]]:
    """What the columns have by number, in words; of actions and verdicts first those with the cube
    in the middle, then those of its owner."""
    actions = list(map(action_words, CUBE_ACTIONS))
    again = [say("action.no-redouble"), say("verdict.redouble-take"), say("verdict.redouble-pass")]
    return {
        "kinds": [[kind.label, word("kind", kind.label)] for kind in Kind],
        "actions": [actions, [*again, *actions[len(again) :]]],
        "said": ["", say("note.by-level"), say("note.by-file"), say("note.cube-view")],
        "verdicts": [
            [
                *actions[1:3],
                say("verdict.no-double-take"),
                say("verdict.too-good"),
            ],
            [
                *again[1:],
                say("verdict.no-redouble-take"),
                say("verdict.too-good-again"),
            ],
        ],
        "chances": [word("chance", name) for name in CHANCES],
        "changes": [word("change", name) for name in CHANCES],
    }


def in_order(aligned: Aligned) -> Rows:
    """The decisions that a page shows, in the order of play."""
    order = np.lexsort((STAGE[aligned.kind], aligned.turn, aligned.game))
    return order[:MOST_ON_A_PAGE]


def columns(aligned: Aligned, listed: Rows) -> dict[str, Any]:
    """What there was to decide, in columns."""
    match, by = aligned.match, aligned.stated_by[listed]

    def stated(name: str) -> npt.NDArray[Any]:
        return aligned.stated(name)[listed]

    kind = stated("kind_number")
    response = (kind >= Kind.TAKE.value) & (kind < Kind.RESIGN.value)
    answers = response & stated("answers_beaver")
    on_top = np.array([side.match.source.format in SECOND_PLAYER_ON_TOP for side in aligned.sides])
    counts = np.clip(stated("position"), -CHECKERS, CHECKERS) + CHECKERS
    letters = _LETTERS[counts].copy().view("S26").ravel().astype("U26")
    # No identifier describes the answer to a beaver, so nor does the page.
    owner = np.where(answers, 0, np.where(response, -stated("owner"), stated("owner")))
    places = zip(by.tolist(), aligned.rows[by, listed].tolist(), strict=True)
    return {
        "players": match.names,
        "length": match.length,
        "rules": match.rules.jacoby + 2 * match.rules.beavers if match.is_money else None,
        "checkers": checkers_of(match.rules.variation),
        "games": _games(aligned),
        "game": stated("game").tolist(),
        "turn": stated("turn").tolist(),
        "kind": kind.tolist(),
        "player": aligned.player[listed].tolist(),
        "dice": [int(dice or 0) for dice in stated("dice")],
        "cube": stated("cube").tolist(),
        "owner": owner.tolist(),
        "top": (stated("seat") == on_top[by]).astype(int).tolist(),
        "beaver": np.flatnonzero(answers).tolist(),
        "position": _without_repeats(letters.tolist()),
        "play": [_play(aligned.sides[side].match, row) for side, row in places],
        "phase": "".join(PHASE_NUMBERS.get(name, "-") for name in stated("phase")),
        "comments": _comments(aligned, listed),
    }


def _comments(aligned: Aligned, listed: Rows) -> dict[int, list[str]]:
    """By number of the decision what somebody wrote about it in a file, each text once."""
    columns = aligned.column("comment", "")[:, listed].T.tolist()
    written = [list(dict.fromkeys(filter(None, texts))) for texts in columns]
    return {index: texts for index, texts in enumerate(written) if texts}


def _without_repeats(position: Sequence[str]) -> list[str]:
    """Empty where it is that of the decision before: a play is made where its cube was decided."""
    pairs = zip(["-", *position], position, strict=False)
    return ["" if letters == before else letters for before, letters in pairs]


def without_positions(identifiers: Sequence[str]) -> list[str]:
    """Those of gnuBG, without a position that is that of the decision before."""
    positions = ["", *(each.partition(":")[0] for each in identifiers)]
    pairs = zip(positions, identifiers, strict=False)
    return [each.removeprefix(before) for before, each in pairs]


def _games(aligned: Aligned) -> dict[int, list[int]]:
    """By game number the points of both players before it, in the reference's seats, whether it is
    the Crawford game, and the points won in it; of a game that only another file has decisions of,
    as that says."""
    games: dict[int, list[int]] = {}
    for side in sorted({*aligned.stated_by.tolist(), aligned.reference}, reverse=True):
        table = aligned.sides[side].match.games
        scores = table.score[:, list(aligned.seats[side])].tolist()
        columns = (table.number, table.crawford.astype(int), table.points)
        for score, number, *more in zip(scores, *(each.tolist() for each in columns), strict=True):
            games[number] = [*score, *more]
    return games


def _encoded(play: Play) -> str:
    return "".join([chr(97 + start) + chr(97 + end) for start, end in play])


def _play(match: Match, row: int) -> str | None:
    """The play made; `None` for a decision without one, and for a roll that was not played."""
    if row >= len(match.plays) or match.plays.validity[row] == Validity.UNPLAYED.value:
        return None
    return _encoded(match.plays.play[row])


def _thousandths(value: float | None) -> int | None:
    return None if value is None or value != value else round(round(value, 3) * 1000)


def thousandths(column: Floats) -> list[int | None]:
    """A column in the digits that a page shows; `None` where unknown."""
    return [_thousandths(value) for value in column.tolist()]


def side_columns(
    aligned: Aligned,
    side: int,
    listed: Rows,
    decisions: Sequence[Decision | None],
    lists: Sequence[Parted],
) -> dict[str, Any]:
    """What one file says of every decision: whether it counts, its error, at which level it was
    analysed, and candidates: of plays those of `lists`."""
    names: dict[str, int] = {}
    notes, more, rest, verdicts = [], [], [], []
    options, before = list[list[list[Any]]](), dict[int, list[list[Any]]]()
    counted = np.where(aligned.rows[side, listed] < 0, "-", aligned.counted[side, listed] * 1)
    level = [names.setdefault(words, len(names)) for words in aligned.level[side, listed].tolist()]
    values = [aligned.column(name)[side, listed].tolist() for name in CUBE_VALUES]
    for decision, (shown, folded), *equities in zip(decisions, lists, *values, strict=True):
        cube, doubling = _cube_options(decision, equities) if decision else ([], [])
        if doubling:
            before[len(options)] = doubling
        verdicts.append(_verdict(*equities))
        plays = [_play_option(each, names) for each in shown]
        options.append(cube or plays)
        more.append(len(folded))
        rest.append(_in_short([_play_option(each, names) for each in folded], plays))
        notes.append(str(CUBE_VIEW if cube else order_note(shown)))
    return {
        "levels": [name.removesuffix(" cubeful") for name in names],
        "counted": "".join(counted.tolist()),
        "error": thousandths(aligned.error[side, listed]),
        "level": level,
        "options": options,
        "more": more,
        "rest": rest,
        "before": before,
        "verdict": "".join(verdicts),
        "note": "".join(notes),
    }


def _play_option(shown: Shown, names: dict[str, int]) -> list[Any]:
    """Play, equity, how far behind, level, rank (negative for the play made), and five chances
    where they are known."""
    rank, candidate, behind = shown
    numbers_ = _thousandths(candidate.equity), _thousandths(behind)
    level, signed = names.setdefault(candidate.level, len(names)), -rank if candidate.made else rank
    return [_encoded(candidate.play), *numbers_, level, signed, *_parts(candidate.probabilities)]


def _in_short(folded: Sequence[list[Any]], shown: Sequence[list[Any]]) -> str:
    """The same of candidates that are shown on demand: play, how far behind, level where it is not
    that of the one before, what its equity is more than that of the first shown less this, and
    chances where copied text has them. A rank is the next one that no shown candidate has."""
    first = next((equity for _, equity, *_ in shown if equity is not None), 0)
    before, texts = 0, []
    for play, equity, behind, level, rank, *chances in folded:
        more = equity
        if behind is not None:
            more = equity - first - behind or None
        own = level if level != before else None
        values = (play, behind, own, more, *(chances if rank <= WITH_CHANCES else ()))
        texts.append(":".join("" if value is None else str(value) for value in values).rstrip(":"))
        before = level
    return " ".join(texts)


def _cube_options(
    decision: Decision, equities: Sequence[float]
) -> tuple[list[list[Any]], list[list[Any]]]:
    """The same of the actions of a cube decision, each by its number, none of a play; and of an
    answer to a double those that the player on roll had, who has the chances then."""
    if decision.kind is Kind.PLAY:
        return [], []
    own = _action_options(decision.kind, equities, decision.chances)
    if decision.kind < Kind.TAKE:
        return own, []
    chances = [chances_of_other(each) for each in decision.chances]
    return own, _action_options(Kind.DOUBLE, equities, chances)


def _action_options(
    kind: Kind, equities: Sequence[float], chances: Sequence[Sequence[float]]
) -> list[list[Any]]:
    return [
        [
            CUBE_ACTIONS.index(action),
            *(_thousandths(value), _thousandths(behind), 0, -1 if is_made else 1),
            *action_chances(action, chances),
        ]
        for action, value, behind, is_made in cube_values(kind, *equities)
    ]


def _verdict(on: float, take: float, passed: float) -> str:
    """The number of what an analysis says of the cube; `-` where it says nothing."""
    if on != on or take != take:
        return "-"
    return str(verdict_number(on, take, 1.0 if passed != passed else passed))


def verdict_number(no_double: float, take: float, passed: float) -> int:
    """In the verdicts of `words` the best action and its answer, by the equities of the player on
    roll."""
    return 2 * (min(take, passed) < no_double) + (take > passed)


def shown_together(decisions: Sequence[Decision | None]) -> list[Parted]:
    """Of a decision in every analysis the plays that are among the first of any, and the play made;
    and the others."""
    most = SHOWN_CANDIDATES[min(len(decisions), len(SHOWN_CANDIDATES)) - 1]
    after = [
        [carried_out(tuple(each.position), candidate.play) for candidate in each.candidates]
        if each
        else []
        for each in decisions
    ]
    wanted = {position for places in after for position in places[:most]}
    return [
        parted(each.candidates if each else (), [position in wanted for position in places])
        for each, places in zip(decisions, after, strict=True)
    ]


def parted(candidates: Sequence[Candidate], wanted: Sequence[bool]) -> Parted:
    """The wanted candidates and the play made; and the others."""
    best = next((each for each in candidates if each.equity is not None), None)
    parts: Parted = [], []
    for index, candidate in enumerate(candidates):
        behind = None
        if candidate.equity is not None and best and best is not candidate:
            behind = candidate.equity - (best.equity or 0.0)
        is_shown = wanted[index] or candidate.made
        parts[not is_shown].append((index + 1, candidate, behind))
    return parts


def _parts(chances: Sequence[float]) -> tuple[int, ...]:
    """Chances in hundred-thousandths; empty where one is not known."""
    if any(chance != chance for chance in chances):
        return ()
    return tuple(map(_part, chances))


def _part(chance: float) -> int:
    """A page shows three digits of it, copied text four: a part that ends between two of them is
    moved by one to the side to which the chance is rounded."""
    part = round(100_000 * chance)
    if part % 100 == 50:
        return part + (1 if 100 * round(1000 * chance) > part else -1)
    if part % 10 == 5:
        return part + (1 if 1000 * round(100 * chance, 2) > part else -1)
    return part


def action_chances(action: str, chances: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """The chances after an action of a cube decision, in hundred-thousandths; empty after a
    pass."""
    if not chances or action.endswith("pass"):
        return ()
    return _parts(chances[action != CUBE_ACTIONS[0]])


def order_note(shown: Sequence[Shown]) -> int:
    """Why candidates are not in the order of their equities, by number."""
    rated = [
        (round(candidate.equity, numbers.EQUITY_DECIMALS), candidate.level)
        for _, candidate, _ in shown
        if candidate.equity is not None
    ]
    turned = [before[1] != after[1] for before, after in pairwise(rated) if before[0] < after[0]]
    if not turned:
        return NO_NOTE
    return BY_LEVEL if all(turned) else BY_FILE


def cube_values(
    kind: Kind, on: float, take: float, passed: float
) -> list[tuple[str, float, float | None, bool]]:
    """The actions that a cube decision is between: name, equity for the player on roll, what it
    loses (`None` for the best), whether made; `on`, `take` and `passed` are the three equities.

    An answer to a double is between take and pass, and loses what the player on roll gains by it.
    Values that are not known: no action."""
    if on != on or take != take:
        return []
    passed = 1.0 if passed != passed else passed
    if kind >= Kind.TAKE:
        actions: Sequence[str] = CUBE_ACTIONS[3:]
        values, played = [take, passed], int(kind is Kind.PASS)
        best, sign = min(values), -1
    else:
        actions, values, sign = CUBE_ACTIONS[:3], [on, take, passed], 1
        best = max(on, min(take, passed))
        played = 0 if kind is Kind.NO_DOUBLE else 1 + (take > passed)
    return [
        (action, value, None if value == best else sign * (value - best), index == played)
        for index, (action, value) in enumerate(zip(actions, values, strict=True))
    ]


LETTERS = {
    Kind.NO_DOUBLE: "c",
    Kind.DOUBLE: "c",
    Kind.TAKE: "r",
    Kind.PASS: "r",
    Kind.BEAVER: "r",
    Kind.PLAY: "",
}
"""What follows the turn in an address: nothing for a play, `c` for a double or none, `r` for the
response; `e` for a resignation."""


@dataclass(frozen=True, slots=True)
class Filter:
    """Decisions that have something in common."""

    name: str
    title: str
    says: str
    """The same of one of them, in a sentence; empty where nothing need be said."""
    group: Bools
    """Which decisions of the page these are."""

    @property
    def count(self) -> int:
        """How many they are."""
        return int(self.group.sum())


@dataclass(frozen=True, slots=True)
class Lead:
    """Decisions that the list begins with."""

    name: str
    title: str
    says: str
    """As that of a filter."""
    places: Sequence[Place]


class Row(NamedTuple):
    """A decision as the page lists it where scripts are off."""

    key: str
    place: str
    player: str
    done: str
    errors: list[str]
    """By analysis."""
    xgid: str


@dataclass(frozen=True)
class MatchDecisions:
    """Every decision of a match as all its analyses see it."""

    aligned: Aligned
    seats: tuple[int, ...]
    """Of the players that are shown."""
    labels: tuple[str, ...]
    apart: Bools
    """Whether no action is the best one for all analyses."""
    first: Sequence[Place] = ()
    """The decisions that the page may open on, the best first."""
    leads: Sequence[Lead] = ()
    """What the list begins with, the first one in its order; one analysis is counted in two ways
    then."""

    @cached_property
    def shown(self) -> Rows:
        """The decisions of the page, in the order of play."""
        return in_order(self.aligned)

    @property
    def match(self) -> Match:
        """Whose players and turns these are."""
        return self.aligned.match

    @property
    def scored(self) -> tuple[Scored, ...]:
        """The analyses."""
        return self.aligned.sides

    def _column(self, name: str) -> npt.NDArray[Any]:
        """A column of the table of decisions, shape [analysis, decision of the page]."""
        return self.aligned.column(name)[:, self.shown]

    @cached_property
    def error(self) -> Floats:
        """EMG lost by what was done; NaN where an analysis has none of it."""
        return self._column("error")

    @cached_property
    def counted(self) -> Bools:
        """Whether it counts."""
        return self.aligned.counted[:, self.shown]

    @cached_property
    def wrong(self) -> Bools:
        """Whether an analysis calls it an error."""
        return at_least(self.error, SIZE)

    @cached_property
    def worst(self) -> Floats:
        """By decision the largest error in any analysis; 0 where there is none."""
        worst: Floats = np.nan_to_num(self.error, nan=0.0).max(axis=0, initial=0.0)
        return worst

    @cached_property
    def keys(self) -> list[str]:
        """The address of every decision."""
        keys, times, aligned = [], Counter[str](), self.aligned
        columns = (aligned.game, aligned.turn, aligned.kind)
        for place in zip(*(column[self.shown].tolist() for column in columns), strict=True):
            key = address(*place)
            times[key] += 1
            again = f"{'' if key[-1].isalpha() else '-'}{times[key]}"
            keys.append(key + again * (times[key] > 1))
        return keys

    @cached_property
    def _indices(self) -> dict[Place, int]:
        """By place the first decision of the page."""
        places = (self.aligned.place(decision) for decision in self.shown.tolist())
        return {place: index for index, place in reversed(list(enumerate(places)))}

    @cached_property
    def filters(self) -> list[Filter]:
        """Of the agreement of analyses, after those that lead."""
        shown = np.isin(self.aligned.player[self.shown], self.seats)
        voters, called = self.aligned.voters, (say("filter.errors"), "")
        calls, counts = (of[voters].sum(axis=0) for of in (self.wrong, self.counted))
        several = len(self.scored) > 1 and not self.leads
        if several:
            title = say("filter.wrong", by=by_all(self.labels, voters, say("by.all")))
            called = title, say("says.wrong", by=by_all(self.labels, voters))
        filters = [
            Filter(lead.name, lead.title, lead.says, self._among(lead.places))
            for lead in self.leads
        ]
        every = np.logical_or(self.wrong, self.counted).any(axis=0)
        filters.append(Filter("all", say("filter.all"), "", np.asarray(every)))
        filters.append(Filter("wrong-in-all", *called, calls == len(voters)))
        if several:
            filters += [
                Filter(
                    f"only-{side}",
                    say("filter.only", label=label),
                    say("says.only", label=label),
                    self.wrong[side] & (calls == 1),
                )
                for side, label in enumerate(self.labels)
                if side in voters
            ]
            filters += self._disagreements(counts == 1)
        return [replace(entry, group=entry.group & shown) for entry in filters]

    def _among(self, places: Sequence[Place]) -> Bools:
        """Whether a decision is at one of these places."""
        return np.isin(np.arange(len(self.shown)), list(map(self.index_of, places)))

    def _disagreements(self, counted_once: Bools) -> Iterator[Filter]:
        """What several analyses say otherwise of a decision."""
        apart = self.apart[self.shown]
        size = at_least(self.aligned.at_stake[self.shown], SIZE) & ~apart
        is_pair = len(self.aligned.voters) == 2
        cost = say("says.both-cost") if is_pair else say("says.all-cost")
        yield Filter("other-choice", say("filter.choice"), say("says.choice"), apart)
        yield Filter("other-size", say("filter.cost"), cost, size)
        once = say("says.counted-once")
        yield Filter("counted-once", say("filter.counted-once"), once, counted_once)

    @cached_property
    def order(self) -> list[int]:
        """The listed decisions, the worst first by the largest error in any analysis, after those
        that lead."""
        listed = np.flatnonzero(np.logical_or.reduce([entry.group for entry in self.filters]))
        return list(dict.fromkeys([*self._leading, *worst_first(self.worst, listed)]))

    @property
    def _leading(self) -> list[int]:
        places = self.leads[0].places if self.leads else ()
        return [index for index in map(self.index_of, places) if index >= 0]

    @cached_property
    def errors(self) -> int:
        """How many of the listed decisions lead or are errors in any analysis: the first ones."""
        wrong = at_least(self.worst[self.order], SIZE)
        return int((wrong | np.isin(self.order, self._leading)).sum())

    @cached_property
    def called(self) -> tuple[str, str]:
        """What the list calls the players: the last word of the name, where that tells them
        apart."""
        first, two = (name.split()[-1] if name.split() else name for name in self.match.names)
        return (first, two) if first != two else self.match.names

    def index_of(self, place: Place) -> int:
        """The decision at a place; -1 where the page has none."""
        return self._indices.get(place, -1)

    def key_at(self, place: Place | None) -> str:
        """The address of the decision there; empty where the page has none."""
        index = -1 if place is None else self.index_of(place)
        return self.keys[index] if index >= 0 else ""

    @cached_property
    def start(self) -> int:
        """The decision that the page opens on: the first that every analysis judges, by default the
        worst."""
        judged = (
            index
            for index in map(self.index_of, self.first)
            if index >= 0 and not np.isnan(self.error[:, index]).any()
        )
        return next(judged, self.order[0] if self.order else 0)

    def done(self, index: int) -> str:
        """What was done: `31: 8/5 6/5`, or the cube action."""
        decision = self.shown[index]
        kind = Kind(int(self.aligned.kind[decision]))
        if kind is not Kind.PLAY:
            return word("kind", kind.label)
        roll = "".join(sorted(self.aligned.stated("dice")[decision], reverse=True))
        played = self.aligned.played(decision)
        return joined(": ", roll, action_words(played) if played else say("play.unplayed"))

    def row(self, index: int) -> Row:
        """A decision as a line of a table."""
        at = self.aligned.place(self.shown[index])
        seat = int(self.aligned.player[self.shown[index]])
        errors = [numbers.number(error, 3) for error in self.error[:, index].tolist()]
        xgid = self.aligned.stated("xgid")[self.shown[index]]
        place, player = f"{at.game}.{at.turn}", self.called[seat]
        return Row(self.keys[index], place, player, self.done(index), errors, xgid)

    @cached_property
    def chances(self) -> Floats:
        """Before every decision the chance of the first player to win the match, by analysis; for
        money the equity (EMG)."""
        money = self.match.is_money
        values = self._column("equity_best" if money else "chance_before")
        is_second = self.aligned.player[self.shown] == 1
        return np.where(is_second, -values if money else 1.0 - values, values)

    @cached_property
    def luck(self) -> Floats:
        """EMG gained by the roll of every decision, from the first analysis that has any; NaN where
        unknown."""
        columns = (column for column in self._column("luck") if (column == column).any())
        return next(columns, np.full(len(self.shown), np.nan))

    def data(self) -> dict[str, Any]:
        """What the page's script is given."""
        decided = columns(self.aligned, self.shown)
        return (
            words()
            | decided
            | {
                "sides": list(self._sides()),
                "keys": self.keys,
                "start": self.start,
                "groups": [
                    [entry.name, entry.says, np.flatnonzero(entry.group).tolist()]
                    for entry in self.filters
                ],
                "worst": np.round(100_000 * self.worst).astype(int).tolist(),
                "luck": thousandths(self.luck),
                "called": self.called,
                "ids": without_positions(self.aligned.stated("gnubg_id")[self.shown].tolist()),
                "order": self.order,
                "errors": self.errors,
            }
        )

    def _sides(self) -> Iterator[dict[str, Any]]:
        """What every analysis says of the decisions."""
        aligned = self.aligned
        stated = np.where(aligned.decided, aligned.rows, -1)[:, self.shown]
        sides = [
            [scored.match.decision(row) if row >= 0 else None for row in rows]
            for scored, rows in zip(self.scored, stated.tolist(), strict=True)
        ]
        lists = zip(*map(shown_together, zip(*sides, strict=True)), strict=True)
        grades = at_least(self.error, SIZE) + 1 * at_least(self.error, BLUNDER)
        for side, own in enumerate(lists):
            yield {
                "label": self.labels[side],
                "xg": self.scored[side].match.source.tool == XG.name,
                "chance": thousandths(self.chances[side]),
                "grade": "".join(map(str, grades[side].tolist())),
                **side_columns(aligned, side, self.shown, sides[side], own),
            }


def address(game: int, turn: int, kind: int) -> str:
    """Where a page has a decision: `g3t47`."""
    return f"g{game}t{turn}{LETTERS.get(Kind(kind), 'e')}"


def review_decisions(many: Review) -> MatchDecisions:
    """The decisions of a review, named as its file with most decisions has them."""
    aligned = many.aligned
    several = len(many.analyses) > 1
    return MatchDecisions(
        aligned=aligned,
        seats=many.seats,
        labels=many.labels,
        apart=aligned.disputed if several else np.zeros(len(aligned), bool),
        first=list(map(aligned.place, many.disputed)) if several else (),
    )


def comparison_decisions(comparison: Comparison, places: Sequence[Place]) -> MatchDecisions:
    """The decisions of two analyses, named as the left file has them; `places` are those that move
    the gap, the largest first."""
    aligned = comparison.walk.aligned
    return MatchDecisions(
        aligned=aligned,
        seats=tuple(comparison.walk.seats),
        labels=comparison.labels,
        apart=aligned.in_one_position().disputed,
        first=places,
    )
