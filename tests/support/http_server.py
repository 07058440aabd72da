"""A server on this computer that answers as a test tells it to, rightly or wrongly."""

import ssl
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Server:
    """Answers on a free port of this computer as a test tells it to, and remembers what it was
    asked for."""

    def __init__(self, default, certificate=None):
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.answers: dict[str, Any] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                outer.asked.append(self.path)
                outer.headers.append(dict(self.headers))
                self.close_connection = True
                outer.answers.get(self.path, outer.default)(self)

            def do_HEAD(self):
                self.do_GET()

            def end_headers(self):
                # Said, so that nobody asks again on a connection that is about to close.
                self.send_header("Connection", "close")
                super().end_headers()

            def log_message(self, *_):
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

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def body(content, code=200, *, announced=True):
    """An answer with this body, whose length is announced; the client may hang up before its
    end."""

    def answer(handler):
        handler.send_response(code)
        if announced:
            handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        with suppress(OSError):
            for start in range(0, len(content), 65536):
                handler.wfile.write(content[start : start + 65536])

    return answer


def status(code):
    """An answer without a body."""
    return body(b"", code)
