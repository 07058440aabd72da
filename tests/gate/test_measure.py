"""What a pack measures: by hand on made-up gaps, on the pack that ships, and what it says of
tolerances and their exceptions."""

from __future__ import annotations

import json
import math
import shutil
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.gap.bounds import Gate, Table, Tolerance
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import OUTSIDE, UNGATED, WITHIN, Figure, judged
from reconcile.gate.manifest import MANIFEST, half_a_digit
from reconcile.gate.measure import FEWEST, TOO_WIDE, Sample, measured, too_wide
from reconcile.gate.pack_results import PackResult
from reconcile.gate.validate import validate
from reconcile.report.text.pack import measurement_yaml
from reconcile.scoring.findings import ABOUT_TOLERANCES
from tests.support.command_line import PACK, run
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("elsewhere")
MATCH = PACK / "gnubg-3pt-2ply"
BOUND = Tolerance(abs=0.5, level="error", reason="r", source="s")
TABLE = Gate(Table(title="t", entries={"pr": BOUND}))


def samples(*gaps: float, table: str = "t", resolution: float = 0.0) -> list[Sample]:
    return [
        Sample(
            f"match-{index}",
            table,
            judged(Figure("pr", "Nora", 5.0, 5.0 + gap, None, None, None, UNGATED), TABLE),
            resolution,
        )
        for index, gap in enumerate(gaps)
    ]


def test_row_tells_how_many_how_wide_and_where() -> None:
    (row,) = measured(samples(0.125, -0.25, 0.0625))
    assert (row.table, row.metric, row.count, row.widest, row.match, row.player) == (
        "t",
        "pr",
        3,
        0.25,
        "match-1",
        "Nora",
    )
    assert (row.tolerance, row.ratio) == (0.5, 2.0)
    for gaps, percentile in (
        ([index / 1024 for index in range(1, 101)], 96 / 1024),
        ([0.25], 0.25),
    ):
        (row,) = measured(samples(*gaps))  # 95 of 100 gaps are no wider
        assert row.percentile_95 == percentile


@given(st.lists(st.floats(-4, 4, width=16), min_size=1, max_size=60))
def test_percentile_is_a_measured_gap_that_enough_others_do_not_exceed(gaps: list[float]) -> None:
    (row,) = measured(samples(*gaps))
    sizes = sorted(abs(5.0 + gap - 5.0) for gap in gaps)
    assert row.percentile_95 in sizes
    assert sum(size <= row.percentile_95 for size in sizes) >= 0.95 * len(sizes)
    assert row.widest == sizes[-1]
    assert row.suggested >= Decimal(row.widest) or math.isclose(row.suggested, row.widest)
    assert float(row.suggested) <= row.widest * 1.1 or row.widest < 1e-300


def test_incomplete_and_unknown_figures_are_not_measured() -> None:
    incomplete = judged(
        Figure("pr", "Nora", 5.0, 9.0, None, None, None, UNGATED),
        TABLE,
        "right: 3 of 9 cube decisions",
    )
    unknown = judged(Figure("pr", "Nora", None, 9.0, None, None, None, UNGATED), TABLE)
    assert measured([Sample("one", "t", incomplete), Sample("one", "t", unknown)]) == ()
    assert unknown.excess == 0.0


def test_known_part_of_a_gap_is_no_noise() -> None:
    (sample,) = samples(-1.25)
    real = replace(sample, figure=replace(sample.figure, known_gap=-1.25))
    (row,) = measured([real])
    assert (row.widest, row.ratio) == (0.0, None)


@pytest.mark.parametrize(
    ("printed", "half"),
    [
        ("0.39", 0.005),
        ("0.070", 0.0005),
        ("90", 0.0),
        ("-27.9", 0.05),
        ("1e-3", 0.0005),
        ("9.30e1", 0.05),
    ],
)
def test_half_of_the_last_printed_digit(printed: str, half: float) -> None:
    assert half_a_digit(printed) == pytest.approx(half)


@pytest.mark.parametrize(
    ("count", "gap", "resolution", "is_told"),
    [
        (FEWEST, 0.5 / TOO_WIDE * 0.99, 0.0, True),
        (FEWEST, 0.5 / TOO_WIDE * 1.01, 0.0, False),
        (FEWEST - 1, 0.001, 0.0, False),
        (FEWEST, 0.0, 0.0, True),
        (FEWEST, 0.001, 0.5, False),  # printed to the unit: the bound cannot be tighter
        (FEWEST, 0.001, 0.005, True),
    ],
)
def test_bound_far_wider_than_anything_measured_is_told(
    count: int, gap: float, resolution: float, is_told: bool
) -> None:
    findings = list(too_wide(measured(samples(*[gap] * count, resolution=resolution))))
    assert [finding.code for finding in findings] == ["tolerance-too-wide"] * is_told
    assert all(finding.severity == "warning" for finding in findings)


def test_bound_that_is_too_wide_names_what_was_measured_and_a_published_one_informs() -> None:
    (finding,) = too_wide(measured(samples(*[0.001] * 12)))
    assert finding.evidence == "table t: pr allows 0.5, the widest of 12 gaps is 0.001"
    (published,) = too_wide(measured(samples(*[0.001] * 12, table="documented")))
    assert published.severity == "info"


# On packs.


def tolerances(**exceptions: object) -> Tolerances:
    return Tolerances.from_mapping({"schema_version": 1, "extends": "bundled"} | exceptions)


def exception(**keys: object) -> dict[str, object]:
    return {
        "table": "gnubg-reported",
        "match": MATCH.name,
        "metric": "snowie_memg",
        "until": "2027-03-31",
        "reason": "why",
    } | keys


def off_by(tmp_path: Path, amount: float) -> Path:
    """A copy of a match whose first reported Snowie rate is off by so much."""
    home = tmp_path / "pack" / MATCH.name
    shutil.copytree(MATCH, home)
    manifest = yaml.safe_load((home / MANIFEST).read_text("utf-8"))
    figures = next(iter(manifest["reported"][0]["players"].values()))
    figures["snowie_memg"] = f"{float(figures['snowie_memg']) + amount:.4f}"
    (home / MANIFEST).write_text(
        yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8"
    )
    return tmp_path / "pack"


def codes(result: PackResult) -> list[str]:
    """Of what is found about tolerances."""
    outcome = [finding.code for match in result.matches for finding in match.findings] + [
        finding.code for finding in result.findings
    ]
    return [code for code in outcome if code in ABOUT_TOLERANCES]


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("overrides", exception(abs=2.0, level="error", player="Alice m26")),
        ("overrides", exception(abs=0.0, level="off")),
        ("known_gaps", exception(gap=-1.5, cause="rounding", player="Alice m26")),
    ],
)
def test_exception_lets_a_figure_pass_until_its_day(
    tmp_path: Path, key: str, entry: dict[str, object]
) -> None:
    pack = off_by(tmp_path, 1.5)
    assert validate(pack, tolerances()).exit_code() == 1
    result = validate(pack, tolerances(**{key: [entry]}), today=date(2027, 3, 31))
    assert (result.exit_code(), codes(result)) == (0, [])
    late = validate(pack, tolerances(**{key: [entry]}), today=date(2027, 4, 1))
    assert late.exit_code() == 1
    assert codes(late) == ["override-expired" if key == "overrides" else "known-gap-expired"]


@pytest.mark.parametrize(
    "keys",
    [{"match": "gnubg-3pt-2pli"}, {"player": "Alise"}, {"table": "xg-reported", "metric": "pr"}],
)
def test_exception_about_nothing_is_told(keys: dict[str, object]) -> None:
    result = validate(
        MATCH,
        tolerances(overrides=[exception(abs=2.0, level="error", **keys)]),
        today=date(2026, 11, 21),
    )
    assert codes(result) == ["exception-unused"]
    assert "why" in result.findings[0].evidence


def test_exception_about_a_match_whose_files_are_absent_is_not_unused() -> None:
    entry = exception(abs=2.0, level="error", match="charlot", table="xg-reported", metric="pr")
    assert codes(validate(PACK, tolerances(overrides=[entry]), today=date(2026, 11, 21))) == []


def test_every_output_tells_known_gap_and_what_is_wrong_with_exceptions(tmp_path: Path) -> None:
    pack = off_by(tmp_path, 1.5)
    text = "schema_version: 1\nextends: bundled\n"
    real = exception(gap=-1.5, cause="rounding", player="Alice m26", until="9999-12-31")
    odd = exception(gap=-1.5, cause="rounding", player="Alise", until="9999-12-31")
    Path("own.yaml").write_text(text + yaml.safe_dump({"known_gaps": [real, odd]}))
    result = run(
        "validate",
        pack,
        "--tolerances",
        "own.yaml",
        "--json",
        "out.json",
        "--markdown",
        "out.md",
        "--html",
        "pages",
    )
    assert result.exit_code == 0
    note = "known gap -1.5 (rounding) until 9999-12-31: why"
    unused = "An override or a known gap applies to nothing that was judged: "
    unused += "snowie_memg of Alise in gnubg-3pt-2ply"
    assert note in result.stdout
    assert f"warning: {unused}" in result.stdout
    assert "from: Two noisy players of GNU Backgammon" in result.stdout
    document = json.loads(Path("out.json").read_text())
    (match,) = document["matches"]
    figure = next(
        member for member in match["reported"][0]["figures"] if member["known_gap"] is not None
    )
    assert (figure["known_gap"], figure["verdict"], figure["note"]) == (-1.5, WITHIN, note)
    assert abs(figure["gap"] + 1.5) < 0.01
    assert [finding["code"] for finding in document["findings"]] == ["exception-unused"]
    assert (match["licence"], match["files"][0]["handle"]) == ("MIT, as this repository", "gnubg")
    assert match["provenance"].startswith("Two noisy players")
    assert "known gap" in Path("out.md").read_text()
    assert "applies to nothing that was judged" in Path("out.md").read_text()
    assert "applies to nothing that was judged" in Path("pages/index.html").read_text()
    assert "known gap" in Path(f"pages/{MATCH.name}.html").read_text()


def test_share_of_a_reported_gap_is_all_reporting(tmp_path: Path) -> None:
    pack = off_by(tmp_path, 1.5)
    tables = yaml.safe_load(bundled("tolerances.yaml").read_text("utf-8"))["tables"]
    entries = tables["gnubg-reported"]["entries"]
    entries["snowie_memg"]["abs"] = 5.0
    bound = {"abs": 0.1, "level": "error", "reason": "r", "source": "s"}
    entries |= {f"snowie_memg@{share}": bound for share in ("engine", "reporting")}
    result = validate(pack, Tolerances.from_mapping({"schema_version": 1, "tables": tables}))
    verdicts = {
        (figure.share, figure.verdict) for figure in result.matches[0].figures if figure.share
    }
    assert verdicts == {("engine", WITHIN), ("reporting", OUTSIDE), ("reporting", WITHIN)}
    assert result.exit_code() == 1


def test_bundled_pack_measures_what_it_judges_and_its_table_passes_with_reasons() -> None:
    result = run(
        "validate", "--measure", "--json", "own.json", "--yaml", "own.yaml", "--markdown", "own.md"
    )
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "gnubg-reported:"
    assert "xg-reported:" not in lines
    row = next(line.split() for line in lines if line.split()[:1] == ["luck.equity"])
    assert row[1] == "6"
    assert float(row[-2]) == 0.0001
    assert "not measured: charlot: " in result.stderr
    document = json.loads(Path("own.json").read_text("utf-8"))
    assert faults("measurement", document) == []
    assert document["pack"] == "reference_matches"
    assert all(row["widest"] <= row["tolerance"] for row in document["measured"])
    assert {row["metric"] for row in document["measured"]} >= {
        "decisions",
        "error_rate_memg",
        "luck.equity",
    }
    text = Path("own.md").read_text("utf-8")
    assert text.startswith("**gnubg-reported**\n\n| Figure | n |")
    assert len([line for line in text.splitlines() if line.startswith("| ")]) == 2 + 18
    with pytest.raises(
        InvalidConfiguration, match=r"own\.yaml:\d+: tables\.gnubg-reported\.entries\.\S+\.reason: "
    ):
        load_tolerances("own.yaml")
    text = Path("own.yaml").read_text("utf-8").replace('reason: ""', 'reason: "as measured"')
    Path("own.yaml").write_text(text.replace("tables:", "extends: bundled\ntables:", 1), "utf-8")
    assert validate(PACK, load_tolerances("own.yaml")).exit_code() == 0
    for name, entry in load_tolerances("own.yaml").table("gnubg-reported").entries.items():
        was = load_tolerances().table("gnubg-reported").of(name)
        assert was is not None
        assert (entry.abs or 0.0) <= (was.abs or 0.0)


def test_pairs_that_nothing_judges_are_measured_and_synthetic_ones_are_not(tmp_path: Path) -> None:
    home = tmp_path / "pack" / "demonstration"
    shutil.copytree(PACK / "demonstration", home)
    result = run("validate", "--measure", home)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "no figure could be measured; fetch the files, or add figures or pairs" in result.stderr
    path = home / MANIFEST
    path.write_text(path.read_text("utf-8").replace("synthetic: true", "synthetic: false"), "utf-8")
    result = run("validate", "--measure", home)
    assert result.stdout.splitlines()[0] == "not judged:"
    row = next(line.split() for line in result.stdout.splitlines() if line.split()[:1] == ["pr"])
    assert (row[1], row[-2:]) == ("2", ["-", "-"])


def test_yaml_quotes_the_name_of_a_pack() -> None:
    text = measurement_yaml(measured(samples(0.25)), 'pack "one" \\')
    assert yaml.safe_load(text)["tables"]["t"]["title"] == 'Measured on pack "one" \\'


@pytest.mark.usefixtures("undiagnosed")
def test_share_of_a_total_that_a_candidate_claims_is_incomplete_and_never_passed() -> None:
    own = {"pr": {"abs": 100.0, "level": "error", "reason": "r", "source": "s"}}
    own["pr@engine"] = own["pr"]
    tables = {"own": {"title": "t", "entries": own}}
    bounds = Tolerances.from_mapping({"schema_version": 1, "extends": "bundled", "tables": tables})
    claim = {
        "schema_version": 1,
        "program": "ours",
        "matches": [{"match": MATCH.name, "players": {"Alice m26": {"pr": 7.0}}}],
    }
    Path("claim.json").write_text(json.dumps(claim))
    result = validate(MATCH, bounds, candidates=["claim.json"], candidate_table="own")
    (candidate,) = result.matches[0].candidates
    assert [(figure.name, figure.verdict) for figure in candidate.judged] == [
        ("pr", WITHIN),
        ("pr@engine", "incomplete"),
    ]
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)
