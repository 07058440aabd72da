"""Whatever a candidate's file holds, it is read, or refused in one line with its place."""

import json
import os
import subprocess
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.gate.candidates.reading import read_candidates, read_printed
from tests.gate.candidates.samples import (
    ALICE,
    BOB,
    FIELDS,
    ZERO_PLY,
    cases,
    document,
    file_of,
    only,
    own,
    plain,
    refused,
    rows_of,
    table,
    validate,
    written,
)
from tests.support.command_line import run
from tests.support.examples import examples
from tests.support.long import long_but_first
from tests.support.schemas import faults

DEEP = 100_000


def of(figures, more="", version=1):
    """A document whose figures are this text."""
    players = f'"players": {{"{ALICE}": {figures}{more}}}'
    return (
        f'{{"schema_version": {version}, "matches": [{{"match": "{ZERO_PLY.name}", {players}}}]}}'
    )


HEAD, LIST = "player,metric,figure\n", ",".join(FIELDS) + "\n1,1,Ann,play,1,0.5\n"


def spoilt():
    """The cases of `refused.yaml`: whole texts, figures of a sound document, and rows below a sound
    header."""
    texts: dict[str, Callable[[str], str]] = {
        "candidates": str,
        "figures": lambda figures: of(f"{{{figures}}}"),
        "rows of figures": HEAD.__add__,
        "rows of a list": LIST.__add__,
    }
    for section, text in texts.items():
        for name, (part, words) in cases(section).items():
            yield f"{section}: {name}", (text(part), words)


HOSTILE: dict[str, tuple[str | bytes, str]] = {
    **dict(spoilt()),
    "deep JSON": ("[" * DEEP + "]" * DEEP, "nested too deep"),
    "JSON long number": (of(f'{{"pr": {"9" * 9999}}}'), "expected JSON"),
    "list: endless turn": (LIST + f"1,{'9' * 5000},Ann,play,1,0\n", "turn: expected a whole"),
    "latin-1": ((HEAD + "Kévin,pr,1\n").encode("latin-1"), "expected UTF-8, found byte 0xe9"),
    "utf-16": (of("{}").encode("utf-16") + b"\0", ""),
    "binary": (bytes(range(256)) * 40, "expected UTF-8"),
    "empty": (b"", "found nothing"),
    "SQLite that is none": (b"SQLite format 3\0" + bytes(500), ""),
    "broken XG": (b"RGMH" + bytes(500), ""),
    "broken SGF": (b"(;GM[6", ""),
}


@pytest.mark.parametrize("how", HOSTILE)
def test_hostile_file_is_refused_in_one_line(tmp_path, how):
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
SPOILT = cases("spoilt")


def spoilt_document(kind, facts):
    """A sound document in which some facts are others: of the file, its match, or a list."""
    if kind == "decisions":
        return document(rows_of()[:3], **facts)
    return GOOD | facts if kind == "figures" else plain(GOOD["matches"][0] | facts)


@pytest.mark.parametrize(("kind", "how"), [(kind, how) for kind in SPOILT for how in SPOILT[kind]])
def test_spoilt_document_is_refused_by_reader_and_schema(tmp_path, kind, how):
    facts, words = SPOILT[kind][how]
    tree = spoilt_document(kind, facts)
    assert words in refused(written(tmp_path / "a.json", tree), InvalidConfiguration)
    assert faults("decisions" if kind == "decisions" else "figures", tree)


def test_sound_document_is_read_and_fits_its_schema(tmp_path):
    assert faults("figures", GOOD) == []
    assert read_candidates([written(tmp_path / "a.json", GOOD)])[0].claims


def test_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.write(b"[")
        file.truncate(10 * 2**30)
    assert "found more than 16 MB" in refused(path, UnreadableFile)
    monkeypatch.setattr("reconcile.gate.candidates.reading.MOST_ROWS", 5)
    message = refused(written(tmp_path / "a.csv", table(rows_of())), InvalidConfiguration)
    assert "expected 1 to 5 lines" in message


ENDLESS = {
    "keys": "{" + ", ".join(f'"{n}": 1' for n in range(300_000)) + ', "299999": 1}',
    "quotes": HEAD + '"' * 1_000_000,
    "blanks": HEAD + "\n" * 1_000_000,
    "players": HEAD + "".join(f"player {number},pr,1\n" for number in range(20_000)),
}


@pytest.mark.parametrize("text", long_but_first(ENDLESS, 3))
def test_endless_text_is_refused(tmp_path, text):
    """A reader whose work grows faster than the text would not come to its end."""
    refused(written(tmp_path / "candidate", ENDLESS[text]))


@settings(max_examples=examples(40))
@given(
    st.text(st.sampled_from("game,turn;player\tkind counted\nerror10.-\"'ANDé\u202e"), max_size=200)
)
def test_any_text_below_the_header_is_read_or_refused_in_one_line(text):
    message = ""
    try:
        read_printed("a.csv", (",".join(FIELDS) + "\n" + text).encode())
    except InvalidConfiguration as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 600


def test_standard_input_and_pipes_are_read_once(tmp_path):
    figures = {ALICE: own(file_of(ZERO_PLY), 0)}
    text = json.dumps(plain({"match": ZERO_PLY.name, "players": figures}))
    result = run("validate", ZERO_PLY, "--candidate", "-", stdin=text.encode())
    assert result.exit_code == 0
    assert "standard input agrees with rule set gnubg" in result.output
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
def test_path_that_leads_nowhere_is_refused(tmp_path, word):
    (tmp_path / "folder").mkdir()
    refused(word, UnreadableFile)
