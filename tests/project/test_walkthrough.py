"""The walk-through of the documentation does what it says: its commands are run, and the page shows
what they print."""

from __future__ import annotations

import shutil

import pytest

from tests.support.walkthrough import all_pages, commands, fresh

pytestmark = pytest.mark.long


@pytest.mark.skipif(
    shutil.which("bash") is None or shutil.which("git") is None,
    reason="the commands are of bash and git",
)
def test_every_command_of_the_walk_through_prints_what_the_page_shows() -> None:
    page = all_pages()
    assert fresh(page) == page, "run `python -m tests.support.walkthrough`"


def test_walk_through_goes_from_red_to_green() -> None:
    page = all_pages()
    codes = [
        line.removeprefix("exit code ")
        for line in page.splitlines()
        if line.startswith("exit code ")
    ]
    assert codes == ["1", "1", "0", "0", "0"]
    assert len(commands(page)) == 8
