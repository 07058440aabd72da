"""Public files are brought whole and right or not at all, from servers that do everything wrong and packs that reach for more."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from reconcile.files.bundled import CACHE_VARIABLE
from reconcile.gate.fetch import CannotFetch, _Download, fetch
from reconcile.gate.files import DATA_VARIABLE
from reconcile.gate.manifest import MANIFEST, load_pack
from reconcile.gate.validate import validate
from tests.support.command_line import run as command
from tests.support.data import PROJECT
from tests.support.http_server import Answer, Server, body, status, unannounced
from tests.support.packs_elsewhere import CONTENT, FAILED, FETCHED, MATCH, pack_of, run

pytest.importorskip("pooch")


def refused(pack: Path, cache: Path, *arguments: str) -> str:
    """The one line for a file that could not be brought; nothing of it may be left."""
    result = run(pack, *arguments)
    assert result.exit_code == FAILED
    assert [path for path in cache.rglob("*") if path.is_file()] == []
    (line,) = result.stderr.splitlines()
    assert line.startswith("reconcile: gnubg-3pt-2ply, gnubg: ")
    return line


def test_file_is_brought_once_and_judged_and_again_where_it_is_wrong_in_the_cache(
    pack: Path, cache: Path, server: Server
) -> None:
    result = run(pack)
    assert result.exit_code == FETCHED
    assert (
        result.stdout.splitlines()[0]
        == f"fetched  gnubg-3pt-2ply, gnubg: alice-bob-3pt-2ply.sgf, {len(CONTENT)} bytes"
    )
    assert result.stdout.splitlines()[1].startswith("1 fetched, 0 already present; cache: ")
    (path,) = (path for path in cache.rglob("*") if path.is_file())
    assert path == cache / sha256(CONTENT).hexdigest() / "alice-bob-3pt-2ply.sgf"
    assert path.read_bytes() == CONTENT
    assert validate(pack).exit_code(strict=True) == 0
    again = run(pack)
    assert again.stdout.splitlines()[0].startswith("present  gnubg-3pt-2ply")
    assert server.asked == ["/match.sgf"]
    path.write_bytes(b"x" * len(CONTENT))
    assert run(pack, "--quiet").output == ""
    assert path.read_bytes() == CONTENT
    assert len(server.asked) == 2


def test_copy_in_the_pack_or_in_the_folder_of_copies_is_taken_first(
    pack: Path, tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / MATCH.name / "alice-bob-3pt-2ply.sgf").write_bytes(CONTENT)
    assert run(pack).stdout.startswith("present ")
    (pack / MATCH.name / "alice-bob-3pt-2ply.sgf").write_bytes(b"something else")
    copies = tmp_path / "copies"
    copies.mkdir()
    (copies / "alice-bob-3pt-2ply.sgf").write_bytes(CONTENT)
    monkeypatch.setenv(DATA_VARIABLE, str(copies))
    assert run(pack).stdout.startswith("present ")
    assert run(MATCH).stdout == "nothing to fetch: the pack includes every file\n"


WRONG: dict[str, tuple[Answer, str]] = {
    "other content": (
        body(b"x" * len(CONTENT)),
        f"expected SHA-256 {sha256(CONTENT).hexdigest()}, found {sha256(b'x' * len(CONTENT)).hexdigest()}",
    ),
    "shorter": (
        body(CONTENT[:-1]),
        f"expected {len(CONTENT)} bytes, found {len(CONTENT) - 1}; the download was cut off",
    ),
    "cut off": (
        body(CONTENT[:500], announced=len(CONTENT)),
        f"expected {len(CONTENT)} bytes, found 500; the download was cut off, try again",
    ),
    "empty": (body(b""), f"expected {len(CONTENT)} bytes, found 0"),
    "longer, announced": (
        body(CONTENT + b"!"),
        f"expected {len(CONTENT)} bytes, found {len(CONTENT) + 1} announced",
    ),
    "longer, unannounced": (
        unannounced(CONTENT + b"!"),
        f"expected {len(CONTENT)} bytes, found more",
    ),
    "far longer": (unannounced(bytes(50 * 2**20)), f"expected {len(CONTENT)} bytes, found more"),
    "terabytes announced": (body(CONTENT, announced=10**13), f"found {10**13} announced"),
    "nonsense announced": (status(200, **{"Content-Encoding": "gzip"}), "found 0"),
    "not found": (status(404), "the server answered 404 Not Found; correct the address"),
    "gone": (status(410), "the server answered 410 Gone; correct the address"),
    "forbidden": (status(403), "the server answered 403 Forbidden; try again later"),
    "broken": (status(500), "the server answered 500 Internal Server Error; try again later"),
    "partial": (status(206), "the server answered 206 Partial Content"),
    "redirected to a file": (
        status(302, Location="file:///etc/passwd"),
        "redirected to 'file:///etc/passwd', expected an https:// address",
    ),
    "redirected to ftp": (
        status(301, Location="ftp://example.org/a"),
        "redirected to 'ftp://example.org/a', expected an https:// address",
    ),
    "redirected to plain http": (
        status(307, Location="http://example.org/a"),
        "redirected to 'http://example.org/a', expected an https:// address",
    ),
    "redirected with a password": (
        status(302, Location="https://a:b@example.org/"),
        "without user name",
    ),
    "redirected for ever": (status(302, Location="/match.sgf"), "redirected more than 5 times"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_answer_leaves_nothing_and_is_one_line(
    pack: Path, cache: Path, server: Server, wrong: str
) -> None:
    server.default, said = WRONG[wrong]
    line = refused(pack, cache)
    assert f"{server.root}/match.sgf: " in line
    assert said in line


def test_redirect_on_the_same_computer_is_followed(pack: Path, server: Server) -> None:
    server.answers["/match.sgf"] = status(302, Location="/elsewhere/a%20b.sgf")
    assert run(pack).exit_code == FETCHED
    assert server.asked == ["/match.sgf", "/elsewhere/a%20b.sgf"]


def test_redirect_from_the_network_to_this_computer_is_not_followed(tmp_path: Path) -> None:
    ((_, manifest),) = load_pack(pack_of(tmp_path, "https://example.org/a"))
    download = _Download(manifest.files["gnubg"], 1, 1, None)
    with pytest.raises(CannotFetch, match="expected an address on the network"):
        download._next("https://example.org/a", "http://127.0.0.1:8080/admin")


def test_a_host_that_leads_elsewhere_when_it_is_connected_to_is_refused(
    tmp_path: Path, cache: Path, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its name server answers a public address first, or nothing, and then one on this computer."""
    port = int(server.root.rpartition(":")[2])
    real, asked = socket.getaddrinfo, []

    def rebound(host: object, *rest: object, **more: object) -> object:
        if host != "rebound.example":
            return real(host, *rest, **more)  # type: ignore[arg-type]
        asked.append(host)
        if len(asked) > 1:
            return real("127.0.0.1", port, type=socket.SOCK_STREAM)
        if first is None:
            raise socket.gaierror(socket.EAI_AGAIN, "try again")
        return real(first, port, type=socket.SOCK_STREAM)

    monkeypatch.setattr(socket, "getaddrinfo", rebound)
    for first in ("8.8.8.8", None):
        asked.clear()
        (one,) = fetch(pack_of(tmp_path / str(first), f"https://rebound.example:{port}/match.sgf"))
        assert (
            "expected a public address, found 127.0.0.1; if you trust the pack, add --allow-private"
            in one.error
        )
        assert len(asked) > 1
    assert server.asked == []


@pytest.mark.long
def test_server_that_says_nothing_is_given_up(pack: Path, cache: Path, server: Server) -> None:
    let_go = threading.Event()
    server.default = lambda _: (let_go.wait(), None)[1]
    try:
        assert "no answer for" in refused(pack, cache, "--timeout", "1")
    finally:
        let_go.set()


def test_server_that_trickles_for_ever_is_given_up(pack: Path, cache: Path, server: Server) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        body(b"", announced=len(CONTENT))(handler)
        try:
            for byte in CONTENT:
                handler.wfile.write(bytes([byte]))
                time.sleep(0.05)
        except OSError:
            pass

    server.default = trickle
    (one,) = fetch(pack, longest=0.2, private=True)
    assert one.path is None
    assert f"of {len(CONTENT)} bytes after 0.2 seconds" in one.error
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_server_that_is_not_there_is_one_line(tmp_path: Path, cache: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    refusal = refused(pack_of(tmp_path / "closed", f"http://127.0.0.1:{port}/a"), cache)
    assert "cannot be reached: connection refused; check the network" in refusal
    assert "cannot be reached: " in refused(
        pack_of(tmp_path / "unknown", "https://reconcile.invalid/a.sgf"), cache
    )


@pytest.mark.long
def test_two_runs_with_one_cache_both_have_the_whole_file(
    pack: Path, cache: Path, server: Server
) -> None:
    words = [
        sys.executable,
        "-m",
        "reconcile",
        "fetch",
        "--allow-private",
        str(pack),
    ]  # the cache is the one that the environment names
    runs = [
        subprocess.Popen(
            words, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [run.communicate(timeout=120)[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], said
    kept = [path for path in cache.rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in kept] == [CONTENT]


def test_download_of_another_run_stays_until_it_can_only_be_a_leftover(
    pack: Path, cache: Path, server: Server
) -> None:
    folder = cache / sha256(CONTENT).hexdigest()
    folder.mkdir(parents=True)
    for name, age in (("tmpkilled", 10**6), ("tmprunning", 0)):
        (folder / name).write_bytes(b"half")
        os.utime(folder / name, (time.time() - age,) * 2)
    assert run(pack).exit_code == FETCHED
    assert sorted(path.name for path in folder.iterdir()) == [
        "alice-bob-3pt-2ply.sgf",
        "tmprunning",
    ]


def test_one_failure_keeps_what_was_brought(tmp_path: Path, server: Server, cache: Path) -> None:
    pack = pack_of(
        tmp_path,
        f"{server.root}/match.sgf",
        ("second.sgf", f"{server.root}/gone"),
        ("third.sgf", f"{server.root}/third"),
    )
    server.answers["/gone"] = status(404)
    result = run(pack)
    assert result.exit_code == FAILED
    assert sorted(path.name for path in cache.rglob("*.sgf")) == [
        "alice-bob-3pt-2ply.sgf",
        "third.sgf",
    ]
    assert len(result.stderr.splitlines()) == 1
    assert result.stdout.splitlines()[-1].startswith(
        "2 fetched, 0 already present, 1 failed; cache: "
    )
    server.answers.clear()
    assert run(pack).exit_code == FETCHED


def test_cache_that_cannot_be_written_is_one_line(pack: Path, cache: Path) -> None:
    cache.parent.mkdir(exist_ok=True)
    cache.write_text("a file")
    result = run(pack)
    assert result.exit_code == FAILED
    assert "cannot be written" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_no_password_and_no_compression_are_sent(
    pack: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".netrc").write_text("machine 127.0.0.1\nlogin me\npassword secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    run(pack)
    assert server.headers[0]["Accept-Encoding"] == "identity"
    assert "Authorization" not in server.headers[0]


def test_declared_ten_gigabytes_are_refused(pack: Path) -> None:
    path = pack / MATCH.name / MANIFEST
    path.write_text(
        path.read_text("utf-8").replace(f"bytes: {len(CONTENT)}", "bytes: 10737418240"), "utf-8"
    )
    result = run(pack)
    assert result.exit_code == FAILED
    assert (
        "files.gnubg.bytes: expected a number less than or equal to 134217728, found 10737418240"
        in result.stderr
    )


def test_certificate_that_nobody_signed_is_refused(tmp_path: Path, cache: Path) -> None:
    certificate = tmp_path / "certificate.pem"
    request = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
    ]
    try:
        subprocess.run(
            [
                *request,
                "-addext",
                "subjectAltName=IP:127.0.0.1",
                "-keyout",
                certificate,
                "-out",
                tmp_path / "public.pem",
            ],
            check=True,
            capture_output=True,
            timeout=60,
        )
    except FileNotFoundError:
        pytest.skip("no openssl to make a certificate")
    certificate.write_text(certificate.read_text() + (tmp_path / "public.pem").read_text())
    server = Server(body(CONTENT), certificate)
    try:
        pack = pack_of(tmp_path, f"{server.root}/match.sgf")
        assert "the certificate of the server cannot be trusted" in refused(pack, cache)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("REQUESTS_CA_BUNDLE", str(tmp_path / "public.pem"))
            assert run(pack).exit_code == FETCHED
    finally:
        server.close()


def test_without_pooch_the_extra_is_named_and_validate_still_runs(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pooch", None)
    monkeypatch.delenv(CACHE_VARIABLE)
    result = run(pack)
    assert result.exit_code == FAILED
    assert (
        "fetching files needs pooch, which is not installed; install it with pip install 'gammon-reconcile[fetch]'"
        in result.stderr
    )
    told = command("validate", pack)
    assert told.exit_code == FAILED
    assert "no reported figure could be compared" in told.stderr


# -- hostile packs and servers


def test_private_and_loopback_addresses_are_refused_unless_allowed(pack: Path) -> None:
    result = command("fetch", pack)
    (line,) = result.stderr.splitlines()
    assert result.exit_code == FAILED
    assert line.endswith(
        "expected a public address, found 127.0.0.1; if you trust the pack, add --allow-private"
    )
    assert run(pack).exit_code == FETCHED


@pytest.mark.parametrize(
    "host", ["a" * 70 + "\u00e9.example", "\u00e9..example", "xn--\u00e9.example"]
)
def test_address_that_cannot_be_encoded_is_one_line_and_the_other_files_are_brought(
    host: str, tmp_path: Path, server: Server, cache: Path
) -> None:
    pack = pack_of(tmp_path, f"https://{host}/x.sgf", ("other.sgf", f"{server.root}/match.sgf"))
    result = run(pack)
    assert (result.exit_code, len(result.stderr.splitlines())) == (FAILED, 1)
    assert "1 fetched" in result.stdout


@pytest.mark.skipif(not hasattr(Path, "symlink_to"), reason="no links here")
@pytest.mark.parametrize("to", ["secret", "match.yaml", "nowhere"])
def test_manifest_that_is_a_link_is_refused_without_a_word_of_what_it_points_at(
    to: str, pack: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("password: 12345")
    manifest = pack / MATCH.name / MANIFEST
    manifest.unlink()
    manifest.symlink_to(tmp_path / to if to != "match.yaml" else to)
    for words in (["fetch"], ["validate"], ["validate", "--measure"]):
        result = command(*words, pack)
        assert (result.exit_code, len(result.stderr.splitlines())) == (FAILED, 1)
        assert "found a link out of it" in result.stderr
        assert "password" not in result.output


def test_headers_that_never_end_are_given_up(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each comes in time, so that only the time of the whole ends it."""
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
    monkeypatch.setattr("reconcile.gate.fetch.CONNECT", 0.2)
    try:
        (one,) = fetch(
            pack_of(tmp_path, f"http://127.0.0.1:{listening.getsockname()[1]}/x"),
            longest=0.2,
            private=True,
        )
    finally:
        stop.set()
        serving.join()
        listening.close()
    assert "not finished after 0.2 seconds" in one.error
    assert not [path for path in cache.rglob("*") if path.is_file() and path.suffix == ".sgf"]
