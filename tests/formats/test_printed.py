"""Figures that gnuBG and XG print, pasted or exported: read whole, explained by the match, and
never the other player's; case by case in `printed.yaml`."""

import json
import re
from contextlib import suppress
from functools import cache

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare, UnknownName
from reconcile.formats.printed import read_pasted
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import EXPLORED, reported_by
from reconcile.scoring.figures import CUBE_PARTS
from reconcile.scoring.statistics import statistics
from tests.support.claims import some
from tests.support.command_line import XG, run
from tests.support.data import cases, label, matching, skipped_if_empty
from tests.support.loaded import loaded
from tests.support.long import long_but_first
from tests.support.pasted import SUMMARY
from tests.support.reported import met_of
from tests.support.tables import beside, cases_of

CASES = beside(__file__)


@cache
def tables(path):
    """The tables of a file of gnuBG's: of the match, then of each game."""
    return tuple(re.split(r"(?m)^(?=Player {3,})", path.read_text("utf-8"))[1:])


def values(pasted, column=0):
    """The figures of one player by their metric."""
    return {figure.metric: figure.value for figure in pasted.columns[column]}


TABLES = [
    pytest.param(path, number, (at + number) % 2, id=f"{label(path)}-{number or 'match'}")
    for at, path in enumerate(matching("gnubg/*.stats.txt"))
    for number in range(min(2, len(tables(path))))
]
"""Of the match and its first game."""


@pytest.mark.parametrize(
    ("path", "number", "seat"), long_but_first(skipped_if_empty(TABLES, 3), 2, 10)
)
def test_table_of_gnubg_explains_itself(path, number, seat):
    match = loaded(path.with_name(path.name.replace(".stats.txt", ".sgf")))
    game = int(match.games.number[number - 1]) if number else None
    parts = [statistics(match, "gnubg").completeness(each, game) for each in (seat, 1 - seat)]
    analysed = [part["checker"].analysed + part["cube"].analysed for part in parts]
    content = tables(path)[number].encode()
    if not any(analysed):
        with pytest.raises(InvalidConfiguration, match="analyse the match first"):
            read_pasted(path.name, content)
        return
    pasted = read_pasted(path.name, content)
    assert (pasted.program, pasted.players) == ("gnuBG", match.players)
    reported = reported_by(pasted, match, match.players[seat])
    assert len(reported) >= 8
    try:
        result = investigate(match, match.players[seat], reported, met=met_of(path), game=game)
    except NothingToCompare:
        assert not analysed[0]
        return
    total = statistics(match, "gnubg").figures(seat, game)["equity_error.total"]
    assert [
        (first.nearest, first.differences, first.decisions) for first in result.explanations[:1]
    ] == [("gnubg", (), ())] * (total is not None)  # or too little is analysed


@pytest.mark.parametrize("path", cases("gnubg/m04*.stats.txt"))
def test_every_figure_of_the_first_table_is_read(path):
    pasted = read_pasted("", path.read_bytes())
    assert pasted == read_pasted("", tables(path)[0].encode())
    mail = "".join(f"> {line}\n" for line in path.read_text().splitlines())
    assert pasted == read_pasted("", mail.encode())
    parts = {
        f"{group}.{part}" for group in ("equity_error", "mwc_loss_percent") for part in CUBE_PARTS
    }
    assert set(values(pasted)) == set(EXPLORED) - {"pr", "snowie_er"} | parts
    figures = values(pasted, 1)
    assert (figures["error_rate_memg"], figures["decisions.counted"]) == (21.6, 145)
    # Only marked moves, luck, doubles made, results and ratings are left.
    assert pasted.ignored == 17


@pytest.mark.parametrize("path", cases("gnubg-text/*/*.txt", short=4))
def test_statistics_of_a_text_export_are_chosen_by_their_title(path):
    text = path.read_text("utf-8")
    for number in some(re.findall(r"Game statistics for game (\d+)", text)):
        pasted = read_pasted("", text.encode(), int(number))
        assert len(pasted.columns) == 2
        assert len(pasted.columns[0]) >= (15 if not pasted.notes else 9)
    with pytest.raises(InvalidConfiguration, match="say which game with --game"):
        read_pasted("", text.encode(), 99)
    _, title, of_match = text.partition("Match statistics")
    if not title:
        with pytest.raises(InvalidConfiguration, match="the match, found: Game statistics for"):
            read_pasted("", text.encode())
        return
    moves = re.search(r"Unforced moves +(\d+)", of_match)
    assert moves is not None
    assert values(read_pasted("", text.encode()))["decisions.checker"] == int(moves[1])


@pytest.mark.parametrize("case", CASES["tables"].values(), ids=CASES["tables"])
def test_table_is_read_in_whatever_form(case):
    pasted = read_pasted("", case["text"].encode())
    assert [values(pasted, column) for column in (0, 1)] == [
        pytest.approx(figures) for figures in case["figures"]
    ]
    assert bool(pasted.players) == ("Player" in case["text"])
    assert len(pasted.notes) == ("noted" in case)
    assert case.get("noted", "") in "".join(pasted.notes)
    sums = [figure for figure in pasted.columns[0] if figure.metric == "equity_error.double"]
    assert [figure.half for figure in sums] == [0.001] * len(sums)  # of two parts with a cost


@pytest.mark.parametrize("path", cases("xg-summary/*.xg-summary.txt"))
def test_every_figure_of_a_real_summary_is_read(path):
    pasted = read_pasted(path.name, path.read_bytes())
    listed = path.with_name(path.name.replace("-summary.txt", "-reported.json"))
    reported = json.loads(listed.read_text("utf-8"))["xg"]
    assert (pasted.program, pasted.players) == ("XG", tuple(reported))
    assert (pasted.ignored, pasted.notes) == (0, ())
    for column, figures in enumerate(reported.values()):
        own = values(pasted, column)
        assert len(own) == 38
        for key, (metric, factor) in CASES["cells"].items():
            assert own[metric] == pytest.approx(factor * figures[key], abs=1e-9), key
    first, second = (figures["luck_based_elo"] for figures in reported.values())
    elo = [figure for column in pasted.columns for figure in column if figure.metric == "luck.elo"]
    half = (first - second) / 2
    assert [(each.value, each.text) for each in elo] == [(x, f"{x:.1f}") for x in (half, -half)]


@pytest.mark.parametrize(
    "path", cases("xg-summary/*.xg-summary.txt", "gnubg/m04_7pt_0ply.stats.txt")
)
def test_column_is_found_by_name_and_never_by_seat(path):
    stem = path.name.partition(".")[0].removesuffix("_0ply")
    match, content = loaded(path.with_name(f"{stem}_0ply.sgf")), path.read_bytes()
    pasted = read_pasted("", content)
    for name in match.players:
        figures = {each.metric: each.value for each in reported_by(pasted, match, name)}
        assert figures == values(pasted, pasted.players.index(name))
    renamed = content.replace(pasted.players[0].encode(), b"Carol", 1)
    with pytest.raises(UnknownName, match="Carol"):
        reported_by(read_pasted("", renamed), match, pasted.players[0])


@pytest.mark.parametrize("path", cases("xg-summary/composed/*.txt", short=1))
def test_summary_of_a_file_at_hand_needs_no_difference(data, path):
    (file,) = data.glob("real/charlot1*.xg")
    match, pasted = loaded(file), read_pasted("", path.read_bytes())
    for player in some(match.players):
        first = investigate(match, player, reported_by(pasted, match, player)).explanations[0]
        assert (first.nearest, first.differences) == ("xg", ())


def both(content):
    pasted = read_pasted("mail.txt", content)
    return [values(pasted, column) for column in (0, 1)]


WHOLE = both(SUMMARY.encode())
TABS_LOST = "lost trailing tabs", "tabs as blanks", "tabs collapsed"
ENCODINGS = "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"


@pytest.mark.parametrize("form", [*CASES["forms"], *ENCODINGS])
def test_forms_of_one_text_give_the_same_figures_but_those_of_which_it_is_not_said_whose_they_are(
    form,
):
    text = SUMMARY
    for pattern, other in CASES["forms"].get(form, {}).items():
        text = re.sub(pattern, other, text)
    content = text.encode(form if form in ENCODINGS else "utf-8")
    figures, (note, *_) = both(content), (*read_pasted("", content).notes, "")
    if form not in TABS_LOST:
        assert (figures, note) == (WHOLE, "")
        return
    assert note.startswith("Left out: ")
    for own, every in zip(figures, WHOLE, strict=True):
        assert own.items() < every.items()
        assert own.keys() >= {"pr", "decisions.counted", "luck.rolls"}


@pytest.mark.parametrize("number", range(1, len(SUMMARY.splitlines())))
def test_text_without_one_line_gives_no_other_figure(number):
    lines = SUMMARY.splitlines()
    with suppress(InvalidConfiguration):
        figures = both("\n".join(lines[:number] + lines[number + 1 :]).encode())
        assert all(own.items() <= every.items() for own, every in zip(figures, WHOLE, strict=True))


def test_empty_cell_is_nothing_lost_only_where_the_player_has_figures():
    ann, ben = WHOLE
    assert (ann["equity_error.missed_double"], ben["equity_error.wrong_double"]) == (0.0, 0.0)
    assert ann["errors.take"] == ann["blunders.take"] == 0
    emptied = re.sub(r"(?m)(?<=\t)[^\t\n]*$", "", SUMMARY).replace("\tAnn\t", "\tAnn\tBen")
    assert both(emptied.encode()) == [
        {metric: value for metric, value in ann.items() if metric != "luck.elo"},
        {},
    ]


@pytest.mark.parametrize(("old", "new", "words"), CASES["refused"])
def test_text_that_is_not_whole_is_refused_in_one_line(old, new, words):
    text = SUMMARY.replace(old, new) if old in SUMMARY else SUMMARY + SUMMARY
    with pytest.raises(InvalidConfiguration, match=words) as error:
        read_pasted("mail.txt", text.encode())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("file", "arguments", "text", "words", "code"), cases_of(__file__, "commands")
)
def test_command_takes_a_pasted_text(file, arguments, text, words, code):
    words_before = "investigate", file.replace("XG", XG), "--player", "nora", "--paste", "-"
    result = run(*words_before, *arguments, stdin=text.encode())
    assert words in " ".join(result.output.split())
    assert result.exit_code == code
