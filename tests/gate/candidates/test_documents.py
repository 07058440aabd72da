"""No document and no program is silently green: each is told where it stands, in every output."""

import shutil

import pytest

from reconcile.errors import ReconcileError
from reconcile.report.forms import in_form
from tests.gate.candidates.documents import ACCENTS, COMMANDS, DOCUMENTS, command_of
from tests.gate.candidates.judging import validate
from tests.gate.candidates.samples import RICH, ZERO_PLY, file_of, loaded, make_pack, own, written
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
    make_pack(folder / "pack", {ACCENTS: {"gnubg": accents}})
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


def ended(pack, **program):
    """The exit codes without and with `strict`, the headline, and all text."""
    try:
        result = validate(pack, command_timeout=1, **program)
    except ReconcileError as error:
        return (2, 2), str(error), str(error)
    text = in_form(result, "text")
    text += "".join(f"\n{name}: {reason}" for name, reason in result.failed)
    return (result.exit_code(), result.exit_code(strict=True)), text.partition("\n")[0], text


EXITS = {
    "right": ((0, 0), (0, 0)),
    "outside": ((1, 1), (1, 1)),
    "missing": ((1, 1), (0, 1)),
    "incomparable": ((1, 1), (0, 1)),
    "failed": ((2, 2), (2, 2)),
}
"""Exit codes, also with `strict`, where the pack declares the figures, and where it does not."""
SAID = {"missing": ("missing", "incomparable"), "incomparable": ("incomparable",)}
"""Words of the headline, one of them."""


def check(ends, words, declared, pack, program):
    for folder, exits in zip((declared, pack), EXITS[ends], strict=True):
        codes, headline, text = ended(folder, **program)
        # With no figure at all there is nothing to judge.
        assert codes == exits or (codes == (2, 2) and "no candidate figure" in headline)
        assert words in text
        if codes != (2, 2):
            assert any(word in headline for word in SAID.get(ends, ("",)))


@pytest.mark.parametrize("name", long_but_first(DOCUMENTS, 6))
def test_no_document_is_silently_green(name, pack, declared, figures, tmp_path):
    make, ends, words = DOCUMENTS[name]
    path = written(tmp_path / "a.txt", make(figures))
    check(ends, words, declared, pack, {"candidates": [path]})


@pytest.mark.parametrize("name", long_but_first(COMMANDS, 3))
def test_no_program_is_silently_green(name, pack, declared, figures, tmp_path):
    script, ends, words = COMMANDS[name]
    check(ends, words, declared, pack, {"command": command_of(script, figures, tmp_path)})
