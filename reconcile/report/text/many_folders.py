"""Folders with several analyses of each match, as text: who is the outlier how often, then every match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reconcile.files.printable import harmless
from reconcile.gap.many_folders import ManyFolders, Together
from reconcile.gap.many_story import stories
from reconcile.report import numbers
from reconcile.report.text.columns import GAP
from reconcile.report.text.folders import LEFT_OVER, page_names


def pages_of(matches: Sequence[Together]) -> list[str]:
    """A file name, valid on any system, for the page of every match."""
    return page_names([one.files[0] for one in matches])


def sentences_of(one: Together) -> list[str]:
    """What is found in a match: the first sentence on every player, or why it could not be compared."""
    return [one.reason] if one.many is None else [story.sentences[0] for story in stories(one.many) if story.player]


def many_folders_text(result: ManyFolders) -> str:
    """The sentence, the matches, and the files that were not compared."""
    blocks = [[result.sentence], list(_matches(result)), [line for one in result.left for line in _left(one.name, one.why, one.reason)]]
    return harmless(numbers.ascii_minus("\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"))


def _matches(result: ManyFolders) -> Iterator[str]:
    for one in result.matches:
        yield " | ".join(one.files)
        yield from (GAP + " ".join(sentence.split()) for sentence in sentences_of(one))


def _left(name: str, why: str, reason: str) -> Iterator[str]:
    yield f"{LEFT_OVER[why]}{GAP}{name}"
    yield GAP + " ".join(reason.split())
