"""Matches that gnuBG exported as text: what is in their pages is what its `.sgf` has and what
it adds up itself, and what happens to pages that are not whole."""

from __future__ import annotations

import json
import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.formats import load_match, read_match
from reconcile.formats.archives import count, units
from reconcile.formats.gnubg_text import analysis, pages
from reconcile.match.board.play import play_text
from reconcile.match.columns import Columns, Kind
from reconcile.match.match import Match, fingerprint
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import Statistics, statistics
from tests.support import data as real
from tests.support.gnubg import needs_gnubg, terminal
from tests.support.long import long_but_first
from tests.support.printed_pages import archived, close_calls, disagreements, joined

DIGIT = 0.0005
COMPARED = (
    ("games", "number score crawford winner points resigned automatic_doubles", 0.0),
    ("plays", "game turn player dice cube owner validity analysed moved position", 0.0),
    ("plays", "best luck", DIGIT + 1e-6),
    ("plays", "played", 2 * DIGIT + 1e-6),
    ("cubes", "game turn player kind cube owner access recount_access answers_beaver", 0.0),
    ("cubes", "expected analysed position", 0.0),
)
"""Tables, columns of them, and how far they may be apart."""


def differing(left: Columns, right: Columns, names: list[str], within: float) -> Iterator[str]:
    """Columns in which two tables differ."""
    for name in names:
        here, there = (
            np.asarray(getattr(left, name), float),
            np.asarray(getattr(right, name), float),
        )
        if here.shape != there.shape or not np.allclose(
            here, there, rtol=0, atol=within, equal_nan=True
        ):
            yield name


def unlike(text: Match, saved: Match) -> list[str]:
    """In what the text of an analysis differs from its `.sgf`, beyond the digits that are
    printed."""
    result = [
        f"{table}.{name}"
        for table, names, within in COMPARED
        for name in differing(getattr(text, table), getattr(saved, table), names.split(), within)
    ]
    error = [np.nan_to_num(match.plays.best - match.plays.played) for match in (text, saved)]
    assert np.all(np.abs(error[0] - error[1]) <= text.plays.half + 1e-6)
    return result


HERE = Path(__file__).parent
FIRST, SECOND = (HERE / f"evening{number}.txt" for number in ("", "_002"))
PAGES = FIRST.read_text("utf-8") + SECOND.read_text("utf-8")


def read(text: str) -> Match:
    return read_match("evening.txt", text.encode())


@pytest.fixture(scope="module")
def match() -> Match:
    return load_match(FIRST)


@pytest.fixture(scope="module")
def saved() -> Match:
    """The same analysis as gnuBG saved it."""
    return load_match(HERE / "evening.sgf")


def test_match_and_equities_are_those_of_the_sgf_to_the_printed_digit(
    match: Match, saved: Match
) -> None:
    assert unlike(match, saved) == []
    source = match.source
    assert (source.format, source.tool, source.tool_version) == (
        "gnubg-text",
        "GNU Backgammon",
        "1.07.001",
    )
    assert (match.players, match.length, match.rules) == (saved.players, saved.length, saved.rules)
    assert (match.event, match.notes, match.complete) == ("Club evening", (), True)
    assert match.games.resigned.tolist() == [False, True]
    assert [level.label for level in match.levels] == ["0-ply cubeful"]
    assert match.plays.luck_mark.tolist() == saved.plays.luck_mark.tolist()
    for seat in (0, 1):
        mine, theirs = (statistics(each).figures(seat) for each in (match, saved))
        counts = [name for name in mine if name.startswith(("decisions", "errors", "doubtful"))]
        assert {name: mine[name] for name in counts} == {name: theirs[name] for name in counts}
        assert mine["equity_error.total"] == pytest.approx(theirs["equity_error.total"], abs=0.002)


def test_cube_actions_and_their_three_values(match: Match) -> None:
    cubes = match.cubes
    acted = [
        (Kind(kind).label, match.players[seat], int(cube))
        for kind, seat, cube in zip(cubes.kind, cubes.player, cubes.cube, strict=True)
        if kind != Kind.NO_DOUBLE
    ]
    assert acted == [
        ("double", "Ben", 1),
        ("double", "Ann", 2),
        ("take", "Ann", 1),
        ("pass", "Ben", 2),
    ]
    assert cubes.double_pass[cubes.analysed].tolist() == [1.0] * int(cubes.analysed.sum())
    take = int(np.flatnonzero(cubes.kind == Kind.TAKE)[0])
    doubled = int(np.flatnonzero((cubes.kind == Kind.DOUBLE) & (cubes.player == 1))[0])
    assert (
        cubes.double_take[take] == cubes.double_take[doubled]
    )  # in the view of the player who doubled


def test_candidates_as_printed(match: Match) -> None:
    row = next(row for row in range(len(match.plays)) if match.candidates(row)[-1].made)
    candidates = match.candidates(row)
    assert len(candidates) in (5, 6)
    assert sum(candidate.made for candidate in candidates) == 1
    assert all(len(candidate.probabilities) == 5 for candidate in candidates)
    assert candidates[0].equity == pytest.approx(match.plays.best[row])
    built = next(candidate for candidate in candidates if candidate.made)
    assert built.equity == match.plays.played[row]
    assert play_text(match.plays.position[row].tolist(), built.play) == play_text(
        match.plays.position[row].tolist(), match.plays.play[row]
    )


def test_pages_put_together_by_hand_are_the_same_match(match: Match) -> None:
    assert fingerprint(read(PAGES)) == fingerprint(match)
    assert fingerprint(read(SECOND.read_text("utf-8") + FIRST.read_text("utf-8"))) == fingerprint(
        match
    )
    assert (
        read_match("f", ("\ufeff" + PAGES.replace("\n", "\r\n")).encode()).source.format
        == "gnubg-text"
    )


def test_an_unanalysed_page_is_not_analysed() -> None:
    text = PAGES
    for line in [line for line in text.splitlines() if "Eq.:" in line]:
        text = text.replace(line + "\n", "")
    bare = read(text.replace("Cube analysis", "Nothing"))
    assert not bare.plays.analysed.any()
    assert not bare.cubes.analysed.any()
    assert statistics(bare).figures(0)["pr"] is None


ELSEWHERE = SECOND.read_text("utf-8").replace("Ben", "Eve")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A match of two pages, a match of one page of other players, and a text that is none."""
    for path in (FIRST, SECOND):
        shutil.copy(path, tmp_path)
    (tmp_path / "other_002.txt").write_text(ELSEWHERE)
    (tmp_path / "readme_002.txt").write_text("a text")
    (tmp_path / "readme.txt").write_text("another")
    return tmp_path


def names_and_games(*paths: Path) -> list[tuple[str, int]]:
    """Name and games of every match of some paths."""
    every = (
        (unit.name.replace("!", "/").rpartition("/")[2], match)
        for unit in units(list(map(str, paths)))
        for match in unit.matches()
    )
    return sorted((name, len(match.games)) for name, match in every)


WHOLE = [("evening.txt", 2), ("other_002.txt", 1)]


def test_a_folder_has_each_match_once_whatever_pages_are_named(folder: Path) -> None:
    assert names_and_games(folder) == WHOLE
    assert count([str(folder)]) == len(list(units([str(folder)]))) == 4
    assert next(units([str(folder)])).read() == FIRST.read_bytes() + SECOND.read_bytes()
    for named in (
        ["evening.txt", "evening_002.txt"],
        ["evening_002.txt", "evening.txt"],
        ["evening*.txt"],
    ):
        assert names_and_games(*(folder / name for name in named)) == WHOLE[:1]
    assert names_and_games(folder / "evening_002.txt") == [("evening_002.txt", 1)]


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("ending", ["zip", "tar", "tar.xz"])
def test_an_archive_has_each_match_once_in_whatever_order(
    folder: Path, ending: str, backwards: bool
) -> None:
    archive, pages_ = folder / f"all.{ending}", sorted(folder.glob("*.txt"), reverse=backwards)
    if ending == "zip":
        with zipfile.ZipFile(archive, "w") as zipped:
            for path in pages_:
                zipped.write(path, f"club/{path.name}")
    else:
        with tarfile.open(archive, f"w:{ending[4:]}") as packed:  # type: ignore[call-overload]
            for path in pages_:
                packed.add(path, f"club/{path.name}")
    assert names_and_games(archive) == WHOLE


def test_names_are_compared_whatever_the_bytes_behind_them(tmp_path: Path) -> None:
    """Beginnings of files are compared, and one of them ends within a letter."""
    first, second = (path.read_text("utf-8").replace("Ben", "Bén") for path in (FIRST, SECOND))
    (tmp_path / "evening.txt").write_text(first, "utf-8")
    (tmp_path / "evening_002.txt").write_text(second, "utf-8")
    assert names_and_games(tmp_path) == WHOLE[:1]
    heads = {"a.txt": first.encode()[:200] + b"\xc3", "a_002.txt": second.encode()[:200]}
    assert pages.together(heads, heads.__getitem__) == {"a.txt": ("a_002.txt",)}


def test_a_page_of_another_match_is_left_alone(tmp_path: Path) -> None:
    shutil.copy(FIRST, tmp_path)
    (tmp_path / "evening_002.txt").write_text(ELSEWHERE)
    assert names_and_games(tmp_path) == [("evening.txt", 1), ("evening_002.txt", 1)]
    alone = load_match(tmp_path / "evening.txt")
    assert not alone.complete
    assert [(note.code, note.evidence) for note in alone.notes] == [
        ("games-missing", "evening_002.txt beside it is of another match and was left out")
    ]
    with tarfile.open(tmp_path / "all.tar", "w") as packed:
        for path in sorted(tmp_path.glob("*.txt")):
            packed.add(path, path.name)
    assert names_and_games(tmp_path / "all.tar") == [("evening.txt", 1), ("evening_002.txt", 1)]


def test_a_missing_page_leaves_a_gap(tmp_path: Path) -> None:
    for first, third, numbers, evidence in (
        (False, False, [2], "game 1 of at least 2"),
        (True, True, [1, 3], "game 2 of at least 3"),
    ):
        folder = tmp_path / str(first)
        folder.mkdir()
        if first:
            shutil.copy(FIRST, folder)
        text = SECOND.read_text("utf-8").replace(
            "after 1 game)", "after 2 games)" if third else "after 1 game)"
        )
        (folder / f"evening_00{2 + third}.txt").write_text(text)
        match = load_match(folder / ("evening.txt" if first else "evening_002.txt"))
        assert match.games.number.tolist() == numbers
        assert [(note.code, note.evidence) for note in match.notes] == [
            ("games-missing", f"{evidence} not in the pages read")
        ]


def test_pages_kept_back_are_released_before_they_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pages, "MOST_HELD", 10_000)
    stream = pages.Stream()
    visited = []
    for number in range(1, 60):
        text = FIRST.read_text("utf-8").replace("Match statistics", "")
        visited += [name for name, _ in stream.add(f"m{number}.txt", text.encode())]
    assert len(visited) > 50
    assert len(visited) + len(list(stream.rest())) == 59


@pytest.mark.parametrize(
    ("percent", "low", "high"),
    [("11.8", 0.1175 * 1.0195, 0.1205), ("11.7", 0.1195, 0.1175 * 1.0205)],
)
def test_share_of_wrong_passes_narrows_what_a_wrong_double_costs(
    percent: str, low: float, high: float
) -> None:
    """The double would be right if this share were passed: so it costs the share of what a wrong
    pass gains, 1.020."""
    printed = (
        "\nCube analysis\n2-ply cubeless equity +0.050\n1. No double           +0.100\n"
        "2. Double, pass        +1.000  (+0.900)\n3. Double, take        -0.020  (-0.120)\n"
        f"Proper cube action: No double, take ({percent}%)\n"
    )
    values = analysis.cube_values(printed)
    assert values is not None
    assert (values.double_take.low, values.double_take.high) == pytest.approx((low, high), abs=1e-9)


def test_a_folder_with_the_name_of_a_page_is_none(tmp_path: Path) -> None:
    shutil.copy(FIRST, tmp_path)
    (tmp_path / "evening_002.txt").mkdir()
    assert len(load_match(tmp_path / "evening.txt").games) == 1


@pytest.mark.parametrize(
    "named", [("evening.txt", "evening_002.txt"), ("evening_002.txt", "evening.txt")]
)
def test_command_line_counts_a_match_named_page_by_page_once(
    folder: Path, named: tuple[str, str]
) -> None:
    result = CliRunner().invoke(
        main, ["stats", *(str(folder / name) for name in named), "--format", "json"]
    )
    assert json.loads(result.stdout)["match"]["games"] == 2


@pytest.mark.parametrize(
    "path", ["a\0_002.txt", f"{'a' * 5000}_002.txt", "nowhere/evening_002.txt", "."]
)
def test_a_name_that_is_no_file_is_left_to_its_reader(path: str) -> None:
    assert pages.first_pages([path, "evening.txt"]) == (path, "evening.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "evening.txt")
    writer = Thread(
        target=(tmp_path / "evening.txt").write_bytes, args=(FIRST.read_bytes(),), daemon=True
    )
    writer.start()
    assert len(load_match(tmp_path / "evening.txt").games) == 1
    writer.join(10)
    assert not writer.is_alive()


MATCHES = ("match1032699", "match1151563", "match1167175", "match1400751")
ANALYSES = 158
"""Of 79 matches, at 0 and at 4 plies."""
UNDECIDED = 6
"""Of 316 sides of the archive, those of whom gnuBG counts one close no-double more or less, by a
digit that it does not print."""


def is_possible(computed: Statistics, seat: int, metric: str, figure: float | None) -> bool:
    """Whether a figure is the computed one, or in its range where a digit that is not printed
    leaves it open."""
    mine = computed.figures(seat)[metric]
    low, high = open_range(computed).figures[seat].get(metric, (mine, mine))
    return (
        figure == mine if figure is None or low is None or high is None else low <= figure <= high
    )


@pytest.mark.parametrize("number", long_but_first(range(ANALYSES), 0, 6))
def test_turns_of_a_real_archive_give_the_totals_printed_below_them(
    data: Path, number: int
) -> None:
    name, content = list(archived().items())[number]
    match = read_match(name, content)
    assert not match.notes
    assert match.complete
    assert list(disagreements(match, content.decode())) == []


@pytest.mark.exhaustive
def test_few_close_no_doubles_hang_on_a_digit_that_is_not_printed(data: Path) -> None:
    assert len(archived()) == ANALYSES
    result = [
        call
        for name, content in archived().items()
        for call in close_calls(read_match(name, content), content.decode())
    ]
    assert len(result) == UNDECIDED
    assert all(abs(printed - computed) == 1 for _, printed, computed in result)


@pytest.mark.parametrize("plies", ["0-ply", "2-ply", "4-ply"])
@pytest.mark.parametrize("name", MATCHES)
def test_turns_of_single_matches_give_the_totals_printed_below_them(
    data: Path, plies: str, name: str
) -> None:
    first = data / "gnubg-text" / plies / f"{name}.txt"
    match = load_match(first)
    assert not match.notes
    assert list(disagreements(match, joined(first).decode())) == []


@pytest.mark.parametrize("plies", ["0-ply", "2-ply"])
@pytest.mark.parametrize("name", MATCHES)
def test_text_and_sgf_of_one_transcript_make_the_same_decisions(
    data: Path, plies: str, name: str
) -> None:
    """Both were analysed at the same ply, by two builds of one version, which differ in the third
    decimal of some equities."""
    text, match = (
        load_match(data / "gnubg-text" / plies / f"{name}.{end}") for end in ("txt", "sgf")
    )
    assert fingerprint(text) == fingerprint(match)
    seats = [match.players.index(player) for player in text.players]
    first, second = statistics(text, "gnubg"), statistics(match, "gnubg")
    for seat, other in enumerate(seats):
        mine, theirs = first.figures(seat), second.figures(other)
        for metric in ("decisions.checker", "decisions.take", "moves.total", "moves.unforced"):
            assert mine[metric] == theirs[metric]
        assert is_possible(first, seat, "decisions.double", theirs["decisions.double"])
        assert mine["equity_error.total"] == pytest.approx(theirs["equity_error.total"], abs=0.007)


@needs_gnubg
@pytest.mark.parametrize(
    "sgf",
    real.cases(
        "gnubg/m2[246]*.sgf",
        "gnubg/m[45]*.sgf",
        "gnubg/m[013]*.sgf",
        "real/*_2ply.sgf",
        "real/*_0ply.sgf",
        short=1,
        most=5,
    ),
)
def test_text_of_an_analysis_is_read_like_its_sgf(sgf: Path, tmp_path: Path) -> None:
    first = tmp_path / f"{sgf.stem}.txt"
    terminal(f'load match "{sgf}"\nexport match text "{first}"\n', tmp_path)
    text, match = load_match(first), load_match(sgf)
    if "unfinished_dice_rolled" in sgf.name or "setboard" in sgf.name or "cubeless" in sgf.name:
        pytest.skip(
            "the text has no roll that was not played, no hand-made play, and no word that the "
            "cube was not in use"
        )
    assert unlike(text, match) == []
    printed, saved = statistics(text, "gnubg"), statistics(match, "gnubg")
    for seat in (0, 1):
        theirs = saved.figures(seat)
        for metric in (
            "decisions.checker",
            "decisions.double",
            "decisions.take",
            "blunders.checker",
            "errors.checker",
            "doubtful.checker",
        ):
            assert is_possible(printed, seat, metric, theirs[metric])
