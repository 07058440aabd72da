"""Who may ask: every request needs the token, the right `Host` and, where a browser sends one, the right `Origin`; and what forms may hold.

A page of another site can make a browser send requests to this computer, and a name that changes its address (DNS rebinding) makes
them look like its own. Neither knows the token, and neither can send the right `Host`. Forms are bounded in number, size and time.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from html import escape
from secrets import compare_digest
from typing import Final
from urllib.parse import parse_qs

from python_multipart.exceptions import FormParserError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from reconcile.errors import last_part
from reconcile.files.wording import one_line
from reconcile.report.html.render import digest, render, scripts, style
from reconcile.serve.offered import LARGEST_UPLOAD, MOST_FILES
from reconcile.serve.tasks import Upload

LOCAL: Final = ("127.0.0.1", "localhost", "::1")


def _policy() -> str:
    """What every page here may run and wear: the program's own scripts and styles, by their digests, and nothing that got into a page."""

    def included(*names: str) -> str:
        return digest("".join(render(f"serve/{name}") for name in names))

    known = {digest(script) for script in scripts().values()} | {
        included(f"{name}.js") for name in ("start", "bar", "job")
    }
    worn = {digest(style()), included("serve.css"), included("bar.css", "serve.css")}
    return (
        f"default-src 'none'; script-src {' '.join(sorted(known))}; style-src {' '.join(sorted(worn))}; "
        "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
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
"""Of every answer."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Refuses what does not come from a page of ours, and adds the headers that confine the answers."""

    app: ASGIApp
    token: str
    port: int | None
    """The port in `Host`; `None` where the page is offered to other computers, whose ports may be mapped."""
    name: str | None = None
    """A host name that is right besides the addresses, if the page is offered to other computers."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refused = self._refusal(scope)
        if refused is not None:
            await _refused(scope["path"], *refused)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers: dict[bytes, list[bytes]] = {}
        for key, value in scope["headers"]:
            headers.setdefault(key.lower(), []).append(value)
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or not self._is_ours(hosts[0].decode("latin-1")):
            return 421, "This page answers only under the address that it was started with."
        origins = headers.get(b"origin", [])
        if any(
            origin.decode("latin-1") != f"{scope['scheme']}://{hosts[0].decode('latin-1')}"
            for origin in origins
        ):
            return 403, "Only this page itself may send requests here."
        try:
            given = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=50).get(
                "token", []
            )
        except ValueError:
            given = []
        if len(given) != 1 or not compare_digest(given[0].encode(), self.token.encode()):
            return (
                403,
                "The token is missing or wrong: open the address that was printed where the program was started.",
            )
        return None

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":") if re.search(r":\d+$", host) else (host, "", "")
        name = name.removeprefix("[").removesuffix("]").lower()
        if self.port is not None:
            return name in LOCAL and port == str(self.port)
        if name in LOCAL or (self.name is not None and name == self.name.lower()):
            return True
        try:  # a name in the DNS can be pointed at this computer by anybody, an address cannot
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


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
"""Bytes of an upload that is too large that are read and dropped, because a browser shows the answer only when it has sent everything."""


class Unacceptable(Exception):
    """A form that cannot be taken: the status and a sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


async def read_form(request: Request) -> tuple[tuple[Upload, ...], dict[str, str]]:
    """Files, in the order given, and fields. Raises `Unacceptable`."""
    try:
        async with asyncio.timeout(SLOWEST):
            return await _read(request)
    except TimeoutError:
        raise Unacceptable(
            408, f"The upload took more than {SLOWEST:.0f} seconds; try again."
        ) from None
    except ClientDisconnect:
        raise Unacceptable(400, "The upload broke off; try again.") from None


async def _read(request: Request) -> tuple[tuple[Upload, ...], dict[str, str]]:
    length = request.headers.get("content-length", "")
    if (
        length.isascii()
        and length.isdigit()
        and len(length) < 20
        and int(length) > LARGEST_UPLOAD + LARGEST_FIELD
    ):
        if int(length) <= MOST_IGNORED:
            async for _ in request.stream():
                pass
        raise _too_large()
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Unacceptable(
            415, "Expected a form with files (multipart/form-data), found something else."
        )
    parser = MultiPartParser(
        request.headers,
        _bounded(request),
        max_files=MOST_FILES,
        max_fields=MOST_FIELDS,
        max_part_size=LARGEST_FIELD,
    )
    parser.spool_max_size = 2 * LARGEST_UPLOAD  # nothing goes to the disk
    try:
        form = await parser.parse()
    except (MultiPartException, FormParserError, KeyError, ValueError) as error:
        text = str(
            error.message if isinstance(error, MultiPartException) else "it is not well formed"
        )
        raise Unacceptable(400, f"The form cannot be read: {one_line(text).rstrip('.')}.") from None
    files: list[Upload] = []
    fields: dict[str, str] = {}
    try:
        for key, value in form.multi_items():
            if isinstance(value, UploadFile):
                if value.filename:  # a field for files that was left empty has none
                    name = one_line(last_part(value.filename))[:LONGEST_NAME] or "unnamed"
                    files.append((name, await value.read()))
            else:
                fields[key] = f"{fields[key]}\n{value}" if key in fields else value
    finally:
        await form.close()
    return tuple(files), fields


async def _bounded(request: Request) -> AsyncGenerator[bytes]:
    taken = 0
    async for piece in request.stream():
        taken += len(piece)
        if taken > LARGEST_UPLOAD + LARGEST_FIELD:
            if taken > MOST_IGNORED:
                raise _too_large()
            continue
        yield piece
    if taken > LARGEST_UPLOAD + LARGEST_FIELD:
        raise _too_large()


def _too_large() -> Unacceptable:
    return Unacceptable(
        413,
        f"These files have more than {LARGEST_UPLOAD >> 20} MB, which no match has. Is it the right file?",
    )
