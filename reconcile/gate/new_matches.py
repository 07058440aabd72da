"""New reference matches: everything of a `match.yaml` that can be read from the files of a match.

The files of folders are put together by the rolls in them. What only people know is left empty,
and the manifest is rejected until they fill it in: where the match comes from, under which
licence it may be shared, what the tools showed and who read that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any, Final

from reconcile.errors import InvalidConfiguration, NotTheSameMatch, ReconcileError, UnreadableFile
from reconcile.files.output import Output, legal_stem
from reconcile.formats import STANDARD_INPUT, read_bytes, read_match
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


@dataclass(frozen=True, slots=True)
class Origin:
    """What a person says of new matches."""

    licence: str = ""
    provenance: str = ""
    ask: bool = False
    """Whether to ask for the figures that a tool's window shows, with an empty line for each."""


def skeleton(files: Sequence[str], home: Path, origin: Origin) -> list[Output]:
    """What to write into the folder of a new match: the manifest, and files that are not there.

    Raises `UnreadableFile`, `NotTheSameMatch`, and `InvalidConfiguration` where something of that
    name is there already.
    """
    for path in files:
        _check_named(path)
        if _is_folder(path):
            expected = "expected the files of one match, found a folder, which may have many"
            remedy = "leave -o out, and name the pack with --pack"
            raise InvalidConfiguration(f"{expected}; {remedy}", path)
    matches = _read([Unit(path) for path in files])
    first, *rest = matches.values()
    for match in rest:
        pair(first, match)
    sources = {Path(file).resolve() for file in files}
    outputs = [
        output
        for output in outputs_of(home, matches, origin)
        if Path(output[0]).name == MANIFEST or Path(output[0]).resolve() not in sources
    ]
    for target, _ in outputs:
        if Path(target).exists():
            wrong = "exists already and is not overwritten; choose another folder with -o"
            raise InvalidConfiguration(wrong, target)
    return outputs


def _check_named(path: str) -> None:
    if path == STANDARD_INPUT:
        expected = "expected the names of files, found -; a manifest needs a file name"
        raise InvalidConfiguration(f"{expected}, so save the input first")


def outputs_of(home: Path, matches: Mapping[str, Match], origin: Origin) -> list[Output]:
    """The manifest of a match and copies of its files, by their names.

    Raises `InvalidConfiguration` for names that a pack cannot have.
    """
    name = home.resolve().name
    if not re.fullmatch("[a-z0-9][a-z0-9-]*", name):
        expected = f"expected a folder named in small letters, digits and -, found {name!r}"
        raise InvalidConfiguration(f"{expected}; choose such a name", home)
    copies: list[Output] = []
    for file, match in matches.items():
        try:
            if len(file) > LONGEST_NAME:
                raise ValueError(f"expected a name of at most {LONGEST_NAME} characters")
            copies.append((str(home / plain_name(file)), match.source.content))
        except ValueError as error:
            raise InvalidConfiguration(f"{error}; rename the file", file) from None
    return [(str(home / MANIFEST), _manifest(name, matches, origin)), *copies]


def slug(match: Match) -> str:
    """The name of a match's folder: `nora-lindqvist-tomas-beck-7pt`, legal on every system."""
    length = "money" if match.length is None else f"{match.length}pt"
    return legal_stem(" ".join([*map(fold, match.players), length]))


def _manifest(name: str, matches: Mapping[str, Match], origin: Origin) -> str:
    """The manifest, from the template `match.yaml.j2` beside this module."""
    from jinja2 import Environment

    first = next(iter(matches.values()))
    length = "money session" if first.length is None else plural(first.length, "point")
    files: list[dict[str, Any]] = []
    names: Counter[str] = Counter()
    for file, match in matches.items():  # `xg`, `gnubg`, and `xg-2` for a second file of one tool
        tool, level = analyser(match.source.tool), level_text(match)
        handle = distinct(tool.key if tool else match.source.format, names, "{}-{}")
        # A transcript cannot be compared with an analysis.
        is_analysed = tool is not None and level != "not analysed"
        facts = {"handle": handle, "name": file, "source": match.source, "level": level}
        files.append({**facts, "match": match, "is_analysed": is_analysed})
    analysed = [file for file in files if file["is_analysed"]]
    environment = Environment(  # noqa: S701  # YAML; every text is quoted
        trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters["text"] = _text
    return environment.from_string(TEMPLATE.read_text("utf-8")).render(
        id=name,
        title=f"{first.players[0]} - {first.players[1]}, {length}",
        licence=origin.licence,
        provenance=origin.provenance,
        synthetic=any(match.event.startswith(SYNTHETIC) for match in matches.values()),
        files=files,
        analysed=[file["handle"] for file in analysed],
        reported=[_reported(file["handle"], file["match"]) for file in analysed if origin.ask],
    )


def _reported(handle: str, match: Match) -> dict[str, Any]:
    """The figures that a tool's window shows, for every player."""
    rules = (analyser(match.source.tool) or GNUBG).rules
    entries = load_tolerances().table(f"{rules}-reported").entries
    metrics = [name for name in entries if "@" not in name]
    by_seat = match.players[0] == match.players[1] or not all(match.players)
    return {
        "handle": handle,
        "rules": rules,
        "by_seat": by_seat,
        "players": ("1", "2") if by_seat else match.players,
        "metrics": [name for name in metrics if not (match.is_money and "mwc" in name)],
    }


def _text(text: str) -> str:
    """A text quoted so that it is valid YAML and JSON."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


DIGEST: Final = re.compile(r"^ +sha256: *[\"']?([0-9a-f]{64})", re.MULTILINE)


@dataclass(slots=True)
class _Group:
    """Files of one match, not kept in memory."""

    rolls: str
    players: frozenset[str]
    length: int | None
    units: dict[str, Unit] = field(default_factory=dict)
    """By SHA-256: of two copies of a file the first."""


def new_matches(
    paths: Sequence[str], pack: Path, origin: Origin, trouble: Callable[[str], None]
) -> Iterator[tuple[Path, list[Output]]]:
    """The folder of every match that the pack does not have, and what to write into it.

    Files with the same rolls, or with the same players and length and nearly the same rolls, are
    one match. `trouble` gets a line for everything that cannot be used; the rest goes on. Figures
    are asked for only if there is a single match.
    """
    groups = _grouped(paths, trouble)
    homes = _digests(pack)
    origin = origin if len(groups) == 1 else Origin(origin.licence, origin.provenance, ask=False)
    for group in groups:
        new = [digest for digest in group.units if digest not in homes]
        if not new:
            continue
        try:
            if len(new) < len(group.units):
                home = next(homes[digest] for digest in group.units if digest in homes)
                raise InvalidConfiguration(
                    f"its match is in {home} already; add the file to the manifest there",
                    group.units[new[0]].name,
                )
            matches = _agreeing(_read(group.units.values()), trouble)
            path = _free(pack, slug(next(iter(matches.values()))))
            outputs = outputs_of(path, matches, origin)
        except ReconcileError as error:
            trouble(str(error))
            continue
        yield path, outputs


def _grouped(paths: Sequence[str], trouble: Callable[[str], None]) -> list[_Group]:
    groups: list[_Group] = []
    for unit, match in _matches(paths, trouble):
        group = next((group for group in groups if _belongs(match, group)), None)
        if group is None:
            group = _Group(fingerprint(match), frozenset(map(fold, match.players)), match.length)
            groups.append(group)
        group.units.setdefault(match.source.sha256, unit)
    return groups


def _matches(paths: Sequence[str], trouble: Callable[[str], None]) -> Iterator[tuple[Unit, Match]]:
    """Every file with its match; texts in a folder that are no transcripts are left out."""
    for path in paths:
        is_empty = True
        try:
            _check_named(path)
            is_folder = _is_folder(path)
            for unit in units([path]) if is_folder else [Unit(path)]:
                try:
                    for match in _matches_of(unit, is_named=unit.path == path):
                        is_empty = False
                        yield unit, match
                except ReconcileError as error:
                    is_empty = False
                    trouble(str(error))
            if is_empty:
                raise UnreadableFile("expected match files, found none; check the folder", path)
        except ReconcileError as error:
            trouble(str(error))


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def _matches_of(unit: Unit, *, is_named: bool = True) -> Sequence[Match]:
    """What a file holds; a text that is no transcript holds nothing, unless it `is_named`."""
    if unit.is_database:
        wrong = "expected one match, found a database; export its matches and name those files"
        raise InvalidConfiguration(wrong, unit.name)
    content = read_bytes(unit.path) if is_named and not unit.member else unit.read()
    return [read_match(unit.name, content)] if is_named else list(unit.matches(content))


def _belongs(match: Match, group: _Group) -> bool:
    if group.rolls and fingerprint(match) == group.rolls:
        return True
    facts = frozenset(map(fold, match.players)), match.length
    if match.is_money or facts != (group.players, group.length) or len(group.players) < 2:
        return False
    try:  # a transcript may lack a roll, or have one that was corrected
        pair(next(iter(_read(group.units.values()).values())), match)
    except NotTheSameMatch:
        return False
    return True


def _read(files: Iterable[Unit]) -> dict[str, Match]:
    """The matches of files by name, XG's first, transcripts last. Raises `ReconcileError`."""
    names: set[str] = set()
    ranked: list[tuple[int, str, Match]] = []
    tools = [tool.name for tool in ANALYSERS.values()]
    for unit in files:
        name = PurePosixPath(unit.member).name if unit.member else Path(unit.path).name
        if name.casefold() in names:
            raise InvalidConfiguration("two of the files have this name; rename one", unit.name)
        names.add(name.casefold())
        (match,) = _matches_of(unit)
        tool = analyser(match.source.tool)
        ranked.append((tools.index(tool.name) if tool else len(tools), name, match))
    return {name: match for _, name, match in sorted(ranked, key=lambda file: file[0])}


def _agreeing(matches: dict[str, Match], trouble: Callable[[str], None]) -> dict[str, Match]:
    """Without the files that contradict the first, for example with the names exchanged."""
    first, agreeing = next(iter(matches.values())), {}
    for name, match in matches.items():
        try:
            pair(first, match)
            agreeing[name] = match
        except NotTheSameMatch as error:
            trouble(str(error))
    return agreeing


def _digests(pack: Path) -> dict[str, str]:
    """The SHA-256 of every file of a pack, and its folder; also of manifests to be filled in."""
    homes: dict[str, str] = {}
    for path in sorted(pack.glob(f"*/{MANIFEST}")):
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        homes |= dict.fromkeys(DIGEST.findall(text), path.parent.as_posix())
    return homes


def _free(pack: Path, name: str) -> Path:
    """A folder of the pack that does not exist yet: two players may meet twice."""
    homes = (pack / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(home for home in homes if not home.exists())
