"""Whatever a candidate's file holds, it is read, or refused in one line with its place."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.gate.candidates.read import read_candidates, read_printed
from tests.gate.candidates.judging import only, refused, validate
from tests.gate.candidates.lists import FIELDS, document, rows_of, table
from tests.gate.candidates.samples import ALICE, BOB, ZERO_PLY, file_of, own, plain, written
from tests.support.command_line import run
from tests.support.examples import examples
from tests.support.long import long_but_first
from tests.support.schemas import faults

DEEP = 100_000


def of(figures: str, more: str = "", version: int = 1) -> str:
    """A document whose figures are this text."""
    players = f'"players": {{"{ALICE}": {figures}{more}}}'
    return (
        f'{{"schema_version": {version}, "matches": [{{"match": "{ZERO_PLY.name}", {players}}}]}}'
    )


HEAD, LIST = "player,metric,figure\n", ",".join(FIELDS) + "\n1,1,Ann,play,1,0.5\n"
HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "YAML": (f"schema_version: 1\nmatches:\n  - players: {{{ALICE}: 1}}", "expected a match"),
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
    "JSON nan": (json.dumps(plain({"players": {ALICE: {"pr": math.nan}}})), "NaN is not a figure"),
    "JSON 1e999": (of('{"pr": 1e999}'), "expected a number"),
    "JSON long number": (of(f'{{"pr": {"9" * 9999}}}'), "expected JSON"),
    "JSON without a match": (
        '{"schema_version": 1, "matches": []}',
        "matches: expected at least 1, found 0; see docs/candidates.md",
    ),
    "JSON without matches": ('{"schema_version": 1}', "matches: expected this key, found none"),
    "JSON with an object for a list": (
        '{"schema_version": 1, "matches": {}}',
        "matches: expected a list; see docs/candidates.md",
    ),
    "JSON key twice": ('{"schema_version": 1, "schema_version": 1}', "given twice"),
    "JSON null byte": ('{"schema_version": "\0"}', "binary data"),
    "CSV other columns": ("player,value\nA,1\n", "expected the columns player, metric, figure"),
    "CSV column twice": ("player,metric,figure,figure\nA,pr,1,2\n", "named twice"),
    "CSV short line": (HEAD + "A,pr\n", "expected 3 cells, found 2"),
    "CSV long line": (HEAD + "A,pr,1,5\n", "expected 3 cells, found 4"),
    "CSV open quote": (HEAD + '"A,pr,1\n', "expected CSV"),
    "CSV nan": (HEAD + "A,pr,nan\n", "expected a number"),
    "CSV without a line": (HEAD, "found only a header"),
    "CSV nobody": (HEAD + ",pr,1\n", "expected a name"),
    "CSV twice": (HEAD + "A,pr,1\nA,pr,1\n", "given twice"),
    "CSV length": ("player,metric,figure,length\nA,pr,1,7000\n", "less than or equal to 64"),
    "CSV analysis": ("player,metric,figure,analysis\nA,pr,1,snowie\n", "expected one of xg, gnubg"),
    "CSV three players": (HEAD + "A,pr,1\nB,pr,1\nC,pr,1\n", "expected one or two players"),
    "list: no column": (
        "game,turn,player,kind,counted\n1,1,A,play,1\n",
        "candidate:1: expected the columns game, turn, player, kind, counted, error",
    ),
    "list: other column": (LIST.replace("error", "error,eror", 1), "column 'eror'"),
    "list: column twice": (LIST.replace("error", "error,error", 1), "named twice"),
    "list: header alone": (",".join(FIELDS) + "\n", "found only a header"),
    "list: short line": (LIST + "1,2,Ann\n", "candidate:3: expected 6 cells, found 3"),
    "list: game 0": (
        LIST + "0,2,Ann,play,1,0\n",
        "candidate:3: game: expected a number greater than or equal to 1, found 0",
    ),
    "list: turn": (LIST + "1,2.5,Ann,play,1,0\n", "candidate:3: turn: expected a whole number"),
    "list: endless turn": (LIST + f"1,{'9' * 5000},Ann,play,1,0\n", "turn: expected a whole"),
    "list: kind": (LIST + "1,2,Ann,roll dice,1,0\n", "kind: expected one of play, no-double"),
    "list: counted": (
        LIST + "1,2,Ann,play,maybe,0\n",
        "counted: expected true or false, found 'maybe'",
    ),
    "list: comma": (LIST + '1,2,Ann,play,1,"0,5"\n', "error: expected a number"),
    "list: error": (LIST + "1,2,Ann,play,1,small\n", "error: expected a number as the program"),
    "list: infinite": (LIST + "1,2,Ann,play,1,1e999\n", "error: expected a number"),
    "list: nobody": (LIST + "1,2,,play,1,0\n", "player: expected a name, or 1 or 2"),
    "list: three players": (
        LIST + "1,2,Bob,play,1,0\n1,3,Cleo,play,1,0\n",
        "candidate:4: expected the decisions of two players, found a third, 'Cleo'",
    ),
    "list: unit": (
        LIST.replace("error\n", "error,unit\n").replace("0.5", "0.5,points"),
        "unit: expected 'equity' or 'mwc', found 'points'",
    ),
    "latin-1": ((HEAD + "Kévin,pr,1\n").encode("latin-1"), "expected UTF-8, found byte 0xe9"),
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
    content, words = HOSTILE[how]
    message = refused(written(tmp_path / "candidate", content))
    assert words in message
    assert "candidate" in message


GOOD = plain(
    {
        "match": ZERO_PLY.name,
        "length": 7,
        "analysis": "gnubg",
        "opponent": BOB,
        "players": {ALICE: {"snowie_er": None, "pr": "1.5"}},
    }
)
OF_FILE: list[dict[str, Any]] = [{"schema_version": 2}, {"matches": []}, {"x": 1}]
OF_MATCH: list[dict[str, Any]] = [
    {"players": {}},
    {"length": 0},
    {"analysis": "snowie"},
    {"players": {name: {"pr": 1} for name in "ABC"}},
    *({"players": {ALICE: figures}} for figures in ({"prr": 1}, {"pr": [1]}, {"pr": "1,5"})),
]
OF_LIST: list[dict[str, Any]] = [
    {"schema_version": 2},
    {"decisions": []},
    {"decisions": [5]},
    {"decisions": [{"game": 1}]},
    {"rows": 1},
    {"unit": "points"},
    {"length": 99},
]
SPOILT: list[tuple[str, dict[str, Any]]] = [
    *(("figures", GOOD | change) for change in OF_FILE),
    *(("figures", plain(GOOD["matches"][0] | change)) for change in OF_MATCH),
    *(("decisions", document(rows_of()[:3]) | change) for change in OF_LIST),
]


@pytest.mark.parametrize(("schema", "tree"), SPOILT)
def test_spoilt_document_is_refused_by_reader_and_schema(
    tmp_path: Path, schema: str, tree: dict[str, Any]
) -> None:
    refused(written(tmp_path / "a.json", tree), InvalidConfiguration)
    assert faults(schema, tree)
    assert faults("figures", GOOD) == []
    assert read_candidates([written(tmp_path / "a.json", GOOD)])[0].claims


def test_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(10 * 2**30)
    assert "found more than 16 MB" in refused(str(path), UnreadableFile)
    monkeypatch.setattr("reconcile.gate.candidates.interface.MOST_ROWS", 5)
    message = refused(written(tmp_path / "a.csv", table(rows_of())), InvalidConfiguration)
    assert "expected 1 to 5 lines" in message


ENDLESS = {
    "keys": "{" + ", ".join(f'"{n}": 1' for n in range(300_000)) + ', "299999": 1}',
    "quotes": HEAD + '"' * 1_000_000,
    "blanks": HEAD + "\n" * 1_000_000,
    "players": HEAD + "".join(f"player {number},pr,1\n" for number in range(20_000)),
}


@pytest.mark.parametrize("text", long_but_first(ENDLESS, 3))
def test_endless_text_is_refused(tmp_path: Path, text: str) -> None:
    """A reader whose work grows faster than the text would not come to its end."""
    refused(written(tmp_path / "candidate", ENDLESS[text]))


@settings(max_examples=examples(40))
@given(
    st.text(st.sampled_from("game,turn;player\tkind counted\nerror10.-\"'ANDé\u202e"), max_size=200)
)
def test_any_text_below_the_header_is_read_or_refused_in_one_line(text: str) -> None:
    message = ""
    try:
        read_printed("a.csv", (",".join(FIELDS) + "\n" + text).encode())
    except InvalidConfiguration as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 600


def test_standard_input_and_pipes_are_read_once(tmp_path: Path) -> None:
    figures = {ALICE: own(file_of(ZERO_PLY), 0)}
    text = json.dumps(plain({"match": ZERO_PLY.name, "players": figures}))
    result = run("validate", ZERO_PLY, "--candidate", "-", stdin=text.encode())
    assert result.exit_code == 0
    assert "standard input counts like rule set gnubg" in result.output
    if os.name != "nt":
        os.mkfifo(tmp_path / "pipe")
        words = ["/bin/sh", "-c", f"cat > {tmp_path}/pipe"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, text=True) as writer:
            assert writer.stdin is not None
            writer.stdin.write(text)
            writer.stdin.close()
            assert only(validate(ZERO_PLY, candidates=[str(tmp_path / "pipe")])).candidate == "pipe"


@pytest.mark.parametrize(
    "word", ["absent.json", "", "nul\0", "absent.json#x", "#", "folder", "x" * 300]
)
def test_path_that_leads_nowhere_is_refused(tmp_path: Path, word: str) -> None:
    (tmp_path / "folder").mkdir()
    refused(word, UnreadableFile)
