"""One page for all tests that do not end it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.served import Served, served

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `serve`)")
pytest.importorskip("starlette", reason="Starlette is not installed (extra `serve`)")
pytest.importorskip("python_multipart", reason="python-multipart is not installed (extra `serve`)")


@pytest.fixture(scope="session")
def page() -> Iterator[Served]:
    with served() as running:
        yield running
