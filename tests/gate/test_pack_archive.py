"""A pack from an address: unpacked whole and right or not at all, from a server on this computer."""

from __future__ import annotations

import io
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import Result

from reconcile.gate.manifest import MANIFEST
from reconcile.gate.validate import validate
from tests.support.command_line import run
from tests.support.http_server import Server, body
from tests.support.packs_elsewhere import CONTENT, MATCH

pytest.importorskip("pooch")
WHOLE = {f"some-pack-main/matches/{MATCH.name}/{MANIFEST}": (MATCH / MANIFEST).read_bytes()} | {
    f"some-pack-main/matches/{MATCH.name}/alice-bob-3pt-2ply.sgf": CONTENT
}
ASIDE = {
    "some-pack-main/README.md": b"# A pack",
    "some-pack-main/matches/pack.yaml": b"schema_version: 1\ncandidates: {table: printed}\n",
}


def archive(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return made.getvalue()


def fetched(server: Server, content: bytes, folder: Path, digest: str | None = None) -> Result:
    server.answers["/pack.zip"] = body(content)
    address = f"{server.root}/pack.zip" + (
        f"#sha256={sha256(content).hexdigest()}" if digest is None else digest
    )
    return run("fetch", address, "-o", folder, "--allow-private")


def test_pack_is_unpacked_and_judged_and_a_match_that_is_there_is_left_alone(
    server: Server, cache: Path, tmp_path: Path
) -> None:
    home = tmp_path / "pack"
    done = fetched(server, archive(WHOLE | ASIDE), home)
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, f"unpacked {home / MATCH.name}"), (
        done.output
    )
    assert sorted(
        path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()
    ) == [
        *sorted(name.partition("matches/")[2] for name in WHOLE),
        "pack.yaml",
    ]
    assert validate(home).exit_code(strict=True) == 0
    changed = home / MATCH.name / MANIFEST
    changed.write_text(changed.read_text("utf-8") + "# mine\n", "utf-8")
    assert "unpacked" not in fetched(server, archive(WHOLE), home).stdout
    assert changed.read_text("utf-8").endswith("# mine\n")


@pytest.mark.parametrize(
    ("content", "digest", "words"),
    [
        (archive(WHOLE), "", "expected the SHA-256 of the archive after the address"),
        (archive(WHOLE), "#sha256=12", "found '12'"),
        (archive(WHOLE), f"#sha256={64 * '0'}", f"expected SHA-256 {64 * '0'}, found"),
        (b"<html>", None, "expected a zip archive"),
        (archive(WHOLE)[:-200], None, "expected a zip archive"),
        (archive(ASIDE), None, "found none"),
        (archive({MANIFEST: b""}), None, "found a match.yaml without one"),
        (archive(WHOLE | {f"other/place/{MANIFEST}": b""}), None, "found them in 2 places"),
        (archive({f"a/../{MANIFEST}": b""}), None, "expected a plain file name"),
        (
            archive(WHOLE | {f"some-pack-main/matches/{MATCH.name}/C:x": b""}),
            None,
            "expected a plain file name",
        ),
    ],
)
def test_what_is_no_pack_leaves_nothing(
    server: Server, cache: Path, tmp_path: Path, content: bytes, digest: str | None, words: str
) -> None:
    done = fetched(server, content, tmp_path / "pack", digest)
    assert (done.exit_code, done.stdout, (tmp_path / "pack").exists()) == (2, "", False)
    (line,) = done.stderr.splitlines()
    assert words in line


def test_archive_that_unpacks_to_more_than_allowed_is_refused(
    server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reconcile.gate.pack_archive.LARGEST_UNPACKED", 1000)
    assert "found more" in fetched(server, archive(WHOLE), tmp_path / "pack").stderr
