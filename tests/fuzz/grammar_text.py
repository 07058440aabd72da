"""Figures, pasted tables and settings made by their grammar: sound documents, some of whose keys and values are bent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import yaml

from reconcile.rules.rulesets import QUESTIONS, RULE_SETS
from reconcile.scoring.metrics import BRIDGED, METRICS
from tests.fuzz.damage import ODD, bent
from tests.fuzz.seeds import figure_seeds, result_seeds
from tests.support.command_line import PACK, SGF
from tests.support.pasted import SUMMARY

NAMES: Final = ("Nora Lindqvist", "Tomas Beck", "Alice m26", "Bob m26", "nora", "Ann", "x\x1b]0;y\x07", "\u202eeb", "1")


def figure(chance: Random, metric: str = "pr") -> Any:
    """A figure as programs print one."""
    if METRICS[metric].decimals == 0:
        return chance.choice((chance.randrange(200), str(chance.randrange(200)), None))
    value = chance.uniform(0, 90)
    return chance.choice((value, round(value), f"{value:.2f}", f"{value:.2f}".replace(".", ","), f"{-value:+.3f}", None))


def plain(chance: Random) -> dict[str, Any]:
    """The plain form of figures."""

    def match() -> dict[str, Any]:
        given = {
            name: {metric: figure(chance, metric) for metric in chance.sample(sorted(METRICS), chance.randrange(1, 8))}
            for name in chance.choice((NAMES[:2], NAMES[:2], NAMES[:1], chance.sample(NAMES, 2)))
        }
        more = {"match": "demonstration", "analysis": chance.choice(("xg", "gnubg")), "length": 7}
        more |= {"opponent": chance.choice(NAMES)} if len(given) == 1 else {}
        return {key: value for key, value in more.items() if chance.random() < 0.4} | {"players": given}

    return {"schema_version": 1, "program": "p 1", "matches": [match() for _ in range(chance.choice((1, 1, 2, 9)))]}


def listing(chance: Random) -> str:
    """blunderDB's listing of one selection."""
    names = ("SnowieErrorRate", "SumEquityError", "MWCLoss", "PRGlobal", "PRChecker", "PRCube", "Luck")
    totals = {"NumMatches": 1, "NumDecisions": chance.randrange(99)} | {name: figure(chance) for name in names}
    worst = [{"MatchID": chance.randrange(3), "Error": figure(chance)} for _ in range(chance.randrange(3))]
    made = {"Totals": totals, "PRGlobal": figure(chance), "PRCube": figure(chance), "PerMatch": None, "WorstErrors": worst}
    return json.dumps(bent(chance, made))


def table(chance: Random) -> str:
    """Figures in CSV: one a row, or one player a row."""
    rows = [["player", "matches", "wins", "losses", "decisions", "pr", "pr_checker", "pr_cube", "snowie_er"]]
    rows += [[chance.choice(NAMES), *(str(figure(chance)) for _ in range(8))] for _ in range(chance.randrange(5))]
    if chance.random() < 0.6:
        rows = [["match", "player", "metric", "figure"]]
        for _ in range(chance.randrange(30)):
            rows.append(["demonstration", chance.choice(NAMES), metric := chance.choice(sorted(METRICS)), str(figure(chance, metric))])
    made = bent(chance, rows)
    rows = [[str(cell) for cell in row] for row in made if isinstance(row, list)] if isinstance(made, list) else [[str(made)]]
    quote = chance.choice(('"', '"', '"', ""))
    return chance.choice(("\n", "\r\n", "\r")).join(
        chance.choice((",", ",", ",", ";", "\t")).join(f"{quote}{c}{quote}" for c in row) for row in rows
    )


def position(chance: Random) -> str:
    """Positions as XG copies them."""

    def one() -> str:
        board = list("-b----E-C---eE---c-e----B-")
        chance.shuffle(board)
        fields = [
            str(chance.choice((0, 0, 1, 2, -1))),
            "0",
            chance.choice(("1", "-1")),
            chance.choice(("31", "00", "D", "99")),
            "0",
            "0",
            "0",
            "7",
            "10",
        ]
        plays = "\n".join(
            f"    {number}. XG Roller+   24/2{number} 6/5    eq:{chance.uniform(-2, 2):+.3f}" for number in range(1, chance.randrange(2, 6))
        )
        cube = "\n".join(f"  {word}: {chance.uniform(-2, 2):+.3f}" for word in ("No double", "Double/Take", "Double/Pass"))
        odd = bent(chance, fields)
        given = ":".join(map(str, odd if isinstance(odd, list) else [odd]))
        return f"XGID={''.join(board)}:{given}\n\n{chance.choice((plays, cube))}\n"

    return "\n".join(one() for _ in range(chance.choice((1, 1, 3))))


def summary(chance: Random) -> str:
    """XG's or gnuBG's printed statistics with lines lost, exchanged and other figures."""
    seeds = [SUMMARY, SUMMARY.replace("\t", "    "), *(seed.decode("utf-8", "replace") for seed in figure_seeds() if b"EMG" in seed)]
    text = re.sub(r"(?m)^(Player {3,})\S.*$", rf"\g<1>{NAMES[0]:<24}{NAMES[1]}", chance.choice(seeds))
    lines = text.replace("Ann", NAMES[0], 1).replace("Ben", NAMES[1], 1).split("\n")
    for _ in range(chance.choice((0, 1, 3, 20))):
        at = chance.randrange(len(lines))
        kind = chance.randrange(4)
        if kind == 0:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif kind == 1:
            del lines[at]
            lines = lines or [""]
        elif kind == 2:
            lines[at] = "".join(chance.choice("0123456789,.-+%") if one.isdigit() and chance.random() < 0.3 else one for one in lines[at])
        else:
            lines[at] = lines[at].replace(chance.choice("( \t,.)+-"), str(chance.choice(ODD)))
    return "\n".join(lines)


def cells(chance: Random) -> str:
    """The same as a table of a page."""
    rows = [line.strip("\N{BULLET} ").split("\t") for line in summary(chance).split("\n")]
    close = chance.choice(("</td>", ""))
    return (
        "<table>"
        + "".join("<tr>" + "".join(f"<td class='a'>{cell}{close}" for cell in row) for row in rows)
        + chance.choice(("</table>", ""))
    )


def written(chance: Random, tree: Any) -> str:
    """A tree as JSON or YAML, in one of its styles, at times with what YAML has and is refused here."""
    if chance.random() < 0.4:
        return json.dumps(tree, ensure_ascii=chance.random() < 0.5, indent=chance.choice((None, 1)))
    text: str = yaml.safe_dump(
        tree, default_flow_style=chance.choice((None, False, True)), allow_unicode=chance.random() < 0.5, sort_keys=False
    )
    if chance.random() < 0.1:
        lines = text.split("\n")
        lines.insert(
            chance.randrange(len(lines)),
            chance.choice(
                (
                    "a: &a [1]\nb: *a",
                    "!!python/object:os.system x",
                    "\tx: 1",
                    "---",
                    "...",
                    "? [a]\n: b",
                    "<<: {a: 1}",
                    "x: |\n  y",
                    "%YAML 9.9",
                    "- x",
                )
            ),
        )
        text = "\n".join(lines)
    return text


def encoded(chance: Random, text: str) -> bytes:
    """A text in some encoding, mostly UTF-8."""
    codec = chance.choice(("utf-8",) * 99 + ("utf-8-sig", "utf-16", "utf-16-le", "latin-1", "utf-7"))
    return text.encode(codec, "surrogatepass" if codec.startswith("utf-8") else "replace")


def documents(*makers: Callable[[Random], Any]) -> Callable[[Random], bytes]:
    """One of several makers of trees or texts, bent and encoded."""

    def make(chance: Random) -> bytes:
        made = chance.choice(makers)(chance)
        return encoded(chance, made if isinstance(made, str) else written(chance, bent(chance, made)))

    return make


def tolerances(chance: Random) -> dict[str, Any]:
    """A file of tolerance tables."""

    def bound() -> dict[str, Any]:
        size = {chance.choice(("abs", "rel")): chance.choice((0, 0.1, 5, 1e9))}
        return {
            **size,
            "level": chance.choice(("error", "warn", "off")),
            "reason": "because of the rounding",
            "source": "somebody's measurement",
        }

    metrics = [f"{one}{chance.choice(('', '@engine', '@rules'))}" for one in chance.sample(sorted(BRIDGED), 3)] + chance.sample(
        sorted(METRICS), 3
    )
    made = {name: {"title": name, "entries": {metric: bound() for metric in metrics}} for name in ("documented", "xg-blunderdb", "own")}
    special = {"table": "own", "match": "made", "player": NAMES[0], "metric": metrics[-1], "until": "2030-01-01", "reason": "longer"}
    more = {
        "overrides": [special | {"abs": 1, "level": "warn"}],
        "known_gaps": [special | {"gap": 0.1, "cause": "rule.Q02"}],
        "extends": "bundled",
    }
    return {"schema_version": 1, "tables": made} | {key: value for key, value in more.items() if chance.random() < 0.3}


def aliases(chance: Random) -> dict[str, Any]:
    """A file of name variants."""
    names = chance.sample(NAMES, 6)
    return {"schema_version": 1, "players": {names[0]: names[1:3], names[3]: names[4:6]}}


def rules(chance: Random) -> dict[str, Any]:
    """A file of rules."""
    answers = {code: chance.choice(list(question.answers)) for code, question in QUESTIONS.items() if chance.random() < 0.5}
    more = {"title": chance.choice(("Ours", "x\x1b[31m")), "version": "1", "name": "ours", "evidence": {"Q01": "seen"}}
    return {"extends": chance.choice(list(RULE_SETS)), "answers": answers} | {
        key: value for key, value in more.items() if chance.random() < 0.4
    }


def manifest(chance: Random) -> dict[str, Any]:
    """A manifest beside the demonstration's files, with their sizes and sums."""
    tree: dict[str, Any] = yaml.safe_load((PACK / "demonstration" / "match.yaml").read_text("utf-8"))
    tree["id"] = "made"
    for file in tree["files"].values():
        content = (Path(SGF).parent / file["name"]).read_bytes()
        file.update(bytes=len(content), sha256=sha256(content).hexdigest())
    figures = {
        name: {
            metric: f"{chance.uniform(0, 30):.2f}"
            for metric in chance.sample(("pr", "equity_error.total", "decisions.take", "moves.total"), 3)
        }
        for name in NAMES[:2]
    }
    source = "read by nobody, made for a test"
    reported = {
        "file": "gnubg",
        "rules": chance.choice(list(RULE_SETS)),
        "table": chance.choice((None, "documented", "gnubg-reported")),
        "source": source,
        "players": figures,
    }
    tree["reported"] = [reported] * chance.randrange(3)
    tree["candidates"] = {"file": "xg", "table": "documented", "rules": "xg"}
    return tree


def results(chance: Random) -> str:
    """Our own documents, read back."""
    return json.dumps(bent(chance, json.loads(chance.choice(result_seeds()))))
