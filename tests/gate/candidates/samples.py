"""Reference packs, and candidates of the kinds that a program gives: figures, listings, positions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml

from reconcile.files.bundled import bundled
from reconcile.formats import load_match
from reconcile.match.board.identifiers import xgid
from reconcile.match.board.play import format_play
from reconcile.match.match import Match
from reconcile.scoring.decision_table import situation_of
from reconcile.scoring.statistics import statistics

PACK = bundled("reference_matches")
ZERO_PLY = PACK / "gnubg-7pt-0ply"
RICH = PACK / "gnubg-11pt-cube-rich"
DEMONSTRATION = PACK / "demonstration"
ALICE, BOB = "Alice m04", "Bob m04"


@cache
def loaded(path: Path) -> Match:
    return load_match(path)


def file_of(folder: Path, ending: str = ".sgf") -> Path:
    (path,) = folder.glob(f"*{ending}")
    return path


def make_pack(folder: Path, files: Mapping[str, Mapping[str, Path]], **more: Any) -> Path:
    """A pack of real files by match and handle, without reported figures."""
    for name, handles in files.items():
        (folder / name).mkdir(parents=True)
        manifest: dict[str, Any] = {
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


def written(path: Path, content: str | bytes | Any) -> str:
    """A candidate file: text or bytes as they are, anything else as JSON."""
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return str(path)


def plain(*matches: Mapping[str, Any]) -> dict[str, Any]:
    return {"schema_version": 1, "matches": list(matches)}


def own(
    path: Path,
    seat: int,
    rules: str | None = None,
    metrics: tuple[str, ...] = ("pr", "snowie_er", "decisions.counted"),
) -> dict[str, Any]:
    figures = statistics(loaded(path), rules).figures(seat)
    return {metric: figures[metric] for metric in metrics}


def blunderdb_statistics(path: Path, *seats: int) -> dict[str, Any]:
    """The JSON of `list --type stats`, as blunderDB's program spells it, with our figures of these players."""
    scored = statistics(loaded(path), "blunderdb-2026")
    figures = [scored.figures(seat) for seat in seats]

    def total(metric: str) -> float:
        return sum(one[metric] or 0 for one in figures)

    count = total("decisions.counted")
    return {
        "Totals": {
            "NumPositions": 90,
            "NumMatches": 1,
            "NumTournaments": 0,
            "NumDecisions": int(count),
        },
        "PRGlobal": 500 * total("equity_error.total") / count,
        "PRChecker": 500 * total("equity_error.checker") / total("decisions.checker"),
        "PRCube": 0,
        "PRRolling": {"5": 1.0},
        "MWCGlobal": total("mwc_loss_percent.total") / 100,
        "MWCAvailable": True,
        "SnowieGlobal": total("snowie_er"),
        "PerMatch": [{"ID": 1, "PlayerName": "", "PR": 0, "MWC": 0, "NumDecisions": int(count)}],
        "TopBlunders": [{"PlayerNames": " vs ".join(loaded(path).players)}],
    }


def play_text(match: Match, row: int, shift: float = 0.0) -> str:
    """A checker play of the demonstration in the form in which XG copies it; `shift` spoils what the play that was made is worth."""
    situation = situation_of(match, row)
    assert situation is not None
    listed = [
        (one, one.equity + (shift if one.made and rank else 0.0))
        for rank, one in enumerate(match.candidates(row))
        if one.equity is not None
    ]
    chances = "      Player:   50.00% (G:0.00% B:0.00%)\n"
    lines = [
        f"    {rank}. 3-ply       {format_play(situation.position, one.play):<28}eq:{equity:+.3f}\n{chances}"
        for rank, (one, equity) in enumerate(listed, 1)
    ]
    return (
        f"{xgid(situation)}\n\nX:A   O:B\nX to play {situation.dice[0]}{situation.dice[1]}\n\n"
        + "\n".join(lines)
        + "\neXtreme Gammon Version: 2.10\n"
    )


def mistakes(match: Match) -> list[int]:
    errors = statistics(match).scored.error[: len(match.plays)]
    listed = [
        row
        for row in range(len(match.plays))
        if errors[row] > 0.02 and any(one.made for one in match.candidates(row))
    ]
    return listed[:6]
