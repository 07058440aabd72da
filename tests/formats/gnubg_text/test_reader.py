"""Matches that gnuBG exported as text: what is in their pages is what its `.sgf` has and what
it adds up itself, and what happens to pages that are not whole."""

import os
import re
import tarfile
from functools import cache
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.archives import count, units
from reconcile.formats.gnubg_text import lines
from reconcile.formats.gnubg_text import lines as pages
from reconcile.formats.printed import read_pasted
from reconcile.match.columns import Cubes, Kind
from reconcile.match.met import load_met
from reconcile.match.met.equity import equity_of, stakes
from reconcile.match.turns import fingerprint
from reconcile.scoring.open_rules import open_range
from reconcile.scoring.statistics import statistics
from tests.support import data as real
from tests.support.archive import archive_of
from tests.support.command_line import run
from tests.support.gnubg import SHIPPED, needs_gnubg, needs_tables, terminal
from tests.support.long import long_but_first

DIGIT = 0.0005
KAZAROSS = load_met("Kazaross-XG2")
COMPARED = (
    ("games", "number score crawford winner points resigned automatic_doubles", 0),
    ("plays", "game turn player dice cube owner validity analysed moved position luck_mark", 0),
    ("plays", "best luck", 1),
    ("plays", "played", 2),
    ("cubes", "game turn player kind cube owner access recount_access answers_beaver", 0),
    ("cubes", "expected analysed position", 0),
    ("cubes", "no_double double_take", 3),
)
"""Tables, columns of them, and how many halves of the last digit they may be apart."""


def unlike(text, saved, digits=3, met=None):
    """In what the text of an analysis differs from its `.sgf`, beyond the digits that are
    printed, of equities or by a table of chances."""
    for table, names, halves in COMPARED:
        if "_met_" in saved.source.path and (table, halves) == ("cubes", 3):
            continue  # chances of a table that the `.sgf` does not name
        columns = getattr(text, table)
        half = half_digit(text, columns, digits, met) if halves else 0.0
        for name in names.split():
            here, there = (np.asarray(getattr(columns, name), float), column(saved, table, name))
            within = np.maximum(half * halves, DIGIT * (name == "luck")) + 1e-5 * bool(halves)
            if here.shape != there.shape or (np.abs(here - there) > within).any():
                yield f"{table}.{name}"
            elif (np.isnan(here) != np.isnan(there)).any():
                yield f"{table}.{name}: unknown"
    here, there = (np.nan_to_num(each.plays.best - each.plays.played) for each in (text, saved))
    if (np.abs(here - there) > text.plays.half + 1e-5).any():
        yield "plays.half"


def column(match, table, name):
    """A column of a match, chances as equities."""
    values = np.asarray(getattr(getattr(match, table), name), float)
    if match.cube_unit == "emg" or name not in ("no_double", "double_take") or match.is_money:
        return values
    return equity_of(values, *chances_at_stake(match, match.cubes, KAZAROSS))


def chances_at_stake(match, table, met):
    """The chances after winning and after losing the cube, of the rows of a table; of an answer in
    the view of whoever doubled."""
    at_stake = stakes(match, met, int(table.cube.max(initial=1)))
    seat = table.player
    if isinstance(table, Cubes):
        seat = np.where(np.isin(table.kind, (Kind.TAKE, Kind.PASS)), 1 - seat, seat)
    return at_stake.of(table.game, seat, table.cube)


def half_digit(match, table, digits, met):
    """Half of the last digit that is printed (EMG): of an equity, or of a chance in percent, which
    has a digit less."""
    if met is None or match.is_money:
        return np.full(len(table), 0.5 * 10.0**-digits)
    win, lose = chances_at_stake(match, table, met)
    return 0.01 * 10.0 ** (1 - max(digits, 1)) / (win - lose).astype(float)


HERE = Path(__file__).parent
FIRST, SECOND = ((HERE / f"evening{number}.txt").read_text("utf-8") for number in ("", "_002"))
ELSEWHERE = SECOND.replace("Ben", "Eve")
THIRD = SECOND.replace("after 1 game)", "after 2 games)")


def read(text):
    return read_match("evening.txt", text.encode())


def is_possible(computed, seat, metric, figure):
    """Whether a figure is the computed one, or in its range where a digit that is not printed
    leaves it open."""
    mine = computed.figures(seat)[metric]
    low, high = open_range(computed).figures[seat].get(metric, (mine, mine))
    if figure is None or low is None or high is None:
        return figure == mine
    return low <= figure <= high


def test_match_and_equities_are_those_of_the_sgf_to_the_printed_digit():
    match, saved = load_match(HERE / "evening.txt"), load_match(HERE / "evening.sgf")
    assert list(unlike(match, saved)) == []
    assert (match.players, match.length, match.rules) == (saved.players, saved.length, saved.rules)
    for seat in (0, 1):
        mine, theirs = (statistics(each).figures(seat) for each in (match, saved))
        counts = [name for name in mine if name.startswith(("decisions", "errors", "doubtful"))]
        assert {name: mine[name] for name in counts} == {name: theirs[name] for name in counts}
    beyond = next(row for row in range(len(match.plays)) if match.candidates(row)[-1].made)
    candidates = match.candidates(beyond)
    assert [len(candidate.probabilities) for candidate in candidates] == [5] * len(candidates)
    assert candidates[0].equity == match.plays.best[beyond]
    assert candidates[-1].equity == match.plays.played[beyond]
    assert sorted(candidates[-1].play) == sorted(match.plays.play[beyond])


def test_pages_put_together_by_hand_are_the_same_match():
    match = fingerprint(load_match(HERE / "evening.txt"))
    for text in (FIRST + SECOND, SECOND + FIRST, "\ufeff" + (FIRST + SECOND).replace("\n", "\r\n")):
        assert fingerprint(read(text)) == match


def test_an_unanalysed_page_is_not_analysed():
    bare = read(re.sub(r".* Eq\.:.*\n", "", FIRST + SECOND).replace("Cube analysis", "Nothing"))
    assert not bare.plays.analysed.any()
    assert not bare.cubes.analysed.any()
    assert statistics(bare).figures(0)["pr"] is None


FOLDER = {
    "evening.txt": FIRST,
    "evening_002.txt": SECOND,
    "other_002.txt": ELSEWHERE,
    "readme_002.txt": "a text",
    "readme.txt": "another",
}
"""A match of two pages, a match of one page of other players, and a text that is none."""
ALONE = {"evening.txt": FIRST, "evening_002.txt": ELSEWHERE}
WHOLE = [("evening.txt", 2), ("other_002.txt", 1)]


def folder_of(folder, files):
    """A folder of files."""
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def names_and_games(*paths):
    """Name and games of every match of some paths."""
    return sorted(
        (unit.name.replace("!", "/").rpartition("/")[2], len(match.games))
        for unit in units(list(map(str, paths)))
        for match in unit.matches()
    )


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ([""], WHOLE),
        (["evening.txt", "evening_002.txt"], WHOLE[:1]),
        (["evening_002.txt", "evening.txt"], WHOLE[:1]),
        (["evening*.txt"], WHOLE[:1]),
        (["evening_002.txt"], [("evening_002.txt", 1)]),
    ],
)
def test_a_folder_has_each_match_once_whatever_pages_are_named(tmp_path, named, expected):
    paths = [folder_of(tmp_path, FOLDER) / name for name in named]
    assert names_and_games(*paths) == expected
    assert count([str(tmp_path)]) == len(list(units([str(tmp_path)]))) == 4
    assert next(units([str(tmp_path)])).read() == (FIRST + SECOND).encode()
    if len(named) == 2:
        assert '"games": 2' in run("stats", *paths, "--format", "json").stdout


@pytest.mark.parametrize("ending", ["zip", "tar", "tar.xz"])
@pytest.mark.parametrize(
    ("files", "expected"), [(FOLDER, WHOLE), (ALONE, [("evening.txt", 1), ("evening_002.txt", 1)])]
)
def test_an_archive_has_each_match_once_in_whatever_order(tmp_path, ending, files, expected):
    for backwards in (False, True):
        archive, names = tmp_path / f"all.{ending}", sorted(files, reverse=backwards)
        members = {f"club/{name}": files[name].encode() for name in names}
        archive.write_bytes(archive_of(ending, members))
        assert names_and_games(archive) == expected


@pytest.mark.parametrize(
    ("files", "games", "evidence"),
    [
        (ALONE, [1], "evening_002.txt beside it is of another match and was left out"),
        ({"evening_002.txt": SECOND}, [2], "game 1 of at least 2 not in the pages read"),
        (
            {"evening.txt": FIRST, "evening_003.txt": THIRD},
            [1, 3],
            "game 2 of at least 3 not in the pages read",
        ),
    ],
)
def test_a_page_that_is_missing_or_of_another_match_is_a_finding(tmp_path, files, games, evidence):
    match = load_match(folder_of(tmp_path, files) / next(iter(files)))
    assert match.games.number.tolist() == games
    assert [(note.code, note.evidence) for note in match.notes] == [("games-missing", evidence)]


def test_names_are_compared_whatever_the_bytes_behind_them(tmp_path):
    """Beginnings of files are compared, and one of them ends within a letter."""
    first, second = (text.replace("Ben", "Bén") for text in (FIRST, SECOND))
    folder_of(tmp_path, {"evening.txt": first, "evening_002.txt": second})
    assert names_and_games(tmp_path) == WHOLE[:1]
    heads = {"a.txt": first.encode()[:200] + b"\xc3", "a_002.txt": second.encode()[:200]}
    assert pages.together(heads, heads.__getitem__) == {"a.txt": ("a_002.txt",)}


def test_pages_kept_back_are_released_before_they_fill_the_memory(
    monkeypatch,
):
    monkeypatch.setattr(pages, "MOST_HELD", 10_000)
    stream, page = pages.Stream(), FIRST.replace("Match statistics", "").encode()
    released = [len(list(stream.add(f"m{number}.txt", page))) for number in range(59)]
    assert sum(released) > 50
    assert sum(released) + len(list(stream.rest())) == 59


@pytest.mark.parametrize(
    ("percent", "low", "high"),
    [("11.8", 0.1175 * 1.0195, 0.1205), ("11.7", 0.1195, 0.1175 * 1.0205)],
)
def test_share_of_wrong_passes_narrows_what_a_wrong_double_costs(percent, low, high):
    """The double would be right if this share were passed: so it costs the share of what a wrong
    pass gains, 1.020."""
    values = lines.cube_values(
        "\nCube analysis\n2-ply cubeless equity +0.050\n1. No double           +0.100\n"
        "2. Double, pass        +1.000  (+0.900)\n3. Double, take        -0.020  (-0.120)\n"
        f"Proper cube action: No double, take ({percent}%)\n",
        None,
    )
    assert values is not None
    assert (values.double_take.low, values.double_take.high) == pytest.approx((low, high), abs=1e-9)


def test_a_folder_with_the_name_of_a_page_is_none(tmp_path):
    folder_of(tmp_path, {"evening.txt": FIRST})
    (tmp_path / "evening_002.txt").mkdir()
    assert len(load_match(tmp_path / "evening.txt").games) == 1


@pytest.mark.parametrize(
    "path", ["a\0_002.txt", f"{'a' * 5000}_002.txt", "nowhere/evening_002.txt", "."]
)
def test_a_name_that_is_no_file_is_left_to_its_reader(path):
    assert pages.first_pages([path, "evening.txt"]) == (path, "evening.txt")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this system")
def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "evening.txt"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=(FIRST,), daemon=True)
    writer.start()
    assert len(load_match(pipe).games) == 1
    writer.join(10)
    assert not writer.is_alive()


ARCHIVE = real.FOLDER / "gnubg-text-archive" / "llabba.tar.xz"
ANALYSES = 158
"""Of 79 matches, at 0 and at 4 plies."""


@cache
def archived():
    """The pages of every match of the archive, joined, by plies and name: read once, since the
    archive is packed as one."""
    files: dict[str, dict[str, bytes]] = {}
    if ARCHIVE.is_file():
        with tarfile.open(ARCHIVE) as tar:
            for member in tar:
                file = tar.extractfile(member) if "/analyzed/" in member.name else None
                if file is not None:
                    plies, name = member.name.removesuffix(".txt").split("/")[-2:]
                    first = re.sub(r"_\d{3}$", "", name)
                    files.setdefault(f"{plies} {first}", {})[name] = file.read()
    return {
        key: b"".join(content for _, content in sorted(rows.items()))
        for key, rows in sorted(files.items())
    }


@pytest.mark.parametrize("place", long_but_first(range(ANALYSES), 0, 6))
def test_turns_of_a_real_archive_give_the_counts_printed_below_them(data, place):
    name, content = list(archived().items())[place]
    match = read_match(name, content)
    assert (match.notes, match.complete) == ((), True)
    computed = statistics(match, "gnubg")
    for seat, column in enumerate(read_pasted("", content).columns):
        counts = {each.metric: each.value for each in column if each.metric in OPEN}
        assert counts.keys() == {metric for metric in OPEN if metric.startswith("decisions")}
        for metric, number in counts.items():
            assert is_possible(computed, seat, metric, number), metric


OPEN = (
    "decisions.checker",
    "decisions.take",
    "decisions.double",
    "blunders.checker",
    "errors.checker",
    "doubtful.checker",
)


NOT_PRINTED = re.compile("unfinished_dice_rolled|setboard|cubeless")
"""The text has no roll that was not played, no hand-made play, and no word that the cube was not in
use."""
EXPORTED = ("gnubg/m2[246]*", "gnubg/m[45]*", "gnubg/m[013]*", "real/*_2ply", "real/*_0ply")


def exported(sgf, folder, *settings):
    """An analysis as gnuBG exports it with some settings."""
    first = folder / f"{sgf.stem}.txt"
    commands = [f'load match "{sgf}"', *settings, f'export match text "{first}"', ""]
    terminal("\n".join(commands), folder)
    return first


@needs_gnubg
@pytest.mark.parametrize("sgf", real.cases(*(f"{name}.sgf" for name in EXPORTED), short=1, most=5))
def test_text_of_an_analysis_is_read_like_its_sgf(sgf, tmp_path):
    if NOT_PRINTED.search(sgf.name):
        pytest.skip("not everything in it is printed")
    text, match = load_match(exported(sgf, tmp_path)), load_match(sgf)
    assert list(unlike(text, match)) == []
    printed, saved = statistics(text, "gnubg"), statistics(match, "gnubg")
    for seat in (0, 1):
        for metric in OPEN:
            assert is_possible(printed, seat, metric, saved.figures(seat)[metric])


@needs_gnubg
@pytest.mark.parametrize("met", [None, KAZAROSS], ids=["equities", "chances"])
@pytest.mark.parametrize("digits", long_but_first([6, 1, 2, 3, 4, 5], 2))
def test_text_is_read_to_its_digits_in_equities_and_in_chances(digits, met, tmp_path):
    setting = f"set output digits {digits}", f"set output mwc {'on' if met else 'off'}"
    text = load_match(exported(HERE / "evening.sgf", tmp_path, *setting))
    assert list(unlike(text, load_match(HERE / "evening.sgf"), digits, met)) == []


@pytest.mark.long
@needs_gnubg
@pytest.mark.parametrize("sgf", real.cases("gnubg/m0[1-9]*.sgf", "gnubg/m1*.sgf", short=0, most=12))
def test_chances_give_the_equities_at_every_score(sgf, tmp_path):
    if NOT_PRINTED.search(sgf.name):
        pytest.skip("not everything in it is printed")
    first = exported(sgf, tmp_path, "set output mwc on", "set output digits 6")
    assert list(unlike(load_match(first), load_match(sgf), 6, KAZAROSS)) == []


@needs_gnubg
@needs_tables
def test_chances_of_another_table_are_refused_until_it_is_named(tmp_path):
    table = f'set matchequitytable "{SHIPPED}/woolsey.xml"'
    first = exported(HERE / "evening.sgf", tmp_path, table, "set output mwc on")
    with pytest.raises(UnreadableFile, match="name gnuBG's table with --met"):
        load_match(first)
    saved, woolsey = load_match(HERE / "evening.sgf"), load_met("woolsey")
    text = load_match(first, met="woolsey")
    differing = {name for name in unlike(text, saved, 3, woolsey) if "double" not in name}
    assert differing == set()  # the `.sgf` has its cubes as chances of the other table


@needs_gnubg
def test_text_of_too_few_digits_is_refused(tmp_path):
    first = exported(HERE / "evening.sgf", tmp_path, "set output digits 0")
    with pytest.raises(UnreadableFile, match="too few digits"):
        load_match(first)


LANGUAGES = {
    "Czech": "Skóre (po 0 hrách) je: Ann 0, Ben 0 (zápas do 3 bodů)",
    "Danish": "Stillingen (efter 0 partier) er: Ann 0, Ben 0 (kamp til 3 point)",
    "German": "Der Spielstand (nach 0 Partie) ist: Ann 0, Ben 0 (Match auf 3 Punkte)",
    "Spanish": "El marcador (después de 0 juegos) es: Ann 0, Ben 0 (partida a 3 puntos)",
    "Finnish": "Tulos (0 pelatun pelin) on: Ann 0, Ben 0 (3 pisteen ottelu)",
    "French": "Le score (après 0 partie) est : Ann 0, Ben 0 (match en 3 points)",
    "Italian": "Il punteggio (dopo 0 games) è: Ann 0, Ben 0 (match a 3 punti)",
    "Japanese": "スコア (0 ゲーム後): Ann 0, Ben 0 (match to 3 points)",
    "Romanian": "Scorul (după 0 jocuri) este: Ann 0, Ben 0 (partidă la 3 puncte)",
    "Russian": "Счёт (после 0 игр): Ann 0, Ben 0 (встреча до 3 очков)",
    "another language": "Nobody knows (0): Ann 0, Ben 0",
}
"""First lines of gnuBG 1.07.001 in every language in which it translates them."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_in_another_language_is_named_with_the_way_out(language):
    text = FIRST.replace(FIRST.partition("\n")[0], LANGUAGES[language])
    with pytest.raises(UnreadableFile) as refused:
        read(text)
    assert f"found gnuBG's text in {language}; save the match as .sgf" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_files_as_people_have_them_are_read_or_named(data):
    digits, chances, bare = (
        load_match(data / "field" / f"{name}.txt")
        for name in ("gnubg-text-digits4-7pt", "gnubg-text-mwc-1pt", "noprob")
    )
    assert digits.plays.best[0] == 0.0298
    # In a match of one point the chance to win is the equity: 51.31 % and 50.54 %.
    assert chances.plays.best[0] == pytest.approx(0.0262, abs=1e-9)
    assert chances.plays.played[0] == pytest.approx(0.0108, abs=1e-4)
    assert chances.plays.luck[0] == pytest.approx(0.02614, abs=1e-9)
    assert bare.plays.analysed.all()
    with pytest.raises(UnreadableFile, match="gnuBG's text in German"):
        load_match(data / "field" / "gnubg-text-de.txt")
