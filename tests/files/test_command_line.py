"""How a command line is split."""

from __future__ import annotations

import pytest

from reconcile.files.wording import words_of

WINDOWS = {
    r"C:\tools\prog.exe stats {file} --json": [r"C:\tools\prog.exe", "stats", "{file}", "--json"],
    r'"C:\Program Files\p.exe" "{file}"': [r"C:\Program Files\p.exe", "{file}"],
    r'prog --out="C:\a b\" x': ["prog", "--out=C:\\a b\\", "x"],
    "prog 'a b'": ["prog", "'a", "b'"],
    'prog "" x': ["prog", "", "x"],
    "  prog \t x  ": ["prog", "x"],
    "": [],
}


@pytest.mark.parametrize("line", WINDOWS)
def test_paths_of_windows_stay_paths(line: str) -> None:
    assert words_of(line, windows=True) == WINDOWS[line]


def test_elsewhere_a_line_is_split_as_in_a_shell() -> None:
    assert words_of(r"""prog 'a b' "c d" e\ f""", windows=False) == ["prog", "a b", "c d", "e f"]


@pytest.mark.parametrize("windows", [True, False])
def test_open_quote_is_an_error(windows: bool) -> None:
    with pytest.raises(ValueError, match="No closing quotation"):
        words_of('prog "a', windows=windows)
