"""The page of the conformance suite: the protocol, what came of the programs that run here, and
every case."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from docs.making.markdown import code, filled, heading, page, prose, table
from reconcile.suite.cases import areas, every

KEPT = Path(__file__).parents[1] / "suite.json"
EXPLAINED = {
    "unplayed-luck": (
        "GammonView counts the luck of a roll that was never played, which is left out here"
    ),
    "unplayed-theirs": "the same",
    "unfinished-only": "GammonView fails on a match whose first game was broken off",
    "unfinished-luck": "the same",
}
"""What is known of failed cases of other programs."""
TEXT = """\
The suite has [[number]] tiny matches by synthetic players. Each isolates one edge on which \
statistics programs differ or err. A program that fails only `postcrawford-cube-first` has \
exactly that fault. The figures of every case come from our scoring under every known rule set. \
gnuBG checks every `.sgf` and GammonView every `.xg`; see the matrix.

```sh
reconcile suite run --harness 'python harness.py'            # one program, started once
reconcile suite run --candidate-command 'prog stats {file}'   # a program that is run for every case
reconcile suite show redouble-window-0.19                    # a case and its figures
reconcile suite write suite/                                 # files, expected figures, an index; \
no Python needed
reconcile suite write suite.zip                              # the same as an archive
reconcile suite matrix prog-1.json prog-2.json --html m.html # results of programs or versions, \
side by side
```

The suite is a pack: a program is asked for a case, and its figures, or its decisions, are judged \
and counted, as `validate` does it for a match. The figures of a case are looked up. A case is \
*passed* if every figure that the program gives is right to its last printed digit, \
under the rules that it claims. Programs compute in single precision. So a figure may be off by \
0.00001 of itself beyond half of that digit, and a loss in match winning chance by 0.00002 points \
more. If it claims none, the known rules are used that figures of the fewest names are against, \
among equals fewest figures; they are named only if they give all its figures. A case is \
*unsupported* if the program gives none of its figures. A figure that a program gives in other \
cases and not in this one is *missing*: that is said, and the case has failed if the program \
declares the figure. A program that declares nothing owes `luck.equity` in any case: nothing else \
is wrong in a case about luck. A player who never rolls has no luck that could be missing. A \
program that crashes ten times in a row is asked for nothing more: the other cases have \
*crashed*, too. `--candidate FILE` takes figures that name their match by the id of a case, in \
any [form of a candidate](candidates.md), and `--junit FILE` writes a test case for each case. \
The exit code is 0 if every case passed or is unsupported, 1 if one failed or crashed, 2 if \
nothing could be run.

## What fails {#failures}

Before the cases that fail stands what they share: their areas, the figures that are wrong by \
themselves, those that follow from them and those that are right in every case, by how much where \
that is always the same, whether they are the other player's, what all \
their matches have and few others (*a take*, *money play*, *luck*), and in a series of cases the \
border from which on they pass. So the area, the kind of decision and the figure of a fault can \
be seen. What made it crash follows, then the first cases of every area, the worst area first, \
with what each is about; a document and the JSON have all of them. `-o rules.yaml` writes the \
answers that the figures decide as a [file of rules](rules.md#rules-of-your-own).

## The protocol of a harness {#protocol}

The harness reads and writes one JSON object a line, on standard input and output. Anything else \
goes to standard error.

| line | answer |
| --- | --- |
| `{"cmd": "start", "protocol": 1}` | `{"protocol": 1, "program", "version", "formats": ["xg"], \
"figures": [], "rules": NAME or null}`. Empty `figures` mean all that it returns. |
| `{"cmd": "match", "id", "format", "path"}` | `{"id", "players": {NAME: {FIGURE: number or \
text}}}` or `{"id", "unsupported": REASON}` or `{"id", "error": REASON}`. `path` is absolute. |
| `{"cmd": "stop"}` | none; the program ends |

Figures have [our names](figures.md), long or short. They are numbers, or text as printed, which \
is judged to its last digit. A figure that is not returned is not judged, nor one that has \
decimals and is given without any. An `error`, an exit, a time limit and a name that no player has \
are *crashed*. After an exit and a time limit the program is started again. In Python:

```python
import json, subprocess, sys

for line in sys.stdin:
    asked = json.loads(line)
    if asked["cmd"] == "stop":
        break
    if asked["cmd"] == "start":
        answer = {"protocol": 1, "program": "prog", "version": "2.1", "formats": ["xg"]}
        answer |= {"figures": [], "rules": None}
    else:
        command = ["prog", "stats", asked["path"], "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        answer = {"id": asked["id"]}
        if done.returncode:
            answer["error"] = done.stderr[-200:] or "no reason given"
        else:  # {"Ann": {"pr": "8.75", "decisions": 4}, "Ben": {...}}
            answer["players"] = json.loads(done.stdout)
    print(json.dumps(answer), flush=True)
```

In shell:

```sh
#!/bin/sh
while read -r line; do
  case $line in
  *'"cmd": "start"'*)
    echo '{"protocol": 1, "program": "prog", "version": "2.1", "formats": ["xg"],' \\
      '"figures": [], "rules": null}' ;;
  *'"cmd": "match"'*)
    id=${line#*'"id": "'}; id=${id%%'"'*}
    path=${line#*'"path": "'}; path=${path%%'"'*}
    if players=$(prog stats "$path" --json); then
      echo "{\\"id\\": \\"$id\\", \\"players\\": $players}"
    else
      echo "{\\"id\\": \\"$id\\", \\"error\\": \\"prog failed\\"}"
    fi ;;
  *'"cmd": "stop"'*) exit ;;
  esac
done
```

Harnesses of gnuBG, GammonView and this program are in `harnesses/`.

## Programs {#programs}

`python -m benchmarks.conformance` runs those that can be had here. Passed of those judged, by area:

[[matrix]]

[[differing]]

The site lists [every case](suite-cases.md); `reconcile suite show` prints them."""


def suite_page() -> str:
    """The page."""
    runs = json.loads(KEPT.read_text("utf-8"))
    head = ("area", *(f"{run['program']} {run['version']}" for run in runs))
    matrix, differing = table(head, _matrix(runs)), "\n\n".join(_differing(runs))
    text = filled(TEXT, number=len(every()), matrix=matrix, differing=differing)
    return page("Conformance suite", text)


def cases_page() -> str:
    """Every case, by area."""
    parts = [
        "Every case of the [suite](suite.md), by area, with the question that it asks. "
        "`reconcile suite show CASE` prints the figures that a case must give. The "
        "[glossary](glossary.md) has the words."
    ]
    for area in areas():
        rows = (
            (code(case.id), _question(case.question), prose(case.about))
            for case in every()
            if case.area == area
        )
        parts += [
            heading(2, code(area), f"area-{area}"),
            table(("case", "question", "what it tests"), rows),
        ]
    return page("Cases of the suite", *parts)


def _question(name: str | None) -> str:
    return f"[{name}](questions/{name}.md)" if name else "–"


def _matrix(runs: list[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    for area in areas():
        counts = [run["areas"].get(area, [0, 0]) for run in runs]
        yield (
            f"[{code(area)}](suite-cases.md#area-{area})",
            *(f"{passed} of {judged}" if judged else "–" for passed, judged in counts),
        )


def _differing(runs: list[Mapping[str, Any]]) -> Iterator[str]:
    rows = [
        (f"{run['program']} {run['version']}", code(name), prose(outcome), EXPLAINED.get(name, "–"))
        for run in runs
        for name, outcome in run["others"].items()
    ]
    if rows:
        yield "Cases that are not passed:"
        yield table(("program", "case", "what it gives", "why"), rows)
