"""What a file says, case by case: the claims in `cases/`, a file for each format.

A case has a claim for a name, its bytes, and what is `expect`ed of the match that is read. The
bytes are a `text`, or the sound text that `of` names with a piece exchanged; for documents `set`
changes values; for a database and for records of XG the rows say all. `rows` says the same of
several pieces (`row` in the text): where there is a `column`, each has what is expected of it
there. Texts are Jinja templates, put together from `parts`. Unknown numbers are null.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jinja2
import numpy as np
import pytest
import yaml

from reconcile import formats
from reconcile.errors import UnreadableFile
from reconcile.formats import load_match, read_match
from reconcile.formats.xg import records
from reconcile.match.board.position import (
    HYPERGAMMON,
    NACKGAMMON,
    START,
    position_id,
    swap,
)
from reconcile.match.columns import Kind, Validity
from reconcile.match.match import Match
from reconcile.scoring.findings import findings_of
from reconcile.scoring.statistics import statistics
from tests.formats.kept_analysis import DOCUMENT
from tests.support import ogxm, small_bgf, small_sgf, small_transcripts
from tests.support.club_databases import changed
from tests.support.small_files import CONTENT, EVENING, USUAL
from tests.support.xg_tampering import changed as changed_record
from tests.support.xg_tampering import first

FOLDER = Path(__file__).with_name("cases")
PAGES = "".join(
    (Path(__file__).parent / "gnubg_text" / f"evening{number}.txt").read_text("utf-8")
    for number in ("", "_002")
)
TEMPLATES = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
TEMPLATES.globals |= {
    **{name: vars(small_sgf)[name] for name in ("root", "scored", "cube", "ANN_31", "BEN_31")},
    "USUAL": USUAL,
    "EVENING": EVENING,
    "SHORT": small_transcripts.SHORT,
    "MONEY": small_transcripts.MONEY,
    "PAGES": PAGES,
}
DOCUMENTS: dict[str, tuple[Callable[[], Any], Callable[[Any], bytes]]] = {
    "bgf": (small_bgf.match, small_bgf.written),
    "analysis": (lambda: DOCUMENT, lambda document: json.dumps(document).encode()),
    "ogxm": (ogxm.small, ogxm.encode),
}
OPENINGS = {
    "backgammon": START,
    "nackgammon": NACKGAMMON,
    **{f"hypergammon{number}": board for number, board in HYPERGAMMON.items()},
}
WORDS = {
    "kind": lambda value: Kind(value).label,
    "validity": lambda value: Validity(value).name.lower(),
}

TAKEN = 4
"""The record of the cube that is doubled and taken."""
PARTS: dict[str, dict[str, str]] = {}
"""By format."""


def cases() -> list[Any]:
    """Every row of every case: its format, the case and the row."""
    parameters = []
    for path in sorted(FOLDER.glob("*.yaml")):
        claims = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        parts = PARTS[path.stem] = {}
        for name, text in claims.pop("parts", {}).items():
            parts[name] = rendered(text, **parts)
        for claim, case in claims.items():
            rows = case.get("rows", [None])
            for row in rows.items() if isinstance(rows, dict) else rows:
                marks = ogxm.needs_ogxm if path.stem == "ogxm" else ()
                name = f"{claim}: {row}"[:90] if "rows" in case else claim
                parameters.append(pytest.param(path.stem, case, row, id=name, marks=marks))
    return parameters


def rendered(text: Any, **parts: Any) -> Any:
    """Texts within a value, their templates filled in."""
    if isinstance(text, str):
        return TEMPLATES.from_string(text).render(parts)
    return [rendered(part, **parts) for part in text] if isinstance(text, list) else text


def with_values(document: Any, values: dict[str, Any]) -> Any:
    """A document with other values at some paths, such as `games.0.scoreRed`; `gone` deletes."""
    document = copy.deepcopy(document)
    for path, value in values.items():
        *way, last = (int(key) if key.isdigit() else key for key in path.split("."))
        table = document
        for key in way:
            table = table[key]
        if value == "gone":
            del table[last]
        else:
            table[last] = copy.deepcopy(value)
    return document


def content(form: str, case: dict[str, Any], piece: Any) -> bytes:
    """The bytes of a case."""
    if form in DOCUMENTS:
        make, write = DOCUMENTS[form]
        return write(with_values(make(), case.get("set", {}) | (piece or {})))
    if form == "xg":
        kind, values = piece
        record = TAKEN if kind == "CUBE" else first(CONTENT, getattr(records, kind))
        changes = {name: field(value) for name, value in values.items()}
        return changed_record(CONTENT, record, records.LAYOUTS[kind], **changes)
    piece = rendered(piece, **PARTS[form])
    if "of" in case:
        sound = str(TEMPLATES.globals[case["of"]])
        assert piece[0] in sound
        text = sound.replace(*piece, 1) + case.get("end", "")
    else:
        text = rendered(case["text"], **PARTS[form], row=piece)
    return bytes(text.encode(case.get("encoding", "utf-8")))


def field(value: Any) -> Any:
    """The value of a field of a record, as `put` takes it."""
    if isinstance(value, dict):
        count, number = value["many"]
        return (number,) * count
    if isinstance(value, str):
        return value.encode()
    return tuple(value) if isinstance(value, list) else value


@pytest.mark.parametrize(("form", "case", "row"), cases())
def test_case(form: str, case: dict[str, Any], row: Any, tmp_path: Path) -> None:
    expected, piece = dict(case.get("expect", {})), row
    if "column" in case:
        piece, expected[case["column"]] = row

    def read() -> Match:
        if form == "blunderdb":
            return load_match(
                changed(tmp_path, *rendered([piece] if isinstance(piece, str) else piece))
            )
        if "as decoded" in case:
            document = with_values(ogxm.small(), case.get("set", {}) | (piece or {}))
            with patch.object(formats.ogxm, "decoded", lambda path, content: document):
                return formats.ogxm.read("case.ogxm", b"")
        return read_match(f"case.{form}", content(form, case, piece))

    if "refused" in expected:
        assert_refused(lambda: statistics(read()), expected["refused"])
        return
    match = read()
    for path, value in expected.items():
        if path in LATER:
            assert_refused(partial(LATER[path], match), value)
        elif path == "noted":
            assert any(value in note for note in damage(match))
        elif path == "finding":
            assert value[1] in fact(match, f"findings.{value[0]}")
        else:
            assert alike(fact(match, path), value, case.get("within", 1e-9)), (
                path,
                fact(match, path),
            )


def assert_refused(work: Callable[[], object], words: str) -> None:
    """Refused in a single line that begins with the file."""
    with pytest.raises(UnreadableFile) as caught:
        work()
    line = str(caught.value)
    assert words in line
    assert "case." in line.partition(": ")[0] or ".db" in line.partition(": ")[0]
    assert "; " in line
    assert "\n" not in line
    assert len(line) < 500


def fact(match: Match, path: str) -> Any:
    """What a match says, by the path in a case."""
    name, _, rest = path.partition(".")
    if name in FACTS:
        return plain(FACTS[name](match, rest))
    value: Any = match
    word = None
    for part in path.split("."):
        value = value[int(part)] if part.lstrip("-").isdigit() else getattr(value, part)
        word = word or WORDS.get(part)
    value = plain(value)
    if word is None:
        return value
    return [*map(word, value)] if isinstance(value, list) else word(value)


def alike(actual: Any, value: Any, within: float) -> bool:
    """Whether a fact is what was expected, numbers within a tolerance."""
    if isinstance(value, list):
        pairs = zip(actual, value, strict=False)
        return len(actual) == len(value) and all(alike(*pair, within) for pair in pairs)
    if isinstance(value, int | float) and isinstance(actual, float):
        return bool(abs(actual - value) <= within)
    return bool(actual == value)


def plain(value: Any) -> Any:
    """Lists for arrays and tuples, null for what is no number."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, float | np.floating):
        return None if np.isnan(value) else float(value)
    return value.item() if isinstance(value, np.generic) else value


def figure(match: Match, path: str) -> float | None:
    """`figures.SEAT.METRIC` by the file's own rules; `xg SEAT.METRIC` by others'."""
    seat, _, metric = path.partition(".")
    rules, _, seat = seat.rpartition(" ")
    return statistics(match, rules or None).figures(int(seat))[metric]


def damage(match: Match) -> list[str]:
    """What is noted as damaged, without the game."""
    notes = [note.evidence for note in match.notes if note.code == "damaged-value"]
    return [note.removeprefix("game 1: ").removeprefix("game 1, ") for note in notes]


def everything(match: Match) -> Any:
    """The figures of both players, the luck and the candidates of the second play."""
    figures = [statistics(match).figures(seat) for seat in (0, 1)]
    return plain([figures, match.plays.luck, [each.equity for each in match.candidates(1)]])


LATER: dict[str, Callable[[Match], object]] = {
    "refused later": lambda match: match.candidates(0),
    "refused by xg": lambda match: statistics(match, "xg"),
    "refused when chances are asked": lambda match: match.cubes.chances,
}
"""What is refused when somebody asks."""
FACTS: dict[str, Callable[[Match, str], Any]] = {
    "figures": figure,
    "counts": lambda match, path: [
        (part := statistics(match).completeness(int(path[0]))[path[2:]]).expected,
        part.analysed,
    ],
    "candidates": lambda match, path: [
        getattr(candidate, path.split(".")[1])
        for candidate in match.candidates(int(path.split(".")[0]))
    ],
    "as usual": lambda match, _: (
        everything(match) == everything(read_match("a.sgf", USUAL.encode()))
    ),
    "codes": lambda match, _: [note.code for note in match.notes],
    "evidence": lambda match, row: [note.evidence for note in match.notes][
        int(row) if row else slice(None)
    ],
    "damage": lambda match, _: damage(match),
    "goes on after its end": lambda match, _: (
        "a play or cube action after the end of the game" in damage(match)
    ),
    "checkers": lambda match, row: {
        place: count
        for place, count in enumerate(match.plays.position[int(row)].tolist())
        if count > 0
    },
    "rated": lambda match, _: [match.players[0], match.ratings[0]],
    "findings": lambda match, path: next(
        (each.evidence for each in findings_of(statistics(match)) if each.code == path), None
    ),
    "rules used": lambda match, _: statistics(match).rules.name,
    "variation": lambda match, _: (
        match.rules.variation
        if tuple(match.plays.position[0]) == OPENINGS[match.rules.variation]
        else "another opening"
    ),
    "last position of White": lambda match, _: (
        position_id(board if match.plays.player[-1] == 0 else swap(board))
        if (board := match.plays.position[-1].tolist())
        else None
    ),
}
