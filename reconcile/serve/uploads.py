"""Reads the form of a request: files and fields, bounded in number, size and time, kept in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Final

from python_multipart.exceptions import FormParserError
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from reconcile.files.wording import one_line
from reconcile.serve.work import Upload

LARGEST_UPLOAD: Final = 32 * 2**20
"""Bytes of all files of a request; a match has some 100 KB, a long one with rollouts 1 MB."""
LARGEST_FIELD: Final = 2**18
MOST_FILES: Final = 8
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
        raise Unacceptable(408, f"The upload took more than {SLOWEST:.0f} seconds; try again.") from None
    except ClientDisconnect:
        raise Unacceptable(400, "The upload broke off; try again.") from None


async def _read(request: Request) -> tuple[tuple[Upload, ...], dict[str, str]]:
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(length) < 20 and int(length) > LARGEST_UPLOAD + LARGEST_FIELD:
        if int(length) <= MOST_IGNORED:
            async for _ in request.stream():
                pass
        raise _too_large()
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise Unacceptable(415, "Expected a form with files (multipart/form-data), found something else.")
    parser = MultiPartParser(request.headers, _bounded(request), max_files=MOST_FILES, max_fields=MOST_FIELDS, max_part_size=LARGEST_FIELD)
    parser.spool_max_size = 2 * LARGEST_UPLOAD  # nothing goes to the disk
    try:
        form = await parser.parse()
    except (MultiPartException, FormParserError, KeyError, ValueError) as error:
        text = str(error.message if isinstance(error, MultiPartException) else "it is not well formed")
        raise Unacceptable(400, f"The form cannot be read: {one_line(text).rstrip('.')}.") from None
    files: list[Upload] = []
    fields: dict[str, str] = {}
    try:
        for key, value in form.multi_items():
            if isinstance(value, UploadFile):
                if value.filename:  # a field for files that was left empty has none
                    files.append((_name(value.filename), await value.read()))
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
    return Unacceptable(413, f"These files have more than {LARGEST_UPLOAD >> 20} MB, which no match has. Is it the right file?")


def _name(given: str) -> str:
    """The last part of a file's name, as it may be shown."""
    return one_line(given.replace("\\", "/").rpartition("/")[2])[:LONGEST_NAME] or "unnamed"
