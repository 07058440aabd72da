"""YAML as people write it, with its faults on one line; words of a command line."""

from pathlib import Path

import pytest
import yaml

from reconcile.errors import InvalidConfiguration
from reconcile.files.yaml_file import Loader, checked, read_tree
from reconcile.match.names import Aliases
from reconcile.wording import words_of
from tests.support.tables import beside

CASES = beside(__file__)
MORE = [("[" * 500, ":1: nested too deeply"), ("\ud800", ": not YAML in UTF-8; correct the file$")]


@pytest.mark.parametrize(("text", "message"), [*CASES["faults"], *MORE])
def test_what_is_wrong_has_file_line_and_key(text, message):
    with pytest.raises(InvalidConfiguration, match=rf"^a\.yaml{message}"):
        checked(Path("a.yaml"), text.encode("utf-8", "surrogatepass"), Aliases)


@pytest.mark.parametrize(
    "written", ["1:59:59", "1:30", "-12:5", "190:20:30.15", "2026-01-01", "off", "12", "-1.5", "~"]
)
def test_a_time_is_text_and_a_number_is_one(written, tmp_path):
    value = {"12": 12, "-1.5": -1.5, "~": None}.get(written, written)
    text = f"key: {written}\n"
    (tmp_path / "a.yaml").write_text(text)
    assert read_tree(tmp_path / "a.yaml") == yaml.load(text, Loader) == {"key": value}


@pytest.mark.parametrize(("line", "words"), CASES["windows"])
def test_paths_of_windows_stay_paths(line, words):
    assert [word for word in words_of(line, windows=True) if word] == words


def test_elsewhere_a_line_is_split_as_in_a_shell_and_an_open_quote_is_an_error():
    assert words_of(r"""prog 'a b' "c d" e\ f""", windows=False) == ["prog", "a b", "c d", "e f"]
    for windows in (True, False):
        with pytest.raises(ValueError, match="No closing quotation"):
            words_of('prog "a', windows=windows)
