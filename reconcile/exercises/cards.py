"""An exercise as question, board and answer, for page, paper and Anki, whose deck has a card each;
and as text in the form that XG copies: identifier, board, score, candidates with their chances, the
cube's verdict.

Forums, blunderDB and Anki importers read it. Source of the form: texts of XG 2.10 and 2.19. X is
the player on roll, at the bottom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

from reconcile.errors import InvalidConfiguration
from reconcile.exercises.exercise import KINDS, Answer, Exercise, Exercises
from reconcile.gap.rows import action_words
from reconcile.language import LANGUAGES, Number, joined, say, word
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.play import play_text
from reconcile.match.board.position import BAR, PHASES, Situation, pip_count
from reconcile.match.match import Candidate
from reconcile.match.tools import XG
from reconcile.report.html.decision_list import WITH_CHANCES, verdict_number
from reconcile.report.html.look import render
from reconcile.version import __version__
from reconcile.wording import printable

SHOWN = 5
"""Candidates of an analysis that an answer shows."""
LISTED = 20
"""Exercises that the terminal lists."""


def headline(several: Exercises) -> str:
    """How many exercises there are, of whom, and from how many matches."""
    number = say("exercise.count", n=len(several.exercises))
    return say("exercise.from", player=several.player, number=number, n=several.matches)


def chosen(several: Exercises) -> str:
    """Which decisions they are, in a sentence or two."""
    wanted = several.wanted
    only: list[str] = []
    if len(wanted.kinds) < len(KINDS):
        only += [word("kind", kind) for kind in KINDS if kind in wanted.kinds]
    if len(wanted.phases) < len(PHASES):
        only += [word("phase", phase) for phase in PHASES if phase in wanted.phases]
    if wanted.score is not None:
        only.append(_score(wanted.score, crawford=False))
    only += [wanted.program] if wanted.program else []
    by = say("by.every") if wanted.everywhere else say("exercise.by-some")
    cost = say("exercise.cost", least=Number(f"{wanted.least:.3f}"), by=by)
    return joined(" ", cost, say("exercise.only", what=joined(", ", *only)) if only else "")


def question(exercise: Exercise) -> str:
    """What is asked: the roll to play, or the cube action."""
    decision = exercise.decision
    if decision.dice is not None:
        return say("practice.to-play", roll=f"{decision.dice[0]}{decision.dice[1]}")
    cube = 2 * decision.cube
    if exercise.kind == "double":
        return say("exercise.double", to=cube)
    return say("exercise.take", to=cube)


def standing(exercise: Exercise) -> str:
    """The score, in the decider's view."""
    situation = exercise.situation
    rules = "Jacoby" * (situation.length is None and situation.jacoby)
    return joined(", ", _score(exercise.decision.away or (0, 0), situation.crawford), rules)


def _score(away: tuple[int, int], crawford: bool) -> str:
    """Points away of the decider and the opponent; zeros for money."""
    own, other = away
    if not own:
        return say("card.money")
    needs = {"own": own, "other": other}
    return say("card.crawford", **needs) if crawford else say("card.away", **needs)


def made(exercise: Exercise) -> str:
    """What was done."""
    return say("exercise.made", what=action_words(exercise.played))


def board(exercise: Exercise, tongue: str = LANGUAGES[0]) -> str:
    """The board as SVG, as the decider sees it."""
    decision, key = exercise.decision, f"b{number_of(exercise)}"
    names = decision.player, decision.opponent
    return board_svg(decision.situation, names, key=key, name=question(exercise), tongue=tongue)


def number_of(exercise: Exercise) -> int:
    """A number that names the exercise, the same in every run."""
    return crc32(f"{exercise.xgid} {exercise.kind} {exercise.decision.player}".encode())


def options(exercise: Exercise, answer: Answer) -> Iterator[tuple[str, float]]:
    """What could be done and its equity (EMG), best first; of an answer to a double as its decider
    sees it."""
    if rated := answer.candidates:
        shown = rated[:SHOWN] + [each for each in rated[SHOWN:] if each.made]
        for each in shown:
            yield play_text(exercise.decision.position, each.play), each.equity or 0.0
    elif answer.cube:
        no_double, take, drop = answer.cube
        of_double = (say("action.no-double"), no_double), (say("action.double"), min(take, drop))
        of_take = (say("action.take"), -take), (say("action.pass"), -drop)
        both = of_double if exercise.kind == "double" else of_take
        yield from sorted(both, key=lambda option: -option[1])


def verdict(exercise: Exercise, answer: Answer) -> str:
    """What an analysis says and what was lost by it, in a sentence."""
    best, lost = best_action(exercise, answer), say("exercise.same")
    words = {
        "no double, take": say("verdict.no-double-take"),
        "too good to double, pass": say("verdict.too-good"),
        "no best action": say("card.not-analysed"),
    }
    if answer.error > 0:
        lost = say("exercise.lose", loss=Number(f"{answer.error:.3f}"))
    program = f"{answer.program} {answer.level.removesuffix(' cubeful')}".strip()
    return joined("; ", joined(": ", program, words.get(best, action_words(best))), lost)


def summary(several: Exercises) -> str:
    """What the terminal shows: how many, which, and the most costly."""
    lines = [headline(several), chosen(several)]
    lines += (
        f"{each.cost:.3f}  {each.place}  {question(each)}  {made(each)}"
        for each in several.exercises[:LISTED]
    )
    rest = len(several.exercises) - LISTED
    return "\n".join([*lines, *[f"and {rest} more"] * (rest > 0)])


def answers(exercise: Exercise) -> str:
    """What every analysis says, as HTML."""
    return render(
        "exercise_answers.html.j2", each=exercise, options=options, verdict=verdict, number=Number
    )


def exercises_page(several: Exercises, tongue: str = LANGUAGES[0]) -> str:
    """The page to practise on; printed it is a lesson sheet, four positions a page and the answers
    after them."""
    return render(
        "exercises.html.j2",
        tongue,
        several=several,
        headline=headline(several),
        chosen=chosen(several),
        question=question,
        standing=standing,
        made=made,
        number=Number,
        phases={phase: word("phase", phase) for phase in PHASES},
        board=board,
        options=options,
        verdict=verdict,
        number_of=number_of,
        scripts=["words", "page", "keep", "exercises"],
    )


MODEL = 1_736_215_401
"""Anki's number for the kind of card; the same in every deck, so that decks share it."""
FIELDS = ("Question", "Board", "Answer", "Source")
FRONT = "{{Question}}<br>{{Board}}"
LOOK = (
    ".card { font-family: sans-serif; text-align: center; } img { max-width: 30em; } "
    "ul { list-style: none; padding: 0; }"
)


def anki_deck(several: Exercises) -> bytes:
    """The deck as an `.apkg`, the same bytes for the same exercises.

    A card keeps its number from one deck to the next, so that Anki updates it. Raises
    `InvalidConfiguration` without the extra `anki`.
    """
    try:
        import genanki
    except ImportError:
        raise InvalidConfiguration(
            "--anki needs the package genanki; pip install 'gammon-reconcile[anki]'"
        ) from None
    back = FRONT + "<hr id=answer>{{Answer}}<p><small>{{Source}}</small></p>"
    template = {"name": "Exercise", "qfmt": FRONT, "afmt": back}
    fields = [{"name": name} for name in FIELDS]
    model = genanki.Model(MODEL, "Backgammon exercise", fields, [template], css=LOOK)
    deck = genanki.Deck(crc32(several.player.encode()), f"Backgammon: {several.player}")
    with TemporaryDirectory() as folder:
        pictures = []
        for exercise in several.exercises:
            picture = Path(folder, f"reconcile-{number_of(exercise)}.svg")
            picture.write_text(board(exercise), "utf-8")
            pictures.append(str(picture))
            guid = genanki.guid_for("reconcile", number_of(exercise))
            card = _fields(exercise, picture.name)
            deck.add_note(genanki.Note(model=model, fields=card, guid=guid))
        written = BytesIO()
        genanki.Package(deck, media_files=pictures).write_to_file(written, timestamp=0)
    return _without_times(written)


def _fields(exercise: Exercise, picture: str) -> list[str]:
    """By `FIELDS` what a card has, as HTML."""
    asked = escape(f"{question(exercise)} {standing(exercise)}")
    answered = f"<p>You: {escape(exercise.played)}</p>{answers(exercise)}"
    source = escape(f"{exercise.place}; {exercise.xgid}")
    return [printable(text) for text in (asked, f'<img src="{picture}">', answered, source)]


def _without_times(written: BytesIO) -> bytes:
    """The same archive with one date for every member."""
    result = BytesIO()
    with ZipFile(written) as archive, ZipFile(result, "w", ZIP_DEFLATED) as packed:
        for name in archive.namelist():
            packed.writestr(ZipInfo(name), archive.read(name), ZIP_DEFLATED)
    return result.getvalue()


# -- as XG's text ----------------------------------------------------------------------------------

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
    lines = [
        exercise.xgid,
        "",
        "X:Player 1   O:Player 2",
        _stand(situation),
        *_board(situation),
    ]
    lines += [_pips(situation), _cube(situation)]
    if exercise.kind == "play":
        lines += [f"X to play {''.join(map(str, sorted(situation.dice, reverse=True)))}", ""]
        lines += _plays(exercise, answer.candidates)
    else:
        lines += ["X on roll, cube action", "", *_cube_action(situation, answer)]
    lines += ["", *_remarks(exercise), "", _source(exercise, answer), ""]
    return "\n".join(lines)


def _stand(situation: Situation) -> str:
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
