"""Reference packs: what ships passes offline, what is wrong is told, and no manifest reaches out
of its folder."""

import json
import re
import shutil
from decimal import Decimal
from functools import cache
from hashlib import sha256

import pytest

from reconcile.errors import InvalidConfiguration, NothingToCompare
from reconcile.files.yaml_file import read_yaml
from reconcile.gap.tolerances import load_tolerances
from reconcile.gap.verdict import OUTSIDE, WITHIN
from reconcile.gate.manifest import DATA_VARIABLE, MANIFEST, Manifest, load_pack
from reconcile.gate.pack_results import pack_parts
from reconcile.gate.validate import validate
from tests.support.claims import some
from tests.support.command_line import CUBE_RICH, PACK, run
from tests.support.loaded import DEMONSTRATION, loaded
from tests.support.packs import falsified, pack_of, respell

MANIFESTS = sorted(PACK.glob(f"*/{MANIFEST}"))
BGBLITZ = {path.parent.name for path in MANIFESTS if path.parent.name.startswith("bgblitz-")}
OURS = {"demonstration", "gnubg-11pt-cube-rich", "gnubg-3pt-2ply", "gnubg-7pt-0ply"}


@pytest.fixture
def pack(tmp_path):
    """A pack of one match that may be spoilt."""
    return pack_of(tmp_path / "pack", CUBE_RICH.name)


def judge(pack):
    return validate(pack, load_tolerances())


@cache
def shipped():
    """The bundled pack without the public files."""
    return judge(PACK)


def refused(pack, kind=InvalidConfiguration):
    with pytest.raises(kind) as caught:
        judge(pack)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_bundled_pack_passes_offline_and_every_figure_of_it_has_an_id_of_its_own():
    result = shipped()
    assert (result.verdict, result.exit_code()) == (WITHIN, 0)
    assert {match.id for match in result.matches if match.reported or match.pairs} == OURS
    assert result.summary.outside == result.summary.incomplete == 0
    ids = [case.id for part in pack_parts(result) for case in part.cases]
    assert len(set(ids)) == len(ids) == result.summary.within == 108
    assert not [figure for match in result.matches if match.listed for figure in match.figures]
    assert "gnubg-11pt-cube-rich::reported gnubg::Ann::error_rate_memg" in ids


@pytest.mark.long
def test_every_figure_agrees_where_the_public_files_are_at_hand(data, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, str(data))
    result = judge(PACK)
    verdicts: dict[str, list[str]] = {"xg": [], "bgblitz": [], "gnubg": []}
    for part in (part for match in result.matches for part in match.reported):
        verdicts[part.rules] += [figure.verdict for figure in part.figures]
    assert {verdict for each in verdicts.values() for verdict in each} == {WITHIN}
    assert len(verdicts["xg"]) >= 27
    assert len(verdicts["bgblitz"]) == 4 * 2 * 6 + 2 * 2 * 4
    starts = [finding.evidence.partition(":")[0] for finding in result.findings]
    assert not [start for start in starts if start.startswith("table bgblitz-reported")]


def test_absent_files_are_not_compared_and_never_passed():
    result = shipped()
    absent = {each.id: each for each in result.matches if each.id not in OURS and not each.listed}
    assert {*absent} == {"charlot", "squire-jorgensen", "test-unger-job", *BGBLITZ}
    why = {match.id: [part.why for part in match.not_compared] for match in absent.values()}
    remedy = "is missing; download it with `reconcile fetch`"
    assert all(reasons and all(remedy in text for text in reasons) for reasons in why.values())
    assert not [figure for match in absent.values() for figure in match.figures]
    assert result.summary.not_compared == sum(map(len, why.values()))
    assert result.exit_code(strict=True) == 1


@pytest.mark.parametrize("name", sorted(BGBLITZ))
def test_totals_of_bgblitz_are_those_that_somebody_else_read(name, data):
    manifest = read_yaml(PACK / name / MANIFEST, Manifest)
    (entry,) = manifest.reported
    (path,) = data.glob(f"bgblitz/bgf/{manifest.files[entry.file].name}-reported.json")
    totals = json.loads(path.read_text("utf-8"), parse_float=Decimal)
    for color in ("green", "red"):
        plays, cube = totals["match"][color]["checker"], totals["match"][color]["cube"]
        printed = {metric: Decimal(text) for metric, text in entry.players[totals[color]].items()}
        expected = {
            "decisions.counted": plays["count"] + cube["count"],
            "decisions.checker": plays["count"],
            "equity_error.total": -plays["error_emg"] - cube["error_emg"],
            "equity_error.checker": -plays["error_emg"],
        }
        if totals["matchlen"]:
            expected["mwc_loss_percent.total"] = -100 * (plays["error_mwc"] + cube["error_mwc"])
            expected["mwc_loss_percent.checker"] = -100 * plays["error_mwc"]
        assert printed == expected


def test_listed_figures_are_those_of_the_text(data):
    for path in some(sorted((data / "xg-summary").glob("match*.xg-summary.txt"))):
        transcript = path.name.replace(".xg-summary.txt", ".mat")
        (manifest,) = (
            member
            for _, member in load_pack(PACK)
            if transcript in {file.name for file in member.files.values()}
        )
        names, *lines = (line.split("\t")[1:] for line in path.read_text("utf-8").splitlines())
        for name, column in zip(some(names), zip(*lines, strict=True), strict=True):
            numbers = {
                number.replace(",", ".").lstrip("+-")
                for cell in column
                for number in re.findall(r"[-+]?\d+(?:,\d+)?", cell)
            }
            figures = {text.lstrip("-") for text in manifest.reported[0].players[name].values()}
            assert figures - numbers <= {"0"}


def test_demonstration_is_explained_and_not_judged():
    (match,) = (match for match in shipped().matches if match.id == "demonstration")
    assert [member.id for member in shipped().matches if member.synthetic] == ["demonstration"]
    assert [pair.gates for pair in match.pairs] == [False]
    assert list(match.figures) == []
    assert any(figure.verdict == OUTSIDE for figure in match.pairs[0].comparison.figures)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.parent.name)
def test_bundled_files_are_those_of_the_manifest_and_everything_says_where_it_comes_from(
    path,
):
    manifest = read_yaml(path, Manifest)
    bundled_names = set()
    for file in manifest.files.values():
        assert file.tool
        assert file.bundled or file.url or file.archive
        if file.bundled:
            content = (path.parent / file.name).read_bytes()
            assert (len(content), sha256(content).hexdigest()) == (file.bytes, file.sha256)
            bundled_names.add(file.name)
    licence = {"LICENSE"} if "in LICENSE beside" in manifest.licence else set()
    assert {other.name for other in path.parent.iterdir()} == bundled_names | {MANIFEST} | licence
    assert "MIT" in manifest.licence
    assert re.search(r"\b20\d\d-\d\d-\d\d\b|\bcommit [0-9a-f]{40}\b", manifest.provenance)
    assert len(manifest.proves) > 40
    for reported in manifest.reported:
        assert re.search(r"eXtreme Gammon|GNU Backgammon|BGBlitz", reported.source)
        assert re.search(r"\bread\b|transcribed|gives them", reported.source), "who read it"
    assert manifest.reported or manifest.pairs


def test_pack_without_a_figure_to_judge_is_nothing_to_compare(pack, tmp_path):
    respell(pack / CUBE_RICH.name, reported=[])
    refused(pack, NothingToCompare)
    absent = pack_of(tmp_path / "absent", "charlot")
    assert "fetch" in refused(absent, NothingToCompare)


def test_copy_of_an_absent_file_is_found_by_name_and_content(pack, tmp_path, monkeypatch):
    (path,) = pack.glob("*/*.sgf")
    copies = tmp_path / "copies" / "deep"
    copies.mkdir(parents=True)
    respell(
        pack / CUBE_RICH.name,
        lambda manifest: manifest["files"]["gnubg"].update(
            bundled=False, url="https://example.org/match.sgf"
        ),
    )
    shutil.move(path, copies / path.name)
    refused(pack, NothingToCompare)
    monkeypatch.setenv(DATA_VARIABLE, str(copies.parent))
    assert judge(pack).exit_code(strict=True) == 0
    (copies / path.name).write_bytes(b"another file of that name")
    refused(pack, NothingToCompare)


def test_link_within_the_match_is_followed(pack):
    (path,) = pack.glob("*/*.sgf")
    path.rename(path.with_name("real.sgf"))
    path.symlink_to("real.sgf")
    assert judge(pack).exit_code() == 0


# -- as a command


def test_falsified_figure_fails_and_is_named_unless_1_is_hidden(tmp_path):
    pack = falsified(tmp_path / "pack", "demonstration", error_rate_memg="92.8927")
    result = run("validate", pack)
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.endswith(":")][:2] == ["Outside:", "Explained:"]
    (line,) = (line for line in lines if "outside:" in line)
    assert (
        "Error rate (mEMG)  Ann  expected 92.8927 within 0.01, found 92.7927 (gap -0.09998)" in line
    )
    assert result.exit_code == 1
    hidden = run("validate", pack, "--exit-zero")
    assert (hidden.exit_code, "outside:" in hidden.stdout) == (0, True)


RIGHT, LEFT = (DEMONSTRATION.with_suffix(ending) for ending in (".sgf", ".xg"))


def test_demonstration_says_in_its_header_that_no_xg_made_it():
    content = LEFT.read_bytes()
    title, event = (content[start : start + 2048].decode("utf-16-le") for start in (40, 4136))
    assert "Synthetic" in title
    assert "not by eXtreme Gammon" in event
    assert loaded(LEFT).event.startswith("Synthetic: written from a GNU Backgammon analysis")
