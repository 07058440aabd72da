"""How the error rates of the programs compare, measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from docs.making import public
from docs.making.markdown import code, number, page, table
from docs.making.pack import bundled, scored

MANUAL: Final = 1.4
"""gnuBG's manual, 'Overall rating': its rate is said to be so many times Snowie's on average."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """The rates of one player in one file."""

    file: str
    player: str
    gnubg: float
    """Milli-EMG per counted decision, rule set `gnubg`."""
    snowie: float
    """Milli-EMG per move of both players."""
    pr: float
    """Rule set `xg`."""
    decisions: tuple[int, int]
    """Counted under `gnubg` and under `xg`."""
    moves: int
    """Of both players."""

    @property
    def to_snowie(self) -> float:
        """gnuBG's rate over Snowie's."""
        return self.gnubg / self.snowie

    @property
    def to_gnubg(self) -> float:
        """XG's PR over gnuBG's rate."""
        return self.pr / self.gnubg


def bundled_ratios() -> list[Ratio]:
    """Every player of every bundled file, both rule sets over the same analysis."""
    found = []
    for one in bundled():
        both, xg = scored(one, "gnubg"), scored(one, "xg")
        moves = sum(int(both.figures(seat)["moves.total"] or 0) for seat in (0, 1))
        for seat, player in enumerate(one.match.players):
            theirs, ours = both.figures(seat), xg.figures(seat)
            rates = theirs["error_rate_memg"], theirs["snowie_memg"], ours["pr"]
            counted = int(theirs["decisions.counted"] or 0), int(ours["decisions.counted"] or 0)
            gnubg, snowie, pr = (float(rate or 0) for rate in rates)
            if gnubg and snowie:
                found.append(Ratio(one.name, player, gnubg, snowie, pr, counted, moves))
    return found


def public_ratios() -> list[Ratio]:
    """The same for the public files, from their measurements."""
    return [
        Ratio(
            file,
            player["name"],
            player["error_rate_memg"],
            player["snowie_memg"],
            player["pr"],
            (player["decisions_gnubg"], player["decisions_xg"]),
            player["moves_of_both"],
        )
        for file, measured in public.measured().items()
        for player in measured["players"]
        if measured["complete_analysis"]
    ]


def _table(ratios: Sequence[Ratio]) -> str:
    rows = (
        (
            code(one.file),
            one.player,
            number(one.gnubg, 2),
            number(one.snowie, 2),
            number(one.to_snowie, 3),
            f"{one.moves} / {one.decisions[0]}",
            number(one.pr, 2),
            number(one.to_gnubg, 3),
            f"{one.decisions[0]} / {one.decisions[1]}",
        )
        for one in ratios
    )
    head = [
        "file",
        "player",
        "gnuBG",
        "Snowie",
        "gnuBG : Snowie",
        "moves / decisions",
        "PR",
        "PR : gnuBG",
        "decisions gnuBG / XG",
    ]
    return table(head, rows, "llrrrrrrr")


def _span(ratios: Sequence[Ratio]) -> str:
    rows = []
    for title, values in (
        ("gnuBG's rate to Snowie's", [one.to_snowie for one in ratios]),
        ("XG's PR to gnuBG's rate", [one.to_gnubg for one in ratios]),
    ):
        rows.append(
            (
                title,
                number(min(values), 3),
                number(median(values), 3),
                number(max(values), 3),
                len(values),
            )
        )
    return table(["ratio", "smallest", "median", "largest", "players"], rows, "lrrrr")


def ratios_page() -> str:
    """The page of measured ratios."""
    ours, real = bundled_ratios(), public_ratios()
    below = sum(one.to_snowie <= MANUAL for one in [*ours, *real])
    everyone = len(ours) + len(real)
    return page(
        "How the rates compare",
        "A gnuBG error rate, a Snowie error rate and an XG PR of the same match are three different numbers. gnuBG's is roughly twice "
        "Snowie's, "
        "and XG's PR is roughly half of gnuBG's. No factor converts one into another: each match and each player has its own.",
        "## Why",
        "gnuBG's rate is 1000 times the equity lost, divided by the player's own counted decisions. Snowie's, as gnuBG prints it, is "
        "1000 times "
        "the same equity, divided by the moves of **both** players, forced moves and dances included. The equity cancels, which leaves:",
        "> gnuBG : Snowie = moves of both players / counted decisions of the player",
        "A player with few decisions (many forced moves, no cube) has a high ratio, one with many close cube decisions a low "
        "one. How "
        "large the errors are does not matter. Likewise XG's PR over gnuBG's rate is half of gnuBG's count over XG's, as long as both "
        "score the same errors ([Q08](questions/Q08.md), [Q01](questions/Q01.md), [Q02](questions/Q02.md)).",
        "gnuBG's manual says that gnuBG's rate is on average 1.4 times Snowie's, after an investigation of about 300 matches. Snowie 4 "
        "itself was not "
        "available here, so the measurements use the formula that gnuBG prints as Snowie's. "
        f"On these files {'no player' if not below else f'{below} of {everyone} players'} {'has' if below < 2 else 'have'} a ratio of "
        f"1.4 or less.",
        "## The bundled reference matches",
        "Both rule sets over the same analysis, that of the file. An SGF has no mark of plays that do not count, so rule set `xg` uses "
        "`xg-spread` on it. The matches were played by gnuBG with noise, the one of Ann and Ben with doubles, takes and passes edited in; "
        "the `.xg` of the demonstration pair is synthetic (a gnuBG analysis).",
        _table(ours),
        _span(ours),
        "## Public matches",
        "Real matches, measured in the same way. They are not bundled; names and SHA-256 are in "
        "[errors in published descriptions](errors-in-descriptions-of-files.md#files). Files with an incomplete analysis are left out.",
        _table(real),
        _span(real),
    )
