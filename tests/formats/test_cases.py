"""What a file says, case by case: the claims in `cases/`, a file for each format.

A case has a claim for a name, its bytes, and what is `expect`ed of the match that is read. The
bytes are a `text`, or the sound text that `of` names with a piece exchanged; for documents `set`
changes values; for a database and for records of XG the rows say all, or `fields`, by record and
name, the values of one field. `rows` says the same of several pieces (`row` in the text): where
there is a `column`, each has what is expected of it there. Texts are Jinja templates, put together
from `parts`, `$NAME` and `$cube(...)` for one alone. Unknown numbers are null; a position may be
given by its ID.
"""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jinja2
import pytest
import yaml

from reconcile.formats import load_match, read_match
from reconcile.formats import ogxm as adapter
from reconcile.formats.xg import records
from reconcile.scoring.statistics import statistics
from tests.formats import club_databases
from tests.formats.facts import PAGES, alike, assert_refused, damage, fact, field
from tests.formats.kept_analysis import DOCUMENT
from tests.formats.small_xg import described
from tests.support import ogxm, small_bgf, small_sgf, small_transcripts
from tests.support.blunderdb_writer import PER_MOVE
from tests.support.small_files import CONTENT, EVENING, USUAL
from tests.support.xg_tampering import changed as changed_record
from tests.support.xg_tampering import first
from tests.support.xg_writer import write

FOLDER = Path(__file__).with_name("cases")
NAMED = re.compile(r"\$((?:root|scored|cube)\((?:[^()]|\([^()]*\))*\)|\w+)")
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

TAKEN = 4
"""The record of the cube that is doubled and taken."""
PARTS: dict[str, dict[str, str]] = {}
"""By format."""


def cases():
    """Every row of every case: its format, the case and the row."""
    parameters = []
    for path in sorted(FOLDER.glob("*.yaml")):
        claims = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
        parts = PARTS[path.stem] = {}
        for name, text in claims.pop("parts", {}).items():
            parts[name] = rendered(text, **parts)
        for claim, case in claims.items():
            rows = case.get("rows", [] if "fields" in case else [None])
            for kind, fields in case.get("fields", {}).items():
                rows += [(kind, {name: value}) for name in fields for value in fields[name]]
            for row in rows.items() if isinstance(rows, dict) else rows:
                marks = ogxm.needs_ogxm if path.stem == "ogxm" else ()
                name = f"{claim}: {row}"[:90] if row is not None else claim
                parameters.append(pytest.param(path.stem, case, row, id=name, marks=marks))
    return parameters


def rendered(text, **parts):
    """Texts within a value, their templates filled in."""
    if isinstance(text, str):
        return TEMPLATES.from_string(NAMED.sub(r"{{ \1 }}", text)).render(parts)
    return [rendered(part, **parts) for part in text] if isinstance(text, list) else text


def with_values(document, values):
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


def content(form, case, piece):
    """The bytes of a case."""
    if form in DOCUMENTS:
        make, encode = DOCUMENTS[form]
        return encode(with_values(make(), case.get("set", {}) | (piece or {})))
    if form == "xg" and "of" in case:
        return write(described(case["of"]))
    if form == "xg":
        kind, values = piece
        record = TAKEN if kind == "CUBE" else first(CONTENT, getattr(records, kind))
        changes = {name: field(value) for name, value in values.items()}
        return changed_record(CONTENT, record, records.LAYOUTS[kind], **changes)
    piece = rendered(piece, **PARTS[form])
    if "of" in case:
        sound = str(TEMPLATES.globals[case["of"]])
        assert piece[0] in sound
        text = sound.replace(piece[0], piece[1], 1) + case.get("end", "")
    else:
        text = rendered(case["text"], **PARTS[form], row=piece)
    return bytes(text.encode(case.get("encoding", "utf-8")))


@pytest.mark.parametrize(("form", "case", "row"), cases())
def test_case(form, case, row, tmp_path):
    expected, piece = dict(case.get("expect", {})), row
    if "column" in case:
        piece, expected[case["column"]] = row

    def read():
        if form == "blunderdb":
            statements = rendered([piece] if isinstance(piece, str) else piece)
            paths = tuple(vars(club_databases)[name] for name in case.get("files", ["THREE"]))
            schema = case.get("schema", PER_MOVE)
            path = club_databases.changed(tmp_path, *statements, schema=schema, paths=paths)
            return load_match(f"{path}{case.get('address', '')}")
        if "as decoded" in case:
            document = with_values(ogxm.small(), case.get("set", {}) | (piece or {}))
            with patch.object(adapter, "document_of", lambda content: document):
                return read_match("case.ogxm", b"OGXM")
        return read_match(f"case.{form}", content(form, case, piece))

    if "refused" in expected:
        assert_refused(lambda: statistics(read()), expected["refused"])
        return
    match = read()
    for path, value in expected.items():
        if path == "noted":
            assert any(value in note for note in damage(match))
        elif path == "finding":
            assert value[1] in fact(match, f"findings.{value[0]}")
        else:
            assert alike(fact(match, path), value, case.get("within", 1e-9)), (
                path,
                fact(match, path),
            )
