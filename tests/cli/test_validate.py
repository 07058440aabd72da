"""`reconcile validate`: the bundled pack passes, a falsified one fails, and pages are written for every match."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import Result

from tests.support.command_line import CUBE_RICH, ERROR, OUTSIDE, PACK, WITHIN, run, strict

pytestmark = pytest.mark.usefixtures("elsewhere")


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    """The bundled pack, which is the default, and the folder of its outputs."""
    folder = tmp_path_factory.mktemp("bundled")
    outputs = (f"--json={folder / 'pack.json'}", f"--markdown={folder / 'pack.md'}", f"--html={folder / 'pages'}")
    return run("validate", *outputs), folder


def test_bundled_pack_is_the_default_and_passes(judged: tuple[Result, Path]) -> None:
    result, folder = judged
    assert result.exit_code == WITHIN
    first, *_, listed, absent = result.stdout.split("\n\n")
    assert first == "reference_matches: 108 of 108 figures within tolerance, 18 parts not compared"
    assert listed.startswith("Listed, with a tool's figures and without its file:\n  xg-summary-lasse-marcel2710: ")
    assert absent.startswith("Not compared; `reconcile fetch` downloads public files:\n  bgblitz-amberdice01-jade1-5pt: ")
    assert absent.count("\n") == 1 + 9
    assert strict((folder / "pack.json").read_text("utf-8"))["summary"]["outside"] == 0


def test_explained_pair_comes_first_with_its_gap_in_sentences(judged: tuple[Result, Path]) -> None:
    lines = judged[0].stdout.splitlines()
    assert lines[2:4] == ["Explained:", "  demonstration (synthetic): Nora Lindqvist - Tomas Beck, 7 points: the"]
    assert lines[5].startswith("    XG 7.16, gnuBG 4.85: gnuBG charges Nora Lindqvist 2.31 less. ")
    assert max(map(len, lines[2:14])) <= 80
    markdown = (judged[1] / "pack.md").read_text("utf-8")
    assert "PR of Nora Lindqvist differs by 2.31" in markdown
    assert "off by -" not in markdown  # the worst figure of a match is off by a size


def test_match_out_of_tolerance_comes_before_the_explained_one(falsified: str) -> None:
    shutil.copytree(PACK / "demonstration", Path(falsified) / "demonstration")
    assert [line for line in run("validate", falsified).stdout.splitlines() if line.endswith(":")][:2] == ["Outside:", "Explained:"]


def test_strict_fails_on_absent_files() -> None:
    assert run("validate", "--strict").exit_code == OUTSIDE
    assert run("validate", "--strict", str(CUBE_RICH)).exit_code == WITHIN


@pytest.fixture
def falsified(tmp_path: Path) -> str:
    """A pack of one match with one figure that is not gnuBG's."""
    folder = tmp_path / "pack" / CUBE_RICH.name
    shutil.copytree(CUBE_RICH, folder)
    manifest = (folder / "match.yaml").read_text("utf-8")
    (folder / "match.yaml").write_text(manifest.replace('error_rate_memg: "92.7927"', 'error_rate_memg: "92.8927"'), "utf-8")
    return str(tmp_path / "pack")


def test_falsified_figure_fails_and_is_named_unless_1_is_hidden(falsified: str) -> None:
    result = run("validate", falsified, "--json", "a.json", "--markdown", "a.md")
    assert result.exit_code == OUTSIDE
    (line,) = (line for line in result.stdout.splitlines() if "outside:" in line)
    assert "Error rate (mEMG)  Ann  expected 92.8927" in line
    document = strict(Path("a.json").read_text("utf-8"))
    assert (document["verdict"], document["summary"]["outside"]) == ("outside", 1)
    assert "92.8927" in Path("a.md").read_text("utf-8")
    hidden = run("validate", falsified, "--exit-zero")
    assert (hidden.exit_code, "outside:" in hidden.stdout) == (WITHIN, True)


def test_changed_bundled_file_is_exit_code_2(falsified: str) -> None:
    (path,) = Path(falsified).glob("*/*.sgf")
    path.write_bytes(path.read_bytes() + b"\n")
    result = run("validate", falsified, "--exit-zero")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "expected SHA-256" in result.stderr


def test_pack_on_standard_output_is_alone_there() -> None:
    result = run("validate", str(CUBE_RICH), "--json", "-")
    assert strict(result.stdout)["summary"]["outside"] == 0
    assert "figures within tolerance" in result.stderr
    assert run("validate", str(CUBE_RICH), "--markdown", "-").stdout.startswith("### ")


def test_pack_pages_are_an_index_a_page_per_match_and_one_per_pair(judged: tuple[Result, Path]) -> None:
    pages = judged[1] / "pages"
    ids = {path.name for path in PACK.iterdir() if path.is_dir()}
    assert {path.name for path in pages.iterdir()} == {"index.html", "demonstration.pair-1.html"} | {f"{name}.html" for name in ids}
    for name in ("demonstration.html", "demonstration.pair-1.html"):
        assert name in (pages / "index.html").read_text("utf-8")
        assert "ynthetic" in (pages / name).read_text("utf-8")
