"""Exercises as a deck of Anki: a card each, with its board as a picture."""

from __future__ import annotations

from html import escape
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

from reconcile.errors import InvalidConfiguration
from reconcile.exercises.cards import answers, board, number_of, question, standing
from reconcile.exercises.exercise import Exercise, Exercises
from reconcile.wording import printable

MODEL: Final = 1_736_215_401
"""Anki's number for the kind of card; the same in every deck, so that decks share it."""
FIELDS: Final = ("Question", "Board", "Answer", "Source")
FRONT: Final = "{{Question}}<br>{{Board}}"
LOOK: Final = (
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
