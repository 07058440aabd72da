"""The pages that are not results, and what was found in this session."""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import quote

from reconcile.engines.rollout import other_table
from reconcile.gap.settle import CLOSE, Settlement
from reconcile.match.met import met_names
from reconcile.report.explain import codes, page
from reconcile.report.html.render import render
from reconcile.serve.offered import EXAMPLES, LARGEST_UPLOAD, MOST_FILES, TRIALS
from reconcile.serve.tasks import Result

MOST_RESULTS: Final = 40
MOST_BYTES: Final = 192 * 2**20
MOST_JOBS: Final = 20


@dataclass(slots=True)
class Job:
    """Work that takes long enough to be watched."""

    title: str
    what: str = "games"
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

    @property
    def state(self) -> str:
        """How far it is, in a sentence."""
        if self.before:
            return f"gnuBG is at work on something else. This begins by itself when that is done, as number {self.before + 1}."
        return (
            f"{self.done} of {self.total} {self.what}."
            if self.total
            else "It has begun; a game takes seconds to minutes."
        )

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
        self.results |= {part_of(key, index): part for index, part in enumerate(result.parts)}
        self.results[key] = result
        while len(self.results) > 1 and (
            len(self.results) > MOST_RESULTS or sum(map(size, self.results.values())) > MOST_BYTES
        ):
            del self.results[next(iter(self.results))]
        return key

    def start(self, title: str) -> tuple[str, Job]:
        """A new job and its key."""
        for key in [key for key, job in self.jobs.items() if job.ended][
            : max(0, len(self.jobs) - MOST_JOBS)
        ]:
            del self.jobs[key]
        key, job = secrets.token_urlsafe(9), Job(title)
        self.jobs[key] = job
        return key, job

    def newest(self) -> Iterator[tuple[str, Result]]:
        """The results, the newest first."""
        yield from reversed(self.results.items())


def part_of(key: str, index: int) -> str:
    """The key of a part of a result."""
    return f"{key}.{index}"


def size(result: Result) -> int:
    """Bytes that a result takes, nearly."""
    return sum(map(len, (result.content, *result.pages.values()))) + sum(
        len(content) for _, content in result.task.files
    )


TOP: Final = re.compile(r"(<body[^>]*>\n?)")
POLICY: Final = re.compile(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>")
PLIES: Final = {0: "0-ply, seconds", 1: "1-ply", 2: "2-ply, minutes", 3: "3-ply, an hour"}


def start_page(token: str, session: Session) -> str:
    """Where files are dropped or chosen, with what this session has found and is doing."""
    running = [(key, job) for key, job in session.jobs.items() if not job.ended]
    values = {
        "results": list(session.newest()),
        "running": running,
        "examples": EXAMPLES,
        "most": LARGEST_UPLOAD,
        "most_files": MOST_FILES,
    }
    return named_page("start", token, **values, plies=PLIES, has_gnubg=has_gnubg())


def matches_page(token: str, key: str, result: Result, session: Session) -> str:
    """The results that a result consists of, as far as they are kept."""
    keys = [part_of(key, index) for index in range(len(result.parts))]
    kept = [(one, session.results[one]) for one in keys if one in session.results]
    return named_page("matches", token, key=key, result=result, kept=kept)


def rollout_page(token: str, at: str, result: Result, rolled: Settlement) -> str:
    """What the rollout of a decision says of the analyses."""
    one = rolled.decisions[0]
    rows = [
        (
            action.action,
            action.equity,
            action.standard_error,
            [rolled.names[side] for side in action.wanted_by],
        )
        for action in (one.actions if one.finished else ())
    ]
    said, verdict, ids = (
        list(one.distances(rolled.names)),
        one.verdict(rolled.names),
        (one.xgid, one.gnubg_id),
    )
    values = {
        "rows": rows,
        "said": said,
        "verdict": verdict,
        "ids": ids,
        "table": other_table(result.task.options.get("met") or None),
    }
    return named_page(
        "rollout", token, at=at, result=result, rolled=rolled, trials=TRIALS, close=CLOSE, **values
    )


def rule_page(token: str, code: str) -> str:
    """The page of a code, with all others. Raises `UnknownName`."""
    return named_page("rule", token, code=code, text=page(code), codes=codes())


def bar(token: str, key: str, result: Result, at: str) -> tuple[str, str]:
    """What a result at an address offers: a line above it, and forms below it."""
    values = {
        "key": key,
        "result": result,
        "at": at,
        "has_gnubg": has_gnubg(),
        "plies": PLIES,
        "trials": TRIALS,
        "mets": met_names(),
    }
    return named_page("bar", token, **values), named_page("more", token, **values)


def with_bar(report: str, above: str, below: str = "") -> str:
    """A report as it is saved, with more above and below it, under the policy of the answer."""
    head, body, rest = POLICY.sub("", report, count=1).partition("</main>")
    return TOP.sub(lambda found: found[1] + above, head, count=1) + body + below + rest


def with_token(report: str, pages: Mapping[str, str], token: str, at: str) -> str:
    """A page of a pack whose links to the other pages go through this session."""
    if not pages:
        return report

    def link(found: re.Match[str]) -> str:
        name, anchor = found[1], found[2] or ""
        if name == "index.html":
            return f'href="{at}?token={quote(token)}{anchor}"'
        return (
            f'href="{at}/{quote(name)}?token={quote(token)}{anchor}"' if name in pages else found[0]
        )

    return re.sub(r'href="([^"#/:?]+\.html)(#[^"]*)?"', link, report)


def has_gnubg() -> bool:
    """Whether gnuBG seems to be installed; whether it works shows when it is asked."""
    import os

    from reconcile.engines.gnubg import FOLDERS, NAMES, VARIABLE

    places = os.pathsep.join([os.environ.get("PATH", os.defpath), *FOLDERS])
    return any(
        shutil.which(name, path=places) for name in (os.environ.get(VARIABLE), *NAMES) if name
    )


def named_page(name: str, token: str, **values: object) -> str:
    """A page by its template, for this session."""
    return render(f"serve/{name}.html.j2", token=quote(token), alone=False, **values)
