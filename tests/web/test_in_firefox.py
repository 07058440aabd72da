"""The page in Firefox, from the disk."""

from __future__ import annotations

import pytest

from tests.support.data import PROJECT
from tests.web.firefox import FIREFOX, firefox
from tests.web.web_page import DEMONSTRATION, built

OTHER = PROJECT / "reference_matches" / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        FIREFOX is None, reason="Firefox is not installed (apt-get install firefox-esr)"
    ),
]
STATE = "document.documentElement.dataset.state"


def test_two_files_are_compared_from_the_disk_without_a_request(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    page = built(tmp_path_factory.getbasetemp()) / "reconcile.html"
    with firefox() as tab:
        tab.session.command(
            "session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"]
        )
        tab.size(390, 844)
        tab.goto(page.as_uri())
        tab.wait(f"{STATE} === 'ready'")
        tab.choose("#files", [str(path) for path in DEMONSTRATION])
        assert tab.value(STATE) in ("working", "done")
        tab.wait(f"{STATE} === 'done'")
        assert tab.value("document.getElementById('sentence').textContent").startswith(
            "Nora Lindqvist: PR 7.16 by XG"
        )
        assert tab.value("document.documentElement.scrollWidth") <= 390
        frame = tab.frame()
        tab.wait(
            "document.querySelector('h1') !== null", within=frame
        )  # the page in the frame is loaded after the state says "done"
        assert "Nora Lindqvist" in tab.value("document.querySelector('h1').textContent", frame)
        tab.choose("#files", [str(path) for path in (*DEMONSTRATION, OTHER)])
        tab.wait("document.getElementById('sentence').textContent.startsWith('2 matches.')")
        assert tab.value("document.querySelectorAll('#pages option').length") == 2
        asked = [
            event["params"]["request"]["url"]
            for event in tab.session.events
            if event["method"] == "network.beforeRequestSent"
        ]
        assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
        requests = [
            event["params"]["text"]
            for event in tab.session.events
            if event["method"] == "log.entryAdded"
        ]
        assert requests == []
