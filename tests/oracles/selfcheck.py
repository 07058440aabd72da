"""Compares gnuBG's own statistics of a file with ours, within what single precision leaves open."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from reconcile.engines.gnubg import scratch
from reconcile.errors import EngineError, NothingToCompare
from reconcile.match.match import Match
from reconcile.match.met import DEFAULT_MET
from reconcile.scoring.gnubg_table import FIBS_BASE, MARKS, GnubgTable
from reconcile.scoring.statistics import roll_gains, statistics

ROUNDING = 2.0**-24
"""Of one addition of chances, in single precision."""
RELATIVE = 1e-6
"""Of sums with one sign, and of rates: 17 roundings. On Debian 12 no sum of a fresh match differs,
and rates, which we divide in double precision, by less than three."""


def slacks(table, seat, game):
    """How far figures of a player with signed parts may be apart, by gnuBG's name or the last part
    of it; infinite at a pole.

    Units are those of the figures: match winning chance (points in money play), rating points.
    The match is `game` `None`.
    """
    games, counts = table.games if game is None else 1, table.counts.of(game)
    own, other = (
        sum(counts[f"rolls {mark}"][of_seat] for mark in MARKS) for of_seat in (seat, 1 - seat)
    )
    unit = ROUNDING * _scale(table)
    differences = {
        "luck-cost": own * unit,
        "actual-result": games * unit,
        "luck-adjusted-result": (own + other + games) * unit,
        # The rating is 2050 less two losses, of which one can be larger.
        "total": RELATIVE * FIBS_BASE,
    }
    if not table.match.is_money:
        # What a play costs is a difference of two chances.
        differences["moves/error-cost"] = counts["unforced-moves"][seat] * unit
        if game is None:
            # gnuBG takes both players' luck from the result, after adding up each.
            differences["fibs-rating-difference"] = _rating_slack(
                table, seat, (2 * (own + other) + games) * unit
            )
    return differences


def _scale(table):
    """The size of what is added up: 1 for chances; in money play all points that rolls gained or
    lost."""
    if not table.match.is_money:
        return 1.0
    luck = table.match.plays.luck
    gained = roll_gains(table.scored, np.where(table.luck_known, luck, luck.dtype.type(0)))
    return max(1.0, float(np.abs(gained).sum()))


def _rating_slack(table, seat, apart):
    """How far the rating differences of two chances that are this much apart can be from each
    other."""
    chance = 0.5 + float(table.adjusted[:, seat].sum())
    low, high = chance - apart, chance + apart
    if low <= 0 or high >= 1:
        return math.inf
    return 2000 / math.sqrt(table.match.length or 1) * math.log10((1 / low - 1) / (1 / high - 1))


LIMIT = 120.0
"""Seconds; gnuBG reads some 60 MB a second."""
SEATS = ("X", "O")
"""gnuBG's keys of the players, by seat."""
# gnuBG's Python interface gives the first player's marked rolls for both: they are read from its
# printed table. Its cube/error-skill and cube/error-cost are per close or actual cube decision.
ROLLS = {
    "verygood": "very lucky",
    "good": "lucky",
    "bad": "unlucky",
    "verybad": "very unlucky",
}
"""gnuBG's keys of marked rolls and the labels of its printed table; the others are `Rolls
unmarked`."""

_ASCII = bytes(byte if byte < 0x80 else ord("?") for byte in range(256))
_MARK = "reconcile: table "
_SCRIPT = """
import json
gnubg.command("set threads 1")
for player in (0, 1):
    gnubg.command("set player %d human" % player)
{table}
gnubg.command("load match match.sgf")
table = gnubg.match(statistics=1, analysis=0, boards=0)
table = {{"stats": table["stats"], "games": [game["stats"] for game in table["games"]]}}
with open("statistics.json", "w") as file:
    json.dump(table, file)
print("{mark}0")
gnubg.command("show statistics match")
gnubg.command("first game")
for game in range({games}):
    print("{mark}%d" % (game + 1))
    gnubg.command("show statistics game")
    gnubg.command("next game")
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """One figure of gnuBG's table."""

    game: int | None
    """The game's number; null for the match."""
    player: str
    """The name in the file."""
    name: str
    """gnuBG's name, nested parts joined by `/`; equity in EMG, chances and results as fractions."""
    gnubg: float | None
    """gnuBG's number; null if its table has no such figure."""
    ours: float | None
    """Our number; null if our table has no such figure."""
    slack: float = 0.0
    """How far sums may be apart beside a relative bound; infinite at the pole of a logarithm."""

    @property
    def agrees(self):
        """Whether counters are equal, or sums are equal as far as single precision goes."""
        if self.gnubg is None or self.ours is None:
            return self.gnubg == self.ours or self.slack == math.inf
        if isinstance(self.gnubg, int):
            return self.gnubg == self.ours
        return math.isclose(self.gnubg, self.ours, rel_tol=RELATIVE, abs_tol=self.slack)


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file."""

    match: Match
    figures: tuple[Checked, ...]
    """Every figure of the match, then of every game, for both players."""

    @property
    def wrong(self):
        """The figures that differ."""
        return tuple(figure for figure in self.figures if not figure.agrees)


def selfcheck(match, program, *, met=None, timeout=LIMIT):
    """Compare gnuBG's table of a file with ours, both under the match equity table of an XML file,
    or gnuBG's default.

    Raises `NothingToCompare` if it is not analysed, `EngineError`.
    """
    if not match.has_analysis:
        raise NothingToCompare("the match is not analysed, so gnuBG's statistics are empty")
    tables, rolls = _asked(match, program, met, timeout)
    if len(tables["games"]) != len(match.games):
        raise EngineError(
            f"gnuBG {program.version} found {len(tables['games'])} games, we found "
            f"{len(match.games)}"
        )
    table = GnubgTable(statistics(match, "gnubg", DEFAULT_MET if met is None else str(met)))
    figures = []
    for index in (None, *range(len(match.games))):
        theirs = tables["stats"] if index is None else tables["games"][index]
        figures += _checked(table, index, theirs, rolls[0 if index is None else index + 1])
    return CheckedFile(match, tuple(figures))


def _checked(table, index, theirs, marked):
    """The figures of a game, or of the match, of both players."""
    match = table.match
    number = None if index is None else int(match.games.number[index])
    for seat, key in enumerate(SEATS):
        rolls = {f"dice/marked-rolls/{mark}": counts[seat] for mark, counts in marked.items()}
        leaves = dict(leaves_of(theirs[key])) | rolls
        own = dict(leaves_of(table.table(seat, index)))
        slack = slacks(table, seat, index)
        for name in dict.fromkeys((*leaves, *own)):
            allowed = slack.get(name, slack.get(name.rpartition("/")[2], 0.0))
            player = match.players[seat]
            yield Checked(number, player, name, leaves.get(name), own.get(name), allowed)


def _asked(match, program, met, timeout):
    """The nested tables of gnuBG's Python interface, and both players' marked rolls for the
    match and every game."""
    chosen = f'set matchequitytable "{met}"'
    command = "" if met is None else f"gnubg.command({chosen!r})"
    with scratch() as folder:
        # gnuBG cuts names at 31 bytes, within a letter if need be, and its Python interface then
        # crashes. No figure depends on the letter.
        (folder / "match.sgf").write_bytes(match.source.content.translate(_ASCII))
        script = _SCRIPT.format(mark=_MARK, table=command, games=len(match.games))
        printed = program.run(script, folder=folder, timeout=timeout)
        table = json.loads((folder / "statistics.json").read_text("utf-8"))
    rolls = [_rolls(part) for part in printed.split(_MARK)[1:]]
    return table, rolls


def _rolls(printed):
    """Both players' counters of a printed table; none if luck was not computed."""
    leaves = {}
    for mark, words in (
        *((mark, f"marked {word}") for mark, word in ROLLS.items()),
        ("unmarked", "unmarked"),
    ):
        if line := re.search(rf"^Rolls {words} +(\d+) +(\d+) *$", printed, re.MULTILINE):
            leaves[mark] = int(line[1]), int(line[2])
    return leaves


def leaves_of(table, above=""):
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from leaves_of(value, f"{above}{key}/")
        else:
            yield f"{above}{key}", value
