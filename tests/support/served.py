"""The page as a process of its own, and requests to it as a browser or a script sends them."""

from __future__ import annotations

import http.client
import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BOUNDARY = "boundary-of-the-form"


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


@dataclass
class Served:
    """A page that runs."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return int(self.address.partition("//")[2].partition("/")[0].rpartition(":")[2])

    @property
    def token(self) -> str:
        return self.address.partition("token=")[2]

    def path(self, path: str) -> str:
        return f"{path}?token={self.token}"

    def ask(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        found = Answer(answer.status, {key.lower(): value for key, value in answer.getheaders()}, answer.read())
        connection.close()
        return found

    def get(self, path: str) -> Answer:
        return self.ask("GET", self.path(path))

    def post(self, path: str, files: Sequence[Path | tuple[str, bytes]] = (), **fields: str) -> Answer:
        body, kind = form(files, fields)
        return self.ask("POST", self.path(path), body, {"Content-Type": kind})

    def raw(self, request: bytes, most: float = 30.0) -> bytes:
        """What comes back for bytes, until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=most) as connection:
            answer = b""
            with suppress(ConnectionError):  # a refusal may come before everything was sent
                connection.sendall(request)
                while piece := connection.recv(65536):
                    answer += piece
        return answer


def form(files: Sequence[Path | tuple[str, bytes]], fields: dict[str, str]) -> tuple[bytes, str]:
    """A form as a browser encodes it: body and content type."""
    parts = []
    for name, value in fields.items():
        parts.append(f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode())
    for one in files:
        name, content = one if isinstance(one, tuple) else (one.name, one.read_bytes())
        named = name.replace('"', "%22")  # as browsers do
        head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="{named}"\r\n\r\n'
        parts.append(head.encode() + content + b"\r\n")
    return b"".join([*parts, f"--{BOUNDARY}--\r\n".encode()]), f"multipart/form-data; boundary={BOUNDARY}"


@contextmanager
def served(*options: str, **environment: str) -> Iterator[Served]:
    """Run the page; it is stopped as by Ctrl-C in the end."""
    command = [sys.executable, "-m", "reconcile", "serve", *([] if "BROWSER" in environment else ["--no-browser"]), *options]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, **pipes, text=True, env={**os.environ, **environment}, start_new_session=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.startswith("serving http://"):
            process.wait()
            assert process.stderr is not None
            raise AssertionError(f"expected the address, found {line!r} and {process.stderr.read()!r}")
        yield Served(process, line.split()[1])
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()
