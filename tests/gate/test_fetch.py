"""Public files are downloaded whole and right or not at all."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
import yaml

from reconcile.files.bundled import CACHE_VARIABLE
from reconcile.gate.files import DATA_VARIABLE
from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import validate
from tests.gate.packs_elsewhere import CONTENT, FAILED, FETCHED, MATCH, pack_of, run
from tests.support.data import PROJECT
from tests.support.http_server import Answer, Server, body, status, unannounced

pytest.importorskip("pooch")
NAME = "alice-bob-3pt-2ply.sgf"


def refused(pack: Path, cache: Path, *arguments: str) -> str:
    """The one line for a file that could not be fetched; nothing of it may be left."""
    result = run(pack, *arguments)
    assert result.exit_code == FAILED
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    (line,) = result.stderr.splitlines()
    assert line.startswith("reconcile: gnubg-3pt-2ply, gnubg: ")
    return line


def test_file_is_fetched_once_and_judged_and_again_where_it_is_wrong_in_the_cache(
    pack: Path, cache: Path, server: Server
) -> None:
    result = run(pack)
    assert result.exit_code == FETCHED
    first, second = result.stdout.splitlines()
    assert first == f"fetched  gnubg-3pt-2ply, gnubg: {NAME}, {len(CONTENT)} bytes"
    assert second.startswith("1 fetched, 0 already present; cache: ")
    (path,) = (path for path in cache.rglob("*") if path.is_file())
    assert path == cache / sha256(CONTENT).hexdigest() / NAME
    assert path.read_bytes() == CONTENT
    assert validate(pack).exit_code(strict=True) == 0
    assert run(pack).stdout.startswith("present  gnubg-3pt-2ply")
    assert server.asked == ["/match.sgf"]
    path.write_bytes(b"x" * len(CONTENT))
    assert run(pack, "--quiet").output == ""
    assert path.read_bytes() == CONTENT
    assert server.headers[0]["Accept-Encoding"] == "identity"


def test_copy_in_the_pack_or_in_the_folder_of_copies_is_taken_first(
    pack: Path, tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / MATCH.name / NAME).write_bytes(CONTENT)
    assert run(pack).stdout.startswith("present ")
    (pack / MATCH.name / NAME).write_bytes(b"something else")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / NAME).write_bytes(CONTENT)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "copies"))
    assert run(pack).stdout.startswith("present ")
    assert run(MATCH).stdout == "nothing to fetch: the pack includes every file\n"


WRONG: dict[str, tuple[Answer, str]] = {
    "other content": (body(b"x" * len(CONTENT)), f"expected SHA-256 {sha256(CONTENT).hexdigest()}"),
    "cut off": (body(CONTENT[:-1]), "expected SHA-256"),
    "longer": (body(CONTENT + b"x" * 2**20), f"expected {len(CONTENT)} bytes, found more"),
    "longer without a word": (unannounced(CONTENT + b"x" * 2**20), "found more"),
    "not found": (status(404), "the server answered 404"),
    "error": (status(500), "the server answered 500"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_answer_leaves_nothing_and_is_one_line(
    pack: Path, cache: Path, server: Server, wrong: str
) -> None:
    server.default, phrase = WRONG[wrong]
    assert phrase in refused(pack, cache)


def test_server_that_says_nothing_or_is_not_there_is_one_line(tmp_path: Path, cache: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/match.sgf"
        pack = pack_of(tmp_path, url)
        assert "no answer for 1 seconds" in refused(pack, cache, "--timeout", "1")
    assert "cannot be reached" in refused(pack, cache)


def test_one_failure_stops_no_other(tmp_path: Path, server: Server, cache: Path) -> None:
    server.answers["/absent.sgf"] = status(404)
    pack = pack_of(tmp_path, f"{server.root}/match.sgf", ("other.sgf", f"{server.root}/absent.sgf"))
    result = run(pack)
    assert result.exit_code == FAILED
    assert "1 fetched, 0 already present, 1 failed" in result.stdout


def test_without_pooch_the_extra_is_named(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    result = run(pack)
    assert result.exit_code == FAILED
    assert "gammon-reconcile[fetch]" in result.stderr


def test_two_runs_with_one_cache_both_have_the_file(pack: Path, cache: Path) -> None:
    words = [sys.executable, "-m", "reconcile", "fetch", str(pack), "--quiet"]
    environment = {**os.environ, CACHE_VARIABLE: str(cache), "PYTHONPATH": str(PROJECT)}
    runs = [subprocess.Popen(words, env=environment) for _ in range(2)]
    assert [process.wait(60) for process in runs] == [0, 0]
    assert len([path for path in cache.rglob("*") if path.is_file()]) == 1


# -- packages -------------------------------------------------------------------------------------


def archive_of(**members: bytes) -> bytes:
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as tar:
        for name, content in members.items():
            entry = tarfile.TarInfo(f"samples-1.0/{name.replace('__', '/')}")
            entry.size = len(content)
            tar.addfile(entry, BytesIO(content))
    return packed.getvalue()


def pack_of_package(folder: Path, archive: bytes) -> Path:
    pack = pack_of(folder, "https://example.org/x")
    path = pack / MATCH.name / MANIFEST
    manifest = yaml.safe_load(path.read_text("utf-8"))
    package = {
        "name": "samples",
        "version": "1.0",
        "sha256": sha256(archive).hexdigest(),
        "bytes": len(archive),
        "member": "samples-1.0/sgf/match.sgf",
        "licence": "samples-1.0/LICENSE",
    }
    manifest["files"]["gnubg"].update(url=None, package=package)
    path.write_text(yaml.safe_dump(manifest, sort_keys=False), "utf-8")
    return pack


@pytest.mark.parametrize(
    ("members", "phrase"),
    [
        ({"sgf__match.sgf": CONTENT, "LICENSE": b"MIT"}, ""),
        ({"sgf__match.sgf": b"(;other", "LICENSE": b"MIT"}, "with SHA-256"),
        ({"LICENSE": b"MIT"}, "expected a member samples-1.0/sgf/match.sgf"),
        ({"sgf__match.sgf": CONTENT + b" ", "LICENSE": b"MIT"}, "expected a member"),
        ({"sgf__match.sgf": CONTENT}, "expected a member samples-1.0/LICENSE"),
    ],
)
def test_member_of_an_archive_that_pip_downloads_is_kept_with_its_licence(
    members: dict[str, bytes],
    phrase: str,
    tmp_path: Path,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    archive = archive_of(**members)
    (tmp_path / "samples-1.0.tar.gz").write_bytes(archive)

    def pip(words: tuple[str, ...], **_: object) -> subprocess.CompletedProcess[str]:
        assert "--require-hashes" in words
        shutil.copy(tmp_path / "samples-1.0.tar.gz", words[words.index("--dest") + 1])
        return subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr("reconcile.gate.fetch.subprocess.run", pip)
    pack = pack_of_package(tmp_path, archive)
    if phrase:
        assert phrase in refused(pack, cache)
        return
    assert run(pack).exit_code == FETCHED
    home = cache / sha256(CONTENT).hexdigest()
    assert (home / NAME).read_bytes() == CONTENT
    assert (home / "LICENSE").read_bytes() == b"MIT"


def test_package_that_pip_cannot_download_is_one_line(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    pack = pack_of_package(tmp_path, archive_of(LICENSE=b"MIT"))
    assert "samples-1.0.tar.gz: pip could not download it: " in refused(pack, cache)


# -- archives -------------------------------------------------------------------------------------


def zipped(content: bytes) -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("samples-1.0/sgf/match.sgf", content)
    return packed.getvalue()


def pack_of_archive(folder: Path, url: str, archive: bytes, *rest: str) -> Path:
    pack = pack_of(folder, url, *((name, url) for name in rest))
    path = pack / MATCH.name / MANIFEST
    manifest = yaml.safe_load(path.read_text("utf-8"))
    member = "samples-1.0/sgf/match.sgf"
    facts = {"url": url, "sha256": sha256(archive).hexdigest(), "bytes": len(archive)}
    for file in manifest["files"].values():
        file.update(url=None, archive={**facts, "member": member})
    path.write_text(yaml.safe_dump(manifest, sort_keys=False), "utf-8")
    return pack


@pytest.mark.parametrize("form", ["zip", "tar"])
def test_member_of_an_archive_is_fetched_and_the_archive_once(
    form: str, tmp_path: Path, server: Server, cache: Path
) -> None:
    archive = zipped(CONTENT) if form == "zip" else archive_of(**{"sgf__match.sgf": CONTENT})
    server.default = body(archive)
    pack = pack_of_archive(tmp_path, f"{server.root}/samples", archive, "other.sgf")
    result = run(pack)
    assert (result.exit_code, result.stderr) == (FETCHED, "")
    assert server.asked == ["/samples"]
    assert (cache / sha256(CONTENT).hexdigest() / NAME).read_bytes() == CONTENT
    assert validate(pack).exit_code() == 0


@pytest.mark.parametrize(
    ("archive", "answer", "words"),
    [
        (zipped(b"(;other"), zipped(b"(;other"), "with SHA-256"),
        (zipped(CONTENT + b" "), zipped(CONTENT + b" "), "expected a member samples-1.0/sgf"),
        (b"no archive", b"no archive", "expected a member samples-1.0/sgf/match.sgf"),
        (zipped(CONTENT), zipped(b"(;other"), "expected SHA-256"),
    ],
)
def test_archive_that_is_another_is_one_line(
    archive: bytes, answer: bytes, words: str, tmp_path: Path, server: Server, cache: Path
) -> None:
    server.default = body(answer)
    pack = pack_of_archive(tmp_path, f"{server.root}/samples", archive)
    assert words in refused(pack, cache)
