"""A page for all tests that do not end it, as a process of its own and within this one."""

import pytest

from tests.support.served import Within, served

pytest.importorskip("uvicorn", reason="uvicorn is not installed (extra `serve`)")
pytest.importorskip("starlette", reason="Starlette is not installed (extra `serve`)")
pytest.importorskip("python_multipart", reason="python-multipart is not installed (extra `serve`)")


@pytest.fixture(scope="session")
def page():
    with served() as running:
        yield running


@pytest.fixture(scope="module")
def within():
    page = Within()
    yield page
    page.close()
