"""The lines of XG's statistics window are understood in four languages and never guessed at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.adapters.printed import read_pasted
from reconcile.diagnosis.investigation import investigate
from reconcile.diagnosis.reported import EXPLORED, reported_by
from reconcile.errors import InvalidConfiguration
from tests.support.data import label, matching, skipped_if_empty
from tests.support.loaded import loaded
from tests.support.pasted import values
from tests.support.reported import WINDOW, match_file

ENGLISH = """
Performance Rating          0.39      0.42
Total decisions             90        79
Checker decisions           85        64
Double decisions            3         13
Take decisions              2         2
Total error (EMG)           -0.070 (-0.76%)     -0.066 (-0.91%)
Checker play error (EMG)    -0.070 (-0.76%)     -0.058 (-0.85%)
Double error (EMG)          0.000 (0.00%)       -0.008 (-0.05%)
Take error (EMG)            0.000 (0.00%)       0.000 (0.00%)
"""
GERMAN = """
PR                          0,39      0,42
Entscheidungen gesamt       90        79
Zugentscheidungen           85        64
Doppelentscheidungen        3         13
Annahmeentscheidungen       2         2
Fehler gesamt               \N{MINUS SIGN}0,070 (\N{MINUS SIGN}0,76 %)   -0,066 (-0,91%)
Fehler Züge                 -0,070    -0,058
Fehler Doppeln              0,000     -0,008
Fehler Annehmen/Ablehnen    0,000     0,000
"""
FRENCH = """
PR                          0,39      0,42
Décisions (total)           90        79
Décisions de coups          85        64
Décisions de double         3         13
Décisions de prise          2         2
Erreur totale (EMG)         -0,070    -0,066
Erreurs de coups            -0,070    -0,058
Erreurs de double           0,000     -0,008
Erreurs prend/passe         0,000     0,000
MWC perdue, total           0,76%     0,91%
"""
JAPANESE = """
PR                          0.39      0.42
合計ディシジョン              90        79
ムーブ ディシジョン           85        64
ダブル ディシジョン           3         13
テイク ディシジョン           2         2
合計エラー                   -0.070 (-0.76%)   -0.066 (-0.91%)
ムーブ エラー                -0.070    -0.058
ダブル エラー                0.000     -0.008
テイク エラー                0.000     0.000
"""
WINDOWS = {"English": ENGLISH, "German": GERMAN, "French": FRENCH, "Japanese": JAPANESE}


@pytest.mark.parametrize("language", WINDOWS)
def test_lines_of_xg_s_window_are_understood(language: str) -> None:
    pasted = read_pasted("", WINDOWS[language].encode())
    assert (pasted.program, pasted.ignored, len(pasted.columns)) == ("XG", 0, 2)
    first, second = values(pasted), values(pasted, 1)
    assert first == first | {"pr": 0.39, "decisions.counted": 90, "decisions.checker": 85, "decisions.double": 3, "decisions.take": 2}
    assert second == second | {"pr": 0.42, "decisions.counted": 79, "decisions.checker": 64, "decisions.double": 13, "decisions.take": 2}
    assert second == second | {
        "equity_error.total": 0.066,
        "equity_error.checker": 0.058,
        "equity_error.double": 0.008,
        "equity_error.take": 0,
        "mwc_loss_percent.total": 0.91,
    }


@pytest.mark.parametrize("language", WINDOWS)
def test_window_of_a_real_match_needs_no_difference(data: Path, language: str) -> None:
    (path,) = data.glob("real/charlot1*.xg")
    match = loaded(path)
    pasted = read_pasted("", WINDOWS[language].encode())
    for player in match.players:
        first = investigate(match, player, reported_by(pasted, match, player)).explanations[0]
        assert (first.nearest, first.differences) == ("xg", ())


def reported_windows() -> list[Any]:
    found = []
    for path in matching("real/*.xg-reported.json"):
        for name, window in json.loads(path.read_text("utf-8"))["xg"].items():
            found.append(pytest.param(match_file(path), name, window, id=f"{label(path)}-{name}"))
    return skipped_if_empty(found, 3)


@pytest.mark.parametrize(("path", "name", "window"), reported_windows())
def test_field_names_of_blunderdb_are_understood_as_well(path: Path, name: str, window: dict[str, float]) -> None:
    text = "\n".join(f'"{key}": {value}' for key, value in window.items())
    pasted = read_pasted("", text.encode())
    (column,) = pasted.columns
    assert {one.metric: one.value for one in column} == {WINDOW[key][0]: value for key, value in window.items()}
    match = loaded(path)
    assert investigate(match, name, reported_by(pasted, match, name)).explanations[0].differences == ()


@pytest.mark.parametrize(
    "line",
    [
        "Snowie error rate 4.31",
        "Luck total (EMG) 1.25",
        "Joker decisions 3",
        "Blunders 2 (0.31)",
        "Player 1 2",
        "Double 3",
        "Total decisions 90.5",
        "Total error 1.0 2.0 3.0",
        "Date 2024-08-10",
        "7 point match",
    ],
)
def test_line_that_is_not_understood_is_counted_and_not_guessed_at(line: str) -> None:
    pasted = read_pasted("", f"PR 3.1\n{line}\n".encode())
    assert (values(pasted), pasted.ignored) == ({"pr": 3.1}, 1)


def test_same_figure_with_two_values_is_refused() -> None:
    assert values(read_pasted("", b"PR 3.10\nPerformance rating: 3.1\n")) == {"pr": 3.1}
    with pytest.raises(InvalidConfiguration, match="twice"):
        read_pasted("", b"PR 3.10\nPR 3.20\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_is_read_in_the_encodings_of_clipboards(encoding: str) -> None:
    assert values(read_pasted("", "Décisions de prise 7".encode(encoding))) == {"decisions.take": 7}


@pytest.mark.parametrize("content", [b"", b"hello", b"\x00\xff\xfe", b"Chequerplay statistics\n", b"PR -\n"])
def test_text_without_a_figure_is_refused(content: bytes) -> None:
    with pytest.raises(InvalidConfiguration, match="found no figure"):
        read_pasted("notes.txt", content)


@given(st.text(alphabet=st.sampled_from(" \n\t.,-+%()0123456789PRprTotal decisionsErrorEMGmovesSnowie"), max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    for head in ("", "Cube statistics\nClose or actual cube decisions "):
        try:
            pasted = read_pasted("", (head + text).encode())
        except InvalidConfiguration:
            continue
        assert {one.metric for column in pasted.columns for one in column} <= set(EXPLORED)


@pytest.mark.parametrize("digits", [25, 400, 5000])
def test_run_of_digits_that_no_figure_has_is_passed_over(digits: int) -> None:
    damaged = read_pasted("", ENGLISH.replace("90        79", f"{'9' * digits}   79").replace("0.39", "9" * digits).encode())
    metrics = [[figure.metric for figure in column] for column in damaged.columns]
    assert all("decisions.counted" not in column for column in metrics)
    assert all("equity_error.total" in column for column in metrics)
    gnubg = "Chequerplay statistics\n\nTotal moves              61   60\nUnforced moves           " + "9" * digits + "   50\n"
    with pytest.raises(InvalidConfiguration):
        read_pasted("", gnubg.encode())
