"""Files that somebody chose together, by match: which analyses there are of each, and what is left aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reconcile.gap.folder_pairs import File, grouped


class ChosenMatch(NamedTuple):
    """A match among the files."""

    files: list[File]
    """Its different analyses in the order chosen, or a transcript where there are none."""
    notes: list[str]
    """What became of its other files."""
    wants_analysis: bool
    """Whether another analysis would tell more."""


def chosen_matches(files: Sequence[File]) -> list[ChosenMatch]:
    """The matches among files, in the order chosen."""
    place = {id(file): index for index, file in enumerate(files)}
    groups = [sorted(group, key=lambda file: place[id(file)]) for group in grouped(files, ())]
    return [_analyses(group) for group in sorted(groups, key=lambda group: place[id(group[0])])]


def _analyses(group: Sequence[File]) -> ChosenMatch:
    first: dict[str, File] = {}
    notes = []
    analysed = [file for file in group if file.analysed]
    for file in analysed or group[:1]:
        same = first.setdefault(file.match.source.sha256, file)
        if same is not file:
            notes.append(f"{file.name} was left out: it is the same file as {same.name}.")
    transcripts = [
        file.name for file in group if file not in analysed and file not in first.values()
    ]
    notes += [
        f"{name} has no analysis, only the moves of this match; it was left out."
        for name in transcripts
    ]
    wants = not analysed or (len(first) == 1 and bool(transcripts))
    return ChosenMatch(list(first.values()), notes, wants)
