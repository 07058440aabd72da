"""A decision as text, in the form that XG copies: identifier, board, score, candidates with their
chances, the cube's verdict.

Forums, blunderDB and Anki importers read it. Source of the form: texts of XG 2.10 and 2.19. X is
the player on roll, at the bottom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from reconcile.exercises.exercise import Answer, Exercise
from reconcile.match.board.play import play_text
from reconcile.match.board.position import BAR, Situation, pip_count
from reconcile.match.match import Candidate
from reconcile.match.tools import XG
from reconcile.report.html.decision_list import WITH_CHANCES, verdict_number
from reconcile.version import __version__

DEPTHS = re.compile(r"rollout|book|XG Roller\+*|\d+-ply")
"""The depths that XG writes; another program's is written as far as it is one of these."""
HIGH = 5
"""Checkers on a point that are drawn; where there are more, their number is in place of the
last."""
TOP = (range(13, 19), range(19, 25))
BOTTOM = (range(12, 6, -1), range(6, 0, -1))
VERDICTS = (
    "{verb} / Take",
    "{verb} / Pass",
    "No {verb} / Take",
    "Too good to {verb} / Pass",
)
"""By number what XG says of the cube."""
CHANCES = "{:.2f}% (G:{:.2f}% B:{:.2f}%)"


def xg_text(exercise: Exercise) -> str:
    """The text of an exercise, by the answer that charges most; those of the others are a comment.
    Of the first candidates and the play made it has the chances. The page of a match writes the
    same (`send.js`)."""
    answer, situation = exercise.charged_by, exercise.situation
    lines = [exercise.xgid, "", "X:Player 1   O:Player 2", _score(situation), *_board(situation)]
    lines += [_pips(situation), _cube(situation)]
    if exercise.kind == "play":
        lines += [f"X to play {''.join(map(str, sorted(situation.dice, reverse=True)))}", ""]
        lines += _plays(exercise, answer.candidates)
    else:
        lines += ["X on roll, cube action", "", *_cube_action(situation, answer)]
    lines += ["", *_remarks(exercise), "", _source(exercise, answer), ""]
    return "\n".join(lines)


def _score(situation: Situation) -> str:
    first, second = situation.score
    if situation.length is not None:
        return f"Score is X:{first} O:{second} {situation.length} pt.(s) match."
    rules = "Jacoby " * situation.jacoby + "Beaver" * situation.beavers
    return f"Score is X:{first} O:{second}. Unlimited Game{', ' * bool(rules)}{rules.strip()}"


def _board(situation: Situation) -> Iterator[str]:
    """The board, with a cube that somebody owns beside its owner's half."""
    box = ("+---+", f"|{situation.cube:^3}|", "+---+")
    beside = dict.fromkeys(range(2 * HIGH + 1), "")
    start = {1: 2 * HIGH - 2, 0: 0, -1: 0}[situation.owner]
    if situation.owner:
        beside |= {start + row: f" {line}" for row, line in enumerate(box)}
    yield " +13-14-15-16-17-18------19-20-21-22-23-24-+"
    for row in range(HIGH):
        yield _row(situation, TOP, row, HIGH - 1 - row) + beside[row]
    yield " |" + " " * 18 + "|BAR|" + " " * 18 + "|" + beside[HIGH]
    for row in reversed(range(HIGH)):
        yield _row(situation, BOTTOM, row, HIGH - 1 - row) + beside[2 * HIGH - row]
    yield " +12-11-10--9--8--7-------6--5--4--3--2--1-+"


def _row(situation: Situation, halves: tuple[range, range], row: int, on_bar: int) -> str:
    """A line of the board: `row` counts from its edge, `on_bar` from the middle."""
    board = situation.position
    left, right = ("".join(f" {_checker(board[place], row)} " for place in half) for half in halves)
    # The checkers of the player at the bottom wait in the upper half.
    bar = max(board[BAR], 0) if halves is TOP else min(board[0], 0)
    return f" |{left}| {_checker(bar, on_bar)} |{right}|"


def _checker(count: int, row: int) -> str:
    if abs(count) <= row:
        return " "
    if row == HIGH - 1 and abs(count) > HIGH:
        return f"{abs(count):X}"
    return "X" if count > 0 else "O"


def _pips(situation: Situation) -> str:
    own, other = pip_count(situation.position)
    score = "-".join(map(str, situation.score))
    length = f"/{situation.length}" if situation.length else ""
    crawford = " Crawford" * situation.crawford
    return f"Pip count  X: {own}  O: {other} X-O: {score}{length}{crawford}"


def _cube(situation: Situation) -> str:
    owner = {1: ", X own cube", 0: "", -1: ", O own cube"}[situation.owner]
    return f"Cube: {situation.cube}{owner}"


def _depth(level: str) -> str:
    depth = DEPTHS.search(level)
    return depth[0][0].upper() + depth[0][1:] if depth else ""


def _plays(exercise: Exercise, rated: Sequence[Candidate]) -> Iterator[str]:
    for rank, each in enumerate(rated, 1):
        equity, best = each.equity or 0.0, rated[0].equity or 0.0
        play = play_text(exercise.decision.position, each.play)
        lost = f" ({_equity(equity - best)})" if rank > 1 else ""
        yield f"{rank:5}. {_depth(each.level):11} {play:27} eq:{_equity(equity)}{lost}"
        if each.probabilities and (rank <= WITH_CHANCES or each.made):
            own, other = _chances(each.probabilities)
            yield from (f"      Player:   {own}", f"      Opponent: {other}")
        yield ""


def _chances(probabilities: tuple[float, ...]) -> tuple[str, str]:
    """Those of the player on roll and of the opponent: all wins, gammons, backgammons."""
    win, gammon, backgammon, lost_gammon, lost_backgammon = (100 * each for each in probabilities)
    return (
        CHANCES.format(win, gammon, backgammon),
        CHANCES.format(100 - round(win, 2), lost_gammon, lost_backgammon),
    )


def _cube_action(situation: Situation, answer: Answer) -> Iterator[str]:
    yield f"Analyzed in {_depth(answer.level) or answer.level or 'unknown depth'}"
    if answer.chances:
        own, other = _chances(answer.chances)
        yield f"Player Winning Chances:   {own}"
        yield f"Opponent Winning Chances: {other}"
    if not answer.cube:
        return
    no_double, take, drop = answer.cube
    best = max(no_double, min(take, drop))
    verb = "double" if situation.owner == 0 else "redouble"
    yield ""
    yield "Cubeful Equities:"
    named = (f"No {verb}", no_double), (f"{verb.capitalize()}/Take", take)
    for name, equity in (*named, (f"{verb.capitalize()}/Pass", drop)):
        lost = "" if equity == best else f" ({_equity(equity - best)})"
        yield f"       {name + ':':14} {_equity(equity)}{lost}"
    yield ""
    yield f"Best Cube action: {cube_verdict(answer.cube, verb)}"


def cube_verdict(cube: tuple[float, ...], verb: str = "double") -> str:
    """The best action and its answer in XG's words."""
    said = VERDICTS[verdict_number(*cube)].format(verb=verb)
    return said[0].upper() + said[1:]


def best_action(exercise: Exercise, answer: Answer) -> str:
    """What an analysis does: its first play, or the cube's verdict."""
    if answer.cube:
        return cube_verdict(answer.cube).lower().replace(" / ", ", ")
    if not answer.candidates:
        return "no best action"
    return play_text(exercise.decision.position, answer.candidates[0].play)


def _equity(equity: float) -> str:
    """Without a minus where nothing is left of it."""
    return f"{round(equity, 3) + 0.0:+.3f}"


def _remarks(exercise: Exercise) -> Iterator[str]:
    """Where it is from, what was done, what others say; XG keeps a comment here."""
    yield f"{exercise.place}: {exercise.played}"
    for answer in exercise.answers:
        yield f"{answer.program}: {best_action(exercise, answer)}; loses {answer.error:.3f}"
    if exercise.comment:
        yield exercise.comment


def _source(exercise: Exercise, answer: Answer) -> str:
    """Importers take what stands before XG's own last line as a comment."""
    written = f"written by reconcile {__version__}"
    if answer.tool == XG.name:
        return f"eXtreme Gammon Version: 2, {written}"
    return f"{answer.program}, {written}"
