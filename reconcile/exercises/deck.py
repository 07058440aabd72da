"""Exercises as a deck of Anki: a card each, with its board as a picture."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo
from zlib import crc32

from reconcile.errors import InvalidConfiguration
from reconcile.exercises.cards import board, number_of, options, question, standing, verdict
from reconcile.exercises.exercise import Exercise, Exercises
from reconcile.wording import harmless

MODEL: Final = 1_736_215_401
"""Anki's number for the kind of card; the same in every deck, so that decks share it."""
FIELDS: Final = ("Question", "Board", "Answer", "Source")


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
    side = "{{Question}}<br>{{Board}}"
    model = genanki.Model(
        MODEL,
        "Backgammon exercise",
        fields=[{"name": name} for name in FIELDS],
        templates=[
            {
                "name": "Exercise",
                "qfmt": side,
                "afmt": side + "<hr id=answer>{{Answer}}<p><small>{{Source}}</small></p>",
            }
        ],
        css=".card { font-family: sans-serif; text-align: center; } img { max-width: 30em; }",
    )
    deck = genanki.Deck(crc32(several.player.encode()), f"Backgammon: {several.player}")
    with TemporaryDirectory() as folder:
        pictures = []
        for exercise in several.exercises:
            picture = Path(folder, f"reconcile-{number_of(exercise)}.svg")
            picture.write_text(board(exercise), "utf-8")
            pictures.append(str(picture))
            guid = genanki.guid_for("reconcile", number_of(exercise))
            fields = _fields(exercise, picture.name)
            deck.add_note(genanki.Note(model=model, fields=fields, guid=guid))
        written = BytesIO()
        genanki.Package(deck, media_files=pictures).write_to_file(written, timestamp=0)
    return _without_times(written)


def _fields(exercise: Exercise, picture: str) -> list[str]:
    from html import escape

    lines = [f"You: {exercise.played}"]
    for answer in exercise.answers:
        lines.append(verdict(exercise, answer))
        lines += (f"{text} {equity:+.3f}" for text, equity in options(exercise, answer))
    lines += [exercise.comment] if exercise.comment else []
    asked = f"{question(exercise)}, {standing(exercise)}"
    back = "<br>".join(escape(harmless(line)) for line in lines)
    source = f"{exercise.place}; {exercise.xgid}"
    return [escape(asked), f'<img src="{picture}">', back, escape(harmless(source))]


def _without_times(written: BytesIO) -> bytes:
    """The same archive with one date for every member."""
    result = BytesIO()
    with ZipFile(written) as archive, ZipFile(result, "w", ZIP_DEFLATED) as packed:
        for name in archive.namelist():
            packed.writestr(ZipInfo(name), archive.read(name), ZIP_DEFLATED)
    return result.getvalue()
