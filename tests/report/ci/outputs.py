"""Packs that fail, names that break formats, and the outputs of a gate as programs that are not
ours read them.
"""

import re
import unicodedata
from functools import cache
from xml.etree import ElementTree as ET

from markdown_it import MarkdownIt

from reconcile.gap.comparison import compare
from reconcile.report.text.pack import comparison_parts
from tests.report import samples
from tests.support.command_line import OUTPUTS, PACK
from tests.support.data import PROJECT

CHARLOT = PACK / "charlot"
"""A match whose files are not bundled."""


@cache
def schema():
    """What readers of JUnit's XML accept."""
    import xmlschema  # takes a second, which every worker would spend on collecting

    return xmlschema.XMLSchema(PROJECT / "tests" / "support" / "junit.xsd")


@cache
def compared():
    """What a gate judges of the demonstration."""
    return comparison_parts(compare(*samples.matches()))[0]


def outcomes(document):
    """Class and name of a case -> what became of it, as a reader of JUnit sees it."""
    outcome_of = {}
    for case in ET.fromstring(document).iter("testcase"):
        key = (case.get("classname", ""), case.get("name", ""))
        assert key not in outcome_of, "two cases of one name are one case to a reader"
        outcome_of[key] = next(
            (child.tag for child in case if child.tag in ("failure", "error", "skipped")), "passed"
        )
    return outcome_of


HOSTILE = [
    "]]><!--", '"quoted" & <b>', "nul\0 bell\a esc\x1b[31m", "\ud800 lone", "emoji 🎲",
    "\ufffe\uffff", "line\nbreak\rand\ttab", "&amp;", "::error::x", "##[error]x", "a%0Ab", "a,b:c",
    "x\r::error::y\x85::error::z\u2028::error::", "\x9b31m \u202egnihton\u2066",
]  # fmt: skip
"""Names of players that mean something to XML, to a terminal or to GitHub's runner."""


def obeyed(text):
    """The characters that a terminal, a log or a reader's eye obeys."""
    kinds = {"Cc", "Cs", "Zl", "Zp"}
    marks = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    return {
        c
        for c in set(text) - {"\n", "\t"}
        if unicodedata.category(c) in kinds or unicodedata.bidirectional(c) in marks
    }


def shown(name):
    """What an output shows of a name: what is obeyed instead of shown has its number."""
    return "".join(f"\\u{ord(c):04x}" if c in obeyed(name) else c for c in name)


COMMAND = re.compile(r"^::(?P<kind>[a-z]+) (?P<properties>[^:\r\n]*)::(?P<message>[^\r\n]*)$")


def as_the_runner_reads(line):
    """Kind, properties and message of a workflow command, unescaped as GitHub's runner does it."""
    command = COMMAND.match(line)
    assert command is not None, line

    def plain(text, *more):
        for code, letter in (*more, ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(code, letter)
        return text

    properties = dict(part.split("=", 1) for part in command["properties"].split(",") if part)
    return (
        command["kind"],
        {name: plain(value, ("%3A", ":"), ("%2C", ",")) for name, value in properties.items()},
        plain(command["message"]),
    )


def rendered(markdown):
    """Kinds of the blocks that a Markdown reader finds."""
    return [
        token.type
        for token in MarkdownIt("commonmark").enable("table").parse(markdown)
        if token.level == 0
    ]


def every(command):
    """All outputs of a command, in one folder."""
    files = dict(OUTPUTS)
    if command == "compare":
        del files["--badge"]
        files["--html"] = "page.html"
    return ["--github", *(word for option, name in files.items() for word in (option, f"o/{name}"))]
