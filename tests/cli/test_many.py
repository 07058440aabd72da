"""`reconcile compare` with more than two files: every output says the same, nothing is judged, and
what does not fit is named."""

import json
import re
import shutil
from html import unescape
from pathlib import Path

import pytest

from reconcile.gap.review import review_notes, review_rows
from reconcile.gap.rows import story
from tests.support.command_line import PACK, SGF, WITHIN, XG, json_in, refused, run, strict
from tests.support.data import cases
from tests.support.schemas import faults
from tests.support.several import analyses_of

pytestmark = pytest.mark.usefixtures("elsewhere")
ALICE = str(PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf")
NAMES = "nora|tomas|lindqvist|beck"


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """One run with three analyses, and what it wrote by the ending of the file."""
    folder = tmp_path_factory.mktemp("many")
    files = {ending: folder / f"r.{ending}" for ending in ("json", "md", "html")}
    words = [
        word
        for option, path in zip(("--json", "--markdown", "--html"), files.values(), strict=True)
        for word in (option, str(path))
    ]
    return run("compare", XG, SGF, XG, *words), {
        ending: path.read_text("utf-8") for ending, path in files.items()
    }


@pytest.fixture
def document(outputs):
    return strict(outputs[1]["json"])


def test_result_is_one_document_of_the_published_schema(document):
    assert faults("many", document) == []
    assert [side["path"] for side in document["sides"]] == [XG, SGF, XG]
    assert [(pair["left"], pair["right"]) for pair in document["pairs"]] == [(0, 1), (0, 2), (1, 2)]
    columns = document["decisions"]
    assert {len(columns[name]) for name in ("game", "turn", "kind", "player", "at_stake")} == {
        document["transcript"]["decisions"]
    }
    for name in ("best", "error", "level", "counted"):
        assert [len(column) for column in columns[name]] == [
            document["transcript"]["decisions"]
        ] * 3


def plain(text):
    return re.sub(r"\s+", "", text.replace("\N{MINUS SIGN}", "-").replace("\\", ""))


def test_every_output_has_the_same_sentences(outputs, document):
    result, written = outputs
    many = analyses_of(XG, SGF, XG)
    assert document["story"] == [*story(review_rows(many), review_notes(many))]
    pieces = [
        piece
        for each in review_rows(analyses_of(XG, SGF, XG))
        for piece in (each.headline, *(part for line in each.lines for part in line[:3]))
    ]
    page = unescape(re.sub(r"<[^>]+>", "", written["html"]))
    for text in (result.stdout, written["md"], page):
        assert all(plain(piece) in plain(text) for piece in pieces)
    assert max(map(len, document["story"])) < 400
    assert max(map(len, result.stdout.splitlines())) <= 80


@pytest.mark.long
@pytest.mark.parametrize("path", cases("real/test.xg"))
def test_page_of_five_analyses_of_a_7_point_match_is_under_1_mb(path):
    rest = [
        str(path.with_name(f"test{ending}")) for ending in ("_0ply.sgf", "_2ply.sgf", ".sgf", ".xg")
    ]
    assert run("compare", path, *rest, "--html", "r.html").exit_code == WITHIN
    assert Path("r.html").stat().st_size < 1_000_000


def test_nothing_is_judged(outputs):
    """The two tools' figures are out of tolerance, as two files are told."""
    assert run("compare", XG, SGF).exit_code != WITHIN
    assert outputs[0].exit_code == WITHIN


@pytest.mark.parametrize("place", range(3))
def test_file_of_another_match_is_named(place):
    files = [XG, SGF]
    files.insert(place, ALICE)
    line = refused("compare", *files)
    assert line.startswith(f"reconcile: {ALICE}: expected the match of the other files")


@pytest.mark.long
def test_names_are_removed_everywhere():
    words = "--anonymise --json r.json --markdown r.md --html r.html --player tomas"
    result = run("compare", XG, SGF, XG, *words.split())
    for text in (result.stdout, *(path.read_text("utf-8") for path in Path().glob("r.*"))):
        assert not re.search(NAMES, text, re.IGNORECASE)
    document = json_in("r.json")
    paths = [side["path"] for side in document["sides"]]
    assert paths == ["analysis 1.xg", "analysis 2.sgf", "analysis 3.xg"]
    assert list(document["outlier"]) == ["Player 2"]


def test_transcript_among_them_is_named_and_so_is_a_file_under_two_names():
    assert run("convert", XG, "-o", "bare.mat").exit_code == WITHIN
    line = refused("compare", XG, SGF, "bare.mat")
    assert line.startswith("reconcile: bare.mat: expected an analysis")
    assert "bare.mat: not one figure of table" in refused("compare", XG, "bare.mat")
    shutil.copyfile(XG, "again.xg")
    assert "and takes no part" in " ".join(run("compare", XG, SGF, "again.xg").stdout.split())


@pytest.mark.long
def test_results_of_folders_with_several_analyses_are_compared_by_diff():
    Path("matches").mkdir()
    for path in (XG, SGF):
        shutil.copy(path, "matches")
    run("compare", "matches", "--json", "old.json")
    document = json_in("old.json")
    analyses = document["matches"][0]["analyses"]
    analyses["sides"][0]["figures"][analyses["players"][0]]["pr"] += 1
    Path("new.json").write_text(json.dumps(document), "utf-8")
    assert "nothing changed" in run("diff", "old.json", "old.json").stdout
    assert "gnuBG, Nora Lindqvist:  PR" in run("diff", "old.json", "new.json").stdout
