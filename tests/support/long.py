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
    made = [_parameter(one) for one in parameters]
    most = len(made) if most is None else most
    return (
        made[:count]
        + _marked(made[count:most], pytest.mark.long)
        + _marked(made[most:], pytest.mark.exhaustive)
    )


def _marked(parameters: list[Any], mark: pytest.MarkDecorator) -> list[Any]:
    return [pytest.param(*one.values, marks=(*one.marks, mark), id=one.id) for one in parameters]


def _parameter(one: Any) -> Any:
    if isinstance(one, type(pytest.param())):
        return one
    return pytest.param(*one) if isinstance(one, tuple) else pytest.param(one)
