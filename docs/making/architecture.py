"""The columns of the table of decisions in the map of the program: which function makes each, and
which outputs show it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache
from inspect import getsource
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from docs.making.markdown import code, table
from reconcile.match.match import Facts
from reconcile.results.decisions import COLUMNS as LISTED
from reconcile.scoring.decisions import COLUMNS, Judged
from reconcile.wording import listed

PAGE = Path(__file__).parents[1] / "architecture.md"
START = "<!-- columns, written by `python -m docs.generate` -->\n"
END = "<!-- end of the columns -->"
ON_REQUEST = ("owner", "phase", "comment", "candidates")
"""Columns outside the public table that an output shows."""
SOURCES = {
    "self": (Judged, "scoring/decisions.py"),
    "facts": (Facts, "match/match.py"),
}
"""Whose attributes the columns are, by what `Judged._columns` calls it."""


class Output(NamedTuple):
    """An output that shows columns of the table."""

    title: str
    chosen_in: tuple[str, ...]
    """Files of `reconcile/` that name the columns."""
    columns: tuple[str, ...]
    called: Mapping[str, str] = {}
    """What it calls a column, where that is another name."""


_PLACE = ("game", "turn", "kind")
_VERDICT = (*_PLACE, "player", "error", "level", "counted")
_IDS = ("xgid", "gnubg_id")
OUTPUTS = {
    "library": Output(
        "`Statistics.decisions()` and `Review.decisions()`, pandas, Arrow",
        ("scoring/decisions.py",),
        COLUMNS,
    ),
    "list": Output(
        "`stats --decisions`, as JSON and CSV; `candidates` with `--candidates`",
        ("results/decisions.py",),
        (*LISTED, "candidates"),
    ),
    "archive": Output(
        "table `decisions` of `reconcile corpus`",
        ("corpus/rows.py",),
        (
            *("game", "turn", "seat", "kind", "dice", "position", "cube", "away", "opponent_away"),
            *("played", "best", "equity_played", "equity_best", "error", "error_mwc_percent"),
            *("counted", "luck", "chance_before", "chance_after", "xgid", "phase"),
        ),
        {
            "dice": "die1, die2",
            "played": "action",
            "counted": "counted_RULES",
            "error": "error_RULES",
            "error_mwc_percent": "loss_RULES",
        },
    ),
    "page": Output(
        "page of a match: its data for the script, its list, its curve",
        ("report/html/decision_list.py", "gap/aligned.py"),
        (
            *(*_VERDICT, *_IDS, "seat", "dice", "position", "cube", "owner", "phase", "comment"),
            *("no_double", "double_take", "double_pass", "luck", "played", "chance_before"),
            "equity_best",
        ),
    ),
    "comparison": Output(
        "JSON of two analyses: `decisions`, `ledger`",
        ("results/comparison.py", "gap/aligned.py", "gap/walk.py"),
        (*_VERDICT, *_IDS),
        {"player": "player, decider"},
    ),
    "several": Output(
        "JSON of several analyses: `decisions`, `disputes`, `agreed_errors`",
        ("results/comparison.py", "gap/aligned.py"),
        (*_VERDICT, *_IDS, "played", "best"),
    ),
    "text": Output(
        "texts: costliest decisions, disputes, rows of a gap",
        ("gap/rows.py", "gap/review.py", "gap/explanation.py"),
        (*_PLACE, "error"),
    ),
    "investigation": Output(
        "decisions that rules change, as text and JSON",
        ("infer/investigation.py", "gap/rows.py"),
        (*_PLACE, *_IDS),
    ),
    "exercises": Output(
        "cards, pages and texts of exercises",
        ("exercises/exercise.py",),
        ("phase", "played", "comment"),
    ),
    "suite": Output(
        "boards of the suite",
        ("report/text/suite.py",),
        ("game", "turn", "player", "dice", "played", "best", "xgid"),
    ),
}


def architecture_page() -> str:
    """The hand-written map with its tables of columns and outputs as the program has them."""
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    after = rest.partition(END)[2]
    columns = table(
        ("column", "made by", "shown in"),
        [(code(name), made_by(name), shown_in(name)) for name in (*COLUMNS, *ON_REQUEST)],
    )
    outputs = table(
        ("output", "what it is", "chosen in"),
        [
            (name, each.title, listed([*map(code, each.chosen_in)]))
            for name, each in OUTPUTS.items()
        ],
    )
    return f"{before}{START}\n{columns}\n\n{outputs}\n\n{END}{after}"


def made_by(name: str) -> str:
    """The function that makes a column, with its file; or what `Judged._columns` has for it."""
    words = _makers().get(name, f"facts.{name}")
    owner, _, attribute = words.partition("[")[0].partition(".")
    if owner in SOURCES and attribute.isidentifier():
        kind, file = SOURCES[owner]
        return f"{code(f'{kind.__name__}.{attribute}')}, {code(file)}"
    return f"`Judged._columns`, `scoring/decisions.py`: {code(words)}"


@cache
def _makers() -> Mapping[str, str]:
    """By column what makes it, as `Judged._columns` is written."""
    source = dedent(getsource(Judged.__dict__["_columns"].func))
    columns = next(node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Dict))
    return {
        ast.literal_eval(key): ast.unparse(make.body if isinstance(make, ast.Lambda) else make)
        for key, make in zip(columns.keys, columns.values, strict=True)
        if key is not None
    }


def shown_in(name: str) -> str:
    """The outputs that show a column, with what they call it."""
    return ", ".join(
        f"{output} as {code(each.called[name])}" if name in each.called else output
        for output, each in OUTPUTS.items()
        if name in each.columns
    )
