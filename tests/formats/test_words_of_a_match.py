"""When and where a match was played and what was written about it: read from every format, kept by
`analyse`, given by `stats`, removed by `--anonymise`; what a format cannot hold is
reported."""

import re
from pathlib import Path
from struct import pack_into

import pytest

from reconcile.formats import load_match, read_match
from reconcile.formats.xg import records
from reconcile.formats.xg.records import plain_text
from reconcile.gap.pairing import anonymised
from reconcile.match.columns import Kind
from tests.support.command_line import XG, json_of, run
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first
from tests.support.tables import beside, cases_of
from tests.support.xg_tampering import members_of, with_members

WORDS = beside(__file__, "words.yaml")
SGF, MAT = WORDS["texts"]["a.sgf"], WORDS["texts"]["a.mat"]
RESIGNED = f"{MAT}  3) 52: ????\n; Resigned too early\n      Wins 2 points\n"
FACTS = ("event", "date", "round", "place")


def words_of(match):
    """What was written about a match."""
    about = [
        [game, turn, Kind(kind).label, text] for (game, turn, kind), text in match.comments.items()
    ]
    facts = {name: getattr(match, name) for name in (*FACTS, "comment")}
    return {**facts, "comments": about}


def page(text):
    """A page of gnuBG with more in its head and below its first turn."""
    evening = (Path(__file__).with_name("gnubg_text") / "evening.txt").read_text("utf-8")
    head, first, rest = re.split(r"(?=\nMove number 1:)|(?=Move number 2:)", evening, maxsplit=2)
    return text.format(head=head, first=first, rest=rest)


def with_comments(content, texts, places):
    """An `.xg` file with the member of comments, and which record of a type points to which."""
    members = {name: bytearray(member) for name, member in members_of(content).items()}
    kinds = members["temp.xg"][records.TYPE_OFFSET :: records.RECORD_SIZE]
    for (kind, nth), index in places.items():
        row = [at for at, each in enumerate(kinds) if each == kind][nth]
        offset = {records.MATCH_HEADER: 576, records.CUBE: 292, records.MOVE: 2524}[kind]
        pack_into("<i", members["temp.xg"], row * records.RECORD_SIZE + offset, index)
    everything = {name: bytes(member) for name, member in members.items()} | {"temp.xgc": texts}
    return with_members(content, everything)


RTF = (
    rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\colortbl;}{\*\generator Riched;}\pard\fs20\f0 %b\par"
    + b"\x01\x02}"
)


@pytest.mark.parametrize(("body", "text"), cases_of(__file__, "rtf"))
def test_rtf_is_read_as_its_text(body, text):
    assert plain_text(RTF % body.encode("latin-1")) == text


@pytest.mark.parametrize("raw", [b"plain", b"", b"{\\rtf1 {{{ open"])
def test_what_is_no_rtf_is_read_as_far_as_it_is_text(raw):
    assert plain_text(raw) == raw.decode().removeprefix("{\\rtf1 {{{ ")


def test_xg_has_headers_and_comments_of_match_play_and_cube():
    texts = b"\r\n".join(RTF % word for word in (b"Match", b"Play", b"Cube"))
    places = {(records.MATCH_HEADER, 0): 0, (records.MOVE, 0): 1, (records.CUBE, 1): 2}
    content = with_comments(Path(XG).read_bytes(), texts, places | {(records.MOVE, 2): 99})
    match = read_match("a.xg", content)
    assert match.comment == "Match"
    assert sorted(match.comments.values()) == ["Cube", "Play"]
    assert match.comments[0, 1, Kind.PLAY] == "Play"
    assert [turn for (_, turn, _), text in match.comments.items() if text == "Cube"] == [2]


@pytest.mark.parametrize("name", WORDS["read"])
def test_what_was_written_is_read(name, request):
    text = WORDS["texts"].get(name)
    if text is None:
        match = load_match(request.getfixturevalue("data") / name)
    else:
        match = read_match(name, (page(text) if name == "a.txt" else text).encode())
    assert words_of(match).items() >= WORDS["read"][name].items()


@pytest.mark.parametrize(
    ("name", "limit", "evidence"),
    cases_of(__file__, "comment that is cut is noted"),
)
def test_comment_that_is_cut_is_noted(name, limit, evidence):
    def cut(length):
        comment = "x" * length
        content = WORDS["texts"].get(name, "").replace("Brave", comment).encode()
        if not content:
            places = {(records.MATCH_HEADER, 0): 0}
            content = with_comments(Path(XG).read_bytes(), comment.encode(), places)
        notes = read_match(name, content).notes
        return [note.evidence for note in notes if note.code == "comment-cut"]

    assert (cut(limit), cut(limit + 1)) == ([], [evidence])


def test_transcript_keeps_what_it_has_a_place_for_and_the_rest_is_reported(tmp_path):
    (tmp_path / "a.sgf").write_text(SGF, "utf-8")
    result = run("convert", tmp_path / "a.sgf", "-o", tmp_path / "a.mat")
    written, source = (words_of(load_match(tmp_path / f"a.{end}")) for end in ("mat", "sgf"))
    assert written | {"comments": []} == source | {"comments": []}
    assert "the comment on game 1, turn 1 (play) is lost: 'why?" in result.stderr
    assert "and 1 more" in result.stderr


@pytest.mark.parametrize(
    ("word", "message"),
    [('The "Open"', "the event, 'The \"Open\"', is cut to 'The Open'"), ("x" * 300, "is cut to")],
)
def test_header_that_has_to_be_changed_is_reported(tmp_path, word, message):
    (tmp_path / "a.sgf").write_text(SGF.replace("Öpen", word), "utf-8")
    assert message in run("convert", tmp_path / "a.sgf", "-o", tmp_path / "a.mat").stderr


@pytest.mark.parametrize("text", [SGF, "1 point match\n Game 1\n A : 0  B : 0\n 1) 31: 8/5 6/5\n"])
def test_json_of_the_statistics_of_a_match_says_when_and_where(tmp_path, text):
    (tmp_path / "a").write_text(text, "utf-8")
    words = words_of(load_match(tmp_path / "a"))
    figures = json_of("stats", tmp_path / "a", "--format", "json")
    facts = {name: figures["match"][name] or None for name in FACTS}
    assert facts == {name: str(words[name]) if words[name] else None for name in FACTS}
    assert "comment" not in figures["match"]


def analysed(tmp_path, text):
    """A match, what gnuBG's analysis made of it, and what was reported."""
    source, out = tmp_path / f"a.{'sgf' if text[0] == '(' else 'mat'}", tmp_path / "out.sgf"
    source.write_text(text, "utf-8")
    return source, out, run("analyse", source, "--plies", "0", "--no-cache", "-o", out).stderr


@needs_gnubg
@pytest.mark.parametrize("text", long_but_first([SGF, MAT, RESIGNED], 1))
def test_analysis_of_gnubg_keeps_everything(tmp_path, text):
    source, out, reported = analysed(tmp_path, text)
    assert words_of(load_match(out)) == words_of(load_match(source))
    assert "lost" not in reported


@needs_gnubg
@pytest.mark.parametrize(
    ("text", "words"),
    long_but_first(
        [
            (f"{MAT}  3) 52: 13/8 13/11              00: ????\n", ": the unknown roll is lost"),
            (SGF.replace("Öpen", "x" * 300), f"the event, '{'x' * 57}...', is cut to "),
        ]
    ),
)
def test_what_the_record_for_gnubg_has_no_room_for_is_reported(tmp_path, text, words):
    assert words in analysed(tmp_path, text)[-1]


def test_anonymised_match_says_nothing_of_it():
    match = read_match("a.sgf", SGF.encode())
    for each in anonymised(match, match):
        assert not any(words_of(each).values())
