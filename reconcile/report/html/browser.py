"""Every decision of a match as compact columns, which the page's own script shows one at a time.

Equities and errors are whole thousandths, the digits that a page shows. A position is a letter for
each of its 26 counts, `A` for one checker of the decider, `a` for one of the opponent, `-` for
none; a play is a letter for each place that a checker leaves or reaches, `a` for 0. What can be
worked out from these (notation, XGID, GNU ID, the board) is left to the script."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.aligned import Aligned
from reconcile.match.board.play import Play
from reconcile.match.board.position import CHECKERS
from reconcile.match.columns import Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.report.html.decisions import (
    BY_FILE,
    BY_LEVEL,
    CHECKERS_OF,
    CUBE_ACTIONS,
    Opinion,
    Option,
)
from reconcile.report.words import KINDS
from reconcile.scoring.decisions import STAGE
from reconcile.scoring.score import Scored

_LETTERS: Final = np.frombuffer(b"onmlkjihgfedcba-ABCDEFGHIJKLMNO", "S1")
"""From fifteen checkers of the opponent to fifteen of the decider."""
CUBE_VIEW: Final = "Equities are for the player on roll, chances for the player who decides."
NOTES: Final = ("", BY_LEVEL, BY_FILE, CUBE_VIEW)
"""What is said below the candidates of a decision."""
Rows = Ints


def in_order(items: Aligned) -> Rows:
    """The decisions that a page shows, in the order of play."""
    order = np.lexsort((STAGE[items.kind], items.turn, items.game))
    return order[:MOST_ON_A_PAGE]


def columns(items: Aligned, listed: Rows) -> dict[str, Any]:
    """What there was to decide, in columns."""
    match, by = items.match, items.stated_by[listed]

    def stated(name: str) -> npt.NDArray[Any]:
        return items.stated(name)[listed]

    kind = stated("kind_number")
    response = (kind >= Kind.TAKE.value) & (kind < Kind.RESIGN.value)
    answers = response & stated("answers_beaver")
    on_top = np.array([side.match.source.format in SECOND_PLAYER_ON_TOP for side in items.sides])
    counts = np.clip(stated("position"), -CHECKERS, CHECKERS) + CHECKERS
    letters = _LETTERS[counts].copy().view("S26").ravel().astype("U26")
    # No identifier describes the answer to a beaver, so nor does the page.
    owner = np.where(answers, 0, np.where(response, -stated("owner"), stated("owner")))
    places = zip(by.tolist(), items.rows[by, listed].tolist(), strict=True)
    return {
        "players": match.names,
        "length": match.length,
        "rules": match.rules.jacoby + 2 * match.rules.beavers if match.is_money else None,
        "checkers": CHECKERS_OF.get(match.rules.variation, CHECKERS),
        "games": _games(items),
        "kinds": [[kind.label, name] for kind, name in KINDS.items()],
        "actions": CUBE_ACTIONS,
        "game": stated("game").tolist(),
        "turn": stated("turn").tolist(),
        "kind": kind.tolist(),
        "player": items.player[listed].tolist(),
        "dice": [int(dice or 0) for dice in stated("dice")],
        "cube": stated("cube").tolist(),
        "owner": owner.tolist(),
        "top": (stated("seat") == on_top[by]).astype(int).tolist(),
        "beaver": answers.astype(int).tolist(),
        "position": _without_repeats(np.where(kind < Kind.RESIGN.value, letters, "").tolist()),
        "play": [_play(items.sides[side].match, row) for side, row in places],
    }


def _without_repeats(position: Sequence[str]) -> list[str]:
    """Empty where it is that of the decision before: a play is made where its cube was decided."""
    pairs = zip(["-", *position], position, strict=False)
    return ["" if letters == before else letters for before, letters in pairs]


def as_json(shown: dict[str, Any]) -> str:
    """JSON that is safe inside a page."""
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "&<\u2028\u2029"})


def _games(items: Aligned) -> dict[int, list[int]]:
    """By game number the points of both players before it, in the reference's seats, and whether it
    is the Crawford game; of a game that only another file has decisions of, as that says."""
    games: dict[int, list[int]] = {}
    for side in sorted({*items.stated_by.tolist(), items.reference}, reverse=True):
        table = items.sides[side].match.games
        scores = table.score[:, list(items.seats[side])].tolist()
        columns = (table.number.tolist(), scores, table.crawford.tolist())
        for number, score, is_crawford in zip(*columns, strict=True):
            games[number] = [*score, int(is_crawford)]
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


def side_columns(scored: Scored, rows: Rows, opinions: Sequence[Opinion]) -> dict[str, Any]:
    """What one file says of every decision: whether it counts, its error, at which level it was
    analysed, and candidates."""
    names: dict[str, int] = {}
    counted, error, level, options, notes = [], [], [], [], []
    for row, opinion in zip(rows.tolist(), opinions, strict=True):
        side = opinion.side
        counts = row < len(scored.counted) and scored.counted[row]
        counted.append("-" if row < 0 else str(int(counts)))
        error.append(_thousandths(side.error if side else _resigned(scored, row)))
        level.append(names.setdefault(side.level if side else "", len(names)))
        options.append([_encoded_option(option, names) for option in opinion.options])
        is_cube = bool(opinion.options) and opinion.options[0].rank is None
        notes.append(str(NOTES.index(CUBE_VIEW if is_cube else opinion.note)))
    return {
        "levels": list(names),
        "counted": "".join(counted),
        "error": error,
        "level": level,
        "options": options,
        "more": [opinion.hidden for opinion in opinions],
        "note": "".join(notes),
    }


def _resigned(scored: Scored, row: int) -> float | None:
    """The error of a resignation; `None` for any other row, and where it is not known."""
    stored = scored.match.resignations.stored_error
    index = row - len(scored.match.plays) - len(scored.match.cubes)
    is_known = 0 <= index < len(stored) and row < len(scored.counted) and stored[index] >= 0
    return float(scored.error[row]) if is_known else None


def _encoded_option(option: Option, names: dict[str, int]) -> list[Any]:
    """Play or cube action, equity, how far behind, level, rank (negative for what was done), and
    five chances where they are known."""
    rank = option.rank or 1
    numbers = _thousandths(option.equity), _thousandths(option.behind)
    signed = -rank if option.is_played else rank
    if isinstance(option.choice, str):
        return [CUBE_ACTIONS.index(option.choice), *numbers, 0, signed, *option.chances]
    level = names.setdefault(option.level, len(names))
    return [_encoded(option.choice), *numbers, level, signed, *option.chances]
