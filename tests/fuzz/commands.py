"""Commands at random: any command of the program, with any of its options and streams, on sound and
damaged files.

    python -m tests.fuzz.commands --count 5000 --seed 7

A run is a command as a user writes it, at times with another word in it, and with any options that
the program itself describes. It is sound if it ends in time with a documented code; with 2 only
after a line on standard error; if nothing that a terminal obeys reaches standard error; and if no
file has changed but those that an output was given. The number printed with a finding makes the
same run again with `--only`.
"""

import argparse
import atexit
import hashlib
import re
import shlex
import shutil
import signal
import sys
import tempfile
from collections import Counter
from contextlib import chdir
from functools import cache
from pathlib import Path
from random import Random

import click

from tests.fuzz import formats
from tests.fuzz.judge import COMMANDS, complaint
from tests.fuzz.mutate import Hang, give_up
from tests.match.met.table_files import GOOD
from tests.support.command_line import PACK, SGF, XG, every_command, run
from tests.support.data import PROJECT
from tests.support.small_transcripts import SHORT

LEFT_OUT = {"page", "fetch", "analyse", "benchmark-make"}
"""Commands that open a browser, use the network, or keep an engine busy for minutes."""
SECONDS = 120
OUTPUTS = re.compile(
    r"html|json|yaml|junit|markdown|badge|ledger|positions|output|rules_output|written|update|usual|^o$"
)
ALL = tuple(entry for entry in every_command() if entry[0][-1] not in LEFT_OUT)


@cache
def sound_files():
    """A folder of sound inputs of every kind, made once."""
    folder = Path(tempfile.mkdtemp(prefix="reconcile-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for source in (XG, SGF, PROJECT / "tolerances.yaml"):
        shutil.copy(source, folder)
    for name, content in {
        "woolsey.xml": GOOD,
        "short.mat": SHORT,
        **formats.SEEDS["sound"],
    }.items():
        (folder / name).write_text(content, "utf-8")
    (folder / "some.db").write_bytes(formats.blunderdb()[0])
    (folder / "run.json").write_bytes(formats.suite()[0])
    for side, match in (("left", XG), ("right", SGF)):
        (folder / side).mkdir()
        shutil.copy(match, folder / side / f"a{Path(match).suffix}")
    shutil.copytree(PACK / "demonstration", folder / "pack" / "demonstration")
    run("stats", XG, "-o", folder / "one.json", "--format", "json")
    run("stats", SGF, "-o", folder / "two.json", "--format", "json")
    run("corpus", XG, SGF, "-o", folder / "tables", "--jobs", 1)
    return folder


def furnish(folder, random):
    """Files in a folder, sound ones and damaged ones; their names, sound matches most often."""
    shutil.copytree(sound_files(), folder, dirs_exist_ok=True)
    for source in random.sample(sorted((PROJECT / "tests" / "damaged").glob("*.[sx]g*")), 2):
        shutil.copy(source, folder)
    content = Path(random.choice((XG, SGF))).read_bytes()
    (folder / "cut.xg").write_bytes(content[: random.randrange(len(content))])
    sound = [Path(XG).name, Path(SGF).name, "short.mat", "pack"]
    names = sorted(path.name for path in folder.iterdir())
    return [*sound * 8, *names, "absent.xg", "-", ".", "new"]


def value(parameter, random, files, written):
    """Something for an option; seldom something else than it expects."""
    name = (parameter.name or "").strip("_")
    if OUTPUTS.search(name):
        outputs = [f"out{number}{'.csv' * (name == 'ledger')}" for number in range(6)]
        written.add(path := random.choice((*outputs, "out/page.html", random.choice(files))))
        return path
    kind, texts = parameter.type, [*COMMANDS["texts"], *files]
    if random.random() >= 0.1:
        if isinstance(kind, click.Choice):
            texts = list(kind.choices)
        elif isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
            texts = [0, 1, 2, 5, -1, 10**9]
        else:
            texts = next(
                (texts for part, texts in COMMANDS["values"].items() if part in name), files
            )
    return str(random.choice(texts))


def arguments(random, files):
    """A command line, and the names that its outputs were given: as a user writes it, or with
    another word somewhere, and with options more."""
    names, command = random.choice(ALL)
    places = {"{xg}": Path(XG).name, "{sgf}": Path(SGF).name}
    line = random.choice(COMMANDS["sound"].get(" ".join(names), ["{xg}"]))
    words = [places.get(word, word) for word in shlex.split(line)]
    written = {words[at + 1] for at, word in enumerate(words) if word in ("-o", "--pack")}
    if words and words[-1] not in written and random.random() < 0.2:
        words[-1] = random.choice((*files, *COMMANDS["texts"]))
    unasked = {"--help", "--work", *words}
    options = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and not set(parameter.opts) & unasked
    ]
    for parameter in random.sample(options, min(len(options), random.choice((0, 0, 1, 1, 2, 3)))):
        words.append(random.choice(parameter.opts))
        if not parameter.is_flag:
            words.append(value(parameter, random, files, written))
    return [*names, *words], written


def snapshot(folder):
    """Every file with a digest."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    digests = (hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
    return dict(zip((str(path.relative_to(folder)) for path in files), digests, strict=True))


def finding(number, codes):
    """What is wrong with a run, empty if nothing, and its command line; its exit code is
    counted."""
    random = Random(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        words, written = arguments(random, furnish(folder, random))
        before, line = snapshot(folder), shlex.join(words)
        stream = random.choice((b"", SHORT.encode(), Path(SGF).read_bytes()))
        try:
            with chdir(folder):
                done = run(*words, stdin=stream, RECONCILE_CACHE=f"{name}/cache")
        except (Exception, Hang) as error:
            return repr(error), line
        codes[done.exit_code] += 1
        if wrong := complaint(done.exit_code, "", done.stderr):
            return wrong, line
        after = snapshot(folder)
        named = {Path(path).parts[0] for path in written if Path(path).parts}
        changed = [
            path
            for path in sorted(before)
            if after.get(path) != before[path] and Path(path).parts[0] not in named
        ]
        return f"changed {', '.join(changed)}" if changed and "." not in written else "", line


def main():
    parser = argparse.ArgumentParser(description="Run commands at random.")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make this run again")
    asked = parser.parse_args()
    first = asked.seed * 1_000_000 if asked.only is None else asked.only
    numbers = range(first, first + (asked.count if asked.only is None else 1))
    findings, codes = 0, Counter[int]()
    signal.signal(signal.SIGALRM, give_up)
    for number in numbers:
        signal.alarm(SECONDS)
        wrong, line = finding(number, codes)
        if wrong:
            findings += 1
            print(f"{number}: reconcile {line}\n    {wrong}", flush=True)
    ends = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
    print(f"{len(numbers)} runs ({ends}), {findings} findings")
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
