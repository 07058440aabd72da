"""Every decision of a match as compact columns, which the page's own script shows one at a time.

Equities and errors are whole thousandths, the digits that a page shows. A position is a letter for
each of its 26 counts, `A` for one checker of the decider, `a` for one of the opponent, `-` for
none; a play is a letter for each place that a checker leaves or reaches, `a` for 0. What can be
worked out from these (notation, XGID, GNU ID, the board) is left to the script."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.aligned import Aligned
from reconcile.gap.rows import action_words
from reconcile.language import say, word
from reconcile.match.board.play import Play, carried_out
from reconcile.match.board.position import CHECKERS, checkers_of
from reconcile.match.columns import Floats, Ints, Kind, Validity
from reconcile.match.match import STAGE, Candidate, Decision, Match, chances_of_other
from reconcile.match.phases import PHASES
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.report import numbers
from reconcile.report.words import KINDS

SHOWN_CANDIDATES: Final = (5, 4, 3, 2)
"""By the number of analyses how many plays of each are shown at least, so that all are on the first
screen beside the board."""
CUBE_ACTIONS: Final = (
    KINDS[Kind.NO_DOUBLE],
    "double, take",
    "double, pass",
    KINDS[Kind.TAKE],
    KINDS[Kind.PASS],
)
"""What a cube decision is between: the first three before a double, the last two after it."""
CUBE_VALUES: Final = ("no_double", "double_take", "double_pass")
"""The columns of their equities."""
WITH_CHANCES: Final = 5
"""As many of the first candidates have their chances in copied text, and the play made."""
PHASE_NUMBERS: Final = {name: str(number) for number, name in enumerate(PHASES)}
Shown = tuple[int, Candidate, float | None]
"""A candidate with its rank, and how far it is behind the first that has an equity (`None` for
that)."""
Parted = tuple[list[Shown], list[Shown]]
"""Those that are shown, and those that are on demand."""
_LETTERS: Final = np.frombuffer(b"onmlkjihgfedcba-ABCDEFGHIJKLMNO", "S1")
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
        # The decider's; a gammon includes a backgammon.
        "chances": [
            say("chance.win"),
            say("chance.gammon"),
            say("chance.backgammon"),
            say("chance.gammon-lost"),
            say("chance.backgammon-lost"),
        ],
        "changes": [
            say("change.win"),
            say("change.gammon"),
            say("change.backgammon"),
            say("change.gammon-lost"),
            say("change.backgammon-lost"),
        ],
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
    for decision, (shown, others), *equities in zip(decisions, lists, *values, strict=True):
        cube, doubling = _cube_options(decision, equities) if decision else ([], [])
        if doubling:
            before[len(options)] = doubling
        verdicts.append(_verdict(*equities))
        plays = [_play_option(each, names) for each in shown]
        options.append(cube or plays)
        more.append(len(others))
        rest.append(_in_short([_play_option(each, names) for each in others], plays))
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


def _in_short(others: Sequence[list[Any]], shown: Sequence[list[Any]]) -> str:
    """The same of candidates that are shown on demand: play, how far behind, level where it is not
    that of the one before, what its equity is more than that of the first shown less this, and
    chances where copied text has them. A rank is the next one that no shown candidate has."""
    first = next((equity for _, equity, *_ in shown if equity is not None), 0)
    before, texts = 0, []
    for play, equity, behind, level, rank, *chances in others:
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
