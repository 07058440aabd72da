"""The answer to a query: a table for people with chosen columns as points on one axis,
comma-separated values, JSON.

The pages of players: an archive of their matches in a temporary folder, asked what a player's page
asks, and every match with its page. Memory holds one match at a time.
"""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from reconcile.corpus.query import (
    ENDS,
    PLAYER,
    QUESTIONS,
    Answer,
    Study,
    about,
    answered,
    opened,
)
from reconcile.corpus.run import build
from reconcile.corpus.tables import OWN_RULES, VIEWS, Settings
from reconcile.errors import InvalidQuery, NothingToCompare
from reconcile.files.output import Output
from reconcile.formats import load_match
from reconcile.formats.archives import Unit, count, units
from reconcile.gap.folders import (
    File,
    FileLeftOver,
    Progress,
    name_with_folder,
    person_named,
    reviews_of,
)
from reconcile.gap.rows import Line, Rows
from reconcile.language import LANGUAGES
from reconcile.match.names import Aliases
from reconcile.report import numbers
from reconcile.report.blocks import (
    Blocks,
    Bullets,
    Heading,
    Marked,
    Picture,
    Sentences,
    Table,
    Title,
    text,
)
from reconcile.report.html.charts import LEFT, RIGHT, Point, over_time, points, scores
from reconcile.report.html.look import page
from reconcile.report.html.page import many_page
from reconcile.report.text.comparison import bullets, page_names
from reconcile.report.text.statistics import NO_FIGURE, cell, comma_separated
from reconcile.rules.rulesets import RuleSet
from reconcile.wording import capital, listed, one_line, plural

if TYPE_CHECKING:
    import duckdb


DECIMALS = 4
"""Most of a number in a table; a query can round to fewer."""
HIDDEN = "_"
"""What a column for sentences alone begins with."""
PLAYED = "_played"
"""The match of a row."""
CALLED = {
    "pr": "PR", "er": "error rate", "mwc": "MWC", "memg": "mEMG", "percent": "%", "xgid": "XGID",
}  # fmt: skip
"""What readers call the parts of a column's name that are no words."""
NO_LINKS: Mapping[Any, str] = {}
SHOWN = 20
"""Rows of an answer in a report."""
FEWEST_POINTS = 3
"""With fewer there is no picture."""
HIGHEST = 40.0
"""Where the axis of a course ends at most; a rate of few decisions can be anything."""
DRAWN = 60
"""Rows of the picture."""
LISTED = 2000
"""Rows of the table of a document."""
SERIES = 3
"""Columns that are told apart by the shape of their marks."""
LONGEST_LABEL = 48
LETTER = 8.8
"""Width of one, of labels, as large as they are on a phone."""
ACROSS = 360.0
"""Width of the axis."""
LARGEST_EXACT = 2**53
"""Of the whole numbers that a `double` holds, and so a reader of JSON."""


def study_blocks(
    study: Study,
    *,
    title: str = "",
    most: int | None = SHOWN,
    links: Mapping[Any, str] = NO_LINKS,
) -> Blocks:
    """The headline, or a title where no answer says anything, what else the answers say, and each
    answer with its picture; of a long one the first rows."""
    lines = [line for name, answer in study.answers.items() for line in sentences(name, answer)]
    headline, *notes = lines or [title]
    yield Heading(headline)
    yield from bullets("", notes, wrapped=True)
    for name, answer in study.answers.items():
        question = QUESTIONS[name]
        if answer.rows and question.form != "sentences":
            yield Heading(question.title, name)
            yield from pictures(name, answer._replace(rows=answer.rows[:most]))
            more = f"`reconcile corpus-query DIR {name}` gives all."
            yield from table(answer, most, more, links)


def answer_blocks(
    answer: Answer, *, sql: str = "", drawn: Sequence[str] = (), name: str = ""
) -> Blocks:
    """One table, after what the answer to a question of this name says; for a document also these
    columns drawn, a row of points for each row, and the question.

    Raises `InvalidQuery` if one is no column of numbers, or there are more than can be told apart.
    """
    if sql and not name:
        yield from _drawn(answer, drawn)
    if name:
        yield Title(QUESTIONS[name].title)
        yield from (Sentences([line]) for line in sentences(name, answer))
        yield from pictures(name, answer) if sql else ()
    most = LISTED if sql else None
    yield from table(answer, most, "`--format csv` gives all.")
    if sql:
        yield Heading("The question")
        yield Sentences([sql.strip()], wrapped=False)


def table(
    answer: Answer,
    most: int | None = None,
    more: str = "",
    links: Mapping[Any, str] | None = None,
) -> Blocks:
    """The first rows of an answer, and what gives more. With `links`, pages by match that was
    played or by the first column, the columns are called as readers call them."""
    columns, right = cells(answer)
    head, *rows = zip(*columns, strict=True)
    if links is None:
        yield Table(head, rows[:most], right)
    else:
        place = answer.columns.index(PLAYED) if PLAYED in answer.columns else 0
        pages = [links.get(row[place], "") for row in answer.rows[:most]]
        linked = [
            (Marked(row[0], link=page), *row[1:]) for row, page in zip(rows, pages, strict=False)
        ]
        yield Table(list(map(_called, head)), linked, right)
    if most is not None and len(rows) > most:
        yield Sentences([f"The first {most} of {len(rows):,} rows; {more}"])


def _called(column: str) -> str:
    """What readers call a column: `checker_pr` is Checker PR."""
    return capital(" ".join(CALLED.get(word, word) for word in column.split("_")))


def sentences(name: str, answer: Answer) -> list[str]:
    """What the first rows of an answer say."""
    question = QUESTIONS[name]
    rows = answer._replace(rows=answer.rows[: question.said]).by_column()
    every = (_sentence(template, row) for row in rows for template in question.sentences)
    return list(filter(None, every))


def _sentence(template: str, row: Mapping[str, Any]) -> str:
    """A sentence with the values of a row: `{n:match|matches}` counts, `{pr:2}` has two decimals,
    `{gap:+2}` also a sign and `{pr:2~}` its interval; empty where one is unknown."""
    if any(row[slot] is None for slot in re.findall(r"{(\w+)", template)):
        return ""

    def words(slot: re.Match[str]) -> str:
        name, form = slot[1], slot[2] or ""
        value = row[name]
        if "|" in form:
            return plural(value, *form.split("|"))
        if not form:
            return f"{value:,}" if isinstance(value, int) else str(value)
        number = numbers.signed if "+" in form else numbers.number
        decimals = int(form.strip("+~"))
        ends = [row.get(name + end) for end in ENDS] if "~" in form else [None]
        between = " to ".join(number(end, decimals) for end in ends if end is not None)
        return number(value, decimals) + (f" (95 % interval {between})" if between else "")

    return re.sub(r"{(\w+):?([^}]*)}", words, template)


def pictures(name: str, answer: Answer) -> Blocks:
    """The pictures of the answer to a question of this name, where there are enough points."""
    question = QUESTIONS[name]
    if question.form == "course":
        yield from _courses(name, answer)
    elif question.form == "scores":
        yield from _scores(name, answer)
    elif question.drawn:
        places = [answer.columns.index(column) for column in question.drawn]
        points = [row for row in answer.rows if any(row[place] is not None for place in places)]
        if len(points) >= FEWEST_POINTS:
            draw = partial(_chart, answer, question.drawn, f"{name}-chart")
            yield Picture(question.title, draw, _few(answer))


def _parted(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows by analysis, the first one first."""
    rows = answer.by_column()
    for analysis in dict.fromkeys(str(row["analysis"]) for row in rows):
        yield analysis, [row for row in rows if row["analysis"] == analysis]


def _scores(name: str, answer: Answer) -> Blocks:
    for number, (analysis, rows) in enumerate(_parted(answer)):
        if sum(row["pr"] is not None for row in rows) >= FEWEST_POINTS:
            title = f"{QUESTIONS[name].title}, {analysis}"
            yield Picture(title, partial(scores, rows, f"{name}-{number}"), title)


def _courses(name: str, answer: Answer) -> Blocks:
    """PR over time, a picture for each kind of analysis; a line joins neighbours of one kind."""
    by, day = ("period", "period") if "period" in answer.columns else (PLAYED, "date")
    parts = list(_parted(answer))
    when = {row[by]: str(row[day]) for _, rows in parts for row in rows}
    order = sorted(when, key=lambda key: (when[key] == "None", when[key], key))
    places = dict(zip(order, _places([when[key] for key in order]), strict=True))
    anchors = {0: "start", len(order) // 2: "middle", len(order) - 1: "end"}.items()
    names = [(places[order[at]], when[order[at]], anchor) for at, anchor in anchors]
    stated = [name for name in names if name[1] != "None"]
    for number, (analysis, rows) in enumerate(parts):
        rated = {row[by]: _rate(row, when[row[by]]) for row in rows if row["pr"] is not None}
        if len(rated) >= FEWEST_POINTS:
            title, key = f"{QUESTIONS[name].title}, {analysis}", f"{name}-{number}"
            course = {x: rated.get(place) for place, x in places.items()}
            highest = min(max(point.value for point in rated.values()), HIGHEST) or 1.0
            yield Picture(title, partial(over_time, course, stated, key, title, highest), title)


def _rate(row: Mapping[str, Any], when: str) -> Point:
    about = ", against ".join(filter(None, (when, row.get("opponent"))))
    hint = f"{about}: PR {numbers.number(row['pr'], 2)}"
    return Point(row["pr"], hint, row.get("pr_low"), row.get("pr_high"))


def _places(days: Sequence[str]) -> list[float]:
    """Where days, months or years are on an axis; evenly apart if one is not known."""
    stated = list(range(len(days)))
    if "None" not in days and days[0] != days[-1]:
        stated = [date.fromisoformat((day + "-01-01")[:10]).toordinal() for day in days]
    step = (RIGHT - LEFT) / max(stated[-1] - stated[0], 1)
    return [LEFT + (day - stated[0]) * step for day in stated]


def _few(answer: Answer) -> str:
    return f"The first {DRAWN} rows are drawn." if len(answer.rows) > DRAWN else ""


def _drawn(answer: Answer, drawn: Sequence[str]) -> Blocks:
    columns, right = cells(answer)
    names = [column[0] for column in columns]
    wrong = [name for name in drawn if names.count(name) != 1 or names.index(name) not in right]
    if wrong or not 1 <= len(drawn) <= SERIES:
        numbered = listed([names[place] for place in right]) or "none"
        raise InvalidQuery(
            f"expected 1 to {SERIES} columns of numbers to draw, of {numbered}; "
            f"found {listed(wrong or drawn) or 'none'}"
        )
    by = names[: min(map(names.index, drawn))]
    name = (listed(drawn) + (f" by {listed(by)}" if by else "")).replace("_", " ")
    yield Title(name)
    places = [answer.columns.index(column) for column in drawn]
    if any(_number(row[place]) is not None for row in answer.rows[:DRAWN] for place in places):
        yield Picture(name, partial(_chart, answer, drawn, "answer-chart"), _few(answer))
    else:
        yield Sentences(["Nothing to draw: no number is known."])


def _chart(answer: Answer, drawn: Sequence[str], key: str) -> str:
    """A row of points for each row, with its interval where there is one; a value that is unknown
    has none."""
    columns, _ = cells(answer)
    names = [column[0] for column in columns]
    before = columns[: min(map(names.index, drawn))]
    rows = []
    for index, values in enumerate(answer._replace(rows=answer.rows[:DRAWN]).by_column()):
        label = " · ".join(column[index + 1] for column in before)
        if len(label) > LONGEST_LABEL:
            label = f"{label[: LONGEST_LABEL - 14]}… {label[-12:]}"
        inside = []
        for shape, name in enumerate(drawn):
            low, high = (_number(values.get(name + end)) for end in ENDS)
            shown = columns[names.index(name)][index + 1]
            if (value := _number(values[name])) is not None:
                inside.append(Point(value, f"{label}: {name} {shown}", low, high, shape))
        rows.append((label, inside))
    start = 24.0 + LETTER * max(len(label) for label, _ in rows)
    summary = "Each row of the picture is a row of the table, each mark a number in it."
    return points(rows, key, listed(drawn), summary, drawn, start, start + ACROSS)


def _number(value: object) -> float | None:
    """A number, or nothing for null and what is infinite or no number."""
    number = float(value) if isinstance(value, (int, float, Decimal)) else math.nan
    return number if math.isfinite(number) else None


def answer_csv(answer: Answer) -> str:
    """Comma-separated values; null is an empty field."""
    answer = _visible(answer)
    return comma_separated([map(cell, answer.columns), *(map(_field, row) for row in answer.rows)])


def _visible(answer: Answer) -> Answer:
    """Without what is for sentences alone."""
    places = [at for at, name in enumerate(answer.columns) if not name.startswith(HIDDEN)]
    rows = [tuple(row[at] for at in places) for row in answer.rows]
    return Answer(tuple(answer.columns[at] for at in places), rows)


def answer_document(answer: Answer) -> list[dict[str, object]]:
    """A list of objects, one a row; numbers are text in a column where one is too large for
    JavaScript, as those of matches are.

    Raises `InvalidQuery` if two columns have one name.
    """
    answer = _visible(answer)
    twice = [name for name, count in Counter(answer.columns).items() if count > 1]
    if twice:
        raise InvalidQuery(f"expected one column {twice[0]!r}, found several; name them with `as`")
    large = {
        place
        for row in answer.rows
        for place, value in enumerate(row)
        if isinstance(value, int) and abs(value) > LARGEST_EXACT
    }
    rows = [
        tuple(
            str(value_) if place in large and value_ is not None else _json(value_)
            for place, value_ in enumerate(row)
        )
        for row in answer.rows
    ]
    return answer._replace(rows=rows).by_column()


def views_answer() -> Answer:
    """The views and their columns as rows."""
    return Answer(
        ("view", "column", "what it holds"),
        [
            (name, column, words)
            for name, view in VIEWS.items()
            for column, (_, words) in view.columns.items()
        ],
    )


def views_text(tables: Sequence[str]) -> str:
    """The same to be read, the questions that have a name, and the names of the tables."""
    return text(_views(tables))


def _views(tables: Sequence[str]) -> Blocks:
    for name, view in VIEWS.items():
        columns = [Line("", column, words) for column, (_, words) in view.columns.items()]
        yield Rows(f"{name}: {view.row}", columns)
    questions = [Line("", name, question.title) for name, question in QUESTIONS.items()]
    yield Rows("Questions that have a name, which is enough to ask one:", questions)
    described = "`describe NAME` lists the columns of a table or view with their types."
    yield Sentences([f"The tables themselves: {', '.join(tables)}. {described}"])


def _field(value: object) -> object:
    """A field that no spreadsheet takes for a formula, which a negative number is not."""
    if value is None or isinstance(value, (int, float, Decimal)):
        return "" if value is None else _plain(value)
    return cell(_plain(value))


def cells(answer: Answer) -> tuple[list[list[str]], list[int]]:
    """Columns of text with their names, and which of them are numbers; an interval is beside its
    value."""
    columns: list[list[str]] = []
    right = []
    names = answer.columns
    ends = {name + end for name in names for end in ENDS}
    for index, name in enumerate(names):
        if name in ends or name.startswith(HIDDEN):
            continue
        values = [row[index] for row in answer.rows]
        present = [value for value in values if value is not None]
        if present and all(
            isinstance(value, (int, float, Decimal)) and not isinstance(value, bool)
            for value in present
        ):
            right.append(len(columns))
        decimals = _decimals([value for value in present if isinstance(value, float)])
        shown = [_shown(value, decimals) for value in values]
        if {name + end for end in ENDS} <= {*names}:
            places = [names.index(name + end) for end in ENDS]
            for at, row in enumerate(answer.rows):
                low, high = (_shown(row[place], decimals) for place in places)
                shown[at] += f" ({low} to {high})" if row[places[0]] is not None else ""
        columns.append([one_line(name), *shown])
    return columns, right


def _decimals(values: Sequence[float]) -> int:
    """As few as show all values, at most `DECIMALS`."""
    return next(
        (
            count
            for count in range(DECIMALS)
            if all(round(value, count) == value for value in values)
        ),
        DECIMALS,
    )


def _shown(value: object, decimals: int) -> str:
    if value is None:
        return NO_FIGURE
    return (
        f"{round(value, decimals) + 0.0:.{decimals}f}"
        if isinstance(value, float)
        else one_line(str(_plain(value)))
    )


def _plain(value: object) -> object:
    """A value of Python as DuckDB writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return repr(value)
    return value.isoformat(" ") if isinstance(value, datetime.datetime) else value


def _json(value: object) -> object:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (float, Decimal)):
        number = float(value)
        return number if abs(number) < float("inf") else None
    if isinstance(value, Mapping):
        return {str(key): _json(entry) for key, entry in value.items()}
    return [_json(entry) for entry in value] if isinstance(value, (list, tuple)) else str(value)


# -- the pages of players --------------------------------------------------------------------------

MATCHES = "matches"
"""The folder of the pages of single matches."""
PREPARED = {
    "player_matches": "*",
    "player_games": "match, person, once, fully_analysed, analysis, rated_error, decisions_counted",
    "player_decisions": "match, person, once, fully_analysed, analysis, game, kind, phase, away, "
    "opponent_away, error, counted, analysed",
}
"""Of these views what the questions to a player ask, computed once for all players."""
MATCHES_PLAYED = """
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
    `MissingPackage` without DuckDB.
    """
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


@dataclass
class _Pages:
    """Makes the pages from an archive and the files it was made of."""

    database: duckdb.DuckDBPyConnection
    sources: Mapping[str, _Source]
    aliases: Aliases
    folder: str
    tongue: str
    left_out: list[FileLeftOver] = field(default_factory=list)
    links: dict[Any, str] = field(default_factory=dict)
    """By match that was played its page."""

    def every(
        self, paths: Sequence[str], player: str | None, progress: Progress, **options: Any
    ) -> Iterator[Output]:
        """Every page, the index at last."""
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
            for played, files in groupby(self._rows(MATCHES_PLAYED, person, person), itemgetter(0))
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

    def _player(self, person: str, index: str = "") -> Blocks:
        """What the answers say, then the answers."""
        study = Study({name: self._answer(name) for name in PLAYER})
        headline, *rest = study_blocks(study, title=person, most=None, links=self.links)
        yield headline
        yield from [Sentences([Marked("All players", link=index)])] if index else []
        yield from rest
        yield from self._end()

    def _index(self, names: Mapping[str, str]) -> Blocks:
        """Every player, with a link to the page."""
        ((number,),) = self._rows("select count(distinct played) from player_matches")
        matches = plural(number, "match", "matches")
        yield Title(f"{plural(len(names), 'player')} in {matches}")
        answer = self._answer("players")
        rated = [str(row[0]) for row in answer.rows]
        yield from table(answer, links=names)
        rest = [Marked(person, link=names[person]) for person in names if person not in rated]
        yield from [Bullets(rest, "Without a complete analysis")] if rest else []
        yield from self._end()

    def _end(self) -> Blocks:
        yield Sentences([NOTE])
        if lost := self._unread():
            yield Bullets(lost, "Left out")
