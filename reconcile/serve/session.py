"""What was found in this session, in memory: the newest results within a bound, and what is being worked on."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from reconcile.serve.work import Result

MOST_RESULTS: Final = 40
MOST_BYTES: Final = 192 * 2**20
MOST_JOBS: Final = 20


@dataclass(slots=True)
class Job:
    """Work that takes long enough to be watched."""

    title: str
    done: int = 0
    total: int = 0
    result: str = ""
    """The key of its result when it is there."""
    trouble: str = ""
    """Why there is none."""
    stopped: threading.Event = field(default_factory=threading.Event)

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return bool(self.result or self.trouble)


class Session:
    """Results and jobs by key, the oldest first; the oldest go when there are too many."""

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}
        self.jobs: dict[str, Job] = {}

    def keep(self, result: Result) -> str:
        """Keep a result; its key."""
        key = secrets.token_urlsafe(9)
        self.results[key] = result
        while len(self.results) > 1 and (len(self.results) > MOST_RESULTS or sum(map(size, self.results.values())) > MOST_BYTES):
            del self.results[next(iter(self.results))]
        return key

    def start(self, title: str) -> tuple[str, Job]:
        """A new job and its key."""
        for key in [key for key, job in self.jobs.items() if job.ended][: max(0, len(self.jobs) - MOST_JOBS)]:
            del self.jobs[key]
        key, job = secrets.token_urlsafe(9), Job(title)
        self.jobs[key] = job
        return key, job

    def newest(self) -> Iterator[tuple[str, Result]]:
        """The results, the newest first."""
        yield from reversed(self.results.items())


def size(result: Result) -> int:
    """Bytes that a result takes, nearly."""
    return sum(map(len, (result.content, *result.pages.values()))) + sum(len(content) for _, content in result.task.files)
