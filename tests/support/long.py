"""Parameters of a test of which the first few run every time, and the others where `pytest -m long` asks for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def long_but_first(parameters: Iterable[Any], count: int = 1) -> list[Any]:
    """The parameters in their order, those behind the first `count` marked; a tuple holds the values of several names."""
    made = [_parameter(one) for one in parameters]
    return made[:count] + [pytest.param(*one.values, marks=(*one.marks, pytest.mark.long), id=one.id) for one in made[count:]]


def _parameter(one: Any) -> Any:
    if isinstance(one, type(pytest.param())):
        return one
    return pytest.param(*one) if isinstance(one, tuple) else pytest.param(one)
