"""What a gate writes, read again by programs that are not ours: JUnit, annotations, step summary, badge, pages."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import html5lib
import jsonschema_rs
import pytest
import xmlschema
from click.testing import CliRunner, Result
from markdown_it import MarkdownIt

from reconcile.adapters import load_match
from reconcile.cli import main
from reconcile.files.bundled import bundled
from reconcile.files.output import CannotWrite, write_all
from reconcile.gap.comparison import Figure, compare
from reconcile.gate.judged_figures import Case, Part, pack_cases, pack_parts
from reconcile.gate.validate import validate
from reconcile.report.ci.badge import badge
from reconcile.report.ci.github import CUT, SUMMARY_LIMIT, command, harmless, step_summary, workflow_commands
from reconcile.report.ci.junit import junit
from reconcile.report.text.judged import part_of
from tests.support.data import PROJECT
from tests.support.schemas import faults

PACK = bundled("reference_matches")
CUBE_RICH = PACK / "gnubg-11pt-cube-rich"
CHARLOT = PACK / "charlot"
XG, SGF = (str(PACK / "demonstration" / f"nora-lindqvist-tomas-beck.{suffix}") for suffix in ("xg", "sgf"))
SCHEMA = xmlschema.XMLSchema(Path(__file__).parents[1] / "support" / "junit.xsd")
SHIELDS: dict[str, Any] = {
    "type": "object",
    "required": ["schemaVersion", "label", "message"],
    "properties": {
        "schemaVersion": {"const": 1},
        "label": {"type": "string"},
        "message": {"type": "string", "minLength": 1},
        "color": {"enum": ["brightgreen", "green", "yellow", "yellowgreen", "orange", "red", "blue", "lightgrey"]},
        "labelColor": {"type": "string"},
        "isError": {"type": "boolean"},
        "namedLogo": {"type": "string"},
        "logoSvg": {"type": "string"},
        "logoColor": {"type": "string"},
        "logoSize": {"type": "string"},
        "style": {"type": "string"},
        "cacheSeconds": {"type": "integer"},
    },
    "additionalProperties": False,
}
"""The shape that shields.io documents for its endpoint badge."""
WITHIN, OUTSIDE, ERROR = 0, 1, 2


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("GITHUB_", "RECONCILE_"))]:
        monkeypatch.delenv(name)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, prog_name="reconcile", catch_exceptions=False)


def process(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    path = os.pathsep.join(filter(None, [str(PROJECT), os.environ.get("PYTHONPATH")]))
    return subprocess.run(
        [sys.executable, "-m", "reconcile", *arguments],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **environment},
        timeout=120,
    )


def falsified(folder: Path, **printed: str) -> Path:
    """A pack of two matches, one whose files are absent, and one of which some figures of Ann are not gnuBG's."""
    shutil.copytree(CUBE_RICH, folder / CUBE_RICH.name)
    shutil.copytree(CHARLOT, folder / CHARLOT.name)
    path = folder / CUBE_RICH.name / "match.yaml"
    text = path.read_text("utf-8")
    start = text.index("Ann", text.index("players:"))
    head, tail = text[:start], text[start:]
    for name, value in printed.items():
        tail, count = re.subn(rf'({name}: )"[^"]+"', rf'\g<1>"{value}"', tail, count=1)
        assert count == 1, name
    path.write_text(head + tail, "utf-8")
    return folder


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return falsified(tmp_path / "pack", error_rate_memg="92.8927", snowie_memg="99")


# -- JUnit -----------------------------------------------------------------------------------------------------------------


def outcomes(document: bytes | str) -> dict[tuple[str, str], str]:
    """Class and name of a case -> what became of it, as a reader of JUnit sees it."""
    found: dict[tuple[str, str], str] = {}
    for case in ET.fromstring(document).iter("testcase"):
        key = (case.get("classname", ""), case.get("name", ""))
        assert key not in found, "two cases of one name are one case to a reader"
        found[key] = next((child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed")
    return found


def test_junit_of_a_pack_is_valid_and_counts_what_the_summary_counts(pack: Path) -> None:
    assert process("validate", str(pack), "--junit", "junit.xml", "--json", "result.json").returncode == OUTSIDE
    SCHEMA.validate("junit.xml")
    summary = json.loads(Path("result.json").read_text("utf-8"))["summary"]
    root: Any = SCHEMA.to_dict("junit.xml")
    assert root["@failures"] == summary["outside"] == 2
    assert root["@tests"] == summary["within"] + summary["outside"] + summary["incomplete"] + summary["not_compared"]
    assert sum(suite["@skipped"] for suite in root["testsuite"]) == summary["incomplete"] + summary["not_compared"] == 2
    for suite in root["testsuite"]:
        assert suite["@tests"] == len(suite["testcase"])
        assert suite["@failures"] == sum("failure" in case for case in suite["testcase"])


def test_junit_of_a_comparison_tells_verdict_line_and_bridge(tmp_path: Path) -> None:
    assert process("compare", XG, SGF, "--junit", "junit.xml").returncode == OUTSIDE
    SCHEMA.validate("junit.xml")
    (suite,) = ET.parse("junit.xml").getroot()
    assert suite.get("name") == "nora-lindqvist-tomas-beck.xg against nora-lindqvist-tomas-beck.sgf: XG against gnuBG"
    failed = {case.get("name"): case.find("failure") for case in suite.iter("testcase") if case.find("failure") is not None}
    assert set(failed) == {
        "PR of Nora Lindqvist",
        "PR of Tomas Beck",
        "MWC lost, all classes of Nora Lindqvist",
        "Snowie error rate of Nora Lindqvist",
    }
    failure = failed["PR of Nora Lindqvist"]
    assert failure is not None
    assert failure.text is not None
    first, *walked = failure.text.splitlines()
    assert first == failure.get("message") == "PR  Nora Lindqvist  expected <= 0.10  found 2.31  (XG 7.16, gnuBG 4.85)"
    numbers = [float(line.partition("  ")[2].split()[0]) for line in walked]
    assert [line.split()[0] for line in walked] == ["XG", "Q01", "Q02", "analysis", "gnuBG"]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.01)
    properties = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert (properties["left tool"] or "").startswith("eXtreme Gammon")
    assert float(properties["pr Nora Lindqvist gap"] or "nan") == pytest.approx(-2.309, abs=0.01)
    assert (properties["pr Nora Lindqvist tolerance"], properties["pr Nora Lindqvist level"]) == ("0.1", "error")


@pytest.mark.parametrize(("strict", "tag"), [((), "skipped"), (("--strict",), "error")])
def test_what_was_not_compared_is_skipped_and_an_error_when_strict(pack: Path, strict: tuple[str, ...], tag: str) -> None:
    run("validate", str(pack), "--junit", "junit.xml", *strict)
    SCHEMA.validate("junit.xml")
    found = outcomes(Path("junit.xml").read_bytes())
    absent = {key: outcome for key, outcome in found.items() if key[0].startswith("charlot.")}
    assert len(absent) == 2
    assert set(absent.values()) == {tag}
    assert "is not here" in Path("junit.xml").read_text("utf-8")


@pytest.mark.parametrize(("strict", "tag"), [((), "skipped"), (("--strict",), "error")])
def test_incomplete_figure_is_skipped_with_its_counts_and_an_error_when_strict(data: Path, strict: tuple[str, ...], tag: str) -> None:
    pair = [str(data / "real" / f"charlot1-charlot2_7p_2025-11-08-2305.{suffix}") for suffix in ("xg", "sgf")]
    assert run("compare", *pair, "--junit", "junit.xml", *strict).exit_code == (OUTSIDE if strict else WITHIN)
    SCHEMA.validate("junit.xml")
    elements = list(ET.parse("junit.xml").getroot().iter(tag))
    assert elements
    assert all(re.search(r"\d+ of \d+ ", one.get("message") or "") for one in elements)


def warned(tmp_path: Path) -> str:
    path = tmp_path / "warn.yaml"
    path.write_text(
        "schema_version: 1\ntables: {documented: {title: t, entries: {pr: {abs: 0.1, level: warn, reason: r, source: s}}}}\n", "utf-8"
    )
    return str(path)


@pytest.mark.parametrize(("options", "outcome"), [((), "passed"), (("--fail-on", "warn"), "failure")])
def test_warning_is_told_and_fails_where_asked(tmp_path: Path, options: tuple[str, ...], outcome: str) -> None:
    result = run("compare", XG, SGF, "--tolerances", warned(tmp_path), "--junit", "junit.xml", *options)
    assert result.exit_code == (OUTSIDE if options else WITHIN)
    SCHEMA.validate("junit.xml")
    assert set(outcomes(Path("junit.xml").read_bytes()).values()) == {outcome}
    told = [element.text or "" for element in ET.parse("junit.xml").getroot().iter("system-out")]
    assert all(text.startswith("warning: PR") == (not options) for text in told)


HOSTILE = [
    "]]><!--", '"quoted" & <b>', "nul\0 bell\a esc\x1b[31m", "\ud800 lone", "emoji 🎲", "\ufffe\uffff", "line\nbreak\rand\ttab", "&amp;",
    "::error::x", "##[error]x", "a%0Ab", "a,b:c",
]  # fmt: skip


def hostile(name: str) -> Part:
    """A part of a comparison whose player, match and files bear a name."""
    comparison = compare(load_match(XG), load_match(SGF))
    part = part_of(comparison)
    cases = tuple(replace(case, match=name, suite=name, figure=replace(case.figure, player=name)) for case in part.cases[:1])
    return Part(name, name, cases, ((name, name),))


def is_xml(letter: str) -> bool:
    """Whether a document of XML 1.0 may hold it."""
    code = ord(letter)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_name_stays_a_name_in_xml(name: str) -> None:
    document = junit(name, [hostile(name), Part(name, name, (), missing=name)])
    SCHEMA.validate(document.decode("utf-8").partition("?>")[2])
    shown = "".join(c if is_xml(c) else "\ufffd" for c in name)
    root = ET.fromstring(document)
    assert root.get("name") == shown
    assert (root[0][1].get("name") or "").endswith(f" of {shown}")
    skipped = root[1][0].find("skipped")
    assert skipped is not None
    assert (skipped.text or "").endswith(shown.replace("\r\n", "\n").replace("\r", "\n") or shown)


def test_every_case_of_the_bundled_pack_has_an_id_of_its_own() -> None:
    ids = [case.id for case in pack_cases(validate(PACK))]
    assert len(set(ids)) == len(ids) == 108
    assert "gnubg-11pt-cube-rich::reported gnubg::Ann::error_rate_memg" in ids


# -- GitHub ----------------------------------------------------------------------------------------------------------------

COMMAND = re.compile(r"^::(?P<kind>[a-z]+) (?P<properties>[^:\r\n]*)::(?P<message>[^\r\n]*)$")


def as_the_runner_reads(line: str) -> tuple[str, dict[str, str], str]:
    """Kind, properties and message of a workflow command, unescaped as GitHub's runner does it."""
    found = COMMAND.match(line)
    assert found is not None, line

    def plain(text: str, *more: tuple[str, str]) -> str:
        for code, letter in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(code, letter)
        return text

    properties = dict(part.split("=", 1) for part in found["properties"].split(",") if part)
    return found["kind"], {name: plain(value, ("%3A", ":"), ("%2C", ",")) for name, value in properties.items()}, plain(found["message"])


def test_annotations_are_worst_first_and_point_at_the_line_of_the_manifest(pack: Path) -> None:
    done = process("validate", str(pack), "--github", GITHUB_WORKSPACE=str(pack.parent))
    assert done.returncode == OUTSIDE
    first, second, notice = map(as_the_runner_reads, done.stdout.decode("utf-8").splitlines())
    assert [kind for kind, _, _ in (first, second, notice)] == ["error", "error", "notice"]
    assert "snowie_memg of Ann" in first[1]["title"]
    assert "error_rate_memg of Ann" in second[1]["title"]
    for (_, properties, message), printed in ((first, "99"), (second, "92.8927")):
        path = pack.parent / properties["file"]
        assert path == pack / CUBE_RICH.name / "match.yaml"
        assert f'"{printed}"' in path.read_text("utf-8").splitlines()[int(properties["line"]) - 1]
        assert f"expected {printed} within" in message
    assert "2 parts not compared" in notice[2]
    assert b"figures within tolerance" in done.stderr


def test_at_most_ten_annotations_and_the_rest_is_counted() -> None:
    part = part_of(compare(load_match(XG), load_match(SGF)))
    figures = [replace(part.cases[0].figure, player=f"player {n:02}", gap=float(n), verdict="outside") for n in range(1, 15)]
    cases = tuple(Case("m", "s", figure, None) for figure in figures)
    lines = workflow_commands([Part("m", "s", cases)], environment={}).splitlines()
    read = [as_the_runner_reads(line) for line in lines]
    assert [kind for kind, _, _ in read] == ["error"] * 10 + ["notice"]
    assert [re.findall(r"player (\d+)", message)[0] for _, _, message in read[:10]] == [f"{n:02}" for n in range(14, 4, -1)]
    assert read[-1][2].startswith("4 more not shown here")


def test_errors_come_before_wider_warnings() -> None:
    figure = next(case.figure for case in part_of(compare(load_match(XG), load_match(SGF))).cases if case.figure.verdict == "outside")
    narrow, wide = replace(figure, player="narrow"), replace(figure, player="wide", gap=1e6, level="warn")
    part = Part("m", "s", (Case("m", "s", wide, None), Case("m", "s", narrow, None)))
    read = [as_the_runner_reads(line) for line in workflow_commands([part], environment={}).splitlines()]
    assert [(kind, "narrow" in message) for kind, _, message in read] == [("error", True), ("warning", False)]
    failing = workflow_commands([part], fail_on="warn", environment={}).splitlines()
    assert [as_the_runner_reads(line)[0] for line in failing] == ["error", "error"]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_name_stays_within_its_command(name: str) -> None:
    (line,) = command("error", name, title=name, file=name).split("\n")
    kind, properties, message = as_the_runner_reads(line)
    assert (kind, properties, message) == ("error", {"title": name, "file": name}, name)


def test_annotation_of_a_figure_holds_its_bridge() -> None:
    lines = workflow_commands([part_of(compare(load_match(XG), load_match(SGF)))], environment={}).splitlines()
    _, properties, message = as_the_runner_reads(lines[0])
    assert "file" not in properties
    assert [line.split()[0] for line in message.splitlines()[1:]] == ["XG", "Q01", "Q02", "analysis", "gnuBG"]


def test_manifest_outside_the_checkout_is_not_pointed_at(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    result = workflow_commands(pack_parts(validate(pack)), environment={"GITHUB_WORKSPACE": str(tmp_path / "elsewhere")})
    assert all("file" not in as_the_runner_reads(line)[1] for line in result.splitlines())


def test_nothing_to_annotate_is_nothing_printed() -> None:
    result = run("validate", str(CUBE_RICH), "--github", "--quiet")
    assert (result.exit_code, result.output) == (WITHIN, "")


@pytest.mark.parametrize("text", ["x\n::error::y", "  ::set-output name=a::b", "at ##[error]x"])
def test_summary_for_people_holds_no_command(text: str) -> None:
    plain = harmless(text)
    assert not any(line.strip().startswith("::") for line in plain.splitlines())
    assert "##[" not in plain


def test_step_summary_is_added_to_what_is_there(pack: Path, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n", "utf-8")
    assert process("validate", str(pack), "--github", GITHUB_STEP_SUMMARY=str(summary)).returncode == OUTSIDE
    text = summary.read_text("utf-8")
    assert text.startswith("before\n## ")
    assert "92.8927" in text


@pytest.mark.parametrize("there", [0, 1000, SUMMARY_LIMIT - 10, SUMMARY_LIMIT, SUMMARY_LIMIT + 10])
def test_step_summary_stays_within_what_github_shows(tmp_path: Path, there: int) -> None:
    path = tmp_path / "summary.md"
    path.write_bytes(b"x" * there)
    found = step_summary(lambda: "é🎲 line\n" * 200_000, {"GITHUB_STEP_SUMMARY": str(path)})
    assert found is not None
    added = found[1].encode("utf-8")
    assert there + len(added) <= max(SUMMARY_LIMIT, there)
    assert (added == b"") == (there + len(CUT.encode()) > SUMMARY_LIMIT)
    assert not added or added.endswith(CUT.encode())


def test_no_summary_outside_github() -> None:
    assert step_summary(lambda: "never made", {}) is None


# -- badge, Markdown, pages ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("printed", "options", "color", "start"),
    [
        ({}, (), "green", "36 of 36 within tolerance, 2 not judged"),
        ({"error_rate_memg": "92.8927"}, (), "red", "1 of 36 out of tolerance, 2 not judged"),
    ],
)
def test_badge_is_as_shields_reads_it(tmp_path: Path, printed: dict[str, str], options: tuple[str, ...], color: str, start: str) -> None:
    process("validate", str(falsified(tmp_path / "pack", **printed)), "--badge", "badge.json", *options)
    document = json.loads(Path("badge.json").read_text("utf-8"))
    assert faults("badge", document) == []
    jsonschema_rs.validate(SHIELDS, document)
    assert (document["color"], document["message"]) == (color, start)
    assert document["isError"] == (color == "red")


def test_badge_is_bright_only_where_nothing_is_left_out() -> None:
    assert badge(validate(CUBE_RICH))["color"] == "brightgreen"


def rendered(markdown: str) -> list[str]:
    """Kinds of the blocks that a Markdown reader finds."""
    return [token.type for token in MarkdownIt("commonmark").enable("table").parse(markdown) if token.level == 0]


def test_markdown_of_a_pack_is_a_heading_a_table_and_a_list(pack: Path) -> None:
    done = process("validate", str(pack), "--markdown", "-")
    assert done.returncode == OUTSIDE
    kinds = rendered(done.stdout.decode("utf-8"))
    assert [kind for kind in kinds if kind.endswith("_open")] == ["heading_open", "table_open", "bullet_list_open"]


def test_every_page_of_a_pack_is_html_without_an_error_and_links_to_pages_that_are_there(pack: Path) -> None:
    assert run("validate", str(pack), "--html", "falsified").exit_code == OUTSIDE
    assert process("validate", "--html", "site").returncode == WITHIN
    for path in Path("falsified").iterdir():
        html5lib.HTMLParser(strict=True).parse(path.read_text("utf-8"))
    pages = {path.name: path.read_text("utf-8") for path in Path("site").iterdir()}
    assert len(pages) == 9
    linked = set()
    for name, text in pages.items():
        tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)
        assert tree.findtext(".//h1"), name
        links = [anchor.get("href") or "" for anchor in tree.iter("a")]
        inside = {one for one in links if not one.startswith(("#", "https://"))}
        ids = {element.get("id") for element in tree.iter() if element.get("id")}
        assert {one[1:] for one in links if one.startswith("#")} <= ids, name
        assert inside <= set(pages), name
        linked |= inside if name == "index.html" else set()
    assert linked == set(pages) - {"index.html"}


def test_page_of_a_match_shows_every_figure_with_what_the_tool_printed_and_who_read_it(pack: Path) -> None:
    run("validate", str(pack), "--html", "site")
    tree = html5lib.parse(Path("site", f"{CUBE_RICH.name}.html").read_text("utf-8"), namespaceHTMLElements=False)
    rows = [["".join(cell.itertext()) for cell in row] for row in tree.iterfind(".//tbody/tr")]
    figures = [row for row in rows if len(row) == 7]
    assert len(figures) == 36
    (wrong,) = (row for row in figures if row[0].startswith("Error rate") and row[1] == "Ann")
    assert wrong[2] == "92.8927"
    assert (wrong[3], wrong[6]) == ("92.7927", "outside")
    text = "".join(tree.itertext())
    assert "Python interface" in text  # the source
    assert "Provenance" in text
    index = "".join(html5lib.parse(Path("site/index.html").read_text("utf-8"), namespaceHTMLElements=False).itertext())
    assert "Out of tolerance" in index
    assert "expected 92.8927" in index


def test_every_output_of_a_comparison_is_read_by_a_program_that_is_not_ours() -> None:
    done = process("compare", XG, SGF, *every("compare"), "--ledger", "o/ledger.csv")
    assert done.returncode == OUTSIDE
    assert faults("comparison", json.loads(Path("o/result.json").read_text("utf-8"))) == []
    tree = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(Path("o/page.html").read_text("utf-8"))
    assert "Nora Lindqvist" in (tree.findtext(".//h1") or "")
    kinds = rendered(Path("o/result.md").read_text("utf-8"))
    assert (kinds[0], kinds.count("table_open")) == ("heading_open", 3)
    SCHEMA.validate("o/junit.xml")
    assert len(done.stdout.splitlines()) == 4  # one annotation for each figure out of tolerance


def test_share_of_a_gap_out_of_tolerance_is_told_in_every_output(tmp_path: Path) -> None:
    folder = tmp_path / "pack" / "demonstration"
    shutil.copytree(PACK / "demonstration", folder)
    path = folder / "match.yaml"
    path.write_text(path.read_text("utf-8").replace("judged_by: null", "judged_by: documented"), "utf-8")
    entries = ", ".join(
        f"{name}: {{abs: {bound}, level: {level}, reason: r, source: s}}"
        for name, bound, level in (("pr", 100, "error"), ("pr@engine", 0.1, "error"), ("pr@rules", 0.0001, "warn"))
    )
    Path("t.yaml").write_text(f"schema_version: 1\ntables: {{documented: {{title: t, entries: {{{entries}}}}}}}\n", "utf-8")
    result = run("validate", str(tmp_path / "pack"), "--tolerances", "t.yaml", *every("validate"))
    assert result.exit_code == OUTSIDE
    SCHEMA.validate("o/junit.xml")
    failed = {name for (_, name), outcome in outcomes(Path("o/junit.xml").read_bytes()).items() if outcome == "failure"}
    assert failed == {"PR, analysis of Nora Lindqvist", "PR, analysis of Tomas Beck"}
    assert "warning: PR, counting rules  Nora Lindqvist  expected <= 0.0001, found +0.0" in result.stderr
    kinds = [as_the_runner_reads(line)[0] for line in result.stdout.splitlines()]
    assert kinds == ["error", "error", "warning", "warning"]
    for name in ("result.md", "site/index.html", "site/demonstration.html"):
        assert "PR, analysis" in Path("o", name).read_text("utf-8")


# -- exit codes, all outputs on --------------------------------------------------------------------------------------------

FILES = {"--json": "result.json", "--markdown": "result.md", "--junit": "junit.xml", "--badge": "badge.json", "--html": "site"}


def every(command: str) -> list[str]:
    """All outputs of a command, in one folder."""
    files = FILES if command == "validate" else {name: file for name, file in FILES.items() if name != "--badge"} | {"--html": "page.html"}
    return ["--github", *(word for option, name in files.items() for word in (option, f"o/{name}"))]


CAUSES: dict[str, tuple[int, Callable[[Path], list[str]]]] = {
    "within": (WITHIN, lambda _: ["validate", str(CUBE_RICH)]),
    "absent files": (WITHIN, lambda pack: ["validate", str(falsified(pack))]),
    "absent files, strict": (OUTSIDE, lambda pack: ["validate", "--strict", str(falsified(pack))]),
    "outside": (OUTSIDE, lambda pack: ["validate", str(falsified(pack, snowie_memg="99"))]),
    "outside, exit-zero": (WITHIN, lambda pack: ["validate", "--exit-zero", str(falsified(pack, snowie_memg="99"))]),
    "outside, quiet": (OUTSIDE, lambda pack: ["validate", "--quiet", str(falsified(pack, snowie_memg="99"))]),
    "compared, outside": (OUTSIDE, lambda _: ["compare", XG, SGF]),
    "compared, within": (WITHIN, lambda _: ["compare", XG, XG]),
    "nothing compared": (ERROR, lambda _: ["validate", str(CHARLOT)]),
    "nothing compared, exit-zero": (ERROR, lambda _: ["validate", "--exit-zero", str(CHARLOT)]),
    "no such pack": (ERROR, lambda _: ["validate", "--exit-zero", "absent"]),
    "no such tolerances": (ERROR, lambda _: ["validate", "--exit-zero", "--tolerances", "absent.yaml"]),
    "not the same match": (ERROR, lambda _: ["compare", XG, str(next(CUBE_RICH.glob("*.sgf")))]),
}


@pytest.mark.parametrize("cause", CAUSES)
def test_exit_code_with_every_output_on(cause: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, make = CAUSES[cause]
    arguments = make(tmp_path / "pack")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    result = run(*arguments, *every(arguments[0]))
    assert result.exit_code == code
    if code == ERROR:
        assert result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert not Path("o").exists()
        assert not Path("summary.md").exists()
        return
    assert all(as_the_runner_reads(line) for line in result.stdout.splitlines())
    SCHEMA.validate("o/junit.xml")
    json.loads(Path("o/result.json").read_text("utf-8"))
    assert Path("o/site/index.html" if arguments[0] == "validate" else "o/page.html").is_file()
    assert Path("summary.md").read_text("utf-8").startswith(Path("o/result.md").read_text("utf-8"))
    if "--quiet" in arguments:
        assert result.stderr == ""


@pytest.mark.parametrize("option", FILES)
def test_output_that_cannot_be_written_is_2_and_leaves_no_other(option: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    arguments = every("validate")
    arguments[arguments.index(option) + 1] = "file/in/a/file"
    result = run("validate", str(CUBE_RICH), "--exit-zero", *arguments)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "cannot be written" in result.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


def test_step_summary_that_cannot_be_written_is_2_and_leaves_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "absent" / "summary.md"))
    result = run("validate", str(CUBE_RICH), *every("validate"))
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", XG, SGF, "--github", "--json", "-"),
        ("validate", "--github", "--junit", "-"),
        ("validate", "--badge", "-", "--json", "-"),
    ],
)
def test_two_outputs_on_standard_output_are_refused(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "only one of" in result.stderr


def test_two_outputs_in_one_file_are_refused() -> None:
    result = run("compare", XG, SGF, "--json", "one", "--junit", "./one")
    assert (result.exit_code, result.stdout) == (ERROR, "")
    assert "two outputs" in result.stderr
    assert not Path("one").exists()


def test_existing_outputs_stay_when_one_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old", "utf-8")
    with pytest.raises(CannotWrite):
        write_all([("old", "new"), ("old/under", "x")])
    assert Path("old").read_text("utf-8") == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_device_is_written_to_and_never_replaced() -> None:
    device = Path(os.devnull)
    before = device.stat()
    write_all([(os.devnull, "gone")])
    assert (device.stat().st_ino, device.stat().st_rdev) == (before.st_ino, before.st_rdev)


def test_pipe_is_an_output() -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("no named pipes here")
    os.mkfifo("pipe")
    with subprocess.Popen([sys.executable, "-c", "print(open('pipe').read(), end='')"], stdout=subprocess.PIPE) as reader:
        write_all([("pipe", "through")])
        assert reader.communicate(timeout=60)[0] == b"through"
    assert Path("pipe").is_fifo()


def test_same_input_gives_the_same_bytes(pack: Path) -> None:
    seen = set()
    for folder in ("a", "b"):
        run("validate", str(pack), "--junit", f"{folder}/j", "--badge", f"{folder}/b", "--html", f"{folder}/site", "--quiet")
        seen.add(tuple((path.name, path.read_bytes()) for path in sorted(Path(folder).rglob("*")) if path.is_file()))
    assert len(seen) == 1
    assert str(pack.parent).encode() not in b"".join(content for _, content in seen.pop())


def test_case_of_an_unknown_gap_has_no_excess() -> None:
    figure = Figure("pr", "x", None, None, None, 0.1, "error", "incomplete")
    assert Case("m", "s", figure, None).excess == 0.0
    assert Case("m", "s", replace(figure, gap=1e-12, tolerance=0.0), None).excess == float("inf")
