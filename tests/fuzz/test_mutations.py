"""Damaged bytes: whatever a file has become, reading and scoring it ends in figures or in a
`ReconcileError`.

Files of `tests/damaged/` are broken ones that were worth keeping; its README says what is wrong
with each. Damage is drawn from seeds, so that a failure names the bytes it happened with. `python
-m tests.fuzz.mutate` does the same at length, and holds a clock to it.
"""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reconcile.formats import read_match
from tests.fuzz.against_gnubg import counted, loaded
from tests.fuzz.formats import DAMAGED, formats, verdicts
from tests.fuzz.judge import commands_of, refused, refused_by
from tests.fuzz.mutate import Tried, tried
from tests.support.claims import some
from tests.support.examples import examples
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first

FORMATS = {kind.name: kind for kind in formats()}
QUICK = ("sgf", "xg", "xg records", "bgf object", "mat", "gnubg text", "pasted", "rules", "met")
"""What neither makes an archive, a pack or a run of the suite first, nor starts a process."""
EACH = long_but_first([*QUICK, *(name for name in FORMATS if name not in QUICK)], len(QUICK))
NEVER_READ = ("xg", "bgf", "bgf values")
"""Nearly every changed container is refused by its checksums, or where a length is another."""
SELDOM_REFUSED = ("pasted",)
"""Nearly any damage leaves some of the figures of a text."""


@pytest.mark.parametrize("name", long_but_first(EACH, 3, 10))
@settings(max_examples=examples(15))
@given(content=st.binary(max_size=400), place=st.integers(0, 5))
@example(content=b"7 point match\nGame 1\nA : 0  B : 0\n", place=0)
@example(content=b"7 point match\nGame 1\nA : 0  B : 0\n1) 11:\n1)  Wins 99 points", place=0)
@example(
    content=b"0 point match\nGame 1\nA : 0  B : 0\n 1)  Doubles => 999999  Beavers => 0", place=0
)
def test_any_bytes_alone_or_among_the_lines_of_a_sound_file_are_read_or_refused(
    name, content, place
):
    kind = FORMATS[name]
    seed = kind.seeds()[0]
    lines = kind.open(seed).splitlines(keepends=True)
    refused(kind, content, seed)
    refused(kind, kind.wrap(seed, b"".join([*lines[:place], content, *lines[place:]])), seed)


@pytest.mark.parametrize("name", EACH)
def test_first_damaged_files_are_read_or_refused(name):
    result = Tried()
    for number in range(1, 4):
        tried(FORMATS[name], number, result, timed=False)
    assert result.bugs == []


@pytest.mark.long
@pytest.mark.parametrize("name", FORMATS)
def test_sound_files_are_read_and_damage_leaves_some_that_are(name):
    kind, result = FORMATS[name], Tried()
    for seed in some(kind.seeds()[:8]):
        assert not refused(kind, kind.wrap(seed, kind.open(seed)), seed, commands_of(kind)[0])
    for number in range(12):
        tried(kind, number, result, timed=False)
    assert result.bugs == []
    assert name in SELDOM_REFUSED or result.counts["refused"] > 0
    assert name in NEVER_READ or result.counts["read"] > 0


@pytest.mark.long
@needs_gnubg
def test_gnubg_counts_damaged_files_as_we_do_or_a_finding_names_them():
    outcomes = Counter(counted(match)[0] for _, match in islice(loaded(0), 10))
    assert outcomes["other"] == 0
    assert outcomes["equal"] >= 5


# -- files worth keeping --


KEPT = {path.name: path for path in sorted(DAMAGED.iterdir()) if path.name != "README.md"}
COUNTED = [
    name for name, verdict in verdicts().items() if verdict == "read" and name.endswith(".sgf")
]


@pytest.mark.parametrize("name", KEPT)
def test_kept_file_is_refused_or_read_as_its_line_states(name):
    assert refused_by(["stats", str(KEPT[name])]) == (verdicts()[name] == "refused")


@needs_gnubg
@pytest.mark.parametrize("name", long_but_first(COUNTED, 2, 8))
def test_gnubg_counts_a_kept_file_as_we_do_or_a_finding_names_it(name):
    outcome, why = counted(read_match(name, KEPT[name].read_bytes()))
    assert outcome in ("equal", "noted", "not analysed"), why


def test_every_line_of_the_corpus_has_its_file():
    assert list(verdicts()) == list(KEPT)
    assert all(path.stat().st_size < 50_000 for path in KEPT.values())
