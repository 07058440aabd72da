"""A pack of many matches: judged and written one by one, by one process or several, with the same
result."""

import re
import shlex
import shutil
import subprocess
import sys
from typing import Any

import pytest

from reconcile.document import document, dumps
from reconcile.files.bundled import bundled
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import validate
from reconcile.report.forms import in_form
from reconcile.results.comparison import comparison_document
from tests.support.command_line import refused
from tests.support.cookbook import PROGRAM
from tests.support.data import PROJECT
from tests.support.long import long_but_first

PACK = bundled("reference_matches")
SMALL, PAIR = "gnubg-3pt-2ply", "demonstration"


def pack_of(folder, *names):
    """Copies of bundled matches, each under a name of its own."""
    for number, name in enumerate(names):
        copy = folder / f"{name}-{number:02}"
        shutil.copytree(PACK / name, copy)
        text = (copy / MANIFEST).read_text("utf-8")
        (copy / MANIFEST).write_text(re.sub(r"(?m)^id: .*$", f"id: {copy.name}", text), "utf-8")
    return folder


@pytest.mark.parametrize("name", long_but_first([MANIFEST, "*.sgf", "ours.yaml"]))
def test_file_that_a_process_has_read_is_not_written_over(tmp_path, name):
    pack = pack_of(tmp_path / "pack", SMALL, SMALL)
    (pack / "ours.yaml").write_text("extends: gnubg\n", "utf-8")
    for path in pack.glob(f"*/{MANIFEST}"):
        path.write_text(
            path.read_text("utf-8").replace("rules: gnubg\n", "rules: ours.yaml\n"), "utf-8"
        )
    read = sorted(pack.rglob(name))[0]
    before = read.read_bytes()
    line = refused("validate", pack, "--jobs", "2", "--json", read)
    assert "is read by this command" in line
    assert read.read_bytes() == before


HARNESS = shlex.join([sys.executable, str(PROJECT / "harnesses" / "reconcile_harness.py")])


@pytest.mark.parametrize("option", long_but_first(["harness", "command", ""], 0, 2))
def test_several_processes_judge_and_ask_as_one_and_say_what_cannot_be_read(tmp_path, option):
    pack = pack_of(tmp_path / "pack", SMALL, PAIR, *[SMALL] * 5)
    (next((pack / f"{SMALL}-02").glob("*.sgf"))).write_bytes(b"(;")
    (pack / f"{SMALL}-03" / MANIFEST).write_text("id: nothing\n", "utf-8")
    (tmp_path / "prog.py").write_text(PROGRAM)
    command = shlex.join([sys.executable, str(tmp_path / "prog.py"), "{file}"])
    options = {"command": command, "harness": f"{HARNESS} gnubg"}
    program: Any = {name: line for name, line in options.items() if name == option}
    entry, two = (validate(pack, jobs=jobs, **program) for jobs in (1, 2))
    assert dumps(entry) == dumps(two)
    assert [str(failed) for failed in entry.failed] == [str(failed) for failed in two.failed]
    assert len(entry.failed) == 2
    assert len([match for match in two.matches if match.candidates]) == (5 if option else 0)
    assert len(two.diagnoses) == bool(option)


DIES = """import sys
from pathlib import Path
asked = Path(sys.argv[1]).with_name("asked")
asked.open("a").write("x")
if sys.argv[2].endswith("-02"):
    print('{"schema_version": 1, "matches": [{"players": {"Alice m26": {"moves": 61}}}]}')
else:
    sys.exit("no memory left")
"""


@pytest.mark.parametrize("jobs", long_but_first([1, 2]))
def test_program_that_fails_ten_times_in_a_row_is_asked_for_nothing_more(tmp_path, jobs):
    pack, script = pack_of(tmp_path / "pack", *[SMALL] * 15), tmp_path / "dies.py"
    script.write_text(DIES)
    command = shlex.join([sys.executable, str(script), str(script), "{match}"])
    result = validate(pack, command=command, jobs=jobs)
    whys = [part.why.partition(":")[0] for match in result.matches for part in match.not_compared]
    assert whys == ["ended with exit code 1"] * 12 + ["not asked"] * 2
    assert jobs > 1 or len((tmp_path / "asked").read_text()) == 13
    assert "failed 10 times in a row (in 2 matches: " in " ".join(result.remarks())
    assert "pack: 14 failures, " in in_form(result, "text")


@pytest.mark.long
def test_pair_of_a_pack_is_written_briefly(tmp_path):
    """Of a pack of hundreds nobody reads every ledger: what moves a figure is there, and the rest
    is in `compare --json`."""
    result = validate(pack_of(tmp_path, PAIR, SMALL))
    brief = document(result)["matches"][0]["pairs"][0]
    complete = document(comparison_document(result.matches[0].pairs[0].comparison))
    moving, every = (
        {
            (entry["player"], entry["metric"], step["code"]): step
            for entry in each["bridge"]
            for step in entry["steps"]
            if step["decisions"]
        }
        for each in (brief, complete)
    )
    assert moving == every
    assert brief["ledger"] == [row for row in complete["ledger"] if row["metric"] == "pr"]
    assert (brief["figures"], brief["games"]) == (complete["figures"], [])
    assert len(dumps(brief)) < len(dumps(complete)) / 12


MEASURED = """
import resource, sys
from reconcile.cli import run
sys.argv[1:] = ["validate", sys.argv[1], "--json", sys.argv[2], *sys.argv[3:]]
try:
    run()
except SystemExit as end:
    assert end.code == 0
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="measures in KB")
@pytest.mark.parametrize(
    "options", long_but_first([[], ["--harness", HARNESS, "--exit-zero"]], 0, 1)
)
def test_memory_does_not_grow_with_the_number_of_pairs(tmp_path, options):
    """A pair held in memory takes several MB, and so does the bridge to a program's figures."""
    used = []
    for count in (4, 20):
        pack = pack_of(tmp_path / str(count), SMALL, *[PAIR] * count)
        words = [sys.executable, "-c", MEASURED, str(pack), str(tmp_path / "result.json"), *options]
        done = subprocess.run(words, capture_output=True, text=True, check=True, timeout=300)
        used.append(int(done.stdout.splitlines()[-1]) / 1024)
    assert used[1] - used[0] < 40, used
