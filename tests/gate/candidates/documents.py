"""What programs under test get wrong about the form of what they give: a document or a program for
a pack of three matches, and what must be said of each.

By name, how it ends and words that every output of text has. A program is judged by a pack that
declares what it gives, and by one that does not.

- `right`: green
- `outside`: a figure is out of tolerance
- `missing`: something owed is missing, or is about what the pack does not have
- `incomparable`: nothing can be said of a figure
- `failed`: it cannot be run
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from tests.gate.candidates.samples import of_matches

THREE = ("gnubg-7pt-0ply", "gnubg-11pt-cube-rich", "accents")
ZERO, RICH, ACCENTS = THREE


def document(figures, **facts):
    """The figures as a document with other facts about a match."""
    made = of_matches(figures)
    next(each for each in made["matches"] if each["match"] == RICH).update(facts)
    return made


def misread(figures):
    """The same of players whose names were written in UTF-8 and read as Latin-1."""
    return document(
        {
            match: {name.encode().decode("latin-1"): own for name, own in both.items()}
            for match, both in figures.items()
        }
    )


def changed(figures, change, *names):
    """The same with other figures in one match."""
    both = {
        player: own | {name: change(own[name]) for name in names}
        for player, own in figures[RICH].items()
    }
    return document({**figures, RICH: both})


def twice(figures):
    """The same with a match again that has other figures."""
    again = changed(figures, lambda value: value + 0.001, "pr")["matches"][1]
    return {**document(figures), "matches": [*document(figures)["matches"], again]}


DOCUMENTS: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "right": (document, "right", ""),
    "right, in UTF-16": (lambda g: json.dumps(document(g)).encode("utf-16"), "right", ""),
    "match renamed": (lambda g: document(g, match="gnubg"), "missing", "reference match 'gnubg'"),
    "names of UTF-8 read as Latin-1": (
        misread,
        "missing",
        "expected 'Kévin', found 'KÃ©vin': UTF-8 read as Latin-1",
    ),
    "names 1 and 2 in one match": (
        lambda g: document({**g, RICH: dict(zip("12", g[RICH].values(), strict=True))}),
        "missing",
        "expected 'Ann', 'Ben'",
    ),
    "match twice, otherwise": (twice, "missing", "given twice"),
    "another length": (lambda g: document(g, length=5), "missing", "11 points"),
    "an analysis without a file": (
        lambda g: document(g, analysis="xg"),
        "missing",
        "no file of this match",
    ),
    "whole numbers": (
        lambda g: changed(g, lambda value: str(round(value)), "pr", "equity_error.total"),
        "incomparable",
        "one digit",
    ),
    "a decision too many": (
        lambda g: changed(g, lambda value: value + 1, "decisions.counted"),
        "outside",
        "",
    ),
}
"""By name, what makes the document of the right figures, how it ends, and words."""

READS = "import json, sys; given = json.load(open(sys.argv[1])); match = sys.argv[2]\n"
PRINTS = "print(json.dumps({'schema_version': 1, 'matches': [{'players': given[match]}]}))\n"
COMMANDS = {
    "right": (PRINTS, "right", ""),
    "prints the same match for every match": (
        f"match = {ZERO!r}\n{PRINTS}",
        "missing",
        "Alice m04",
    ),
    "prints the match before": (
        "before = dict(zip(given, [None, *given]))[match] or match\n"
        "print(json.dumps({'schema_version': 1, 'matches': [{'match': before, 'players': "
        "dict(zip(given[match], given[before].values()))}]}))",
        "missing",
        "asked for",
    ),
    "prints two matches": (
        "print(json.dumps({'schema_version': 1, 'matches': "
        "[{'match': each, 'players': given[each]} for each in given]}))",
        "missing",
        "asked for",
    ),
    "supports nothing": ("print(json.dumps({'unsupported': 'later'}))", "failed", "later"),
    "prints figures of one match": (
        f"if match == {RICH!r}: given[match] = {{n: {{}} for n in given[match]}}\n{PRINTS}",
        "missing",
        RICH,
    ),
}
"""By name, a program that prints the right figures of a match, how it ends, and words."""


def command_of(script, figures, folder):
    """The command line of a program."""
    (folder / "given.json").write_text(json.dumps(figures), "utf-8")
    (folder / "program.py").write_text(READS + script, "utf-8")
    words = (sys.executable, folder / "program.py", folder / "given.json", "{match}")
    return " ".join(f'"{word}"' if os.name == "nt" else str(word) for word in words)
