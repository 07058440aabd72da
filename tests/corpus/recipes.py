"""What every recipe of the documentation is to give, by pandas over the rows of the tables, where
the players are enough by their names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from tests.corpus.corpus_folder import table

OWN = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg"}
ME = "Nora Lindqvist"
PERSONS = {"nora lindqvist": ME, "tomas beck": "Tomas Beck"}
OF_MATCH = [
    "match",
    "tool",
    "lookahead",
    "depth",
    "date",
    "length",
    "file",
    "same_as",
    "once",
    "pooled",
]
Frame = pd.DataFrame


def person(name: str) -> str:
    return PERSONS.get(name.replace("_", " ").lower(), name)


class Frames:
    """The analyses, with the one of each match that counts, and their players and decisions under
    the rules of their tools."""

    def __init__(self, folder: Path) -> None:
        self.files = Frame(table(folder, "files"))
        matches = Frame(table(folder, "matches"))
        matches = matches[matches.duplicate_of.isna()]
        matches["depth"] = matches.lookahead.map(lambda plies: str(float(plies)))
        matches["place"] = matches.tool.map([*OWN].index)
        matches["partly"] = matches.analysed < matches.expected
        order = ["partly", "place", "lookahead", "match"]
        matches = matches.sort_values(order, ascending=[True, True, False, True])
        matches["once"] = ~matches.same_as.duplicated()
        matches["pooled"] = matches.once & ~matches.partly
        self.matches = matches
        self.players = self._players(folder)
        self.decisions = self._decisions(folder)
        self.analyses = self._analyses()

    def _of_own_rules(self, rows: Frame) -> Frame:
        merged = rows.merge(self.matches[OF_MATCH], on="match")
        return merged[merged.rules == merged.tool.map(OWN)].copy()

    def _players(self, folder: Path) -> Frame:
        players = self._of_own_rules(Frame(table(folder, "players")))
        players["person"] = players.name.map(person)
        names = players.set_index(["match", "seat"]).person
        opposite = players[["match"]].assign(seat=1 - players.seat)
        players["opponent"] = [
            names[place] for place in opposite.itertuples(index=False, name=None)
        ]
        games = self._of_own_rules(Frame(table(folder, "games")))
        winners = games[games.won > 0].sort_values("game").groupby("match").seat.last()
        players["won"] = players.seat == players.match.map(winners)
        complete = players.match.map(self.matches.set_index("match").complete)
        players["won"] = players.won.where(complete)
        return players

    def _decisions(self, folder: Path) -> Frame:
        decisions = Frame(table(folder, "decisions")).merge(self.matches[OF_MATCH], on="match")
        by_xg = decisions.tool.map(OWN) == "xg"
        for name in ("error", "counted"):
            decisions[name] = decisions[f"{name}_gnubg"].mask(by_xg, decisions[f"{name}_xg"])
        names = self.players.set_index(["match", "seat"])[["person", "won"]]
        decisions = decisions.join(names, on=["match", "seat"])
        dice = np.sort(decisions[["die1", "die2"]].to_numpy(), axis=1)
        decisions["roll"] = [f"{high:g}-{low:g}" for low, high in dice]
        return decisions

    def _analyses(self) -> Frame:
        """Pairs of analyses of one match, as the views order them."""
        both = self.matches.merge(self.matches, on="same_as", suffixes=("_l", "_r"))
        before = (both.place_l < both.place_r) | (
            (both.place_l == both.place_r) & (both.lookahead_l < both.lookahead_r)
        )
        return Frame({"left": both[before].match_l, "right": both[before].match_r})

    def pairs(self, rows: Frame, keys: list[str]) -> Frame:
        """The rows of such pairs beside each other; whose is whose is enough by the names."""
        left = self.analyses.merge(rows, left_on="left", right_on="match")
        return left.merge(
            rows, left_on=["right", *keys], right_on=["match", *keys], suffixes=("", "_r")
        )

    @property
    def pooled(self) -> Frame:
        return self.players[self.players.pooled]

    @property
    def mine(self) -> Frame:
        return self.players[self.players.once & (self.players.person == ME)]

    @property
    def counted(self) -> Frame:
        rows = self.decisions[self.decisions.pooled & self.decisions.analysed]
        return rows[rows.counted.astype(bool)]

    @property
    def plays(self) -> Frame:
        return self.counted[self.counted.kind == "play"]


def summed(rows: Frame, keys: list[str], **columns: Callable[[Frame], Any]) -> Frame:
    """A row for each group, its columns made of it."""
    groups = [
        (*key, *(column(group) for column in columns.values())) for key, group in rows.groupby(keys)
    ]
    return Frame(groups, columns=[*keys, *columns])


def pr(rows: Frame) -> Any:
    return 500 * rows.rated_error.sum() / rows.decisions_counted.sum() if len(rows) else None


def memg(rows: Frame) -> Any:
    return 1000 * rows.error.mean()


def decisions(rows: Frame) -> Any:
    return rows.decisions_counted.sum()


def percent(name: str) -> Callable[[Frame], Any]:
    return lambda rows: 100 * rows[name].astype(float).mean()


def quantiles(name: str) -> dict[str, Any]:
    return {
        f"{share}": lambda rows, share=share: rows[name].quantile(share)
        for share in (0.05, 0.5, 0.95)
    }


def everybody(frames: Frames) -> Frame:
    keys = ["person", "tool", "depth"]
    rates = summed(frames.pooled, keys, matches=len, decisions=decisions, pr=pr)
    return rates.sort_values(["decisions", *keys], ascending=[False, True, True, True])


def by_month(frames: Frames) -> Frame:
    rows = frames.mine[frames.mine.pooled].assign(
        month=lambda mine: [f"{day:%Y-%m}" for day in mine.date]
    )
    return summed(rows, ["month"], matches=len, decisions=decisions, pr=pr)


def worst(frames: Frames) -> Frame:
    rows = frames.decisions
    rows = rows[rows.once & (rows.person == ME) & (rows.error >= 0.02)]
    rows = rows.sort_values(["error", "match", "game", "turn"], ascending=[False, True, True, True])
    return rows[["error", "kind", "action", "best", "xgid", "file", "game", "turn"]].head(20)


def by_phase(frames: Frames) -> Frame:
    return summed(frames.plays, ["person", "phase"], decisions=len, memg=memg)


def cubes_by_score(frames: Frames) -> Frame:
    cubes = frames.counted[(frames.counted.kind != "play") & frames.counted.away.notna()]
    cells = summed(
        cubes,
        ["away", "opponent_away"],
        decisions=len,
        blunders=lambda rows: (rows.error >= 0.08).sum(),
        lost=lambda rows: round(rows.error.sum(), 3),
    )
    return cells.sort_values(["lost", "away", "opponent_away"], ascending=[False, True, True])


def doublers(frames: Frames) -> Frame:
    costs = [f"equity_error_{name}" for name in ("missed_double", "wrong_double", "wrong_take")]
    costs.append("equity_error_wrong_pass")
    rows = frames.pooled.groupby("person")[["decisions_double", *costs]].sum().reset_index()
    rows = rows[rows.decisions_double > 0].round(3)
    return rows.sort_values([costs[0], "person"], ascending=[False, True])


def luck(frames: Frames) -> Frame:
    rows = frames.pooled[frames.pooled.won.notna()]
    both = rows.merge(rows, on="match", suffixes=("", "_r"))
    both = both[both.seat != both.seat_r].assign(
        luckier=lambda rows: rows.luck_net_mwc_percent > rows.luck_net_mwc_percent_r,
        better=lambda rows: rows.pr < rows.pr_r,
    )
    return summed(both, ["luckier", "better"], matches=len, won=percent("won"))


def opponents(frames: Frames) -> Frame:
    rows = summed(
        frames.mine,
        ["opponent"],
        matches=len,
        won=lambda rows: rows.won.fillna(False).sum(),
        analysed=lambda rows: rows.pooled.sum(),
        pr=lambda rows: pr(rows[rows.pooled]),
        luck=lambda rows: rows.luck_equity.sum(),
    )
    return rows.sort_values(["matches", "opponent"], ascending=[False, True])


def by_length(frames: Frames) -> Frame:
    return summed(
        frames.pooled, ["length"], matches=lambda rows: len(rows) // 2, decisions=decisions, pr=pr
    )


def rolls(frames: Frames) -> Frame:
    rows = summed(frames.plays, ["roll"], decisions=len, memg=lambda rows: round(memg(rows), 2))
    return rows.sort_values(["memg", "roll"], ascending=[False, True])


def gaps(frames: Frames) -> Frame:
    rows = frames.pairs(frames.players, ["person"])
    return rows.assign(gap=rows.pr_r - rows.pr)


def between(frames: Frames) -> Frame:
    keys = ["tool", "lookahead", "tool_r", "lookahead_r"]
    size = {"size": lambda rows: rows.gap.abs().mean()}
    return summed(gaps(frames), keys, players=len, **size, **quantiles("gap"))


def depths(frames: Frames) -> Frame:
    rows = gaps(frames)
    return summed(
        rows[rows.tool == rows.tool_r],
        ["tool", "lookahead", "lookahead_r"],
        shallow=lambda rows: rows.pr.mean(),
        deep=lambda rows: rows.pr_r.mean(),
        size=lambda rows: rows.gap.abs().mean(),
        players=len,
    )


def both_judged(frames: Frames) -> Frame:
    rows = frames.pairs(frames.decisions, ["person", "game", "turn", "kind"])
    return rows[rows.error.notna() & rows.error_r.notna()]


def kappa(rows: Frame) -> Any:
    """Cohen's, of what both call an error."""
    left, right = rows.error >= 0.02, rows.error_r >= 0.02
    chance = left.mean() * right.mean() + (1 - left.mean()) * (1 - right.mean())
    return None if chance == 1 else ((left == right).mean() - chance) / (1 - chance)


def agreement(frames: Frames) -> Frame:
    rows = both_judged(frames)
    return summed(
        rows[rows.phase.notna()].assign(part=np.where(rows.kind == "play", "checker", "cube")),
        ["tool", "lookahead", "tool_r", "lookahead_r", "phase", "part"],
        kappa=kappa,
        agreed=lambda rows: 100 * ((rows.error >= 0.02) == (rows.error_r >= 0.02)).mean(),
        decisions=len,
    )


def disputed(frames: Frames) -> Frame:
    rows = both_judged(frames)
    rows = rows.assign(stake=(rows.error - rows.error_r).abs())
    rows = rows[rows.stake >= 0.02]
    order = ["stake", "same_as", "game", "turn"]
    rows = rows.sort_values(order, ascending=[False, True, True, True]).head(20)
    action = rows.action.fillna(rows.action_r)
    rows = rows.assign(
        action=action,
        best=rows.best.mask(rows.error == 0, action),
        best_r=rows.best_r.mask(rows.error_r == 0, action),
        xgid=rows.xgid.fillna(rows.xgid_r),
    )
    tools = ["tool", "best", "tool_r", "best_r"]
    return rows[["stake", "person", "kind", "action", *tools, "xgid"]]


def replies(frames: Frames) -> Frame:
    rates = summed(frames.pooled, ["person"], decisions=decisions, pr=pr)
    enough = rates[rates.decisions >= 20].set_index("person").pr
    rows = frames.decisions
    rows = rows[rows.pooled & rows.analysed & (rows.kind == "play")]
    both = rows[rows.turn == 1].merge(
        rows[rows.turn == 2], on=["match", "game"], suffixes=("_l", "")
    )
    both = both[both.person.isin(enough.index)]
    both["strength"] = np.where(both.person.map(enough) < 5, "below 5", "5 and more")
    keys = ["roll_l", "action_l", "roll", "action", "strength"]
    shown = summed(both, keys, memg=memg, replies=len)
    return shown.sort_values(["replies", *keys], ascending=[False, *[True] * 5]).head(40)


def calibration(frames: Frames) -> Frame:
    rows = frames.decisions
    rows = rows[(rows.kind == "play") & rows.chance_before.notna() & rows.won.notna()]
    rows = rows.assign(tenth=np.clip(10 * rows.chance_before // 1, 0, 9).astype(int))
    return summed(
        rows,
        ["tool", "depth", "tenth"],
        predicted=percent("chance_before"),
        won=percent("won"),
        decisions=len,
        matches=lambda rows: rows.match.nunique(),
    )


def rated(frames: Frames) -> Frame:
    stated = frames.players[frames.players.rating.notna()]
    stated = stated.groupby(["same_as", "person"]).rating.max().reset_index()
    assert len(stated) == stated.rating.nunique() == 4
    rows = frames.pooled.drop(columns="rating").merge(stated, on=["same_as", "person"])
    return summed(
        rows.assign(first=(rows.rating // 100).astype(int) * 100),
        ["first"],
        pr=pr,
        won=percent("won"),
        people=lambda rows: rows.person.nunique(),
        matches=len,
    )


def winners(frames: Frames) -> Frame:
    players = frames.players
    unenough = players.match[players.luck_analysed != players.luck_expected]
    rows = players[players.once & players.won.fillna(False).astype(bool)]
    rows = rows[~rows.match.isin(unenough)]
    luckier = {"luckier": lambda rows: (rows.luck_net_mwc_percent > 0).sum()}
    return summed(rows, ["length"], **quantiles("luck_net_mwc_percent"), matches=len, **luckier)


def unread(frames: Frames) -> Frame:
    rows = frames.files[frames.files.error.notna()]
    return summed(rows, ["error"], files=len, first=lambda rows: rows.file.min())


EXPECTED: dict[str, Callable[[Frames], Frame]] = {
    "PR of every player": everybody,
    "My PR by month": by_month,
    "My worst decisions, to paste into XG or gnuBG": worst,
    "Error by phase of the game": by_phase,
    "Cube errors by score": cubes_by_score,
    "Who doubles too late, who too early": doublers,
    "Luck against the result": luck,
    "My most frequent opponents": opponents,
    "PR by length of the match": by_length,
    "The rolls that cost most": rolls,
    "XG against gnuBG by level": between,
    "Decisions that the tools dispute": disputed,
    "Opening replies by strength": replies,
    "Agreement of tools beyond chance": agreement,
    "Calibration of an engine": calibration,
    "What depth does to a PR": depths,
    "Rating against PR": rated,
    "How lucky winners are": winners,
    "Files that could not be read": unread,
}
