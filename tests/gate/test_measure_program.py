"""The bounds of a program under test, measured: on what they rest, which need a reason, and what
cannot be measured."""

import json
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.formats import load_match
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.candidates.program import Command
from reconcile.gate.candidates.reading import CommandFailed
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.samples import plain
from tests.support.command_line import PACK, json_in, run
from tests.support.schemas import faults

pytestmark = pytest.mark.usefixtures("elsewhere", "_in_this_process")
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


def test_measured_table_passes_its_program_and_fails_another():
    measured_of(0.25, "--yaml", "o.yaml", "--quiet", pack=OFF)
    Path("o.yaml").write_text(
        Path("o.yaml").read_text().replace('reason: ""', 'reason: "off on purpose"')
    )
    options = "--tolerances o.yaml --candidate-table my-stats --candidate-command"
    judged = ("validate", OFF, *options.split())
    assert [run(*judged, f"stats {{file}} {off}").exit_code for off in (0.25, 0.35)] == [0, 1]


def test_program_that_never_differs_needs_no_reason():
    measured_of(0.0, "--yaml", "o.yaml", "--quiet", pack=OFF)
    tables = load_tolerances("o.yaml")
    assert {bound.within for bound in tables.table("my-stats").entries.values()} == {"printed"}


def test_failing_run_is_reported_and_the_rest_is_measured():
    done = measured_of("fails")
    assert done.exit_code == 2
    assert "error: gnubg-7pt-0ply: my stats: ended with exit code 1: AssertionError" in done.stderr
    assert "my-stats:" in done.stdout
