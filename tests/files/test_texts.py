"""YAML as people write it, with its faults on one line; words of a command line; numbers with
signs."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from reconcile.errors import InvalidConfiguration
from reconcile.files.yaml_file import Loader, checked, read_tree
from reconcile.match.aliases import Aliases
from reconcile.wording import signed, words_of

HEAD = "schema_version: 1\n"
FAULTS = {
    "a: [1": r":[12]: (did not find )?expected",
    "a: *b": r":1: aliases are not allowed here; correct the file$",
    "a: &b 1\nc: *b": r":2: aliases are not allowed here; correct the file$",
    "\na: !!str b": r":2: tags are not allowed here; correct the file$",
    "a: 1\nb: 2\na: 3": r":3: 'a' is given twice; correct the file$",
    "[a]: 1": r":1: a key must be a word; correct the file$",
    f"a: {'1' * 41}": r":1: a number has too many digits; correct the file$",
    "[" * 500: r":1: nested too deeply; correct the file$",
    "\ud800": r": not YAML in UTF-8; correct the file$",
    "": r":1: the file: expected a mapping; correct the file$",
    "players: {}": r":1: schema_version: expected this key, found none; correct the file$",
    f"{HEAD}player: {{}}": r":2: player: no such key is known here, found|known here; correct",
    f"{HEAD}players: 3": r":2: players: expected a mapping, found 3; correct the file$",
    f"{HEAD}players: {{Ann: A}}": r":2: players.Ann: expected a list, found 'A'; correct the",
    f"{HEAD}players: {{Ann: [B], Bob: [b]}}": r":2: players: 'b' belongs to both 'Ann' and 'Bob'",
    f"{HEAD}namesakes:\n  A:\n    B: {{}}": r":4: namesakes.A.B: expected at least one of event",
    f"{HEAD}namesakes:\n  A:\n    B: {{evnt: x}}": r":4: namesakes.A.B.evnt: no such key is",
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_wrong_has_file_line_and_key(text: str) -> None:
    with pytest.raises(InvalidConfiguration, match=rf"^a\.yaml{FAULTS[text]}"):
        checked(Path("a.yaml"), text.encode("utf-8", "surrogatepass"), Aliases)


@pytest.mark.parametrize(
    "written", ["1:59:59", "1:30", "-12:5", "190:20:30.15", "2026-01-01", "off", "12", "-1.5", "~"]
)
def test_a_time_is_text_and_a_number_is_one(written: str, tmp_path: Path) -> None:
    value = {"12": 12, "-1.5": -1.5, "~": None}.get(written, written)
    text = f"key: {written}\n"
    (tmp_path / "a.yaml").write_text(text)
    assert read_tree(tmp_path / "a.yaml") == yaml.load(text, Loader) == {"key": value}


WINDOWS = {
    r"C:\tools\prog.exe stats {file} --json": [r"C:\tools\prog.exe", "stats", "{file}", "--json"],
    r'"C:\Program Files\p.exe" "{file}"': [r"C:\Program Files\p.exe", "{file}"],
    r'prog --out="C:\a b\" x': ["prog", "--out=C:\\a b\\", "x"],
    "prog 'a b'": ["prog", "'a", "b'"],
    '  prog \t "" x': ["prog", "x"],
    "": [],
}


@pytest.mark.parametrize("line", WINDOWS)
def test_paths_of_windows_stay_paths(line: str) -> None:
    assert [word for word in words_of(line, windows=True) if word] == WINDOWS[line]


def test_elsewhere_a_line_is_split_as_in_a_shell_and_an_open_quote_is_an_error() -> None:
    assert words_of(r"""prog 'a b' "c d" e\ f""", windows=False) == ["prog", "a b", "c d", "e f"]
    for windows in (True, False):
        with pytest.raises(ValueError, match="No closing quotation"):
            words_of('prog "a', windows=windows)


def test_change_has_a_sign() -> None:
    assert [signed(number) for number in (0.456, -0.456, 0.0)] == ["+0.46", "−0.46", "+0.00"]
