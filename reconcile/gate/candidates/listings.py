"""Statistics and positions as programs print them: blunderDB's tables, our own documents, what gnuBG and XG print.

Positions are copied from XG as text, in English, German, French and Japanese. The words differ, the layout does not: plays are numbered
lines that end in an equity, and a cube decision is three lines in the order no double, take, pass, after the line with the cubeless
equities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from reconcile.errors import At, InvalidConfiguration
from reconcile.formats.printed import Pasted, read_printed_text
from reconcile.formats.printed.text import lines_of, titled
from reconcile.gate.candidates.claims import BOTH, Claim, Stated, StatedPosition, stated
from reconcile.match.board.identifiers import from_xgid
from reconcile.match.tools import ANALYSERS, GNUBG
from reconcile.scoring.metric import Form
from reconcile.scoring.metrics import METRICS

PLAYER_COLUMNS: Final = ("player", "matches", "decisions", "pr")
"""The columns that identify blunderDB's table of players; newer columns come after them."""
PLAYER_FIGURES: Final = {
    "decisions": "decisions.counted",
    "checker_decisions": "decisions.checker",
    "pr": "pr",
    "pr_checker": "checker_pr",
    "pr_cube": "cube_pr",
    "snowie_er": "snowie_er",
}
STATS_KEYS: Final = ("totals", "prglobal", "permatch")
"""Keys that identify blunderDB's statistics, ignoring case and underscores: the command line has PRGlobal, other layers pr_global."""
SEVERAL: Final = "sums over {count} matches; give a listing of one match, a database, or run the program for every match with --candidate-command"


def folded(tree: Mapping[str, object]) -> dict[str, object]:
    """Keys without case and underscores."""
    return {str(key).replace("_", "").lower(): value for key, value in tree.items()}


def is_statistics(tree: object) -> bool:
    """Whether a JSON tree is blunderDB's statistics."""
    return isinstance(tree, dict) and all(key in folded(tree) for key in STATS_KEYS)


def is_player_table(tree: object) -> bool:
    """Whether a JSON tree is blunderDB's table of players."""
    return (
        isinstance(tree, list)
        and bool(tree)
        and all(isinstance(row, dict) and {"name", "matches", "pr"} <= set(row) for row in tree)
    )


def is_own_statistics(tree: object) -> bool:
    """Whether a JSON tree is what `reconcile stats --format json` prints."""
    trees = tree if isinstance(tree, list) else [tree]
    return bool(trees) and all(
        isinstance(one, dict) and {"source", "match", "rules", "players"} <= set(one)
        for one in trees
    )


def statistics_claims(where: At, tree: Mapping[str, object]) -> tuple[Claim, ...]:
    """The one claim of blunderDB's statistics."""
    keys = folded(tree)
    totals = folded(_mapping(where, "Totals", keys["totals"]))
    count = _count(where, "Totals.NumMatches", totals.get("nummatches"))
    decisions = _count(where, "Totals.NumDecisions", totals.get("numdecisions"))
    figures = [stated(where, BOTH, "decisions.counted", decisions)]
    if decisions:
        figures.append(stated(where, BOTH, "pr", keys["prglobal"]))
    # A class without a decision prints a rate of 0, which looks the same as flawless play: a rate of 0 is left out.
    for key, name in (
        ("prchecker", "checker_pr"),
        ("prcube", "cube_pr"),
        ("snowieglobal", "snowie_er"),
    ):
        figures += [stated(where, BOTH, name, keys[key])] if keys.get(key) else []
    if keys.get("mwcavailable") is True:
        for key, name in (("mwcglobal", "total"), ("mwcchecker", "checker")):
            if key in keys:
                figures.append(_percent(where, f"mwc_loss_percent.{name}", keys[key]))
    named = {
        _names(entry.get("playernames"))
        for entry in map(folded, _list_of_mappings(keys.get("topblunders")))
        if entry.get("playernames")
    }
    players = next(iter(named), ()) if len(named) == 1 else ()
    refused = "" if count == 1 else SEVERAL.format(count=count)
    return (Claim(where, tuple(figures), players=players, refused=refused),)


def player_claims(where: At, rows: Sequence[Mapping[str, object]]) -> tuple[Claim, ...]:
    """The claims of blunderDB's table of players: one for both players if it has two rows of one match, otherwise one each."""
    read = [_player(where.under(f"row {number}"), row) for number, row in enumerate(rows, 1)]
    if len(read) == 2 and not any(claim.refused for claim in read):
        return (
            Claim(
                where, read[0].figures + read[1].figures, players=read[0].players + read[1].players
            ),
        )
    return tuple(read)


def _player(where: At, row: Mapping[str, object]) -> Claim:
    name = row.get("player", row.get("name"))
    if not isinstance(name, str) or not name.strip():
        raise InvalidConfiguration(
            "player: expected a name, found nothing; is it blunderDB's table of players?", where
        )
    figures = []
    for key, metric in PLAYER_FIGURES.items():
        if key in row:
            figures.append(
                stated(where.under(key), name, metric, None if row[key] == "" else row[key])
            )
    decisions = {figure.metric: figure.value for figure in figures}
    if not decisions.get("decisions.counted", 1):
        # Without a decision the JSON prints a rate of 0, the CSV an empty cell.
        figures = [figure for figure in figures if METRICS[figure.metric].form is Form.COUNT]
    count = _count(where, "matches", row.get("matches"))
    return Claim(
        where,
        tuple(figures),
        players=(name,),
        refused="" if count == 1 else SEVERAL.format(count=count),
    )


def own_claims(where: At, tree: object) -> tuple[Claim, ...]:
    """The claims of this program's own statistics, one for each file."""
    return tuple(
        _own(where.under(str(number)), one)
        for number, one in enumerate(tree if isinstance(tree, list) else [tree], 1)
    )


def _own(where: At, tree: Mapping[str, object]) -> Claim:
    players = _list_of_mappings(tree["players"])
    match, source = (
        _mapping(where, "match", tree["match"]),
        _mapping(where, "source", tree["source"]),
    )
    figures: list[Stated] = []
    for player in players:
        name = player.get("name")
        if not isinstance(name, str):
            raise InvalidConfiguration(f"players: expected a name, found {name!r}", where)
        for metric in METRICS:
            group, _, key = metric.partition(".")
            part = player.get(group)
            if key and isinstance(part, dict) and key in part:
                figures.append(stated(where, name, metric, part[key]))
            elif not key and group in player:
                figures.append(stated(where, name, metric, part))
    length, tool = match.get("length"), source.get("tool")
    return Claim(
        where,
        tuple(figures),
        players=tuple(str(player["name"]) for player in players),
        length=length if isinstance(length, int) else None,
        tool=tool if isinstance(tool, str) else None,
    )


def _percent(where: At, metric: str, share: object) -> Stated:
    """A share of the match, from 0 to 1, in percentage points."""
    one = stated(where, BOTH, metric, share)
    value = None if one.value is None else 100 * one.value
    return Stated(BOTH, metric, "" if value is None else f"{value:.10g}", value, 100 * one.half)


def _names(text: object) -> tuple[str, ...]:
    """`A vs B`, as blunderDB writes two players."""
    first, found, second = str(text).partition(" vs ")
    return (first, second) if found and first and second else ()


def _mapping(where: At, key: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InvalidConfiguration(
            f"{key}: expected an object, found {type(value).__name__}; is it the right file?", where
        )
    return value


def _list_of_mappings(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _count(where: At, key: str, value: object) -> int:
    try:
        count = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else -1
    except ValueError:
        count = -1
    if count < 0:
        raise InvalidConfiguration(
            f"{key}: expected a whole number, found {str(value)[:60]!r}; is it the right file?",
            where,
        )
    return count


def columns_of_players(header: Iterator[str] | Sequence[str]) -> bool:
    """Whether the columns are those of blunderDB's table of players."""
    return set(PLAYER_COLUMNS) <= set(header)


TOOL_NAMES: Final = {tool.short: tool.name for tool in ANALYSERS.values()}
LENGTH: Final = re.compile(r"\(?(?:match to (\d{1,4}) points?|(\d{1,4}) points? match)\b")
TOTAL_MOVES: Final = re.compile(r"Total moves\s+(\d{1,6})(?:\s+(\d{1,6}))?")


def export_claims(where: At, text: str) -> tuple[Claim, ...]:
    """The claim of a text with gnuBG's or XG's statistics of a match. Raises `InvalidConfiguration` if there are none."""
    titles = titled(text.splitlines()).values()
    if titles and None not in titles:
        raise InvalidConfiguration(
            "expected the statistics of the match, found only those of a game; "
            "give the export of the last game, which ends with both, or put it in the same folder",
            where,
        )
    pasted, lines = read_printed_text(where.name, text), lines_of(text)
    figures, tool = tuple(_stated(pasted, lines)), TOOL_NAMES.get(pasted.program)
    return (
        Claim(
            where,
            figures,
            players=pasted.players,
            length=_length(lines),
            tool=tool,
            kind="export",
            notes=pasted.notes,
        ),
    )


def _stated(pasted: Pasted, lines: list[str]) -> Iterator[Stated]:
    for column, figures in enumerate(pasted.columns):
        player: str | int = pasted.players[column] if column < len(pasted.players) else column
        for one in figures:
            yield Stated(player, one.metric, one.text, one.value, one.half)
    moves = [found for line in lines if (found := TOTAL_MOVES.fullmatch(line.strip()))]
    if pasted.program == GNUBG.short and moves:
        for column, count in enumerate(filter(None, moves[-1].groups())):
            if column < len(pasted.columns):
                yield Stated(
                    pasted.players[column] if column < len(pasted.players) else column,
                    "moves.total",
                    count,
                    float(count),
                    0.0,
                )


def _length(lines: list[str]) -> int | None:
    found = next(filter(None, map(LENGTH.search, lines)), None)
    return int(next(filter(None, found.groups()))) if found else None


XGID: Final = re.compile(r"^[ \t]*XGID=\S+", re.MULTILINE)
_EQUITY = r"([+\-\N{MINUS SIGN}]?\d{1,3}[.,]\d{1,6})"
_VALUE = rf":\s*{_EQUITY}(?:\s+\([^)]*\))?"
_RANKED: Final = re.compile(r"\d{1,3}\.\s+\S.*")
_WORTH: Final = re.compile(rf"\S{{1,10}}{_VALUE}")
_GAP: Final = re.compile(r"\s{2,}")
"""What separates the columns of a play; each pattern is applied to one line or one cell, so that no text makes it slow."""
_MOST_CELLS: Final = 4
"""Cells in which an equity and the difference behind it can be."""
CUBE: Final = re.compile(rf"\s*[^:=\d\s][^:=]{{0,40}}{_VALUE}\s*")
CUBE_LINES: Final = 3
MOST_POSITIONS: Final = 1000


def positions(where: At, text: str) -> tuple[StatedPosition, ...]:
    """The decisions of a text, in order. Raises `InvalidConfiguration` for one that cannot be read."""
    text = "\n".join(lines_of(text)) + "\n"
    starts = [found.start() for found in XGID.finditer(text)]
    if not starts:
        raise InvalidConfiguration(
            "expected an XGID of a decision, found one in a line that is too long; copy the position again",
            where,
        )
    if len(starts) > MOST_POSITIONS:
        raise InvalidConfiguration(
            f"expected at most {MOST_POSITIONS} positions, found {len(starts)}; split the file",
            where,
        )
    parts = [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]
    return tuple(
        _position(where.under(f"position {number}") if len(parts) > 1 else where, part)
        for number, part in enumerate(parts, 1)
    )


def _position(where: At, text: str) -> StatedPosition:
    identifier = text.split(None, 1)[0]
    try:
        situation = from_xgid(identifier)
    except ValueError as error:
        raise InvalidConfiguration(
            f"expected an XGID of a decision: {str(error)[:120]}; copy the position again", where
        ) from None
    lines = text.split("\n")
    plays = [play for line in lines if (play := _play(line))]
    if plays:
        return StatedPosition(where, situation, tuple(plays), None)
    cube = [_number(found[1]) for line in lines if (found := CUBE.fullmatch(line))]
    if len(cube) != CUBE_LINES:
        raise InvalidConfiguration(
            "expected plays with their equities or the three equities of a cube decision, found neither; "
            "copy the position with its analysis",
            where,
        )
    return StatedPosition(where, situation, (), (cube[0], cube[1], cube[2]))


def _play(line: str) -> tuple[str, float] | None:
    """The play and the equity of a line: rank and level, play, equity, in columns."""
    cells = _GAP.split(line.strip())
    if _RANKED.match(cells[0]):
        for size in range(1, min(_MOST_CELLS, len(cells) - 2) + 1):
            if found := _WORTH.fullmatch(" ".join(cells[-size:])):
                return "  ".join(cells[1:-size]), _number(found[1])
    return None


def _number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").replace(",", "."))
