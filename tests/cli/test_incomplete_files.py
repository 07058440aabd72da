"""An incomplete analysis gives no figure in any form: where fewer than nine in ten of its decisions
are analysed it is null, or a dash."""

import re
from functools import cache
from pathlib import Path

import pytest

from reconcile import load_match, statistics
from reconcile.scoring.figures import METRICS, short_metric
from tests.support.command_line import OUTSIDE, SGF, WITHIN, XG, csv_of, json_in, json_of, run
from tests.support.long import long_but_first

NODE = re.compile(r";[WB]\[[^;]*")
PARTS = ("checker", "cube", "luck")


def cut(is_cut, *names):
    """The demonstration without these properties in the nodes of a roll or a double that are
    chosen, by their number and that of all."""
    text = Path(SGF).read_text("utf-8")
    nodes = [each.start() for each in NODE.finditer(text)]
    number = {start: index for index, start in enumerate(nodes)}

    def shortened(node):
        if not is_cut(number[node.start()], len(nodes)):
            return node[0]
        return re.sub(rf"(?<=\])({'|'.join(names)})(\[[^\]]*\])+", "", node[0])

    return NODE.sub(shortened, text)


ALL = ("A", "DA", "LU")
FILES = {
    "first-tenth.sgf": lambda: cut(lambda node, nodes: node > nodes / 10, *ALL),
    "plays-alone.sgf": lambda: cut(lambda *_: True, "DA"),
    "cube-alone.sgf": lambda: cut(lambda *_: True, "A"),
    "luck-of-some.sgf": lambda: cut(lambda node, _: node % 3 == 0, "LU"),
}
MISSING = ["checker cube luck", "cube", "checker", "luck"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("incomplete")
    for name, content in FILES.items():
        (folder / name).write_text(content(), "utf-8")
    return folder


@pytest.fixture(params=long_but_first(FILES))
def path(request, folder):
    return folder / str(request.param)


@cache
def scored(path):
    return statistics(load_match(path))


def hidden(path, seat):
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


def leaks(path, text):
    """The hidden figures that stand behind their name in a text or page, which has a dash there."""
    visible = re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>|[|*\\]", " ", text, flags=re.DOTALL)
    visible = re.sub(r"\s+", " ", visible).replace(" of Nora", "")
    theirs = [scored(Path(XG)).figures(seat) for seat in (0, 1)]
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


def test_the_files_are_incomplete_in_four_ways(folder):
    for name, missing in zip(FILES, MISSING, strict=True):
        for seat in (0, 1):
            covered = scored(folder / name).completeness(seat)
            assert [part for part in PARTS if not covered[part].complete] == missing.split()
            assert hidden(folder / name, seat)


def nulls(path, figures, seat=0):
    """That an object of a document has the hidden figures as null, nested or by their names."""
    for name in sorted(hidden(path, seat)):
        group, _, key = name.partition(".")
        value = figures.get(short_metric(name), figures.get(group))
        assert value is None or (key and value[key] is None), name
    for ranges in ("range", "interval95"):
        assert not set(figures.get(ranges, ())) & hidden(path, seat)


def figures_of_the_file(path):
    """What every document has of the first player."""
    yield json_of("stats", path, "--format", "json", "--per-game")["players"][0]
    pooled = json_of("stats", path, "--pool", "--format", "json")["players"]
    yield min(pooled, key=lambda player: str(player["name"]))
    several = json_of("compare", path, XG, XG, "--json", "-")
    yield next(iter(several["sides"][0]["figures"].values()))
    compared = json_of("compare", path, XG, "--json", "-")["figures"]
    yield {figure["metric"]: figure["left"] for figure in compared[: len(compared) // 2]}


def test_no_document_has_a_figure_of_it(path):
    for figures in figures_of_the_file(path):
        nulls(path, figures)


def test_no_text_and_no_page_shows_a_figure_of_it(path, tmp_path):
    names = hidden(path, 0)
    table = run("stats", path, "--per-game").stdout
    for name in sorted(names):
        row = re.search(rf"^  {re.escape(METRICS[name].label)} .*", table, re.MULTILINE)
        assert row is None or row[0].split()[-2:] == ["-", "-"], name
    for pool in ((), ("--pool",)):
        (first, *_) = csv_of("stats", path, *pool)
        assert {first[name] for name in names} == {""}
        assert leaks(path, run("stats", path, *pool).stdout) == []
    assert run("stats", path, "--html", tmp_path / "page.html").exit_code == WITHIN
    assert run("stats", path, XG, "--html", tmp_path / "pages").exit_code == WITHIN
    for page in tmp_path.rglob("*.html"):
        assert leaks(path, page.read_text("utf-8")) == [], page.name


def test_comparison_judges_no_figure_of_it(path, tmp_path):
    outputs = {name: tmp_path / f"out.{name}" for name in ("json", "markdown", "html", "junit")}
    options = [word for name, file in outputs.items() for word in (f"--{name}", str(file))]
    done = run("compare", path, XG, *options)
    assert done.exit_code == (OUTSIDE if path.name == "luck-of-some.sgf" else WITHIN)
    names = {short_metric(name) for name in hidden(path, 0)}
    for figure in json_in(outputs["json"])["figures"]:
        if figure["metric"] in names:
            assert figure["left"] is figure["gap"] is None, figure
            assert (figure["verdict"] == "incomplete") == (figure["tolerance"] is not None)
    assert run("compare", path, XG, "--strict", "--quiet").exit_code == OUTSIDE
    annotations = run("compare", path, XG, "--github").stdout
    texts = (outputs[name].read_text("utf-8") for name in ("markdown", "html", "junit"))
    for text in (done.stdout, annotations, *texts):
        assert leaks(path, text) == []


@pytest.mark.parametrize("path", long_but_first(FILES, 0, 1), indirect=True)
def test_archive_has_no_figure_of_it(path, tmp_path):
    assert run("corpus", path, "-o", tmp_path / "archive").exit_code == WITHIN
    for table in ("player_matches", "players"):
        asked = f"select * from {table} order by seat"
        if table == "players":
            asked = f"select * from players where rules = '{scored(path).rules.name}' order by seat"
        rows = json_of("corpus-query", tmp_path / "archive", asked, "--format", "json")
        for seat, row in enumerate(rows):
            for name in hidden(path, seat) - {"luck.rating_percent", "luck.elo"}:
                assert row[name.replace(".", "_")] is None, name
    report = run("corpus-report", tmp_path / "archive").stdout
    assert leaks(path, report) == []
