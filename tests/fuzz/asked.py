"""What commands make of damaged files of every format, under hostile names and from standard input.

    python -m tests.fuzz.mutate --count 2000 --commands

Each ends with 0, with 1 where the command judges, or with 2 and one line; nothing that a terminal
obeys reaches either stream.
"""

from __future__ import annotations

import re
import shutil
import traceback
from pathlib import Path
from random import Random
from typing import Final

from click.testing import CliRunner

from reconcile.cli import main
from tests.fuzz.formats import Format
from tests.support.command_line import CUBE_RICH, PACK, SGF, XG

DEMONSTRATION: Final = str(PACK / "demonstration")
NAMES: Final = (
    "match",
    "-o",
    "--html",
    "a b",
    "%s%n",
    "x\ny",
    "é\u202e",
    "x\x1b]0;y\x07",
    ".hidden",
    "a" * 200,
)
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
FILE, SOUND, OUT = "FILE", "SOUND", "OUT"
"""Where the path of the damaged file stands in a command, that of the sound one, and that of an
output with its ending."""
MATCH: Final = (
    *(
        ("stats", FILE),
        ("stats", FILE, "--per-game", "--format", "json"),
        ("stats", FILE, FILE, "--pool"),
        ("stats", FILE, "--decisions", "--format", "csv"),
        ("stats", FILE, "--html", "-"),
        ("convert", FILE),
        ("convert", FILE, "-o", f"{OUT}.mat"),
    ),
    *(
        ("compare", SGF, FILE),
        ("compare", FILE, SGF, "--json", "-"),
        ("compare", FILE, SGF, "--markdown", "-"),
        ("compare", FILE, FILE, "--html", "-", "--quiet"),
        ("compare", SOUND, FILE, "--html", "-"),
        ("compare", FILE, SOUND, "--anonymise", "--markdown", "-"),
        ("compare", FILE, SOUND, "--junit", "-", "--quiet"),
        ("compare", FILE, SOUND, "--ledger", f"{OUT}.csv"),
        ("compare", FILE, SOUND, "--ledger", f"{OUT}.txt"),
        ("compare", FILE, SOUND, FILE, "--html", "-", "--quiet"),
    ),
)
CANDIDATE: Final = (
    *(
        ("validate", DEMONSTRATION, "--candidate", FILE),
        ("validate", DEMONSTRATION, "--candidate", FILE, "--markdown", "-"),
    ),
    ("validate", DEMONSTRATION, "--candidate", FILE, "--junit", "-", "--quiet", "--strict"),
)
ASKED: Final[dict[str, tuple[str, tuple[tuple[str, ...], ...]]]] = {
    **{
        name: (f".{name.partition(' ')[0]}", MATCH)
        for name in ("sgf", "xg records", "bgf object", "mat")
    },
    "blunderdb": (
        ".db",
        (("stats", FILE), ("stats", FILE, "--pool", "--format", "csv"), CANDIDATE[0]),
    ),
    "pasted": (".txt", (("investigate", XG, "--player", "Nora", "--paste", FILE), CANDIDATE[0])),
    "candidates": (".json", CANDIDATE),
    "result": (".json", (("diff", FILE, FILE),)),
    "tolerances": (
        ".yaml",
        (
            ("compare", XG, SGF, "--tolerances", FILE),
            ("validate", str(CUBE_RICH), "--tolerances", FILE),
        ),
    ),
    "aliases": (
        ".yaml",
        (("compare", XG, SGF, "--aliases", FILE), ("stats", XG, SGF, "--pool", "--aliases", FILE)),
    ),
    "rules": (
        ".yaml",
        (
            ("explain", "--rules", FILE),
            ("stats", SGF, "--rules", FILE),
            ("compare", XG, SGF, "--left-rules", FILE),
        ),
    ),
    "manifest": ("/", (("validate", FILE), ("validate", FILE, "--markdown", "-"), ("fetch", FILE))),
    "met": (".xml", (("stats", SGF, "--met", FILE), ("compare", XG, SGF, "--met", FILE))),
}
"""By format the ending of a name, `/` for a manifest in the folder of its match, and what is asked
of the file."""
OF_THE_PACK: Final = {
    b"Ann": b"Nora Lindqvist",
    b"Ben": b"Tomas Beck",
    "Bén".encode(): b"Tomas Beck",
    b"one": b"demonstration",
}
"""Players and match of texts of figures by those of the demonstration."""
JUDGES: Final = ("compare", "validate", "investigate", "diff", "fetch")
MANY_LINES: Final = ("validate", "fetch")
"""Commands that go on after an error, and say each."""


def asked(kind: Format, number: int, folder: Path) -> str:
    """What came of the damaged file of a number: `read`, `refused`, or what is wrong with the
    outcome."""
    suffix, commands = ASKED[kind.name]
    chance, content = Random(f"{kind.name} asked {number}"), kind.mutation(number)
    if kind.name in ("pasted", "candidates"):
        content = re.sub(b"|".join(OF_THE_PACK), lambda found: OF_THE_PACK[found[0]], content)
    command = chance.choice(commands)
    path = folder / f"{chance.choice(NAMES)}{suffix}"
    if suffix == "/":
        shutil.copytree(DEMONSTRATION, path, dirs_exist_ok=True)
    (path / "match.yaml" if suffix == "/" else path).write_bytes(content)
    streamed = (
        command[-1] == FILE
        and command.count(FILE) == 1
        and suffix not in ("/", ".db", ".yaml", ".xml")
        and chance.random() < 0.2
    )
    sound, out = folder / f"sound{suffix}", folder / OUT
    if SOUND in command:
        sound.write_bytes(kind.sound(number))
    paths = {FILE: "-" if streamed else str(path), SOUND: str(sound)}
    words = [paths.get(word, word.replace(OUT, str(out))) for word in command]
    try:
        result = CliRunner().invoke(
            main, words, input=content if streamed else None, prog_name="reconcile"
        )
    finally:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join([f"{words}\n", *traceback.format_exception(result.exception)])
    if result.exit_code not in ((0, 1, 2) if words[0] in JUDGES else (0, 2)):
        return f"{words}: exit code {result.exit_code}"
    if control := CONTROL.search(result.output):
        return f"{words}: a control character: {control}, {result.output[:300]!r}"
    one_line = result.stderr.count("\n") == 1 and result.stderr.startswith("reconcile: ")
    if result.exit_code == 2 and words[0] not in MANY_LINES and not one_line:
        return f"{words}: no single line: {result.stderr[:300]!r}"
    return "refused" if result.exit_code == 2 else "read"
