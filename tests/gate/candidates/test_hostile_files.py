"""Whatever a candidate's file holds, it is read or refused in one line."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration, UnreadableFile
from tests.gate.candidates.judging import only, refused, validate
from tests.gate.candidates.samples import ALICE, ZERO_PLY, file_of, own, plain, written
from tests.support.command_line import run
from tests.support.long import long_but_first

START = f"schema_version: 1\nmatches:\n  - match: {ZERO_PLY.name}\n    players:\n      {ALICE}: "
DEEP = 100_000
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "YAML tag": (
        START + "!!python/object/apply:os.system ['touch stolen']",
        "tags are not allowed",
    ),
    "YAML tag of a figure": (START + "{pr: !!float 1}", "tags are not allowed"),
    "billion laughs": ("a: &a [x, x]\nschema_version: 1\nb: [*a, *a]", "aliases are not allowed"),
    "YAML key twice": (START + "{pr: 1, pr: 2}", "given twice"),
    "short and full name": (START + "{decisions: 1, decisions.counted: 2}", "given twice"),
    "YAML nan": (START + "{pr: .nan}", "expected a number"),
    "YAML infinity": (START + "{pr: .inf}", "expected a number"),
    "YAML 1e999": (START + "{pr: 1e999}", "expected a number"),
    "long number": (START + "{pr: 1" + "0" * 5000 + "}", ""),
    "unknown metric": (START + "{prr: 1}", "no metric 'prr'"),
    "half a decision": (START + "{decisions: 1.5}", "expected a whole number"),
    "negative count": (START + "{decisions: -3}", "expected a whole number"),
    "figure that is a list": (START + "{pr: [1]}", "expected a number"),
    "figure that is true": (START + "{pr: true}", "expected a number"),
    "three players": (START + "{pr: 1}\n      B: {pr: 1}\n      C: {pr: 1}", "at most 2"),
    "unknown key": (START.replace("match:", "game: x\n    match:") + "{pr: 1}", "matches.0.game"),
    "other version": (START.replace(": 1", ": 2", 1) + "{pr: 1}", "schema_version"),
    "deep YAML": ("schema_version: 1\nmatches: " + "[" * 500, ""),
    "deep JSON": ("[" * DEEP + "]" * DEEP, "nested too deep"),
    "deep JSON objects": ('{"a":' * DEEP, "nested too deep"),
    "JSON nan": (json.dumps(plain({"players": {ALICE: {"pr": math.nan}}})), "NaN is not a figure"),
    "JSON infinity": (
        json.dumps(plain({"players": {ALICE: {"pr": math.inf}}})),
        "Infinity is not a figure",
    ),
    "JSON 1e999": (
        json.dumps(plain({"players": {ALICE: {"pr": 5}}})).replace("5", "1e999"),
        "expected a number",
    ),
    "JSON long number": (
        json.dumps(plain({"players": {ALICE: {"pr": 5}}})).replace("5", "9" * 9999),
        "expected JSON",
    ),
    "JSON without a match": (
        '{"schema_version": 1, "matches": []}',
        "matches: expected at least 1, found 0; see docs/candidates.md",
    ),
    "JSON without matches": (
        '{"schema_version": 1}',
        "matches: expected this key, found none; see docs/candidates.md",
    ),
    "JSON with an object for a list": (
        '{"schema_version": 1, "matches": {}}',
        "matches: expected a list; see docs/candidates.md",
    ),
    "JSON key twice": ('{"schema_version": 1, "schema_version": 1}', "given twice"),
    "JSON null byte": ('{"schema_version": "\0"}', "binary data"),
    "statistics that are none": (
        '{"Totals": [], "PRGlobal": 1, "PerMatch": []}',
        "expected an object",
    ),
    "statistics with a word": (
        '{"Totals": {"NumMatches": "x", "NumDecisions": 1}, "PRGlobal": 1, "PerMatch": []}',
        "expected a whole number",
    ),
    "CSV other columns": ("player,value\nA,1\n", "expected the columns player, metric, figure"),
    "CSV column twice": ("player,metric,figure,figure\nA,pr,1,2\n", "named twice"),
    "CSV short line": ("player,metric,figure\nA,pr\n", "expected 3 cells, found 2"),
    "CSV long line": ("player,metric,figure\nA,pr,1,5\n", "expected 3 cells, found 4"),
    "CSV open quote": ('player,metric,figure\n"A,pr,1\n', "expected CSV"),
    "CSV nan": ("player,metric,figure\nA,pr,nan\n", "expected a number"),
    "CSV without a line": ("player,metric,figure\n", "found only a header"),
    "CSV nobody": ("player,metric,figure\n,pr,1\n", "expected a name"),
    "CSV twice": ("player,metric,figure\nA,pr,1\nA,pr,1\n", "given twice"),
    "CSV length": (
        "player,metric,figure,length\nA,pr,1,7000\n",
        "expected a whole number from 1 to 64",
    ),
    "CSV analysis": ("player,metric,figure,analysis\nA,pr,1,snowie\n", "expected xg or gnubg"),
    "latin-1": (
        "player,metric,figure\nKévin,pr,1\n".encode("latin-1"),
        "expected UTF-8, found byte 0xe9",
    ),
    "utf-16": (START.encode("utf-16") + b"\0", ""),
    "binary": (bytes(range(256)) * 40, "expected UTF-8"),
    "zeros": (bytes(9000), "found only blanks"),
    "empty": (b"", "found nothing"),
    "prose": ("It is a fine day.\n", "expected a match"),
    "ELF": (Path(sys.executable).resolve().read_bytes()[:4096], ""),
    "SQLite that is none": (b"SQLite format 3\0" + bytes(500), ""),
    "broken XG": (b"RGMH" + bytes(500), ""),
    "broken SGF": (b"(;GM[6", ""),
    "broken XGID": ("XGID=aaaaaaaaaaaaaaaaaaaaaaaaaaaa:1:1:1:99:0:0:0:7:10\n", "expected an XGID"),
    "XGID alone": (
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n",
        "expected plays with their equities",
    ),
    "page without statistics": (
        "<html><body><table><tr><td>Chequerplay statistics</td></tr></table></body></html>",
        "found no figure",
    ),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_file_is_refused_in_one_line(tmp_path: Path, how: str) -> None:
    content, said = HOSTILE[how]
    message = refused(written(tmp_path / "candidate", content))
    assert said in message
    assert "candidate" in message
    assert not (tmp_path / "stolen").exists()


def test_huge_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(10 * 2**30)
    assert "found more than 16 MB" in refused(str(path), UnreadableFile)


ENDLESS = {
    "a line of blanks": "Overall statistics\nA" + " " * 1_000_000 + "\n",
    "words": "Chequerplay statistics\n" + "A  " * 1_000_000 + "\n",
    "columns": "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n1.  "
    + "a  " * 1_000_000
    + "\n",
    "open tags": "<html>" + "<a " * 1_000_000,
    "declarations": "<html>" + "<!" * 1_000_000,
    "keys": "{" + ", ".join(f'"{n}": 1' for n in range(300_000)) + ', "299999": 1}',
    "quotes": "player,metric,figure\n" + '"' * 1_000_000,
    "colons": "schema_version: 1\n" + "a: " * 60_000,
    "blanks": "Chequerplay statistics" + "\n" * 1_000_000,
}


@pytest.mark.parametrize("what", long_but_first(ENDLESS, 3))
def test_endless_text_is_refused(tmp_path: Path, what: str) -> None:
    """A reader whose work grows faster than the text would not come to its end."""
    refused(written(tmp_path / "candidate", ENDLESS[what]))


@pytest.mark.long
def test_many_figures_are_read(tmp_path: Path) -> None:
    rows = "".join(f"player {number},pr,1\n" for number in range(20_000))
    assert "expected" in refused(
        written(tmp_path / "a.csv", "player,metric,figure\n" + rows), InvalidConfiguration
    )


def test_standard_input_and_pipes_are_read_once(tmp_path: Path) -> None:
    text = json.dumps(
        plain({"match": ZERO_PLY.name, "players": {ALICE: own(file_of(ZERO_PLY), 0)}})
    )
    result = run("validate", ZERO_PLY, "--candidate", "-", stdin=text.encode())
    assert result.exit_code == 0
    assert "standard input counts like rule set gnubg" in result.output
    if os.name != "nt":
        os.mkfifo(tmp_path / "pipe")
        with subprocess.Popen(
            ["/bin/sh", "-c", f"cat > {tmp_path}/pipe"], stdin=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdin is not None
            writer.stdin.write(text)
            writer.stdin.close()
            assert only(validate(ZERO_PLY, candidates=[str(tmp_path / "pipe")])).candidate == "pipe"


@pytest.mark.parametrize(
    "given", ["absent.json", "", "nul\0", "absent.json#x", "#", "folder", "x" * 300]
)
def test_path_that_leads_nowhere_is_told(tmp_path: Path, given: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(given, UnreadableFile)


def test_link_beside_an_export_is_not_followed(tmp_path: Path) -> None:
    text = "Game statistics for game 1\n\nPlayer                                   A                       B\n\nChequerplay statistics\n\n"
    secret = tmp_path / "secret"
    secret.write_text(
        text.replace("Game statistics for game 1", "Match statistics")
        + "Unforced moves    1    2\n"
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a_002.txt").symlink_to(secret)
    assert "only those of a game" in refused(
        written(tmp_path / "in" / "a.txt", text), InvalidConfiguration
    )
