"""Lists of the decisions of a match in a pack, as programs would print them, and what the gate
makes of them."""

from functools import cache
from typing import Any

import pandas as pd

from reconcile.results.decisions import decisions_document
from reconcile.scoring.statistics import statistics
from tests.gate.candidates.judging import only, validate
from tests.gate.candidates.samples import ZERO_PLY, file_of, loaded, written

Row = dict[str, Any]
FIELDS = ("game", "turn", "player", "kind", "counted", "error")


@cache
def _rows(path, rules):
    document = decisions_document(statistics(loaded(path), rules))
    return tuple(tuple(row.get(name) for name in FIELDS) for row in document.decisions)


def rows_of(pack=ZERO_PLY, rules=None, ending=".sgf"):
    """The decisions of the one file of a pack, exactly."""
    return [dict(zip(FIELDS, row, strict=True)) for row in _rows(file_of(pack, ending), rules)]


def table(rows, digits=""):
    """The rows as CSV."""
    frame = pd.DataFrame(list(rows), columns=list(FIELDS))
    frame["counted"] = frame.counted.astype(int)
    frame["error"] = ["" if error != error else format(error, digits) for error in frame.error]
    return frame.to_csv(index=False)


def document(rows, **more):
    return {"schema_version": 1, "decisions": rows, **more}


def judged(folder, content, pack=ZERO_PLY, **more):
    """The result for a list, and the list in it."""
    result = validate(pack, candidates=[written(folder / "list", content)], **more)
    decisions = only(result).decisions
    assert decisions is not None
    return result, decisions


def evidence(result, code):
    return " | ".join(entry.evidence for entry in only(result).findings if entry.code == code)


def named(decisions):
    return list(map(where, decisions.differing))


def where(row):
    return row["game"], row["turn"], row["player"], row["kind"]
