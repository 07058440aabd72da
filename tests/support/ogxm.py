"""The installed codec of OGXM, for tests that need it, and a small document made by hand; without
the package they are skipped."""

import copy
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

needs_ogxm = pytest.mark.skipif(
    find_spec("ogxm") is None, reason="ogxm is not installed (extra `ogxm`)"
)


def encode(document):
    """The codec's own bytes of a document."""
    import ogxm

    return ogxm.json_to_binary(document)


def small(**changed):
    """The small match of `ogxm.yaml`, with other values at the top."""
    text = Path(__file__).with_suffix(".yaml").read_text("utf-8")
    document = yaml.load(text, yaml.CSafeLoader)
    return {**document, **changed}


def analyses(number):
    """The small match with several analyses, whose best play is worth 0.01 less each time."""
    document = small()
    info = document.pop("analysis_info")
    document["analyses_info"] = [
        {**info, "analysis_id": f"364425c0-a074-82b7-9a25-2b2e8c152c{at:02}"}
        for at in range(number)
    ]
    for value in document["games"][0]["plies"]:
        if "analysis" in value:
            analysis = value.pop("analysis")
            value["analyses"] = [
                {**copy.deepcopy(analysis), "analysis_index": at} for at in range(number)
            ]
    for at, analysis in enumerate(document["games"][0]["plies"][0]["analyses"]):
        analysis["alternatives"][0]["equity"] -= 0.007732 * at
    return document
