"""Folders of matches: the files of each match are found by transcript, not by name, and compared.

Of two folders each file is paired with one of the other folder, and every pair is judged; of one, or more than two, all analyses of a
match are reviewed together. A file that cannot be read, has no partner or has a match of another file is listed; the others are compared
all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

from reconcile.document import LATER, Count, Document
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName
from reconcile.files.wording import plural
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.folder_pairs import FileLeftOver, Progress, same_matches, without_player
from reconcile.gap.review import Review, review
from reconcile.gap.tolerances import DEFAULT_TABLE, Tolerances, load_tolerances
from reconcile.gap.verdict import INCOMPARABLE, INCOMPLETE, OPEN, OUTSIDE, WITHIN, PairVerdict
from reconcile.rules.rulesets import RuleSet, rule_set


@dataclass(frozen=True, slots=True)
class MatchFiles:
    """The files of one match."""

    files: tuple[str, ...]
    """Their names; of two folders the left one's first."""
    players: tuple[str, str]
    """The first file's names."""
    found: Comparison | Review | None
    """What comparing them found: of two folders a comparison, otherwise a review."""
    reason: str = ""
    """Why they could not be compared."""
    failed: bool = False
    """Whether they contradict each other, rather than having nothing to be judged."""

    @property
    def comparison(self) -> Comparison | None:
        """What was found in two folders."""
        return self.found if isinstance(self.found, Comparison) else None

    @property
    def review(self) -> Review | None:
        """What was found in one folder, or more than two."""
        return self.found if isinstance(self.found, Review) else None

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
    """Everything found in some folders."""

    folders: tuple[str, ...]
    """What they are called: the last part of each path; of two as much of it as distinguishes them."""
    matches: tuple[MatchFiles, ...]
    """In the order of the first files' names."""
    leftovers: tuple[FileLeftOver, ...]
    """By name; of two folders the left one's first."""
    table: str = ""
    """Id of the tolerances that judge two folders; empty where nothing is judged."""

    @property
    def judged(self) -> tuple[Comparison, ...]:
        """The comparisons with a verdict."""
        return tuple(
            one.comparison
            for one in self.matches
            if one.comparison is not None and one.verdict != INCOMPARABLE
        )

    @property
    def summary(self) -> FolderSummary:
        """Pairs by verdict, and files that were not compared by reason."""
        verdicts = Counter(one.verdict for one in self.matches)
        left = Counter[str](leftover.why for leftover in self.leftovers)
        return FolderSummary(
            pairs=len(self.matches),
            within=verdicts[WITHIN],
            outside=verdicts[OUTSIDE],
            incomparable=verdicts[INCOMPARABLE],
            open=sum(
                1
                for one in self.judged
                if one.verdict == WITHIN and any(figure.verdict == OPEN for figure in one.judged)
            ),
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
        return (
            OUTSIDE if any(comparison.verdict == OUTSIDE for comparison in self.judged) else WITHIN
        )

    @property
    def incomplete(self) -> int:
        """Figures with a tolerance that rest on an incomplete analysis."""
        return sum(
            figure.verdict == INCOMPLETE
            for comparison in self.judged
            for figure in comparison.judged
        )

    @property
    def outliers(self) -> dict[str, int]:
        """By analysis, for how many players of all matches it is the outlier."""
        reviews = [one.review for one in self.matches if one.review is not None]
        found = Counter(
            one.labels[outlier.side]
            for one in reviews
            for outlier in one.outlier.values()
            if outlier
        )
        return dict(found.most_common())

    def exit_code(self, *, strict: bool = False, fail_on: str = "error") -> int:
        """2 where a file was unreadable, two files contradict each other or nothing was compared; 1 where a pair fails; else 0.

        With `strict` what was not compared (no partner, a match twice, nothing to be judged) and incomplete and open figures fail, too.
        """
        summary = self.summary
        if self.trouble:
            return 2
        if strict and self.table and (summary.alone or summary.duplicate or summary.incomparable):
            return 1
        return max(
            (comparison.exit_code(strict=strict, fail_on=fail_on) for comparison in self.judged),
            default=0,
        )

    @property
    def trouble(self) -> str:
        """What could not be compared at all, in a line; empty where nothing hinders."""
        unread = [
            f"{one.side or ''} {one.name}: {one.reason}".lstrip()
            for one in self.leftovers
            if one.why == "unreadable"
        ]
        failed = [one.reason for one in self.matches if one.failed]
        parts = [f"{plural(len(unread), 'file')} could not be read: {unread[0]}"] if unread else []
        parts += (
            [
                f"{len(failed)} of {plural(len(self.matches), 'match', 'matches')} could not be compared: {failed[0]}"
            ]
            if failed
            else []
        )
        if not self.matches:
            parts.append(
                "no file of one folder has a partner in the other"
                if self.table
                else "no match with several analyses was found"
            )
        elif self.table and not self.judged:
            reason = next((f": {one.reason}" for one in self.matches if not one.failed), "")
            parts.append(f"no pair of files could be judged{reason}")
        return (
            f"{(' against ' if self.table else ', ').join(self.folders)}: {'; '.join(parts)}"
            if parts
            else ""
        )


def compare_folders(
    *paths: str,
    tolerances: Tolerances | None = None,
    table: str = DEFAULT_TABLE,
    left_rules: str | RuleSet | None = None,
    right_rules: str | RuleSet | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    progress: Progress = lambda what, done, total: None,
    **options: Any,
) -> FolderResult:
    """Compare the files of every match in two folders, or in any other number; each may also be an archive, a database or a file.

    Tolerances, their table and the rules of each side are for two folders; other `options` are those of `compare` and of `review`. With
    `player` only the player's matches are looked at. Raises `UnreadableFile` where a folder is not there, `NothingToCompare` where one
    of two holds no match, or none of several, `UnknownName`.
    """
    judged = len(paths) == 2
    names = _labels(*paths) if judged else tuple(Path(path).resolve().name for path in paths)
    options |= {"aliases": aliases, "player": player}
    if judged:
        (tolerances or load_tolerances()).table(table)
        rules = {
            "left_rules": left_rules and rule_set(left_rules),
            "right_rules": right_rules and rule_set(right_rules),
        }
        options |= {"tolerances": tolerances, "table": table, **rules}
    groups, leftovers = same_matches(paths, names, aliases, player if judged else None, progress)
    comparing: Callable[..., Comparison | Review] = compare if judged else review
    matches = []
    for done, group in enumerate(groups):
        progress("comparing", done, len(groups))
        with_names = partial(MatchFiles, tuple(one.name for one in group), group[0].match.players)
        try:
            matches.append(with_names(comparing(*(one.match for one in group), **options)))
        except (NothingToCompare, NotTheSameMatch) as error:
            matches.append(
                with_names(
                    None, str(error), failed=not judged or isinstance(error, NotTheSameMatch)
                )
            )
        except UnknownName:
            if judged or player is None:
                raise
    progress("comparing", len(groups), len(groups))
    if not judged and player is not None and not matches:
        raise without_player(paths, player)
    ordered = sorted(leftovers, key=lambda one: (one.side == "right", one.name))
    return FolderResult(names, tuple(matches), tuple(ordered), table if judged else "")


def _labels(left: str, right: str) -> tuple[str, str]:
    """The last parts of two paths, as many as are needed for them to differ."""
    one, two = (Path(path).resolve() for path in (left, right))
    ends = zip(reversed(one.parts), reversed(two.parts), strict=False)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], ends))
    if one == two:
        return f"{one.name} (left)", f"{two.name} (right)"
    return "/".join(one.parts[-same - 1 :]), "/".join(two.parts[-same - 1 :])
