"""The pages of players: an archive of their matches in a temporary folder, asked what a player's
page asks, and every match with its page. Memory holds one match at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from reconcile.corpus import needs_pyarrow
from reconcile.errors import NothingToCompare
from reconcile.files.output import Output
from reconcile.formats import load_match
from reconcile.formats.archives import Unit, units
from reconcile.gap.folders import (
    File,
    FileLeftOver,
    Progress,
    name_with_folder,
    person_named,
    reviews_of,
)
from reconcile.language import LANGUAGES
from reconcile.match.names import Aliases
from reconcile.report.blocks import Block, Bullets, Marked, Sentences, Title
from reconcile.report.html.look import page
from reconcile.report.html.page import many_page
from reconcile.report.text.comparison import page_names
from reconcile.rules.rulesets import RuleSet
from reconcile.wording import plural

if TYPE_CHECKING:
    import duckdb

MATCHES = "matches"
"""The folder of the pages of single matches."""
PREPARED = {
    "player_matches": "*",
    "player_games": "match, person, once, fully_analysed, analysis, rated_error, decisions_counted",
    "player_decisions": "match, person, once, fully_analysed, analysis, game, kind, phase, away, "
    "opponent_away, error, counted, analysed",
}
"""Of these views what the questions to a player ask, computed once for all players."""
PLAYED = """
select same_as, file from matches where same_as in (
    select played from player_matches where ? is null or person = ?)
order by min(file) over (partition by same_as), same_as
"""
PERSONS = """
select person from player_matches group by person order by count(distinct played) desc, person
"""
NOTE = (
    "A PR is all that was lost over all decisions that count; in brackets is its 95 % interval. "
    "Rates of different programs or depths are never added up."
)


def player_pages(
    paths: Sequence[str],
    folder: str,
    *,
    player: str | None,
    aliases: Aliases,
    rules: RuleSet | None = None,
    met: str | None = None,
    tongue: str = LANGUAGES[0],
    progress: Progress = lambda task, done, total: None,
) -> Iterator[Output]:
    """Paths and contents: in `matches` a page for every match that is analysed, a page for each
    player, and `index.html`, which of one `player` is the player's page.

    Raises `NothingToCompare` where there is no match, `UnknownName` where `player` is in none, and
    `MissingPackage`.
    """
    needs_pyarrow()
    from reconcile.corpus.query import opened
    from reconcile.corpus.run import build
    from reconcile.corpus.tables import OWN_RULES, Settings
    from reconcile.formats.archives import count

    with TemporaryDirectory(prefix="reconcile-") as place:
        sources = dict(_sources(paths, Path(place)))
        total = count(paths) or len(sources)
        corpus = build(
            paths,
            Path(place, "archive"),
            Settings((rules.name,) if rules else OWN_RULES, met=met),
            jobs=1,
            progress=lambda done, batch: progress("reading", done, total),
        )
        with opened(corpus, aliases) as database:
            for view, columns in PREPARED.items():
                asked = f"select {columns} from main.{view}"  # noqa: S608 (our own words)
                database.execute(f"create temp table {view} as {asked}")
            yield from _Pages(database, sources, aliases, folder, tongue).every(
                paths, player, progress, rules=rules, met=met
            )


class _Source(NamedTuple):
    """A file that the archive is made of."""

    unit: Unit
    label: str
    """What it is called on a page."""
    copy: Path | None
    """Where its bytes are, if they were read on the way to it, as in a compressed tar file."""


def _sources(paths: Sequence[str], folder: Path) -> Iterator[tuple[str, _Source]]:
    """The files by name, with no bytes in memory."""
    number = 0
    for path in paths:
        for unit in units([path]):
            copy = None
            if unit.content is not None:
                copy, number = folder / str(number), number + 1
                copy.write_bytes(unit.content)
            label = name_with_folder(unit, Path(path))
            yield unit.name, _Source(replace(unit, content=None), label, copy)


class _Pages:
    """Makes the pages from an archive and the files it was made of."""

    def __init__(
        self,
        database: duckdb.DuckDBPyConnection,
        sources: Mapping[str, _Source],
        aliases: Aliases,
        folder: str,
        tongue: str,
    ) -> None:
        self.database, self.sources = database, sources
        self.aliases, self.folder, self.tongue = aliases, folder, tongue
        self.left_out: list[FileLeftOver] = []
        self.links: dict[Any, str] = {}
        """By match that was played its page."""

    def every(
        self, paths: Sequence[str], player: str | None, progress: Progress, **options: Any
    ) -> Iterator[Output]:
        """Every page, the index at last."""
        from reconcile.corpus.query import about

        persons = [name for (name,) in self._rows(PERSONS)]
        if not persons:
            raise NothingToCompare(
                f"{', '.join(paths)}: expected matches, found none that can be read"
                + "".join(f"; {each}" for each in self._unread()[:1])
            )
        person = player and person_named(player, persons, self.aliases, paths)
        yield from self._matches(person, progress, **options)
        if person:
            about(self.database, person)
            yield self._at("index.html", page(self._player(person)))
            return
        names = dict(zip(persons, page_names(persons), strict=True))
        index = page(self._index(names))
        for each, name in names.items():
            about(self.database, each)
            yield self._at(name, page(self._player(each, index="index.html")))
        yield self._at("index.html", index)

    def _at(self, name: str, content: str) -> Output:
        return str(Path(self.folder) / name), content

    def _rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self.database.execute(sql, values).fetchall()

    def _answer(self, name: str) -> Any:
        """The answer to a question, with files as they are called here: no page shows a folder of
        the computer that made it."""
        from reconcile.corpus.query import QUESTIONS, answered

        answer = answered(self.database, QUESTIONS[name].sql)
        is_file = [column.endswith("file") for column in answer.columns]
        rows = [
            tuple(self._label(str(cell)) if named and cell else cell for cell, named in cells)
            for cells in (zip(row, is_file, strict=True) for row in answer.rows)
        ]
        return answer._replace(rows=rows)

    def _unread(self) -> list[str]:
        rows = self._answer("left_out").rows
        return [f"{file}: {reason}{f' {same}' * bool(same)}" for file, reason, same in rows]

    def _label(self, file: str) -> str:
        name = self._name(file)
        return f"{self.sources[name].label}{file.removeprefix(name)}"

    def _name(self, file: str) -> str:
        """The name of the file that a match is in."""
        return file if file in self.sources else file.rpartition("#")[0]

    def _matches(self, person: str | None, progress: Progress, **options: Any) -> Iterator[Output]:
        """The pages of matches, each made when it is written."""
        places = {name: place for place, name in enumerate(self.sources)}
        groups = [
            (played, sorted((file for _, file in files), key=lambda file: places[self._name(file)]))
            for played, files in groupby(self._rows(PLAYED, person, person), itemgetter(0))
        ]
        names = page_names([self._label(files[0]) for _, files in groups])
        for number, ((played, files), name) in enumerate(zip(groups, names, strict=True), 1):
            several = [file for each in files for file in self._read(each, options["met"])]
            several.sort(key=lambda file: not file.match.has_analysis)
            for place, (review, _) in enumerate(
                reviews_of(several, self.left_out, self.aliases.groups, **options)
            ):
                if any(file.match.has_analysis for file in several):
                    below = f"{MATCHES}/{name}" if not place else f"{MATCHES}/{place + 1}-{name}"
                    self.links.setdefault(played, below)
                    yield self._at(below, many_page(review, self.tongue))
            progress("writing", number, len(groups))

    def _read(self, file: str, met: str | None) -> Iterator[File]:
        """The match of a file that the archive has."""
        name = self._name(file)
        unit, _, copy = self.sources[name]
        content = None if copy is None else copy.read_bytes()
        by_file = unit.is_database
        for match in [load_match(file, met=met)] if by_file else unit.matches(content, met):
            if match.source.path in (file, name):
                yield File(self._label(file), match, "")

    def _player(self, person: str, index: str = "") -> Iterator[Block]:
        """What the answers say, then the answers."""
        from reconcile.corpus.query import PLAYER, Study
        from reconcile.report.text.query import study_blocks

        study = Study({name: self._answer(name) for name in PLAYER})
        headline, *rest = study_blocks(study, title=person, most=None, links=self.links)
        yield headline
        yield from [Sentences([Marked("All players", link=index)])] if index else []
        yield from rest
        yield from self._end()

    def _index(self, names: Mapping[str, str]) -> Iterator[Block]:
        """Every player, with a link to the page."""
        from reconcile.report.text.query import table

        ((number,),) = self._rows("select count(distinct played) from player_matches")
        matches = plural(number, "match", "matches")
        yield Title(f"{plural(len(names), 'player')} in {matches}")
        answer = self._answer("players")
        rated = [str(row[0]) for row in answer.rows]
        yield from table(answer, links=names)
        rest = [Marked(person, link=names[person]) for person in names if person not in rated]
        yield from [Bullets(rest, "Without a complete analysis")] if rest else []
        yield from self._end()

    def _end(self) -> Iterator[Block]:
        yield Sentences([NOTE])
        if lost := self._unread():
            yield Bullets(lost, "Left out")
