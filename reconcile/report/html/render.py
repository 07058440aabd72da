"""The report as one HTML file that makes no request: style, script and pictures are inside."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from reconcile.files.bundled import cache_folder
from reconcile.report import numbers, words
from reconcile.rules.rulesets import QUESTIONS
from reconcile.version import __version__
from reconcile.wording import plural

if TYPE_CHECKING:
    from jinja2 import Environment, FileSystemBytecodeCache

TEMPLATES: Final = Path(__file__).parent / "templates"


def render(template: str, **values: object) -> str:
    """A page from its template; values are escaped."""
    return environment().get_template(template).render(**values)


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


def _compiled() -> FileSystemBytecodeCache | None:
    """Compiled templates, in a folder of the user's own, since they are code; none elsewhere."""
    from jinja2 import FileSystemBytecodeCache
    from jinja2 import __version__ as jinja

    folder = cache_folder() / f"templates-{__version__}-{jinja}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = folder.stat()
    except OSError:
        return None
    if hasattr(os, "getuid") and (state.st_uid != os.getuid() or state.st_mode & 0o077):
        return None
    return FileSystemBytecodeCache(str(folder))


@cache
def environment() -> Environment:
    """The templates and what they may use."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.bytecode_cache = _compiled()
    environment.globals |= _names()
    return environment


def _names() -> dict[str, object]:
    """What every template may use."""
    from reconcile.report.html.board import POINT_NUMBERS, SURFACE

    return {
        "version": __version__,
        "numbers": numbers,
        "words": words,
        "QUESTIONS": QUESTIONS,
        "plural": plural,
        "style": style(),
        "SCRIPTS": scripts(),
        "digest": digest,
        "SURFACE": SURFACE,
        "NUMBERS": POINT_NUMBERS,
    }
