"""Records of an `.xg` file that hold a decision: the cube and the roll of a turn, each with the stakes around it."""

from __future__ import annotations

from dataclasses import dataclass

from reconcile.adapters.writers import xg_layout as at
from reconcile.adapters.writers.match import (
    MONEY_LENGTH,
    UNSCORED,
    Candidate,
    Double,
    Evaluation,
    Game,
    Match,
    Move,
    Play,
    Take,
    Turn,
    Verdict,
    turned,
)
from reconcile.adapters.writers.xg_container import short_string
from reconcile.adapters.writers.xg_conventions import checker_error, cube_error, is_irrelevant, take_error, verdict
from reconcile.adapters.writers.xg_layout import put


@dataclass(frozen=True, slots=True)
class Stakes:
    """What a record says of the match around it: the score, the rules, and the cube as it stands."""

    match: Match
    game: Game
    exponent: int = 0
    owner: int = 0
    """0 nobody, else player 1 or 2."""

    @property
    def value(self) -> int:
        """1, 2, 4..."""
        return int(2**self.exponent)

    @property
    def code(self) -> int:
        """The cube as the file has it: the sign is that of the player who owns it, not of the player on roll."""
        return {0: 0, 1: self.exponent, 2: -self.exponent}[self.owner]

    def owner_seen_by(self, player: int) -> int:
        """1 if the player owns the cube, -1 if the opponent does, 0 if nobody."""
        return 0 if self.owner == 0 else 1 if self.owner == player else -1

    def away(self, player: int) -> tuple[int, int]:
        """Points that the player and the opponent still need."""
        length = MONEY_LENGTH if self.match.length is None else self.match.length
        first, second = (length - points for points in self.game.score)
        return (first, second) if player == 1 else (second, first)

    @property
    def jacoby(self) -> int:
        """The rules of money play as a record has them."""
        return int(self.match.jacoby) + 2 * int(self.match.beaver) if self.match.length is None else 0

    def after(self, turn: Turn) -> Stakes:
        """The stakes once a double has been answered."""
        if turn.cube.double != Double.YES or turn.cube.take not in (Take.TAKE, Take.BEAVER):
            return self
        turns_of_the_cube = 2 if turn.cube.take == Take.BEAVER else 1
        return Stakes(self.match, self.game, self.exponent + turns_of_the_cube, owner=3 - turn.player)


def cube_record(turn: Turn, stakes: Stakes) -> bytes:
    """The cube record of a turn, at the stakes before it."""
    cube = turn.cube
    record = bytearray(at.RECORD_SIZE)
    analysed = cube.no_double is not None and cube.double_take is not None
    flag = _flag(turn, stakes)
    choice = 1 if flag == Verdict.DOUBLE_PASS else 3 if flag == Verdict.DOUBLE_TAKE else 2 if flag == Verdict.NO_DOUBLE else 0
    dice = "77" if turn.move is None else "{}{}".format(*turn.move.dice)
    put(
        record,
        at.CUBE,
        type=2,
        roller=sign(turn.player),
        double=cube.double,
        take=cube.take,
        beaver=-1,
        raccoon=-1,
        cube=stakes.code,
        position=_player_one_side(turn),
        error=cube_error(cube, flag) if cube.error is None else cube.error,
        dice=short_string(dice, 2),
        take_error=take_error(cube) if cube.take_error is None else cube.take_error,
        rollout=-1,
        choice=choice,
        level=cube.level if analysed else -1,
        beaver_error=UNSCORED,
        raccoon_error=UNSCORED,
        level_requested=cube.level if analysed else -1,
        invalid=cube.invalid,
        tutor=(-1, -1),
        tutor_errors=(UNSCORED, UNSCORED),
        bookmarked=int(cube.bookmarked),
        comment=cube.comment,
    )
    put(record, at.DOUBLE_ACTION, at.DOUBLE_ACTION_OFFSET, verdict=flag)
    if cube.no_double is not None and cube.double_take is not None:
        _put_double_action(record, turn, stakes, cube.no_double, cube.double_take)
        put(record, at.DOUBLE_ACTION, at.DOUBLE_ACTION_OFFSET, choice_if_doubled=choice if cube.double == Double.YES else -1)
    return bytes(record)


def _flag(turn: Turn, stakes: Stakes) -> int:
    cube = turn.cube
    if cube.verdict is not None:
        return cube.verdict
    if cube.no_double is None or cube.double_take is None:
        return Verdict.NOT_ANALYSED
    one_away = stakes.match.length is not None and stakes.away(turn.player)[1] == 1
    return verdict(cube.no_double.equity, cube.double_take.equity, cube.double_pass, opponent_one_away=one_away or stakes.game.crawford)


def _put_double_action(record: bytearray, turn: Turn, stakes: Stakes, no_double: Evaluation, double_take: Evaluation) -> None:
    put(
        record,
        at.DOUBLE_ACTION,
        at.DOUBLE_ACTION_OFFSET,
        position=turn.position,
        level=turn.cube.level,
        away=stakes.away(turn.player),
        cube_value=stakes.value,
        cube_owner=stakes.owner_seen_by(turn.player),
        jacoby=stakes.jacoby,
        crawford=int(stakes.game.crawford),
        no_double_evaluation=no_double.cubeless_floats(),
        no_double=no_double.equity,
        double_take=double_take.equity,
        double_pass=turn.cube.double_pass,
        level_requested=turn.cube.level,
        double_take_evaluation=double_take.cubeless_floats(),
    )


def move_record(turn: Turn, move: Move, stakes: Stakes) -> bytes:
    """The move record of a turn, at the stakes after its cube action."""
    record = bytearray(at.RECORD_SIZE)
    candidates = move.candidates
    play, after = _played(move)
    level = candidates[0].level if candidates else -1
    irrelevant = is_irrelevant(candidates) if move.irrelevant is None else move.irrelevant
    put(
        record,
        at.MOVE,
        type=3,
        position_before=_player_one_side(turn),
        position_after=after,
        roller=sign(turn.player),
        play=_steps(play) if move.was_played else (0,) * 8,
        dice=move.dice,
        cube=stakes.code,
        candidate_count=len(candidates),
        was_played=int(move.was_played),
        error=_move_error(move) if move.error is None else move.error,
        luck=move.luck,
        choice=1,
        equity_before_roll=move.equity_before_roll,
        rollouts=(-1,) * at.MOST_CANDIDATES,
        level=level,
        luck_level=level,
        invalid=move.invalid,
        tutor_choice=-1,
        bookmarked=int(move.bookmarked),
        comment=move.comment,
    )
    put(
        record,
        at.BEST_MOVE,
        at.BEST_MOVE_OFFSET,
        position=turn.position,
        dice=move.dice,
        level=level,
        away=stakes.away(turn.player),
        cube_value=stakes.value,
        cube_owner=stakes.owner_seen_by(turn.player),
        crawford=int(stakes.game.crawford),
        jacoby=stakes.jacoby,
        count=len(candidates),
        irrelevant=int(irrelevant),
        choices=(1, 1),
    )
    _put_candidates(record, candidates)
    return bytes(record)


def _put_candidates(record: bytearray, candidates: tuple[Candidate, ...]) -> None:
    empty = at.MOST_CANDIDATES - len(candidates)
    positions = [count for candidate in candidates for count in candidate.position]
    plays = [step for candidate in candidates for step in _steps(candidate.play)]
    levels = [part for candidate in candidates for part in (candidate.level, 0)]
    evaluations = [chance for candidate in candidates for chance in candidate.evaluation.floats()]
    put(
        record,
        at.BEST_MOVE,
        at.BEST_MOVE_OFFSET,
        positions=tuple(positions) + (0,) * (26 * empty),
        plays=tuple(plays) + (0,) * (8 * empty),
        levels=tuple(levels) + (0,) * (2 * empty),
        evaluations=tuple(evaluations) + (0.0,) * (7 * empty),
    )


def _played(move: Move) -> tuple[Play, tuple[int, ...]]:
    """The play and the position after it; both empty when the roll was not played."""
    if not move.was_played:
        return (), (0,) * 26
    if move.play is not None and move.after is not None:
        return move.play, move.after
    if move.played is None or move.played >= len(move.candidates):
        raise ValueError(f"a play that is not among the {len(move.candidates)} candidates needs `play` and `after`, got {move.play!r}")
    chosen = move.candidates[move.played]
    return chosen.play, chosen.position


def _move_error(move: Move) -> float:
    if not move.was_played or not move.candidates or move.played is None:
        return UNSCORED
    return checker_error(move.candidates, move.played)


def _steps(play: Play) -> tuple[int, ...]:
    """Eight numbers: the steps counted from 0, off as -1, and -1 for the rest."""
    flat = [number - 1 for step in play for number in step]
    return tuple(flat + [-1] * (8 - len(flat)))


def sign(player: int) -> int:
    """A player as the file has it: 1 for the first, -1 for the second."""
    return 1 if player == 1 else -1


def _player_one_side(turn: Turn) -> tuple[int, ...]:
    return turn.position if turn.player == 1 else turned(turn.position)
