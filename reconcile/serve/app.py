"""The addresses of the page and of its API, and what they answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from reconcile.errors import UnknownName
from reconcile.files.bundled import bundled
from reconcile.files.names import fold
from reconcile.files.output import legal_stem
from reconcile.files.wording import listed
from reconcile.serve.guard import HEADERS, Unacceptable, read_form
from reconcile.serve.offered import EXAMPLES, FIGURES
from reconcile.serve.pages import (
    Job,
    Session,
    bar,
    matches_page,
    named_page,
    rollout_page,
    rule_page,
    start_page,
    with_bar,
    with_token,
)
from reconcile.serve.tasks import Result, Task, Upload
from reconcile.serve.workers import Busy, Cancelled, Failed, Refused, Workers

FORMS: Final = {"html": "text/html", "json": "application/json", "md": "text/markdown"}
WAITING: Final = 8
"""Requests, and works of an engine, that may wait for their turn; the next ones are told to come back."""
PATIENCE: Final = 20.0
"""Seconds that a request waits for its turn."""
API: Final = {
    "stats": ("rules", "per_game", "match", "met"),
    "compare": ("left_rules", "right_rules", "table", "player", "match", "met"),
    "investigate": ("player", "reported", *FIGURES, "paste", "game", "match", "met"),
}
"""The fields of every call, beside `files`."""
KEEP_ALIVE: Final = 15.0


class Page:
    """The page: its session, its workers, and an answer for every address."""

    def __init__(self, token: str, workers: Workers) -> None:
        self.token, self.workers = token, workers
        self.session = Session()
        self.turns = asyncio.Semaphore(workers.most)
        self.waiting = 0
        self.jobs: set[asyncio.Task[None]] = set()
        self.queue: list[Job] = []

    def app(self) -> Starlette:
        """The application; the guard stands before it."""
        routes = [
            Route("/", self.start),
            Route("/open", self.opened, methods=["POST"]),
            Route("/investigate", self.investigated, methods=["POST"]),
            Route("/analyse", self.analysed, methods=["POST"]),
            Route("/rollout", self.rolled, methods=["POST"]),
            Route("/examples/{name}", self.example),
            Route("/results/{key}", self.result),
            Route("/results/{key}/{name}", self.result),
            Route("/save/{key}/{form}", self.saved),
            Route("/jobs/{key}", self.job),
            Route("/jobs/{key}/events", self.events),
            Route("/jobs/{key}/stop", self.stop, methods=["POST"]),
            Route("/explain/{code}", self.explained),
            *(Route(f"/api/{kind}", partial(self.called, kind), methods=["POST"]) for kind in API),
        ]
        return Starlette(
            routes=routes,
            lifespan=self._life,
            exception_handlers=dict.fromkeys(TROUBLES, self._trouble),
        )

    @asynccontextmanager
    async def _life(self, app: Starlette) -> AsyncIterator[None]:
        await asyncio.to_thread(self.workers.prepare)
        yield
        for job in self.session.jobs.values():
            job.stopped.set()
        await asyncio.to_thread(self.workers.close)

    # -- answers --------------------------------------------------------------------------------------------------------

    async def start(self, request: Request) -> Response:
        """Where files are dropped."""
        return self._html(start_page(self.token, self.session))

    async def opened(self, request: Request) -> Response:
        """Statistics of one file, the comparison of two, the index of a pack."""
        async with self._turn():
            files, fields = await read_form(request)
            known = self.session.results.get(fields.get("of", ""))
            files = files or (known.task.files if known else ())
            if not files:
                raise Unacceptable(
                    422, "No file was chosen. Choose one match, or two files of one match."
                )
            return await self._shown(await self._done(Task("open", files, fields)))

    async def investigated(self, request: Request) -> Response:
        """Which rules give the figures that somebody saw, in a file of this session or a new one."""
        async with self._turn():
            files, fields = await read_form(request)
            return await self._shown(
                await self._done(Task("investigate", self._files(files, fields), fields))
            )

    async def analysed(self, request: Request) -> Response:
        """Start gnuBG's analysis of a match of this session or of a new file, and show how far it is."""
        files, fields = await read_form(request)
        files = self._files(files, fields)
        if not files:
            raise Unacceptable(
                422, "No file was chosen. Choose the match that gnuBG is to analyse."
            )
        return self._watched(f"gnuBG analyses {files[0][0]}", Task("analyse", files[:1], fields))

    async def rolled(self, request: Request) -> Response:
        """Start gnuBG's rollout of a decision of a result, and show how far it is."""
        _, fields = await read_form(request)
        known = self.session.results.get(fields.get("of", ""))
        if known is None:
            raise Unacceptable(404, GONE)
        where = f"game {fields.get('game', '')[:9]}, turn {fields.get('turn', '')[:9]}"
        return self._watched(
            f"gnuBG rolls out {where} of {known.name}",
            Task("roll", known.task.files, {**known.task.options, **fields}),
        )

    def _watched(self, title: str, task: Task) -> Response:
        """Start work of an engine, or let it wait for what was asked for before; the page that shows how far it is."""
        if len(self.queue) >= WAITING:
            raise Busy(
                f"gnuBG has {WAITING} things to do already; stop one of them, or try again when one is done"
            )
        key, job = self.session.start(title)
        self.queue.append(job)
        running = asyncio.create_task(self._run(task, job))
        self.jobs.add(running)
        running.add_done_callback(self.jobs.discard)
        return self._html(named_page("job", self.token, key=key, job=job), 202)

    async def example(self, request: Request) -> Response:
        """What comes with the program, as if its files had been dropped."""
        names = EXAMPLES.get(request.path_params["name"])
        if names is None:
            raise HTTPException(404)
        folder = bundled("reference_matches")
        files = tuple(
            (name.rpartition("/")[2], (folder / name).read_bytes()) for name in names.files
        )
        async with self._turn():
            return await self._shown(await self._done(Task("open", files)))

    async def result(self, request: Request) -> Response:
        """A result of this session, or a page of a pack."""
        key, result = self._result(request)
        name = request.path_params.get("name")
        if name is not None and name not in result.pages:
            raise HTTPException(404)
        return self._complete(key, result, name)

    async def saved(self, request: Request) -> Response:
        """A result as the file that the command writes."""
        _, result = self._result(request)
        form = request.path_params["form"]
        if form not in FORMS or result.kind in ("matches", "rollout"):
            raise HTTPException(404)
        content = result.content
        if form != "html":
            async with self._turn():
                content = (await self._done(replace(result.task, form=form))).content
        headers = {
            **HEADERS,
            "content-disposition": f"attachment; filename={legal_stem(fold(result.name or result.kind))}.{form}",
        }
        return Response(content, media_type=FORMS[form], headers=headers)

    async def job(self, request: Request) -> Response:
        """How far a job is, or what it found."""
        key, job = self._job(request)
        if job.result in self.session.results:
            return self._complete(job.result, self.session.results[job.result])
        return self._html(named_page("job", self.token, key=key, job=job))

    async def events(self, request: Request) -> Response:
        """How far a job is, sent whenever that changes."""
        _, job = self._job(request)

        async def sent() -> AsyncIterator[str]:
            last: object = None
            quiet = 0.0
            while True:
                now = {
                    "state": job.state,
                    "done": job.done,
                    "total": job.total,
                    "result": job.result,
                    "trouble": job.trouble,
                }
                if now != last:
                    last, quiet = now, 0.0
                    yield f"data: {json.dumps(now)}\n\n"
                elif quiet > KEEP_ALIVE:
                    quiet = 0.0
                    yield ": still working\n\n"
                if job.ended:
                    return
                await asyncio.sleep(0.2)
                quiet += 0.2

        return StreamingResponse(sent(), media_type="text/event-stream", headers=HEADERS)

    async def stop(self, request: Request) -> Response:
        """Stop a job."""
        key, job = self._job(request)
        job.stopped.set()
        for _ in range(50):
            if job.ended:
                break
            await asyncio.sleep(0.1)
        return self._html(named_page("job", self.token, key=key, job=job))

    async def explained(self, request: Request) -> Response:
        """The page of a code."""
        try:
            return self._html(rule_page(self.token, request.path_params["code"]))
        except UnknownName as error:
            raise Unacceptable(404, str(error)) from None

    async def called(self, kind: str, request: Request) -> Response:
        """The document that the command of this name writes."""
        async with self._turn():
            files, fields = await read_form(request)
            if other := min(fields.keys() - set(API[kind]), default=None):
                raise Unacceptable(
                    422,
                    f"expected no field but files and {listed(API[kind])}, found {other[:60]!r}; correct its name.",
                )
            done = await self._done(Task(kind, files, fields, "json"))
        return Response(done.content, media_type=FORMS["json"], headers=HEADERS)

    # -- work -----------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Wait for a turn before anything of an upload is read. Raises `Busy`."""
        if self.waiting >= WAITING:
            raise Busy("")
        self.waiting += 1
        try:
            async with asyncio.timeout(PATIENCE):
                await self.turns.acquire()
        except TimeoutError:
            raise Busy("") from None
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self.turns.release()

    async def _done(self, task: Task) -> Result:
        return await self.workers.do(task, lambda what, done, total: None, Job("").stopped)

    async def _run(self, task: Task, job: Job) -> None:
        def progress(what: str, done: int, total: int) -> None:
            job.what, job.done, job.total = what, done, total

        try:
            while (before := self.queue.index(job)) >= self.workers.engines:
                if job.stopped.is_set():
                    raise Cancelled
                job.before = before
                await asyncio.sleep(0.2)
            job.before = 0
            job.result = self.session.keep(await self.workers.do(task, progress, job.stopped))
        except Cancelled:
            job.trouble = "The analysis was stopped."
        except (Refused, Failed, Busy) as error:
            job.trouble = sentence(str(error) or BUSY)
        finally:
            self.queue.remove(job)

    async def _shown(self, result: Result) -> Response:
        return self._complete(self.session.keep(result), result)

    def _complete(self, key: str, result: Result, name: str | None = None) -> Response:
        """The page of a result, or the one of this name in it, with what else it offers."""
        at = f"/results/{quote(key)}"
        if result.kind == "matches":
            return self._html(matches_page(self.token, key, result, self.session))
        if result.rolled is not None:
            return self._html(rollout_page(self.token, at, result, result.rolled))
        page = with_token(
            result.content if name is None else result.pages[name], result.pages, self.token, at
        )
        return self._html(
            with_bar(
                page, *bar(self.token, key, result, at if name is None else f"{at}/{quote(name)}")
            )
        )

    def _files(self, files: tuple[Upload, ...], fields: dict[str, str]) -> tuple[Upload, ...]:
        """The files of a request, or those of the result that it names."""
        known = self.session.results.get(fields.get("of", ""))
        return files or (known.task.files[:1] if known else ())

    def _result(self, request: Request) -> tuple[str, Result]:
        key = request.path_params["key"]
        if key not in self.session.results:
            raise Unacceptable(404, GONE)
        return key, self.session.results[key]

    def _job(self, request: Request) -> tuple[str, Job]:
        key = request.path_params["key"]
        if key not in self.session.jobs:
            raise Unacceptable(404, "This analysis is no longer kept. Choose the file again.")
        return key, self.session.jobs[key]

    # -- what goes wrong ------------------------------------------------------------------------------------------------

    async def _trouble(self, request: Request, error: Exception) -> Response:
        """Why there is no answer, in a sentence: a page, or a document of the API."""
        if isinstance(error, HTTPException):
            status = error.status_code
            text = {405: "This address takes another kind of request."}.get(
                status, "There is no such page."
            )
        else:
            status = error.status if isinstance(error, Unacceptable) else TROUBLES[type(error)]
            text = sentence(str(error) or BUSY)
        again = {"retry-after": "2"} if status == 503 else {}
        if request.url.path.startswith("/api/"):
            return Response(
                json.dumps({"error": text}),
                status,
                media_type=FORMS["json"],
                headers={**HEADERS, **again},
            )
        return self._html(named_page("refused", self.token, text=text), status, again)

    def _html(self, page: str, status: int = 200, more: dict[str, str] | None = None) -> Response:
        content = page.encode()
        return Response(
            content, status, media_type=FORMS["html"], headers={**HEADERS, **(more or {})}
        )


TROUBLES: Final[dict[type[Exception], int]] = {
    HTTPException: 404,
    Unacceptable: 422,
    Refused: 422,
    Busy: 503,
    Failed: 500,
}
"""What keeps a request from its answer, and the status; the first two have their own."""
GONE: Final = "This result is no longer kept. Choose the files again."
BUSY: Final = "As much is being worked on as this computer should do at once; try again in a moment"


def sentence(text: str) -> str:
    """Text that begins with a capital letter and ends with a full stop, as far as that does not change a name."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
