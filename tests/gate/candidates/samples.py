"""Reference packs, candidates with figures and with lists of decisions, and what the gate makes of
them, with one part of the result picked out."""

import json
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml
from click.testing import Result

from reconcile.errors import ReconcileError
from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate as validate_pack
from reconcile.results.decisions import decisions_document
from reconcile.scoring.statistics import statistics
from tests.support.command_line import OUTPUTS, strict
from tests.support.command_line import run as command
from tests.support.schemas import faults
from tests.support.tables import beside

PACK = bundled("reference_matches")
ZERO_PLY = PACK / "gnubg-7pt-0ply"
RICH = PACK / "gnubg-11pt-cube-rich"
DEMONSTRATION = PACK / "demonstration"
ALICE, BOB = "Alice m04", "Bob m04"


@cache
def loaded(path):
    return load_match(path)


def file_of(folder, ending=".sgf"):
    (path,) = folder.glob(f"*{ending}")
    return path


def make_pack(folder, files, **more):
    """A pack of real files by match and handle, without reported figures."""
    for name, handles in files.items():
        (folder / name).mkdir(parents=True)
        manifest = {
            "schema_version": 1,
            "id": name,
            "title": name,
            "synthetic": False,
            "licence": "as where it comes from",
            "provenance": "copied for a test",
            "files": {},
            "reported": [],
            "pairs": [],
            **more,
        }
        for handle, path in handles.items():
            content = path.read_bytes()
            (folder / name / path.name).write_bytes(content)
            manifest["files"][handle] = {
                "name": path.name,
                "sha256": sha256(content).hexdigest(),
                "bytes": len(content),
                "url": None,
                "bundled": True,
                "tool": loaded(path).source.tool,
                "tool_version": None,
                "level": None,
            }
        (folder / name / "match.yaml").write_text(
            yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8"
        )
    return folder


def written(path, content):
    """A candidate file: text or bytes as they are, anything else as JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def plain(*matches, **facts):
    """Figures of matches as a program prints them."""
    return {"schema_version": 1, **facts, "matches": list(matches)}


def of_matches(figures, **facts):
    """The same from figures by match and player."""
    listed = ({"match": match, "players": players} for match, players in figures.items())
    return plain(*listed, **facts)


def own(
    path,
    seat,
    rules=None,
    metrics=("pr", "snowie_er", "decisions.counted"),
):
    figures = statistics(loaded(path), rules).figures(seat)
    return {metric: figures[metric] for metric in metrics}


def validate(pack, tolerances=None, **more):
    return validate_pack(pack, tolerances or shipped(), **more)


@cache
def shipped():
    return load_tolerances()


def of_figures(folder, players, pack=ZERO_PLY, match="", **more):
    """The result for figures of one match."""
    figures = plain({"players": players} | ({"match": match} if match else {}))
    return validate(pack, candidates=[written(folder / "a.json", figures)], **more)


def candidates_of(result, match):
    (judged,) = (entry for entry in result.matches if entry.id == match)
    return judged.candidates


def only(result):
    (candidate,) = (candidate for match in result.matches for candidate in match.candidates)
    return candidate


def codes(candidate):
    return {finding.code for finding in candidate.findings}


def refused(word, kind=ReconcileError, pack=ZERO_PLY):
    with pytest.raises(kind) as caught:
        validate(pack, candidates=[word])
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1000
    return message


def run(*arguments):
    return command("validate", *arguments)


@dataclass
class Outputs:
    """A run with all its outputs in the current folder."""

    result: Result
    folder: Path

    def __getitem__(self, name):
        """The text of an output, as `result.md` or `site/index.html`."""
        return (self.folder / name).read_text("utf-8")

    @property
    def document(self):
        """The JSON, which fits its schema."""
        document = strict(self["result.json"])
        assert faults("validation", document) == []
        return document


def outputs(*arguments):
    words = [f"{option}=out/{name}" for option, name in OUTPUTS.items()]
    Path("out").mkdir(exist_ok=True)
    return Outputs(run(*arguments, *words), Path("out"))


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


def cases(section):
    """The cases of a section of `refused.yaml` by name."""
    return beside(Path(__file__).parent, "refused.yaml")[section]
