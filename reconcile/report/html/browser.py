"""Every decision of a match as compact columns, which the page's own script shows one at a time.

Equities and errors are whole thousandths, the digits that a page shows. A position is a letter for each of its 26 counts, `A` for one
checker of the decider, `a` for one of the opponent, `-` for none; a play is a letter for each place that a checker leaves or reaches,
`a` for 0. What can be worked out from these (notation, XGID, GNU ID, the board) is left to the script.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from reconcile.files.limits import MOST_ON_A_PAGE
from reconcile.gap.paired_decisions import Items
from reconcile.match.board.play import Play
from reconcile.match.board.position import CHECKERS
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.report.html.decisions import (
    BY_FILE,
    BY_LEVEL,
    CHECKERS_OF,
    CUBE_ACTIONS,
    Shown,
    action_chances,
    cube_values,
    in_thousandths,
    order_note,
    shown_together,
)
from reconcile.report.words import KINDS
from reconcile.scoring.decision_table import STAGE
from reconcile.scoring.score import Scored

_LETTERS: Final = np.frombuffer(
    b"".join(bytes([96 - n if n < 0 else 45 if n == 0 else 64 + n]) for n in range(-15, 16)), "S1"
)

CUBE_VIEW: Final = "Equities are for the player on roll, chances for the one who decides."
NOTES: Final = ("", BY_LEVEL, BY_FILE, CUBE_VIEW)
"""What is said below the candidates of a decision."""
Rows = npt.NDArray[np.int64]


def in_order(items: Items) -> Rows:
    """The decisions that a page shows, in the order of play."""
    order = np.lexsort((STAGE[items.kind], items.turn, items.game))
    return order[:MOST_ON_A_PAGE]


def columns(
    items: Items,
    kept: Rows,
    sides: Sequence[tuple[str, Scored, Rows]],
    facts: Sequence[tuple[Scored, Rows]],
    seats: Sequence[tuple[Match, tuple[int, int]]],
) -> dict[str, Any]:
    """These decisions in columns.

    `sides` are what each file is called, and its rows by decision; `facts` the files that say what was to decide, the first that has it;
    `seats` the files that say at which score, the last of them first.
    """
    found = [(scored.match, rows[kept]) for scored, rows in facts]
    first = _facts(*found[0])
    for match, rows in found[1:]:
        first = {
            name: np.where(found[0][1] >= 0, first[name], values)
            for name, values in _facts(match, rows).items()
        }
    match = found[0][0]
    places = zip(*(rows.tolist() for _, rows in found), strict=True)
    lists = _listed([(scored.match, rows[kept]) for _, scored, rows in sides])
    return {
        "players": match.names,
        "length": match.length,
        "rules": match.rules.jacoby + 2 * match.rules.beavers if match.is_money else None,
        "checkers": CHECKERS_OF.get(match.rules.variation, CHECKERS),
        "games": _games(seats),
        "kinds": [[kind.label, name] for kind, name in KINDS.items()],
        "actions": CUBE_ACTIONS,
        "game": items.game[kept].tolist(),
        "turn": items.turn[kept].tolist(),
        "kind": items.kind[kept].tolist(),
        "player": items.player[kept].tolist(),
        **{name: values.tolist() for name, values in first.items() if name != "position"},
        "position": _without_repeats(first["position"].tolist()),
        "play": [
            next(_play(one, row) for (one, _), row in zip(found, rows, strict=True) if row >= 0)
            for rows in places
        ],
        "sides": [
            _side(label, scored, rows[kept], items.kind[kept], shown)
            for (label, scored, rows), shown in zip(sides, lists, strict=True)
        ],
    }


def as_json(shown: dict[str, Any]) -> str:
    """JSON that is safe inside a page."""
    text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
    return (
        text.replace("&", "\\u0026")
        .replace("<", "\\u003c")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029")
    )


def _facts(match: Match, rows: Rows) -> dict[str, npt.NDArray[Any]]:
    """What a decision depends on, for these rows (plays, cubes, resignations) of a match; zeros for a row of -1."""
    plays, cubes, none = match.plays, match.cubes, len(match.resignations)
    where = np.where(rows >= 0, rows, 0)
    zeros = np.zeros(none, np.int64)
    response = cubes.kind >= Kind.TAKE.value
    answers = (
        cubes.answers_beaver & response
    )  # no identifier describes this situation, so nor does the page
    owner = np.where(answers, 0, np.where(response, -cubes.owner, cubes.owner))
    board = (
        np.concatenate((plays.position, cubes.position))
        if len(plays) + len(cubes)
        else np.zeros((0, 26), np.int64)
    )
    letters = (
        _LETTERS[np.clip(board, -CHECKERS, CHECKERS) + CHECKERS]
        .copy()
        .view("S26")
        .ravel()
        .astype("U26")
    )
    seat = np.concatenate((plays.player, cubes.player, match.resignations.player))
    columns = {
        "dice": np.concatenate(
            (plays.dice[:, 0] * 10 + plays.dice[:, 1], np.zeros(len(cubes), np.int64), zeros)
        ),
        "cube": np.concatenate((plays.cube, cubes.cube, match.resignations.cube)),
        "owner": np.concatenate((plays.owner, owner, zeros)),
        "top": (seat == int(match.source.format in SECOND_PLAYER_ON_TOP)).astype(np.int64),
        "beaver": np.concatenate((np.zeros(len(plays), np.int64), answers.astype(np.int64), zeros)),
        "position": np.concatenate((letters, np.full(none, ""))),
    }
    return {
        name: column[where] if len(column) else np.zeros(len(rows), column.dtype)
        for name, column in columns.items()
    }


def _games(files: Sequence[tuple[Match, tuple[int, int]]]) -> dict[int, list[int]]:
    """By game number the points of both players before it, in these seats, and whether it is the Crawford game; the last file's first."""
    found: dict[int, list[int]] = {}
    for match, seats in files:
        scores, crawford = match.games.score[:, list(seats)].tolist(), match.games.crawford.tolist()
        for number, score, is_crawford in zip(
            match.games.number.tolist(), scores, crawford, strict=True
        ):
            found[number] = [*score, int(is_crawford)]
    return found


def _without_repeats(texts: Sequence[str]) -> list[str]:
    """The texts, empty where one is that of the decision before it: a play is made in the position of its cube decision."""
    return ["" if index and text == texts[index - 1] else text for index, text in enumerate(texts)]


def _encoded(play: Play) -> str:
    return "".join([chr(97 + start) + chr(97 + end) for start, end in play])


def _play(match: Match, row: int) -> str | None:
    """The play made; `None` for a decision without one, and for a roll that was not played."""
    if row >= len(match.plays) or match.plays.validity[row] == Validity.UNPLAYED.value:
        return None
    return _encoded(match.plays.play[row])


def _thousandths(value: float | None) -> int | None:
    return None if value is None or value != value else round(round(value, 3) * 1000)


Listed = tuple[list[Shown], int]
"""The candidates of a decision that a page shows, and how many there are."""


def _listed(files: Sequence[tuple[Match, Rows]]) -> list[list[Listed]]:
    """By file and decision."""
    found: list[list[Listed]] = [[] for _ in files]
    for rows in zip(*(rows.tolist() for _, rows in files), strict=True):
        sides = [
            (match.plays.position[row].tolist(), match.candidates(row))
            if 0 <= row < len(match.plays)
            else None
            for (match, _), row in zip(files, rows, strict=True)
        ]
        for column, side, shown in zip(found, sides, shown_together(sides), strict=True):
            column.append((shown, len(side[1]) if side else 0))
    return found


def _side(
    label: str, scored: Scored, rows: Rows, kinds: Rows, listed: Sequence[Listed]
) -> dict[str, Any]:
    """What one file says of every decision: whether it counts, its error, at which level it was analysed, and candidates."""
    match, known, resignations = (
        scored.match,
        len(scored.counted),
        scored.match.resignations.stored_error,
    )
    names: dict[str, int] = {}
    counted, error, level, options, more, notes = [], [], [], [], [], []
    for row, kind, (shown, total) in zip(rows.tolist(), kinds.tolist(), listed, strict=True):
        is_play = row < len(match.plays)
        table: Any = match.plays if is_play else match.cubes
        index = row if is_play else row - len(match.plays)
        decided = row >= 0 and index < len(table)
        resigned = index - len(table) if row >= 0 and not decided else -1
        analysed = (
            bool(table.analysed[index])
            if decided
            else resigned >= 0 and row < known and bool(resignations[resigned] >= 0)
        )
        counted.append("-" if row < 0 else str(int(row < known and scored.counted[row])))
        error.append(_thousandths(float(scored.error[row])) if analysed else None)
        label_of_row = (
            match.levels[int(table.level[index])].label
            if decided and table.level[index] >= 0
            else ""
        )
        level.append(names.setdefault(label_of_row, len(names)))
        if total:
            options.append(list(_candidates(shown, names)))
        else:
            view = (
                getattr(scored.view, name) for name in ("no_double", "double_take", "double_pass")
            )
            values = (
                [float(column[index]) for column in view]
                if decided and analysed and not is_play
                else []
            )
            rated = cube_values(Kind(kind), *values) if values else []
            chances = match.cubes.chances[index].tolist() if rated else []
            options.append(
                [
                    [
                        CUBE_ACTIONS.index(name),
                        _thousandths(value),
                        _thousandths(off),
                        0,
                        -1 if made else 1,
                        *action_chances(name, chances),
                    ]
                    for name, value, off, made in rated
                ]
            )
        notes.append(
            NOTES.index(
                order_note(shown) if total else CUBE_VIEW if options[-1] and not is_play else ""
            )
        )
        more.append(max(total - len(options[-1]), 0))
    columns = {
        "counted": "".join(counted),
        "error": error,
        "level": level,
        "options": options,
        "more": more,
        "note": "".join(map(str, notes)),
    }
    return {"label": label, "levels": list(names), **columns}


def _candidates(shown: Sequence[Shown], names: dict[str, int]) -> Iterator[list[Any]]:
    """Play, equity, how far behind, level, rank (negative for the play made), and five chances where they are known."""
    for rank, one, off in shown:
        yield [
            _encoded(one.play),
            _thousandths(one.equity),
            _thousandths(off),
            names.setdefault(one.level, len(names)),
            -rank if one.made else rank,
            *in_thousandths(one.probabilities),
        ]
