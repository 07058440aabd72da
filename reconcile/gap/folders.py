"""Folders of matches: the files of each match are found by transcript, not by name, and compared.

Of two folders each file is paired with one of the other folder, and every pair is judged; of one,
or more than two, all analyses of a match are reviewed together. A file that cannot be read, has no
partner or has a match of another file is listed; the others are compared all the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Final, get_args

from reconcile.document import LATER, Count, Document
from reconcile.errors import NothingToCompare, NotTheSameMatch, UnknownName
from reconcile.files.wording import plural
from reconcile.gap.comparison import Comparison, compare
from reconcile.gap.folder_pairs import (
    File,
    FileLeftOver,
    Progress,
    Why,
    same_matches,
    without_player,
)
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
    result: Comparison | Review | None
    """Of two folders a comparison, otherwise a review; `None` where they could not be compared."""
    reason: str = ""
    """Why they could not be compared."""
    failed: bool = False
    """Whether they contradict each other, rather than having nothing to be judged."""

    @property
    def comparison(self) -> Comparison | None:
        """The result for two folders."""
        return self.result if isinstance(self.result, Comparison) else None

    @property
    def review(self) -> Review | None:
        """The result for one folder, or more than two."""
        return self.result if isinstance(self.result, Review) else None

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
        verdicts = Counter(match.verdict for match in self.matches)
        reasons = Counter[str](file.why for file in self.leftovers)
        return FolderSummary(
            pairs=len(self.matches),
            **{verdict: verdicts[verdict] for verdict in (WITHIN, OUTSIDE, INCOMPARABLE)},
            open=sum(
                result.verdict == WITHIN and any(figure.verdict == OPEN for figure in result.judged)
                for result in self.judged
            ),
            **{why: reasons[why] for why in get_args(Why)},
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
        reviews = [match.review for match in self.matches if match.review is not None]
        labels = Counter(
            review.labels[outlier.side]
            for review in reviews
            for outlier in review.outlier.values()
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
    tolerances: Tolerances | None = None,
    table: str = DEFAULT_TABLE,
    left_rules: str | RuleSet | None = None,
    right_rules: str | RuleSet | None = None,
    aliases: Sequence[Sequence[str]] = (),
    player: str | None = None,
    progress: Progress = lambda task, done, total: None,
    **options: Any,
) -> FolderResult:
    """Compare the files of every match in two folders, or in any other number; each may also be an
    archive, a database or a file.

    Tolerances, their table and the rules of each side are for two folders; other `options` are
    those of `compare` and of `review`. With `player` only the player's matches count. Raises
    `UnreadableFile`, `NothingToCompare` where one of two holds no match, or none, `UnknownName`.
    """
    judged = len(paths) == 2
    names = _labels(*paths) if judged else tuple(Path(path).resolve().name for path in paths)
    options |= {"aliases": aliases, "player": player}
    if judged:
        (tolerances or load_tolerances()).table(table)
        options |= {"tolerances": tolerances, "table": table}
        for name, rules in (("left_rules", left_rules), ("right_rules", right_rules)):
            options[name] = rules and rule_set(rules)
    groups, leftovers = same_matches(paths, names, aliases, player if judged else None, progress)
    matches = []
    for done, group in enumerate(groups):
        progress("comparing", done, len(groups))
        try:
            matches.append(_compared(group, compare if judged else review, options))
        except UnknownName:
            if judged or player is None:
                raise
    progress("comparing", len(groups), len(groups))
    if not judged and player is not None and not matches:
        raise without_player(paths, player)
    leftovers.sort(key=lambda file: (file.side == "right", file.name))
    return FolderResult(names, tuple(matches), tuple(leftovers), table if judged else "")


def _compared(
    group: Sequence[File],
    comparing: Callable[..., Comparison | Review],
    options: Mapping[str, Any],
) -> MatchFiles:
    files, players = tuple(file.name for file in group), group[0].match.players
    try:
        result = comparing(*(file.match for file in group), **options)
    except (NothingToCompare, NotTheSameMatch) as error:
        # Two files without anything to be judged are no contradiction.
        failed = comparing is review or isinstance(error, NotTheSameMatch)
        return MatchFiles(files, players, None, str(error), failed)
    return MatchFiles(files, players, result)


def _labels(left: str, right: str) -> tuple[str, str]:
    """The last parts of two paths, as many as are needed for them to differ."""
    here, there = (Path(path).resolve().parts for path in (left, right))
    if here == there:
        return f"{here[-1]} (left)", f"{there[-1]} (right)"
    ends = zip(reversed(here), reversed(there), strict=False)
    same = sum(1 for _ in takewhile(lambda both: both[0] == both[1], ends))
    return "/".join(here[-same - 1 :]), "/".join(there[-same - 1 :])
