"""Take the pictures that README and site show, in light and dark. By hand: needs Playwright and a
Chromium.

    python -m docs.making.pictures [CHROMIUM]

Of the sample report `reports/sample.html` the first screen: the answer, a decision, the list and
the curve. Of the one-file page its start, from the top to the examples. Each picture holds the
words that it shows, so that a test can tell when the page says something else.
"""

from __future__ import annotations

import struct
import sys
import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from web.build import whole_page

PROJECT: Final = Path(__file__).parents[2]
REPORT: Final = PROJECT / "reports" / "sample.html"
PICTURES: Final = PROJECT / "docs" / "pictures"
SCHEMES: Final = ("light", "dark")
Numbers = npt.NDArray[np.int64]

KEYWORD: Final = "Description"
"""Under which a picture keeps its words."""
WIDTH: Final = 1280
COLOURS: Final = 256
SHOWN: Final = (
    "#answer .lead",
    ".chips button",
)
"""Where the words of a picture are that would be wrong first."""
LEFT_OUT: Final = (
    ".skip, :is(p, form).needs-script, #meaning, #expert { display: none !important } main { "
    "padding-bottom: 1rem !important }"
)
"""Style for what the picture does not show."""
UNPACKED: Final = """async address => {
    const image = new Image(); image.src = address; await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const bytes = context.getImageData(0, 0, image.width, image.height).data;
    const reader = new FileReader(); reader.readAsDataURL(new Blob([bytes]));
    await new Promise(done => reader.onload = done);
    return [image.width, image.height, reader.result];
}"""
"""Width, height and the bytes of every pixel, as a data address: the browser knows how to read its
own picture."""


START: Final = ("h1", "label[for=files]", "#kinds", "#examples-h", "[data-example]")


def take(chromium: str) -> None:
    """Write every picture."""
    from playwright.sync_api import sync_playwright

    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in SCHEMES:
            page = browser.new_page(
                viewport={"width": WIDTH, "height": 640}, color_scheme=scheme, bypass_csp=True
            )
            page.goto(REPORT.as_uri())
            words = _words(page, SHOWN)
            page.add_style_tag(content=LEFT_OUT)
            _write(page, f"report-{scheme}.png", page.screenshot(full_page=True), words)
            page.set_viewport_size({"width": 900, "height": 640})
            page.set_content(whole_page([]).replace('data-state="loading"', ""))
            _write(page, f"page-{scheme}.png", page.screenshot(), _words(page, START))


def _words(page: Any, shown: Sequence[str]) -> str:
    words = "\n".join(text for where in shown for text in page.locator(where).all_inner_texts())
    return "\n".join(line.strip() for line in words.splitlines() if line.strip())


def _write(page: Any, name: str, picture: bytes, words: str) -> None:
    width, height, address = page.evaluate(
        UNPACKED, f"data:image/png;base64,{b64encode(picture).decode()}"
    )
    pixels = np.frombuffer(b64decode(address.partition(",")[2]), np.uint8).reshape(height, width, 4)
    path = PICTURES / name
    path.write_bytes(small(pixels[:, :, :3], words))
    print(f"{path.relative_to(PROJECT)}: {path.stat().st_size // 1024} KB")


def small(pixels: npt.NDArray[np.uint8], words: str) -> bytes:
    """A PNG with a palette in place of full colours, which is a third of the size, and with its
    words."""
    height, width, _ = pixels.shape
    colours, index, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    outputs, nearest = _palette(colours.astype(np.int64), counts)
    lines = nearest.astype(np.uint8)[index.reshape(height, width)]
    rows = np.hstack([np.zeros((height, 1), np.uint8), lines])
    return b"\x89PNG\r\n\x1a\n" + b"".join((
        _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        _chunk(b"PLTE", colours[outputs].tobytes()),
        _chunk(b"iTXt", KEYWORD.encode() + b"\0\0\0\0\0" + words.encode()),
        _chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)),
        _chunk(b"IEND", b""),
    ))  # fmt: skip


def _palette(colours: Numbers, counts: Numbers) -> tuple[list[int], Numbers]:
    """Which of the colours are kept, and for every colour the place of the nearest one that is.

    Each time the one is added that is worst off: far from all that are kept, and in many pixels.
    """
    outputs: list[int] = []
    nearest = np.zeros(len(colours), np.int64)
    apart = np.full(len(colours), 1 << 20)
    while len(outputs) < min(COLOURS, len(colours)):
        outputs.append(int(np.argmax(apart * counts)))
        distance = ((colours - colours[outputs[-1]]) ** 2).sum(axis=1)
        nearest[distance < apart] = len(outputs) - 1
        apart = np.minimum(apart, distance)
    return outputs, nearest


def chunks(png: bytes) -> dict[bytes, bytes]:
    """What is in a PNG, by the kind of its parts."""
    results: dict[bytes, bytes] = {}
    position = 8
    while position < len(png):
        length, kind = struct.unpack_from(">I4s", png, position)
        results[kind] = results.get(kind, b"") + png[position + 8 : position + 8 + length]
        position += length + 12
    return results


def words_of(png: bytes) -> list[str]:
    """The lines of text that a picture shows."""
    return chunks(png)[b"iTXt"].rpartition(b"\0")[2].decode().splitlines()


def size_of(png: bytes) -> tuple[int, int]:
    """Width and height in pixels."""
    width, height = struct.unpack_from(">II", chunks(png)[b"IHDR"])
    return width, height


def _chunk(kind: bytes, content: bytes) -> bytes:
    return (
        struct.pack(">I", len(content))
        + kind
        + content
        + struct.pack(">I", zlib.crc32(kind + content))
    )


if __name__ == "__main__":
    take(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
