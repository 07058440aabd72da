"""Blocks as HTML: every page but the first screen of a match; and the templates, which make one
file that makes no request: style, script and pictures are inside."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Container, Iterable, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reconcile.gap.rows import Rows
from reconcile.language import LANGUAGES, Number, Said, language, say
from reconcile.report.blocks import (
    Block,
    Bullets,
    Command,
    Folded,
    Heading,
    Item,
    Picture,
    Sentences,
    Table,
    Title,
    Verdict,
    Words,
    with_code,
)
from reconcile.version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context


TEMPLATES = Path(__file__).parent / "templates"
SPOKEN = re.compile(r"\bsay\('([^']+)'")
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
        "ICONS": ICONS,
    }


ICONS = {
    "within": "within",
    "outside": "outside",
    "failed": "outside",
    "error": "outside",
    "warned": "warned",
    "warning": "warned",
    "incomplete": "incomplete",
    "incomparable": "incomplete",
    "not compared": "incomplete",
    "noted": "info",
    "explained": "info",
    "listed": "info",
    "info": "info",
}
"""The symbol of a tone; others have none."""


def page(blocks: Iterable[Block]) -> str:
    """The blocks as one HTML file; the first of them says what it is called."""
    first, *rest = blocks
    assert isinstance(first, (Title, Heading))
    version = f"reconcile {__version__}. The same input and the same version give the same bytes."
    parts = [_heading(1, first), content(rest), f'<p class="note">{version}</p>']
    return render("blocks.html.j2", heading=str(first.words), content="\n".join(parts))


def content(blocks: Iterable[Block], level: int = 2) -> str:
    """The blocks as a part of a page whose headings begin at a level."""
    shown, below = [], level
    for block in blocks:
        if isinstance(block, Heading):
            shown.append(_heading(level, block))
            below = level + 1
        else:
            shown.append(_shown(block, below))
    return "\n".join(shown)


def words(text: Words) -> str:
    """Words with their code, and with what else there is to them."""
    if isinstance(text, str):
        return "".join(
            f"<code>{escape(piece)}</code>{_copied(piece)}" if is_code else escape(piece)
            for piece, is_code in with_code(text)
        )
    shown = words(text.words)
    if text.link:
        shown = f'<a href="{escape(quote(text.link, safe="#/"))}">{shown}</a>'
    if text.tone:
        look = text.tone.replace(" ", "-")
        shown = f'<span class="badge {look}">{_icon(text.tone)}{shown}</span>'
    return f"{shown} <small>{words(text.note)}</small>" if text.note else shown


def _copied(code: str) -> str:
    """A button beside name is of use elsewhere."""
    wanted = {"XGID=": say("page.copy-xgid"), "reconcile ": say("page.copy-command")}
    return next((_copy(code, name) for start, name in wanted.items() if code.startswith(start)), "")


def _copy(code: str, name: str) -> str:
    button = f'<button type="button" class="copy" data-copy="{escape(code)}"'
    return f'{button} aria-label="{escape(name)}" hidden>{say("page.copy")}</button>'


def _icon(tone: str) -> str:
    if tone not in ICONS:
        return ""
    use = f'<use href="#i-{ICONS[tone]}"/>'
    return f'<svg class="icon" aria-hidden="true" focusable="false">{use}</svg>'


def _shown(block: Block, level: int) -> str:
    match block:
        case Verdict():
            label = f"{block.label}: {block.match}" if block.match else block.label
            words_ = f'<span class="label">{escape(label)}</span>'
            words_ += f' <span class="sentence">{words(block.sentence)}</span>'
            look = f'class="verdict {block.tone.replace(" ", "-")}" id="verdict"'
            return f"<div {look}>{_icon(block.tone)}<p>{words_}</p></div>"
        case Sentences():
            if block.wrapped:
                return _each("p", block.paragraphs)
            lines = "\n".join(map(words, block.paragraphs))
            return f'<pre class="answer">{lines}</pre>'
        case Rows():
            rows = [[line.lead, line.words, line.detail] for line in block.lines]
            body = _body(rows, {0}, named=1, width=3)
            shown = _boxed(block.headline, body, "lines") if rows else ""
            return _titled(block.headline, level, shown)
        case Bullets():
            return _titled(block.title, level, _list(block))
        case Table():
            name = block.title or ", ".join(filter(None, block.head))
            return _titled(block.title, level, _boxed(name, _table(block)))
        case Picture():
            caption = f"<figcaption>{words(block.caption or block.name)}</figcaption>"
            return f"<figure>{_box(block.name, block.draw())}{caption}</figure>"
        case Command():
            code = f"<code>{escape(block.words)}</code>"
            return f'<p class="command">{code}{_copy(block.words, say("page.copy-command"))}</p>'
        case Folded():
            summary = f"{_key(block.key)}><summary>{words(block.title)}</summary>"
            return f'<details class="folded"{summary}\n{content(block.blocks, level)}\n</details>'
    raise TypeError(block)


def _heading(level: int, block: Title | Heading) -> str:
    key = _key(block.key) if isinstance(block, Heading) else ""
    return f"<h{level}{key}>{words(block.words)}</h{level}>"


def _key(key: str) -> str:
    return f' id="{escape(key)}"' if key else ""


def _titled(title: str, level: int, shown: str) -> str:
    return f"<h{level}>{words(title)}</h{level}>\n{shown}" if title else shown


def _each(element: str, paragraphs: Iterable[Words]) -> str:
    return "\n".join(f"<{element}>{words(each)}</{element}>" for each in paragraphs)


def _box(name: str, shown: str) -> str:
    """What is wider than the window scrolls by itself, and a key reaches it."""
    named = f'role="group" tabindex="0" aria-label="{escape(name)}"'
    return f'<div class="scroll" {named}>{shown}</div>'


def _boxed(name: str, rows: str, look: str = "plain") -> str:
    caption = f'<caption class="unseen">{escape(name)}</caption>'
    return _box(name, f'<table class="{look}">{caption}\n{rows}</table>')


def _table(block: Table) -> str:
    head = "".join(
        f'<th scope="col"{_number(index in block.right)}>{escape(name)}</th>'
        if name
        else "<td></td>"
        for index, name in enumerate(block.head)
    )
    body = _body(block.rows, block.right, named=0, width=len(block.head))
    return f"<thead><tr>{head}</tr></thead>\n{body}"


def _body(rows: Sequence[Sequence[Words]], right: Container[int], *, named: int, width: int) -> str:
    """Rows of a table; the column `named` says what each is."""
    lines = []
    for row in rows:
        if len(row) < width:
            title = f'<th scope="rowgroup" colspan="{width}">{words(row[0])}</th>'
            lines.append(f'<tr class="group">{title}</tr>\n')
            continue
        cells = [f"{_number(index in right)}>{words(cell)}" for index, cell in enumerate(row)]
        line = "".join(
            f'<th scope="row"{cell}</th>' if index == named else f"<td{cell}</td>"
            for index, cell in enumerate(cells)
        )
        lines.append(f"<tr>{line}</tr>\n")
    return f"<tbody>\n{''.join(lines)}</tbody>"


def _number(is_number: bool) -> str:
    return ' class="num"' if is_number else ""


def _list(block: Bullets) -> str:
    lines = []
    for entry in block.items:
        item = entry if isinstance(entry, Item) else Item(entry)
        lead = f"<b>{words(item.lead)}</b> " if item.lead else ""
        below = f"\n<ul>\n{_each('li', item.below)}\n</ul>" if item.below else ""
        lines.append(f"<li>{lead}{words(item.words)}{below}</li>\n")
    lines += [f"<li>and {block.more} more</li>\n"] if block.more else []
    return f'<ul class="entries">\n{"".join(lines)}</ul>'
