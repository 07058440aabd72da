"""Who can be scored: anything that, given positions and rolls, names the positions its plays lead to."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from reconcile.errors import UnknownName

MOST_PLIES: Final = 3
SILENCE: Final = 600.0
"""Seconds an engine may take without an answer."""
_NAMED: Final = re.compile(r"(gnubg|gnubg-nn)(?::(\d))?")


@dataclass(frozen=True, slots=True)
class Question:
    """A position, mover on roll, and a roll."""

    key: str
    """20 letters, see `reconcile.position.position_key`."""
    dice: tuple[int, int]


Answers = list[str | None]
"""To each question the key of the position after the play, opponent on roll; `None` where none came. Any other text is no legal play."""
Told = Callable[[int], None]
"""Called with the number of answers that have come in since the last call; may be called from another thread."""


class Engine(Protocol):
    """What is scored."""

    @property
    def name(self) -> str:
        """With version and settings, as the report shows it."""

    def choose(self, questions: Sequence[Question], told: Told) -> Answers:
        """The play to each question, chosen for cubeless money equity, the scale of the databases. Raises `EngineError`."""


def engine(text: str, *, silence: float = SILENCE, jobs: int | None = None) -> Engine:
    """The engine of `--engine`: `gnubg`, `gnubg-nn`, either with `:PLIES`, or a command of the line protocol.

    `jobs` is how many processes of a named engine run side by side. Raises `EngineError`, `UnknownName`.
    """
    named = _NAMED.fullmatch(text.strip())
    if named:
        plies = int(named[2] or 0)
        if plies > MOST_PLIES:
            raise UnknownName(f"engine {text!r}: expected 0 to {MOST_PLIES} plies, found {plies}")
        if named[1] == "gnubg":
            from reconcile.benchmark.engines.gnubg import GnubgPlayer

            return GnubgPlayer.found(plies, silence=silence, jobs=jobs)
        from reconcile.benchmark.engines.gnubg_nn import gnubg_nn

        return gnubg_nn(plies, silence=silence, jobs=jobs)
    from reconcile.benchmark.engines.command import CommandPlayer

    if re.match(r"gnubg(-nn)?:", text.strip()):
        raise UnknownName(f"engine {text!r}: expected a number of plies after the colon, such as gnubg:2")
    try:
        arguments = shlex.split(text)
    except ValueError as error:
        raise UnknownName(f"engine {text!r}: not a command: {str(error).lower()}; correct the quotes") from None
    if not arguments:
        raise UnknownName("expected gnubg, gnubg-nn or a command as engine, found nothing")
    return CommandPlayer(tuple(arguments), silence=silence, jobs=jobs or 1)
