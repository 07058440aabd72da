"""Documents as text: what Python's own writer gives, and a list of texts as one text."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as draw

from reconcile.document import dumps, in_list
from reconcile.match.columns import Kind
from tests.support.examples import examples

NUMBERS = draw.floats(allow_nan=False, allow_infinity=False).map(lambda number: number or 0.0)
LEAVES = draw.none() | draw.booleans() | draw.integers() | NUMBERS | draw.text()
DOCUMENTS = draw.recursive(
    LEAVES,
    lambda inner: (
        draw.lists(inner) | draw.dictionaries(draw.text(), inner) | draw.tuples(inner, inner)
    ),
    max_leaves=20,
)


def written(document):
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


@given(DOCUMENTS)
def test_text_is_that_of_python(document):
    assert dumps(document) == written(document)


@given(
    draw.lists(
        draw.dictionaries(
            draw.text(max_size=3), LEAVES | draw.lists(LEAVES, max_size=2), max_size=3
        ),
        min_size=1,
        max_size=4,
    )
)
@settings(max_examples=examples(40))
def test_several_texts_are_the_text_of_their_list_and_one_is_itself(documents):
    several = documents if len(documents) > 1 else documents[0]
    assert in_list([dumps(each) for each in documents]) == written(several)


def test_numbers_of_numpy_and_names_are_written_as_numbers():
    document = {"rate": np.float64(0.1), "kind": Kind.DOUBLE, "no": {"list": [], "tree": {}}}
    assert dumps(document) == written(document)


@pytest.mark.parametrize("zero", [-0.0, np.float64(-0.0)])
def test_zero_is_written_without_a_sign(zero):
    assert dumps([zero, {"change": zero}, -0.5]) == written([0.0, {"change": 0.0}, -0.5])


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), np.float64("nan"), {1, 2}, {"a": [object()]}]
)
def test_what_is_not_json_is_refused(value):
    with pytest.raises((ValueError, TypeError)):
        dumps(value)
