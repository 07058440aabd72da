"""Parameters of a test of which the first few run every time, others where `pytest -m long` asks
for them, and the rest for `.ci/fresh`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def long_but_first(parameters: Iterable[Any], count: int = 1, most: int | None = None) -> list[Any]:
    """The parameters in their order, those behind the first `count` marked as long, and behind the
    first `most` as exhaustive.

    A tuple holds the values of several names.
    """
    parameters_in_order = [_parameter(parameter) for parameter in parameters]
    most = len(parameters_in_order) if most is None else most
    return (
        parameters_in_order[:count]
        + _marked(parameters_in_order[count:most], pytest.mark.long)
        + _marked(parameters_in_order[most:], pytest.mark.exhaustive)
    )


def _marked(parameters: list[Any], mark: pytest.MarkDecorator) -> list[Any]:
    return [
        pytest.param(*parameter.values, marks=(*parameter.marks, mark), id=parameter.id)
        for parameter in parameters
    ]


def _parameter(parameter: Any) -> Any:
    if isinstance(parameter, type(pytest.param())):
        return parameter
    return pytest.param(*parameter) if isinstance(parameter, tuple) else pytest.param(parameter)
