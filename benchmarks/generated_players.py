"""Persons who play in generated matches: names with the spellings that programs and people make of them, and how well each plays."""

from __future__ import annotations

import unicodedata
from random import Random
from typing import Final, NamedTuple

FIRST: Final = (
    *(
        "Ada",
        "Agnes",
        "Aino",
        "Alba",
        "Amir",
        "Anouk",
        "Arne",
        "Aylin",
        "Bilal",
        "Björn",
        "Bruno",
        "Carla",
        "Célia",
        "Dario",
        "Dilek",
    ),
    *(
        "Dmitri",
        "Edda",
        "Elias",
        "Emre",
        "Esther",
        "Fabio",
        "Farah",
        "Finn",
        "Gül",
        "Hana",
        "Haruki",
        "Hedda",
        "Igor",
        "Ines",
        "Ivo",
    ),
    *(
        "Jana",
        "Joëlle",
        "Kaan",
        "Kaito",
        "Kirsten",
        "Lars",
        "Leila",
        "Lucía",
        "Magnus",
        "Malik",
        "Mette",
        "Mina",
        "Nils",
        "Noémie",
    ),
    *(
        "Ola",
        "Omar",
        "Pavel",
        "Pilar",
        "Quentin",
        "Rafał",
        "Rosa",
        "Samir",
        "Sofía",
        "Tarek",
        "Teo",
        "Ulla",
        "Vera",
        "Yuki",
        "Zoë",
    ),
)
LAST: Final = (
    *(
        "Abel",
        "Åkerman",
        "Aydın",
        "Baumann",
        "Becker",
        "Bonnet",
        "Castro",
        "Çelik",
        "Dahl",
        "Dubois",
        "Eriksen",
        "Farkas",
        "Ferreira",
    ),
    *(
        "Fontaine",
        "García",
        "Grau",
        "Haddad",
        "Hansen",
        "Hoffmann",
        "Ito",
        "Ivanova",
        "Jansen",
        "Kaya",
        "Keller",
        "Koch",
        "Kovač",
    ),
    *(
        "Laurent",
        "Lindholm",
        "Lund",
        "Marino",
        "Mikkelsen",
        "Moreau",
        "Mori",
        "Müller",
        "Nakano",
        "Novák",
        "Nuñez",
        "Olsen",
        "Öztürk",
    ),
    *(
        "Petrov",
        "Quist",
        "Ricci",
        "Rossi",
        "Sandoval",
        "Santos",
        "Sato",
        "Schäfer",
        "Silva",
        "Simon",
        "Sørensen",
        "Tanaka",
        "Vidal",
    ),
)
PERSONS: Final = len(FIRST) * len(LAST)
SPELT_OTHERWISE: Final = 0.2
"""Of all names."""


class Person(NamedTuple):
    """One of the players of an archive."""

    name: str
    skill: float
    """By how much the equity that a play of the real match lost is multiplied."""


def person(number: int) -> Person:
    """One of `PERSONS`."""
    last, first = divmod(number % PERSONS, len(FIRST))
    # Always the same skill, so that a player's matches have something in common.
    return Person(
        f"{FIRST[first]} {LAST[last]}", Random(number % PERSONS).lognormvariate(0.0, 0.35)
    )


def pair(draw: Random) -> tuple[Person, Person]:
    """Two persons, under the names that a file has for them. Some play much more often than others."""
    first, second = (min(draw.randrange(PERSONS), draw.randrange(PERSONS)) for _ in range(2))
    if first == second:
        second = (first + 1) % PERSONS
    return _spelt(person(first), draw), _spelt(person(second), draw)


def _spelt(one: Person, draw: Random) -> Person:
    if draw.random() >= SPELT_OTHERWISE:
        return one
    ways = (
        one.name.lower(),
        one.name.upper(),
        one.name.replace(" ", "_"),
        _plain(one.name),
        _plain(one.name).replace(" ", "_").lower(),
    )
    return one._replace(name=draw.choice(ways))


def _plain(name: str) -> str:
    """The name without accents."""
    return "".join(
        letter
        for letter in unicodedata.normalize("NFKD", name)
        if not unicodedata.combining(letter)
    )
