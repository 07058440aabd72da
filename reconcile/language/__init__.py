"""What the program says to a reader, in the languages that it speaks: a message is a key and slots,
its sentences are in a catalogue beside this file for every language."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Any

from reconcile.wording import capital

CATALOGUES = Path(__file__).parent
LANGUAGES = ("en", *sorted({path.stem for path in CATALOGUES.glob("*.json")} - {"en"}))
"""Their codes, English first."""
JOINED, CAPITAL = "", "^"
"""What is said of other messages, in place of a key."""


class Number(str):
    """A number as English prints it."""


class Said(str):
    """The English sentence of a message, which knows what it says, so that a page can say it in its
    own language."""

    key: str
    slots: Mapping[str, Any]


class Language:
    """The catalogue of a language."""

    def __init__(self, code: str) -> None:
        self.code = code
        groups = json.loads((CATALOGUES / f"{code}.json").read_text("utf-8"))
        self.form = c2py(groups.pop("plural"))
        """Which form is that of a number."""
        self.messages: dict[str, list[str]] = {
            f"{group}.{name}": forms if isinstance(forms, list) else [forms]
            for group, names in groups.items()
            for name, forms in names.items()
        }
        """By key the sentence, or its forms for one and for many."""
        self.signs = str.maketrans(dict(zip(",.", self.messages["number.signs"][0], strict=True)))

    def text(self, message: object) -> str:
        """A message, or what is in a slot, in this language: a number with its signs, a day, a
        tuple as a list with its "and"; other text as it is."""
        if isinstance(message, Said):
            return self._sentence(message.key, message.slots)
        if isinstance(message, tuple):
            texts = list(map(self.text, message))
            if len(texts) < 2:
                return "".join(texts)
            return self._sentence("list.and", {"all": ", ".join(texts[:-1]), "last": texts[-1]})
        if isinstance(message, date):
            month = self.messages["date.months"][0].split()[message.month - 1]
            on = {"day": str(message.day), "month": month, "year": str(message.year)}
            return self._sentence("date.day", on)
        if isinstance(message, int):
            message = Number(f"{message:,}")
        return message.translate(self.signs) if isinstance(message, Number) else str(message)

    def _sentence(self, key: str, slots: Mapping[str, object]) -> str:
        if key == JOINED:
            return self.text(slots["between"]).join(map(self.text, slots["parts"]))  # type: ignore[call-overload]
        if key == CAPITAL:
            return capital(self.text(slots["said"]))
        forms = self.messages[key]
        form = forms[self.form(slots["n"]) if len(forms) > 1 else 0]  # type: ignore[arg-type]
        return form.format(**{name: self.text(value) for name, value in slots.items()})


@cache
def language(code: str = LANGUAGES[0]) -> Language:
    """The catalogue of a language."""
    return Language(code)


def _message(key: str, slots: Mapping[str, object]) -> Said:
    message = Said(language()._sentence(key, slots))
    message.key, message.slots = key, slots
    return message


def say(key: str, **slots: object) -> Said:
    """A message of the catalogue. The slot `n` chooses the form of one that has a plural."""
    return _message(key, slots)


def word(group: str, name: str, **slots: object) -> Said:
    """What something of a group of the catalogue is called: a kind of decision, a finding."""
    return _message(f"{group}.{name}", slots)


def listing(messages: Sequence[str]) -> str:
    """Messages as a list with its "and"."""
    return _message(JOINED, {"between": "", "parts": (tuple(messages),)}) if messages else ""


def joined(between: str, *parts: object) -> str:
    """Messages beside each other, without those that are empty."""
    return _message(JOINED, {"between": between, "parts": tuple(filter(None, parts))})


def opening(message: object) -> str:
    """A message at the start of a sentence: with a capital letter."""
    return _message(CAPITAL, {"said": message})
