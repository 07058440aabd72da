"""Fixtures of all tests, and the profiles of Hypothesis.

    pytest                                       # same: the same examples every time, a quarter of
    the usual number
    pytest --hypothesis-profile fresh            # the usual number of examples that nobody has seen
    yet
    pytest --hypothesis-profile thorough         # twenty times as many of them

No profile has a deadline or asks how long the examples take to make: what is true on a fast
computer is true on a slow one.
"""

import gc
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from benchmarks.peers import NoPeer
from reconcile.files.bundled import CACHE_VARIABLE
from tests.support import data as real
from tests.support.browser import chromium

pytest_plugins = ["pytester"]
NOT_OURS = re.compile(
    r"(?:RECONCILE|GITHUB|VIRTUAL_ENV|CONDA)|(?:https?|all)_proxy$", re.IGNORECASE
)
"""Variables of whoever runs the tests, on which nothing they say depends."""

# What is imported is compiled once, not by each worker and by each of the hundreds of programs that
# tests start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# To go through the thousands of collected tests each time takes a sixth of the time. `gc.freeze`
# would keep them out of every search, but examples of hypothesis 6.100, the oldest that is allowed,
# are flaky then.
gc.set_threshold(20_000, 50, 1000)

WHATEVER_THE_SPEED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile(
    "same", WHATEVER_THE_SPEED, max_examples=WHATEVER_THE_SPEED.max_examples // 4, derandomize=True
)
settings.register_profile("fresh", WHATEVER_THE_SPEED, derandomize=False, print_blob=True)
settings.register_profile(
    "thorough", settings.get_profile("fresh"), max_examples=20 * WHATEVER_THE_SPEED.max_examples
)
settings.load_profile("same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As a shell starts what runs in its background: the programs that tests start would ignore an
    # interrupt as well.
    signal.signal(signal.SIGINT, signal.default_int_handler)


TOGETHER = (
    ("tests/web/",),  # a page that is built
    ("tests/project/test_imports", "tests/project/test_words"),
    (
        "tests/project/test_checked",
        "tests/rules/test_against_gammonview",
        "tests/suite/test_peers",
    ),
)
"""Files whose tests share what takes long to make: those of the second row parse the program, those
of the last ones run GammonView in an environment of its own."""


def pytest_terminal_summary(terminalreporter):
    """Write which tests were skipped into the file that SKIPPED_TESTS names, for who installs what
    they need and runs these alone."""
    if path := os.environ.get("SKIPPED_TESTS"):
        skipped = {report.nodeid for report in terminalreporter.stats.get("skipped", ())}
        Path(path).write_text("\n".join(sorted(skipped)), "utf-8")


def skipped_without_its_peer(item):
    """Skip a test of which a program from PyPI cannot be had here."""
    try:
        return (yield)
    except NoPeer as reason:
        pytest.skip(str(reason))


pytest_runtest_setup = pytest_runtest_call = pytest.hookimpl(wrapper=True)(skipped_without_its_peer)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Bring the tests of a file to one worker, which makes once what they share, and those of files
    that share something as well.

    The groups of pytest-xdist do nothing with pytest 9.2
    (https://github.com/pytest-dev/pytest-xdist/issues/1386).
    """
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    scheduler = LoadFileScheduling(config, log)
    file_of = scheduler._split_scope

    def shared(test):
        file = file_of(test)
        return next((files[0] for files in TOGETHER if file.startswith(files)), file)

    scheduler._split_scope = shared
    return scheduler


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Take what opens a browser as long, and a test that is both long and exhaustive as exhaustive:
    `-m long` would run it."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("long")
            # Playwright's own event loop leaves its pipes to the collector.
            item.add_marker(
                pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
            )
        if item.get_closest_marker("exhaustive"):
            item.own_markers = [mark for mark in item.own_markers if mark.name != "long"]
            if item.get_closest_marker("long"):
                raise pytest.UsageError(
                    f"{item.nodeid}: expected a test or its parameters to be marked as long, "
                    f"found a module"
                )


def pytest_collection_finish():
    """Close what an imported package left open, which is no fault of the test that runs when it is
    found."""
    gc.collect()


@pytest.fixture(scope="session", autouse=True)
def _not_of_this_computer(tmp_path_factory):
    with pytest.MonkeyPatch.context() as environment:
        for name in [name for name in os.environ if NOT_OURS.match(name)]:
            environment.delenv(name)
        environment.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def data():
    """The folder of real matches; without it the test is skipped."""
    if not real.FOLDER.is_dir():
        pytest.skip(real.ABSENT)
    return real.FOLDER


@pytest.fixture(scope="module")
def browser():
    """Chromium, started once for the tests of a module; its event loop would keep asyncio from
    those of another."""
    with chromium() as opened:
        yield opened


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
