"""A comparison of two folders as a document."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from reconcile import tools
from reconcile.gap import folder_pairs, verdict
from reconcile.results.models.comparison import Comparison
from reconcile.results.models.shared import Count, Players, Text, Version


class FolderSummary(TypedDict):
    """Pairs by verdict, and files that were not compared by reason."""

    pairs: Count
    """Files of one match, found in both folders."""
    within: Count
    """Pairs within tolerance."""
    outside: Count
    """Pairs with a figure of level `error` out of tolerance."""
    open: NotRequired[Count]
    """Those of the pairs within tolerance that have a figure whose range reaches across its bound."""
    incomparable: Count
    """Pairs that could not be judged."""
    alone: Count
    """Files without a partner."""
    duplicate: Count
    """Files with the same match as another file in the same folder."""
    ignored: Count
    """Texts without a match, and transcripts without analysis beside an analysis of the same match."""
    unreadable: Count
    """Files that could not be read."""


class FolderPair(TypedDict):
    """Two files of one match."""

    left: Text
    """Name of the left file below its folder; for a match in a database `FILE.db#ID`."""
    right: Text
    """The same for the right file."""
    players: Players
    """The left file's names."""
    verdict: verdict.PairVerdict
    """`incomparable` if no figure could be judged."""
    reason: Text | None
    """Why the files could not be compared; null if they were."""
    comparison: Comparison | None
    """The result of `reconcile compare` for the two files, without ledger; null if they could not be compared."""


class File(TypedDict):
    """A file that was not compared."""

    side: tools.Side
    """The folder it is in."""
    file: Text
    """Its name below the folder."""
    why: folder_pairs.Why
    """`alone` without a partner, `duplicate` if its match is in the folder twice, `ignored` if it has nothing to compare, `unreadable`."""
    reason: Text
    """The same in words."""


class Folders(TypedDict):
    """What `reconcile compare DIR DIR --json` writes: the files of two folders, paired and judged."""

    schema_version: Version
    left: Text
    """Name of the left folder."""
    right: Text
    """Name of the right folder."""
    table: Text
    """Id of the tolerance table."""
    verdict: verdict.PairVerdict
    """`outside` if a pair is, `incomparable` if none could be judged."""
    summary: FolderSummary
    """Pairs by verdict, and files that were not compared by reason."""
    pairs: list[FolderPair]
    """Every pair, by the left files' names."""
    not_compared: list[File]
    """Every file without a pair, the left folder's first, by name."""
