"""Firefox for the tests that look at pages, driven by WebDriver BiDi over a websocket: no driver,
and nothing to install beside it."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS: Final = re.compile(r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)")
MASK: Final = b"mask"
"""What a client sends is masked, with any four bytes but zeros."""
QUIET: Final = (
    'user_pref("app.update.enabled", '
    'false);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n'
)


class Bidi:
    """A session with a browser: commands and their results."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=120)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: "
            f"websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.reader = self.socket.makefile("rb")
        while self.reader.readline().strip():
            pass
        self.count = 0
        self.events: list[dict[str, Any]] = []

    def close(self) -> None:
        """End the connection."""
        self.reader.close()
        self.socket.close()

    def command(self, method: str, **params: object) -> dict[str, Any]:
        """Send a command; its result. Events that come before are kept."""
        self.count += 1
        content = json.dumps({"id": self.count, "method": method, "params": params}).encode()
        length = len(content)
        head = (
            struct.pack("!BB", 0x81, 0x80 | length)
            if length < 126
            else struct.pack("!BBH", 0x81, 0x80 | 126, length)
        )
        masked = bytes(letter ^ MASK[at % 4] for at, letter in enumerate(content))
        self.socket.sendall(head + MASK + masked)
        while True:
            message = json.loads(self._message())
            if message.get("id") == self.count:
                if message["type"] != "success":
                    raise AssertionError(f"{method}: {message['error']}: {message['message']}")
                return dict(message["result"])
            self.events.append(message)

    def _message(self) -> bytes:
        content = b""
        while True:
            first, second = self.reader.read(2)
            length = second & 0x7F
            if length > 125:
                length = int.from_bytes(self.reader.read(2 if length == 126 else 8))
            content += self.reader.read(length)
            if first & 0x80:
                return content


class Tab:
    """A tab, as far as the tests need one."""

    def __init__(self, session: Bidi) -> None:
        self.session = session
        self.context = session.command("browsingContext.create", type="tab")["context"]

    def goto(self, address: str) -> None:
        """Open an address."""
        self.session.command(
            "browsingContext.navigate", context=self.context, url=address, wait="complete"
        )

    def size(self, width: int, height: int) -> None:
        """Give the page this size."""
        self.session.command(
            "browsingContext.setViewport",
            context=self.context,
            viewport={"width": width, "height": height},
        )

    def frame(self) -> str:
        """The context of the frame that the page has."""
        (frame,) = self.session.command("browsingContext.getTree", root=self.context)["contexts"][
            0
        ]["children"]
        return str(frame["context"])

    def value(self, expression: str, within: str | None = None) -> Any:
        """The value of an expression, in the page or a context within it; a promise is waited
        for."""
        where = {"context": within or self.context}
        done = self.session.command(
            "script.evaluate", expression=expression, target=where, awaitPromise=True
        )
        assert done["type"] == "success", done.get("exceptionDetails", {}).get("text")
        return done["result"].get("value")

    def wait(self, expression: str, seconds: float = 120, within: str | None = None) -> None:
        """Wait until an expression is true, in the page or a context within it."""
        end = time.monotonic() + seconds
        while not self.value(expression, within):
            assert time.monotonic() < end, f"never true within {seconds} s: {expression}"
            time.sleep(0.1)

    def choose(self, selector: str, files: Sequence[str]) -> None:
        """Choose files in a field."""
        result = self.session.command(
            "browsingContext.locateNodes",
            context=self.context,
            locator={"type": "css", "value": selector},
            maxNodeCount=1,
        )
        self.session.command(
            "input.setFiles",
            context=self.context,
            element={"sharedId": result["nodes"][0]["sharedId"]},
            files=[*files],
        )


@contextmanager
def firefox() -> Iterator[Tab]:
    """A tab of a browser without a window, closed in the end."""
    assert FIREFOX is not None
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        (Path(profile) / "user.js").write_text(QUIET, "utf-8")
        command = [
            FIREFOX,
            "--headless",
            "--no-remote",
            "--profile",
            profile,
            "--remote-debugging-port",
            "0",
        ]
        environment = {**os.environ, "HOME": profile}
        log = Path(profile) / "log"
        with (
            log.open("w") as written,
            subprocess.Popen(
                command, stderr=written, stdout=subprocess.DEVNULL, env=environment
            ) as running,
        ):
            try:
                with closing(Bidi(_port(log))) as session:
                    session.command("session.new", capabilities={})
                    yield Tab(session)
            finally:
                running.terminate()
                try:
                    running.wait(20)
                except subprocess.TimeoutExpired:
                    running.kill()


def _port(log: Path, seconds: float = 60) -> int:
    """Where a browser that has just been started listens, by what it wrote."""
    end = time.monotonic() + seconds
    while not (result := LISTENS.search(log.read_text("utf-8", "replace"))):
        assert time.monotonic() < end, (
            f"Firefox did not listen within {seconds} s: {log.read_text('utf-8', 'replace')[-500:]}"
        )
        time.sleep(0.1)
    return int(result[1])
