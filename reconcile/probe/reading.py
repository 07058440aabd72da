"""What a program gives for a synthetic match: the studied player's figures, as `validate --candidate-command` reads them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from reconcile.diagnosis.reported import ROUNDING, Reported
from reconcile.errors import InvalidConfiguration
from reconcile.files.names import fold
from reconcile.gate.candidates.claims import Candidate, of_player
from reconcile.gate.candidates.command import Command
from reconcile.gate.candidates.read import read_printed
from reconcile.probe.battery import SEAT, Figures
from reconcile.probe.line import OTHER, STUDIED

PRECISION: Final = 1e-5
"""Relative: a match winning chance near a half has seven digits, the equity made of it fewer."""

Given = Mapping[str, Reported]
"""By metric."""
Ask = Callable[[str, bytes, int], Candidate]
"""What a program makes of a file: from its name, its bytes and the points to win (0 for money)."""


def asking(command: Command, timeout: float, folder: Path) -> Ask:
    """A program that is run for every file, written into a folder."""

    def ask(name: str, content: bytes, length: int) -> Candidate:
        path = folder / name
        path.write_bytes(content)
        values = {
            "file": str(path),
            "match": path.stem,
            "player": STUDIED,
            "player1": STUDIED,
            "player2": OTHER,
            "length": str(length),
        }
        return read_printed(f"{command.name} ({name})", command.run(values, timeout))

    return ask


def given_of(candidate: Candidate, *, per_player: bool = False) -> Given:
    """The studied player's figures. Raises `InvalidConfiguration` where there are none."""
    if len(candidate.claims) != 1:
        found = "a match" if candidate.matches else "positions" if candidate.positions else f"figures of {len(candidate.claims)} matches"
        raise InvalidConfiguration(f"{candidate.name}: expected the figures of one match, found {found}; make the program print totals")
    claim = of_player(candidate.claims[0], STUDIED) if per_player else candidate.claims[0]
    found_figures = {
        one.metric: Reported(one.metric, one.text, one.value, one.half)
        for one in claim.figures
        if one.value is not None and (one.player == SEAT if isinstance(one.player, int) else fold(one.player) == fold(STUDIED))
    }
    if not found_figures:
        players = ", ".join(dict.fromkeys(str(one.player) for one in claim.figures)) or "nobody"
        raise InvalidConfiguration(f"{candidate.name}: expected figures of {STUDIED!r}, found those of {players}; name players as the file")
    return found_figures


def fits_one(value: float | None, one: Reported) -> bool:
    """Whether a program gives this figure, within its printed digits and the single precision in which files keep equities."""
    return value is not None and abs(value - one.value) <= one.half + (PRECISION * abs(one.value) if one.half else ROUNDING)


def fits(figures: Figures, given: Given, names: frozenset[str]) -> bool:
    """Whether a program gives these figures, as far as it gives any of the named ones."""
    return all(fits_one(figures[name], given[name]) for name in figures if name in given and name in names)
