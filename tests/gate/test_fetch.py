"""Public files are downloaded whole and right or not at all."""

import shutil
import socket
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from reconcile.files.bundled import CACHE_VARIABLE, bundled
from reconcile.gate.manifest import DATA_VARIABLE
from reconcile.gate.validate import validate
from tests.support.archive import archive_of
from tests.support.command_line import refused as command_refused
from tests.support.command_line import run as command
from tests.support.http_server import Server, body, status
from tests.support.packs import pack_of, respell

pytest.importorskip("pooch")
NAME = "alice-bob-3pt-2ply.sgf"
MATCH = bundled("reference_matches") / "gnubg-3pt-2ply"
CONTENT = (MATCH / "alice-bob-3pt-2ply.sgf").read_bytes()
FETCHED, FAILED = 0, 2


def run(pack, *arguments):
    return command("fetch", pack, *arguments)


def from_elsewhere(folder, url, *more):
    """A pack of a small match whose file is at an address; `more` are names and addresses of
    further files of the same content."""
    home = pack_of(folder / "pack", MATCH.name) / MATCH.name
    (file,) = home.glob("*.sgf")
    file.unlink()

    def change(manifest):
        own = manifest["files"]["gnubg"]
        own.update(url=url, bundled=False)
        for number, (name, address) in enumerate(more):
            manifest["files"][f"more{number}"] = own | {"name": name, "url": address}

    respell(home, change)
    return home.parent


@pytest.fixture
def server():
    entry = Server(body(CONTENT))
    yield entry
    entry.close()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def pack(tmp_path, server, cache):
    return from_elsewhere(tmp_path, f"{server.root}/match.sgf")


def refused(pack, cache, *arguments):
    """The one line for a file that could not be fetched; nothing of it may be left."""
    result = run(pack, *arguments)
    assert result.exit_code == FAILED
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    (line,) = result.stderr.splitlines()
    assert line.startswith("reconcile: gnubg-3pt-2ply, gnubg: ")
    return line


def test_file_is_fetched_once_and_judged_and_again_where_it_is_wrong_in_the_cache(
    pack, cache, server
):
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
    pack, tmp_path, server, monkeypatch
):
    (pack / MATCH.name / NAME).write_bytes(CONTENT)
    assert run(pack).stdout.startswith("present ")
    (pack / MATCH.name / NAME).write_bytes(b"something else")
    (tmp_path / "copies").mkdir()
    (tmp_path / "copies" / NAME).write_bytes(CONTENT)
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "copies"))
    assert run(pack).stdout.startswith("present ")
    assert run(MATCH).stdout == "nothing to fetch: the pack includes every file\n"


WRONG = {
    "other content": (body(b"x" * len(CONTENT)), f"expected SHA-256 {sha256(CONTENT).hexdigest()}"),
    "cut off": (body(CONTENT[:-1]), "expected SHA-256"),
    "longer": (body(CONTENT + b"x" * 2**20), f"expected {len(CONTENT)} bytes, found more"),
    "longer without a word": (body(CONTENT + b"x" * 2**20, announced=False), "found more"),
    "not found": (status(404), "the server answered 404"),
    "error": (status(500), "the server answered 500"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_answer_leaves_nothing_and_is_one_line(pack, cache, server, wrong):
    server.default, phrase = WRONG[wrong]
    assert phrase in refused(pack, cache)


def test_server_that_says_nothing_or_is_not_there_is_one_line(tmp_path, cache):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/match.sgf"
        pack = from_elsewhere(tmp_path, url)
        assert "no answer for 1 seconds" in refused(pack, cache, "--timeout", "1")
    assert "cannot be reached" in refused(pack, cache)


def test_one_failure_stops_no_other(tmp_path, server, cache):
    server.answers["/absent.sgf"] = status(404)
    other = "other.sgf", f"{server.root}/match.sgf"
    pack = from_elsewhere(tmp_path, f"{server.root}/absent.sgf", other)
    result = run(pack)
    assert result.exit_code == FAILED
    assert "1 fetched, 0 already present, 1 failed" in result.stdout


def test_without_pooch_the_extra_is_named(pack, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    assert "gammon-reconcile[fetch]" in command_refused("fetch", pack)


def to(url):
    """An answer that leads elsewhere."""

    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.end_headers()

    return answer


LEAVES = "the server leads to an address that is not https://"


@pytest.mark.parametrize("url", ["http://example.invalid/match.sgf", "file:///etc/passwd"])
def test_redirect_to_what_no_manifest_may_name_is_not_followed(pack, cache, server, url):
    server.answers["/match.sgf"] = to(url)
    assert LEAVES in refused(pack, cache)
    server.answers["/match.sgf"] = to("/other.sgf")
    assert run(pack).exit_code == FETCHED


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_redirect_from_https_to_plain_http_is_not_followed(tmp_path, cache, server, monkeypatch):
    key, certificate, both = (str(tmp_path / name) for name in ("key", "certificate", "both"))
    words = "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1"
    words += f" -addext subjectAltName=IP:127.0.0.1 -keyout {key} -out {certificate}"
    subprocess.run(words.split(), check=True, capture_output=True)
    Path(both).write_bytes(Path(key).read_bytes() + Path(certificate).read_bytes())
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", certificate)
    secure = Server(body(CONTENT), both)
    secure.answers["/match.sgf"] = to(f"{server.root}/match.sgf")
    pack = from_elsewhere(tmp_path, f"{secure.root}/match.sgf")
    assert LEAVES in refused(pack, cache)
    assert server.asked == []
    secure.answers["/match.sgf"] = to("/other.sgf")
    assert run(pack).exit_code == FETCHED
    secure.close()


# -- members of archives --------------------------------------------------------------------------

SGF, LICENCE = "samples-1.0/sgf/match.sgf", "samples-1.0/LICENSE"
GOOD = {SGF: CONTENT, LICENCE: b"MIT"}


def pack_of_members(folder, url, archive):
    """A pack of a match with two files that are the member of an archive."""
    pack = from_elsewhere(folder, url, ("other.sgf", url))
    facts = {"sha256": sha256(archive).hexdigest(), "bytes": len(archive), "member": SGF}

    def change(manifest):
        for file in manifest["files"].values():
            file.update(url=None, archive={"url": url, "licence": LICENCE, **facts})

    respell(pack / MATCH.name, change)
    return pack


@pytest.mark.parametrize(
    ("form", "members", "phrase"),
    [
        ("zip", GOOD, ""),
        ("tar.gz", GOOD, ""),
        ("tar.gz", GOOD | {SGF: b"(;other"}, "with SHA-256"),
        ("tar.gz", {LICENCE: b"MIT"}, f"expected a member {SGF}"),
        ("tar.gz", {SGF: CONTENT}, f"expected a member {LICENCE}"),
        ("zip", GOOD | {SGF: CONTENT + b" "}, f"expected a member {SGF}"),
        ("zip", None, "expected SHA-256"),
    ],
)
def test_member_of_an_archive_is_fetched_and_the_archive_once(
    form, members, phrase, tmp_path, server, cache
):
    archive = archive_of(form, GOOD if members is None else members)
    server.default = body(b"x" * len(archive) if members is None else archive)
    pack = pack_of_members(tmp_path, f"{server.root}/samples", archive)
    result = run(pack)
    assert len(server.asked) == 1
    if phrase:
        lines = result.stderr.splitlines()
        assert (result.exit_code, len(lines), list(cache.rglob("*.sgf"))) == (FAILED, 2, [])
        assert all(phrase in line for line in lines)
        return
    assert (result.exit_code, result.stderr) == (FETCHED, "")
    home = cache / sha256(CONTENT).hexdigest()
    assert (home / NAME).read_bytes() == (home / "other.sgf").read_bytes() == CONTENT
    assert (home / "LICENSE").read_bytes() == b"MIT"
    assert validate(pack).exit_code() == 0
