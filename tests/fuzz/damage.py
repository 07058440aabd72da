"""Ways to damage a file, each drawn from a generator of random numbers, so that a seed names the
bytes it made."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, Final

from yaml import YAMLError

from reconcile.formats.values import Damaged

Damage = Callable[[bytes, Random], bytes]

ODD_TEXT: Final = (
    *b"nan -nan inf -inf -0 -0.0 1e308 -1e308 1e309 5e-324 1e-45 0x10 1_0 +1 0 -1 99 32767".split(),
    *b"65536 2147483648 -2147483649 1.7.7 --1".split(),
    *(b"", b"9" * 20, b"9" * 5000, "٣".encode()),
)
"""What may stand where a number did."""
ODD_NUMBERS: Final = tuple(
    struct.pack(form, number)
    for form, numbers in (
        ("<d", (float("nan"), float("inf"), -float("inf"), -0.0, 1e308, 5e-324)),
        ("<f", (float("nan"), float("inf"), -float("inf"), -0.0, 3e38, 1e-45)),
        ("<i", (-1, 0, 1, 2, 33, 64, 255, 25, 99999, -(2**31), 2**31 - 1)),
        ("<b", (-1, 0, 1, 7, 16, 127, -128)),
    )
    for number in numbers
)
ODD_PROPERTIES: Final = (
    *b"DI[66] DI[3] CV[2] CV[3] CP[w] CP[] PL[B] PL[W] AE[a:y] AW[a] AB[c:e] GB[2] GW[1]".split(),
    *b"LU[0.5] LU[inf] LU[] DA[] A[0] W[double] B[double] W[take] B[drop] W[31hefe] B[00]".split(),
    *b"RE[b+2] RE[W3] MI[game:1] X[1] BB[1] L u[1] ; (; ) \0".split(),
)
"""Properties of a `.sgf`, and pieces of them, that mean something to gnuBG wherever they are."""
BLANKS: Final = (b"  ", b"\t", b"\n", b"", b"\0", b" 1 ")
LONGEST_PIECE: Final = 4000
NUMBER: Final = re.compile(rb"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def flipped(content: bytes, chance: Random) -> bytes:
    """A few bits turned over."""
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def overwritten(content: bytes, chance: Random) -> bytes:
    """Words that mean something to a reader, anywhere."""
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 2, 4))):
        place = chance.randrange(len(damaged))
        piece = chance.choice(b"\0 \xff \x7f \x80 nan inf -1 999999999 [ ] \\ ( ) ;".split())
        damaged[place : place + len(piece) * chance.choice((0, 1))] = piece
    return bytes(damaged)


def cut(content: bytes, chance: Random) -> bytes:
    """The beginning alone."""
    return content[: chance.randrange(len(content))]


def without_a_piece(content: bytes, chance: Random) -> bytes:
    first, last = _span(content, chance)
    return content[:first] + content[last:]


def repeated(content: bytes, chance: Random) -> bytes:
    first, last = _span(content, chance)
    return content[:last] + content[first:last] * chance.choice((1, 2, 10)) + content[last:]


def exchanged(content: bytes, chance: Random) -> bytes:
    """Two pieces of the same size in each other's place."""
    first, second = _two(len(content), chance)
    size = min(second - first, len(content) - second, chance.choice((1, 16, 2560)))
    damaged = bytearray(content)
    damaged[first : first + size], damaged[second : second + size] = (
        content[second : second + size],
        content[first : first + size],
    )
    return bytes(damaged)


ANYWHERE: Final[tuple[Damage, ...]] = (
    flipped,
    overwritten,
    cut,
    without_a_piece,
    repeated,
    exchanged,
)
"""For bytes of any kind."""


def mutated(content: bytes, seed: int) -> bytes:
    """One damage of bytes of any kind."""
    return ANYWHERE[seed % len(ANYWHERE)](content, Random(seed))


def digits_changed(content: bytes, chance: Random) -> bytes:
    """A few digits that are others."""
    places = [matches.start() for matches in re.finditer(rb"\d", content)]
    damaged = bytearray(content)
    for place in chance.sample(places, min(len(places), chance.choice((1, 1, 3, 20)))):
        damaged[place] = chance.choice(b"0123456789")
    return bytes(damaged)


def numbers_replaced(content: bytes, chance: Random) -> bytes:
    """What is no number, or hardly one, where numbers stood."""
    places = [matches.span() for matches in NUMBER.finditer(content)]
    for start, end in sorted(
        chance.sample(places, min(len(places), chance.choice((1, 1, 2, 8)))), reverse=True
    ):
        content = content[:start] + chance.choice(ODD_TEXT) + content[end:]
    return content


def numbers_written(content: bytes, chance: Random) -> bytes:
    """Odd numbers in binary, where fields of four bytes begin."""
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8))):
        number = chance.choice(ODD_NUMBERS)
        place = chance.randrange(max(1, (len(damaged) - len(number)) // 4)) * 4
        damaged[place : place + len(number)] = number
    return bytes(damaged)


def property_put(content: bytes, chance: Random) -> bytes:
    """One property of a `.sgf` more, behind another."""
    places = [matches.end() for matches in re.finditer(rb"\](?!\[)", content)]
    place = chance.choice(places) if places else 0
    return content[:place] + chance.choice(ODD_PROPERTIES) + content[place:]


def property_carried(content: bytes, chance: Random) -> bytes:
    """A property of a `.sgf` and its values, moved or copied behind another not far away."""
    matches = [match.span() for match in re.finditer(rb"[A-Z]{1,2}(?:\[[^]]*\])+", content)]
    if len(matches) < 2:
        return content
    first = chance.randrange(len(matches))
    start, end = matches[first]
    place = matches[
        min(max(first + chance.choice((-9, -3, -2, -1, 1, 2, 3, 9)), 0), len(matches) - 1)
    ][1]
    copied = content[:place] + content[start:end] + content[place:]
    if chance.randrange(2):
        return copied
    moved = (end - start) * (place <= start)
    return copied[: start + moved] + copied[end + moved :]


def blank_changed(content: bytes, chance: Random) -> bytes:
    """One blank that is another, or none."""
    places = [matches.start() for matches in re.finditer(rb" ", content)]
    place = chance.choice(places) if places else 0
    return content[:place] + chance.choice(BLANKS) + content[place + 1 :]


def letter_changed(content: bytes, chance: Random) -> bytes:
    """One letter of a play, dice or a property that is another, or none."""
    places = [matches.start() for matches in re.finditer(rb"[A-Za-z]", content)]
    place = chance.choice(places) if places else 0
    return (
        content[:place]
        + chance.choice((b"", b"a", b"z", b"B", b"W", b" ", b"hh"))
        + content[place + 1 :]
    )


GENTLE: Final[tuple[Damage, ...]] = (
    property_put,
    property_carried,
    blank_changed,
    letter_changed,
    digits_changed,
)
"""What changes one thing in a `.sgf` and leaves all others as they are, so that no finding about
another hides it."""


def words_put(words: tuple[bytes, ...]) -> Damage:
    """Words of a format, or a copy of what is there, anywhere and in the place of some bytes."""

    def damage(content: bytes, chance: Random) -> bytes:
        for _ in range(chance.randrange(6) + 1):
            start = chance.randrange(len(content) + 1)
            end = start + chance.randrange(41)
            piece = chance.choice(
                (*words, chance.randbytes(chance.randrange(5)), content[start:end] * 2)
            )
            content = content[:start] + piece + content[end:]
        return content

    return damage


ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1, 2, 7, 25, 2**31, -(2**63), 10**30, 10**400, 1.5, 1e308, -0.0),
    *(5e-324, "", " ", "9" * 400, "x\ny", "x\x1b[31m", "\x85::set-output name=a::b", "\u2028"),
    *[
        "0",
        "3.13",
        "3,13",
        "1e400",
        "nan",
        "-inf",
        "0.5",
        "-0.00000000",
        "-999.00000000",
        "-999.90000000",
        "9.99999999",
    ],
    *[
        "٠.١",
        "1.0,2.0",
        "٣",
        "0x10",
        "xg",
        "gnubg",
        "%0A",
        "\ufeff",
        "a,b",
        '"',
        "#",
        "../..",
        "/dev/full",
    ],
    *([], {}, [[]], [1, 2, 3, 4], {"": ""}, ["pr", "pr"], {"pr": {"pr": 1}}),
)
"""What may stand anywhere in a tree of values."""
WORDS: Final = (
    *["pr", "match", "players", "schema_version", "1", "x\x1b", "<script>", "pr@engine"],
    *("", "pr " * 50),
)


def bent(chance: Random, tree: Any) -> Any:
    """The same tree with a few places lost, doubled, exchanged or odd; often with none."""
    trees = [deepcopy(tree)]
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 6))):
        holder, key = chance.choice(list(_places(trees)))
        kind = chance.randrange(4)
        if kind == 0 and holder is not trees:
            del holder[key]
        elif kind == 1 and isinstance(holder, dict):
            holder[chance.choice(WORDS)] = holder.pop(key)
        elif kind == 1 and holder is not trees:
            holder.insert(key, deepcopy(holder[key]))
        else:
            holder[key] = deepcopy(chance.choice(ODD))
    return trees[0]


def _places(holder: Any) -> Iterator[tuple[Any, Any]]:
    """Every key and index below a table or list, with what it is of."""
    for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
        yield holder, key
        if isinstance(holder[key], dict | list):
            yield from _places(holder[key])


def values_bent(load: Callable[[bytes], Any], dump: Callable[[Any], bytes]) -> Damage:
    """Places of the tree of values in a file lost, doubled, exchanged or odd."""

    def damage(content: bytes, chance: Random) -> bytes:
        try:
            return dump(bent(chance, load(content)))
        except (ValueError, YAMLError, Damaged, RecursionError):
            return content  # no tree any more, after another damage

    return damage


def of_pieces(pieces: Callable[[bytes], list[bytes]]) -> Damage:
    """Whole pieces - nodes, records, lines, pages - lost, doubled, moved, exchanged."""

    def damage(content: bytes, chance: Random) -> bytes:
        parts = pieces(content)
        if len(parts) < 2:
            return content
        first, second = _two(len(parts), chance)
        way = chance.randrange(5)
        if way == 0:
            del parts[first : first + chance.choice((1, 1, 5))]
        elif way == 1:
            parts.insert(second, parts[first])
        elif way == 2:
            parts.insert(first, parts.pop(second))
        elif way == 3:
            parts[first], parts[second] = parts[second], parts[first]
        else:
            parts[second:second] = parts[first:second][: chance.choice((2, 20, 200))]
        return b"".join(parts)

    return damage


def split_before(sign: bytes) -> Callable[[bytes], list[bytes]]:
    """Pieces that begin with a sign."""

    def pieces(content: bytes) -> list[bytes]:
        first, *pieces = content.split(sign)
        return [first, *(sign + other for other in pieces)]

    return pieces


def of_size(size: int) -> Callable[[bytes], list[bytes]]:
    """Pieces of so many bytes."""
    return lambda content: [content[start : start + size] for start in range(0, len(content), size)]


def spliced(content: bytes, other: bytes, chance: Random, size: int = 1) -> bytes:
    """The beginning of one file and the end of another, cut between pieces of `size` bytes."""
    start, end = chance.randrange(len(content)), chance.randrange(len(other))
    return content[: start - start % size] + other[end - end % size :]


def _two(size: int, chance: Random) -> tuple[int, int]:
    first, second = sorted((chance.randrange(size), chance.randrange(size)))
    return first, second


def _span(content: bytes, chance: Random) -> tuple[int, int]:
    first, last = _two(len(content), chance)
    return first, min(last, first + LONGEST_PIECE)
