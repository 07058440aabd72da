"""A whole match with its columns as one JSON document, for people who want the decisions rather than the figures.

Values missing in the file are null, and every number has the precision stored in the file. The schema is published in
`reconcile/schemas/match.schema.json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from reconcile.board.identifiers import NO_DICE, Dice, Situation, gnubg_id, xgid
from reconcile.board.play import play_text
from reconcile.board.position import Counts
from reconcile.columns import NO_MARK, Columns, Kind, Validity
from reconcile.document import SCHEMA_VERSION
from reconcile.match import Candidate, Match, situation
from reconcile.results.documents import source_document

if TYPE_CHECKING:
    from reconcile.results.models import match as models

NEUTRAL_UNIT: Final = "emg"
_PLAY_COLUMNS: Final = (
    "game", "turn", "player", "dice", "cube", "owner", "validity", "analysed", "stored_error", "best", "played", "luck", "luck_mark",
    "level", "position", "play",
)  # fmt: skip
_CUBE_COLUMNS: Final = (
    "game", "turn", "player", "kind", "cube", "owner", "access", "answers_beaver", "analysed", "no_double", "double_take",
    "double_pass", "stored_error", "level", "position",
)  # fmt: skip
_PROBABILITIES: Final = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
_ACTION, _RESPONSE, _PLAY, _RESIGNATION = range(4)
"""The order within a turn."""

TableRow = dict[str, Any]
"""A row of a table by column: NumPy gives lists of no particular type."""


def match_document(match: Match) -> models.MatchDocument:
    """A match as the document of `reconcile convert`: its source, its rules, its games and its decisions in the order played."""
    return {
        "schema_version": SCHEMA_VERSION,
        "source": source_document(match.source),
        "match": {
            "length": match.length,
            "players": list(match.players),
            "rules": cast("models.Rules", asdict(match.rules)),
            "event": match.event or None,
            "complete": match.complete,
        },
        "notes": [{"code": note.code, "evidence": note.evidence} for note in match.notes],
        "games": list(_games(match)),
        "decisions": [decision for _, decision in sorted(_decisions(match), key=lambda row: row[0])],
    }


def _games(match: Match) -> Iterator[models.Game]:
    for row in _rows(match.games, match.games.names()):
        won = row["winner"] >= 0
        yield {
            "game": row["number"],
            "score": row["score"],
            "crawford": row["crawford"],
            "winner": match.players[row["winner"]] if won else None,
            "points": row["points"] if won else None,
            "resigned": row["resigned"],
            "automatic_doubles": row["automatic_doubles"],
        }


def _decisions(match: Match) -> Iterator[tuple[tuple[int, int, int], models.Decision]]:
    """Every decision with its place: game, turn, order within the turn."""
    writer = _Writer(match)
    for index, row in enumerate(_rows(match.plays, _PLAY_COLUMNS)):
        yield (row["game"], row["turn"], _PLAY), writer.play(index, row)
    doubler: dict[tuple[int, int], int] = {}
    for row in _rows(match.cubes, _CUBE_COLUMNS):
        turn = row["game"], row["turn"]
        if row["kind"] <= Kind.DOUBLE:
            doubler[turn] = row["player"]
            yield (*turn, _ACTION), writer.cube(row, on_roll=True)
        else:
            yield (*turn, _RESPONSE), writer.cube(row, on_roll=doubler.get(turn) == row["player"])
    after_all = max(match.plays.turn.max(initial=0), match.cubes.turn.max(initial=0)) + 1
    for row in _rows(match.resignations, match.resignations.names()):
        yield (row["game"], int(after_all), _RESIGNATION), writer.resignation(row)


class _Writer:
    """Rows of one match as documents."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.numbers = match.games.number.tolist()
        self.away = match.away.tolist()
        self.labels = [level.label for level in match.levels]

    def play(self, index: int, row: TableRow) -> models.Decision:
        position = tuple(row["position"])
        validity = Validity(row["validity"])
        dice: Dice = (row["dice"][0], row["dice"][1])
        return self.decision(
            row,
            Kind.PLAY,
            position=position,
            dice=dice,
            play=None if validity is Validity.UNPLAYED else play_text(position, row["play"]),
            validity=validity.name.lower(),
            equities={"unit": NEUTRAL_UNIT, "best": _known(row["best"]), "played": _known(row["played"])},
            luck=_known(row["luck"]),
            luck_mark=None if row["luck_mark"] == NO_MARK else row["luck_mark"],
            candidates=[_candidate(position, candidate) for candidate in self.match.candidates(index)],
        )

    def cube(self, row: TableRow, *, on_roll: bool) -> models.Decision:
        kind = Kind(row["kind"])
        if not on_roll:
            row = row | {"owner": -row["owner"]}  # the columns have it in the view of the player on roll
        return self.decision(
            row,
            kind,
            position=tuple(row["position"]),
            identified=kind <= Kind.DOUBLE or not on_roll,  # no identifier describes a beaver waiting for its response
            double_offered=kind > Kind.DOUBLE,
            equities={
                "unit": self.match.cube_unit,
                "no_double": _known(row["no_double"]),
                "double_take": _known(row["double_take"]),
                "double_pass": _known(row["double_pass"]),
            },
            access=row["access"] if on_roll and kind <= Kind.DOUBLE else None,
            answers_beaver=row["answers_beaver"],
        )

    def resignation(self, row: TableRow) -> models.Decision:
        return self.decision(row | {"turn": None, "owner": None, "analysed": _known(row["stored_error"]) is not None}, Kind(row["kind"]))

    def decision(
        self,
        row: TableRow,
        kind: Kind,
        *,
        position: Counts | None = None,
        dice: Dice = NO_DICE,
        identified: bool = True,
        double_offered: bool = False,
        **own: object,
    ) -> models.Decision:
        """The keys of every decision, and those of one kind."""
        game, seat = row["game"], row["player"]
        decided = self.situation(row, position, dice, double_offered=double_offered) if identified and position else None
        level = row.get("level", -1)
        document: TableRow = {
            "game": self.numbers[game],
            "turn": row["turn"],
            "player": self.match.players[seat],
            "seat": seat,
            "kind": kind.label,
            "dice": None if dice == NO_DICE else list(dice),
            "position": None if position is None else list(position),
            "xgid": None if decided is None else xgid(decided),
            "gnubg_id": None if decided is None else gnubg_id(decided),
            "play": None,
            "validity": None,
            "cube": row["cube"],
            "owner": row["owner"],
            "access": None,
            "answers_beaver": False,
            "away": None if self.match.is_money else [self.away[game][seat], self.away[game][1 - seat]],
            "analysed": row["analysed"],
            "level": self.labels[level] if level >= 0 else None,
            "error": _known(row["stored_error"]),
            "equities": None,
            "luck": None,
            "luck_mark": None,
            "candidates": [],
        }
        return cast("models.Decision", document | own)

    def situation(self, row: TableRow, position: Counts, dice: Dice, *, double_offered: bool) -> Situation | None:
        """The situation for identifiers; `None` if impossible, as in a damaged game."""
        try:
            return situation(
                self.match,
                row["game"],
                row["player"],
                position,
                cube=row["cube"],
                owner=row["owner"],
                dice=dice,
                double_offered=double_offered,
            )
        except ValueError:
            return None


def _rows(table: Columns, names: tuple[str, ...]) -> Iterator[TableRow]:
    columns = [getattr(table, name) for name in names]
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns]
    for values in zip(*plain, strict=True):
        yield dict(zip(names, values, strict=True))


def _known(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None


def _candidate(position: Counts, candidate: Candidate) -> models.Candidate:
    chances = [_known(chance) for chance in candidate.probabilities]
    return {
        "play": play_text(position, candidate.play),
        "equity": _known(candidate.equity),
        "level": candidate.level,
        "probabilities": cast("models.Probabilities", dict(zip(_PROBABILITIES, chances, strict=True))) if chances else None,
        "made": candidate.made,
    }
