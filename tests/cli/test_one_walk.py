"""Every bridge of a comparison is walked once, whatever is written of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.gap.bridge import Bridge
from reconcile.gap.walk import Walk
from reconcile.scoring.metrics import BRIDGED
from tests.support.command_line import SGF, XG

Walked = Counter[tuple[str, int, int | None]]


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> Walked:
    """How often each bridge was walked: by metric, seat and game."""
    counted: Walked = Counter()
    made: list[Bridge] = []
    walk = Walk._walked

    def counting(self: Walk, name: str, owner: int, game: int | None) -> Bridge:
        bridge = walk(self, name, owner, game)
        if not any(bridge is one for one in made):  # one that was walked before is handed out again
            made.append(bridge)
            counted[name, owner, game] += 1
        return bridge

    monkeypatch.setattr(Walk, "_walked", counting)
    return counted


def test_page_needs_each_bridge_of_the_match_once(walked: Walked, tmp_path: Path) -> None:
    CliRunner().invoke(main, ["compare", XG, SGF, "--html", str(tmp_path / "gap.html")], catch_exceptions=False)
    assert walked == {(name, seat, None): 1 for name in BRIDGED for seat in (0, 1)}


def test_all_outputs_together_walk_no_bridge_twice(walked: Walked, tmp_path: Path) -> None:
    outputs = ("html", "json", "markdown", "junit", "ledger", "positions")
    named = [word for name in outputs for word in (f"--{name}", str(tmp_path / f"gap.{'csv' if name == 'ledger' else name}"))]
    CliRunner().invoke(main, ["compare", XG, SGF, *named], catch_exceptions=False)
    assert len(list(tmp_path.iterdir())) == len(outputs)
    assert {game for _, _, game in walked} > {None, 1}
    assert set(walked.values()) == {1}
