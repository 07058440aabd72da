"""The addresses of the page and of its API, and what they answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reconcile.errors import UnknownName
from reconcile.files.output import legal_stem
from reconcile.match.names import fold
from reconcile.report.explain import codes, page
from reconcile.serve.child import Workers
from reconcile.serve.guard import HEADERS, read_form
from reconcile.serve.pages import Job, Session, named_page, result_page, start_page
from reconcile.serve.work import EXAMPLES, FIGURES, Result, Task, example
from reconcile.wording import listed

FORMS: Final = {"html": "text/html", "json": "application/json", "md": "text/markdown"}
WAITING: Final = 8
"""Works of an engine that may wait for their turn; the next ones are told to come back."""
PATIENCE: Final = 20.0
"""Seconds that a request waits for its turn."""
API: Final = {
    "stats": ("rules", "per_game", "match", "met"),
    "compare": ("left_rules", "right_rules", "table", "player", "match", "met"),
    "investigate": ("player", "reported", *FIGURES, "paste", "game", "match", "met"),
}
"""The fields of every call, beside `files`."""
WORDS: Final = {
    "Not Found": "There is no such page.",
    "Method Not Allowed": "This address takes another kind of request.",
}
"""By Starlette's own words, which are no sentence."""
GONE: Final = "This result is no longer kept. Choose the files again."
BUSY: Final = (
    "As much is being worked on as this computer should do at once; try again in a moment."
)
FULL: Final = (
    f"gnuBG has {WAITING} things to do already; stop one of them, or try again when one is done."
)


class Page:
    """The page: its session, its workers, and an answer for every address."""

    def __init__(self, token: str, workers: Workers, most: int) -> None:
        self.token, self.workers = token, workers
        self.session = Session()
        self.turns = asyncio.Semaphore(most)
        self.running: set[asyncio.Task[None]] = set()

    def app(self) -> Starlette:
        """The application; the guard stands before it."""
        pages: dict[str, Callable[[Request], Any]] = {
            "/": self.start,
            "/examples/{name}": self.example,
            "/results/{key}": self.result,
            "/results/{key}/{name}": self.result,
            "/save/{key}/{form}": self.saved,
            "/jobs/{key}": self.job,
            "/explain/{code}": self.explained,
        }
        forms: dict[str, Callable[[Request], Any]] = {
            "/open": partial(self.opened, "open", None),
            "/investigate": partial(self.opened, "investigate", 1),
            "/analyse": self.analysed,
            "/jobs/{key}/stop": self.stop,
            **{f"/api/{kind}": partial(self.called, kind) for kind in API},
        }
        return Starlette(
            routes=[
                *(Route(path, answer) for path, answer in pages.items()),
                *(Route(path, answer, methods=["POST"]) for path, answer in forms.items()),
            ],
            lifespan=self._life,
            exception_handlers={HTTPException: self._trouble},
        )

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self.workers.prepare)
        yield
        for job in self.session.jobs.values():
            job.stopped.set()
        self.workers.close()

    # -- answers --------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Where files are dropped."""
        return html(start_page(self.token, self.session))

    async def opened(self, kind: str, most: int | None, request: Request) -> Response:
        """Statistics of one file, the comparison of several, the index of a pack; or which rules
        give the figures that somebody saw."""
        async with self._turn():
            return await self._shown(await self._task(kind, request, most))

    async def analysed(self, request: Request) -> Response:
        """Start gnuBG's analysis of a match of this session or of a new file."""
        task = await self._task("analyse", request, 1)
        return self._watched(f"gnuBG analyses {task.files[0][0]}", task)

    async def example(self, request: Request) -> Response:
        """What comes with the program, as if its files had been dropped."""
        name = request.path_params["name"]
        if name not in EXAMPLES:
            raise HTTPException(404)
        async with self._turn():
            return await self._shown(Task("open", example(name)))

    async def result(self, request: Request) -> Response:
        """A result of this session, or a page of a pack."""
        key, name = request.path_params["key"], request.path_params.get("name", "")
        if name and name not in record(self.session.results, key).pages:
            raise HTTPException(404)
        record(self.session.results, key)
        return html(result_page(self.token, key, self.session, name))

    async def saved(self, request: Request) -> Response:
        """A result as the file that the command writes."""
        result = record(self.session.results, request.path_params["key"])
        form = request.path_params["form"]
        if form not in FORMS or result.kind == "matches":
            raise HTTPException(404)
        if form != "html":
            async with self._turn():
                result = await self._done(replace(result.task, form=form))
        name = f"{legal_stem(fold(result.name or result.kind))}.{form}"
        headers = {**HEADERS, "content-disposition": f"attachment; filename={name}"}
        return Response(result.content, media_type=FORMS[form], headers=headers)

    async def job(self, request: Request) -> Response:
        """How far a job is, or what it made."""
        key = request.path_params["key"]
        job = record(self.session.jobs, key)
        if job.result in self.session.results:
            return html(result_page(self.token, job.result, self.session))
        return html(named_page("job", self.token, key=key, job=job))

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        job = record(self.session.jobs, request.path_params["key"])
        job.stopped.set()
        for _ in range(50):
            if job.ended:
                break
            await asyncio.sleep(0.1)
        return await self.job(request)

    async def explained(self, request: Request) -> Response:
        """The page of a code."""
        code = request.path_params["code"]
        try:
            return html(named_page("rule", self.token, code=code, text=page(code), codes=codes()))
        except UnknownName as error:
            raise HTTPException(404, str(error)) from None

    async def called(self, kind: str, request: Request) -> Response:
        """The document that the command of this name writes."""
        async with self._turn():
            files, fields = await read_form(request)
            if other := min(fields.keys() - set(API[kind]), default=None):
                raise HTTPException(
                    422,
                    f"expected no field but files and {listed(API[kind])}, found {other[:60]!r}; "
                    "correct its name",
                )
            result = await self._done(Task(kind, files, fields, "json"))
        return Response(result.content, media_type=FORMS["json"], headers=HEADERS)

    # -- work -----------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for a turn before anything of an upload is read."""
        try:
            async with asyncio.timeout(PATIENCE):
                await self.turns.acquire()
        except TimeoutError:
            raise HTTPException(503, BUSY) from None
        try:
            yield
        finally:
            self.turns.release()

    async def _task(self, kind: str, request: Request, most: int | None) -> Task:
        """What a form asks for: of its files, or of those of the result that it names."""
        files, fields = await read_form(request)
        earlier = self.session.results.get(fields.get("of", ""))
        if not files and earlier:
            files = earlier.task.files[:most]
        if not files:
            raise HTTPException(
                422, "No file was chosen. Choose one match, or two files of one match."
            )
        return Task(kind, files, fields)

    async def _done(self, task: Task, job: Job | None = None) -> Result:
        job = job or Job("")
        return await self.workers.do(task, job.progress, job.stopped)

    async def _shown(self, task: Task) -> Response:
        key = self.session.keep(await self._done(task))
        return html(result_page(self.token, key, self.session))

    def _watched(self, title: str, task: Task) -> Response:
        """Start work of an engine, or let it wait for what was asked for before; the page that
        shows how far it is."""
        earlier = [job for job in self.session.jobs.values() if not job.ended]
        if len(earlier) >= WAITING:
            raise HTTPException(503, FULL)
        key, job = self.session.start(title)
        running = asyncio.create_task(self._run(task, job, earlier))
        self.running.add(running)
        running.add_done_callback(self.running.discard)
        return html(named_page("job", self.token, key=key, job=job), 202)

    async def _run(self, task: Task, job: Job, earlier: list[Job]) -> None:
        """Do the work of an engine when those before it are done."""
        while (left := [each for each in earlier if not each.ended]) and not job.stopped.is_set():
            job.before = len(left)
            await asyncio.sleep(0.2)
        job.before = 0
        try:
            job.result = self.session.keep(await self._done(task, job))
        except HTTPException as error:
            job.trouble = sentence(error.detail)

    async def _trouble(self, request: Request, error: Exception) -> Response:
        """Why there is no answer, in a sentence: a page, or a document of the API."""
        assert isinstance(error, HTTPException)
        status = error.status_code
        text = sentence(WORDS.get(error.detail, error.detail))
        again = {"retry-after": "2"} if status == 503 else {}
        if request.url.path.startswith("/api/"):
            document = json.dumps({"error": text})
            return Response(document, status, {**HEADERS, **again}, FORMS["json"])
        return html(named_page("refused", self.token, text=text), status, again)


def record(records: Mapping[str, Any], key: str) -> Any:
    """What this session has under a key. Raises `HTTPException`."""
    if key not in records:
        raise HTTPException(404, GONE)
    return records[key]


def html(page: str, status: int = 200, more: Mapping[str, str] | None = None) -> Response:
    """The answer that is a page."""
    return Response(page, status, {**HEADERS, **(more or {})}, FORMS["html"])


def sentence(text: str) -> str:
    """Text that ends with a full stop."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
