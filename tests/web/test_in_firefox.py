"""The page in Firefox, from the disk; the browser is driven by WebDriver BiDi over a websocket."""

import asyncio
import json
import os
import re
import shutil
import subprocess

import pytest

from tests.support.processes import wait_until
from tests.web.web_page import DEMONSTRATION, built

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://127\.0\.0\.1:\d+)")
QUIET = 'user_pref("app.update.enabled", false);\n'
STATE = "document.documentElement.dataset.state"
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(FIREFOX is None, reason="Firefox is not installed"),
]


class Tab:
    """A tab of a browser that listens at an address."""

    def __init__(self, address):
        self.runner, self.count = asyncio.Runner(), 0
        self.events = []
        self.socket = self.runner.run(self._connected(address))
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        self.context = self.ask("browsingContext.create", type="tab")["context"]

    async def _connected(self, address):
        from tornado.websocket import websocket_connect

        return await websocket_connect(f"{address}/session")

    async def _answer(self, command):
        await self.socket.write_message(json.dumps(command))
        while (message := json.loads(await self.socket.read_message())).get("id") != command["id"]:
            self.events.append(message)
        assert message["type"] == "success", message
        return dict(message["result"])

    def ask(self, method, **params):
        """The result of a command."""
        self.count += 1
        command = {"id": self.count, "method": method, "params": params}
        return self.runner.run(self._answer(command))

    def value(self, expression, context=""):
        """The value of an expression in the page or in a frame."""
        target = {"context": context or self.context}
        words = {"expression": expression, "target": target, "awaitPromise": True}
        return self.ask("script.evaluate", **words)["result"].get("value")

    def choose(self, *files):
        locator = {"type": "css", "value": "#files"}
        (node,) = self.ask("browsingContext.locateNodes", context=self.context, locator=locator)[
            "nodes"
        ]
        field = {"sharedId": node["sharedId"]}
        self.ask("input.setFiles", context=self.context, element=field, files=[*map(str, files)])


@pytest.fixture
def tab(tmp_path):
    pytest.importorskip("tornado", reason="tornado is not installed (extra `cluster`)")
    (tmp_path / "user.js").write_text(QUIET, "utf-8")
    log = tmp_path / "log"
    words = ["--headless", "--no-remote", "--profile", tmp_path, "--remote-debugging-port", "0"]
    with log.open("w") as written:
        environment = os.environ | {"HOME": str(tmp_path)}
        browser = subprocess.Popen(
            [str(FIREFOX), *map(str, words)], stderr=written, env=environment
        )
    try:
        wait_until(lambda: LISTENS.search(log.read_text("utf-8", "replace")))
        yield Tab(LISTENS.findall(log.read_text("utf-8", "replace"))[0])
    finally:
        browser.kill()
        browser.wait()


def test_two_files_are_compared_from_the_disk_without_a_request(tab, tmp_path_factory):
    page = built(tmp_path_factory.getbasetemp()) / "reconcile.html"
    phone = {"width": 390, "height": 844}
    tab.ask("browsingContext.setViewport", context=tab.context, viewport=phone)
    tab.ask("browsingContext.navigate", context=tab.context, url=page.as_uri(), wait="complete")
    wait_until(lambda: tab.value(f"{STATE} === 'ready'"))
    tab.choose(*DEMONSTRATION)
    wait_until(lambda: tab.value(f"{STATE} === 'done'"))
    sentence = tab.value("document.getElementById('sentence').textContent")
    assert sentence.startswith("Nora Lindqvist: PR 7.16 by XG")
    assert tab.value("document.documentElement.scrollWidth") <= 390
    (top,) = tab.ask("browsingContext.getTree", root=tab.context)["contexts"]
    (frame,) = (child["context"] for child in top["children"])
    wait_until(lambda: tab.value("document.querySelector('h1') !== null", frame))
    assert "Nora Lindqvist" in tab.value("document.querySelector('h1').textContent", frame)
    tab.choose(DEMONSTRATION[0])
    alone = "document.getElementById('sentence').textContent.includes('by XG, ')"
    wait_until(lambda: tab.value(alone))
    tab.value("document.getElementById('second').click()")
    wait_until(lambda: tab.value("document.documentElement.dataset.plies === '2'"))
    sentence = tab.value("document.getElementById('sentence').textContent")
    assert re.match(r"Nora Lindqvist: PR 7.16 by XG, .* by Open Sage", sentence)
    asked = [event["params"] for event in tab.events if "request" in event["params"]]
    urls = [event["request"]["url"] for event in asked]
    assert [url for url in urls if not url.startswith(("file:", "blob:", "data:"))] == []
    assert [event for event in tab.events if event["method"] == "log.entryAdded"] == []
