"""Every document in the sources of GammonView, read by us and by GammonView itself; and documents
with a key less, a key more or another value, of which none is read as if nothing was."""

import copy
import json
from unittest.mock import patch

import pytest

from benchmarks.peers import gammonview_sources, gammonview_totals
from reconcile.errors import ReconcileError
from reconcile.formats import load_analyses, ogxm
from reconcile.scoring.statistics import statistics
from tests.support.ogxm import needs_ogxm, small
from tests.support.tables import cases_of

pytestmark = needs_ogxm
NEAR = 0.01
DERIVED = cases_of(__file__, "other keys say the same")


@pytest.fixture(scope="module")
def sources():
    """The folder of the sources."""
    return gammonview_sources()


def documents(folder):
    """The documents in it."""
    return sorted(path for end in ("gva", "gvab", "ogxm") for path in folder.rglob(f"*.{end}"))


def counted_alike(match, seat, theirs):
    """Whether the figures rest on the same decisions."""
    rows = statistics(match, "gammonview").decisions().to_frame()
    return int((rows["counted"] & (rows["seat"] == seat)).sum()) == theirs["total_decisions"]


@pytest.mark.long
def test_every_document_of_the_sources_is_read_with_the_figures_of_gammonview(sources):
    paths = documents(sources)
    assert len(paths) > 30
    other = []
    for path, scopes in zip(paths, gammonview_totals(paths), strict=True):
        match = load_analyses([str(path)])[0]
        scored = statistics(match, "gammonview")
        for seat, (player, theirs) in enumerate(scopes[0].items()):
            rate = scored.figures(seat)["pr"]
            if rate is None or abs(rate - (theirs["pr"] or 0)) > NEAR:
                other.append(f"{path.name} {player}")
            else:
                assert counted_alike(match, seat, theirs)
    assert other == cases_of(__file__, "other figures than those of GammonView")


@pytest.mark.long
def test_every_document_that_gammonview_tests_with_is_read_or_refused_in_one_line(
    sources, tmp_path
):
    refused = {}
    for path in sorted(sources.rglob("fixtures/ogxm2/*-docs.json")):
        for name, document in json.loads(path.read_text("utf-8")).items():
            file = tmp_path / f"{name}.gva"
            file.write_text(json.dumps(document), "utf-8")
            try:
                load_analyses([str(file)])
            except ReconcileError as error:
                refused[name] = str(error)
    assert sorted(refused) == sorted(cases_of(__file__, "documents with no meaning here"))
    assert not any("\n" in line for line in refused.values())


def facts(document):
    """What is read of a document, or the line that refuses it."""
    with patch.object(ogxm, "document_of", lambda _content: document):
        try:
            match = ogxm.readers("case.ogxm", b"")[0]()
        except ReconcileError as error:
            return str(error)
    tables = [
        {name: repr(getattr(table, name)) for name in table.names()}
        for table in (match.games, match.plays, match.cubes, match.resignations)
    ]
    listed = [match.candidates(row) for row in range(len(match.plays))]
    kept = (match.players, match.length, match.rules, match.date, match.round, match.place)
    return tables, listed, kept, match.event, match.levels, match.notes, str(match.source.tool)


def objects(value, way=()):
    """Every object of a document, with its way."""
    if isinstance(value, dict):
        yield way, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(inner, dict | list):
            yield from objects(inner, (*way, key))


def other(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"{value}x"
    return value[:-1] if isinstance(value, list) else {}


def changed(document):
    """The document with each key gone, and with another value, by what was done."""
    for way, table in objects(document):
        for key in table:
            for word in ("without", "another"):
                one = copy.deepcopy(document)
                inner = one
                for step in way:
                    inner = inner[step]
                value = inner.pop(key)
                if word == "another":
                    inner[key] = other(value)
                yield f"{word} {key}", one


def rich():
    """The small document with what it does not have, as far as one document may have it all."""
    return small(
        event="Open", round=3, site="example.org", timestamp=1767534720, beavers=True, city="Oslo",
        white_score=1, black_score=1, cube_limit=64, white_score_start=1, jacoby=False,
    )  # fmt: skip


@pytest.mark.long
def test_no_key_is_dropped_or_changed_without_a_word():
    document = rich()
    usual = facts(document)
    silent = sorted({word for word, one in changed(document) if facts(one) == usual})
    assert silent == sorted(DERIVED)


def test_no_key_is_added_without_a_word():
    document = rich()
    for way, _ in objects(document):
        one = copy.deepcopy(document)
        table = one
        for step in way:
            table = table[step]
        table["another"] = 1
        if way[:1] != ("ogxm",):
            assert "the key 'another'" in facts(one)
