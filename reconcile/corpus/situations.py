"""The situation of every decision for the table: its position, what was done and was best, and of
mistakes the XGID."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from reconcile.match.board.identifiers import Situations, position_keys, xgids
from reconcile.match.board.play import Play, carried_out, written
from reconcile.match.board.position import BAR, START, swap
from reconcile.match.columns import Bools, Ints, Kind, Validity
from reconcile.match.match import Match
from reconcile.match.tools import SECOND_PLAYER_ON_TOP
from reconcile.scoring.grades import AT_THE_BORDER, ERROR
from reconcile.scoring.score import Scored

ACTIONS: Final = tuple(kind.label.replace("-", " ") for kind in Kind)


def labelled(numbers: Ints, texts: Sequence[str | None]) -> pa.Array:
    """Texts by their number in a list; null below 0."""
    index = pa.array(numbers.astype(np.int32), mask=numbers < 0)
    return pa.array(texts, pa.string()).take(index)


def position_keys_of(match: Match, matches: Sequence[Match]) -> npt.NDArray[np.uint8]:
    """The bytes of the position of every play, cube decision and resignation of joined `matches`,
    each a row."""
    positions = np.concatenate(
        (match.plays.position, match.cubes.position, *map(_resigned_positions, matches))
    )
    return position_keys(positions)


def _resigned_positions(match: Match) -> Ints:
    """Where every game that ended so was resigned, in the view of who resigns or accepts: after
    the last play."""
    plays, resigned = match.plays, match.resignations
    positions = np.zeros((len(resigned), 26), plays.position.dtype)
    for row, (game, player) in enumerate(zip(resigned.game, resigned.player, strict=True)):
        rows = np.flatnonzero(plays.game == game)
        if not len(rows):
            positions[row] = START
            continue
        last = rows[-1]
        position = tuple(plays.position[last].tolist())
        if plays.validity[last] != Validity.UNPLAYED.value:
            position = carried_out(position, plays.play[last])
        positions[row] = position if plays.player[last] == player else swap(position)
    return positions


def actions(
    scored: Sequence[Scored], matches: Sequence[Match], match_of_game: Ints, is_best: Bools
) -> dict[str, pa.Array]:
    """What was done, what was best, and the XGID of mistakes: of plays, cube decisions, then
    resignations of joined matches, scored under every rule set.

    Where `is_best`, what was done is best by the equities; but what a program charges is not best
    to it, whatever these say.
    """
    match = scored[0].match
    size = len(match.plays) + len(match.cubes)
    errors = np.stack([under.error[:size] for under in scored])
    mistakes = np.flatnonzero((errors >= ERROR - AT_THE_BORDER).any(axis=0))
    played, first, texts = _plays(match, matches)
    kind = np.concatenate((match.cubes.kind, match.resignations.kind)).astype(np.int64)
    none = np.full(len(match.resignations), -1)
    done = np.concatenate((played, kind + len(texts)))
    best = np.concatenate((first, _best_kinds(scored[0], len(texts)), none))
    is_best = is_best.copy()
    is_best[mistakes] = False
    place = np.full(len(done), -1)
    place[mistakes] = np.arange(len(mistakes))
    named = [*texts, *ACTIONS]
    return {
        "xgid": labelled(place, _xgids(match, matches, match_of_game, mistakes)),
        "action": labelled(done, named),
        "best": labelled(np.where(is_best, done, best), named),
    }


def _first_candidates(match: Match) -> Iterator[Play | None]:
    """Of every play that was analysed."""
    for row, analysed in enumerate(match.plays.analysed.tolist()):
        yield match.first_candidate(row) if analysed else None


def _plays(match: Match, matches: Sequence[Match]) -> tuple[Ints, Ints, list[str]]:
    """The play made and the first candidate of every play, as numbers of texts in notation;
    -1 where there is none."""
    plays, size = match.plays, len(match.plays)
    numbers: dict[Play | None, int] = {}
    columns = *(each.plays.play for each in matches), *map(_first_candidates, matches)
    number = np.array(
        [numbers.setdefault(play, len(numbers)) for column in columns for play in column], np.int64
    )
    distinct = [*numbers]
    is_play = np.concatenate((plays.validity != Validity.UNPLAYED.value, plays.analysed))
    is_play &= np.array([play is not None for play in distinct], bool)[number]
    # Which steps of a play hit, a bit for each; nobody is hit on the bar or off the board.
    width = max((len(play) for play in distinct if play), default=1)
    ends = np.full((len(distinct), width), BAR)
    for place, play in enumerate(distinct):
        ends[place, : len(play or ())] = [end or BAR for _, end in play or ()]
    boards = np.concatenate((plays.position, plays.position))
    hits = np.take_along_axis(boards, ends[number], axis=1) == -1
    coded = pa.array(number << width | hits @ (1 << np.arange(width))).dictionary_encode()
    texts = [_written(distinct[code >> width] or (), code) for code in coded.dictionary.to_pylist()]
    shown = np.where(is_play, coded.indices.to_numpy(), -1)
    return shown[:size], shown[size:], texts


def _written(play: Play, hits: int) -> str:
    """A play in notation, by the steps that hit, a bit for each."""
    return written(play, frozenset(end for step, (_, end) in enumerate(play) if hits >> step & 1))


def _best_kinds(scored: Scored, first: int) -> Ints:
    """Of every cube decision the best action, as numbers from `first` on by kind; -1 where it is
    not known."""
    view = scored.view
    response = view.kind >= Kind.TAKE.value
    second = np.where(response, view.double_take > view.double_pass, view.least >= view.no_double)
    is_valued = (view.no_double == view.no_double) & ~scored.match.cubes.answers_beaver
    return np.where(is_valued, first + Kind.NO_DOUBLE.value + 2 * response + second, -1)


def _xgids(
    match: Match, matches: Sequence[Match], match_of_game: Ints, rows: Ints
) -> list[str | None]:
    """Of these plays and cube decisions; what is answered to a beaver has none."""

    plays, cubes = match.plays, match.cubes

    def column(*both: npt.NDArray[Any]) -> Any:
        return np.concatenate(both)[rows]

    never = np.zeros(len(plays), bool)
    game, seat = column(plays.game, cubes.game), column(plays.player, cubes.player)
    place, owner = match_of_game[game], column(plays.owner, cubes.owner)
    offered = column(never, cubes.kind >= Kind.TAKE.value)
    length = np.array([each.length or 0 for each in matches])[place]
    score = np.where(length > 0, length - match.away[game].T, 0).T
    rules = np.array([each.rules.jacoby + 2 * each.rules.beavers for each in matches])
    top = np.array([each.source.format in SECOND_PLAYER_ON_TOP for each in matches])
    ids = xgids(
        Situations(
            position=column(plays.position, cubes.position),
            dice=column(plays.dice, np.zeros((len(cubes), 2), np.int64)),
            cube=column(plays.cube, cubes.cube),
            owner=np.where(offered, -owner, owner),
            length=length,
            score=np.where(seat[:, np.newaxis] == 0, score, score[:, ::-1]),
            rules=np.where(length > 0, match.games.crawford[game], rules[place]),
            double_offered=offered,
            decider_is_top=seat == top[place],
        )
    )
    answers_beaver = column(never, cubes.answers_beaver)
    return [None if beaver else text for text, beaver in zip(ids, answers_beaver, strict=True)]
