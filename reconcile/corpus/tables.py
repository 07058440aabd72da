"""The tables of a corpus: their columns, types and units, as the documentation shows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import pyarrow as pa

from reconcile.match.board.position import KEY_BYTES
from reconcile.scoring.metrics import METRICS

NAME: Final = pa.string()
PARTS: Final = ("checker", "cube", "luck")


def column_of(metric: str) -> str:
    """The column of a metric: its name with `_` for `.`."""
    return metric.replace(".", "_")


def _described(*columns: tuple[str, pa.DataType, str]) -> list[pa.Field]:
    return [pa.field(name, kind, metadata={"description": text}) for name, kind, text in columns]


def _figures() -> list[pa.Field]:
    fields = []
    for metric in METRICS.values():
        text = f"{metric.title}, {metric.unit}" if metric.unit else metric.title
        fields.append(pa.field(column_of(metric.name), pa.int32() if metric.is_whole else pa.float64(), metadata={"description": text}))
    return fields


_OWNER: Final = _described(
    ("match", pa.int32(), "Row of `matches`, from 0."),
    ("seat", pa.int8(), "0 or 1, as in the file."),
    ("name", pa.string(), "The player's name in the file."),
    ("rules", NAME, "Rule set of the figures."),
)
_SUMS: Final = _described(
    ("moves_both", pa.int32(), "Moves of both players: the denominator of the Snowie error rate."),
    ("rated_error", pa.float64(), "Equity lost times the factor of a one-point match (Q09): the numerator of a pooled PR / 500."),
)
_COMPLETENESS: Final = [
    field
    for part in PARTS
    for field in _described(
        (f"{part}_expected", pa.int32(), f"How many evaluations of the {part} part a full analysis has."),
        (f"{part}_analysed", pa.int32(), "How many this one has."),
    )
]

FILES: Final = pa.schema(
    _described(
        ("file", pa.string(), "Path as given, `archive!member` inside an archive."),
        ("sha256", pa.string(), "SHA-256 of its bytes; null if they could not be read."),
        ("matches", pa.int32(), "Number of matches in it; 0 after an error, and for a text that is not a transcript."),
        ("error", pa.string(), "Why it was not read; null if it was."),
    )
)
MATCHES: Final = pa.schema(
    _described(
        ("match", pa.int32(), "Row of this table, from 0."),
        ("file", pa.string(), "Where it was read; `#ID` is appended for a match in a database."),
        ("sha256", pa.string(), "SHA-256 of the file's bytes."),
        (
            "match_id",
            pa.string(),
            "Digest of length, rolls, plays, cube actions and the players' names without case and accents. Empty without a roll.",
        ),
        (
            "analysis_id",
            pa.string(),
            "Digest of the file's bytes, the match's `#ID` in it, `match_id`, tool, its version and the level: the same in every corpus, "
            "wherever the file is; a copy of a file has that of the file.",
        ),
        ("transcript", pa.string(), "The same without the names: the same for one match from two tools that spell them differently."),
        (
            "rolls",
            pa.string(),
            "A character for every roll and who rolled it, `|` between games: `0` and 12 times the lower die and so on.",
        ),
        (
            "duplicate_of",
            pa.int32(),
            "The match that counts in place of this one: the same, or a near twin, analysed by the same tool at the same depth. Null "
            "if this one counts.",
        ),
        (
            "same_as",
            pa.int32(),
            "The first match of this table that is the same or a near twin, whatever the tool and format; its own row if there is none "
            "before it. `count(distinct same_as)` is the number of matches that were played.",
        ),
        (
            "twin_of",
            pa.int32(),
            "The whole match of which this one is a partial save, or from which it differs by one roll or in plays; null for others.",
        ),
        ("format", NAME, "`xg`, `sgf`, `mat`..."),
        ("tool", NAME, "Program that wrote the file."),
        ("tool_version", NAME, "As stated in the file."),
        ("player0", pa.string(), "Seat 0."),
        ("player1", pa.string(), "Seat 1."),
        ("event", pa.string(), "As stated in the file."),
        ("date", pa.date32(), "The day that the file states, which some tools make the day of the analysis; null if it states none."),
        ("length", pa.int32(), "Points; null for money."),
        ("games", pa.int32(), "Games."),
        ("complete", pa.bool_(), "Whether a player has won the match."),
        ("level_name", pa.string(), "Depth of most evaluations in the tool's own words (`3-ply`, `XG Roller++`); null for none."),
        (
            "lookahead",
            pa.float64(),
            "Plies looked ahead in them, on one scale for all tools; null where the level has no place on it: rollouts, books, BGBlitz.",
        ),
        ("analysed", pa.int32(), "Evaluated checker plays and cube decisions."),
        ("expected", pa.int32(), "How many of them a full analysis has."),
    )
)
_RANGE: Final = _described(
    (
        "pr_low",
        pa.float64(),
        "Lowest PR that the rule set's open answers allow, where they move it by 0.005 or more; null where `pr` is the only one.",
    ),
    ("pr_high", pa.float64(), "Highest, in the same way."),
)
PLAYERS: Final = pa.schema([*_OWNER, *_figures(), *_RANGE, *_SUMS, *_COMPLETENESS])
GAMES: Final = pa.schema(
    [
        *_OWNER,
        *_described(
            ("game", pa.int32(), "Number of the game in the file, from 1."),
            ("won", pa.int32(), "Points this player won in it, including the cube; null without a winner."),
        ),
        *_figures(),
        *_SUMS,
        *_COMPLETENESS,
    ]
)
QUESTIONS: Final = pa.schema(
    [
        *_OWNER[:3],
        *_described(
            ("question", NAME, "The only question that is answered differently."),
            ("from", NAME, "Answer of the first rule set, or its replacement if the file does not support it."),
            ("to", NAME, "Answer of the second."),
            ("pr", pa.float64(), "Change of PR; null if there is no PR before or after."),
            ("decisions", pa.int32(), "Change of the number of counted decisions."),
        ),
    ]
)


def decisions_schema(rules: Sequence[str]) -> pa.Schema:
    """The table of decisions: every roll, cube action with access, response and resignation."""
    fixed = _described(
        ("match", pa.int32(), "Row of `matches`."),
        ("game", pa.int32(), "Number of the game, from 1."),
        ("turn", pa.int32(), "Turn in the game, from 1; a resignation comes after the last."),
        ("seat", pa.int8(), "Who decides."),
        ("kind", NAME, "`play`, `no-double`, `double`, `take`, `pass`, `beaver`, `resign`, `accept-resign`."),
        ("die1", pa.int8(), "Null for a cube decision."),
        ("die2", pa.int8(), "Null for a cube decision."),
        ("cube", pa.int32(), "Value of the cube before the decision."),
        (
            "phase",
            NAME,
            "`opening` (turns 1 to 6 of the game, while there is contact), `contact`, `race` (no contact any more), `bear-off` (a race "
            "with all of the decider's checkers home); null for resignations.",
        ),
        ("away", pa.int16(), "Points that the decider needs before the game; null for money."),
        ("opponent_away", pa.int16(), "The same of the opponent."),
        ("analysed", pa.bool_(), "Whether the tool evaluated it."),
        ("luck", pa.float64(), "Equity gained by the roll, EMG; null if not computed."),
        (
            "position",
            pa.binary(KEY_BYTES),
            "The ten bytes of gnuBG's Position ID in the decider's view: `rtrim(to_base64(position), '=')` is that ID. Null for "
            "resignations and for positions that cannot be, as in a damaged game.",
        ),
        (
            "xgid",
            pa.string(),
            "The situation, as XG writes it. This and the next two only where the error is 0.02 or more under one of the rule sets, else "
            "null; null also for what XGIDs cannot describe.",
        ),
        ("action", pa.string(), "What was done: `8/5 6/5`, `no double`, `double`, `take`, `pass`, `beaver`."),
        ("best", pa.string(), "The tool's best action; null where the file has none."),
    )
    for name in rules:
        column = name.replace("-", "_")
        fixed += _described(
            (f"counted_{column}", pa.bool_(), f"Whether it counts under `{name}`."),
            (f"error_{column}", pa.float64(), "Equity lost, EMG; null if not analysed."),
            (f"loss_{column}", pa.float64(), "Match winning chance lost, percentage points; null if not analysed, and for money."),
        )
    return pa.schema(fixed)


def schemas(rules: Sequence[str]) -> dict[str, pa.Schema]:
    """The tables with rows of matches, in the order they have in a part."""
    return {"matches": MATCHES, "players": PLAYERS, "games": GAMES, "questions": QUESTIONS, "decisions": decisions_schema(rules)}


@lru_cache(maxsize=8)
def bare(rules: tuple[str, ...]) -> dict[str, pa.Schema]:
    """The same without the descriptions, which a part need not repeat."""
    return {name: pa.schema([pa.field(one.name, one.type) for one in schema]) for name, schema in schemas(rules).items()}
