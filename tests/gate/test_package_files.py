"""Files inside source distributions: taken from an index on this computer, right or not at all, and nothing of the package is run."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.files.bundled import CACHE_VARIABLE, bundled
from reconcile.gate import package_files
from reconcile.gate.manifest import MANIFEST, load_pack
from reconcile.gate.package_files import LICENCE, PYPI, archive_address, pip_indexes
from reconcile.gate.validate import validate
from tests.support.http_server import Server, body, status
from tests.support.long import long_but_first
from tests.support.packs_elsewhere import run

pytest.importorskip("pooch")

MATCH = bundled("reference_matches") / "gnubg-3pt-2ply"
NAME = "alice-bob-3pt-2ply.sgf"
CONTENT = (MATCH / NAME).read_bytes()
TERMS = b"Anybody may have it.\n"
HOME = "game_samples-1.2"
MEMBERS = {
    f"{HOME}/samples/{NAME}": CONTENT,
    f"{HOME}/LICENSE": TERMS,
    f"{HOME}/samples/other.sgf": b"(;)",
}
PAGE = "/simple/game-samples/"
FETCHED, FAILED = 0, 2


def archive(members: dict[str, bytes], *more: tarfile.TarInfo) -> bytes:
    """A source distribution; its set-up script ends the process that runs it."""
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w:gz") as tar:
        for name, content in {f"{HOME}/setup.py": b"import os\nos._exit(99)\n", **members}.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        for entry in more:
            tar.addfile(entry)
    return written.getvalue()


ARCHIVE = archive(MEMBERS)


@pytest.fixture
def server() -> Iterator[Server]:
    one = Server(status(404))
    one.answers[PAGE] = body(html("../../files/game_samples-1.2.tar.gz#sha256=0"))
    one.answers["/files/game_samples-1.2.tar.gz"] = body(ARCHIVE)
    yield one
    one.close()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> Path:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(package_files, "pip_indexes", lambda: (f"{server.root}/simple",))
    return tmp_path / "cache"


@pytest.fixture
def pack(tmp_path: Path, cache: Path) -> Path:
    return pack_of(tmp_path, ARCHIVE)


def html(*links: str) -> bytes:
    return (
        "<!DOCTYPE html>" + "".join(f'<a href="{link}">a file</a><br>' for link in links)
    ).encode()


def pack_of(
    folder: Path, content: bytes, *others: str, member: str = f"{HOME}/samples/{NAME}"
) -> Path:
    """A pack of one match whose file is a member of an archive; `others` are further names of the same member."""
    source = (
        f'    url: null\n    package:\n      name: "Game.Samples"\n      version: "1.2"\n      sha256: "{sha256(content).hexdigest()}"\n'
        f'      bytes: {len(content)}\n      member: "{member}"\n      licence: "{HOME}/LICENSE"\n'
    )
    text = (MATCH / MANIFEST).read_text("utf-8")
    text = text.replace("    url: null\n", source).replace("bundled: true", "bundled: false")
    entry = text[text.index("  gnubg:") : text.index("reported:")]
    for number, name in enumerate(others):
        text = text.replace(
            "reported:",
            entry.replace("  gnubg:", f"  more{number}:").replace(f'"{NAME}"', f'"{name}"')
            + "reported:",
            1,
        )
    home = folder / "pack" / MATCH.name
    home.mkdir(parents=True)
    (home / MANIFEST).write_text(text, "utf-8")
    return folder / "pack"


def refused(pack: Path, cache: Path) -> str:
    """The one line for a file that could not be taken; nothing of it may be left."""
    result = run(pack)
    assert result.exit_code == FAILED
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    (line,) = result.stderr.splitlines()
    assert line.startswith("reconcile: gnubg-3pt-2ply, gnubg: ")
    return line


def test_member_is_kept_with_its_licence_and_nothing_else_and_judged(
    pack: Path, cache: Path, server: Server
) -> None:
    result = run(pack)
    assert result.exit_code == FETCHED
    assert (
        result.stdout.splitlines()[0]
        == f"fetched  gnubg-3pt-2ply, gnubg: {NAME}, {len(CONTENT)} bytes"
    )
    home = cache / sha256(CONTENT).hexdigest()
    assert {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()} == {
        home / NAME: CONTENT,
        home / LICENCE: TERMS,
    }
    assert validate(pack).exit_code(strict=True) == 0
    assert run(pack).stdout.startswith("present  ")
    assert server.asked == [PAGE, "/files/game_samples-1.2.tar.gz"]


def test_archive_is_asked_for_once_for_all_of_its_files_and_where_it_cannot_be_had(
    tmp_path: Path, cache: Path, server: Server
) -> None:
    result = run(pack_of(tmp_path / "there", ARCHIVE, "second.sgf", "third.sgf"))
    assert result.exit_code == FETCHED
    assert result.stdout.splitlines()[-1].startswith("3 fetched, 0 already present; cache: ")
    assert sorted(path.name for path in cache.rglob("*.sgf")) == [NAME, "second.sgf", "third.sgf"]
    server.answers["/files/game_samples-1.2.tar.gz"] = status(500)
    result = run(pack_of(tmp_path / "broken", ARCHIVE, "fourth.sgf", "fifth.sgf"))
    assert result.exit_code == FAILED
    assert len(result.stderr.splitlines()) == 2
    assert server.asked == [PAGE, "/files/game_samples-1.2.tar.gz"] * 2


def test_no_folder_for_temporary_files_is_one_line(
    tmp_path: Path, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    result = run(pack)
    assert result.exit_code == FAILED
    assert (
        "temporary files: no such file or directory; name another folder in TMPDIR" in result.output
    )


def test_index_in_json_is_read(pack: Path, server: Server) -> None:
    files = [
        {"filename": "game_samples-1.2-py3-none-any.whl", "url": f"{server.root}/wrong"},
        {"filename": "game_samples-1.20.tar.gz", "url": f"{server.root}/wrong"},
        {
            "filename": "game_samples-1.2.tar.gz",
            "url": f"{server.root}/files/game_samples-1.2.tar.gz",
        },
    ]
    server.answers[PAGE] = body(json.dumps({"files": files}).encode())
    assert run(pack).exit_code == FETCHED
    assert "application/vnd.pypi.simple.v1+json" in server.headers[0]["Accept"]


def test_next_index_is_asked_where_the_first_does_not_have_it(
    pack: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        package_files,
        "pip_indexes",
        lambda: ("file:///nowhere", f"{server.root}/empty/", f"{server.root}/simple/"),
    )
    assert run(pack).exit_code == FETCHED
    assert server.asked[:2] == ["/empty/game-samples/", PAGE]


PAGES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "Game.Samples-1.2.tar.gz: not found on http://127.0.0.1:"),
    "another version": (
        html("/files/game_samples-1.3.tar.gz"),
        "name an index that has it in pip's configuration",
    ),
    "another package": (html("/files/other-1.2.tar.gz"), "not found on"),
    "a wheel": (html("/files/game_samples-1.2-py3-none-any.whl"), "not found on"),
    "no list of files": (b'{"files": {"filename": 1}}', "not found on"),
    "nested for ever": (b'{"files": ' + b"[" * 200_000, "not found on"),
    "a file of this computer": (
        html("file:///tmp/game_samples-1.2.tar.gz"),
        "expected an https:// address of Game.Samples-1.2.tar.gz",
    ),
    "plain http": (
        html("http://example.org/game_samples-1.2.tar.gz"),
        "expected an https:// address",
    ),
    "no address": (html("https://[/game_samples-1.2.tar.gz"), "expected an https:// address"),
    "larger than any": (b"x" * (2**24 + 1), "expected at most 16 MB, found more"),
}


@pytest.mark.parametrize("wrong", PAGES)
def test_wrong_index_page_is_one_line(pack: Path, cache: Path, server: Server, wrong: str) -> None:
    content, said = PAGES[wrong]
    server.answers[PAGE] = body(content)
    assert said in refused(pack, cache)


def test_index_of_the_network_cannot_point_at_this_computer(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package_files, "pip_indexes", lambda: ("https://example.org/simple",))
    monkeypatch.setattr(
        package_files,
        "_page",
        lambda at: html("http://127.0.0.1:8/game_samples-1.2.tar.gz").decode(),
    )
    ((_, manifest),) = load_pack(pack)
    package = manifest.files["gnubg"].package
    assert package is not None
    with pytest.raises(package_files.NotInPackage, match="expected an https:// address"):
        archive_address(package)


def test_index_that_does_not_answer_is_one_line_without_the_password(
    pack: Path, cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    signed_in = server.root.replace("://", "://me:secret@")
    monkeypatch.setattr(package_files, "pip_indexes", lambda: (f"{signed_in}/simple",))
    server.answers[PAGE] = status(503)
    line = refused(pack, cache)
    assert "the index answered 503; try again later" in line
    assert "secret" not in line
    server.close()
    line = refused(pack, cache)
    assert "cannot be reached; check the network, and index-url in pip's configuration" in line
    assert "secret" not in line


def test_index_that_is_not_secure_is_not_asked(
    pack: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        package_files,
        "pip_indexes",
        lambda: ("http://example.org/simple", "file:///simple", "https://[/"),
    )
    assert "expected an https:// index in pip's configuration, found none" in refused(pack, cache)


LINK = tarfile.TarInfo(f"{HOME}/samples/{NAME}")
LINK.type, LINK.linkname = tarfile.SYMTYPE, "/etc/passwd"
ARCHIVES: dict[str, tuple[bytes, str]] = {
    "a link that is not followed": (archive({f"{HOME}/LICENSE": TERMS}, LINK), "found none"),
    "without the member": (
        archive({f"{HOME}/LICENSE": TERMS}),
        f"expected a member {HOME}/samples/{NAME}, found none",
    ),
    "without the licence": (
        archive({f"{HOME}/samples/{NAME}": CONTENT}),
        f"expected a member {HOME}/LICENSE, found none",
    ),
    "another content": (
        archive({**MEMBERS, f"{HOME}/samples/{NAME}": CONTENT[::-1]}),
        "found " + sha256(CONTENT[::-1]).hexdigest(),
    ),
    "larger member": (archive({**MEMBERS, f"{HOME}/samples/{NAME}": CONTENT + b"!"}), "found none"),
    "no archive": (b"not an archive", "found a damaged archive"),
    "no tar file": (gzip.compress(b"x" * 5000), "found a damaged archive"),
    "cut off": (ARCHIVE[: len(ARCHIVE) // 2], "found a damaged archive"),
    "one that unpacks for ever": (
        gzip.compress(bytes(2**20)) * 600,
        "expected at most 512 MB unpacked, found more",
    ),
}


@pytest.mark.parametrize("wrong", long_but_first(ARCHIVES, len(ARCHIVES) - 1))
def test_wrong_archive_leaves_nothing_and_is_one_line(
    tmp_path: Path, cache: Path, server: Server, wrong: str
) -> None:
    content, said = ARCHIVES[wrong]
    server.answers["/files/game_samples-1.2.tar.gz"] = body(content)
    line = refused(pack_of(tmp_path, content), cache)
    assert "Game.Samples-1.2.tar.gz: " in line
    assert said in line


def test_archive_that_is_not_the_one_of_the_manifest_is_not_opened(
    pack: Path, cache: Path, server: Server
) -> None:
    other = bytes(len(ARCHIVE))
    server.answers["/files/game_samples-1.2.tar.gz"] = body(other)
    assert (
        f"expected SHA-256 {sha256(ARCHIVE).hexdigest()}, found {sha256(other).hexdigest()}"
        in refused(pack, cache)
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name: "Game.Samples"', 'name: "../evil"', "files.gnubg.package.name"),
        ('version: "1.2"', 'version: "1/2"', "files.gnubg.package.version"),
        ('      licence: "game_samples-1.2/LICENSE"\n', "", "files.gnubg.package.licence"),
        (f"bytes: {len(ARCHIVE)}", "bytes: 10737418240", "files.gnubg.package.bytes"),
        ("url: null", 'url: "https://example.org/a"', "expected a url or a package, found both"),
    ],
)
def test_wrong_package_in_a_manifest_is_refused(pack: Path, old: str, new: str, said: str) -> None:
    path = pack / MATCH.name / MANIFEST
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(InvalidConfiguration) as caught:
        load_pack(pack)
    assert said in str(caught.value)


# pip's configuration


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty file of pip's configuration, the only one there is."""
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    home = tmp_path / "home"
    (home / ".config" / "pip").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(home / "pip.conf"))
    (home / "pip.conf").write_text("", "utf-8")
    return home / "pip.conf"


@pytest.mark.long
def test_index_is_the_one_of_pips_files_and_variables(
    configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pip")
    configured.write_text(
        "[global]\nindex-url = https://one.example/simple\nextra-index-url =\n  https://a.example/\n  https://b.example/\n"
        "[download]\nindex-url = https://two.example/simple\n"
    )
    assert pip_indexes() == (
        "https://two.example/simple",
        "https://a.example/",
        "https://b.example/",
    )
    monkeypatch.setenv("PIP_INDEX_URL", "https://three.example/simple")
    assert pip_indexes() == (
        "https://three.example/simple",
        "https://a.example/",
        "https://b.example/",
    )


def test_without_pip_the_variables_count_and_pypi_is_the_default(
    configured: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(configured.with_name("no-python")))
    assert pip_indexes() == (PYPI,)
    monkeypatch.setenv("PIP_INDEX_URL", "https://three.example/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://a.example https://b.example")
    assert pip_indexes() == (
        "https://three.example/simple",
        "https://a.example",
        "https://b.example",
    )
