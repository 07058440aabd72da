"""Every recipe of the documentation gives what the same arithmetic over the rows of the tables gives."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")

from reconcile.corpus.assembly import Corpus
from reconcile.corpus.query import ask
from reconcile.corpus.run import build
from reconcile.corpus.study import study
from reconcile.files.aliases import load_aliases
from tests.corpus.corpus_folder import table
from tests.support.archive import XG, make_archive
from tests.support.data import PROJECT

PAGE = (PROJECT / "docs" / "corpus-recipes.md").read_text("utf-8")
STUDIES = (PROJECT / "docs" / "corpus-studies.md").read_text("utf-8")
SECTION, _, ELSEWHERE = PAGE.partition("## Recipes")[2].partition("### The tables in a program of your own")
RECIPES = dict(re.findall(r"^### ([^\n]+)\n(?:(?!###).)*?```sql\n(.*?)```", SECTION + STUDIES, re.DOTALL | re.MULTILINE))
OWN = {"eXtreme Gammon": "xg", "GNU Backgammon": "gnubg"}
ME = "Nora Lindqvist"
Row = dict[str, Any]


class Tables:
    """The rows of the tables, those of matches with their analysis, under the rules of its tool."""

    def __init__(self, folder: Path) -> None:
        self.files = table(folder, "files")
        self.matches = {row["match"]: row for row in table(folder, "matches") if row["duplicate_of"] is None}
        first: dict[int, Row] = {}
        whole = {number: row["analysed"] == row["expected"] for number, row in self.matches.items()}

        def rank(row: Row) -> tuple[Any, ...]:
            return not whole[row["match"]], list(OWN).index(row["tool"]), -(row["lookahead"] or 0), row["match"]

        for row in sorted(self.matches.values(), key=rank):
            first.setdefault(row["same_as"], row)
        self.once = {row["match"] for row in first.values()}
        self.pooled = {number for number in self.once if whole[number]}
        assert self.once > self.pooled
        own = {number: OWN[row["tool"]] for number, row in self.matches.items()}
        self.players = [row for row in table(folder, "players") if row["rules"] == own.get(row["match"])]
        games = [row for row in table(folder, "games") if row["rules"] == own.get(row["match"])]
        for row in self.players:
            match = self.matches[row["match"]]
            row["person"], row["opponent"] = (person(match[f"player{seat}"]) for seat in (row["seat"], 1 - row["seat"]))
            last = max((game for game in games if game["match"] == row["match"] and game["won"]), key=lambda game: game["game"])
            row["wins"] = (last["seat"] == row["seat"]) if match["complete"] else None
        self.decisions = [row for row in table(folder, "decisions") if row["match"] in self.matches]
        for row in self.decisions:
            match = self.matches[row["match"]]
            row["player"] = person(match[f"player{row['seat']}"])
            row["error"], row["counted"] = row[f"error_{own[row['match']]}"], row[f"counted_{own[row['match']]}"]

    def mine(self) -> list[Row]:
        return [row for row in self.players if row["person"] == ME and row["match"] in self.once]

    def whole(self) -> list[Row]:
        return [row for row in self.players if row["match"] in self.pooled]

    def counted(self, *, plays: bool) -> list[Row]:
        return [
            row
            for row in self.decisions
            if row["match"] in self.pooled and row["counted"] and row["analysed"] and (row["kind"] == "play") is plays
        ]

    def analyses(self) -> list[tuple[Row, Row]]:
        """Two analyses of one match, as the views order them."""
        ordered = sorted(self.matches.values(), key=lambda row: (list(OWN).index(row["tool"]), row["lookahead"]))
        return [
            (left, right)
            for left, right in combinations(ordered, 2)
            if left["same_as"] == right["same_as"] and (left["tool"], left["lookahead"]) != (right["tool"], right["lookahead"])
        ]

    def pairs(self) -> list[tuple[Row, Row]]:
        """The decisions of such pairs; whose seat is whose is known by the names."""

        def place(row: Row) -> tuple[Any, ...]:
            return row["match"], row["player"], row["game"], row["turn"], row["kind"]

        found = {place(row): row for row in self.decisions}
        both = {left["match"]: right["match"] for left, right in self.analyses()}
        rows = [(row, found.get((both.get(row["match"]), *place(row)[1:]))) for row in self.decisions]
        return [(row, other) for row, other in rows if other is not None and None not in (row["error"], other["error"])]


def person(name: str) -> str:
    return {"nora lindqvist": ME, "tomas beck": "Tomas Beck"}.get(name.replace("_", " ").lower(), name)


def grouped(rows: Iterable[Row], key: Callable[[Row], Any]) -> dict[Any, list[Row]]:
    found = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    return dict(found)


def pr(rows: list[Row]) -> float:
    return float(500 * sum(row["rated_error"] for row in rows) / sum(row["decisions_counted"] for row in rows))


def memg(rows: list[Row]) -> float:
    return float(1000 * sum(row["error"] for row in rows) / len(rows))


def total(rows: list[Row], name: str) -> Any:
    return sum(row[name] for row in rows)


def everybody(it: Tables) -> list[tuple[Any, ...]]:
    def key(row: Row) -> tuple[str, str, str]:
        of = it.matches[row["match"]]
        return row["person"], of["tool"], of["level_name"] if of["lookahead"] is None else str(float(of["lookahead"]))

    people = grouped(it.whole(), key)
    found = [(*who, len(rows), total(rows, "decisions_counted"), pr(rows)) for who, rows in people.items()]
    return sorted(found, key=lambda row: (-row[4], row[:3]))


def by_month(it: Tables) -> list[tuple[Any, ...]]:
    months = grouped(
        (row for row in it.mine() if row["match"] in it.pooled), lambda row: it.matches[row["match"]]["date"].strftime("%Y-%m")
    )
    return [(month, len(rows), total(rows, "decisions_counted"), pr(rows)) for month, rows in sorted(months.items())]


def worst(it: Tables) -> list[tuple[Any, ...]]:
    rows = [row for row in it.decisions if row["player"] == ME and row["match"] in it.once and (row["error"] or 0) >= 0.02]
    rows.sort(key=lambda row: (-row["error"], row["match"], row["game"], row["turn"]))
    names = ("error", "kind", "action", "best", "xgid")
    return [(*(row[name] for name in names), it.matches[row["match"]]["file"], row["game"], row["turn"]) for row in rows[:20]]


def by_phase(it: Tables) -> list[tuple[Any, ...]]:
    return [
        (*key, len(rows), memg(rows))
        for key, rows in sorted(grouped(it.counted(plays=True), lambda row: (row["player"], row["phase"])).items())
    ]


def cubes_by_score(it: Tables) -> list[tuple[Any, ...]]:
    rows = [row for row in it.counted(plays=False) if row["away"] is not None]
    found = [
        (*score, len(group), sum(row["error"] >= 0.08 for row in group), total(group, "error"))
        for score, group in grouped(rows, lambda row: (row["away"], row["opponent_away"])).items()
    ]
    return sorted(found, key=lambda row: (-round(row[-1], 3), *row[:2]))


def doublers(it: Tables) -> list[tuple[Any, ...]]:
    costs = ("missed_double", "wrong_double", "wrong_take", "wrong_pass")
    people = grouped(it.whole(), lambda row: row["person"])
    rows = [
        (name, total(group, "decisions_double"), *(total(group, f"equity_error_{one}") for one in costs)) for name, group in people.items()
    ]
    return sorted((row for row in rows if row[1]), key=lambda row: (-round(row[2], 3), row[0]))


def luck(it: Tables) -> list[tuple[Any, ...]]:
    both = {(row["match"], row["seat"]): row for row in it.whole() if row["wins"] is not None}
    found = defaultdict(list)
    for (match, seat), row in both.items():
        other = both[match, 1 - seat]
        found[row["luck_net_mwc_percent"] > other["luck_net_mwc_percent"], row["pr"] < other["pr"]].append(row["wins"])
    return [(*key, len(wins), 100 * sum(wins) / len(wins)) for key, wins in sorted(found.items())]


def opponents(it: Tables) -> list[tuple[Any, ...]]:
    rows = grouped(it.mine(), lambda row: row["opponent"])
    found = []
    for name, group in rows.items():
        whole = [row for row in group if row["match"] in it.pooled]
        rate = pr(whole) if whole else None
        found.append((name, len(group), sum(bool(row["wins"]) for row in group), len(whole), rate, total(group, "luck_equity")))
    return sorted(found, key=lambda row: (-row[1], row[0]))


def by_length(it: Tables) -> list[tuple[Any, ...]]:
    rows = grouped(it.whole(), lambda row: it.matches[row["match"]]["length"])
    return [(length, len(group) // 2, total(group, "decisions_counted"), pr(group)) for length, group in sorted(rows.items())]


def rolls(it: Tables) -> list[tuple[Any, ...]]:
    groups = grouped(it.counted(plays=True), rolled)
    return sorted(((roll, len(rows), memg(rows)) for roll, rows in groups.items()), key=lambda row: (-round(row[2], 2), row[0]))


def between(it: Tables) -> list[tuple[Any, ...]]:
    found = []
    for left, right in it.analyses():
        prs = [{person(row["name"]): row["pr"] for row in it.players if row["match"] == one["match"]} for one in (left, right)]
        gaps = [prs[1][name] - prs[0][name] for name in prs[0]]
        tools = (left["tool"], left["lookahead"], right["tool"], right["lookahead"])
        found.append((*tools, len(gaps), sum(map(abs, gaps)) / len(gaps), *np.quantile(gaps, (0.05, 0.5, 0.95))))
    return sorted(found)


def depths(it: Tables) -> list[tuple[Any, ...]]:
    found = []
    for left, right in it.analyses():
        if left["tool"] == right["tool"]:
            prs = [{person(row["name"]): row["pr"] for row in it.players if row["match"] == one["match"]} for one in (left, right)]
            means = [sum(one.values()) / 2 for one in prs]
            size = sum(abs(prs[1][name] - prs[0][name]) for name in prs[0]) / 2
            assert size > 0
            found.append((left["tool"], left["lookahead"], right["lookahead"], 2, *means, size))
    return found


def agreement(it: Tables) -> list[tuple[Any, ...]]:
    def key(both: tuple[Row, Row]) -> tuple[Any, ...]:
        one, other = (it.matches[row["match"]] for row in both)
        part = "checker" if both[0]["kind"] == "play" else "cube"
        return one["tool"], one["lookahead"], other["tool"], other["lookahead"], both[0]["phase"], part

    groups: dict[tuple[Any, ...], list[tuple[bool, bool]]] = defaultdict(list)
    for both in it.pairs():
        if both[0]["phase"] is not None:
            groups[key(both)].append((both[0]["error"] >= 0.02, both[1]["error"] >= 0.02))
    found = []
    for group, verdicts in sorted(groups.items()):
        number = len(verdicts)
        agreed = sum(one == other for one, other in verdicts)
        expected = sum(
            sum(one is kind for one, _ in verdicts) * sum(other is kind for _, other in verdicts) / number for kind in (True, False)
        )
        kappa = None if expected == number else (agreed - expected) / (number - expected)
        found.append((*group, number, 100 * agreed / number, kappa))
    return found


def replies(it: Tables) -> list[tuple[Any, ...]]:
    rates = {
        name: "below 5" if pr(rows) < 5 else "5 and more"
        for name, rows in grouped(it.whole(), lambda row: row["person"]).items()
        if total(rows, "decisions_counted") >= 20
    }
    plays = {
        (row["match"], row["game"], row["turn"]): row
        for row in it.decisions
        if row["match"] in it.pooled and row["kind"] == "play" and row["analysed"]
    }
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for (match, game, turn), reply in plays.items():
        first = plays.get((match, game, 1))
        if turn == 2 and first is not None and reply["player"] in rates:
            found[rolled(first), first["action"], rolled(reply), reply["action"], rates[reply["player"]]].append(reply)
    return sorted(((*key, len(rows), memg(rows)) for key, rows in found.items()), key=lambda row: (-row[5], row))[:40]


def calibration(it: Tables) -> list[tuple[Any, ...]]:
    won = {(row["match"], row["seat"]): row["wins"] for row in it.players}
    groups: dict[tuple[Any, ...], list[tuple[int, float, bool]]] = defaultdict(list)
    for row in it.decisions:
        chance, of, wins = row["chance_before"], it.matches[row["match"]], won[row["match"], row["seat"]]
        if row["kind"] == "play" and chance is not None and wins is not None:
            key = of["tool"], str(float(of["lookahead"])), min(int(10 * chance), 9)
            groups[key].append((row["match"], chance, wins))
    return [
        (*key, len(rows), len({one[0] for one in rows}), *(100 * sum(one[at] for one in rows) / len(rows) for at in (1, 2)))
        for key, rows in sorted(groups.items())
    ]


def winners(it: Tables) -> list[tuple[Any, ...]]:
    lucky = {row["match"]: True for row in it.players} | {
        row["match"]: False for row in it.players if row["luck_analysed"] != row["luck_expected"]
    }
    rows = [row for row in it.players if row["match"] in it.once and row["wins"] and lucky[row["match"]]]
    found = []
    for length, group in sorted(grouped(rows, lambda row: it.matches[row["match"]]["length"]).items()):
        luck = [row["luck_net_mwc_percent"] for row in group]
        found.append((length, len(luck), sum(one > 0 for one in luck), *map(float, np.quantile(luck, (0.05, 0.5, 0.95)))))
    return found


def rolled(row: Row) -> str:
    return f"{max(row['die1'], row['die2'])}-{min(row['die1'], row['die2'])}"


def disputed(it: Tables) -> list[tuple[Any, ...]]:
    rows = []
    for left, right in it.pairs():
        stake = abs(left["error"] - right["error"])
        if stake >= 0.02:
            action = left["action"] or right["action"]
            best = [action if row["error"] == 0 else row["best"] for row in (left, right)]
            of = [it.matches[row["match"]] for row in (left, right)]
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


def unread(it: Tables) -> list[tuple[Any, ...]]:
    return [
        (reason, len(rows), rows[0]["file"])
        for reason, rows in grouped((row for row in it.files if row["error"]), lambda row: row["error"]).items()
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
    "How lucky winners are": winners,
    "Files that could not be read": unread,
}


def without_most(content: bytes) -> bytes:
    """The match of Alice as one of Nora under another spelling, of which only the first game is analysed."""
    first, begin, rest = content.replace(b"[Alice m26]", b"[NORA_Lindqvist]").partition(b")\n(;")
    assert begin
    return first + begin + re.sub(rb"(?<=\])D?A\[[^\]]*\](\[[^\]]*\])*", b"", rest)


def deeper(content: bytes) -> bytes:
    """The same analysis as one two plies deep, by which every second candidate is worse by 0.03."""
    second = rb"(?<= 0C 0 1 0\.000000 1\]\[)(\w+ E ver 3(?: [-\d.]+){5} )(-?[\d.]+)"
    worse = re.sub(second, lambda found: found[1] + b"%.6f" % (float(found[2]) - 0.03), content)
    assert worse != content
    return worse.replace(b" 0C ", b" 2C ")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    archive = make_archive(tmp_path_factory.mktemp("matches") / "m")
    for name in ("gnubg-7pt-0ply", "gnubg-11pt-cube-rich", "gnubg-3pt-2ply"):
        (path,) = (XG.parents[1] / name).glob("*.sgf")
        (archive / path.name).write_bytes(without_most(path.read_bytes()) if name == "gnubg-3pt-2ply" else path.read_bytes())
    (path,) = archive.glob("*7pt-0ply.sgf")
    path.with_name("deep.sgf").write_bytes(deeper(path.read_bytes()))
    return build([str(archive)], tmp_path_factory.mktemp("out") / "tables", jobs=1)


@pytest.fixture(scope="module")
def tables(corpus: Corpus) -> Tables:
    return Tables(corpus.folder)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_gives_what_its_heading_says(name: str, corpus: Corpus, tables: Tables) -> None:
    answer = ask(corpus, RECIPES[name])
    expected = EXPECTED[name](tables)
    assert expected
    assert len(answer.rows) == len(expected)
    for found, wanted in zip(answer.rows, expected, strict=True):
        assert len(found) == len(answer.columns)
        # Rounded by the recipe to two or three decimals, a percentage to none.
        assert found == tuple(
            pytest.approx(value, abs=0.5 if column.endswith("percent") else 0.005) if isinstance(value, float) else value
            for column, value in zip(answer.columns, wanted, strict=True)
        )


def test_every_recipe_is_computed_here() -> None:
    assert set(RECIPES) == set(EXPECTED)
    assert len(RECIPES) >= 10


def test_rates_are_those_of_the_report(data: Path, tmp_path: Path) -> None:
    import duckdb

    # Matches that two or three tools analysed, some of them partly, under names spelt in four ways.
    (path,) = (XG.parents[1] / "gnubg-3pt-2ply").glob("*.sgf")
    (tmp_path / "part.sgf").write_bytes(without_most(path.read_bytes()))
    made = build([str(data / "real"), str(data / "bgblitz"), str(tmp_path / "part.sgf")], tmp_path / "archive", jobs=1)
    people = [one for one in study(made, load_aliases(None)).people if one.name not in ("NORA_Lindqvist", "Bob m26")]
    reported = sorted((one.name.replace("_", " "), one.matches, one.rates[0].decisions, one.rates[0].pr or 0.0) for one in people)
    assert [one[1:3] for one in reported if one[0] == "Jade1"] == [(4, 321)]
    views = sorted((str(name).replace("_", " "), *figures) for name, _, _, *figures in ask(made, RECIPES["PR of every player"]).rows)
    assert views == [(*rest, pytest.approx(rate, abs=0.005)) for *rest, rate in reported]
    sql = ELSEWHERE.partition("```sql")[2].partition("```")[0]
    assert sql.count("'archive/") == 2
    rows = duckdb.connect().execute(sql.replace("'archive/", f"'{made.folder}/")).fetchall()
    found = sorted(tuple(figures) for _, _, _, *figures in rows)  # spelt as in the files of one tool
    assert found == [(number, pytest.approx(rate, abs=1e-9)) for number, rate in sorted(one[2:] for one in reported)]
