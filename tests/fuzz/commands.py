"""Commands at random: any command of the program, with any of its options and streams, on sound and
damaged files, a process for each.

    python -m tests.fuzz.commands --count 5000 --seed 7

It knows nothing but the command line, as the program itself describes it; most runs are a command
as a user writes it with some options more, the others anything. A run is sound if it ends in time
with a documented code; with 2 only after a line on standard error that is no traceback; if nothing
that a terminal obeys reaches either stream; and if no file has changed but those that an output was
given. The number printed with a finding makes the same run again with `--only`.
"""

from __future__ import annotations

import argparse
import atexit
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import click

from tests.fuzz.seeds import database_seeds, suite_seeds
from tests.match.met.table_files import GOOD
from tests.support.command_line import PACK, SGF, XG, every_command
from tests.support.data import PROJECT
from tests.support.small_transcripts import SHORT

LEFT_OUT: Final = {"serve", "fetch", "analyse", "benchmark-make", "selfcheck"}
"""Commands that wait for requests, use the network, or keep an engine busy for minutes."""
CODES: Final = (0, 1, 2)
SECONDS: Final = 120
MEMORY: Final = 3 * 2**30
OUTPUTS: Final = re.compile(
    r"html|json|junit|markdown|badge|ledger|positions|output|rules_output|written|update|usual|^o$"
)
TEXTS: Final = (
    "",
    *[
        "-",
        "0",
        "-1",
        "nan",
        "1e308",
        "xg",
        "gnubg",
        "pr",
        "pr=7.16",
        "decisions=1",
        "Nora",
        "é\u202e",
        "a=b",
        "Q01",
        "%s",
    ],
)
LIKELY: Final = {
    "rules": ("xg", "gnubg", "rules.yaml"),
    "met": ("Kazaross-XG2", "Rockwell-Kazaross"),
    "player": ("Nora Lindqvist", "Tomas Beck", "Nora#1"),
    "reported": ("pr=7.16", "decisions=53", "luck=1.2"),
    "table": ("documented", "printed", "figures"),
    "tolerances": ("tolerances.yaml",),
    "code": ("Q01", "pr", "xg", "rounding"),
}
"""What options and arguments whose names have these words take."""
PROGRAMS: Final = (
    *("true {file}", "false {file}", "cat {file}", "no-such-program {file}", "sh -c 'echo {}'"),
    *("'", "{match}"),
)
SQL: Final = ("SELECT 1", "SELECT * FROM decisions", "DROP TABLE x", "SELECT 'a\u001b[0m'")


SOUND: Final = {
    "compare": ("{xg} {sgf}", "{xg} short.mat", "{sgf} {sgf} {xg}", "left right"),
    "convert": (
        "{xg} -o out1.json",
        "{sgf} -o out2.mat",
        "short.mat -o out3.json",
    ),
    "corpus": ("{xg} {sgf} -o new", "left --jobs 1 -o new"),
    "corpus-query": (
        "tables 'select 1'",
        "tables",
        "tables 'from matches'",
        "tables 'from player_matches'",
    ),
    "corpus-report": ("tables",),
    "diff": ("one.json two.json", "one.json one.json"),
    "explain": ("Q01", "Q07", "--rules", ""),
    "init": ("new", "new/deeper"),
    "investigate": (
        "{xg} --player 'Nora Lindqvist' --reported pr=7.16",
        "{sgf} --player 'Nora Lindqvist' --reported pr=7.2 --reported decisions=30",
        "{xg} --player 'Tomas Beck' --reported luck=0.1",
    ),
    "new-match": (
        "{sgf} --licence CC0-1.0 --provenance 'played by hand' --pack new",
        "{xg} --licence CC0-1.0 --provenance me -o new",
    ),
    "stats": ("{xg}", "{sgf} short.mat", "- {xg}", "left right", "{xg} {xg}"),
    "suite list": ("",),
    "suite matrix": ("run.json run.json",),
    "suite run": (
        "--candidate-command 'cat {file}' --only count-two",
        "--harness cat --only count-two",
        "--candidate-command 'python3 -c 1' --only count-two --json out4.json",
    ),
    "suite show": ("count-two-errors", "count-right-play"),
    "suite write": ("new",),
    "validate": ("pack", "pack --candidate {sgf}", "pack --no-suite", ""),
}
"""Commands as a user writes them, to which options are added; those that are not here are left to
chance."""
RIGHT: Final = {
    "rules": ("xg", "gnubg", "rules.yaml"),
    "met": ("Kazaross-XG2", "woolsey.xml"),
    "tolerances": ("tolerances.yaml",),
    "aliases": ("names.yaml",),
    "player": ("Nora Lindqvist", "Tomas Beck"),
    "trials": ("100", "400"),
    "settle-time": ("1", "2.5"),
    "table": ("figures", "printed"),
    "most": ("1", "5"),
    "jobs": ("1", "2"),
    "timeout": ("5",),
    "only": ("cube", "play"),
    "game": ("1",),
}
"""What an option takes, where chance would seldom find it."""


ALL: Final = tuple(parameter for parameter in every_command() if parameter[0][-1] not in LEFT_OUT)
DATABASE: Final = database_seeds()[0]


@cache
def made_before() -> dict[str, Path]:
    """What other commands wrote: two documents and the tables of an archive."""
    folder = Path(tempfile.mkdtemp(prefix="reconcile-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    documents = {name: folder / name for name in ("one.json", "two.json", "run.json", "tables")}
    documents["run.json"].write_bytes(suite_seeds()[0])
    for words in (
        ["stats", XG, "-o", "one.json"],
        ["stats", SGF, "-o", "two.json"],
        ["corpus", XG, SGF, "-o", "tables", "--jobs", "1"],
    ):
        form = ["--format", "json"] if words[0] == "stats" else []
        subprocess.run(
            [sys.executable, "-m", "reconcile", *words, *form],
            cwd=folder,
            check=True,
            capture_output=True,
            env=environment(folder),
        )
    return documents


def environment(folder: Path) -> dict[str, str]:
    """The environment of a run, whose cache is in this folder."""
    own = {
        name: text
        for name, text in os.environ.items()
        if not name.startswith(("RECONCILE_", "GITHUB_"))
    }
    return own | {
        "RECONCILE_CACHE": str(folder / "cache"),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(PROJECT),
    }


def furnish(folder: Path, random: Random) -> list[str]:
    """Files in a folder, sound ones and damaged ones; their names."""
    sources = [
        Path(XG),
        Path(SGF),
        PROJECT / "tolerances.yaml",
        *sorted((PROJECT / "tests" / "damaged").glob("*.[sx]g*")),
    ]
    for source in [*sources[:3], *random.sample(sources[3:], 2)]:
        shutil.copy(source, folder / source.name)
    (folder / "short.mat").write_text(SHORT, "utf-8")
    (folder / "empty.json").write_text("{}", "utf-8")
    (folder / "rules.yaml").write_text("schema_version: 1\nname: mine\nextends: xg\n", "utf-8")
    (folder / "x\x1b]0;y.xg").write_bytes(b"\x00")
    cut = Path(random.choice((XG, SGF))).read_bytes()
    (folder / "cut.xg").write_bytes(cut[: random.randrange(len(cut))])
    (folder / "some.db").write_bytes(DATABASE)
    (folder / "woolsey.xml").write_text(GOOD, "utf-8")
    (folder / "names.yaml").write_text(
        'schema_version: 1\nplayers: {"Nora": ["Nora Lindqvist"]}\n', "utf-8"
    )
    for side, match in (("left", XG), ("right", SGF)):
        (folder / side).mkdir()
        shutil.copy(match, folder / side / f"a{Path(match).suffix}")
    for documents, written in made_before().items():
        (shutil.copytree if written.is_dir() else shutil.copy)(written, folder / documents)
    shutil.copytree(PACK / "demonstration", folder / "pack" / "demonstration")
    sound = [Path(XG).name, Path(SGF).name, "short.mat", "pack"]
    return [
        *sound * 8,
        *sorted(path.name for path in folder.iterdir()),
        "absent.xg",
        "-",
        ".",
        "new",
    ]


def value(parameter: click.Parameter, random: Random, files: list[str], written: set[str]) -> str:
    """Something for an option or an argument."""
    name = (parameter.name or "").strip("_")
    if isinstance(parameter.type, click.Choice) and random.random() < 0.9:
        return str(random.choice(list(parameter.type.choices)))
    if (
        isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType))
        and random.random() < 0.9
    ):
        return str(random.choice((0, 1, 2, 5, -1, 10**9)))
    for part, texts in LIKELY.items():
        if part in name and random.random() < 0.8:
            return random.choice(texts)
    if "command" in name or name in ("harness", "engine"):
        return random.choice(PROGRAMS)
    if name == "sql":
        return random.choice(SQL)
    if OUTPUTS.search(name):
        written.add(
            path := random.choice(
                (
                    *(f"out{number}" for number in range(6)),
                    "out/page.html",
                    *random.sample(files, 2),
                )
            )
        )
        return path
    file = isinstance(parameter, click.Argument) or re.search(
        r"FILE|DIR|NAME", parameter.metavar or ""
    )
    return random.choice(files) if file and random.random() < 0.85 else random.choice(TEXTS)


def sound(
    random: Random, names: tuple[str, ...], command: click.Command, line: str
) -> tuple[list[str], set[str]]:
    """A command line that a user could write, and the names that its outputs were given."""
    line = line.replace("{xg}", Path(XG).name).replace("{sgf}", Path(SGF).name)
    words = [*names, *shlex.split(line)]
    written = {words[index + 1] for index, word in enumerate(words) if word in ("-o", "--pack")}
    options = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option)
        and not set(parameter.opts) & {"--help", "--work", "--settle", *words}
    ]
    for parameter in random.sample(options, min(len(options), random.choice((0, 1, 1, 2, 3, 4)))):
        name = parameter.opts[-1].removeprefix("--")
        words.append(random.choice(parameter.opts))
        if parameter.is_flag:
            continue
        right = next(
            (
                texts
                for part, texts in RIGHT.items()
                if part == name or (part in name and part in ("rules",))
            ),
            None,
        )
        if isinstance(parameter.type, click.Choice):
            words.append(str(random.choice(list(parameter.type.choices))))
        elif OUTPUTS.search((parameter.name or "").strip("_")) and random.random() < 0.95:
            words.append(f"out{len(written) + 10}{'.csv' if name == 'ledger' else ''}")
            written.add(words[-1])
        elif right is not None:
            words.append(random.choice(right))
        else:
            words.append(value(parameter, random, [Path(XG).name, Path(SGF).name], written))
    return words, written


def arguments(random: Random, files: list[str]) -> tuple[list[str], set[str]]:
    """A command line, and the names that its outputs were given."""
    names, command = random.choice(ALL)
    words, written = list(names), set[str]()
    lines = SOUND.get(" ".join(names))
    if lines is not None and random.random() < 0.85:
        return sound(random, names, command, random.choice(lines))
    options = [
        parameter
        for parameter in command.params
        if isinstance(parameter, click.Option) and not set(parameter.opts) & {"--help", "--settle"}
    ]
    chosen = random.sample(options, min(len(options), random.choice((0, 0, 1, 1, 2, 2, 5))))
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            count = (
                random.choice((1, 2, 2, 3))
                if parameter.nargs != 1
                else int(parameter.required or random.random() < 0.8)
            )
            words += [value(parameter, random, files, written) for _ in range(count)]
        elif parameter in chosen or (parameter.required and random.random() < 0.9):
            flag = isinstance(parameter, click.Option) and parameter.is_flag
            words += (
                [random.choice(parameter.opts)]
                if flag
                else [random.choice(parameter.opts), value(parameter, random, files, written)]
            )
    return words, written


def snapshot(folder: Path) -> dict[str, str]:
    """Every file with a digest."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def bounded() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def finding(number: int, codes: Counter[int]) -> tuple[str, str]:
    """What is wrong with a run, empty if nothing, and its command line; its exit code is
    counted."""
    random = Random(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "here"
        folder.mkdir()
        words, written = arguments(random, furnish(folder, random))
        before, line = snapshot(folder), shlex.join(words)
        stream = random.choice((b"", SHORT.encode(), Path(SGF).read_bytes()))
        try:
            done = subprocess.run(
                [sys.executable, "-m", "reconcile", *words],
                cwd=folder,
                env=environment(folder.parent),
                input=stream,
                capture_output=True,
                timeout=SECONDS,
                preexec_fn=bounded,
            )
        except subprocess.TimeoutExpired:
            return f"not ended after {SECONDS} s", line
        codes[done.returncode] += 1
        after, errors = snapshot(folder), done.stderr.decode("utf-8", "replace")
        if done.returncode not in CODES:
            return f"code {done.returncode}: {errors[-400:]}", line
        if "Traceback" in errors or (done.returncode == 2 and not errors.strip()):
            return f"code {done.returncode}, and said: {errors[-400:]!r}", line
        if control := re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", done.stderr):
            return f"standard error has {control[0]!r}", line
        named = (
            {Path(path).parts[0] for path in written if path not in ("", "-")}
            if "." not in written
            else set(before)
        )
        touched = sorted(
            path
            for path in before
            if after.get(path) != before[path] and Path(path).parts[0] not in named
        )
        inputs = touched or (
            [path for path in before if path in words and path not in written and path not in after]
        )
        return (f"changed {', '.join(inputs)}" if inputs else ""), line


def main() -> None:
    parser = argparse.ArgumentParser(description="Run commands at random.")
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="make this run again")
    asked = parser.parse_args()
    numbers = (
        [asked.only]
        if asked.only is not None
        else range(asked.seed * 1_000_000, asked.seed * 1_000_000 + asked.count)
    )
    findings, codes = 0, Counter[int]()
    for number in numbers:
        wrong, line = finding(number, codes)
        if wrong:
            findings += 1
            print(f"{number}: reconcile {line}\n    {wrong}", flush=True)
    ends = ", ".join(f"{count} ended with {code}" for code, count in sorted(codes.items()))
    print(f"{len(numbers)} runs ({ends}), {findings} findings")
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
