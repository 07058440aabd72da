"""The pages that are not results, what stands beside a result, and what this session has."""

from __future__ import annotations

import re
import secrets
import threading
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from reconcile.engines.gnubg import look_up
from reconcile.match.met import met_names
from reconcile.report.html.render import render
from reconcile.serve.work import EXAMPLES, Result

LARGEST_UPLOAD: Final = 32 * 2**20
"""Bytes of all files; a match has some 100 KB, a long one 1 MB."""
MOST_FILES: Final = 32
MOST_RESULTS: Final = 40
MOST_BYTES: Final = 192 * 2**20
MOST_JOBS: Final = 20
POLICY: Final = re.compile(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>")
LINK: Final = re.compile(r'href="([^"#/:?]+\.html)(#[^"]*)?"')
PLIES: Final = {0: "0-ply, seconds", 1: "1-ply", 2: "2-ply, minutes", 3: "3-ply, an hour"}


@dataclass(slots=True, eq=False)
class Job:
    """Work that takes long enough to be watched."""

    title: str
    counted: str = "games"
    """What is counted."""
    done: int = 0
    total: int = 0
    before: int = 0
    """How many others it waits for."""
    result: str = ""
    """The key of its result when it is there."""
    trouble: str = ""
    """Why there is none."""
    stopped: threading.Event = field(default_factory=threading.Event)

    def progress(self, counted: str, done: int, total: int) -> None:
        """Note how far it is."""
        self.counted, self.done, self.total = counted, done, total

    @property
    def state(self) -> str:
        """How far it is, in a sentence."""
        if self.before:
            return (
                "gnuBG is at work on something else. This begins by itself when that is done, "
                f"as number {self.before + 1}."
            )
        if self.total:
            return f"{self.done} of {self.total} {self.counted}."
        return "It has begun; a game takes seconds to minutes."

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
        """Keep a result, and those that it consists of; its key."""
        key = secrets.token_urlsafe(9)
        parts = {f"{key}.{index}": part for index, part in enumerate(result.parts)}
        self.results |= {**parts, key: result}
        while len(self.results) > 1 and (
            len(self.results) > MOST_RESULTS or sum(map(size, self.results.values())) > MOST_BYTES
        ):
            del self.results[next(iter(self.results))]
        return key

    def start(self, title: str) -> tuple[str, Job]:
        """A new job and its key."""
        ended = [key for key, job in self.jobs.items() if job.ended]
        for key in ended[: max(0, len(self.jobs) - MOST_JOBS)]:
            del self.jobs[key]
        key = secrets.token_urlsafe(9)
        self.jobs[key] = Job(title)
        return key, self.jobs[key]


def size(result: Result) -> int:
    """Bytes that a result takes, nearly."""
    files = (content for _, content in result.task.files)
    return sum(map(len, (result.content, *result.pages.values(), *files)))


def start_page(token: str, session: Session) -> str:
    """Where files are dropped or chosen, with what this session has and is doing."""
    return named_page(
        "start",
        token,
        results=[*reversed(session.results.items())],
        running=[(key, job) for key, job in session.jobs.items() if not job.ended],
        examples=EXAMPLES,
        most=LARGEST_UPLOAD,
        most_files=MOST_FILES,
    )


def result_page(token: str, key: str, session: Session, name: str = "") -> str:
    """The page of a result, or the one of this name in it, with what else it offers."""
    result, address = session.results[key], f"/results/{quote(key)}"
    if result.kind == "matches":
        parts = [
            (part, session.results[part])
            for part in (f"{key}.{index}" for index in range(len(result.parts)))
            if part in session.results
        ]
        return named_page("matches", token, key=key, result=result, parts=parts)
    here = f"{address}{name and f'/{quote(name)}'}?token={quote(token)}"
    values = {"key": key, "result": result, "at": here, "mets": met_names()}
    above, below = (named_page(part, token, **values) for part in ("bar", "more"))

    def link(target: re.Match[str]) -> str:
        """A link to another page of a pack, through this session."""
        page, anchor = target[1], target[2] or ""
        if page != "index.html" and page not in result.pages:
            return target[0]
        page = "" if page == "index.html" else f"/{quote(page)}"
        return f'href="{address}{page}?token={quote(token)}{anchor}"'

    report = result.pages[name] if name else result.content
    report = LINK.sub(link, report) if result.pages else report
    # The report as it is saved, with more above and below it, under the policy of the answer.
    head, end, rest = POLICY.sub("", report, count=1).partition("</main>")
    head = re.sub(r"(<body[^>]*>\n?)", lambda body: body[1] + above, head, count=1)
    return head + end + below + rest


def named_page(name: str, token: str, **values: object) -> str:
    """A page by its template, for this session. Whether gnuBG works shows when it is asked."""
    shared = {"alone": False, "plies": PLIES, "has_gnubg": look_up() is not None}
    return render(f"serve/{name}.html.j2", token=quote(token), **shared, **values)
