"""An incomplete analysis gives no figure in any form: where fewer than nine in ten of its decisions
are analysed it is null, or a dash."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reconcile import compare, load_match, statistics
from reconcile.formats.written import Candidate, Game, Move, Turn, WrittenMatch, level_equity
from reconcile.formats.xg import writer as xg
from reconcile.infer.run import figures_in_part
from reconcile.match.board.play import carried_out
from reconcile.match.board.position import START
from reconcile.scoring.metrics import METRICS, short_metric
from reconcile.scoring.statistics import Statistics
from tests.support.command_line import OUTSIDE, SGF, WITHIN, XG, run, strict
from tests.support.long import long_but_first

NODE = re.compile(r";[WB]\[[^;]*")
PARTS = ("checker", "cube", "luck")


def cut(is_cut: Callable[[int, int], bool], *names: str) -> str:
    """The demonstration without these properties in the nodes of a roll or a double that are
    chosen, by their number and that of all."""
    text = Path(SGF).read_text("utf-8")
    nodes = [each.start() for each in NODE.finditer(text)]
    number = {start: index for index, start in enumerate(nodes)}

    def shortened(node: re.Match[str]) -> str:
        if not is_cut(number[node.start()], len(nodes)):
            return node[0]
        return re.sub(rf"(?<=\])({'|'.join(names)})(\[[^\]]*\])+", "", node[0])

    return NODE.sub(shortened, text)


def short_xg(familiar: int) -> bytes:
    """Ten plays of either player, of which the first have candidates."""
    plays = (((8, 5), (6, 5)), ((24, 23), (13, 10)))
    best, second = (
        Candidate(play, carried_out(START, play), level_equity(equity))
        for play, equity in zip(plays, (0.25, 0.128), strict=True)
    )
    moves = (
        Move((3, 1), (best, second), played=1),
        Move((3, 1), (), None, second.play, second.position),
    )
    turns = [Turn(1 + turn % 2, START, move=moves[turn >= familiar]) for turn in range(20)]
    return xg.write(
        WrittenMatch(("Ann", "Ben"), 3, (Game(tuple(turns), (0, 0), None),), ended=False)
    )


ALL = ("A", "DA", "LU")
FILES: dict[str, Callable[[], str | bytes]] = {
    "first-tenth.sgf": lambda: cut(lambda node, nodes: node > nodes / 10, *ALL),
    "every-sixth-missing.sgf": lambda: cut(lambda node, _: node % 6 < 2, *ALL),
    "plays-alone.sgf": lambda: cut(lambda *_: True, "DA"),
    "cube-alone.sgf": lambda: cut(lambda *_: True, "A"),
    "luck-of-some.sgf": lambda: cut(lambda node, _: node % 3 == 0, "LU"),
    "half.xg": lambda: short_xg(10),
}
COMPLETE = {"half.xg": "full.xg"}
"""What an incomplete file is compared with, where that is not the demonstration."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("incomplete")
    for name, content in FILES.items():
        built = content()
        (folder / name).write_bytes(built if isinstance(built, bytes) else built.encode())
    (folder / "full.xg").write_bytes(short_xg(20))
    return folder


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, folder: Path) -> Path:
    return folder / str(request.param)


def other(path: Path) -> str:
    """A complete analysis of the same match."""
    return str(path.with_name(COMPLETE[path.name])) if path.name in COMPLETE else XG


@cache
def scored(path: Path) -> Statistics:
    return statistics(load_match(path))


def hidden(path: Path, seat: int) -> set[str]:
    """The figures that are not shown of a player, by what the file has analysed."""
    covered = scored(path).completeness(seat)
    missing = {part for part in PARTS if 10 * covered[part].analysed < 9 * covered[part].expected}
    if any(
        10 * each["luck"].analysed < 9 * each["luck"].expected
        for each in (scored(path).completeness(0), scored(path).completeness(1))
    ):
        missing.add("luck of both")
    return {
        name
        for name, metric in METRICS.items()
        if missing & {*metric.parts}
        or ("luck of both" in missing and name.startswith(("luck.net", "luck.rat", "luck.elo")))
    }


def leaks(path: Path, text: str) -> list[str]:
    """The hidden figures that stand behind their name in a text or page, which has a dash there."""
    visible = re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>|[|*\\]", " ", text, flags=re.DOTALL)
    visible = re.sub(r"\s+", " ", visible).replace(" of Nora", "").replace(" of Ann", "")
    theirs = [scored(Path(other(path))).figures(seat) for seat in (0, 1)]
    result = []
    for name in sorted(hidden(path, 0)):
        shown = {METRICS[name].shown(figures[name]).rstrip("0") for figures in theirs}
        for title in (METRICS[name].label, METRICS[name].title):
            number = rf"(?<![,\w] ){re.escape(title)} [\u2212+-]?(\d[\d.]*)(?! of| in)"
            result += [
                f"{title} {each}"
                for each in re.findall(number, visible)
                if each.rstrip("0") not in {*shown, "5", "1"}
            ]
    return result


def unknown(figures: dict[str, Any], names: set[str]) -> None:
    """That a document has these figures as null and no others of those that rest on an analysis."""
    for name in sorted(names):
        group, _, key = name.partition(".")
        if group in figures:
            value = figures[group][key] if key else figures[group]
            assert value is None, name


def test_the_files_are_incomplete_in_six_ways(folder: Path) -> None:
    missing = {
        name: [
            [part for part in PARTS if not scored(folder / name).completeness(seat)[part].complete]
            for seat in (0, 1)
        ]
        for name in FILES
    }
    assert missing == {
        "first-tenth.sgf": [[*PARTS]] * 2,
        "every-sixth-missing.sgf": [[*PARTS]] * 2,
        "plays-alone.sgf": [["cube"]] * 2,
        "cube-alone.sgf": [["checker"]] * 2,
        "luck-of-some.sgf": [["luck"]] * 2,
        "half.xg": [["checker", "luck"]] * 2,
    }
    assert all(hidden(folder / name, 0) for name in FILES)


def test_statistics_have_no_figure_in_any_form(path: Path, tmp_path: Path) -> None:
    names = hidden(path, 0)
    document = strict(run("stats", path, "--format", "json", "--per-game").stdout)
    for seat, player in enumerate(document["players"]):
        unknown(player, hidden(path, seat))
        assert set(player.get("range", {})) <= METRICS.keys() - hidden(path, seat)
        assert not set(player.get("interval95", {})) & hidden(path, seat)
    table = run("stats", path, "--per-game").stdout
    for name in sorted(names):
        row = re.search(rf"^  {re.escape(METRICS[name].label)} .*", table, re.MULTILINE)
        assert row is None or row[0].split()[-2:] == ["-", "-"], name
    assert leaks(path, run("stats", path).stdout) == []
    if "pr" in names:
        assert re.search(r"^  95 % interval.* - +-$", table, re.MULTILINE)
        assert re.search(r"^  XG's word for the PR +- +-$", table, re.MULTILINE)
    for cells in csv.DictReader(io.StringIO(run("stats", path, "--format", "csv").stdout)):
        assert {cells[name] for name in names} == {""}
    page = tmp_path / "page.html"
    assert run("stats", path, "--html", page).exit_code == WITHIN
    assert leaks(path, page.read_text("utf-8")) == []


def test_pool_and_players_pages_leave_the_match_out(path: Path, tmp_path: Path) -> None:
    rules = ("--rules", "xg")
    alone = strict(run("stats", other(path), "--pool", "--format", "json", *rules).stdout)
    both = strict(run("stats", path, other(path), "--pool", "--format", "json", *rules).stdout)
    is_rated = "pr" not in hidden(path, 0)
    for each, two in zip(alone["players"], both["players"], strict=True):
        unknown(two, hidden(path, 0) if is_rated else set())
        assert (two["matches"], two["unanalysed"]) == ((2, 0) if is_rated else (1, 1))
        if not is_rated:
            names = {"name": "", "names": [], "unanalysed": 0}
            assert each | names == two | names
    nothing = strict(run("stats", path, "--pool", "--format", "json").stdout)
    for seat, player in enumerate(sorted(nothing["players"], key=lambda each: each["name"])):
        unknown(player, hidden(path, seat))
        assert not set(player["interval95"]) & hidden(path, seat)
    assert leaks(path, run("stats", path, "--pool").stdout) == []
    (row, _) = csv.DictReader(io.StringIO(run("stats", path, "--pool", "--format", "csv").stdout))
    assert {row[name] for name in hidden(path, 0)} == {""}
    assert run("stats", path, other(path), "--html", tmp_path / "pages").exit_code == WITHIN
    for page in (tmp_path / "pages").rglob("*.html"):
        assert leaks(path, page.read_text("utf-8")) == [], page.name


def test_comparison_judges_no_figure_of_it(path: Path, tmp_path: Path) -> None:
    outputs = {name: tmp_path / f"out.{name}" for name in ("json", "markdown", "html", "junit")}
    options = [word for name, file in outputs.items() for word in (f"--{name}", str(file))]
    done = run("compare", path, other(path), *options)
    assert done.exit_code == (OUTSIDE if path.name == "luck-of-some.sgf" else WITHIN)
    document = strict(outputs["json"].read_text("utf-8"))
    names = {short_metric(name) for name in hidden(path, 0)}
    judged = {figure["metric"] for figure in document["figures"] if figure["tolerance"] is not None}
    for figure in document["figures"]:
        if figure["metric"] in names:
            assert figure["left"] is figure["gap"] is None, figure
            assert (figure["verdict"] == "incomplete") == (figure["metric"] in judged)
    assert run("compare", path, other(path), "--strict", "--quiet").exit_code == OUTSIDE
    annotations = run("compare", path, other(path), "--github").stdout
    texts = (outputs[name].read_text("utf-8") for name in ("markdown", "html", "junit"))
    for text in (done.stdout, annotations, *texts):
        assert leaks(path, text) == []


def test_several_files_and_folders_have_no_figure_of_it(path: Path, tmp_path: Path) -> None:
    names = {short_metric(name) for name in hidden(path, 0)}
    several = strict(run("compare", path, other(path), other(path), "--json", "-").stdout)
    for figures in several["sides"][0]["figures"].values():
        assert {figures[name] for name in names} == {None}
    for folder, file in (("left", path), ("right", Path(other(path)))):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file.name).write_bytes(file.read_bytes())
    folders = strict(run("compare", tmp_path / "left", tmp_path / "right", "--json", "-").stdout)
    (pair,) = folders["pairs"]
    assert {
        figure["left"] for figure in pair["comparison"]["figures"] if figure["metric"] in names
    } == {None}


@pytest.mark.parametrize("path", long_but_first(FILES, 2), indirect=True)
def test_investigation_of_it_gives_no_rules(path: Path, tmp_path: Path) -> None:
    raw = figures_in_part(scored(path), 0)
    player = scored(path).match.names[0]
    for name in ("pr", "equity_error.checker", "equity_error.double"):
        if name not in hidden(path, 0) or raw[name] is None:
            continue
        arguments = METRICS[name].shown(raw[name])
        words = ("investigate", path, "--player", player, "--reported", f"{name}={arguments}")
        document = strict(run(*words, "--json", "-").stdout)
        assert document["explanations"] == document["checks"] == []
        for rules in document["rule_sets"]:
            assert not rules["reproduces"]
            assert rules["figures"][short_metric(name)] is None
        text = run(*words).stdout
        assert "analysed" in text.splitlines()[0]
        assert "exactly" not in text


@pytest.mark.parametrize("path", long_but_first(FILES), indirect=True)
def test_archive_and_library_have_no_figure_of_it(path: Path, tmp_path: Path) -> None:
    assert run("corpus", path, "-o", tmp_path / "archive").exit_code == WITHIN
    for table in ("player_matches", "players"):
        asked = f"select * from {table} order by seat"
        if table == "players":
            asked = f"select * from players where rules = '{scored(path).rules.name}' order by seat"
        rows = strict(run("corpus-query", tmp_path / "archive", asked, "--format", "json").stdout)
        for seat, row in enumerate(rows):
            for name in hidden(path, seat) - {"luck.rating_percent", "luck.elo"}:
                assert row[name.replace(".", "_")] is None, name
    report = run("corpus-report", tmp_path / "archive").stdout
    assert leaks(path, report) == []
    ours = scored(path)
    frame = ours.to_frame()
    for seat, name in enumerate(ours.match.names):
        figures = ours.figures(seat)
        assert {figures[metric] for metric in hidden(path, seat)} == {None}
        assert frame.loc[sorted(hidden(path, seat)), name].isna().all()
        assert f"PR {METRICS['pr'].shown(figures['pr'])}" in repr(ours)
    built = compare(load_match(path), load_match(other(path)))
    assert {each.left for each in built.figures if each.metric in hidden(path, 0)} == {None}
    assert leaks(path, repr(built)) == []
