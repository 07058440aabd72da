"""The pages that are not results, what stands beside a result, and what this session has."""

from __future__ import annotations

import re
import secrets
import shutil
import threading
from dataclasses import dataclass, field, replace
from typing import Final
from urllib.parse import quote

from reconcile.match.met import met_names
from reconcile.report.html.render import render
from reconcile.serve.offered import EXAMPLES, LARGEST_UPLOAD, MOST_FILES, TRIALS
from reconcile.serve.rollouts import PLACE
from reconcile.serve.tasks import Result

MOST_RESULTS: Final = 40
MOST_BYTES: Final = 192 * 2**20
MOST_JOBS: Final = 20


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
    place: str = ""
    """Where its result is on the page."""
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
        self.results |= {part_of(key, index): part for index, part in enumerate(result.parts)}
        self.results[key] = result
        while len(self.results) > 1 and (
            len(self.results) > MOST_RESULTS or sum(map(size, self.results.values())) > MOST_BYTES
        ):
            del self.results[next(iter(self.results))]
        return key

    def keep_rollout(self, rollout: Result) -> tuple[str, str]:
        """Keep a rollout with the result that it was asked for in; the key of that, and the place
        of the decision in its page."""
        options = rollout.task.options
        key, place = options["of"], " ".join(options[name] for name in PLACE)
        if (result := self.results.get(key)) is not None:
            rollouts = {**result.rollouts, place: rollout.content}
            self.results[key] = replace(result, rollouts=rollouts)
        end = ANCHORS.get(options["kind"], "r")
        return key, f"#g{options['game']}t{options['turn']}{end}"

    def start(self, title: str) -> tuple[str, Job]:
        """A new job and its key."""
        ended = [key for key, job in self.jobs.items() if job.ended]
        for key in ended[: max(0, len(self.jobs) - MOST_JOBS)]:
            del self.jobs[key]
        key, job = secrets.token_urlsafe(9), Job(title)
        self.jobs[key] = job
        return key, job


def part_of(key: str, index: int) -> str:
    """The key of a part of a result."""
    return f"{key}.{index}"


def size(result: Result) -> int:
    """Bytes that a result takes, nearly."""
    files = (content for _, content in result.task.files)
    texts = (result.content, *result.pages.values(), *result.rollouts.values())
    return sum(map(len, (*texts, *files)))


TOP: Final = re.compile(r"(<body[^>]*>\n?)")
POLICY: Final = re.compile(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>")
LINK: Final = re.compile(r'href="([^"#/:?]+\.html)(#[^"]*)?"')
ANCHORS: Final = {"play": "", "no-double": "c", "double": "c"}
"""How the address of a decision in a page ends, by its kind."""
PLIES: Final = {0: "0-ply, seconds", 1: "1-ply", 2: "2-ply, minutes", 3: "3-ply, an hour"}


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
        has_gnubg=has_gnubg(),
    )


def result_page(
    token: str, key: str, session: Session, name: str | None = None, at: str = ""
) -> str:
    """The page of a result, or the one of this name in it, with what else it offers.

    `at` is the place in the page that is shown first.
    """
    result, address = session.results[key], f"/results/{quote(key)}"
    if result.kind == "matches":
        keys = [part_of(key, index) for index in range(len(result.parts))]
        parts = [(part, session.results[part]) for part in keys if part in session.results]
        return named_page("matches", token, key=key, result=result, parts=parts)
    values = {
        "key": key,
        "result": result,
        "at": f"{address}{f'/{quote(name)}' if name else ''}?token={quote(token)}{at}",
        "has_gnubg": has_gnubg(),
        "trials": TRIALS,
        "mets": met_names(),
    }
    report = result.pages[name] if name else result.content
    report = with_token(report, result, token, address)
    above, below = (named_page(part, token, **values) for part in ("bar", "more"))
    return with_bar(report, above, below)


def with_bar(report: str, above: str, below: str = "") -> str:
    """A report as it is saved, with more above and below it, under the policy of the answer."""
    head, end, rest = POLICY.sub("", report, count=1).partition("</main>")
    return TOP.sub(lambda body: body[1] + above, head, count=1) + end + below + rest


def with_token(report: str, result: Result, token: str, address: str) -> str:
    """A page of a pack whose links to the other pages go through this session."""

    def link(target: re.Match[str]) -> str:
        name, anchor = target[1], target[2] or ""
        if name != "index.html" and name not in result.pages:
            return target[0]
        page = "" if name == "index.html" else f"/{quote(name)}"
        return f'href="{address}{page}?token={quote(token)}{anchor}"'

    return LINK.sub(link, report) if result.pages else report


def has_gnubg() -> bool:
    """Whether gnuBG seems to be installed; whether it works shows when it is asked."""
    import os

    from reconcile.engines.gnubg import FOLDERS, NAMES, VARIABLE

    places = os.pathsep.join([os.environ.get("PATH", os.defpath), *FOLDERS])
    names = filter(None, (os.environ.get(VARIABLE), *NAMES))
    return any(shutil.which(name, path=places) for name in names)


def named_page(name: str, token: str, **values: object) -> str:
    """A page by its template, for this session."""
    return render(f"serve/{name}.html.j2", token=quote(token), alone=False, plies=PLIES, **values)
