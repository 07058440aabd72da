"""Runs the page on a socket until it is interrupted or the terminal goes."""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import socket
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from reconcile.errors import InvalidConfiguration
from reconcile.serve.app import Page
from reconcile.serve.child import Workers
from reconcile.serve.guard import Guard

HEADERS_WITHIN: Final = 10.0
"""Seconds in which a connection must have sent the head of its first request."""
MOST_CONNECTIONS: Final = 400
"""More are answered with 503."""
LOCAL: Final = "127.0.0.1"


class Prompt(H11Protocol):
    """Connections that send nothing for some time, or a head byte by byte, are closed."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A connection."""
        super().connection_made(transport)
        self._waiting = self.loop.call_later(HEADERS_WITHIN, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Its end."""
        self._waiting.cancel()
        super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()


SETTINGS: Final[dict[str, Any]] = {
    "http": Prompt,
    "ws": "none",
    "lifespan": "on",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "limit_concurrency": MOST_CONNECTIONS,
    "timeout_keep_alive": 10,
    "timeout_graceful_shutdown": 1,
}


class Server(uvicorn.Server):
    """Says when it is ready, and ends quietly."""

    ready: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Every signal that asks for an end is followed; none is raised again afterwards."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self.handle_exit)
        yield


@contextmanager
def browser() -> Iterator[Callable[[str], None]]:
    """What starts a browser on an address that its arguments, which every user of the computer can
    read, don't show.

    They name a page in a private folder, which leads there and goes in the end. The browser is
    not waited for.
    """
    import webbrowser

    with ExitStack() as stack:

        def start(address: str) -> None:
            folder = TemporaryDirectory(prefix="reconcile-page-")
            page = Path(stack.enter_context(folder), "start.html")
            page.touch(0o600)
            leads = f'<meta http-equiv="refresh" content="0; url={escape(address)}">'
            page.write_text(f'<!DOCTYPE html><meta charset="utf-8">{leads}<title>reconcile</title>')
            Thread(target=webbrowser.open, args=(page.as_uri(),), daemon=True).start()

        yield start


def serve(host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until a signal ends it; `ready` is given the address. Raises `InvalidConfiguration`
    where the address cannot be used."""
    bound = _bound(host, port)
    token = secrets.token_urlsafe(24)
    port = bound.getsockname()[1]
    local = host in (LOCAL, "localhost", "::1")
    page = Page(token, Workers(), max(2, os.cpu_count() or 1))
    guard = Guard(page.app(), token, port if local else None, None if local else host)
    server = Server(uvicorn.Config(guard, **SETTINGS))
    shown = f"[{host}]" if ":" in host else host
    server.ready = lambda: ready(f"http://{shown}:{port}/?token={token}")
    try:
        server.run(sockets=[bound])
    finally:
        page.workers.close()
        bound.close()


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name != "nt":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except (OSError, OverflowError, UnicodeError, TypeError) as error:
        bound.close()
        reason = getattr(error, "strerror", None) or error
        raise InvalidConfiguration(
            f"{host}:{port}: this address cannot be used: {reason}; choose another with --host or "
            "--port"
        ) from None
    return bound
