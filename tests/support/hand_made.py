"""Matches, columns and cube views made by hand, with one decision in them, so that a test changes
only what it is about."""

from dataclasses import replace

import numpy as np

from reconcile.match.board.position import START
from reconcile.match.columns import Cubes, Games, Kind, Plays, Resignations, Validity
from reconcile.match.match import Match, Rules, Source
from reconcile.match.met import load_met
from reconcile.rules.rulesets import rule_set
from reconcile.scoring.score import score
from tests.support.tables import beside

NAN = float("nan")


USUAL = beside(__file__)


def columns(name, rows, changes, **more):
    """The columns of a table as they usually are; what is given overrules."""
    table = {}
    for column, value in (USUAL[name] | more).items():
        usual = np.array(value)
        table[column] = np.full((rows, *usual.shape), usual)
        if changes.get(column) is not None:
            table[column] = np.array(changes[column], usual.dtype)
    return table


def plays(rows=1, **changes):
    """Opening 31s of seat 0, ten of the sixteen legal plays kept, an error of 0.1, no flag."""
    # No column of numbers: every play has steps of its own.
    own = list(changes.get("play", [()] * rows))
    return Plays(rows, columns("plays", rows, changes, position=START) | {"play": own})


def cubes(rows=1, **changes):
    """No-doubles of seat 0 in the first game, worth 0.5 against 0.4 after a double."""
    return Cubes(rows, columns("cubes", rows, changes, position=START))


def resignations(*errors):
    """Errors of resigning of seat 0."""
    rows = len(errors)
    return Resignations(rows, columns("resignations", rows, {"stored_error": errors}))


def match_of(
    own_plays=None,
    cube=None,
    *resigned,
    length=7,
    tool="eXtreme Gammon",
):
    """One unfinished game between Ann and Ben with these plays, cube decisions and errors of
    resigning."""
    return Match(
        source=Source("by hand", "xg", tool, None),
        length=length,
        players=("Ann", "Ben"),
        rules=Rules(),
        games=Games(1, columns("games", 1, {})),
        plays=plays(0) if own_plays is None else own_plays,
        cubes=cubes(0) if cube is None else cube,
        resignations=resignations(*resigned),
        cube_unit="emg",
        levels=(),
        complete=False,
    )


def of_games(match, count, **columns):
    """The match with its only game so many times, and with these columns of games."""
    games = {name: np.repeat(getattr(match.games, name), count, axis=0) for name in Games.names()}
    return replace(match, games=Games(count, games | columns))


def switched(code, answer, base="xg"):
    """A rule set with one answer changed."""
    return rule_set(base).switched(code, answer)


def judged(match, code, answer, base="xg"):
    """The match scored with one answer changed."""
    return score(match, switched(code, answer, base), load_met("Kazaross-XG2"))


def match_from(case):
    """A match from data: columns of `plays` and `cubes` (a value for all rows, or a list), errors
    of `resigned`, and what the only game, or its file, has in another way."""
    tables = {}
    for name, make in (("plays", plays), ("cubes", cubes)):
        columns = dict(case.get(name, {"rows": 0}))
        rows, single = columns.pop("rows", 1), columns.pop("single", ())
        rows = max([rows, *(len(value) for value in columns.values() if isinstance(value, list))])
        if make is plays:
            columns.setdefault("turn", list(range(1, rows + 1)))
        table = make(rows, **{key: _values(key, value, rows) for key, value in columns.items()})
        narrow = {key: getattr(table, key).astype(np.float32) for key in single}
        tables[name] = table.replaced(**narrow) if single else table
    length, tool = case.get("length", 7), case.get("tool", "eXtreme Gammon")
    resigned = case.get("resigned", ())
    match = match_of(tables["plays"], tables["cubes"], *resigned, length=length, tool=tool)
    games = {name: np.array([value]) for name, value in case.get("game", {}).items()}
    finished = replace(match, games=match.games.replaced(**games), complete="game" in case)
    return finished if games else match


def _values(name, value, rows):
    values = value if isinstance(value, list) else [value] * rows
    named = {"kind": Kind, "validity": Validity}.get(name)
    return [named[each] for each in values] if named else values


def ruled(words):
    """Rules from words: `xg`, or `xg Q13=none` with other answers."""
    name, *changes = words.split()
    rules = rule_set(name)
    for change in changes:
        rules = rules.switched(*change.split("="))
    return rules
