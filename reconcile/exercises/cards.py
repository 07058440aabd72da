"""An exercise as question, board and answer, for page, paper and Anki.

Exercises as a deck of Anki: a card each, with its board as a picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

from reconcile.errors import InvalidConfiguration
from reconcile.exercises.exercise import KINDS, Answer, Exercise, Exercises
from reconcile.exercises.xg_text import best_action
from reconcile.gap.rows import action_words
from reconcile.language import LANGUAGES, Number, joined, say, word
from reconcile.match.board.drawing import board_svg
from reconcile.match.board.play import play_text
from reconcile.match.board.position import PHASES
from reconcile.report.html.look import render
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
