"""When and where a match was played and what was written about it: read from every format, kept by
`analyse`, given by `convert` and `stats`, removed by `--anonymise`; what a format cannot hold is
reported."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from struct import pack_into

import pytest

from reconcile.formats import load_match, read_match
from reconcile.formats.xg import records
from reconcile.formats.xg.comments import plain_text
from reconcile.formats.xg.container import HEADER_SIZE, archive, open_archive
from reconcile.gap.pairing import anonymised
from reconcile.match.columns import Kind
from reconcile.match.match import Match
from tests.support.command_line import XG, run
from tests.support.gnubg import needs_gnubg

COMMENT = "why?\nTwo lines \\] and a \\\\ of it"
SGF = (
    "(;FF[4]GM[6]CA[UTF-8]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Ben]"
    "DT[2026-09-16]EV[Öpen]RO[Final]PC[Paris, Café]"
    "GC[A \\] good\nmatch]RU[Crawford]RE[W+2]C[Before "
    f"all]\n;W[31hefe]C[{COMMENT}]\n;B[61mslm]\n;W[double]C[Early]\n;B[take]C[Brave]"
    "\n;W[52mkmh]\n;C[Of no decision]\n;B[42qusu]C[Last])"
    "(;GM[6]MI[length:5][game:1][ws:2][bs:0]PW[Ann]PB[Ben]RU[Crawford]GC[Second]"
    "\n;B[31qtst]\n;W[double]C[Again]\n;B[drop])"
)
WRITTEN = {
    (0, 1, Kind.PLAY): "why?\nTwo lines ] and a \\ of it",
    (0, 3, Kind.DOUBLE): "Early",
    (0, 3, Kind.TAKE): "Brave",
    (0, 3, Kind.PLAY): "Of no decision",
    (0, 4, Kind.PLAY): "Last",
    (1, 2, Kind.DOUBLE): "Again",
}
MAT = """\
; [Event "Club evening"]
; [Round "3"]
; [Site "Somewhere"]
; [EventDate "2024.05.06"]
; A long evening
# and a short one
5 point match

 Game 1
 Ann : 0                        Ben : 0
; Before all
  1) 31: 8/5 6/5                 64: 24/14
; Hit!
  2)  Doubles => 2               Takes
; Brave
"""
RESIGNED = f"{MAT}  3) 52: ????\n; Resigned too early\n      Wins 2 points\n"
PAGE = Path(__file__).with_name("gnubg_text") / "evening.txt"


def facts(match: Match) -> tuple[str, date | None, str, str, str]:
    return match.event, match.date, match.round, match.place, match.comment


def with_comments(content: bytes, texts: bytes, places: dict[tuple[int, int], int]) -> bytes:
    """An `.xg` file with the member of comments, and which record of a type points to which."""
    opened = open_archive("a.xg", content)
    members = {name: bytearray(opened.read(name)) for name in opened.members}
    kinds = members["temp.xg"][records.TYPE_OFFSET :: records.RECORD_SIZE]
    for (kind, nth), index in places.items():
        row = [at for at, each in enumerate(kinds) if each == kind][nth]
        offset = {records.MATCH_HEADER: 576, records.CUBE: 292, records.MOVE: 2524}[kind]
        pack_into("<i", members["temp.xg"], row * records.RECORD_SIZE + offset, index)
    everything = {name: bytes(member) for name, member in members.items()} | {"temp.xgc": texts}
    return content[:HEADER_SIZE] + archive(everything)


def test_sgf_has_everything_and_a_comment_of_no_decision_is_of_the_one_before() -> None:
    match = read_match("a.sgf", SGF.encode())
    day = date(2026, 9, 16)
    assert facts(match) == (
        "Öpen",
        day,
        "Final",
        "Paris, Café",
        "A ] good\nmatch\nBefore all\nSecond",
    )
    assert dict(match.comments) == WRITTEN


def test_transcript_has_headers_and_lines_of_comments() -> None:
    match = read_match("a.mat", MAT.encode())
    day, words = date(2024, 5, 6), "A long evening\nand a short one\nBefore all"
    assert facts(match) == ("Club evening", day, "3", "Somewhere", words)
    assert dict(match.comments) == {
        (0, 2, Kind.PLAY): "Hit!",
        (0, 3, Kind.TAKE): "Brave",
    }


def test_gnubg_page_has_its_match_information_and_annotations() -> None:
    text = PAGE.read_text("utf-8")
    first = text.index("\nMove number 1:")
    head = "\nMatch Information:\nEvent: Open\nRound: 3\nPlace: Paris\nComments: Long\n"
    second = text.index("Move number 2:")
    note = "\nAnnotation:\nwhy?\ntwo lines\n"
    match = read_match(
        "a.txt", (text[:first] + head + text[first:second] + note + text[second:]).encode()
    )
    assert facts(match) == ("Open", None, "3", "Paris", "Long")
    assert list(match.comments.values()) == ["why?\ntwo lines"]
    assert next(iter(match.comments))[:2] == (0, 1)


RTF = (
    rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\colortbl;}{\*\generator Riched;}\pard\fs20\f0 %b\par"
    + b"\x01\x02}"
)


@pytest.mark.parametrize(
    ("rtf", "text"),
    [
        (RTF % b"coup difficile", "coup difficile"),
        (RTF % rb"trouv\'e9 \'e0", "trouvé à"),
        (RTF % (rb"one\par" + b"\x01\x02two"), "one\ntwo"),
        (RTF % rb"\u1054?\u1083?", "Ол"),
        (RTF % rb"\b bold\b0  \{x\} \\", "bold {x} \\"),
        (b"plain", "plain"),
        (b"{\\rtf1 {{{ open", "open"),
        (b"", ""),
    ],
)
def test_rtf_is_read_as_its_text(rtf: bytes, text: str) -> None:
    assert plain_text(rtf) == text


def test_xg_has_headers_and_comments_of_match_play_and_cube() -> None:
    texts = b"\r\n".join(RTF % word for word in (b"Match", b"Play", b"Cube"))
    places = {(records.MATCH_HEADER, 0): 0, (records.MOVE, 0): 1, (records.CUBE, 1): 2}
    content = with_comments(Path(XG).read_bytes(), texts, places | {(records.MOVE, 2): 99})
    match = read_match("a.xg", content)
    assert match.comment == "Match"
    assert sorted(match.comments.values()) == ["Cube", "Play"]
    assert match.comments[0, 1, Kind.PLAY] == "Play"
    assert [turn for (_, turn, _), text in match.comments.items() if text == "Cube"] == [2]


def test_real_file_of_xg(data: Path) -> None:
    match = load_match(data / "real/match_with_comment.xg")
    day = date(2024, 10, 24)
    assert facts(match) == ("Entrainement live", day, "", "Café Jussieu, Paris", "")
    assert dict(match.comments) == {
        (0, 3, Kind.PLAY): "coup assez difficile",
        (0, 5, Kind.PLAY): "les double 66 sont toujpurs difficiles à trouver",
    }


def test_real_files_of_other_programs(data: Path) -> None:
    match = load_match(data / "bgblitz/bgf/MYdvw1qGuyaRUH__.bgf")
    assert (match.date, match.place) == (date(2026, 1, 6), "SampleServer")
    match = load_match(data / "field/gvab/MYdvw1qGuyaRUH__.fast.gvab")
    assert match.date == date(2026, 1, 6)


def sgf_with(comment: str) -> tuple[str, bytes]:
    return "a.sgf", SGF.replace("Brave", comment).encode()


def mat_with(comment: str) -> tuple[str, bytes]:
    return "a.mat", MAT.replace("Brave", comment).encode()


def xg_with(comment: str) -> tuple[str, bytes]:
    return "a.xg", with_comments(
        Path(XG).read_bytes(), comment.encode(), {(records.MATCH_HEADER, 0): 0}
    )


@pytest.mark.parametrize(
    ("written", "limit", "evidence"),
    [
        (sgf_with, 10_000, "game 1, turn 3: the first 10,000 of 10,001 bytes"),
        (mat_with, 1000, "line 15: the first 1,000 letters"),
        (xg_with, 10_000, "comment 1: the first 10,000 of 10,001 bytes of RTF"),
    ],
)
def test_comment_that_is_cut_is_noted(
    written: Callable[[str], tuple[str, bytes]], limit: int, evidence: str
) -> None:
    def cut(length: int) -> list[str]:
        notes = read_match(*written("x" * length)).notes
        return [note.evidence for note in notes if note.code == "comment-cut"]

    assert (cut(limit), cut(limit + 1)) == ([], [evidence])


def test_transcript_keeps_what_it_has_a_place_for_and_the_rest_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(SGF, "utf-8")
    result = run("convert", tmp_path / "a.sgf", "-o", tmp_path / "a.mat")
    match = load_match(tmp_path / "a.mat")
    assert facts(match) == facts(load_match(tmp_path / "a.sgf"))
    lost = [line for line in result.stderr.splitlines() if "is lost" in line]
    assert "the comment on game 1, turn 1 (play) is lost: 'why?" in lost[0]
    assert "and 1 more" in result.stderr


@pytest.mark.parametrize(
    ("word", "message"),
    [('The "Open"', "the event, 'The \"Open\"', is cut to 'The Open'"), ("x" * 300, "is cut to")],
)
def test_header_that_has_to_be_changed_is_reported(tmp_path: Path, word: str, message: str) -> None:
    (tmp_path / "a.sgf").write_text(SGF.replace("Öpen", word), "utf-8")
    assert message in run("convert", tmp_path / "a.sgf", "-o", tmp_path / "a.mat").stderr


def test_json_of_a_match_and_of_its_statistics_says_when_and_where(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_text(SGF, "utf-8")
    (tmp_path / "b.mat").write_text("1 point match\n Game 1\n A : 0  B : 0\n 1) 31: 8/5 6/5\n")
    expected = {"event": "Öpen", "date": "2026-09-16", "round": "Final", "place": "Paris, Café"}
    for name, words in (("a.sgf", expected), ("b.mat", dict.fromkeys(expected))):
        full = json.loads(run("convert", tmp_path / name).stdout)
        figures = json.loads(run("stats", tmp_path / name, "--format", "json").stdout)
        for document in (full, figures):
            assert {key: document["match"][key] for key in expected} == words
        assert "comment" not in figures["match"]
        comments = [each["comment"] for each in full["decisions"] if each["comment"]]
        assert comments == (list(WRITTEN.values()) if name == "a.sgf" else [])


@needs_gnubg
@pytest.mark.parametrize("text", [SGF, MAT, RESIGNED])
def test_analysis_of_gnubg_keeps_everything(tmp_path: Path, text: str) -> None:
    source = tmp_path / f"a.{'sgf' if text is SGF else 'mat'}"
    source.write_text(text, "utf-8")
    result = run("analyse", source, "--plies", "0", "--no-cache", "-o", tmp_path / "out.sgf")
    content, analysed = load_match(source), load_match(tmp_path / "out.sgf")
    assert facts(analysed) == facts(content)
    assert dict(analysed.comments) == dict(content.comments)
    assert "lost" not in result.stderr


@needs_gnubg
def test_analysis_reports_a_roll_that_nobody_recorded_as_lost(tmp_path: Path) -> None:
    source = tmp_path / "a.mat"
    source.write_text(f"{MAT}  3) 52: 13/8 13/11              00: ????\n", "utf-8")
    result = run("analyse", source, "--plies", "0", "--no-cache", "-o", tmp_path / "out.sgf")
    assert ": the unknown roll is lost" in result.stderr


@needs_gnubg
def test_what_the_record_for_gnubg_has_no_room_for_is_reported(tmp_path: Path) -> None:
    source = tmp_path / "a.sgf"
    source.write_text(SGF.replace("Öpen", "x" * 300), "utf-8")
    result = run("analyse", source, "--plies", "0", "--no-cache", "-o", tmp_path / "out.sgf")
    assert f"the event, '{'x' * 57}...', is cut to " in result.stderr


def test_anonymised_match_says_nothing_of_it() -> None:
    match = read_match("a.sgf", SGF.encode())
    for each in anonymised(match, match):
        assert facts(each) == ("", None, "", "", "")
        assert not each.comments
