"""What programs under test get wrong about the form of what they give: a document or a program for
a pack of three matches, and what must be said of each.

`ENDS`: by name, how it ends and words that every output of text has. A program is judged by a pack
that declares what it gives, and by one that does not.

- `right`: green
- `outside`: a figure is out of tolerance
- `missing`: something owed is missing, or is about what the pack does not have
- `incomparable`: nothing can be said of a figure
- `failed`: it cannot be read or run
- `unsupported`: by its own words, green
"""

import json
import os
import sys
from typing import Any

THREE = ("gnubg-7pt-0ply", "gnubg-11pt-cube-rich", "accents")
ZERO, RICH, ACCENTS = THREE


def document(figures, **more):
    listed = [{"match": match, "players": players} for match, players in figures.items()]
    return {"schema_version": 1, "matches": listed, **more}


def table(figures):
    lines = ["match,player,metric,figure"]
    for match, players in figures.items():
        for player, own in players.items():
            lines += [f"{match},{player},{name},{value}" for name, value in own.items()]
    return "\n".join(lines) + "\n"


def of_match(figures, **facts):
    """The document with other facts about a match."""
    tree = document(figures)
    next(each for each in tree["matches"] if each["match"] == RICH).update(facts)
    return tree


def players(figures, rename):
    """The same under other names."""
    return {
        match: {rename(name): own for name, own in both.items()} for match, both in figures.items()
    }


def changed(figures, change, names=("pr",), matches=THREE):
    """The same with other figures."""
    return {
        match: {
            player: {
                name: change(value) if name in names and match in matches else value
                for name, value in own.items()
            }
            for player, own in both.items()
        }
        for match, both in figures.items()
    }


def without(figures, match, player=None, name=None):
    """The same without a match, a player, a figure."""
    kept = json.loads(json.dumps(figures))
    if name:
        del kept[match][player][name]
    elif player:
        del kept[match][player]
    else:
        del kept[match]
    return kept


def seats(figures):
    return {match: dict(zip("12", both.values(), strict=True)) for match, both in figures.items()}


def misread(name):
    """UTF-8 read as Latin-1."""
    return name.encode().decode("latin-1")


Given = dict[str, dict[str, dict[str, Any]]]
DOCUMENTS: dict[str, tuple[Any, str, str]] = {
    "right": (document, "right", ""),
    "right, as a table": (table, "right", ""),
    "right, in UTF-16": (lambda g: json.dumps(document(g)).encode("utf-16"), "right", ""),
    "right, with a mark of UTF-8": (lambda g: b"\xef\xbb\xbf" + table(g).encode(), "right", ""),
    "no match": (lambda g: document(without(g, RICH)), "missing", RICH),
    "no player": (lambda g: document(without(g, RICH, "Ben")), "missing", "of Ben"),
    "no figure of one": (lambda g: document(without(g, RICH, "Ben", "pr")), "missing", "no pr of"),
    "null for a figure": (
        lambda g: document(changed(g, lambda _: None, matches=[RICH])),
        "missing",
        "Ann",
    ),
    "match renamed": (
        lambda g: of_match(g, match="gnubg-11pt"),
        "missing",
        "no reference match 'gnubg-11pt'",
    ),
    "player renamed": (
        lambda g: document(players(g, lambda n: n.replace("Ben", "Zed"))),
        "missing",
        "'Zed'",
    ),
    "names of UTF-8 read as Latin-1": (
        lambda g: document(players(g, misread)),
        "missing",
        "expected 'Kévin', found 'KÃ©vin': UTF-8 read as Latin-1",
    ),
    "names with question marks": (
        lambda g: document(players(g, lambda n: n.encode("ascii", "replace").decode())),
        "missing",
        "expected 'Kévin'",
    ),
    "names 1 and 2": (lambda g: document(seats(g)), "missing", "'1'"),
    "names 1 and 2 in one match": (
        lambda g: document(g | {RICH: seats(g)[RICH]}),
        "missing",
        "expected 'Ann', 'Ben'",
    ),
    "names 1 and 2 in a table": (lambda g: table(seats(g)), "missing", "'1'"),
    "names exchanged": (
        lambda g: document(
            {m: dict(zip(b, [*b.values()][::-1], strict=True)) for m, b in g.items()}
        ),
        "outside",
        "",
    ),
    "the same match for every match": (
        lambda g: document(dict.fromkeys(THREE, g[ZERO])),
        "missing",
        "Alice m04",
    ),
    "match twice": (
        lambda g: {
            **document(g),
            "matches": [*document(g)["matches"], *document(g)["matches"][:1]],
        },
        "missing",
        "given twice",
    ),
    "match twice, otherwise": (
        lambda g: {
            **document(g),
            "matches": [
                *document(g)["matches"],
                *document(changed(g, lambda value: value + 0.001))["matches"][:1],
            ],
        },
        "missing",
        "given twice",
    ),
    "a match that the pack does not have": (
        lambda g: document({**g, "friday": g[ZERO]}),
        "missing",
        "no reference match 'friday'",
    ),
    "another length": (lambda g: of_match(g, length=5), "missing", "11 points"),
    "an analysis without a file": (
        lambda g: of_match(g, analysis="xg"),
        "missing",
        "no file of this match",
    ),
    "another opponent": (lambda g: of_match(g, opponent="Zoe"), "failed", "opponent"),
    "whole numbers": (
        lambda g: document(changed(g, lambda v: str(round(v)), ("pr", "equity_error.total"))),
        "incomparable",
        "one digit",
    ),
    "figures of another analysis": (
        lambda g: document(changed(g, lambda value: value * 0.97)),
        "outside",
        "",
    ),
    "PR per 1000": (lambda g: document(changed(g, lambda value: 2 * value)), "outside", ""),
    "equity in thousandths": (
        lambda g: document(changed(g, lambda value: 1000 * value, ("equity_error.total",))),
        "outside",
        "",
    ),
    "equity cut to hundredths": (
        lambda g: document(changed(g, lambda v: f"{v - 0.005:.3f}", ("equity_error.total",))),
        "outside",
        "",
    ),
    "a decision too many": (
        lambda g: document(changed(g, lambda v: v + 1, ("decisions.counted",), [RICH])),
        "outside",
        "",
    ),
    "figures of the match before": (
        lambda g: document(
            {
                match: dict(zip(g[match], g[before].values(), strict=True))
                for match, before in zip(THREE, (THREE[-1], *THREE), strict=False)
            }
        ),
        "outside",
        "",
    ),
    "another schema": (lambda g: document(g) | {"schema_version": 2}, "failed", "schema_version"),
    "a document of another command": (
        lambda g: {"schema_version": 1, "source": {}, "players": []},
        "failed",
        "matches",
    ),
    "an unknown figure": (
        lambda g: document({m: {p: o | {"prr": 1} for p, o in b.items()} for m, b in g.items()}),
        "failed",
        "prr",
    ),
    "words for a number": (
        lambda g: document(changed(g, lambda _: "n/a", matches=[RICH])),
        "failed",
        "n/a",
    ),
    "no number": (
        lambda g: json.dumps(document(changed(g, lambda _: float("nan")))),
        "failed",
        "nan",
    ),
    "an endless number": (
        lambda g: json.dumps(document(changed(g, lambda _: float("inf")))),
        "failed",
        "inf",
    ),
    "decimal commas": (
        lambda g: document(changed(g, lambda value: f"{value:.2f}".replace(".", ","))),
        "failed",
        "decimal point",
    ),
    "half a decision": (
        lambda g: document(changed(g, lambda v: v + 0.5, ("decisions.counted",))),
        "failed",
        "whole number",
    ),
    "nothing": (lambda g: "", "failed", "nothing"),
    "blanks": (lambda g: " \n\n", "failed", "blanks"),
    "zeros": (lambda g: b"\0\1\2" * 99, "failed", "binary"),
    "Latin-1": (
        lambda g: json.dumps(document(g), ensure_ascii=False).encode("latin-1"),
        "failed",
        "UTF-8",
    ),
    "17 MB": (lambda g: json.dumps(document(g)).encode() + b" " * 17_000_000, "failed", "MB"),
    "no matches": (lambda g: document({}), "failed", "matches"),
    "cut off": (lambda g: json.dumps(document(g))[:-20], "failed", "JSON"),
    "a key twice": (
        lambda g: json.dumps(document(g)).replace('"pr"', '"pr": 1, "pr"'),
        "failed",
        "twice",
    ),
    "a figure under two names": (
        lambda g: document(
            {m: {p: o | {"decisions": 9} for p, o in b.items()} for m, b in g.items()}
        ),
        "failed",
        "given twice",
    ),
    "a table without names": (lambda g: table(g).partition("\n")[2], "failed", "expected"),
    "a line with a cell too many": (lambda g: table(g) + f"{RICH},Ben,pr,1,2\n", "failed", "cells"),
    "a table with semicolons": (lambda g: table(g).replace(",", ";"), "failed", "expected"),
    "an error page": (lambda g: "<html><body>502 Bad Gateway</body></html>", "failed", "expected"),
    "brackets without end": (lambda g: "[" * 100_000, "failed", "brackets"),
}
"""By name, what makes the document of the right figures, how it ends, and words."""

READS = "import json, sys, time; given = json.load(open(sys.argv[1])); match = sys.argv[2]\n"
PRINTS = "print(json.dumps({'schema_version': 1, 'matches': [{'players': given[match]}]}))\n"
LATE = f"    {PRINTS}"
COMMANDS: dict[str, tuple[str, str, str]] = {
    "right": (PRINTS, "right", ""),
    "raises": ("1 / 0", "failed", "ZeroDivisionError"),
    "raises for one match": (
        f"match == {RICH!r} and 1 / 0\n{PRINTS}",
        "failed",
        "ZeroDivisionError",
    ),
    "exits with 3": (f"{PRINTS}sys.exit(3)", "failed", "exit code 3"),
    "is killed": ("import os; os.kill(os.getpid(), 9)", "failed", "signal 9"),
    "hangs": ("time.sleep(60)", "failed", "no answer after"),
    "hangs for one match": (
        f"match == {RICH!r} and time.sleep(60)\n{PRINTS}",
        "failed",
        "no answer after",
    ),
    "prints nothing": ("", "failed", "printed nothing"),
    "prints 17 MB": ("print('x' * 17_000_000)", "failed", "16 MB"),
    "prints a greeting first": (f"print('hello')\n{PRINTS}", "failed", "expected"),
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
    "does not support one match": (
        f"if match == {RICH!r}:\n    print(json.dumps({{'unsupported': 'no 11 points'}}))\n"
        f"else:\n{LATE}",
        "unsupported",
        "no 11 points",
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
