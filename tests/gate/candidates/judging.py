"""Candidates judged against a pack, and one part of the result picked out."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from click.testing import Result

from reconcile.errors import ReconcileError
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.validate import validate as validate_pack
from tests.gate.candidates.samples import ZERO_PLY, plain, written
from tests.support.command_line import OUTPUTS, strict
from tests.support.command_line import run as command
from tests.support.schemas import faults


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
