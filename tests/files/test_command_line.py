"""How a command line is split: on Windows by the C runtime's published examples and against the standard library's inverse."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reconcile.files.processes import words_of


@pytest.mark.parametrize(
    ("line", "words"),
    [  # those of Microsoft, "Parsing C command-line arguments", after the program
        (r'"a b c" d e', ["a b c", "d", "e"]),
        (r'"ab\"c" "\\" d', ['ab"c', "\\", "d"]),
        (r'a\\\b d"e f"g h', ["a\\\\\\b", "de fg", "h"]),
        (r"a\\\"b c d", ['a\\"b', "c", "d"]),
        (r'a\\\\"b c" d e', ["a\\\\b c", "d", "e"]),
        (r'a"b"" c d"', ['ab" c d']),
    ],
)
def test_arguments_are_split_as_the_c_runtime_does(line: str, words: list[str]) -> None:
    assert words_of(f"prog {line}", windows=True) == ["prog", *words]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            r"C:\tools\prog.exe stats {file} --json",
            [r"C:\tools\prog.exe", "stats", "{file}", "--json"],
        ),
        (
            r'"C:\Program Files\prog\prog.exe" "{file}"',
            [r"C:\Program Files\prog\prog.exe", "{file}"],
        ),
        (r'C:\"Program Files"\prog.exe x', [r"C:\Program Files\prog.exe", "x"]),
        (
            r'"C:\dir\" x',
            ["C:\\dir\\", "x"],
        ),  # in the program's name a backslash before a quote is a backslash
        (r'prog "C:\dir\\" x', ["prog", "C:\\dir\\", "x"]),
        ("prog 'a b'", ["prog", "'a", "b'"]),
        ('prog "" x', ["prog", "", "x"]),
        ("  prog \t x  ", ["prog", "x"]),
        ("", []),
    ],
)
def test_paths_of_windows_stay_paths(line: str, words: list[str]) -> None:
    assert words_of(line, windows=True) == words


@given(st.lists(st.text(st.sampled_from('ab \t"\\{}%'), max_size=8), min_size=1, max_size=5))
def test_split_is_the_inverse_of_what_starts_a_program_on_windows(words: list[str]) -> None:
    line = subprocess.list2cmdline(["prog.exe", *words])
    assert words_of(line, windows=True) == ["prog.exe", *words]


def test_elsewhere_a_line_is_split_as_in_a_shell() -> None:
    assert words_of(r"""prog 'a b' "c d" e\ f""", windows=False) == ["prog", "a b", "c d", "e f"]


@pytest.mark.parametrize("windows", [True, False])
@pytest.mark.parametrize("line", ['prog "a', '"prog a'])
def test_open_quote_is_an_error(line: str, windows: bool) -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        words_of(line, windows=windows)
