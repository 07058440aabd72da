"""A new reference match: everything of a `match.yaml` that can be read from its files; and what a
repository needs for a gate: a pack of one match, tolerances, a stub, jobs for CI.

What only people know is left empty, and the manifest is rejected until they fill it in: where the
match comes from, under which licence it may be shared, what the tools showed and who read that.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import bundled
from reconcile.files.inputs import STANDARD_INPUT, read_bytes
from reconcile.files.output import Output, legal_stem
from reconcile.files.yaml_file import read_tree
from reconcile.formats import is_folder, read_match
from reconcile.formats.archives import Unit
from reconcile.gap.pairing import pair
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.manifest import LONGEST_NAME, MANIFEST, load_manifest, plain_name
from reconcile.gate.pack_results import distinct
from reconcile.match.match import Match
from reconcile.match.names import fold
from reconcile.match.tools import ANALYSERS, GNUBG, analyser
from reconcile.scoring.findings import SYNTHETIC, level_text
from reconcile.version import __version__
from reconcile.wording import plural

TEMPLATE = Path(__file__).with_name("match.yaml.j2")


@dataclass(frozen=True, slots=True)
class Origin:
    """What a person says of a new match."""

    licence: str = ""
    provenance: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether both are said; otherwise the figures that a tool's window shows are asked for."""
        return bool(self.licence.strip() and self.provenance.strip())


def new_match(
    paths: Sequence[str], pack: Path, home: Path | None, origin: Origin
) -> tuple[Path, list[Output]]:
    """The folder of the match that all files are of, by default a new one in the pack, and what to
    write into it. Raises `ReconcileError`, also for a file that the pack has already."""
    matches = _read(paths)
    if home is None:
        _check_new(pack, matches)
        home = _free(pack, slug(next(iter(matches.values()))))
    return home, _outputs(home, matches, origin, paths)


def _read(paths: Sequence[str]) -> dict[str, Match]:
    """The matches of files by name, XG's first, transcripts last. Raises `ReconcileError`."""
    matches: dict[str, Match] = {}
    tools = [tool.name for tool in ANALYSERS.values()]
    for path in paths:
        if path == STANDARD_INPUT:
            expected = "expected the names of files, found -; a manifest needs a file name"
            raise InvalidConfiguration(f"{expected}, so save the input first")
        if is_folder(path) or Unit(path).is_database:
            expected = "expected a file of one match, found what may have many; export the match"
            raise InvalidConfiguration(expected, path)
        match, name = read_match(path, read_bytes(path)), Path(path).name
        if name.casefold() in map(str.casefold, matches):
            raise InvalidConfiguration("two of the files have this name; rename one", path)
        for first in list(matches.values())[:1]:
            pair(first, match)
        matches[name] = match

    def rank(name: str) -> int:
        tool = analyser(matches[name].source.tool)
        return tools.index(tool.name) if tool else len(tools)

    return {name: matches[name] for name in sorted(matches, key=rank)}


def _check_new(pack: Path, matches: Mapping[str, Match]) -> None:
    """Raise `InvalidConfiguration` for a file that is in the pack, also in a manifest that is to be
    filled in."""
    for path in sorted(pack.glob(f"*/{MANIFEST}")):
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        for name, match in matches.items():
            if match.source.sha256 in text:
                wrong = (
                    f"is in {path.parent.as_posix()} already; add other files to the manifest there"
                )
                raise InvalidConfiguration(wrong, name)


def slug(match: Match) -> str:
    """The name of a match's folder: `nora-lindqvist-tomas-beck-7pt`, legal on every system."""
    length = "money" if match.length is None else f"{match.length}pt"
    return legal_stem(" ".join([*map(fold, match.players), length]))


def _free(pack: Path, name: str) -> Path:
    """A folder of the pack that does not exist yet: two players may meet twice."""
    homes = (pack / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(home for home in homes if not home.exists())


def _outputs(
    home: Path, matches: Mapping[str, Match], origin: Origin, paths: Sequence[str]
) -> list[Output]:
    """The manifest of a match and copies of its files, unless they are there already.

    Raises `InvalidConfiguration` for a name that a pack cannot have, and for one that is taken.
    """
    name = home.resolve().name
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", name):
        expected = f"expected a folder named in small letters, digits and -, found {name!r}"
        raise InvalidConfiguration(f"{expected}; choose such a name", home)
    outputs: list[Output] = [(str(home / MANIFEST), _manifest(name, matches, origin))]
    sources = {Path(path).resolve() for path in paths}
    for file, match in matches.items():
        try:
            if len(file) > LONGEST_NAME:
                raise ValueError(f"expected a name of at most {LONGEST_NAME} characters")
            target = home / plain_name(file)
        except ValueError as error:
            raise InvalidConfiguration(f"{error}; rename the file", file) from None
        if target.resolve() not in sources:
            outputs.append((str(target), match.source.content))
    for path, _ in outputs:
        if Path(path).exists():
            wrong = "exists already and is not overwritten; choose another folder with -o"
            raise InvalidConfiguration(wrong, path)
    return outputs


def _manifest(name: str, matches: Mapping[str, Match], origin: Origin) -> str:
    """The manifest, from the template `match.yaml.j2` beside this module."""
    from jinja2 import Environment

    first = next(iter(matches.values()))
    length = "money session" if first.length is None else plural(first.length, "point")
    asks = not origin.is_complete
    files: dict[str, tuple[str, str, Match]] = {}
    names: Counter[str] = Counter()
    for file, match in matches.items():  # `xg`, `gnubg`, and `xg-2` for a second file of one tool
        tool = analyser(match.source.tool)
        handle = distinct(tool.key if tool else match.source.format, names, "{}-{}")
        files[handle] = file, level_text(match), match
    analysed = {  # a transcript cannot be compared with an analysis
        handle: match
        for handle, (_, level, match) in files.items()
        if analyser(match.source.tool) and level != "not analysed"
    }
    environment = Environment(  # noqa: S701  # YAML; every text is quoted
        trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters["text"] = _text
    return environment.from_string(TEMPLATE.read_text("utf-8")).render(
        id=name,
        title=f"{first.players[0]} - {first.players[1]}, {length}",
        origin=origin,
        synthetic=any(match.event.startswith(SYNTHETIC) for match in matches.values()),
        files=files,
        analysed=list(analysed),
        reported={handle: _reported(match) for handle, match in analysed.items() if asks},
    )


def _reported(match: Match) -> dict[str, Any]:
    """The figures that a tool's window shows, for every player."""
    rules = (analyser(match.source.tool) or GNUBG).rules
    entries = load_tolerances().table(f"{rules}-reported").entries
    metrics = [name for name in entries if "@" not in name]
    by_seat = match.players[0] == match.players[1] or not all(match.players)
    return {
        "rules": rules,
        "by_seat": by_seat,
        "players": ("1", "2") if by_seat else match.players,
        "metrics": [name for name in metrics if not (match.is_money and "mwc" in name)],
    }


def _text(text: str) -> str:
    """A text quoted so that it is valid YAML and JSON."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


# -- a new repository -----------------------------------------------------------------------------

TEMPLATES = Path(__file__).with_name("starter_files")
PACK = "reference_matches"
TABLE = "my-program"
ARGUMENTS = "candidate.py {file} {player1} {player2}"
PYTHON = "python" if sys.platform == "win32" else "python3"
PACKAGE = f"gammon-reconcile=={__version__}"
JOB = "docs/ci/gitlab.yml"
"""The job for GitLab, which is also part of the documentation."""
JOB_VALUES = {
    "SOURCE": PACKAGE,
    "PACK": PACK,
    "CANDIDATE_COMMAND": f'"python3 {ARGUMENTS}"',
    "STRICT": '"true"',
}
IGNORED = ".gitignore"
"""The one file that many repositories have already; it is left as it is."""


@dataclass(frozen=True, slots=True)
class Started:
    """One file for a new repository."""

    name: str
    """Its path in the repository."""
    content: str | bytes
    page: str
    """What it is for, in a few words."""


def started(folder: Path, form: str = "sgf") -> Iterator[Started]:
    """Every file for a folder and a program that reads this format, as a person meets them."""
    data = read_tree(TEMPLATES / "files.yaml")
    start = data["starts"][form]
    match, home = bundled(PACK) / start["match"], f"{PACK}/{start['match']}"
    yield Started(f"{home}/{MANIFEST}", (match / MANIFEST).read_bytes(), start["page"])
    for file in load_manifest(match / MANIFEST, match.parent).files.values():
        yield Started(f"{home}/{file.name}", (match / file.name).read_bytes(), "the match itself")
    for name, page, template in data["files"]:
        if name != IGNORED or not (folder / name).exists():
            yield Started(name, _rendered(template, start), page)


def outputs(folder: Path, files: list[Started]) -> list[Output]:
    """What to write into the folder. Raises `InvalidConfiguration` and names what is there."""
    paths = {file.name: folder / file.name for file in files}
    there = [name for name, path in paths.items() if path.exists() or path.is_symlink()]
    if there:
        wrong = "nothing was written, because no file is ever overwritten and there is already"
        remedy = "choose an empty folder, and copy from there what you need"
        raise InvalidConfiguration(f"{wrong} {', '.join(there)}; {remedy}", folder)
    return [(str(paths[file.name]), file.content) for file in files]


def next_command() -> str:
    """The command that judges the stub."""
    return f'reconcile validate {PACK} --candidate-command "{PYTHON} {ARGUMENTS}"'


def _rendered(template: str, start: dict[str, Any]) -> str:
    from jinja2 import Environment

    environment = Environment(  # noqa: S701  # no HTML; braces are those of the files
        keep_trailing_newline=True, variable_start_string="[[", variable_end_string="]]"
    )
    return environment.from_string((TEMPLATES / template).read_text("utf-8")).render(
        **start,
        table=TABLE,
        command=f"{PYTHON} {ARGUMENTS}",
        command_posix=f"python3 {ARGUMENTS}",
        package=PACKAGE,
        job=_gitlab_job(),
    )


def _gitlab_job() -> str:
    """The documented job with the values of this repository, without instructions for others."""
    text = bundled(JOB).read_text("utf-8")
    for name, value in JOB_VALUES.items():
        line = rf"^( +RECONCILE_{name}: ).*$"
        text, count = re.subn(line, rf"\g<1>{value}", text, flags=re.MULTILINE)
        if count != 1:
            wrong = f"expected RECONCILE_{name} once, found it {count} times"
            raise InvalidConfiguration(f"{JOB}: {wrong}; install gammon-reconcile again")
    return text[text.index("\nreconcile:\n") + 1 :]
