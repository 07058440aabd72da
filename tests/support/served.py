"""The page as a process of its own or within this one, and requests to it as a browser or a script
sends them."""

import asyncio
import http.client
import os
import socket
import subprocess
import sys
from abc import ABC, abstractmethod
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

from urllib3.filepost import encode_multipart_formdata

from reconcile.errors import ReconcileError

BOUNDARY = "boundary-of-the-form"


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self):
        return self.body.decode()


class Asked(ABC):
    """A page, and what a browser or a script sends to it."""

    token: str

    @abstractmethod
    def send(self, *request):
        """The answer to a method, a path, a body and headers."""

    def ask(
        self,
        method,
        path,
        body=None,
        headers=None,
    ):
        """The answer to a request."""
        return self.send(method, path, body, headers or {})

    def path(self, path):
        return f"{path}?token={self.token}"

    def get(self, path):
        return self.ask("GET", self.path(path))

    def post(self, path, files=(), **fields):
        body, kind = form(files, fields)
        return self.ask("POST", self.path(path), body, {"Content-Type": kind})


class Served(Asked):
    """A page that runs."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        self.port = urlsplit(address).port
        self.token = address.partition("token=")[2]

    def send(self, *request):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        with closing(connection):
            connection.request(*request)
            answer = connection.getresponse()
            headers = {key.lower(): value for key, value in answer.getheaders()}
            return Answer(answer.status, headers, answer.read())

    def raw(self, request, most=30.0):
        """What comes back for bytes, until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=most) as connection:
            answer = b""
            with suppress(ConnectionError):  # a refusal may come before everything was sent
                connection.sendall(request)
                while piece := connection.recv(65536):
                    answer += piece
        return answer


class Within(Asked):
    """The page in this process: its guard and its application, without a socket, and whatever is
    asked for is done at once."""

    token = "right"

    def __init__(self):
        from starlette.exceptions import HTTPException

        from reconcile.serve.app import Page
        from reconcile.serve.child import REFUSED, Workers
        from reconcile.serve.guard import Guard
        from reconcile.serve.work import run

        class Here(Workers):
            async def do(self, task, progress, stopped):
                try:
                    return run(task, progress)
                except ReconcileError as error:
                    raise HTTPException(REFUSED, " ".join(str(error).split())) from None

        self.runner = asyncio.Runner()
        self.app = Guard(Page(self.token, Here(), 2).app(), self.token, 80)

    def close(self):
        self.runner.close()

    def send(self, *request):
        return self.runner.run(self._asked(*request))

    async def _asked(self, method, path, body, headers):
        sent: list[Any] = []
        pieces = [{"type": "http.request", "body": body or b""}]
        place, _, query = path.partition("?")
        named = {"Host": "localhost:80", **headers}.items()
        scope = {
            "type": "http",
            "asgi": {"spec_version": "2.4"},
            "http_version": "1.1",
            "scheme": "http",
            "method": method,
            "path": unquote(place),
            "query_string": query.encode(),
            "headers": [(key.lower().encode(), value.encode()) for key, value in named],
        }

        async def receive():
            if not pieces:
                await asyncio.Event().wait()
            return pieces.pop()

        async def send(message):
            sent.append(message)

        await self.app(scope, receive, send)
        start, *rest = sent
        shown = {key.decode(): value.decode("latin-1") for key, value in start["headers"]}
        return Answer(start["status"], shown, b"".join(part.get("body", b"") for part in rest))


def form(files, fields):
    """A form as a browser encodes it: body and content type."""
    parts: list[tuple[str, Any]] = [*fields.items()]
    for file in files:
        content = file if isinstance(file, tuple) else (file.name, file.read_bytes())
        parts.append(("files", content))
    return encode_multipart_formdata(parts, BOUNDARY)


@contextmanager
def served(*options, **environment):
    """Run the page; it is stopped as by Ctrl-C in the end."""
    quiet = [] if "BROWSER" in environment else ["--no-browser"]
    with subprocess.Popen(
        [sys.executable, "-m", "reconcile", "serve", *quiet, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    ) as process:
        try:
            line = process.stdout.readline() if process.stdout else ""
            if not line.startswith("serving http://"):
                raise AssertionError(
                    f"expected the address, found {line!r}, {process.communicate()}"
                )
            yield Served(process, line.split()[1])
        finally:
            if process.poll() is None:
                process.terminate()
