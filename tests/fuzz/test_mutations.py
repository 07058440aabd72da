"""Damaged bytes: whatever a file has become, reading and scoring it ends in figures or in a
`ReconcileError`.

Files of `tests/damaged/` are broken ones that were worth keeping; its README says what is wrong
with each. Damage is drawn from seeds, so that a failure names the bytes it happened with. `python
-m tests.fuzz.mutate` does the same at length, and holds a clock to it.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reconcile.errors import ReconcileError
from reconcile.formats import read_match
from reconcile.formats.xg import records as at
from tests.fuzz.against_gnubg import counted, sample
from tests.fuzz.damage import mutated
from tests.fuzz.formats import THOROUGH, Format, everything, records, resealed, score_match
from tests.fuzz.mutate import Tried, shares, tried
from tests.fuzz.seeds import DAMAGED, verdicts
from tests.support.claims import done_or_refused, some
from tests.support.examples import examples
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first
from tests.support.small_files import CONTENT as XG
from tests.support.small_files import USUAL as SGF
from tests.support.xg_tampering import records_of, sealed

FORMATS = list(everything())
ASKED = ("command", "request", "analysed")
READERS = [kind for kind in FORMATS if not kind.name.startswith(ASKED)]
"""What reads every sound file; a command or a page may have nothing to say of one."""
COSTLY = ("ogxm", "result", "candidates", "suite")
"""Documents of OGXM go through a process of the codec each; results and figures are made of whole
packs before they are damaged."""
EACH = [
    pytest.param(
        kind,
        marks=[pytest.mark.long] * (kind.name in COSTLY or kind.name.startswith("command")),
        id=kind.name,
    )
    for kind in FORMATS
]
INPUTS = 150
"""Of all formats together."""
FEWEST = 12
NEVER_READ = ("xg", "bgf")
"""Nearly every changed container is refused by its checksums, or by that of gzip."""
SELDOM_REFUSED = ("pasted",)
"""Nearly any damage leaves some of the figures of a text."""


def survives(name: str, content: bytes) -> bool:
    """Whether the bytes were read; nothing but `ReconcileError` may leave the reader or the
    statistics."""
    try:
        score_match(content, True, name)
    except ReconcileError as error:
        message = str(error)
    else:
        message = ""
    assert "\n" not in message
    assert len(message) < 1000
    return not message


def rewritten(content: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """A file of the writer whose records were changed under true sizes and checksums: damage the
    container cannot notice."""
    return resealed(content, change(records(content)))


# -- sound files, damaged --


@pytest.mark.parametrize("kind", long_but_first(READERS, 2), ids=lambda kind: kind.name)
def test_sound_files_are_read(kind: Format) -> None:
    assert kind.seeds()
    for number, seed in enumerate(kind.seeds()):
        kind.read(kind.wrap(seed, kind.open(seed)), number % THOROUGH == 0)
        assert not kind.refuses(seed)


@pytest.mark.parametrize("kind", EACH)
def test_first_damaged_files_are_read_or_refused(kind: Format) -> None:
    result = Tried()
    for number in range(1, 4):
        tried(kind, number, result, timed=False)
    assert result.bugs == []


@pytest.mark.parametrize("kind", EACH)
@settings(max_examples=examples(15))
@given(content=st.binary(max_size=400), place=st.integers(0, 5))
@example(content=b"7 point match\nGame 1\nA : 0  B : 0\n", place=0)
@example(content=b"7 point match\nGame 1\nA : 0  B : 0\n1) 11:\n1)  Wins 99 points", place=0)
@example(
    content=b"0 point match\nGame 1\nA : 0  B : 0\n 1)  Doubles => 999999  Beavers => 0", place=0
)
def test_any_bytes_alone_or_among_the_lines_of_a_sound_file_are_read_or_refused(
    kind: Format, content: bytes, place: int
) -> None:
    seed = kind.seeds()[0]
    lines = kind.open(seed).splitlines(keepends=True)
    inserted = kind.wrap(seed, b"".join([*lines[:place], content, *lines[place:]]))
    done_or_refused(lambda: kind.read(content, False))
    done_or_refused(lambda: kind.read(inserted, False))


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "inputs"),
    list(zip(FORMATS, shares(INPUTS, FORMATS), strict=True)),
    ids=lambda value: getattr(value, "name", ""),
)
def test_damaged_file_is_read_or_refused_within_limits(kind: Format, inputs: int) -> None:
    result = Tried()
    for number in range(max(inputs, FEWEST)):
        tried(kind, number, result, timed=False)
    assert result.bugs == []
    assert kind.name in SELDOM_REFUSED or kind not in READERS or result.counts["refused"] > 0
    assert kind.name in NEVER_READ or kind not in READERS or result.counts["read"] > 0


@pytest.mark.long
def test_same_number_makes_the_same_bytes() -> None:
    for kind in some(kind for kind in FORMATS if kind.name not in (*COSTLY, "blunderdb")):
        contents = [kind.mutation(number) for number in range(6)]
        assert kind.mutation(0) == contents[0]
        assert len(set(contents)) > 3


def test_what_crashes_hangs_or_is_believed_is_a_bug() -> None:
    """The measure itself: a reader that is wrong is found."""
    (sound,) = [kind for kind in FORMATS if kind.name == "xg"]

    def outcome(read: Callable[[bytes, bool], object]) -> list[str]:
        result = Tried()
        for number in range(5):
            tried(replace(sound, read=read), number, result, timed=False)
        return [why.partition(":")[0] for _, why in result.bugs]

    def crash(content: bytes, thorough: bool) -> None:
        raise ValueError("a bug")

    def two_lines(content: bytes, thorough: bool) -> None:
        raise ReconcileError("one line\nand another")

    for wrong in (crash, two_lines, lambda content, thorough: None):
        assert set(outcome(wrong)) == {"crashed"}


@pytest.mark.long
@needs_gnubg
def test_gnubg_counts_damaged_files_as_we_do_or_they_are_told_to_be_impossible() -> None:
    outcomes = Counter(value.outcome for value in sample(10, seed=0))
    assert outcomes["other"] == 0
    assert outcomes["equal"] >= 5


# -- small files, every byte of which matters --


@settings(max_examples=examples(100))
@given(st.integers(0, 2**32))
def test_mutated_small_sgf_is_read_or_refused(seed: int) -> None:
    survives(f"seed {seed}", mutated(SGF.encode(), seed))


@settings(max_examples=examples(50))
@given(st.integers(0, 2**32))
@example(seed=13869708)
@example(seed=1184340)
def test_mutated_small_records_are_read_or_refused(seed: int) -> None:
    survives(f"seed {seed}", rewritten(XG, lambda blob: mutated(blob, seed)))


@settings(max_examples=examples(50))
@given(
    st.integers(0, 17),
    st.integers(0, at.RECORD_SIZE - 8),
    st.sampled_from(["i", "d", "f", "b"]),
    st.data(),
)
def test_any_number_anywhere_in_a_record_is_read_or_refused(
    row: int, offset: int, form: str, data: st.DataObject
) -> None:
    numbers: dict[str, st.SearchStrategy[int | float]] = {
        "i": st.integers(-(2**31), 2**31 - 1)
        | st.sampled_from([-1, 0, 1, 33, -(2**31), 2**31 - 1]),
        "d": st.floats(),
        "f": st.floats(width=32),
        "b": st.integers(-128, 127),
    }
    records = records_of(XG)
    struct.pack_into("<" + form, records[row % len(records)], offset, data.draw(numbers[form]))
    survives("one number", sealed(XG, records))


@settings(max_examples=examples(100))
@given(st.binary(max_size=300))
def test_any_bytes_behind_a_root_are_read_or_refused(tail: bytes) -> None:
    survives("any bytes", SGF.encode()[:-1] + tail + b")")


PIECES = st.sampled_from(
    [
        *[
            ";",
            "(",
            ")",
            "[",
            "]",
            "\\",
            "(;GM[6]",
            "MI[length:7][game:1]",
            "RU[Hypergammon1]",
            "RE[W+9R]",
            "W[31hefe]",
        ],
        *[
            "B[double]",
            "W[take]",
            "W[drop]",
            "B[double]W[double]",
            "W[66]",
            "PL[B]DI[31]",
            "A[0]",
            "DA[]",
            "LU[]",
        ],
        *["AE[a:y]", "AW[a:y]", "AB[a]", "CV[4096]", "CP[w]"],
        *("\n", "A[0][hefe E ver 3 .5 .5 .5 .5 .5 nan 2C 0 1 0 1]", "DA[X ver 3 NoDouble]"),
        "DA[E ver 3 2C 1 0 1 1 1 1 1 1 1 .6 1 1 1 1 1 1 .5]",
    ]
)


@settings(max_examples=examples(100))
@given(st.lists(PIECES, max_size=20))
def test_any_order_of_the_words_of_an_sgf_is_read_or_refused(pieces: list[str]) -> None:
    survives("words", ("(;GM[6]" + "".join(pieces) + ")").encode())


# -- files worth keeping --


KEPT = [path for path in sorted(DAMAGED.iterdir()) if path.name != "README.md"]


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_kept_file_is_refused_or_read_as_its_line_says(path: Path) -> None:
    assert survives(path.name, path.read_bytes()) == (verdicts()[path.name] == "read")


COUNTED = [path for path in KEPT if path.suffix == ".sgf" and verdicts()[path.name] == "read"]


@needs_gnubg
@pytest.mark.parametrize("path", long_but_first(COUNTED, 2, 8), ids=lambda path: path.name)
def test_gnubg_counts_a_kept_file_as_we_do_or_it_is_told_to_be_impossible(path: Path) -> None:
    outcome = counted(0, read_match(path.name, path.read_bytes()))
    assert outcome.outcome in ("equal", "told", "not analysed"), outcome.why


def test_every_line_of_the_corpus_has_its_file() -> None:
    assert list(verdicts()) == [path.name for path in KEPT]
    assert all(path.stat().st_size < 50_000 for path in KEPT)
