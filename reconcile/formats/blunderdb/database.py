"""A blunderDB database as a file: opened so that nothing in it can be changed or executed, and
queried only with fixed statements.

It is opened read-only and immutable, so reading creates no files beside it; the content of a
write-ahead log is not seen. Views, virtual tables and computed columns in place of blunderDB's
tables are rejected, because they would execute code from the file. Every query is a fixed statement
with bound values and a limit on its rows, and all queries together have a limit on their work.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Self

from reconcile.formats.common import Damaged

KNOWN_SCHEMA = (2, 39)
"""The latest version with a known layout."""
PER_MOVE_ERRORS = (2, 39)
"""From this version on an error belongs to the move, before it to the position, which matches
share."""
CODED_ACTIONS = (2, 31)
"""From this version on actions are numbers and a board is 28 bytes; before, both are text."""
ONE_WINNER_CODE = (2, 26)
"""From this version on a game's winner is 1, -1 or 0, whatever file it was imported from."""

LONGEST_VALUE = 1 << 20
"""Bytes of one value; SQLite rejects longer ones. The analysis itself, which may be long, is never
read."""
CHUNK = 500
"""Values bound to one statement."""
MOST_STEPS = 4_000_000_000
"""Instructions of SQLite's virtual machine for one match, some tens of seconds; a match of an
intact database takes a million."""
STEPS_AT_ONCE = 1_000_000

NEEDED = {
    "metadata": "key value",
    "match": "id player1_name player2_name match_length",
    "game": "id match_id game_number initial_score_1 initial_score_2 winner points_won",
    "move": "id game_id move_number move_type position_id player dice_1 dice_2 checker_move "
    "cube_action",
    "position": "id state",
    "analysis": "position_id",
}
"""The columns of every table."""
ERRORS_OF_MOVES = "decision_error_mp is_close_cube"
ERRORS_OF_POSITIONS = "cube_error best_move_equity_error"
EXPORT_AGAIN = "open it once in a current blunderDB, which upgrades it, and read it again"

RESTORE = "restore it from a copy, or export it again from blunderDB"

FAULTS = (sqlite3.Error, OverflowError, ValueError, MemoryError)
"""What Python's module raises for a damaged file; a SQLite message that quotes damaged bytes causes
a `ValueError`."""

Row = tuple[Any, ...]


class Database:
    """One open database; as a context manager it is closed at the end of the block."""

    def __init__(
        self, path: str, connection: sqlite3.Connection, digest: str, log_left: int
    ) -> None:
        self.connection, self.digest, self.log_left = connection, digest, log_left
        self.begin(path)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_VALUE)
        connection.set_progress_handler(self._spend, STEPS_AT_ONCE)
        self._run("PRAGMA trusted_schema = OFF")
        self._run("PRAGMA query_only = ON")
        self.definitions: dict[str, str] = {}
        self.columns = self._tables()
        self.version_text, self.version = self._schema()
        self._check_columns()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.connection.close()

    def begin(self, path: str) -> None:
        """Start on another part: messages use its name, and the limit of work starts again."""
        self.path, self.budget = path, MOST_STEPS

    def _spend(self) -> int:
        self.budget -= STEPS_AT_ONCE
        return self.budget < 0

    def _run(self, statement: str, values: Sequence[Any] = ()) -> list[Row]:
        try:
            return self.connection.execute(statement, values).fetchall()
        except FAULTS as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> Damaged:
        if self.budget < 0:
            seconds = "a match that can be read in seconds"
            return Damaged(f"expected {seconds}, found a database that takes far longer")
        return _fault(error)

    def ask(self, statement: str, values: Sequence[Any], most: int, noun: str) -> list[Row]:
        """The rows of a fixed statement. Raises `Damaged` if there are more than `most`."""
        rows = self._run(f"{statement} LIMIT {most + 1}", values)
        if len(rows) > most:
            raise Damaged(f"expected at most {most} {noun}, found more")
        return rows

    def ask_about(self, statement: str, values: Iterable[int]) -> Iterator[Row]:
        """The rows of a statement with `IN ({})` for many values."""
        wanted = sorted(set(values))
        for start in range(0, len(wanted), CHUNK):
            part = wanted[start : start + CHUNK]
            yield from self.ask(
                statement.format(",".join("?" * len(part))),
                part,
                len(part),
                "rows, one for each position",
            )

    def each(self, statement: str) -> Iterator[Row]:
        """The rows of a fixed statement one by one."""
        try:
            yield from self.connection.execute(statement)
        except FAULTS as error:
            raise self._broken(error) from None

    def has(self, table: str, column: str) -> bool:
        """Whether a table has a column."""
        return column in self.columns.get(table, ())

    def select(
        self, table: str, needed: Sequence[str], optional: Sequence[str], rest: str = ""
    ) -> str:
        """A statement for columns of a table; NULL for an optional column that the table lacks. No
        text comes from the file."""
        columns = (*needed, *(name if self.has(table, name) else "NULL" for name in optional))
        return f"SELECT {', '.join(columns)} FROM {table} {rest}"  # noqa: S608

    @property
    def errors_of_moves(self) -> bool:
        """Whether an error belongs to its move and not to its position."""
        return self.version >= PER_MOVE_ERRORS

    @property
    def migrated(self) -> bool:
        """Whether an earlier release created the database: only newly created tables have
        constraints on their columns."""
        return self.version >= KNOWN_SCHEMA and "CHECK" not in self.definitions["position"].upper()

    def _tables(self) -> dict[str, frozenset[str]]:
        read = (*NEEDED, "action_label", "match_equity_table")
        tables = {}
        for name, kind, definition in self._run(
            "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view') LIMIT 10000"
        ):
            if name not in read:
                continue
            if kind == "view" or re.match(r"\s*CREATE\s+VIRTUAL", str(definition), re.I):
                other = "view" if kind == "view" else "virtual table"
                raise Damaged(f"expected a table {name!r}, found a {other}")
            columns = self._run(
                "SELECT name, hidden FROM pragma_table_xinfo(?) LIMIT 1000", (name,)
            )
            if any(hidden for _, hidden in columns):
                raise Damaged(f"expected plain columns in table {name!r}, found computed ones")
            tables[name] = frozenset(str(column) for column, _ in columns)
            self.definitions[name] = str(definition)
        return tables

    def _schema(self) -> tuple[str, tuple[int, ...]]:
        if not {"match", "game", "move", "position"} <= self.columns.keys():
            raise Damaged(
                "expected blunderDB's tables, found a SQLite database of another program",
                "name a database of blunderDB",
            )
        rows = (
            self._run("SELECT value FROM metadata WHERE key = 'database_version' LIMIT 1")
            if self.has("metadata", "value")
            else []
        )
        text = str(rows[0][0]) if rows else ""
        if not re.fullmatch(r"\d{1,4}(\.\d{1,4}){1,3}", text, re.ASCII):
            shown = repr(text[:40]) if rows else "none"
            raise Damaged(
                f"expected the version of its schema under 'database_version', found {shown}",
                EXPORT_AGAIN,
            )
        return text, tuple(map(int, text.split(".")))

    def _check_columns(self) -> None:
        errors = (
            ("move", ERRORS_OF_MOVES) if self.errors_of_moves else ("analysis", ERRORS_OF_POSITIONS)
        )
        for table, columns in (*NEEDED.items(), errors):
            for column in columns.split():
                if not self.has(table, column):
                    lacking = f"column {table}.{column} in schema {self.version_text}"
                    raise Damaged(f"expected {lacking}, found none", EXPORT_AGAIN)


def _words(error: BaseException) -> str:
    text = (
        "its schema cannot be read"
        if isinstance(error, UnicodeDecodeError)
        else str(error) or type(error).__name__
    )
    return "".join(filter(str.isprintable, text))[:200]


def _fault(error: BaseException) -> Damaged:
    return Damaged(f"expected an intact SQLite database, found a fault ({_words(error)})", RESTORE)


def open_file(path: str) -> Database:
    """Open a database file, which the caller closes. Raises `Damaged`."""
    file = Path(path)
    log = file.with_name(f"{file.name}-wal")
    try:
        with file.open("rb") as opened:
            digest = file_digest(opened, "sha256").hexdigest()
        log_left = log.stat().st_size if log.is_file() else 0
        connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
        )
    except (OSError, *FAULTS) as error:
        raise Damaged(f"cannot be read: {_words(error)}", "check the path") from None
    return Database(path, connection, digest, log_left)


def open_bytes(path: str, content: bytes) -> Database:
    """Open the bytes of a database, as from standard input; the caller closes it. Raises
    `Damaged`."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    # The format's two version bytes: a copy in memory has no write-ahead log, and SQLite rejects
    # one that requires it.
    rollback = bytearray(content)
    rollback[18:20] = b"\x01\x01"
    try:
        connection.deserialize(bytes(rollback))
    except BaseException as error:
        connection.close()
        if not isinstance(error, FAULTS):
            raise
        raise _fault(error) from None
    return Database(path, connection, sha256(content).hexdigest(), 0)
