"""Whatever ends, nothing goes on and nothing is left: a worker that hangs or grows, an analysis, the page itself."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from reconcile.serve import workers
from reconcile.serve.app import WAITING, Page
from reconcile.serve.tasks import Progress, Result, Task
from reconcile.serve.workers import Busy, Cancelled, Failed, Workers
from tests.support.data import PROJECT
from tests.support.gnubg import needs_gnubg
from tests.support.long import long_but_first
from tests.support.processes import wait_until
from tests.support.served import Answer, Served, served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
FOLDER = PROJECT / "reference_matches" / "demonstration"
MATCH = next(FOLDER.glob("*.xg"))


@pytest.mark.long
def test_browser_is_led_by_a_private_file_and_not_waited_for(tmp_path: Path) -> None:
    """Any user of the computer can read the arguments of a program."""
    browser, told = tmp_path / "browser", tmp_path / "told"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" > {told}\nexec sleep 20\n')
    browser.chmod(0o700)
    with served(TMPDIR=str(tmp_path), BROWSER=str(browser)) as page:
        wait_until(lambda: told.exists() and told.read_text().endswith("\n"))
        given = told.read_text().strip()
        assert page.token not in given
        leading = Path(given.removeprefix("file://"))
        assert (leading.stat().st_mode & 0o777, leading.parent.stat().st_mode & 0o777) == (
            0o600,
            0o700,
        )
        assert f"url={page.address}" in leading.read_text("utf-8")
        assert page.get("/").status == 200
        page.process.send_signal(signal.SIGTERM)
        assert page.process.wait() == 0
        assert not leading.parent.exists()


def processes_of(session: int) -> list[int]:
    """Every process of a session of the system."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "how", long_but_first([signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], 1, 2)
)
def test_the_page_ends_and_leaves_nothing(tmp_path: Path, how: signal.Signals) -> None:
    with served(TMPDIR=str(tmp_path)) as page:
        assert page.post("/api/stats", [MATCH]).status == 200
        page.process.send_signal(how)
        code = page.process.wait()
        assert page.process.stderr is not None
        assert page.process.stderr.read() == ""
        assert code == (0 if how != signal.SIGKILL else -signal.SIGKILL)
        wait_until(lambda: not processes_of(page.process.pid))
        wait_until(lambda: not list(tmp_path.glob("reconcile-serve-*")))


def job_of(started: Answer) -> str:
    return started.text.partition("/jobs/")[2].partition("?")[0]


def test_what_waits_for_an_engine_is_stopped_and_there_is_an_end_of_waiting() -> None:
    """Without any engine: the first one that is asked for never ends."""
    import asyncio

    class Endless(Workers):
        async def do(self, task: Task, progress: Progress, stopped: threading.Event) -> Result:
            while not stopped.is_set():
                await asyncio.sleep(0.01)
            raise Cancelled

    async def played() -> None:
        page = Page("token", Endless(2))
        for _ in range(WAITING):
            assert page._watched("it", STATS).status_code == 202
        with pytest.raises(Busy, match="8 things to do already; stop one of them"):
            page._watched("it", STATS)
        await asyncio.sleep(0)
        jobs = list(page.session.jobs.values())
        assert [job.before for job in jobs] == list(range(WAITING))
        jobs[3].stopped.set()
        async with asyncio.timeout(30):
            while [job.before for job in jobs if not job.ended] != list(range(WAITING - 1)):
                await asyncio.sleep(0.02)
        assert jobs[3].trouble == "The analysis was stopped."
        for job in jobs:
            job.stopped.set()
        await asyncio.gather(*page.jobs)
        assert page.queue == []
        page.workers.close()

    asyncio.run(played())


@needs_gnubg
@pytest.mark.parametrize("how", long_but_first(["stop", "kill", "interrupt"], 0, 2))
def test_an_analysis_ends_with_what_asked_for_it(tmp_path: Path, how: str) -> None:
    with served(TMPDIR=str(tmp_path)) as page:
        started = page.post("/analyse", [MATCH], plies="3")
        assert started.status == 202
        waiting = page.post("/analyse", [MATCH], plies="0")
        assert waiting.status == 202
        key = job_of(started)
        assert key != job_of(waiting)
        wait_until(
            lambda: (
                "begins by itself when that is done, as number 2."
                in page.get(f"/jobs/{job_of(waiting)}").text
            )
        )
        assert "gnuBG analyses" in page.get("/").text  # whoever closed the tab finds it again
        wait_until(
            lambda: any(
                "gnubg" in Path(f"/proc/{number}/cmdline").read_text()
                for number in descendants(page.process.pid)
            )
        )
        if how == "stop":
            assert "The analysis was stopped." in page.post(f"/jobs/{key}/stop").text
            assert "The analysis was stopped." in page.get(
                f"/jobs/{key}/events"
            ).text.encode().decode("unicode_escape")
            wait_until(lambda: "as number" not in page.get(f"/jobs/{job_of(waiting)}").text)
            assert "was stopped" not in page.get(f"/jobs/{job_of(waiting)}").text
        page.process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGINT)
        page.process.wait()
        wait_until(lambda: not processes_of(page.process.pid))
        wait_until(lambda: not list(tmp_path.glob("reconcile-*")))


def descendants(number: int) -> list[int]:
    """Processes below one."""
    try:
        children = [
            int(one)
            for path in Path(f"/proc/{number}/task").glob("*/children")
            for one in path.read_text().split()
        ]
    except OSError:
        return []
    return [*children, *(one for child in children for one in descendants(child))]


@needs_gnubg
@pytest.mark.long
def test_an_analysis_is_watched_and_ends_in_its_result(page: Served) -> None:
    started = page.post(
        "/analyse", [FOLDER.parent / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"], plies="0"
    )
    assert started.status == 202
    key = started.text.partition("/jobs/")[2].partition("?")[0]
    events = page.get(f"/jobs/{key}/events").text
    assert events.count("data: ") >= 2
    assert '"result": "' in events
    assert "gnuBG" in page.get(f"/jobs/{key}").text


@pytest.fixture
def few() -> Workers:
    return Workers(2)


async def done(some: Workers, task: Task, stopped: threading.Event | None = None) -> object:
    return await some.do(task, lambda what, done, total: None, stopped or threading.Event())


STATS = Task("stats", ((MATCH.name, MATCH.read_bytes()),))


def run_all(some: Workers, *tasks: Task) -> list[object]:
    """What tasks give that are asked for at once."""
    import asyncio

    async def together() -> list[object]:
        return list(
            await asyncio.gather(*(done(some, task) for task in tasks), return_exceptions=True)
        )

    try:
        return asyncio.run(together())
    finally:
        some.close()


@pytest.mark.long
def test_a_worker_that_takes_too_long_is_ended(
    few: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "TIME", 0.0)
    (found,) = run_all(few, STATS)
    assert isinstance(found, Failed)
    assert "longer than it may" in str(found)


def test_a_worker_that_dies_is_a_sentence(few: Workers) -> None:
    few.prepare()
    few.ready[-1].process.kill()
    few.ready[-1].process.join()
    (found,) = run_all(few, STATS)
    assert isinstance(found, Failed)
    assert str(found) == "the analysis stopped; try again"


def test_no_more_work_than_there_are_workers(few: Workers) -> None:
    found = run_all(few, *[STATS] * 5)
    assert sum(isinstance(one, Busy) for one in found) == 3


def test_work_is_stopped(few: Workers) -> None:
    import asyncio

    stopped = threading.Event()
    stopped.set()
    with pytest.raises(Cancelled):
        asyncio.run(done(few, STATS, stopped))
    few.close()


@pytest.mark.exhaustive
def test_two_hundred_uploads_at_once(tmp_path: Path) -> None:
    """Every one is answered or told to come back, memory stays bounded, and the page is well afterwards."""
    with served(TMPDIR=str(tmp_path)) as page, ThreadPoolExecutor(200) as threads:
        answers = list(threads.map(lambda _: page.post("/api/stats", [MATCH]), range(200)))
        assert {answer.status for answer in answers} <= {200, 503}
        assert sum(answer.status == 200 for answer in answers) >= 8
        status = Path(f"/proc/{page.process.pid}/status").read_text()
        peak = int(status.partition("VmHWM:")[2].split()[0])
        assert peak < 400_000, f"{peak} kB"
        assert page.post("/api/stats", [MATCH]).status == 200
        wait_until(lambda: len(list(tmp_path.glob("reconcile-serve-*"))) <= workers.AHEAD)
