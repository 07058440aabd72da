"""What the program makes of a damaged file, and whether it ended as documented: with 0, with 1
where it judges, or with 2 and a line; nothing that a terminal obeys reaches either stream."""

import atexit
import json
import os
import re
import shlex
import shutil
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from click.testing import CliRunner

from reconcile.cli import main
from tests.fuzz.formats import result
from tests.support.command_line import CUBE_RICH, PACK, SGF, XG, strict
from tests.support.tables import beside
from web import inside

COMMANDS = beside(__file__, "commands.yaml")
CODES = (0, 1, 2)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
NAMES = (
    *("match", "-o", "--html", "a b", "%s%n", "x\ny", "é\u202e", "x\x1b]0;y\x07", ".hidden"),
    "a" * 200,
)
JUDGES = ("compare", "validate", "investigate", "diff", "fetch", "benchmark")
MANY_LINES = ("validate", "fetch")
"""Commands that go on after an error, and print each."""
MATCH = PACK / "gnubg-3pt-2ply"
"""The folder of a manifest."""
LONGEST_MESSAGE = 1000


def complaint(code, printed, errors):
    """What is wrong with a run; empty if nothing."""
    if code not in CODES:
        return f"code {code}: {errors[-400:]}"
    if "Traceback" in errors or (code == 2 and not errors.strip()):
        return f"code {code}, and standard error is {errors[-400:]!r}"
    control = CONTROL.search(printed + errors)
    return f"a stream has {control[0]!r}" if control else ""


@cache
def folder():
    """Where the files of this process are, deleted at its end."""
    path = Path(tempfile.mkdtemp(prefix="reconcile-fuzz-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    (path / "result.json").write_bytes(result()[0])
    return path


def commands_of(kind):
    """What is asked of the files of a format."""
    return list(COMMANDS["files"].get(kind.name, COMMANDS["files"]["match"]))


def refused(kind, content, sound, command=""):
    """Whether a damaged file is refused by a command of its format, under a hostile name or from
    standard input. Raises `AssertionError` for what is not as documented."""
    chance = Random(content)
    words = shlex.split(command or chance.choice(commands_of(kind)))
    if words[0] == "page":
        return refused_by_page(words[1] == "pair", content)
    suffix = kind.suffix
    path = folder() / f"{chance.choice(NAMES)}{suffix}"
    if suffix == "/":
        path = shutil.copytree(MATCH, folder() / MATCH.name, dirs_exist_ok=True)
    (path / "match.yaml" if suffix == "/" else path).write_bytes(content)
    another = folder() / f"sound{suffix.strip('/')}"
    another.write_bytes(sound)
    plain = suffix not in ("/", ".db", ".yaml", ".xml", ".bm")
    streamed = plain and words.count("FILE") == 1 == chance.randrange(5)
    places = {"FILE": "-" if streamed else path, "SOUND": another, "XG": XG, "SGF": SGF}
    places |= {
        "PACK": PACK / "demonstration",
        "RICH": CUBE_RICH,
        "RESULT": folder() / "result.json",
    }
    out = str(folder() / "out")
    try:
        asked = [str(places.get(word, word.replace("OUT", out))) for word in words]
        return refused_by(asked, content if streamed else None)
    finally:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def refused_by(words, stream=None):
    """Whether a command refuses what it is given."""
    done = CliRunner().invoke(main, words, input=stream, prog_name="reconcile")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    wrong = complaint(done.exit_code, done.stdout, done.stderr)
    assert not wrong, (words, wrong)
    assert done.exit_code != 1 or words[0] in JUDGES, words
    if done.exit_code == 2 and words[0] not in MANY_LINES:
        *notes, line = done.stderr.splitlines()
        assert line.startswith("reconcile: "), (words, done.stderr[:300])
        assert len(notes) <= (words[0] == "compare"), (words, done.stderr[:300])
        assert len(done.stderr) < LONGEST_MESSAGE, words
    elif words[-2:] in (["--format", "json"], ["--json", "-"]) and done.exit_code < 2:
        strict(done.stdout)  # no figure is infinite
    return done.exit_code == 2


def refused_by_page(is_pair, content):
    """Whether the page refuses a damaged file."""
    before, names = Path.cwd(), ["damaged.sgf", "sound.sgf"]
    with tempfile.TemporaryDirectory() as place:
        for name, each in zip(names, (content, Path(SGF).read_bytes()), strict=True):
            Path(place, name).write_bytes(each)
        os.chdir(place)
        try:
            asked = {"kind": "open", "files": names[: 1 + is_pair]}
            shown = json.loads(inside.answer(json.dumps(asked)))
        finally:
            os.chdir(before)
    assert "this is a bug" not in shown["sentence"], shown["sentence"]
    assert len(shown["sentence"].splitlines()) == 1
    return "failed" in shown
