"""Inputs made to cost are refused before the work is done, or the work grows with their size;
what is counted is the work, not the time."""

import json
from pathlib import Path

import pytest

from engine_benchmark import reader
from reconcile import formats
from reconcile.errors import InvalidConfiguration, UnreadableFile
from reconcile.files import limits
from reconcile.formats import load_match, read_match
from reconcile.gate.candidates import reading
from tests.support.command_line import SGF


@pytest.mark.parametrize("kind", ["decisions", "games"])
def test_match_larger_than_any_is_refused(kind, monkeypatch):
    match = load_match(SGF)
    number = len(match.games) if kind == "games" else len(match.plays) + len(match.cubes)
    monkeypatch.setattr(formats, f"MOST_{kind.upper()}", number)
    assert load_match(SGF).players == match.players
    monkeypatch.setattr(formats, f"MOST_{kind.upper()}", number - 1)
    with pytest.raises(
        UnreadableFile, match=f"expected at most {number - 1:,} {kind}, found {number:,}"
    ):
        read_match("match.sgf", Path(SGF).read_bytes())


def test_figures_of_very_many_matches_are_refused(tmp_path):
    path = tmp_path / "many.json"
    path.write_text(
        json.dumps(
            {
                "schema_version": 1,
                "matches": [{"players": {"Ann": {"pr": 1}}}] * (limits.MOST_CLAIMS + 1),
            }
        ),
        "utf-8",
    )
    with pytest.raises(InvalidConfiguration, match="matches: expected at most 2000, found 2001"):
        reading.read_candidates([str(path)])


def test_benchmark_file_of_comments_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(reader, "MOST_IDLE_LINES", 100)
    line = "m OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 0.1\n"
    path = tmp_path / "x.bm"
    path.write_text(f"s version x\n{'#' * 3}\n" * 40 + line + "#\n" * 80 + line, "utf-8")
    contents = reader.Contents(str(path))
    assert len(list(reader.read_benchmark(str(path), contents))) == 2
    path.write_text(line + "#\n" * 10**6, "utf-8")
    contents = reader.Contents(str(path))
    with pytest.raises(UnreadableFile, match="an m or o line among 100 lines"):
        list(reader.read_benchmark(str(path), contents))
    assert contents.lines == 101
