"""Writes an `.xg` file from plain values: the counterpart of the reader, and independent of it.

    write(match) -> bytes

What follows from a match is derived here by XG's own conventions: the cube through a game, away scores, the
view of each position, error fields with their signs and sentinels, the flag of plays that do not count. The
same match always gives the same bytes (with the same zlib): pointers are zero and no clock is read.

Money play follows the same rules, but no money file of XG's was available to check it against.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from reconcile.adapters.writers import xg_layout as at
from reconcile.adapters.writers.match import MONEY_LENGTH, Ending, Game, Match
from reconcile.adapters.writers.xg_container import archive, comment_line, file_header, short_string, utf16
from reconcile.adapters.writers.xg_layout import put
from reconcile.adapters.writers.xg_records import Stakes, cube_record, move_record, sign

NO_COMMENT = -1
EPOCH = datetime(1899, 12, 30)


def write(match: Match, *, compressed: bool = True) -> bytes:
    """The bytes of an `.xg` file; with `compressed=False` members and registry are stored as they are."""
    records = list(_records(match))
    members = {"temp.xg": b"".join(records), "temp.xgi": records[0] + records[-1]}
    if match.comments:
        members["temp.xgc"] = b"".join(comment_line(text) for text in match.comments)
    return file_header(match, _final_score(match)) + match.thumbnail + archive(members, compressed=compressed)


def _records(match: Match) -> Iterator[bytes]:
    yield _match_header(match)
    for number, game in enumerate(match.games, start=1):
        yield _game_header(game, number)
        stakes = Stakes(match, game)
        for turn in game.turns:
            yield cube_record(turn, stakes)
            stakes = stakes.after(turn)
            if turn.move is not None:
                yield move_record(turn, turn.move, stakes)
        if game.ending is not None:
            following = match.games[number] if number < len(match.games) else None
            yield _game_footer(game, game.ending, following)
    if match.ended:
        yield _match_footer(match)


def _match_header(match: Match) -> bytes:
    record = bytearray(at.RECORD_SIZE)
    first, second = match.players
    put(
        record,
        at.MATCH_HEADER,
        type=0,
        player1_ansi=short_string(first, 40),
        player2_ansi=short_string(second, 40),
        length=MONEY_LENGTH if match.length is None else match.length,
        variation=match.variation,
        crawford=int(match.crawford_rule),
        jacoby=int(match.jacoby),
        beaver=int(match.beaver),
        auto_double=int(match.auto_double),
        elo=(1600.0, 1600.0),
        date=(match.date - EPOCH).total_seconds() / 86400,
        event_ansi=short_string(match.event, 128),
        game_id=match.game_id,
        player_levels=(-1, -1),
        location_ansi=short_string(match.location, 128),
        round_ansi=short_string(match.round, 128),
        version=match.version,
        magic=b"DMLI",
        header_comment=NO_COMMENT,
        footer_comment=NO_COMMENT,
        site_id=-1,
        cube_limit=10,
    )
    if match.version >= 24:
        put(
            record,
            at.MATCH_HEADER,
            transcribed=1,
            event=utf16(match.event, 129),
            player1=utf16(first, 129),
            player2=utf16(second, 129),
            location=utf16(match.location, 129),
            round=utf16(match.round, 129),
        )
    if match.version >= 30:
        put(record, at.MATCH_HEADER, transcriber=utf16(match.transcriber, 129))
    return bytes(record)


def _game_header(game: Game, number: int) -> bytes:
    record = bytearray(at.RECORD_SIZE)
    put(
        record,
        at.GAME_HEADER,
        type=1,
        score=game.score,
        crawford=int(game.crawford),
        initial_position=game.initial_position,
        number=number,
        in_progress=int(game.in_progress),
        header_comment=NO_COMMENT,
        footer_comment=NO_COMMENT,
        automatic_doubles=game.automatic_doubles,
    )
    return bytes(record)


def _game_footer(game: Game, ending: Ending, following: Game | None) -> bytes:
    record = bytearray(at.RECORD_SIZE)
    put(
        record,
        at.GAME_FOOTER,
        type=4,
        score=_score_after(game),
        crawford_next=int(following is not None and following.crawford),
        winner=sign(ending.winner),
        points=ending.points,
        termination=ending.termination,
        resign_error=ending.resign_error,
        take_resign_error=ending.take_resign_error,
        evaluation=(0.0,) * 7 if ending.evaluation is None else ending.evaluation.floats(),
        level=ending.level,
    )
    return bytes(record)


def _match_footer(match: Match) -> bytes:
    record = bytearray(at.RECORD_SIZE)
    first, second = _final_score(match)
    winner = 0 if first == second else 1 if first > second else -1
    put(record, at.MATCH_FOOTER, type=5, score=(first, second), winner=winner)
    return bytes(record)


def _score_after(game: Game) -> tuple[int, int]:
    first, second = game.score
    if game.ending is None:
        return first, second
    points = game.ending.points * int(2**game.automatic_doubles)
    return (first + points, second) if game.ending.winner == 1 else (first, second + points)


def _final_score(match: Match) -> tuple[int, int]:
    return _score_after(match.games[-1]) if match.games else (0, 0)
