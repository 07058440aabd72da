"""What commands and the served page make of damaged files, under hostile names and from standard
input.

A command ends with 0, with 1 where it judges, or with 2 and a line; nothing that a terminal obeys
reaches either stream. A request is answered or refused as one.
"""

from __future__ import annotations

import atexit
import re
import shlex
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

from click.testing import CliRunner

from reconcile.cli import main
from reconcile.errors import ReconcileError
from tests.support.command_line import CUBE_RICH, PACK, SGF, XG

NAMES: Final = (
    *("match", "-o", "--html", "a b", "%s%n", "x\ny", "é\u202e", "x\x1b]0;y\x07", ".hidden"),
    "a" * 200,
)
CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
MATCH: Final = """\
stats FILE|stats FILE --per-game --format json|stats FILE FILE --pool|stats FILE --html -
stats FILE --decisions --format csv|convert FILE|convert FILE -o OUT.mat|compare SGF FILE
compare FILE SGF --json -|compare FILE SGF --markdown -|compare FILE FILE --html - --quiet
compare XG FILE --html -|compare FILE XG --anonymise --markdown -|compare FILE XG --junit - --quiet
compare FILE XG --ledger OUT.csv|compare FILE XG --ledger OUT.txt
compare FILE XG FILE --html - --quiet"""
CANDIDATE: Final = """\
validate PACK --candidate FILE|validate PACK --candidate FILE --markdown -
validate PACK --candidate FILE --junit - --quiet --strict"""
ASKED: Final[dict[str, tuple[str, str]]] = {
    "sgf": (".sgf", MATCH),
    "xg records": (".xg", MATCH),
    "bgf object": (".bgf", MATCH),
    "mat": (".mat", MATCH),
    "blunderdb": (
        ".db",
        "stats FILE|stats FILE --pool --format csv|validate PACK --candidate FILE",
    ),
    "pasted": (
        ".txt",
        "investigate XG --player Nora --paste FILE|validate PACK --candidate FILE",
    ),
    "candidates": (".json", CANDIDATE),
    "result": (".json", "diff FILE FILE"),
    "tolerances": (".yaml", "compare XG SGF --tolerances FILE|validate RICH --tolerances FILE"),
    "aliases": (".yaml", "compare XG SGF --aliases FILE|stats XG SGF --pool --aliases FILE"),
    "rules": (
        ".yaml",
        "explain --rules FILE|stats SGF --rules FILE|compare XG SGF --left-rules FILE",
    ),
    "manifest": ("/", "validate FILE|validate FILE --markdown -|fetch FILE"),
    "met": (".xml", "stats SGF --met FILE|compare XG SGF --met FILE"),
    "suite": (".json", "suite matrix FILE FILE --html OUT.html"),
}
"""By form of input the ending of a name, `/` for a manifest in the folder of its match, and what is
asked of the file."""
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


@cache
def folder() -> Path:
    """Where the files of this process are, deleted at its end."""
    path = Path(tempfile.mkdtemp(prefix="reconcile-fuzz-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def command(form: str) -> Callable[[bytes, bool], object]:
    """Gives a damaged file of a form to one of its commands."""
    suffix, text = ASKED[form]
    commands = [shlex.split(line) for line in re.split(r"[|\n]", text)]

    def ask(content: bytes, thorough: bool) -> None:
        chance = Random(content)
        if form in ("pasted", "candidates"):
            content = re.sub(b"|".join(OF_THE_PACK), lambda name: OF_THE_PACK[name[0]], content)
        words = chance.choice(commands)
        path = folder() / f"{chance.choice(NAMES)}{suffix}"
        if suffix == "/":
            shutil.copytree(PACK / "demonstration", path, dirs_exist_ok=True)
        (path / "match.yaml" if suffix == "/" else path).write_bytes(content)
        plain = suffix not in ("/", ".db", ".yaml", ".xml")
        streamed = plain and words.count("FILE") == 1 == chance.randrange(5)
        places = {
            "FILE": "-" if streamed else str(path),
            "XG": XG,
            "SGF": SGF,
            "PACK": str(PACK / "demonstration"),
            "RICH": str(CUBE_RICH),
        }
        out = str(folder() / "out")
        words = [places.get(word, word.replace("OUT", out)) for word in words]
        try:
            _run(words, content if streamed else None)
        finally:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return ask


def _run(words: list[str], stream: bytes | None) -> None:
    """Raises `ReconcileError` for a refusal in a line, and `AssertionError` for what is wrong."""
    result = CliRunner().invoke(main, words, input=stream, prog_name="reconcile")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in ((0, 1, 2) if words[0] in JUDGES else (0, 2)), words
    control = CONTROL.search(result.output)
    assert not control, (words, control, result.output[:300])
    if result.exit_code == 2:
        line = result.stderr.count("\n") == 1 and result.stderr.startswith("reconcile: ")
        assert line or words[0] in MANY_LINES, (words, result.stderr[:300])
        raise ReconcileError(f"refused by {words[0]}")


def request(content: bytes, thorough: bool) -> None:
    """Sends a damaged file to the page and to its interface. Raises `ReconcileError` for a
    refusal."""
    path = ("/open", "/api/stats", "/api/compare")[len(content) % 3]
    files = [("damaged.sgf", content), *[Path(SGF)] * (path == "/api/compare")]
    answer = _page().post(path, files)
    assert answer.status in (200, 303, 422), (path, answer.status, answer.text[:300])
    if answer.status == 422:
        raise ReconcileError("refused by the page")


@cache
def _page() -> Any:
    from tests.support.served import Within

    page = Within()
    atexit.register(page.close)
    return page
