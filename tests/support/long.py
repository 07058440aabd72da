"""Parameters of a test of which the first few run every time, others where `pytest -m long` asks
for them, and the rest for `.ci/fresh`."""

import pytest

PARAMETER = type(pytest.param())


def long_but_first(parameters, count=1, most=None):
    """The parameters in their order, those behind the first `count` marked as long, and behind the
    first `most` as exhaustive.

    A tuple holds the values of several names.
    """
    marked = []
    for number, parameter in enumerate(parameters):
        values = parameter if isinstance(parameter, tuple) else (parameter,)
        own = parameter if isinstance(parameter, PARAMETER) else pytest.param(*values)
        mark = pytest.mark.long if most is None or number < most else pytest.mark.exhaustive
        marks = (*own.marks, *[mark][: number >= count])
        marked.append(pytest.param(*own.values, marks=marks, id=own.id))
    return marked
