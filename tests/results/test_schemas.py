"""The JSON documents against their schemas: strict, complete, and null where a figure is
unknown."""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from reconcile.cli.schemas import DOCUMENTS as KINDS
from reconcile.cli.schemas import schema_of
from reconcile.document import document as as_document
from reconcile.document import dumps
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.review import review
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import EXPLORED
from reconcile.match.aliases import load_aliases
from reconcile.match.columns import Kind
from reconcile.results.comparison import comparison_document, review_document
from reconcile.results.statistics import pool_document, statistics_document
from reconcile.scoring.figures import METRICS, SHORT, Form
from reconcile.scoring.findings import SEVERITIES
from reconcile.scoring.pool import pool
from reconcile.scoring.statistics import statistics
from tests.support.long import long_but_first
from tests.support.schemas import faults as faults_of
from tests.support.schemas import validator

PACK = bundled("reference_matches")
MATCHES = sorted(PACK.glob("*/*.sgf")) + sorted(PACK.glob("*/*.xg"))
DEMONSTRATION = PACK / "demonstration" / "nora-lindqvist-tomas-beck"


def faults(name, document):
    """What a schema says against a document as it is printed."""
    return faults_of(name, json.loads(dumps(document)))


@cache
def compared():
    comparison = compare(load_match(f"{DEMONSTRATION}.xg"), load_match(f"{DEMONSTRATION}.sgf"))
    return json.loads(dumps(comparison_document(comparison)))


@cache
def investigated():
    return json.loads(dumps(investigate(load_match(f"{DEMONSTRATION}.xg"), "nora", {"pr": "7.09"})))


@cache
def validated():
    document = json.loads(dumps(validate(PACK, load_tolerances())))
    assert faults_of("validation", document) == []
    # A match with a pair and one with reported figures, so that every kind of object is met early.
    document["matches"] = [
        match for match in document["matches"] if match["pairs"] or match["reported"]
    ][:2]
    return document


def shapes(schema):
    """Every subschema that describes an object of named properties."""
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for value in schema.values():
            yield from shapes(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from shapes(value)


@pytest.mark.parametrize("name", KINDS)
def test_schema_is_one_that_describes_every_property_and_needs_no_other_file(name):
    described = schema_of(name)
    jsonschema_rs.meta.validate(described)
    assert described["$schema"].endswith("2020-12/schema")
    assert described["$id"] == f"urn:x-reconcile:schema:{name}:1"
    named = set(re.findall(r'"\$ref": "([^"]*)"', json.dumps(described)))
    assert named == {f"#/$defs/{key}" for key in described.get("$defs", {})}
    result = list(shapes(described))
    assert any(shape.get("required") for shape in result)
    for shape in result:
        assert set(shape.get("required", [])) <= set(shape["properties"])
        for key, value in shape["properties"].items():
            assert value.get("description") or "$ref" in value, key


def test_metrics_kinds_and_severities_are_those_of_the_program():
    named = schema_of("comparison")["$defs"]["bridge"]["properties"]["metric"]["enum"]
    assert named == [SHORT.get(name, name) for name in METRICS]
    explored = schema_of("investigation")
    assert explored["properties"]["reported"]["propertyNames"]["enum"] == named
    figures = explored["$defs"]["explored_figures"]
    assert figures["required"] == list(figures["properties"]) == list(EXPLORED)

    assert schema_of("comparison")["$defs"]["row"]["properties"]["kind"]["enum"] == [
        kind.label for kind in Kind
    ]
    assert schema_of("statistics")["$defs"]["finding"]["properties"]["severity"]["enum"] == list(
        SEVERITIES
    )


@pytest.mark.parametrize("rules", ["xg", "gnubg"])
@pytest.mark.parametrize("path", MATCHES, ids=lambda path: path.name)
def test_statistics_of_bundled_matches_fit(path, rules):
    scored = statistics(load_match(path), rules)
    assert faults("statistics", statistics_document(scored)) == []
    assert faults("statistics", statistics_document(scored, per_game=True)) == []


def test_list_and_pool_of_statistics_fit_and_a_list_of_one_does_not():
    scored = [statistics(load_match(path)) for path in MATCHES]
    each = statistics_document(scored[0])
    assert faults("statistics", [each, each]) == []
    assert faults("statistics", [each])
    assert faults("statistics", pool_document(pool(scored, load_aliases(None)))) == []
    assert faults("statistics", pool_document(pool(scored[:1], load_aliases(None)))) == []


def test_investigation_of_the_demonstration_fits():
    """Figures that no rules give."""
    none = investigate(load_match(f"{DEMONSTRATION}.xg"), "nora", {"pr": "99.9"})
    assert faults("investigation", none) == []


@cache
def several():
    files = [load_match(f"{DEMONSTRATION}{ending}") for ending in (".xg", ".sgf", ".xg")]
    return json.loads(dumps(review_document(review(*files))))


DOCUMENTS: list[tuple[str, Callable[[], Any]]] = [
    ("statistics", lambda: statistics_document(statistics(load_match(MATCHES[0])), per_game=True)),
    ("comparison", compared),
    ("many", several),
    ("investigation", investigated),
    ("validation", validated),
]


def objects(value):
    if isinstance(value, dict):
        yield value
        for part in value.values():
            yield from objects(part)
    elif isinstance(value, list):
        for part in value:
            yield from objects(part)


def shortened(value):
    """A document with the first two entries of every list, so that it can be judged again and
    again."""
    if isinstance(value, dict):
        return {key: shortened(part) for key, part in value.items()}
    return [shortened(part) for part in value[:2]] if isinstance(value, list) else value


GNUBG_TABLES = {
    "total-moves", "total-cube", "luck-cost", "verybad", "very bad", "chequer", "actual",
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "make"), long_but_first(DOCUMENTS), ids=[name for name, _ in DOCUMENTS]
)
def test_unknown_key_breaks_the_schema_wherever_it_stands(name, make):
    document = shortened(json.loads(dumps(make())))
    count = 0
    for part in objects(document):
        # gnuBG's own tables are open, their names are gnuBG's; of reported figures any is a key.
        if GNUBG_TABLES & set(part) or (name == "investigation" and set(part) == {"pr"}):
            continue
        part["surprise"] = 1
        assert not validator(name).is_valid(document), list(part)
        del part["surprise"]
        count += 1
    assert validator(name).is_valid(document)
    assert count > 8


NEW = ("errors", "explanation", "unjudged", "diagnosis", "decision_lists", "decisions", "missing")
"""Keys that results of versions 0.1 and 0.2, or pairs of several analyses, lack."""


@pytest.mark.parametrize(("name", "make"), DOCUMENTS, ids=[name for name, _ in DOCUMENTS])
def test_missing_key_breaks_the_schema_at_the_top(name, make):
    document = json.loads(dumps(make()))
    assert faults_of(name, document) == []
    document = shortened(document)
    keys = [key for key in document if key not in ("bridge", "ledger", *NEW)]
    assert keys
    for key in keys:
        part = {other: value for other, value in document.items() if other != key}
        assert not validator(name).is_valid(part), key


def test_figures_of_an_unanalysed_match_are_null_and_never_zero(data):
    computed = statistics(load_match(data / "gnubg" / "m14_5pt_unanalysed.sgf"), "xg")
    document = as_document(statistics_document(computed, per_game=True))
    assert faults("statistics", document) == []
    rates = [name for name, metric in METRICS.items() if metric.form is Form.RATE]
    for player in document["players"]:
        for block in (player, *player["games"]):
            values = [block[name] for name in rates] + [*block["luck"].values()]
            values += [block[group]["total"] for group in ("equity_error", "mwc_loss_percent")]
            assert set(values) == {None}
            assert block["completeness"]["checker"]["analysed"] == 0
        for group in ("equity_error", "mwc_loss_percent"):
            assert set(player[group].values()) == {None}
