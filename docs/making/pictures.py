"""Take the pictures that README and site show, in light and dark. By hand: needs Playwright and a
Chromium.

    python -m docs.making.pictures [CHROMIUM]

Of the sample report `reports/sample.html` the first screen: the answer, a decision, the list and
the curve. Of the one-file page its start, from the top to the examples. `words.json` has the words
that each shows, so that a test can tell when the page says something else.
"""

from __future__ import annotations

import json
import sys
from base64 import b64decode, b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from web.build import whole_page

PROJECT = Path(__file__).parents[2]
REPORT = PROJECT / "reports" / "sample.html"
PICTURES = PROJECT / "docs" / "pictures"
WORDS = PICTURES / "words.json"
SCHEMES: Final = ("light", "dark")
WIDTH = 1280
SHOWN = ("#answer .lead", ".chips button")
START = ("h1", "label[for=files]", "#kinds", "#examples-h", "[data-example]")
"""Where the words of a picture are that would be wrong first."""
LEFT_OUT = (
    ".skip, :is(p, form).needs-script, #meaning, #expert { display: none !important } main { "
    "padding-bottom: 1rem !important }"
)
"""Style for what the picture does not show."""
SMALL = """async address => {
    const image = new Image(); image.src = address; await image.decode();
    const canvas = Object.assign(document.createElement("canvas"),
        {width: image.width, height: image.height});
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.7);
}"""
"""A picture as WebP, which is small; the browser writes it."""


def take(chromium: str) -> None:
    """Write every picture, and the words on all of them."""
    from playwright.sync_api import sync_playwright

    words: dict[str, list[str]] = {}
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for scheme in SCHEMES:
            page = browser.new_page(
                viewport={"width": WIDTH, "height": 640}, color_scheme=scheme, bypass_csp=True
            )
            page.goto(REPORT.as_uri())
            name = f"report-{scheme}.webp"
            words[name] = _words(page, SHOWN)
            page.add_style_tag(content=LEFT_OUT)
            _write(page, name, page.screenshot(full_page=True))
            page.set_viewport_size({"width": 900, "height": 640})
            page.set_content(whole_page([]).replace('data-state="loading"', ""))
            name = f"page-{scheme}.webp"
            words[name] = _words(page, START)
            _write(page, name, page.screenshot())
    WORDS.write_text(json.dumps(words, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _words(page: Any, shown: Sequence[str]) -> list[str]:
    words = "\n".join(text for where in shown for text in page.locator(where).all_inner_texts())
    return [line.strip() for line in words.splitlines() if line.strip()]


def _write(page: Any, name: str, picture: bytes) -> None:
    address = page.evaluate(SMALL, f"data:image/png;base64,{b64encode(picture).decode()}")
    (PICTURES / name).write_bytes(b64decode(address.partition(",")[2]))
    print(f"{name}: {(PICTURES / name).stat().st_size // 1024} KB")


if __name__ == "__main__":
    take(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
