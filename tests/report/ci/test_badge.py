"""The badge as shields.io reads it."""

import jsonschema_rs
import pytest

from reconcile.gate.validate import validate
from reconcile.report.ci import badge
from tests.support.command_line import CUBE_RICH, json_in, run
from tests.support.packs import falsified
from tests.support.schemas import faults

COLOURS = ["brightgreen", "green", "yellow", "yellowgreen", "orange", "red", "blue", "lightgrey"]
TEXTS = ["label", "labelColor", "namedLogo", "logoSvg", "logoColor", "logoSize", "style"]
SHIELDS = {
    "type": "object",
    "required": ["schemaVersion", "label", "message"],
    "properties": {
        "schemaVersion": {"const": 1},
        "message": {"type": "string", "minLength": 1},
        "color": {"enum": COLOURS},
        "isError": {"type": "boolean"},
        **{key: {"type": "string"} for key in TEXTS},
        "cacheSeconds": {"type": "integer"},
    },
    "additionalProperties": False,
}
"""The shape that shields.io documents for its endpoint badge."""


@pytest.mark.parametrize(
    ("printed", "color", "start"),
    [
        ({}, "green", "36 of 36 within tolerance, 2 not judged"),
        ({"error_rate_memg": "92.8927"}, "red", "1 of 36 out of tolerance, 2 not judged"),
    ],
)
def test_badge_is_as_shields_reads_it(tmp_path, printed, color, start):
    run("validate", falsified(tmp_path / "pack", "charlot", **printed), "--badge", "badge.json")
    document = json_in("badge.json")
    assert faults("badge", document) == []
    jsonschema_rs.validate(SHIELDS, document)
    assert (document["color"], document["message"]) == (color, start)
    assert document["isError"] == (color == "red")


def test_badge_is_bright_only_where_nothing_is_left_out():
    assert badge(validate(CUBE_RICH)).color == "brightgreen"
