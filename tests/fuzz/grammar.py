"""Files made by the grammar of their format, with checksums that are right, through the command line, names and streams included.

    python -m tests.fuzz.grammar --count 20000 --seconds 600

Beside `tests.fuzz.mutate`, which damages sound files, this makes files whose form is right and whose content is anything. Each must end
with 0, with 1 where the command judges, or with 2 and one line; nothing that a terminal obeys may reach either stream.
"""

from __future__ import annotations

import argparse
import re
import shutil
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

from reconcile.cli import main
from tests.fuzz.damage import bent
from tests.fuzz.formats import records, resealed, values_changed
from tests.fuzz.grammar_text import (
    aliases,
    cells,
    documents,
    listing,
    manifest,
    plain,
    position,
    results,
    rules,
    summary,
    table,
    tolerances,
)  # fmt: skip
from tests.fuzz.seeds import database_seeds
from tests.support import small_bgf
from tests.support.command_line import CUBE_RICH, PACK, SGF, XG
from tests.support.small_sgf import scored

RECORD: Final = 2560
DEMONSTRATION: Final = str(PACK / "demonstration")
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


def word(chance: Random, least: float = -2) -> str:
    """A number up to 2 more than the least, and seldom a word that is one only nearly."""
    return chance.choice(WORDS) if chance.random() < 0.003 else f"{chance.uniform(least, least + 2):.4f}"


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
        return f";{chance.choice(('AE[a:y]', 'AE[a:y]AW[a][b]AB[x]', 'PL[B]', 'CV[2]', 'CP[w]', 'DI[31]'))}"

    length = chance.choice((0, 1, 3, 7))

    def game(number: int) -> str:
        information = f"MI[length:{length}][game:{number}][ws:{chance.choice((0, 0, 2, word(chance)))}][bs:0]"
        names = f"PW[{word(chance)}]PB[Ben]RU[Crawford]RE[{chance.choice(('W+1', 'B+2R', word(chance)))}]"
        return f"(;FF[4]GM[6]{information}{names}" + "".join(node() for _ in range(chance.randrange(30))) + ")"

    return "".join(game(number) for number in range(chance.randrange(1, 4))).encode()


def mat(chance: Random) -> bytes:
    """A transcript of two columns."""

    def odd(usual: object) -> str:
        return word(chance) if chance.random() < 0.01 else str(usual)

    def entry() -> str:
        moves = " ".join(
            f"{chance.randrange(26)}/{chance.randrange(26)}{chance.choice(('', '*', '(2)'))}" for _ in range(chance.randrange(4))
        )
        return chance.choice(
            (*[f"{chance.randrange(1, 7)}{chance.randrange(1, 7)}: {moves}"] * 9, "Doubles => 2", "Takes", "Drops", "", odd("Takes"))
        )

    lines = [f" {chance.choice((0, 1, 5, 7))} point match"]
    for game in range(1, chance.randrange(2, 4)):
        lines += ["", f" Game {game}", f" {odd('ann')} : 0{'':28}ben : {odd(0)}"]
        lines += [f"{turn:3}) {entry():<28}{entry()}" for turn in range(1, chance.randrange(1, 20))]
        lines.append(f"      Wins {odd(1)} points")
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


def bgf(chance: Random) -> bytes:
    """Games of rolls and cube actions in any order, some values bent, in each of BGBlitz's encodings."""
    plays = ("8/5 6/5", "24/23 13/10", "24/18 18/13", "13/11 13/9", "25/20", "6/0 5/0", "")

    def made() -> list[Any]:
        seat, frame = chance.choice((small_bgf.GREEN, small_bgf.RED)), small_bgf.FRAME[chance.choice((1, 2))]
        if chance.random() < 0.1:
            asked = chance.choice((None, small_bgf.evaluation(0.5, frame, (chance.uniform(-1, 2), 0.4))))
            return [small_bgf.action(seat, chance.choice((1, 1, 9, 5)), asked), small_bgf.action(-seat, chance.choice((2, 2, 3)), asked)]
        listed = {play: chance.uniform(-1, 1) for play in chance.sample(plays, 3)}
        cube = chance.choice((None, (chance.uniform(-1, 2), chance.uniform(-1, 2))))
        return [small_bgf.roll(seat, (chance.randint(1, 6), chance.randint(1, 6)), listed, chance.choice(list(listed)), frame, cube)]

    def game() -> Any:
        records = small_bgf.first_game() if chance.random() < 0.4 else [one for _ in range(chance.randrange(40)) for one in made()]
        return small_bgf.game(
            records, (chance.randrange(3), chance.randrange(2)), isCrawford=chance.random() < 0.1, wonPoints=chance.randrange(5)
        )

    whole = small_bgf.match(*(game() for _ in range(chance.randrange(4))), length=chance.choice((0, 1, 3, 3, 7)))
    return small_bgf.written(bent(chance, whole), smile=chance.random() < 0.7, packed=chance.random() < 0.8)


def database(chance: Random) -> bytes:
    """A database of blunderDB's with odd values, whose pages are sound."""
    return values_changed(chance.choice(database_seeds()), chance)


def equities(chance: Random) -> bytes:
    """A match equity table in gnuBG's form, half of them with chances that a match can have."""

    size = chance.choice((1, 7, 7, 25, 64))
    possible, steepness = chance.random() < 0.5, chance.uniform(0.5, 2.5)

    def row(away: int) -> str:
        chances = [1 / (1 + (away / opponent) ** steepness) if possible else chance.random() for opponent in range(1, size + 1)]
        return "<row>" + "".join(f"<me>{one if chance.random() < 0.999 else word(chance)}</me>" for one in chances) + "</row>"

    def trailers() -> str:
        return "<row>" + "".join(f"<me>{0.5 * 0.8**away if possible else chance.random()}</me>" for away in range(size)) + "</row>"

    said = size if chance.random() < 0.9 else chance.choice((0, -1, 65, word(chance)))
    before = f'<pre-crawford-table type="explicit">{"".join(map(row, range(1, size + 1)))}</pre-crawford-table>'
    after = f'<post-crawford-table player="{chance.choice(("both", "both", "0", ""))}" type="explicit">{trailers()}</post-crawford-table>'
    text = f"<met><info><name>{chance.choice(WORDS[12:])}</name><length>{said}</length></info>{before}{after}</met>"
    text = text.replace("\x1b", chance.choice(("", "&#27;", "\x1b")))
    return chance.choice((*("", '<?xml version="1.0"?>') * 5, '<!DOCTYPE met [<!ENTITY a "b">]>')).encode() + text.encode()


FILE: Final = "FILE"
"""Where the path stands in a command; a name that ends in `/` is that of a file in a folder, whose path is meant."""
Command = tuple[str, ...]
FORMATS: Final[dict[str, tuple[Callable[[Random], bytes], str, tuple[Command, ...]]]] = {
    "sgf": (sgf, ".sgf", (("stats", FILE), ("stats", FILE, "--per-game", "--format", "json"), ("compare", SGF, FILE), ("convert", FILE))),
    "mat": (mat, ".mat", (("stats", FILE), ("compare", FILE, SGF), ("stats", FILE, FILE, "--pool"))),
    "xg": (xg, ".xg", (("stats", FILE), ("compare", FILE, SGF, "--json", "-"), ("compare", FILE, SGF, "--html", "-"))),
    "bgf": (
        bgf,
        ".bgf",
        (("stats", FILE), ("stats", FILE, "--rules", "xg", "--per-game"), ("compare", FILE, FILE, "--markdown", "-"), ("convert", FILE)),
    ),
    "database": (
        database,
        ".db",
        (("stats", FILE), ("stats", FILE, "--pool", "--format", "csv"), ("validate", DEMONSTRATION, "--candidate", FILE)),
    ),
    "pasted": (
        documents(summary, cells),
        ".txt",
        (
            ("investigate", XG, "--player", "Nora", "--paste", FILE),
            ("investigate", SGF, "--player", "Tomas", "--paste", FILE, "--json", "-"),
            ("validate", DEMONSTRATION, "--candidate", FILE),
        ),
    ),
    "candidate": (
        documents(plain, plain, listing, table, position, summary, results),
        ".json",
        (
            ("validate", DEMONSTRATION, "--candidate", FILE),
            ("validate", DEMONSTRATION, "--candidate", FILE, "--markdown", "-"),
            ("validate", DEMONSTRATION, "--candidate", FILE, "--junit", "-", "--quiet"),
            ("validate", DEMONSTRATION, "--candidate", FILE, "--github", "--strict"),
        ),
    ),
    "result": (documents(results), ".json", (("diff", FILE, FILE), ("validate", DEMONSTRATION, "--history", FILE))),
    "tolerances": (
        documents(tolerances),
        ".yaml",
        (
            ("compare", XG, SGF, "--tolerances", FILE),
            ("compare", XG, SGF, "--table", "own", "--tolerances", FILE),
            ("validate", str(CUBE_RICH), "--tolerances", FILE),
        ),
    ),
    "aliases": (documents(aliases), ".yaml", (("compare", XG, SGF, "--aliases", FILE), ("stats", XG, SGF, "--pool", "--aliases", FILE))),
    "rules": (documents(rules), ".yaml", (("rules", FILE), ("stats", SGF, "--rules", FILE), ("compare", XG, SGF, "--left-rules", FILE))),
    "manifest": (documents(manifest), "/", (("validate", FILE), ("measure", FILE), ("validate", FILE, "--markdown", "-"), ("fetch", FILE))),
    "equities": (equities, ".xml", (("stats", SGF, "--met", FILE), ("compare", XG, SGF, "--met", FILE))),
}
JUDGES: Final = ("compare", "validate", "investigate", "diff", "fetch", "measure")
MANY_LINES: Final = ("validate", "fetch", "measure")
"""Commands that go on after an error, and say each."""
STREAMED: Final = (".sgf", ".mat", ".xg", ".bgf", ".txt", ".json")
"""Formats that are also read from standard input."""


def placed(chance: Random, suffix: str, content: bytes, folder: Path) -> Path:
    """The path to give for a content: a file with a hostile name, or a folder in which it is the manifest of a match."""
    if suffix != "/":
        path = folder / f"{chance.choice(NAMES)}{suffix}"
        path.write_bytes(content)
        return path
    path = folder / "made"
    shutil.copytree(Path(DEMONSTRATION), path)
    (path / "match.yaml").write_bytes(content)
    return path


def tried(kind: str, number: int, folder: Path) -> str:
    """What came of one input: `read`, `refused`, or what is wrong with the outcome."""
    make, suffix, commands = FORMATS[kind]
    chance = Random(f"{kind} {number}")
    content, command = make(chance), chance.choice(commands)
    path = placed(chance, suffix, content, folder)
    streamed = command.count(FILE) == 1 and command[-1] == FILE and suffix in STREAMED and chance.random() < 0.2
    words = [("-" if streamed else str(path)) if word == FILE else word for word in command]
    try:
        result = CliRunner().invoke(main, words, input=content if streamed else None, prog_name="reconcile")
    finally:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join([f"{words}\n", *traceback.format_exception(result.exception)])
    if result.exit_code not in ((0, 1, 2) if words[0] in JUDGES else (0, 2)):
        return f"{words}: exit code {result.exit_code}"
    if CONTROL.search(result.output):
        return f"{words}: a control character: {CONTROL.search(result.output)}, {result.output[:300]!r}"
    if (
        result.exit_code == 2
        and words[0] not in MANY_LINES
        and (result.stderr.count("\n") != 1 or not result.stderr.startswith("reconcile: "))
    ):
        return f"{words}: no single line: {result.stderr[:300]!r}"
    return "refused" if result.exit_code == 2 else "read"


def run() -> int:
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
    sys.exit(run())
