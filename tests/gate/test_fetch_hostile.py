"""What a hostile pack or server tries: addresses inside, links out, names of devices, headers without an end."""

from __future__ import annotations

import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from reconcile.cli import main
from reconcile.gate.fetch import fetch
from reconcile.gate.manifest import MANIFEST
from tests.support.http_server import Server
from tests.support.packs_elsewhere import FAILED, FETCHED, MATCH, pack_of, run

pytest.importorskip("pooch")


def test_private_and_loopback_addresses_are_refused_unless_allowed(pack: Path, server: Server, cache: Path) -> None:
    result = CliRunner().invoke(main, ["fetch", str(pack)], prog_name="reconcile", catch_exceptions=False)
    (line,) = result.stderr.splitlines()
    assert result.exit_code == FAILED
    assert line.endswith("expected a public address, found 127.0.0.1; if you trust the pack, add --allow-private")
    assert run(pack).exit_code == FETCHED


@pytest.mark.parametrize("host", ["a" * 70 + "\u00e9.example", "\u00e9..example", "xn--\u00e9.example"])
def test_address_that_cannot_be_encoded_is_one_line_and_the_other_files_are_brought(
    host: str, tmp_path: Path, server: Server, cache: Path
) -> None:
    pack = pack_of(tmp_path, f"https://{host}/x.sgf", ("other.sgf", f"{server.root}/match.sgf"))
    result = run(pack)
    assert (result.exit_code, len(result.stderr.splitlines())) == (FAILED, 1)
    assert "1 fetched" in result.stdout


@pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="no links here")
@pytest.mark.parametrize("to", ["secret", "match.yaml", "nowhere"])
def test_manifest_that_is_a_link_is_refused_without_a_word_of_what_it_points_at(to: str, pack: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("password: 12345")
    manifest = pack / MATCH.name / MANIFEST
    manifest.unlink()
    manifest.symlink_to(tmp_path / to if to != "match.yaml" else to)
    for command in ("fetch", "validate", "measure"):
        result = CliRunner().invoke(main, [command, str(pack)], prog_name="reconcile", catch_exceptions=False)
        assert (result.exit_code, len(result.stderr.splitlines())) == (FAILED, 1)
        assert "found a link out of it" in result.stderr
        assert "password" not in result.output


def test_headers_that_never_end_are_given_up(tmp_path: Path, cache: Path) -> None:
    """Each comes in time, so that only the time of the whole ends it."""
    from reconcile.gate import fetch as module

    listening = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def serve() -> None:
        connection, _ = listening.accept()
        connection.sendall(b"HTTP/1.1 200 OK\r\n")
        while not stop.wait(0.02):
            try:
                connection.sendall(b"X")
            except OSError:
                break
        connection.close()

    serving = threading.Thread(target=serve)
    serving.start()
    patched, module.CONNECT = module.CONNECT, 0.2  # type: ignore[misc]
    try:
        (one,) = fetch(pack_of(tmp_path, f"http://127.0.0.1:{listening.getsockname()[1]}/x"), longest=0.2, private=True)
    finally:
        module.CONNECT = patched  # type: ignore[misc]
        stop.set()
        serving.join()
        listening.close()
    assert "not finished after 0.2 seconds" in one.error
    assert not [path for path in cache.rglob("*") if path.is_file() and path.suffix == ".sgf"]
