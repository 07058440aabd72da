"""Which addresses of files are public, secure and how they are sent."""

from __future__ import annotations

from ipaddress import IPv4Address
from pathlib import Path
from urllib.parse import quote

import pytest

from reconcile.errors import InvalidConfiguration
from reconcile.gate.fetch import encoded, is_public
from reconcile.gate.manifest import load_pack
from tests.support.http_server import Server
from tests.support.packs_elsewhere import FETCHED, pack_of, run

pytest.importorskip("pooch")


@pytest.mark.parametrize(
    "inner",
    ["127.0.0.1", "169.254.169.254", "10.0.0.1", "100.64.0.1", "224.0.0.1", "0.0.0.0", "8.8.8.8"],
)
@pytest.mark.parametrize(
    "form", ["{}", "::ffff:{}", "64:ff9b::{}", "::{}", "2002:{hexadecimal}::1"]
)
def test_address_within_an_address_is_judged_by_the_inner_one(inner: str, form: str) -> None:
    packed = IPv4Address(inner).packed.hex()
    assert is_public(form.format(inner, hexadecimal=f"{packed[:4]}:{packed[4:]}")) is (
        inner == "8.8.8.8"
    )


@pytest.mark.parametrize(
    "host",
    [
        "::1",
        "fe80::1%eth0",
        "fc00::1",
        "ff02::1",
        "ff0e::1",
        "64:ff9b:1::808:808",
        "2001:0:808:808::1",
    ],
)
def test_address_that_no_public_server_has_is_refused(host: str) -> None:
    assert not is_public(host)
    assert is_public("2606:4700::1111")


@pytest.mark.parametrize(
    ("url", "sent"),
    [
        ("https://example.org/a b", "https://example.org/a%20b"),
        ("https://example.org/%C3%B8", "https://example.org/%C3%B8"),
        ("https://exämple.org/é?q=é#part", "https://xn--exmple-cua.org/%C3%A9?q=%C3%A9"),
    ],
)
def test_address_beyond_ascii_is_encoded_and_what_is_encoded_stays_so(
    url: str, sent: str, tmp_path: Path, server: Server, cache: Path
) -> None:
    assert encoded(url) == sent
    name = "Jørgensen%20–%20Unger,%207%20points.sgf"
    assert run(pack_of(tmp_path, f"{server.root}/{name}")).exit_code == FETCHED
    assert server.asked == ["/" + quote(name, safe="/%,")]


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a.sgf",
        "http://192.168.0.1/a.sgf",
        "http://localhost.example.org/a",
        "http://127.0.0.1.example.org/a",
        "file:///etc/passwd",
        "ftp://127.0.0.1/a",
        "javascript:alert(1)",
        "",
        "https:///a",
        "https://user:password@example.org/a",
        "https://example.org/a\\nb",
        "https://example.org/a b",
        "https://example.org:99999/a",
        "https://[::1/a",
    ],
)
def test_address_that_is_not_secure_is_refused_before_anything_is_asked(
    tmp_path: Path, cache: Path, url: str
) -> None:
    with pytest.raises(InvalidConfiguration, match=r"match\.yaml:\d+: files\.gnubg\.url: "):
        load_pack(pack_of(tmp_path, url))
    for number, of_this_computer in enumerate(
        ("http://127.0.0.1:8/a", "http://localhost/a", "http://[::1]:8000/a")
    ):
        assert load_pack(pack_of(tmp_path / str(number), of_this_computer))
