"""Many new reference matches at once: the files of folders, put together by the rolls in them, each match with its manifest."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final

from reconcile.adapters import STANDARD_INPUT, read_bytes, read_match
from reconcile.adapters.archives import Unit, units
from reconcile.errors import InvalidConfiguration, NotTheSameMatch, ReconcileError, UnreadableFile
from reconcile.files.names import fold
from reconcile.files.output import Output
from reconcile.gap.pairing import pair
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.new_match import Origin, outputs_of, slug
from reconcile.match import Match, fingerprint
from reconcile.tools import ANALYSERS, analyser

DIGEST: Final = re.compile(r"^ +sha256: *[\"']?([0-9a-f]{64})", re.MULTILINE)


@dataclass(slots=True)
class _Group:
    """Files of one match, not kept in memory."""

    rolls: str
    players: frozenset[str]
    length: int | None
    units: dict[str, Unit] = field(default_factory=dict)
    """By SHA-256: of two copies of a file the first."""


def new_matches(paths: Sequence[str], pack: Path, origin: Origin, trouble: Callable[[str], None]) -> Iterator[tuple[Path, list[Output]]]:
    """The folder of every match in files and folders that the pack does not have, and what to write into it.

    Files with the same rolls, or with the same players and length and nearly the same rolls, are one match. `trouble` gets a line for
    everything that cannot be used; the rest goes on. Figures are asked for only if there is a single match.
    """
    groups = _grouped(paths, trouble)
    known = _digests(pack)
    origin = origin if len(groups) == 1 else Origin(origin.licence, origin.provenance, ask=False)
    for group in groups:
        old = [unit.name for digest, unit in group.units.items() if digest in known]
        if len(old) == len(group.units):
            continue
        try:
            if old:
                where = next(known[digest] for digest in group.units if digest in known)
                added = next(unit.name for digest, unit in group.units.items() if digest not in known)
                raise InvalidConfiguration(f"{added}: its match is in {where} already; add the file to the manifest there")
            matches = _agreeing(_read(group), trouble)
            home = _free(pack, slug(next(iter(matches.values()))))
            outputs = outputs_of(home, matches, origin)
        except ReconcileError as error:
            trouble(str(error))
            continue
        yield home, outputs


def _grouped(paths: Sequence[str], trouble: Callable[[str], None]) -> list[_Group]:
    groups: list[_Group] = []
    for unit, match in _matches(paths, trouble):
        group = next((one for one in groups if _belongs(match, one)), None)
        if group is None:
            group = _Group(fingerprint(match), frozenset(map(fold, match.players)), match.length)
            groups.append(group)
        group.units.setdefault(match.source.sha256, unit)
    return groups


def _matches(paths: Sequence[str], trouble: Callable[[str], None]) -> Iterator[tuple[Unit, Match]]:
    """Every file with its match; texts in a folder that are no transcripts are left out."""
    for path in paths:
        try:
            if path == STANDARD_INPUT:
                raise InvalidConfiguration("expected the names of files, found -; a manifest needs a file name, so save the input first")
            is_empty = True
            for unit in units([path]) if _is_folder(path) else [Unit(path)]:
                try:
                    for match in _match(unit, is_named=unit.path == path):
                        is_empty = False
                        yield unit, match
                except ReconcileError as error:
                    is_empty = False
                    trouble(str(error))
            if is_empty:
                raise UnreadableFile(f"{path}: expected match files, found none; check the folder")
        except ReconcileError as error:
            trouble(str(error))


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # the name is too long or has a zero byte
        return False


def _match(unit: Unit, *, is_named: bool = True) -> Sequence[Match]:
    if unit.is_database:
        raise InvalidConfiguration(f"{unit.name}: expected one match, found a database; export its matches and name those files")
    content = read_bytes(unit.path) if is_named and not unit.member else unit.read()
    return [read_match(unit.name, content)] if is_named else list(unit.matches(content))


def _belongs(match: Match, group: _Group) -> bool:
    if group.rolls and fingerprint(match) == group.rolls:
        return True
    if match.is_money or (frozenset(map(fold, match.players)), match.length) != (group.players, group.length) or len(group.players) < 2:
        return False
    try:  # a transcript may lack a roll, or have one that was corrected
        pair(next(iter(_read(group).values())), match)
    except NotTheSameMatch:
        return False
    return True


def _read(group: _Group) -> dict[str, Match]:
    """The matches of a group by the names of their files: XG's analysis first, transcripts last. Raises `ReconcileError`."""
    names = Counter(_name(unit).casefold() for unit in group.units.values())
    twice = next((unit for unit in group.units.values() if names[_name(unit).casefold()] > 1), None)
    if twice is not None:
        raise InvalidConfiguration(f"{twice.name}: two different files of one match have this name; rename one")
    read = {_name(unit): match for unit in group.units.values() for match in _match(unit)}
    tools = [tool.name for tool in ANALYSERS.values()]
    order = {name: tools.index(tool.name) if (tool := analyser(match.source.tool)) else len(tools) for name, match in read.items()}
    return {name: read[name] for name in sorted(read, key=lambda name: order[name])}


def _agreeing(matches: dict[str, Match], trouble: Callable[[str], None]) -> dict[str, Match]:
    """Without the files that contradict the first, for example with the players' names exchanged: a pair of them cannot be compared."""
    (name, first), *others = matches.items()
    kept = {name: first}
    for name, other in others:
        try:
            pair(first, other)
        except NotTheSameMatch as error:
            trouble(str(error))
        else:
            kept[name] = other
    return kept


def _name(unit: Unit) -> str:
    return PurePosixPath(unit.member).name if unit.member else Path(unit.path).name


def _digests(pack: Path) -> dict[str, str]:
    """The SHA-256 of every file of a pack, and its folder; also from manifests that are not filled in yet."""
    found: dict[str, str] = {}
    for path in sorted(pack.glob(f"*/{MANIFEST}")):
        text = path.read_text("utf-8", errors="replace") if path.is_file() else ""
        found |= dict.fromkeys(DIGEST.findall(text), path.parent.as_posix())
    return found


def _free(pack: Path, name: str) -> Path:
    """A folder of the pack that does not exist yet: two players may meet twice."""
    number = 1
    while (home := pack / (name if number == 1 else f"{name}-{number}")).exists():
        number += 1
    return home
