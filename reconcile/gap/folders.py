"""The files of each match of a folder: found by transcript, not by name, and reviewed together.

A file that cannot be read, or is the only analysis of its match, is listed; the others are compared
all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np

from reconcile.document import Document, Key, Text
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName, UnreadableFile
from reconcile.formats.archives import Unit, units
from reconcile.formats.interface import DATABASE, PLAIN
from reconcile.gap.pairing import content_key, pair
from reconcile.gap.review import MOST_SIDES, Review, review
from reconcile.match.columns import Validity
from reconcile.match.match import Match
from reconcile.match.met import AnyMet
from reconcile.match.names import Aliases, names_with
from reconcile.match.turns import fingerprint
from reconcile.match.values import grouped
from reconcile.wording import did_you_mean, one_line, plural

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""

WINDOW = 8
"""Rolls in a row that two transcripts of one match have in common, though a game or a turn is
missing in one of them."""
TRIED = 4
"""Files that are tried as partner of one whose transcript no other file has exactly."""
Why = Literal["alone", "duplicate", "ignored", "unreadable"]
"""Why a file was not compared."""


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A match as it lies in a folder."""

    name: str
    """Its path below the folder, with `/`; a match of a database as `FILE.db#ID`."""
    match: Match = field(repr=False)
    fingerprint: str


@dataclass(frozen=True, slots=True)
class FileLeftOver(Document):
    """A file that was not compared."""

    name: Annotated[Text, Key("file")]
    """Its name with its folder's; for a match in a database `FILE.db#ID`."""
    why: Why
    """`alone` without another analysis of its match, `duplicate` if its match is there twice,
    `ignored` if it has nothing to compare, `unreadable`."""
    reason: Text
    """The same in words."""


def files_of(
    paths: Sequence[str], progress: Progress, met: AnyMet | None = None
) -> tuple[list[File], list[FileLeftOver]]:
    """The matches in folders, archives, databases and files, and what in them is none.

    `met` is as in `load_match`. Raises `UnreadableFile` where a path is not there, before anything
    is read, and `NothingToCompare` where there is no match.
    """
    contents = [list(units([path])) for path in paths]
    files: list[File] = []
    rest: list[FileLeftOver] = []
    for path, inside in zip(paths, contents, strict=True):
        task = f"reading {Path(path).resolve().name}"
        for done, unit in enumerate(inside):
            progress(task, done, len(inside))
            name = name_with_folder(unit, Path(path))
            try:
                matches = tuple(unit.matches(met=met))
            except UnreadableFile as error:
                rest.append(FileLeftOver(name, "unreadable", error.apart_from(unit.name)))
                continue
            if not matches:
                rest.append(FileLeftOver(name, "ignored", "holds no match"))
            for match in matches:
                ending = match.source.path.removeprefix(unit.name)
                files.append(File(name + ending, match, fingerprint(match)))
        progress(task, len(inside), len(inside))
    if not files:
        unread = (f"; {file.name}: {file.reason}" for file in rest if file.why == "unreadable")
        raise NothingToCompare(
            f"{', '.join(paths)}: expected matches ({', '.join((*PLAIN, DATABASE))}), found none "
            f"that can be read{next(unread, '')}; give folders with match files"
        )
    return files, rest


def name_with_folder(unit: Unit, start: Path) -> str:
    """The name of a file below the folder, archive or file that was given, with the folder's."""
    path = Path(unit.path)
    below = path.name if path == start else path.relative_to(start).as_posix()
    name = one_line(f"{below}!{unit.member}" if unit.member else below)
    return name if name == start.name else one_line(f"{start.resolve().name}/{name}")


def by_match(files: Sequence[File], aliases: Sequence[Sequence[str]]) -> list[list[File]]:
    """The files of each match, those with an analysis first: by transcript, and a file that differs
    with those it has most runs with."""
    groups = list(_by_transcript(files).values())
    several = [group for group in groups if len(group) > 1]
    alone = [group[0] for group in groups if len(group) == 1]
    for file, other in _near(alone, [group[0] for group in several], aliases):
        next(group for group in several if group[0] is other).append(file)
        alone.remove(file)
    near = _near(alone, alone, aliases)
    joined = set(chain(*near))
    groups = [*several, *map(list, near), *([file] for file in alone if file not in joined)]
    return sorted(groups, key=lambda group: group[0].name)


def _by_transcript(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by what they are recognised by, those with an analysis first."""
    analysed_first = sorted(files, key=lambda file: not file.match.has_analysis)
    return grouped(analysed_first, lambda file: file.fingerprint or f"nothing rolled: {file.name}")


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
    partnered: set[File] = set()
    for _, place, other in sorted(candidates):
        here, there = left[place], right[other]
        if here not in partnered and there not in partnered:
            with suppress(NotTheSameMatch):
                pair(here.match, there.match, aliases)
                pairs.append((here, there))
                partnered |= {here, there}
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
        if not file.match.has_analysis:
            rest.append(FileLeftOver(file.name, "ignored", "a transcript without analysis"))
        elif (first := analyses.setdefault(content_key(file.match), file)) is not file:
            rest.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    return list(analyses.values()), rest


def files_to_show(group: Sequence[File]) -> tuple[list[File], list[FileLeftOver]]:
    """The same, with a transcript where there is no analysis."""
    analyses, rest = analyses_of(group)
    return (analyses, rest) if analyses else ([group[0]], rest[1:])


def reviews_of(
    group: Sequence[File],
    leftovers: list[FileLeftOver],
    aliases: Sequence[Sequence[str]] = (),
    **options: Any,
) -> Iterator[tuple[Review, tuple[str, ...]]]:
    """The match of some files with all its analyses, and the names of the files; each file alone
    where they contradict each other.

    What takes no part is added to `leftovers`; `options` are those of `review`.
    """
    files, rest = files_to_show(group)
    ignored = f"the same match as {files[0].name}"
    rest += [FileLeftOver(file.name, "ignored", ignored) for file in files[MOST_SIDES:]]
    leftovers += rest
    del files[MOST_SIDES:]
    try:
        several = review(*(file.match for file in files), aliases=aliases, **options)
    except (NothingToCompare, NotTheSameMatch):
        for file in files:
            yield review(file.match, **options), (file.name,)
    else:
        yield several, tuple(file.name for file in files)


def reviewed_matches(
    paths: Sequence[str], aliases: Aliases, progress: Progress
) -> tuple[list[Review], list[FileLeftOver]]:
    """Every match in files, folders and archives with all its analyses; and by name the files that
    take no part. Raises `NothingToCompare` where there is no match."""
    files, leftovers = files_of(paths, progress)
    reviews = [
        reviewed
        for group in by_match(files, aliases.groups)
        for reviewed, _ in reviews_of(group, leftovers, aliases.groups)
    ]
    return reviews, sorted(leftovers, key=attrgetter("name"))


def persons_of(review: Review, aliases: Aliases) -> tuple[str, str]:
    """Who the players of a match are, by seat."""
    match = review.match
    first, second = (
        aliases.person(name, match.event, match.source.path, match.date) for name in review.names
    )
    return first, second


def person_named(
    player: str, persons: Iterable[str], aliases: Aliases, paths: Sequence[str]
) -> str:
    """The one person that is meant by a name or a part of one. Raises `UnknownName`."""
    every = list(persons)
    named = names_with(aliases.chosen(player), every)
    if len(named) != 1:
        near = f": {', '.join(named)}" if named else did_you_mean(player, every)
        several = "more than one" if named else "no"
        raise UnknownName(f"{', '.join(paths)}: {several} player {player!r} in any match{near}")
    return named[0]


class ChosenMatch(NamedTuple):
    """A match among files that somebody chose together."""

    files: list[File]
    """Its different analyses in the order chosen, or a transcript where there are none."""
    notes: list[str]
    """What became of its other files."""


def chosen_matches(files: Sequence[File]) -> Iterator[ChosenMatch]:
    """The matches among files, in the order chosen."""
    place = {file: index for index, file in enumerate(files)}
    groups = [sorted(group, key=place.__getitem__) for group in by_match(files, ())]
    for group in sorted(groups, key=lambda group: place[group[0]]):
        analyses, rest = files_to_show(group)
        yield ChosenMatch(analyses, [f"{file.name} was left out: {file.reason}." for file in rest])


@dataclass(frozen=True, slots=True)
class MatchFiles:
    """The files of one match."""

    files: tuple[str, ...]
    """Their names."""
    players: tuple[str, str]
    """The first file's names."""
    review: Review | None = None
    """`None` where they could not be compared."""
    reason: str = ""
    """Why they could not."""


@dataclass(frozen=True, slots=True)
class FolderResult:
    """Everything found in a folder."""

    folder: str
    """The last part of its path."""
    matches: tuple[MatchFiles, ...]
    """In the order of the first files' names."""
    leftovers: tuple[FileLeftOver, ...]
    """By name."""

    @property
    def outliers(self) -> dict[str, int]:
        """By analysis, for how many players of all matches it is the outlier."""
        labels = Counter(
            match.review.labels[outlier.side]
            for match in self.matches
            if match.review is not None
            for outlier in match.review.outlier.values()
            if outlier
        )
        return dict(labels.most_common())

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """2 where a file was unreadable, two files contradict each other or nothing was compared;
        else 0, since nothing is judged."""
        return 2 if self.trouble else 0

    @property
    def trouble(self) -> str:
        """What could not be compared at all, in a line; empty where nothing hinders."""
        parts = []
        unread = [file for file in self.leftovers if file.why == "unreadable"]
        for file in unread[:1]:
            number = plural(len(unread), "file")
            parts.append(f"{number} could not be read: {file.name}: {file.reason}")
        failed = [match.reason for match in self.matches if match.review is None]
        for reason in failed[:1]:
            number = f"{len(failed)} of {plural(len(self.matches), 'match', 'matches')}"
            parts.append(f"{number} could not be compared: {reason}")
        if not self.matches:
            parts.append("no match with several analyses was found")
        return f"{self.folder}: {'; '.join(parts)}" if parts else ""


def compare_folder(
    path: str,
    *,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    progress: Progress = lambda task, done, total: None,
    **options: Any,
) -> FolderResult:
    """Compare all analyses of every match in a folder, an archive or a database; `options` are
    those of `review`.

    With `player` only the player's matches count. Raises `UnreadableFile`, `NothingToCompare` where
    there is no match, `UnknownName`.
    """
    folder = Path(path).resolve().parts[-1]
    files, leftovers = files_of([path], progress, options.get("met"))
    groups, rest = _several(files, aliases)
    groups = [group for group in groups if any(_has(player, file) for file in group)]
    if player is not None and not groups:
        raise UnknownName(f"{path}: no player {player!r} in any match with several analyses")
    comparing = partial(review, aliases=aliases, player=player, **options)
    matches = tuple(_compared(groups, comparing, progress))
    every = sorted([*leftovers, *rest], key=attrgetter("name"))
    return FolderResult(folder, matches, tuple(every))


def _has(player: str | None, file: File) -> bool:
    return player is None or len(names_with(player, file.match.names)) == 1


def _several(
    files: Sequence[File], aliases: Sequence[Sequence[str]]
) -> tuple[list[Sequence[File]], list[FileLeftOver]]:
    """The analyses of every match that has several, and the files that are none of them."""
    groups: list[Sequence[File]] = []
    leftovers: list[FileLeftOver] = []
    for group in by_match(files, aliases):
        analyses, rest = analyses_of(group)
        leftovers += rest
        if len(analyses) > 1:
            groups.append(analyses)
        else:
            why = "no other analysis of this match"
            leftovers += (FileLeftOver(file.name, "alone", why) for file in analyses)
    return groups, leftovers


def _compared(
    groups: Sequence[Sequence[File]], comparing: Callable[..., Review], progress: Progress
) -> Iterator[MatchFiles]:
    """Every match with its analyses, or why they could not be compared."""
    for done, group in enumerate(groups):
        progress("comparing", done, len(groups))
        files, players = tuple(file.name for file in group), group[0].match.players
        try:
            yield MatchFiles(files, players, comparing(*(file.match for file in group)))
        except (NothingToCompare, NotTheSameMatch) as error:
            yield MatchFiles(files, players, reason=str(error))
    progress("comparing", len(groups), len(groups))
