"""Object storage that is not there, or not ours, is one line within a bounded time."""

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("pyarrow.fs", reason="pyarrow has no file systems")

from reconcile.files import storage
from tests.support.command_line import refused
from tests.support.http_server import Server, body, status
from tests.support.object_storage import CREDENTIALS


@pytest.fixture(autouse=True)
def somebody(monkeypatch):
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setattr(storage, "ATTEMPTS", 1)
    monkeypatch.setitem(storage.LIMITS, "request_timeout", 0.3)
    storage._storage.cache_clear()


@pytest.mark.parametrize(
    "words",
    [
        ("corpus", "s3://bucket/in", "-o", "out"),
        ("corpus", ".", "-o", "s3://bucket/out", "--work", "work"),
    ],
)
def test_a_server_that_nobody_answers_for(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for endpoint in ("http://127.0.0.1:1", "http://nowhere.invalid", "nonsense"):
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        assert "check the address, AWS_ENDPOINT_URL and the credentials" in refused(*words)


def test_a_server_that_lets_nobody_in(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in CREDENTIALS:
        monkeypatch.delenv(name)
    server = Server(status(403))
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.root)
        assert "cannot be read: access_denied" in refused("corpus", "s3://bucket/in", "-o", "out")
    finally:
        server.close()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("corpus", "s3://", "-o", "out"), "found no bucket"),
        (("corpus", "s3:///x", "-o", "out"), "found no bucket"),
        (("corpus", ".", "-o", "s3://bucket/x"), "--work"),
        (("corpus", ".", "-o", "out", "--work", "work"), "--work"),
    ],
)
def test_an_incomplete_address_is_refused(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert message in refused(*words)


def test_an_answer_of_another_kind_of_server(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    server = Server(body(b"<html>hello</html>"))
    try:
        monkeypatch.setenv("AWS_ENDPOINT_URL", server.root)
        assert "expected the manifest of a corpus, found other content" in refused(
            "corpus-query", "s3://bucket/in", "select 1"
        )
    finally:
        server.close()
