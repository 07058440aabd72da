"""Folders of matches: the files of each match are found by transcript, not by name, and compared.

Of two folders each file is paired with one of the other folder, and every pair is judged; of one,
or more than two, all analyses of a match are reviewed together. A file that cannot be read, has no
partner or has a match of another file is listed; the others are compared all the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, takewhile
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args

import numpy as np

from reconcile.document import LEFT_OUT, Count, Document, Key, Text
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName, UnreadableFile
from reconcile.formats.archives import Unit, units
from reconcile.formats.interface import MATCHES
from reconcile.gap.aligned import content_key
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.pairing import pair
from reconcile.gap.review import Review, review
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances, load_tolerances
from reconcile.gap.verdict import INCOMPARABLE, INCOMPLETE, OPEN, OUTSIDE, WITHIN, PairVerdict
from reconcile.match.columns import Validity
from reconcile.match.match import Match, fingerprint
from reconcile.match.names import names_with
from reconcile.match.tools import Side
from reconcile.rules.rulesets import RuleSet, rule_set
from reconcile.wording import one_line, plural

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


@dataclass(frozen=True, slots=True, eq=False)
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
    here, there = sides = _by_transcript(left), _by_transcript(right)
    same = here.keys() & there.keys()
    pairs = [both for key in here if key in same for both in _within(here[key], there[key])]
    # Of a transcript that only one side has, the first file goes on looking.
    alone = [[files[0] for key, files in side.items() if key not in same] for side in sides]
    pairs += _near(alone[0], alone[1], aliases)
    partnered = set(chain(*pairs))
    leftovers = []
    for side, groups, other in zip(SIDES, sides, reversed(names), strict=True):
        for files in groups.values():
            first = next((file for file in files if file in partnered), files[0])
            rest = (file for file in files if file not in partnered)
            leftovers += [replace(_without_partner(file, first, other), side=side) for file in rest]
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
    near = _near(alone, alone, aliases)
    joined = set(chain(*near))
    groups = [*several, *map(list, near), *([file] for file in alone if file not in joined)]
    return sorted(groups, key=lambda group: group[0].name)


def _by_transcript(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by what they are recognised by, those with an analysis first."""
    groups: dict[str, list[File]] = defaultdict(list)
    for file in sorted(files, key=lambda each: not each.analysed):
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
        if not file.analysed:
            rest.append(FileLeftOver(file.name, "ignored", "a transcript without analysis"))
        elif (first := analyses.setdefault(content_key(file.match), file)) is not file:
            rest.append(FileLeftOver(file.name, "duplicate", f"the same file as {first.name}"))
    return list(analyses.values()), rest


def files_to_show(group: Sequence[File]) -> tuple[list[File], list[FileLeftOver]]:
    """The same, with a transcript where there is no analysis."""
    analyses, rest = analyses_of(group)
    return (analyses, rest) if analyses else ([group[0]], rest[1:])


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
    place = {file: index for index, file in enumerate(files)}
    groups = [sorted(group, key=place.__getitem__) for group in grouped(files, ())]
    for group in sorted(groups, key=lambda group: place[group[0]]):
        analyses, rest = files_to_show(group)
        notes = [f"{file.name} was left out: {file.reason}." for file in rest]
        has_transcripts = any(file.why == "ignored" for file in rest)
        wants = not analyses[0].analysed or (len(analyses) == 1 and has_transcripts)
        yield ChosenMatch(analyses, notes, wants)


@dataclass(frozen=True, slots=True)
class MatchFiles:
    """The files of one match."""

    files: tuple[str, ...]
    """Their names; of two folders the left one's first."""
    players: tuple[str, str]
    """The first file's names."""
    comparison: Comparison | None = None
    """The result for two folders; `None` where they could not be compared."""
    review: Review | None = None
    """The result for one folder, or more than two, likewise."""
    reason: str = ""
    """Why they could not be compared."""
    failed: bool = False
    """Whether they contradict each other, rather than having nothing to be judged."""

    @property
    def verdict(self) -> PairVerdict:
        """`within`, `outside` or `incomparable`."""
        return INCOMPARABLE if self.comparison is None else self.comparison.verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderSummary(Document):
    """Pairs by verdict, and files that were not compared by reason."""

    pairs: Count
    """Files of one match, found in both folders."""
    within: Count
    """Pairs within tolerance."""
    outside: Count
    """Pairs with a figure of level `error` out of tolerance."""
    incomparable: Count
    """Pairs that could not be judged."""
    open: Count = 0
    """Those of the pairs within tolerance that have a figure whose range reaches across its
    bound."""
    alone: Count
    """Files without a partner."""
    duplicate: Count
    """Files with the same match as another file in the same folder."""
    ignored: Count
    """Texts without a match, and transcripts without analysis beside an analysis of the same
    match."""
    unreadable: Count
    """Files that could not be read."""


@dataclass(frozen=True, slots=True)
class FolderResult:
    """Everything found in some folders."""

    folders: tuple[str, ...]
    """What they are called: the last part of each path; of two as much of it as distinguishes
    them."""
    matches: tuple[MatchFiles, ...]
    """In the order of the first files' names."""
    leftovers: tuple[FileLeftOver, ...]
    """By name; of two folders the left one's first."""
    table: str = ""
    """Id of the tolerances that judge two folders; empty where nothing is judged."""

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """The comparisons with a verdict."""
        results = (match.comparison for match in self.matches if match.verdict != INCOMPARABLE)
        return tuple(result for result in results if result is not None)

    @property
    def summary(self) -> FolderSummary:
        """Pairs by verdict, and files that were not compared by reason."""
        counts = Counter[str](match.verdict for match in self.matches)
        counts.update(file.why for file in self.leftovers)
        within = (result for result in self.judged if result.verdict == WITHIN)
        return FolderSummary(
            pairs=len(self.matches),
            open=sum(any(figure.verdict == OPEN for figure in each.judged) for each in within),
            **{key: counts[key] for key in (*get_args(PairVerdict), *get_args(Why))},
        )

    @property
    def verdict(self) -> PairVerdict:
        """`outside` where a pair is; `within` where one was judged; else `incomparable`."""
        verdicts = {result.verdict for result in self.judged}
        if OUTSIDE in verdicts:
            return OUTSIDE
        return WITHIN if verdicts else INCOMPARABLE

    @property
    def incomplete(self) -> int:
        """Figures with a tolerance that rest on an incomplete analysis."""
        figures = (figure for result in self.judged for figure in result.judged)
        return sum(figure.verdict == INCOMPLETE for figure in figures)

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
        """2 where a file was unreadable, two files contradict each other or nothing was compared; 1
        where a pair fails; else 0.

        With `strict` what was not compared (no partner, a match twice, nothing to be judged) and
        incomplete and open figures fail, too.
        """
        summary = self.summary
        if self.trouble:
            return 2
        if strict and self.table and (summary.alone or summary.duplicate or summary.incomparable):
            return 1
        codes = (result.exit_code(strict=strict, fail_on=fail_on) for result in self.judged)
        return max(codes, default=0)

    @property
    def trouble(self) -> str:
        """What could not be compared at all, in a line; empty where nothing hinders."""
        parts = []
        unread = [file for file in self.leftovers if file.why == "unreadable"]
        for file in unread[:1]:
            where = f"{file.side or ''} {file.name}".lstrip()
            number = plural(len(unread), "file")
            parts.append(f"{number} could not be read: {where}: {file.reason}")
        failed = [match.reason for match in self.matches if match.failed]
        for reason in failed[:1]:
            number = f"{len(failed)} of {plural(len(self.matches), 'match', 'matches')}"
            parts.append(f"{number} could not be compared: {reason}")
        if not self.matches:
            parts.append(NO_PARTNER if self.table else NO_MATCH)
        elif self.table and not self.judged:
            reason = next((f": {match.reason}" for match in self.matches if not match.failed), "")
            parts.append(f"no pair of files could be judged{reason}")
        where = (" against " if self.table else ", ").join(self.folders)
        return f"{where}: {'; '.join(parts)}" if parts else ""


NO_PARTNER: Final = "no file of one folder has a partner in the other"
NO_MATCH: Final = "no match with several analyses was found"


def compare_folders(
    *paths: str,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    progress: Progress = lambda task, done, total: None,
    **options: Any,
) -> FolderResult:
    """Compare the files of every match in two folders, or in any other number; each may also be an
    archive, a database or a file.

    Of two every pair is judged: `options` are `tolerances`, `table`, `left_rules`, `right_rules`
    and `met` of `compare`; of any other number those of `review`. With `player` only the player's
    matches count. Raises `UnreadableFile`, `NothingToCompare` where one of two holds no match, or
    none, `UnknownName`.
    """
    judging = len(paths) == 2
    names = _labels(paths)
    table, comparing = _judge(**options) if judging else ("", partial(review, **options))
    folders, leftovers = _read(paths, names, progress)
    groups: Sequence[Sequence[File]]
    if judging:
        folders = [[file for file in files if _has(player, file)] for files in folders]
        groups, rest = paired(folders[0], folders[1], aliases, (names[0], names[1]))
    else:
        groups, rest = _several([*chain(*folders)], aliases)
        groups = [group for group in groups if any(_has(player, file) for file in group)]
    if player is not None and not (any(folders) if judging else groups):
        where = "any match" if judging else "any match with several analyses"
        raise UnknownName(f"{', '.join(paths)}: no player {player!r} in {where}")
    kind = "comparison" if judging else "review"
    comparing = partial(comparing, aliases=aliases, player=player)
    matches = tuple(_compared(groups, kind, comparing, progress))
    every = sorted([*leftovers, *rest], key=lambda file: (file.side == "right", file.name))
    return FolderResult(names, matches, tuple(every), table)


def _read(
    paths: Sequence[str], names: Sequence[str], progress: Progress
) -> tuple[list[list[File]], list[FileLeftOver]]:
    """The matches in each folder, and what is none; raises `NothingToCompare` where there are none,
    also in one of two."""
    judging = len(paths) == 2
    folders: list[list[File]] = []
    leftovers: list[FileLeftOver] = []
    named = name_below if judging else name_with_folder
    read = files_of(paths, [f"reading {name}" for name in names], named, progress)
    for path, (files, rest) in zip(paths, read, strict=True):
        if judging and not files:
            raise without_matches(path, rest)
        side = SIDES[len(folders)] if judging else None
        folders.append(files)
        leftovers += (replace(each, side=side) for each in rest)
    if not any(folders):
        raise without_matches(", ".join(paths), leftovers)
    return folders, leftovers


def _has(player: str | None, file: File) -> bool:
    return player is None or len(names_with(player, file.match.names)) == 1


def _judge(
    *,
    table: str = DEFAULT_TABLE,
    tolerances: Tolerances | None = None,
    left_rules: str | RuleSet | None = None,
    right_rules: str | RuleSet | None = None,
    **options: Any,
) -> tuple[str, Callable[..., Comparison]]:
    """What judges a pair, and its table; unknown ones are refused before anything is read."""
    (tolerances or load_tolerances()).table(table)
    return table, partial(
        compare,
        tolerances=tolerances,
        table=table,
        left_rules=left_rules and rule_set(left_rules),
        right_rules=right_rules and rule_set(right_rules),
        **options,
    )


def _several(
    files: Sequence[File], aliases: Sequence[Sequence[str]]
) -> tuple[list[Sequence[File]], list[FileLeftOver]]:
    """The analyses of every match that has several, and the files that are none of them."""
    groups: list[Sequence[File]] = []
    leftovers: list[FileLeftOver] = []
    for group in grouped(files, aliases):
        analyses, rest = analyses_of(group)
        leftovers += rest
        if len(analyses) > 1:
            groups.append(analyses)
        else:
            why = "no other analysis of this match"
            leftovers += (FileLeftOver(file.name, "alone", why) for file in analyses)
    return groups, leftovers


def _compared(
    groups: Sequence[Sequence[File]],
    kind: str,
    comparing: Callable[..., Comparison | Review],
    progress: Progress,
) -> Iterator[MatchFiles]:
    """Every match compared. Of two folders, files of different matches contradict each other, while
    a pair may have nothing to be judged."""
    for done, group in enumerate(groups):
        progress("comparing", done, len(groups))
        files, players = tuple(file.name for file in group), group[0].match.players
        result: dict[str, Any]
        try:
            result = {kind: comparing(*(file.match for file in group))}
        except (NothingToCompare, NotTheSameMatch) as error:
            failed = kind == "review" or isinstance(error, NotTheSameMatch)
            result = {"reason": str(error), "failed": failed}
        yield MatchFiles(files, players, **result)
    progress("comparing", len(groups), len(groups))


def _labels(paths: Sequence[str]) -> tuple[str, ...]:
    """The last part of each path; of two as many parts as are needed for them to differ."""
    parts = [Path(path).resolve().parts for path in paths]
    if len(parts) == 2 and parts[0] == parts[1]:
        return f"{parts[0][-1]} (left)", f"{parts[1][-1]} (right)"
    same = 0
    if len(parts) == 2:
        ends = zip(*map(reversed, parts), strict=False)
        same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], ends))
    return tuple("/".join(each[-same - 1 :]) for each in parts)
