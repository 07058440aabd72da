"""Elements of inline SVG as text: attributes and content escaped, coordinates short and the same on every machine."""

from __future__ import annotations

from html import escape

XMLNS = "http://www.w3.org/2000/svg"


def coordinate(value: float) -> str:
    """A coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return text.removesuffix(".0").replace("-0", "0") if text in ("-0.0", "0.0") else text.removesuffix(".0")


def tag(name: str, *content: str, **attributes: str | float | None) -> str:
    """An element; `_` in the name of an attribute becomes `-`, and one that is `None` is left out. Content is SVG already."""
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = value if isinstance(value, str) else coordinate(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    opening = " ".join(words)
    return f"<{opening}>{''.join(content)}</{name}>" if content else f"<{opening}/>"


def text(content: str, x: float, y: float, **attributes: str | float | None) -> str:
    """A text element; the content is escaped."""
    return tag("text", escape(content), x=x, y=y, **attributes)


def title(content: str) -> str:
    """What a pointer shows, and a screen reader says, of the element around it."""
    return tag("title", escape(content))


def picture(key: str, width: float, height: float, name: str, description: str, *content: str, class_: str = "", role: str = "img") -> str:
    """A whole picture with its name and description; `key` must be unique on the page. One with links inside is a `group`, no `img`."""
    head = tag("title", escape(name), id=f"{key}-t") + (tag("desc", escape(description), id=f"{key}-d") if description else "")
    labels = f"{key}-t {key}-d" if description else f"{key}-t"
    return tag(
        "svg",
        head,
        *content,
        xmlns=XMLNS,
        viewBox=f"0 0 {coordinate(width)} {coordinate(height)}",
        role=role,
        aria_labelledby=labels,
        class_=class_ or None,
    )
