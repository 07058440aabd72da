"""What a worker is asked for, and what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reconcile.match.match import Match
from reconcile.report.words import length_text

Upload = tuple[str, bytes]
"""Name as the browser gave it, without folders, and content."""
Progress = Callable[[str, int, int], None]
"""Called with what is counted, how many are done, and how many there are."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked for."""

    kind: str
    """A key of `KINDS`."""
    files: tuple[Upload, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    """Named like the options of the command."""
    form: str = "html"
    """What to make: `html`, `json` or `md`."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a worker made, in the form that was asked for."""

    task: Task
    """What makes it again, in another form too: never an engine's analysis, but its file."""
    kind: str
    """`stats`, `compare`, `investigate`, `pack`, `rollout` or `matches`."""
    title: str
    """One line for the list of this session."""
    content: str
    """The document; of a rollout what is shown at its decision."""
    players: tuple[str, ...] = ()
    name: str = ""
    """The match's."""
    notes: tuple[str, ...] = ()
    """What became of the files that it does not use."""
    unanalysed: bool = False
    """Whether an analysis is what the files want most."""
    parts: tuple[Result, ...] = ()
    """The results of several matches or players, each in its own right."""
    pages: Mapping[str, str] = field(default_factory=dict)
    """The other pages of a pack, by name."""
    rollouts: Mapping[str, str] = field(default_factory=dict)
    """What was rolled out of it, by game, turn and kind."""


def result_of(
    task: Task, kind: str, title: str, content: str, match: Match, **more: object
) -> Result:
    """The result for a match, under the name that it has in the list of a session and as a file."""
    name = f"{' – '.join(match.players)}, {length_text(match.length)}"
    return Result(task, kind, title, content, match.players, name, **more)  # type: ignore[arg-type]
