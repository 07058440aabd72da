"""The report as one HTML file that makes no request: style, script and pictures are inside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from reconcile.language import LANGUAGES, Number, Said, language, say
from reconcile.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

TEMPLATES: Final = Path(__file__).parent / "templates"
SPOKEN: Final = re.compile(r"\bsay\('([^']+)'")
"""A message that a script says."""


def render(template: str, tongue: str = LANGUAGES[0], **values: Any) -> str:
    """A page from its template, in a language; values are escaped."""
    return environment().get_template(template).render(tongue=tongue, **values)


def as_json(shown: object, tongue: str = LANGUAGES[0]) -> str:
    """JSON that is safe inside a page, with its messages in a language."""
    text = json.dumps(_spoken(shown, tongue), ensure_ascii=False, separators=(",", ":"))
    return text.translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "&<\u2028\u2029"})


def _spoken(shown: Any, tongue: str) -> Any:
    if isinstance(shown, dict):
        return {key: _spoken(value, tongue) for key, value in shown.items()}
    if isinstance(shown, list | tuple):
        return [_spoken(value, tongue) for value in shown]
    return language(tongue).text(shown) if isinstance(shown, Said | Number) else shown


def messages(names: Sequence[str], tongue: str, script: str = "") -> dict[str, list[str]]:
    """What the scripts of these names, and another one, say in a language."""
    texts = [script, *(scripts()[name] for name in names)]
    keys = sorted({key for text in texts for key in SPOKEN.findall(text)})
    return {key: language(tongue).messages[key] for key in keys}


def digest(source: str) -> str:
    """How a content security policy names a script or a style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()}'"


@cache
def scripts() -> dict[str, str]:
    """The scripts of pages, by name."""
    return {path.stem: path.read_text("utf-8") for path in sorted(TEMPLATES.glob("*.js"))}


@cache
def style() -> str:
    """The style of every page."""
    return (TEMPLATES / "style.css").read_text("utf-8")


@cache
def environment() -> Environment:
    """The templates and what they may use."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context

    @pass_context
    def in_its_language(context: Context, value: object) -> object:
        is_message = isinstance(value, Said | Number)
        return language(context["tongue"]).text(value) if is_message else value

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=in_its_language,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= _names() | {"translated": in_its_language}
    return environment


def _names() -> dict[str, object]:
    """What every template may use."""
    from reconcile.match.board.drawing import POINT_NUMBERS, SURFACE

    return {
        "version": __version__,
        "style": style(),
        "SCRIPTS": scripts(),
        "digest": digest,
        "say": say,
        "messages": messages,
        "as_json": as_json,
        "SURFACE": SURFACE,
        "NUMBERS": POINT_NUMBERS,
    }
