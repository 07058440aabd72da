"""What the program rests on: what users install is locked, and no network but for `fetch`."""

import json
import os
import re
import subprocess
import sys
import tomllib
from functools import cache

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.command_line import PACK, SGF, XG, environment
from tests.support.data import PROJECT as ROOT

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT, BUILD = SETTINGS["project"], SETTINGS["build-system"]["requires"]
ACTION, LOCK = ROOT / ".ci" / "action.txt", ROOT / ".ci" / "lock.txt"

in_checkout = pytest.mark.skipif(not LOCK.is_file(), reason="no lock outside a checkout")


@cache
def pieces(path):
    """What a lock says of each package, comments left out."""
    text = re.sub(r"(?m)^ *#.*\n?", "", path.read_text("utf-8"))
    return [piece.strip() for piece in re.split(r"(?m)^(?=[A-Za-z0-9])", text) if piece.strip()]


def locked(path=LOCK):
    """Every package of a lock, with its marker."""
    return [Requirement(piece.splitlines()[0].rstrip("\\ ")) for piece in pieces(path)]


@in_checkout
def test_action_installs_part_of_the_lock():
    """What users install and what builds the package, package by package as in the lock, though
    perhaps on fewer systems."""
    part, whole_lock = (
        {re.sub(r" ;[^\\\n]*(?= \\)", "", piece) for piece in pieces(path)}
        for path in (ACTION, LOCK)
    )
    assert part
    assert part <= whole_lock, "run .ci/lock"
    names = {canonicalize_name(entry.name) for entry in locked(ACTION)}
    wanted = map(Requirement, [*PROJECT["dependencies"], *BUILD])
    assert {canonicalize_name(entry.name) for entry in wanted} <= names


NO_NETWORK = """
import sys

def refuse(event, arguments):
    calls = ("connect", "getaddrinfo", "gethostbyname", "sendto", "bind")
    if event in [f"socket.{call}" for call in calls]:
        address = arguments[1] if event == "socket.connect" else arguments[0]
        if not (event == "socket.connect" and isinstance(address, (str, bytes))):
            sys.stderr.write(f"network: {event} {arguments[1:]}\\n")
            sys.stderr.flush()
            __import__("os")._exit(99)

sys.addaudithook(refuse)
"""
"""Ends a process, and every Python process it starts, at the first touch of the network; sockets
within the computer are none."""

COMMANDS = (
    ("stats", XG),
    ("compare", XG, SGF, "--html", "out/gap.html"),
    ("validate", str(PACK)),
    ("investigate", XG, "--player", "Nora Lindqvist", "--reported", "pr=4.2"),
    ("explain", "Q02"),
    ("convert", SGF, "-o", "out/match.mat"),
    ("corpus", str(PACK / "demonstration"), "-o", "out/corpus", "--jobs", "2"),
)
ONE_BY_ONE = """
import json, sys
from reconcile.cli import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as ended:
        print("exit code", ended.code, *words, file=sys.stderr)
"""


def run(arguments, folder):
    """Run Python where the network is refused."""
    (folder / "hook").mkdir()
    (folder / "out").mkdir()
    (folder / "hook" / "sitecustomize.py").write_text(NO_NETWORK, "utf-8")
    own = environment(
        PYTHONPATH=os.pathsep.join((str(folder / "hook"), str(ROOT))),
        RECONCILE_CACHE=str(folder / "cache"),
    )
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=own, capture_output=True, text=True
    )


@pytest.mark.long
def test_commands_need_no_network(tmp_path):
    result = run(["-c", ONE_BY_ONE, json.dumps(COMMANDS)], tmp_path)
    assert "network:" not in result.stderr
    codes = re.findall(r"^exit code ([01]) (\S+)", result.stderr, re.MULTILINE)
    assert [name for _, name in codes] == [name for name, *_ in COMMANDS], result.stderr
    written = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert written == ["corpus", "gap.html", "match.mat"]


def test_touch_of_the_network_would_be_seen(tmp_path):
    call = "import socket; socket.getaddrinfo('example.org', 443)"
    result = run(["-c", call], tmp_path)
    assert result.returncode == 99
    assert result.stderr.startswith("network: socket.")
