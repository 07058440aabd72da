"""Damaged bytes: whatever a file has become, reading and scoring it ends in figures or in a `ReconcileError`, and soon.

Files of `tests/corpus/` are broken ones that were worth keeping; its README says what is wrong with each. Mutations are
drawn from seeds, so that a failure names the bytes it happened with: bits flipped, bytes cut out, put in, repeated,
pieces exchanged within a file and between two.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.adapters import read_match
from reconcile.errors import ReconcileError
from reconcile.figures import statistics
from tests.adapters.test_sgf_reader import USUAL as SGF
from tests.adapters.test_xg_reader import CONTENT as XG
from tests.support import xg_layout as at
from tests.support.data import cases
from tests.support.xg_tampering import records_of, sealed

CORPUS = Path(__file__).parents[1] / "corpus"
SECONDS = 3
"""More than any file of this size may take, on a slow machine too."""
SEEDS = 60
"""Mutations of each real file."""


def survives(name: str, content: bytes) -> bool:
    """Whether the bytes were read; nothing but `ReconcileError` may leave the reader or the statistics."""
    start = process_time()
    try:
        match = read_match(name, content)
        for rules in ("xg", "gnubg"):
            computed = statistics(match, rules)
            for seat in (0, 1):
                for metric, figure in computed.figures(seat).items():
                    assert figure is None or math.isfinite(figure), f"{name}: {metric} is {figure}"
        list(match.decisions())
    except ReconcileError as error:
        message = str(error)
    else:
        message = ""
    assert process_time() - start < SECONDS
    assert "\n" not in message
    assert len(message) < 1000
    return not message


def flipped(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def overwritten(content: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(content)
    for _ in range(chance.choice((1, 2, 4))):
        place = chance.randrange(len(damaged))
        piece = chance.choice((b"\0", b"\xff", b"\x7f", b"\x80", b"nan", b"inf", b"-1", b"999999999", b"[", b"]", b"\\", b"(", b")", b";"))
        damaged[place : place + len(piece) * chance.choice((0, 1))] = piece
    return bytes(damaged)


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content))]


def without_a_piece(content: bytes, chance: random.Random) -> bytes:
    first, last = sorted(chance.sample(range(len(content)), 2))
    return content[:first] + content[min(last, first + 4000) :]


def repeated(content: bytes, chance: random.Random) -> bytes:
    first, last = sorted(chance.sample(range(len(content)), 2))
    last = min(last, first + 4000)
    return content[:last] + content[first:last] * chance.choice((1, 2, 10)) + content[last:]


def exchanged(content: bytes, chance: random.Random) -> bytes:
    first, second = sorted(chance.sample(range(len(content)), 2))
    size = min(second - first, len(content) - second, chance.choice((1, 16, 2560)))
    damaged = bytearray(content)
    damaged[first : first + size], damaged[second : second + size] = content[second : second + size], content[first : first + size]
    return bytes(damaged)


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (flipped, overwritten, cut, without_a_piece, repeated, exchanged)


def mutated(content: bytes, seed: int) -> bytes:
    chance = random.Random(seed)
    return MUTATIONS[seed % len(MUTATIONS)](content, chance)


@cache
def bytes_of(path: Path) -> bytes:
    return path.read_bytes()


def resealed(content: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """An `.xg` file whose records were changed under true sizes and checksums: damage the container cannot notice."""
    blob = change(b"".join(records_of(content)))
    whole = len(blob) - len(blob) % at.RECORD_SIZE
    return sealed(content, [bytearray(blob[i : i + at.RECORD_SIZE]) for i in range(0, whole, at.RECORD_SIZE)])


# -- real files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", cases("gnubg/m53*.sgf", "gnubg/m58*.sgf", "gnubg/m59*.sgf"))
def test_mutated_real_sgf_is_read_or_refused(path: Path) -> None:
    for seed in range(SEEDS):
        survives(f"{path.name}, seed {seed}", mutated(bytes_of(path), seed))


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_mutated_real_xg_is_read_or_refused(path: Path) -> None:
    for seed in range(SEEDS):
        survives(f"{path.name}, seed {seed}", mutated(bytes_of(path), seed))


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_changed_container_never_passes_for_whole(path: Path) -> None:
    content = bytes_of(path)
    start = at.FILE_HEADER_SIZE + int.from_bytes(content[20:24], "little")
    for seed in range(0, 6 * SEEDS, 6):
        damaged = content[:start] + flipped(content[start:], random.Random(seed))
        if damaged != content:
            reserved = len(content) - 15  # nobody reads the end of the trailer
            assert not survives(f"seed {seed}", damaged) or damaged[:reserved] == content[:reserved]


@pytest.mark.parametrize("path", cases("real/charlot*.xg"))
def test_mutated_records_under_true_checksums_are_read_or_refused(path: Path) -> None:
    content = bytes_of(path)
    for seed in range(SEEDS):
        survives(f"{path.name}, records, seed {seed}", resealed(content, lambda blob, seed=seed: mutated(blob, seed)))  # type: ignore[misc]


@pytest.mark.parametrize("path", cases("gnubg/m59*.sgf"))
def test_two_files_spliced_are_read_or_refused(path: Path) -> None:
    one = bytes_of(path)
    for other in (bytes_of(path.with_name("m53_2pt_cuberich_deadcube.sgf")), XG, SGF.encode()):
        for seed in range(SEEDS):
            chance = random.Random(seed)
            survives(f"seed {seed}", one[: chance.randrange(len(one))] + other[chance.randrange(len(other)) :])


# -- small files, every byte of which matters --------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_mutated_small_sgf_is_read_or_refused(seed: int) -> None:
    survives(f"seed {seed}", mutated(SGF.encode(), seed))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 2**32))
def test_mutated_small_records_are_read_or_refused(seed: int) -> None:
    survives(f"seed {seed}", resealed(XG, lambda blob: mutated(blob, seed)))


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 17), st.integers(0, at.RECORD_SIZE - 8), st.sampled_from(["i", "d", "f", "b"]), st.data())
def test_any_number_anywhere_in_a_record_is_read_or_refused(row: int, offset: int, form: str, data: st.DataObject) -> None:
    numbers: dict[str, st.SearchStrategy[int | float]] = {
        "i": st.integers(-(2**31), 2**31 - 1) | st.sampled_from([-1, 0, 1, 33, -(2**31), 2**31 - 1]),
        "d": st.floats(),
        "f": st.floats(width=32),
        "b": st.integers(-128, 127),
    }
    records = records_of(XG)
    struct.pack_into("<" + form, records[row % len(records)], offset, data.draw(numbers[form]))
    survives("one number", sealed(XG, records))


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_behind_a_root_are_read_or_refused(tail: bytes) -> None:
    survives("any bytes", SGF.encode()[:-1] + tail + b")")


STRUCTURE = (";", "(", ")", "[", "]", "\\", "\n", "(;GM[6]", "MI[length:7][game:1]", "RU[Hypergammon1]", "RE[W+9R]")
ACTIONS = ("W[31hefe]", "B[double]", "W[take]", "W[drop]", "B[double]W[double]", "W[66]", "PL[B]DI[31]", "A[0]", "DA[]", "LU[]")
SET_UP = ("AE[a:y]", "AW[a:y]", "AB[a]", "CV[4096]", "CP[w]")
ANALYSES = (
    "A[0][hefe E ver 3 .5 .5 .5 .5 .5 nan 2C 0 1 0 1]",
    "DA[E ver 3 2C 1 0 1 1 1 1 1 1 1 .6 1 1 1 1 1 1 .5]",
    "DA[X ver 3 NoDouble]",
)
PIECES = st.sampled_from(STRUCTURE + ACTIONS + SET_UP + ANALYSES)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25))
def test_any_order_of_the_words_of_an_sgf_is_read_or_refused(pieces: list[str]) -> None:
    survives("words", ("(;GM[6]" + "".join(pieces) + ")").encode())


# -- files worth keeping -----------------------------------------------------------------------------------------------


KEPT = [path for path in sorted(CORPUS.iterdir()) if path.suffix in (".xg", ".sgf")]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept_file_is_refused_or_read_as_its_line_says(path: Path) -> None:
    lines = (CORPUS / "README.md").read_text("utf-8").splitlines()
    (verdict,) = [line.split("|")[2].strip() for line in lines if line.startswith(f"| `{path.name}` ")]
    assert survives(path.name, path.read_bytes()) == (verdict == "read")


def test_every_line_of_the_corpus_has_its_file() -> None:
    lines = (CORPUS / "README.md").read_text("utf-8").splitlines()
    assert [line.split("`")[1] for line in lines if line.startswith("| `")] == [path.name for path in KEPT]
    assert all(path.stat().st_size < 50_000 for path in KEPT)
