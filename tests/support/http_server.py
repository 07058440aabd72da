"""A server on this computer that answers as a test tells it to, rightly or wrongly."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

Answer = Callable[[BaseHTTPRequestHandler], None]


class Server:
    """Answers on a free port of this computer as a test tells it to, and remembers what it was
    asked for."""

    def __init__(self, default: Answer, certificate: Path | None = None) -> None:
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.answers: dict[str, Answer] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.asked.append(self.path)
                outer.headers.append(dict(self.headers))
                self.close_connection = True
                outer.answers.get(self.path, outer.default)(self)

            def do_HEAD(self) -> None:
                self.do_GET()

            def end_headers(self) -> None:
                # Said, so that nobody asks again on a connection that is about to close.
                self.send_header("Connection", "close")
                super().end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.default = default
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        scheme = "http"
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            scheme = "https"
        self.root = f"{scheme}://127.0.0.1:{self.server.server_port}"
        threading.Thread(
            target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def body(content: bytes, code: int = 200, *, announced: bool = True) -> Answer:
    """An answer with this body, whose length is announced; the client may hang up before its
    end."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        if announced:
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        with suppress(OSError):
            for start in range(0, len(content), 65536):
                handler.wfile.write(content[start : start + 65536])

    return answer


def unannounced(content: bytes) -> Answer:
    """A body whose length nobody says."""
    return body(content, announced=False)


def status(code: int) -> Answer:
    """An answer without a body."""
    return body(b"", code)
