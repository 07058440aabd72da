"""The outputs of `reconcile stats` that have a part for every file; each file is read, scored and described by itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple, NoReturn

BATCH: Final = 16
FILES_PER_PROCESS: Final = 150
"""A process that starts takes as long as so many files."""


class Described(NamedTuple):
    """What is written about one file, and the lines for people beside it."""

    text: str
    lines: tuple[str, ...]


def describe(
    paths: Sequence[str], jobs: int | None, *, rules: str | None, met: str | None, per_game: bool, form: str
) -> Iterator[Described]:
    """Every file in order, as a table, as a JSON document or as rows of CSV; the same whatever the number of processes.

    By default there is one process for every few files, at most one per core. Raises what reading and scoring a file raises.
    """
    work = partial(_described, rules=rules, met=met, per_game=per_game, form=form)
    jobs = jobs or max(1, min(os.cpu_count() or 1, len(paths) // FILES_PER_PROCESS))
    batches = _batches(paths)
    if jobs == 1 or any(_is_standard_input(path) for path in paths):
        made: Iterable[list[Described]] = map(work, batches)
    else:
        from reconcile.files.workers import in_order

        made = in_order(batches, work, _died, jobs)
    for batch in made:
        yield from batch


def _batches(paths: Iterable[str]) -> Iterator[tuple[str, ...]]:
    source = iter(paths)
    while batch := tuple(islice(source, BATCH)):
        yield batch


def _is_standard_input(path: str) -> bool:
    """Whether a path is, or may be, a match on standard input, which no other process can read."""
    return path.partition("#")[0] == "-"


def _died(path: str) -> NoReturn:
    from reconcile.errors import UnreadableFile

    raise UnreadableFile(f"{path}: expected its figures, found that the process that read it died; is there enough memory?")


def _described(batch: tuple[str, ...], rules: str | None, met: str | None, per_game: bool, form: str) -> list[Described]:
    from reconcile.adapters import load_match
    from reconcile.rules.rulesets import rule_set
    from reconcile.scoring.statistics import statistics

    chosen = None if rules is None else rule_set(rules)
    made = []
    for path in batch:
        scored = statistics(load_match(path), chosen, met)
        if form == "table":
            from reconcile.report.text.statistics import statistics_text

            made.append(Described(statistics_text(scored, per_game=per_game), ()))
            continue
        from reconcile.scoring.findings import findings_of

        if form == "json":
            from reconcile.results.documents import dumps
            from reconcile.results.statistics import statistics_document

            text = dumps(statistics_document(scored, per_game=per_game))
        else:
            from reconcile.report.text.statistics import csv_rows

            text = csv_rows(scored, per_game=per_game)
        found = [finding for finding in findings_of(scored) if finding.severity != "info"]
        made.append(Described(text, tuple(f"{scored.match.source.path}: {one.severity}: {one.text}" for one in found)))
    return made
