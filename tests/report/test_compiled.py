"""Templates that are compiled once: what is kept, and when it is not used."""

from __future__ import annotations

import sys
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from reconcile.files.kept import made_by_all, made_of
from reconcile.report.html.compiled import Compiled


@pytest.fixture(autouse=True)
def _bytecode_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)


def rendered(folder: Path, *, escaping: bool = False) -> tuple[str, int]:
    """The page of `page.html.j2` in a new environment, and how many templates were compiled for it."""
    compiled = []

    class Counting(Environment):
        def _generate(self, *arguments: object, **named: object) -> str:
            compiled.append(arguments)
            return super()._generate(*arguments, **named)  # type: ignore[arg-type]

    environment = Counting(loader=FileSystemLoader(folder), autoescape=escaping)
    environment.bytecode_cache = Compiled(environment)
    return environment.get_template("page.html.j2").render(name="<Ada>"), len(compiled)


def test_template_is_compiled_once_and_again_after_a_change(tmp_path: Path) -> None:
    template = tmp_path / "page.html.j2"
    template.write_text("one {{ name }}", "utf-8")
    assert rendered(tmp_path) == ("one <Ada>", 1)
    assert rendered(tmp_path) == ("one <Ada>", 0)
    template.write_text("two {{ name }}", "utf-8")
    assert rendered(tmp_path) == ("two <Ada>", 1)
    assert rendered(tmp_path, escaping=True) == ("two &lt;Ada&gt;", 1)
    assert rendered(tmp_path, escaping=True) == ("two &lt;Ada&gt;", 0)


@pytest.mark.parametrize("end", [0, 70, -1], ids=["empty", "without code", "cut"])
def test_damaged_bytecode_is_made_again(tmp_path: Path, end: int) -> None:
    (tmp_path / "page.html.j2").write_text("{{ name }}", "utf-8")
    rendered(tmp_path)
    kept = Path(cache_from_source(str(tmp_path / "page.html.j2")))
    kept.write_bytes(kept.read_bytes()[:end])
    assert rendered(tmp_path) == ("<Ada>", 1)
    assert rendered(tmp_path) == ("<Ada>", 0)


def test_bytecode_is_not_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.html.j2").write_text("{{ name }}", "utf-8")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert rendered(tmp_path) == ("<Ada>", 1)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / "__pycache__").write_text("a file where the folder would be", "utf-8")
    assert rendered(tmp_path) == ("<Ada>", 1)
    assert rendered(tmp_path) == ("<Ada>", 1)


def test_what_is_made_of_a_file_is_made_once_and_again_after_a_change(tmp_path: Path) -> None:
    made = []

    def make(path: Path) -> list[str]:
        made.append(path)
        return path.read_text("utf-8").split()

    source = tmp_path / "words.txt"
    source.write_text("one two", "utf-8")
    assert [made_of(source, make) for _ in range(2)] == [["one", "two"]] * 2
    assert len(made) == 1
    source.write_text("one three", "utf-8")
    assert (made_of(source, make), len(made)) == (["one", "three"], 2)
    Path(cache_from_source(str(source))).write_bytes(b"damaged")
    assert (made_of(source, make), len(made)) == (["one", "three"], 3)


def test_what_the_program_makes_of_itself_is_kept_where_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = iter(range(9))
    made = [
        made_by_all(tmp_path / "numbers.of", lambda: next(numbers), needs=needs)
        for needs in ("one", "one", "two")
    ]
    assert made == [0, 0, 1]
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert [
        made_by_all(tmp_path / "numbers.of", lambda: next(numbers), needs=needs)
        for needs in ("two", "three")
    ] == [1, None]
