"""From the files that `compare` and `stats` were given to their results: what is a folder or an
archive, what an engine adds, how many analyses there are, and what follows from it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from reconcile.errors import NothingToCompare, UnreadableFile
from reconcile.files.inputs import STANDARD_INPUT
from reconcile.formats import has_many, is_folder, load_analyses, load_match
from reconcile.report.forms import in_form

if TYPE_CHECKING:
    from reconcile.files.output import Output
    from reconcile.formats.archives import Unit
    from reconcile.gap.comparison import Comparison, UsualTable
    from reconcile.gap.folders import FolderResult
    from reconcile.gap.review import Review
    from reconcile.match.match import Match
    from reconcile.rules.rulesets import RuleSet
    from reconcile.scoring.statistics import Statistics

    Source = str | Unit
    """A file as it was named, or one in a folder or an archive."""

Part = TypeVar("Part")
Say = Callable[[str], None]
"""Takes a line for people."""
Progress = Callable[[str, int, int | None], None]
BATCH = 16
FILES_PER_PROCESS = 150
"""A process that starts takes as long as so many files."""


def compare_files(
    paths: Sequence[str],
    *,
    analyse: str | None = None,
    corpus: str | None = None,
    anonymise: bool = False,
    for_two: str = "",
    for_files: str = "",
    progress: Progress,
    say: Say,
    **options: Any,
) -> Comparison | Review | FolderResult:
    """The analyses in these files compared: two are judged, of more or of a folder nothing is.

    `analyse` names engines that also analyse the first file, `corpus` an archive, or a file of its
    gaps, that says how large such gaps are. `for_two` and `for_files` are what was asked for that
    only two analyses have, and only files, in words; `options` are those of `compare`. Raises what
    reading and comparing raise, and `NothingToCompare`.
    """
    from reconcile.engines import with_opinions
    from reconcile.gap.folders import compare_folder
    from reconcile.gap.review import compared

    if corpus is not None:
        options["usual"] = _usual_table(corpus)
    shared = {name: options[name] for name in ("aliases", "met", "player")}
    if analyse is None and _is_folder(paths, for_two, for_files):
        return compare_folder(paths[0], progress=progress, **shared)
    return compared(
        with_opinions(load_analyses(paths, options["met"]), analyse, progress),
        for_two,
        say,
        anonymise=anonymise,
        **options,
    )


def _is_folder(paths: Sequence[str], for_two: str, for_files: str) -> bool:
    """Whether a folder is compared, and no files. Raises `NothingToCompare` for a folder beside
    anything else, and what it cannot have."""
    from reconcile.gap.review import FOR_TWO

    folder = next(filter(is_folder, paths), "")
    alone = len(paths) == 1 and has_many(paths[0])
    if folder and not alone:
        raise NothingToCompare(
            f"{folder} is a folder, and a folder is compared alone: put all files into one folder "
            "and compare that, or judge them with `reconcile new-match` and `reconcile validate "
            "--candidate`"
        )
    if alone and for_files:
        raise NothingToCompare(f"{for_files} is for files; with a folder leave it out")
    if alone and for_two:
        raise NothingToCompare(f"{for_two} {FOR_TWO}")
    return alone


def _usual_table(corpus: str) -> UsualTable:
    """The gaps between analyses in a user's archive."""
    from pathlib import Path

    from reconcile.gap.comparison import UsualPair, UsualTable, load_usual

    if not Path(corpus).is_dir():
        return load_usual(corpus)
    from reconcile.corpus import needs_pyarrow

    needs_pyarrow()
    from reconcile.corpus.query import usual_pairs
    from reconcile.corpus.run import load_corpus

    return UsualTable(tuple(UsualPair(**pair) for pair in usual_pairs(load_corpus(corpus))))


def stats_files(
    paths: Sequence[str],
    form: str,
    *,
    rules: RuleSet | None,
    met: str | None,
    analyse: str | None = None,
    progress: Progress,
    pool: bool = False,
    decisions: bool = False,
    candidates: bool = False,
    aliases: str | None = None,
    jobs: int | None = None,
    **shown: Any,
) -> tuple[str, list[str]]:
    """The figures of every match in these files as text, those of a terminal printed, of which
    `shown` says what; or pooled by player, or the decisions of one match; and lines for people.

    What cannot be read of a folder or an archive is named in a line and left out. Raises
    `UnreadableFile` where nothing can be, and what reading and scoring raise.
    """
    sources = _sources(paths)
    is_each = not (decisions or pool or form == "terminal")
    jobs = _processes(sources, jobs) if is_each else 1
    scored = partial(_scored, rules=rules, met=met, analyse=analyse)
    if jobs == 1:
        scored = partial(scored, progress=progress)
    if is_each:
        described = partial(_described, scored=scored, form=form, shown=shown)
        return _each(sources, described, form, jobs)
    read, lines = _read(scored(sources))
    if decisions:
        return in_form(_alone(read, paths[0]), "decisions", form, candidates=candidates), lines
    if pool:
        from reconcile.scoring.pool import pool as pooled

        return in_form(pooled(read, aliases), form), lines
    for statistics in read:
        in_form(statistics, form, **shown)
    return "", lines


def _alone(matches: Sequence[Statistics], path: str) -> Statistics:
    """The one match of a file. Raises `NothingToCompare` for several."""
    if len(matches) > 1:
        needed = "--decisions lists the decisions of one match"
        raise NothingToCompare(f"{needed}, {path} has several")
    return matches[0]


def _read(
    scored: Iterable[Statistics | UnreadableFile],
) -> tuple[list[Statistics], list[str]]:
    """What could be read, and a line for each of the others. Raises as `_something`."""
    read: list[Statistics] = []
    lines = []
    for each in scored:
        if isinstance(each, UnreadableFile):
            lines.append(f"{each}; left out")
        else:
            read.append(each)
    return _something(read, lines), lines


def _something(matches: list[Part], lines: Sequence[str]) -> list[Part]:
    """What came of the matches. Raises `UnreadableFile` where nothing did."""
    if not matches:
        expected = "expected a match that can be read, found none"
        raise UnreadableFile("; ".join([expected, *lines[:1]]))
    return matches


def _sources(files: Sequence[str]) -> Sequence[Source]:
    """The files, each folder and archive as the files in it."""
    if not any(map(is_folder, files)):
        return files
    from reconcile.formats.archives import units

    sources: list[Source] = []
    for path in files:
        inside = [*units([path])] if is_folder(path) else [path]
        if not inside:
            raise UnreadableFile("expected matches in this folder, found none", path)
        sources += inside
    return sources


def _scored(
    sources: Sequence[Source],
    rules: RuleSet | None,
    met: str | None,
    analyse: str | None,
    progress: Progress = lambda counted, done, total: None,
) -> Iterator[Statistics | UnreadableFile]:
    """The statistics of every match; of a file in a folder or an archive that cannot be read,
    why."""
    from reconcile.scoring.statistics import statistics

    for source in sources:
        try:
            for match in (
                [load_match(source, met=met)]
                if isinstance(source, str)
                else source.matches(met=met)
            ):
                yield statistics(_with_analysis(match, analyse, progress), rules, met)
        except UnreadableFile as error:
            if isinstance(source, str):
                raise
            yield error


def _with_analysis(match: Match, analyse: str | None, progress: Progress) -> Match:
    """The match, analysed by the engine `analyse` if nobody else has. Raises `NothingToCompare`
    for several engines, and what analysing raises."""
    if analyse is None:
        return match
    from reconcile.engines.second_opinion import engines_asked, opinions

    if len(engines_asked(analyse)) > 1:
        engines = "--analyse names one engine here"
        raise NothingToCompare(f"{engines}, found {analyse}; `reconcile compare` takes several")
    return match if match.has_analysis else opinions(match, analyse, progress)[0]


def _described(
    sources: Sequence[Source],
    scored: Callable[[Sequence[Source]], Iterator[Statistics | UnreadableFile]],
    form: str,
    shown: Mapping[str, int],
) -> list[tuple[str, list[str]]]:
    """What is written about every match, and the lines for people beside it; a table has them, but
    not what cannot be read."""
    from reconcile.scoring.findings import findings_of

    return [
        ("", [f"{statistics}; left out"])
        if isinstance(statistics, UnreadableFile)
        else (
            in_form(statistics, form, **shown),
            [
                f"{statistics.match.source.path}: {finding.severity}: {finding.text}"
                for finding in findings_of(statistics)
                if form != "text" and finding.severity != "info"
            ],
        )
        for statistics in scored(sources)
    ]


def _processes(sources: Sequence[Source], jobs: int | None) -> int:
    """How many processes read the files; only this one can read standard input."""
    if any(str(source).partition("#")[0] == STANDARD_INPUT for source in sources):
        return 1
    return jobs or max(1, min(os.cpu_count() or 1, len(sources) // FILES_PER_PROCESS))


def _each(
    sources: Sequence[Source],
    described: Callable[[Sequence[Source]], list[tuple[str, list[str]]]],
    form: str,
    jobs: int,
) -> tuple[str, list[str]]:
    """Every file's part in order; the same whatever the number of processes."""
    if jobs == 1:
        parts = [part for source in sources for part in described((source,))]
    else:
        from reconcile.files.processes import in_batches, in_order

        batches = in_order(in_batches(sources, BATCH), described, _died, jobs)
        parts = [part for batch in batches for part in batch]
    lines = [line for _, lines in parts for line in lines]
    texts = _something([text for text, _ in parts if text], lines)
    if form == "csv":
        from reconcile.report.text.statistics import CSV_HEAD

        return CSV_HEAD + "".join(texts), lines
    if form == "json":
        from reconcile.document import in_list

        return in_list(texts), lines
    return "\n".join(texts), lines


def _died(source: Source) -> NoReturn:
    raise UnreadableFile(
        "expected its figures, found that the process that read it died; is there enough memory?",
        source if isinstance(source, str) else source.name,
    )


def pages_of_files(
    paths: Sequence[str],
    place: str,
    *,
    of_players: bool,
    rules: RuleSet | None,
    met: str | None,
    analyse: str | None,
    player: str | None,
    aliases: str | None,
    language: str,
    progress: Progress,
) -> Iterator[Output]:
    """The page of the one match in a file, or in a folder those of its players and their
    matches."""
    if not of_players:
        (scored,) = _scored(paths, rules, met, analyse, progress)
        yield place, in_form(scored, "html", language)
        return
    from reconcile.corpus import needs_pyarrow
    from reconcile.match.names import load_aliases

    needs_pyarrow()
    from reconcile.report.text.query import player_pages

    names = load_aliases(aliases)
    shared: dict[str, Any] = {"rules": rules, "met": met, "tongue": language}
    yield from player_pages(paths, place, player=player, aliases=names, progress=progress, **shared)
