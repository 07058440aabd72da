"""The matches in folders, and which of their files hold the same match: by transcript, not by name."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Annotated, Final, Literal

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
"""Rolls in a row that two transcripts of one match have in common, though a game or a turn is missing in one of them."""


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
    """`alone` without another analysis of its match, `duplicate` if its match is there twice, `ignored` if it has nothing to compare,
    `unreadable`."""
    reason: Text
    """The same in words."""


def same_matches(
    paths: Sequence[str],
    names: Sequence[str],
    aliases: Sequence[Sequence[str]],
    player: str | None,
    progress: Progress,
) -> tuple[list[Sequence[File]], list[FileLeftOver]]:
    """The files of each match in these folders, which are called `names`, and the files that are not compared.

    Of two folders these are pairs, with `player` those of the player's matches; of any other number all different analyses of a match.
    Raises `UnreadableFile` where a folder is not there, `NothingToCompare` where one of two holds no match, or none of several,
    `UnknownName`.
    """
    two = len(paths) == 2
    files: list[list[File]] = []
    leftovers: list[FileLeftOver] = []
    found = files_of(
        paths,
        [f"reading {name}" for name in names],
        name_below if two else name_with_folder,
        progress,
    )
    for side, path, (read, rest) in zip(
        SIDES if two else (None,) * len(paths), paths, found, strict=True
    ):
        if two and not read:
            raise without_matches(path, rest)
        files.append(read)
        leftovers += (replace(one, side=side) for one in rest)
    if not any(files):
        raise without_matches(", ".join(paths), leftovers)
    if not two:
        groups: list[Sequence[File]] = []
        for same in grouped([file for read in files for file in read], aliases):
            kept, rest = _analyses(same)
            groups += [kept] if len(kept) > 1 else []
            leftovers += rest
        return groups, leftovers
    if player is not None:
        files = [[file for file in read if _plays_in(file.match, player)] for read in files]
        if not any(files):
            raise without_player(paths, player)
    pairs, rest = paired(files[0], files[1], aliases, (names[0], names[1]))
    return [*pairs], [*leftovers, *rest]


def without_player(paths: Sequence[str], player: str) -> UnknownName:
    """What to raise where nobody of this name plays in a match that is compared."""
    return UnknownName(
        f"{', '.join(paths)}: no player {player!r} in any match{'' if len(paths) == 2 else ' with several analyses'}"
    )


def files_of(
    paths: Sequence[str],
    tasks: Sequence[str],
    named: Callable[[Unit, Path], str],
    progress: Progress,
) -> Iterator[tuple[list[File], list[FileLeftOver]]]:
    """The matches of each folder, archive, database or file, and what in it is none, each read when asked for.

    `tasks` is what reading it is called. Raises `UnreadableFile` where a path is not there, before anything is read.
    """
    listed = [list(units([path])) for path in paths]
    for path, task, found in zip(paths, tasks, listed, strict=True):
        yield _files_in(found, Path(path), named, partial(progress, task))


def _files_in(
    found: Sequence[Unit],
    start: Path,
    named: Callable[[Unit, Path], str],
    progress: Callable[[int, int], None],
) -> tuple[list[File], list[FileLeftOver]]:
    files, rest = [], []
    for done, unit in enumerate(found):
        progress(done, len(found))
        name = named(unit, start)
        try:
            matches = tuple(unit.matches())
        except UnreadableFile as error:
            rest.append(FileLeftOver(name, "unreadable", error.apart_from(unit.name)))
            continue
        if not matches:
            rest.append(FileLeftOver(name, "ignored", "holds no match"))
        for match in matches:
            label = name + match.source.path.removeprefix(unit.name) if unit.is_database else name
            files.append(File(label, match, fingerprint(match)))
    progress(len(found), len(found))
    return files, rest


def without_matches(paths: str, rest: Iterable[FileLeftOver]) -> NothingToCompare:
    """What to raise where no file of these paths can be read."""
    refused = next((f"; {one.name}: {one.reason}" for one in rest if one.why == "unreadable"), "")
    return NothingToCompare(
        f"{paths}: expected matches ({', '.join(MATCHES)}), found none that can be read{refused}; give folders with match files"
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
    groups = _by_transcript(left), _by_transcript(right)
    pairs = [
        pair
        for key, here in groups[0].items()
        if key in groups[1]
        for pair in _within(here, groups[1][key])
    ]
    taken = [{one.name for one, _ in pairs}, {two.name for _, two in pairs}]
    # Of a transcript that only one side has, the first file goes on looking.
    free = [
        [here[0] for key, here in mine.items() if key not in other]
        for mine, other in (groups, groups[::-1])
    ]
    near = _near(free[0], free[1], aliases)
    pairs += near
    for index in (0, 1):
        taken[index] |= {both[index].name for both in near}
    leftovers = []
    for index, side in enumerate(SIDES):
        for here in groups[index].values():
            first = next((file for file in here if file.name in taken[index]), here[0])
            for file in here:
                if file.name in taken[index]:
                    continue
                if file is first:
                    match = file.match
                    length = (
                        "money session" if match.length is None else plural(match.length, "point")
                    )
                    where = f"{match.players[0]} - {match.players[1]}, {length}: no partner in {names[1 - index]}"
                    leftovers.append(FileLeftOver(file.name, "alone", where, side=side))
                else:
                    leftovers.append(_again(side, file, first))
    return sorted(pairs, key=lambda both: both[0].name), leftovers


def grouped(files: Sequence[File], aliases: Sequence[Sequence[str]]) -> list[list[File]]:
    """The files of each match, those with an analysis first: by transcript, and a file that differs with those it has most runs with."""
    groups = list(_by_transcript(files).values())
    alone, several = (
        [group for group in groups if (len(group) > 1) == many] for many in (False, True)
    )
    for one, other in _near(
        [group[0] for group in alone], [group[0] for group in several], aliases
    ):
        next(group for group in several if group[0] is other).append(one)
        alone.remove([one])
    single = [group[0] for group in alone]
    near = _near(single, single, aliases)
    taken = {id(file) for both in near for file in both}
    groups = [*several, *map(list, near), *(group for group in alone if id(group[0]) not in taken)]
    return sorted(groups, key=lambda group: group[0].name)


def _again(side: Side, file: File, first: File) -> FileLeftOver:
    """A file of a match that another file of the same folder has."""
    if not file.analysed and first.analysed:
        return FileLeftOver(
            file.name,
            "ignored",
            f"a transcript without analysis of the same match as {first.name}",
            side=side,
        )
    digests = file.match.source.sha256, first.match.source.sha256
    same = "the same file" if digests[0] and digests[0] == digests[1] else "the same match"
    return FileLeftOver(file.name, "duplicate", f"{same} as {first.name}", side=side)


def _by_transcript(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by what they are recognised by, those with an analysis first."""
    groups: dict[str, list[File]] = defaultdict(list)
    for file in files:
        groups[file.fingerprint or f"nothing rolled: {file.name}"].append(file)
    return {key: sorted(group, key=lambda file: not file.analysed) for key, group in groups.items()}


def _within(here: Sequence[File], there: Sequence[File]) -> list[tuple[File, File]]:
    """Pairs among files of one transcript: those of the same name; where there are none, the first of each side.

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
    """Pairs of files that record one match with a difference: those with most runs of rolls in common, confirmed by pairing them.

    Where both sides are the same list, a file is paired once.
    """
    index: dict[bytes, list[int]] = defaultdict(list)
    for place, file in enumerate(right):
        for run in _runs(file.match):
            index[run].append(place)
    found = []
    for place, file in enumerate(left):
        votes = Counter(
            other for run in _runs(file.match) for other in index.get(run, ())[: 4 * TRIED]
        )
        if left is right:
            votes = Counter({other: count for other, count in votes.items() if other > place})
        found += [(-count, place, other) for other, count in votes.most_common(TRIED)]
    pairs, here = [], set(range(len(left)))
    free = [here, here if left is right else set(range(len(right)))]
    for _, one, two in sorted(found):
        if one not in free[0] or two not in free[1]:
            continue
        try:
            pair(left[one].match, right[two].match, aliases)
        except NotTheSameMatch:
            continue
        pairs.append((left[one], right[two]))
        free[0].discard(one)
        free[1].discard(two)
    return pairs


def _runs(match: Match) -> set[bytes]:
    """Every run of `WINDOW` rolls, whoever threw them."""
    dice = np.sort(
        match.plays.dice[match.plays.validity != Validity.UNPLAYED.value], axis=1
    ).astype(np.uint8)
    rolls = (dice[:, 0] * 6 + dice[:, 1]).astype(np.uint8).tobytes()
    return {rolls[start : start + WINDOW] for start in range(len(rolls) - WINDOW + 1)}


def _plays_in(match: Match, player: str) -> bool:
    try:
        seat_of(match, player)
    except UnknownName:
        return False
    return True


def _analyses(group: Sequence[File]) -> tuple[list[File], list[FileLeftOver]]:
    """The different analyses of a match, and the files that are none."""
    kept: dict[tuple[str, str], File] = {}
    left = []
    for file in group:
        source = file.match.source
        first = (
            kept.setdefault((source.sha256, source.path.partition("#")[2]), file)
            if file.analysed
            else None
        )
        if first is None:
            left.append(FileLeftOver(file.name, "ignored", "a transcript without analysis"))
        elif first is not file:
            left.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    if len(kept) == 1:
        left += [
            FileLeftOver(file.name, "alone", "no other analysis of this match")
            for file in kept.values()
        ]
    return (list(kept.values()) if len(kept) > 1 else []), left
