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

DEEP = 100_000


def of(figures: str, more: str = "", version: int = 1) -> str:
    """A document whose figures are this text."""
    players = f'"players": {{"{ALICE}": {figures}{more}}}'
    return (
        f'{{"schema_version": {version}, "matches": [{{"match": "{ZERO_PLY.name}", {players}}}]}}'
    )


HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "YAML": (
        f"schema_version: 1\nmatches:\n  - players:\n      {ALICE}: {{pr: 1}}",
        "expected a match",
    ),
    "short and full name": (of('{"decisions": 1, "decisions.counted": 2}'), "given twice"),
    "figure twice": (of('{"pr": 1, "pr": 2}'), "given twice"),
    "unknown metric": (of('{"prr": 1}'), "no metric 'prr'"),
    "half a decision": (of('{"decisions": 1.5}'), "expected a whole number"),
    "negative count": (of('{"decisions": -3}'), "expected 0 or more"),
    "figure that is a list": (of('{"pr": [1]}'), "expected a number"),
    "figure that is true": (of('{"pr": true}'), "expected a number"),
    "decimal comma": (of('{"pr": "1,5"}'), "expected a number"),
    "three players": (of('{"pr": 1}', ', "B": {"pr": 1}, "C": {"pr": 1}'), "at most 2"),
    "unknown key": (of('{"pr": 1}').replace('"match"', '"game": 1, "match"'), "matches.0.game"),
    "other version": (of('{"pr": 1}', version=2), "schema_version"),
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
    "utf-16": (of("{}").encode("utf-16") + b"\0", ""),
    "binary": (bytes(range(256)) * 40, "expected UTF-8"),
    "zeros": (bytes(9000), "found only blanks"),
    "empty": (b"", "found nothing"),
    "prose": ("It is a fine day.\n", "expected a match"),
    "ELF": (Path(sys.executable).resolve().read_bytes()[:4096], ""),
    "SQLite that is none": (b"SQLite format 3\0" + bytes(500), ""),
    "broken XG": (b"RGMH" + bytes(500), ""),
    "broken SGF": (b"(;GM[6", ""),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_file_is_refused_in_one_line(tmp_path: Path, how: str) -> None:
    content, said = HOSTILE[how]
    message = refused(written(tmp_path / "candidate", content))
    assert said in message
    assert "candidate" in message


def test_huge_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(10 * 2**30)
    assert "found more than 16 MB" in refused(str(path), UnreadableFile)


ENDLESS = {
    "keys": "{" + ", ".join(f'"{n}": 1' for n in range(300_000)) + ', "299999": 1}',
    "quotes": "player,metric,figure\n" + '"' * 1_000_000,
    "blanks": "player,metric,figure" + "\n" * 1_000_000,
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
