"""Whatever ends, nothing goes on and nothing is left: a worker, an analysis, the page itself."""

import asyncio
import signal
import sys
import threading
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException

from reconcile.serve import child
from reconcile.serve.app import WAITING, Page
from reconcile.serve.child import Workers
from reconcile.serve.work import Task
from tests.support.data import PROJECT
from tests.support.gnubg import needs_gnubg, processes_in
from tests.support.long import long_but_first
from tests.support.processes import wait_until
from tests.support.served import served

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
FOLDER = PROJECT / "reference_matches" / "demonstration"
MATCH = next(FOLDER.glob("*.xg"))
STATS = Task("stats", ((MATCH.name, MATCH.read_bytes()),))


@pytest.mark.long
def test_browser_is_led_by_a_private_file_and_not_waited_for(tmp_path):
    """Any user of the computer can read the arguments of a program."""
    browser, words = tmp_path / "browser", tmp_path / "words"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" > {words}\nexec sleep 20\n')
    browser.chmod(0o700)
    with served(TMPDIR=str(tmp_path), BROWSER=str(browser)) as page:
        wait_until(lambda: words.exists() and words.read_text().endswith("\n"))
        argument = words.read_text().strip()
        assert page.token not in argument
        leading = Path(argument.removeprefix("file://"))
        modes = [path.stat().st_mode & 0o777 for path in (leading, leading.parent)]
        assert modes == [0o600, 0o700]
        assert f"url={page.address}" in leading.read_text("utf-8")
        page.process.send_signal(signal.SIGTERM)
        assert page.process.wait() == 0
        assert not leading.parent.exists()


def processes_of(session):
    """Every process of a session of the system."""
    numbers = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] != "Z":
            numbers.append(int(path.parent.name))
    return numbers


def has_left_nothing(page, folder):
    wait_until(lambda: not processes_of(page.process.pid))
    wait_until(lambda: not list(folder.glob("reconcile-*")))


@pytest.mark.long
@pytest.mark.parametrize(
    "how", long_but_first([signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP], 1, 2)
)
def test_the_page_ends_and_leaves_nothing(tmp_path, how):
    with served(TMPDIR=str(tmp_path)) as page:
        assert page.post("/api/stats", [MATCH]).status == 200
        page.process.send_signal(how)
        code = page.process.wait()
        assert page.process.stderr is not None
        assert page.process.stderr.read() == ""
        assert code == (0 if how != signal.SIGKILL else -signal.SIGKILL)
        has_left_nothing(page, tmp_path)


def job_of(started):
    return "/jobs/" + started.text.partition("/jobs/")[2].partition("?")[0]


def test_what_waits_for_an_engine_is_stopped_and_there_is_an_end_of_waiting():
    """Without any engine: the first work never ends."""

    class Endless(Workers):
        async def do(self, task, progress, stopped):
            while not stopped.is_set():
                await asyncio.sleep(0.01)
            raise HTTPException(499, "the analysis was stopped")

    async def played():
        page = Page("token", Endless(), 2)
        for _ in range(WAITING):
            assert page._watched("it", STATS).status_code == 202
        with pytest.raises(HTTPException, match="8 things to do already; stop one of them"):
            page._watched("it", STATS)
        await asyncio.sleep(0)
        jobs = list(page.session.jobs.values())
        assert [job.before for job in jobs] == list(range(WAITING))
        jobs[3].stopped.set()
        async with asyncio.timeout(30):
            while [job.before for job in jobs if not job.ended] != list(range(WAITING - 1)):
                await asyncio.sleep(0.02)
        assert jobs[3].trouble == "the analysis was stopped."
        for job in jobs:
            job.stopped.set()
        await asyncio.gather(*page.running)

    asyncio.run(played())


@needs_gnubg
@pytest.mark.parametrize("how", long_but_first(["stop", "kill", "interrupt"], 0, 2))
def test_an_analysis_ends_with_what_asked_for_it(tmp_path, how):
    with served(TMPDIR=str(tmp_path)) as page:
        first, second = (job_of(page.post("/analyse", [MATCH], plies=plies)) for plies in "30")
        assert first != second
        waits = "begins by itself when that is done, as number 2."
        wait_until(lambda: waits in page.get(second).text)
        assert "gnuBG analyses" in page.get("/").text  # whoever closed the tab finds it again
        wait_until(lambda: processes_in(tmp_path))
        if how == "stop":
            assert "the analysis was stopped." in page.post(f"{first}/stop").text
            wait_until(lambda: "as number" not in page.get(second).text)
            assert "was stopped" not in page.get(second).text
        page.process.send_signal(signal.SIGKILL if how == "kill" else signal.SIGINT)
        page.process.wait()
        has_left_nothing(page, tmp_path)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("late", "longer than it may"),
        ("killed", "the analysis stopped; try again"),
        ("stopped", "the analysis was stopped"),
    ],
)
def test_a_worker_that_gives_no_result_is_a_sentence(how, words, monkeypatch):
    some, event = Workers(), threading.Event()

    def end():
        wait_until(lambda: some.running)
        some.close()

    if how == "late":
        monkeypatch.setattr(child, "TIME", 0.0)
    if how == "stopped":
        event.set()
    if how == "killed":
        threading.Thread(target=end).start()
    with pytest.raises(HTTPException) as caught:
        asyncio.run(some.do(STATS, lambda counted, done, total: None, event))
    assert words in caught.value.detail
    assert not some.running
