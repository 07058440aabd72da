"""Programs that are asked for the figures of cases: one started once that answers line by line, or a command that runs for every file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from reconcile.errors import At, InvalidConfiguration, ReconcileError
from reconcile.files.names import fold
from reconcile.files.wording import one_line
from reconcile.gate.candidates.claims import Stated, short, stated
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
    about: About | None = None
    """What it says of itself beside its figures."""


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
        values = values_of(str(path), case.id, case.players, case.match.length)
        said = answer_of(
            case.players if self._command.per_player else (),
            case,
            lambda player: self._command.run({**values, "player": player}, self._timeout),
            f"{self._command.name} ({path.name})",
        )
        self.about = said.about or self.about
        return said


def answer_of(each: Sequence[str], case: Case, run: Callable[[str], bytes], name: str) -> Answer:
    """What a program prints of a case, for `each` player where it is run for one; never raises for what the program does."""
    players = case.players
    found: dict[str, dict[str, Reported]] = {}
    about = None
    try:
        for player in each or players[:1]:
            candidate = read_printed(name, run(player))
            if len(candidate.claims) != 1:
                other = "a match" if candidate.matches else f"those of {len(candidate.claims)}"
                raise InvalidConfiguration(
                    f"expected the figures of one match, found {other}; make the program print totals",
                    name,
                )
            claim = candidate.claims[0]
            about = About(claim.program, claim.version or "") if claim.program else about
            for one in claim.figures:
                _put(found, one, players)
            strangers = dict.fromkeys(
                one.player for one in claim.figures if isinstance(one.player, str)
            )
            if strangers and not found:
                listed = ", ".join(strangers)
                raise InvalidConfiguration(
                    f"expected figures of {' and '.join(players)}, found those of {listed}; name players as the file",
                    name,
                )
    except ReconcileError as error:
        return Answer(crashed=one_line(str(error))[:LONGEST_REASON])
    return Answer(found, about=about)


def _put(found: dict[str, dict[str, Reported]], one: Stated, players: tuple[str, str]) -> None:
    """Add a figure, if it is that of a player of the case and not unknown."""
    if one.value is None:
        return
    player = (
        players[one.player]
        if isinstance(one.player, int)
        else next((name for name in players if fold(name) == fold(one.player)), "")
    )
    if player:
        found.setdefault(player, {})[one.metric] = Reported(
            one.metric, one.text, one.value, one.half
        )


def _answer(said: Mapping[str, Any], case: Case) -> Answer:
    """Raises `InvalidConfiguration` for figures that are none."""
    if why := reason(said, "unsupported"):
        return Answer(unsupported=why)
    if why := reason(said, "error"):
        return Answer(crashed=why)
    players = said.get("players")
    if not isinstance(players, dict) or not all(
        isinstance(one, dict) and len(one) <= MOST_FIGURES for one in players.values()
    ):
        raise InvalidConfiguration(
            f'{case.id}: expected "players", "unsupported" or "error" in the answer, found {short(said)}'
        )
    found: dict[str, dict[str, Reported]] = {}
    where = At(case.id)
    for player, printed in players.items():
        seat = next(
            (place for place, name in enumerate(case.players) if fold(player) == fold(name)), None
        )
        if seat is None:
            raise InvalidConfiguration(
                f"{case.id}: expected {' and '.join(case.players)}, found {short(player)}; name players as the file"
            )
        for name, figure in printed.items():
            _put(found, stated(where, seat, name, figure), case.players)
    return Answer(found)
