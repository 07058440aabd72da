"""Ways to damage a file, each drawn from a generator of random numbers, so that a seed names the
bytes it made."""

import re
import struct
from collections.abc import Callable
from copy import deepcopy
from random import Random

import yaml

from reconcile.formats.common import Damaged
from tests.support.tables import beside

Damage = Callable[[bytes, Random], bytes]

LARGEST = 400_000
"""Bytes that a text grows by."""
ODD = beside(__file__, "odd.yaml")
ODD_NUMBERS = tuple(
    struct.pack(form, number)
    for form, numbers in (
        ("<d", (float("nan"), float("inf"), -float("inf"), -0.0, 1e308, 5e-324)),
        ("<f", (float("nan"), float("inf"), -float("inf"), -0.0, 3e38, 1e-45)),
        ("<i", (-1, 0, 1, 2, 33, 64, 255, 25, 99999, -(2**31), 2**31 - 1)),
        ("<b", (-1, 0, 1, 7, 16, 127, -128)),
    )
    for number in numbers
)


def cut(content, chance):
    """The beginning alone."""
    return content[: chance.randrange(len(content))]


def overwritten(choices, step=1):
    """Words over what is at a few places, at multiples of `step`."""

    def damage(content, chance):
        damaged = bytearray(content)
        for _ in range(chance.choice((1, 1, 2, 8))):
            word, place = chance.choice(choices), chance.randrange(len(content)) // step * step
            damaged[place : place + len(word)] = word
        return bytes(damaged)

    return damage


def replaced(pattern, choices, most=1):
    """Words in place of what a pattern matches, at a few places."""
    matcher = re.compile(pattern)

    def damage(content, chance):
        for _ in range(chance.randint(1, most)):
            if spot := matcher.search(content, chance.randrange(len(content) + 1)):
                content = content[: spot.start()] + chance.choice(choices) + content[spot.end() :]
        return content

    return damage


def pieces(borders):
    """Pieces between borders (nodes, records, lines, pages, bytes) lost, doubled or moved."""

    def damage(content, chance):
        places = borders(content)
        if len(places) < 3:
            return content
        first = chance.randrange(len(places) - 1)
        last = min(first + chance.choice((1, 1, 1, 5, 40, 400)), len(places) - 1)
        near = min(max(first + chance.choice((-9, -2, -1, 2, 9)), 0), len(places) - 1)
        target = places[chance.choice((near, chance.randrange(len(places))))]
        piece = content[places[first] : places[last]]
        way = chance.randrange(3)
        if way == 0:
            return content[:target] + piece * chance.choice((1, 2, 10)) + content[target:]
        rest = content[: places[first]] + content[places[last] :]
        return rest if way == 1 else rest[:target] + piece + rest[target:]

    return damage


def grown(content, chance):
    """A line again and again, as it is or with many spaces, which costs what takes the time of the
    square."""
    line = chance.choice(content.splitlines(keepends=True) or [b"\n"])
    line = chance.choice((line, b"\n", line.rstrip() + b" " * 480 + b"\n"))
    return content + line * (LARGEST // len(line))


def before(pattern):
    """Pieces that begin where a pattern matches."""
    return pieces(lambda content: [match.start() for match in re.finditer(pattern, content)])


def sized(size):
    """Pieces of so many bytes."""
    return pieces(lambda content: range(0, len(content) + 1, size))


def values_bent(load, dump):
    """Places in the tree of values of a file lost, renamed, doubled or odd."""

    def damage(content, chance):
        try:
            return dump(bent(chance, load(content)))
        except (ValueError, yaml.YAMLError, Damaged, RecursionError):
            return content  # no tree any more, after another damage

    return damage


def bent(chance, tree):
    """The same tree with a few places changed; often with none."""
    trees = [deepcopy(tree)]
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 6))):
        holder, key = chance.choice(list(_places(trees)))
        way = chance.randrange(4) if holder is not trees else 3
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, dict):
            holder[chance.choice(ODD["keys"])] = holder.pop(key)
        elif way == 1:
            holder.insert(key, deepcopy(holder[key]))
        else:
            holder[key] = deepcopy(chance.choice(ODD["values"]))
    return trees[0]


def _places(holder):
    """Every key and index below a table or list, with what it is of."""
    for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


def words(name):
    """Odd words of a kind of place."""
    return [word.encode() for word in ODD[name]]


DIGIT = replaced(rb"\d", [b"%d" % digit for digit in range(10)])
NUMBER = replaced(rb"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?", [*words("numbers"), b"9" * 5000], most=8)
FLIPPED = overwritten([bytes([value]) for value in range(256)])
ANYWHERE = (FLIPPED, overwritten(words("signs")), cut, sized(1), sized(1), sized(16))
"""For bytes of any kind."""
BINARY = (*ANYWHERE, overwritten(ODD_NUMBERS, 4))
TEXT = (*ANYWHERE, DIGIT, NUMBER, NUMBER)
LINES = (*TEXT, before(rb"\n"))
GENTLE = (
    replaced(rb"(?<=\])(?!\[)", words("properties")),
    before(rb"[A-Z]{1,2}\["),
    replaced(rb" ", words("blanks")),
    replaced(rb"[A-Za-z]", words("letters")),
    DIGIT,
)
"""What changes one thing in a `.sgf` and leaves all others as they are, so that no finding about
another hides it."""
SGF = (*TEXT, *GENTLE, *[before(rb";")] * 2, before(rb"\(;"), before(rb"\["))
MAT = replaced(rb"", words("transcript"), 6)
"""Words of a transcript, anywhere."""
