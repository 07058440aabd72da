"""How outputs look, as a reader sees them: commands on bundled matches, and what each prints.

python -m tests.gap.test_snapshots    # writes what they print now; read the differences
"""

import os
from pathlib import Path

import pytest

from tests.support.command_line import PACK, run

SNAPSHOTS = Path(__file__).with_name("snapshots")
NORA = "demonstration/nora-lindqvist-tomas-beck"
XG, SGF = f"{NORA}.xg", f"{NORA}.sgf"
ANN = "gnubg-11pt-cube-rich/ann-ben-11pt-cube-rich.sgf"
ALICE = "gnubg-3pt-2ply/alice-bob-3pt-2ply.sgf"
NORA_ALONE = f"investigate {XG} --player Nora"
COMMANDS = {
    "two-tools": f"compare {XG} {SGF}",
    "two-tools-markdown": f"compare {XG} {SGF} --markdown - --quiet",
    "exchanged-one-player": f"compare {SGF} {XG} --player Tomas",
    "two-rule-sets": f"compare {XG} {XG} --left-rules xg --right-rules blunderdb",
    "other-equity-table": f"compare {ANN} {ANN} --right-rules bgblitz --met Woolsey",
    "chosen-table": f"compare {XG} {SGF} --table xg-blunderdb --strict",
    "other-matches": f"compare {XG} {ANN}",
    "three-analyses": f"compare {XG} {SGF} {XG}",
    "folder": "compare demonstration",
    "folder-beside-a-folder": "compare demonstration gnubg-3pt-2ply",
    "one-analysis": f"stats {XG}",
    "pool": f"stats {XG} {SGF} {ALICE} {ANN} --pool",
    "investigation": f"{NORA_ALONE} --reported pr=7.23",
    "investigation-of-none": f"{NORA_ALONE} --reported pr=7.23 --reported decisions=121",
}


def printed(name):
    """The exit code of a command in the folder of the bundled matches, and what it prints."""
    result = run(*COMMANDS[name].split())
    text = f"exit code {result.exit_code}\n{result.stdout}{result.stderr}"
    return text.replace(str(PACK), ".")


@pytest.mark.parametrize("name", COMMANDS)
def test_output_looks_as_it_did(name, monkeypatch):
    monkeypatch.chdir(PACK)
    assert printed(name) == (SNAPSHOTS / f"{name}.txt").read_text("utf-8")


def test_every_snapshot_has_its_command():
    assert {path.stem for path in SNAPSHOTS.iterdir()} == COMMANDS.keys()


if __name__ == "__main__":
    SNAPSHOTS.mkdir(exist_ok=True)
    os.chdir(PACK)
    for each in COMMANDS:
        (SNAPSHOTS / f"{each}.txt").write_text(printed(each), "utf-8")
