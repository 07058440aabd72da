"""Compiled templates are cached in a folder of the user's own, and nowhere else."""

import pytest

from reconcile.report.html.render import environment

pytestmark = pytest.mark.usefixtures("_fresh")


@pytest.fixture
def _fresh():
    environment.cache_clear()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("RECONCILE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_compiled_templates_are_the_user_s_own(cache):
    environment().get_template("blocks.html.j2")
    (folder,) = cache.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [path for path in folder.iterdir() if "blocks" in path.read_bytes().decode("latin-1")]


@pytest.mark.parametrize("mode", [0o770, 0o702])
def test_folder_that_others_can_use_is_not_used(mode, cache):
    environment()
    (folder,) = cache.iterdir()
    folder.chmod(mode)
    environment.cache_clear()
    environment().get_template("blocks.html.j2")
    assert not list(folder.iterdir())


def test_nothing_is_cached_where_there_is_no_folder(cache):
    cache.write_text("a file")
    assert environment().get_template("blocks.html.j2").name == "blocks.html.j2"
