"""No document and no program is silently green: each is told where it stands, whether the pack
declares what a program gives or not."""

import shlex
import shutil
import sys

import pytest

from reconcile.errors import ReconcileError
from reconcile.report.forms import in_form
from tests.gate.candidates.samples import (
    RICH,
    ZERO_PLY,
    file_of,
    loaded,
    make_pack,
    of_matches,
    own,
    validate,
    written,
)
from tests.support.long import long_but_first
from tests.support.packs import pack_of

GIVEN = ("pr", "decisions.counted", "equity_error.total")


@pytest.fixture(scope="module")
def pack(tmp_path_factory):
    """Three matches, one of players whose names have accents."""
    folder = tmp_path_factory.mktemp("three")
    text = file_of(RICH).read_text("latin-1")
    accents = folder / "accents.sgf"
    accents.write_text(text.replace("Ann", "Kévin").replace("Ben", "Søren"), "utf-8")
    make_pack(folder / "pack", {"accents": {"gnubg": accents}})
    return pack_of(folder / "pack", ZERO_PLY.name, RICH.name)


@pytest.fixture(scope="module")
def declared(pack):
    copy = shutil.copytree(pack, pack.parent / "declared" / "pack")
    written(copy / "pack.yaml", {"schema_version": 1, "candidates": {"figures": list(GIVEN)}})
    return copy


@pytest.fixture(scope="module")
def figures(pack):
    """The right figures of all."""
    of = {}
    for folder in sorted(pack.iterdir()):
        path = file_of(folder)
        of[folder.name] = {
            name: own(path, seat, metrics=GIVEN) for seat, name in enumerate(loaded(path).players)
        }
    return of


LACKING = ("missing", "incomparable", "no candidate figure")


def ended(pack, program):
    """The exit codes without and with `strict`, and all text."""
    try:
        result = validate(pack, command_timeout=1, **program)
    except ReconcileError as error:
        return (2, 2), str(error)
    return (result.exit_code(), result.exit_code(strict=True)), in_form(result, "text")


def check(words, declared, pack, **program):
    """It is missing what it owes, which fails where that is declared, and the words are said; or
    without words it is right."""
    for folder, code in ((declared, 1), (pack, 0)):
        codes, text = ended(folder, program)
        headline = text.partition("\n")[0]
        # With no figure at all there is nothing to judge.
        assert codes == ((code, 1) if words else (0, 0)) or "no candidate figure" in headline
        assert words in text
        assert not words or any(word in headline for word in LACKING)


def misread(figures):
    """The figures of players whose names were written in UTF-8 and read as Latin-1."""
    return of_matches(
        {
            match: {name.encode().decode("latin-1"): own for name, own in both.items()}
            for match, both in figures.items()
        }
    )


def numbered(figures):
    """In one match players are numbers."""
    both = dict(zip("12", figures[RICH.name].values(), strict=True))
    return of_matches({**figures, RICH.name: both})


def twice(figures):
    """A match comes again with other figures."""
    both = {name: own | {"pr": own["pr"] + 0.001} for name, own in figures[RICH.name].items()}
    again = of_matches({RICH.name: both})["matches"]
    return of_matches(figures) | {"matches": [*of_matches(figures)["matches"], *again]}


def of_another_analysis(figures):
    """A match has an analysis of which there is no file."""
    document = of_matches(figures)
    document["matches"][0]["analysis"] = "xg"
    return document


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (of_matches, ""),
        (misread, "expected 'Kévin', found 'KÃ©vin': UTF-8 read as Latin-1"),
        (numbered, "expected 'Ann', 'Ben'"),
        (twice, "given twice"),
        (of_another_analysis, "no file of this match"),
    ],
)
def test_no_document_is_silently_green(make, words, pack, declared, figures, tmp_path):
    check(words, declared, pack, candidates=[written(tmp_path / "a.txt", make(figures))])


READS = "import json, sys; given = json.load(open(sys.argv[1])); match = sys.argv[2]\n"
PRINTS = "print(json.dumps({'schema_version': 1, 'matches': [{'players': given[match]}]}))\n"
COMMANDS = {
    "prints the match before": (
        "before = dict(zip(given, [None, *given]))[match] or match\n"
        "print(json.dumps({'schema_version': 1, 'matches': [{'match': before, 'players': "
        "dict(zip(given[match], given[before].values()))}]}))",
        "asked for",
    ),
    "prints figures of one match": (
        f"if match == {RICH.name!r}: given[match] = {{n: {{}} for n in given[match]}}\n{PRINTS}",
        RICH.name,
    ),
    "prints the same match for every match": (f"match = {ZERO_PLY.name!r}\n{PRINTS}", "Alice m04"),
    "prints two matches": (
        "print(json.dumps({'schema_version': 1, 'matches': "
        "[{'match': each, 'players': given[each]} for each in given]}))",
        "asked for",
    ),
}
"""By name, a program that has the right figures of a match, and words."""


@pytest.mark.parametrize("name", long_but_first(COMMANDS, 2))
def test_no_program_is_silently_green(name, pack, declared, figures, tmp_path):
    script, words = COMMANDS[name]
    program, given = written(tmp_path / "program.py", READS + script), tmp_path / "given.json"
    written(given, figures)
    line = f"{shlex.join([sys.executable, program, str(given)])} {{match}}"
    check(words, declared, pack, command=line)
