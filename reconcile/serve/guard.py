"""Who may ask, and what forms may hold.

Every request needs the token, the right `Host` and, where a browser sends one, the right
`Origin`. A page of another site can make a browser send requests to this computer, and a name
that changes its address (DNS rebinding) makes them look like its own. Neither knows the token,
and neither can send the right `Host`. Starlette's own check of hosts looks at no port, and
cannot say "any address".
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from secrets import compare_digest
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reconcile.errors import last_part
from reconcile.report.html.render import digest, render, scripts, style
from reconcile.serve.pages import LARGEST_UPLOAD, MOST_FILES
from reconcile.serve.work import Upload
from reconcile.wording import one_line

LOCAL: Final = ("127.0.0.1", "localhost", "::1")


def _policy() -> str:
    """What every page here may run and wear: the program's own scripts and styles, by their
    digests, and nothing that got into a page."""

    def included(*names: str) -> str:
        return digest("".join(render(f"serve/{name}") for name in names))

    own = {included(f"{name}.js") for name in ("start", "bar", "job")}
    run = own | {digest(script) for script in scripts().values()}
    worn = {digest(style()), included("serve.css"), included("bar.css", "serve.css")}
    return (
        f"default-src 'none'; script-src {' '.join(sorted(run))}; "
        f"style-src {' '.join(sorted(worn))}; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


HEADERS: Final = {
    "content-security-policy": _policy(),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Stands before the application."""

    app: ASGIApp
    token: str
    port: int | None
    """Of a page for this computer alone; `None` if the page is offered to others."""
    name: str | None = None
    """A name beside the addresses, if it is offered to others."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] not in ("http", "lifespan"):
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope) if scope["type"] == "http" else None
        await (_refused(scope["path"], *refusal) if refusal else self.app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(raw=[(key.lower(), value) for key, value in scope["headers"]])
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return 421, "This page answers only under the address that it was started with."
        if {*headers.getlist("origin")} - {f"{scope['scheme']}://{hosts[0]}"}:
            return 403, "Only this page itself may send requests here."
        token = []
        with suppress(ValueError):
            query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=50)
            token = query.get("token", [])
        if len(token) != 1 or not compare_digest(token[0].encode(), self.token.encode()):
            return 403, (
                "The token is missing or wrong: open the address that was printed where the "
                "program was started."
            )
        return None

    def _is_ours(self, host: str) -> bool:
        with suppress(ValueError):
            address = urlsplit(f"//{host}")
            name, port = address.hostname or "", address.port
            if self.port is not None:
                return name in LOCAL and port == self.port
            if name in LOCAL or name == (self.name or "").lower() != "":
                return True
            # Anybody can point a name in the DNS to this computer, but not an address.
            return bool(ipaddress.ip_address(name))
        return False


def _refused(path: str, status: int, sentence: str) -> Response:
    headers = {**HEADERS, "connection": "close"}
    if path.startswith("/api/"):
        return Response(json.dumps({"error": sentence}), status, headers, "application/json")
    page = f"<!DOCTYPE html><html lang=en><title>Refused</title><p>{escape(sentence)}</p></html>"
    return Response(page, status, headers, "text/html")


LARGEST_FIELD: Final = 2**18
MOST_FIELDS: Final = 40
LONGEST_NAME: Final = 200
SLOWEST: Final = 30.0
"""Seconds that an upload may take."""
MOST_IGNORED: Final = 256 * 2**20
"""Bytes of an upload that is too large that are read and dropped, because a browser shows the
answer only when it has sent everything."""
MultiPartParser.spool_max_size = 2 * LARGEST_UPLOAD  # nothing goes to the disk


async def read_form(request: Request) -> tuple[tuple[Upload, ...], dict[str, str]]:
    """Files, in the order given, and fields. Raises `HTTPException` with a sentence."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise HTTPException(
            415, "Expected a form with files (multipart/form-data), found something else."
        )
    bounded = Request({**request.scope, "app": None}, _bounded(request.receive))
    sizes: Any = {"max_fields": MOST_FIELDS, "max_part_size": LARGEST_FIELD}
    try:
        async with (
            asyncio.timeout(SLOWEST),
            bounded.form(max_files=MOST_FILES, **sizes) as form,
        ):
            files: list[Upload] = []
            fields: dict[str, str] = {}
            for key, value in form.multi_items():
                if not isinstance(value, UploadFile):
                    fields[key] = f"{fields[key]}\n{value}" if key in fields else value
                elif value.filename:  # a field for files that was left empty has none
                    name = one_line(last_part(value.filename))[:LONGEST_NAME] or "unnamed"
                    files.append((name, await value.read()))
    except TimeoutError:
        raise HTTPException(
            408, f"The upload took more than {SLOWEST:.0f} seconds; try again."
        ) from None
    except ClientDisconnect:
        raise HTTPException(400, "The upload broke off; try again.") from None
    except HTTPException as error:
        if error.status_code != 400:
            raise
        text = one_line(error.detail).rstrip(".")
        raise HTTPException(400, f"The form cannot be read: {text}.") from None
    except (KeyError, ValueError):  # as of python-multipart
        raise HTTPException(400, "The form cannot be read: it is not well formed.") from None
    return tuple(files), fields


def _bounded(receive: Receive) -> Receive:
    """What is received, without what is too large, of which the end is told."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size <= LARGEST_UPLOAD + LARGEST_FIELD:
            return message
        if size > MOST_IGNORED or not message.get("more_body"):
            raise HTTPException(
                413,
                f"These files have more than {LARGEST_UPLOAD >> 20} MB, which no match has. "
                "Is it the right file?",
            )
        return {**message, "body": b""}

    return bounded
