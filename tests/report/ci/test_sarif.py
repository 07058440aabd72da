"""SARIF as code scanning reads it: valid, at the line of the manifest, and with a page for every rule."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest

from reconcile.gate.judged_figures import Part
from reconcile.report.ci.judged import sarif
from reconcile.report.explain import codes
from tests.report.ci.outputs import HOSTILE, compared, shown
from tests.support.command_line import CUBE_RICH, ERROR, OUTSIDE, SGF, WITHIN, XG, run

Schema = dict[str, Any]


def closed(optional: Schema | None = None, /, **needed: Any) -> Schema:
    """An object with these members and no others."""
    return {
        "type": "object",
        "required": [*needed],
        "properties": needed | (optional or {}),
        "additionalProperties": False,
    }


def array(items: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": items, **bounds}


def one(items: Schema) -> Schema:
    return array(items, minItems=1, maxItems=1)


WORD, TEXT = {"type": "string"}, closed(text={"type": "string", "minLength": 1})
URI: Schema = {"type": "string", "format": "uri"}
LEVEL = {"enum": ["note", "warning", "error"]}
PHYSICAL = closed(
    artifactLocation=closed(
        uri={"type": "string", "pattern": "^[^/:][^:\\\\]*$"}, uriBaseId={"const": "%SRCROOT%"}
    ),
    region=closed(startLine={"type": "integer", "minimum": 1}),
)
RULE = closed(
    id={"type": "string", "minLength": 1, "maxLength": 255},
    shortDescription=TEXT,
    fullDescription=TEXT,
    helpUri=URI,
    help=TEXT,
)
NOTIFICATION = closed(
    {"locations": array(closed({"physicalLocation": PHYSICAL}))},
    message=TEXT,
    level=LEVEL,
    descriptor=closed(id=WORD),
)
RESULT = closed(
    ruleId=WORD,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=TEXT,
    locations=one(
        closed(
            {
                "physicalLocation": PHYSICAL,
                "logicalLocations": array(closed({"fullyQualifiedName": WORD})),
            }
        )
    ),
    partialFingerprints={"type": "object", "additionalProperties": WORD},
)
DRIVER = closed(
    name={"const": "reconcile"},
    semanticVersion={"type": "string", "pattern": "^\\d+\\.\\d+\\.\\d+"},
    rules=array(RULE),
)
RUN = closed(
    {"columnKind": {"const": "unicodeCodePoints"}},
    tool=closed(driver=DRIVER),
    results=array(RESULT),
    invocations=array(
        closed(
            {"toolExecutionNotifications": array(NOTIFICATION)},
            executionSuccessful={"type": "boolean"},
        )
    ),
)
CODE_SCANNING = closed(**{"$schema": URI, "version": {"const": "2.1.0"}, "runs": one(RUN)})
"""SARIF 2.1.0 as narrow as it is written here, with everything that GitHub's page on SARIF files requires."""


def checked(text: str) -> Any:
    """The run of a document that its schema and the references in it allow."""
    document = json.loads(text)
    jsonschema_rs.validate(CODE_SCANNING, document)
    (run_,) = document["runs"]
    rules = [rule["id"] for rule in run_["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    assert set(rules) <= set(codes())
    for result in run_["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    assert len(
        {result["partialFingerprints"]["reconcile/v1"] for result in run_["results"]}
    ) == len(run_["results"])
    return run_


def official(path: Path) -> None:
    """Check a file by models that are generated from the standard's own schema, where they are installed."""
    model = pytest.importorskip("pydantic_sarif.model")
    model.StaticAnalysisResultsFormatSarifVersion210JsonSchema.model_validate_json(
        path.read_bytes()
    )


def physical(result: Any) -> tuple[str, int]:
    location = result["locations"][0]["physicalLocation"]
    return unquote(location["artifactLocation"]["uri"]), location["region"]["startLine"]


def test_every_figure_out_of_tolerance_is_a_result_at_its_line(pack: Path) -> None:
    renamed = pack.rename(pack.with_name("päck 50% #1"))
    assert run("validate", str(renamed), "--sarif", "o.sarif").exit_code == OUTSIDE
    found = checked(Path("o.sarif").read_text("utf-8"))
    assert [(one["ruleId"], one["level"]) for one in found["results"]] == [
        ("error_rate_memg", "error"),
        ("snowie_memg", "error"),
    ]
    for result, printed in zip(found["results"], ("92.8927", "99"), strict=True):
        file, line = physical(result)
        assert f'"{printed}"' in Path(file).read_text("utf-8").splitlines()[line - 1]
        sentence, more, *_ = result["message"]["text"].split("\n")
        assert sentence.endswith(f"in {CUBE_RICH.name}, reported gnubg.")
        assert "of Ann differs by " in sentence
        assert f"expected {printed} within" in more
    (invocation,) = found["invocations"]
    assert invocation["executionSuccessful"]
    assert {one["level"] for one in invocation["toolExecutionNotifications"]} == {"note"}


def test_failures_of_the_run_are_results_and_notifications(pack: Path) -> None:
    assert (
        run(
            "validate",
            str(pack),
            "--candidate-command",
            "no-such-program {file}",
            "--sarif",
            "o.sarif",
        ).exit_code
        == ERROR
    )
    found = checked(Path("o.sarif").read_text("utf-8"))
    (result,) = (one for one in found["results"] if one["ruleId"] == "not-compared")
    assert result["level"] == "error"
    assert "no-such-program: cannot be started" in result["message"]["text"]
    assert physical(result) == (f"pack/{CUBE_RICH.name}/match.yaml", 1)
    (invocation,) = found["invocations"]
    assert not invocation["executionSuccessful"]
    assert [one["level"] for one in invocation["toolExecutionNotifications"]].count("error") == 1
    official(Path("o.sarif"))


@pytest.mark.long
def test_figure_of_a_program_says_what_the_program_does_and_one_that_nothing_bounds_is_a_result(
    pack: Path,
) -> None:
    figures = {
        "schema_version": 1,
        "program": "p",
        "matches": [{"match": CUBE_RICH.name, "players": {"Ann": {"pr": 55, "snowie_er": 4}}}],
    }
    Path("figures.json").write_text(json.dumps(figures), "utf-8")
    words = (
        "validate",
        str(pack),
        "--candidate",
        "figures.json",
        "--candidate-table",
        "gnubg-blunderdb",
        "--sarif",
        "o.sarif",
    )
    for options, level in (((), "warning"), (("--strict",), "error")):
        run(*words, *options, "--json", "o.json")
        found = checked(Path("o.sarif").read_text("utf-8"))
        (result,) = (one for one in found["results"] if one["ruleId"] == "candidate-unjudged")
        assert result["level"] == level
        assert result["message"]["text"].startswith("PR of Ann is not judged in ")
        absent = [one for one in found["results"] if one["ruleId"] == "not-compared"]
        assert bool(absent) == bool(options)
        (diagnosis,) = json.loads(Path("o.json").read_text("utf-8"))["diagnosis"]
        said = [one["message"]["text"].splitlines()[-1] for one in found["results"]]
        assert said.count(diagnosis["sentence"]) == 1


def test_two_files_are_results_at_the_left_file_where_it_is_in_the_checkout() -> None:
    Path("left.xg").write_bytes(Path(XG).read_bytes())
    for left, expected in (("left.xg", ("left.xg", 1)), (XG, None)):
        assert run("compare", left, SGF, "--sarif", "o.sarif").exit_code == OUTSIDE
        found = checked(Path("o.sarif").read_text("utf-8"))
        assert len(found["results"]) == 4
        for result in found["results"]:
            location = result["locations"][0]
            assert location["logicalLocations"]
            assert (physical(result) if "physicalLocation" in location else None) == expected
        steps = found["results"][0]["message"]["text"].splitlines()[2:]
        assert [line.split()[0] for line in steps] == ["XG", "Q01", "Q02", "analysis", "gnuBG"]


def test_nothing_found_is_a_run_without_results() -> None:
    assert run("compare", XG, XG, "--sarif", "o.sarif").exit_code == WITHIN
    found = checked(Path("o.sarif").read_text("utf-8"))
    assert (found["results"], found["tool"]["driver"]["rules"]) == ([], [])


SITES = {
    "": "urn:x-reconcile:page:error_rate_memg",
    "https://example.org/docs/": "https://example.org/docs/figures.html#error_rate_memg",
}


def test_rule_has_the_page_of_its_code_and_a_result_keeps_its_fingerprint_where_its_line_moves(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    for site, address in SITES.items():
        monkeypatch.setenv("RECONCILE_PAGES", site)
        run("validate", str(pack), "--sarif", "o.sarif")
        found = checked(Path("o.sarif").read_text("utf-8"))
        rule = next(
            one for one in found["tool"]["driver"]["rules"] if one["id"] == "error_rate_memg"
        )
        assert rule["helpUri"] == address
        assert rule["help"]["text"] == run("explain", "error_rate_memg").stdout.rstrip("\n")
        results = found["results"]
        seen.append(
            ([one["partialFingerprints"] for one in results], [physical(one)[1] for one in results])
        )
        path = pack / CUBE_RICH.name / "match.yaml"
        path.write_text("# a comment\n" + path.read_text("utf-8"), "utf-8")
    assert seen[0][0] == seen[1][0]
    assert [line + 1 for line in seen[0][1]] == seen[1][1]


@pytest.mark.parametrize(
    "name", [*HOSTILE, "[a](https://example.org)", "{0} {x}"], ids=range(len(HOSTILE) + 2)
)
def test_hostile_name_stays_text(name: str) -> None:
    part = compared()
    case = next(case for case in part.cases if case.figure.verdict == "outside")
    hostile = Part(
        name,
        name,
        (replace(case, match=name, suite=name, figure=replace(case.figure, player=name)),),
    )
    text = sarif([hostile, Part(name, name, (), missing=name, failed=True)], environment={})
    found = checked(text)
    message = found["results"][0]["message"]["text"]
    assert shown(name).replace("](", "] (").replace("{", "{{").replace("}", "}}") in message
    assert len(found["results"]) == 2
    assert sarif([hostile], environment={}) == sarif([hostile], environment={})
