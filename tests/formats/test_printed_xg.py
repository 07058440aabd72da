"""XG's summary of a match is read whole, and never gives the wrong player's figure."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
import yaml

from reconcile.errors import InvalidConfiguration, UnknownName
from reconcile.formats.printed import read_pasted
from reconcile.infer.investigation import investigate
from reconcile.infer.reported import reported_by
from tests.support.claims import some
from tests.support.data import cases
from tests.support.loaded import loaded
from tests.support.pasted import SUMMARY, values

CASES = yaml.safe_load(Path(__file__).with_name("summaries.yaml").read_text("utf-8"))


def changed(case: dict[str, str]) -> str:
    """The summary with the change of a case."""
    assert case["old"] in SUMMARY
    return SUMMARY.replace(case["old"], case["new"])


def both(text: str | bytes) -> list[dict[str, float]]:
    pasted = read_pasted("", text.encode() if isinstance(text, str) else text)
    assert [name.lower() for name in pasted.players] == ["ann", "ben"]
    assert pasted.notes == ()
    return [values(pasted, column) for column in (0, 1)]


@pytest.mark.parametrize("path", cases("xg-summary/*.xg-summary.txt"))
def test_every_figure_of_a_real_summary_is_read(path: Path) -> None:
    pasted = read_pasted(path.name, path.read_bytes())
    reported = json.loads(
        path.with_name(path.name.replace("-summary.txt", "-reported.json")).read_text("utf-8")
    )["xg"]
    assert pasted.players == tuple(reported)
    assert (pasted.program, pasted.ignored, pasted.notes) == ("XG", 0, ())
    for column, figures in enumerate(reported.values()):
        own = values(pasted, column)
        assert len(own) == 38
        for key, (metric, factor) in CASES["cells"].items():
            assert own[metric] == pytest.approx(factor * figures[key], abs=1e-9), key
    elo = [figures["luck_based_elo"] for figures in reported.values()]
    assert [values(pasted, column)["luck.elo"] for column in (0, 1)] == [
        (elo[0] - elo[1]) / 2,
        (elo[1] - elo[0]) / 2,
    ]
    assert [figure.text for figure in pasted.columns[0] if figure.metric == "luck.elo"] == [
        f"{(elo[0] - elo[1]) / 2:.1f}"
    ]


@pytest.mark.parametrize("path", cases("xg-summary/*.xg-summary.txt"))
def test_column_is_found_by_name_and_not_by_seat(path: Path) -> None:
    match = loaded(path.with_name(path.name.replace(".xg-summary.txt", "_0ply.sgf")))
    pasted = read_pasted("", path.read_bytes())
    for name in match.players:
        assert {each.metric: each.value for each in reported_by(pasted, match, name)} == values(
            pasted, pasted.players.index(name)
        )
    renamed = path.read_text("utf-8").replace("lasse", "somebody", 1)
    with pytest.raises(UnknownName, match="somebody"):
        reported_by(read_pasted("", renamed.encode()), match, "lasse")


@pytest.mark.parametrize("path", cases("xg-summary/composed/*.txt", short=1))
def test_summary_of_a_file_at_hand_needs_no_difference(data: Path, path: Path) -> None:
    (file,) = data.glob("real/charlot1*.xg")
    match, pasted = loaded(file), read_pasted("", path.read_bytes())
    for player in some(match.players):
        first = investigate(match, player, reported_by(pasted, match, player)).explanations[0]
        assert (first.nearest, first.differences) == ("xg", ())


FORMS = {
    "crlf": SUMMARY.replace("\n", "\r\n"),
    "no-break spaces": SUMMARY.replace(" (", "\N{NO-BREAK SPACE}(").replace(
        "   ", 3 * "\N{NO-BREAK SPACE}"
    ),
    "decimal points": re.sub(r"(\d),(\d)", r"\1.\2", SUMMARY),
    "lower case": SUMMARY.lower(),
    "blank lines": SUMMARY.replace("\n", "\n\n"),
    "lost trailing tabs": "\n".join(map(str.rstrip, SUMMARY.splitlines())),
    "tabs as blanks": SUMMARY.replace("\t", "    "),
    "single blanks": re.sub(r"[ \t]+", " ", SUMMARY),
    "tabs collapsed": re.sub(r"\t+", "\t", SUMMARY),
    "quoted": "".join(f"> {line}\n" for line in SUMMARY.splitlines()),
    "other bullets": SUMMARY.replace("\N{BULLET}", "*"),
    "minus signs": SUMMARY.replace("-0", "\N{MINUS SIGN}0"),
    "text around": f"Decisions were hard, see 3 matches.\n\n{SUMMARY}\nDecisions are never easy "
    "12\nYours, 7\n",
}


ENCODINGS = {
    encoding: SUMMARY.encode(encoding)
    for encoding in ("utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
}


@pytest.mark.parametrize("form", [*FORMS, *ENCODINGS])
def test_forms_of_one_text_give_the_same_figures_in_the_encodings_of_clipboards_too(
    form: str,
) -> None:
    assert both(ENCODINGS[form] if form in ENCODINGS else FORMS[form]) == both(SUMMARY)


@pytest.mark.parametrize("number", range(len(SUMMARY.splitlines())))
def test_text_without_one_line_gives_no_other_figure(number: int) -> None:
    lines = SUMMARY.splitlines()
    text = "\n".join(lines[:number] + lines[number + 1 :]).encode()
    if number == 0 or "(Blunders)" in lines[number] or "Jokers" in lines[number]:
        with pytest.raises(InvalidConfiguration):
            read_pasted("", text)
        return
    pasted = read_pasted("", text)
    for column, figures in enumerate(both(SUMMARY)):
        assert values(pasted, column).items() <= figures.items()


def test_empty_cell_is_nothing_lost_only_where_the_player_has_figures() -> None:
    ann, ben = both(SUMMARY)
    assert (ann["equity_error.missed_double"], ben["equity_error.wrong_double"]) == (0.0, 0.0)
    assert ann["errors.take"] == ann["blunders.take"] == 0
    emptied = "\n".join(
        line.rpartition("\t")[0] + "\t" if number else line
        for number, line in enumerate(SUMMARY.splitlines())
    )
    pasted = read_pasted("", emptied.encode())
    assert values(pasted, 1) == {}
    assert values(pasted, 0) == {
        metric: value for metric, value in ann.items() if metric != "luck.elo"
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [(changed(case), case["words"]) for case in CASES["refused"]]
    + [(SUMMARY + SUMMARY, "two matches")],
)
def test_text_that_is_not_whole_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(InvalidConfiguration, match=words) as error:
        read_pasted("mail.txt", text.encode())
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("case", CASES["uncertain"], ids=str)
def test_single_figure_that_no_sum_assigns_is_refused_where_tabs_are_lost(
    case: dict[str, str],
) -> None:
    text = changed(case)
    for lost in (re.sub(r"\t+", "\t", text), text.replace("\t", "   ")):
        with pytest.raises(InvalidConfiguration, match="does not say whose"):
            read_pasted("mail.txt", lost.encode())


@pytest.mark.parametrize("case", CASES["contradictions"], ids=str)
def test_rows_that_contradict_each_other_get_a_sentence(case: dict[str, str]) -> None:
    notes = read_pasted("", changed(case).encode()).notes
    assert any(case["words"] in note for note in notes), notes


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 400_000,
        " " * 400_000,
        "Decisions " * 40_000,
        "Decisions\t" * 40_000,
        ("Unforced moves" + " " * 480 + "\n") * 800,
        "9" * 400_000,
    ],
    ids=["lines", "blanks", "labels", "tabs", "wide", "digits"],
)
@pytest.mark.parametrize("head", ["Chequerplay statistics\n", SUMMARY], ids=["gnuBG", "XG"])
def test_time_is_linear_in_the_text(head: str, text: str) -> None:
    """Four times the text takes 4 times as long, and 16 times where the time is that of the square;
    the quickest of several counts."""

    def seconds(part: str) -> float:
        start = process_time()
        with suppress(InvalidConfiguration):
            read_pasted("", (head + part).encode())
        return process_time() - start

    assert any(seconds(text) < 8 * seconds(text[: len(text) // 4]) + 0.05 for _ in range(9))
