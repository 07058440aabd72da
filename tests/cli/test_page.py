"""`reconcile page` writes the one-file page and opens it, in a checkout."""

import pytest

from reconcile.cli import page as module
from tests.support.command_line import refused, run
from tests.support.data import PROJECT


@pytest.fixture
def opened(monkeypatch):
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    return addresses


def test_the_page_is_built_and_opened(opened, monkeypatch, tmp_path):
    class Done:
        returncode = 0

    built = []

    def build(words, **_):
        built.append(words)
        return Done

    monkeypatch.setattr("subprocess.run", build)
    monkeypatch.setattr(module, "CHECKOUT", PROJECT)
    target = tmp_path / "here.html"
    assert run("page", "-o", target).exit_code == 0
    assert built[0][1:] == ["-m", "web.build", "-o", str(target)]
    assert opened == [target.as_uri()]
    Done.returncode = 2
    assert run("page", "-o", target).exit_code == 2
    assert len(opened) == 1


def test_what_cannot_be_is_one_line(opened, monkeypatch, tmp_path):
    assert "expected a name ending in .html" in refused("page", "-o", "page.txt")
    monkeypatch.setattr(module, "CHECKOUT", tmp_path)
    assert "python -m web.build -o reconcile.html" in refused("page")
    assert opened == []
