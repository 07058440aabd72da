"""The tables of an archive in DuckDB: one statement that reads, within limits of time and
memory.

Questions to an archive by name (`questions.yaml`), and their answers: what a report, a player's
page and `corpus-query` ask.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from reconcile.corpus.rows import name_persons
from reconcile.corpus.run import Corpus, statements
from reconcile.corpus.tables import NAMED, VIEWS, in_sql, macros, schemas
from reconcile.corpus.work import literal, view_of
from reconcile.errors import InvalidConfiguration, InvalidQuery, MissingPackage, ReconcileError
from reconcile.files.limits import LARGEST_ANSWER, MOST_ROWS
from reconcile.files.processes import Program, TooLate
from reconcile.files.yaml_file import read_tree
from reconcile.gap.folders import person_named
from reconcile.match.names import NO_ALIASES, Aliases

if TYPE_CHECKING:
    import duckdb


THREADS = 1
"""A single thread sums in a fixed order, so the same tables give the same digits."""
MEMORY = 1.0
"""What a question or a study may use of the memory, GB."""
DUCKDB_SHARE = 0.7
"""The share of it that DuckDB may use beside Python and its packages; the rest of a large answer is
on the disk."""
SETTINGS = {
    "max_temp_directory_size": "20GB",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "python_enable_replacements": "false",
}
"""What it may use of the disk; and nothing is downloaded, nor taken from Python."""
OUT_OF_MEMORY = "DuckDB: Out of Memory Error: ask for less, or allow more with --memory"
MOST_BYTES = 2 * LARGEST_ANSWER + 200 * MOST_ROWS
"""Of an answer between two processes."""
ENDS = ("_low", "_high")
"""What the columns of an interval end with."""
PIECE = 1000
"""Rows that are counted at once."""
PIVOTED = re.compile(r"\s*(?:pivot|pivot_wider|select|from|with)(?!\w)", re.IGNORECASE)
"""How a statement begins that DuckDB carries out in steps because the columns of a `pivot` are
not known before."""


@contextmanager
def opened(
    corpus: Corpus,
    aliases: Aliases,
    *,
    threads: int = THREADS,
    memory: float = MEMORY,
    also: Sequence[Corpus] = (),
) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with every table, the persons by these aliases, and `VIEWS`; it can read these
    tables and no other file, and is closed in the end. With other archives `also` the tables are
    those of all, a match that several have once.

    Raises `MissingPackage` without DuckDB, and `InvalidConfiguration` where a table cannot be
    read or has changed since it was made, and for archives of other rule sets.
    """
    from pyarrow import ArrowException

    try:
        import duckdb
    except ImportError:
        raise MissingPackage(
            "the tables of a corpus need duckdb, which is not installed; pip install "
            "'gammon-reconcile[corpus]'"
        ) from None
    _check([corpus, *also])
    limits = {"threads": str(threads), "memory_limit": f"{DUCKDB_SHARE * memory:.3f}GB"}
    with TemporaryDirectory(prefix="reconcile-") as folder:
        settings = {**SETTINGS, **limits, "temp_directory": folder}
        try:
            with duckdb.connect(config=settings) as database:  # type: ignore[arg-type]
                _prepare(database, [corpus, *also], aliases)
                yield database
        except (duckdb.Error, ArrowException) as error:
            text = " ".join(str(error).split())[:200]
            raise InvalidConfiguration(
                f"the tables cannot be read: {text}; make the corpus again", corpus.folder
            ) from None


def _prepare(
    database: duckdb.DuckDBPyConnection, corpora: Sequence[Corpus], aliases: Aliases
) -> None:
    """Create the tables, persons, macros and views; nothing else can be read afterwards."""
    allowed = [path for each in corpora for path in _paths(each)]
    database.execute("set allowed_paths = ?", [allowed])
    _tables(database, corpora)
    database.execute("set enable_external_access = false")
    if len(corpora) > 1 or aliases.players or aliases.namesakes:
        name_persons(database, aliases)
    else:
        database.execute(NAMED)
    rules = corpora[0].rules
    views = [view.statement(name, rules) for name, view in VIEWS.items()]
    for statement in (*macros(rules), *views):
        database.execute(statement)
    # DuckDB would print it among the bytes of an answer that takes some seconds.
    database.execute("set enable_progress_bar = false")
    database.execute("set lock_configuration = true")


def _check(corpora: Sequence[Corpus]) -> None:
    """Raise `InvalidConfiguration` for a table that has changed, or archives of other rule sets."""
    first = corpora[0]
    for each in corpora:
        each.check()
        if each.rules != first.rules:
            expected, found = (", ".join(rules) for rules in (first.rules, each.rules))
            problem = f"expected the rule sets of {first.folder}, {expected}; found {found}"
            raise InvalidConfiguration(f"{problem}; make both with one --rules", each.folder)


def _paths(corpus: Corpus) -> list[str]:
    """The files of an archive that are read, as they are and as patterns."""
    import pyarrow.parquet as pq

    allowed = []
    for name in _read(corpus):
        paths = [str(path) for path in corpus.paths(name)]
        # DuckDB sees that the others are like the first.
        if not pq.read_schema(paths[0]).equals(schemas(corpus.rules)[name]):
            problem = f"expected the columns of the table {name!r}, found others"
            raise InvalidConfiguration(f"{problem}; make the corpus again", paths[0])
        allowed += [*paths, *map(literal, paths)]
    return allowed


def _read(corpus: Corpus) -> set[str]:
    """The names of the tables."""
    return corpus.tables.keys() - VIEWS.keys()


def _tables(database: duckdb.DuckDBPyConnection, corpora: Sequence[Corpus]) -> None:
    """Create a view of every table; of several archives the rows of all, those of a match from the
    first that has it."""
    for name in _read(corpora[0]):
        for number, corpus in enumerate(corpora):
            called = f"{name}_{number}" if len(corpora) > 1 else name
            view_of(database, called, corpus.paths(name))
    if len(corpora) == 1:
        return
    every = {name: _union(name, len(corpora)) for name in _read(corpora[0]) - {"persons"}}
    database.execute(f"create view every as {every.pop('matches')}")
    database.execute(f"create view matches as {statements('several')}")
    owner = "(select match, min(archive) as archive from every group by match)"
    for name, union in every.items():
        of_first = "" if name == "files" else f" semi join {owner} using (match, archive)"
        statement = f"select * exclude (archive) from ({union}){of_first}"  # noqa: S608 (ours)
        database.execute(f"create view {name} as {statement}")


def _union(name: str, number: int) -> str:
    """SQL for the rows of a table in so many archives, with the number of the archive."""
    every = (f"from {name}_{each} select *, {each} as archive" for each in range(number))
    return " union all ".join(f"({rows})" for rows in every)


class Answer(NamedTuple):
    """The answer to a query."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    """Values as DuckDB gives them to Python; `None` for null."""

    def by_column(self) -> list[dict[str, Any]]:
        """The rows, each with its values by column."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


def ask(
    corpus: Corpus,
    sql: str,
    aliases: Aliases = NO_ALIASES,
    *,
    threads: int = THREADS,
    memory: float = MEMORY,
    player: str | None = None,
    also: Sequence[Corpus] = (),
) -> Answer:
    """The answer of the tables and the views to one statement.

    `aliases` are further names of persons, `player` is the one whom the question is about, `also`
    are archives that are asked together with it. The statement cannot write, or read anything
    else. Raises `InvalidQuery` for one that is wrong, not permitted or too much, `UnknownName`, and
    what `opened` raises.
    """
    opening = opened(corpus, aliases, threads=threads, memory=memory, also=also)
    with opening as database, refusals():
        if player is not None:
            persons = database.execute("select distinct person from named").fetchall()
            names = (name for (name,) in persons)
            about(database, person_named(player, names, aliases, [str(corpus.folder)]))
        return answered(database, reading(database, sql))


def about(database: duckdb.DuckDBPyConnection, person: str) -> None:
    """Say whom the questions are about."""
    database.execute(f"set variable player = {in_sql(person)}")


def answered(database: duckdb.DuckDBPyConnection, sql: str) -> Answer:
    """The answer to a statement that only reads; a column of rates is three, bytes are hexadecimal
    digits. Raises `InvalidQuery` for too large a one."""
    cursor = database.execute(sql)
    columns = [(str(column[0]), _is_rate(column[1])) for column in cursor.description or ()]
    rows: list[tuple[object, ...]] = []
    letters = 0
    while piece := cursor.fetchmany(PIECE):
        rows += piece
        cells = (cell for row in piece for cell in row)
        letters += sum(len(cell) for cell in cells if isinstance(cell, (str, bytes, list, dict)))
        if len(rows) > MOST_ROWS or letters > LARGEST_ANSWER:
            most = f"{MOST_ROWS:,} rows and {LARGEST_ANSWER >> 20} MB of text"
            raise InvalidQuery(
                f"expected at most {most}, found more; add a limit, or read the Parquet files "
                f"directly"
            )
    return Answer(
        tuple(name + end for name, is_rate in columns for end in ("", *ENDS) if is_rate or not end),
        [tuple(_expanded(row, columns)) for row in rows],
    )


def _is_rate(kind: duckdb.sqltypes.DuckDBPyType) -> bool:
    """Whether values of this type are a rate with its interval."""
    return kind.id == "struct" and [name for name, _ in kind.children] == ["value", "low", "high"]


def _expanded(row: Sequence[object], columns: Sequence[tuple[str, bool]]) -> Iterator[object]:
    for cell, (_, is_rate) in zip(row, columns, strict=True):
        if is_rate:
            yield from cell.values() if isinstance(cell, dict) else (None, None, None)
        else:
            yield cell.hex() if isinstance(cell, bytes) else cell


def ask_apart(corpus: Corpus, sql: str, timeout: float, aliases: Aliases, **asked: Any) -> Answer:
    """The same by a process of its own, within so many seconds; all that it leaves goes with it."""
    question = pickle.dumps((corpus, sql, aliases, asked))
    # Modules are found where this process finds them, and not in the current folder.
    words = [sys.executable, "-P", "-c", f"from {__name__} import main; main()"]
    with TemporaryDirectory(prefix="reconcile-") as folder:
        places = os.pathsep.join(filter(None, sys.path))
        environment = os.environ | {"TMPDIR": folder, "PYTHONPATH": places}
        with Program(words, questions=[question], most=MOST_BYTES, env=environment) as program:
            program.allow(timeout)
            try:
                content = b"".join(program.output())
            except TooLate:
                raise InvalidQuery(
                    f"expected an answer within {timeout:g} s, found none; "
                    "ask for less, or allow more with --timeout"
                ) from None
    if program.code:  # DuckDB, or the system, ended it
        raise InvalidQuery(OUT_OF_MEMORY)
    answer: Answer | ReconcileError = pickle.loads(content)  # noqa: S301 (from our own process)
    if isinstance(answer, ReconcileError):
        raise answer
    return answer


def main() -> None:
    """Answer the question on standard input, in this process of its own."""
    corpus, sql, aliases, asked = pickle.load(sys.stdin.buffer)  # noqa: S301
    _limit_memory(asked["memory"])
    answer: Answer | ReconcileError
    try:
        answer = ask(corpus, sql, aliases, **asked)
    except ReconcileError as error:
        answer = error
    sys.stdout.buffer.write(pickle.dumps(answer))


def _limit_memory(memory: float) -> None:
    """Let this process reserve at most twice this memory (GB), where the system can see to it.

    DuckDB counts what it holds, but not the text or list that one call of a function makes, nor
    what it reserves and does not use: an ordinary sort on the disk, with several threads, reserves
    nearly as much again.
    """
    if sys.platform == "linux":
        import resource

        import duckdb  # noqa: F401  (what it takes by itself counts for nobody's question)

        used = int(Path("/proc/self/statm").read_text("ascii").split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (used + int(2e9 * memory),) * 2)


@contextmanager
def refusals() -> Iterator[None]:
    """Raise `InvalidQuery` for what DuckDB does not do in the block."""
    import duckdb

    try:
        yield
    except MemoryError:
        raise InvalidQuery(OUT_OF_MEMORY) from None
    except duckdb.Error as error:
        # What comes after an empty line quotes the statement, or advises settings that are fixed
        # here.
        text = " ".join(str(error).partition("\n\n")[0].split())
        raise InvalidQuery(f"DuckDB: {text[:400]}") from None


def reading(database: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The one statement of a text, which only reads. Raises `InvalidQuery`.

    DuckDB says of anything with a `pivot` no more than that it is one, so it must be in a statement
    that begins as one that reads.
    """
    types = [statement.type.name for statement in database.extract_statements(sql)]
    if types == ["SELECT"] or (types == ["MULTI"] and PIVOTED.match(sql)):
        return sql
    if not types:
        raise InvalidQuery(
            "expected a SELECT statement, found none; without an argument, corpus-query lists "
            "what can be asked"
        )
    raise InvalidQuery(
        f"expected one SELECT statement, found {', '.join(types)}; a query only reads"
    )


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question to an archive, and how its answer is shown."""

    title: str
    sql: str
    about: str = ""
    """What the documentation says of it."""
    sentences: tuple[str, ...] = ()
    """What a row says, with its values in braces; one with a value that is unknown is left out."""
    said: int = 1
    """So many rows say them."""
    form: str = "table"
    """`sentences` alone, or a table with a picture: `points` of the columns `drawn`, `course` or
    `scores`."""
    drawn: tuple[str, ...] = ()


_LISTED = read_tree(Path(__file__).with_name("questions.yaml"))
QUESTIONS: Mapping[str, Question] = {
    name: Question(**question) for name, question in _LISTED["questions"].items()
}
REPORT: tuple[str, ...] = tuple(_LISTED["report"])
"""What a report asks, the headline first."""
RECIPES: tuple[str, ...] = tuple(_LISTED["recipes"])
STUDIES: tuple[str, ...] = tuple(_LISTED["studies"])
"""What the documentation shows: questions of players, and longer ones."""
PLAYER: tuple[str, ...] = tuple(_LISTED["player"])
"""What a player's page asks."""


class Study(NamedTuple):
    """The answers to some questions."""

    answers: Mapping[str, Answer]
    """By the name of the question, in order."""


def study(corpus: Corpus, aliases: Aliases, names: Iterable[str] = REPORT) -> Study:
    """Ask an archive what these questions ask. Raises `MissingPackage`, and `InvalidConfiguration`
    for tables that are not a corpus's."""
    with opened(corpus, aliases, threads=THREADS, memory=MEMORY) as database:
        return Study({name: answered(database, QUESTIONS[name].sql) for name in names})


def usual_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """The sizes of the gaps by pair of tools and levels, in the form of the program's own table
    (`gap/usual_gaps.json`). Raises as `study` does."""
    return study(corpus, NO_ALIASES, ["usual"]).answers["usual"].by_column()
