"""Programs that are asked for the figures of cases: one started once that answers line by line, or a command that runs for every file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from reconcile.errors import At, InvalidConfiguration, ReconcileError
from reconcile.files.names import fold
from reconcile.files.wording import one_line
from reconcile.gate.candidates.claims import BOTH, Stated, of_player, short, stated
from reconcile.gate.candidates.command import Command, values_of
from reconcile.gate.candidates.harness import LONGEST_REASON, About, Harness, reason
from reconcile.gate.candidates.read import read_printed
from reconcile.infer.reported import Reported
from reconcile.suite.cases import Case
from reconcile.suite.content import Found

MOST_FIGURES: Final = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program says of a file."""

    found: Found = field(default_factory=dict)
    unsupported: str = ""
    """Why it cannot say anything; empty if it can."""
    crashed: str = ""
    """How it failed; empty if it did not."""


Question: TypeAlias = tuple[Case, Path]
"""A case and its file."""


class Asked(Protocol):
    """Anything that gives figures of files."""

    about: About

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; `after` is what it will be asked next."""
        ...


class CaseHarness(Harness):
    """A program behind the protocol that is asked for cases; to be used in a `with` block."""

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it makes of the file of a case; never raises for what the program does. It gets the next question early."""
        try:
            following = None if after is None else (after[0].id, after[1])
            return _answer(self.answer(case.id, path, following), case)
        except ReconcileError as error:
            self.end()
            return Answer(crashed=one_line(str(error))[:LONGEST_REASON])


class CaseRuns:
    """A command that runs for every file."""

    def __init__(self, command: Command, timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self.about = About(command.name)

    def ask(self, case: Case, path: Path, after: Question | None = None) -> Answer:
        """What it prints of the file of a case; never raises for what the program does."""
        players = case.match.players
        values = values_of(str(path), case.id, players, case.match.length)
        found: dict[str, dict[str, Reported]] = {}
        try:
            for player in players if self._command.per_player else players[:1]:
                printed = self._command.run({**values, "player": player}, self._timeout)
                candidate = read_printed(f"{self._command.name} ({path.name})", printed)
                if len(candidate.claims) != 1:
                    raise InvalidConfiguration(f"expected the figures of one match, found those of {len(candidate.claims)}", candidate.name)
                claim = of_player(candidate.claims[0], player) if self._command.per_player else candidate.claims[0]
                if claim.program:
                    self.about = About(claim.program, claim.version or "")
                for one in claim.figures:
                    _put(found, one, players)
        except ReconcileError as error:
            return Answer(crashed=one_line(str(error))[:LONGEST_REASON])
        return Answer(found)


def _put(found: dict[str, dict[str, Reported]], one: Stated, players: tuple[str, str]) -> None:
    """Add a figure, if it is that of a player of the case and not unknown."""
    if one.value is None or one.player == BOTH:
        return
    player = players[one.player] if isinstance(one.player, int) else next((name for name in players if fold(name) == fold(one.player)), "")
    if player:
        found.setdefault(player, {})[one.metric] = Reported(one.metric, one.text, one.value, one.half)


def _answer(said: Mapping[str, Any], case: Case) -> Answer:
    """Raises `InvalidConfiguration` for figures that are none."""
    if why := reason(said, "unsupported"):
        return Answer(unsupported=why)
    if why := reason(said, "error"):
        return Answer(crashed=why)
    players = said.get("players")
    if not isinstance(players, dict) or not all(isinstance(one, dict) and len(one) <= MOST_FIGURES for one in players.values()):
        raise InvalidConfiguration(f'{case.id}: expected "players", "unsupported" or "error" in the answer, found {short(said)}')
    found: dict[str, dict[str, Reported]] = {}
    where = At(case.id)
    for player, printed in players.items():
        seat = next((place for place, name in enumerate(case.match.players) if fold(player) == fold(name)), None)
        if seat is None:
            raise InvalidConfiguration(
                f"{case.id}: expected {' and '.join(case.match.players)}, found {short(player)}; name players as the file"
            )
        for name, figure in printed.items():
            _put(found, stated(where, seat, name, figure), case.match.players)
    return Answer(found)
