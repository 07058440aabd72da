"""Annotations as GitHub's runner reads them, worst first and at their line, and the step summary
within its limit.
"""

import re
from dataclasses import replace

import pytest

from reconcile.gate.pack_results import JudgedFigure, Part, pack_parts
from reconcile.gate.validate import validate
from reconcile.report.blocks import CUT
from reconcile.report.ci import SUMMARY_LIMIT, command, step_summary, workflow_commands
from tests.report.ci.outputs import HOSTILE, as_the_runner_reads, compared, shown
from tests.support.command_line import CUBE_RICH, OUTSIDE, WITHIN, run


def test_annotations_are_worst_first_and_point_at_the_line_of_the_manifest(pack):
    done = run("validate", pack, "--github", GITHUB_WORKSPACE=str(pack.parent))
    assert done.exit_code == OUTSIDE
    first, second, notice = map(as_the_runner_reads, done.stdout.splitlines())
    assert [kind for kind, _, _ in (first, second, notice)] == ["error", "error", "notice"]
    assert "snowie_memg of Ann" in first[1]["title"]
    assert "error_rate_memg of Ann" in second[1]["title"]
    for (_, properties, message), printed in ((first, "99"), (second, "92.8927")):
        path = pack.parent / properties["file"]
        assert path == pack / CUBE_RICH.name / "match.yaml"
        assert f"'{printed}'" in path.read_text("utf-8").splitlines()[int(properties["line"]) - 1]
        assert f"expected {printed} within" in message
    assert "2 parts not compared" in notice[2]
    assert "figures within tolerance" in done.stderr


def test_at_most_ten_annotations_and_the_rest_is_counted():
    part = compared()
    figures = [
        replace(part.cases[0].figure, player=f"player {n:02}", gap=float(n), verdict="outside")
        for n in range(1, 15)
    ]
    cases = tuple(JudgedFigure("m", "s", figure, None) for figure in figures)
    lines = workflow_commands([Part("m", "s", cases)], environment={}).splitlines()
    read = [as_the_runner_reads(line) for line in lines]
    assert [kind for kind, _, _ in read] == ["error"] * 10 + ["notice"]
    assert [re.findall(r"player (\d+)", message)[0] for _, _, message in read[:10]] == [
        f"{n:02}" for n in range(14, 4, -1)
    ]
    assert read[-1][2].startswith("4 more not shown here")


def test_one_reason_in_many_matches_is_one_annotation_that_names_them():
    figure = next(case.figure for case in compared().cases if case.figure.verdict == "outside")
    parts = [
        Part(f"match-{n}", "candidate prog", (), missing="ended with exit code 3", failed=True)
        for n in range(12)
    ]
    parts += [
        Part("other", "candidate prog", (), missing="printed nothing", failed=True),
        Part("m", "s", (JudgedFigure("m", "s", figure, None),)),
    ]
    first, second, third = (
        as_the_runner_reads(line) for line in workflow_commands(parts, environment={}).splitlines()
    )
    assert first[1]["title"] == "match-0: not compared"
    assert first[2].splitlines()[1] == f"Also in {', '.join(f'match-{n}' for n in range(1, 12))}."
    assert second[2] == "candidate prog: printed nothing"
    assert third[1]["title"].startswith("m: pr of ")


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_name_stays_within_its_command(name):
    (line,) = command("error", name, title=name, file=name).splitlines()
    kind, properties, message = as_the_runner_reads(line)
    assert (kind, properties, message) == (
        "error",
        {"title": shown(name), "file": shown(name)},
        shown(name),
    )


def test_annotation_of_a_figure_holds_its_first_rows_and_its_bridge():
    lines = workflow_commands([compared()], environment={}).splitlines()
    _, properties, message = as_the_runner_reads(lines[0])
    assert "file" not in properties
    rows = message.splitlines()[1:4]
    assert rows[0] == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG, gap -2.31"
    assert rows[1] == "  -0.78 play, game 3 turn 30: XG 0.163, gnuBG 0.000"
    assert [line.split()[0] for line in message.splitlines()[4:]] == [
        "XG",
        "Q01",
        "Q02",
        "analysis",
        "gnuBG",
    ]


def test_manifest_outside_the_checkout_is_not_pointed_at_and_a_sound_pack_prints_nothing(
    pack, tmp_path
):
    (tmp_path / "elsewhere").mkdir()
    result = workflow_commands(
        pack_parts(validate(pack)), environment={"GITHUB_WORKSPACE": str(tmp_path / "elsewhere")}
    )
    assert all("file" not in as_the_runner_reads(line)[1] for line in result.splitlines())
    nothing = run("validate", CUBE_RICH, "--github", "--quiet")
    assert (nothing.exit_code, nothing.output) == (WITHIN, "")


def test_step_summary_is_added_to_what_is_there_and_nowhere_outside_github(pack, tmp_path):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    assert run("validate", pack, "--github", GITHUB_STEP_SUMMARY=str(summary)).exit_code == OUTSIDE
    text = summary.read_text("utf-8")
    assert text.startswith("before\n### ")
    assert "92.8927" in text
    assert step_summary(lambda: "never made", {}) is None


@pytest.mark.parametrize("there", [0, 1000, SUMMARY_LIMIT - 10, SUMMARY_LIMIT, SUMMARY_LIMIT + 10])
def test_step_summary_stays_within_what_github_shows(tmp_path, there):
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * there)
    summary = step_summary(
        lambda: "## é🎲 heading\n\n" + "é🎲 line\n" * 200_000, {"GITHUB_STEP_SUMMARY": str(path)}
    )
    assert summary is not None
    added = summary[1].encode("utf-8")
    assert there + len(added) <= max(SUMMARY_LIMIT, there)
    assert (added == b"") == (there + len(CUT.encode()) > SUMMARY_LIMIT)
    assert not added or added.endswith(f"{CUT}\n".encode())
