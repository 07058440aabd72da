"""What every recipe of the documentation is to give, by the same arithmetic over the rows of the
tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tests.corpus.corpus_folder import table

OWN = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg"}
ME = "Nora Lindqvist"
Row = dict[str, Any]


class Tables:
    """The rows of the tables, those of matches with their analysis, under the rules of its tool."""

    def __init__(self, folder: Path) -> None:
        self.files = table(folder, "files")
        self.matches = {
            row["match"]: row for row in table(folder, "matches") if row["duplicate_of"] is None
        }
        self.once, self.pooled = self._counted_once()
        own = {number: OWN[row["tool"]] for number, row in self.matches.items()}
        self.players = self._players(folder, own)
        self.decisions = self._decisions(folder, own)

    def _counted_once(self) -> tuple[set[int], set[int]]:
        """The first analysis of every match, and those of them that are complete."""
        first: dict[int, Row] = {}
        complete = {
            number: row["analysed"] == row["expected"] for number, row in self.matches.items()
        }

        def rank(row: Row) -> tuple[Any, ...]:
            return (
                not complete[row["match"]],
                list(OWN).index(row["tool"]),
                -(row["lookahead"] or 0),
                row["match"],
            )

        for row in sorted(self.matches.values(), key=rank):
            first.setdefault(row["same_as"], row)
        once = {row["match"] for row in first.values()}
        pooled = {number for number in once if complete[number]}
        assert once > pooled
        return once, pooled

    def _players(self, folder: Path, own: dict[int, str]) -> list[Row]:
        players = [row for row in table(folder, "players") if row["rules"] == own.get(row["match"])]
        games = [row for row in table(folder, "games") if row["rules"] == own.get(row["match"])]
        for row in players:
            match = self.matches[row["match"]]
            row["person"], row["opponent"] = (
                person(match[f"player{seat}"]) for seat in (row["seat"], 1 - row["seat"])
            )
            last = max(
                (game for game in games if game["match"] == row["match"] and game["won"]),
                key=lambda game: game["game"],
            )
            row["wins"] = (last["seat"] == row["seat"]) if match["complete"] else None
        return players

    def _decisions(self, folder: Path, own: dict[int, str]) -> list[Row]:
        decisions = [row for row in table(folder, "decisions") if row["match"] in self.matches]
        for row in decisions:
            match = self.matches[row["match"]]
            row["player"] = person(match[f"player{row['seat']}"])
            row["error"], row["counted"] = (
                row[f"error_{own[row['match']]}"],
                row[f"counted_{own[row['match']]}"],
            )
        return decisions

    def mine(self) -> list[Row]:
        return [row for row in self.players if row["person"] == ME and row["match"] in self.once]

    def pooled_players(self) -> list[Row]:
        return [row for row in self.players if row["match"] in self.pooled]

    def counted(self, *, plays: bool) -> list[Row]:
        return [
            row
            for row in self.decisions
            if row["match"] in self.pooled
            and row["counted"]
            and row["analysed"]
            and (row["kind"] == "play") is plays
        ]

    def analyses(self) -> list[tuple[Row, Row]]:
        """Two analyses of one match, as the views order them."""
        ordered = sorted(
            self.matches.values(), key=lambda row: (list(OWN).index(row["tool"]), row["lookahead"])
        )
        return [
            (left, right)
            for left, right in combinations(ordered, 2)
            if left["same_as"] == right["same_as"]
            and (left["tool"], left["lookahead"]) != (right["tool"], right["lookahead"])
        ]

    def pairs(self) -> list[tuple[Row, Row]]:
        """The decisions of such pairs; whose seat is whose is known by the names."""

        def place(row: Row) -> tuple[Any, ...]:
            return row["match"], row["player"], row["game"], row["turn"], row["kind"]

        by_place = {place(row): row for row in self.decisions}
        both = {left["match"]: right["match"] for left, right in self.analyses()}
        rows = [
            (row, by_place.get((both.get(row["match"]), *place(row)[1:]))) for row in self.decisions
        ]
        return [
            (row, other)
            for row, other in rows
            if other is not None and None not in (row["error"], other["error"])
        ]


def person(name: str) -> str:
    return {"nora lindqvist": ME, "tomas beck": "Tomas Beck"}.get(
        name.replace("_", " ").lower(), name
    )


def grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    groups = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def pr(rows: list[Row]) -> float:
    return float(
        500
        * sum(row["rated_error"] for row in rows)
        / sum(row["decisions_counted"] for row in rows)
    )


def memg(rows: list[Row]) -> float:
    return float(1000 * sum(row["error"] for row in rows) / len(rows))


def total(rows: list[Row], name: str) -> Any:
    return sum(row[name] for row in rows)


def everybody(tables: Tables) -> list[tuple[Any, ...]]:
    def key(row: Row) -> tuple[str, str, str]:
        of = tables.matches[row["match"]]
        return (
            row["person"],
            of["tool"],
            of["level_name"] if of["lookahead"] is None else str(float(of["lookahead"])),
        )

    people = grouped(tables.pooled_players(), key)
    rates = [
        (*who, len(rows), total(rows, "decisions_counted"), pr(rows))
        for who, rows in people.items()
    ]
    return sorted(rates, key=lambda row: (-row[4], row[:3]))


def by_month(tables: Tables) -> list[tuple[Any, ...]]:
    months = grouped(
        (row for row in tables.mine() if row["match"] in tables.pooled),
        lambda row: tables.matches[row["match"]]["date"].strftime("%Y-%m"),
    )
    return [
        (month, len(rows), total(rows, "decisions_counted"), pr(rows))
        for month, rows in sorted(months.items())
    ]


def worst(tables: Tables) -> list[tuple[Any, ...]]:
    rows = [
        row
        for row in tables.decisions
        if row["player"] == ME and row["match"] in tables.once and (row["error"] or 0) >= 0.02
    ]
    rows.sort(key=lambda row: (-row["error"], row["match"], row["game"], row["turn"]))
    names = ("error", "kind", "action", "best", "xgid")
    return [
        (
            *(row[name] for name in names),
            tables.matches[row["match"]]["file"],
            row["game"],
            row["turn"],
        )
        for row in rows[:20]
    ]


def by_phase(tables: Tables) -> list[tuple[Any, ...]]:
    return [
        (*key, len(rows), memg(rows))
        for key, rows in sorted(
            grouped(tables.counted(plays=True), lambda row: (row["player"], row["phase"])).items()
        )
    ]


def cubes_by_score(tables: Tables) -> list[tuple[Any, ...]]:
    rows = [row for row in tables.counted(plays=False) if row["away"] is not None]
    cells = [
        (*score, len(group), sum(row["error"] >= 0.08 for row in group), total(group, "error"))
        for score, group in grouped(rows, lambda row: (row["away"], row["opponent_away"])).items()
    ]
    return sorted(cells, key=lambda row: (-round(row[-1], 3), *row[:2]))


def doublers(tables: Tables) -> list[tuple[Any, ...]]:
    costs = ("missed_double", "wrong_double", "wrong_take", "wrong_pass")
    people = grouped(tables.pooled_players(), lambda row: row["person"])
    rows = [
        (
            name,
            total(group, "decisions_double"),
            *(total(group, f"equity_error_{cost}") for cost in costs),
        )
        for name, group in people.items()
    ]
    return sorted((row for row in rows if row[1]), key=lambda row: (-round(row[2], 3), row[0]))


def luck(tables: Tables) -> list[tuple[Any, ...]]:
    both = {
        (row["match"], row["seat"]): row
        for row in tables.pooled_players()
        if row["wins"] is not None
    }
    results = defaultdict(list)
    for (match, seat), row in both.items():
        other = both[match, 1 - seat]
        results[
            row["luck_net_mwc_percent"] > other["luck_net_mwc_percent"], row["pr"] < other["pr"]
        ].append(row["wins"])
    return [(*key, len(wins), 100 * sum(wins) / len(wins)) for key, wins in sorted(results.items())]


def opponents(tables: Tables) -> list[tuple[Any, ...]]:
    rows = grouped(tables.mine(), lambda row: row["opponent"])
    records = []
    for name, group in rows.items():
        pooled = [row for row in group if row["match"] in tables.pooled]
        rate = pr(pooled) if pooled else None
        records.append(
            (
                name,
                len(group),
                sum(bool(row["wins"]) for row in group),
                len(pooled),
                rate,
                total(group, "luck_equity"),
            )
        )
    return sorted(records, key=lambda row: (-row[1], row[0]))


def by_length(tables: Tables) -> list[tuple[Any, ...]]:
    rows = grouped(tables.pooled_players(), lambda row: tables.matches[row["match"]]["length"])
    return [
        (length, len(group) // 2, total(group, "decisions_counted"), pr(group))
        for length, group in sorted(rows.items())
    ]


def rolls(tables: Tables) -> list[tuple[Any, ...]]:
    groups = grouped(tables.counted(plays=True), rolled)
    return sorted(
        ((roll, len(rows), memg(rows)) for roll, rows in groups.items()),
        key=lambda row: (-round(row[2], 2), row[0]),
    )


def between(tables: Tables) -> list[tuple[Any, ...]]:
    rows = []
    for left, right in tables.analyses():
        prs = [
            {
                person(row["name"]): row["pr"]
                for row in tables.players
                if row["match"] == analysis["match"]
            }
            for analysis in (left, right)
        ]
        gaps = [prs[1][name] - prs[0][name] for name in prs[0]]
        tools = (left["tool"], left["lookahead"], right["tool"], right["lookahead"])
        rows.append(
            (
                *tools,
                len(gaps),
                sum(map(abs, gaps)) / len(gaps),
                *np.quantile(gaps, (0.05, 0.5, 0.95)),
            )
        )
    return sorted(rows)


def depths(tables: Tables) -> list[tuple[Any, ...]]:
    rows = []
    for left, right in tables.analyses():
        if left["tool"] == right["tool"]:
            prs = [
                {
                    person(row["name"]): row["pr"]
                    for row in tables.players
                    if row["match"] == analysis["match"]
                }
                for analysis in (left, right)
            ]
            means = [sum(rates.values()) / 2 for rates in prs]
            size = sum(abs(prs[1][name] - prs[0][name]) for name in prs[0]) / 2
            assert size > 0
            rows.append((left["tool"], left["lookahead"], right["lookahead"], *means, size, 2))
    return rows


def agreement(tables: Tables) -> list[tuple[Any, ...]]:
    def key(both: tuple[Row, Row]) -> tuple[Any, ...]:
        left, right = (tables.matches[row["match"]] for row in both)
        part = "checker" if both[0]["kind"] == "play" else "cube"
        return (
            left["tool"],
            left["lookahead"],
            right["tool"],
            right["lookahead"],
            both[0]["phase"],
            part,
        )

    groups: dict[tuple[Any, ...], list[tuple[bool, bool]]] = defaultdict(list)
    for both in tables.pairs():
        if both[0]["phase"] is not None:
            groups[key(both)].append((both[0]["error"] >= 0.02, both[1]["error"] >= 0.02))
    rows = []
    for group, verdicts in sorted(groups.items()):
        number = len(verdicts)
        agreed = sum(left == right for left, right in verdicts)
        expected = sum(
            sum(left is kind for left, _ in verdicts)
            * sum(right is kind for _, right in verdicts)
            / number
            for kind in (True, False)
        )
        kappa = None if expected == number else (agreed - expected) / (number - expected)
        rows.append((*group, kappa, 100 * agreed / number, number))
    return rows


def replies(tables: Tables) -> list[tuple[Any, ...]]:
    rates = {
        name: "below 5" if pr(rows) < 5 else "5 and more"
        for name, rows in grouped(tables.pooled_players(), lambda row: row["person"]).items()
        if total(rows, "decisions_counted") >= 20
    }
    plays = {
        (row["match"], row["game"], row["turn"]): row
        for row in tables.decisions
        if row["match"] in tables.pooled and row["kind"] == "play" and row["analysed"]
    }
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for (match, game, turn), reply in plays.items():
        first = plays.get((match, game, 1))
        if turn == 2 and first is not None and reply["player"] in rates:
            groups[
                rolled(first),
                first["action"],
                rolled(reply),
                reply["action"],
                rates[reply["player"]],
            ].append(reply)
    return sorted(
        ((*key, memg(rows), len(rows)) for key, rows in groups.items()),
        key=lambda row: (-row[6], row),
    )[:40]


def calibration(tables: Tables) -> list[tuple[Any, ...]]:
    won = {(row["match"], row["seat"]): row["wins"] for row in tables.players}
    groups: dict[tuple[Any, ...], list[tuple[int, float, bool]]] = defaultdict(list)
    for row in tables.decisions:
        chance, of, wins = (
            row["chance_before"],
            tables.matches[row["match"]],
            won[row["match"], row["seat"]],
        )
        if row["kind"] == "play" and chance is not None and wins is not None:
            key = of["tool"], str(float(of["lookahead"])), max(0, min(int(10 * chance), 9))
            groups[key].append((row["match"], chance, wins))
    return [
        (
            *key,
            *(100 * sum(decision[at] for decision in rows) / len(rows) for at in (1, 2)),
            len(rows),
            len({decision[0] for decision in rows}),
        )
        for key, rows in sorted(groups.items())
    ]


def rated(tables: Tables) -> list[tuple[Any, ...]]:
    played = {number: row["same_as"] for number, row in tables.matches.items()}
    stated = {
        (played[row["match"]], row["person"]): row["rating"]
        for row in tables.players
        if row["rating"] is not None
    }
    assert len(set(stated.values())) == len(stated) == 4
    rows = [
        row | {"rating": stated[key]}
        for row in tables.pooled_players()
        if (key := (played[row["match"]], row["person"])) in stated
    ]
    classes = []
    for rating, group in sorted(grouped(rows, lambda row: int(row["rating"] // 100) * 100).items()):
        error, decisions = (
            sum(row["rated_error"] for row in group),
            sum(row["decisions_counted"] for row in group),
        )
        won = 100 * sum(row["wins"] for row in group) / len(group)
        classes.append(
            (
                rating,
                500 * error / decisions,
                won,
                len({row["person"] for row in group}),
                len(group),
            )
        )
    return classes


def winners(tables: Tables) -> list[tuple[Any, ...]]:
    lucky = {row["match"]: True for row in tables.players} | {
        row["match"]: False
        for row in tables.players
        if row["luck_analysed"] != row["luck_expected"]
    }
    rows = [
        row
        for row in tables.players
        if row["match"] in tables.once and row["wins"] and lucky[row["match"]]
    ]
    lengths = []
    for length, group in sorted(
        grouped(rows, lambda row: tables.matches[row["match"]]["length"]).items()
    ):
        luck = [row["luck_net_mwc_percent"] for row in group]
        lengths.append(
            (
                length,
                *map(float, np.quantile(luck, (0.05, 0.5, 0.95))),
                len(luck),
                sum(value > 0 for value in luck),
            )
        )
    return lengths


def rolled(row: Row) -> str:
    return f"{max(row['die1'], row['die2'])}-{min(row['die1'], row['die2'])}"


def disputed(tables: Tables) -> list[tuple[Any, ...]]:
    rows = []
    for left, right in tables.pairs():
        stake = abs(left["error"] - right["error"])
        if stake >= 0.02:
            action = left["action"] or right["action"]
            best = [action if row["error"] == 0 else row["best"] for row in (left, right)]
            of = [tables.matches[row["match"]] for row in (left, right)]
            shown = (
                stake,
                left["player"],
                left["kind"],
                action,
                of[0]["tool"],
                best[0],
                of[1]["tool"],
                best[1],
                left["xgid"] or right["xgid"],
            )
            rows.append((*shown, of[0]["same_as"], left["game"], left["turn"]))
    return [row[:-3] for row in sorted(rows, key=lambda row: (-row[0], *row[-3:]))[:20]]


def unread(tables: Tables) -> list[tuple[Any, ...]]:
    return [
        (reason, len(rows), rows[0]["file"])
        for reason, rows in grouped(
            (row for row in tables.files if row["error"]), lambda row: row["error"]
        ).items()
    ]


EXPECTED: dict[str, Callable[[Tables], list[tuple[Any, ...]]]] = {
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
