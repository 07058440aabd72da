"""JUnit by its schema: what failed, what was skipped, how many there are, and names that stay
names.
"""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from reconcile.gate.pack_results import JudgedFigure, Part
from reconcile.report.ci import junit
from tests.gate.candidates.samples import written
from tests.report import samples
from tests.report.ci.outputs import HOSTILE, compared, outcomes, schema, shown
from tests.support.command_line import OUTSIDE, SGF, WITHIN, XG, json_in, run
from tests.support.tolerance_files import bound, tables


def test_junit_of_a_pack_is_valid_counts_what_the_summary_counts_and_names_lines_of_manifests(
    pack,
):
    done = run("validate", pack, "--junit", "junit.xml", "--json", "result.json")
    assert done.exit_code == OUTSIDE
    schema().validate("junit.xml")
    summary = json_in("result.json")["summary"]
    root = schema().to_dict("junit.xml")
    assert root["@failures"] == summary["outside"] == 2
    assert (
        root["@tests"]
        == summary["within"] + summary["outside"] + summary["incomplete"] + summary["not_compared"]
    )
    assert (
        sum(suite["@skipped"] for suite in root["testsuite"])
        == summary["incomplete"] + summary["not_compared"]
        == 2
    )
    for suite in root["testsuite"]:
        assert suite["@tests"] == len(suite["testcase"])
        assert suite["@failures"] == sum("failure" in case for case in suite["testcase"])
    cases = list(ET.parse("junit.xml").getroot().iter("testcase"))
    lines = [
        Path(case.attrib["file"]).read_text("utf-8").splitlines()[int(case.attrib["line"]) - 1]
        for case in cases
    ]
    failed = [
        line for case, line in zip(cases, lines, strict=True) if case.find("failure") is not None
    ]
    for line, printed in zip(failed, ("92.8927", "99"), strict=True):
        assert f"'{printed}'" in line


def test_junit_of_a_comparison_tells_verdict_line_and_bridge(tmp_path):
    assert run("compare", XG, SGF, "--junit", "junit.xml").exit_code == OUTSIDE
    schema().validate("junit.xml")
    (suite,) = ET.parse("junit.xml").getroot()
    files = "nora-lindqvist-tomas-beck.xg against nora-lindqvist-tomas-beck.sgf"
    assert suite.get("name") == f"{files}: XG against gnuBG"
    cases = list(suite.iter("testcase"))
    assert not any({"file", "line"} & {*case.attrib} for case in cases), "they lie in no checkout"
    failed = {
        case.get("name"): case.find("failure") for case in cases if case.find("failure") is not None
    }
    assert set(failed) == {
        "PR of Nora Lindqvist",
        "PR of Tomas Beck",
        "MWC lost, all classes of Nora Lindqvist",
        "Snowie error rate, halved of Nora Lindqvist",
    }
    bridge_is_told(failed["PR of Nora Lindqvist"])
    properties = {element.get("name"): element.get("value") for element in suite.iter("property")}
    assert (properties["left tool"] or "").startswith("eXtreme Gammon")
    assert properties["pr Nora Lindqvist level"] == "error"


def bridge_is_told(failure):
    assert failure is not None
    assert failure.text is not None
    first, headline, *rows = failure.text.splitlines()
    walked = rows[2:]
    assert headline == "Nora Lindqvist: PR 7.16 by XG, 4.85 by gnuBG, gap -2.31"
    assert [row.split()[0] for row in rows[:2]] == ["-0.78", "-0.41"]
    assert (
        first
        == failure.get("message")
        == "PR  Nora Lindqvist  gap -2.31, allowed 0.10  (XG 7.16, gnuBG 4.85)"
    )
    numbers = [float(line.split()[1]) for line in walked]
    assert [line.split()[0] for line in walked] == ["XG", "Q01", "Q02", "analysis", "gnuBG"]
    assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.01)


@pytest.mark.parametrize(("strict", "tag"), [((), "skipped"), (("--strict",), "error")])
def test_what_was_not_compared_is_skipped_and_an_error_when_strict(pack, strict, tag):
    run("validate", pack, "--junit", "junit.xml", *strict)
    schema().validate("junit.xml")
    outcome_of = outcomes(Path("junit.xml").read_bytes())
    absent = {key: outcome for key, outcome in outcome_of.items() if key[0].startswith("charlot.")}
    assert len(absent) == 2
    assert set(absent.values()) == {tag}
    assert "is missing; download it with" in Path("junit.xml").read_text("utf-8")


@pytest.mark.parametrize(("strict", "tag"), [(False, "skipped"), (True, "error")])
def test_incomplete_figure_is_skipped_with_its_counts_and_an_error_when_strict(strict, tag):
    counts = "right: 27 of 94 cube decisions"
    figure = replace(samples.figure(verdict="incomplete"), coverage=counts)
    part = Part("m", "s", (JudgedFigure("m", "s", figure, None),))
    (element,) = ET.fromstring(junit("j", [part], strict=strict, environment={})).iter(tag)
    assert counts in element.get("message", "")


@pytest.mark.parametrize(
    ("options", "outcome"), [((), "passed"), (("--fail-on", "warn"), "failure")]
)
def test_warning_is_told_and_fails_where_asked(tmp_path, options, outcome):
    table = written(tmp_path / "t.yaml", tables(pr=bound(abs=0.1, level="warn")))
    words = ("--tolerances", table, "--table", "one", "--junit", "junit.xml")
    result = run("compare", XG, SGF, *words, *options)
    assert result.exit_code == (OUTSIDE if options else WITHIN)
    schema().validate("junit.xml")
    assert set(outcomes(Path("junit.xml").read_bytes()).values()) == {outcome}
    warnings = [
        element.text or "" for element in ET.parse("junit.xml").getroot().iter("system-out")
    ]
    assert all(text.startswith("warning: PR") == (not options) for text in warnings)


def hostile(name):
    """A part of a comparison whose player, match and files bear a name."""
    part = compared()
    cases = tuple(
        replace(case, match=name, suite=name, figure=replace(case.figure, player=name))
        for case in part.cases[:1]
    )
    return Part(name, name, cases, ((name, name),))


def is_xml(letter):
    """Whether a document of XML 1.0 may hold it."""
    code = ord(letter)
    return (
        code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
    )


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_name_stays_a_name_in_xml(name):
    document = junit(name, [hostile(name), Part(name, name, (), missing=name)], environment={})
    schema().validate(document.decode("utf-8").partition("?>")[2])
    expected = "".join(c if is_xml(c) else "\ufffd" for c in shown(name))
    root = ET.fromstring(document)
    assert root.get("name") == expected
    assert (root[0][1].get("name") or "").endswith(f" of {expected}")
    skipped = root[1][0].find("skipped")
    assert skipped is not None
    assert (skipped.text or "").endswith(expected)
