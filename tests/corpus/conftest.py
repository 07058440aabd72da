"""Where the tests of a corpus take their matches from, and where questions are answered."""

import sys

import pytest

from reconcile.corpus import query
from reconcile.corpus.run import build
from reconcile.match.names import NO_ALIASES
from tests.support.archive import make_archive

ODD = "out [1]*? 'x'" if sys.platform != "win32" else "out [1] 'x'"
"""A folder whose name is a pattern and ends a text in SQL."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Commands answer in this process; claims about the process of a question start it by name."""
    # No test survives a power cut.
    monkeypatch.setattr("os.fsync", lambda _: None)

    def here(corpus, sql, _timeout, aliases, **asked):
        return query.ask(corpus, sql, aliases, **asked)

    monkeypatch.setattr(query, "ask_apart", here)


@pytest.fixture
def archive(tmp_path):
    """A folder of matches from two tools, one of them twice, and files that hold none."""
    return make_archive(tmp_path / "matches", 2)


@pytest.fixture(scope="session")
def matches_of_corpus(tmp_path_factory):
    """Such a folder, to be read only."""
    return make_archive(tmp_path_factory.mktemp("matches") / "m")


@pytest.fixture(scope="session")
def corpus(matches_of_corpus, tmp_path_factory):
    """Its tables, to be read only."""
    return build([str(matches_of_corpus)], tmp_path_factory.mktemp("out") / ODD, jobs=1)


@pytest.fixture(scope="session")
def database(corpus):
    """These tables opened once, for questions that one answer each."""
    with query.opened(corpus, NO_ALIASES) as database:
        yield database
