"""A page taken apart with the standard library's parser, and what is wrong with it."""

from html.parser import HTMLParser

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
        self.content: list[str | Element] = []

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
        self.problems: list[str] = []
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
        elements: list[Element] = []
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
