"""The page gives what the commands give: the same documents, the same reports, the same refusals
in a sentence."""

import html
import io
import json
import re
import tempfile
import zipfile
from pathlib import Path

import pytest

from reconcile.formats import load_match
from reconcile.formats.mat.writer import transcript
from tests.support.command_line import run
from tests.support.data import PROJECT
from tests.support.long import long_but_first
from tests.support.pasted import SUMMARY
from tests.support.schemas import faults
from tests.support.tables import beside

PACK = PROJECT / "reference_matches"
OTHER = PACK / "gnubg-3pt-2ply" / "alice-bob-3pt-2ply.sgf"
PAIR = sorted((PACK / "demonstration").glob("*.xg")) + sorted(
    (PACK / "demonstration").glob("*.sgf")
)


def command(*arguments):
    result = run(*arguments)
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def link(page, start):
    """The first address in a page that starts so, without its token."""
    match = re.search(rf'"({re.escape(start)}[^"?]*)\?', page)
    assert match, start
    return match[1]


def key_of(shown):
    """The key of a result that is shown."""
    return link(shown.text, "/save/").split("/")[2]


def zipped(files):
    """Files by their names in a zip file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, file in files.items():
            archive.writestr(name, file[1] if isinstance(file, tuple) else file.read_bytes())
    return content.getvalue()


def pack_of(match):
    """A pack of one bundled match."""
    return zipped({f"pack/{match}/{path.name}": path for path in sorted((PACK / match).iterdir())})


def without_paths(document):
    """A document without the folders of files, which a page never knows."""
    return json.loads(re.sub(r'"path": "[^"]*/', '"path": "', document))


@pytest.fixture(scope="module")
def pair(within):
    """The page of two analyses of a match."""
    return within.post("/open", PAIR)


WINDOW = SUMMARY.replace("Ann", "Alice m26").replace("Ben", "Bob m26")
CALLS = beside(__file__)
FILES = {"other": [OTHER], "pair": PAIR, "copies": [OTHER] * 3}


@pytest.mark.parametrize("call", long_but_first(CALLS, 3))
def test_a_document_is_that_of_the_command(within, call, tmp_path, monkeypatch):
    name, fields, options = CALLS[call]
    files, kind = FILES[name], call.partition(" ")[0]
    if "paste" in fields:
        fields = {"paste": WINDOW}
    monkeypatch.chdir(tmp_path)
    Path("seen.txt").write_text(WINDOW)
    answer = within.post(f"/api/{kind}", files, **fields)
    assert answer.status == 200, answer.text
    assert without_paths(answer.text) == without_paths(command(kind, *files, *options))
    if kind == "stats":
        assert not faults("statistics", json.loads(answer.text))
    if call == "investigate":
        again = within.post("/api/investigate", files, player="Alice m26", pr="9.99")
        assert again.body == answer.body
    if call == "investigate pasted":  # both players' without a name
        players = [report["player"] for report in json.loads(answer.text)]
        assert players == ["Alice m26", "Bob m26"]


@pytest.mark.long
def test_what_is_saved_is_what_the_command_writes(within, pair, tmp_path):
    assert pair.status == 200
    forms = {"html": "html", "json": "json", "md": "markdown"}
    targets = [part for form, name in forms.items() for part in (f"--{name}", tmp_path / form)]
    command("compare", *PAIR, *targets, "--quiet")
    for form in ("html", "json", "md"):
        saved = within.get(link(pair.text, "/save/").rpartition("/")[0] + f"/{form}")
        assert saved.headers["content-disposition"].endswith(
            f"filename=nora-lindqvist-tomas-beck-7-point-match.{form}"
        )
        expected = (tmp_path / form).read_text("utf-8")
        if form == "json":
            assert without_paths(saved.text) == without_paths(expected)
        else:
            assert saved.text == expected.replace(f"{PAIR[0].parent}/", "")


def test_a_result_stays_at_its_address_and_in_the_list_and_is_investigated(within):
    shown = within.post("/open", [OTHER])
    key = key_of(shown)
    assert within.get(f"/results/{key}").text == shown.text
    assert f"/results/{key}?" in within.get("/").text
    assert within.get("/results/unknown").status == 404
    answer = within.post("/investigate", of=key, player="Alice m26", pr="99.9")
    assert answer.status == 200
    assert "Which rules give the figures of Alice m26?" in answer.text


def test_every_example_is_one_click_away(within):
    start = within.get("/").text
    examples = re.findall(r'"(/examples/[^"?]+)\?', start)
    assert len(examples) >= 2
    for example in examples:
        shown = within.get(example)
        assert shown.status == 200
        assert "Nora Lindqvist" in shown.text


def test_a_zipped_pack_gives_its_index_and_pages(within):
    shown = within.post("/open", [("pack.zip", pack_of("gnubg-3pt-2ply"))])
    assert shown.status == 200, shown.text[-400:]
    inner = re.findall(r'href="(/results/[^"?]+\.html)\?', shown.text)
    assert inner
    for path in inner:
        assert within.get(path).status == 200


def test_several_matches_get_a_page_each_and_a_place_in_the_list(within, pair):
    """The pair is compared though the other match, twice and in a zip file, lies between its files,
    and a picture among them keeps nobody from it."""
    names = {"a.sgf": OTHER, PAIR[1].name: PAIR[1], "copy.sgf": OTHER}
    packed = ("all.zip", zipped({f"folder/{name}": file for name, file in names.items()}))
    shown = within.post("/open", [PAIR[0], packed, ("shot.png", b"\x89PNG")])
    text = html.unescape(shown.text)
    assert "shot.png was left out: expected a match of XG" in text
    assert "folder/copy.sgf was left out: the same file as folder/a.sgf." in text
    pages = re.findall(r'<li><a href="(/results/[^"?]+)\?[^"]*">([^<]+)</a>', text)
    players = [name.partition(" –")[0] for _, name in pages]
    assert players == ["Nora Lindqvist", "Alice m26"]
    compared, single = (within.get(at).text for at, _ in pages)
    assert compared.count("/save/") == single.count("/save/") == 3
    assert within.get(link(compared, "/save/")).text == within.get(link(pair.text, "/save/")).text
    assert "Alice m26" in single
    start = html.unescape(within.get("/").text)
    assert all(at in start and name in start for at, name in pages)


@pytest.mark.long
def test_a_transcript_beside_its_match_is_left_out_and_offers_an_analysis(within):
    moves = ("moves.mat", transcript(load_match(OTHER)).text.encode())
    for files in ([moves, OTHER], [OTHER, moves]):
        shown = within.post("/open", files).text
        assert "moves.mat was left out: a transcript without analysis." in shown
        assert re.search("analyse th(is|e) match", shown)
    assert "analyse this match" not in within.post("/open", [OTHER]).text


def test_another_match_equity_table_says_what_it_changes_and_what_it_cannot(within):
    """XG's stored errors stay, and with them PR; the chances lost are the command's with that
    table."""
    key = key_of(within.post("/open", PAIR[:1]))
    other = within.post("/open", of=key, met="woolsey").text
    assert "are by the table woolsey." in other
    assert "XG stored were made with its own table and stay as they are." in other
    saved = within.get(f"{link(other, '/save/').rpartition('/')[0]}/json").text
    expected = command("stats", PAIR[0], "--met", "woolsey", "--format", "json")
    assert without_paths(saved) == without_paths(expected)
    documents = (saved, command("stats", PAIR[0], "--format", "json"))
    ours, plain = (json.loads(document)["players"] for document in documents)
    for name, alike in (("pr", True), ("mwc_loss_percent", False)):
        assert ([each[name] for each in ours] == [each[name] for each in plain]) == alike
    assert "XG stored" not in within.post("/open", [OTHER], met="woolsey").text
    assert within.post("/open", of=key, met="/etc/passwd").status == 422


def test_a_paste_that_is_no_window_is_not_met_with_an_option(within):
    answer = within.post("/investigate", PAIR[:1], paste="Nora won.")
    assert answer.status == 422
    assert "found no figure in it" in answer.text
    assert "--" not in re.search(r'class="sentence">([^<]+)', answer.text)[1]  # type: ignore[index]


REFUSED: dict[str, list[Path | tuple[str, bytes]]] = {
    "No file was chosen": [],
    "expected a match of XG": [("x.xg", b"not a match")],
    "x.xg": [("x.xg", PAIR[0].read_bytes()[:3000])],
    "pack: no reported figure": [("pack.zip", pack_of("demonstration"))],
    "cannot be unpacked": [("a.zip", b"PK\x03\x04broken")],
    "Too many files": [PAIR[0]] * 33,
    "paste this text beside it": [("seen.txt", WINDOW.encode())],
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_is_a_sentence_and_a_way_back(within, words):
    answer = within.post("/open", REFUSED[words])
    assert 400 <= answer.status < 500
    assert words in answer.text
    assert "Other files" in answer.text
    for secret in ("Traceback", str(Path.home()), tempfile.gettempdir()):
        assert secret not in answer.text


def test_a_field_that_the_api_does_not_have_is_no_default(within):
    """A misspelt one would otherwise give the figures of other rules."""
    answer = within.post("/api/compare", PAIR, left_rule="gnubg")
    error = json.loads(answer.text)["error"]
    assert "left_rules, right_rules, " in error
    assert "found 'left_rule'" in error
    fields = {"player": "Nora", "reported": "pr=" + "9" * 10000}
    assert within.post("/api/investigate", [PAIR[0]], **fields).text.count("9") < 100


@pytest.mark.parametrize("option", ["rules", "met"])
def test_no_file_of_the_computer_is_read(within, tmp_path, option):
    """A name that is a path must be refused before it is opened, whether it is there or not."""
    (tmp_path / "secret.yaml").write_text("title: secret rules\nextends: xg\n")
    answers = []
    for name in ("secret", "absent"):
        answer = within.post("/api/stats", PAIR[:1], **{option: str(tmp_path / f"{name}.yaml")})
        answers.append((answer.status, answer.text.replace(name, "")))
    assert answers[0] == answers[1]
    assert (answers[0][0], "rules\\n" in answers[0][1]) == (422, False)


def test_every_code_has_its_page(within):
    assert "dead" in within.get("/explain/Q16").text
    assert within.get("/explain/Q99").status == 404
