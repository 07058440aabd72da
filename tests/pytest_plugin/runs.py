"""Runs of pytest with the plugin, the packs that they judge, and what they print."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

from reconcile.files.bundled import bundled

LOADED = (
    "gate.validate", "gate.candidates.read", "gate.candidates.figures", "gap.tolerance_file",
    "infer.program", "report.forms",
    "report.text.comparison", "formats.xg", "formats.gnubg", "formats.gnubg_text", "formats.mat",
)  # fmt: skip
for name in LOADED:
    import_module(
        f"reconcile.{name}"
    )  # once: what a run inside this process loads is forgotten with it

PACK = bundled("reference_matches")
REPORTED = "gnubg-3pt-2ply"
PAIR = "demonstration"


def add_pair(pack: Path, judged_by: str = "documented") -> Path:
    """A match whose two files are judged."""
    shutil.copytree(PACK / PAIR, pack / PAIR)
    respell(pack / PAIR, lambda manifest: manifest["pairs"][0].update(judged_by=judged_by))
    respell(pack / PAIR, lambda manifest: manifest["files"]["xg"].update(tool="eXtreme Gammon"))
    return pack


def respell(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change a manifest."""
    path = folder / "match.yaml"
    manifest = yaml.safe_load(path.read_text("utf-8"))
    change(manifest)
    path.write_text(yaml.safe_dump(manifest, allow_unicode=True, sort_keys=False), "utf-8")


def falsify(
    pack: Path, player: str = "Alice m26", metric: str = "luck.equity", printed: str = "9.9"
) -> None:
    respell(
        pack / REPORTED,
        lambda manifest: manifest["reported"][0]["players"][player].update({metric: printed}),
    )


def tolerances(path: Path, table: str = "documented", **document: Any) -> str:
    """A file of tolerances beside the bundled ones; `pr` is the entry for PR in `table`."""
    entry = document.pop("pr", None)
    if entry is not None:
        document["tables"] = {
            table: {"title": "t", "entries": {"pr": {"reason": "r", "source": "s"} | entry}}
        }
    path.write_text(yaml.safe_dump({"schema_version": 1, "extends": "bundled"} | document))
    return str(path)


QUIET = ("-p", "no:hypothesispytest", "-p", "no:benchmark")
"""Other plugins that take their time."""


def run(pytester: pytest.Pytester, *arguments: str | Path) -> pytest.RunResult:
    """pytest in this process."""
    return pytester.runpytest_inprocess(*QUIET, *arguments)


def ids(result: pytest.RunResult) -> list[str]:
    """Node ids of a run with `--collect-only -q`."""
    return [line for line in result.outlines if "::" in line]


def plain(result: pytest.RunResult) -> str:
    """What was printed, without anything that a bug of ours would print."""
    text = result.stdout.str() + result.stderr.str()
    for sign in ("INTERNALERROR", "Traceback", "pytest_plugin.py", "PytestConfigWarning"):
        assert sign not in text, text
    return text
