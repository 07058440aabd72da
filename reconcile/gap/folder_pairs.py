"""The matches in folders, and which of their files hold the same match: by transcript, not by
name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Literal, NamedTuple

import numpy as np

from reconcile.document import LEFT_OUT, Document, Key, Text
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName, UnreadableFile
from reconcile.files.wording import one_line, plural
from reconcile.formats.archives import Unit, units
from reconcile.formats.interface import MATCHES
from reconcile.gap.pairing import pair, seat_of
from reconcile.match.columns import Validity
from reconcile.match.match import Match, fingerprint
from reconcile.match.tools import Side

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

WINDOW: Final = 8
"""Rolls in a row that two transcripts of one match have in common, though a game or a turn is
missing in one of them."""
TRIED: Final = 4
"""Files that are tried as partner of one whose transcript no other file has exactly."""
SIDES: Final[tuple[Side, Side]] = ("left", "right")
Why = Literal["alone", "duplicate", "ignored", "unreadable"]
"""Why a file was not compared."""


@dataclass(frozen=True, slots=True)
class File:
    """A match as it lies in a folder."""

    name: str
    """Its path below the folder, with `/`; a match of a database as `FILE.db#ID`."""
    match: Match = field(repr=False)
    fingerprint: str

    @property
    def stem(self) -> str:
        """Its name without ending and case."""
        return PurePosixPath(self.name).stem.casefold()

    @property
    def analysed(self) -> bool:
        """Whether a tool has looked at any decision."""
        return bool(self.match.plays.analysed.any() or self.match.cubes.analysed.any())


@dataclass(frozen=True, slots=True)
class FileLeftOver(Document):
    """A file that was not compared."""

    side: Annotated[Side | None, LEFT_OUT] = field(default=None, kw_only=True)
    """Which of two folders it is in."""
    name: Annotated[Text, Key("file")]
    """Its name below the folder, or with it; for a match in a database `FILE.db#ID`."""
    why: Why
    """`alone` without another analysis of its match, `duplicate` if its match is there twice,
    `ignored` if it has nothing to compare, `unreadable`."""
    reason: Text
    """The same in words."""


def same_matches(
    paths: Sequence[str],
    names: Sequence[str],
    aliases: Sequence[Sequence[str]],
    player: str | None,
    progress: Progress,
) -> tuple[list[Sequence[File]], list[FileLeftOver]]:
    """The files of each match in these folders, which are called `names`, and the files that are
    not compared.

    Of two folders these are pairs, with `player` those of the player's matches; of any other number
    all different analyses of a match. Raises `UnreadableFile` where a folder is not there,
    `NothingToCompare` where one of two holds no match, or none of several, `UnknownName`.
    """
    two = len(paths) == 2
    tasks = [f"reading {name}" for name in names]
    read = files_of(paths, tasks, name_below if two else name_with_folder, progress)
    folders: list[list[File]] = []
    leftovers: list[FileLeftOver] = []
    for side, path, (files, rest) in zip(SIDES if two else repeat(None), paths, read, strict=False):
        if two and not files:
            raise without_matches(path, rest)
        folders.append(files)
        leftovers += (replace(each, side=side) for each in rest)
    if not any(folders):
        raise without_matches(", ".join(paths), leftovers)
    if two:
        if player is not None:
            folders = [
                [file for file in files if _plays_in(file.match, player)] for files in folders
            ]
            if not any(folders):
                raise without_player(paths, player)
        pairs, rest = paired(folders[0], folders[1], aliases, (names[0], names[1]))
        return [*pairs], [*leftovers, *rest]
    groups, rest = _several(grouped([file for files in folders for file in files], aliases))
    return groups, [*leftovers, *rest]


def _several(groups: Iterable[list[File]]) -> tuple[list[Sequence[File]], list[FileLeftOver]]:
    """The matches with several analyses, and the files left over."""
    several: list[Sequence[File]] = []
    leftovers: list[FileLeftOver] = []
    for group in groups:
        analyses, rest = analyses_of(group)
        leftovers += rest
        if len(analyses) > 1:
            several.append(analyses)
        else:
            why = "no other analysis of this match"
            leftovers += (FileLeftOver(file.name, "alone", why) for file in analyses)
    return several, leftovers


def _plays_in(match: Match, player: str) -> bool:
    with suppress(UnknownName):
        return seat_of(match, player) >= 0
    return False


def without_player(paths: Sequence[str], player: str) -> UnknownName:
    """What to raise where nobody of this name plays in a match that is compared."""
    several = "" if len(paths) == 2 else " with several analyses"
    return UnknownName(f"{', '.join(paths)}: no player {player!r} in any match{several}")


def files_of(
    paths: Sequence[str],
    tasks: Sequence[str],
    named: Callable[[Unit, Path], str],
    progress: Progress,
) -> Iterator[tuple[list[File], list[FileLeftOver]]]:
    """The matches of each folder, archive, database or file, and what in it is none, each read when
    asked for.

    `tasks` is what reading it is called. Raises `UnreadableFile` where a path is not there, before
    anything is read.
    """
    contents = [list(units([path])) for path in paths]
    for path, task, inside in zip(paths, tasks, contents, strict=True):
        files: list[File] = []
        rest: list[FileLeftOver] = []
        for done, unit in enumerate(inside):
            progress(task, done, len(inside))
            name = named(unit, Path(path))
            try:
                matches = tuple(unit.matches())
            except UnreadableFile as error:
                rest.append(FileLeftOver(name, "unreadable", error.apart_from(unit.name)))
                continue
            if not matches:
                rest.append(FileLeftOver(name, "ignored", "holds no match"))
            for match in matches:
                ending = match.source.path.removeprefix(unit.name) if unit.is_database else ""
                files.append(File(name + ending, match, fingerprint(match)))
        progress(task, len(inside), len(inside))
        yield files, rest


def without_matches(paths: str, rest: Iterable[FileLeftOver]) -> NothingToCompare:
    """What to raise where no file of these paths can be read."""
    unread = (f"; {file.name}: {file.reason}" for file in rest if file.why == "unreadable")
    return NothingToCompare(
        f"{paths}: expected matches ({', '.join(MATCHES)}), found none that can be read"
        f"{next(unread, '')}; give folders with match files"
    )


def name_below(unit: Unit, start: Path) -> str:
    """The name of a file below the folder, archive or file that was given."""
    path = Path(unit.path)
    below = path.name if path == start else path.relative_to(start).as_posix()
    return one_line(f"{below}!{unit.member}" if unit.member else below)


def name_with_folder(unit: Unit, start: Path) -> str:
    """The name of a file with its folder's."""
    name = name_below(unit, start)
    return name if name == start.name else one_line(f"{start.resolve().name}/{name}")


def paired(
    left: Sequence[File],
    right: Sequence[File],
    aliases: Sequence[Sequence[str]],
    names: tuple[str, str],
) -> tuple[list[tuple[File, File]], list[FileLeftOver]]:
    """Files of one match, by the left files' names; and every file that has no partner."""
    here, there = _by_transcript(left), _by_transcript(right)
    same = here.keys() & there.keys()
    pairs = [pair for key in here if key in same for pair in _within(here[key], there[key])]
    # Of a transcript that only one side has, the first file goes on looking.
    first, second = (
        [files[0] for key, files in groups.items() if key not in same] for groups in (here, there)
    )
    pairs += _near(first, second, aliases)
    partnered = {id(file) for both in pairs for file in both}
    leftovers = []
    for side, groups, other in zip(SIDES, (here, there), reversed(names), strict=True):
        for files in groups.values():
            first_file = next((file for file in files if id(file) in partnered), files[0])
            leftovers += [
                replace(_without_partner(file, first_file, other), side=side)
                for file in files
                if id(file) not in partnered
            ]
    return sorted(pairs, key=lambda both: both[0].name), leftovers


def _without_partner(file: File, first: File, other: str) -> FileLeftOver:
    """A file of which no partner is in folder `other`, by the first file of its folder with the
    same match."""
    match = file.match
    if file is first:
        length = "money session" if match.length is None else plural(match.length, "point")
        why = f"{match.players[0]} - {match.players[1]}, {length}: no partner in {other}"
        return FileLeftOver(file.name, "alone", why)
    if not file.analysed and first.analysed:
        why = f"a transcript without analysis of the same match as {first.name}"
        return FileLeftOver(file.name, "ignored", why)
    digest = match.source.sha256
    same = "file" if digest and digest == first.match.source.sha256 else "match"
    return FileLeftOver(file.name, "duplicate", f"the same {same} as {first.name}")


def grouped(files: Sequence[File], aliases: Sequence[Sequence[str]]) -> list[list[File]]:
    """The files of each match, those with an analysis first: by transcript, and a file that differs
    with those it has most runs with."""
    groups = list(_by_transcript(files).values())
    several = [group for group in groups if len(group) > 1]
    alone = [group[0] for group in groups if len(group) == 1]
    for file, other in _near(alone, [group[0] for group in several], aliases):
        next(group for group in several if group[0] is other).append(file)
        alone.remove(file)
    near = [list(both) for both in _near(alone, alone, aliases)]
    joined = {id(file) for both in near for file in both}
    groups = [*several, *near, *([file] for file in alone if id(file) not in joined)]
    return sorted(groups, key=lambda group: group[0].name)


def _by_transcript(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by what they are recognised by, those with an analysis first."""
    groups: dict[str, list[File]] = defaultdict(list)
    for file in sorted(files, key=lambda file: not file.analysed):
        groups[file.fingerprint or f"nothing rolled: {file.name}"].append(file)
    return groups


def _within(here: Sequence[File], there: Sequence[File]) -> list[tuple[File, File]]:
    """Pairs among files of one transcript: those of the same name; where there are none, the first
    of each side.

    Transcripts without analysis have no say where the match is there with one.
    """
    here, there = ([file for file in side if file.analysed] or side for side in (here, there))
    by_stem = {file.stem: file for file in reversed(there)}
    pairs: dict[str, tuple[File, File]] = {}
    for file in here:
        if file.stem in by_stem:
            pairs.setdefault(file.stem, (file, by_stem[file.stem]))
    return list(pairs.values()) or [(here[0], there[0])]


def _near(
    left: Sequence[File], right: Sequence[File], aliases: Sequence[Sequence[str]]
) -> list[tuple[File, File]]:
    """Pairs of files that record one match with a difference: those with most runs of rolls in
    common, confirmed by pairing them.

    Where both sides are the same list, a file is paired once.
    """
    index: dict[bytes, list[int]] = defaultdict(list)
    for place, file in enumerate(right):
        for run in _runs(file.match):
            index[run].append(place)
    candidates = []
    for place, file in enumerate(left):
        votes = Counter(
            other
            for run in _runs(file.match)
            for other in index.get(run, ())[: 4 * TRIED]
            if left is not right or other > place
        )
        candidates += [(-count, place, other) for other, count in votes.most_common(TRIED)]
    pairs: list[tuple[File, File]] = []
    partnered: set[int] = set()
    for _, place, other in sorted(candidates):
        both = left[place], right[other]
        if partnered & set(map(id, both)):
            continue
        with suppress(NotTheSameMatch):
            pair(both[0].match, both[1].match, aliases)
            pairs.append(both)
            partnered |= set(map(id, both))
    return pairs


def _runs(match: Match) -> set[bytes]:
    """Every run of `WINDOW` rolls, whoever threw them."""
    rolled = match.plays.dice[match.plays.validity != Validity.UNPLAYED.value]
    low, high = np.sort(rolled, axis=1).T.astype(np.uint8)
    rolls = (low * 6 + high).tobytes()
    return {rolls[start : start + WINDOW] for start in range(len(rolls) - WINDOW + 1)}


def analyses_of(group: Sequence[File]) -> tuple[list[File], list[FileLeftOver]]:
    """The different analyses of a match, and the files that are none."""
    analyses: dict[tuple[str, str], File] = {}
    rest = []
    for file in group:
        source = file.match.source
        if not file.analysed:
            rest.append(FileLeftOver(file.name, "ignored", "a transcript without analysis"))
            continue
        first = analyses.setdefault((source.sha256, source.path.partition("#")[2]), file)
        if first is not file:
            rest.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    return list(analyses.values()), rest


class ChosenMatch(NamedTuple):
    """A match among files that somebody chose together."""

    files: list[File]
    """Its different analyses in the order chosen, or a transcript where there are none."""
    notes: list[str]
    """What became of its other files."""
    wants_analysis: bool
    """Whether another analysis would tell more."""


def chosen_matches(files: Sequence[File]) -> Iterator[ChosenMatch]:
    """The matches among files, in the order chosen."""
    place = {id(file): index for index, file in enumerate(files)}
    groups = [sorted(group, key=lambda file: place[id(file)]) for group in grouped(files, ())]
    for group in sorted(groups, key=lambda group: place[id(group[0])]):
        analyses, rest = analyses_of(group)
        if not analyses:
            analyses, rest = group[:1], rest[1:]
        notes = [f"{file.name} was left out: {file.reason}." for file in rest]
        has_transcripts = any(file.why == "ignored" for file in rest)
        wants = not analyses[0].analysed or (len(analyses) == 1 and has_transcripts)
        yield ChosenMatch(analyses, notes, wants)
