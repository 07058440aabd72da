"""OGXM on the command line: a document of several analyses is several sides, and one that cannot be
read is one line."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from reconcile.formats.ogxm import model as codec
from tests.support.command_line import json_of, refused
from tests.support.long import long_but_first
from tests.support.ogxm import analyses, encode, needs_ogxm, small

pytestmark = [pytest.mark.usefixtures("elsewhere"), needs_ogxm]


@pytest.mark.parametrize("count", long_but_first([2, 3]))
def test_analyses_of_a_document_are_sides(count):
    Path("all.ogxm").write_bytes(encode(analyses(count)))
    addresses = [f"all.ogxm#{number}" for number in range(1, count + 1)]
    result, sides = (
        json_of("compare", *files, "--json", "-") for files in (["all.ogxm"], addresses)
    )
    assert result == sides
    paths = [side["path"] for side in result.get("sides") or (result["left"], result["right"])]
    assert paths == addresses
    words = f"all.ogxm: expected the number of one of its {count} analyses, as all.ogxm#1"
    assert words in refused("stats", "all.ogxm")


def test_damaged_document_is_one_line():
    Path("cut.ogxm").write_bytes(encode(small())[:-100])
    for line in ("stats cut.ogxm", "compare cut.ogxm x.sgf", "convert cut.ogxm"):
        assert "OGXM document: damaged, " in refused(*line.split())


def test_without_the_package_the_line_says_how_to_get_it(monkeypatch):
    def missing(_name):
        raise PackageNotFoundError

    Path("small.ogxm").write_bytes(encode(small(match_length=7)))
    monkeypatch.setattr(codec, "version", missing)
    assert "pip install 'gammon-reconcile[ogxm]'" in refused("stats", "small.ogxm")
