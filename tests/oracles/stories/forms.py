"""What a form of a sentence is: a pattern with named places, and the claims that hold if the sentence is true.

A pattern is the sentence itself with `<name:kind>` where something is filled in. What stands there is read by the claim, which computes it
again from the document; a place with a digit in it that no claim has read is a fault as well, so that every number is accounted for.
`[[...]]` is a part that may be missing, `(s)` an ending that may.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any

MINUS = "\N{MINUS SIGN}"
SIGNED = rf"[+{MINUS}-]\d[\d,]*(?:\.\d+)?"
KINDS: Mapping[str, str] = {
    "number": r"\d[\d,]*(?:\.\d+)?",
    "count": r"\d[\d,]*",
    "signed": SIGNED,
    "any": rf"[+{MINUS}-]?\d[\d,]*(?:\.\d+)?",
    "place": r"game \d+(?:, turn \d+)?",
    "text": r".+?",
    "rest": r".+",
    "word": r"[\w.-]+",
}
"""The kinds of places; `side`, `Side` (at the head of a sentence) and `player` are the names in the document, `a|b` one of these words."""
OPPOSITE: Mapping[str, str] = {
    "more": "less",
    "less": "more",
    "fewer": "more",
    "above": "below",
    "below": "above",
    "left": "right",
    "right": "left",
}
PLACES = re.compile(r"<(\w+):([^>]+)>|\[\[(.*?)\]\]")
PLURAL = re.escape("(s)")
SEPARATOR = re.compile(r", | and | or |; ")
SLACK = Decimal("1e-9")


def value(text: str) -> Decimal:
    """A number as it stands in a sentence."""
    return Decimal(text.replace(MINUS, "-").replace(",", ""))


def shows(text: str, number: float | None, *, scale: float = 1.0) -> bool:
    """Whether a printed number is this one, rounded to the digits printed; half a digit may go either way."""
    if number is None or number != number:
        return False
    said = value(text)
    exponent = said.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(said - Decimal(number * scale)) <= Decimal(5).scaleb(exponent - 1) + SLACK


@dataclass
class Said:
    """What a sentence says in the places of its form; notes which of them a claim has read."""

    form: Form
    places: dict[str, str | None]
    clauses: list[Said] = field(default_factory=list)
    read: set[str] = field(default_factory=set)

    def __getitem__(self, name: str) -> str:
        self.read.add(name)
        return self.places.get(name) or ""

    def has(self, name: str) -> bool:
        """Whether the part of the sentence with this place is there."""
        return bool(self.places.get(name))

    def number(self, name: str) -> Decimal:
        """The number in a place."""
        return value(self[name])

    def place(self, name: str) -> tuple[int, ...]:
        """Game and turn in a place."""
        return tuple(map(int, re.findall(r"\d+", self[name])))

    def names(self, player: str, name: str) -> bool:
        """Whether a place has the name of a player, as either file spells it."""
        return self[name].replace("_", " ").lower() == player.replace("_", " ").lower()

    def unread(self) -> Iterator[str]:
        """Places with a digit that no claim has read."""
        for name, text in self.places.items():
            if name not in self.read and text and re.search(r"\d", text):
                yield f"nothing was computed for {text!r} (<{name}>)"
        for clause in self.clauses:
            yield from clause.unread()


Claim = Callable[[Any, Said], Iterable[str] | None]


@dataclass(frozen=True)
class Form:
    """A sentence with places, and what must hold for it to be true."""

    pattern: str
    claim: Claim
    clauses: tuple[Form, ...] = ()
    """The forms of the clauses in the place `<clauses:...>`, if it has one."""

    @property
    def name(self) -> str:
        """The name of the claim."""
        return self.claim.__name__

    def match(self, text: str, names: Names) -> Said | None:
        """What a whole sentence says, if it has this form."""
        found = compiled(self.pattern, names).fullmatch(text)
        if found is None:
            return None
        said = Said(self, found.groupdict())
        if self.clauses and said.has("clauses"):
            said.clauses = in_clauses(said["clauses"], self.clauses, names)
            if not said.clauses:
                return None
        return said


@dataclass(frozen=True)
class Names:
    """What the sides and the players of a document are called."""

    sides: tuple[str, ...]
    players: tuple[str, ...]


@lru_cache(maxsize=20_000)
def compiled(pattern: str, names: Names) -> re.Pattern[str]:
    """The pattern as a regular expression, for these names."""
    made, end = "", 0
    for found in PLACES.finditer(pattern):
        made += re.escape(pattern[end : found.start()])
        end = found.end()
        if found[3] is not None:
            made += f"(?:{compiled(found[3], names).pattern})?"
        else:
            made += f"(?P<{found[1]}>{_kind(found[2], names)})"
    return re.compile((made + re.escape(pattern[end:])).replace(PLURAL, "s?"), re.DOTALL)


def _kind(kind: str, names: Names) -> str:
    if kind in ("side", "Side", "player"):
        known = names.players if kind == "player" else names.sides
        spelled = [*known, *(capital(one) for one in known if kind == "Side")]
        return "|".join(re.escape(one) for one in sorted(spelled, key=len, reverse=True)) or "(?!)"
    return KINDS[kind] if kind in KINDS else "|".join(map(re.escape, kind.split("|")))


def capital(words: str) -> str:
    """With a capital letter."""
    return words[:1].upper() + words[1:]


def in_clauses(text: str, forms: tuple[Form, ...], names: Names) -> list[Said]:
    """The clauses of `one, two and three`, each of which has one of the forms; nothing if one has none."""
    for clause, rest in _cut(text):
        for form in forms:
            said = form.match(clause, names) or form.match(clause[:1].lower() + clause[1:], names)
            if said is None:
                continue
            if not rest:
                return [said]
            if others := in_clauses(rest, forms, names):
                return [said, *others]
    return []


def _cut(text: str) -> Iterator[tuple[str, str]]:
    """The first clause of a text and the rest, at every place where a clause may end."""
    for found in SEPARATOR.finditer(text):
        yield text[: found.start()], text[found.end() :]
    yield text, ""


def first_that_matches(sentence: str, forms: Iterable[Form], names: Names) -> Said | None:
    """What a sentence says by the first form that it has."""
    return next((said for form in forms if (said := form.match(sentence, names)) is not None), None)
