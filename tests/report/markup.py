"""A page taken apart with the standard library's parser, and what is wrong with it."""

import json
import re
from html.parser import HTMLParser
from itertools import pairwise

VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "source",
        "track",
        "wbr",
    )
)
RAW = frozenset(("script", "style"))
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


class Element:
    """An element with its attributes, the names of its ancestors, and its text."""

    def __init__(self, name, attributes, ancestors):
        self.name, self.attributes, self.ancestors = name, attributes, ancestors
        self.content = []

    @property
    def children(self):
        return [part for part in self.content if isinstance(part, Element)]

    @property
    def text(self):
        """All text inside, but for scripts and styles in it."""
        texts = []
        for part in self.content:
            if isinstance(part, str):
                texts.append(part)
            elif part.name not in RAW:
                texts.append(part.text)
        return "".join(texts)

    def all(self, name):
        itself = [self] if self.name == name else []
        return itself + [element for child in self.children for element in child.all(name)]

    def get(self, name):
        return self.attributes.get(name) or ""


class Page(HTMLParser):
    """The tree of a page; `problems` lists tags that do not balance."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = Element("#root", {}, ())
        self.stack = [self.root]
        self.problems = []
        self.feed(text)
        self.close()
        self.problems += [f"<{element.name}> is never closed" for element in self.stack[1:]]
        self.elements = self._in_order()

    def handle_starttag(self, tag, attrs):
        element = Element(tag, dict(attrs), tuple(ancestor.name for ancestor in self.stack))
        if len(element.attributes) != len(attrs):
            self.problems.append(f"<{tag}> has an attribute twice: {attrs}")
        self.stack[-1].content.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if self.stack[-1].name == tag:
            self.stack.pop()
        else:
            self.problems.append(f"</{tag}> closes <{self.stack[-1].name}> at {self.getpos()}")

    def handle_data(self, data):
        self.stack[-1].content.append(data)

    def _in_order(self):
        elements = []
        waiting = [self.root]
        while waiting:
            element = waiting.pop()
            elements.append(element)
            waiting += reversed(element.children)
        return elements

    def find(self, name):
        return [element for element in self.elements if element.name == name]

    def by_id(self, key):
        return next(element for element in self.elements if element.get("id") == key)

    @property
    def ids(self):
        return [element.get("id") for element in self.elements if element.get("id")]


def assert_headings(page):
    """One of the first level, and no level is skipped."""
    levels = [int(element.name[1]) for element in page.elements if element.name in HEADINGS]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def assert_tables(page, without):
    """Each with a caption, scoped heads and rows that are equally wide."""
    tables = page.find("table")
    assert bool(tables) != without
    for table in tables:
        assert table.children[0].name == "caption"
        assert table.children[0].text.strip()
        assert table.all("th")
        assert {head.get("scope") for head in table.all("th")} <= {
            "col",
            "row",
            "colgroup",
            "rowgroup",
        }
        widths = {
            sum(int(cell.get("colspan") or 1) for cell in row.children) for row in table.all("tr")
        }
        assert len(widths) == 1, table.children[0].text


def data_of(page):
    """The decisions of a match's page."""
    scripts = [
        script.text for script in page.find("script") if script.get("type") == "application/json"
    ]
    return json.loads(scripts[0]) if scripts else {}


def assert_links(page):
    """Identifiers are unique, and what a page links to within is there."""
    ids = set(page.ids)
    assert len(page.ids) == len(ids)
    ids |= set(data_of(page).get("keys", ()))  # the script leads to decisions that have no row
    for element in page.elements:
        target = element.get("href")
        if target.startswith("#"):
            assert target[1:] in ids, target
        for name in ("aria-labelledby", "aria-describedby"):
            assert set(element.get(name).split()) <= ids


def assert_asks_nobody(source, page):
    assert set(re.findall(r"https?://[^\s\"'<]*", source)) <= {"http://www.w3.org/2000/svg"}
    assert "@import" not in source
    assert "url(" not in source
    for element in page.elements:
        assert not element.get("src")
        assert not any(name.startswith("on") for name in element.attributes), element.attributes
    assert {link.get("href") for link in page.find("link")} == {"data:,"}


def assert_language_title_schemes_and_skip_link(page):
    assert page.find("html")[0].get("lang") == "en"
    assert page.find("title")[0].text.strip()
    assert {element.get("name"): element.get("content") for element in page.find("meta")}[
        "color-scheme"
    ] == "light dark"
    first_link = page.find("a")[0]
    assert (first_link.get("class"), first_link.get("href")) == ("skip", "#main")


def assert_pictures_have_names_and_controls_have_words(page):
    for picture in page.find("svg"):
        if picture.get("role") in ("img", "group"):
            assert bool(picture.all("a")) == (
                picture.get("role") == "group"
            )  # what is inside an image cannot be reached
            assert picture.children[0].name == "title"
            assert picture.children[0].text
        else:
            assert picture.get("aria-hidden") == "true"
    assert all(button.text.strip() for button in page.find("button"))
    for control in page.find("select") + page.find("input"):
        assert "label" in control.ancestors
    for region in page.elements:
        if region.get("tabindex") == "0":
            assert region.get("role") == "group"
            assert region.get("aria-label") or region.get("aria-labelledby")


def assert_usable(source, page, *, without_tables=False):
    """By anybody: it is sound, asks nobody, and what is on it has a name."""
    assert page.problems == []
    assert_headings(page)
    assert_tables(page, without=without_tables)
    assert_links(page)
    assert_asks_nobody(source, page)
    assert_language_title_schemes_and_skip_link(page)
    assert_pictures_have_names_and_controls_have_words(page)
