"""Folders of matches in any number: the files of each match are found by transcript, whatever their names, and compared together.

A file that cannot be read, has no partner or has a match of another file is listed; the others are compared all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName
from reconcile.files.wording import one_line, plural
from reconcile.formats.archives import Unit, units
from reconcile.gap.folder_pairs import File, FileLeftOver, files_in, grouped, name_below, without_matches
from reconcile.gap.folders import Progress
from reconcile.gap.review import Review, review


@dataclass(frozen=True, slots=True)
class MatchFiles:
    """The files of one match."""

    files: tuple[str, ...]
    players: tuple[str, str]
    """The first file's names."""
    many: Review | None
    reason: str = ""
    """Why they could not be compared."""


@dataclass(frozen=True, slots=True)
class ManyFolders:
    """Everything found in some folders."""

    folders: tuple[str, ...]
    """Their names: the last part of each path."""
    matches: tuple[MatchFiles, ...]
    """In the order of the first files' names."""
    left: tuple[FileLeftOver, ...]

    @property
    def outliers(self) -> dict[str, int]:
        """By analysis, for how many players of all matches it is the outlier."""
        found = Counter[str]()
        for one in self.matches:
            if one.many is not None:
                found.update(one.many.labels[outlier.side] for outlier in one.many.outlier.values() if outlier)
        return dict(found.most_common())

    @property
    def sentence(self) -> str:
        """`3 matches with several analyses; gnuBG 0-ply is the outlier for 4 players, XG for 1 player; 2 files were not compared.`"""
        parts = [plural(len(self.matches), "match with several analyses", "matches with several analyses")]
        parts += [", ".join(f"{label} is the outlier for {plural(count, 'player')}" for label, count in self.outliers.items())]
        parts += [f"{plural(len(self.left), 'file was', 'files were')} not compared"] if self.left else []
        return "; ".join(filter(None, parts)) + "."

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """2 where something could not be compared; otherwise 0, for nothing is judged."""
        return 2 if self.trouble else 0

    @property
    def trouble(self) -> str:
        """What could not be compared at all, in a line; empty where nothing hinders."""
        unread = [f"{one.name}: {one.reason}" for one in self.left if one.why == "unreadable"]
        failed = [one.reason for one in self.matches if one.many is None]
        parts = [f"{plural(len(unread), 'file')} could not be read: {unread[0]}"] if unread else []
        parts += [f"{plural(len(failed), 'match', 'matches')} could not be compared: {failed[0]}"] if failed else []
        if not self.matches:
            parts.append("no match with several analyses was found")
        return f"{', '.join(self.folders)}: {'; '.join(parts)}" if parts else ""


def compare_many_folders(
    *paths: str,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    progress: Progress = lambda what, done, total: None,
    **options: Any,
) -> ManyFolders:
    """Find the files of every match in these folders, archives, databases and files, and compare those with several analyses.

    `options` are those of `review`. With `player` only the player's matches are looked at. Raises `UnreadableFile` where a folder
    is not there, `NothingToCompare` where none holds a match, `UnknownName`.
    """
    files: list[File] = []
    left: list[FileLeftOver] = []
    for path in paths:
        start = Path(path)
        read, rest = files_in(list(units([path])), partial(_name, start=start), partial(progress, f"reading {start.name}"))
        files += read
        left += rest
    if not files:
        raise without_matches(", ".join(paths), left)
    matches = []
    groups = grouped(files, aliases)
    for done, group in enumerate(groups):
        progress("comparing", done, len(groups))
        kept, rest = _analyses(group)
        left += rest
        if len(kept) < 2:
            continue
        names, players = tuple(one.name for one in kept), kept[0].match.players
        try:
            many = review(*(one.match for one in kept), aliases=aliases, player=player, **options)
        except (NothingToCompare, NotTheSameMatch) as error:
            matches.append(MatchFiles(names, players, None, str(error)))
        except UnknownName:
            if player is None:
                raise
        else:
            matches.append(MatchFiles(names, players, many))
    progress("comparing", len(groups), len(groups))
    if player is not None and not matches:
        raise UnknownName(f"{', '.join(paths)}: no player {player!r} in any match with several analyses")
    return ManyFolders(tuple(Path(path).resolve().name for path in paths), tuple(matches), tuple(sorted(left, key=lambda one: one.name)))


def _name(unit: Unit, start: Path) -> str:
    """The name of a file with its folder's."""
    name = name_below(unit, start)
    return name if name == start.name else one_line(f"{start.resolve().name}/{name}")


def _analyses(group: Sequence[File]) -> tuple[list[File], list[FileLeftOver]]:
    """The different analyses of a match, and the files that are none."""
    kept: dict[tuple[str, str], File] = {}
    left = []
    for file in group:
        source = file.match.source
        first = kept.setdefault((source.sha256, source.path.partition("#")[2]), file) if file.analysed else None
        if first is None:
            left.append(FileLeftOver(file.name, "ignored", "a transcript without analysis"))
        elif first is not file:
            left.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    if len(kept) == 1:
        left += [FileLeftOver(file.name, "alone", "no other analysis of this match") for file in kept.values()]
    return (list(kept.values()) if len(kept) > 1 else []), left
