"""Two references to an archive: its tables with the views over them, and the questions that have a
name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from docs.making.markdown import code, coded, fenced, heading, page, table
from reconcile.corpus.query import QUESTIONS, RECIPES, STUDIES
from reconcile.corpus.tables import ABOUT, ANY, VIEWS, described, schemas
from reconcile.match.tools import ANALYSERS

TABLES = """\
What `reconcile corpus` writes, column by column: first the tables, then the views over them, \
which [queries](corpus-sql.md) and [Python](library-packs.md#open-archive) see as well. Each \
table is a folder of a few [Parquet files](corpus.md#interrupting-and-resuming), which \
`archive.json` lists.

Unknown is null, but for the counts of decisions: `decisions_...` counts those that were \
analysed, which are 0 of a transcript; `checker_analysed` and `cube_analysed` say how many \
evaluations there are. `match` joins the tables. The rule sets are those of `--rules`, here the \
default ones; the first two are compared in `questions`."""
ASKED = """\
Questions that people ask about an [archive](corpus.md), each with the name by which \
`corpus-query` asks it and its [SQL](corpus-sql.md), to be changed. A test computes every answer \
a second time.

Rates of several matches are sums over sums: the mean of the PRs of the matches is another \
figure. `getvariable('player')` is the player whom `--player` names; in a DuckDB of your own, \
`set variable player = 'Nora Lindqvist'`. `--player` makes a question about everybody one about \
a player where its SQL says `is_asked`: `reconcile corpus-query archive time --player Nora` is \
your PR by month. `pr_of`, `mean_of`, `percent_of` and the other functions come with the views; \
their intervals are those of [the report](corpus.md#what-the-report-shows). `--html FILE` writes \
a page with what is drawn, and the table."""
HEAD = ("column", "type", "what it holds")


def tables_page() -> str:
    """Every table and every view, with every column."""
    parts = [TABLES]
    for name, schema in schemas(tuple(tool.rules for tool in ANALYSERS.values())).items():
        words = described(schema)
        rows = [(code(field.name), field.type, words[field.name]) for field in schema]
        parts += [
            coded(2, name),
            f"{ABOUT[name][0].upper()}{ABOUT[name][1:]}.",
            table(HEAD, rows),
        ]
    parts += [heading(2, "The views", "views")]
    for name, view in VIEWS.items():
        listed = ((_named(column), text) for column, (_, text) in view.columns.items())
        parts += [heading(3, code(name), f"view-{name}"), view.row, table(HEAD[::2], listed)]
    return page("The tables of an archive", *parts)


def _named(column: str) -> str:
    return "..." if column == ANY else code(column)


def questions_page() -> str:
    """The questions of players, then the longer ones, with their SQL."""
    parts = [ASKED, "## Recipes", *_asked(RECIPES), "## Studies", *_asked(STUDIES)]
    return page("Questions to an archive", *parts)


def _asked(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        question = QUESTIONS[name]
        whom = " --player Nora" * ("person = getvariable('player')" in question.sql)
        drawn = f" Drawn: {', '.join(map(code, question.drawn))}." * bool(question.drawn)
        yield heading(3, question.title, name)
        yield f"`reconcile corpus-query archive {name}{whom}`{drawn}"
        yield question.about
        yield fenced(question.sql, "sql")
