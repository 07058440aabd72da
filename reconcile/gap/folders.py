"""Two folders of the same matches: files are paired by transcript, whatever their names, and every pair is judged.

A file that cannot be read, has no partner or has a match of another file is listed; the other files are judged all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Annotated

from reconcile.document import LATER, Count, Document
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName
from reconcile.files.wording import plural
from reconcile.formats.archives import units
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.folder_pairs import SIDES, File, FileLeftOver, files_in, name_below, paired, without_matches
from reconcile.gap.pairing import seat_of
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances, load_tolerances
from reconcile.gap.verdict import INCOMPARABLE, INCOMPLETE, OPEN, OUTSIDE, WITHIN, PairVerdict
from reconcile.match.match import Match
from reconcile.rules.rulesets import RuleSet, rule_set

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True, slots=True)
class FolderPair:
    """Two files of one match."""

    left: str
    right: str
    players: tuple[str, str]
    """The left file's names."""
    comparison: Comparison | None
    reason: str = ""
    """Why they could not be judged."""
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
    open: Annotated[Count, LATER] = 0
    """Those of the pairs within tolerance that have a figure whose range reaches across its bound."""
    alone: Count
    """Files without a partner."""
    duplicate: Count
    """Files with the same match as another file in the same folder."""
    ignored: Count
    """Texts without a match, and transcripts without analysis beside an analysis of the same match."""
    unreadable: Count
    """Files that could not be read."""


@dataclass(frozen=True, slots=True)
class FolderResult:
    """Everything found for two folders."""

    left: str
    """What the left folder is called: the last part of its path, or as much of it as distinguishes it from the right one."""
    right: str
    table: str
    pairs: tuple[FolderPair, ...]
    """In the order of the left files' names."""
    leftovers: tuple[FileLeftOver, ...]
    """The left folder's before the right one's, by name."""

    @property
    def folders(self) -> tuple[str, str]:
        """What the folders are called."""
        return self.left, self.right

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """The comparisons with a verdict."""
        return tuple(pair.comparison for pair in self.pairs if pair.comparison is not None and pair.verdict != INCOMPARABLE)

    @property
    def summary(self) -> FolderSummary:
        """Pairs by verdict, and files that were not compared by reason."""
        verdicts = Counter(pair.verdict for pair in self.pairs)
        left = Counter[str](leftover.why for leftover in self.leftovers)
        return FolderSummary(
            pairs=len(self.pairs),
            within=verdicts[WITHIN],
            outside=verdicts[OUTSIDE],
            incomparable=verdicts[INCOMPARABLE],
            open=sum(1 for one in self.judged if one.verdict == WITHIN and any(figure.verdict == OPEN for figure in one.judged)),
            alone=left["alone"],
            duplicate=left["duplicate"],
            ignored=left["ignored"],
            unreadable=left["unreadable"],
        )

    @property
    def verdict(self) -> PairVerdict:
        """`outside` where a pair is; `within` where one was judged; else `incomparable`."""
        if not self.judged:
            return INCOMPARABLE
        return OUTSIDE if any(comparison.verdict == OUTSIDE for comparison in self.judged) else WITHIN

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """2 where a file was unreadable, two files contradict each other or nothing was judged; 1 where a pair fails; else 0.

        With `strict` what was not compared (no partner, a match twice, nothing to be judged) and incomplete and open figures fail, too.
        """
        summary = self.summary
        if self.trouble:
            return 2
        if strict and (summary.alone or summary.duplicate or summary.incomparable):
            return 1
        return max(comparison.exit_code(strict=strict, fail_on=fail_on) for comparison in self.judged)

    @property
    def trouble(self) -> str:
        """What could not be compared at all, in a line; empty where nothing hinders."""
        unread = [f"{one.side} {one.name}: {one.reason}" for one in self.leftovers if one.why == "unreadable"]
        failed = [pair.reason for pair in self.pairs if pair.failed]
        parts = [f"{plural(len(unread), 'file')} could not be read: {unread[0]}"] if unread else []
        parts += [f"{len(failed)} of {len(self.pairs)} pairs cannot be the same match: {failed[0]}"] if failed else []
        if not self.judged:
            reason = next((f": {pair.reason}" for pair in self.pairs if not pair.failed), "")
            parts.append(f"no pair of files could be judged{reason}" if self.pairs else "no file of one folder has a partner in the other")
        return f"{self.left} against {self.right}: {'; '.join(parts)}" if parts else ""

    @property
    def incomplete(self) -> int:
        """Figures with a tolerance that rest on an incomplete analysis."""
        return sum(figure.verdict == INCOMPLETE for comparison in self.judged for figure in comparison.judged)


def compare_folders(
    left: str,
    right: str,
    tolerances: Tolerances | None = None,
    *,
    table: str = DEFAULT_TABLE,
    left_rules: str | RuleSet | None = None,
    right_rules: str | RuleSet | None = None,
    met: str | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    order: str = "symmetric",
    progress: Progress = lambda what, done, total: None,
) -> FolderResult:
    """Pair the files of two folders and judge every pair; either may also be an archive, a database or a single file.

    With `player` only the matches he plays in are looked at. Raises `UnreadableFile` where a folder is not there, `NothingToCompare`
    where one holds no match, `UnknownName`.
    """
    (tolerances or load_tolerances()).table(table)
    left_rules, right_rules = (name and rule_set(name) for name in (left_rules, right_rules))
    names = _labels(left, right)
    files: list[list[File]] = []
    leftovers: list[FileLeftOver] = []
    listed = [list(units([path])) for path in (left, right)]
    for side, path, label, found in zip(SIDES, (left, right), names, listed, strict=True):
        read, rest = files_in(found, partial(name_below, start=Path(path)), partial(progress, f"reading {label}"))
        progress(f"reading {label}", len(found), len(found))
        if not read:
            raise without_matches(path, rest)
        files.append([file for file in read if player is None or _plays_in(file.match, player)])
        leftovers += (replace(one, side=side) for one in rest)
    if player is not None and not any(files):
        raise UnknownName(f"{left}, {right}: no player {player!r} in any match")
    partners, unpaired = paired(files[0], files[1], aliases, names)
    pairs = []
    for done, (one, two) in enumerate(partners):
        progress("comparing", done, len(partners))
        try:
            compared = compare(
                one.match,
                two.match,
                tolerances,
                table=table,
                left_rules=left_rules,
                right_rules=right_rules,
                met=met,
                aliases=aliases,
                player=player,
                order=order,
            )
        except (NothingToCompare, NotTheSameMatch) as error:
            pairs.append(
                FolderPair(one.name, two.name, one.match.players, None, str(error), failed=not isinstance(error, NothingToCompare))
            )
        else:
            pairs.append(FolderPair(one.name, two.name, one.match.players, compared))
    progress("comparing", len(partners), len(partners))
    ordered = sorted([*leftovers, *unpaired], key=lambda one: (one.side != "left", one.name))
    return FolderResult(*names, table, tuple(pairs), tuple(ordered))


def _labels(left: str, right: str) -> tuple[str, str]:
    """The last parts of two paths, as many as are needed for them to differ."""
    one, two = (Path(path).resolve() for path in (left, right))
    ends = zip(reversed(one.parts), reversed(two.parts), strict=False)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], ends))
    if one == two:
        return f"{one.name} (left)", f"{two.name} (right)"
    return "/".join(one.parts[-same - 1 :]), "/".join(two.parts[-same - 1 :])


def _plays_in(match: Match, player: str) -> bool:
    try:
        seat_of(match, player)
    except UnknownName:
        return False
    return True
