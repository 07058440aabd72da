"""Writes an `.xg` file from plain values: the counterpart of the reader, by the same tables and
XG's own conventions.

    write(match) -> bytes

What follows from a match is derived: the cube through a game, away scores, the view of each
position, error fields with their signs and sentinels, the flag of plays that do not count. The same
match always gives the same bytes (with the same zlib): pointers are zero and no clock is read.

Money play follows the same rules, but no money file of XG's was available to check it against.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time
from itertools import chain
from typing import Final

from reconcile.formats.values import DAY_ZERO
from reconcile.formats.written import (
    UNSCORED,
    Candidate,
    Cube,
    Double,
    Ending,
    Game,
    Move,
    Take,
    Turn,
    Verdict,
    WrittenMatch,
)
from reconcile.formats.xg import records
from reconcile.formats.xg.container import archive, file_header
from reconcile.formats.xg.records import MONEY_LENGTH, MOST_CANDIDATES, Value, put
from reconcile.formats.xg.values import numbers_of, short_string, utf16_field
from reconcile.match.board.play import Play
from reconcile.match.board.position import PLACES, START, Counts, swap

NOTHING_BELOW: Final = 0.0001
"""XG writes a smaller error as 0."""
NOMINAL_POST_CRAWFORD_ERROR: Final = 0.0001
"""What XG charges for not doubling against an opponent one away when doubling changes nothing."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a record says of the match around it: the score, the rules, and the cube as it
    stands."""

    match: WrittenMatch
    game: Game
    exponent: int = 0
    owner: int = 0
    """0 nobody, else player 1 or 2."""

    @property
    def code(self) -> int:
        """The cube as the file has it: the sign is that of the player who owns it, not of the
        player on roll."""
        return self.owner and sign(self.owner) * self.exponent

    def away(self, player: int) -> tuple[int, int]:
        """Points that the player and the opponent still need."""
        length = MONEY_LENGTH if self.match.length is None else self.match.length
        first, second = (length - points for points in self.game.score)
        return (first, second) if player == 1 else (second, first)

    @property
    def jacoby(self) -> int:
        """The rules of money play as a record has them."""
        return (
            int(self.match.jacoby) + 2 * int(self.match.beaver) if self.match.length is None else 0
        )

    def after(self, turn: Turn) -> Stakes:
        """The stakes once a double has been answered."""
        if turn.cube.double != Double.YES or turn.cube.take not in (Take.TAKE, Take.BEAVER):
            return self
        return replace(
            self,
            exponent=self.exponent + (2 if turn.cube.take == Take.BEAVER else 1),
            owner=3 - turn.player,
        )


def sign(player: int) -> int:
    """A player as the file has it: 1 for the first, -1 for the second."""
    return 1 if player == 1 else -1


def stored(equity: float) -> float:
    """The equity after a trip through the file's single precision."""
    return float(struct.unpack("<f", struct.pack("<f", equity))[0])


def checker_error(candidates: tuple[Candidate, ...], played: int) -> float:
    """The error of a play: what it lost against the FIRST candidate, <= 0."""
    lost = stored(candidates[played].evaluation.equity) - stored(candidates[0].evaluation.equity)
    return min(0.0, lost) if abs(lost) >= NOTHING_BELOW else 0.0


def is_irrelevant(candidates: tuple[Candidate, ...]) -> bool:
    """Whether a play is no decision: a dance, a single legal play, or candidates that are all worth
    the same."""
    equities = [stored(candidate.evaluation.equity) for candidate in candidates]
    return len(equities) < 2 or max(equities) - min(equities) < NOTHING_BELOW


def verdict(
    no_double: float,
    double_take: float,
    double_pass: float = 1.0,
    *,
    opponent_one_away: bool = False,
) -> Verdict:
    """The verdict on an analysed cube."""
    if opponent_one_away:
        return Verdict.OPPONENT_ONE_AWAY
    if no_double > min(double_take, double_pass):
        return Verdict.TOO_GOOD if double_take > double_pass else Verdict.NO_DOUBLE
    return Verdict.DOUBLE_PASS if double_take > double_pass else Verdict.DOUBLE_TAKE


def _gains(cube: Cube) -> tuple[float, float] | None:
    """What doubling and taking gain for the roller; `None` where XG has not judged."""
    if cube.no_double is None or cube.double_take is None or cube.double < Double.NO:
        return None
    double_take = stored(cube.double_take.equity)
    doubling = min(double_take, cube.double_pass) - stored(cube.no_double.equity)
    return doubling, double_take - cube.double_pass


def cube_error(cube: Cube, flag: int) -> float:
    """What the roller's cube action lost, >= 0."""
    gains = _gains(cube)
    if gains is None:
        return UNSCORED
    gain = gains[0]
    if cube.double == Double.NO and flag == Verdict.OPPONENT_ONE_AWAY and gain == 0:
        return NOMINAL_POST_CRAWFORD_ERROR
    lost = gain if cube.double == Double.NO else -gain
    return lost if lost >= NOTHING_BELOW else 0.0


def take_error(cube: Cube) -> float:
    """What the answer to a double lost, <= 0; 0 when there was no double."""
    gains = _gains(cube)
    if gains is None:
        return UNSCORED
    if cube.double == Double.NO:
        return 0.0
    lost = gains[1] if cube.take != Take.PASS else -gains[1]
    return -lost if lost >= NOTHING_BELOW else 0.0


NO_COMMENT: Final = -1
LONGEST_NAME: Final = 40
LONGEST_TEXT: Final = 128
CHOICES: Final[dict[int, int]] = {
    Verdict.DOUBLE_PASS: 1,
    Verdict.NO_DOUBLE: 2,
    Verdict.DOUBLE_TAKE: 3,
}
"""XG's own choice by its verdict."""
EPOCH: Final = datetime.combine(DAY_ZERO, time())


def write(match: WrittenMatch) -> bytes:
    """The bytes of an `.xg` file."""
    written = list(_records(match))
    members = {"temp.xg": b"".join(written), "temp.xgi": written[0] + written[-1]}
    length = "Unlimited game" if match.length is None else f"{match.length} point match"
    header = file_header(
        "{} vs. {}, {}{}-{}".format(*match.players, length, *_final_score(match)),
        played_on=f"Played on {match.location}" if match.location else "",
        event=f"Event: {match.event} Round: " if match.event else "",
    )
    return header + archive(members)


LAYOUTS: Final = tuple(records.LAYOUTS.values())
"""By the kind of record."""


def _record(kind: int, **values: Value) -> bytes:
    record = bytearray(records.RECORD_SIZE)
    put(record, LAYOUTS[kind], type=kind, **values)
    return bytes(record)


def _records(match: WrittenMatch) -> Iterator[bytes]:
    yield _match_header(match)
    for number, game in enumerate(match.games, start=1):
        yield _record(
            records.GAME_HEADER,
            score=game.score,
            crawford=game.crawford,
            initial_position=START,
            number=number,
            header_comment=NO_COMMENT,
            footer_comment=NO_COMMENT,
            automatic_doubles=game.automatic_doubles,
        )
        stakes = Stakes(match, game)
        for turn in game.turns:
            yield _cube_record(turn, stakes)
            stakes = stakes.after(turn)
            if turn.move is not None:
                yield _move_record(turn, turn.move, stakes)
        if game.ending is not None:
            yield _game_footer(
                game,
                game.ending,
                crawford_next=any(
                    game_after.crawford for game_after in match.games[number : number + 1]
                ),
            )
    if match.ended and (not match.games or match.games[-1].ending):
        first, second = _final_score(match)
        winner = (first > second) - (first < second)
        yield _record(records.MATCH_FOOTER, score=(first, second), winner=winner)


def _match_header(match: WrittenMatch) -> bytes:
    texts = {"event": match.event, "location": match.location}
    names = dict(zip(("player1", "player2"), match.players, strict=True))
    younger: dict[str, Value] = {}
    if match.version >= records.UNICODE_VERSION:
        younger = {
            f"{key}_utf16": utf16_field(text, LONGEST_TEXT + 1)
            for key, text in (names | texts).items()
        }
        younger["transcribed"] = 1
    if match.version >= records.TRANSCRIBER_VERSION:
        younger["transcriber_utf16"] = utf16_field(match.transcriber, LONGEST_TEXT + 1)
    return _record(
        records.MATCH_HEADER,
        length=records.MONEY_LENGTH if match.length is None else match.length,
        crawford=True,
        jacoby=match.jacoby,
        beaver=match.beaver,
        elo=(1600.0, 1600.0),
        date=(match.date - EPOCH).total_seconds() / 86400,
        player_levels=(-1, -1),
        version=match.version,
        magic=b"DMLI",
        header_comment=NO_COMMENT,
        footer_comment=NO_COMMENT,
        site_id=-1,
        cube_limit=10,
        **{key: short_string(name, LONGEST_NAME) for key, name in names.items()},
        **{key: short_string(text, LONGEST_TEXT) for key, text in texts.items()},
        **younger,
    )


def _game_footer(game: Game, ending: Ending, *, crawford_next: bool) -> bytes:
    return _record(
        records.GAME_FOOTER,
        score=_score_after(game),
        crawford_next=crawford_next,
        winner=sign(ending.winner),
        points=ending.points,
        termination=ending.termination,
        resign_error=ending.resign_error,
        accept_error=ending.take_resign_error,
        evaluation=(0.0,) * 7 if ending.evaluation is None else ending.evaluation.floats(),
        level=ending.level,
    )


def _score_after(game: Game) -> tuple[int, int]:
    first, second = game.score
    if game.ending is None:
        return first, second
    points = game.ending.points << game.automatic_doubles
    return (first + points, second) if game.ending.winner == 1 else (first, second + points)


def _final_score(match: WrittenMatch) -> tuple[int, int]:
    return _score_after(match.games[-1]) if match.games else (0, 0)


def _cube_record(turn: Turn, stakes: Stakes) -> bytes:
    """The cube record of a turn, at the stakes before it."""
    cube = turn.cube
    flag = _flag(turn, stakes)
    choice = CHOICES.get(flag, 0)
    level = -1
    analysis: dict[str, Value] = {}
    if cube.no_double is not None and cube.double_take is not None:
        level = cube.level
        analysis = {
            "position_given": turn.position,
            "level": level,
            **_overridden(turn, stakes),
            "no_double_evaluation": cube.no_double.cubeless_floats(),
            "no_double": cube.no_double.equity,
            "double_take": cube.double_take.equity,
            "double_pass": cube.double_pass,
            "level_given": level,
            "double_take_evaluation": cube.double_take.cubeless_floats(),
            "choice_if_doubled": choice if cube.double == Double.YES else -1,
        }
    return _record(
        records.CUBE,
        on_roll=sign(turn.player),
        double=cube.double,
        take=cube.take,
        beaver=-1,
        raccoon=-1,
        cube=stakes.code,
        position=_player_one_side(turn),
        verdict=flag,
        error=cube_error(cube, flag) if cube.error is None else cube.error,
        dice=short_string("77" if turn.move is None else "{}{}".format(*turn.move.dice), 2),
        take_error=take_error(cube) if cube.take_error is None else cube.take_error,
        choice=choice,
        level_shown=level,
        level_requested=level,
        **NOT_COMPUTED,
        **analysis,
    )


NOT_COMPUTED: Final[Mapping[str, Value]] = {
    "rollout": -1,
    "beaver_error": UNSCORED,
    "raccoon_error": UNSCORED,
    "tutor": (-1, -1),
    "tutor_errors": (UNSCORED, UNSCORED),
    "comment": NO_COMMENT,
}
"""What a record of the cube has where nothing of it was computed."""


def _flag(turn: Turn, stakes: Stakes) -> int:
    cube = turn.cube
    if cube.verdict is not None:
        return cube.verdict
    if cube.no_double is None or cube.double_take is None:
        return Verdict.NOT_ANALYSED
    one_away = stakes.match.length is not None and stakes.away(turn.player)[1] == 1
    return verdict(
        cube.no_double.equity,
        cube.double_take.equity,
        cube.double_pass,
        opponent_one_away=one_away or stakes.game.crawford,
    )


def _overridden(turn: Turn, stakes: Stakes) -> dict[str, Value]:
    """What the analysis of a decision was given of the match."""
    return {
        "away": stakes.away(turn.player),
        "cube_value": 1 << stakes.exponent,
        "cube_owner": stakes.owner and (1 if stakes.owner == turn.player else -1),
        "crawford_given": stakes.game.crawford,
        "jacoby_given": stakes.jacoby,
    }


def _move_record(turn: Turn, move: Move, stakes: Stakes) -> bytes:
    """The move record of a turn, at the stakes after its cube action."""
    candidates = move.candidates
    play, after = _played(move)
    level = candidates[0].level if candidates else -1
    judged = move.was_played and candidates and move.played is not None
    error = checker_error(candidates, move.played) if judged else UNSCORED  # type: ignore[arg-type]
    return _record(
        records.MOVE,
        position=_player_one_side(turn),
        after=after,
        on_roll=sign(turn.player),
        play=numbers_of(play) if move.was_played else (0,) * 8,
        dice=move.dice,
        cube=stakes.code,
        candidate_count=len(candidates),
        position_given=turn.position,
        dice_given=move.dice,
        level=level,
        candidates=len(candidates),
        irrelevant=is_irrelevant(candidates) if move.irrelevant is None else move.irrelevant,
        choices=(1, 1),
        played=move.was_played,
        error=error if move.error is None else move.error,
        luck=move.luck,
        choice=1,
        equity_before_roll=move.equity_before_roll,
        rollouts=(-1,) * MOST_CANDIDATES,
        level_shown=level,
        luck_level=level,
        invalid=move.invalid,
        tutor_choice=-1,
        comment=NO_COMMENT,
        **_overridden(turn, stakes),
        **_listed(candidates),
    )


def _listed(candidates: tuple[Candidate, ...]) -> dict[str, Value]:
    """The columns of the candidates, with zeros for those that are missing."""
    empty = MOST_CANDIDATES - len(candidates)
    columns: dict[str, tuple[int, list[tuple[float, ...]]]] = {
        "results": (PLACES, [candidate.position for candidate in candidates]),
        "moves": (8, [numbers_of(candidate.play) for candidate in candidates]),
        "levels": (2, [(candidate.level, 0) for candidate in candidates]),
        "evaluations": (7, [candidate.evaluation.floats() for candidate in candidates]),
    }
    return {
        name: (*chain.from_iterable(rows), *[0] * (width * empty))
        for name, (width, rows) in columns.items()
    }


def _played(move: Move) -> tuple[Play, Counts]:
    """The play and the position after it; both empty when the roll was not played."""
    if not move.was_played:
        return (), (0,) * PLACES
    if move.play is not None and move.after is not None:
        return move.play, move.after
    if move.played is None or move.played >= len(move.candidates):
        raise ValueError(
            f"a play that is not among the {len(move.candidates)} candidates needs `play` and "
            f"`after`, got {move.play!r}"
        )
    chosen = move.candidates[move.played]
    return chosen.play, chosen.position


def _player_one_side(turn: Turn) -> Counts:
    return turn.position if turn.player == 1 else swap(turn.position)
