"""What an engine is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Question:
    """A position, mover on roll, and a roll."""

    key: str
    """20 letters, see `reconcile.board.position.position_key`."""
    dice: tuple[int, int]


Answers = list[str | None]
"""For each question the key of the position after the play, opponent on roll; `None` if missing. Any other text is not a legal play."""
Progress = Callable[[int], None]
"""Called with the number of answers since the last call; may be called from another thread."""


class Engine(Protocol):
    """An engine that can be scored."""

    @property
    def name(self) -> str:
        """The name with version and settings, as the report shows it."""

    def choose(self, questions: Sequence[Question], answered: Progress) -> Answers:
        """The play for each question, chosen for cubeless money equity, the scale of the databases. Raises `EngineError`."""
