"""Corpora made of a few rows, for what no real archive has: names cut in two ways, players on other
seats, days far apart."""

from collections.abc import Sequence
from hashlib import sha256
from types import MappingProxyType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from reconcile.corpus.rows import name_persons
from reconcile.corpus.run import Corpus
from reconcile.corpus.tables import VIEWS, schemas
from reconcile.match.names import NO_ALIASES

RULES = ("xg", "gnubg", "bgblitz")
Row = dict[str, Any]


def corpus_of(folder, **rows):
    """Write the tables of these rows."""
    folder.mkdir(parents=True, exist_ok=True)
    with duckdb.connect() as database:
        fill(database, NO_ALIASES, **rows)
        named = database.sql("select * from named order by match, seat").to_arrow_table()
    written = {}
    for name, table in _tables(**rows, persons=named.to_pylist()):
        pq.write_table(table, folder / f"{name}.parquet")
        digest = sha256((folder / f"{name}.parquet").read_bytes()).hexdigest()
        written[name] = {f"{name}.parquet": digest}
    number = len(rows.get("matches", ()))
    return Corpus(folder, RULES, number, number, number, 0, 0, 0, written)


def _tables(**rows):
    """Every table with its name; columns that a row leaves out are null."""
    for name, schema in schemas(RULES).items():
        whole = (
            {field.name: row.get(field.name) for field in schema} for row in rows.get(name, ())
        )
        yield name, pa.Table.from_pylist([*whole], schema)


def fill(database, aliases, **rows):
    """Let the tables of a database be those of these rows, and say who is who."""
    for name, table in _tables(**rows):
        if name not in VIEWS:
            database.register(f"{name}_made_by_hand", table)
            database.execute(f"create or replace view {name} as from {name}_made_by_hand")
    database.execute("drop view if exists named")
    name_persons(database, aliases)


def match_row(number, tool, players, *, same_as=None, **more):
    """A row of `matches`: a finished, analysed match to 7 points, the same as another if `same_as`
    says so."""
    first = number if same_as is None else same_as
    row = {
        "match": number,
        "file": f"{number}.file",
        "match_id": f"t{first}",
        "rolls": f"t{first}",
        "same_as": first,
        "tool": tool,
        "length": 7,
    }
    row |= {
        "player0": players[0],
        "player1": players[1],
        "complete": True,
        "analysed": 100,
        "expected": 100,
        "fully_analysed": True,
    }
    return row | more


def player_rows(
    number,
    players,
    lost=(1.0, 1.0),
    decisions=50,
    **more,
):
    """Rows of `players` under every rule set: the equity that each lost in so many decisions."""
    return [
        {
            "match": number,
            "seat": seat,
            "name": name,
            "rules": rules,
            "decisions_counted": decisions,
            "moves_both": 2 * decisions,
            "rated_error": lost[seat],
            "equity_error_total": lost[seat],
            "pr": 500 * lost[seat] / decisions if decisions else None,
            "checker_analysed": decisions,
            "cube_analysed": 0,
            **more,
        }
        for rules in RULES
        for seat, name in enumerate(players)
    ]


def decision_row(
    number,
    turn,
    seat,
    errors,
    *,
    kind="play",
    **more,
):
    """A counted row of `decisions` in game 1, its error under all rule sets or each."""
    by_rules = errors if isinstance(errors, Sequence) else (errors,) * len(RULES)
    row = {
        "match": number,
        "game": 1,
        "turn": turn,
        "seat": seat,
        "kind": kind,
        "analysed": True,
        "phase": "contact",
        "cube": 1,
    }
    for name, error in zip(RULES, by_rules, strict=True):
        row |= {f"counted_{name}": True, f"error_{name}": error}
    return row | more


def analysis(
    tool="eXtreme Gammon",
    names=("Ann", "Ben"),
    lost=(1.0, 1.0),
    counted=50,
    *,
    same_as=None,
    first=0,
    winner=None,
    figures=({}, {}),
    rates=MappingProxyType({}),
    changes=(),
    decisions=None,
    **match,
):
    """A match for `rows_of`: the equity that each player lost in so many decisions, who rolled
    first and who won; what the rows of `players` have besides by seat, PRs by rule set, what is
    changed in those that have the same of `rules` and `seat`, and decisions, each as the arguments
    of `decision_row`, by default a play of each player."""
    rolled = [{"turn": turn + 1, "seat": abs(first - turn), "errors": 0.1} for turn in (0, 1)]
    players = [
        row
        | figures[row["seat"]]
        | ({"pr": rates[row["rules"]][row["seat"]]} if row["rules"] in rates else {})
        for row in player_rows(0, names, lost, counted)
    ]
    for change in changes:
        for row in players:
            same = all(change.get(key, row[key]) == row[key] for key in ("rules", "seat"))
            row |= change if same else {}
    return {
        "match": {"tool": tool, "players": names, "same_as": same_as, **match},
        "players": players,
        "decisions": rolled if decisions is None else decisions,
        "winner": winner,
    }


def _won(seat, winner):
    return {} if winner is None else {"won": 7 * (seat == winner)}


def rows_of(*analyses):
    """The rows of such analyses, numbered from 0, by table."""
    numbered = [*enumerate(analyses)]
    return {
        "matches": [match_row(number, **each["match"]) for number, each in numbered],
        "players": [
            row | {"match": number} for number, each in numbered for row in each["players"]
        ],
        "decisions": [
            decision_row(number, **row) for number, each in numbered for row in each["decisions"]
        ],
        "games": [
            row | {"match": number, "game": 1} | _won(row["seat"], each["winner"])
            for number, each in numbered
            for row in each["players"]
        ],
    }
