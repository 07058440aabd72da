"""The bounds of a program under test, measured: on what they rest, which need a reason, and what cannot be measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reconcile.cli import main
from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.gap.tolerances import load_tolerances
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("elsewhere")
PACK = bundled("reference_matches")
OFF = PACK / "gnubg-11pt-cube-rich"
"""The match of which the program may be off."""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="reconcile", catch_exceptions=False)


STATISTICS = """import json, sys
import reconcile
match = reconcile.load_match(sys.argv[1])
figures = [reconcile.statistics(match).figures(seat) for seat in (0, 1)]
off = float(sys.argv[2]) if "11pt" in sys.argv[1] else 0.0
players = {
    name: {"pr": f"{one['pr'] + off:.2f}", "decisions": one["decisions.counted"], "luck.equity": None}
    for name, one in zip(match.players, figures)
}
print(json.dumps({"schema_version": 1, "program": "my stats 2", "matches": [{"players": players}]}))
"""


def measured_of(off: float, *words: str | Path, pack: Path = PACK) -> Result:
    Path("stats.py").write_text(STATISTICS)
    return run("validate", "--measure", pack, "--candidate-command", f'"{sys.executable}" stats.py {{file}} {off}', *words)


def test_bounds_of_a_program_are_measured_and_state_on_what_they_rest() -> None:
    done = measured_of(0.25, "--json", "o.json", "--yaml", "o.yaml", "--markdown", "o.md")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == "my-stats:"
    document = json.loads(Path("o.json").read_text())
    assert faults("measurement", document) == []
    rows = {row["metric"]: row for row in document["measured"]}
    assert list(rows) == ["pr", "decisions"]
    for row in rows.values():
        assert (row["table"], row["count"], row["matches"], row["tolerance"]) == ("my-stats", 6, 3, None)
    assert 0.245 <= rows["pr"]["widest"] <= 0.255
    assert rows["decisions"]["widest"] == 0
    assert rows["pr"]["resolution"] == pytest.approx(0.005)
    text = Path("o.yaml").read_text()
    assert "6 figures of 3 matches, the widest gap" in text
    assert "these bounds rest on 3 matches" in done.stderr
    assert "not measured: demonstration: the match is synthetic" in done.stderr
    with pytest.raises(InvalidConfiguration, match="reason"):
        load_tolerances("o.yaml")


def test_measured_table_passes_its_program_and_fails_another() -> None:
    measured_of(0.25, "--yaml", "o.yaml", "--quiet", pack=OFF)
    Path("o.yaml").write_text(Path("o.yaml").read_text().replace('reason: ""', 'reason: "off on purpose"'))
    command = f'"{sys.executable}" stats.py {{file}}'
    for off, code in ((0.25, 0), (0.35, 1)):
        judged = run(
            "validate",
            OFF,
            "--tolerances",
            "o.yaml",
            "--candidate-table",
            "my-stats",
            "--no-suite",
            "--candidate-command",
            f"{command} {off}",
        )
        assert judged.exit_code == code, judged.stdout


def test_program_that_never_differs_needs_no_reason() -> None:
    measured_of(0.0, "--yaml", "o.yaml", "--quiet", pack=OFF)
    tables = load_tolerances("o.yaml")
    assert {bound.within for bound in tables.table("my-stats").entries.values()} == {"printed"}


def test_failing_run_is_reported_and_the_rest_is_measured() -> None:
    Path("stats.py").write_text(STATISTICS.replace("off =", "assert '7pt' not in sys.argv[1]\noff ="))
    done = run("validate", "--measure", PACK, "--candidate-command", f'"{sys.executable}" stats.py {{file}} 0')
    assert done.exit_code == 2
    assert "error: gnubg-7pt-0ply: my stats: ended with exit code 1: AssertionError" in done.stderr
    assert "my-stats:" in done.stdout


def test_tolerances_beside_a_candidate_are_refused() -> None:
    done = run("validate", "--measure", "--candidate", "x", "--tolerances", "y")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (2, "", 1)
