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


def columns(
    items: Aligned,
    listed: Rows,
    facts: Sequence[tuple[Scored, Rows]],
    seats: Sequence[tuple[Match, tuple[int, int]]],
) -> dict[str, Any]:
    """What there was to decide, in columns.

    `facts` are the files that say it with their rows by decision, the first that has it; `seats`
    the files that say at which score, the last of them first.
    """
    files = [(scored.match, rows[listed]) for scored, rows in facts]
    match, rows = files[0]
    decided = _facts(match, rows)
    for other, others_rows in files[1:]:
        decided = {
            name: np.where(rows >= 0, decided[name], values)
            for name, values in _facts(other, others_rows).items()
        }
    position = decided.pop("position").tolist()
    by_item = zip(*(column.tolist() for _, column in files), strict=True)
    return {
        "players": match.names,
        "length": match.length,
        "rules": match.rules.jacoby + 2 * match.rules.beavers if match.is_money else None,
        "checkers": CHECKERS_OF.get(match.rules.variation, CHECKERS),
        "games": _games(seats),
        "kinds": [[kind.label, name] for kind, name in KINDS.items()],
        "actions": CUBE_ACTIONS,
        "game": items.game[listed].tolist(),
        "turn": items.turn[listed].tolist(),
        "kind": items.kind[listed].tolist(),
        "player": items.player[listed].tolist(),
        **{name: values.tolist() for name, values in decided.items()},
        "position": _without_repeats(position),
        "play": [
            next(_play(file, row) for (file, _), row in zip(files, item, strict=True) if row >= 0)
            for item in by_item
        ],
    }


def _without_repeats(position: Sequence[str]) -> list[str]:
    """Empty where it is that of the decision before: a play is made where its cube was decided."""
    pairs = zip(["-", *position], position, strict=False)
    return ["" if letters == before else letters for before, letters in pairs]


def as_json(shown: dict[str, Any]) -> str:
    """JSON that is safe inside a page."""
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "&<\u2028\u2029"})


def _facts(match: Match, rows: Rows) -> dict[str, npt.NDArray[Any]]:
    """What a decision depends on, for these rows (plays, cubes, resignations) of a match; zeros for
    a row of -1."""
    plays, cubes, ends = match.plays, match.cubes, match.resignations
    empty = [np.zeros(len(table), np.int64) for table in (plays, cubes, ends)]
    response = cubes.kind >= Kind.TAKE.value
    # No identifier describes the answer to a beaver, so nor does the page.
    answers = cubes.answers_beaver & response
    owner = np.where(answers, 0, np.where(response, -cubes.owner, cubes.owner))
    board = np.concatenate((plays.position.reshape(-1, 26), cubes.position.reshape(-1, 26)))
    letters = _LETTERS[np.clip(board, -CHECKERS, CHECKERS) + CHECKERS].copy().view("S26").ravel()
    seat = np.concatenate((plays.player, cubes.player, ends.player))
    columns = {
        "dice": np.concatenate((plays.dice[:, 0] * 10 + plays.dice[:, 1], *empty[1:])),
        "cube": np.concatenate((plays.cube, cubes.cube, ends.cube)),
        "owner": np.concatenate((plays.owner, owner, empty[2])),
        "top": (seat == int(match.source.format in SECOND_PLAYER_ON_TOP)).astype(np.int64),
        "beaver": np.concatenate((empty[0], answers.astype(np.int64), empty[2])),
        "position": np.concatenate((letters.astype("U26"), np.full(len(ends), ""))),
    }
    where = np.where(rows >= 0, rows, 0)
    return {
        name: column[where] if len(column) else np.zeros(len(rows), column.dtype)
        for name, column in columns.items()
    }


def _games(files: Sequence[tuple[Match, tuple[int, int]]]) -> dict[int, list[int]]:
    """By game number the points of both players before it, in these seats, and whether it is the
    Crawford game; the last file's first."""
    games: dict[int, list[int]] = {}
    for match, seats in files:
        table = match.games
        scores = table.score[:, list(seats)].tolist()
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
