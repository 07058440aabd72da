"""New reference matches: everything of a `match.yaml` that can be read from the files of a match.

The files of folders and archives are put together by the rolls in them. What only people know is
left empty, and the manifest is rejected until they fill it in: where the match comes from, under
which licence it may be shared, what the tools showed and who read that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, Final

from reconcile.errors import InvalidConfiguration, NotTheSameMatch, ReconcileError, UnreadableFile
from reconcile.files.output import Output, legal_stem
from reconcile.formats import STANDARD_INPUT, is_folder, read_bytes, read_match
from reconcile.formats.archives import Unit, units
from reconcile.gap.pairing import pair
from reconcile.gap.tolerances import load_tolerances
from reconcile.gate.judged_figures import distinct
from reconcile.gate.manifest import LONGEST_NAME, MANIFEST, plain_name
from reconcile.match.match import Match, fingerprint
from reconcile.match.names import fold
from reconcile.match.tools import ANALYSERS, GNUBG, analyser
from reconcile.scoring.findings import SYNTHETIC, level_text
from reconcile.wording import plural

TEMPLATE: Final = Path(__file__).with_name("match.yaml.j2")
DIGEST: Final = re.compile(r"^ +sha256: *[\"']?([0-9a-f]{64})", re.MULTILINE)
Trouble = Callable[[str], None]
"""Gets a line for everything that cannot be used."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What a person says of new matches."""

    licence: str = ""
    provenance: str = ""
    ask: bool = False
    """Whether to ask for the figures that a tool's window shows, with an empty line for each."""


def new_matches(
    paths: Sequence[str], pack: Path, home: Path | None, origin: Origin, trouble: Trouble
) -> Iterator[tuple[Path, list[Output]]]:
    """The folder of every match that the pack does not have, and what to write into it.

    Files with the same rolls are one match. What cannot be used stops nothing else; but with a
    `home`, the folder of the one match that all files are of, it is all or nothing. Figures are
    asked for only if there is a single match.
    """
    troubles: list[str] = []
    groups = _grouped(paths, home, troubles.append)
    for line in troubles:
        trouble(line)
    homes = {} if home else _digests(pack)
    origin = replace(origin, ask=origin.ask and len(groups) == 1)
    for files in () if home and troubles else groups:
        new = [unit for digest, unit in files.items() if digest not in homes]
        try:
            if 0 < len(new) < len(files):
                there = next(homes[digest] for digest in files if digest in homes)
                wrong = f"its match is in {there} already; add the file to the manifest there"
                raise InvalidConfiguration(wrong, new[0].name)
            if new:
                matches = _agreeing(_read(new), None if home else trouble)
                folder = home or _free(pack, slug(next(iter(matches.values()))))
                yield folder, _outputs(folder, matches, origin, paths)
        except ReconcileError as error:
            trouble(str(error))


def _grouped(
    paths: Sequence[str], home: Path | None, trouble: Trouble
) -> Collection[dict[str, Unit]]:
    """By SHA-256, the files of every match, not kept in memory: of two copies the first."""
    groups: dict[str, dict[str, Unit]] = {}
    for path in paths:
        try:
            for unit, match in _matches(path, home, trouble):
                digest = match.source.sha256
                files = groups.setdefault("" if home else fingerprint(match) or digest, {})
                files.setdefault(digest, unit)
        except ReconcileError as error:
            trouble(str(error))
    return groups.values()


def _matches(path: str, home: Path | None, trouble: Trouble) -> Iterator[tuple[Unit, Match]]:
    """Every file with its match; texts in a folder that are no transcripts are left out."""
    if path == STANDARD_INPUT:
        expected = "expected the names of files, found -; a manifest needs a file name"
        raise InvalidConfiguration(f"{expected}, so save the input first")
    is_many, is_empty = is_folder(path), True
    if is_many and home:
        expected = "expected files of one match, found a folder or an archive, which may have many"
        remedy = "leave -o out, and name the pack with --pack"
        raise InvalidConfiguration(f"{expected}; {remedy}", path)
    for unit in units([path]) if is_many else [Unit(path)]:
        try:
            if unit.is_database:
                wrong = "expected one match, found a database"
                remedy = "export its matches and name those files"
                raise InvalidConfiguration(f"{wrong}; {remedy}", unit.name)
            for match in unit.matches() if is_many else [read_match(path, read_bytes(path))]:
                is_empty = False
                yield unit, match
        except ReconcileError as error:
            is_empty = False
            trouble(str(error))
    if is_empty:
        raise UnreadableFile("expected match files, found none; check the folder", path)


def _read(files: Iterable[Unit]) -> dict[str, Match]:
    """The matches of files by name, XG's first, transcripts last. Raises `ReconcileError`."""
    matches: dict[str, Match] = {}
    tools = [tool.name for tool in ANALYSERS.values()]
    for unit in files:
        name = PurePosixPath(unit.member).name if unit.member else Path(unit.path).name
        if name.casefold() in map(str.casefold, matches):
            raise InvalidConfiguration("two of the files have this name; rename one", unit.name)
        (matches[name],) = unit.matches()

    def rank(name: str) -> int:
        tool = analyser(matches[name].source.tool)
        return tools.index(tool.name) if tool else len(tools)

    return {name: matches[name] for name in sorted(matches, key=rank)}


def _agreeing(matches: dict[str, Match], trouble: Trouble | None) -> dict[str, Match]:
    """Without the files that contradict the first, for example with the names exchanged; without
    `trouble` that is raised."""
    first, agreeing = next(iter(matches.values())), {}
    for name, match in matches.items():
        try:
            pair(first, match)
            agreeing[name] = match
        except NotTheSameMatch as error:
            if trouble is None:
                raise
            trouble(str(error))
    return agreeing


def _digests(pack: Path) -> dict[str, str]:
    """The SHA-256 of every file of a pack, and its folder; also of manifests to be filled in."""
    homes: dict[str, str] = {}
    for path in sorted(pack.glob(f"*/{MANIFEST}")):
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        homes |= dict.fromkeys(DIGEST.findall(text), path.parent.as_posix())
    return homes


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
        reported={handle: _reported(match) for handle, match in analysed.items() if origin.ask},
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
