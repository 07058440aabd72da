"""OGXM on the command line: a document of several analyses is several sides, and one that cannot be
read is one line."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from reconcile.formats.ogxm import codec
from tests.support.command_line import ERROR, run, strict
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm, small

pytestmark = [pytest.mark.usefixtures("elsewhere"), needs_ogxm]


@pytest.mark.parametrize("count", long_but_first([2, 3]))
def test_analyses_of_a_document_are_sides(count):
    Path("all.ogxm").write_bytes(encode(analyses(count)))
    addresses = [f"all.ogxm#{number}" for number in range(1, count + 1)]
    document, sides = (run("compare", *files, "--json", "-") for files in (["all.ogxm"], addresses))
    assert document.stdout == sides.stdout
    result = strict(document.stdout)
    paths = [side["path"] for side in result.get("sides") or (result["left"], result["right"])]
    assert paths == addresses
    several = run("stats", "all.ogxm")
    assert several.exit_code == ERROR
    assert several.stderr.splitlines()[-1].startswith(
        f"reconcile: all.ogxm: expected the number of one of its {count} analyses, as all.ogxm#1"
    )


def test_damaged_document_is_one_line():
    Path("cut.ogxm").write_bytes(encode(small())[:-100])
    for command in (
        ("stats", "cut.ogxm"),
        ("compare", "cut.ogxm", "x.sgf"),
        ("convert", "cut.ogxm"),
    ):
        result = run(*command)
        assert result.exit_code == ERROR
        assert len(result.stderr.splitlines()) == 1
        assert "OGXM document: damaged, " in result.stderr


def test_without_the_package_the_line_says_how_to_get_it(monkeypatch):
    def missing(_name):
        raise PackageNotFoundError

    Path("small.ogxm").write_bytes(encode(small(match_length=7)))
    monkeypatch.setattr(codec, "version", missing)
    result = run("stats", "small.ogxm")
    assert result.exit_code == ERROR
    assert "pip install 'gammon-reconcile[ogxm]'" in result.stderr
