"""One match whose players, event and file have hostile names, through every command: nothing that
is printed or written is obeyed."""

import json
import re
import shlex
import sys
from hashlib import sha256

import pytest

from reconcile.cli import COMMANDS
from tests.report.ci.outputs import obeyed
from tests.support.command_line import PACK, run
from tests.support.long import long_but_first
from tests.support.tables import beside

SOURCE = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
ORDERS = (
    "\n::error::n \x1b[31m\x07\x1b]0;t\x07 \r::set-output name=a::b \x85::error::c "
    "\u2028::error::d \x9b2J \u202egnihton\u2066"
)
"""Colours, a bell, the title of the window, ends of lines as logs know them, C1, marks of
direction."""
NAMES = ("one\x1b[31m\a\r::error::x\x85::y", "two\n::error::n\x9b\u202ex\u2028::y")
"""No longer than gnuBG reads them."""


def filled(value, texts):
    """A document with these in place of what stands for them."""
    match value:
        case dict():
            return {filled(key, texts): filled(inside, texts) for key, inside in value.items()}
        case list():
            return [filled(inside, texts) for inside in value]
        case str() if value in texts:
            return texts[value]
        case str():
            return value.replace("ORDERS", ORDERS)
    return value


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with the match, a pack of it, a candidate, and another analysis of the same
    match."""
    folder = tmp_path_factory.mktemp("hostile")
    content = SOURCE.read_bytes().partition(b"\n(;")[0]
    for name, hostile in zip((b"Alice m26", b"Bob m26"), NAMES, strict=True):
        assert name in content
        content = content.replace(name, hostile.replace("]", "\\]").encode())
    content = content.replace(b"DT[", f"EV[{ORDERS.replace(']', chr(92) + ']')}]DT[".encode(), 1)
    (folder / "match.sgf").write_bytes(content)
    (folder / f"a{ORDERS.replace('/', '')}.sgf").write_bytes(content)
    numbers = iter(range(10**6))
    other = re.sub(
        rb"(DA\[E ver \d+ \S+ \S+ \S+ \S+ \S+ \S+ )(\S+)",
        lambda m: m[1] + b"0.%06d" % (next(numbers) % 97 * 10**4),
        content,
    )
    (folder / "other.sgf").write_bytes(other)
    (folder / "pack" / "hostile").mkdir(parents=True)
    (folder / "pack" / "hostile" / "match.sgf").write_bytes(content)
    texts = {
        "ORDERS": ORDERS,
        "NAME": NAMES[0],
        "SHA": sha256(content).hexdigest(),
        "BYTES": len(content),
        "CONTENT": content.decode("utf-8", "surrogateescape"),
    }
    documents = beside(__file__, "hostile.yaml")
    for name, document in documents.items():
        (folder / name).write_text(json.dumps(filled(document, texts)), "utf-8")
    (folder / "program.py").write_text(f"import sys; sys.exit({ORDERS!r})", "utf-8")
    (folder / "short.bm").write_text(
        "s version x\nm OAHDPAABDAOAHDPAABDA 2 4 JIGHPAABDAOAHDPAABDA 0.1\n", "utf-8"
    )
    files = {"left/x": content, "right/x": other, "both/x": content, "both/y": other}
    odd = (f"{side}/z{ORDERS}" for side in ("right", "both"))
    files |= dict.fromkeys(odd, b"(;" + ORDERS.encode())
    for place, sgf in files.items():
        (folder / place).parent.mkdir(exist_ok=True)
        (folder / f"{place}.sgf").write_bytes(sgf)
    return folder


ODD = f"a{ORDERS}.sgf"
PROGRAM = f'"{sys.executable}" program.py'
LINES = """
analyse ORDERS -o out.sgf
analyse match.sgf -o ORDERS
benchmark short.bm --engine PROGRAM
benchmark ORDERS --engine PROGRAM
benchmark short.bm --engine ORDERS
benchmark short.bm --engine PROGRAM --table ORDERS
benchmark-make ORDERS -o out.bm
compare match.sgf other.sgf --left-rules gnubg --right-rules xg --github --html c.html \
--json c.json --junit c.xml --markdown c.md --ledger c.csv
compare ODD other.sgf --json -
compare match.sgf --analyse ORDERS
compare kept.analysis.json match.sgf --html kept.html --json kept.json --markdown -
compare broken.analysis.json match.sgf
compare match.sgf SOURCE --html d.html --markdown -
compare both --html folders --json f.json --markdown f.md
compare match.sgf other.sgf ODD --html m.html --json m.json --markdown m.md
compare match.sgf other.sgf --ledger c.txt
compare match.sgf other.sgf --player ORDERS
compare match.sgf other.sgf --tolerances bad.yaml
compare match.sgf other.sgf --aliases bad.yaml
compare match.sgf other.sgf --corpus bad.yaml
convert match.sgf
convert ODD -o x.mat
convert match.sgf -o ORDERS.mat
corpus . -o tables --jobs 1
corpus ORDERS -o none
corpus left -o t --rules ORDERS
corpus-query tables
corpus-query tables 'select * from player_matches'
corpus-query tables 'select player, event, file, [player] from player_matches' --format csv -o q.csv
corpus-query tables "select player, event, file, {'x': event} from player_matches" --format json \
-o q.json
corpus-query tables 'select player, event, file, [event] from player_matches' --format markdown \
-o q.markdown
corpus-query tables 'from player_matches' --format markdown -o q.md
corpus-query tables ORDERS
corpus-query tables 'select "ORDERS" from matches'
corpus-query tables 'select 1 as "ORDERS"'
corpus-query ORDERS
corpus-report tables
corpus-report ORDERS
diff c.json c.json
diff c.json f.json
diff v.json w.json --markdown v.md --json -
exercises ODD --player one --html e.html --text e.txt
exercises match.sgf --player ORDERS
exercises ORDERS --player one
explain ORDERS
explain --rules ORDERS
explain --rules ours.yaml
explain --rules bad.yaml
explain --rules ORDERS.yaml
fetch ORDERS
fetch pack
init 'new ORDERS'
init ORDERS
investigate ODD --player one --reported pr=1.0 --html i.html --json i.json
investigate match.sgf --player ORDERS --reported pr=1.0
investigate match.sgf --player one --reported ORDERS
new-match ODD -o new/hostile
new-match right left --pack new/pack --licence ORDERS --provenance ORDERS
new-match ORDERS
new-match match.sgf --provenance 'ESC[31m'
page -o ORDERS
stats match.sgf
stats ODD --format json
stats ODD --format csv --per-game
stats match.sgf ODD --pool
stats match.sgf ODD --pool --format csv
stats match.sgf other.sgf --html pages
stats match.sgf --rules ORDERS
stats match.sgf --rules ORDERS.yaml
stats match.sgf --rules ours.yaml
stats match.sgf --met ORDERS.xml
stats match.sgf --ORDERS
ORDERS
suite show ORDERS
suite run --only forced --candidate-command 'PROGRAM {file}' --json s.json --html s.html -o s.yaml
suite run --only forced --harness PROGRAM --json h.json --html h.html
suite run --only ORDERS --harness PROGRAM
suite write --ORDERS
validate pack --html site --json v.json --junit v.xml --markdown v.md --github --badge b.json
validate pack --candidate sound.json --html site --json w.json --junit w.xml --markdown w.md
validate pack --candidate candidate.json
validate pack --candidate ORDERS
validate pack --candidate-command 'PROGRAM {file}'
validate pack --candidate-command 'PROGRAM {file}' --github --junit x.xml
validate pack --candidate ORDERS --github
validate pack --github --ORDERS
validate ORDERS
validate --measure pack --json m.json --markdown m.md --yaml m.yaml
validate --measure pack --candidate sound.json --yaml m2.yaml
validate --measure pack --candidate-command 'PROGRAM {file}'
validate --measure ORDERS
"""
"""Every command with hostile names wherever one can be given; those of `compare` and `validate`
leave results for `diff`."""
STAND_FOR = {"ORDERS": ORDERS, "ODD": ODD, "SOURCE": str(SOURCE), "PROGRAM": PROGRAM, "ESC": "\x1b"}


def runs():
    """The words of every run, by the command that they mean."""
    result: dict[str, list[list[str]]] = {}
    for line in LINES.split("\n")[1:-1]:
        words = [
            re.sub("|".join(STAND_FOR), lambda name: STAND_FOR[name[0]], word)
            for word in shlex.split(line)
        ]
        result.setdefault(words[0] if words[0] in COMMANDS else "stats", []).append(words)
    return result


RUNS = runs()
ORDER = ("compare", "validate", *(name for name in RUNS if name not in ("compare", "validate")))


def test_every_command_is_here():
    assert set(RUNS) == set(COMMANDS)


def outputs(folder):
    """Everything written as text since the inputs were made."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix in {
            ".html",
            ".json",
            ".xml",
            ".md",
            ".csv",
            ".txt",
            ".yaml",
            ".mat",
            ".bm",
        }:
            yield str(path.relative_to(folder)), path.read_bytes().decode("utf-8")


@pytest.mark.parametrize(
    "name",
    long_but_first(ORDER, 1, 8),
)
def test_nothing_printed_or_written_is_obeyed(name, world, monkeypatch):
    monkeypatch.chdir(world)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    monkeypatch.setenv("RECONCILE_CACHE", str(world / "cache"))
    for arguments in RUNS[name]:
        done = run(*arguments)
        assert done.exit_code in (0, 1, 2), arguments
        assert (obeyed(done.stdout), obeyed(done.stderr)) == (set(), set()), arguments
        starts = [line.lstrip() for line in (done.stdout + done.stderr).splitlines()]
        commands = [line for line in starts if line.startswith("::")]
        assert all(
            "--github" in arguments and re.match("::(error|warning|notice) ", line)
            for line in commands
        ), commands
        if done.exit_code == 2:
            assert done.stderr.splitlines()[-1:], arguments
    shown = {path: obeyed(text) for path, text in outputs(world)}
    assert {path: result for path, result in shown.items() if result} == {}
