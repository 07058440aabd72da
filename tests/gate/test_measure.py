"""What a pack measures: by hand on made-up gaps, on the pack that ships, and what it says of
tolerances and their exceptions."""

import json
import math
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.bounds import Gate, Table, Tolerance
from reconcile.gap.tolerances import Tolerances, load_tolerances
from reconcile.gap.verdict import OUTSIDE, WITHIN, Figure, judged
from reconcile.gate.candidates.program import Command
from reconcile.gate.candidates.reading import CommandFailed
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.measure import FEWEST, TOO_WIDE, Measurement, Sample, measured, too_wide
from reconcile.gate.validate import validate
from reconcile.report.text.pack import measurement_yaml
from reconcile.scoring.findings import ABOUT_TOLERANCES
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import of_figures, only, outputs, plain, written
from tests.support.command_line import PACK, json_in, refused, run
from tests.support.packs import pack_of, respell
from tests.support.schemas import faults
from tests.support.tolerance_files import bound, tables

pytestmark = pytest.mark.usefixtures("elsewhere")
MATCH = PACK / "gnubg-3pt-2ply"
BOUND = Tolerance(abs=0.5, level="error", reason="r", source="s")
TABLE = Gate(Table(title="t", entries={"pr": BOUND}))


def figure(gap, left=5.0, missing="", **facts):
    return replace(judged(Figure("pr", "Nora", left, 5.0 + gap), TABLE, missing), **facts)


def samples(*gaps, table="t", resolution=0.0):
    return [
        Sample.of(f"match-{number}", table, figure(gap), resolution)
        for number, gap in enumerate(gaps)
    ]


def test_row_tells_how_many_how_wide_and_where():
    (row,) = measured(samples(0.125, -0.25, 0.0625))
    assert (row.table, row.metric, row.count, row.matches) == ("t", "pr", 3, 3)
    assert (row.widest, row.match, row.player) == (0.25, "match-1", "Nora")
    assert (row.tolerance, row.ratio) == (0.5, 2.0)
    exact = [measured(samples(gap, resolution=0.125))[0].is_exact for gap in (0.125, 0.1875)]
    assert exact == [True, False]


@given(st.lists(st.floats(-4, 4, width=16), min_size=1, max_size=60))
@example([number / 1024 for number in range(1, 101)])
def test_percentile_is_a_measured_gap_that_enough_others_do_not_exceed(gaps):
    (row,) = measured(samples(*gaps))
    sizes = sorted(abs(5.0 + gap - 5.0) for gap in gaps)
    assert row.percentile_95 == sizes[math.ceil(0.95 * (len(sizes) - 1))]
    assert row.widest == sizes[-1]
    assert row.suggested >= row.widest or math.isclose(row.suggested, row.widest)
    assert row.suggested <= row.widest * 1.1 or row.widest < 1e-300


def test_incomplete_and_unknown_figures_are_not_measured_nor_the_known_part_of_a_gap():
    unknown = [figure(4.0, missing="right: 3 of 9 cube decisions"), figure(4.0, left=None)]
    assert measured(Sample.of("one", "t", entry) for entry in unknown) == ()
    (row,) = measured([Sample.of("one", "t", figure(-1.25, known_gap=-1.25))])
    assert (row.widest, row.ratio) == (0.0, None)


@pytest.mark.parametrize(
    ("count", "gap", "resolution", "severity"),
    [
        (FEWEST, 0.5 / TOO_WIDE * 0.99, 0.0, "warning"),
        (FEWEST, 0.5 / TOO_WIDE * 1.01, 0.0, None),
        (FEWEST - 1, 0.001, 0.0, None),
        (FEWEST, 0.0, 0.0, "warning"),
        (FEWEST, 0.001, 0.5, None),  # printed to the unit: the bound cannot be tighter
        (FEWEST, 0.001, 0.005, "warning"),
    ],
)
def test_bound_far_wider_than_anything_measured_is_told(count, gap, resolution, severity):
    findings = list(too_wide(measured(samples(*[gap] * count, resolution=resolution))))
    assert [finding.severity for finding in findings] == [severity] * bool(severity)


def test_bound_that_is_too_wide_names_what_was_measured_and_a_published_one_informs():
    (finding,) = too_wide(measured(samples(*[0.001] * 12)))
    assert finding.evidence == "table t: pr allows 0.5, the widest of 12 gaps is 0.001"
    (published,) = too_wide(measured(samples(*[0.001] * 12, table="documented")))
    assert published.severity == "info"


# On packs.


def tolerances(**exceptions):
    return Tolerances.from_mapping({"schema_version": 1, "extends": "bundled"} | exceptions)


def exception(**keys):
    return {
        "table": "gnubg-reported",
        "match": MATCH.name,
        "metric": "snowie_memg",
        "until": "2027-03-31",
        "reason": "why",
    } | keys


def off_by(tmp_path, amount):
    """A copy of a match whose first reported Snowie rate is off by so much."""
    home = pack_of(tmp_path / "pack", MATCH.name) / MATCH.name

    def other(manifest):
        figures = next(iter(manifest["reported"][0]["players"].values()))
        figures["snowie_memg"] = f"{float(figures['snowie_memg']) + amount:.4f}"

    respell(home, other)
    return tmp_path / "pack"


def codes(result):
    """Of what is found about tolerances."""
    findings = [finding for match in result.matches for finding in match.findings]
    codes_ = [finding.code for finding in (*findings, *result.findings)]
    return [code for code in codes_ if code in ABOUT_TOLERANCES]


@pytest.mark.parametrize(
    "keys",
    [{"match": "gnubg-3pt-2pli"}, {"player": "Alise"}, {"table": "xg-reported", "metric": "pr"}],
)
def test_exception_about_nothing_is_told(keys):
    result = validate(
        MATCH,
        tolerances(overrides=[exception(abs=2.0, level="error", **keys)]),
        today=date(2026, 11, 21),
    )
    assert codes(result) == ["exception-unused"]
    assert "why" in result.findings[0].evidence


def test_exception_about_a_match_whose_files_are_absent_is_not_unused():
    entry = exception(abs=2.0, level="error", match="charlot", table="xg-reported", metric="pr")
    assert codes(validate(PACK, tolerances(overrides=[entry]), today=date(2026, 11, 21))) == []


def test_every_output_tells_known_gap_and_what_is_wrong_with_exceptions(tmp_path):
    gap = {"gap": -1.5, "cause": "rounding", "until": "9999-12-31"}
    entries = [exception(player=player, **gap) for player in ("Alice m26", "Alise")]
    own = {"schema_version": 1, "extends": "bundled", "known_gaps": entries}
    shown = outputs(off_by(tmp_path, 1.5), "--tolerances", written(tmp_path / "own.yaml", own))
    note = "known gap -1.5 (rounding) until 9999-12-31: why"
    unused = "An override or a known gap applies to nothing that was judged: "
    assert shown.result.exit_code == 0
    for words in (
        note,
        f"warning: {unused}snowie_memg of Alise in {MATCH.name}",
        "from: Two noisy players of GNU Backgammon",
    ):
        assert words in shown.result.stdout
    tree = shown.document
    (match,) = tree["matches"]
    (figure,) = (each for each in match["reported"][0]["figures"] if each["known_gap"] is not None)
    assert (figure["known_gap"], figure["verdict"], figure["note"]) == (-1.5, WITHIN, note)
    assert abs(figure["gap"] + 1.5) < 0.01
    assert [finding["code"] for finding in tree["findings"]] == ["exception-unused"]
    assert (match["licence"], match["files"][0]["handle"]) == ("MIT, as this repository", "gnubg")
    assert match["provenance"].startswith("Two noisy players")
    assert all("applies to nothing" in shown[name] for name in ("result.md", "site/index.html"))
    assert all("known gap" in shown[name] for name in ("result.md", f"site/{MATCH.name}.html"))


def test_share_of_a_reported_gap_is_all_reporting(tmp_path):
    own = yaml.safe_load(bundled("tolerances.yaml").read_text("utf-8"))
    entries = own["tables"]["gnubg-reported"]["entries"]
    entries["snowie_memg"]["abs"] = 5.0
    entries |= {f"snowie_memg@{share}": bound(abs=0.1) for share in ("engine", "reporting")}
    result = validate(off_by(tmp_path, 1.5), Tolerances.from_mapping(own))
    figures = [figure for figure in result.matches[0].figures if figure.share]
    assert {(figure.share, figure.verdict) for figure in figures} == {
        ("engine", WITHIN),
        ("reporting", OUTSIDE),
        ("reporting", WITHIN),
    }
    assert result.exit_code() == 1


def test_bundled_pack_measures_what_it_judges_and_its_table_passes_with_reasons():
    names = {"json": "own.json", "yaml": "own.yaml", "markdown": "own.md"}
    options = [word for name, path in names.items() for word in (f"--{name}", path)]
    result = run("validate", "--measure", *options)
    lines = result.stdout.splitlines()
    assert (result.exit_code, lines[0]) == (0, "gnubg-reported:")
    assert "xg-reported:" not in lines
    assert "not measured: charlot: " in result.stderr
    document = json_in("own.json")
    assert (faults("measurement", document), document["pack"]) == ([], "reference_matches")
    rows = {row["metric"]: row for row in document["measured"]}
    assert all(row["widest"] <= row["tolerance"] for row in rows.values())
    assert (rows["luck.equity"]["count"], len(rows)) == (6, 18)
    assert Path("own.md").read_text("utf-8").count("\n| ") == 2 + len(rows)
    with pytest.raises(InvalidConfiguration, match=r"own\.yaml:\d+: tables\.gnubg.*\.reason: "):
        load_tolerances("own.yaml")
    text = Path("own.yaml").read_text("utf-8").replace('reason: ""', 'reason: "as measured"')
    Path("own.yaml").write_text(text.replace("tables:", "extends: bundled\ntables:", 1), "utf-8")
    assert validate(PACK, load_tolerances("own.yaml")).exit_code() == 0


def test_pairs_that_nothing_judges_are_measured_and_synthetic_ones_are_not(tmp_path):
    home = pack_of(tmp_path / "pack", "demonstration") / "demonstration"
    line = refused("validate", "--measure", home)
    assert "no figure could be measured; fetch the files, or add figures or pairs" in line
    path = home / MANIFEST
    path.write_text(path.read_text("utf-8").replace("synthetic: true", "synthetic: false"), "utf-8")
    result = run("validate", "--measure", home)
    assert result.stdout.splitlines()[0] == "not judged:"
    row = next(line.split() for line in result.stdout.splitlines() if line.split()[:1] == ["pr"])
    assert (row[1], row[-2:]) == ("2", ["-", "-"])


def test_yaml_quotes_the_name_of_a_pack():
    gaps = Measurement(pack='pack "one" \\', measured=measured(samples(0.25)), matches=())
    text = measurement_yaml(gaps)
    assert yaml.safe_load(text)["tables"]["t"]["title"] == 'Measured on pack "one" \\'


def test_share_of_a_total_that_a_candidate_claims_is_incomplete_and_never_passed(
    tmp_path,
):
    bounds = Tolerances.from_mapping(tables(**{"pr": bound(abs=100.0), "pr@engine": bound(abs=9)}))
    players = {"Alice m26": {"pr": 7.0}}
    more = {"tolerances": bounds, "candidate_table": "one"}
    home = pack_of(tmp_path, MATCH.name) / MATCH.name
    respell(home, reported=[])
    result = of_figures(tmp_path, players, home, **more)
    judged_ = [(figure.name, figure.verdict) for figure in only(result).judged]
    assert judged_ == [("pr", WITHIN), ("pr@engine", "incomplete")]
    assert (result.exit_code(), result.exit_code(strict=True)) == (0, 1)


# -- of a program

OFF = PACK / "gnubg-11pt-cube-rich"
"""The match of which the program may be off."""


def printed(file, by):
    """What the program prints for a match."""
    match = load_match(file)
    off = by if "11pt" in file else 0.0
    players = {}
    for seat, name in enumerate(match.players):
        entry = statistics(match).figures(seat)
        assert entry["pr"] is not None
        players[name] = {
            "pr": f"{entry['pr'] + off:.2f}",
            "decisions": entry["decisions.counted"],
            "luck.equity": None,
        }
    return json.dumps(plain({"players": players}, program="my stats 2")).encode()


@pytest.fixture
def _in_this_process(monkeypatch):
    def answered(self, values, timeout):
        _, file, off = self.filled(values)
        if off == "fails" and "7pt" in file:
            raise CommandFailed("ended with exit code 1: AssertionError")
        return printed(file, 0.0 if off == "fails" else float(off))

    monkeypatch.setattr(Command, "run", answered)


def measured_of(off, *words, pack=PACK):
    return run(
        "validate", "--measure", pack, "--candidate-command", f"stats {{file}} {off}", *words
    )


@pytest.mark.usefixtures("_in_this_process")
def test_bounds_of_a_program_are_measured_and_state_on_what_they_rest():
    done = measured_of(0.25, "--json", "o.json", "--yaml", "o.yaml", "--markdown", "o.md")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "my-stats:"
    document = json_in("o.json")
    assert faults("measurement", document) == []
    rows = {row["metric"]: row for row in document["measured"]}
    assert list(rows) == ["pr", "decisions"]
    for row in rows.values():
        facts = [row[key] for key in ("table", "count", "matches", "tolerance")]
        assert facts == ["my-stats", 6, 3, None]
    assert 0.245 <= rows["pr"]["widest"] <= 0.255
    assert rows["decisions"]["widest"] == 0
    assert 0.005 <= rows["pr"]["resolution"] < 0.006
    text = Path("o.yaml").read_text()
    assert "6 figures of 3 matches, the widest gap" in text
    assert "these bounds rest on 3 matches" in done.stderr
    assert "not measured: demonstration: the match is synthetic" in done.stderr
    with pytest.raises(InvalidConfiguration, match="reason"):
        load_tolerances("o.yaml")


@pytest.mark.usefixtures("_in_this_process")
def test_measured_table_passes_its_program_and_fails_another():
    measured_of(0.25, "--yaml", "o.yaml", "--quiet", pack=OFF)
    Path("o.yaml").write_text(
        Path("o.yaml").read_text().replace('reason: ""', 'reason: "off on purpose"')
    )
    options = "--tolerances o.yaml --candidate-table my-stats --candidate-command"
    judged = ("validate", OFF, *options.split())
    assert [run(*judged, f"stats {{file}} {off}").exit_code for off in (0.25, 0.35)] == [0, 1]


@pytest.mark.usefixtures("_in_this_process")
def test_program_that_never_differs_needs_no_reason():
    measured_of(0.0, "--yaml", "o.yaml", "--quiet", pack=OFF)
    tables = load_tolerances("o.yaml")
    assert {bound.within for bound in tables.table("my-stats").entries.values()} == {"printed"}


@pytest.mark.usefixtures("_in_this_process")
def test_failing_run_is_reported_and_the_rest_is_measured():
    done = measured_of("fails")
    assert done.exit_code == 2
    assert "error: gnubg-7pt-0ply: my stats: ended with exit code 1: AssertionError" in done.stderr
    assert "my-stats:" in done.stdout
