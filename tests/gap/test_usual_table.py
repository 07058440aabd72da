"""A file of usual gaps is read as it was written, and anything else is refused in a line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from reconcile.cli import main
from reconcile.errors import InvalidConfiguration
from reconcile.files.limits import LARGEST_JSON
from reconcile.gap.usual import TABLE, UsualTable, analysis_of, load_usual, usual_document
from tests.support.loaded import DEMONSTRATION, loaded

PLIES = st.one_of(st.none(), st.floats(0, 9))
PAIR = st.fixed_dictionaries(
    {
        "tools": st.tuples(st.text(max_size=9), st.text(max_size=9)).map(list),
        "lookahead": st.tuples(PLIES, PLIES).map(list),
        "matches": st.integers(0, 9),
        "gaps": st.lists(st.floats(0, 30)),
    }
)


@given(st.lists(PAIR, max_size=3))
def test_document_is_read_as_it_was_written(pairs: list[dict[str, list[float]]]) -> None:
    table = TypeAdapter(UsualTable).validate_json(usual_document(pairs))
    assert [list(one.gaps) for one in table.pairs] == [pair["gaps"] for pair in pairs]
    assert [list(one.lookahead) for one in table.pairs] == [pair["lookahead"] for pair in pairs]


def test_table_that_comes_with_the_program_has_this_form() -> None:
    table = load_usual(str(TABLE))
    assert table.measured
    assert table.between(("GNU Backgammon", 0.0), ("GNU Backgammon", 2.0))


BAD = {
    "nothing": "",
    "no JSON": "pairs:",
    "a list": "[]",
    "deep": "[" * 100_000,
    "other keys": '{"gaps": []}',
    "one tool": '{"pairs": [{"tools": ["a"], "lookahead": [null, null], "matches": 1, "gaps": []}]}',
    "no number": '{"pairs": [{"tools": ["a", "b"], "lookahead": [null, null], "matches": 1, "gaps": ["x"]}]}',
    "not a number": '{"pairs": [{"tools": ["a", "b"], "lookahead": [null, null], "matches": 1, "gaps": [NaN]}]}',
    "less than nothing": '{"pairs": [{"tools": ["a", "b"], "lookahead": [null, null], "matches": 1, "gaps": [-1.0]}]}',
    "too large": " " * (LARGEST_JSON + 1),
}


@pytest.mark.parametrize("what", BAD)
def test_other_content_is_refused(what: str, tmp_path: Path) -> None:
    path = tmp_path / "usual.json"
    path.write_text(BAD[what])
    with pytest.raises(InvalidConfiguration, match=r"usual\.json: (expected|no table of usual gaps: ).*corpus-report --usual$") as caught:
        load_usual(str(path))
    assert not re.search("Input should|Field required|Tuple|valid dictionary", str(caught.value))


def compared(usual: Path) -> Result:
    return CliRunner().invoke(main, ["compare", f"{DEMONSTRATION}.xg", f"{DEMONSTRATION}.sgf", "--corpus", str(usual)])


def test_comparison_is_held_against_the_file(tmp_path: Path) -> None:
    left, right = (analysis_of(loaded(Path(f"{DEMONSTRATION}{ending}"))) for ending in (".xg", ".sgf"))
    pair = {"tools": [right[0], left[0]], "lookahead": [right[1], left[1]], "matches": 2, "gaps": [0.1, 0.2, 1.0, 9.0]}
    (tmp_path / "usual.json").write_text(usual_document([pair]))
    found = compared(tmp_path / "usual.json")
    assert "In 4 player-matches of XG" in found.output
    (tmp_path / "usual.json").write_text(json.dumps({"pairs": []}))
    assert "player-matches" not in compared(tmp_path / "usual.json").output
    assert compared(tmp_path / "none.json").exit_code == 2
