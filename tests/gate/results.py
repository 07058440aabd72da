"""Results of every command that `reconcile diff` compares, and what it shows of two of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import Result

from tests.support.command_line import SGF, XG, run
from tests.support.schemas import faults

SAME, WORSE = 0, 1
"""Exit codes of `reconcile diff`; what cannot be compared is `ERROR`."""


@cache
def written(*arguments: str) -> str:
    """What a command writes as JSON."""
    return run(*arguments).stdout


def validation() -> Any:
    return json.loads(written("validate", "--json", "-"))


def comparison() -> Any:
    return json.loads(written("compare", XG, SGF, "--json", "-"))


def statistics() -> Any:
    return json.loads(written("stats", XG, SGF, "--format", "json", "--per-game"))


def folders() -> Any:
    for side, path in (("left", XG), ("right", SGF)):
        Path(side).mkdir(exist_ok=True)
        shutil.copy(path, side)
    return json.loads(run("compare", "left", "right", "--json", "-").stdout)


def pool() -> Any:
    return json.loads(written("stats", XG, SGF, "--format", "json", "--pool"))


DOCUMENTS: dict[str, Callable[[], Any]] = {
    "validation": validation,
    "comparison": comparison,
    "statistics": statistics,
    "pool": pool,
    "folders": folders,
}


def diff(old: Any, new: Any, *options: str) -> Result:
    Path("old.json").write_text(json.dumps(old), "utf-8")
    Path("new.json").write_text(json.dumps(new), "utf-8")
    return run("diff", "old.json", "new.json", *options)


def changes_of(old: Any, new: Any) -> Any:
    """The changes as JSON, held against their schema."""
    result = diff(old, new, "--json", "changes.json")
    document = json.loads(Path("changes.json").read_text("utf-8"))
    assert faults("changes", document) == []
    assert result.exit_code == int(document["worse"])
    return document


def match_of(document: Any, name: str = "gnubg-11pt-cube-rich") -> Any:
    return next(match for match in document["matches"] if match["id"] == name)


def figure_of(document: Any, metric: str = "error_rate_memg", player: str = "Ann") -> Any:
    figures = match_of(document)["reported"][0]["figures"]
    return next(
        figure for figure in figures if (figure["metric"], figure["player"]) == (metric, player)
    )
