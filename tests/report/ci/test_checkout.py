"""Places in a checkout, as annotations, test cases and code scanning name them."""

import pytest

from reconcile.errors import At
from reconcile.gate.pack_results import Place
from reconcile.report.ci import Checkout
from tests.report.ci.outputs import as_the_runner_reads
from tests.support.command_line import CUBE_RICH, ERROR, run


def test_root_is_the_folder_that_the_service_names(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    file = tmp_path / "a" / "b" / "match.yaml"
    file.write_text("one: 1\ntwo:\n  three: 3\n", "utf-8")
    place = Place(file, ("two", "three"))
    for environment, expected in (
        ({}, "a/b/match.yaml"),  # the tests run in the folder
        ({"CI_PROJECT_DIR": str(tmp_path / "a")}, "b/match.yaml"),
        (
            {"GITHUB_WORKSPACE": str(tmp_path / "a" / "b"), "CI_PROJECT_DIR": "/nowhere"},
            "match.yaml",
        ),
    ):
        assert Checkout(environment).where(place) == (expected, 3)
    assert Checkout({"GITHUB_WORKSPACE": str(tmp_path / "c")}).where(place) is None
    assert Checkout({}).where(None) is None


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (At("pack/match.yaml", 7, "title"), ("pack/match.yaml", 7)),
        (At("pack/match.yaml"), ("pack/match.yaml", 1)),
        (At("pack/match.yaml", 0), ("pack/match.yaml", 1)),
        (At("pack/other.yaml", 7), None),
        (At("pack"), None),
        (At(), None),
        (At("../pack/match.yaml", 7), None),
        (At("nul\0", 7), None),
        (At("x" * 5000), None),
    ],
)
def test_place_that_an_error_is_about(at, expected, tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "match.yaml").write_text("title: 3\n", "utf-8")
    assert Checkout({}).of(at) == expected


def test_exit_code_2_is_an_annotation_at_the_line_of_the_manifest(pack):
    path = pack / CUBE_RICH.name / "match.yaml"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    number = next(n for n, line in enumerate(lines, 1) if line.startswith("licence:"))
    lines[number - 1] = "licence: 7\n"
    path.write_text("".join(lines), "utf-8")
    result = run("validate", pack, "--github")
    assert result.exit_code == ERROR
    kind, properties, message = as_the_runner_reads(result.stdout.splitlines()[0])
    assert (kind, properties["file"], properties["line"]) == (
        "error",
        f"pack/{CUBE_RICH.name}/match.yaml",
        str(number),
    )
    assert f"match.yaml:{number}: licence: expected text, found 7" in message
