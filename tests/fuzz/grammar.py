"""Files made by the grammar of their format, with checksums that are right, through the command line, names and streams included.

    python -m tests.fuzz.grammar --count 20000 --seconds 600

Beside `tests.fuzz.mutate`, which damages sound files, this makes files whose form is right and whose content is anything. Each must end
with 0, with 1 where the command judges, or with 2 and one line; nothing that a terminal obeys may reach either stream.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

from click.testing import CliRunner

from reconcile.cli import main as command
from tests.fuzz.formats import records, resealed
from tests.support import smile_writer
from tests.support.command_line import SGF, XG
from tests.support.small_sgf import scored

RECORD: Final = 2560
NAMES: Final = ("match", "-o", "--html", "a b", "%s%n", "x\ny", "é\u202e", "x\x1b]0;y\x07", ".hidden", "a" * 200)
WORDS: Final = (
    "",
    "0",
    "-1",
    "1",
    "7",
    "25",
    "64",
    "4096",
    "1e308",
    "nan",
    "inf",
    "٣",
    "x\x1b[31m",
    "\u2028",
    "null",
    "a,b",
    '"',
    "pr",
    "Ann",
)
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def word(chance: Random) -> str:
    """A number or a word that is one only nearly."""
    return chance.choice(WORDS) if chance.random() < 0.02 else f"{chance.uniform(-2, 2):.4f}"


def sgf(chance: Random) -> bytes:
    """Games, nodes, set-ups, doubles and analyses in any order."""

    def play() -> str:
        return "".join(chance.choices(LETTERS, k=2 * chance.randrange(5)))

    def node() -> str:
        seat, dice = chance.choice("WB"), "".join(chance.choices("123456", k=2))
        made = play()
        kind = chance.randrange(8)
        if kind < 4:
            listed = f"A[{chance.choice((0, 0, 1))}]{scored(made, word(chance))}{scored(play(), word(chance))}"
            return f";{seat}[{dice}{made}]{listed}LU[{word(chance)}]"
        if kind < 6:
            return f";{seat}[{chance.choice(('double', 'take', 'drop', 'resign'))}]"
        return f";{chance.choice(('AE[a:y]', 'AW[a][b]', 'AB[x]', 'PL[B]', 'CV[2]', 'CP[w]', 'DI[31]'))}"

    def game(number: int) -> str:
        information = f"MI[length:{chance.choice((0, 1, 3, 7))}][game:{number}][ws:{word(chance)}][bs:0]"
        names = f"PW[{word(chance)}]PB[Ben]RU[Crawford]RE[{chance.choice(('W+1', 'B+2R', word(chance)))}]"
        return f"(;FF[4]GM[6]{information}{names}" + "".join(node() for _ in range(chance.randrange(30))) + ")"

    return "".join(game(number) for number in range(chance.randrange(1, 4))).encode()


def mat(chance: Random) -> bytes:
    """A transcript of two columns."""

    def entry() -> str:
        moves = " ".join(
            f"{chance.randrange(26)}/{chance.randrange(26)}{chance.choice(('', '*', '(2)'))}" for _ in range(chance.randrange(4))
        )
        return chance.choice(
            (f"{chance.randrange(1, 7)}{chance.randrange(1, 7)}: {moves}", "Doubles => 2", "Takes", "Drops", "", word(chance))
        )

    lines = [f" {chance.choice((0, 1, 5, 7))} point match"]
    for game in range(1, chance.randrange(2, 4)):
        lines += ["", f" Game {game}", f" {chance.choice(('ann', word(chance)))} : 0{'':28}ben : {chance.choice((0, 0, word(chance)))}"]
        lines += [f"{turn:3}) {entry():<28}{entry()}" for turn in range(1, chance.randrange(1, 20))]
        lines.append(f"      Wins {chance.choice((1, 2, word(chance)))} points")
    return "\n".join(lines).encode()


def xg(chance: Random) -> bytes:
    """Records of a sound file with any values, in any order, with checksums that fit."""
    seed = Path(XG).read_bytes()
    content = records(seed)
    rows = [bytearray(content[at : at + RECORD]) for at in range(0, len(content), RECORD)]
    for _ in range(chance.choice((1, 3, 30))):
        row = chance.choice(rows)
        at = chance.choice((8, chance.randrange(8, 400))) if chance.random() < 0.8 else chance.randrange(len(row))
        row[at : at + 4] = chance.choice((b"\0" * 4, b"\xff" * 4, chance.randbytes(4), chance.randrange(30).to_bytes(4, "little")))[
            : len(row) - at
        ]
    if chance.random() < 0.3:
        first, second = chance.randrange(len(rows)), chance.randrange(len(rows))
        rows[first], rows[second] = rows[second], rows[first]
    return resealed(seed, b"".join(rows))


def tree(chance: Random, depth: int = 0) -> Any:
    """Tables, lists and values below each other."""
    if depth > 4 or chance.random() < 0.4:
        return chance.choice((word(chance), chance.randrange(-5, 99), chance.uniform(-3, 3), None, True))
    if chance.random() < 0.3:
        return [tree(chance, depth + 1) for _ in range(chance.randrange(4))]
    keys = ("version", "match", "games", "moves", "player", "players", "pr", "figures", "matches", "name", "length", word(chance))
    return {chance.choice(keys): tree(chance, depth + 1) for _ in range(chance.randrange(6))}


def bgf(chance: Random) -> bytes:
    """A root of any tables in BGBlitz's encoding."""
    head = json.dumps({"format": "BGF", "version": "1.0", "compress": False, "useSmile": True}).encode()
    return (
        head
        + b"\n"
        + smile_writer.encode({"player1": "Ann", "player2": "Ben", "matchlen": chance.choice((0, 3, 7)), "games": [tree(chance)]})
    )


def table(chance: Random) -> bytes:
    """Statistics as gnuBG and XG print them, with any figures."""
    labels = (
        "Error total EMG (MWC)",
        "Error rate mEMG (MWC)",
        "Snowie error rate",
        "Total cube decisions",
        "Overall",
        "PR",
        "Luck rate",
        word(chance),
    )
    rows = [f"{chance.choice(labels):<41}{word(chance):<24}{word(chance)}" for _ in range(chance.randrange(20))]
    cells = [f"<tr><td>{chance.choice(labels)}</td><td>{word(chance)}<td>{word(chance)}</tr>" for _ in range(chance.randrange(20))]
    return "\n".join(chance.choice((rows, cells, rows + cells))).encode()


def figures(chance: Random) -> bytes:
    """Figures of a program under test, in JSON, CSV or YAML."""
    made = tree(chance)
    rows = "\n".join(",".join(word(chance) for _ in range(3)) for _ in range(chance.randrange(9)))
    return chance.choice(
        (json.dumps(made), f"player,metric,value\n{rows}", "\n".join(f"{word(chance)}: {word(chance)}" for _ in range(5)))
    ).encode()


FORMATS: Final[dict[str, tuple[Callable[[Random], bytes], str, tuple[tuple[str, ...], ...]]]] = {
    "sgf": (sgf, ".sgf", (("stats",), ("stats", "--per-game", "--format", "json"), ("compare", SGF))),
    "mat": (mat, ".mat", (("stats",), ("compare", SGF))),
    "xg": (xg, ".xg", (("stats",), ("compare", SGF, "--format", "json"))),
    "bgf": (bgf, ".bgf", (("stats",),)),
    "pasted": (table, ".txt", (("investigate", XG, "--player", "Nora", "--paste"),)),
    "candidate": (figures, ".json", (("validate", "--candidate"),)),
    "yaml": (figures, ".yaml", (("validate", "--tolerances"), ("validate", "--candidate"))),
}
JUDGES: Final = ("compare", "validate", "investigate")


def tried(kind: str, number: int, folder: Path) -> str:
    """What came of one input: `read`, `refused`, or what is wrong with the outcome."""
    make, suffix, commands = FORMATS[kind]
    chance = Random(f"{kind} {number}")
    path = folder / f"{chance.choice(NAMES)}{suffix}"
    path.write_bytes(make(chance))
    words = chance.choice(commands)
    try:
        result = CliRunner().invoke(command, [*words, str(path)], prog_name="reconcile")
    finally:
        path.unlink()
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join(traceback.format_exception(result.exception))
    if result.exit_code not in ((0, 1, 2) if words[0] in JUDGES else (0, 2)):
        return f"exit code {result.exit_code}"
    if CONTROL.search(result.output):
        return f"a control character: {result.output[:300]!r}"
    if result.exit_code == 2 and words[0] != "validate" and (result.stderr.count("\n") != 1 or not result.stderr.startswith("reconcile: ")):
        return f"no single line: {result.stderr[:300]!r}"
    return "refused" if result.exit_code == 2 else "read"


def main() -> int:
    """Run, print counts per format, and exit with 1 on any bug."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.grammar", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000, help="inputs in all (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, help="other inputs (default: 0)")
    parser.add_argument("--seconds", type=float, default=600.0, help="stop after so many (default: 600)")
    given = parser.parse_args()
    end, bugs, counts = time.monotonic() + given.seconds, 0, Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.seed * 10**9, given.seed * 10**9 + given.count // len(FORMATS)):
            for kind in FORMATS:
                outcome = tried(kind, number, Path(folder))
                counts[kind, outcome if outcome in ("read", "refused") else "bug"] += 1
                if outcome not in ("read", "refused"):
                    bugs += 1
                    print(f"{kind}, number {number}: {outcome}", flush=True)
            if time.monotonic() > end:
                break
    for kind in FORMATS:
        print(f"{kind:<10}" + "".join(f"{counts[kind, outcome]:>7} {outcome}" for outcome in ("read", "refused", "bug")))
    return int(bugs > 0)


if __name__ == "__main__":
    sys.exit(main())
