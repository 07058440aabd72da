"""The JSON documents against their schemas: strict, complete, and null where a figure is
unknown."""

import json
import re

import jsonschema_rs
import pytest

from reconcile.cli.schemas import DOCUMENTS as KINDS
from reconcile.cli.schemas import schema_of
from reconcile.document import document as as_document
from reconcile.document import dumps
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.comparison import compare
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate
from reconcile.infer.reported import EXPLORED
from reconcile.match.columns import Kind
from reconcile.match.names import load_aliases
from reconcile.results.comparison import comparison_document
from reconcile.results.statistics import pool_document, statistics_document
from reconcile.scoring.figures import METRICS, SHORT, Form
from reconcile.scoring.findings import SEVERITIES
from reconcile.scoring.pool import pool
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.schemas import faults as faults_of

PACK = bundled("reference_matches")
MATCHES = sorted(PACK.glob("*/*.sgf")) + sorted(PACK.glob("*/*.xg"))
DEMONSTRATION = PACK / "demonstration" / "nora-lindqvist-tomas-beck"


def faults(name, document):
    """What a schema says against a document as it is printed."""
    return faults_of(name, json.loads(dumps(document)))


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
    for shape in some(shapes(described)):
        assert set(shape.get("required", [])) <= set(shape["properties"])
        is_open = [*shape["properties"]] == ["total"]  # lines of a benchmark by their letter
        assert is_open or shape["additionalProperties"] is False
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


def test_comparison_and_judged_pack_fit_and_none_of_their_keys_but_three_may_lack():
    assert faults("validation", validate(PACK, load_tolerances())) == []
    left, right = (load_match(f"{DEMONSTRATION}{ending}") for ending in (".xg", ".sgf"))
    document = json.loads(dumps(comparison_document(compare(left, right))))
    needed = schema_of("comparison")["required"]
    assert document.keys() - needed == {"bridge", "ledger", "decisions"}
    assert faults_of("comparison", {key: document[key] for key in needed}) == []
    assert faults_of("comparison", document) == []


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
